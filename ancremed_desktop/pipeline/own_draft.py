"""What the user's documents say of a drug, beside the corpus: never of its neighbours."""

from __future__ import annotations

from dataclasses import replace

from ancremed_desktop.domain.evidence import Evidence, SectionEvidence
from ancremed_desktop.domain.plans import RetrievalPlan, Subject
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan
from ancremed_desktop.pipeline.case import Bearing, bearing
from ancremed_desktop.pipeline.drafts import Draft, Tools, after
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.own_lines import EXTRACT, drugs_of, of_drugs, own_lines
from ancremed_desktop.ports import PassageIndex


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
