"""Each value must belong to the same drug, patient, route and parameter as in the source."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, counterparts, leading_case, same
from ancremed_desktop.pipeline.rules.bound_match import same_bound
from ancremed_desktop.pipeline.rules.cover import general, held
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement, Value, kind
from ancremed_desktop.pipeline.rules.owners import Owners, owners, stretch
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.value_forms import moment
from ancremed_desktop.text.values import alike, equal_value

_UNBOUND = frozenset({"name", "reference", "ordinal"})
"""Dimensions that name a thing: they are bound to nothing."""
_CASES = frozenset({"type", "stage"})
"""Dimensions that name a case: even plain words (« au moment de ») belong to one of them."""
_SCALES = frozenset("stade stades grade grades degre degres type types classe classes".split())
_VERBAL = frozenset({"start_stop", "dose"})
_STARTS = ("debut", "commenc", "instaur", "initi", "demarr", "introdui", "premier", "abord")
_GOES_ON = ("poursui", "entretien", "maint", "ensuite", "ulterieur", "continu")
_REACHED = frozenset({"passe", "portee", "porte", "augmentee", "augmente", "montee"})
"""« la dose passe à 2,5 mg »: it does not begin there."""
_LATER = frozenset("puis ensuite apres suivi suivie suivis suivies secondairement relais".split())
_WEAK_ANCHORS = frozenset(
    {"give", "treat", "measure", "monitor", "associate", "inject", "infuse", "wait"}
)
_PARAMETER = re.compile(r"(?:emie|urie|emies|uries)$")
_PARAMETERS = frozenset(
    "blood_pressure map_pressure systolic diastolic weight ph temperature inr gfr "
    "creatinine_clearance creatinine score spo2 capnia respiratory_rate heart_rate platelets "
    "neutrophils haemoglobin hcg ddimers bone_density tsh lactate ketone glycaemia kalaemia "
    "calcaemia transaminases ferritin proteinuria concentration trough peak bmi ldl crp "
    "troponin urine_output".split()
)


def misbound(assertion: Statement, source: Source) -> Finding | None:
    """A value under another bound, or with another anchor, than in the source."""
    for value in assertion.values:
        if value.quantity.dimension in _UNBOUND and not moment(value.quantity, assertion.text):
            continue
        matches = [
            v
            for v in source.cited.values
            if alike(value.quantity, assertion.text, v.quantity, source.cited.text)
        ]
        if not matches:
            if _past_the_end(assertion, value, source.cited):
                return Finding(
                    DropReason.BINDING,
                    f"« {_shown(assertion, value)} » n’est pas bornée comme dans la source.",
                    ((value.quantity.start, value.quantity.end),),
                )
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


def _shown(statement: Statement, value: Value) -> str:
    return statement.text[value.quantity.start : value.quantity.end]


def _past_the_end(assertion: Statement, value: Value, cited: Statement) -> bool:
    """« < 4 » of what holds for « ≥ 4 et < 6 »."""
    ends = [v for v in cited.ends if alike(value.quantity, assertion.text, v.quantity, cited.text)]
    return bool(ends and value.bound) and not any(
        same_bound(assertion, value, cited, v) for v in ends
    )


def _problem(
    assertion: Statement, value: Value, cited: Statement, match: Value, source: Source
) -> str:
    shown = _shown(assertion, value)
    if not same_bound(assertion, value, cited, match):
        return f"« {shown} » n’est pas bornée comme dans la source."
    if assertion.roles[value.first] is Role.EXCEPTION:
        if cited.roles[match.first] is Role.EXCEPTION:
            return ""  # « sauf prise dans les 6 mois »: an exception of all that is told
        if any(_rival(v, match) and cited.roles[v.first] is Role.EXCEPTION for v in cited.values):
            return f"Dans la source, « {shown} » n’est pas une exception."
    items = _row(cited, match)
    place = items.index(match)
    owned = _owners(cited, items)
    rivals = [v for v in cited.values if _rival(v, match)]
    if not rivals and len(items) == 1:
        return ""
    if match.quantity.dimension and not value.quantity.dimension:
        return ""  # « passe de 10 à 5 mg »: a number that borrows its unit
    for mention in _anchors(assertion, value, source):
        if not _bound_to(mention, cited, match, rivals, source, owned, place):
            words = assertion.text[mention.start : mention.end]
            return f"Dans la source, « {shown} » ne se rapporte pas à « {words} »."
    for other in _companions(assertion, value):
        if not _values_meet(assertion, other, cited, match, rivals, owned, place):
            return f"« {shown} » n’accompagne pas la même valeur dans la source."
    if _out_of_turn(assertion, value, cited, match, owned, place):
        return f"« {shown} » ne vient pas au même moment que dans la source."
    return ""


def _row(statement: Statement, value: Value) -> list[Value]:
    """Values of one kind in the sentence of ``value``, in order."""
    sentence = statement.clauses[value.chunk].sentence
    return sorted(
        (
            v
            for v in statement.values
            if kind(v) == kind(value) and statement.clauses[v.chunk].sentence == sentence
        ),
        key=lambda v: v.first,
    )


def _owners(statement: Statement, items: list[Value], *, strict: bool = False) -> Owners:
    sentence = statement.clauses[items[0].chunk].sentence
    return owners(statement, tuple((v.first, v.last) for v in items), sentence, strict=strict)


def _borrowed(assertion: Statement, value: Value, match: Value, source: Source) -> str:
    """A subject the cited sentences do not name, and that has another value in the passage.

    « Forme non compliquée : 0,7 mg/kg. En cas d'atteinte ophtalmologique : 1 mg/kg » quoted for
    0,7 mg/kg in ophthalmic disease.
    """
    near = source.cited.concepts | source.label.concepts | source.before.concepts
    for mention in _anchors(assertion, value, source):
        subject = mention.first < value.first or mention.role is Role.CONDITION
        if not subject or mention.concepts & _WEAK_ANCHORS or held(mention, near):
            continue
        verb = bool(mention.axes) and all(axis in _VERBAL for axis, _ in mention.axes)
        if verb or is_parameter(mention) or general(assertion, mention):
            continue
        around = source.around
        there = {around.clauses[m.chunk].sentence for m in around.every if same(mention, m)}
        elsewhere = [v for v in around.values if around.clauses[v.chunk].sentence in there]
        if any(
            _rival(v, match) and v.quantity.dimension == match.quantity.dimension for v in elsewhere
        ):
            words = assertion.text[mention.start : mention.end]
            return f"Dans la source, « {words} » a une autre valeur."
    return ""


def _rival(value: Value, match: Value) -> bool:
    """Another value of the same dimension: what the anchors could belong to instead."""
    return (
        value is not match
        and kind(value) == kind(match)
        and not equal_value(value.quantity, match.quantity)
    )


def _anchors(assertion: Statement, value: Value, source: Source) -> list[Mention]:
    """Mentions of the assertion that belong to ``value`` rather than to another of its kind.

    What the whole document is about, and verbs of giving and watching, anchor nothing.
    """
    items = _row(assertion, value)
    owned, place = _owners(assertion, items, strict=True), items.index(value)
    clause = assertion.clauses[value.chunk]
    numbers = {value.chunk, *clause.frames}
    case = leading_case(assertion, clause, value.chunk)
    found = []
    for mention in assertion.mentions:
        role = any(a == "dose" and m in {"maximum", "minimum"} for a, m in mention.axes)
        plain = mention.neutral and not mention.axes and value.quantity.dimension not in _CASES
        scale = value.quantity.dimension in _CASES and mention.key in _SCALES
        near = mention.chunk in numbers or mention.first in case
        if role or not near or plain or scale:
            continue
        bare = all(axis in {"start_stop", "intake"} for axis, _ in mention.axes)
        if mention.concepts & (_WEAK_ANCHORS | source.label.concepts) and bare:
            continue
        if owned.owns(place, mention.first):
            found.append(mention)
    return found


def _companions(assertion: Statement, value: Value) -> list[Value]:
    """Values of other kinds that the assertion gives with ``value``."""
    items = _row(assertion, value)
    owned, place = _owners(assertion, items, strict=True), items.index(value)
    clause = assertion.clauses[value.chunk]
    numbers = {value.chunk, *clause.frames}
    case = leading_case(assertion, clause, value.chunk)
    return [
        v
        for v in assertion.values
        if kind(v) != kind(value)
        and (v.chunk in numbers or v.first in case)
        and owned.owns(place, v.first)
        and _belongs(assertion, value, v)
    ]


def _belongs(assertion: Statement, value: Value, other: Value) -> bool:
    """Whether ``value`` belongs to ``other`` in its turn."""
    items = _row(assertion, other)
    return _owners(assertion, items, strict=True).owns(items.index(other), value.first)


def _bound_to(
    mention: Mention,
    cited: Statement,
    match: Value,
    rivals: list[Value],
    source: Source,
    owned: Owners,
    place: int,
) -> bool:
    places = [m for m in cited.every if same(mention, m)]
    if not places:
        return True
    sentence = cited.clauses[match.chunk].sentence
    here = counterparts(mention, (m for m in places if cited.clauses[m.chunk].sentence == sentence))
    if not here:
        rival_there = {cited.clauses[r.chunk].sentence for r in rivals}
        there = {cited.clauses[m.chunk].sentence for m in places}
        named = source.label.concepts | source.before.concepts
        return not (there & rival_there) or bool(mention.concepts & named)
    return any(
        owned.owns(place, m.first)
        or (m.first < match.first and _is_landmark(cited, m) and _counts_from(cited, match))
        for m in here
    )


def _is_landmark(cited: Statement, place: Mention) -> bool:
    return bool({"avant", "apres"} & set(cited.keys[max(0, place.first - 3) : place.first]))


def _counts_from(cited: Statement, value: Value) -> bool:
    """« … avant la chirurgie et 4 semaines après »: the landmark was named before."""
    after = value.last + 1
    if cited.keys[after : after + 1] not in (("avant",), ("apres",)):
        return False
    return after + 1 >= len(cited.keys) or bool(re.search(r"[,;.)]", cited.gaps[after + 1]))


def is_parameter(mention: Mention) -> bool:
    """Whether a mention names something measured (« créatininémie », « INR »)."""
    return bool(_PARAMETERS & mention.concepts) or is_measured(mention)


def is_measured(mention: Mention) -> bool:
    """Whether a mention names an amount in blood or urine by its ending (« calcémie »)."""
    return bool(_PARAMETER.search(mention.key))


def _values_meet(
    assertion: Statement,
    other: Value,
    cited: Statement,
    match: Value,
    rivals: list[Value],
    owned: Owners,
    place: int,
) -> bool:
    """Whether another value of the assertion keeps company with ``match`` in the source."""
    sentence = cited.clauses[match.chunk].sentence
    places = [
        v
        for v in cited.values
        if alike(other.quantity, assertion.text, v.quantity, cited.text) and _close_bound(v, other)
    ]
    here = [v for v in places if cited.clauses[v.chunk].sentence == sentence]
    if not here:
        rival_there = {cited.clauses[r.chunk].sentence for r in rivals}
        return not rival_there & {cited.clauses[v.chunk].sentence for v in places}
    if place in owned.then and other.bound in {"a", "pa"}:
        return True  # « 10 mg pendant 7 jours, puis 5 mg »: 5 mg after seven days
    return any(owned.owns(place, v.first) for v in here)


def _out_of_turn(
    assertion: Statement,
    value: Value,
    cited: Statement,
    match: Value,
    owned: Owners,
    place: int,
) -> bool:
    """« débuter à 50 mg » where the source gives 25 mg first, « puis 50 mg »; or the reverse."""
    led = stretch(assertion, value.first)
    begun = any(k.startswith(_STARTS) for k in assertion.keys[led.start : led.stop])
    reached = cited.keys[match.first - 3 : match.first]
    if begun and match.first > 2 and any(k in _REACHED for k in reached):
        return True
    if not owned.then:
        return False
    if _after_a_later_one(assertion, value, cited, match, owned):
        return True
    words = stretch(assertion, value.first)
    before = assertion.keys[words.start : words.stop]
    if any(k in _LATER for k in before) or any(
        v.first < value.first and kind(v) == kind(value) for v in assertion.values
    ):
        return False
    if place in owned.then:
        starts = any(k.startswith(_STARTS) for k in before)
        return starts and not any(
            cited.keys[w].startswith(_STARTS)
            for w in range(owned.start, match.first)
            if owned.owns(place, w) and not owned.owns(0, w)
        )
    return any(k.startswith(_GOES_ON) for k in before)


def _after_a_later_one(
    assertion: Statement, value: Value, cited: Statement, match: Value, owned: Owners
) -> bool:
    """« après 1 g/h, 4 g en 20 minutes » where the source gives 4 g, « puis 1 g/h »."""
    row = _row(cited, match)
    return any(
        "apres" in assertion.keys[max(0, w.first - 3) : w.first]
        and any(
            place in owned.then and place > row.index(match) and _equal(assertion, w, cited, v)
            for place, v in enumerate(row)
        )
        for w in _row(assertion, value)
        if w.first < value.first
    )


def _equal(assertion: Statement, value: Value, cited: Statement, other: Value) -> bool:
    return alike(value.quantity, assertion.text, other.quantity, cited.text)


def _close_bound(value: Value, other: Value) -> bool:
    return not other.bound or not value.bound or value.bound == other.bound
