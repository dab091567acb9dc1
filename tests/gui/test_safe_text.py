"""Text of a corpus on screen: same length, nothing that misleads, offsets true in UTF-16."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.gui.safe_text import REPLACEMENT, display_text, utf16_offset

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)


@given(ANY_TEXT)
def test_length_is_kept_and_a_second_pass_changes_nothing(text: str) -> None:
    shown = display_text(text)
    assert len(shown) == len(text)
    assert display_text(shown) == shown


@given(ANY_TEXT)
def test_nothing_that_turns_the_line_round_is_left(text: str) -> None:
    shown = display_text(text)
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200f\0\r\ufffc")


@given(st.text(max_size=40), st.integers(0, 40))
def test_offsets_agree_with_utf16(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    assert utf16_offset(text, offset) == len(text[:offset].encode("utf-16-le")) // 2


def test_ordinary_french_is_shown_as_it_is() -> None:
    text = "L’œdème « vrai » : 2,5 µg/kg ≥ 10 %\n\tligne – fin…"
    assert display_text(text).replace("\u00a0", " ") == text


def test_what_misleads_is_made_visible() -> None:
    assert display_text("a\u202e05 gm") == f"a{REPLACEMENT}05 gm"
    assert display_text("x\0\ud800y") == f"x{REPLACEMENT}{REPLACEMENT}y"


def test_numbers_and_punctuation_do_not_break() -> None:
    assert display_text("100 000 cas ; 2 h") == "100\u00a0000 cas\u00a0; 2 h"
    assert display_text("« oui » 12 1234") == "«\u00a0oui\u00a0» 12 1234"
