"""Third stage: at most three rounds of searches until each section is covered (spec §6.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import (
    Evidence,
    MatchMode,
    QueryTrace,
    Round,
    SearchHit,
    SearchRequest,
    SectionEvidence,
)
from ancremed_desktop.domain.identifiers import SAFETY, PassageKind, Silo, TopicClass
from ancremed_desktop.domain.plans import RetrievalPlan, Subject, SubQuery
from ancremed_desktop.pipeline.codes import asks_code
from ancremed_desktop.pipeline.focus import narrowness
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.pipeline.meaning import fused
from ancremed_desktop.pipeline.population import RESTRICTING, Fit, fit, groups
from ancremed_desktop.pipeline.relevance import (
    CROSSING,
    quotable,
)
from ancremed_desktop.pipeline.succession import is_aged
from ancremed_desktop.ports import PassageIndex

MAX_ROUNDS = 3
_PAIRS_SECTION = "interactions"
ROWS_PER_QUERY = 6
MAX_PASSAGES = 40
"""Per question; more would slow every later stage and is never read."""
_TAUGHT = frozenset({TopicClass.DEFINITION, TopicClass.SEMIOLOGY, TopicClass.ANATOMY})
_CARE = frozenset(
    {"traitement", "première intention", "gestes immédiats", "conduite à tenir", "alternatives",
     "indication", "posologie", "antidote"}
)  # fmt: skip
_ANYWHERE = CROSSING | SAFETY | {"définition"}
"""Sections gathered wherever they stand in a card."""
_HOW_IT_WORKS = ("mécanisme et pharmacocinétique",)
_ICD = "CIM10-"
"""Begins the identifier of a category of the ICD."""
_OWN_SOURCES = 12
"""Sources about one name that are opened directly (a substance may have two hundred)."""


_Search = tuple[str, str, str, Sequence[SearchHit]]
"""(query, mode, silos, hits)."""

NearestHits = Callable[[tuple[Silo, ...], int], Sequence[SearchHit]]
"""(silos, limit) → passages near the question in meaning, best first."""


def none_near(_silos: tuple[Silo, ...], _limit: int) -> Sequence[SearchHit]:
    """Where meaning is not searched."""
    return ()


@dataclass(slots=True)
class _State:
    hits: dict[str, list[SearchHit]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    rounds: list[Round] = field(default_factory=list)
    traces: list[QueryTrace] = field(default_factory=list)
    listed: list[SearchHit] = field(default_factory=list)
    """Interactions of the thesaurus, found by look-up."""
    found: dict[SearchRequest, tuple[SearchHit, ...]] = field(default_factory=dict)
    """Sections share most of their searches: each is made once."""
    quotes: dict[tuple[str, str, bool], bool] = field(default_factory=dict)
    """Whether a passage (URN) may be quoted for a section, widened or not: rounds overlap."""
    answers: dict[str, bool] = field(default_factory=dict)
    """Whether a passage (URN) may answer: sections are offered much the same ones."""
    own: list[SearchHit] | None = None
    """What the sources about the subject hold, once it was read."""
    nearest: NearestHits = none_near

    def may_answer(self, hit: SearchHit, plan: RetrievalPlan) -> bool:
        urn = hit.passage.urn
        if urn not in self.answers:
            self.answers[urn] = may_answer(hit, plan)
        return self.answers[urn]

    def search(self, request: SearchRequest, index: PassageIndex) -> tuple[SearchHit, ...]:
        if request not in self.found:
            self.found[request] = index.search(request)
        return self.found[request]

    def may_quote(
        self, passage: Passage, section: str, cues: SectionCues, subject: Subject, *, widened: bool
    ) -> bool:
        asked = passage.urn, section, widened
        if asked not in self.quotes:
            found = quotable(passage, section, cues, subject, widened=widened)
            self.quotes[asked] = bool(found)
        return self.quotes[asked]


def deep_search(
    plan: RetrievalPlan,
    index: PassageIndex,
    sections: Mapping[str, SectionCues],
    cancel: CancelToken,
    nearest: NearestHits = none_near,
) -> Evidence:
    """Search section by section; a passage counts when it holds the subject and the section,
    one that is only near in meaning (added to the widest search) like the others.

    Raises:
        Cancelled: the user stopped.

    """
    state = _State(nearest=nearest, hits={s: [] for s in plan.sections})
    state.listed = _listed_pairs(plan, index)
    pending = list(plan.sections)
    known = len(plan.subject.concepts) - len(plan.subject.unknown_words)
    if known <= 0:
        return _evidence(plan, state, "Le sujet de la question n’est pas dans le corpus.", off=True)
    for number in range(1, MAX_ROUNDS + 1):
        state.traces = _pair_traces(plan) if number == 1 else []
        fresh = 0
        for section in pending:
            cancel.raise_if_cancelled()
            cues = sections[section]
            searches = _searches(plan, number, index, state)
            widened = number > 1 or section in CROSSING
            fresh += _search_section(plan, section, searches, cues, state, widened=widened)
        pending = [s for s in pending if not _is_covered(state, s, plan.subject)]
        state.rounds.append(
            Round(number=number, queries=tuple(state.traces), uncovered=tuple(pending))
        )
        if not pending:
            return _evidence(plan, state, "Toutes les sections sont couvertes.")
        if len(state.seen) >= MAX_PASSAGES:
            return _evidence(plan, state, "Nombre maximal de passages atteint.")
    reason = "Trois tours sans nouveau passage pour les sections restantes."
    return _evidence(
        plan,
        state,
        reason,
        off=bool(plan.subject.unknown_words) and not (state.seen or state.listed),
    )


def search_again(
    plan: RetrievalPlan,
    found: Evidence,
    queries: Sequence[SubQuery],
    index: PassageIndex,
    sections: Mapping[str, SectionCues],
    cancel: CancelToken,
) -> Evidence:
    """One more round, with queries from elsewhere, for the sections ``found`` left empty.

    A passage counts as in ``deep_search``: it must hold the subject and the section.

    Raises:
        Cancelled: the user stopped.

    """
    empty = [s.section for s in found.sections if not s.hits]
    asked = {s: [q for q in queries if q.section == s] for s in empty}
    if found.off_corpus or not any(asked.values()):
        return found
    state = _State(
        hits={s.section: list(s.hits) for s in found.sections},
        seen=set(found.urns),
        rounds=list(found.rounds),
    )
    for section in empty:
        cancel.raise_if_cancelled()
        searches = _proposed(asked[section], index)
        _search_section(plan, section, searches, sections[section], state, widened=True)
    uncovered = tuple(s for s in empty if not state.hits[s])
    state.rounds.append(
        Round(number=len(state.rounds) + 1, queries=tuple(state.traces), uncovered=uncovered)
    )
    reason = found.stop_reason if uncovered else "Toutes les sections sont couvertes."
    return _evidence(plan, state, reason)


def _proposed(queries: Sequence[SubQuery], index: PassageIndex) -> Iterator[_Search]:
    for query in queries:
        for mode, limit in ((MatchMode.ALL, 1), (MatchMode.ANY, 8)):
            request = _request(query.query, mode, (), limit=limit * ROWS_PER_QUERY)
            yield query.query, mode.value, "any", index.search(request)


def _listed_pairs(plan: RetrievalPlan, index: PassageIndex) -> list[SearchHit]:
    """Pairs of the interactions thesaurus, then where it files the drugs asked about."""
    pairs = plan.subject.pairs
    own = (i for pair in pairs for i in pair.identifiers)
    filed = (i for pair in pairs for i in pair.filed)
    return [
        SearchHit(passage=p, score=0.0)
        for i in dict.fromkeys((*own, *filed))
        for p in index.passages_of(i)
        if not p.superseded
    ]


def _is_covered(state: _State, section: str, subject: Subject) -> bool:
    """Whether a section has a passage that is not of some patients alone, unasked."""
    return any(not _is_narrow(h.passage, subject) for h in _hits(state, section))


def _is_narrow(passage: Passage, subject: Subject) -> bool:
    """Whether a source is about some patients alone where none are asked about: what it says of a
    cystitis in pregnancy is not all that is said of a cystitis.
    """
    context = groups(f"{passage.origin_title} {passage.heading}")
    return bool(not subject.populations and context & RESTRICTING)


def _pair_traces(plan: RetrievalPlan) -> list[QueryTrace]:
    return [
        QueryTrace(
            section=_PAIRS_SECTION,
            query=" + ".join(p.label for p in (pair.first, pair.second) if p),
            silo=Silo.BDPM,
            mode="thésaurus",
            hits=len(pair.identifiers),
            fresh=len(pair.identifiers),
        )
        for pair in plan.subject.pairs
    ]


def _hits(state: _State, section: str) -> tuple[SearchHit, ...]:
    listed = state.listed if section == _PAIRS_SECTION else ()
    return (*listed, *state.hits[section])


def _evidence(plan: RetrievalPlan, state: _State, reason: str, *, off: bool = False) -> Evidence:
    return Evidence(
        sections=tuple(
            SectionEvidence(section=s, hits=_hits(state, s), covered=bool(_hits(state, s)))
            for s in plan.sections
        ),
        rounds=tuple(state.rounds),
        stop_reason=reason,
        off_corpus=off,
    )


def _search_section(
    plan: RetrievalPlan,
    section: str,
    searches: Iterable[_Search],
    cues: SectionCues,
    state: _State,
    *,
    widened: bool,
) -> int:
    """Run searches for one section until one finds a passage that its own source files under it;
    returns how many passages are new.
    """
    fresh = 0
    good: dict[str, SearchHit] = {}
    for label, mode, silos, raw in searches:
        hits = [
            h
            for h in raw
            if state.may_answer(h, plan) and not _is_filed_apart(h.passage, section, plan)
        ]
        found = [
            h
            for h in hits
            if h.passage.urn not in good
            and state.may_quote(h.passage, section, cues, plan.subject, widened=widened)
        ]
        good.update((h.passage.urn, h) for h in found)
        new = [h for h in found if h.passage.urn not in state.seen]
        state.seen.update(h.passage.urn for h in new)
        trace = QueryTrace(
            section=section, query=label, silo=silos, mode=mode, hits=len(hits), fresh=len(new)
        )
        state.traces.append(trace)
        fresh += len(new)
        filed = (h for h in good.values() if h.passage.section == section)
        if any(not _is_narrow(h.passage, plan.subject) for h in filed):
            break
    if good:
        ranked = sorted(good.values(), key=lambda h: _order(h, section, plan.subject))
        state.hits[section] = ranked[:ROWS_PER_QUERY]
    return fresh


def _is_filed_apart(passage: Passage, section: str, plan: RetrievalPlan) -> bool:
    """Whether a passage of a card is filed under another section of the plan, where it is shown:
    a treatment is no way to recognise a disease. What forbids and what defines is gathered
    wherever it stands, and what is given may stand in any section of care.
    """
    cared = section in _CARE and passage.section in _CARE
    return not cared and (
        passage.silo is Silo.FICHES
        and passage.section != section
        and passage.section in plan.sections
        and section not in _ANYWHERE
    )


def may_answer(hit: SearchHit, plan: RetrievalPlan) -> bool:
    """An exam answer teaches; it does not say what to prescribe or do. A code of the ICD answers
    where a code is asked, and nothing else: what a disease is called says nothing of it.
    """
    is_code = hit.passage.source_identifier.startswith(_ICD)
    asked = asks_code(plan.subject)
    if is_code or asked:
        return is_code and asked
    is_exam = hit.passage.kind is PassageKind.EXAM_ANSWER
    return not is_exam or plan.primary_class in _TAUGHT or plan.sections == _HOW_IT_WORKS


def _order(
    hit: SearchHit, section: str, subject: Subject
) -> tuple[int, bool, int, bool, bool, bool, float]:
    """Whom it is about first, then what no later document replaces, then the rows of tables that
    are of no narrower case, then what it is filed under, exam answers last, texts of ten years
    behind later ones, then rank.
    """
    passage = hit.passage
    context = groups(f"{passage.origin_title} {passage.heading}")
    stand = fit(groups(passage.text), context, subject.populations, dosing=False)
    return (
        (Fit.NAMED, Fit.GENERAL, Fit.OTHER).index(stand) + _is_narrow(passage, subject),
        is_outdated(passage, subject),
        narrowness(passage, subject),
        passage.section != section,
        passage.kind is PassageKind.EXAM_ANSWER,
        is_aged(passage.silo, passage.regulatory_date, date.today().year),
        -hit.score,
    )


def is_outdated(passage: Passage, subject: Subject) -> bool:
    """Whether another source replaces that of a passage on this subject."""
    return any(passage.source_key == old for old, _new in subject.outdated)


def _searches(
    plan: RetrievalPlan, number: int, index: PassageIndex, state: _State
) -> Iterator[_Search]:
    """Rounds 1 and 2: the sources that are about the subject, then the best passages; round 3, in
    every silo: the best passages and those near in meaning, then those that hold a piece of the
    words.
    """
    silos = plan.silos if number < MAX_ROUNDS else ()
    named = [c for c in plan.subject.concepts if c.identifiers]
    if number < MAX_ROUNDS and named:
        own = _of_sources(plan, index, state)
        yield " / ".join(c.phrases[0] for c in named), "nom", "any", own
    if plan.search is not None:
        hits = state.search(replace(plan.search, silos=silos), index)
        near = state.nearest((), plan.search.limit) if number == MAX_ROUNDS else ()
        mode = f"{MatchMode.RANKED.value} + sens" if near else MatchMode.RANKED.value
        merged = fused(hits, near, len(hits) + len(near))
        yield plan.search.query, mode, ",".join(silos) or "any", merged
    if number == MAX_ROUNDS:
        scan = _request(" ".join(plan.subject.words), MatchMode.SUBSTRING, ())
        yield scan.query, scan.mode.value, "any", state.search(scan, index)


def _of_sources(plan: RetrievalPlan, index: PassageIndex, state: _State) -> list[SearchHit]:
    """Passages of the sources about the subject, those that the ranked search found first."""
    if state.own is not None:
        return state.own
    found = state.search(plan.search, index) if plan.search else ()
    scores = {h.passage.urn: h.score for h in found}
    near = dict.fromkeys(h.passage.source_identifier for h in found)
    own: dict[str, None] = {}
    for concept in plan.subject.concepts:
        first = [i for i in near if i in concept.identifiers]
        # A card stands first in the list of a name; a hundred boxes may rank before it.
        near_half = first[: _OWN_SOURCES // 2]
        own.update(dict.fromkeys([*near_half, *concept.identifiers, *first][:_OWN_SOURCES]))
    state.own = [
        SearchHit(passage=p, score=scores.get(p.urn, 0.0))
        for i in own
        for p in index.passages_of(i)
        if not p.superseded
    ]
    return state.own


def _request(
    query: str, mode: MatchMode, silos: tuple[Silo, ...], limit: int = ROWS_PER_QUERY
) -> SearchRequest:
    return SearchRequest(query=query, mode=mode, silos=silos, limit=limit)
