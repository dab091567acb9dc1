"""What the user's documents say beside the corpus: of a drug, never of its neighbours."""

from __future__ import annotations

from dataclasses import replace

from ancremed_desktop.domain.evidence import Evidence, SectionEvidence
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import RetrievalPlan, Subject
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan
from ancremed_desktop.pipeline.bearing import names_drug
from ancremed_desktop.pipeline.case import Bearing, bearing
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.drafts import Draft, Tools, after
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.laboratory import value_names
from ancremed_desktop.pipeline.own_lines import EXTRACT, drugs_of, of_drugs, own_lines
from ancremed_desktop.pipeline.own_words import is_said
from ancremed_desktop.pipeline.whole_quotes import quote_whole
from ancremed_desktop.ports import PassageIndex

FORBIDDEN_HERE = (
    "Attention\u00a0: ce que les sources contre-indiquent ou déconseillent dans le cas demandé est "
    "montré en premier, avant toute dose."
)


def are_about(own: DirectAnswer, plan: RetrievalPlan, index: PassageIndex) -> bool:
    """Whether a title or heading of the user's passages names what a question is about, and what
    stands below it the rest.
    """
    read = value_names() if plan.subject.values else ()  # « hyperkaliémie » of « kaliémie 5,8 »
    asked = [c for c in plan.subject.concepts if c.phrases[0] not in read]
    for passage in (h.passage for s in own.evidence.sections for h in s.hits):
        title = f"{passage.origin_title} {passage.heading}"
        whole = f"{title}\n{passage.text}"
        named = any(is_said(title, c, index) for c in asked)
        if named and all(is_said(whole, c, index) for c in asked):
            return True
    return False


def is_of_the_user(draft: Draft) -> bool:
    """Whether all that a draft quotes stands in the user's documents, found by their sections."""
    silos = {h.passage.urn: h.passage.silo for s in draft.evidence.sections for h in s.hits}
    said = [silos[s.source_urn] for s in draft.spans if isinstance(s, DraftAssertion)]
    return bool(said) and all(silo is Silo.LOCAL for silo in said)


def joined(own: DirectAnswer, draft: Draft, index: PassageIndex) -> Draft:
    """The user's documents, then what the corpus says; that alone says nothing is left out."""
    found = own.evidence
    subject = draft.plan.subject
    alone = looked_up_of(own, subject, index)
    first = alone.spans
    quoted = {(d.source_urn, d.text) for d in first if isinstance(d, DraftAssertion)}
    rest = [
        s
        for s in draft.spans
        if not (isinstance(s, DraftAssertion) and (s.source_urn, s.text) in quoted)
    ]
    said = {s.section for s in rest if isinstance(s, DraftAssertion)}
    if not said:
        return alone
    kept = tuple(s for s in draft.plan.sections if s in said)
    return Draft(
        plan=replace(
            draft.plan,
            sections=(*own.plan.sections, *kept),
            sub_queries=(*own.plan.sub_queries, *draft.plan.sub_queries),
        ),
        evidence=replace(
            draft.evidence,
            sections=(*found.sections, *(s for s in draft.evidence.sections if s.section in said)),
            rounds=(*found.rounds, *draft.evidence.rounds),
        ),
        spans=(*first, *(s for s in rest if s.section in said)),
        notice=alone.notice or (FORBIDDEN_HERE if FORBIDDEN_HERE in draft.notice else ""),
        own=own,
    )


def forbids_here(span: DraftSpan, subject: Subject) -> bool:
    """Whether a span forbids the drug asked in the very case asked."""
    return (
        isinstance(span, DraftAssertion)
        and names_drug(subject)
        and bearing(span.text, subject) is Bearing.FORBIDS
    )


def looked_up_of(own: DirectAnswer, subject: Subject, index: PassageIndex) -> Draft:
    """The draft of the user's passages, of a drug its own paragraphs alone; what they forbid in the
    case asked first.
    """
    draft = looked_up(own)
    spans = of_the_drugs(draft.spans, own.evidence, subject, index)
    barred = [
        s
        for s in spans
        if isinstance(s, DraftAssertion) and bearing(s.text, subject) is Bearing.FORBIDS
    ]
    others = [s for s in spans if s not in barred]
    return replace(
        draft, spans=(*barred, *others), notice=FORBIDDEN_HERE if barred and others else ""
    )


def looked_up(own: DirectAnswer) -> Draft:
    """The draft of what was looked up: its passages whole, less the paragraphs not wanted."""
    return Draft(plan=own.plan, evidence=own.evidence, spans=quote_whole(own), own=own)


def with_own_lines(
    draft: Draft, plan: RetrievalPlan, tools: Tools, *, forbidding: bool = False
) -> Draft:
    """A draft on a drug after the lines of the user's documents that name it, what they forbid in
    the case asked first (``forbidding``: that alone); they stand alone where the corpus is silent.
    """
    quoted = [s.text for s in draft.spans if isinstance(s, DraftAssertion)]
    lines = [
        (hit, hit.passage.text[slice(*where)])
        for hit, where in own_lines(plan, tools.index, tools.lexicon.sections)
    ]
    fresh = [(hit, text) for hit, text in lines if not any(text in q for q in quoted)]
    if forbidding:
        fresh = [f for f in fresh if bearing(f[1], plan.subject) is Bearing.FORBIDS]
    if not fresh:
        return draft
    fresh.sort(key=lambda line: bearing(line[1], plan.subject))
    hits = tuple(dict.fromkeys(hit for hit, _text in fresh))
    found = SectionEvidence(section=EXTRACT, hits=hits, covered=True)
    own = Draft(
        plan=replace(draft.plan, sections=(EXTRACT,), sub_queries=()),
        evidence=replace(draft.evidence, sections=(found,), rounds=()),
        spans=tuple(quoted_as(EXTRACT, hit.passage, text) for hit, text in fresh),
        notice=draft.notice,
    )
    return after(own, draft) if quoted else own


def of_the_drugs(
    spans: tuple[DraftSpan, ...], found: Evidence, subject: Subject, index: PassageIndex
) -> tuple[DraftSpan, ...]:
    """Paragraphs of the user's documents less those on the neighbours of the drugs asked."""
    drugs = drugs_of(subject.concepts)
    passages = {h.passage.urn: h.passage for s in found.sections for h in s.hits}
    return tuple(
        s
        for s in spans
        if not isinstance(s, DraftAssertion)
        or of_drugs(s.text, passages[s.source_urn], drugs, index)
    )
