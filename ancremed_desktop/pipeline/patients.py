"""A pregnant woman in an emergency, or a newborn: of neither do most cards speak.

What is done at once for the adult is shown for her and it is said; what a card forbids her goes
first, and its dose is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit, SectionEvidence
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.domain.spans import DraftAssertion, Narrative
from ancremed_desktop.pipeline.bearing import DOSE
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.case import forbids
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.named_doses import drugs_in
from ancremed_desktop.pipeline.population import EXPECTING, groups
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.pipeline.whose import gives_amount, is_of_newborn, leaves_newborn_out
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

_DANGERS = "contre-indications"
_NOT_HIS = (
    "Les doses trouvées ne sont pas celles du nouveau-né\u00a0: elles ne sont pas montrées, avis "
    "spécialisé."
)
_FORBIDDING = (_DANGERS, "grossesse et allaitement")


def with_the_forbidden_apart(draft: Draft, question: Question, index: PassageIndex) -> Draft:
    """A draft on an emergency with what forbids a drug it doses to the pregnant woman asked about,
    right before the section of that dose: steps come first in an arrest, and not to treat is
    graver. What forbids to the newborn asked about the drugs whose doses are not his stands first.
    """
    subject = draft.plan.subject
    patients = subject.populations & EXPECTING
    if is_of_newborn(question.text):
        return _with_dangers_of_the_newborn(draft, index)
    if not (subject.vital and patients):
        return draft
    told: dict[tuple[str, str], DraftAssertion] = {}
    passages: dict[str, Passage] = {}
    dosing: list[str] = []
    for span in draft.spans:
        if not (isinstance(span, DraftAssertion) and DOSE.search(fold(span.text))):
            continue
        for passage, text in _forbidding(span.text, lambda s: bool(groups(s) & patients), index):
            dosing.append(span.section)
            passages[passage.urn] = passage
            told[passage.urn, text] = quoted_as(_DANGERS, passage, text)
    if not told:
        return draft
    quoted = {d.text for d in told.values()}
    rest = [s for s in draft.spans if not (isinstance(s, DraftAssertion) and s.text in quoted)]
    led = first_of_all(
        replace(draft, spans=tuple(rest)), tuple(told.values()), tuple(passages.values())
    )
    others = [s for s in led.plan.sections if s != _DANGERS]
    at = min((others.index(s) for s in dosing if s in others), default=0)
    ordered = (*others[:at], _DANGERS, *others[at:])
    return replace(led, plan=replace(led.plan, sections=ordered))


def first_of_all(
    draft: Draft, quotes: Sequence[DraftAssertion], passages: Sequence[Passage]
) -> Draft:
    """A draft with quotes of one section, of ``passages``, before all it says."""
    section = quotes[0].section
    evidence = draft.evidence
    hits = tuple(SearchHit(passage=p, score=1.0) for p in passages)
    had = tuple(h for s in evidence.sections if s.section == section for h in s.hits)
    own = SectionEvidence(section=section, hits=(*hits, *had), covered=True)
    others = (s for s in evidence.sections if s.section != section)
    sections = dict.fromkeys((section, *draft.plan.sections))
    spans = [
        s for s in draft.spans if isinstance(s, (DraftAssertion, Narrative)) or s.section != section
    ]
    return replace(
        draft,
        plan=replace(draft.plan, sections=tuple(sections)),
        evidence=replace(evidence, sections=(own, *others)),
        spans=(*quotes, *spans),
    )


def _with_dangers_of_the_newborn(draft: Draft, index: PassageIndex) -> Draft:
    passages: dict[str, Passage] = {}
    told: dict[tuple[str, str], DraftAssertion] = {}
    for hit in (h for s in draft.evidence.sections for h in s.hits):
        for unit in units(hit.passage, hit.passage.section):
            text = hit.passage.text[unit.start : unit.end]
            if not (leaves_newborn_out(text) and gives_amount(text)):
                continue
            for passage, sentence in _forbidding(text, is_of_newborn, index):
                passages[passage.urn] = passage
                told[passage.urn, sentence] = quoted_as(_DANGERS, passage, sentence)
    if not told:
        return draft
    quoted = {d.text for d in told.values()}
    rest = [s for s in draft.spans if not (isinstance(s, DraftAssertion) and s.text in quoted)]
    said = " ".join(filter(None, (_NOT_HIS, draft.notice)))
    return first_of_all(
        replace(draft, spans=tuple(rest), notice=said),
        tuple(told.values()),
        tuple(passages.values()),
    )


def _forbidding(
    text: str, is_of_them: Callable[[str], bool], index: PassageIndex
) -> Iterator[tuple[Passage, str]]:
    """(passage, sentence) of the cards of the drugs a text names that forbid them to patients."""
    for passage in of_cards(drugs_in(text, index), index):
        if passage.section not in _FORBIDDING or passage.superseded:
            continue
        for unit in units(passage, passage.section):
            sentence = passage.text[unit.start : unit.end]
            if forbids(sentence) and is_of_them(sentence):
                yield passage, sentence
