"""The dose of what the card of an emergency says to give at once without saying how much to the
patients asked about: it may stand under the other half of its title (« méningite et purpura »), or
in the card of the drug (naloxone to a child).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.plans import Concept, Question, Subject
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.population import Fit, groups
from ancremed_desktop.pipeline.silences import no_dose, silent_on
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.pipeline.whose import gives_amount, is_of_newborn, whose
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

_AT_ONCE = ("gestes immédiats", "antidote")
_DOSED = frozenset({"posologie", "traitement", *_AT_ONCE})
_CHILD = "enfant"
_TELLING = 6
"""Letters by which « intoxiqué par un opioïde » is of « Intoxication aux opioïdes »."""


def with_doses_of_the_named(draft: Draft, question: Question, index: PassageIndex) -> Draft:
    """A draft on a child’s emergency in which what is given at once is followed by its dose."""
    subject = draft.plan.subject
    if _CHILD not in subject.populations:
        return draft
    passages = {h.passage.urn: h.passage for s in draft.evidence.sections for h in s.hits}
    newborn = is_of_newborn(question.text)
    dosed = [s.text for s in draft.spans if isinstance(s, DraftAssertion) and gives_amount(s.text)]
    spans: list[DraftSpan] = []
    added: dict[str, list[Passage]] = {}
    for span in draft.spans:
        spans.append(span)
        if not isinstance(span, DraftAssertion) or span.section not in _AT_ONCE:
            continue
        card = passages[span.source_urn]
        if card.section not in _AT_ONCE or card.source_identifier.isdecimal():
            continue  # what undoes a drug stands in its own card beside how it is given
        for drug in drugs_in(span.text, index):
            if any(holds(text, drug) for text in (card.origin_title, *dosed)):
                continue
            for passage, text in _doses_of(drug, card, subject, index, newborn=newborn):
                if text in dosed:
                    continue
                spans.append(quoted_as(span.section, passage, text))
                dosed.append(text)
                added.setdefault(span.section, []).append(passage)
    if not added:
        return draft
    sections = tuple(
        replace(s, hits=(*s.hits, *(SearchHit(passage=p, score=0.0) for p in added[s.section])))
        if s.section in added
        else s
        for s in draft.evidence.sections
    )
    silent = [n.text for s in added for n in silent_on(subject.populations, s)]
    denied = (no_dose(subject.populations), *silent)
    told = [
        s
        for s in spans
        if not (isinstance(s, Narrative) and s.section in added and s.text in denied)
    ]
    return replace(draft, spans=tuple(told), evidence=replace(draft.evidence, sections=sections))


def drugs_in(text: str, index: PassageIndex) -> Iterator[Concept]:
    """The drugs of the corpus a text names."""
    for m in index.mentions(text):
        if m.is_drug:
            name = fold(text[m.start : m.end])
            yield Concept(phrases=(name,), identifiers=m.identifiers, mandatory=True)


def _doses_of(
    drug: Concept, card: Passage, subject: Subject, index: PassageIndex, *, newborn: bool
) -> Iterator[tuple[Passage, str]]:
    """(passage, sentence) that dose a drug for the patients asked about: of the same card, or of
    the card of the drug where it names what the first is about.
    """
    own = Concept(phrases=(), identifiers=(card.source_identifier,))
    for passage in of_cards((own, drug), index):
        if passage.section not in _DOSED or passage.superseded:
            continue
        same = passage.source_identifier == card.source_identifier
        context = groups(f"{passage.origin_title} {passage.heading}")
        for unit in units(passage, passage.section):
            text = passage.text[unit.start : unit.end]
            stand = whose(text, context, passage.section, subject, newborn=newborn)
            about = same or _is_about(text, card.origin_title)
            if stand is Fit.NAMED and gives_amount(text) and about and holds(text, drug):
                yield passage, text


def _is_about(text: str, title: str) -> bool:
    """Whether a sentence names every word that tells what a card is about."""
    folded = fold(text)
    words = [w[:_TELLING] for w in content_words(fold(title)) if len(w) >= _TELLING]
    return bool(words) and all(w in folded for w in words if not groups(w))
