"""Read a question: which calculations it asks for, with which values, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from rapidfuzz.distance import OSA

from ancremed_desktop.domain.formulas import (
    CalculationRequest,
    CalculationResult,
    MissingInput,
    RawInput,
)
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.evaluate import evaluate
from ancremed_desktop.formulas.facts import Fact, Facts, Reader
from ancremed_desktop.formulas.inputs import understand
from ancremed_desktop.formulas.items import read_items
from ancremed_desktop.formulas.model import Bank, Formula, Need
from ancremed_desktop.formulas.vocabulary import NameWords
from ancremed_desktop.text.normalise import fold

MAX_LENGTH = 2000
_FAMILIAR = (
    "cockcroft", "friedewald", "chadsvasc", "fridericia", "bazett", "maddrey", "blatchford",
    "fagerstrom", "mosteller", "lorentz", "ganzoni", "parkland", "schwartz", "ranson", "apgar",
    "bishop", "barthel", "forrest", "hasbled", "geneve",
)  # fmt: skip
"""Proper names worth recognising through a typing error; each is matched by a name pattern."""
_GIVEN_SCORE = re.compile(r"^\W{0,3}(?:a |de |= ?|: ?|est |etait )?(?:\d|[abc]\d{0,2}\b)")


@dataclass(frozen=True, slots=True)
class _Named:
    """A name found in the question at ``text[start:end]``."""

    words: NameWords
    start: int
    end: int


def read_question(
    text: str, bank: Bank, today: date | None = None
) -> tuple[CalculationRequest, ...]:
    """Calculations a French question names or implies, filled with what it says.

    ``today`` gives a date without its year the latest such day, and the origin says so; without
    it such a date is asked for. Texts beyond 2,000 characters are read up to there. Never raises
    for what a question may hold: doubts are listed in ``missing``.
    """
    folded = _tidy(text[:MAX_LENGTH])
    named, blanked = _names(folded, bank)
    facts = _reader(bank, today).read(blanked)
    formulas = _chosen(named, folded, facts, bank) or _deduced(folded, facts, bank)
    return tuple(_request(f, _with_items(f, folded, facts), today) for f in formulas)


def _tidy(text: str) -> str:
    """Folded text with single spaces; known names with a typing error are put right."""
    folded = re.sub(r" +", " ", fold(text).replace("−", "-")).strip()
    return re.sub(r"[a-z]{5,}", lambda m: _corrected(m.group()), folded)


@lru_cache(maxsize=2048)
def _corrected(word: str) -> str:
    if word in _FAMILIAR:
        return word
    allowed = 2 if len(word) >= 8 else 1
    near = [n for n in _FAMILIAR if abs(len(n) - len(word)) <= allowed and n[0] == word[0]]
    hits = [n for n in near if OSA.distance(word, n, score_cutoff=allowed) <= allowed]
    return hits[0] if len(hits) == 1 else word


def _reader(bank: Bank, today: date | None) -> Reader:
    variables = [v for formula in bank.entries for v in formula.variables]
    return Reader(
        vocabulary=bank.vocabulary,
        units=bank.entries[0].units,
        quantities={v.concept: v.quantity for v in variables if v.quantity},
        accepted={v.concept: v.units for v in variables if v.units},
        today=today,
    )


def _names(text: str, bank: Bank) -> tuple[list[_Named], str]:
    """Names in order of appearance, and the text without them; specific names come first."""
    found = []
    for words in bank.vocabulary.names:
        for match in words.pattern.finditer(text):
            found.append(_Named(words, match.start(), match.end()))
            keep_label = re.search(r"ddr|regles|naegele|qt$|pao2|corrige|osmol", match.group())
            if not words.weak and not keep_label:
                blank = " " * (match.end() - match.start())
                text = text[: match.start()] + blank + text[match.end() :]
    return sorted(found, key=lambda n: n.start), text


def _chosen(named: Sequence[_Named], text: str, facts: Facts, bank: Bank) -> tuple[Formula, ...]:
    strong = [n for n in named if not n.words.weak]
    ids: dict[str, None] = {}
    for name in strong or named:
        formulas = [bank.get(formula_id) for formula_id in name.words.formulas]
        if name.words.best:
            formulas = [max(formulas, key=lambda f: _filled(f, facts))]
        for formula in formulas:
            given = _GIVEN_SCORE.match(text[name.end :])
            if not (given and not _filled(formula, _with_items(formula, text, facts))):
                ids[formula.id] = None
    return tuple(bank.get(formula_id) for formula_id in ids)


def _with_items(formula: Formula, text: str, facts: Facts) -> Facts:
    items = {concept: Fact(raw=raw) for concept, raw in read_items(formula, text).items()}
    return {**items, **facts}


def _filled(formula: Formula, facts: Facts) -> int:
    return sum(v.concept in facts for v in formula.variables if v.need is Need.REQUIRED) or sum(
        v.concept in facts for v in formula.variables
    )


def _deduced(text: str, facts: Facts, bank: Bank) -> tuple[Formula, ...]:
    """Formulas of the first deduction whose values are all there."""
    for rule in bank.vocabulary.deductions:
        if rule.words is not None and not rule.words.search(text):
            continue
        if rule.any_of and not any(concept in facts for concept in rule.any_of):
            continue
        if any(concept in facts for concept in rule.none_of):
            continue
        if all(concept in facts for concept in rule.concepts):
            return tuple(bank.get(formula_id) for formula_id in rule.formulas)
    return ()


def _request(formula: Formula, facts: Facts, today: date | None) -> CalculationRequest:
    inputs: dict[str, RawInput] = {}
    doubts: dict[str, str] = {}
    for variable in formula.variables:
        fact = facts.get(variable.concept)
        if fact is None:
            continue
        if fact.raw is not None and not fact.doubt:
            inputs[variable.id] = fact.raw
        else:
            doubts[variable.id] = fact.doubt
    understood = understand(formula, inputs, today)
    missing = tuple(_with_doubt(formula, understood.missing, doubts))
    return CalculationRequest(
        formula_id=formula.id,
        name=formula.name,
        inputs=tuple(i for i in understood.inputs if i.id not in doubts),
        missing=missing,
        result=None if missing else _result(formula, inputs, today),
    )


def _with_doubt(
    formula: Formula, missing: Iterable[MissingInput], doubts: dict[str, str]
) -> Iterable[MissingInput]:
    left = dict(doubts)
    for item in missing:
        doubt = left.pop(item.id, "")
        yield replace(item, problem=f"à préciser\u00a0: {doubt}") if doubt else item
    for variable_id, doubt in left.items():
        variable = formula.variable(variable_id)
        yield MissingInput(
            id=variable.id,
            label=variable.label,
            problem=f"à préciser\u00a0: {doubt}",
            units=variable.units,
        )


def _result(
    formula: Formula, inputs: dict[str, RawInput], today: date | None
) -> CalculationResult | None:
    try:
        return evaluate(formula, inputs, today)
    except CalculationError:
        return None
