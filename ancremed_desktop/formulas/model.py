"""What a formula of the bank is: variables, criteria, outputs, bands, provenance."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from ancremed_desktop.formulas.expression import Expression
from ancremed_desktop.formulas.units import UnitSystem
from ancremed_desktop.formulas.vocabulary import Vocabulary
from ancremed_desktop.text.normalise import fold


class VariableType(StrEnum):
    """What a variable holds."""

    NUMBER = "nombre"
    CHOICE = "choix"
    BOOLEAN = "booleen"
    DATE = "date"


class Need(StrEnum):
    """What is done when a variable is not given; nothing is ever assumed in silence."""

    REQUIRED = "requis"
    """Asked for; no result without it."""
    CRITERION = "critere"
    """Counted 0 and shown as « non renseigné, compté 0 »."""
    OPTIONAL = "facultatif"
    """The outputs that need it are left out."""
    CONSTANT = "constante"
    """A constant written in the formula itself, shown, and open to change."""


class Status(StrEnum):
    """How an entry may be used."""

    ACTIVE = "actif"
    HISTORICAL = "historique"
    STRUCTURE = "structure"
    """Sub-scores and bounds only: the wording of the instrument is not reproduced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value of a choice variable."""

    key: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What one value of a graded item means, in our own words."""

    value: Decimal
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One input; bounds are inclusive and in ``unit``, the canonical unit.

    ``step``: the value must be a multiple of it (1 for a whole number). ``concept``: shared by
    the variables of all formulas that mean the same thing (age, weight, creatinine...).
    ``levels``: of a number that grades an item, every value it can take, in the order shown.
    ``suggestion``: usual value, to show beside the field, never used by itself.
    """

    id: str
    label: str
    type: VariableType
    need: Need
    concept: str
    unit: str = ""
    units: tuple[str, ...] = ()
    quantity: str = ""
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    step: Decimal | None = None
    choices: tuple[Choice, ...] = ()
    levels: tuple[Level, ...] = ()
    constant: Decimal | None = None
    suggestion: str = ""
    note: str = ""

    @property
    def required(self) -> bool:
        """Whether no result is possible without it."""
        return self.need is Need.REQUIRED


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Points given when the condition holds."""

    condition: Expression
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Cases (or an expression) as published for one unit system.

    It is used when every one of ``variables`` was entered in one of ``units``; those variables
    then stand in ``unit``, so that thresholds are compared in the unit that was entered.
    """

    variables: tuple[str, ...]
    units: frozenset[str]
    unit: str
    cases: tuple[Case, ...] = ()
    expression: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One line of a points table: the first case that holds gives its points, else 0."""

    id: str
    label: str
    cases: tuple[Case, ...]
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Intermediate:
    """A named step of the arithmetic."""

    id: str
    label: str
    expression: Expression
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSpec:
    """A result; ``condition`` absent or true, else it is left out."""

    id: str
    label: str
    expression: Expression
    unit: str
    decimals: int
    condition: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """An interval of an output and what it means; a missing bound is unlimited."""

    output: str
    label: str
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    minimum_included: bool = True
    maximum_included: bool = True

    def holds(self, value: Fraction) -> bool:
        """Whether the exact, unrounded value lies in the interval."""
        if self.minimum is not None:
            low = Fraction(self.minimum)
            if value < low or (value == low and not self.minimum_included):
                return False
        if self.maximum is not None:
            high = Fraction(self.maximum)
            if value > high or (value == high and not self.maximum_included):
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A relation between variables that must hold; ``message`` is French."""

    condition: Expression
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One entry of the bank. Texts are French and ready to be shown."""

    id: str
    name: str
    aliases: tuple[str, ...]
    themes: tuple[str, ...]
    """Situations it is looked for in, for the search alone."""
    category: str
    formula_text: str
    variables: tuple[Variable, ...]
    criteria: tuple[Criterion, ...]
    intermediates: tuple[Intermediate, ...]
    outputs: tuple[OutputSpec, ...]
    bands: tuple[Band, ...]
    constraints: tuple[Constraint, ...]
    population: str
    caveats: tuple[str, ...]
    divergences: tuple[str, ...]
    source: str
    secondary_sources: tuple[str, ...]
    unverified: tuple[str, ...]
    """What could not be checked against the primary source."""
    verified_by: str
    verified_date: str
    status: Status
    units: UnitSystem = field(repr=False)

    def variable(self, variable_id: str) -> Variable:
        """Raises: KeyError."""
        for variable in self.variables:
            if variable.id == variable_id:
                return variable
        raise KeyError(variable_id)

    @property
    def is_sum_of_points(self) -> bool:
        """Whether the first result is a total of points."""
        return bool(self.criteria)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """All formulas, by specialty then name."""

    entries: tuple[Formula, ...]
    by_id: Mapping[str, Formula]
    vocabulary: Vocabulary = field(repr=False)
    """How questions name the formulas and their variables."""

    def get(self, formula_id: str) -> Formula:
        """Raises: KeyError."""
        return self.by_id[formula_id]

    def search(self, text: str, limit: int = 20) -> tuple[Formula, ...]:
        """Formulas that hold every word of ``text`` in their names, themes or texts, best first."""
        words = _squashed(text).split()
        scored = [(_score(formula, words), formula) for formula in self.entries]
        kept = sorted((s for s in scored if s[0] > 0), key=lambda s: (-s[0], s[1].name))
        return tuple(formula for _, formula in kept[:limit])


def _score(formula: Formula, words: list[str]) -> int:
    """100 for an exact name, less for words of names and themes, their starts, and texts."""
    names = [_squashed(n) for n in (formula.name, *formula.aliases, formula.id)]
    joined = " ".join(words)
    if not words or joined in names:
        return 100
    squeezed = joined.replace(" ", "")
    if any(squeezed == n.replace(" ", "") for n in names):
        return 90
    themes = [_squashed(t) for t in (*formula.themes, formula.category)]
    if set(words) <= set(" ".join([*names, *themes]).split()):
        return 70
    if _all_start(words, names):
        return 60
    if _all_start(words, [*names, *themes]):
        return 50
    if all(any(w in n for n in (*names, *themes)) for w in words):
        return 30
    texts = (formula.formula_text, formula.population, *formula.caveats)
    labels = (variable.label for variable in formula.variables)
    return 10 if _all_start(words, [*names, *themes, *map(_squashed, (*texts, *labels))]) else 0


def _squashed(text: str) -> str:
    return re.sub(r"[^\w]+|_", " ", fold(text)).strip()


def _all_start(words: list[str], texts: list[str]) -> bool:
    tokens = " ".join(texts).split()
    return all(any(token.startswith(word) for token in tokens) for word in words)
