"""Two things said together must keep company in the source, where rivals of one of them stand."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.binding import is_parameter
from ancremed_desktop.pipeline.rules.cover import names_class, names_drug
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement

_JOINS = frozenset("et ou ni le la les l un une des du de d au aux a en".split())
_ACRONYM = re.compile(r"[^\W\d_]*[A-Z][^\W\d_]*[A-Z]\w*|Ig[A-Z]")


def mixed(assertion: Statement, source: Source) -> Finding | None:
    """« fluoroquinolone + acide clavulanique » where each belongs to another half of the source."""
    for clause in assertion.clauses:
        for mention in clause.mentions:
            kind = _kind(assertion, mention)
            if not kind:
                continue
            for other in clause.mentions:
                if other is mention or other.neutral:
                    continue
                if not _together(assertion, mention, kind, other, source):
                    words = [assertion.text[m.start : m.end] for m in (mention, other)]
                    return Finding(
                        DropReason.BINDING,
                        f"Dans la source, « {words[1]} » ne se rapporte pas à « {words[0]} ».",
                        ((mention.start, mention.end), (other.start, other.end)),
                    )
    return None


def _kind(statement: Statement, mention: Mention) -> str:
    if names_drug(mention) or names_class(mention):
        return "drug"
    if is_parameter(mention):
        return "parameter"
    if _ACRONYM.fullmatch(statement.text[mention.start : mention.end]):
        return "acronym"
    return ""


def _together(
    assertion: Statement, mention: Mention, kind: str, other: Mention, source: Source
) -> bool:
    cited = source.cited
    if other.concepts & source.label.concepts or mention.concepts & source.label.concepts:
        return True
    places = [m for m in cited.mentions if same(mention, m)]
    partners = [m for m in cited.mentions if same(other, m)]
    if not places or not partners:
        return True
    rivals = [
        m
        for m in cited.mentions
        if _kind(cited, m) == kind
        and not any(same(m, a) for a in assertion.mentions)
        and not any(_coordinated(cited, m, p) for p in places)
    ]
    if not rivals:
        return True
    return any(_near(assertion, cited, p, o, rivals) for p in places for o in partners)


def _near(
    assertion: Statement,
    cited: Statement,
    place: Mention,
    partner: Mention,
    rivals: list[Mention],
) -> bool:
    sentence = _clause(cited, place).sentence
    if _clause(cited, partner).sentence != sentence:
        return True
    near = [r for r in rivals if _clause(cited, r).sentence == sentence]
    mine = _crossed(cited, place, partner)
    if all(mine <= _crossed(cited, r, partner) for r in near):
        return True
    shared = partner.first < min(m.first for m in (place, *near))
    return shared and not _own_head(assertion, cited, place)


def _own_head(assertion: Statement, cited: Statement, place: Mention) -> bool:
    """« une calcémie si IgG, des LDH si IgM »: the part of IgM has a head of its own."""
    start = place.first
    while start and not re.search(r"[,;:.]", cited.gaps[start]):
        start -= 1
    heads = [m for m in cited.mentions if start <= m.first < place.first and not m.neutral]
    return bool(heads) and not any(same(heads[0], a) for a in assertion.mentions)


def _clause(cited: Statement, mention: Mention) -> Clause:
    return cited.clauses[mention.chunk]


def _crossed(cited: Statement, one: Mention, two: Mention) -> int:
    """Boundaries between two mentions: clauses weigh more than commas; a list has none."""
    low, high = sorted((one.first, two.first))
    return sum(
        4 if ";" in cited.gaps[i] else 1 if "," in cited.gaps[i] else 0
        for i in range(low + 1, high + 1)
    )


def _coordinated(cited: Statement, one: Mention, two: Mention) -> bool:
    """Whether two mentions are members of one list (« le vérapamil et le diltiazem »)."""
    low, high = sorted((one.first, two.first))
    between = range(low + 1, high)
    if any(re.search(r"[;:.]", cited.gaps[i]) for i in range(low + 1, high + 1)):
        return False
    kind = _kind(cited, one)
    names = {m.first for m in cited.mentions if _kind(cited, m) == kind}
    return all(cited.keys[i] in _JOINS or i in names for i in between)
