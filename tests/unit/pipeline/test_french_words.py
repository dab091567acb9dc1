"""Everyday words come from the list of pyspellchecker, read without its own slow loader."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from importlib.resources import files

from ancremed_desktop.pipeline import french_words
from ancremed_desktop.text.normalise import fold


def _listed() -> dict[str, int]:
    packed = (files("spellchecker") / "resources" / "fr.json.gz").read_bytes()
    words: dict[str, int] = json.loads(gzip.decompress(packed))
    return words


def test_all_uses_is_the_sum_of_the_list() -> None:
    assert sum(_listed().values()) == french_words._ALL_USES


def test_every_listed_word_is_found_with_the_uses_of_all_its_accents() -> None:
    uses = Counter[str]()
    for word, count in _listed().items():
        if "\u2019" not in word:  # one word, which no question gives in this form
            uses[fold(word)] += count
    for word in (*list(uses)[:: len(uses) // 40], "cote", "peche", "a", "ecole", "ile"):
        assert french_words.is_french(word)
        assert french_words._uses(word) == uses[word]
    assert not french_words.is_french("bromazepam")
    assert french_words._uses("bromazepam") == 0
