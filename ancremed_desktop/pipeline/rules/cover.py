"""Every clinical word of an assertion needs a counterpart in its source."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, alternative, same
from ancremed_desktop.pipeline.rules.implied import CHANGES, GIVING, implied
from ancremed_desktop.pipeline.rules.lessening import lessened
from ancremed_desktop.pipeline.rules.model import Finding, Mention, Statement
from ancremed_desktop.pipeline.rules.parse import harmless, lexicon
from ancremed_desktop.pipeline.verbs import is_verb
from ancremed_desktop.text.clauses import Role, read_words
from ancremed_desktop.text.lexicon import stem
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.values import equal_value

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
    r"|butol|cept|kinra|tinib|ciclib|parib|prost|prostone)s?$"
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
_NEXT_VALUE = 5
_QUALIFIES = 2
"""Words from a noun to what qualifies it."""
_AGES = frozenset({"age", "ages"})
_ARTICLES = (("le",), ("la",), ("les",), ("l",), ("un",), ("une",), ("des",), ("du",))
_AT = (("a",), ("et",), ())
_RHYTHM = frozenset({"period", "basis", "day"})
"""« chaque jour pendant 2 mois »: a rhythm bounds nothing."""
_SIDES = frozenset({"plus tot", "plus tard"})
_ALLOWS = frozenset({"peut", "peuvent", "possible", "possibles", "permis", "permise"})
_COPULAS = frozenset("est sont reste restent devient deviennent etre semble parait".split())
_STRICT_AXES = frozenset("route age sex trimester line dose certainty permanence".split())
FAR_ALLOWED = 1
"""Words that occur in the passage, outside the cited sentences, that an assertion may use."""
UNKNOWN_ALLOWED = 1
"""Words without clinical form that occur nowhere in the passage; the strictness of the rule."""
NEAR_VERBATIM = 0.75
_LED = 12
"""Characters before a word by which a verb is told."""
_NOUNS = frozenset({"manic_episode"})
"""Families of nouns that have the form of a verb (« on manie avec prudence »)."""
_LETTERS = 2
"""Letters that say nothing by themselves."""


def uncovered(assertion: Statement, source: Source) -> Finding | None:
    """The first words that add something the source does not say (« added fact »)."""
    near = source.cited.concepts | source.label.concepts | source.before.concepts
    missing: list[Mention] = []
    soft: list[Mention] = []
    unknown: list[Mention] = []
    for mention in assertion.mentions:
        if _bounds(assertion, mention):
            continue
        if (
            mention.neutral
            or implied(assertion, mention, source.cited)
            or _to_value(assertion, mention)
        ):
            continue
        if _aged(assertion, mention, source.cited) or lessened(assertion, mention, source.cited):
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
        if held(mention, source.cited.concepts if mention.concepts & GIVING else near):
            continue
        if _denied(mention, source.cited):
            continue
        if (
            held(mention, source.concepts_around)
            and not (_strict(mention) and not _one_of(mention, source))
            and not _elsewhere(assertion, mention, source.cited)
        ):
            soft.append(mention)
        elif general(assertion, mention) and not _other_object(assertion, mention, source.cited):
            unknown.append(mention)
        else:
            missing.append(mention)
    copied = _copied(assertion, source.cited)
    if copied:
        missing += [m for m in soft if not m.concepts & GIVING] + unknown
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


def _other_object(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« améliorent la survie » of what « améliore les symptômes »: the noun is the claim."""
    led = assertion.keys[max(0, mention.first - 1) : mention.first]
    return led in _ARTICLES and _other_kind(assertion, mention, cited)


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
    if not before:
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


def bounds_value(assertion: Statement, mention: Mention) -> bool:
    """Whether a mention only bounds a value or says on which side of an event it lies."""
    return not any(a in _RHYTHM for a, _ in mention.axes) and _bounds(assertion, mention)


def _to_value(assertion: Statement, mention: Mention) -> bool:
    """« remonte à 150 », « descend sous 30 »: the value says it all."""
    if "weigh" in mention.concepts:
        return any(0 < v.first - mention.first < _NEXT_VALUE for v in assertion.values)
    return bool(mention.concepts & CHANGES) and any(
        0 < v.first - mention.first < _NEXT_VALUE for v in assertion.values
    )


def _aged(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« à l'âge de 11 mois » of what is done « à 11 mois »; « après 11 mois » counts otherwise."""
    if mention.key not in _AGES:
        return False
    value = next((v for v in assertion.values if 0 < v.first - mention.first < _NEXT_VALUE), None)
    return value is not None and any(
        not v.bound
        and equal_value(v.quantity, value.quantity)
        and cited.keys[v.first - 1 : v.first] in _AT
        for v in cited.values
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


@lru_cache(maxsize=65536)
def drug_like(key: str) -> bool:
    """Whether a folded word is, or looks like, the name of a substance."""
    return len(key) > 5 and bool(_DRUG.search(key))


def names_drug(mention: Mention) -> bool:
    """Whether a mention names one substance."""
    return drug_like(mention.key) or _name_substance(mention.concepts)


@lru_cache(maxsize=65536)
def _name_substance(concepts: frozenset[str]) -> bool:
    named = any(c.startswith(("only:", "brand:")) for c in concepts)
    return named or not concepts.isdisjoint(lexicon().substances)


def may_name_drug(mention: Mention) -> bool:
    """Whether a word that the lexicon does not know has the form of a learned name."""
    known = any(not c.startswith("w:") for c in mention.concepts)
    return not known and not mention.neutral and bool(_CLINICAL.search(mention.key))


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
    """Whether an unmatched word has nothing clinical about it: no family, form or capital.

    A plain verb is general whatever plain family it has: it is told apart by its axis, and what
    it does to whom by its nouns (« s'adresse à », « est ôtée »).
    """
    written = assertion.text[mention.start : mention.end]
    verb = " " not in written and is_verb(written, assertion.text[: mention.start][-_LED:])
    light = lexicon().light | _NOUNS if verb else frozenset()
    families = any(
        "=" not in c and not c.startswith("w:") and c not in light for c in mention.concepts
    )
    formed = _CLINICAL.search(mention.key) or drug_like(mention.key)
    if families or mention.axes or (formed and not verb) or _PREFIXED.match(mention.key):
        return False
    if mention.first == 0:
        written = written.lower()  # the capital of a sentence
    previous = assertion.keys[mention.first - 1 : mention.first]
    if previous and previous[0] in _COPULAS and not verb:
        return False  # the attribute is what is said of the subject
    return written.islower() and len(mention.key) > _LETTERS


def _strict(mention: Mention) -> bool:
    named = names_drug(mention) or (names_class(mention) and mention.role is Role.CORE)
    return named or any(member != "adult" and axis in _STRICT_AXES for axis, member in mention.axes)
