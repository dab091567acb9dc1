"""Who acts on whom: agent and target, cause and effect, what is preferred to what."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement
from ancremed_desktop.text.clauses import Role

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
    "devien",
    "transform",
)
_AGREES = ("ee", "ees", "es")
_PASSIVE = frozenset({"est", "sont", "etre", "sera", "seront"})


def swapped_roles(assertion: Statement, source: Source) -> Finding | None:
    """« A augmente B » against « B augmente A », « A préféré à B » against « B préféré à A »."""
    for act, subjects, targets in _actions(assertion):
        for other, theirs, towards in _actions(source.cited, source.label.concepts):
            if act != other or (
                subjects & (theirs - towards)
                and not (
                    _drugs(targets & (theirs - towards)) and _drugs(subjects & (towards - theirs))
                )
            ):
                continue
            crossed = bool(subjects and targets & (theirs - towards))
            if crossed and (act == "prefer" or bool(subjects & (towards - theirs))):
                return Finding(DropReason.ORDER, "L’agent et sa cible sont intervertis.")
    if _caused_other(assertion, source.cited):
        return Finding(DropReason.ORDER, "La cause et l’effet sont intervertis.")
    if _preferred_other(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source préfère l’autre.")
    return None


def _told_passively(statement: Statement, index: int) -> bool:
    """« est réduite », not « est de réduire »."""
    before = statement.keys[max(0, index - 2) : index]
    return bool(_PASSIVE & set(before)) and before[-1] not in {"de", "d", "a"}


def _drugs(concepts: frozenset[str]) -> bool:
    return any(c.startswith(("only:", "brand:")) for c in concepts)


def _actions(
    statement: Statement, title: frozenset[str] = frozenset()
) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """(verb, concepts of its agent, concepts of its target) of the verbs that have a direction.

    ``title``: what « diminuent son absorption » speaks of.
    """
    found = []
    for index, key in enumerate(statement.keys):
        if not key.startswith(_ACTS):
            continue
        act = next(a for a in _ACTS if key.startswith(a))
        previous = set(statement.keys[max(0, index - 2) : index])
        if act == "prefer" and previous & {"fait", "font", "faire"}:
            continue  # « fait préférer A » says why, it prefers nothing
        if key.endswith(_AGREES) and not previous & _PASSIVE:
            continue  # « des équipes entraînées » act on nothing
        clause = next((c for c in statement.clauses if c.start <= index < c.end), None)
        if clause is None:
            continue
        before = _concepts(statement, clause.start, index)
        after = _concepts(statement, index + 1, clause.end)
        following = statement.keys[index + 1 : index + 4]
        if following[:1] in (("son",), ("sa",), ("ses",)):
            after |= title - before
        passive = bool(previous & (_PASSIVE | {"se", "s"})) and "par" in following
        passive = passive or (_told_passively(statement, index) and act != "prefer")
        passive = passive or following[:1] in (("sous",), ("avec",))  # « augmente sous … »
        found.append((act, after, before) if passive else (act, before, after))
    return found


def _concepts(statement: Statement, start: int, end: int) -> frozenset[str]:
    return frozenset(
        c for m in statement.every if start <= m.first < end and not m.neutral for c in m.concepts
    )


_CAUSE = re.compile(r"caus\w*|etiologi\w*|origine|facteur|antidote\w*")
_EFFECT = re.compile(r"consequence\w*|complication\w*")


def _caused_other(assertion: Statement, cited: Statement) -> bool:
    """« X est une conséquence de Y » of what the source names among the causes of Y."""
    return any(
        agent & (target - other) and affected & (other - target)
        for agent, affected in _causes(assertion)
        for other, target in _causes(cited)
    )


def _causes(statement: Statement) -> list[tuple[frozenset[str], frozenset[str]]]:
    """(cause, effect) where a noun tells which is which: « X est une cause de Y »."""
    found = []
    for index, key in enumerate(statement.keys):
        cause, effect = _CAUSE.fullmatch(key), _EFFECT.fullmatch(key)
        after = statement.keys[index + 1 : index + 3]
        if not (cause or effect) or not after:
            continue
        if after[0] not in {"de", "d", "du", "des"}:
            found += _antidote(statement, index)
            continue
        clause = next(c for c in statement.clauses if c.start <= index < c.end)
        verb = next((i for i in range(index, clause.end) if statement.keys[i] in _LISTS), -1)
        before = [m for m in statement.every if clause.start <= m.first < index]
        stop = verb if verb > 0 else clause.end
        of = [m for m in statement.every if index < m.first < stop]
        listed = [m for m in statement.every if stop < m.first < clause.end] if verb > 0 else before
        one, other = named(listed), named(of)
        found.append((one, other) if cause else (other, one))
    return found


def _antidote(statement: Statement, index: int) -> list[tuple[frozenset[str], frozenset[str]]]:
    """« En cas de surdosage en A, l'antidote est B »: B acts on A."""
    if not statement.keys[index].startswith("antidote"):
        return []
    clause = next(c for c in statement.clauses if c.start <= index < c.end)
    given = [m for m in clause.mentions if m.first < index and m.role is Role.CONDITION]
    told = [m for m in clause.mentions if m.first > index]
    return [(named(told), named(given))]


_LISTS = frozenset("sont comprennent incluent est".split())


def _preferred_other(assertion: Statement, cited: Statement) -> bool:
    """« A préféré à B » said as « B passe avant A »."""
    return any(
        win & (loser - winner) and lose & (winner - loser)
        for win, lose in _preferences(assertion)
        for winner, loser in _preferences(cited)
    )


def _preferences(statement: Statement) -> list[tuple[frozenset[str], frozenset[str]]]:
    """(what is preferred, to what) of each preference told with both."""
    found = [*_fallbacks(statement), *_in_absence(statement)]
    for index, key in enumerate(statement.keys):
        after = statement.keys[index + 1 : index + 2]
        if not (
            (key.startswith(("prefer", "prioritair", "superieur")) and after in _TOWARDS)
            or (key.startswith("pass") and after == ("avant",))
            or (key == "plutot" and after in (("que",), ("qu",)))
        ):
            continue
        clause = next(c for c in statement.clauses if c.start <= index < c.end)
        winner = [m for m in statement.every if clause.start <= m.first < index]
        loser = [m for m in statement.every if index < m.first < clause.end]
        found.append((named(winner), named(loser)))
    return found


def _fallbacks(statement: Statement) -> list[tuple[frozenset[str], frozenset[str]]]:
    """« A ou, à défaut, B » and « B à défaut de A »: A comes first."""
    found = []
    said = [m for m in statement.mentions if not m.neutral]
    for mention in statement.mentions:
        if mention.key not in _FALLBACKS:
            continue
        last = mention.first + len(mention.key.split())
        before = [m for m in said if m.first < mention.first][-1:]
        after = [m for m in said if m.first >= last]
        if not after:  # « A, ou B à défaut »
            before, after = [m for m in said if m.first < mention.first][-2:-1], before
        before, after = before or after[1:], after[:1]
        if mention.key.startswith("faute") or statement.keys[last : last + 1] in _OF:
            before, after = after, before
        found.append((named(before), named(after)))
    return found


def _in_absence(statement: Statement) -> list[tuple[frozenset[str], frozenset[str]]]:
    """« B n'est utilisé qu'en l'absence de A »: A comes first."""
    found = []
    for clause in statement.clauses:
        words = range(max(clause.only, clause.start), clause.end)
        at = next((i for i in words if statement.keys[i] == "absence"), -1)
        if clause.only < 0 or at < 0:
            continue
        told = [m for m in clause.mentions if not m.neutral]
        wanted = [m for m in told if m.first > at]
        found.append((named(wanted), named([m for m in told if m.first < clause.only])))
    return found


_FALLBACKS = frozenset({"a defaut", "faute"})
_OF = (("de",), ("d",), ("du",), ("des",))
_TOWARDS = (("a",), ("au",), ("aux",), ("sur",))


def named(mentions: list[Mention]) -> frozenset[str]:
    """Families of some mentions, and the words of those that are not plain."""
    return frozenset(
        c for m in mentions for c in m.concepts if not m.neutral or not c.startswith("w:")
    )
