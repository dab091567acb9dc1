"""Ask a question, open a source: what the window and the command line call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.events import CancelToken, ProgressCallback, ignore_progress
from ancremed_desktop.domain.evidence import SearchHit, SearchRequest
from ancremed_desktop.observability.query_log import log_row
from ancremed_desktop.pipeline.run import Engine, answer
from ancremed_desktop.ports import QueryLog


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source opened at one passage, with the other passages of the same entity."""

    source: Source
    passage: Passage
    siblings: tuple[Passage, ...]


class AskService:
    """Answers from one index; each answer is one row of the query log."""

    def __init__(
        self, engine: Engine, log: QueryLog, *, keep_question: Callable[[], bool] = lambda: False
    ) -> None:
        self._engine = engine
        self._log = log
        self._keep_question = keep_question

    def ask(
        self,
        raw: str,
        *,
        progress: ProgressCallback = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Answer a question of 1 to 2,000 characters.

        Raises:
            BadQuestionError: the question cannot be asked as it stands.
            Cancelled: the user stopped.
            MachineError: the query log cannot be written.

        """
        result = answer(raw, self._engine, progress=progress, cancel=cancel or CancelToken())
        self._log.append(log_row(result, keep_question=self._keep_question()))
        return result

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        """Search the index directly."""
        return self._engine.index.search(request)

    def source_view(self, urn: str) -> SourceView:
        """Open a source at a passage.

        Raises:
            KeyError: no such passage.
            IndexFileError: the stored text was altered; it is not shown.

        """
        passage = self._engine.index.passage(urn)
        return SourceView(
            source=self._engine.index.source(passage.source_key),
            passage=passage,
            siblings=self._engine.index.passages_of(passage.source_identifier),
        )
