"""Gold questions replayed: at which rank the expected passage comes, beside the plain query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.evaluation.gold import PLAIN, GoldQuestion
from ancremed_desktop.evaluation.measures import (
    bootstrap_rank,
    mean_reciprocal_rank,
    recall,
    wilson,
)

DEPTH = 20
"""Passages looked at for a question; beyond, nobody reads."""
CUT = 6
"""What an answer is made of (``ROWS_PER_QUERY`` of the pipeline)."""

Finder = Callable[[GoldQuestion], Sequence[Passage]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """``rank`` and ``plain_rank`` of the first expected passage from 1, 0 when not found;
    ``first``: the passage that came first, if any did.
    """

    question: GoldQuestion
    rank: int
    plain_rank: int
    first: Passage | None


def replay(
    questions: Iterable[GoldQuestion], find: Finder, find_plainly: Finder
) -> tuple[Ranked, ...]:
    """Ask each question of both searches."""
    done = []
    for question in questions:
        found = find(question)
        done.append(
            Ranked(
                question=question,
                rank=_rank(question, found),
                plain_rank=_rank(question, find_plainly(question)),
                first=found[0] if found else None,
            )
        )
    return tuple(done)


def _rank(question: GoldQuestion, found: Sequence[Passage]) -> int:
    return next((n for n, p in enumerate(found, 1) if question.is_answered_by(p)), 0)


def table(ranked: Sequence[Ranked]) -> str:
    """French table: one line a silo, then all plain questions, then all variants."""
    plain = [r for r in ranked if r.question.kind == PLAIN]
    variants = [r for r in ranked if r.question.kind != PLAIN]
    rows = [
        f"{'':<12} {'n':>4}  {'rappel@1':<18} {'rappel@6':<18} {'MRR':<20} "
        "requête du cahier des charges (rappel@1, @6, MRR)"
    ]
    for silo in dict.fromkeys(r.question.silo for r in plain):
        rows.append(_row(silo, [r for r in plain if r.question.silo is silo]))
    rows.append(_row("questions", plain))
    rows.append(_row("variantes", variants))
    for kind in sorted({r.question.kind for r in variants}):
        rows.append(_row(f"  {kind}", [r for r in variants if r.question.kind == kind]))
    return "\n".join(rows)


def failures(ranked: Sequence[Ranked]) -> str:
    """The questions whose passage is not among the first six, with what came first."""
    lines = []
    for r in ranked:
        if not 0 < r.rank <= CUT:
            first = (
                f"{r.first.urn} « {' '.join(r.first.text.split())[:90]} »" if r.first else "rien"
            )
            lines.append(f"{r.question.id} (rang {r.rank or '–'}) {r.question.text}\n    {first}")
    return "\n".join(lines)


def _row(label: str, ranked: Sequence[Ranked]) -> str:
    ranks = [r.rank for r in ranked]
    low = [r.plain_rank for r in ranked]
    mrr = _bounded(mean_reciprocal_rank(ranks), *bootstrap_rank(ranks))
    plain = f"{_number(recall(low, 1))} {_number(recall(low, CUT))} "
    return (
        f"{label:<12} {len(ranks):>4}  {_share(ranks, 1):<18} {_share(ranks, CUT):<18} {mrr:<20} "
        f"{plain}{_number(mean_reciprocal_rank(low))}"
    )


def _share(ranks: Sequence[int], within: int) -> str:
    count = sum(0 < r <= within for r in ranks)
    return _bounded(recall(ranks, within), *wilson(count, len(ranks)))


def _bounded(value: float, low: float, high: float) -> str:
    return f"{_number(value)} [{_number(low)}–{_number(high)}]"


def _number(value: float) -> str:
    return f"{value:.3f}".replace(".", ",")
