"""The best sentences of the corpus for a question: before the sections of one that asks a point,
instead of the sections that found nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ancremed_desktop.domain.evidence import (
    Evidence,
    MatchMode,
    QueryTrace,
    SearchHit,
    SectionEvidence,
)
from ancremed_desktop.domain.identifiers import ANSWER, PassageKind, Silo, TopicClass
from ancremed_desktop.domain.plans import Figure, PlanMode, RetrievalPlan, Subject, SubQuery
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan
from ancremed_desktop.pipeline.bearing import names_drug
from ancremed_desktop.pipeline.deep_search import ROWS_PER_QUERY, is_outdated, may_answer
from ancremed_desktop.pipeline.focus import narrowness
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.lexicon import NO_CUES, SectionCues
from ancremed_desktop.pipeline.nothing_new import NOT_FOUND
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.population import Fit, fit, groups
from ancremed_desktop.pipeline.relevance import RECORD_SECTIONS, quotable, speaks_of
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

_NEAR_BEST = 0.6
"""Share of the best score below which a passage answers beside the question."""
_CORPUS = tuple(s for s in Silo if s is not Silo.LOCAL)

Generate = Callable[[RetrievalPlan, Evidence], tuple[DraftSpan, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestAnswer:
    """A plan with its evidence and drafts."""

    plan: RetrievalPlan
    evidence: Evidence
    drafts: tuple[DraftSpan, ...]


def best_answer(
    plan: RetrievalPlan,
    found: Evidence,
    drafts: tuple[DraftSpan, ...],
    index: PassageIndex,
    sections: Mapping[str, SectionCues],
    generate: Generate,
) -> BestAnswer | None:
    """The best sentences, with what ``drafts`` say of a drug or in the sections asked beside them.

    ``None``: there are none, or the sections answer well enough.
    """
    if found.off_corpus or plan.subject.pairs or _asks_what_forbids(plan):
        return None
    enough = _is_enough(plan, found, drafts)
    if enough and not _asks_a_figure(plan):
        return None
    hits = best_hits(plan, index, sections)
    if not hits or (enough and hits[0].passage.urn in {d.source_urn for d in _said(drafts)}):
        return None
    lead = _lead(plan, found, hits)
    answered = generate(replace(plan, sections=(ANSWER,)), lead)
    said = {fold(d.text) for d in _said(drafts)}
    told = [fold(d.text) for d in _said(answered)]
    if not told or (enough and said.issuperset(told)):
        return None  # the same sentences from another card
    return _joined(plan, found, drafts, lead, answered)


def _asks_what_forbids(plan: RetrievalPlan) -> bool:
    """Whether only the contraindications of a disease are asked: what it is does not tell them."""
    return plan.sections == ("contre-indications",) and not names_drug(plan.subject)


def nothing_on_the_point(plan: RetrievalPlan, found: Evidence) -> BestAnswer | None:
    """An abstention where a point was asked and only the topic is known; ``None`` elsewhere.

    What something is does not say when it may be stopped.
    """
    if not plan.pointed or plan.mode is not PlanMode.COMPLETE:
        return None
    if plan.primary_class is not TopicClass.DEFINITION:
        return None
    plan = replace(
        plan,
        sections=(ANSWER,),
        sub_queries=(SubQuery(section=ANSWER, query=plan.subject.label),),
    )
    section = SectionEvidence(section=ANSWER, hits=(), covered=False)
    return BestAnswer(
        plan=plan,
        evidence=replace(found, sections=(section,)),
        drafts=(Abstention(section=ANSWER, reason=NOT_FOUND),),
    )


def _is_enough(plan: RetrievalPlan, found: Evidence, drafts: tuple[DraftSpan, ...]) -> bool:
    """Whether the sections answer: those asked, and what several things are, when a sentence holds
    them all; those of a whole topic when no point was asked.
    """
    said = _said(drafts)
    if not said or _is_worked(plan, found):
        return bool(said)
    if plan.mode is not PlanMode.TARGETED:
        if plan.pointed or len(plan.subject.concepts) == 1:
            return not plan.pointed
        # Of an emergency what is to be done stands first, whatever else is asked of it.
        acts = plan.subject.vital and plan.primary_class is not TopicClass.DEFINITION
        return not all(map(_is_code, said)) and (acts or _is_said_whole(plan, found, said))
    return _is_said_whole(plan, found, said)


def _is_said_whole(plan: RetrievalPlan, found: Evidence, said: Sequence[DraftAssertion]) -> bool:
    """Whether a sentence of today holds all that the question names, with the figure asked."""
    passages = {h.passage.urn: h.passage for s in found.sections for h in s.hits}
    titles = {urn: f"{p.origin_title} {p.heading}" for urn, p in passages.items()}
    return any(
        not is_outdated(passages[d.source_urn], plan.subject)
        and all(holds(f"{titles[d.source_urn]} {d.text}", c) for c in plan.subject.concepts)
        and gives(fold(d.text), plan.subject.point.figure)
        for d in said
    )


def _is_code(draft: DraftAssertion) -> bool:
    """Whether a draft is a label of the ICD: it names a disease and says nothing of it."""
    return draft.subject_entity_id.startswith("CIM10-")


def _said(drafts: tuple[DraftSpan, ...]) -> list[DraftAssertion]:
    return [d for d in drafts if isinstance(d, DraftAssertion)]


def _asks_a_figure(plan: RetrievalPlan) -> bool:
    """Whether a figure was asked, which the passage found first gives better than any other.

    What a record says of a box is looked up, not ranked.
    """
    return (
        plan.mode is PlanMode.TARGETED
        and plan.subject.point.figure is not Figure.NONE
        and plan.primary_class is not TopicClass.CALCULATION
        and RECORD_SECTIONS.isdisjoint(plan.sections)
    )


def _is_worked(plan: RetrievalPlan, found: Evidence) -> bool:
    """Whether the formula found is all that a question of calculation asks about."""
    return plan.primary_class is TopicClass.CALCULATION and any(
        all(holds(h.passage.origin_title, c) for c in plan.subject.concepts)
        for s in found.sections
        for h in s.hits
    )


def best_hits(
    plan: RetrievalPlan, index: PassageIndex, sections: Mapping[str, SectionCues]
) -> tuple[SearchHit, ...]:
    """Passages that hold the whole subject and quote well, those that hold most of it. Where the
    question hints at sections (« se transmet »), a passage must speak of one.
    """
    if plan.search is None:
        return ()
    hinted = [(s, sections[s].cues) for s in plan.subject.point.sections]
    formulas = plan.primary_class is TopicClass.CALCULATION and not plan.pointed
    silos = (Silo.FORMULAS,) if formulas else _CORPUS
    found = index.search(replace(plan.search, silos=silos))
    hits = [h for h in found if h.passage.kind is not PassageKind.OBJECTIVE]
    best = max((h.score for h in hits), default=0.0)
    ranked = []
    for hit in hits:
        if hit.score < _NEAR_BEST * best or not may_answer(hit, plan):
            continue
        if hinted and not any(speaks_of(hit.passage, s, cues) for s, cues in hinted):
            continue
        stand, held = _stand(hit, plan.subject)
        if held:
            outdated = is_outdated(hit.passage, plan.subject)
            narrow = narrowness(hit.passage, plan.subject)
            ranked.append((stand, -held, outdated, narrow, -hit.score, hit))
    ranked.sort(key=lambda r: r[:5])
    return tuple(r[5] for r in ranked if r[1] == ranked[0][1])[:ROWS_PER_QUERY]


def _stand(hit: SearchHit, subject: Subject) -> tuple[int, int]:
    """(whom the passage is about, how many concepts its title and best sentences hold)."""
    passage = hit.passage
    quotes = quotable(passage, ANSWER, NO_CUES, subject, widened=True)
    if not quotes:
        return 0, 0
    title = f"{passage.origin_title} {passage.heading}"
    stand = fit(groups(passage.text), groups(title), subject.populations, dosing=False)
    texts = (title, *(passage.text[q.start : q.end] for q in quotes))
    held = sum(any(holds(text, c) for text in texts) for c in subject.concepts)
    return (Fit.NAMED, Fit.GENERAL, Fit.OTHER).index(stand), held


def _lead(plan: RetrievalPlan, found: Evidence, hits: Sequence[SearchHit]) -> Evidence:
    trace = QueryTrace(
        section=ANSWER,
        query=plan.search.query if plan.search else "",
        silo=",".join(_CORPUS),
        mode=MatchMode.RANKED,
        hits=len(hits),
        fresh=len(hits),
    )
    rounds = tuple(
        replace(r, queries=(*r.queries, trace)) if r is found.rounds[-1] else r
        for r in found.rounds
    )
    section = SectionEvidence(section=ANSWER, hits=tuple(hits), covered=True)
    return replace(found, sections=(section,), rounds=rounds)


def _joined(
    plan: RetrievalPlan,
    found: Evidence,
    drafts: tuple[DraftSpan, ...],
    lead: Evidence,
    answered: tuple[DraftSpan, ...],
) -> BestAnswer:
    """The answer; of a drug, or where sections were asked, with those that say something, each
    sentence once.
    """
    kept: tuple[str, ...] = ()
    drug = any(c.mandatory and not c.exact for c in plan.subject.concepts)
    if drug or plan.mode is PlanMode.TARGETED:
        said = {d.section for d in drafts if isinstance(d, DraftAssertion)}
        kept = tuple(s for s in plan.sections if s in said)
    quoted = {fold(d.text) for d in answered if isinstance(d, DraftAssertion)}
    others = tuple(
        d
        for d in drafts
        if d.section in kept
        and not isinstance(d, Abstention)
        and not (isinstance(d, DraftAssertion) and fold(d.text) in quoted)
    )
    query = SubQuery(section=ANSWER, query=plan.subject.label)
    return BestAnswer(
        plan=replace(
            plan,
            sections=(ANSWER, *kept),
            sub_queries=(query, *(q for q in plan.sub_queries if q.section in kept)),
        ),
        evidence=replace(
            lead, sections=(*lead.sections, *(s for s in found.sections if s.section in kept))
        ),
        drafts=(*answered, *others),
    )
