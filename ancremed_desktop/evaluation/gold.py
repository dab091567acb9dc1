"""Gold questions: what is asked and which passages count as the answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.evaluation.rows import read_rows
from ancremed_desktop.text.normalise import fold

HALVES = ("tuning", "test")
PLAIN = "plain"
TERSE = "terse"
"""Notes typed in haste: a question of its own, not a variant of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Describes passages so that cutting a source anew changes nothing; empty fields ask nothing.

    ``source``: identifier; ``part``: section, or start of the URN's fragment; ``page`` from 1
    (0: any); ``words``: must occur in the text, whatever their accents and spacing.
    """

    source: str = ""
    part: str = ""
    page: int = 0
    words: str = ""

    def accepts(self, passage: Passage) -> bool:
        """Whether a passage is one of those described."""
        if self.source and passage.source_identifier != self.source:
            return False
        if self.page and passage.page_number != self.page:
            return False
        if self.words and _plain(self.words) not in _plain(passage.text):
            return False
        part = fold(self.part)
        return fold(passage.section) == part or fold(passage.urn.partition("#")[2]).startswith(part)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldQuestion:
    """``kind``: ``plain``, or how a variant is written (lay, misspelt...). ``half``: see HALVES."""

    id: str
    silo: Silo
    half: str
    kind: str
    text: str
    expected: tuple[Expected, ...]

    def is_answered_by(self, passage: Passage) -> bool:
        """Whether a passage must come first."""
        return any(e.accepts(passage) for e in self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class OffCorpusQuestion:
    """A question no passage of the corpus answers; ``kind`` says why."""

    id: str
    half: str
    kind: str
    text: str


def read_gold(paths: Iterable[Path], half: str = "") -> tuple[GoldQuestion, ...]:
    """Questions of some files (of one half). Raises: BadFileError, file and line named."""
    found = [question for path in paths for question in read_rows(path, _gold)]
    return tuple(q for q in found if half in ("", q.half))


def read_off_corpus(path: Path, half: str = "") -> tuple[OffCorpusQuestion, ...]:
    """Off-corpus questions (of one half). Raises: BadFileError, file and line named."""
    return tuple(q for q in read_rows(path, _off_corpus) if half in ("", q.half))


def _gold(row: dict[str, Any]) -> GoldQuestion:
    expected = tuple(Expected(**e) for e in row["expected"])
    if not expected or Expected() in expected:
        raise ValueError("aucun passage attendu")
    return GoldQuestion(
        id=str(row["id"]),
        silo=Silo(row["silo"]),
        half=_half(row),
        kind=str(row["kind"]),
        text=str(row["question"]),
        expected=expected,
    )


def _off_corpus(row: dict[str, Any]) -> OffCorpusQuestion:
    return OffCorpusQuestion(
        id=str(row["id"]), half=_half(row), kind=str(row["kind"]), text=str(row["question"])
    )


def _half(row: dict[str, Any]) -> str:
    if row["half"] not in HALVES:
        raise ValueError(f"moitié inconnue : {row['half']}")
    return str(row["half"])


def _plain(text: str) -> str:
    return " ".join(fold(text).split())
