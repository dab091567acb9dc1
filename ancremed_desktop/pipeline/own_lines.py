"""The lines of the user's documents on the drugs of a question, beside what the corpus says.

A protocol doses several drugs in one section: only what names the drug asked is of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import OWN_SECTIONS, Silo
from ancremed_desktop.domain.plans import Concept, PlanMode, RetrievalPlan
from ancremed_desktop.pipeline.case import Bearing, bearing, holds_value
from ancremed_desktop.pipeline.holding import holds, starts_a_word
from ancremed_desktop.pipeline.laboratory import value_names
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.pipeline.own_words import is_said
from ancremed_desktop.pipeline.population import Fit, groups
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.pipeline.whose import DOSES, gives_amount, whose
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.announcing import forbids, leads
from ancremed_desktop.text.lists import Range, Statement
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

EXTRACT = OWN_SECTIONS[2]
_CANDIDATES = 50
_LINES = 8
_AMOUNT = re.compile(r"\d\s?(?:mg|g|µg|mcg|microgrammes?|ui|unites?|ml|gouttes?|comprimes?|cp)\b")


def own_lines(
    plan: RetrievalPlan, index: PassageIndex, sections: Mapping[str, SectionCues]
) -> tuple[tuple[SearchHit, Range], ...]:
    """(hit, range) of what the user's documents say of the only subject of a question on drugs, in
    the order of the search; empty where no drug is named.
    """
    subject = plan.subject
    drugs = drugs_of(subject.concepts)
    if not drugs or subject.pairs:
        return ()
    words = dict.fromkeys(w for d in drugs for p in d.phrases for w in content_words(p))
    request = SearchRequest(
        query=" ".join(words), mode=MatchMode.ANY, silos=(Silo.LOCAL,), limit=_CANDIDATES
    )
    others = [c for c in subject.concepts if c not in drugs]
    # « thrombopénie », read for « plaquettes 80 »: what forbids at a value gives the figure.
    unread = [c for c in others if c.phrases[0] not in value_names()]
    found: list[tuple[SearchHit, Range]] = []
    for hit in index.search(request):
        passage = hit.passage
        context = groups(f"{passage.origin_title} {passage.heading}")
        for start, end in _lines(passage, drugs, index):
            text = passage.text[start:end]
            about = f"{passage.origin_title} {passage.heading} {text}"
            stand = whose(text, context, DOSES, subject, newborn=False)
            # An amount that says of nobody is an adult's, a limit too: of a child it says nothing.
            adult = "enfant" in subject.populations and gives_amount(text)
            barred = bearing(text, subject) is Bearing.FORBIDS
            owed = unread if barred and holds_value(text, subject) else others
            if (
                (stand is Fit.NAMED if adult else stand is not Fit.OTHER)
                and all(is_said(about, c, index) for c in owed)
                and (barred or _is_asked(passage, text, plan, sections))
            ):
                found.append((hit, (start, end)))
    return tuple(found[:_LINES])


def drugs_of(concepts: Iterable[Concept]) -> list[Concept]:
    """The drugs among what a question names."""
    return [c for c in concepts if c.mandatory and not c.exact]


def of_drugs(text: str, passage: Passage, drugs: Sequence[Concept], index: PassageIndex) -> bool:
    """Whether a paragraph is of every drug asked: it or the heading it stands under names them, or
    the title of its document does and it names no other.
    """
    if all(holds(text, d) or holds(passage.heading, d) for d in drugs):
        return True
    above = f"{passage.origin_title} {passage.heading}"
    return all(holds(above, d) for d in drugs) and not any(
        m.is_drug_or_class and not any(holds(text[m.start : m.end], d) for d in drugs)
        for m in index.mentions(text)
    )


def pieces(unit: Statement, text: str, drugs: Sequence[Concept]) -> list[Range]:
    """What of a statement is of the drugs asked: of a list that a title at most stands over, its
    items that name them; any other statement, and a list that something announces, whole.
    """
    over = text[unit.start : unit.lead]
    announced = leads(over) or forbids(over)
    if announced or unit.whole or not unit.parts[1:]:
        return [(unit.start, unit.end)]
    items = [(_begin(text, max(a, unit.lead), b), b) for a, b in unit.parts]
    named = [(a, b) for a, b in items if all(holds(text[a:b], d) for d in drugs)]
    return named or [(unit.start, unit.end)]


def _begin(text: str, start: int, end: int) -> int:
    """Where the text of a range begins."""
    return end - len(text[start:end].lstrip())


def _lines(passage: Passage, drugs: Sequence[Concept], index: PassageIndex) -> Iterator[Range]:
    for unit in units(passage, EXTRACT):
        for start, end in pieces(unit, passage.text, drugs):
            if of_drugs(passage.text[start:end], passage, drugs, index):
                yield start, end


def _is_asked(
    passage: Passage, text: str, plan: RetrievalPlan, sections: Mapping[str, SectionCues]
) -> bool:
    """Whether a line speaks of a section asked; of a whole topic every line does."""
    if plan.mode is not PlanMode.TARGETED:
        return True
    folded = fold(text)
    if "posologie" in plan.sections and _AMOUNT.search(folded):
        return True
    return any(
        passage.section == s or any(starts_a_word(folded, c) for c in sections[s].cues)
        for s in plan.sections
        if s in sections
    )
