"""The pieces a record's text is made of, and how they become passages of a quotable size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ancremed_desktop.corpus.bdpm.french import word_count
from ancremed_desktop.domain.documents import Passage, Source, passage_urn
from ancremed_desktop.domain.identifiers import PassageKind

MAX_WORDS = 200
"""Words of a passage beyond which the next sentence opens a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One topic of a record. ``slug`` names it in the URN; sentences stand on their own.

    ``date``: ISO date of what is said when it is not that of the record (an opinion's day).
    ``follow``: words put before the first sentence of every further passage of the part, for
    sentences that lean on what precedes them.
    """

    slug: str
    heading: str
    sentences: tuple[str, ...]
    section: str = ""
    date: str = ""
    follow: str = ""


def to_passages(source: Source, parts: Iterable[Part]) -> tuple[Passage, ...]:
    """Passages of a source in the order of its parts, one sentence a line."""
    passages: list[Passage] = []
    numbers: dict[str, int] = {}
    for part in parts:
        for text in _packed(part):
            numbers[part.slug] = numbers.get(part.slug, 0) + 1
            passages.append(
                Passage(
                    urn=passage_urn(
                        source.silo, source.source_identifier, f"{part.slug}-{numbers[part.slug]}"
                    ),
                    source_key=source.key,
                    silo=source.silo,
                    origin_title=source.title,
                    source_identifier=source.source_identifier,
                    text=text,
                    regulatory_date=part.date or source.regulatory_date,
                    superseded=source.superseded,
                    chunk_index=len(passages),
                    section=part.section,
                    heading=part.heading,
                    kind=PassageKind.RECORD,
                )
            )
    return tuple(passages)


def _packed(part: Part) -> Iterable[str]:
    current: list[str] = []
    words = 0
    for sentence in part.sentences:
        count = word_count(sentence)
        if current and words + count > MAX_WORDS:
            yield "\n".join(current)
            opening = sentence if sentence.startswith(part.follow) else part.follow + sentence
            current, words = [opening], word_count(opening)
        else:
            current.append(sentence)
            words += count
    if current:
        yield "\n".join(current)
