"""Before and after; who acts on whom."""

from __future__ import annotations

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement

_BEFORE = frozenset({"avant", "prealablement"})
_AFTER = frozenset({"apres", "suivant", "suite"})
_REACH = 7


def reversed_order(assertion: Statement, source: Source) -> Finding | None:
    """« avant » where the source says « après » of the same thing, or the reverse."""
    theirs = _relations(source.cited)
    for concept, relation in _relations(assertion).items():
        held = theirs.get(concept)
        if held and not relation & held:
            return Finding(DropReason.ORDER, "L’ordre des événements n’est pas celui de la source.")
    return None


def _relations(statement: Statement) -> dict[str, set[str]]:
    """For each concept: 'before' when things come before it, 'after' when they come after."""
    found: dict[str, set[str]] = {}
    for index, key in enumerate(statement.keys):
        relation = _relation(statement, index, key)
        if not relation:
            continue
        for mention in _nearest(statement, index, forward=True):
            for concept in mention.concepts:
                found.setdefault(concept, set()).add(relation)
        for mention in _nearest(statement, index, forward=False):
            for concept in mention.concepts:
                found.setdefault(concept, set()).add(_flip(relation))
    return found


def _relation(statement: Statement, index: int, key: str) -> str:
    if key in _BEFORE:
        return "before"
    if key in _AFTER and key != "suivant":
        return "after"
    if key == "attendre" and statement.keys[index - 1 : index] == ("sans",):
        return "before"
    return ""


def _flip(relation: str) -> str:
    return "after" if relation == "before" else "before"


def _nearest(statement: Statement, index: int, *, forward: bool) -> list[Mention]:
    """The two mentions that follow a word, or the one that precedes it, within reach."""
    near = [m for m in statement.mentions if not m.neutral and abs(m.first - index) <= _REACH]
    if forward:
        following = sorted((m for m in near if m.first > index), key=lambda m: m.first)[:2]
        if len(following) == 2 and any(
            "," in statement.gaps[i] for i in range(following[0].first + 1, following[1].first + 1)
        ):
            return following[:1]
        return following
    return sorted((m for m in near if m.first < index), key=lambda m: -m.first)[:1]


_ACTS = (
    "augment",
    "diminu",
    "major",
    "redui",
    "inhib",
    "potentialis",
    "doubl",
    "neutralis",
    "provoqu",
    "favoris",
    "abaiss",
    "eleve",
    "entrain",
    "caus",
    "expos",
    "prevent",
    "previen",
    "antagonis",
    "protege",
    "prefer",
)
_PASSIVE = frozenset({"est", "sont", "etre", "sera", "seront"})


def swapped_roles(assertion: Statement, source: Source) -> Finding | None:
    """« A augmente B » against « B augmente A », « A préféré à B » against « B préféré à A »."""
    for act, subjects, targets in _actions(assertion):
        for other, theirs, towards in _actions(source.cited):
            if act != other or not theirs or not subjects or subjects & theirs:
                continue
            crossed = bool(targets & theirs)
            if crossed and (act == "prefer" or bool(subjects & towards)):
                return Finding(DropReason.ORDER, "L’agent et sa cible sont intervertis.")
    return None


def _actions(statement: Statement) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """(verb, concepts of its agent, concepts of its target) of the verbs that have a direction."""
    found = []
    for index, key in enumerate(statement.keys):
        act = next((a for a in _ACTS if key.startswith(a)), "")
        if not act:
            continue
        clause = next((c for c in statement.clauses if c.start <= index < c.end), None)
        if clause is None:
            continue
        before = _concepts(statement, clause.start, index)
        after = _concepts(statement, index + 1, clause.end)
        previous = set(statement.keys[max(0, index - 2) : index])
        passive = bool(previous & _PASSIVE) and "par" in statement.keys[index + 1 : index + 4]
        found.append((act, after, before) if passive else (act, before, after))
    return found


def _concepts(statement: Statement, start: int, end: int) -> frozenset[str]:
    return frozenset(
        c for m in statement.every if start <= m.first < end and not m.neutral for c in m.concepts
    )
