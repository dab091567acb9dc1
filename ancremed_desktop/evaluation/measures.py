"""Rates of retrieval with their 95 % bounds."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

_Z = 1.959964
_DRAWS = 2_000


def recall(ranks: Sequence[int], within: int) -> float:
    """Share of questions with an expected passage among the first ``within`` (rank 0: none)."""
    return sum(0 < r <= within for r in ranks) / len(ranks) if ranks else 0.0


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """Mean of 1/rank, 0 where none was found."""
    return sum(1 / r for r in ranks if r) / len(ranks) if ranks else 0.0


def wilson(count: int, total: int) -> tuple[float, float]:
    """95 % bounds of a share (Wilson, JASA 1927)."""
    if not total:
        return 0.0, 1.0
    share, extra = count / total, _Z * _Z / total
    middle = (share + extra / 2) / (1 + extra)
    reach = _Z * math.sqrt(share * (1 - share) / total + extra / (4 * total)) / (1 + extra)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def bootstrap_rank(ranks: Sequence[int]) -> tuple[float, float]:
    """95 % bounds of the mean reciprocal rank: percentiles of 2,000 redraws, seed fixed."""
    if not ranks:
        return 0.0, 1.0
    draw = random.Random(0)  # noqa: S311 - statistics, not secrets
    means = sorted(mean_reciprocal_rank(draw.choices(ranks, k=len(ranks))) for _ in range(_DRAWS))
    return means[_DRAWS // 40], means[-1 - _DRAWS // 40]
