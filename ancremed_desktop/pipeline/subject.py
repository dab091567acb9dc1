"""What a question is about: its subject words, their alternatives, the entities they name."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from ancremed_desktop.domain.plans import Concept, Question, Subject
from ancremed_desktop.pipeline.case import asked_doses, asked_values, groups_of_values
from ancremed_desktop.pipeline.compounds import joined_names
from ancremed_desktop.pipeline.drug_classes import class_named
from ancremed_desktop.pipeline.exact_words import EXACT, exact_concepts, with_st_written
from ancremed_desktop.pipeline.exclusion import find_exclusion
from ancremed_desktop.pipeline.filler import says_nothing
from ancremed_desktop.pipeline.french_words import is_french
from ancremed_desktop.pipeline.kin import same_root
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.one_sense import of_one_sense, spans_of_one_sense
from ancremed_desktop.pipeline.population import (
    ages,
    asked_groups,
    without_age_group,
    without_failing_organ,
)
from ancremed_desktop.pipeline.qualifiers import asked_qualifiers
from ancremed_desktop.pipeline.routes import is_route, routes_in
from ancremed_desktop.pipeline.told_values import told_values, without_values
from ancremed_desktop.pipeline.understand import expansions_in_context, find_acronym
from ancremed_desktop.pipeline.verbs import is_verb
from ancremed_desktop.pipeline.withdrawal import without_the_withdrawn
from ancremed_desktop.ports import EntityMention, PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import STOP_WORDS, content_words

_WORD = re.compile(r"[^\W_]+(?:[-+][^\W_]+)*\+?")
_MEASURE = re.compile(
    r"\b\d+(?:[.,]\d+)?\s*(?:kg|g|mg|µg|cm|m|mm|ml(?:/min)?|l|ans|mois|sa|[µmnp]?mol/l|"
    r"[mµnp]?g/(?:d|m)?l|m?ui(?:/m?l)?)\b"
)
_MAX_IDENTIFIERS = 200
_SLIP = 3
"""Letters of the longest word that is a slip of typing rather than a name."""
_BY_CHANCE = 3
"""Passages that may hold a slip all the same, in another language or as a misprint."""
_OR = re.compile(r"\s*,? ou (?:un |une |le |la |les |l.|des )?")
_TERM = re.compile(
    r"\bt[123]\b|\btrimestre [123]\b"
    r"|\b(?:premier|deuxieme|second|troisieme|dernier|[123](?:e|er|eme)) trimestre"
    r"(?: d\S+ ?grossesse)?\b"
)
"""Of a pregnancy: whom the question is about."""
_YES_OR_NO = re.compile(r"\boui ?(?:/|ou) ?non\b|\bou (?:non|pas)\b(?=\W*$)")
_OF_CODES = frozenset("code codes cip cip7 cip13 cis atc specialite specialites".split())
"""Words that only announce a code."""
_CODE = re.compile(r"\b(?:3400\d{9}|\d{7,8}|[a-z]\d{2}[a-z]{2}\d{2})\b")


def find_subject(question: Question, index: PassageIndex, lexicon: PlanningLexicon) -> Subject:
    """Subject of a question. Words of sections, classes, populations and measures are no part.

    What stands after « sauf » is left out. A word out of the vocabulary with no alternative is
    reported in ``unknown_words``.
    """
    text, excluded = _without_exception(question.text)
    told = told_values(text)
    folded = _MEASURE.sub(_blank, without_values(fold(text), told))
    folded = _YES_OR_NO.sub(_blank, with_st_written(folded))
    mentions = index.mentions(without_values(text, told))  # « fièvre 39 nourrisson »
    if any(m.is_drug_or_class for m in mentions):
        # Of a drug « en insuffisance rénale » the group orders the answer (``populations``); it is
        # no word each rubric of the RCP must hold.
        folded = without_failing_organ(folded)
        if "grossesse" in groups_of_values(question):
            folded = _TERM.sub(_blank, folded)
    exact = [m[0] for m in EXACT.finditer(folded)]
    lay = [
        phrase
        for phrase in lexicon.synonyms
        if " " in phrase and _has(folded, phrase) and not lexicon.names_section(phrase)
    ]
    for phrase in lay:
        folded = folded.replace(phrase, " " * len(phrase))
    masked = _mask_cues(EXACT.sub(_blank, folded), lexicon)
    named_as_one, masked = _named_as_one(masked, mentions)
    found, unknown = _word_concepts(text, masked, mentions, index, lexicon)
    concepts = [_lay_concept(phrase, index, lexicon) for phrase in lay]
    concepts += [_one_concept(phrase, index) for phrase in named_as_one]
    concepts += [c for c in found if c not in concepts]
    named = any(c.identifiers for c in concepts)
    aside = [w for w in unknown if named and (_is_proper(w, text) or _is_slip(w))]
    unknown = [w for w in unknown if w not in aside]
    concepts = [c for c in concepts if c.phrases[0] not in map(fold, aside)]
    if not concepts:
        # The question is made of section words alone: the names in it are its subject.
        concepts = [_concept(text[m.start : m.end], m, text, index, lexicon) for m in mentions]
    concepts += exact_concepts(exact, text, mentions, index)
    if coded := _coded_concepts(text, mentions):
        concepts, unknown = _with_codes(concepts, unknown, coded)
    concepts, routes = _without_routes(without_the_withdrawn(concepts, text), text)
    entities = tuple(dict.fromkeys(i for c in concepts for i in c.identifiers))
    words = tuple(c.phrases[0] for c in concepts if not c.exact)
    return Subject(
        label=" ".join(words),
        words=words,
        entity_ids=entities[:_MAX_IDENTIFIERS],
        unknown_words=tuple(w for w in unknown if not (routes and is_route(fold(w)))),
        concepts=tuple(concepts),
        populations=asked_groups(text) | groups_of_values(question),
        ages=ages(text),
        routes=routes,
        measures=tuple(dict.fromkeys(t.measure for t in told)),
        qualifiers=asked_qualifiers(text),
        excluded=_exceptions(excluded, index, lexicon),
        values=asked_values(question),
        doses=asked_doses(text),
        set_aside=tuple(aside),
    )


def _without_routes(concepts: list[Concept], text: str) -> tuple[list[Concept], tuple[str, ...]]:
    """(concepts less the routes a drug is asked by, those routes)."""
    if not any(c.mandatory and not c.exact for c in concepts):
        return concepts, ()
    return [c for c in concepts if not is_route(c.phrases[0])], routes_in(text)


def _with_codes(
    concepts: Sequence[Concept], unknown: Sequence[str], coded: Sequence[Concept]
) -> tuple[list[Concept], list[str]]:
    """(concepts with what codes stand for and less the words that announce them, the same of
    unknown words).
    """
    named = [c for c in concepts if not _OF_CODES.issuperset(c.phrases[:1])]
    named += [c for c in coded if c not in named]
    return named, [w for w in unknown if fold(w) not in _OF_CODES]


def _coded_concepts(text: str, mentions: Sequence[EntityMention]) -> list[Concept]:
    """What the CIS, CIP or ATC codes of a question stand for; they are no words of it."""
    return [
        Concept(phrases=(folded,), identifiers=m.identifiers, mandatory=True)
        for m in mentions
        if _CODE.search(folded := fold(text[m.start : m.end]))
    ]


def _without_exception(text: str) -> tuple[str, str]:
    """(the question with what follows « sauf » blanked, what follows « sauf »)."""
    asked = find_exclusion(text)
    if asked is None:
        return text, ""
    blank = " " * (asked.end - asked.start)
    return text[: asked.start] + blank + text[asked.end :], asked.what


def _exceptions(text: str, index: PassageIndex, lexicon: PlanningLexicon) -> tuple[Concept, ...]:
    mentions = index.mentions(text)
    found = []
    for word, start in _subject_words(text, _mask_cues(fold(text), lexicon)):
        mention = next((m for m in mentions if m.start <= start < m.end), None)
        found.append(_concept(word, mention, text, index, lexicon))
    return tuple(dict.fromkeys(found))


def _word_concepts(
    text: str,
    masked: str,
    mentions: Sequence[EntityMention],
    index: PassageIndex,
    lexicon: PlanningLexicon,
) -> tuple[list[Concept], list[str]]:
    """(what the words of the subject stand for, each once; those that stand for nothing known)."""
    concepts: list[Concept] = []
    unknown: list[str] = []
    end = 0
    for word, start in joined_names(_subject_words(text, masked), text, index):
        mention = next((m for m in mentions if m.start <= start < m.end), None)
        concept = _concept(word, mention, text, index, lexicon)
        told = fold(word) in lexicon.synonyms  # « qui convulse »: a sign, told by a verb
        if not (concept.identifiers or told) and is_verb(word, text[:start]):
            continue
        slip = _is_slip(word) and _is_by_chance(concept, index)
        known = concept.identifiers or any(_is_known(p, index) for p in concept.phrases)
        if slip or not known:
            unknown.append(word)
        if concepts and _are_either(concepts[-1], concept, fold(text[end:start])):
            concept = _either(concepts.pop(), concept)
        if concept not in concepts:
            concepts.append(concept)
        end = start + len(word)
    return concepts, unknown


def _are_either(one: Concept, other: Concept, between: str) -> bool:
    """Whether « ou » alone stands between two concepts, of which neither is a drug."""
    return not (one.mandatory or other.mandatory) and _OR.fullmatch(between) is not None


def _either(one: Concept, other: Concept) -> Concept:
    """What « TDM ou IRM » stands for: what speaks of one of them answers."""
    return replace(
        one,
        phrases=tuple(dict.fromkeys((*one.phrases, *other.phrases))),
        identifiers=tuple(dict.fromkeys((*one.identifiers, *other.identifiers))),
        classes=one.classes | other.classes,
    )


def _is_proper(word: str, text: str) -> bool:
    """Whether a word is the name of a place or a person, which everyday French knows: no invented
    drug is in its dictionary.
    """
    inside = text.find(word) > 0
    return inside and word[0].isupper() and not word.isupper() and is_french(fold(word))


def _is_by_chance(concept: Concept, index: PassageIndex) -> bool:
    """Whether a word that stands for nothing else is in next to no passage."""
    alone = len(concept.phrases) == 1 and not (concept.identifiers or concept.mandatory)
    return alone and index.document_frequency(concept.phrases[0]) <= _BY_CHANCE


def _is_slip(word: str) -> bool:
    """Whether an unknown word is typing or slang (« qd »), said and set aside: no drug has so short
    a name, and those cut short that are usual are in the lexicon.
    """
    return len(word) <= _SLIP and word.islower() and not is_french(fold(word))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _mask_cues(folded: str, lexicon: PlanningLexicon) -> str:
    for section in lexicon.sections.values():
        if section.masks is not None:
            folded = section.masks.sub(_blank, folded)
    return folded


def _subject_words(text: str, masked: str) -> list[tuple[str, int]]:
    """Words of the subject with their offsets in ``text``."""
    kept = set(content_words(masked))
    kept |= {piece for word in kept for piece in word.split("-")}
    found: dict[str, int] = {}
    for match in _WORD.finditer(text):
        word = fold(match[0])
        pieces = [p for p in word.split("-") if p and p not in STOP_WORDS]
        if not pieces or says_nothing(word) or len(word) < 2:
            continue
        if word.isdecimal() or re.fullmatch(r"\d+\S{0,4}", word):
            continue
        if word in kept or all(p in kept for p in pieces):
            found.setdefault(match[0], match.start())
    return list(found.items())


def _concept(
    word: str,
    mention: EntityMention | None,
    text: str,
    index: PassageIndex,
    lexicon: PlanningLexicon,
) -> Concept:
    """A word with its alternatives; a word inside a name of the corpus stands for that name."""
    alternatives = _alternatives(word, text, index, lexicon)
    if mention is not None:
        named = fold(text[mention.start : mention.end])
        if " " in named:  # « cardiaque » of « insuffisance cardiaque » stands for nothing else
            alternatives = (named, *map(fold, lexicon.synonyms.get(named, ())))
        names = _names_of_formula(mention, index)
        ageless = without_age_group(named)
        wider = (ageless, *map(fold, lexicon.synonyms.get(ageless, ()))) if ageless else ()
        phrases = _with_narrower((named, *alternatives[1:], *names, *wider), lexicon)
        return Concept(
            phrases=phrases,
            identifiers=mention.identifiers,
            mandatory=mention.is_drug_or_class
            or fold(word) in lexicon.drug_words
            or named in lexicon.substances,
            classes=class_named(named),
        )
    expanded = [m for a in alternatives[1:] for m in index.mentions(a)]
    key = fold(word)
    if "+" in lexicon.brands.get(key, ""):
        identifiers = _common(expanded)
    else:
        identifiers = tuple(dict.fromkeys(i for m in expanded for i in m.identifiers))
    is_drug = key in lexicon.drug_words or key in lexicon.substances or key in lexicon.brands
    return Concept(
        phrases=_with_narrower(alternatives, lexicon),
        identifiers=identifiers[:_MAX_IDENTIFIERS],
        mandatory=is_drug or any(m.is_drug_or_class for m in expanded),
        classes=class_named(word),
    )


def _common(mentions: Sequence[EntityMention]) -> tuple[str, ...]:
    """Identifiers of what holds all that is named: INNOVAIR, which shares one substance with
    Symbicort, does not stand for it.
    """
    return tuple(
        i
        for i in dict.fromkeys(i for m in mentions for i in m.identifiers)
        if all(i in m.identifiers for m in mentions)
    )


def _names_of_formula(mention: EntityMention, index: PassageIndex) -> tuple[str, ...]:
    """What else a score is called (« chads-va », « CHA2DS2-VA »): cards name it their own way."""
    if len(mention.identifiers) != 1 or not mention.identifiers[0].startswith("FORM-"):
        return ()
    keys = (p.source_key for p in index.passages_of(mention.identifiers[0]))
    return tuple(fold(n) for key in itertools.islice(keys, 1) for n in index.source(key).names)


def _has(folded: str, phrase: str) -> bool:
    return phrase in folded and bool(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded))


def _lay_concept(phrase: str, index: PassageIndex, lexicon: PlanningLexicon) -> Concept:
    """« mal au ventre » stands for what medicine calls it."""
    medical = lexicon.synonyms[phrase]
    mentions = [m for term in medical for m in index.mentions(term)]
    identifiers = tuple(dict.fromkeys(i for m in mentions for i in m.identifiers))
    phrases = _with_narrower([fold(p) for p in (*medical, phrase)], lexicon)
    return Concept(phrases=phrases, identifiers=identifiers[:_MAX_IDENTIFIERS])


def _named_as_one(masked: str, mentions: Sequence[EntityMention]) -> tuple[list[str], str]:
    """(wordings of several words of one sense no name of the corpus meets, the text less them)."""
    found = [
        s
        for s in spans_of_one_sense(masked)
        if not class_named(s)  # the thesaurus of interactions files « inhibiteurs calciques » apart
        and not any(_meets(s, masked, m) for m in mentions)
    ]
    for phrase in found:
        masked = masked.replace(phrase, " " * len(phrase))
    return found, masked


def _meets(phrase: str, masked: str, mention: EntityMention) -> bool:
    """Whether a phrase of a text shares a word with a name of the corpus."""
    start = masked.find(phrase)
    return start < mention.end and mention.start < start + len(phrase)


def _one_concept(phrase: str, index: PassageIndex) -> Concept:
    """« choc électrique externe » stands for a cardioversion."""
    phrases = (phrase, *of_one_sense(phrase, index))
    mentions = [m for p in phrases for m in index.mentions(p)]
    identifiers = tuple(dict.fromkeys(i for m in mentions for i in m.identifiers))
    return Concept(
        phrases=phrases,
        identifiers=identifiers[:_MAX_IDENTIFIERS],
        mandatory=any(m.is_drug_or_class for m in mentions),
        classes=class_named(phrase),
    )


def _alternatives(
    word: str, text: str, index: PassageIndex, lexicon: PlanningLexicon
) -> tuple[str, ...]:
    key = fold(word)
    found: list[str] = [key]
    acronym = find_acronym(word, lexicon.acronyms)
    if acronym is not None:
        found += [fold(e) for e in expansions_in_context(acronym, text)]
    if key in lexicon.brands:
        found.append(" ".join(fold(lexicon.brands[key]).replace("+", " ").split()))
    roots = (key, f"{key}r") if key.endswith("e") and not is_french(key) else (key,)
    kin = dict.fromkeys(f for root in roots for f in same_root(root))  # « j’anticoagule »
    forms = [key, *(f for f in kin if index.document_frequency(f))]
    found += forms[1:]
    for form in forms:
        known = lexicon.synonyms.get(form) or lexicon.synonyms.get(form.rstrip("sx"), ())
        found += [fold(s) for s in known]
    return tuple(dict.fromkeys(found))


def _with_narrower(phrases: Sequence[str], lexicon: PlanningLexicon) -> tuple[str, ...]:
    """Folded wordings, then those that are of their kind."""
    narrower = (n for phrase in phrases for n in lexicon.narrower.get(phrase, ()))
    return tuple(dict.fromkeys((*phrases, *narrower)))


def _is_known(phrase: str, index: PassageIndex) -> bool:
    parts = content_words(phrase)
    return bool(parts) and all(
        index.document_frequency(p) or all(index.document_frequency(q) for q in p.split("-"))
        for p in parts
    )
