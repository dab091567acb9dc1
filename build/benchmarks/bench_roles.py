"""Roles a very small model might earn by likelihood, held against what the rules do.

Usage: python build/benchmarks/bench_roles.py --index INDEX.db [--half tuning test] [--model NAME]

Needs « main.py models setup ». On the gold questions (tests/data/gold):
- sentences: of those shown for a section, which answers: first place by likelihood of the question
  given the sentence, beside the order shown, the words they share, and mixes of the three;
- passage: the same among the sentences of the passage that answers;
- queries: of the question's own words and the plan's sub-query, which search finds better;
- follow-up: whether a second question needs the first.
Weights and thresholds are chosen on the tuning half, whichever half is told, and printed. CPU
seconds say what a role would cost.
"""

from __future__ import annotations

import argparse
import math
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypeVar

from common import ROOT, own_folders
from likelihood import Likelihood

from ancremed_desktop.app import model_library, toolbox
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.evidence import MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.models import Message, ModelFamily, Role
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.evaluation.gold import HALVES, GoldQuestion, read_gold
from ancremed_desktop.evaluation.measures import wilson
from ancremed_desktop.evaluation.rows import read_rows
from ancremed_desktop.pipeline.lexicon import PlanningLexicon, load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.retrieve import ranked_request
from ancremed_desktop.pipeline.subject import find_subject
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.providers.llama_cpp.chat import prompt_parts
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans
from ancremed_desktop.text.words import content_words, stems

GOLD = ROOT / "tests" / "data" / "gold"
SILOS = ("bdpm", "edn", "fiches", "formulas", "has")
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0)
_LONGEST = 1800
_ROWS = 6
_LEANS = re.compile(r"(?:et|donc|mais|puis|meme)\b")

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Candidates of one question in the order of the rules; ``right``: those that answer.
    ``shared``: rarity of the words each shares with the question; ``likely``: by the model.
    """

    half: str
    right: tuple[bool, ...]
    shared: tuple[float, ...]
    likely: tuple[float, ...]

    def first_is_right(self, shared: float, likely: float) -> bool:
        """Whether the best candidate answers, under two weights beside the order's."""
        marks = [
            1 / (1 + n) + shared * s / 2 + likely * m / 2
            for n, (s, m) in enumerate(zip(_spread(self.shared), _spread(self.likely), strict=True))
        ]
        return self.right[marks.index(max(marks))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Something to decide: ``rule`` and ``score`` say yes or no, ``truth`` is the answer."""

    half: str
    truth: bool
    rule: bool
    score: float


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--half", choices=HALVES, nargs="+", default=["tuning"])
    parser.add_argument("--model", default="")
    args = parser.parse_args()
    library = model_library()
    found = library.model(args.model or library.bundled)
    if found.path is None:
        parser.error("run « main.py models setup » first")
    with tempfile.TemporaryDirectory() as folder:
        own_folders(Path(folder))
        _report(Bench(args.index, Likelihood(found.path), found.card.family), args.half)


def _report(bench: Bench, halves: Sequence[str]) -> None:
    for name, made in (("sentences", bench.shown()), ("passage", bench.inside())):
        choices, spent = _timed(made)
        for half in halves:
            print(_choice_table(name, choices, half, spent), flush=True)
    for name, pairs in (("queries", bench.queries()), ("follow-up", bench.follow_ups())):
        decided, spent = _timed(pairs)
        for half in halves:
            print(_pair_table(name, decided, half, spent), flush=True)


class Bench:
    """The questions, the application and a model."""

    def __init__(self, index: Path, model: Likelihood, family: ModelFamily) -> None:
        self._service = toolbox().ask(index, hybrid=False)
        self._index = toolbox().open_index(index)
        self._lexicon: PlanningLexicon = load_lexicon(RESOURCES / "lexicons")
        self._model = model
        self._family = family
        self._gold = read_gold([GOLD / f"{silo}.jsonl" for silo in SILOS])

    def shown(self) -> Iterator[Choice]:
        """Sections that show sentences of which some answer and some do not."""
        for question in self._gold:
            answer = self._service.ask(
                question.text, progress=ignore_progress, cancel=CancelToken()
            )
            sections: dict[str, list[tuple[str, bool]]] = {}
            for span in answer.spans:
                if isinstance(span, VerifiedAssertion):
                    anchored = span.anchored
                    right = any(
                        e.accepts(anchored.passage) and _plain(e.words) in _plain(anchored.quote)
                        for e in question.expected
                    )
                    sections.setdefault(anchored.draft.section, []).append((anchored.quote, right))
            for sentences in sections.values():
                yield from self._choice(question, sentences)

    def inside(self) -> Iterator[Choice]:
        """Passages found that answer, where the words that answer are known."""
        for question in self._gold:
            found = self._service.find(question.text, silos=(question.silo,), limit=_ROWS)
            told = [
                (e, hit.passage)
                for hit in found.hits
                for e in question.expected
                if e.words and e.accepts(hit.passage)
            ]
            if told:
                expected, passage = told[0]
                texts = [passage.text[a:b] for a, b in sentence_spans(passage.text)]
                held = [(t, _plain(expected.words) in _plain(t)) for t in texts]
                yield from self._choice(question, held)

    def _choice(
        self, question: GoldQuestion, sentences: Sequence[tuple[str, bool]]
    ) -> Iterator[Choice]:
        right = tuple(r for _text, r in sentences)
        if all(right) or not any(right):
            return
        yield Choice(
            half=question.half,
            right=right,
            shared=tuple(_shared(question.text, text, self._index) for text, _ in sentences),
            likely=tuple(self._likely(question.text, text) for text, _ in sentences),
        )

    def _likely(self, question: str, sentence: str) -> float:
        """« Write a question this passage answers »: the likelihood of the one that was asked."""
        told = " ".join(sentence.split())[:_LONGEST]
        text = f"Passage : {told}\nÉcris une question à laquelle ce passage répond."
        asked = prompt_parts(self._family, (Message(role=Role.USER, content=text),))
        return self._model.of(question, [(p.text, p.mark) for p in asked])[0]

    def queries(self) -> Iterator[Pair]:
        """Questions whose own words and whose plan's sub-query do not find equally well."""
        for gold in self._gold:
            question = understand(gold.text, self._index, self._lexicon)
            plan = make_plan(question, self._index, self._lexicon)
            if not plan.sub_queries:
                continue
            other = plan.sub_queries[0].query
            own = ranked_request(question, self._index, self._lexicon, limit=_ROWS)
            plain = SearchRequest(query=other, mode=MatchMode.RANKED, silos=(), limit=_ROWS)
            ranks = [_found(gold, self._index.search(request)) for request in (own, plain)]
            if ranks[0] == ranks[1]:
                continue
            likely = [
                self._model.of(gold.text, [(f"Recherche : {q}\nQuestion : ", False)])[0]
                for q in (question.text, other)
            ]
            yield Pair(
                half=gold.half, truth=ranks[0] > ranks[1], rule=True, score=likely[0] - likely[1]
            )

    def follow_ups(self) -> Iterator[Pair]:
        """A question after another: one that needs it, the next of its silo, a variant of it."""
        plain = [g for g in self._gold if g.kind == "plain"]
        for identifier, text in read_rows(GOLD / "follow_ups.jsonl", _follow_up):
            first = next(g for g in self._gold if g.id == identifier)
            alike = [g for g in plain if (g.half, g.silo) == (first.half, first.silo)]
            following = alike[(alike.index(first) + 1) % len(alike)]
            variants = [g for g in self._gold if g.id.startswith(first.id) and g is not first]
            yield self._second(first, text, follows=True)
            for other in (following, *variants[:1]):
                yield self._second(first, other.text, follows=False)

    def _second(self, first: GoldQuestion, text: str, *, follows: bool) -> Pair:
        question = understand(text, self._index, self._lexicon)
        concepts = find_subject(question, self._index, self._lexicon).concepts
        named = any(c.identifiers for c in concepts)
        before, tokens = self._model.of(text, [("Question : ", False)])
        after, _ = self._model.of(text, [(f"Question : {first.text}\nQuestion : ", False)])
        return Pair(
            half=first.half,
            truth=follows,
            rule=bool(_LEANS.match(fold(text))) or not named,
            score=(after - before) / tokens,
        )


def _follow_up(row: dict[str, str]) -> tuple[str, str]:
    return row["after"], row["question"]


def _found(question: GoldQuestion, hits: Iterable[SearchHit]) -> float:
    """Reciprocal of the rank of the first passage that answers; 0: none."""
    return next((1 / n for n, h in enumerate(hits, 1) if question.is_answered_by(h.passage)), 0.0)


def _shared(question: str, sentence: str, index: PassageIndex) -> float:
    total = index.identity().passages + 1
    held = stems((sentence,))
    return sum(
        math.log(total / (1 + index.document_frequency(word)))
        for word in dict.fromkeys(content_words(question))
        if stems((word,)) & held
    )


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _spread(values: Sequence[float]) -> list[float]:
    """Values of mean 0 and deviation 1 (all 0 when they are equal)."""
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    return [(v - mean) / deviation if deviation else 0.0 for v in values]


def _timed(items: Iterator[_Item]) -> tuple[list[_Item], float]:
    start = time.process_time()
    return list(items), time.process_time() - start


def _choice_table(name: str, choices: Sequence[Choice], half: str, spent: float) -> str:
    tuning = [c for c in choices if c.half == "tuning"]
    asked = [c for c in choices if c.half == half]

    def right(of: Sequence[Choice], weights: tuple[float, float]) -> int:
        return sum(c.first_is_right(*weights) for c in of)

    def best(likely: Sequence[float]) -> tuple[float, float]:
        return max(product(WEIGHTS, likely), key=lambda w: (right(tuning, w), -sum(w)))

    rows = [f"{name} ({half}, {len(asked)} choices, {spent / len(choices):.1f} CPU s each)"]
    for label, weights in (
        ("order", (0.0, 0.0)),
        ("model alone", (0.0, 1e6)),
        ("order and shared words", best((0.0,))),
        ("order, shared words, model", best(WEIGHTS[1:])),
    ):
        rows.append(_row(f"{label} {weights}", right(asked, weights), len(asked)))
    return "\n".join(rows)


def _pair_table(name: str, pairs: Sequence[Pair], half: str, spent: float) -> str:
    tuning = [p for p in pairs if p.half == "tuning"]
    asked = [p for p in pairs if p.half == half]

    def right(of: Sequence[Pair], threshold: float) -> int:
        return sum((p.score > threshold) is p.truth for p in of)

    chosen = max((p.score for p in tuning), key=lambda t: right(tuning, t))
    rules = sum(p.rule is p.truth for p in asked)
    return "\n".join(
        [
            f"{name} ({half}, {len(asked)} decisions, {spent / len(pairs):.1f} CPU s each)",
            _row("rule", rules, len(asked)),
            _row(f"model (threshold {chosen:.2f})", right(asked, chosen), len(asked)),
        ]
    )


def _row(label: str, count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"  {label:<44} {count:>3}/{total}  {count / total:.0%} [{low:.0%}–{high:.0%}]"


if __name__ == "__main__":
    main()
