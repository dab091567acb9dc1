"""A text that is no UTF-8 is Windows-1252 unless another encoding is clear; else it is refused."""

from __future__ import annotations

import pytest

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.plain_text import plain_pieces
from ancremed_desktop.corpus.local.withheld import readable
from ancremed_desktop.corpus.local.wording import decode
from ancremed_desktop.corpus.omitted import MISREAD
from ancremed_desktop.errors import BadFileError

FEW = "Dose de 0,5 µg – 1 µg par jour, ± 2 °C, ½ comprimé, 25 m²."


@pytest.mark.parametrize(
    "text",
    [
        FEW,
        "Dose : 0,5 µg",
        "La dose… puis 1 g à midi",
        "Donné à 38 °C – « 1 mg »",
        "Température > 38 °C",
        "Cœur – 5 µg",
        "Coût : 10 € — mère–enfant",
        "Étude de Šimek : la métformine est donnée à 1 g, répétée après 8 h, réévaluée à 3 mois, "
        "arrêtée en cas de réaction",
    ],
)
def test_windows_text_with_few_accents_is_read_as_it_is(text: str) -> None:
    assert decode(text.encode("cp1252")) == text


@pytest.mark.parametrize("encoding", ["cp850", "mac_roman"])
@pytest.mark.parametrize(
    "text",
    [
        "La dose est donnée à 5 µg, ± 1 µg.",
        "Température élevée : 39 °C, fièvre à 3 jours",
        "La dose prévue est répétée après 8 h, même la nuit.",
    ],
)
def test_an_older_encoding_that_is_clear_is_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_ligature_of_latin_9_is_no_fraction() -> None:
    assert decode("Le cœur, 1 mg".encode("iso8859_15")) == "Le cœur, 1 mg"
    assert decode("½ comprimé".encode("cp1252")) == "½ comprimé"


@pytest.mark.parametrize(
    "content",
    [
        "Dose de 5 µg par jour".encode("cp850"),
        "Plus de 38 °C".encode("cp850"),
        "Dose répétée : 5 µg".encode("cp850"),  # one kind of letter
        "dose répétée ".encode("cp850") + "donnée à 1 g".encode("cp1252"),
        "dose \x81 de 5 mg".encode("latin-1"),
    ],
)
def test_what_may_be_in_several_encodings_is_refused(content: bytes) -> None:
    with pytest.raises(BadFileError, match="enregistrez le fichier en UTF-8"):
        decode(content)


RUSSIAN = "Доза амоксициллина для взрослых составляет 500 мг три раза в сутки при 38 °C."
GREEK = "Η δόση αμοξικιλλίνης για ενήλικες είναι 500 mg τρεις φορές την ημέρα."
POLISH = "Dawka amoksycyliny dla dorosłych wynosi 500 mg trzy razy na dobę, ból żołądka."
CZECH = "Dávka amoxicilinu pro dospělé je 500 mg třikrát denně, při horečce žádný příznak."
TURKISH = "Yetişkinler için amoksisilin dozu günde üç kez 500 mg, ateş, ağrı ve ışık."
HEBREW = "המינון של אמוקסיצילין למבוגרים הוא 500 שלוש פעמים ביום"
JAPANESE = "アモキシシリンの成人用量は500mgを1日3回です。"
CHINESE = "阿莫西林成人剂量为每次500毫克，每日三次。"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"), (RUSSIAN, "cp866"), ("Доза 500 мг", "koi8-r"), (GREEK, "cp1253"),
        (POLISH, "cp1250"), (CZECH, "cp1250"), (CZECH, "iso8859_2"), (TURKISH, "cp1254"),
        (HEBREW, "cp1255"), (JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"), (CHINESE, "gbk"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("declared", ["", "windows-1252"])
def test_another_script_is_not_taken_for_latin_letters(
    text: str, encoding: str, declared: str
) -> None:
    """« Доза » was indexed as « Äîçà »."""
    with pytest.raises(BadFileError, match="UTF-8"):
        decode(text.encode(encoding), declared)


def test_a_declared_script_and_western_languages_are_read() -> None:
    assert decode(RUSSIAN.encode("cp1251"), "windows-1251") == RUSSIAN
    for text in (
        "Die Dosis für Erwachsene beträgt 500 mg, größer täglich, bei Übelkeit.",
        "La dosis del niño es de 500 mg, según él, ¿cuánto? Más allá, atención.",
        "A dose para crianças não é de 500 mg; atenção à função renal.",
        "Dosis til børn på 500 mg, særlig små.",
        "La dose de M. Sørensen, née Núñez, est donnée à l’hôpital, répétée à midi, arrêtée, "
        "réévaluée, où l’œdème a cédé, dès le début, à l’entrée, même l’été, et à Nîmes.",
    ):
        assert decode(text.encode("cp1252")) == text


@pytest.mark.parametrize("text", ["dose répétée", "38 °C", "l’été", "« 5 mg »", "cœur", "À jeun"])
def test_text_converted_twice_is_withheld_by_name(text: str) -> None:
    """UTF-8 read as Windows-1252 and stored again: the file itself is well-formed."""
    lost = text.encode().decode("cp1252", "surrogateescape").encode("utf-8", "surrogateescape")
    read = plain_pieces(f"Une ligne {lost.decode('utf-8', 'replace')} de 5 mg.\n\nDose : 1 g.")
    shown = [item for item in readable(read) if isinstance(item, Piece)]
    assert [MISREAD in piece.text for piece in shown] == [True, False]
