"""Which passages a prompt may hold: whole ones only, in their order, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

PROMPT_TOKENS = 1500
"""Longest prompt: a small model on two cores reads it in seconds and loses the thread beyond."""


def passages_within(
    passages: Sequence[str],
    count_tokens: Callable[[str], int],
    *,
    fixed_tokens: int,
    most: int = PROMPT_TOKENS,
) -> tuple[int, ...]:
    """Positions of the passages to show, best first as given; the others are dropped, never cut.

    ``fixed_tokens``: instructions, question and marks. A passage too long for what is left does
    not keep a shorter one after it out. A cut passage could lose its « sauf » or its unit.
    """
    left = most - fixed_tokens
    kept = []
    for place, passage in enumerate(passages):
        needed = count_tokens(passage)
        if needed <= left:
            left -= needed
            kept.append(place)
    return tuple(kept)
