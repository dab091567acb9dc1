"""Affirmed against denied, absent, excepted."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import (
    Pairing,
    Source,
    mentions_of,
    mentions_of_longest,
    same,
    span_of,
)
from ancremed_desktop.pipeline.rules.binding import is_parameter
from ancremed_desktop.pipeline.rules.cover import kept_apart
from ancremed_desktop.pipeline.rules.denials import DIFFERS, SAME, said_by_denial
from ancremed_desktop.pipeline.rules.implied import implied_axes
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement
from ancremed_desktop.text.clauses import Role

_EFFECTS = frozenset({"direction", "effect"})
_EXPOSES = frozenset({"expose_risk", "cause", "adverse"})
_TELLING = 4
"""Letters of a plain word that may be asked for."""
_NEVER = frozenset({"pas", "plus", "jamais"})


def opposed(assertion: Statement, source: Source, pairings: tuple[Pairing, ...]) -> Finding | None:
    """A predicate affirmed here and denied there, or the reverse."""
    agreed: set[int] = set()
    for pairing in pairings:
        if _said_there(assertion, pairing.clause, source.cited):
            continue
        title = source.label.concepts
        clashes = [_clash(assertion, pairing.clause, source.cited, c, title) for c in pairing.found]
        if not all(clashes):
            agreed |= {c.start for c, k in zip(pairing.found, clashes, strict=True) if not k}
        elif pairing.clause.frames and all(c.start in agreed for c in pairing.found):
            continue  # a reason after a colon (« : risque d'aplasie »), its predicate agreed
        else:
            return Finding(
                DropReason.POLARITY,
                "La source dit l’inverse (négation, interdiction ou absence).",
                span_of(assertion, pairing.clause),
            )
        if any(
            said_by_denial(assertion, pairing.clause, source.cited, c)
            or (
                c.sign != pairing.clause.sign
                and _only_reasons(assertion, pairing.clause, source.cited, c, title)
            )
            for c in pairing.found
        ):
            continue
        finding = _local_clash(assertion, source.cited, pairing) or _core_clash(
            assertion, source.cited, pairing
        )
        if finding:
            return finding
    if _forbids_allowed(assertion, source.cited):
        return Finding(DropReason.POLARITY, "La source ne l’interdit pas.")
    if _made_same(assertion, source.cited):
        return Finding(DropReason.POLARITY, "La source distingue ce que l’affirmation confond.")
    return _denied_plainly(assertion, source.cited)


def _said_there(assertion: Statement, clause: Clause, cited: Statement) -> bool:
    """« …, pas avant »: a denial that names nothing and that the source says in the same words."""
    if clause.sign > 0 or clause.values or any(not m.neutral for m in clause.mentions):
        return False
    said = assertion.keys[clause.start : clause.end]
    size = len(said)
    return any(cited.keys[i : i + size] == said for i in range(len(cited.keys) - size + 1))


def _forbids_allowed(assertion: Statement, cited: Statement) -> bool:
    """« elle est donc contre-indiquée » of what the source says is not."""
    bare = any(c.forbidden and all(m.neutral for m in c.mentions) for c in assertion.clauses)
    allowed = _NOT_FORBIDDEN.search(cited.folded_text) and not any(
        c.forbidden and c.sign < 0 for c in cited.clauses
    )
    return bare and bool(allowed)


_NOT_FORBIDDEN = re.compile(
    r"\b(?:ne|n') ?(?:est |sont |l'|la |les )?(?:\w+ ){0,2}?(?:pas|jamais|plus) (?:\w+ )?contre-? ?indi"
    r"|\b(?:ne|n') ?(?:contre-? ?indi|interdi)\w+ (?:\w+ )?(?:pas|jamais|plus)\b"
)


def _made_same(assertion: Statement, cited: Statement) -> bool:
    """« A sont ceux de B » of what the source says that they differ."""
    ours, theirs = assertion.folded_text, cited.folded_text
    return bool(
        DIFFERS.search(theirs)
        and SAME.search(ours)
        and not DIFFERS.search(ours)
        and all(c.sign > 0 for c in assertion.clauses)
        and not re.search(r"\b(?:autres?|contrair\w*|oppos\w*|plus|moins)\b", ours)
    )


def _clash(
    assertion: Statement, clause: Clause, cited: Statement, other: Clause, title: frozenset[str]
) -> bool:
    if clause.sign == other.sign or said_by_denial(assertion, clause, cited, other):
        return False
    if _both_avoid(assertion, clause, cited, other) or _mere_case(clause):
        return False
    if (clause.only >= 0 and _has_exception(cited, other)) or (
        other.only >= 0 and _has_exception(assertion, clause)
    ):
        return False
    return not _turned(clause, cited, other) and not _only_reasons(
        assertion, clause, cited, other, title
    )


def _mere_case(clause: Clause) -> bool:
    """« Après une réaction grave, pas d'amoxicilline »: what is said of the case comes next.

    So it does of « Kaliémie < 3,3 mmol/L : … ».
    """
    return clause.heads and all(
        m.role is Role.CONDITION or is_parameter(m) for m in clause.mentions
    )


def _only_reasons(
    assertion: Statement, clause: Clause, cited: Statement, other: Clause, title: frozenset[str]
) -> bool:
    """Whether all that both clauses share is the reason of what the source denies.

    « L'association est à éviter en raison d'un risque »: that it exposes to it is affirmed.
    « possible malgré le risque », « le risque ne l'interdit pas » set the reason aside.
    """
    if _SETS_ASIDE.search(assertion.folded(clause)):
        return False
    shared = [
        m
        for m in mentions_of(cited, other)
        if not m.neutral
        and not m.concepts & title
        and any(same(a, m) for a in clause.mentions if not a.neutral)
    ]
    reasons = [m for m in shared if m.role is Role.REASON]
    exposes = any(
        m.concepts & _EXPOSES
        or (any(a in _EFFECTS for a, _ in m.axes) and any(same(m, r) for r in reasons))
        for m in clause.mentions
    )
    return bool(reasons) and (exposes or len(reasons) == len(shared))


_SETS_ASIDE = re.compile(
    r"\b(?:malgre|en depit)\b"
    r"|\b(?:ne |n')(?:l'|la |les |le |s')?(?:contre-? ?indi|interdi|proscri|empech|oppos|est pas contre|exclu)"
)


def _both_avoid(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« on évite ainsi la rupture » and « permet d'éviter la rupture »: a purpose on one side."""
    ours = assertion.keys[clause.start : clause.end]
    theirs = cited.keys[other.start : other.end]
    denials = {"ne", "n", "pas", "inutile"}
    return (
        any(k.startswith("evit") for k in ours)
        and any(k.startswith("evit") for k in theirs)
        and not denials & {*ours, *theirs}
    )


def _has_exception(statement: Statement, clause: Clause) -> bool:
    return any(m.role is Role.EXCEPTION or m.sign < 0 for m in mentions_of(statement, clause))


def _turned(clause: Clause, cited: Statement, other: Clause) -> bool:
    """« s'avalent sans être ouvertes » says what « ne doivent pas être ouvertes » says."""
    theirs = [m for m in mentions_of(cited, other) if not m.neutral and m.role is not Role.REASON]
    for mention in clause.mentions:
        counterparts = [] if mention.neutral else [m for m in theirs if same(mention, m)]
        if counterparts and all(m.sign != mention.sign for m in counterparts):
            return True
    return False


def _local_clash(assertion: Statement, cited: Statement, pairing: Pairing) -> Finding | None:
    theirs = [(m, c) for c in pairing.found for m in mentions_of(cited, c) if not m.neutral]
    for mention in mentions_of_longest(assertion, pairing.clause):
        if mention.neutral or mention.axes & implied_axes(cited):
            continue
        if _subject_of_denied(assertion, mention, cited):
            continue
        if mention.sign < 0 and _unavailable(mention, cited):
            continue
        if mention.sign < 0 and mention.role is Role.CONDITION and "defaut" in cited.keys:
            continue  # « faute de A, B » of « A ou, à défaut, B »: a question of roles
        others = [(other, clause) for other, clause in theirs if same(mention, other)]
        words = [(o, c) for o, c in others if _same_word(mention, o)]
        signs = [
            _agree(mention, pairing.clause, o, c) or _exception_kept(assertion, mention, cited, o)
            for o, c in words or others
        ]
        again = (m for m in cited.every if _same_word(mention, m) and not m.neutral)
        elsewhere = any(_agree(mention, pairing.clause, m, cited.clauses[m.chunk]) for m in again)
        if signs and not any(signs) and not elsewhere:
            return Finding(
                DropReason.CONDITION,
                "Présent d’un côté, absent ou excepté de l’autre : "
                f"« {assertion.text[mention.start : mention.end]} ».",
                ((mention.start, mention.end),),
            )
    return None


def _unavailable(mention: Mention, cited: Statement) -> bool:
    """« faute de DIU » of « si le DIU n'est pas possible »."""
    return any(
        m.key in _FEASIBLE
        and m.sign < 0
        and m.role is Role.CONDITION
        and 0 < m.first - o.first <= _NEAR
        for o in cited.mentions
        if o.role is Role.CONDITION and same(mention, o)
        for m in cited.every
    )


_FEASIBLE = frozenset("possible possibles disponible disponibles realisable faisable".split())
_NEAR = 5


def _subject_of_denied(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« tant que la fièvre ne récidive pas » is « en l'absence de récidive de la fièvre »."""
    if mention.role is not Role.CONDITION or mention.sign < 0:
        return False
    denied = [
        m
        for m in assertion.clauses[mention.chunk].mentions
        if m.role is Role.CONDITION and m.sign < 0 and m.first > mention.first and not m.neutral
    ]
    absent = [m for m in cited.every if m.role is Role.CONDITION and m.sign < 0]
    return bool(denied) and any(same(d, m) for d in denied[:1] for m in absent)


def _same_word(mention: Mention, other: Mention) -> bool:
    """The very word decides before its relatives (« gestationnel » before « enceinte »)."""
    return any(c.startswith("w:") for c in mention.concepts & other.concepts)


def _exception_kept(
    assertion: Statement, mention: Mention, cited: Statement, other: Mention
) -> bool:
    """« hors urgence hypertensive » said as « sauf urgence »: its other words are no clash."""
    if mention.role is Role.EXCEPTION is other.role:
        return mention.sign == other.sign  # « sauf s'il en existe », « sauf en l'absence de »
    if other.role is not Role.EXCEPTION:
        return False
    words = _exception_run(cited, other)
    run = [m for m in cited.every if m.first in words]
    ours = [a for a in assertion.mentions if a.sign < 0 and a.role is Role.EXCEPTION]
    return any(same(a, m) for a in ours for m in run)


def _exception_run(cited: Statement, other: Mention) -> range:
    """Words of the one exception that ``other`` stands in."""
    start = end = other.first
    clause = cited.clauses[other.chunk]
    while start > clause.start and cited.roles[start - 1] is Role.EXCEPTION:
        start -= 1
    while end + 1 < clause.end and cited.roles[end + 1] is Role.EXCEPTION:
        end += 1
    return range(start, end + 1)


def _denied_plainly(assertion: Statement, cited: Statement) -> Finding | None:
    """« sans avis médical » where the source asks for « avis médical », plain as the words are."""
    for mention in assertion.mentions:
        if not mention.neutral or mention.sign > 0 or mention.role is not Role.CORE:
            continue
        if len(mention.key) < _TELLING:
            continue
        verb = mention.key.endswith(("er", "ir", "re"))
        if verb or "sans" not in assertion.keys[max(0, mention.first - 2) : mention.first]:
            continue
        theirs = [m for m in cited.every if m.key == mention.key]
        if theirs and all(m.sign > 0 for m in theirs):
            return Finding(
                DropReason.POLARITY,
                f"La source demande « {assertion.text[mention.start : mention.end]} ».",
                ((mention.start, mention.end),),
            )
    return None


def _core_clash(assertion: Statement, cited: Statement, pairing: Pairing) -> Finding | None:
    """A thing affirmed here that the source only ever denies, in whatever clause."""
    if any(
        _turned(pairing.clause, cited, c) or _both_avoid(assertion, pairing.clause, cited, c)
        for c in pairing.found
    ) or kept_apart(assertion, cited):
        return None
    for mention in pairing.clause.mentions:
        if mention.neutral or mention.role is not Role.CORE or pairing.clause.only >= 0:
            continue
        others = [m for m in cited.every if same(mention, m) and not m.neutral]
        if any(_subject_of_more(o, cited) for o in others):
            continue
        if others and all(_denies(mention, pairing.clause, o, cited) for o in others):
            return Finding(
                DropReason.POLARITY,
                f"La source dit l’inverse de « {assertion.text[mention.start : mention.end]} ».",
                ((mention.start, mention.end),),
            )
    return None


def _subject_of_more(other: Mention, cited: Statement) -> bool:
    """Whether a subject rules a later clause as well (« protège … mais n'abaisse »)."""
    clause = cited.clauses[other.chunk]
    if clause.mentions and clause.mentions[0].first != other.first:
        return False
    return any(
        c.sentence == clause.sentence
        and c.start >= clause.end
        and c.sign != clause.sign
        and cited.keys[c.start] in {"mais", "et", "ne", "n", "dont"}
        for c in cited.clauses
    )


def _denies(mention: Mention, clause: Clause, other: Mention, cited: Statement) -> bool:
    theirs = cited.clauses[other.chunk]
    if other.role is not Role.CORE or theirs.only >= 0 or theirs.heads:
        return False
    return _signed(mention, clause) != _signed(other, theirs)


def _signed(mention: Mention, clause: Clause) -> int:
    """Polarity of a mention under its predicate; « pas repris » is what denies its clause."""
    spent = mention.denies and not _NEVER.isdisjoint(mention.key.split())
    return mention.sign if spent else mention.sign * clause.sign


def _agree(mention: Mention, clause: Clause, other: Mention, theirs: Clause) -> bool:
    if mention.sign == other.sign:
        return True
    core = Role.CONDITION not in (mention.role, other.role)
    if theirs.only >= 0 or clause.only >= 0:
        return True
    if mention.role is Role.EXCEPTION and other.role is Role.CONDITION:
        return True  # « sauf échec et si le programme est suivi »: the condition is the exception's
    return core and _signed(mention, clause) == _signed(other, theirs)
