"""Passages are shown whole or not at all, and the prompt stays within its budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.pipeline.prompt_budget import PROMPT_TOKENS, passages_within


def test_a_long_passage_is_dropped_and_the_next_one_kept() -> None:
    passages = ["a" * 900, "b" * 700, "c" * 300]
    assert passages_within(passages, len, fixed_tokens=200) == (0, 2)
    assert passages_within(passages, len, fixed_tokens=2000) == ()
    assert passages_within(passages, len, fixed_tokens=0, most=10_000) == (0, 1, 2)


@given(st.lists(st.text(max_size=900), max_size=12), st.integers(0, 2000))
def test_the_budget_holds_and_nothing_that_fits_is_left_out(
    passages: list[str], fixed: int
) -> None:
    kept = passages_within(passages, len, fixed_tokens=fixed)
    used = fixed + sum(len(passages[place]) for place in kept)
    assert not kept or used <= PROMPT_TOKENS
    assert list(kept) == sorted(kept)
    for place in set(range(len(passages))) - set(kept):
        before = fixed + sum(len(passages[k]) for k in kept if k < place)
        assert before + len(passages[place]) > PROMPT_TOKENS
