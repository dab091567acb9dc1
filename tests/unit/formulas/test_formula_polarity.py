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
        ("HTA, diabète ?", "diabete", PRESENT),
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
