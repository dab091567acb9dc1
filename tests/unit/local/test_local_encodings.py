"""A text that is no UTF-8 is Windows-1252 unless another encoding is clear; else it is refused."""

from __future__ import annotations

import pytest

from ancremed_desktop.corpus.local.wording import decode
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
