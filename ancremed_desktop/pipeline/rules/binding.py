"""Each value must belong to the same drug, patient, route and parameter as in the source."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.cover import drug_like, general, held
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement, Value
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.values import equal_value

_THRESHOLD = re.compile(
    r"\b(?:seuils?|limites?|cibles?|bornes?|plafond|objectifs?|definie?s?|definition|stade|grade)\b"
)
# Within, after and before are about time; a plain value is compatible with the first two.
_ALIKE = {
    ("w", ""),
    ("w", "≤"),
    ("w", "<"),
    ("a", ""),
    ("a", ">"),
    ("a", "≥"),
    ("pa", ""),
    ("pa", "a"),
    ("pa", "w"),
    ("pa", ">"),
    ("pb", "b"),
    ("pb", "<"),
    ("b", "<"),
    ("b", "≤"),
}
_WEAK_ANCHORS = frozenset({"give", "treat", "measure", "monitor", "associate", "inject", "infuse"})
_KILOS = re.compile(r"\d\s*kg\b|kilo")
_PARAMETER = re.compile(r"(?:emie|urie|emies|uries)$")
_PARAMETERS = frozenset(
    "blood_pressure weight ph temperature inr gfr creatinine_clearance creatinine score spo2 "
    "respiratory_rate platelets "
    "neutrophils haemoglobin hcg ddimers bone_density map_pressure age_word tsh "
    "concentration".split()
)


def misbound(assertion: Statement, source: Source) -> Finding | None:
    """A value under another bound, or with another anchor, than in the source."""
    for value in assertion.values:
        matches = [v for v in source.cited.values if equal_value(v.quantity, value.quantity)]
        if not matches:
            continue
        problems = [_problem(assertion, value, source.cited, m, source) for m in matches]
        if not all(problems):
            problems = [_borrowed(assertion, value, m, source) for m in matches]
        if all(problems):
            return Finding(
                DropReason.BINDING,
                problems[0],
                ((value.quantity.start, value.quantity.end),),
            )
    return None


def _problem(
    assertion: Statement, value: Value, cited: Statement, match: Value, source: Source
) -> str:
    shown = assertion.text[value.quantity.start : value.quantity.end]
    if not _same_bound(assertion, value, cited, match):
        return f"« {shown} » n’est pas bornée comme dans la source."
    rivals = [v for v in cited.values if _rival(v, match)]
    if rivals:
        for mention in _anchors(assertion, value, source):
            if not _bound_to(mention, cited, match, rivals, source, assertion):
                words = assertion.text[mention.start : mention.end]
                return f"Dans la source, « {shown} » ne se rapporte pas à « {words} »."
        for other in assertion.values:
            if other is not value and not _values_meet(other, cited, match, rivals):
                return f"« {shown} » n’accompagne pas la même valeur dans la source."
    return ""


def _borrowed(assertion: Statement, value: Value, match: Value, source: Source) -> str:
    """A subject the cited sentences do not name, and that has another value in the passage.

    « Forme non compliquée : 0,7 mg/kg. En cas d'atteinte ophtalmologique : 1 mg/kg » quoted for
    0,7 mg/kg in ophthalmic disease.
    """
    near = source.cited.concepts | source.label.concepts | source.before.concepts
    around = source.around
    for mention in _anchors(assertion, value, source):
        subject = mention.first < value.first or mention.role is Role.CONDITION
        if not subject or mention.concepts & _WEAK_ANCHORS or held(mention, near):
            continue
        if general(assertion, mention):
            continue
        there = {around.clauses[m.chunk].sentence for m in around.every if same(mention, m)}
        elsewhere = [v for v in around.values if around.clauses[v.chunk].sentence in there]
        if any(_rival(v, match) for v in elsewhere):
            words = assertion.text[mention.start : mention.end]
            return f"Dans la source, « {words} » a une autre valeur."
    return ""


def _same_bound(assertion: Statement, value: Value, cited: Statement, match: Value) -> bool:
    ours = value.bound or _role_bound(assertion, value)
    theirs = match.bound or _role_bound(cited, match) or _inherited_bound(cited, match)
    if ours == theirs or (ours, theirs) in _ALIKE or (theirs, ours) in _ALIKE:
        return True
    if not ours:
        return bool(_THRESHOLD.search(assertion.folded_text))
    if not theirs:
        return bool(_THRESHOLD.search(cited.folded_text))
    return False


def _inherited_bound(statement: Statement, value: Value) -> str:
    """« la dose maximale est de 1 g ; entre 45 et 59, de 2 g »: the second is a maximum too.

    So is the second of « doit dépasser 35 avec une comorbidité, ou 40 sans elle ».
    """
    sentence = statement.clauses[value.chunk].sentence
    if statement.keys[value.first - 1 : value.first] not in (("de",), ("ou",)):
        return ""
    for other in statement.values:
        same_sentence = statement.clauses[other.chunk].sentence == sentence
        if other.first < value.first and same_sentence and kind(other) == kind(value):
            return other.bound or _role_bound(statement, other)
    return ""


def _role_bound(statement: Statement, value: Value) -> str:
    """« La dose maximale est de 3 g » bounds as « sans dépasser 3 g » does."""
    clause = statement.clauses[value.chunk]
    for mention in clause.mentions:
        if mention.first < value.first and value.first - mention.first < 8:
            for axis, member in mention.axes:
                if axis == "dose" and member in {"maximum", "minimum"}:
                    return "≤" if member == "maximum" else "≥"
    return ""


def kind(value: Value) -> str:
    """What a value measures: kilograms are a patient's weight, not a dose."""
    written = value.quantity.text.casefold()
    dimension = value.quantity.dimension
    if dimension == "mass" and _KILOS.search(written):
        return "weight"
    return dimension


def _loose_kind(value: Value) -> str:
    """An amount and an amount a day count alike when a word has to choose between them."""
    return "mass" if kind(value) == "mass/time" else kind(value)


def _rival(value: Value, match: Value) -> bool:
    """Another value of the same dimension: what the anchors could belong to instead."""
    return (
        value is not match
        and kind(value) == kind(match)
        and not equal_value(value.quantity, match.quantity)
    )


def _anchors(assertion: Statement, value: Value, source: Source) -> list[Mention]:
    """Mentions of the assertion nearer to ``value`` than to another value of its dimension.

    What the whole document is about, and verbs of giving and watching, anchor nothing.
    """
    rivals = [
        v for v in assertion.values if v is not value and _loose_kind(v) == _loose_kind(value)
    ]
    clause = assertion.clauses[value.chunk]
    numbers = {value.chunk, *clause.frames}
    found = []
    for mention in assertion.mentions:
        role = any(a == "dose" and m in {"maximum", "minimum"} for a, m in mention.axes)
        if role or mention.chunk not in numbers or (mention.neutral and not mention.axes):
            continue
        bare = all(axis == "start_stop" for axis, _ in mention.axes)
        if mention.concepts & (_WEAK_ANCHORS | source.label.concepts) and bare:
            continue
        mine = _distance(assertion, mention.first, value)
        first = value.first < mention.first  # a tie goes to the value said before
        if all(
            (mine <= d if first or r.first > value.first else mine < d)
            for r in rivals
            for d in (_distance(assertion, mention.first, r),)
        ):
            found.append(mention)
    return found


def _distance(statement: Statement, word: int, value: Value) -> float:
    """Words between, with a price for each comma, conjunction and clause crossed."""
    low, high = sorted((word, value.first if word <= value.first else value.last))
    crossed = 0.0
    for i in range(low + 1, high + 1):
        gap = statement.gaps[i]
        crossed += 8 if "," in gap else 40 if re.search(r"[;.\n]", gap) else 2 if ":" in gap else 0
        crossed += 4 if statement.keys[i] in {"et", "ou", "puis"} else 0
    return high - low + crossed


def _bound_to(
    mention: Mention,
    cited: Statement,
    match: Value,
    rivals: list[Value],
    source: Source,
    assertion: Statement,
) -> bool:
    places = [m for m in cited.every if same(mention, m)]
    if not places:
        return True
    frames = set(cited.clauses[match.chunk].frames)
    sentence = cited.clauses[match.chunk].sentence
    here = [m for m in places if cited.clauses[m.chunk].sentence == sentence]
    if not here:
        rival_there = {cited.clauses[r.chunk].sentence for r in rivals}
        there = {cited.clauses[m.chunk].sentence for m in places}
        return not (there & rival_there) or bool(mention.concepts & source.label.concepts)
    near = [r for r in rivals if cited.clauses[r.chunk].sentence == sentence]
    if not near:
        return True
    for place in here:
        if place.first < match.first and _is_landmark(cited, place) and _counts_from(cited, match):
            return True
        if place.chunk in frames and not any(place.chunk == r.chunk for r in near):
            return True
        mine = _distance(cited, place.first, match)
        if all(mine <= _distance(cited, place.first, r) for r in near):
            return True
        first = min(v.first for v in (*near, match))
        own = _own_subject(cited, match, near, assertion)
        if place.first < first and not own and not _contrasted(place, cited, match):
            return True
    return False


def _is_landmark(cited: Statement, place: Mention) -> bool:
    return bool({"avant", "apres"} & set(cited.keys[max(0, place.first - 3) : place.first]))


def _counts_from(cited: Statement, value: Value) -> bool:
    """« … avant la chirurgie et 4 semaines après »: the landmark was named before."""
    after = value.last + 1
    if cited.keys[after : after + 1] not in (("avant",), ("apres",)):
        return False
    return after + 1 >= len(cited.keys) or bool(re.search(r"[,;.)]", cited.gaps[after + 1]))


def _own_subject(cited: Statement, match: Value, near: list[Value], assertion: Statement) -> bool:
    """Whether the value has, since the value before it, a subject the assertion leaves out.

    « le clopidogrel 5 jours avant et le prasugrel 7 jours avant »: seven days are prasugrel's.
    """
    start = max((r.last for r in near if r.last < match.first), default=-1)
    if start < 0:
        return False
    joint = next(
        (
            i
            for i in range(start + 1, match.first)
            if cited.keys[i] in {"et", "ou"} or "," in cited.gaps[i] or ";" in cited.gaps[i]
        ),
        -1,
    )
    if joint < 0:
        return False
    own = [m for m in cited.mentions if joint <= m.first < match.first and not m.neutral]
    return bool(own) and not any(same(a, m) for a in assertion.mentions for m in own)


def _contrasted(place: Mention, cited: Statement, match: Value) -> bool:
    """Whether another member of the same kind stands between the mention and the value."""
    kinds = {a for a, _ in place.axes}
    parameter = is_parameter(place)
    drug = drug_like(place.key)
    for other in cited.every:
        if not place.first < other.first < match.first or other.concepts & place.concepts:
            continue
        if kinds & {a for a, _ in other.axes if (a, _) not in place.axes}:
            return True
        if (parameter and is_parameter(other)) or (drug and drug_like(other.key)):
            return True
    return False


def is_parameter(mention: Mention) -> bool:
    """Whether a mention names something measured (« créatininémie », « INR »)."""
    return bool(_PARAMETERS & mention.concepts) or bool(_PARAMETER.search(mention.key))


def _values_meet(other: Value, cited: Statement, match: Value, rivals: list[Value]) -> bool:
    """Whether another value of the assertion keeps company with ``match`` in the source."""
    if any(equal_value(other.quantity, r.quantity) for r in (match, *rivals)):
        return True
    places = [
        v
        for v in cited.values
        if equal_value(v.quantity, other.quantity) and _close_bound(v, other)
    ]
    if not places:
        return True
    for place in places:
        if place.chunk in cited.clauses[match.chunk].frames:
            return True
        mine = _distance(cited, place.first, match)
        if all(mine <= _distance(cited, place.first, r) for r in rivals):
            return True
        if place.first < min(v.first for v in (*rivals, match)):
            return True
        between = [r for r in rivals if match.first < r.first < place.first]
        if match.first < place.first and not between and _conditional(cited, match, place):
            return True
    return False


def _conditional(cited: Statement, match: Value, place: Value) -> bool:
    """« 3 jours si … sont obtenus à J3, 5 jours … »: a condition holds for the value before it."""
    start = place.first
    while start > match.last and cited.roles[start] is Role.CONDITION:
        start -= 1
    return cited.roles[place.first] is Role.CONDITION and start <= match.last


def _close_bound(value: Value, other: Value) -> bool:
    return not other.bound or not value.bound or value.bound == other.bound
