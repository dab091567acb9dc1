"""Every clinical word of an assertion needs a counterpart in its source."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, alternative, same
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement
from ancremed_desktop.pipeline.rules.parse import harmless, lexicon
from ancremed_desktop.text.clauses import Role, read_words
from ancremed_desktop.text.lexicon import stem
from ancremed_desktop.text.normalise import fold

_DRUG = re.compile(
    r"(?:cilline|mycine|cycline|oxacine|azole|azoles|pril|prils|sartan|sartans|statine|statines"
    r"|olol|dipine|parine"
    r"|xaban|gatran|tidine|prazole|triptan|caine|azepam|azolam|vir|mab|nib|gliptine|gliflozine"
    r"|glutide|thiazide"
    r"|semide|sone|solone|profene|oxicam|coxib|triptyline|apine|azine|idone|amide|barbital"
    r"|curonium|fungine"
    r"|terol|tropium|sonide|thasone|dronate|dronique|formine|glinide|glitazone|platine|taxel"
    r"|rubicine|bicine|estrel"
    r"|gestrel|progest\w*|quine|grel|pristal|olol|stigmine|lukast|setron|fibrate|ibrate|oxetine"
    r"|traline|zepine|gabaline|gabapentine"
    r"|racetam|zosine|xyzine|lazine|phylline|vastatine|steride|lamide|olamine|ephrine|phedrine"
    r"|butol|cept|kinra|tinib|ciclib|parib)s?$"
)
_CLINICAL = re.compile(
    r"(?:ite|ose|ome|emie|urie|pathie|algie|logie|tomie|scopie|graphie|plastie|lyse|cyte|oide"
    r"|plegie|rragie"
    r"|rrhee|phagie|pnee|penie|trophie|philie|gene|genes|ique|ine|ol|one|ate|ide|ase|yl|um|us|is"
    r"|ium|ane|ene"
    r"|aire|al|ale|ales|aux|eux|euse|culaire|oire|gramme|metrie|manie|phobie|ectasie|megalie)s?$"
)
_PREFIXED = re.compile(r"(?:hyper|hypo|dys|brady|tachy|oligo|normo|iso|anti)\w{4}")
"""Learned beginnings: « hypersodé » says how much."""
_BEGINNINGS = frozenset({"beginning", "first_step", "acute_phase", "dose=initial"})
_EXTREMES = frozenset({"max_word", "min_word"})
_CHANGES = frozenset({"increase", "decrease"})
_GOES_ON = frozenset({"continue", "continue_verb"})
_LASTS = frozenset({"duration", "during"})
_NEXT_VALUE = 5
_QUALIFIES = 2
"""Words from a noun to what qualifies it."""
_PASSES = frozenset({"passe", "portee", "porte", "puis", "ensuite", "portes", "portees"})
_ABSENT = {("consciousness", "unconscious"): ("consciousness", "awake")}
_MEANWHILE = re.compile(r"\b(?:dans l'attente d|en attendant )")
"""« dans l'attente des résultats » is « sans attendre les résultats »."""
_INFANT = 24
"""Months below which a child is an infant."""
_WAITING = frozenset({"wait", "delay"})
_SIDES = frozenset({"plus tot", "plus tard"})
_TIMED = frozenset({"pa", "a", "w", "pb", "b"})
_GIVING = frozenset({"give", "inject", "infuse", "swallow"})
"""Plain verbs of giving, which the passage's route decides."""
_ALLOWS = frozenset({"peut", "peuvent", "possible", "possibles", "permis", "permise"})
_COPULAS = frozenset("est sont reste restent devient deviennent etre semble parait".split())
_STRICT_AXES = frozenset("route age sex trimester line dose certainty permanence".split())
FAR_ALLOWED = 1
"""Words that occur in the passage, outside the cited sentences, that an assertion may use."""
UNKNOWN_ALLOWED = 1
"""Words without clinical form that occur nowhere in the passage; the strictness of the rule."""
NEAR_VERBATIM = 0.75


def uncovered(assertion: Statement, source: Source) -> Finding | None:
    """The first words that add something the source does not say (« added fact »)."""
    near = source.cited.concepts | source.label.concepts | source.before.concepts
    missing: list[Mention] = []
    soft: list[Mention] = []
    unknown: list[Mention] = []
    for mention in assertion.mentions:
        if _bounds(assertion, mention):
            continue
        if mention.neutral or _implied(mention, source.cited) or _to_value(assertion, mention):
            continue
        if (
            _other_brand(mention, source)
            or _other_antigen(assertion, mention, source.cited)
            or _taken_at_once(mention, source.cited)
        ):
            missing.append(mention)
            continue
        if _not_stopped(assertion, mention, source.cited):
            continue
        if spare(assertion, mention, source.cited) or _ends(assertion, mention, source.cited):
            continue
        if held(mention, source.cited.concepts if mention.concepts & _GIVING else near):
            continue
        if _denied(mention, source.cited):
            continue
        if (
            held(mention, source.around.concepts)
            and not (_strict(mention) and not _one_of(mention, source))
            and not _elsewhere(assertion, mention, source.cited)
        ):
            soft.append(mention)
        elif general(assertion, mention):
            unknown.append(mention)
        else:
            missing.append(mention)
    copied = _copied(assertion, source.cited)
    if copied:
        missing += [m for m in soft if not m.concepts & _GIVING] + unknown
    if missing or len(soft) > FAR_ALLOWED or len(unknown) > UNKNOWN_ALLOWED:
        listed = missing or (unknown if len(unknown) > UNKNOWN_ALLOWED else soft)
        words = ", ".join(f"« {assertion.text[m.start : m.end]} »" for m in listed)
        return Finding(
            DropReason.ADDED_FACT,
            f"Absent des phrases citées : {words}.",
            tuple((m.start, m.end) for m in listed),
        )
    return None


def _other_brand(mention: Mention, source: Source) -> bool:
    """« La Dépakine » of what the source says of Dépakote: one substance, other specialities."""
    if not any(c.startswith("brand:") and fold(c[6:]) == mention.key for c in mention.concepts):
        return False
    named = {
        m.key
        for m in source.cited.every
        for c in m.concepts
        if c.startswith("brand:") and fold(c[6:]) == m.key
    }
    return bool(named) and mention.key not in named and mention.key not in source.label.keys


def _other_antigen(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« anti-HBc » of what the source says of « anti-HBs »: one virus, two antigens."""
    led = assertion.keys[max(0, mention.first - 1) : mention.first]
    return led in (("anti",), ("antigene",), ("ag",), ("ac",)) and mention.key not in cited.keys


def _taken_at_once(mention: Mention, cited: Statement) -> bool:
    """« en une prise » of what is taken « en 3 prises »."""
    if "in_one_go" not in mention.concepts or mention.concepts & cited.concepts:
        return False
    return any(v.quantity.dimension == "count" and (v.quantity.low or 0) > 1 for v in cited.values)


def _elsewhere(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """Whether a word of the passage takes a place that the quote fills with another one."""
    return _other_kind(assertion, mention, cited) or _other_case(assertion, mention, cited)


def _other_case(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« en cas d'insuffisance hépatique » of what the quote says « Insuffisance rénale : … » of."""
    if mention.role is not Role.CONDITION:
        return False
    heads = [c.mentions for c in cited.clauses if c.heads]
    named = [next((m for m in h if not m.neutral), None) for h in heads]
    return any(named) and not any(n and same(a, n) for n in named for a in assertion.every)


def _other_kind(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« insuffisance hépatique » from elsewhere, where the quote says « insuffisance rénale »."""
    before = [m for m in assertion.mentions if 0 < mention.first - m.first <= _QUALIFIES][-1:]
    if not before or _COPULAS & set(assertion.keys[before[0].first + 1 : mention.first]):
        return False
    places = [m for m in cited.mentions if same(before[0], m)]
    kinds = [
        q
        for p in places
        for q in cited.mentions
        if 0 < q.first - p.first <= _QUALIFIES and "," not in cited.gaps[q.first]
    ]
    return bool(kinds) and all(
        not q.neutral
        and sum(same(a, q) for a in assertion.mentions) < sum(same(c, q) for c in cited.mentions)
        for q in kinds
    )


def _not_stopped(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« n'a pas à être arrêté » of what may go on: polarity judges it."""
    stops = ("start_stop", "stop") in mention.axes and assertion.clauses[mention.chunk].sign < 0
    return stops and ("start_stop", "continue") in cited.axes


def _bounds(assertion: Statement, mention: Mention) -> bool:
    """« en moins d'une heure », « 5 jours plus tôt »: how a value is bounded is judged apart."""
    words = mention.key.split()
    if mention.key in _SIDES:
        return any(v.last + 1 == mention.first for v in assertion.values)
    return (
        len(words) > 1
        and all(map(harmless, words))
        and any(0 <= v.first - mention.first <= len(words) + 1 for v in assertion.values)
    )


def _to_value(assertion: Statement, mention: Mention) -> bool:
    """« remonte à 150 », « descend sous 30 »: the value says it all."""
    if "weigh" in mention.concepts:
        return any(0 < v.first - mention.first < _NEXT_VALUE for v in assertion.values)
    return bool(mention.concepts & _CHANGES) and any(
        0 < v.first - mention.first < _NEXT_VALUE for v in assertion.values
    )


def spare(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« peut être injecté en SC à défaut d'IV » of what the source leaves open (« IV ou SC »).

    What is allowed anyhow is allowed where the other choice is lacking.
    """
    if mention.key != "a defaut" or not _ALLOWS & set(assertion.keys[: mention.first]):
        return False
    before = [m for m in assertion.mentions if m.first < mention.first and not m.neutral][-1:]
    after = [m for m in assertion.mentions if m.first > mention.first and not m.neutral][:1]
    chosen = [m.first for m in cited.mentions if any(same(b, m) for b in before)]
    lacking = [m.first for m in cited.mentions if any(same(a, m) for a in after)]
    return any(
        one != two and alternative(cited, *sorted((one, two))) for one in chosen for two in lacking
    )


def kept_apart(assertion: Statement, cited: Statement) -> bool:
    """Whether both ask for a delay between two that the source does not associate."""
    edges = {member for axis, member in assertion.axes if axis == "start_stop"}
    if "start" in edges and "stop" not in edges:
        return False  # counted from where one begins, both are given together
    delayed = "delay" in assertion.concepts & cited.concepts
    return delayed and "associate" in cited.concepts and "associate" not in assertion.concepts


def _ends(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« entre l'arrêt de A et B, 36 heures »: what may not go together is stopped first."""
    if ("start_stop", "stop") not in mention.axes or not kept_apart(assertion, cited):
        return False
    return "entre" in assertion.keys[max(0, mention.first - 2) : mention.first]


def _implied(mention: Mention, cited: Statement) -> bool:
    """« la phase initiale » of what is told in turn, « attendre » of what comes a day after."""
    if mention.concepts & _BEGINNINGS and {"puis", "ensuite"} & set(cited.keys):
        return True
    if mention.concepts & _GOES_ON and {"puis", "ensuite", "relais"} & set(cited.keys):
        return True  # « 4 g, puis 1 g/h »: « poursuivi à 1 g/h »
    if ("together", "together") in mention.axes and ("together", "apart") in cited.axes:
        return True  # « pas en même temps »: which of the two is a question of axes
    if "intact" in mention.concepts and "open_act" in cited.concepts:
        return True  # « avalé entier » of what is not opened: polarity judges it
    if "hurry" in mention.concepts and _MEANWHILE.search(cited.folded_text):
        return True
    if "gradual" in mention.concepts:
        return any("sudden" in m.concepts and cited.clauses[m.chunk].sign < 0 for m in cited.every)
    if mention.concepts & _WAITING and (
        "apres" in cited.keys
        or bool(cited.concepts & {"delay", "interval"})
        or any(v.bound in _TIMED for v in cited.values)
    ):
        return True
    if mention.axes & implied_axes(cited):
        return True
    if mention.concepts & _EXTREMES:
        bounds = {"max_word": {"≤", "<", "w"}, "min_word": {"≥", ">"}}
        return any(v.bound in bounds[c] for c in mention.concepts & _EXTREMES for v in cited.values)
    if "associate" in mention.concepts and "et" in cited.keys:
        return True  # whether the source joins or offers a choice is a question of logic
    if "repeat" in mention.concepts and any(
        v.quantity.dimension in {"interval", "frequency"} for v in cited.values
    ):
        return True
    if mention.concepts & _GIVING and cited.concepts & _GIVING:
        return True  # how it is given is a question of route
    return bool(mention.concepts & _CHANGES) and _changes(mention, cited)


def _changes(mention: Mention, cited: Statement) -> bool:
    """« augmenter » of what passes from one amount to a higher one."""
    up = "increase" in mention.concepts
    return any(
        one.first < two.first
        and one.quantity.dimension == two.quantity.dimension
        and one.quantity.low is not None
        and two.quantity.low is not None
        and (one.quantity.low < two.quantity.low) == up
        for one in cited.values
        for two in cited.values
    ) and bool(_PASSES & set(cited.keys))


def implied_axes(cited: Statement) -> frozenset[tuple[str, str]]:
    """Sides that a statement takes without naming them: « moins de 3 mois » is an infant."""
    found = {_ABSENT[a] for m in cited.every if m.sign < 0 for a in m.axes if a in _ABSENT}
    if any(
        v.bound in {"<", "≤"}
        and v.quantity.dimension == "calendar"
        and (v.quantity.high or 99) <= _INFANT
        for v in cited.values
    ):
        found |= {("age", "infant"), ("age", "child")}
    return frozenset(found)


def _one_of(mention: Mention, source: Source) -> bool:
    """« gluconate de calcium » of what the cited sentences call calcium, the passage's only one."""
    broader = lexicon().broader
    wider = {b for c in mention.concepts for b in broader.get(c, frozenset())}
    shared = wider & source.cited.concepts
    if not shared:
        return False
    named = {
        m.key
        for m in source.around.mentions
        if any(broader.get(c, frozenset()) & shared for c in m.concepts)
    }
    return len(named) == 1


def _copied(assertion: Statement, cited: Statement) -> bool:
    """Whether an assertion repeats the source so closely that each other word is a change."""
    keys = {stem(k) for k in cited.keys}
    shared = sum(stem(k) in keys for k in assertion.keys)
    return shared >= NEAR_VERBATIM * len(assertion.keys)


def held(mention: Mention, concepts: frozenset[str]) -> bool:
    """Whether a mention, whole or word by word, is among ``concepts``."""
    if mention.concepts & concepts:
        return True
    by_word = bool(mention.parts) and not mention.denies
    return by_word and all(p & concepts for p in mention.parts)


def _denied(mention: Mention, cited: Statement) -> bool:
    """« sans symptôme » of « l'absence de symptôme »: each word is denied there too."""
    denied = frozenset(c for m in cited.every if m.sign < 0 for c in m.concepts)
    return mention.denies and all(p & denied for p in mention.parts)


def drug_like(key: str) -> bool:
    """Whether a folded word is, or looks like, the name of a substance."""
    return len(key) > 5 and bool(_DRUG.search(key))


def names_drug(mention: Mention) -> bool:
    """Whether a mention names one substance."""
    return (
        drug_like(mention.key)
        or any(c.startswith(("only:", "brand:")) for c in mention.concepts)
        or bool(mention.concepts & lexicon().substances)
    )


def first_drug(text: str) -> str:
    """The first words of a text that name one substance, folded; '' for none."""
    keys = [w.key for w in read_words(text)]
    named = lexicon().substances
    for hit in lexicon().hits(keys):
        if hit.families & named or any(f.startswith(("only:", "brand:")) for f in hit.families):
            return " ".join(keys[hit.start : hit.end])
    return next(filter(drug_like, keys), "")


def names_class(mention: Mention) -> bool:
    """Whether a mention names a class of substances (« fluoroquinolone »)."""
    return bool(mention.concepts & lexicon().classes)


def general(assertion: Statement, mention: Mention) -> bool:
    """Whether an unmatched word has nothing clinical about it: no family, form or capital."""
    families = any("=" not in c and not c.startswith("w:") for c in mention.concepts)
    if families or mention.axes or _CLINICAL.search(mention.key) or drug_like(mention.key):
        return False
    if _PREFIXED.match(mention.key):
        return False
    written = assertion.text[mention.start : mention.end]
    if mention.first == 0:
        written = written.lower()  # the capital of a sentence
    previous = assertion.keys[mention.first - 1 : mention.first]
    if previous and previous[0] in _COPULAS:
        return False  # the attribute is what is said of the subject
    return written.islower() and len(mention.key) > 3


def _strict(mention: Mention) -> bool:
    named = names_drug(mention) or (names_class(mention) and mention.role is Role.CORE)
    return named or any(member != "adult" and axis in _STRICT_AXES for axis, member in mention.axes)
