"""Which sections a question asks for: those it names, those of its class, those it hints at."""

from __future__ import annotations

import re

from ancremed_desktop.domain.identifiers import FORMULA_SECTIONS, SECTIONS, TopicClass
from ancremed_desktop.domain.plans import Question, Subject
from ancremed_desktop.pipeline.bearing import names_drug
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.relevance import RECORD_SECTIONS
from ancremed_desktop.pipeline.told_values import told_values, without_values
from ancremed_desktop.pipeline.understand import (
    expansions_in_context,
    find_acronym,
    spelt_both_ways,
)
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

REQUIRED: dict[TopicClass, tuple[str, ...]] = {
    TopicClass.DEFINITION: ("définition", "physiopathologie", "épidémiologie", "classification"),
    TopicClass.SEMIOLOGY: (
        "signes",
        "paraclinique",
        "diagnostics différentiels",
        "gravité",
        "conduite à tenir",
    ),
    TopicClass.PHARMACOLOGY: ("indication", "posologie", "contre-indications", "surveillance"),
    TopicClass.ANATOMY: ("structure", "rapports", "fonction"),
    TopicClass.CALCULATION: ("formule", "interprétation"),
    TopicClass.EMERGENCY: ("reconnaissance", "gestes immédiats", "traitement", "orientation"),
    TopicClass.CONVERSATION: (),
}
"""Required sections of each class (specification, table 2)."""

OPTIONAL: dict[TopicClass, tuple[str, ...]] = {
    TopicClass.DEFINITION: (
        "étiologies et facteurs de risque",
        "évolution et complications",
        "dépistage et prévention",
        "cadre réglementaire",
        "chiffres clés",
    ),
    TopicClass.SEMIOLOGY: ("critères diagnostiques", "formes selon le terrain"),
    TopicClass.PHARMACOLOGY: (
        "effets indésirables",
        "interactions",
        "grossesse et allaitement",
        "antidote",
        "mécanisme et pharmacocinétique",
        "prescription et délivrance",
        "composition et présentations",
        "évaluation (SMR, ASMR)",
    ),
    TopicClass.ANATOMY: (
        "vascularisation et innervation",
        "régulation",
        "conséquences d’une lésion",
    ),
    TopicClass.CALCULATION: (
        "variables et unités",
        "application numérique",
        "limites et divergences",
        "source",
    ),
    TopicClass.EMERGENCY: (
        "objectifs",
        "première intention",
        "alternatives",
        "suivi",
        "recommandation et date",
    ),
    TopicClass.CONVERSATION: (),
}
"""Sections shown only when the question names them (taxonomy)."""

_CONDUCT = re.compile(r"\b(cat|conduite a tenir)\b")
_TREATMENT = re.compile(r"(?<!d'un )(?<!sous )\b(traite\w*|ttt|tt|ordonnance type)\b")
_URGENT = re.compile(
    r"\b(choc|arret|detresse|n?stemi|sca|graves?|severes?|rompue?s?|hemorragi\w*|coma|idm|avc|aes|"
    r"infarctus|anaphyla\w*|acidocetose|intoxication|surdosage|urgences?|etat de mal|purpura)\b"
)
_NOT_URGENT = ("reconnaissance", "première intention", "suivi", "recommandation et date")
_URGENT_OF_A_DISEASE = ("gravité", "conduite à tenir")
"""Where the card of a disease says what is done of its grave forms, if it has no first steps."""
_NAMED_ALONE = frozenset({TopicClass.DEFINITION, TopicClass.EMERGENCY})
"""Classes of a name and nothing else."""
_WORKED = ("formule", "application numérique", "interprétation")
TIMED = "posologie"
"""Named by « durée », « rythme »… also where no dose is meant."""
_DOSE = re.compile(
    r"\b(?:posologi\w*|poso|doses?|dosage|mg|voie|combien de (?:bouffees?|comprimes?|gouttes?))\b"
)
_THERAPY = re.compile(
    r"\b(?:traite\w*|ttt|\w*therap\w*|antibio\w*|anticoagul\w*|cures?|medicament\w*|molecules?|"
    r"vaccin\w*)\b"
)
"""What « durée » or « rythme » must be of for a section on doses to hold it."""
_CARE = ("première intention", "traitement", "alternatives", "conduite à tenir")
"""Sections of a card that say what to give."""
_PAIR = re.compile(r"\b(?:interaction\w*|associ\w*|compatib\w*|avec|et)\b")
_OVERDOSE = re.compile(r"\b(?:intoxication|surdosage|overdose)")
_OF_AN_OVERDOSE = re.compile(
    r"\b(?:antidote|doses?|posologi\w*|signes?|symptomes?|definition|surveill\w*|suivi|combien|"
    r"quand|pourquoi|seuils?|bilan|dosage|delais?)\b"
)
_CAUSES = "étiologies et facteurs de risque"
_DIAGNOSES = "diagnostics différentiels"
_ANTIDOTE = "antidote"
_PREGNANCY = "grossesse et allaitement"
_ARTICLE = re.compile(r"^(?:les? |la |l.|une? |des )")
_WORD = re.compile(r"[^\W_]+(?:[-+][^\W_]+)*")
_EVERYTHING = re.compile(r"\btou(?:t|te|tes) (?:sur|savoir|l.information|les infos)\b")


def sections_written_out(question: Question, index: PassageIndex, lexicon: PlanningLexicon) -> str:
    """Text of a question with each acronym of a section (« CI ») written out.

    One that also means something else (« EI ») is the section where a drug is named and no section
    otherwise: of « EI, posologie de l’amoxicilline » it is the disease.
    """

    def written(match: re.Match[str]) -> str:
        acronym = find_acronym(match[0], lexicon.acronyms)
        if acronym is None or lexicon.names_section(match[0]):
            return match[0]
        meant = expansions_in_context(acronym, question.text)
        names = [e for e in meant if lexicon.names_section(e)]
        decided = len(meant) == 1 or (_names_drug(question.text, index) and not named)
        return names[0] if names and decided else match[0]

    folded = fold(question.text)
    named = any(s.masks and s.masks.search(folded) for s in lexicon.sections.values())
    return _WORD.sub(written, question.text)


def _names_drug(text: str, index: PassageIndex) -> bool:
    return any(m.is_drug_or_class for m in index.mentions(text))


def named_sections(
    folded: str,
    question: Question,
    primary: TopicClass,
    secondary: TopicClass | None,
    lexicon: PlanningLexicon,
) -> tuple[str, ...]:
    """Sections of the classes that a question names itself, in display order."""
    candidates: list[str] = []
    for topic in (primary, secondary):
        if topic is not None:
            candidates += REQUIRED[topic] + OPTIONAL[topic]
    named = []
    for section in dict.fromkeys(candidates):
        ask = lexicon.sections[section].ask
        if ask is not None and ask.search(folded):
            named.append(section)
    # « effets indésirables du vaccin »: what names the subject too gives way to a section's name.
    plain = [s for s in named if (mask := lexicon.sections[s].masks) and mask.search(folded)]
    named = plain or named
    spelt = spelt_both_ways(folded, question, lexicon)
    return _complete_named(tuple(named), spelt, primary, secondary)


def filed_sections(
    folded: str, subject: Subject, lexicon: PlanningLexicon, index: PassageIndex
) -> tuple[str, ...]:
    """Sections a question names that a card of its subject has, whatever its class; the causes of
    a symptom are in its card the diagnoses it may come from.
    """
    own = _of_cards(subject, index)
    stands_for = {s: s for s in own}
    if _CAUSES not in own and _DIAGNOSES in own:
        stands_for[_CAUSES] = _DIAGNOSES
    asks = ((s, lexicon.sections[s].ask) for s in SECTIONS if s in stands_for)
    return tuple(stands_for[s] for s, ask in asks if ask is not None and ask.search(folded))


def _complete_named(
    named: tuple[str, ...], folded: str, primary: TopicClass, secondary: TopicClass | None
) -> tuple[str, ...]:
    """What a class word adds beside a named section (taxonomy, « Sections par classe »)."""
    if primary is TopicClass.CALCULATION:
        # Any calculation keeps the shape of the specification's §8.5.
        return (*_WORKED, *named) if "limites et divergences" in named else ()
    if primary is TopicClass.EMERGENCY and named in ((), ("traitement",)):
        return () if _URGENT.search(folded) else _NOT_URGENT
    if not named:
        return ()
    extra: tuple[str, ...] = ()
    if TopicClass.EMERGENCY in (primary, secondary) and _CONDUCT.search(folded):
        extra = ("gestes immédiats", "traitement", "orientation")
    if primary is TopicClass.PHARMACOLOGY and _TREATMENT.search(folded):
        extra = ("indication", "posologie")
    both = {*named, *extra}
    return tuple(s for s in SECTIONS if s in both)


def has_first_steps(subject: Subject, index: PassageIndex) -> bool:
    """Whether a card about the subject says what to do at once."""
    return "gestes immédiats" in _of_cards(subject, index)


def is_an_overdose(subject: Subject, folded: str) -> bool:
    """Whether an overdose is the very subject of a question (« intoxication au paracétamol »), so
    that all that is done about it is asked, not the antidote alone nor one of its points.
    """
    named = (phrase for c in subject.concepts if c.identifiers for phrase in c.phrases)
    return any(map(_OVERDOSE.search, named)) and not _OF_AN_OVERDOSE.search(folded)


def with_first_steps(named: tuple[str, ...], primary: TopicClass) -> tuple[str, ...]:
    """Sections of what is to be done, with what must be done at once: « CAT » of hyperkalaemia
    names no urgency, and is one. Those of a whole emergency (``named`` empty) hold it already.
    """
    if named != _NOT_URGENT or primary is not TopicClass.EMERGENCY:
        return named
    return tuple(s for s in SECTIONS if s in {*named, *REQUIRED[TopicClass.EMERGENCY]})


def meant_sections(named: tuple[str, ...], subject: Subject, folded: str) -> tuple[str, ...]:
    """Sections named less those whose words say something else of this subject.

    « Combien de temps » is no dose where nothing is given; « femme enceinte » alone is the patient
    where no drug is named, or in an emergency.
    """
    drugs = [c for c in subject.concepts if c.mandatory and not c.exact]
    dropped = set()
    if not (drugs or _DOSE.search(folded) or _THERAPY.search(folded)):
        dropped.add(TIMED)
    if len(drugs) < 2 and not _PAIR.search(folded):
        dropped.add("interactions")  # « patient sous AOD » is the patient
    if named == (_PREGNANCY,) and (subject.vital or not _is_of_a_drug(subject)):
        dropped.add(_PREGNANCY)
    return tuple(s for s in named if s not in dropped)


def meant_hints(
    hinted: tuple[str, ...], subject: Subject, folded: str, lexicon: PlanningLexicon
) -> tuple[str, ...]:
    """Sections hinted at less those a sentence need not speak of: a time asked is looked for as
    such, an examination by its name; « seuil » is of a formula only where one is named, « combien
    de grammes » of a composition only where a drug is.
    """
    dropped = set() if _DOSE.search(folded) else {TIMED}
    beside = folded
    for concept in subject.concepts:  # « hémocultures avant antibio » asks for no first choice
        beside = beside.replace(concept.phrases[0], " ")
    dropped |= {s for s in hinted if not lexicon.sections[s].is_hinted(beside)}
    if not any(i.startswith("FORM-") for c in subject.concepts for i in c.identifiers):
        dropped |= FORMULA_SECTIONS
    if not names_drug(subject):
        dropped |= RECORD_SECTIONS
    return tuple(s for s in hinted if s not in dropped)


def topic_sections(
    primary: TopicClass,
    secondary: TopicClass | None,
    subject: Subject,
    folded: str,
    index: PassageIndex,
) -> tuple[str, ...]:
    """Sections of a whole topic: those its classes require; of the treatment of a disease those of
    its card that say what to give; of a name alone all of its card; of « tout sur X » all that
    the classes and the card have.
    """
    classes = [c for c in (primary, secondary) if c is not None]
    required = tuple(dict.fromkeys(s for c in classes for s in REQUIRED[c]))
    if TopicClass.CALCULATION in classes:
        return required
    if primary is TopicClass.EMERGENCY and _ANTIDOTE in _of_cards(subject, index):
        # Nothing but charcoal under « traitement » would read as no antidote.
        at = required.index("traitement")
        required = (*required[:at], _ANTIDOTE, *required[at:])
    if primary is TopicClass.EMERGENCY and not has_first_steps(subject, index):
        own = _of_cards(subject, index)
        required = (*required, *(s for s in _URGENT_OF_A_DISEASE if s in own))
    if _EVERYTHING.search(folded):
        more = {s for c in classes for s in OPTIONAL[c]}
    elif primary in _NAMED_ALONE and _is_bare(subject, folded):
        more = set()
    elif primary is TopicClass.PHARMACOLOGY and not _is_of_a_drug(subject):
        return (*(s for s in _CARE if s in _of_cards(subject, index)), *required)
    else:
        return required
    more |= _of_cards(subject, index)
    return (*required, *(s for s in SECTIONS if s in more and s not in required))


def _is_of_a_drug(subject: Subject) -> bool:
    """Whether a question names a drug of its own, not only a class or a disease."""
    return any(c.mandatory and c.identifiers and not c.exact for c in subject.concepts)


def _of_cards(subject: Subject, index: PassageIndex) -> set[str]:
    """Sections of the cards that are about the subject."""
    return {p.section for p in of_cards(subject.concepts, index) if not p.superseded}


def _is_bare(subject: Subject, folded: str) -> bool:
    """Whether a question is a name and nothing else."""
    valueless = " ".join(without_values(folded, told_values(folded)).split())
    said = _ARTICLE.sub("", valueless.strip(" .?!<>≥≤"))
    return len(subject.concepts) == 1 and said in subject.concepts[0].phrases


def hinted_sections(
    primary: TopicClass, secondary: TopicClass | None, hinted: tuple[str, ...]
) -> tuple[str, ...]:
    """Of sections hinted at, those that the classes of a question may show, in display order."""
    classes = [c for c in (primary, secondary) if c is not None]
    allowed = {s for c in classes for s in REQUIRED[c] + OPTIONAL[c]}
    return tuple(s for s in SECTIONS if s in hinted and s in allowed)
