"""Protocols the core needs; adapters implement them and ``app`` puts the two together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from ancremed_desktop.domain.documents import (
    CorpusItem,
    Passage,
    Refusal,
    Source,
    SourceDocument,
    Tally,
)
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.evidence import Evidence, IndexIdentity, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import Code, Silo
from ancremed_desktop.domain.models import (
    Completion,
    CompletionRequest,
    TextCallback,
    ignore_text,
)
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import DraftSpan, Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMention:
    """A name of the corpus found in a text, ``text[start:end]`` of what was searched.

    ``label``: the name as the corpus writes it. ``kind``: ``drug`` (brand or full name),
    ``substance`` (DCI), ``class`` (drug class), ``title`` (condition, item, document).
    ``identifiers``: source identifiers it leads to, best first, at most 200.
    """

    start: int
    end: int
    label: str
    kind: str
    identifiers: tuple[str, ...]

    @property
    def is_drug(self) -> bool:
        """Whether it names a product or a substance."""
        return self.kind in {"drug", "substance"}

    @property
    def is_drug_or_class(self) -> bool:
        """Whether it names a product, a substance or a class of them."""
        return self.is_drug or self.kind == "class"


class PassageIndex(Protocol):
    """The searchable corpus: shipped file and user file, seen as one."""

    def identity(self) -> IndexIdentity:
        """Which index this is."""

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        """Hits by decreasing score; empty when no usable word is left in the query."""

    def passage(self, urn: str) -> Passage:
        """A stored passage, hash checked.

        Raises: KeyError if unknown, IndexFileError if its text was altered.
        """

    def passages_of(self, source_identifier: str) -> tuple[Passage, ...]:
        """All current passages of an entity, in document order (superseded ones last)."""

    def numbered(self, label: str) -> tuple[Passage, ...]:
        """Current passages of a numbered text of the user's documents, in document order.

        ``label``: of ``text.articles`` (``art-55``; ``sec-4`` stands for 4.1 and 4.2 as well).
        Raises: IndexFileError if one was altered.
        """

    def source(self, key: str) -> Source:
        """A source by its key. Raises: KeyError."""

    def sources(self, silo: str = "") -> tuple[Source, ...]:
        """All sources (of a silo), by title."""

    def document_frequency(self, word: str) -> int:
        """How many passages hold the word (accents and case folded; 0: out of vocabulary)."""

    def vocabulary_matches(self, word: str, limit: int = 5) -> tuple[str, ...]:
        """Words of the vocabulary within 2 edits (1 under 6 letters), nearest then commonest."""

    def mentions(self, text: str) -> tuple[EntityMention, ...]:
        """Names of the corpus that occur in a text, longest first, never overlapping."""

    def by_code(self, code: Code, values: Sequence[str]) -> tuple[str, ...]:
        """Identifiers of the sources that carry one of the codes, current ones first, each once.

        Case, accents and runs of spaces do not count. At most 200 values.
        """

    def codes_of(self, source_identifier: str, code: Code) -> tuple[str, ...]:
        """Codes of a kind that the current sources of an entity carry, folded, sorted."""

    def close(self) -> None:
        """Release the files."""


class PassageWriter(Protocol):
    """Builds one index file; leaving it without ``finish`` leaves the target untouched."""

    def __enter__(self) -> Self:
        """Begin a draft beside the target."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Throw an unfinished draft away."""

    def add(self, document: SourceDocument) -> None:
        """Store a source with its passages. Raises: MachineError."""

    def note(self, item: Refusal | Tally) -> None:
        """Keep what a reader refused or counted."""

    def finish(self) -> None:
        """Index all and put the file in place. Raises: MachineError."""


class CorpusReader(Protocol):
    """Reads a folder of one kind of source files into corpus items."""

    def __call__(
        self, folder: Path, progress: ProgressCallback, cancel: CancelToken
    ) -> Iterator[CorpusItem]:
        """Yield documents, refusals and one tally a file; a bad file is named, the rest goes on."""


class Generator(Protocol):
    """Drafts an answer from evidence; whatever it says goes through the gate."""

    name: str

    def generate(
        self, question: Question, plan: RetrievalPlan, evidence: Evidence, cancel: CancelToken
    ) -> tuple[DraftSpan, ...]:
        """Draft spans in section order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierView:
    """All a verifier may see: the assertion and the database's words, never the draft's reasons.

    ``sentences``: whole stored sentences of the quote. ``section``: section the assertion is
    shown under; ``passage_section`` and ``heading``: what the source says of the passage.
    """

    assertion: str
    subject: str
    section: str
    sentences: str
    passage: str
    passage_section: str
    heading: str
    title: str


class Verifier(Protocol):
    """An independent second look at one assertion. A fault or a timeout is a refusal."""

    name: str

    def judge(self, view: VerifierView, cancel: CancelToken) -> Judgement:
        """Verdict on one assertion; may raise anything: the caller refuses then."""


class LanguageModel(Protocol):
    """Completes messages, on this machine or elsewhere (docs/add_a_provider.md).

    One call at a time; ``complete`` may be called from any thread.
    """

    @property
    def name(self) -> str:
        """What the user calls it, with its provider (« llama_cpp:smollm2-135m »)."""

    @property
    def identity(self) -> str:
        """What a qualification is tied to: SHA-256 of the weights, or the published version."""

    @property
    def context_tokens(self) -> int:
        """Longest prompt and reply together."""

    @property
    def local(self) -> bool:
        """Whether the computation is done on this machine."""

    @property
    def sends_data(self) -> bool:
        """Whether text of the user leaves the machine: never without consent."""

    def count_tokens(self, text: str, *, cancel: CancelToken | None = None) -> int:
        """Tokens of a text, exact or too high; never asks a network, may load the model.

        Raises: ModelError; Cancelled, within 1 s of ``cancel``.
        """

    def complete(
        self,
        request: CompletionRequest,
        *,
        cancel: CancelToken,
        on_text: TextCallback = ignore_text,
    ) -> Completion:
        """The whole reply; ``on_text`` is given its pieces as they come.

        Raises:
            Cancelled: within 1 s of the cancel; the model is ready for the next request.
            ModelTimeoutError: ``request.timeout_s`` is over; ready for the next request.
            ModelRefusedError: blocked, longer than the context, or not consented.
            ModelUnavailableError: absent, crashed, bad key, no network; may be tried again.
            InvalidReplyError: a schema was asked and the reply does not keep to it.

        """

    def close(self) -> None:
        """Give memory and connections back; a later ``complete`` opens it again."""


Vector = tuple[float, ...]
"""Coordinates of a text; their angle, not their length, tells how near two texts are."""


class Embedder(Protocol):
    """Turns texts into vectors, on this machine; ``embed_*`` may be called from any thread."""

    @property
    def name(self) -> str:
        """Model and version: vectors of another name cannot be compared with its own."""

    def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises: ModelError."""

    def embed_passage(self, text: str) -> Vector:
        """The vector of a text to be found, as long as a question's. Raises: ModelError."""


class VectorIndex(Protocol):
    """Vectors of passages, kept with the index."""

    def embedder(self) -> str:
        """Name of the embedder they were made with; empty when there are none."""

    def nearest(self, vector: Vector, silos: tuple[Silo, ...], limit: int) -> tuple[SearchHit, ...]:
        """Current passages of the silos (none: all), best cosine first; altered ones left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLogRow:
    """One row a question, with the fields of the specification (§10)."""

    request_id: str
    timestamp: str
    primary_class: str
    secondary_class: str | None
    rounds_used: int
    sub_queries_issued: int
    distinct_sources_cited: int
    silos_touched: Sequence[str]
    clinical_assertions_total: int
    clinical_assertions_passed_gate: int
    clinical_assertions_failed_substring: int
    clinical_assertions_failed_entity: int
    clinical_assertions_failed_verifier: int
    clinical_assertions_failed_other: int
    abstained_sections: Sequence[str]
    stage_latency_ms: Mapping[str, float]
    latency_ms: float
    estimated_cost_usd: float
    gate_blocked: bool
    status: str
    question_text: str | None
    """Kept only when the user allows it."""


class QueryLog(Protocol):
    """Where query rows go (the user's own database)."""

    def append(self, row: QueryLogRow) -> None:
        """Store one row. Raises: MachineError when it cannot be written."""

    def rows(self, limit: int = 1000) -> tuple[QueryLogRow, ...]:
        """Latest rows first."""
