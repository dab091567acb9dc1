"""Read and check the bank's files; a fault names the file, the field and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from ancremed_desktop.errors import BadFileError, reason_of
from ancremed_desktop.formulas import expression
from ancremed_desktop.formulas.expression import Expression
from ancremed_desktop.formulas.french import typographic
from ancremed_desktop.formulas.inputs import TODAY
from ancremed_desktop.formulas.model import (
    Band,
    Bank,
    Case,
    Choice,
    Constraint,
    Criterion,
    Formula,
    Intermediate,
    Level,
    Need,
    OutputSpec,
    Reading,
    Status,
    Variable,
    VariableType,
)
from ancremed_desktop.formulas.render import date_text
from ancremed_desktop.formulas.units import UnitSystem, load_units
from ancremed_desktop.formulas.vocabulary import load_vocabulary
from ancremed_desktop.text.normalise import fold


@dataclass(frozen=True, slots=True)
class _Field:
    """A value of a JSON file with its path, so that a fault can be told precisely."""

    value: object
    path: str

    def fail(self, why: str) -> BadFileError:
        return BadFileError(typographic(f"{self.path} : {why}."))

    def get(self, key: str) -> _Field:
        if not isinstance(self.value, dict) or key not in self.value:
            raise self.fail(f"le champ « {key} » manque")
        return _Field(self.value[key], f"{self.path} › {key}")

    def opt(self, key: str, default: object) -> _Field:
        if not isinstance(self.value, dict):
            raise self.fail("un objet était attendu")
        return _Field(self.value.get(key, default), f"{self.path} › {key}")

    def only(self, *allowed: str) -> _Field:
        if not isinstance(self.value, dict):
            raise self.fail("un objet était attendu")
        unknown = [key for key in self.value if key not in allowed]
        if unknown:
            raise self.fail(f"champ inconnu « {unknown[0]} »")
        return self

    def items(self) -> Iterable[_Field]:
        if not isinstance(self.value, list):
            raise self.fail("une liste était attendue")
        return [_Field(item, f"{self.path}[{i}]") for i, item in enumerate(self.value, 1)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.fail("un texte était attendu")
        return self.value

    def shown(self) -> str:
        return typographic(self.text())

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail("true ou false était attendu")
        return self.value

    def number(self) -> Decimal:
        if isinstance(self.value, bool) or not isinstance(self.value, int | Decimal):
            raise self.fail("un nombre était attendu")
        return Decimal(self.value)

    def optional_number(self, key: str) -> Decimal | None:
        field = self.opt(key, None)
        return None if field.value is None else field.number()

    def expression(self) -> Expression:
        try:
            return expression.parse(self.text())
        except ValueError as error:
            raise self.fail(str(error)) from error

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(item.shown() for item in self.opt(key, []).items())


def load(folder: Path) -> Bank:
    """Read ``unites.json``, ``questions.json`` and every ``entrees/*.json``.

    Raises: BadFileError, in French, naming the file and the field at fault.
    """
    units = load_units(folder / "unites.json")
    paths = sorted((folder / "entrees").glob("*.json"))
    if not paths:
        raise BadFileError(
            typographic(f"{folder.name} : aucune formule n’a été trouvée dans « entrees ».")
        )
    formulas = [_formula(_read(path), units) for path in paths]
    by_id = {formula.id: formula for formula in formulas}
    for path, formula in zip(paths, formulas, strict=True):
        if formula.id != path.stem:
            raise _Field(formula.id, f"{path.name} › id").fail(
                f"« {formula.id} » doit être le nom du fichier"
            )
    ordered = sorted(formulas, key=lambda f: (fold(f.category), fold(f.name)))
    vocabulary = load_vocabulary(folder / "questions.json")
    named = {f for name in vocabulary.names for f in name.formulas}
    named |= {f for rule in vocabulary.deductions for f in rule.formulas}
    if unknown := sorted(named - set(by_id)):
        raise _Field(unknown, "questions.json").fail(f"formule inconnue « {unknown[0]} »")
    return Bank(entries=tuple(ordered), by_id=by_id, vocabulary=vocabulary)


def _read(path: Path) -> _Field:
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, ValueError, RecursionError) as error:
        raise _Field(None, path.name).fail(f"fichier illisible ({reason_of(error)})") from error
    return _Field(data, path.name)


_ENTRY = (
    "id", "nom", "alias", "specialite", "statut", "population", "texte", "variables",
    "intermediaires", "criteres", "sorties", "interpretation", "contraintes", "mises_en_garde",
    "divergences", "source", "sources_secondaires", "non_verifie", "licence", "verification",
    "mots", "niveaux_source", "niveaux_date",
)  # fmt: skip


def _formula(entry: _Field, units: UnitSystem) -> Formula:
    entry.only(*_ENTRY)
    variables = tuple(_variable(item, units) for item in entry.get("variables").items())
    known = {variable.id for variable in variables}
    if len(known) != len(variables):
        raise entry.get("variables").fail("deux variables portent le même identifiant")
    intermediates = tuple(_intermediates(entry, known))
    criteria = tuple(_criterion(item, known) for item in entry.opt("criteres", []).items())
    outputs = tuple(_outputs(entry, known | ({"total"} if criteria else set())))
    results = {o.id for o in outputs} | ({"total"} if criteria else set())
    if not results:
        raise entry.fail("aucune sortie et aucun critère")
    verification = entry.get("verification").only("par", "date")
    licence = entry.opt("licence", "").shown()
    caveats = entry.texts("mises_en_garde") + ((licence,) if licence else ())
    return Formula(
        id=entry.get("id").text(),
        name=entry.get("nom").shown(),
        aliases=entry.texts("alias"),
        themes=entry.texts("mots"),
        category=entry.get("specialite").shown(),
        formula_text=entry.get("texte").shown(),
        variables=variables,
        criteria=criteria,
        intermediates=intermediates,
        outputs=outputs,
        bands=_bands(entry, results),
        constraints=tuple(
            _constraint(c, known | {TODAY}) for c in entry.opt("contraintes", []).items()
        ),
        population=entry.opt("population", "").shown(),
        caveats=caveats + _levels_origin(entry, variables),
        divergences=entry.texts("divergences"),
        source=entry.get("source").shown(),
        secondary_sources=entry.texts("sources_secondaires"),
        unverified=entry.texts("non_verifie"),
        verified_by=verification.get("par").shown(),
        verified_date=verification.get("date").text(),
        status=_member(entry.get("statut"), Status),
        units=units,
    )


def _levels_origin(entry: _Field, variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """Where the wording of graded items comes from, as a caveat; levels never go without it."""
    if not any(variable.levels for variable in variables):
        return ()
    source = entry.get("niveaux_source").text()
    day = date_text(entry.get("niveaux_date").text())
    return (
        typographic(
            f"Niveaux résumés en nos mots le {day} d’après {source} ; non relus par un clinicien."
        ),
    )


E = TypeVar("E", Status, VariableType, Need)


def _member(field: _Field, kind: type[E]) -> E:
    try:
        return kind(field.text())
    except ValueError as error:
        raise field.fail(f"« {field.value} » n’est pas prévu ({', '.join(kind)})") from error


def _variable(item: _Field, units: UnitSystem) -> Variable:
    item.only(
        "id", "nom", "type", "besoin", "notion", "unite", "grandeur", "bornes", "pas", "choix",
        "constante", "proposition", "note", "niveaux",
    )  # fmt: skip
    kind = _member(item.get("type"), VariableType)
    quantity = item.opt("grandeur", "").text()
    unit = item.opt("unite", "").text()
    if quantity and quantity not in units.quantities:
        raise item.get("grandeur").fail(f"grandeur inconnue « {quantity} »")
    if quantity and units.quantities[quantity].canonical != unit:
        raise item.get("unite").fail(f"l’unité doit être celle de la grandeur « {quantity} »")
    minimum, maximum = _bounds(item, kind)
    choices = item.opt("choix", {})
    if kind is VariableType.CHOICE and not (isinstance(choices.value, dict) and choices.value):
        raise choices.fail("la liste des choix est vide")
    assert isinstance(choices.value, dict)
    constant = item.optional_number("constante")
    need = _member(item.get("besoin"), Need)
    if (need is Need.CONSTANT) != (constant is not None):
        raise item.fail("« constante » va avec le besoin « constante »")
    step = item.optional_number("pas")
    return Variable(
        id=item.get("id").text(),
        label=item.get("nom").shown(),
        type=kind,
        need=need,
        concept=item.get("notion").text(),
        unit=unit,
        units=tuple(units.quantities[quantity].factors) if quantity else (),
        quantity=quantity,
        minimum=minimum,
        maximum=maximum,
        step=step,
        choices=tuple(Choice(key=k, label=typographic(v)) for k, v in choices.value.items()),
        levels=_levels(item, minimum, maximum, step),
        constant=constant,
        suggestion=item.opt("proposition", "").shown(),
        note=item.opt("note", "").shown(),
    )


def _levels(
    item: _Field, minimum: Decimal | None, maximum: Decimal | None, step: Decimal | None
) -> tuple[Level, ...]:
    field = item.opt("niveaux", [])
    levels = []
    for one in field.items():
        one.only("valeur", "libelle")
        value = one.get("valeur").number()
        if minimum is None or maximum is None or not minimum <= value <= maximum:
            raise one.get("valeur").fail("valeur hors des bornes")
        if step is None or value % step:
            raise one.get("valeur").fail("valeur hors du pas")
        levels.append(Level(value=value, label=one.get("libelle").shown()))
    if len({level.value for level in levels}) != len(levels):
        raise field.fail("deux niveaux ont la même valeur")
    return tuple(levels)


def _bounds(item: _Field, kind: VariableType) -> tuple[Decimal | None, Decimal | None]:
    if kind is not VariableType.NUMBER:
        return None, None
    bounds = [bound.number() for bound in item.get("bornes").items()]
    if len(bounds) != 2 or bounds[0] >= bounds[1]:
        raise item.get("bornes").fail("deux bornes croissantes étaient attendues")
    return bounds[0], bounds[1]


def _checked(field: _Field, known: Iterable[str]) -> Expression:
    parsed = field.expression()
    unknown = sorted(parsed.names - set(known))
    if unknown:
        raise field.fail(f"« {unknown[0]} » n’est ni une variable ni un intermédiaire")
    return parsed


def _optional_expression(item: _Field, key: str, known: Iterable[str]) -> Expression | None:
    field = item.opt(key, None)
    return None if field.value is None else _checked(field, known)


def _cases(field: _Field, known: Iterable[str]) -> tuple[Case, ...]:
    cases = []
    for item in field.items():
        item.only("si", "points")
        points = Fraction(item.get("points").number())
        cases.append(Case(condition=_checked(item.get("si"), known), points=points))
    return tuple(cases)


def _readings(item: _Field, known: set[str]) -> tuple[Reading, ...]:
    readings = []
    for field in item.opt("par_unite", []).items():
        field.only("variables", "unites", "unite", "cas", "expr")
        readings.append(
            Reading(
                variables=tuple(v.text() for v in field.get("variables").items()),
                units=frozenset(u.text() for u in field.get("unites").items()),
                unit=field.get("unite").text(),
                cases=_cases(field.opt("cas", []), known),
                expression=_optional_expression(field, "expr", known),
            )
        )
        if not set(readings[-1].variables) <= known:
            raise field.get("variables").fail("variable inconnue")
    return tuple(readings)


def _criterion(item: _Field, known: set[str]) -> Criterion:
    item.only("id", "libelle", "cas", "par_unite")
    return Criterion(
        id=item.get("id").text(),
        label=item.get("libelle").shown(),
        cases=_cases(item.get("cas"), known),
        readings=_readings(item, known),
    )


def _intermediates(entry: _Field, known: set[str]) -> Iterable[Intermediate]:
    for item in entry.opt("intermediaires", []).items():
        item.only("id", "nom", "expr", "par_unite")
        yield Intermediate(
            id=item.get("id").text(),
            label=item.get("nom").shown(),
            expression=_checked(item.get("expr"), known),
            readings=_readings(item, known),
        )
        known.add(item.get("id").text())


def _outputs(entry: _Field, known: set[str]) -> Iterable[OutputSpec]:
    for item in entry.opt("sorties", []).items():
        item.only("id", "nom", "expr", "unite", "decimales", "si")
        yield OutputSpec(
            id=item.get("id").text(),
            label=item.get("nom").shown(),
            expression=_checked(item.get("expr"), known),
            unit=item.get("unite").text(),
            decimals=int(item.get("decimales").number()),
            condition=_optional_expression(item, "si", known),
        )
        known.add(item.get("id").text())


def _constraint(item: _Field, known: set[str]) -> Constraint:
    item.only("expr", "message")
    return Constraint(
        condition=_checked(item.get("expr"), known), message=item.get("message").shown()
    )


def _bands(entry: _Field, results: set[str]) -> tuple[Band, ...]:
    bands = []
    for item in entry.get("interpretation").items():
        item.only("sur", "min", "max", "min_inclus", "max_inclus", "libelle")
        band = Band(
            output=item.get("sur").text(),
            label=item.get("libelle").shown(),
            minimum=item.optional_number("min"),
            maximum=item.optional_number("max"),
            minimum_included=item.opt("min_inclus", True).flag(),
            maximum_included=item.opt("max_inclus", True).flag(),
        )
        if band.output not in results:
            raise item.get("sur").fail(f"« {band.output} » n’est pas une sortie")
        bands.append(band)
    for output in results:
        _no_overlap(entry, [b for b in bands if b.output == output])
    return tuple(bands)


def _no_overlap(entry: _Field, bands: list[Band]) -> None:
    lowest = Decimal("-Infinity")
    ordered = sorted(bands, key=lambda b: (lowest if b.minimum is None else b.minimum, b.label))
    for low, high in pairwise(ordered):
        touching = low.maximum == high.minimum and low.maximum_included and high.minimum_included
        reaches = low.maximum is None or high.minimum is None or low.maximum > high.minimum
        if touching or reaches:
            raise entry.get("interpretation").fail(
                f"« {low.label} » et « {high.label} » se chevauchent"
            )
