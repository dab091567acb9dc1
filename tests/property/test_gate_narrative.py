"""No numeral of any written form goes through connecting text."""

from __future__ import annotations

from fakes.numerals import numerals

from ancremed_desktop.text.narrative import narrative_leaks

FRAMES = (
    "On retient {} dans ce contexte.", "Le seuil est de {}.", "Il faut compter {} environ.",
    "La surveillance dure {} chez ces patients.", "{} suffisent le plus souvent.",
)  # fmt: skip


def test_ten_thousand_numerals_are_seen() -> None:
    leaked = [
        text
        for index, numeral in enumerate(numerals(10_000, seed=11))
        if not narrative_leaks(text := FRAMES[index % len(FRAMES)].format(numeral.text))
    ]
    assert leaked == []
