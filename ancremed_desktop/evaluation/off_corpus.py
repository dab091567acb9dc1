"""Questions the corpus cannot answer and ones it can: what became of them, and a threshold.

``ask`` is judged as it stands. The curve shows what a threshold on the coverage of the best
passage found does: the share of the question's words, by rarity, that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.answers import AnswerStatus
from ancremed_desktop.evaluation.measures import wilson

_REFUSED = (AnswerStatus.REFUSED, AnswerStatus.CONVERSATION)
"""Held to be no question for the corpus at all; the rest found nothing to quote."""
THRESHOLDS = tuple(n / 20 for n in range(21))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A question, its ``kind``, what became of it, and the ``coverage`` of the best passage."""

    id: str
    text: str
    kind: str
    status: AnswerStatus
    coverage: float


def judge(
    questions: Sequence[tuple[str, str, str]],
    status: Callable[[str], AnswerStatus],
    coverage: Callable[[str], float],
) -> tuple[Judged, ...]:
    """Ask each (id, kind, text)."""
    return tuple(
        Judged(id=i, kind=kind, text=text, status=status(text), coverage=coverage(text))
        for i, kind, text in questions
    )


def table(off: Sequence[Judged], answerable: Sequence[Judged]) -> str:
    """French table: what became of each kind, then the curve over the threshold."""
    rows = [f"{'':<16} {'n':>4}  {'sans réponse':<28} dont refusées"]
    for label, judged in (("hors corpus", off), ("répondables", answerable)):
        rows.append(_row(label, judged))
        rows += [
            _row(f"  {kind}", [j for j in judged if j.kind == kind])
            for kind in sorted({j.kind for j in judged})
        ]
    rows += ["", "Part des questions sous un seuil de couverture du meilleur passage :"]
    rows.append(f"{'seuil':>7}  {'hors corpus':>12}  {'répondables':>12}")
    rows += [
        f"{_percent(t):>7}  {_below(off, t):>12}  {_below(answerable, t):>12}" for t in THRESHOLDS
    ]
    return "\n".join(rows)


def mistakes(off: Sequence[Judged], answerable: Sequence[Judged]) -> str:
    """Off-corpus questions that were answered, then answerable ones that were not."""
    lines = ["Hors corpus et pourtant répondues :"]
    lines += [_line(j) for j in off if j.status is AnswerStatus.ANSWER]
    lines.append("Répondables et pourtant sans réponse :")
    lines += [_line(j) for j in answerable if j.status is not AnswerStatus.ANSWER]
    return "\n".join(lines)


def _line(judged: Judged) -> str:
    return f"  {judged.id} {judged.status} {_percent(judged.coverage)} {judged.text}"


def _row(label: str, judged: Sequence[Judged]) -> str:
    silent = sum(j.status is not AnswerStatus.ANSWER for j in judged)
    refused = sum(j.status in _REFUSED for j in judged)
    low, high = wilson(silent, len(judged))
    share = f"{_percent(silent / len(judged))} [{_percent(low)}–{_percent(high)}]" if judged else ""
    return f"{label:<16} {len(judged):>4}  {share:<28} {refused}"


def _below(judged: Sequence[Judged], threshold: float) -> str:
    return _percent(sum(j.coverage < threshold for j in judged) / len(judged)) if judged else "–"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %".replace(".", ",")
