"""The calculators as the window and the command line use them: list, search, run, read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date

from ancremed_desktop.domain.formulas import CalculationRequest, CalculationResult, RawInput
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.bank import Bank, Formula, Variable, VariableType
from ancremed_desktop.formulas.dates import parse_date
from ancremed_desktop.formulas.evaluate import evaluate
from ancremed_desktop.formulas.extract import read_question
from ancremed_desktop.formulas.french import list_of
from ancremed_desktop.formulas.units import parse_measure
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

_YES = frozenset({"oui", "o", "vrai", "true", "1", "present", "presente", "yes"})
_NO = frozenset({"non", "n", "faux", "false", "0", "absent", "absente", "no"})
_MALE = frozenset({"h", "homme", "m", "masculin", "male", "garcon"})
_FEMALE = frozenset({"f", "femme", "feminin", "female", "fille"})
LONGEST_VALUE = 80
"""Characters of a typed value: room for every choice in words, none for endless digits, which
Python takes seconds to turn into a number, or refuses."""


class CalculatorService:
    """Stateless; every method may be called from any thread."""

    def __init__(self, bank: Bank, today: Callable[[], date] = date.today) -> None:
        """``today``: the day against which a date without its year is read."""
        self.bank = bank
        self._today = today

    def list(self) -> tuple[Formula, ...]:
        """All formulas, by specialty then name."""
        return self.bank.entries

    def search(self, text: str, limit: int = 20) -> tuple[Formula, ...]:
        """Formulas by name or alias, best first."""
        return self.bank.search(text, limit)

    def show(self, formula_id: str) -> Formula:
        """Raises: CalculationError naming the closest formulas when the identifier is unknown."""
        try:
            return self.bank.get(formula_id)
        except KeyError:
            near = tuple(f.id for f in self.bank.search(formula_id.replace("_", " "), 3))
            hint = f" Proches{NBSP}: {list_of(near)}." if near else ""
            raise CalculationError(
                f"Aucune formule ne porte l’identifiant «{NBSP}{formula_id}{NBSP}».{hint}"
                " La commande «\u00a0calc list\u00a0» les donne toutes."
            ) from None

    def run(self, formula_id: str, values: Mapping[str, str]) -> CalculationResult:
        """Compute from what a user typed: « 110umol/L », « 1,2 mg/dL », « oui », « H », a date.

        Raises: IncompleteInput (a CalculationError) with ``missing`` when a value is absent,
        doubtful or implausible; CalculationError when a name or a value cannot be read.
        """
        formula = self.show(formula_id)
        raw = {name: raw_value(formula, name, t) for name, t in values.items()}
        return evaluate(formula, raw, self._today())

    def read_question(self, text: str) -> tuple[CalculationRequest, ...]:
        """Calculations named or implied by a question, with the patient's values it gives."""
        return read_question(text, self.bank, self._today())


def raw_value(formula: Formula, name: str, text: str) -> RawInput:
    """Read one typed value.

    Raises: CalculationError naming the variable and what is expected.
    """
    try:
        variable = formula.variable(name)
    except KeyError:
        known = list_of(tuple(variable.id for variable in formula.variables))
        raise CalculationError(
            f"«{NBSP}{name}{NBSP}» n’est pas une variable de «{NBSP}{formula.id}{NBSP}»."
            f" Variables attendues{NBSP}: {known}."
        ) from None
    try:
        if len(text) > LONGEST_VALUE:
            raise CalculationError(
                f"valeur trop longue ({len(text)} caractères reçus, {LONGEST_VALUE} au plus)."
            )
        return _read(variable, text)
    except CalculationError as error:
        raise CalculationError(f"{variable.label} ({name}){NBSP}: {error}") from error


def _read(variable: Variable, text: str) -> RawInput:
    match variable.type:
        case VariableType.NUMBER:
            value, unit = parse_measure(text)
            return RawInput(value=value, unit=unit)
        case VariableType.BOOLEAN:
            return RawInput(value=_boolean(text))
        case VariableType.CHOICE:
            return RawInput(value=_choice(variable, text))
    return RawInput(value=parse_date(text).isoformat())


def _boolean(text: str) -> bool:
    word = fold(text).strip()
    if word in _YES or word in _NO:
        return word in _YES
    raise CalculationError(f"«{NBSP}{text}{NBSP}» n’est pas compris (attendu{NBSP}: oui ou non).")


def _choice(variable: Variable, text: str) -> str:
    word = fold(text).strip()
    keys = {choice.key: fold(choice.label) for choice in variable.choices}
    if set(keys) == {"H", "F"}:
        word = "h" if word in _MALE else "f" if word in _FEMALE else word
    for key, label in keys.items():
        if word in (fold(key), label, re.sub(r" *\(.*?\)", "", label)):
            return key
    raise CalculationError(
        f"«{NBSP}{text}{NBSP}» n’est pas un des choix ({list_of(tuple(keys), 'ou')})."
    )
