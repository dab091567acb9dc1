"""Two things said together must keep company in the source, where rivals of one of them stand."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, counterparts, same
from ancremed_desktop.pipeline.rules.binding import is_measured, is_parameter
from ancremed_desktop.pipeline.rules.cover import names_class, names_drug
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement
from ancremed_desktop.pipeline.rules.owners import owners
from ancremed_desktop.pipeline.rules.parse import lexicon
from ancremed_desktop.text.clauses import Role

_VERBAL = frozenset({"direction", "start_stop"})
_AUXILIARIES = frozenset("est sont etre doit doivent peut peuvent fait font se s on".split())
_RIVALS = {
    "drug": {"drug"},
    "parameter": {"parameter", "acronym"},
    "acronym": {"parameter", "acronym"},
}
"""Kinds whose members stand side by side: one does not belong to another."""
_WITH = ("associ", "combin", "avec", "ajout", "conjoint")
_RELATIONS = frozenset({"antidote", "expose_risk", "adverse", "cause", "treat", "prefer"})
"""Families that relate two things: whose they are is no question."""
_JOINS = frozenset("et ou ni le la les l un une des du de d au aux a en".split())
_ACRONYM = re.compile(r"[^\W\d_]*[A-Z][^\W\d_]*[A-Z]\w*|Ig[A-Z]")


def mixed(assertion: Statement, source: Source) -> Finding | None:
    """« gluconate de magnésium » where the source says « gluconate de calcium » of another.

    Drugs, things measured and acronyms are items of their sentence; what the assertion says with
    one of them may not belong to another one in the source.
    """
    cited, label = source.cited, source.label.concepts
    for clause in assertion.clauses:
        for mention in clause.mentions:
            kind = _kind(assertion, mention)
            places = [m for m in cited.mentions if kind and same(mention, m)]
            places = [m for m in places if _kind(cited, m) == kind] or places
            titled = mention.concepts & label and not _rival_title(source, mention, kind)
            if not places or titled:
                continue
            ours = _groups(assertion, mention, kind)
            mine = owners(assertion, ours, clause.sentence, strict=True, amounts=False)
            for other in clause.mentions:
                if _wed(assertion, mention, other, kind) and not _wedded(cited, places, other):
                    return _apart(assertion, mention, other)
                if (
                    other.neutral
                    or other.concepts & _RELATIONS
                    or _acts(assertion, other)
                    or _kind(assertion, other) in _RIVALS[kind]
                    or (other.concepts & label and not _names_rival(source, other, kind))
                    or not mine.owns(_item(ours, mention.first), other.first)
                ):
                    continue
                same_thing = _equated(assertion, mention, other)
                tied = _tied(assertion, other, mention)
                if not any(_together(cited, p, kind, other, same_thing, tied) for p in places):
                    return _apart(assertion, mention, other)
    return None


def _rival_title(source: Source, mention: Mention, kind: str) -> bool:
    """Whether the title names another item of the kind as well."""
    named = [m for m in source.label.mentions if _kind(source.label, m) == kind]
    return any(not same(mention, m) for m in named)


def _names_rival(source: Source, other: Mention, kind: str) -> bool:
    """Whether a phrase spells out an acronym of the title (« sur décision du représentant »)."""
    return kind == "acronym" and any(
        same(other, m) and _kind(source.label, m) == kind for m in source.label.mentions
    )


def _apart(assertion: Statement, mention: Mention, other: Mention) -> Finding:
    words = [assertion.text[m.start : m.end] for m in (mention, other)]
    return Finding(
        DropReason.BINDING,
        f"Dans la source, « {words[1]} » ne se rapporte pas à « {words[0]} ».",
        ((mention.start, mention.end), (other.start, other.end)),
    )


def _wed(assertion: Statement, mention: Mention, other: Mention, kind: str) -> bool:
    """Whether the assertion gives two drugs together."""
    if kind != "drug" or _kind(assertion, other) != "drug" or other.first <= mention.first:
        return False
    between = assertion.keys[mention.first + 1 : other.first]
    led = assertion.keys[max(0, mention.first - 3) : mention.first]
    joined = bool(between) and set(between) <= _JOINS and not {"ou", "ni"} & set(between)
    return any(k.startswith(_WITH) for k in between) or (
        joined and any(k.startswith(_WITH[:2]) for k in led)  # « l'association de A à B »
    )


def _wedded(cited: Statement, places: list[Mention], other: Mention) -> bool:
    """Whether the source may mean both drugs together: not in two records of one sentence."""
    partners = [m for m in cited.every if same(other, m)]
    return not partners or any(
        cited.clauses[p.chunk].sentence == cited.clauses[o.chunk].sentence
        and not any(
            ";" in cited.gaps[i]
            for i in range(min(p.first, o.first) + 1, max(p.first, o.first) + 1)
        )
        for p in places
        for o in partners
    )


def _acts(statement: Statement, mention: Mention) -> bool:
    """Whether a mention is the predicate: what it relates is judged by order and polarity."""
    if any(axis in _VERBAL for axis, _ in mention.axes):
        return True
    previous = statement.keys[mention.first - 1 : mention.first]
    return bool(previous) and previous[0] in _AUXILIARIES


def _kind(statement: Statement, mention: Mention) -> str:
    if is_measured(mention):
        return "parameter"
    if names_drug(mention) or names_class(mention) or mention.concepts & lexicon().substances:
        return "drug"
    if is_parameter(mention):
        return "parameter"
    if _ACRONYM.fullmatch(statement.text[mention.start : mention.end]):
        return "acronym"
    return ""


def _equated(statement: Statement, mention: Mention, other: Mention) -> bool:
    """« les SPDT sont les soins … »: what an acronym stands for is nothing beside it."""
    between = statement.keys[mention.first + 1 : other.first]
    return bool(between) and between[0] in {"est", "sont"} and set(between[1:]) <= _JOINS


def _together(
    cited: Statement, place: Mention, kind: str, other: Mention, same_thing: bool, tied: bool
) -> bool:
    """Whether ``other`` may belong to ``place`` in the source; it may where it is not named.

    ``tied``: the assertion says it of the item itself (« allergique à la doxycycline »).
    """
    sentence = cited.clauses[place.chunk].sentence
    partners = counterparts(
        other, (m for m in cited.every if cited.clauses[m.chunk].sentence == sentence)
    )
    items = _groups(cited, place, kind)
    item = _item(items, place.first)
    if not partners or len(items) == 1 or item < 0:
        return True
    if not tied and any(_given(cited, p, place) for p in partners):
        return True
    owned = owners(cited, items, sentence, amounts=False)
    return any(
        owned.owns(item, p.first) or (not same_thing and _kind(cited, p) in _RIVALS[kind])
        for p in partners
    )


def _tied(assertion: Statement, one: Mention, two: Mention) -> bool:
    last = one.first + len(one.key.split())
    return last <= two.first and set(assertion.keys[last : two.first]) <= _JOINS


def _given(cited: Statement, partner: Mention, place: Mention) -> bool:
    """« En cas d'allergie à A, B est donné »: the allergy is the case of B as well."""
    opening = cited.clauses[partner.chunk].start
    return (
        partner.chunk == place.chunk
        and partner.first < place.first
        and place.role is Role.CORE
        and all(cited.roles[i] is Role.CONDITION for i in range(opening, partner.first + 1))
    )


def _groups(statement: Statement, mention: Mention, kind: str) -> tuple[tuple[int, int], ...]:
    """Word ranges of the items of one kind in a sentence; members of one list are one item."""
    sentence = statement.clauses[mention.chunk].sentence
    names = [
        m
        for m in statement.mentions
        if statement.clauses[m.chunk].sentence == sentence and _kind(statement, m) == kind
    ]
    groups: list[tuple[int, int]] = []
    for name in names:
        last = name.first + len(name.key.split()) - 1
        if groups and _coordinated(statement, groups[-1][1], name.first):
            groups[-1] = (groups[-1][0], last)
        else:
            groups.append((name.first, last))
    return tuple(groups)


def _item(groups: tuple[tuple[int, int], ...], word: int) -> int:
    return next((i for i, (first, last) in enumerate(groups) if first <= word <= last), -1)


def _coordinated(statement: Statement, last: int, first: int) -> bool:
    """Whether two names are members of one list (« le vérapamil et le diltiazem »)."""
    if any(re.search(r"[;:.]", statement.gaps[i]) for i in range(last + 1, first + 1)):
        return False
    return all(statement.keys[i] in _JOINS for i in range(last + 1, first))
