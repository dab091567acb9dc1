"""From what was found to a draft: the sections, the sentences that answer a point, or what may
stand instead of them when the corpus has nothing to say.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.identifiers import TopicClass
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan
from ancremed_desktop.pipeline import programme, records
from ancremed_desktop.pipeline.barred import (
    barred_by_the_drug,
    of_the_case_told,
    of_use_there,
    raised,
    with_all_that_is_barred,
)
from ancremed_desktop.pipeline.best_answer import best_answer, nothing_on_the_point
from ancremed_desktop.pipeline.card_lines import lines_of_cards
from ancremed_desktop.pipeline.case import MAY_FORBID, Bearing, bearing, holds_value
from ancremed_desktop.pipeline.comparison import side_by_side
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.drafts import Draft, Tools, after
from ancremed_desktop.pipeline.drug_dangers import with_dangers
from ancremed_desktop.pipeline.each_drug import drug_by_drug
from ancremed_desktop.pipeline.emergency_rest import answered, rests
from ancremed_desktop.pipeline.of_its_class import of_its_class
from ancremed_desktop.pipeline.one_passage import in_one_passage
from ancremed_desktop.pipeline.own_documents import extracts
from ancremed_desktop.pipeline.own_draft import (
    FORBIDDEN_HERE,
    are_about,
    forbids_here,
    is_of_the_user,
    joined,
    looked_up,
    looked_up_of,
    with_own_lines,
)
from ancremed_desktop.pipeline.rechecked import rechecked
from ancremed_desktop.pipeline.set_aside import without_one
from ancremed_desktop.pipeline.value_rules import with_rules_of_value
from ancremed_desktop.text.normalise import fold

_UNDOES = "antidote"
_DOSES = "posologie"


def make_draft(question: Question, plan: RetrievalPlan, evidence: Evidence, tools: Tools) -> Draft:
    """The draft of a question of which nothing was looked up, after the extracts of the user's
    documents that are about its very subject.

    Raises:
        Cancelled: the user stopped.

    """
    if plan.notice:
        draft = _of_harm(plan, evidence, tools)
    else:
        found = _of_corpus(question, plan, evidence, tools)
        found = with_rules_of_value(found, question, plan, tools.index)
        draft = _with_the_forbidden_first(found)
    if draft.own is not None:
        return draft
    draft = rechecked(draft, question, tools.index)
    own = _own(question, plan, tools)
    if own is None or not (are_about(own, plan, tools.index) or is_of_the_user(draft)):
        about = (plan.notice and plan.beside) or plan  # of what went wrong, the drug it came under
        return with_own_lines(draft, about, tools, forbidding=bool(plan.notice))
    return joined(own, draft, tools.index)


def _of_harm(plan: RetrievalPlan, evidence: Evidence, tools: Tools) -> Draft:
    """What is to be done, then what the sources of the drug say; what forbids it at a value asked
    (« spironolactone kaliémie 5,8 ») before both.
    """
    urgent = plan.primary_class is TopicClass.EMERGENCY
    evidence = _as_filed(evidence) if urgent else _undone(evidence, plan)
    spans = tuple(s for s in tools.generate(plan, evidence) if urgent or _is_no_use(s, plan))
    if not any(s.section == _DOSES for s in spans):
        # Left out, not looked for in vain: nothing is said to be missing.
        plan = replace(plan, sections=tuple(s for s in plan.sections if s != _DOSES))
    draft = Draft(plan=plan, evidence=evidence, spans=spans, notice=plan.notice)
    if plan.beside is None:
        return draft
    draft = of_the_case_told(draft)
    found = _undone(tools.search(plan.beside), plan.beside)
    quoted = {fold(s.text) for s in spans if isinstance(s, DraftAssertion)}
    told = [
        s
        for s in tools.generate(plan.beside, found)
        if not isinstance(s, Abstention)
        and not (isinstance(s, DraftAssertion) and fold(s.text) in quoted)
        and _is_no_use(s, plan.beside)
    ]
    said = {s.section for s in told if isinstance(s, DraftAssertion)}
    rest = Draft(
        plan=replace(plan.beside, sections=tuple(s for s in plan.beside.sections if s in said)),
        evidence=replace(found, sections=tuple(s for s in found.sections if s.section in said)),
        spans=tuple(s for s in told if s.section in said),
    )
    rest = of_use_there(rest, draft)
    draft = with_all_that_is_barred(draft, rest, tools.index)
    if plan.subject.values and _forbidding(rest) - {_DOSES}:
        notice = f"{FORBIDDEN_HERE} {plan.notice}"
        return after(replace(rest, plan=_dangers_led(rest), notice=notice), draft)
    whole = after(draft, rest)
    barred = barred_by_the_drug(draft, rest)
    if not barred:
        return whole
    notice = f"{FORBIDDEN_HERE} {plan.notice}"
    return replace(raised(whole, barred), notice=notice)


def _undone(evidence: Evidence, plan: RetrievalPlan) -> Evidence:
    """Evidence of which what undoes a drug is no passage filed under another section asked."""
    others = set(plan.sections) - {_UNDOES}
    return replace(
        evidence,
        sections=tuple(
            replace(s, hits=tuple(h for h in s.hits if h.passage.section not in others))
            if s.section == _UNDOES
            else s
            for s in evidence.sections
        ),
    )


def _is_no_use(span: DraftSpan, plan: RetrievalPlan) -> bool:
    """Whether a span tells nothing of how a drug is usually given: of its doses the rule to stop
    at the value asked alone.
    """
    if span.section != _DOSES:
        return True
    return (
        isinstance(span, DraftAssertion)
        and holds_value(span.text, plan.subject)
        and bearing(span.text, plan.subject) is Bearing.FORBIDS
    )


def _dangers_led(draft: Draft) -> RetrievalPlan:
    forbidding = _forbidding(draft)
    ordered = sorted(draft.plan.sections, key=lambda s: s not in forbidding)
    return replace(draft.plan, sections=tuple(ordered))


def _as_filed(evidence: Evidence) -> Evidence:
    """Evidence less what is filed under another section: a card is read section by section."""
    return replace(
        evidence,
        sections=tuple(
            replace(s, hits=tuple(h for h in s.hits if h.passage.section == s.section))
            for s in evidence.sections
        ),
    )


def _with_the_forbidden_first(draft: Draft) -> Draft:
    """A draft whose sections that forbid in the very case asked stand before any dose."""
    forbidding = _forbidding(draft)
    if not forbidding or not _is_said_otherwise(draft, forbidding):
        return draft
    return replace(
        draft,
        plan=_dangers_led(draft),
        notice=" ".join(filter(None, (FORBIDDEN_HERE, draft.notice))),
    )


def _forbidding(draft: Draft) -> set[str]:
    """Sections of a draft that forbid the drug in the very case asked."""
    subject = draft.plan.subject
    return {s.section for s in draft.spans if s.section in MAY_FORBID and forbids_here(s, subject)}


def _is_said_otherwise(draft: Draft, forbidding: Collection[str]) -> bool:
    """Whether a draft says more than what forbids: alone it needs no notice."""
    said = {s.section for s in draft.spans if isinstance(s, DraftAssertion)}
    return not said <= set(forbidding)


def _of_corpus(question: Question, plan: RetrievalPlan, evidence: Evidence, tools: Tools) -> Draft:
    spans = tools.generate(plan, evidence)
    said = any(isinstance(d, DraftAssertion) for d in spans)
    if not said and (own := _own(question, plan, tools)):
        return looked_up_of(own, plan.subject, tools.index)
    best = best_answer(plan, evidence, spans, tools.index, tools.lexicon.sections, tools.generate)
    if best is not None:
        draft = Draft(plan=best.plan, evidence=best.evidence, spans=best.drafts)
        return with_dangers(draft, plan, tools)
    if not said and (both := side_by_side(question, plan, tools)):
        return both
    nothing = nothing_on_the_point(plan, evidence)
    if (
        nothing is not None
        and said
        and (own := extracts(question, tools.index, plan.subject, every_word=True))
    ):
        return looked_up_of(own, plan.subject, tools.index)
    if (nothing or not said) and (own := programme.instead(question, plan, tools.index)):
        return looked_up(own)
    if nothing is not None:
        return Draft(plan=nothing.plan, evidence=nothing.evidence, spans=nothing.drafts)
    if not said and (record := records.instead(plan)):
        found = tools.search(record)
        return Draft(plan=record, evidence=found, spans=tools.generate(record, found))
    if said:
        return with_dangers(Draft(plan=plan, evidence=evidence, spans=spans), plan, tools)
    return (
        drug_by_drug(plan, tools)
        or of_its_class(question, plan, tools)
        or _of_the_cards(question, plan, tools)
        or in_one_passage(question, plan, tools)
        or _of_the_emergency(question, plan, tools)
        or _of_the_rest(question, plan, tools)
        or _of_most(question, plan, tools)
        or Draft(plan=plan, evidence=evidence, spans=spans)
    )


def _of_the_cards(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of the sentences of cards on all that is asked, with what a drug forbids."""
    lines = lines_of_cards(question, plan, tools)
    return with_dangers(lines, plan, tools) if lines else None


def _of_the_emergency(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of what is left of a question on an emergency, with what its drug forbids."""
    for rest in rests(question, plan, tools):
        found = _of_corpus(rest.question, rest.plan, tools.search(rest.plan), tools)
        if draft := answered(rest, found):
            return with_dangers(draft, plan, tools)
    return None


def _of_the_rest(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of a question less what nothing answers, if that says something."""
    narrowed = without_one(question, plan, tools.index)
    if narrowed is None:
        return None
    rest, notice = narrowed
    found = tools.search(rest)
    spans = tools.generate(rest, found)
    if not any(isinstance(s, DraftAssertion) for s in spans):
        return None
    return Draft(plan=rest, evidence=found, spans=spans, notice=notice)


def _own(question: Question, plan: RetrievalPlan, tools: Tools) -> DirectAnswer | None:
    return extracts(question, tools.index, plan.subject, every_word=True)


def _of_most(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of the user's passages that hold all words of a question but one."""
    own = extracts(question, tools.index, plan.subject, every_word=True, but_one=True)
    return looked_up_of(own, plan.subject, tools.index) if own else None
