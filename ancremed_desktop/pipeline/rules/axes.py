"""Axes whose members exclude one another: route, patient group, line, direction of an effect."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import (
    Pairing,
    Source,
    mentions_of,
    mentions_of_longest,
    same,
)
from ancremed_desktop.pipeline.rules.cover import bounds_value, drug_like, held, spare
from ancremed_desktop.pipeline.rules.implied import implied_axes
from ancremed_desktop.pipeline.rules.lessening import lessened
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement

_REASON = {
    "route": DropReason.ROUTE,
    "pace": DropReason.ROUTE,
    "speed": DropReason.ROUTE,
    "release": DropReason.ROUTE,
    "age": DropReason.SUBGROUP,
    "sex": DropReason.SUBGROUP,
    "trimester": DropReason.SUBGROUP,
    "renal_function": DropReason.SUBGROUP,
    "direction": DropReason.POLARITY,
    "start_stop": DropReason.POLARITY,
    "frequency_of_effect": DropReason.MODALITY,
    "result": DropReason.POLARITY,
    "onset": DropReason.ORDER,
    "meal": DropReason.CONDITION,
    "dose": DropReason.BINDING,
    "line": DropReason.MODALITY,
    "together": DropReason.POLARITY,
    "permanence": DropReason.MODALITY,
    "certainty": DropReason.MODALITY,
}
_MUST_BE_SAID = frozenset(
    {
        "route",
        "age",
        "sex",
        "trimester",
        "line",
        "dose",
        "purpose",
        "severity",
        "course",
        "meal",
        "day",
        "frequency_of_effect",
        "laterality",
        "side",
        "pressure",
        "together",
        "period",
        "prescription_place",
        "release",
        "gram",
        "rest",
    }
)
_MEMBER_MUST_BE_SAID = frozenset({("onset", "late")})
_SOFT = frozenset({"purpose", "course", "severity", "complication"})
_AIMS = re.compile(
    r"\bdoi(?:t|vent) (?:rester|etre)\b|\b(?:a|pour) (?:obtenir|maintenir|atteindre)\b"
)
"""A value that must hold is a target."""
_AT_TIMES = frozenset({"parfois", "occasionnellement"})
_MAY = re.compile(r"\b(?:peu(?:t|vent)|certain(?:e?s)|eventuellement|possible)\b")
"""What « parfois » says in other words."""
_WAYS = frozenset({"route", "meal"})
_SINGLE = frozenset({"seul", "seule", "seuls", "seules"})
_DETERMINERS = frozenset({"un", "une", "le", "la", "les"})
_OTHERWISE = {
    ("together", "apart"): (("together", "together"),),
    ("start_stop", "continue"): (("start_stop", "stop"),),
    ("start_stop", "stop"): (("start_stop", "start"), ("start_stop", "continue")),
}
"""« à distance » is « pas en même temps », « arrêté » is « plus donné »."""
_COMPATIBLE = {
    ("age", "child"): {"infant", "newborn", "teenager"},
    ("age", "infant"): {"newborn"},
    ("pace", "slow"): {"continuous"},
    ("dose", "maximum"): {"bounded"},
    ("onset", "early"): {"early"},
}


def moved(assertion: Statement, source: Source, pairings: tuple[Pairing, ...]) -> Finding | None:
    """A member of an axis where the source has another one of the same axis."""
    for pairing in pairings:
        theirs = frozenset(
            a
            for c in pairing.found
            for m in mentions_of(source.cited, c)
            for a in m.axes
            if a[0] != "start_stop" or not _landmark(source.cited, m)
        ) | implied_axes(source.cited)
        theirs |= {a for c in pairing.found for a in _denied_opposites(source.cited, c)}
        kept = theirs | (source.cited.axes & _KEPT_APART)
        denied = theirs | {o for a in kept for o in _OTHERWISE.get(a, ())}
        for mention in mentions_of_longest(assertion, pairing.clause):
            under = min(pairing.clause.sign, assertion.clauses[mention.chunk].sign)
            finding = _check(assertion, mention, theirs if under > 0 else denied, source)
            if finding:
                return finding
    paired = {p.clause.start for p in pairings}
    for clause in assertion.clauses:
        if clause.start in paired:
            continue
        theirs = source.cited.axes.union(
            *(_denied_opposites(source.cited, c) for c in source.cited.clauses)
        )
        if clause.sign < 0:
            theirs |= {o for a in theirs for o in _OTHERWISE.get(a, ())}
        for mention in clause.mentions:
            finding = _check(assertion, mention, theirs, source)
            if finding:
                return finding
    return (
        _injected(assertion, source.cited)
        or _stopped(assertion, source, pairings)
        or _other_level(assertion, source.cited)
        or _taken_together(assertion, source)
        or _other_subject(assertion, source, pairings)
    )


def _check(
    assertion: Statement, mention: Mention, theirs: frozenset[tuple[str, str]], source: Source
) -> Finding | None:
    """A mention on another side than the source; to agree on one of its axes is enough."""
    if mention.key in _SINGLE and assertion.keys[max(0, mention.first - 1)] in _DETERMINERS:
        return None  # « une seule mesure », « le seul macrolide »: not one taken alone
    if spare(assertion, mention, source.cited) or _before_it_starts(assertion, mention, source):
        return None
    if bounds_value(assertion, mention):
        return None  # « trois mois plus tard »: how the value is bounded is judged apart
    if lessened(assertion, mention, source.cited) or _spaces(assertion, mention, source.cited):
        return None
    if _denied_alike(assertion, mention, source.cited):
        return None
    if mention.key in _AT_TIMES and _MAY.search(source.cited.folded_text):
        return None
    words = assertion.text[mention.start : mention.end]
    if _denied_way(assertion, mention, source.cited):
        return Finding(
            DropReason.ROUTE,
            f"La source ne donne rien « {words} ».",
            ((mention.start, mention.end),),
        )
    worst: Finding | None = None
    for axis, member in sorted(mention.axes):
        if axis == "period" and assertion.clauses[mention.chunk].sign < 0:
            continue  # « jamais tous les jours » of what is weekly
        if axis == "direction" and _told_already(assertion, mention, source.cited):
            continue
        if axis == "start_stop" and _landmark(assertion, mention):
            detail = _stands(mention, axis, member, source.cited.axes, source)
        else:
            detail = _stands(mention, axis, member, theirs, source)
        if detail is None:
            return None
        if detail:
            worst = Finding(
                _REASON.get(axis, DropReason.CONDITION),
                detail.format(words),
                ((mention.start, mention.end),),
            )
    if worst and mention.neutral and held(mention, source.cited.concepts):
        return None
    return worst


def _denied_opposites(cited: Statement, clause: Clause) -> frozenset[tuple[str, str]]:
    """« pas avec de la nourriture » is « à jeun »."""
    if clause.sign > 0:
        return frozenset()
    told = {a for m in mentions_of(cited, clause) if m.sign > 0 for a in m.axes}
    return frozenset(_OPPOSITES[a] for a in told if a in _OPPOSITES)


_OPPOSITES = {
    ("meal", "fed"): ("meal", "fasting"),
    ("together", "together"): ("together", "apart"),
}


def _spaces(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« espacés de 3 jours » where the source says « tous les 3 jours »: the value tells it."""
    if ("together", "apart") not in mention.axes:
        return False
    return any(
        0 < v.first - mention.first <= _BESIDE or 0 < mention.first - v.last <= _BESIDE
        for v in assertion.values
        if v.quantity.dimension in {"time", "calendar"}
    ) and any(v.quantity.dimension == "interval" for v in cited.values)


_KEPT_APART = frozenset({("together", "apart")})
_GAPS = frozenset("entre intervalle ecart".split())
_BESIDE = 4
"""Words from « espacés » to how far."""


def _denied_alike(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« sans réintroduction » of what « ne doit pas être réintroduit »: denied on both sides."""
    if mention.sign * assertion.clauses[mention.chunk].sign > 0:
        return False
    places = [m for m in cited.every if mention.axes & m.axes and same(mention, m)]
    return bool(places) and all(m.sign * cited.clauses[m.chunk].sign < 0 for m in places)


def _denied_way(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« par voie orale » of « ne rien donner par la bouche : injecter … »: known, but denied."""
    if mention.sign < 0 or assertion.clauses[mention.chunk].sign < 0:
        return False
    ways = {a for a in mention.axes if a[0] in _WAYS}
    places = [m for m in cited.every if ways & m.axes]
    signs = [m.sign * cited.clauses[m.chunk].sign for m in places]
    affirmed = any(
        m.sign * cited.clauses[m.chunk].sign > 0
        for m in cited.every
        if any(axis == "route" for axis, _ in m.axes)
    ) or not any(axis == "route" for axis, _ in ways)
    return bool(signs) and affirmed and all(s < 0 for s in signs)


def _landmark(statement: Statement, mention: Mention) -> bool:
    """« plusieurs mois après l'arrêt »: what goes on is something else."""
    before = statement.keys[max(0, mention.first - 2) : mention.first]
    return bool({"apres", "avant", "depuis"} & set(before))


def _told_already(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« neutropénie … le risque est élevé »: what is low in the source is told by its name."""
    theirs = [m for m in cited.every if any(axis == "direction" for axis, _ in m.axes)]
    return bool(theirs) and all(
        any(o is not mention and o.axes & m.axes and same(o, m) for o in assertion.mentions)
        for m in theirs
    )


def _before_it_starts(assertion: Statement, mention: Mention, source: Source) -> bool:
    """« avant de commencer A » is « avant A »."""
    led = assertion.keys[max(0, mention.first - 2) : mention.first]
    starts = ("start_stop", "start") in mention.axes and led[:1] == ("avant",)
    return starts and "avant" in source.cited.keys


def _stands(
    mention: Mention, axis: str, member: str, theirs: frozenset[tuple[str, str]], source: Source
) -> str | None:
    """None when the source says the same; '' when it says nothing that matters; else what."""
    cited = source.cited
    allowed = {member} | _COMPATIBLE.get((axis, member), set())
    here = {m for a, m in theirs if a == axis}
    known = {m for a, m in cited.axes if a == axis}
    titled = {m for a, m in source.label.axes if a == axis}
    before = {m for a, m in source.before.axes if a == axis}
    if here & allowed or titled & allowed or (known & allowed and not here):
        return None
    if before & allowed and not known:
        return ""
    if (axis, member) == ("dose", "initial") and {"puis", "ensuite"} & set(cited.keys):
        return ""  # whether it comes first is a question of order
    if (axis, member) == ("dose", "target") and _AIMS.search(cited.folded_text):
        return ""
    if here or known:
        return "La source dit autre chose à propos de « {} »."
    if (axis in _SOFT or member == "adult") and (axis, member) in source.around.axes:
        return ""
    must = axis in _MUST_BE_SAID or (axis, member) in _MEMBER_MUST_BE_SAID
    return "La source ne dit pas « {} »." if must and not held(mention, cited.concepts) else ""


def _injected(assertion: Statement, cited: Statement) -> Finding | None:
    """« injecter 15 g » of what is given by mouth, and by mouth only."""
    routes = {member for axis, member in cited.axes if axis == "route"}
    injected = ("intake", "injected")
    if routes != {"oral"} or injected in cited.axes or injected not in assertion.axes:
        return None
    words = next(m for m in assertion.every if injected in m.axes)
    return Finding(
        DropReason.ROUTE,
        "La source le donne par la bouche.",
        ((words.start, words.end),),
    )


def _other_subject(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """The cited clause begins with a drug of its own, the assertion names another one."""
    drugs = [m for m in assertion.mentions if drug_like(m.key)]
    absent = [m for m in drugs if not held(m, source.cited.concepts)]
    if not absent:
        return None
    ours = frozenset(c for m in assertion.every for c in m.concepts)
    for pairing in pairings:
        subjects = [next((m for m in c.mentions if not m.neutral), None) for c in pairing.found]
        if subjects and all(
            s is not None and drug_like(s.key) and not s.concepts & ours for s in subjects
        ):
            return Finding(
                DropReason.ENTITY,
                "La phrase citée porte sur un autre médicament.",
                tuple((m.start, m.end) for m in absent),
            )
    return None


def _other_level(assertion: Statement, cited: Statement) -> Finding | None:
    """« TSH élevée et T4 élevée » where the source has « TSH basse avec une T4 élevée »."""
    theirs = _levels(cited)
    for noun, level in _levels(assertion):
        known = {other for n, other in theirs if same(noun, n)}
        if known and level not in known:
            return Finding(
                DropReason.POLARITY,
                f"La source dit un autre niveau de « {assertion.text[noun.start : noun.end]} ».",
                ((noun.start, noun.end),),
            )
    return None


def _levels(statement: Statement) -> list[tuple[Mention, tuple[str, str]]]:
    """(thing, how it stands) of each adjective right after its noun, or after « ou »."""
    found: list[tuple[Mention, tuple[str, str]]] = []
    for index, mention in enumerate(statement.mentions):
        levels = [a for a in mention.axes if a[0] in _LEVELS]
        before = statement.keys[mention.first - 1 : mention.first]
        if not levels or not index or not mention.key.endswith(_ADJECTIVES):
            continue
        previous = statement.mentions[index - 1]
        if before in (("ou",), ("et",)):
            found += [(noun, a) for noun, _ in found[-1:] for a in levels]
            continue
        last = previous.first + len(previous.key.split())
        between = statement.keys[last : mention.first]
        if all(k in _COPULAS for k in between) and not previous.neutral:
            found += [(previous, a) for a in levels]
    return found


_LEVELS = frozenset({"direction", "result"})
_COPULAS = frozenset({"est", "sont", "reste", "restent"})
_ADJECTIVES = ("e", "ee", "s", "al", "ale", "if", "ive", "aux", "bas")


def _taken_together(assertion: Statement, source: Source) -> Finding | None:
    """The source keeps two things apart and the assertion takes one with the other."""
    apart = ("together", "apart")
    taken = any(
        key == "avec"
        and not any(
            0 < v.first - i < _BESIDE and _GAPS & set(assertion.keys[v.first : v.last + _BESIDE])
            for v in assertion.values
        )
        for i, key in enumerate(assertion.keys)
    )  # « avec au moins 2 semaines entre deux paliers » takes nothing together
    if apart in source.cited.axes and apart not in assertion.axes and taken:
        return Finding(DropReason.POLARITY, "La source sépare ce que l’affirmation réunit.")
    return None


def _stopped(assertion: Statement, source: Source, pairings: tuple[Pairing, ...]) -> Finding | None:
    """The source stops a treatment and the assertion gives it."""
    gives = (
        "donn", "administr", "prescri", "inject", "poursui", "continu", "maint", "prise", "prend",
        "recoi", "utilis",
    )  # fmt: skip
    for pairing in pairings:
        ours = {a for m in mentions_of_longest(assertion, pairing.clause) for a in m.axes}
        if ("start_stop", "stop") in ours or pairing.clause.sign < 0:
            continue
        keys = assertion.keys[pairing.clause.start : pairing.clause.end]
        if not any(k.startswith(gives) and not k.endswith(("ion", "ions")) for k in keys):
            continue
        theirs = [mentions_of(source.cited, c) for c in pairing.found]
        if theirs and all(
            any(("start_stop", "stop") in m.axes and not _landmark(source.cited, m) for m in t)
            and not any(m.key.startswith(gives) for m in t)
            for t in theirs
        ):
            return Finding(DropReason.POLARITY, "La source arrête ce que l’affirmation donne.")
    return None
