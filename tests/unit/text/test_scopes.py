"""Markers are whole, also at the end of a text."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.negation import read
from ancremed_desktop.text.scopes import by_first, marker_at, open_scope

LAST = ("sauf", "hors", "excepte", "sans", "des", "non", "absence", "si", "contre")


@pytest.mark.parametrize("word", LAST)
def test_a_marker_that_ends_a_text_opens_nothing_beyond_it(word: str) -> None:
    keys = ("le", "traitement", word)
    opened = open_scope(keys, 2)
    assert opened is None or opened[2] == 1


def test_a_marker_counts_the_words_it_has() -> None:
    assert marker_at(("x", "sauf"), 1, by_first({("sauf",), ("sauf", "si")})) == 1
    assert marker_at(("sauf", "si", "x"), 0, by_first({("sauf",), ("sauf", "si")})) == 2
    assert marker_at(("sauf",), 0, by_first({("sauf", "si")})) == 0


@pytest.mark.parametrize("word", LAST)
def test_a_text_may_end_with_any_marker(word: str) -> None:
    assert read(f"Le traitement est poursuivi {word}").words
