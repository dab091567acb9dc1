"""A list is quoted with what introduces it, however short that is."""

from __future__ import annotations

from fakes.memory_index import passage

from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.settings.paths import RESOURCES


def test_a_short_introduction_does_not_lose_its_list() -> None:
    text = "• vous êtes allergique à :\n• la zolixine ou à un excipient\n• un autre calmant connu"
    leaflet = passage("Notice-1", "ZOLIBRA – notice", "contre-indications", text)
    subject = Subject(
        label="zolixine",
        words=("zolixine",),
        concepts=(Concept(phrases=("zolixine",), identifiers=("Notice-1",), mandatory=True),),
    )
    cues = load_lexicon(RESOURCES / "lexicons").sections["contre-indications"]
    (found,) = quotable(leaflet, "contre-indications", cues, subject, widened=False)
    assert text[found.start : found.end] == text
