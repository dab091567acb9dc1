"""Chooses the weights of the ranking by grid search on the tuning half of the gold questions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.evaluation.gold import GoldQuestion
from ancremed_desktop.evaluation.measures import mean_reciprocal_rank, recall
from ancremed_desktop.evaluation.retrieval import CUT
from ancremed_desktop.index.rescore import Counted, ScoredQuery, Weights, score

GRID: Mapping[str, tuple[float, ...]] = {
    "title": (2.0, 5.0, 8.0),
    "heading": (0.0, 2.0, 4.0),
    "section": (0.0, 1.5, 3.0, 5.0),
    "k1": (0.8, 1.2, 2.0),
    "b": (0.25, 0.5, 0.75),
}
"""Values tried, each with each."""
MEANING = (0.5, 0.7, 0.85)
"""Values tried after, with the rest as chosen: it changes little but for lay wordings."""
START = Weights(title=5.0, heading=2.0, section=3.0, meaning=0.7, k1=1.2, b=0.75)
"""Values of the specification, and of ours where it has none: kept unless others do better."""
_SAME = 0.01
"""Gain below which two settings are one: less than one question in twenty moving by a rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A tuning question with its pool: what the passages hold of ``query``, and which are
    expected.
    """

    question: GoldQuestion
    pool: Counted
    is_expected: tuple[bool, ...]
    query: ScoredQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """Chosen weights with what justifies them; ``start_rank``: the same before tuning."""

    weights: Weights
    questions: int
    recall: float
    mean_rank: float
    start_rank: float


def tune(cases: Iterable[Case]) -> dict[Silo, Tuned]:
    """Best weights of each silo; a silo without questions takes those best for all of them."""
    listed = list(cases)
    found = {}
    everywhere: Tuned | None = None
    for silo in Silo:
        own = [c for c in listed if c.question.silo is silo]
        if own:
            found[silo] = _best(own)
        else:
            everywhere = everywhere or _best(listed)
            found[silo] = everywhere
    return found


def as_toml(tuned: Mapping[Silo, Tuned], command: str) -> str:
    """The tracked file of weights."""
    lines = [
        "# Weights of the ranked search, by silo, chosen by grid search on the tuning half of the",
        "# gold questions. Written by:",
        f"#   {command}",
        "# mrr and recall_6: on those questions, with these weights; mrr_before: with the values",
        "# of the specification. A silo without questions has what is best for all the others.",
    ]
    for silo, one in tuned.items():
        lines += ["", f"[silo.{silo}]"]
        lines += [f"{name} = {value:g}" for name, value in asdict(one.weights).items()]
        lines += [
            f"questions = {one.questions}",
            f"mrr = {one.mean_rank:.3f}",
            f"mrr_before = {one.start_rank:.3f}",
            f"recall_6 = {one.recall:.3f}",
        ]
    return "\n".join(lines) + "\n"


def _best(cases: Sequence[Case]) -> Tuned:
    combinations = itertools.product(*GRID.values())
    grid = [replace(START, **dict(zip(GRID, values, strict=True))) for values in combinations]
    chosen = _chosen(cases, grid)
    chosen = _chosen(cases, [replace(chosen, meaning=value) for value in MEANING])
    after, before = _scores(cases, chosen), _scores(cases, START)
    return Tuned(
        weights=chosen,
        questions=len(cases),
        mean_rank=after[0],
        recall=after[1],
        start_rank=before[0],
    )


def _chosen(cases: Sequence[Case], tried: Iterable[Weights]) -> Weights:
    worth = {weights: sum(_scores(cases, weights)) for weights in tried}
    top = max(worth.values())
    # Of equals the nearest to the start: a lucky corner of the grid tells nothing.
    return min((w for w in worth if worth[w] >= top - _SAME), key=_distance)


def _scores(cases: Sequence[Case], weights: Weights) -> tuple[float, float]:
    """Mean reciprocal rank and recall."""
    ranks = [_rank(case, weights) for case in cases]
    return mean_reciprocal_rank(ranks), recall(ranks, CUT)


def _rank(case: Case, weights: Weights) -> int:
    scores: list[float] = score(case.pool, case.query, dict.fromkeys(Silo, weights)).tolist()
    best = max((s for s, e in zip(scores, case.is_expected, strict=True) if e), default=None)
    if best is None:
        return 0
    # Ties count against: a passage that only shares its rank does not come first.
    return 1 + sum(s >= best for s, e in zip(scores, case.is_expected, strict=True) if not e)


def _distance(weights: Weights) -> int:
    """Steps of the grids between some weights and the start."""
    start, values = asdict(START), {**GRID, "meaning": MEANING}
    return sum(
        abs(values[name].index(value) - values[name].index(start[name]))
        for name, value in asdict(weights).items()
    )
