"""A degree, way or amount that limits what is forbidden, told of all of it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.lexicon import stem
from ancremed_desktop.text.values import alike

_LIMITING = frozenset({"dose_size", "severity", "route", "trimester", "course"})
_SIZES = frozenset({"dose_size"})
_ANY_DOSE = re.compile(
    r"\bquel\w* (?:que|qu'en|qu'elle) soi(?:t|ent) (?:la |les |sa )?(?:dose|posologie|quantite)"
    r"|\b(?:toute|n'importe quelle) (?:dose|posologie)"
)
_DEGREES = re.compile(
    r"(?:important|massi[fv]|intens|excessi[fv]|prolonge|repete|recent|eleve|puissant|avance"
    r"|symptomatique|severe|grave|majeure?s?$|injectable|systemique|generale?s?$|grande?s?$|exces$)"
)
_NEAR = 3
"""Words from a noun to what limits it."""
_DOSES = ("mass", "UI")


class _Limit(NamedTuple):
    """The word that limits a noun, its mention; ``affirmed``: in what is not forbidden."""

    at: int
    mention: Mention | None
    affirmed: bool = False


def limit_lost(assertion: Statement, source: Source) -> Finding | None:
    """« l'aspirine est contre-indiquée » of « l'aspirine à forte dose est contre-indiquée »."""
    cited = source.cited
    for clause in cited.clauses:
        for head, limit in _limited(cited, clause):
            if limit.affirmed and not _ANY_DOSE.search(assertion.folded_text):
                continue
            if _told(assertion, cited, limit) or _told(source.label, cited, limit):
                continue
            ours = [m for m in assertion.mentions if same(m, head) and not m.neutral]
            ours = [m for m in ours if assertion.clauses[m.chunk].sign == clause.sign]
            if ours and not _told_of_all(cited, head, limit, clause.sign):
                return _finding(assertion, ours[0].start, ours[0].end)
        wide = _narrower_case(assertion, cited, clause)
        if wide:
            return _finding(assertion, wide.start, wide.end)
        value = _limiting_value(cited, clause)
        if value and _forbids_all(assertion, clause, cited):
            return _finding(assertion, *_whole(assertion))
    return None


def _narrower_case(assertion: Statement, cited: Statement, clause: Clause) -> Mention | None:
    """« tout bloc », « en cas d'infarctus » of « bloc du troisième degré », « du ventricule droit »."""
    if clause.sign > 0:
        return None
    cases = [m for m in clause.mentions if m.role is Role.CONDITION and not m.neutral]
    for head in cases:
        end = head.first + len(head.key.split())
        if cited.keys[end : end + 1] != ("du",):
            continue
        parts = [m for m in cases if m.first == end + 1]
        stages = [
            v for v in clause.values if v.first == end + 1 and v.quantity.dimension == "stage"
        ]
        kept = any(same(a, m) for a in assertion.every for m in parts) or any(
            v.quantity.dimension == "stage" for v in assertion.values
        )
        again = [m for m in cited.mentions if same(m, head) and m.first != head.first]
        if not (parts or stages) or kept or again:
            continue
        told = [m for m in assertion.mentions if same(m, head) and not m.neutral]
        told = [m for m in told if assertion.clauses[m.chunk].sign < 0]
        if told:
            return told[0]
    return None


def _finding(assertion: Statement, start: int, end: int) -> Finding:
    return Finding(
        DropReason.CONDITION,
        "La source ne le dit que d’un degré, l’affirmation de tous.",
        ((start, end),),
    )


def _whole(assertion: Statement) -> tuple[int, int]:
    return assertion.offsets[0][0], assertion.offsets[-1][1]


def _limited(cited: Statement, clause: Clause) -> list[tuple[Mention, _Limit]]:
    """Each noun of a clause that something limits, with what does."""
    found: list[tuple[Mention, _Limit]] = []
    core = [m for m in clause.mentions if m.role is Role.CORE]
    told = {i: m for m in core for i in range(m.first, m.first + len(m.key.split()))}
    for head in core:
        if head.neutral or any(a in _LIMITING for a, _ in head.axes):
            continue
        for index in _beside(cited, clause, head):
            limit = told.get(index)
            axes = {a for a, _ in limit.axes} if limit else set()
            unlike = limit and (cited.keys[index] == "non" or cited.keys[index - 1] == "non")
            if clause.sign < 0 and (
                axes & _LIMITING or _DEGREES.match(cited.keys[index]) or unlike
            ):
                found.append((head, _Limit(index, limit)))
                break
            if axes & _SIZES:
                found.append((head, _Limit(index, limit, affirmed=True)))
                break
    return found


def _beside(cited: Statement, clause: Clause, head: Mention) -> list[int]:
    """Words right behind a noun, and the one before its « de » (« l'usage prolongé de … »)."""
    end = head.first + len(head.key.split())
    near: list[int] = []
    for index in range(end, min(end + _NEAR, clause.end)):
        if re.search(r"[,;:()]", cited.gaps[index]) or cited.keys[index] in _APART:
            break
        near.append(index)
    of = head.first - 1 - (cited.keys[head.first - 1] in _ARTICLES)
    if of - 1 > clause.start and cited.keys[of] in _OF:
        near.append(of - 1)
    return near


_OF = frozenset({"de", "d", "des", "du"})
_ARTICLES = frozenset({"la", "le", "l", "les"})
_APART = frozenset(
    "et ou est sont doit doivent peut peuvent contre chez si qui dont avec ne n".split()
)


def _told(statement: Statement, cited: Statement, limit: _Limit) -> bool:
    """Whether a statement keeps a limit, in whatever words or by the value that spells it out."""
    word = stem(cited.keys[limit.at + (cited.keys[limit.at] == "non")])
    if any(stem(k) == word for k in statement.keys):
        return True
    spelt = [v for v in cited.values if 0 < v.first - limit.at <= _NEAR]
    if any(
        alike(v.quantity, statement.text, s.quantity, cited.text)
        for s in spelt
        for v in statement.values
    ):
        return True
    if limit.mention is None:
        return False
    kinds = {a for a, _ in limit.mention.axes} & _LIMITING
    return any(
        (not m.neutral and same(m, limit.mention)) or any(a in kinds for a, _ in m.axes)
        for m in statement.every
    ) or bool(_SIZES & kinds and any(_dose(v) for v in statement.values))


def _told_of_all(cited: Statement, head: Mention, limit: _Limit, sign: int) -> bool:
    """Whether the source says the same of the noun without the limit, elsewhere."""
    return any(
        same(m, head) and m.first != head.first and cited.clauses[m.chunk].sign == sign
        for m in cited.mentions
        if m.first != limit.at
    )


def _dose(value: Value) -> bool:
    return value.quantity.dimension.startswith(_DOSES)


def _limiting_value(cited: Statement, clause: Clause) -> Value | None:
    """« ne doit pas être utilisé à dose supérieure à 100 mg »: the amount that is forbidden."""
    if clause.sign > 0:
        return None
    doses = [v for v in clause.values if _dose(v) and v.bound and cited.roles[v.first] is Role.CORE]
    return doses[0] if doses else None


def _forbids_all(assertion: Statement, clause: Clause, cited: Statement) -> bool:
    """Whether an assertion denies what a clause does, and gives no amount."""
    if any(_dose(v) for v in assertion.values) or any(a == "dose_size" for a, _ in assertion.axes):
        return False
    theirs = [m for m in clause.mentions if not m.neutral]
    return any(
        c.sign < 0
        and any(not m.neutral for m in c.mentions)
        and all(any(same(m, t) for t in theirs) for m in c.mentions if not m.neutral)
        for c in assertion.clauses
    )
