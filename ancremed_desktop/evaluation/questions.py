"""Labelled questions replayed: classes, sections, refusals and times."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.evaluation.rows import read_rows
from ancremed_desktop.services.ask import AskService

CONVERSATION = "conversationnel"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question with its expected class and sections (fields of clinical questions files).

    ``must_abstain``: about something that exists in no corpus (``abstention_toujours``).
    """

    id: str
    text: str
    primary_class: str
    secondary_class: str
    sections: tuple[str, ...]
    must_abstain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A question and what the application made of it, in ``elapsed_ms``."""

    question: LabelledQuestion
    answer: Answer
    elapsed_ms: float


def read_questions(path: Path) -> tuple[LabelledQuestion, ...]:
    """Read one JSON object a line.

    Raises:
        BadFileError: absent, not JSON, or a field is missing (file and line named).

    """
    return read_rows(path, _question)


def _question(row: dict[str, Any]) -> LabelledQuestion:
    return LabelledQuestion(
        id=str(row["id"]),
        text=str(row["question"]),
        primary_class=str(row["classe_primaire"]),
        secondary_class=str(row.get("classe_secondaire") or ""),
        sections=tuple(row["sections_attendues"]),
        must_abstain=bool(row.get("abstention_toujours")),
    )


def replay(questions: Sequence[LabelledQuestion], service: AskService) -> tuple[Replayed, ...]:
    """Ask each question in turn. Raises what ``AskService.ask`` raises: no crash is hidden."""
    done = []
    for question in questions:
        start = time.perf_counter()
        answer = service.ask(question.text)
        elapsed_ms = 1000 * (time.perf_counter() - start)
        done.append(Replayed(question=question, answer=answer, elapsed_ms=elapsed_ms))
    return tuple(done)


def table(replayed: Sequence[Replayed]) -> str:
    """French table of the scores, then the questions whose class is wrong."""
    medical = [r for r in replayed if r.question.primary_class != CONVERSATION]
    rest = [r for r in replayed if r.question.primary_class == CONVERSATION]
    absent = [r for r in replayed if r.question.must_abstain]
    wanted = sum(len(r.question.sections) for r in medical)
    answered = [r for r in medical if r.answer.status is AnswerStatus.ANSWER]
    rows = [
        _row("classe primaire juste", sum(_right_class(r) for r in replayed), len(replayed)),
        _row("classe secondaire juste", sum(_right_second(r) for r in replayed), len(replayed)),
        _row("sections prévues retrouvées au plan", sum(_planned(r) for r in medical), wanted),
        _row("sections prévues avec un extrait", sum(_covered(r) for r in medical), wanted),
        _row("sections prévues avec extrait ou calcul", sum(_shown(r) for r in medical), wanted),
        _row("questions médicales avec réponse", len(answered), len(medical)),
        _row("questions médicales prises pour conversation", sum(map(_chatted, medical)),
             len(medical)),
        _row("hors corpus non répondues", sum(not _answered(r) for r in rest), len(rest)),
        _row("entités absentes non répondues", sum(not _answered(r) for r in absent), len(absent)),
    ]  # fmt: skip
    times = sorted(r.elapsed_ms for r in replayed)
    if times:
        rows.append(f"temps : médiane {_percentile(times, 50)} ms, p95 {_percentile(times, 95)} ms")
    rows += [
        f"  {r.question.id} : {r.answer.plan.primary_class} au lieu de {r.question.primary_class}"
        for r in replayed
        if not _right_class(r)
    ]
    return "\n".join(rows)


def _row(label: str, count: int, total: int) -> str:
    rate = f" ({100 * count / total:.1f} %)".replace(".", ",") if total else ""
    return f"{label:<46} {count:>4}/{total}{rate}"


def _percentile(ordered: Sequence[float], percent: int) -> str:
    position = round(percent / 100 * (len(ordered) - 1))
    return f"{ordered[position]:.1f}".replace(".", ",")


def _right_class(r: Replayed) -> bool:
    return r.answer.plan.primary_class == r.question.primary_class


def _right_second(r: Replayed) -> bool:
    return (r.answer.plan.secondary_class or "") == r.question.secondary_class


def _planned(r: Replayed) -> int:
    return len(set(r.question.sections) & set(r.answer.plan.sections))


def _covered(r: Replayed) -> int:
    return len(_extracted(r) & set(r.question.sections))


def _shown(r: Replayed) -> int:
    """Of the sections expected, those with an extract or that a finished calculation shows."""
    results = [c.result for c in r.answer.calculations if c.result]
    worked = {"formule", "variables et unités", "application numérique"} if results else set()
    read = {"interprétation"} if any(result.band for result in results) else set()
    return len((_extracted(r) | worked | read) & set(r.question.sections))


def _extracted(r: Replayed) -> set[str]:
    return {s.anchored.draft.section for s in r.answer.spans if isinstance(s, VerifiedAssertion)}


def _chatted(r: Replayed) -> bool:
    return r.answer.status in {AnswerStatus.CONVERSATION, AnswerStatus.REFUSED}


def _answered(r: Replayed) -> bool:
    return r.answer.status is AnswerStatus.ANSWER
