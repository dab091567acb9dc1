"""Ask a question, open a source: what the window and the command line call."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.events import CancelToken, ProgressCallback, ignore_progress
from ancremed_desktop.domain.evidence import MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.errors import AncremedError, BugError, Cancelled
from ancremed_desktop.observability.introductions import may_identify
from ancremed_desktop.observability.query_log import log_row
from ancremed_desktop.pipeline.codes import lone_code
from ancremed_desktop.pipeline.documents import asked_documents
from ancremed_desktop.pipeline.model_answer import Assistants, improve
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.retrieve import numbered_hits, ranked_hits, ranked_request
from ancremed_desktop.pipeline.run import Engine, FirstAnswer, first_answer
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.ports import PassageIndex, QueryLog
from ancremed_desktop.services.approval import Approval, Approve, Outgoing
from ancremed_desktop.services.meaning import MeaningSwitch

_log = logging.getLogger(__name__)

_TO_PREPARE = "Contre-indications du paracétamol"
NO_NAME = "Ce qui désigne une personne n’a pas servi à chercher."


@runtime_checkable
class _ChecksTexts(Protocol):
    """An index that compares each text with its hash."""

    @property
    def altered_passages(self) -> int:
        """Passages met so far whose text was altered."""


class Helpers(Protocol):
    """Gives the models of each answer, see ``services.assistants``."""

    problem: str

    def current(self, approve: Approve | None = None) -> Assistants | None:
        """Models that may add to the next answer; None: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source opened at one passage, with the other passages of the same entity."""

    source: Source
    passage: Passage
    siblings: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search gave, and the question as it was read and searched."""

    question: Question
    request: SearchRequest
    hits: tuple[SearchHit, ...]
    warning: str


class AskService:
    """Answers from one index; each answer is one row of the query log.

    A log that cannot be written costs no answer: the reason is logged once, in French.
    """

    def __init__(
        self,
        engine: Engine,
        log: QueryLog,
        *,
        keep_question: Callable[[], bool] = lambda: False,
        assistants: Helpers | None = None,
        meaning: MeaningSwitch | None = None,
    ) -> None:
        """``assistants``: models that may add to an answer once it is made."""
        self._engine = engine
        self._meaning = meaning
        self._log = log
        self._keep_question = keep_question
        self._assistants = assistants
        self._said: set[str] = set()

    def prepare(self) -> None:
        """Make an answer for nobody and record nothing: lexicons, rules and counts are read when
        first needed, which the first question need not wait for.
        """
        first_answer(_TO_PREPARE, self._engine, progress=ignore_progress, cancel=CancelToken())

    def ask(
        self,
        raw: str,
        *,
        progress: ProgressCallback = ignore_progress,
        cancel: CancelToken | None = None,
        on_answer: Callable[[Answer], None] = lambda _answer: None,
        approve: Approve | None = None,
    ) -> Answer:
        """Answer a question of 1 to 2,000 characters.

        ``on_answer`` is given the answer made of extracts when a model is about to be asked to
        add to it. ``approve``: asks the user before a text leaves the machine; None: nothing does.

        Raises:
            BadQuestionError: the question cannot be asked as it stands.
            Cancelled: the user stopped; an answer given to ``on_answer`` stays valid.

        """
        cancel = cancel or CancelToken()
        engine, problem = self._with_meaning()
        first = _first(raw, engine, progress, cancel)
        result = first.answer
        wait = _Wait(approve)
        assistants = None
        if first.evidence and self._assistants:
            assistants = self._assistants.current(wait.ask if approve else None)
            problem = _joined(problem, self._assistants.problem)
        if assistants is not None:
            on_answer(self._told(result, problem))
            result = self._improved(first, engine, assistants, wait, progress, cancel)
        self._record(result)
        return self._told(result, problem)

    def _improved(
        self,
        first: FirstAnswer,
        engine: Engine,
        assistants: Assistants,
        wait: _Wait,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> Answer:
        calls = ModelWork()
        try:
            result = improve(
                first, engine, assistants, calls=calls, progress=progress, cancel=cancel
            )
        except Cancelled:
            # What was asked, sent and spent before the stop is of this answer all the same.
            self._record(replace(first.answer, models=tuple(calls.uses)))
            raise
        *stages, (models, elapsed_ms) = result.timings_ms
        return replace(
            result, timings_ms=(*stages, (models, max(0.0, elapsed_ms - 1000 * wait.seconds)))
        )

    def _told(self, result: Answer, problem: str) -> Answer:
        return replace(result, warning=_joined(altered_warning(self._engine.index), problem))

    def find(self, raw: str, *, silos: tuple[Silo, ...] = (), limit: int = 6) -> Found:
        """Passages for a question, best first, without answering it; where no passage holds any
        of its words, those that hold a piece of one.

        Raises:
            BadQuestionError: the question cannot be asked as it stands.
            ValueError: ``limit`` is not 1 to 100.

        """
        engine, problem = self._with_meaning()
        index, lexicon = engine.index, engine.lexicon
        question = understand(raw, index, lexicon)
        request = ranked_request(question, index, lexicon, silos=silos, limit=limit)
        if documents := asked_documents(question.text, index):
            request = replace(request, identifiers=documents.identifiers)
        named = (*self._looked_up(raw, silos), *numbered_hits(question, index, silos))
        urns = {h.passage.urn for h in named}
        ranked = ranked_hits(question, request, index, engine.meaning)
        others = (h for h in ranked if h.passage.urn not in urns)
        hits = (*named, *others)[:limit]
        if not hits:
            scan = SearchRequest(query=raw, mode=MatchMode.SUBSTRING, silos=silos, limit=limit)
            hits = index.search(scan)
        warning = _joined(altered_warning(index), problem)
        return Found(question=question, request=request, hits=hits, warning=warning)

    def _with_meaning(self) -> tuple[Engine, str]:
        """The engine as the user wants it now, and what is wanted and cannot be done."""
        if self._meaning is None:
            return self._engine, ""
        return replace(self._engine, meaning=self._meaning.current()), self._meaning.problem

    def _looked_up(self, raw: str, silos: tuple[Silo, ...]) -> tuple[SearchHit, ...]:
        """Passages of the sources that carry the code a text is made of."""
        mention = lone_code(raw, self._engine.index)
        return tuple(
            SearchHit(passage=passage, score=0.0, coverage=1.0)
            for identifier in (mention.identifiers if mention else ())
            for passage in self._engine.index.passages_of(identifier)
            if not passage.superseded and (not silos or passage.silo in silos)
        )

    def _record(self, result: Answer) -> None:
        try:
            self._log.append(log_row(result, keep_question=self._keep_question()))
        except (BugError, Cancelled):
            raise
        except AncremedError as error:
            problem = f"La question n’a pas été inscrite au journal. {error}"
            if problem not in self._said:
                self._said.add(problem)
                _log.warning("%s", problem)


def source_view(index: PassageIndex, urn: str) -> SourceView:
    """Open a source at a passage.

    Raises:
        KeyError: no such passage.
        IndexFileError: the stored text was altered; it is not shown.

    """
    passage = index.passage(urn)
    return SourceView(
        source=index.source(passage.source_key),
        passage=passage,
        siblings=index.passages_of(passage.source_identifier),
    )


def document_view(index: PassageIndex, key: str) -> SourceView:
    """Open a source at its first passage: a drug, an item of the EDN, a guideline.

    Raises:
        KeyError: no such source, or nothing of it is stored.
        IndexFileError: a stored text was altered; it is not shown.

    """
    source = index.source(key)
    passages = index.passages_of(source.source_identifier)
    own = tuple(passage for passage in passages if passage.source_key == key)
    if not own:
        raise KeyError(key)
    return SourceView(source=source, passage=own[0], siblings=own)


def _first(
    raw: str, engine: Engine, progress: ProgressCallback, cancel: CancelToken
) -> FirstAnswer:
    """The answer by rules; a question that names its patient is asked again without the name, which
    no source holds.
    """
    first = first_answer(raw, engine, progress=progress, cancel=cancel)
    if first.answer.status not in {AnswerStatus.ABSTENTION, AnswerStatus.REFUSED}:
        return first
    if not may_identify(raw):
        return first
    # Imported here: its patterns take long to compile, and few questions name anyone.
    from ancremed_desktop.observability.redaction import without_people

    bare = without_people(raw)
    if bare in {raw, ""}:
        return first
    again = first_answer(bare, engine, progress=progress, cancel=cancel)
    if again.answer.status is not AnswerStatus.ANSWER:
        return first
    question = replace(again.answer.question, raw=raw)
    message = _joined(NO_NAME, again.answer.message)
    return replace(again, answer=replace(again.answer, question=question, message=message))


class _Wait:
    """Asks the user, and counts the seconds read: they are no part of the answer's time."""

    def __init__(self, approve: Approve | None) -> None:
        self._approve = approve
        self.seconds = 0.0

    def ask(self, outgoing: Outgoing) -> Approval:
        if self._approve is None:
            return Approval.REFUSED
        start = time.monotonic()
        try:
            return self._approve(outgoing)
        finally:
            self.seconds += time.monotonic() - start


def _joined(*said: str) -> str:
    return " ".join(filter(None, said))


def altered_warning(index: PassageIndex) -> str:
    """What to tell the reader when an index left altered passages out; empty when it did not."""
    altered = index.altered_passages if isinstance(index, _ChecksTexts) else 0
    if not altered:
        return ""
    what = (
        "1 passage altéré de l’index a été écarté"
        if altered == 1
        else f"{altered} passages altérés de l’index ont été écartés"
    )
    return f"{what} : lancez « library check »."
