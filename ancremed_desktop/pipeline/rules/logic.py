"""And against or, all against one of."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import WITH, Source, alternative, same
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement, Value
from ancremed_desktop.text.values import alike, equal_value

_BOTH = re.compile(
    r"\b(?:a la fois|simultanement|tous les criteres|toutes les conditions|l'ensemble des"
    r"|cumul\w+|les deux (?:criteres|conditions)|en meme temps)\b"
)
_EITHER = re.compile(
    r"\b(?:(?<!est )l'un des|(?<!est )l'une des|(?:un seul|une seule) (?:des|de|critere|condition|element|facteur)"
    r"|au moins un|l'un ou l'autre|soit\b[^.;]*\bsoit)\b"
)
_SUFFICES = re.compile(r"\b(?:suffi(?:t|sent|sant\w*|ra)|a (?:lui seul|elle seule)|isolement)\b")
_NEEDS_ALL = re.compile(
    r"\b(?:complete?s?|associe(?:nt)?|reuni\w*|tous les|toutes les (?:conditions|criteres)|a la fois|l'ensemble"
    r"|au moins (?:deux|trois|quatre|2|3|4))\b"
)
_ENOUGH = re.compile(r"\b(?:avec|et|associe\w*|reuni\w*)\b")
_BETWEEN = re.compile(r"\bentre [\d,. ]+(?:\w+ )?et [\d,. ]+")
_CHOICE = re.compile(r"\b(?:chois\w+|choix|opt\w+)\b.{0,20}\bentre\b")
"""« on choisit entre A et B » is « A ou B »."""
_SEVERAL = re.compile(
    r"\bau moins (?:deux|trois|quatre|cinq|2|3|4|5)(?: \w+){0,2}? (?:criteres?|conditions?|facteurs?"
    r"|signes?|elements?|points?)\b|\b(?:deux|trois|2|3) des (?:criteres|conditions|facteurs"
    r"|signes|elements)\b"
)
_CAUSES = re.compile(r"\b(?:provoqu|entrain|expos|favoris|caus|declench|occasionn)\w*")
_PRESCRIBERS = re.compile(
    r"\b(?:reserv|limit)\w+ (?:a|aux) (?:\w+ )?(?:specialistes?|medecins?|prescripteurs?|services?)\b"
)
_EACH = re.compile(r"\bles \w+ (?:de |d')[^.;,:]{1,40} et (?:de |d')")
"""« les sels de fer et de calcium » says of each what it says of both."""
_WINDOW = 9


def confused(assertion: Statement, source: Source) -> Finding | None:
    """« et » where the source has « ou » between the same things, or the reverse."""
    ours, theirs = assertion.folded_text, source.cited.folded_text
    if _BOTH.search(ours) and not _BOTH.search(theirs) and re.search(r"\bou\b", theirs):
        return Finding(DropReason.LOGIC, "La source dit « ou », l’affirmation exige tout.")
    if (
        _EITHER.search(ours)
        and not _EITHER.search(theirs)
        and re.search(r"\b(?:associ|et)\b", theirs)
        and not re.search(r"\bou\b", theirs)
    ):
        return Finding(
            DropReason.LOGIC, "La source exige tout, l’affirmation se contente d’un élément."
        )
    if _made_enough(assertion, source.cited):
        return Finding(
            DropReason.LOGIC, "La source exige plusieurs éléments, l’affirmation un seul."
        )
    if _some_of_several(assertion, source.cited):
        return Finding(
            DropReason.LOGIC, "La source exige plusieurs critères, l’affirmation un seul."
        )
    if _alternatives_joined(assertion, source.cited):
        return Finding(DropReason.LOGIC, "La source énumère ce que l’affirmation réunit.")
    for index, key in enumerate(assertion.keys):
        if key not in {"et", "ou"} or assertion.keys[index + 1 : index + 2] in (
            ("plus",),
            ("moins",),
        ):
            continue
        left, right = _neighbours(assertion, index)
        found = _joiners(source.cited, left, right)
        if found and key not in found and not _excused(assertion, index, source.cited):
            return Finding(
                DropReason.LOGIC,
                f"La source relie ces éléments par « {min(found)} ».",
                (assertion.offsets[index],),
            )
    return None


def _made_enough(assertion: Statement, cited: Statement) -> bool:
    """« X suffit » where the source joins X to something else; a duration may suffice."""
    ours, theirs = assertion.folded_text, cited.folded_text
    found = _SUFFICES.search(ours)
    if found is None or _SUFFICES.search(theirs) or _NEEDS_ALL.search(ours):
        return False
    ours, theirs = _BETWEEN.sub(" ", ours), _BETWEEN.sub(" ", theirs)
    if _ENOUGH.search(ours) or not (_NEEDS_ALL.search(theirs) or " et " in theirs):
        return False
    before = [v for v in assertion.values if v.quantity.end <= found.start()]
    return not before or before[-1].quantity.dimension not in {"time", "calendar"}


def _some_of_several(assertion: Statement, cited: Statement) -> bool:
    """One criterion of « au moins deux critères : âge ≥ 80 ans, poids ≤ 60 kg … » made enough."""
    found = _SEVERAL.search(cited.folded_text)
    if found is None or re.search(
        r"\b(?:criteres?|conditions?|facteurs?|signes?|elements?|points?)\b", assertion.folded_text
    ):
        return False
    listed = [v for v in cited.values if v.quantity.start >= found.end()]
    named = [
        v for v in assertion.values if any(_same_value(v, w, assertion, cited) for w in listed)
    ]
    return len(named) == 1


def _same_value(value: Value, other: Value, assertion: Statement, cited: Statement) -> bool:
    return alike(value.quantity, assertion.text, other.quantity, cited.text)


def _alternatives_joined(assertion: Statement, cited: Statement) -> bool:
    """« fièvre associée à une toux » where the source has « de fièvre, de dyspnée ou de toux »."""
    for index, key in enumerate(assertion.keys):
        if not key.startswith(WITH):
            continue
        left = [m for m in assertion.mentions if m.first < index and not m.neutral][-1:]
        right = [m for m in assertion.mentions if m.first > index and not m.neutral][:1]
        pairs = [
            (a.first, b.first)
            for a in cited.mentions
            for b in cited.mentions
            if a is not b and any(same(a, m) for m in left) and any(same(b, m) for m in right)
        ]
        if pairs and all(alternative(cited, *sorted(p)) for p in pairs):
            return True
    return False


def _excused(assertion: Statement, index: int, cited: Statement) -> bool:
    """Under a negation « et » and « ou » say the same of each element.

    So they do in a heading of what is denied (« Insuffisance rénale ou hépatique : pas de … »).
    """
    chunk = next((c for c in assertion.clauses if c.start <= index < c.end), None)
    if chunk is None:
        return False
    if _PRESCRIBERS.search(cited.folded_text):
        return True  # « réservé aux cardiologues et aux internistes »: either may
    if assertion.keys[index] == "ou" and _EACH.search(cited.folded_text):
        return True
    either = cited.folded_text.count("et/ou")
    if assertion.keys[index] == "ou" and either and either == cited.keys.count("et"):
        return True  # « A et/ou B » is « A ou B »
    if assertion.keys[index] == "et" and _CHOICE.search(assertion.folded(chunk)):
        return True
    if assertion.keys[index] == "ou" and _CAUSES.search(assertion.folded(chunk)):
        return bool(_CAUSES.search(cited.folded_text))  # « A, B et C provoquent … »: each does
    number = assertion.clauses.index(chunk)
    framed = [c for c in assertion.clauses if number in c.frames]
    if chunk.sign < 0 or (framed and all(c.sign < 0 for c in framed)):
        return all(c.sign < 0 for c in cited.clauses if c.mentions and not c.heads)
    return False


_AFTER = re.compile(r"[,;:.()]")
"""What ends the second member of « A ou B, … »."""


def _neighbours(
    statement: Statement, index: int
) -> tuple[list[Mention | Value], list[Mention | Value]]:
    left: list[Mention | Value] = [
        m for m in statement.mentions if index - _WINDOW <= m.first < index and not m.neutral
    ]
    right: list[Mention | Value] = [
        m for m in statement.mentions if index < m.first <= index + _WINDOW and not m.neutral
    ]
    left += [v for v in statement.values if index - _WINDOW <= v.first < index]
    right += [v for v in statement.values if index < v.first <= index + _WINDOW]
    stop = next(
        (i for i in range(index + 2, len(statement.keys)) if _AFTER.search(statement.gaps[i])),
        len(statement.keys),
    )
    return left, [m for m in right if m.first < stop]


def _joiners(
    cited: Statement, left: list[Mention | Value], right: list[Mention | Value]
) -> set[str]:
    found: set[str] = set()
    for index, key in enumerate(cited.keys):
        if key not in {"et", "ou"} or cited.keys[index + 1 : index + 2] in (("plus",), ("moins",)):
            continue
        before, after = _neighbours(cited, index)
        straight = _nearest_match(left, before) and _nearest_match(right, after)
        turned = _nearest_match(left, after) and _nearest_match(right, before)
        if straight or turned:
            found.add(key)
            if cited.keys[index + 1 : index + 2] == ("ou",):
                found.add("ou")  # « et/ou »
    return found or _listed(cited, left, right)


def _listed(
    cited: Statement, left: list[Mention | Value], right: list[Mention | Value]
) -> set[str]:
    """What joins two members of « A, B et C » between which a comma stands."""
    found: set[str] = set()
    for index in range(1, len(cited.keys)):
        if "," not in cited.gaps[index]:
            continue
        rest = range(index + 1, min(index + _LIST, len(cited.keys)))
        closing = next(
            (i for i in rest if cited.keys[i] in {"et", "ou"} or _STOP.search(cited.gaps[i])), -1
        )
        if closing < 0 or cited.keys[closing] not in {"et", "ou"}:
            continue
        before = _said(cited, range(max(0, index - _MEMBER), index))
        after = _said(cited, range(index, closing))
        one, two = before[-2:], after[:2]
        straight = _nearest_match(left, one) and _nearest_match(right, two)
        if straight or (_nearest_match(left, two) and _nearest_match(right, one)):
            found.add(cited.keys[closing])
    return found


def _said(statement: Statement, words: range) -> list[Mention | Value]:
    told: list[Mention | Value] = [*statement.mentions, *statement.values]
    found = [m for m in told if m.first in words and not (isinstance(m, Mention) and m.neutral)]
    return sorted(found, key=lambda m: m.first)


_LIST, _MEMBER = 12, 6
"""Words to the « et » that closes a list, and of one member of it."""
_STOP = re.compile(r"[;:.(]")


def _nearest_match(wanted: list[Mention | Value], held: list[Mention | Value]) -> bool:
    for a in wanted:
        for b in held:
            if isinstance(a, Mention) and isinstance(b, Mention):
                if same(a, b):
                    return True
            elif (
                isinstance(a, Value)
                and isinstance(b, Value)
                and equal_value(a.quantity, b.quantity)
            ):
                return True
    return False
