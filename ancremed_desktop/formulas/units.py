"""Units of the bank's quantities: how they are written and converted, exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from ancremed_desktop.errors import BadFileError, CalculationError, reason_of
from ancremed_desktop.formulas.french import typographic
from ancremed_desktop.text.normalise import fold

NUMBER = r"[-+]?(?:\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
"""A number in folded text: comma or point is the decimal mark, a space groups thousands."""

_MEASURE = re.compile(rf"(?P<before>[^\d+-]*?)(?P<number>{NUMBER})(?P<after>.*)")
_SPLIT = re.compile(r"(\d+) ?(m|°) ?(\d{1,2})(?!\d)( ?c)?")


_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A measurable thing; a value times its factor, plus its offset, is in the canonical unit."""

    id: str
    canonical: str
    factors: Mapping[str, Fraction]
    offsets: Mapping[str, Fraction]
    """Of the units that do not share the zero of the canonical one; 0 for the others."""
    note: str = ""
    tacit: bool = False
    """Whether people leave the unit out by habit (years, kilograms, millimetres of mercury)."""
    usual: bool = False
    """Whether the canonical unit is the only one in use, so that none needs to be confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSystem:
    """All quantities and the spellings (folded, no space) of each unit."""

    quantities: Mapping[str, Quantity]
    spellings: Mapping[str, frozenset[str]]
    patterns: Mapping[str, re.Pattern[str]]
    """For each quantity, its units as they are met in folded text, after an optional space."""
    any_unit: re.Pattern[str]

    def pattern(self, quantity: str) -> re.Pattern[str]:
        """Matches a unit of the quantity; nothing for a quantity without unit."""
        return self.patterns.get(quantity, _NOTHING)

    def convert(self, value: Fraction, quantity: str, unit: str, target: str = "") -> Fraction:
        """Value in ``target`` (the canonical unit by default); exact."""
        of = self.quantities[quantity]
        target = target or of.canonical
        canonical = value * of.factors[unit] + of.offsets.get(unit, 0)
        return (canonical - of.offsets.get(target, 0)) / of.factors[target]

    def match(self, written: str, accepted: tuple[str, ...]) -> str | None:
        """The accepted unit a spelling stands for; None when unknown or open to doubt."""
        key = unit_key(written)
        exact = [unit for unit in accepted if key == unit_key(unit)]
        found = exact or [unit for unit in accepted if key in self.spellings.get(unit, ())]
        return found[0] if len(found) == 1 else None


def unit_key(written: str) -> str:
    """Folded spelling without spaces: « µmol / L » → ``µmol/l``, « mmol.L-1 » → ``mmol/l``."""
    key = fold(written).replace(" ", "").replace("litre", "l").rstrip(".,;")
    key = re.sub(r"\.?(l|ml|dl|min|h)-1\b", r"/\1", key)
    return re.sub(r"^(?:u|mc|micro)(?=mol|kat|ui|g/)", "µ", key)


def load_units(path: Path) -> UnitSystem:
    """Read ``unites.json``.

    Raises: BadFileError naming the file and the field.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        quantities = {
            name: Quantity(
                id=name,
                canonical=entry["canonique"],
                factors={unit: Fraction(text) for unit, text in entry["facteurs"].items()},
                offsets={u: Fraction(text) for u, text in entry.get("decalages", {}).items()},
                note=entry.get("note", ""),
                tacit=bool(entry.get("tacite", False)),
                usual=bool(entry.get("usuelle", False)),
            )
            for name, entry in data["grandeurs"].items()
        }
        spellings = {
            unit: frozenset(unit_key(s) for s in written)
            for unit, written in data["graphies"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFileError(
            typographic(f"{path.name} : fichier d’unités illisible ({reason_of(error)}).")
        ) from error
    _check_canonical(path, quantities)
    written = {
        name: {key for unit in q.factors for key in (unit_key(unit), *spellings.get(unit, ()))}
        for name, q in quantities.items()
    }
    everything = {key for keys in written.values() for key in keys if re.search(r"/|mol|mmhg", key)}
    return UnitSystem(
        quantities=quantities,
        spellings=spellings,
        patterns={name: _unit_pattern(keys) for name, keys in written.items()},
        any_unit=_unit_pattern(everything),
    )


def _unit_pattern(keys: set[str]) -> re.Pattern[str]:
    """Longest first; spaces are tolerated around a slash; ``u`` stands for ``µ``."""
    forms = []
    for key in sorted(keys, key=len, reverse=True):
        form = re.escape(key).replace("/", " ?/ ?").replace("µ", "(?:µ|u|mc|micro)")
        forms.append(form)
    return re.compile(rf" ?(?:{'|'.join(forms)})(?![a-z0-9/])")


def _check_canonical(path: Path, quantities: Mapping[str, Quantity]) -> None:
    for quantity in quantities.values():
        if quantity.factors.get(quantity.canonical) != 1:
            raise BadFileError(
                typographic(f"{path.name} : « {quantity.id} » n’a pas d’unité canonique.")
            )


def parse_number(text: str) -> Decimal:
    """``1 234,5`` or ``1234.5``.

    Raises: CalculationError on anything else.
    """
    folded = fold(text).strip().replace("−", "-")
    if not re.fullmatch(NUMBER, folded):
        raise CalculationError(
            typographic(f"« {text} » n’est pas un nombre (exemples : 72 ; 1,2).")
        )
    return Decimal(folded.replace(" ", "").replace(",", "."))


def parse_measure(text: str) -> tuple[Decimal, str]:
    """Number and unit as written: « 110umol/L », « 1,2 mg/dL », « 1m68 », « BUN 25 ».

    Raises: CalculationError when there is no number, two numbers or a comparison sign.
    """
    folded = fold(text).strip().replace("−", "-")
    folded = _SPLIT.sub(lambda m: f"{m[1]},{m[3].zfill(2) if m[2] == 'm' else m[3]} {m[2]}", folded)
    found = _MEASURE.fullmatch(folded)
    if not found:
        raise CalculationError(
            typographic(f"« {text} » : un nombre était attendu (exemples : 72 ; 1,2).")
        )
    unit = f"{found['before']} {found['after']}".strip()
    if re.search(r"[<>≤≥~±?]", unit) or re.match(r"[.,]\d| ?[-/] ?\d", found["after"]):
        raise CalculationError(
            typographic(f"« {text} » : une valeur exacte est attendue, en un seul nombre.")
        )
    return parse_number(found["number"]), unit
