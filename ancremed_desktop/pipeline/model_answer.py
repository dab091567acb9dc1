"""What models may add to an answer that is already on screen, each within what it has earned.

A section is replaced only by verified spans; nothing of safety is left out; any fault of a model
leaves the first answer as it was.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ancremed_desktop.domain.answers import (
    MODELS_STAGE,
    Answer,
    AnswerSpan,
    ModelSection,
    ModelWay,
)
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.identifiers import ANSWER, SAFETY, SECTIONS, PassageKind
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.domain.spans import (
    AnchoredAssertion,
    DraftAssertion,
    DraftSpan,
    DroppedSpan,
    DropReason,
    Narrative,
    VerifiedAssertion,
)
from ancremed_desktop.pipeline.attribute import attribute
from ancremed_desktop.pipeline.compose import compose
from ancremed_desktop.pipeline.deep_search import deep_search, search_again
from ancremed_desktop.pipeline.extent import partial_lists
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.model_gap import reformulations
from ancremed_desktop.pipeline.model_generate import select, verbatim, write
from ancremed_desktop.pipeline.model_plan import model_plan
from ancremed_desktop.pipeline.model_verify import BothVerifiers, ModelVerifier
from ancremed_desktop.pipeline.prompts import Prompts
from ancremed_desktop.pipeline.run import (
    VERIFIER_TIMEOUT_S,
    Engine,
    FirstAnswer,
    cited_sources,
    gate_context,
    with_near,
)
from ancremed_desktop.pipeline.verify import VerifiedSpan, verifier_view, verify
from ancremed_desktop.ports import LanguageModel, Verifier
from ancremed_desktop.text.connecting import connects

_WHOLE = SAFETY | {"posologie"}
"""Sections a model may order or reword, never shorten: what is left out reads as a permission."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistants:
    """The models of one answer, each where it has qualified; None: not qualified for that.

    ``writer`` writes typed spans: its paraphrases are shown only with ``paraphrases``, checked by
    ``verifier`` beside the rules; its narrative only with ``narrates``. ``selector`` is used
    where there is no writer. ``verifier`` may be another model than the writer.
    """

    prompts: Prompts
    planner: LanguageModel | None = None
    selector: LanguageModel | None = None
    writer: LanguageModel | None = None
    narrates: bool = False
    paraphrases: bool = False
    verifier: LanguageModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """One answer under way."""

    engine: Engine
    assistants: Assistants
    cancel: CancelToken
    progress: ProgressCallback
    calls: ModelWork
    refused: list[DroppedSpan] = field(default_factory=list)
    """What a writer said between quotes that is more than a connection."""

    def say(self, stage: str, model: LanguageModel) -> None:
        self.cancel.raise_if_cancelled()
        self.progress(Progress(stage=stage, done=5, total=5, detail=model.name))


def improve(
    first: FirstAnswer,
    engine: Engine,
    assistants: Assistants,
    *,
    calls: ModelWork,
    progress: ProgressCallback,
    cancel: CancelToken,
) -> Answer:
    """The answer with what models add to it; the same spans where they add nothing.

    ``calls`` holds what was asked, even when the user stops.
    Raises: Cancelled, when the user stopped; the first answer stays valid then.
    """
    before = first.answer
    if first.evidence is None:
        return before
    start = time.perf_counter()
    work = _Work(
        engine=engine, assistants=assistants, cancel=cancel, progress=progress, calls=calls
    )
    plan, evidence = _searched(before, first.evidence, work)
    drafts = engine.generator.generate(before.question, plan, evidence, cancel)
    spans, dropped = _checked(drafts, evidence, work, engine.verifier, paraphrase=False)
    written = _written(before, evidence, drafts, work)
    merged, refused, ways = _merged(plan, spans, written, evidence, work)
    every = (*dropped, *work.refused, *refused)
    status, ordered = compose(plan, evidence, merged, every)
    after = replace(
        before,
        status=status,
        plan=plan,
        spans=ordered,
        dropped=every,
        sources=cited_sources(ordered, engine.index),
        rounds=evidence.rounds,
        partial=partial_lists(ordered, engine.index),
        stop_reason=evidence.stop_reason,
        model_sections=_model_sections(before, ordered, plan, ways, assistants),
    )
    kept = with_near(after, engine) if _no_worse(before, after) else before
    timings = (*before.timings_ms, (MODELS_STAGE, 1000 * (time.perf_counter() - start)))
    return replace(kept, models=tuple(calls.uses), timings_ms=timings)


def _searched(before: Answer, found: Evidence, work: _Work) -> tuple[RetrievalPlan, Evidence]:
    """Plan and evidence, widened by a planner; what was covered or is of safety stays."""
    planner, prompts = work.assistants.planner, work.assistants.prompts
    engine, plan = work.engine, before.plan
    if planner is None or ANSWER in plan.sections:
        return plan, found  # the sentences that answer a point are of no section to plan
    work.say("Plan du modèle", planner)
    chosen, queries = model_plan(
        before.question, plan, planner, prompts.planner, work.calls, work.cancel
    )
    covered = {s.section for s in found.sections if s.hits}
    kept = {s for s in plan.sections if s in covered or s in SAFETY}
    sections = tuple(s for s in SECTIONS if s in {*chosen.sections, *kept})
    cues = engine.lexicon.sections
    if set(sections) != set(plan.sections):
        silos = tuple(dict.fromkeys((*plan.silos, *chosen.silos)))
        plan = replace(chosen, sections=sections, silos=silos)
        nearest = partial(engine.meaning, before.question.text)
        found = deep_search(plan, engine.index, cues, work.cancel, nearest)
    found = search_again(plan, found, queries, engine.index, cues, work.cancel)
    more = reformulations(before.question, found, planner, prompts.gap, work.calls, work.cancel)
    return plan, search_again(plan, found, more, engine.index, cues, work.cancel)


def _written(
    before: Answer, evidence: Evidence, drafts: Sequence[DraftSpan], work: _Work
) -> dict[str, tuple[DraftSpan, ...]]:
    """Drafts of a writer or a selector, by section; absent: the extract stays."""
    models = work.assistants
    found: dict[str, tuple[DraftSpan, ...]] = {}
    for section in evidence.sections:
        if any(h.passage.kind is PassageKind.INTERACTION for h in section.hits):
            continue  # listed pairs are shown as they are listed
        name = section.section
        candidates = [d for d in drafts if isinstance(d, DraftAssertion) and d.section == name]
        spans: tuple[DraftSpan, ...] | None = None
        if candidates and models.writer is not None:
            work.say("Rédaction du modèle", models.writer)
            prompt = models.prompts.write
            spans = write(
                before.question, name, candidates, models.writer, prompt, work.calls, work.cancel
            )
            spans = _allowed(spans, candidates, models, name)
            about = f"{before.plan.subject.label} {name}"
            spans = spans and _connecting(spans, about, work.refused)
        elif len(candidates) > 1 and models.selector is not None:
            work.say("Choix du modèle", models.selector)
            prompt = models.prompts.select
            spans = select(
                before.question, name, candidates, models.selector, prompt, work.calls, work.cancel
            )
        if spans and any(isinstance(s, DraftAssertion) for s in spans):
            found[name] = spans
    return found


def _allowed(
    spans: tuple[DraftSpan, ...] | None,
    candidates: Sequence[DraftAssertion],
    models: Assistants,
    section: str,
) -> tuple[DraftSpan, ...] | None:
    """What of a writer's spans it has earned to show; safety stays in the source's own words."""
    if spans is None:
        return None
    if not models.paraphrases or models.verifier is None or section in SAFETY:
        spans = verbatim(spans, candidates)
    if not models.narrates:
        spans = tuple(s for s in spans if not isinstance(s, Narrative))
    return spans


def _connecting(
    spans: tuple[DraftSpan, ...], about: str, refused: list[DroppedSpan]
) -> tuple[DraftSpan, ...]:
    """The spans without narrative that says more than what follows: it would have no source."""
    kept: list[DraftSpan] = []
    for span in spans:
        if isinstance(span, Narrative) and not connects(span.text, about):
            refused.append(
                DroppedSpan(
                    span_text=span.text,
                    section=span.section,
                    stage="narrative",
                    reason=DropReason.NARRATIVE_LEAK,
                    detail="Le texte de liaison dit plus que ce qu’il annonce, sans source.",
                )
            )
        else:
            kept.append(span)
    return tuple(kept)


def _checked(
    drafts: Sequence[DraftSpan],
    evidence: Evidence,
    work: _Work,
    verifier: Verifier,
    *,
    paraphrase: bool,
) -> tuple[tuple[VerifiedSpan, ...], tuple[DroppedSpan, ...]]:
    """Through gate and verifier, like any draft."""
    anchored, refused = attribute(drafts, gate_context(evidence, work.engine.index))
    if isinstance(verifier, BothVerifiers):
        views = [verifier_view(a) for a in anchored if isinstance(a, AnchoredAssertion)]
        verifier.read_ahead(views, work.cancel)
    spans, rejected = verify(
        anchored,
        verifier,
        cancel=work.cancel,
        paraphrase_allowed=paraphrase,
        timeout_s=VERIFIER_TIMEOUT_S,
    )
    return spans, (*refused, *rejected)


def _merged(
    plan: RetrievalPlan,
    extracts: Sequence[VerifiedSpan],
    written: dict[str, tuple[DraftSpan, ...]],
    evidence: Evidence,
    work: _Work,
) -> tuple[list[AnswerSpan], tuple[DroppedSpan, ...], dict[str, ModelWay]]:
    """Spans of each section, the model's where they are verified and lose nothing that counts."""
    models = work.assistants
    paraphrase = models.paraphrases and models.verifier is not None
    verifier: Verifier = work.engine.verifier
    if paraphrase and models.verifier is not None:
        model = ModelVerifier(models.verifier, models.prompts.verify, work.calls)
        verifier = BothVerifiers(verifier, model)
    drafts = [d for section in plan.sections for d in written.get(section, ())]
    helper = models.verifier or models.writer or models.selector
    if drafts and helper is not None:
        work.say("Vérification du modèle", helper)
    checked, refused = _checked(drafts, evidence, work, verifier, paraphrase=paraphrase)
    kept: list[AnswerSpan] = []
    ways = {}
    for section in plan.sections:
        own = [s for s in extracts if _section(s) == section]
        model_own = [s for s in checked if _section(s) == section]
        if _better(own, model_own, section):
            notices = [s for s in own if isinstance(s, Narrative)]
            own = [*notices, *model_own]
            ways[section] = _way(model_own, models)
        kept += own
    return kept, refused, ways


def _way(shown: Sequence[AnswerSpan], models: Assistants) -> ModelWay:
    if models.writer is None:
        return ModelWay.SELECT
    if any(isinstance(s, VerifiedAssertion) and not s.verbatim for s in shown):
        return ModelWay.WRITE
    introduced = any(isinstance(s, Narrative) for s in shown)
    return ModelWay.INTRODUCE if introduced else ModelWay.ORDER


def _model_sections(
    before: Answer,
    shown: Sequence[AnswerSpan],
    plan: RetrievalPlan,
    ways: dict[str, ModelWay],
    models: Assistants,
) -> tuple[ModelSection, ...]:
    """Sections that say otherwise than the first answer did, and what did it."""
    found = []
    for section in plan.sections:
        way = ways.get(section, ModelWay.PLAN)
        helper = models.planner if way is ModelWay.PLAN else models.writer or models.selector
        now = _said(shown, section)
        if now and helper is not None and now != _said(before.spans, section):
            found.append(ModelSection(section=section, way=way, model=helper.name))
    return tuple(found)


def _said(spans: Sequence[AnswerSpan], section: str) -> list[tuple[str, str, int]]:
    """What a section says, in order: words, passage, place in it; no passage: linking words."""
    said = []
    for span in (s for s in spans if _section(s) == section):
        if isinstance(span, VerifiedAssertion):
            anchored = span.anchored
            said.append((anchored.draft.text, anchored.passage.urn, anchored.char_start))
        elif isinstance(span, Narrative):
            said.append((span.text, "", 0))
    return said


def _better(own: Sequence[AnswerSpan], model_own: Sequence[AnswerSpan], section: str) -> bool:
    """Whether a model's section may stand for the extract."""
    cited = _cited(model_own)
    if not cited:
        return False
    return section not in _WHOLE or _holds(cited, _cited(own))


def _no_worse(before: Answer, after: Answer) -> bool:
    """No section covered before is lost, nor any sentence of a section that is shown whole."""
    covered = {_section(s) for s in after.spans if isinstance(s, VerifiedAssertion)}
    for section in before.plan.sections:
        own = _cited([s for s in before.spans if _section(s) == section])
        if own and section not in covered:
            return False
        if section in _WHOLE and not _holds(_cited(after.spans), own):
            return False
    return True


_Range = tuple[str, int, int]
"""URN of a passage, start and end of the sentences cited."""


def _cited(spans: Sequence[AnswerSpan]) -> frozenset[_Range]:
    return frozenset(
        (s.anchored.passage.urn, s.anchored.char_start, s.anchored.char_end)
        for s in spans
        if isinstance(s, VerifiedAssertion)
    )


def _holds(ranges: frozenset[_Range], wanted: frozenset[_Range]) -> bool:
    """Whether each wanted range lies in one of the ranges."""
    return all(
        any(urn == u and start <= s and e <= end for urn, start, end in ranges)
        for u, s, e in wanted
    )


def _section(span: AnswerSpan) -> str:
    return span.anchored.draft.section if isinstance(span, VerifiedAssertion) else span.section
