"""What the calculators remember: favourites, recent ones, usual units; the patient, never on disk."""

from __future__ import annotations

from dataclasses import dataclass

from ancremed_desktop.formulas.bank import Variable, VariableType
from ancremed_desktop.settings.preferences import PreferenceStore

_RECENT = 6
_SHARED = {VariableType.NUMBER, VariableType.CHOICE, VariableType.DATE}
"""A yes or no is not shared: each score words its criterion in its own way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a field holds: its text or choice key, and the unit shown beside it."""

    text: str
    unit: str = ""


class CalculatorMemory:
    """Writes the user's choices at once; raises MachineError when they cannot be written."""

    def __init__(self, store: PreferenceStore) -> None:
        self._store = store
        self._patient: dict[str, Entry] = {}

    @property
    def favourites(self) -> tuple[str, ...]:
        """Identifiers, latest first."""
        return self._store.current.favourite_formulas

    @property
    def recent(self) -> tuple[str, ...]:
        """Identifiers, latest first, at most six."""
        return self._store.current.recent_formulas

    def opened(self, formula_id: str) -> None:
        """Put a formula in front of the recent ones. Raises: MachineError."""
        rest = (name for name in self.recent if name != formula_id)
        kept = (formula_id, *rest)[:_RECENT]
        if kept != self.recent:
            self._store.update(recent_formulas=kept)

    def set_favourite(self, formula_id: str, *, on: bool) -> None:
        """Raises: MachineError."""
        rest = tuple(name for name in self.favourites if name != formula_id)
        self._store.update(favourite_formulas=(formula_id, *rest) if on else rest)

    def unit(self, variable: Variable) -> str:
        """The unit the user reads this value in, else the bank's."""
        for line in self._store.current.usual_units:
            concept, _, unit = line.partition("=")
            if concept == variable.concept and unit in variable.units:
                return unit
        return variable.unit

    def set_unit(self, variable: Variable, unit: str) -> None:
        """Raises: MachineError."""
        start = f"{variable.concept}="
        rest = tuple(x for x in self._store.current.usual_units if not x.startswith(start))
        self._store.update(usual_units=(*rest, start + unit))

    def keep(self, variable: Variable, entry: Entry) -> None:
        """Remember a value of the patient for the other calculators; an empty one is forgotten."""
        if variable.type not in _SHARED:
            return
        if entry.text:
            self._patient[variable.concept] = entry
        else:
            self._patient.pop(variable.concept, None)

    def known(self, variable: Variable) -> Entry | None:
        """The patient's value, when this variable can take it as it was entered."""
        entry = self._patient.get(variable.concept)
        if entry is None or variable.type not in _SHARED:
            return None
        keys = {c.key for c in variable.choices} | {f"{level.value}" for level in variable.levels}
        if keys and entry.text not in keys:
            return None
        fits = not entry.unit or entry.unit in (*variable.units, variable.unit)
        return entry if fits else None

    def new_patient(self) -> None:
        """Forget every value."""
        self._patient.clear()
