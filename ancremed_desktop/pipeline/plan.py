"""Second stage: a question becomes a retrieval plan, by rules alone (DESIGN §5)."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.identifiers import SECTIONS, Silo, TopicClass
from ancremed_desktop.domain.plans import PlanMode, Question, RetrievalPlan, Subject, SubQuery
from ancremed_desktop.pipeline.codes import UNKNOWN_CODE, lone_code, unknown_codes
from ancremed_desktop.pipeline.documents import asked_documents
from ancremed_desktop.pipeline.french_words import is_specialised
from ancremed_desktop.pipeline.interactions import find_pairs
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.population import DEFAULTS
from ancremed_desktop.pipeline.records import asked_records
from ancremed_desktop.pipeline.retrieve import ranked_request
from ancremed_desktop.pipeline.subject import find_subject
from ancremed_desktop.pipeline.understand import spelt_both_ways
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

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

SILOS: dict[TopicClass, tuple[Silo, ...]] = {
    TopicClass.DEFINITION: (Silo.EDN, Silo.HAS),
    TopicClass.SEMIOLOGY: (Silo.EDN, Silo.HAS),
    TopicClass.PHARMACOLOGY: (Silo.BDPM, Silo.HAS),
    TopicClass.ANATOMY: (Silo.EDN,),
    TopicClass.CALCULATION: (Silo.FORMULAS,),
    TopicClass.EMERGENCY: (Silo.HAS, Silo.EDN, Silo.BDPM),
    TopicClass.CONVERSATION: (),
}
"""Silos of each class, in order; cards and the user's documents are always added."""

_BOX = "composition et présentations"
_CODE_SECTIONS = {"CIM10": "classification", "ATC": "classification", "EDN": ""}
"""By what begins the identifier of the source; any other is a drug."""
RANKED_ROWS = 40
"""Of the ranked search; each section takes its six from those that may be quoted for it."""
_PAIR_SECTIONS = ("interactions",)
_ALWAYS = frozenset({"detresse_grave", "injection"})
_NEEDS_NO_ANCHOR = ("identite", "aide_produit", "meta_reponse", "hors_sujet")
_GREETING = re.compile(r"^(bonjour|bonsoir|salut|slt|coucou|hello|hey|yo|bjr|merci)\b[ ,!.]*")
_CONJUNCTION = re.compile(r"\s+(?:et|puis|ainsi que)\s+|[;?]\s*")
_CONDUCT = re.compile(r"\b(cat|conduite a tenir)\b")
_TREATMENT = re.compile(r"(?<!d'un )(?<!sous )\b(traite\w*|ttt|tt|ordonnance type)\b")
_URGENT = re.compile(
    r"\b(choc|arret|detresse|n?stemi|sca|graves?|severes?|rompue?s?|hemorragi\w*|coma|idm|avc|aes|"
    r"infarctus|anaphyla\w*|acidocetose|intoxication|surdosage|urgences?|etat de mal|purpura)\b"
)
_RENAL = re.compile(r"\b(?:clairance|dfg|insuffisan\w+ renale?)\b(?! (?:de la )?creatinine)")
_BESIDE = re.compile(r"\b(?:et|avec|sous|plus)\b|\+")
_NOT_URGENT = ("reconnaissance", "première intention", "suivi", "recommandation et date")
_WORKED = ("formule", "application numérique", "interprétation")
_MEASURE = re.compile(
    r"\b(?!type|stade|grade|classe|et\b|ou\b|item)[a-z]{2,}\w* ?:? ?\d+(?:[.,]\d+)?\b"
    r"|\d+(?:[.,]\d+)? ?(?:kg|ans|cm|mmhg|bpm|%|[mµu]?mol/l|m?g/d?l|ui/l|/min)"
)


def make_plan(question: Question, index: PassageIndex, lexicon: PlanningLexicon) -> RetrievalPlan:
    """Class, mode, sections, subject and sub-queries of a question (never raises)."""
    documents = asked_documents(question.text, index)
    question = replace(question, text=documents.undated) if documents else question
    folded = _GREETING.sub("", fold(question.text)) or fold(question.text)
    anchored = _is_medical(question, folded, index, lexicon)
    intent = _conversation_intent(question, index, lexicon, anchored=anchored)
    if intent in ("", "hors_sujet") and not index.mentions(question.text):
        intent = UNKNOWN_CODE if unknown_codes(question.text, index) else intent
    if intent:
        return _short_circuit(intent)
    scores = _scores(folded, question, index, lexicon)
    primary, secondary = _classes(scores, folded, index, lexicon)
    named = _named_sections(folded, question, primary, secondary, lexicon)
    subject = find_subject(question, index, lexicon)
    records = asked_records(folded, subject, named, lexicon)
    if section := _code_section(question, index):
        named = (section,)
    elif records:
        primary, secondary, named = TopicClass.PHARMACOLOGY, None, records
    mode = PlanMode.TARGETED if named else PlanMode.COMPLETE
    if not named or named == _PAIR_SECTIONS:
        subject = replace(subject, pairs=find_pairs(subject, question.text, index))
    if subject.pairs and (named or subject.pairs[0].second):
        primary, secondary, mode, named = (
            TopicClass.PHARMACOLOGY,
            None,
            PlanMode.TARGETED,
            _PAIR_SECTIONS,
        )
    sections = _guarded(named or _required(primary, secondary), subject, folded, named=bool(named))
    silos = _silos(primary, secondary)
    return RetrievalPlan(
        primary_class=primary,
        secondary_class=secondary,
        mode=mode,
        sections=sections,
        subject=subject,
        sub_queries=_sub_queries(sections, subject),
        silos=silos,
        search=replace(
            ranked_request(question, lexicon, silos=silos, limit=RANKED_ROWS),
            identifiers=documents.identifiers if documents else (),
        ),
    )


def _code_section(question: Question, index: PassageIndex) -> str:
    """Section that answers a question made of a code alone; empty for any other question."""
    mention = lone_code(question.text, index)
    if mention is None:
        return ""
    return _CODE_SECTIONS.get(mention.identifiers[0].partition("-")[0], _BOX)


def with_classes(
    plan: RetrievalPlan,
    question: Question,
    primary: TopicClass,
    secondary: TopicClass | None,
    sections: tuple[str, ...],
) -> RetrievalPlan | None:
    """The plan of a question under classes and sections chosen otherwise than by rule.

    ``sections``: those the question names, empty for the whole topic. What the rules read in so
    many words is kept, and the guards hold. None when the choice is not one: conversation, two
    times one class, a section of another class, or a plan of calculations or listed interactions.
    """
    classes = tuple(c for c in (primary, secondary) if c is not None)
    allowed = {s for c in classes for s in REQUIRED[c] + OPTIONAL[c]}
    fixed = plan.subject.pairs or TopicClass.CALCULATION in (*classes, plan.primary_class)
    if (
        fixed
        or TopicClass.CONVERSATION in (*classes, plan.primary_class)
        or primary is secondary
        or not set(sections) <= allowed
    ):
        return None
    chosen = set(sections or _required(primary, secondary))
    if plan.mode is PlanMode.TARGETED:
        chosen |= set(plan.sections)
    ordered = tuple(s for s in SECTIONS if s in chosen)
    kept = _guarded(ordered, plan.subject, fold(question.text), named=bool(sections))
    return replace(
        plan,
        primary_class=primary,
        secondary_class=secondary,
        mode=PlanMode.TARGETED if sections else PlanMode.COMPLETE,
        sections=kept,
        sub_queries=_sub_queries(kept, plan.subject),
        silos=_silos(primary, secondary),
        search=replace(plan.search, silos=_silos(primary, secondary)) if plan.search else None,
    )


def _guarded(
    sections: tuple[str, ...], subject: Subject, folded: str, *, named: bool
) -> tuple[str, ...]:
    """Sections with those that must stand beside them, in display order.

    A dose for a failing kidney may be « none », a drug in pregnancy may be forbidden: both stand
    with the contraindications. Two drugs, or a drug « et » something, ask what forbids them.
    """
    drugs = [c for c in subject.concepts if c.mandatory and not c.exact]
    wanted = set(sections)
    if not named and drugs and "posologie" in wanted:
        if len(drugs) > 1:
            wanted = {"contre-indications", "interactions"}
        elif len(subject.concepts) > 1 and _BESIDE.search(folded):
            wanted = {"contre-indications", "interactions", "posologie", "surveillance"}
    special = subject.populations - DEFAULTS
    if "grossesse et allaitement" in wanted or ("posologie" in wanted and special):
        wanted.add("contre-indications")
    if drugs and special & {"grossesse", "allaitement"} and "posologie" in wanted:
        wanted.add("grossesse et allaitement")
    if wanted == set(sections):
        return sections
    return tuple(s for s in SECTIONS if s in wanted)


def _short_circuit(intent: str) -> RetrievalPlan:
    return RetrievalPlan(
        primary_class=TopicClass.CONVERSATION,
        mode=PlanMode.SHORT_CIRCUIT,
        sections=(),
        subject=Subject(label="", words=()),
        sub_queries=(),
        silos=(),
        intent=intent,
    )


def _is_medical(
    question: Question, folded: str, index: PassageIndex, lexicon: PlanningLexicon
) -> bool:
    if lexicon.medical_anchor.search(folded):
        return True
    if any(" " in lay and f" {lay} " in f" {folded} " for lay in lexicon.synonyms):
        return True
    if any(c.kind in {"acronym", "brand"} for c in question.corrections):
        return True
    return bool(index.mentions(question.text))


def _conversation_intent(
    question: Question, index: PassageIndex, lexicon: PlanningLexicon, *, anchored: bool
) -> str:
    folded = fold(question.text)
    found = [intent for intent, pattern in lexicon.conversation if pattern.search(folded)]
    for intent in found:
        if intent in _ALWAYS:
            return intent
    clinical = any(
        pattern.search(folded)
        for cues in lexicon.class_cues.values()
        for pattern, w in cues
        if w > 2
    )
    for intent in found:
        if not anchored and (intent in _NEEDS_NO_ANCHOR or not clinical):
            return intent
        if intent in {"identite", "meta_reponse", "aide_produit"} and not clinical:
            return intent
    if anchored or clinical or any(is_specialised(w, index) for w in content_words(question.text)):
        return ""
    return "hors_sujet"


def _scores(
    folded: str, question: Question, index: PassageIndex, lexicon: PlanningLexicon
) -> dict[TopicClass, int]:
    scores = {
        name: sum(weight for pattern, weight in cues if pattern.search(folded))
        for name, cues in lexicon.class_cues.items()
    }
    mentions = index.mentions(question.text)
    has_drug = any(m.kind in {"drug", "substance", "class"} for m in mentions) or any(
        c.kind == "brand" for c in question.corrections
    )
    if has_drug or any(w in lexicon.drug_words for w in re.findall(r"[\w-]+", folded)):
        scores[TopicClass.PHARMACOLOGY] = scores.get(TopicClass.PHARMACOLOGY, 0) + 2
    if len(_MEASURE.findall(folded)) >= 3:  # an enumeration (« type 1, 2 et 3 ») is no patient
        scores[TopicClass.CALCULATION] = scores.get(TopicClass.CALCULATION, 0) + 2
    if has_drug and _RENAL.search(folded):
        # « apixaban clairance 20 » asks for a dose, not for the clearance.
        scores[TopicClass.PHARMACOLOGY] = scores.get(TopicClass.PHARMACOLOGY, 0) + 4
    return scores


def _classes(
    scores: dict[TopicClass, int],
    folded: str,
    index: PassageIndex,
    lexicon: PlanningLexicon,
) -> tuple[TopicClass, TopicClass | None]:
    ranked = sorted(scores, key=lambda c: (-scores[c], lexicon.priority.index(c)))
    if not ranked or scores[ranked[0]] == 0:
        return TopicClass.DEFINITION, None
    primary = ranked[0]
    for name in ranked[1:]:
        if scores[name] < lexicon.secondary_minimum:
            break
        if scores[name] < lexicon.secondary_ratio * scores[primary]:
            break
        if _has_own_proposition(name, primary, folded, index, lexicon):
            return primary, name
    return primary, None


def _has_own_proposition(
    secondary: TopicClass,
    primary: TopicClass,
    folded: str,
    index: PassageIndex,
    lexicon: PlanningLexicon,
) -> bool:
    """A second class counts when one proposition of the question is mainly about it."""
    parts = [p for p in _CONJUNCTION.split(folded) if p.strip()]
    if len(parts) < 2:
        return TopicClass.CALCULATION in (primary, secondary)
    leaders = []
    for part in parts:
        scores = _scores(part, Question(raw=part, text=part), index, lexicon)
        best = max(scores, key=lambda c: (scores[c], -lexicon.priority.index(c)))
        leaders.append(best if scores[best] else None)
    return secondary in leaders


def _required(primary: TopicClass, secondary: TopicClass | None) -> tuple[str, ...]:
    both = REQUIRED[primary] + (REQUIRED[secondary] if secondary else ())
    return tuple(dict.fromkeys(both))


def _named_sections(
    folded: str,
    question: Question,
    primary: TopicClass,
    secondary: TopicClass | None,
    lexicon: PlanningLexicon,
) -> tuple[str, ...]:
    """Sections of the classes that the question names itself, in display order."""
    candidates: list[str] = []
    for topic in (primary, secondary):
        if topic is not None:
            candidates += REQUIRED[topic] + OPTIONAL[topic]
    named = []
    for section in dict.fromkeys(candidates):
        ask = lexicon.sections[section].ask
        if ask is not None and ask.search(folded):
            named.append(section)
    spelt = spelt_both_ways(folded, question, lexicon)
    return _complete_named(tuple(named), spelt, primary, secondary)


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


def _silos(primary: TopicClass, secondary: TopicClass | None) -> tuple[Silo, ...]:
    both = SILOS[primary] + (SILOS[secondary] if secondary else ())
    return tuple(dict.fromkeys((*both, Silo.FICHES, Silo.LOCAL)))


def _sub_queries(sections: tuple[str, ...], subject: Subject) -> tuple[SubQuery, ...]:
    """One a section; each runs over all silos of the plan at once."""
    return tuple(SubQuery(section=s, query=f"{subject.label} {s}".strip()) for s in sections)
