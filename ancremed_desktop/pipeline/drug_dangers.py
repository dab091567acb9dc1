"""What a drug forbids, beside a dose of it in a case that none of its contraindications names."""

from __future__ import annotations

from dataclasses import replace

from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.domain.spans import DraftAssertion, Narrative
from ancremed_desktop.pipeline.bearing import is_of_its_drug
from ancremed_desktop.pipeline.case import Bearing, bearing, forbids
from ancremed_desktop.pipeline.drafts import Draft, Tools, after
from ancremed_desktop.pipeline.set_aside import DANGERS, dangers_alone

_DOSES = "posologie"
WHATEVER_THE_CASE = (
    "Aucun extrait de cette section ne nomme le cas demandé. Les extraits de cette section portent "
    "sur ce médicament, quel que soit le cas."
)


def with_dangers(draft: Draft, plan: RetrievalPlan, tools: Tools) -> Draft:
    """A draft about a drug in a case, with what the drug forbids where nothing names the case:
    « non trouvé » beside a dose would read as « rien ». ``plan``: of the whole question.
    """
    said = _says_its_dangers(draft)
    unasked = DANGERS not in plan.sections and _is_dosed_elsewhere(draft)
    rest = None if said else dangers_alone(plan, unasked=unasked)
    if rest is None:
        return draft
    found = tools.search(rest)
    spans = tools.generate(rest, found)
    if not any(isinstance(s, DraftAssertion) and (forbids(s.text) or not unasked) for s in spans):
        return draft
    named = any(
        isinstance(s, DraftAssertion) and bearing(s.text, plan.subject) is Bearing.FORBIDS
        for s in spans
    )
    filed = {
        h.passage.urn
        for s in draft.evidence.sections
        for h in s.hits
        if h.passage.section == DANGERS
    }
    own = [
        s
        for s in draft.spans
        if isinstance(s, DraftAssertion) and s.section == DANGERS and s.source_urn in filed
    ]
    quoted = {s.text for s in own}
    general = [] if named or own else [Narrative(text=WHATEVER_THE_CASE, section=DANGERS)]
    more = [s for s in spans if not (isinstance(s, DraftAssertion) and s.text in quoted)]
    rest_of_it = Draft(plan=replace(rest, sections=(DANGERS,)), evidence=found, spans=tuple(more))
    kept = (s for s in draft.spans if s.section != DANGERS)
    return after(replace(draft, spans=(*kept, *own, *general)), rest_of_it)


def _says_its_dangers(draft: Draft) -> bool:
    """Whether a draft says what a drug forbids from what its own source files as such: a dose that
    names a limit by the way, or the card of a disease, is not the list.
    """
    filed = {
        h.passage.urn
        for s in draft.evidence.sections
        for h in s.hits
        if not h.passage.section
        or (h.passage.section == DANGERS and is_of_its_drug(h.passage, draft.plan.subject))
    }
    return any(
        isinstance(s, DraftAssertion) and s.section == DANGERS and s.source_urn in filed
        for s in draft.spans
    )


def _is_dosed_elsewhere(draft: Draft) -> bool:
    """Whether a dose comes from a source that is not about its drug: that of a disease does not
    say what the drug forbids.
    """
    passages = {h.passage.urn: h.passage for s in draft.evidence.sections for h in s.hits}
    return any(
        s.section == _DOSES and not is_of_its_drug(passages[s.source_urn], draft.plan.subject)
        for s in draft.spans
        if isinstance(s, DraftAssertion)
    )
