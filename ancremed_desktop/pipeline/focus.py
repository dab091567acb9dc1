"""Which of the sentences that may be quoted of a passage are shown, and in which order: those that
name what is asked beside its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import FORMULA_SECTIONS, PassageKind, Silo
from ancremed_desktop.domain.plans import Concept, Figure, Subject
from ancremed_desktop.pipeline.about import FIRST_STEPS
from ancremed_desktop.pipeline.bearing import LIMIT, is_disease, names_disease
from ancremed_desktop.pipeline.holding import holds, is_held, read
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.units import rows_or_statements
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

_PAST = re.compile(
    r"\brtu\b|\bavant l.amm\b|\b(?:en|depuis|jusqu.en) (?:\w+ )?(?:19|20)\d\d\b"
    r"|\bavai(?:t|ent) ete\b"
)
"""What once held is no advice of today."""
_SECOND = re.compile(
    r"\bsans (?:acces |voie )(?:veineux|veineuse)|\bsi aucune voie veineuse|\ba defaut\b"
    r"|\b(?:en cas d.|apres )echec|\bsi [^,;.]{3,60} (?:persiste|recidive)|\bne repond pas\b"
    r"|\bn.est pas (?:utilise|donne|indique)"
)
"""What is given after something else, or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotable:
    """A range of whole sentences of a passage, ``passage.text[start:end]``."""

    start: int
    end: int


def narrowness(passage: Passage, subject: Subject) -> int:
    """Of a table, how many words its nearest row adds to the case asked; 0 of any other text.

    « DHBNN adulte après morsure » is a narrower case than « DHBNN adulte ».
    """
    if passage.kind is not PassageKind.TABLE:
        return 0
    rows = (passage.text[u.start : u.end] for u in rows_or_statements(passage))
    return min((_row_narrowness(row, subject) for row in rows), default=0)


def _row_narrowness(row: str, subject: Subject) -> int:
    case = row.partition(" ; ")[0].partition(": ")[2]
    known = subject.point.words | stems(p for c in subject.concepts for p in c.phrases)
    if not any(holds(case, c) for c in subject.concepts):
        return 0
    return sum(not holds_word(known, w) for w in content_words(case))


def _telling_first(passage: Passage, subject: Subject, found: Sequence[Quotable]) -> list[Quotable]:
    """What held in the past last; where a figure is asked, sentences that give one first, those
    that hold most words of the question before the others. Steps stay in their order.
    """
    point = subject.point

    def rank(quote: Quotable) -> tuple[bool, int, bool, int]:
        text = passage.text[quote.start : quote.end]
        held, folded = read(text)
        past = _PAST.search(folded) is not None
        narrow = _row_narrowness(text, subject) if passage.kind is PassageKind.TABLE else 0
        if point.figure is Figure.NONE:
            return past, narrow, False, 0
        said = point.words & held if point.figure is Figure.NUMBER else ()
        return past, narrow, not gives(folded, point.figure), -len(said)

    return sorted(found, key=rank)


def focused(passage: Passage, subject: Subject, found: list[Quotable]) -> tuple[Quotable, ...]:
    """Of sentences on the passage's own subject, those that name the rest of the question too.

    « amoxicilline angine »: the card's dose for a sore throat, not its ten others; all of them
    when none names it. The bands of a score are read together: « Glasgow 10, grave ? ».
    """
    if passage.kind is PassageKind.FORMULA and passage.section in FORMULA_SECTIONS:
        return tuple(found)
    found = _of_the_disease(passage, subject, found)
    rest = _beyond_title(passage, subject)
    if not rest:
        return tuple(_named_first(passage, subject, _telling_first(passage, subject, found)))
    near = [q for q in found if all(is_held(*read(passage.text[q.start : q.end]), c) for c in rest)]
    if not near:
        return tuple(_most_named_first(passage, _telling_first(passage, subject, found), rest))
    limits = [q for q in found if LIMIT.search(fold(passage.text[q.start : q.end]))]
    return tuple(_telling_first(passage, subject, list(dict.fromkeys((*near, *limits)))))


def _most_named_first(
    passage: Passage, found: list[Quotable], rest: Sequence[Concept]
) -> list[Quotable]:
    """Sentences that name most of what is asked beside the subject of their passage first."""
    texts = {q: read(passage.text[q.start : q.end]) for q in found}
    return sorted(found, key=lambda q: -sum(is_held(*texts[q], c) for c in rest))


def _named_first(passage: Passage, subject: Subject, found: list[Quotable]) -> list[Quotable]:
    """Sentences in order, those first that say what the title does not: the card « vaccinations »
    bears the name « vaccin zona », of which one sentence in nine speaks.
    """
    title = read(f"{passage.origin_title} {passage.heading}")
    unsaid = [c for c in subject.concepts if not is_held(*title, c)]
    return _most_named_first(passage, found, unsaid) if unsaid else found


def _of_the_disease(passage: Passage, subject: Subject, found: list[Quotable]) -> list[Quotable]:
    """Of the card of several diseases, the sentences on none or on the one asked: the
    dose of a cystitis is not that of a prostatitis.
    """
    if passage.silo is not Silo.FICHES or passage.source_identifier.isdecimal():
        return found  # of a drug it is said that other doses are left out
    title = read(f"{passage.origin_title} {passage.heading}")
    asked = [c for c in subject.concepts if is_disease(c) and not is_held(*title, c)]
    if not asked or not all(holds(passage.text, c) for c in asked):
        return found
    texts = {q: passage.text[q.start : q.end] for q in found}
    return [
        q for q in found if any(holds(texts[q], c) for c in asked) or not names_disease(texts[q])
    ]


def all_of(passage: Passage, subject: Subject, found: list[Quotable]) -> tuple[Quotable, ...]:
    """Every sentence on a danger or of what is done at once, the one asked about before the others
    (« bisoprolol asthme »); what is given only where something else fails stays after it.
    """
    rest = _beyond_title(passage, subject)
    steps = passage.section in FIRST_STEPS

    def named(quote: Quotable) -> int:
        said = read(passage.text[quote.start : quote.end])
        second = steps and _SECOND.search(said[1]) is not None
        return sum(is_held(*said, c) for c in rest if not (second and c.mandatory))

    return tuple(sorted(found, key=named, reverse=True))


def _beyond_title(passage: Passage, subject: Subject) -> list[Concept]:
    """What is asked beside the subject of a passage; of the card of a drug, the disease too."""
    title = read(f"{passage.origin_title} {passage.heading}")
    drug = passage.source_identifier.isdecimal()
    return [
        c
        for c in subject.concepts
        if (passage.source_identifier not in c.identifiers or (drug and not c.mandatory))
        and not is_held(*title, c)
    ]
