"""What a sentence bears on: another subject, or another situation, than the one asked."""

from __future__ import annotations

import re

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import SAFETY, PassageKind, Silo
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.holding import holds, is_by_class_alone, is_held, read
from ancremed_desktop.pipeline.qualifiers import is_of_the_contrary
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stem, stems

LIMIT = re.compile(
    r"\b(?:maximal\w*|maximum|depass\w*|ne pas|jamais|mortel\w*|fatal\w*|erreurs?|reduit\w*|"
    r"contre-indiqu\w*|clairance|filtration|une fois par semaine|hebdomadaire|non recommande\w*)\b"
)
"""A limit of a dose: kept beside any dose."""
DOSE = re.compile(
    r"\d\s*(?:mg|g|µg|mcg|microgrammes?|ui|ml|gouttes?|comprimes?)\b"
    r"(?!\s?[./]\s?(?:d?l|ml|min|mn)\b)"
)
"""« 50 g/L » of platelets, « 30 mL/min » are no doses."""
_HALVES = re.compile(r" et (?=[a-zà-ÿœ])")
_FORBIDDEN = re.compile(
    r"contre-? ?indications?(?: \w+e?s)? (?:a |au |aux |de |des |du |d')(?P<what>[^:.,;()]{4,90})"
)
_FORBIDS = re.compile(
    r"contre-? ?indi|proscri|deconseill|\ba eviter\b|(?:ne (?:doi\w+|peu\w+) pas|jamais) (?:etre )?"
    r"(?:utilis|donn|prescri|administr|pratiqu|associ)"
)
_UNLESS = re.compile(r"\b(?:absence de|sauf|sans|hors)(?: toute)? contre-? ?indications?\b")
"""Names contraindications and gives none."""
_SITUATIONS = {"dialys": r"\b(?:hemo)?dialys|extracorporel", "angioplast": r"\bangioplast|\bicp\b"}
"""Beginning of the word that asks for a situation → what tells that a dose is for it alone."""
_FORGOTTEN = re.compile(
    r"\boubli|\bdoubles? doses?\b|\bdose double\b"
    r"|\bmanqu\w* (?:de |d.|une |la |l.)*(?:prendre|doses?|prises?)\b"
)
"""A dose that was missed: no dose of anything."""
_UNDONE = re.compile(
    r"\b(?:sous|antidotes? d[eu]s?|reversion d[eu]s?|surdosages? en|intoxique\w* par"
    r"|intoxications? (?:a|aux?|par)) ?(?:(?:la|les?|une?) |[dl]['’])?$"
)
"""What makes of a drug that follows it the one that is undone."""
_ASKS_MISSED = ("oubl", "manqu", "saut", "rattrap")
_DANGER = re.compile(
    r"\b(?:risques?|majore\w*|favoris\w*|provoqu\w*|entrain\w*|expos\w*|absence)(?: \w+)?"
    r"(?: (?:de|du|des|a|aux?|une?|la|les?)| [dl]['’])* ?$"
    r"|\b(?:expos|provoqu|entrain|favoris)\w* (?:a|une?|des|l.)\b[^.;:]{0,90}(?:,| et| ou) (?:a )?"
    r"(?:(?:une?|des|la|le|les) |[dl]['’])?$"
)
"""What makes of a name that follows it a danger of what is done, not what is treated."""
_CARE = frozenset(
    {"traitement", "première intention", "gestes immédiats", "conduite à tenir", "alternatives",
     "indication", "orientation"}
)  # fmt: skip
"""What is done about a disease."""
_CARE_OR_CURE = _CARE | {"antidote"}
_PREVENTS = ("risque", "preven", "prophyla", "evit")
_TOGETHER = re.compile(r" et | ?\+ ?|/")
_NAME_WORDS = 3
_ABSENT = re.compile(
    r"\b(?:absence|sans(?! (?!cancer|foyer|danger)\w{3,}(?:er|dre)\b)|hors|en dehors)\b"
    r"[^.,;:()]{1,60}"
)
"""What a sentence speaks of where it is not; « sans doser les D-dimères » says what to do."""
_LEAFLET = "Notice-"
_PRODUCT = re.compile(r"\(|\d")
"""Ends the names of the substances in the title of a drug’s source."""
_POISONED = re.compile(r"\bintox|\bsurdos|\boverdos|\bempoisonn|\bdoses? toxiques?|\bantidote")
"""Too much of a drug: how it is used otherwise would be the poison given again."""
_RISK = re.compile(r"\brisques? (?:de |d.|accru de |accru d.)\w+")
_COVERED = re.compile(r"\bald\b|\baffections? de longue duree\b")
"""Who is covered for a disease is no treatment of it."""
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
    return (
        (forbidding and forbids_something_else(text, subject, labelled=labelled))
        or (section == "posologie" and is_dose_of_something_else(passage, text, subject))
        or (section == "posologie" and is_dose_of_what_undoes(passage, text, subject))
        or (section in _CARE and is_named_as_danger(passage, text, subject))
        or is_of_coverage(passage, text, subject)
        or is_use_of_a_poison(passage, text, subject)
        or is_row_of_another_case(text, passage, subject)
        or is_of_the_other_half(passage, text, subject)
        or (section not in SAFETY and is_of_another_case(passage, text, subject))
    )


def is_of_another_case(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence is of a case that has what the one asked lacks, or the reverse."""
    return is_of_the_contrary(text, passage.heading, subject.qualifiers)


def gives_doses(passage: Passage, section: str) -> bool:
    """Whether a card on a disease says under another section how much of a drug is given."""
    return (
        section == "posologie" and passage.silo is Silo.FICHES and passage.section in _CARE_OR_CURE
    )


def is_use_of_a_poison(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence on how a drug is used would answer a question on its overdose."""
    asked = (*subject.point.words, *(p for c in subject.concepts for p in c.phrases))
    if not any(map(_POISONED.search, asked)):
        return False
    read_with = _RISK.sub(" ", fold(f"{passage.origin_title} {passage.heading} {text}"))
    return passage.section != "antidote" and not _POISONED.search(read_with)


def is_of_coverage(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence, or its whole document, says who is covered for a disease, unasked."""
    asked = " ".join((*subject.words, *(p for c in subject.concepts for p in c.phrases)))
    said = fold(f"{passage.origin_title} {text}")
    return bool(_COVERED.search(said)) and not _COVERED.search(fold(asked))


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
    written = fold(text).replace("’", "'")
    folded = _UNLESS.sub(" ", written)
    if folded != written and not (labelled or _FORBIDS.search(folded)):
        return True
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


def is_dose_of_something_else(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a dose is one that was missed, or, no limit of it, of a situation not asked."""
    if is_of_a_missed_dose(text, subject):
        return True
    return not LIMIT.search(fold(text)) and (
        is_of_another_situation(f"{passage.heading}\n{text}", subject)
    )


def is_dose_of_what_undoes(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a line on an antidote names the drug asked only as what it undoes (« hémorragie sous
    apixaban »): what it doses is another one.
    """
    if passage.section != "antidote" or any(w.startswith("antidot") for w in subject.point.words):
        return False
    folded = fold(text)
    named = [
        m.start()
        for c in subject.concepts
        if c.mandatory and not c.exact
        for p in c.phrases
        for m in re.finditer(re.escape(p), folded)
    ]
    return bool(named) and all(_UNDONE.search(folded[:at]) for at in named)


def is_of_a_missed_dose(text: str, subject: Subject) -> bool:
    """Whether a sentence says what to do of a dose forgotten, which the question does not ask."""
    return bool(_FORGOTTEN.search(fold(text))) and not any(
        w.startswith(asks) for asks in _ASKS_MISSED for w in subject.point.words
    )


def is_named_as_danger(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence names a disease only as a danger of something else (« en raison du risque
    d’hyperkaliémie »): what is done there is not done about it.
    """
    if any(w.startswith(_PREVENTS) for w in subject.point.words):
        return False
    title = f"{passage.origin_title} {passage.heading}"
    folded = fold(text)
    for concept in subject.concepts:
        if concept.mandatory or not is_disease(concept) or holds(title, concept):
            continue
        named = [m.start() for p in concept.phrases for m in re.finditer(re.escape(p), folded)]
        if named and all(_DANGER.search(folded[:at]) for at in named):
            return True
    return False


def is_ruled_out(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence names what is asked only to say that it is not there (« en l’absence de
    signe clinique de péritonite »): it is about the other patients.
    """
    folded = fold(text)
    present = _ABSENT.sub(" ", folded)
    if present == folded:
        return False
    title = f"{passage.origin_title} {passage.heading}"
    lacking = {q.stem for q in subject.qualifiers if q.absent}  # « sans comorbidité » is asked
    return any(
        holds(text, c)
        and lacking.isdisjoint(map(stem, content_words(c.phrases[0])))
        and not (holds(present, c) or holds(title, c) or _ABSENT.search(c.phrases[0]))
        for c in subject.concepts
    )


def is_of_a_combination(passage: Passage, subject: Subject) -> bool:
    """Whether a source is about a drug given with another one that the question does not name
    (« amoxicilline et acide clavulanique » of amoxicillin): its dose is not that of the drug alone.
    """
    if not passage.source_identifier.removeprefix(_LEAFLET).isdecimal():
        return False
    substances = _TOGETHER.split(_PRODUCT.split(passage.origin_title)[0])
    drugs = [c for c in subject.concepts if c.mandatory and not c.exact]
    named = [any(holds(s, c) for c in drugs) for s in substances if len(s.split()) <= _NAME_WORDS]
    return any(named) and not all(named)


def names_drug(subject: Subject) -> bool:
    """Whether a question names a drug or a class."""
    return any(c.mandatory and not c.exact for c in subject.concepts)


def is_disease(concept: Concept) -> bool:
    """Whether a concept is named as diseases are, or is the acronym of one: an answer about another
    one is none.
    """
    first = concept.phrases[0]
    named = concept.phrases if len(first) < _DISEASE_LETTERS else (first,)
    return any(map(names_disease, named))


def names_disease(text: str) -> bool:
    """Whether a word of a text is named as diseases are."""
    return any(len(w) >= _DISEASE_LETTERS and _DISEASE.search(w) for w in content_words(text))


def is_named_formula(passage: Passage, subject: Subject) -> bool:
    """Whether a formula is named: « Apgar du nouveau-né » need not speak of the newborn."""
    return passage.silo is Silo.FORMULAS and any(
        passage.source_identifier in c.identifiers for c in subject.concepts
    )


def is_of_its_drug(passage: Passage, subject: Subject) -> bool:
    """Whether the title of a passage is a drug the question names, not one of its class."""
    title = read(passage.origin_title)
    drugs = (c for c in subject.concepts if c.mandatory)
    return any(is_held(*title, c) and not is_by_class_alone(*title, c) for c in drugs)


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
