"""Third stage: at most three rounds of searches until each section is covered (spec §6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.plans import RetrievalPlan, Subject
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

MAX_ROUNDS = 3
ROWS_PER_QUERY = 6
MAX_PASSAGES = 40
"""Per question; more would slow every later stage and is never read."""


@dataclass(slots=True)
class _State:
    hits: dict[str, list[SearchHit]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    rounds: list[Round] = field(default_factory=list)
    traces: list[QueryTrace] = field(default_factory=list)


def deep_search(
    plan: RetrievalPlan,
    index: PassageIndex,
    sections: Mapping[str, SectionCues],
    cancel: CancelToken,
) -> Evidence:
    """Search section by section; a passage counts when it holds the subject and the section.

    Raises:
        Cancelled: the user stopped.

    """
    state = _State(hits={s: [] for s in plan.sections})
    pending = list(plan.sections)
    if len(plan.subject.unknown_words) == len(plan.subject.concepts):
        return _evidence(plan, state, "Le sujet de la question n’est pas dans le corpus.", off=True)
    for number in range(1, MAX_ROUNDS + 1):
        state.traces = []
        fresh = 0
        for section in pending:
            cancel.raise_if_cancelled()
            fresh += _search_section(plan, section, number, index, sections[section], state)
        pending = [s for s in pending if not state.hits[s]]
        state.rounds.append(
            Round(number=number, queries=tuple(state.traces), uncovered=tuple(pending))
        )
        if not pending:
            return _evidence(plan, state, "Toutes les sections sont couvertes.")
        if len(state.seen) >= MAX_PASSAGES:
            return _evidence(plan, state, "Nombre maximal de passages atteint.")
    reason = "Trois tours sans nouveau passage pour les sections restantes."
    return _evidence(plan, state, reason, off=not state.seen)


def _evidence(plan: RetrievalPlan, state: _State, reason: str, *, off: bool = False) -> Evidence:
    return Evidence(
        sections=tuple(
            SectionEvidence(section=s, hits=tuple(state.hits[s]), covered=bool(state.hits[s]))
            for s in plan.sections
        ),
        rounds=tuple(state.rounds),
        stop_reason=reason,
        off_corpus=off,
    )


def _search_section(
    plan: RetrievalPlan,
    section: str,
    number: int,
    index: PassageIndex,
    cues: SectionCues,
    state: _State,
) -> int:
    """Run the requests of one round for one section; returns how many passages are new."""
    fresh = 0
    for request in _requests(plan, section, number, cues):
        hits = index.search(request)
        good = [h for h in hits if covers(h.passage, section, cues, plan.subject)]
        new = [h for h in good if h.passage.urn not in state.seen]
        state.seen.update(h.passage.urn for h in new)
        state.traces.append(
            QueryTrace(
                section=section,
                query=request.query,
                silo=",".join(request.silos) or "any",
                mode=request.mode.value,
                hits=len(hits),
                fresh=len(new),
            )
        )
        fresh += len(new)
        if good:
            ranked = sorted(good, key=lambda h: (h.passage.section != section, -h.score))
            state.hits[section] = ranked[:ROWS_PER_QUERY]
            break
    return fresh


def _requests(
    plan: RetrievalPlan, section: str, number: int, cues: SectionCues
) -> Sequence[SearchRequest]:
    """Round 1: the words themselves; 2: their alternatives; 3: any of them, in every silo."""
    subject = plan.subject
    own = " ".join(subject.words)
    if number == 1:
        with_section = f"{own} {section}"
        return (
            _request(with_section, MatchMode.ALL, plan.silos),
            _request(own, MatchMode.ALL, plan.silos, limit=4 * ROWS_PER_QUERY),
        )
    if number == 2:
        variants = _variants(subject)
        return tuple(
            _request(v, MatchMode.ALL, plan.silos, limit=4 * ROWS_PER_QUERY) for v in variants
        )
    spread = " ".join((*(a for c in subject.concepts for a in c), *cues.cues[:2]))
    return (
        _request(spread, MatchMode.ANY, (), limit=8 * ROWS_PER_QUERY),
        _request(own, MatchMode.SUBSTRING, ()),
    )


def _request(
    query: str, mode: MatchMode, silos: tuple[Silo, ...], limit: int = ROWS_PER_QUERY
) -> SearchRequest:
    return SearchRequest(query=query, mode=mode, silos=silos, limit=limit)


def _variants(subject: Subject) -> tuple[str, ...]:
    """The subject with one concept at a time replaced by each of its alternatives."""
    own = [c[0] for c in subject.concepts]
    found: list[str] = []
    for i, concept in enumerate(subject.concepts):
        for alternative in concept[1:]:
            found.append(" ".join((*own[:i], alternative, *own[i + 1 :])))
    longest = [c[1] if len(c) > 1 else c[0] for c in subject.concepts]
    found.append(" ".join(longest))
    return tuple(dict.fromkeys(found))[:8]


def covers(passage: Passage, section: str, cues: SectionCues, subject: Subject) -> bool:
    """Deterministic coverage (taxonomy): the section's own title or cue, *and* the subject.

    Every concept of a subject of one or two must be there; of a longer one, two thirds.
    """
    if passage.kind is PassageKind.OBJECTIVE:
        return False  # what a student must know of a section is not what the section says
    if passage.section:
        # A passage that its source files under another section does not stand for this one.
        in_section = passage.section == section
    elif passage.kind is PassageKind.RECORD:
        # « contient 1 000 mg » is no posology: a record speaks only for the section it names.
        in_section = False
    else:
        body = fold(f"{passage.heading} {passage.text}")
        in_section = any(_starts_a_word(body, cue) for cue in cues.cues)
    if not in_section:
        return False
    if passage.silo is Silo.BDPM:
        # A drug's record that names another drug in passing is not about it.
        if passage.source_identifier in subject.entity_ids:
            return True
        found = stems((passage.origin_title,))
    else:
        found = stems((passage.origin_title, passage.heading, passage.text))
    held = sum(
        any(all(holds_word(found, w) for w in content_words(a)) for a in concept if a)
        for concept in subject.concepts
    )
    total = len(subject.concepts)
    return held == total if total <= 2 else 3 * held >= 2 * total


def _starts_a_word(body: str, cue: str) -> bool:
    at = body.find(cue)
    while at >= 0:
        if at == 0 or not body[at - 1].isalnum():
            return True
        at = body.find(cue, at + 1)
    return False
