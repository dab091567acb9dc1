"""Present, absent or in doubt: the scope of French negation over a list of criteria."""

from __future__ import annotations

import pytest

from ancremed_desktop.formulas.polarity import Polarity, polarity
from ancremed_desktop.text.normalise import fold

PRESENT, ABSENT, DOUBT, OTHER = Polarity.PRESENT, Polarity.ABSENT, Polarity.DOUBT, Polarity.OTHER


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("HTA et diabète", "diabete", PRESENT),
        ("pas d’ascite", "ascite", ABSENT),
        ("pas d’HTA, diabète traité", "diabete", PRESENT),
        ("pas d’HTA, diabète traité", "hta", ABSENT),
        ("pas d’HTA ni de diabète", "diabete", ABSENT),
        ("pas d’HTA, de diabète", "diabete", ABSENT),
        ("sans HTA, diabète ou AVC", "diabete", ABSENT),
        ("sans HTA, diabète ou AVC", "avc", ABSENT),
        ("sans HTA mais diabète", "diabete", PRESENT),
        ("pas de toux et fièvre", "fievre", PRESENT),
        ("pas de toux et de fièvre", "fievre", ABSENT),
        ("HTA : non", "hta", ABSENT),
        ("HTA : oui", "hta", PRESENT),
        ("HTA (non), diabète", "diabete", PRESENT),
        ("ascite absente", "ascite", ABSENT),
        ("ne tousse pas", "tousse", ABSENT),
        ("non diabétique", "diabetique", ABSENT),
        ("diabete non avc", "avc", DOUBT),
        ("diabète-, HTA", "diabete", ABSENT),
        ("HTA ?, diabète", "hta", DOUBT),
        ("HTA, diabète ?", "diabete", DOUBT),
        ("sans antécédent, AVC ?", "avc", DOUBT),
        ("homme 70 ans AVC ?", "avc", DOUBT),
        ("quel score, AVC ?", "avc", DOUBT),
        ("quel score avec HTA et diabète ?", "diabete", PRESENT),
        ("score chez une femme avec HTA et diabète ? Merci", "diabete", PRESENT),
        ("diabète à éliminer", "diabete", DOUBT),
        ("HTA suspectée", "hta", DOUBT),
        ("HTA douteuse", "hta", DOUBT),
        ("diabète de type 2 possible", "diabete", DOUBT),
        ("AVC ischémique probable", "avc", DOUBT),
        ("HTA ou diabète possible", "hta", DOUBT),
        ("HTA (à confirmer)", "hta", DOUBT),
        ("HTA non confirmée", "hta", DOUBT),
        ("EP non exclue", "ep", DOUBT),
        ("cancer : ne sait pas", "cancer", DOUBT),
        ("probable AOMI", "aomi", DOUBT),
        ("éliminer un AVC", "avc", DOUBT),
        ("suspicion d’HTA et de diabète", "diabete", DOUBT),
        ("sans doute un diabète", "diabete", DOUBT),
        ("si AVC", "avc", DOUBT),
        ("EP éliminée", "ep", ABSENT),
        ("HTA possible, diabète", "diabete", PRESENT),
        ("sa femme est diabétique", "diabetique", OTHER),
        ("son épouse a fait un AVC", "avc", OTHER),
        ("suspicion d’AIT", "ait", DOUBT),
        ("cancer en rémission", "cancer", DOUBT),
        ("père décédé d’un AVC", "avc", OTHER),
        ("antécédents familiaux d’AVC", "avc", OTHER),
        ("risque d’AVC", "avc", OTHER),
        ("allergie à l’aspirine", "aspirine", OTHER),
        ("faut-il donner de l’aspirine", "aspirine", OTHER),
        ("PAS 95, diabète", "diabete", PRESENT),
        ("PAS à 95 diabète", "diabete", PRESENT),
        ("jamais d’AVC", "avc", ABSENT),
        ("aucun antécédent d’AVC", "avc", ABSENT),
    ],
)
def test_polarity(text: str, word: str, expected: Polarity) -> None:
    folded = fold(text)
    start = folded.index(word)
    assert polarity(folded, start, start + len(word)) is expected
