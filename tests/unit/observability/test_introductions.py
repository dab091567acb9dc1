"""The quick look never clears a text in which the masks find somebody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.observability.test_identities import DATES, FORMS, NAMES, NUMBERS
from unit.observability.test_redaction import MASKED

from ancremed_desktop.observability.introductions import may_identify
from ancremed_desktop.observability.redaction import without_people

_PIECES = (
    *(form.format(name) for form in FORMS for name in NAMES),
    *DATES,
    *NUMBERS,
    *(text for text, _ in MASKED),
    "Emma Rousseau",
    "Emma de la Tour tousse",
    "NÉE Dubois",
    "l’enfant Rousseau",
    "L’ENFANT ROUSSEAU EMMA TOUSSE",
    "née le premier janvier",
    "DDN premier mars",
    "zoe at chu point fr",
    "zoe (arobase) chu.fr",
    "[NOM]",
    "signes de l’embolie",
    "comme",
    "la capitale",
)
_GLUE = (" ", ", ", " : ", " et ", "\u200b", "\u00a0", "-", "")


@given(st.lists(st.tuples(st.sampled_from(_PIECES), st.sampled_from(_GLUE)), max_size=4))
def test_what_it_clears_names_nobody(parts: list[tuple[str, str]]) -> None:
    text = "".join(piece + glue for piece, glue in parts)
    assert may_identify(text) or without_people(text) == text


@pytest.mark.parametrize("piece", _PIECES)
def test_of_each_form_alone(piece: str) -> None:
    for text in (piece, piece.lower(), piece.upper()):
        assert may_identify(text) or without_people(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "c koi la capitale de l’Australie",
        "comme si tu étais mon pote",
        "Écris-moi un poème sur le printemps",
    ],
)
def test_it_clears_what_names_nobody(text: str) -> None:
    assert not may_identify(text)
