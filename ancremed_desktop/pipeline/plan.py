"""Second stage: a question becomes a retrieval plan, by rules alone (DESIGN §5)."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.identifiers import FORMULA_SECTIONS, SECTIONS, Silo, TopicClass
from ancremed_desktop.domain.plans import (
    PairLookup,
    PlanMode,
    Question,
    RetrievalPlan,
    Subject,
    SubQuery,
)
from ancremed_desktop.pipeline.asked_sections import (
    OPTIONAL,
    REQUIRED,
    TIMED,
    filed_sections,
    has_first_steps,
    hinted_sections,
    is_an_overdose,
    meant_hints,
    meant_sections,
    named_sections,
    sections_written_out,
    topic_sections,
    with_first_steps,
)
from ancremed_desktop.pipeline.case import dangers_first, is_of_a_case
from ancremed_desktop.pipeline.codes import lone_code, with_code_asked
from ancremed_desktop.pipeline.documents import asked_documents
from ancremed_desktop.pipeline.filler import says_nothing
from ancremed_desktop.pipeline.indicated import with_cards_indicated
from ancremed_desktop.pipeline.intent import conversation_intent
from ancremed_desktop.pipeline.interactions import asked_pairs
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.point import asks_one_point, find_point
from ancremed_desktop.pipeline.population import DEFAULTS, weights
from ancremed_desktop.pipeline.records import asked_records
from ancremed_desktop.pipeline.retrieve import ranked_request
from ancremed_desktop.pipeline.set_aside import of_an_emergency, spare_concepts
from ancremed_desktop.pipeline.subject import find_subject
from ancremed_desktop.pipeline.succession import outdated_sources
from ancremed_desktop.pipeline.urgency import as_a_drug, is_urgent
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, words

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
_OF_A_PAIR = frozenset({"surveillance", "suivi", "conduite à tenir"})
"""What the conduct of a listed pair says."""
_GREETING = re.compile(r"^(bonjour|bonsoir|salut|slt|coucou|hello|hey|yo|bjr|merci)\b[ ,!.]*")
_CONJUNCTION = re.compile(r"\s+(?:et|puis|ainsi que)\s+|[;?]\s*")
_ORGAN = re.compile(
    r"\b(?:clairance|clcr|dfg|insuffisan\w+ (?:renale?|hepatique)|cirrho\w*|child(?:-pugh)?)\b"
    r"(?! (?:de la )?creatinine)"
)
_BESIDE = re.compile(r"\b(?:et|avec|sous|plus)\b|\+")
_MEASURE = re.compile(
    r"\b(?!type|stade|grade|classe|et\b|ou\b|item)[a-z]{2,}\w* ?:? ?\d+(?:[.,]\d+)?\b"
    r"|\d+(?:[.,]\d+)? ?(?:kg|ans|cm|mmhg|bpm|%|[mµu]?mol/l|m?g/d?l|ui/l|/min)"
)


_CASE = re.compile(
    r"\b(?:sans|avec|en (?:l.)?(?:absence|presence) d(?:e |.)) ?(?:aucun |un |des |le moindre )?"
    r"(?:signes?|symptomes?|criteres?)(?: cliniques?)?(?: (?:de |d.)\w+)?"
)
"""Which patient is asked about (« sans signe d’alarme »): no signs are asked."""
_LABORATORY = re.compile(r"/d?l\b|\bmmhg\b|\bbpm\b|\bcreat\w*|\bclairance\b|\bcm\b")
"""What a formula counts beside a weight."""


def make_plan(question: Question, index: PassageIndex, lexicon: PlanningLexicon) -> RetrievalPlan:
    """Class, mode, sections, subject and sub-queries of a question (never raises)."""
    return with_code_asked(_planned(question, index, lexicon))


def _planned(question: Question, index: PassageIndex, lexicon: PlanningLexicon) -> RetrievalPlan:
    documents = asked_documents(question.text, index)
    question = replace(question, text=documents.undated) if documents else question
    question = replace(question, text=sections_written_out(question, index, lexicon))
    folded = _GREETING.sub("", fold(question.text)) or fold(question.text)
    if intent := conversation_intent(question, folded, index, lexicon):
        return _short_circuit(intent)
    folded = _CASE.sub(" ", folded)
    subject = with_cards_indicated(find_subject(question, index, lexicon), index)
    told, first_steps = _is_told(question, folded, lexicon), has_first_steps(subject, index)
    subject = of_an_emergency(subject) if first_steps else subject
    scores = as_a_drug(_scores(folded, question, index, lexicon), subject, first_steps=first_steps)
    primary, secondary = _classes(scores, folded, index, lexicon)
    overdose = first_steps and is_an_overdose(subject, folded)
    urgent = overdose or is_urgent(primary, scores, told=told, first_steps=first_steps)
    secondary = None if urgent else _not_given(secondary, subject)
    primary = TopicClass.EMERGENCY if urgent else primary
    asked = named_sections(folded, question, primary, secondary, lexicon)
    asked = with_first_steps(asked, primary) if told or first_steps else asked
    if primary is TopicClass.DEFINITION and _is_a_formula(subject, folded):
        primary = TopicClass.CALCULATION
    if asked or primary is TopicClass.DEFINITION:
        filed = filed_sections(folded, subject, lexicon, index)
        asked = tuple(s for s in SECTIONS if s in asked or s in filed)
    elif _asks_by_weight(subject, folded):
        asked = (TIMED,)
    asked = meant_sections(asked, subject, folded)
    search = ranked_request(question, index, lexicon, limit=RANKED_ROWS)
    hints = meant_hints(search.sections, subject, folded, lexicon)
    pointed = asks_one_point(folded)
    if section := _code_section(question, index):
        asked, pointed = (section,), False
    elif records := asked_records(folded, subject, asked, lexicon):
        primary, secondary, asked, pointed = TopicClass.PHARMACOLOGY, None, records, False
    named = asked or (hinted_sections(primary, secondary, hints) if pointed else ())
    mode = PlanMode.TARGETED if named else PlanMode.COMPLETE
    subject = replace(subject, pairs=_pairs(asked, subject, question, index))
    if subject.pairs and (named or subject.pairs[0].second):
        primary, secondary = TopicClass.PHARMACOLOGY, None
        mode, named = PlanMode.TARGETED, _PAIR_SECTIONS
    subject = replace(
        subject,
        point=find_point(folded, hints, lexicon.sections),
        outdated=outdated_sources(subject.concepts, index),
        spare=spare_concepts(subject, index) if primary is TopicClass.EMERGENCY else (),
    )
    topic = topic_sections(primary, secondary, subject, folded, index)
    sections = _guarded(named or topic, subject, folded, named=bool(named))
    silos = _silos(primary, secondary)
    return RetrievalPlan(
        primary_class=primary,
        secondary_class=secondary,
        mode=mode,
        sections=sections,
        subject=subject,
        sub_queries=_sub_queries(sections, subject),
        silos=silos,
        search=replace(search, silos=silos, identifiers=documents.identifiers if documents else ()),
        pointed=pointed and not subject.pairs,
    )


def _pairs(
    asked: tuple[str, ...], subject: Subject, question: Question, index: PassageIndex
) -> tuple[PairLookup, ...]:
    """Interactions to look up; of two drugs that are to be watched, those that are listed."""
    if asked and asked != _PAIR_SECTIONS and not _OF_A_PAIR.issuperset(asked):
        return ()
    found = asked_pairs(subject, question.text, index)
    listed = tuple(p for p in found if p.second and p.identifiers)
    return listed if asked and asked != _PAIR_SECTIONS else found


def _is_told(question: Question, folded: str, lexicon: PlanningLexicon) -> bool:
    """Whether a question tells what happens now: a danger, or a value out of its limits."""
    values = any(c.kind == "value" for c in question.corrections)
    return values or lexicon.emergency.search(folded) is not None


def _not_given(secondary: TopicClass | None, subject: Subject) -> TopicClass | None:
    """The second class of a question, unless it would work out a clearance that is given."""
    given = secondary is TopicClass.CALCULATION and subject.values and is_of_a_case(subject)
    return None if given else secondary


def _asks_by_weight(subject: Subject, folded: str) -> bool:
    """Whether a drug and a weight are all that is named: then a dose is asked."""
    drugs = [c for c in subject.concepts if c.mandatory and not c.exact]
    return len(drugs) == 1 and bool(weights(folded)) and not _LABORATORY.search(folded)


def _is_a_formula(subject: Subject, folded: str) -> bool:
    """Whether a question names a formula or score and nothing else (« curb 65, c’est quoi »), not
    even something done (« se déplacer à Berlin »).
    """
    names = {w for c in subject.concepts for phrase in c.phrases for w in words(phrase)}
    return all(w in names or says_nothing(w) for w in content_words(folded)) and all(
        c.identifiers and all(i.startswith("FORM-") for i in c.identifiers)
        for c in subject.concepts
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
        elif len(subject.concepts) > 1:
            wanted.add("interactions")  # « métronidazole alcool »
    special = subject.populations - DEFAULTS
    dosed = not wanted.isdisjoint({"posologie", "interactions"})
    if "grossesse et allaitement" in wanted or (dosed and special):
        wanted.add("contre-indications")
    if drugs and special & {"grossesse", "allaitement"} and "posologie" in wanted:
        wanted.add("grossesse et allaitement")
    if wanted != set(sections):
        sections = tuple(s for s in SECTIONS if s in wanted)
    return dangers_first(sections) if is_of_a_case(subject) else sections


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


def _scores(
    folded: str, question: Question, index: PassageIndex, lexicon: PlanningLexicon
) -> dict[TopicClass, int]:
    scores = {
        name: sum(weight for pattern, weight in cues if pattern.search(folded))
        for name, cues in lexicon.class_cues.items()
    }
    mentions = index.mentions(question.text)
    has_drug = any(m.is_drug_or_class for m in mentions) or any(
        c.kind == "brand" for c in question.corrections
    )
    if has_drug or any(w in lexicon.drug_words for w in re.findall(r"[\w-]+", folded)):
        scores[TopicClass.PHARMACOLOGY] = scores.get(TopicClass.PHARMACOLOGY, 0) + 2
    if len(_MEASURE.findall(folded)) >= 3:  # an enumeration (« type 1, 2 et 3 ») is no patient
        scores[TopicClass.CALCULATION] = scores.get(TopicClass.CALCULATION, 0) + 2
    if has_drug and weights(folded) and not _LABORATORY.search(folded):
        scores[TopicClass.PHARMACOLOGY] = scores.get(TopicClass.PHARMACOLOGY, 0) + 4
    if has_drug and _ORGAN.search(folded):
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
        return _class_of_sections(folded, lexicon), None
    primary = ranked[0]
    for name in ranked[1:]:
        if scores[name] < lexicon.secondary_minimum:
            break
        if scores[name] < lexicon.secondary_ratio * scores[primary]:
            break
        if _has_own_proposition(name, primary, folded, index, lexicon):
            return primary, name
    return primary, None


def _class_of_sections(folded: str, lexicon: PlanningLexicon) -> TopicClass:
    """Of a question with no word of any class, the class of a section it names (« indication »).

    A time (« durée ») is of any. What a class shows on demand counts by its name alone
    (« alternatives »); words like « limites » make no calculation.
    """
    for topic in lexicon.priority:
        asks = (lexicon.sections[s].ask for s in REQUIRED[topic] if s != TIMED)
        if any(ask is not None and ask.search(folded) for ask in asks):
            return topic
    for topic in lexicon.priority:
        names = (lexicon.sections[s].name for s in OPTIONAL[topic] if s not in FORMULA_SECTIONS)
        if any(name is not None and name.search(folded) for name in names):
            return topic
    return TopicClass.DEFINITION


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


def _silos(primary: TopicClass, secondary: TopicClass | None) -> tuple[Silo, ...]:
    both = SILOS[primary] + (SILOS[secondary] if secondary else ())
    return tuple(dict.fromkeys((*both, Silo.FICHES, Silo.LOCAL)))


def _sub_queries(sections: tuple[str, ...], subject: Subject) -> tuple[SubQuery, ...]:
    """One a section; each runs over all silos of the plan at once."""
    return tuple(SubQuery(section=s, query=f"{subject.label} {s}".strip()) for s in sections)
