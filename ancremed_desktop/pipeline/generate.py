"""Fourth stage, deterministic form: whole source sentences chosen section by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import Evidence, SectionEvidence
from ancremed_desktop.domain.identifiers import (
    FORMULA_SECTIONS,
    SAFETY,
    PassageKind,
    Silo,
)
from ancremed_desktop.domain.plans import Question, RetrievalPlan, Subject
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.pipeline.about import FIRST_STEPS
from ancremed_desktop.pipeline.bearing import DOSE, is_of_a_combination, names_drug
from ancremed_desktop.pipeline.case import bearing, forbids
from ancremed_desktop.pipeline.focus import Quotable
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.interactions import readings
from ancremed_desktop.pipeline.lexicon import NO_CUES, SectionCues
from ancremed_desktop.pipeline.nothing_new import SAID_ABOVE
from ancremed_desktop.pipeline.own_lines import drugs_of, pieces
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.population import (
    DEFAULTS,
    EXPECTING,
    RESTRICTING,
    Fit,
    groups,
    is_of_infants,
    is_of_narrower,
    is_of_the_youngest,
)
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.routes import is_of_another_route, routes_in
from ancremed_desktop.pipeline.set_aside import as_typed
from ancremed_desktop.pipeline.silences import (
    DOSING,
    no_dose,
    nobody,
    not_found,
    of_adults,
    of_more,
    silent_on,
    unsaid,
)
from ancremed_desktop.pipeline.told_values import speaks_of
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.pipeline.whose import (
    DOSED,
    DOSES,
    TREATING,
    gives_amount,
    is_of_newborn,
    whose,
)
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

SENTENCES_PER_SECTION = 12
PASSAGES_PER_SECTION = 3
_CHILD = "enfant"
_EXAM = "Ce qui suit vient d’annales d’examen : une réponse d’examen ne dit pas comment soigner."
_Origin = tuple[bool, tuple[str, ...]]
"""Of an extract: whether an exam is its source, the patients it is about alone."""
_LIVE_VACCINES = ("immunodépression", "dépistage et prévention")
"""(group, section): a vaccine given to everybody may be forbidden to it."""
_GOES_ON = re.compile(r"\b(?:est|sont|etre) (?:repete|renouvele|redonne|mise? en relais)")
"""What goes on with an amount: without the amount it is of nothing shown."""
_UNSAID = re.compile(
    r"\b(?:la|cette|sa) (?:dose|posologie)(?: (?!d[eu]\b|d'|d’)\w+)* (?:est|ne depasse|peut|doit)\b"
)


class ExtractiveGenerator:
    """Chooses sentences; writes none. Its text is always the quote itself.

    ``names_drug``: whether a text names a drug of the corpus. ``names_of``: names a source bears,
    by its key.
    """

    name = "extraits"

    def __init__(
        self,
        sections: Mapping[str, SectionCues],
        names_drug: Callable[[str], bool],
        names_of: Callable[[str], Sequence[str]] = lambda _key: (),
    ) -> None:
        self._sections = sections
        self._names_drug = names_drug
        self._names_of = names_of

    def generate(
        self, question: Question, plan: RetrievalPlan, evidence: Evidence, cancel: CancelToken
    ) -> tuple[DraftSpan, ...]:
        """Draft spans in section order; a section without sentence is an abstention.

        Raises:
            Cancelled: the user stopped.

        """
        spans: list[DraftSpan] = []
        used: set[str] = set()
        for section in evidence.sections:
            cancel.raise_if_cancelled()
            spans += self._section(section, plan.subject, used, question)
        return tuple(spans)

    def _section(
        self, evidence: SectionEvidence, subject: Subject, used: set[str], question: Question
    ) -> list[DraftSpan]:
        named: list[DraftAssertion] = []
        general: list[DraftAssertion] = []
        above = withheld = False
        asked, newborn = subject.populations, is_of_newborn(question.text)
        may_withhold = evidence.section in DOSED and _CHILD in asked
        listed = [h.passage for h in evidence.hits if h.passage.kind is PassageKind.INTERACTION]
        pairs = [quoted_as(evidence.section, p, p.text) for p in listed]
        others = [h for h in evidence.hits if h.passage.kind is not PassageKind.INTERACTION]
        if evidence.section in TREATING:
            alone = [h for h in others if not self._is_of_another_drug(h.passage, subject)]
            if others and not alone:
                return [Abstention(section=evidence.section, reason=of_more(others[0].passage))]
            others = alone
        for hit in others[:PASSAGES_PER_SECTION]:
            passage = hit.passage
            context = groups(f"{passage.origin_title} {passage.heading}")
            for text in self._sentences(passage, evidence.section, subject):
                key = " ".join(fold(text).split())
                stand = whose(text, context, evidence.section, subject, newborn=newborn)
                told = stand is Fit.NAMED or (stand is Fit.GENERAL and not asked - DEFAULTS)
                above = above or (key in used and told)
                withheld = withheld or (stand is Fit.OTHER and may_withhold and gives_amount(text))
                if key in used or stand is Fit.OTHER:
                    continue
                used.add(key)
                draft = quoted_as(evidence.section, passage, text)
                (named if stand is Fit.NAMED else general).append(draft)
        silent = not named and bool(asked - DEFAULTS)
        if silent and _CHILD in asked and evidence.section in DOSING:
            return [Abstention(section=evidence.section, reason=nobody(evidence, asked))]
        adults: list[Narrative] = []
        if general and (wary := _wary_of(asked, evidence.section)):
            general = _of_the_emergency(general, evidence, subject)
            if silent and not general:
                return [Abstention(section=evidence.section, reason=unsaid(wary))]
            adults = [Narrative(text=of_adults(wary), section=evidence.section)] * bool(general)
        undosed = may_withhold and evidence.section == DOSES and not _any_amount(named)
        chosen = [*named, *(d for d in general if not (undosed and gives_amount(d.text)))]
        if withheld and not _any_amount(chosen):
            chosen = [d for d in chosen if not _GOES_ON.search(fold(d.text))]
        origins = {h.passage.urn: _origin(h.passage, asked) for h in evidence.hits}
        chosen = _in_order(chosen, subject, evidence.section, origins)
        _put_youngest_first(chosen, question, origins)
        drafts = [*pairs, *chosen]
        if not drafts:
            if withheld:
                return [Abstention(section=evidence.section, reason=no_dose(asked))]
            return _without_any(evidence, subject, above=above)
        undosed = undosed or (withheld and not _any_amount(chosen))
        notice = [
            *(adults or silent_on(asked if silent else frozenset(), evidence.section)),
            *([Narrative(text=no_dose(asked), section=evidence.section)] if undosed else []),
            *_lacking(subject, chosen, evidence, question),
        ]
        read = [Narrative(text=t, section=evidence.section) for t in readings(subject.pairs)]
        return [*notice, *(read if pairs else ()), *pairs, *_told_apart(chosen, origins)]

    def _is_of_another_drug(self, passage: Passage, subject: Subject) -> bool:
        """Whether a passage is about a combination of which only a part is asked about, unless the
        part is given in it alone: its source then bears the name of the part.
        """
        if not is_of_a_combination(passage, subject):
            return False
        names = {fold(name) for name in self._names_of(passage.source_key)}
        return not any(p in names for c in subject.concepts if c.mandatory for p in c.phrases)

    def _sentences(self, passage: Passage, section: str, subject: Subject) -> list[str]:
        found = []
        drug_source = passage.source_identifier.isdecimal() or self._names_drug(
            f"{passage.origin_title} {passage.heading}"
        )
        another = drug_source and _is_another_drugs(passage, subject)
        if another and passage.source_identifier.isdecimal():
            return []
        ranges = quotable(
            passage, section, self._sections.get(section, NO_CUES), subject, widened=True
        )
        for text in _texts(passage, section, ranges, subject):
            if another and not all(holds(text, c) for c in drugs_of(subject.concepts)):
                continue
            # A dose quoted alone must say of which drug.
            if (
                not drug_source
                and DOSE.search(fold(text))
                and not self._says_of_what(passage, text)
            ):
                continue
            found.append(text)
        return found

    def _says_of_what(self, passage: Passage, text: str) -> bool:
        """Whether a dose is of something named: a drug, or, in a card, whose sentences are written
        to be read alone, whatever is given (« ocytocine », « sucre ») unless « la dose est de ».
        """
        unsaid = passage.silo is not Silo.FICHES or _UNSAID.search(fold(text))
        return not unsaid or self._names_drug(text)


def _is_another_drugs(passage: Passage, subject: Subject) -> bool:
    """Whether a source about one drug would be quoted for another it only mentions."""
    title = f"{passage.origin_title} {passage.heading}"
    drugs = drugs_of(subject.concepts)
    return bool(drugs) and not any(
        passage.source_identifier in c.identifiers or holds(title, c) for c in drugs
    )


def _texts(
    passage: Passage, section: str, ranges: Sequence[Quotable], subject: Subject
) -> Iterator[str]:
    """The quotes; of a list of the user's that doses several drugs, the items on those asked."""
    drugs = drugs_of(subject.concepts)
    own = passage.silo is Silo.LOCAL and bool(drugs)
    lists = {(u.start, u.end): u for u in units(passage, section)} if own else {}
    for quote in ranges:
        unit = lists.get((quote.start, quote.end))
        cut = pieces(unit, passage.text, drugs) if unit else [(quote.start, quote.end)]
        yield from (passage.text[start:end] for start, end in cut)


def quoted_as(section: str, passage: Passage, text: str) -> DraftAssertion:
    """A range of a passage as an assertion of a section."""
    return DraftAssertion(
        section=section,
        text=text,
        exact_source_quote=text,
        source_urn=passage.urn,
        subject_entity_id=passage.source_identifier,
        confidence_score=1.0,
    )


def _without_any(evidence: SectionEvidence, subject: Subject, *, above: bool) -> list[DraftSpan]:
    """What stands for a section without a sentence of its own."""
    if subject.pairs:
        return []  # said with the date of the thesaurus when the answer is composed
    if above:
        return [Narrative(text=SAID_ABOVE, section=evidence.section)]
    return [Abstention(section=evidence.section, reason=not_found(evidence, subject))]


def _wary_of(asked: frozenset[str], section: str) -> frozenset[str]:
    """Groups asked about to whom what a section gives to everybody may be forbidden."""
    expecting = EXPECTING & asked if section in TREATING else frozenset()
    group, vaccines = _LIVE_VACCINES
    return expecting | (asked & {group} if section == vaccines else frozenset())


def _of_the_emergency(
    general: Sequence[DraftAssertion], evidence: SectionEvidence, subject: Subject
) -> list[DraftAssertion]:
    """Of what is given to everybody, what the card of an emergency asked about says: not to treat
    is graver. What a drug’s own card says is kept where it names the emergency.
    """
    if not subject.vital or not EXPECTING & subject.populations:
        return []
    cards = {h.passage.urn: h.passage for h in evidence.hits if h.passage.silo is Silo.FICHES}
    named = [c for c in subject.concepts if not c.mandatory]
    own = {i for c in named for i in c.identifiers}
    return [
        d
        for d in general
        if d.source_urn in cards
        and (d.subject_entity_id in own or any(holds(d.text, c) for c in named))
    ]


def _lacking(
    subject: Subject,
    chosen: Sequence[DraftAssertion],
    evidence: SectionEvidence,
    question: Question,
) -> list[Narrative]:
    """What the sentences of an emergency do not speak of, if anything asked."""
    titles = {h.passage.urn: h.passage.origin_title for h in evidence.hits}
    texts = [f"{titles[d.source_urn]} {d.text}" for d in chosen]
    named = (c for c in subject.concepts if c.phrases[0] in subject.spare)
    absent = [c.phrases[0] for c in named if not any(holds(text, c) for text in texts)]
    if not absent or not chosen:
        return []
    words = ", ".join(f"«{NBSP}{as_typed(w, question.text)}{NBSP}»" for w in absent)
    text = f"Aucun extrait de cette section ne parle de {words}."
    return [Narrative(text=text, section=evidence.section)]


def _origin(passage: Passage, asked: frozenset[str]) -> _Origin:
    """Whether a passage is of an exam, and of which patients alone where none are asked about."""
    context = groups(f"{passage.origin_title} {passage.heading}")
    about = () if asked else tuple(sorted(context & RESTRICTING))
    return passage.kind is PassageKind.EXAM_ANSWER, about


def _is_by_any_route(draft: DraftAssertion) -> bool:
    """Whether a draft is a dose that says no route: it may not be read as that of the one asked."""
    return DOSE.search(fold(draft.text)) is not None and not routes_in(draft.text)


def _in_order(
    chosen: list[DraftAssertion], subject: Subject, section: str, origins: Mapping[str, _Origin]
) -> list[DraftAssertion]:
    """What bears most on the case first, then what speaks of a value given, exams last; of doses
    those by the route asked, where a sentence gives one, or else those that say their own.
    """
    if section in DOSING and subject.routes:
        drugs = drugs_of(subject.concepts)  # glucagon by vein is no adrenaline by vein
        named = [d for d in chosen if not drugs or any(holds(d.text, c) for c in drugs)]
        own = any(set(routes_in(d.text)) & set(subject.routes) for d in named)
        chosen = [
            d
            for d in chosen
            if not (is_of_another_route(d.text, subject.routes) if own else _is_by_any_route(d))
        ]
    if section not in SAFETY:  # « seuils »: a sentence with one before one about them
        chosen.sort(key=lambda d: not gives(fold(d.text), subject.point.figure))
    if section in DOSING and names_drug(subject):
        chosen.sort(key=lambda d: is_of_narrower(d.text, subject.populations))
    if names_drug(subject) or subject.values:
        chosen.sort(key=lambda d: bearing(d.text, subject))
    if subject.measures and section not in SAFETY:
        chosen.sort(key=lambda d: not any(speaks_of(d.text, m) for m in subject.measures))
    chosen.sort(key=lambda d: origins[d.source_urn])
    if section in SAFETY:
        return chosen
    kept, left = chosen[:SENTENCES_PER_SECTION], chosen[SENTENCES_PER_SECTION:]
    return kept + [d for d in left if section in FIRST_STEPS and forbids(d.text)]


def _any_amount(drafts: Sequence[DraftAssertion]) -> bool:
    return any(gives_amount(d.text) for d in drafts)


def _put_youngest_first(
    chosen: list[DraftAssertion], question: Question, origins: Mapping[str, _Origin]
) -> None:
    """« Avant 1 an : avis spécialisé » may hold of an infant; « à partir de 1 an » may not."""
    if is_of_infants(question.text):
        chosen.sort(key=lambda d: (origins[d.source_urn], not is_of_the_youngest(d.text)))


def _told_apart(
    chosen: Sequence[DraftAssertion], origins: Mapping[str, _Origin]
) -> list[DraftSpan]:
    """Extracts in order, those of exams and of sources about some patients alone each behind a line
    that says so. ``origins``: by URN.
    """
    spans: list[DraftSpan] = []
    which = (
        "qui suivent" if len({origins[d.source_urn] for d in chosen}) > 1 else "de cette section"
    )
    before: _Origin = False, ()
    for draft in chosen:
        exam, about = origins[draft.source_urn]
        if exam and not before[0]:
            spans.append(Narrative(text=_EXAM, section=draft.section))
        if about and about != before[1] and draft.section not in FORMULA_SECTIONS:
            text = f"Les extraits {which} viennent d’une source qui porte sur : {', '.join(about)}."
            spans.append(Narrative(text=text, section=draft.section))
        before = exam, about
        spans.append(draft)
    return spans
