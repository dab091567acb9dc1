"""What a sentence bears on: another subject, or another situation, than the one asked."""

from __future__ import annotations

import re

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

LIMIT = re.compile(
    r"\b(?:maximal\w*|maximum|depass\w*|ne pas|jamais|mortel\w*|fatal\w*|erreurs?|reduit\w*|"
    r"contre-indiqu\w*|clairance|filtration|une fois par semaine|hebdomadaire|non recommande\w*)\b"
)
"""A limit of a dose: kept beside any dose."""
_HALVES = re.compile(r" et (?=[a-zà-ÿœ])")
_FORBIDDEN = re.compile(
    r"contre-? ?indications?(?: \w+e?s)? (?:a |au |aux |de |des |du |d')(?P<what>[^:.,;()]{4,90})"
)
_FORBIDS = re.compile(
    r"contre-? ?indi|proscri|deconseill|(?:ne (?:doi\w+|peu\w+) pas|jamais) (?:etre )?"
    r"(?:utilis|donn|prescri|administr|pratiqu|associ)"
)
_SITUATIONS = {"dialys": r"\b(?:hemo)?dialys|extracorporel", "angioplast": r"\bangioplast|\bicp\b"}
"""Beginning of the word that asks for a situation → what tells that a dose is for it alone."""
_DISEASE = re.compile(
    r"(?:(?<!ic)(?<!iv)(?<!al)(?<!il)(?<!ar)(?<!os)(?<!es)(?<!ac)(?<!av)(?<!u)ite|"
    r"ose|emie|pathie|ome|algie|plegie|lepsie|embolie|sepsis|cancer|infarctus|asthme|diabete)s?$"
)
_DISEASE_LETTERS = 6
_LISTED_WHOLE = 200
"""Identifiers from which the list of a concept is cut."""
_TELLING = 4
"""Letters of a word that tells what is contraindicated; « DP » may be the subject."""


def is_beside(passage: Passage, text: str, section: str, subject: Subject) -> bool:
    """Whether a sentence bears on something else than what is asked."""
    labelled = passage.section == section
    own = labelled and passage.silo in (Silo.BDPM, Silo.FICHES)
    forbidding = section == "contre-indications" and not own
    dosed = section == "posologie" and not LIMIT.search(fold(text))
    return (
        (forbidding and forbids_something_else(text, subject, labelled=labelled))
        or (dosed and is_of_another_situation(text, subject))
        or is_row_of_another_case(text, passage, subject)
        or is_of_the_other_half(passage, text, subject)
    )


def is_of_the_other_half(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence names what a title joins to the subject (« insuffisance cardiaque et œdème
    aigu du poumon ») and nothing of what is asked.
    """
    halves = _HALVES.split(passage.origin_title.partition(" : ")[0])
    asked = [c for c in subject.concepts if 0 < sum(holds(h, c) for h in halves) < len(halves)]
    others = [h for h in halves if not any(holds(h, c) for c in asked)]
    if not asked or any(holds(text, c) for c in subject.concepts):
        return False
    found = stems((text,))
    return any(all(holds_word(found, w) for w in content_words(h)) for h in others)


def forbids_something_else(text: str, subject: Subject, *, labelled: bool) -> bool:
    """Whether a sentence lists the contraindications of something that the question does not name
    (« contre-indications à la réadaptation cardiaque » of heart failure), or, where it names no
    drug, forbids nothing that is given (« ne doit pas faire douter du diagnostic »), unless the
    passage is ``labelled`` so.
    """
    folded = fold(text).replace("’", "'")
    told = _FORBIDDEN.search(folded)
    if told is not None and any(len(w) >= _TELLING for w in content_words(told["what"])):
        return not any(holds(told["what"], c) for c in subject.concepts)
    return not (labelled or names_drug(subject) or _FORBIDS.search(folded))


def is_row_of_another_case(text: str, passage: Passage, subject: Subject) -> bool:
    """Whether a row of a table on something else names what is asked in a later cell only: there
    it is a complication or a treatment of the case of the row.
    """
    if passage.kind is not PassageKind.TABLE or names_drug(subject):
        return False
    title = f"{passage.origin_title} {passage.heading}"
    case = text.partition(" ; ")[0]
    return not any(holds(title, c) or holds(case, c) for c in subject.concepts)


def is_of_another_situation(text: str, subject: Subject) -> bool:
    """Whether a dose is of a situation that the question does not name (a circuit of dialysis)."""
    folded = fold(text)
    return any(
        re.search(tells, folded) and not any(w.startswith(asks) for w in subject.point.words)
        for asks, tells in _SITUATIONS.items()
    )


def names_drug(subject: Subject) -> bool:
    """Whether a question names a drug or a class."""
    return any(c.mandatory and not c.exact for c in subject.concepts)


def is_disease(concept: Concept) -> bool:
    """Whether a concept is named as diseases are: an answer about another one is none."""
    return any(
        len(word) >= _DISEASE_LETTERS and _DISEASE.search(word)
        for word in content_words(concept.phrases[0])
    )


def is_named_formula(passage: Passage, subject: Subject) -> bool:
    """Whether a formula is named: « Apgar du nouveau-né » need not speak of the newborn."""
    return passage.silo is Silo.FORMULAS and any(
        passage.source_identifier in c.identifiers for c in subject.concepts
    )


def is_of_its_drug(passage: Passage, subject: Subject) -> bool:
    """Whether the title of a passage is a drug the question names."""
    return any(c.mandatory and holds(passage.origin_title, c) for c in subject.concepts)


def is_of_its_product(passage: Passage, subject: Subject) -> bool:
    """Whether a passage about a drug is about one, or of a class, that the question names."""
    return any(
        passage.source_identifier in c.identifiers or holds(passage.origin_title, c)
        for c in subject.concepts
    )


def is_another_product(passage: Passage, subject: Subject) -> bool:
    """Whether a record is of none of the products a name stands for (« Spasfon » is no generic).

    A name of very many products is listed in part only, so that it excludes none.
    """
    return any(
        c.mandatory
        and 0 < len(c.identifiers) < _LISTED_WHOLE
        and passage.source_identifier not in c.identifiers
        for c in subject.concepts
    )
