"""The table of contents: from a question to a verified answer, stage by stage (DESIGN §2)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from ancremed_desktop.domain.answers import Answer, AnswerSpan, AnswerStatus
from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.formulas import CalculationRequest
from ancremed_desktop.domain.identifiers import Silo, TopicClass
from ancremed_desktop.domain.plans import PlanMode, Question, RetrievalPlan
from ancremed_desktop.domain.spans import (
    Abstention,
    DroppedSpan,
    VerifiedAssertion,
)
from ancremed_desktop.pipeline import drug_family, product_record, programme
from ancremed_desktop.pipeline.allergy import plan_of_allergy
from ancremed_desktop.pipeline.attribute import GateContext, attribute
from ancremed_desktop.pipeline.bearing import DOSE
from ancremed_desktop.pipeline.codes import UNKNOWN_CODE, unknown_codes
from ancremed_desktop.pipeline.compose import CONVERSATION, EMERGENCY, NO_SUBJECT, compose
from ancremed_desktop.pipeline.deep_search import deep_search
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.documents import asked_documents
from ancremed_desktop.pipeline.draft import make_draft
from ancremed_desktop.pipeline.drafts import Draft, Tools
from ancremed_desktop.pipeline.exclusion import exclusion_notice
from ancremed_desktop.pipeline.extent import partial_lists
from ancremed_desktop.pipeline.harm import plan_of_harm
from ancremed_desktop.pipeline.intent import is_of_any_domain
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.meaning import MeaningSearch, no_meaning
from ancremed_desktop.pipeline.nearby import nearby
from ancremed_desktop.pipeline.own_documents import extracts, look_up
from ancremed_desktop.pipeline.own_draft import looked_up
from ancremed_desktop.pipeline.plain_values import plain_values
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.product_notice import product_notice
from ancremed_desktop.pipeline.routes import unsaid_route
from ancremed_desktop.pipeline.said_once import said_once
from ancremed_desktop.pipeline.succession import age_notice, succession_notice
from ancremed_desktop.pipeline.told_values import unanswered_notice
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.pipeline.verify import VerifiedSpan, verify
from ancremed_desktop.ports import Generator, PassageIndex, Verifier
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

VERIFIER_TIMEOUT_S = 20.0
"""For one assertion; a slower verifier counts as a refusal."""

_WORKED = frozenset({"formule", "application numérique", "interprétation"})
_CALCULATE = re.compile(r"\b(?:calcul\w*|scores?|formules?|echelles?|indices?)\b")
_SAID = frozenset({"detresse_grave", "detresse_legere"})
"""Their own words already say whom to call."""
_CALCULATED = (TopicClass.CALCULATION,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The adapters one answer is made with. ``calculate`` reads calculations in a question."""

    index: PassageIndex
    lexicon: PlanningLexicon
    generator: Generator
    verifier: Verifier
    calculate: Callable[[str], tuple[CalculationRequest, ...]]
    meaning: MeaningSearch = no_meaning


@dataclass(slots=True)
class _Clock:
    progress: ProgressCallback
    cancel: CancelToken
    timings: list[tuple[str, float]] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.cancel.raise_if_cancelled()
        self.progress(Progress(stage=name, done=len(self.timings), total=5))
        start = time.perf_counter()
        yield
        self.timings.append((name, 1000 * (time.perf_counter() - start)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstAnswer:
    """An answer by rules alone. ``evidence``: what a model may work on; None where it may not
    (conversation, calculation, the user's own documents, a subject off the corpus).
    """

    answer: Answer
    evidence: Evidence | None = None


def answer(raw: str, engine: Engine, *, progress: ProgressCallback, cancel: CancelToken) -> Answer:
    """Answer one question. Raises: as ``first_answer``."""
    return first_answer(raw, engine, progress=progress, cancel=cancel).answer


def first_answer(
    raw: str, engine: Engine, *, progress: ProgressCallback, cancel: CancelToken
) -> FirstAnswer:
    """Answer one question, whole source sentences only, and say what it was made from.

    Raises:
        BadQuestionError: the question cannot be asked as it stands.
        Cancelled: the user stopped.

    """
    clock = _Clock(progress, cancel)
    with clock.stage("Analyse"):
        question = understand(raw, engine.index, engine.lexicon)
        plan, own = _plan(question, engine)
    if plan.mode is PlanMode.SHORT_CIRCUIT:
        return FirstAnswer(answer=_conversation(question, plan, engine, clock))
    calculated = plan.primary_class in _CALCULATED or plan.secondary_class in _CALCULATED
    calculations = _calculations(question, engine, clock) if calculated else ()
    if calculations:
        question = _without_acronyms(question)
    with clock.stage("Recherche"):
        evidence = own.evidence if own else _searched(question, plan, engine, cancel)
    with clock.stage("Rédaction"):
        draft = _draft(question, plan, evidence, own, engine, cancel)
        plan, evidence = draft.plan, draft.evidence
    spans, dropped = _checked(draft, engine, clock)
    status, ordered = compose(plan, evidence, spans, dropped)
    status = AnswerStatus.ANSWER if calculations else status
    if status is AnswerStatus.ABSTENTION and _is_off_topic(question, evidence, engine):
        return FirstAnswer(answer=_off_topic(question, plan, engine, clock))
    if calculations or not _asks_formula(question, engine.lexicon):
        ordered = _without_empty_formula(_of_calculated(ordered, calculations), calculations)
    ordered, lacking = said_once(ordered)
    unanswered = " ".join(filter(None, (_unanswered(question, plan, ordered), lacking)))
    cited = cited_sources(ordered, engine.index)
    made = Answer(
        status=status,
        question=question,
        plan=plan,
        spans=ordered,
        dropped=dropped,
        sources=cited,
        calculations=calculations,
        rounds=evidence.rounds,
        timings_ms=(),
        index=engine.index.identity(),
        stop_reason=evidence.stop_reason,
        message=_first_words(question, draft, cited, engine, unanswered),
        partial=partial_lists(ordered, engine.index),
    )
    closed = calculated or bool(plan.notice) or draft.own is not None or evidence.off_corpus
    with clock.stage("À lire"):
        made = with_near(made, engine)
    made = replace(made, timings_ms=tuple(clock.timings))
    return FirstAnswer(answer=made, evidence=None if closed else evidence)


def _checked(
    draft: Draft, engine: Engine, clock: _Clock
) -> tuple[tuple[VerifiedSpan, ...], tuple[DroppedSpan, ...]]:
    """What passes the gate and the verifier, and what does not."""
    with clock.stage("Attribution"):
        context = gate_context(draft.evidence, engine.index)
        anchored, refused = attribute(draft.spans, context)
    with clock.stage("Vérification"):
        spans, rejected = verify(
            anchored,
            engine.verifier,
            cancel=clock.cancel,
            paraphrase_allowed=False,
            timeout_s=VERIFIER_TIMEOUT_S,
        )
    return spans, (*refused, *rejected)


def with_near(made: Answer, engine: Engine) -> Answer:
    """The answer with the passages that may be read beside it."""
    return replace(made, near=nearby(made, engine.index, engine.lexicon, engine.meaning))


def _calculations(
    question: Question, engine: Engine, clock: _Clock
) -> tuple[CalculationRequest, ...]:
    with clock.stage("Calcul"):
        return engine.calculate(question.text)


def _without_acronyms(question: Question) -> Question:
    """« IC » as a score read it is in its inputs; a second reading would contradict it."""
    read = tuple(c for c in question.corrections if c.kind != "acronym")
    return replace(question, corrections=read)


def _plan_of_values(question: Question, engine: Engine) -> RetrievalPlan | None:
    """« femme 82 ans 55 kg créat 130 »: values alone may be all that a formula needs."""
    whole = [c for c in engine.calculate(question.text) if c.result]
    if not whole:
        return None
    named = replace(question, text=f"calculer {whole[0].name}")
    plan = make_plan(named, engine.index, engine.lexicon)
    return plan if plan.primary_class in _CALCULATED else None


def _plan(question: Question, engine: Engine) -> tuple[RetrievalPlan, DirectAnswer | None]:
    """The plan; an article asked by number, or what only the user's documents speak of, first."""
    own = look_up(question, engine.index)
    if own is not None:
        return own.plan, own
    plan = make_plan(question, engine.index, engine.lexicon)
    unnamed = plan.primary_class in _CALCULATED and not plan.subject.entity_ids
    if plan.intent == "hors_sujet" or unnamed:
        plan = _plan_of_values(question, engine) or plan
    if plan.intent == "hors_sujet":
        own = extracts(question, engine.index, plan.subject, but_one=True)
    elif plan.mode is not PlanMode.SHORT_CIRCUIT:
        ask = (programme.asked, drug_family.asked, product_record.asked)
        own = next(filter(None, (a(question, plan, engine.index) for a in ask)), None)
        beside = (plan_of_allergy, plan_of_harm)
        unknown = plan.subject.unknown_words
        plan = next(filter(None, (b(question, plan, engine.index) for b in beside)), plan)
        aside = tuple(w for w in unknown if w not in plan.subject.unknown_words)
        subject = replace(plan.subject, set_aside=(*plan.subject.set_aside, *aside))
        plan = replace(plan, subject=subject)
    return (own.plan if own else plan), own


def _searched(
    question: Question, plan: RetrievalPlan, engine: Engine, cancel: CancelToken
) -> Evidence:
    nearest = partial(engine.meaning, question.text)
    return deep_search(plan, engine.index, engine.lexicon.sections, cancel, nearest)


def _draft(
    question: Question,
    plan: RetrievalPlan,
    evidence: Evidence,
    own: DirectAnswer | None,
    engine: Engine,
    cancel: CancelToken,
) -> Draft:
    """The draft; the user's documents are asked too when the corpus has nothing to say."""
    if own is not None:
        return looked_up(own)
    tools = Tools(
        index=engine.index,
        lexicon=engine.lexicon,
        search=lambda plan: _searched(question, plan, engine, cancel),
        generate=lambda plan, found: engine.generator.generate(question, plan, found, cancel),
        replan=lambda other: make_plan(other, engine.index, engine.lexicon),
    )
    return make_draft(question, plan, evidence, tools)


def _asks_formula(question: Question, lexicon: PlanningLexicon) -> bool:
    folded = fold(question.text)
    asked = (lexicon.sections[section].ask for section in _WORKED)
    return bool(_CALCULATE.search(folded)) or any(ask and ask.search(folded) for ask in asked)


def _of_calculated(
    spans: tuple[AnswerSpan, ...], calculations: Sequence[CalculationRequest]
) -> tuple[AnswerSpan, ...]:
    """Without formulas that are not worked out: « PAS 95 FR 24 Glasgow 14 » is a qSOFA."""
    worked = {f"FORM-{c.formula_id}" for c in calculations}

    def is_other(span: AnswerSpan) -> bool:
        if not (worked and isinstance(span, VerifiedAssertion)):
            return False
        passage = span.anchored.passage
        return passage.silo is Silo.FORMULAS and passage.source_identifier not in worked

    return tuple(s for s in spans if not is_other(s))


def _without_empty_formula(
    spans: tuple[AnswerSpan, ...], calculations: Sequence[CalculationRequest]
) -> tuple[AnswerSpan, ...]:
    """Without the abstentions on the formula, when one is offered or another span is left: the
    calculation shown is the formula, or figures of the patient looked like a calculation.
    """
    kept = tuple(s for s in spans if not (isinstance(s, Abstention) and s.section in _WORKED))
    return kept if kept or calculations else spans


def _unanswered(question: Question, plan: RetrievalPlan, spans: Sequence[AnswerSpan]) -> str:
    """What is said of the product, values and routes asked that no extract speaks of."""
    quotes = [s.anchored.quote for s in spans if isinstance(s, VerifiedAssertion)]
    if not quotes or plan.primary_class in _CALCULATED or plan.secondary_class in _CALCULATED:
        return ""
    read = (c.original for c in question.corrections if c.kind == "value")
    values = unanswered_notice(plain_values(question.raw), quotes, read)
    doses = [q for q in quotes if DOSE.search(fold(q))]
    route = unsaid_route(plan.subject.routes, doses) if doses else ""
    return " ".join(filter(None, (product_notice(question, spans), values, route)))


def _first_words(
    question: Question, draft: Draft, cited: Sequence[Source], engine: Engine, unanswered: str
) -> str:
    """What is said above an answer: whom to call, what was left out on demand, which document of
    that date there is, what the user's documents lack, which document is out of date, which values
    are ``unanswered``.
    """
    lexicon, index = engine.lexicon, engine.index
    said = [EMERGENCY] if lexicon.emergency.search(fold(question.text)) else []
    said += [unanswered] if unanswered else []
    if notice := exclusion_notice(question.text, draft.plan.subject, lexicon, index):
        said.append(notice)
    documents = asked_documents(question.text, index)
    if documents:
        said.append(documents.message)
    if draft.own and draft.own.message:
        said.append(draft.own.message)
    if draft.notice:
        said.append(draft.notice)
    subject = draft.plan.subject
    if aside := (*subject.set_aside, *(subject.unknown_words if cited else ())):
        words = ", ".join(f"«\u00a0{w}\u00a0»" for w in aside)
        said.append(f"Aucune source de l’index ne parle de {words}.")
    if notice := succession_notice(subject.outdated, cited, index):
        said.append(notice)
    if notice := age_notice(cited, date.today().year):
        said.append(notice)
    return " ".join(said)


def _is_off_topic(question: Question, evidence: Evidence, engine: Engine) -> bool:
    unknown = evidence.off_corpus
    return is_of_any_domain(question, engine.index, engine.lexicon, unknown=unknown)


def _off_topic(question: Question, plan: RetrievalPlan, engine: Engine, clock: _Clock) -> Answer:
    plan = replace(plan, intent="hors_sujet", sections=(), sub_queries=())
    return _conversation(question, plan, engine, clock)


def _conversation(question: Question, plan: RetrievalPlan, engine: Engine, clock: _Clock) -> Answer:
    unknown = unknown_codes(question.text, engine.index) if plan.intent == UNKNOWN_CODE else ""
    message = unknown or CONVERSATION[plan.intent]
    if plan.intent == "hors_sujet" and not content_words(question.text):
        message = NO_SUBJECT
    if plan.intent not in _SAID and engine.lexicon.emergency.search(fold(question.text)):
        message = EMERGENCY
    refused = plan.intent in {"hors_sujet", "injection", UNKNOWN_CODE}
    made = Answer(
        status=AnswerStatus.REFUSED if refused else AnswerStatus.CONVERSATION,
        question=question,
        plan=plan,
        spans=(),
        dropped=(),
        sources=(),
        calculations=(),
        rounds=(),
        timings_ms=tuple(clock.timings),
        index=engine.index.identity(),
        message=message,
    )
    return with_near(made, engine) if plan.intent == "hors_sujet" else made


def gate_context(evidence: Evidence, index: PassageIndex) -> GateContext:
    """What the drafts made from ``evidence`` are held against."""
    passages = {h.passage.urn: h.passage for s in evidence.sections for h in s.hits}
    return GateContext(passages=passages, known_names=index.mentions)


def cited_sources(spans: tuple[AnswerSpan, ...], index: PassageIndex) -> tuple[Source, ...]:
    """Sources of the assertions shown, in order, each once."""
    keys = dict.fromkeys(
        s.anchored.passage.source_key for s in spans if isinstance(s, VerifiedAssertion)
    )
    return tuple(index.source(key) for key in keys)
