"""Names typed without their hyphen."""

from __future__ import annotations

from fakes.memory_index import MemoryIndex

from ancremed_desktop.pipeline.compounds import joined_names

INDEX = MemoryIndex(
    [],
    names={"clopidogrel": ("63564053",), "repaglinide": ("60000001",)},
    extra_words=("gayet-wernicke", "clopidogrel-repaglinide"),
)


def test_a_name_of_two_words_is_one() -> None:
    found = joined_names([("gayet", 0), ("wernicke", 6)], "gayet wernicke", INDEX)
    assert found == [("gayet-wernicke", 0)]


def test_two_drugs_stay_two_though_a_text_joins_them() -> None:
    words = [("clopidogrel", 0), ("repaglinide", 12)]
    assert joined_names(words, "clopidogrel repaglinide", INDEX) == words
