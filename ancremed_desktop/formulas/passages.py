"""The bank as a corpus: one source a formula, its text in whole French sentences to be quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument, passage_urn
from ancremed_desktop.domain.identifiers import PassageKind, Silo, SourceStatus
from ancremed_desktop.formulas.french import list_of, number, points_text, quantity
from ancremed_desktop.formulas.model import (
    Bank,
    Case,
    Criterion,
    Formula,
    Need,
    Status,
    Variable,
    VariableType,
)
from ancremed_desktop.formulas.render import date_text, described
from ancremed_desktop.formulas.words import levels_text
from ancremed_desktop.text.french import NBSP

PUBLISHER = "AncreMed, banque de formules"
LICENCE = "AGPL-3.0-or-later"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClinicalFormulaRow:
    """A row of the table ``clinical_formulas`` of the specification (§8)."""

    id: str
    name_fr: str
    category: str
    formula_text: str
    variables_json: str
    interpretation_text: str
    caveats_text: str
    source_citation: str
    verified_by: str
    verified_date: str


def clinical_formula_rows(bank: Bank) -> tuple[ClinicalFormulaRow, ...]:
    """One row a formula, in the bank's order."""
    return tuple(
        ClinicalFormulaRow(
            id=formula.id,
            name_fr=formula.name,
            category=formula.category,
            formula_text=formula.formula_text,
            variables_json=_variables_json(formula),
            interpretation_text="\n".join(band.label for band in formula.bands),
            caveats_text="\n".join((*formula.caveats, *formula.divergences)),
            source_citation=formula.source,
            verified_by=formula.verified_by,
            verified_date=formula.verified_date,
        )
        for formula in bank.entries
    )


def _variables_json(formula: Formula) -> str:
    return json.dumps(
        [
            {
                "id": v.id,
                "label": v.label,
                "type": str(v.type),
                "need": str(v.need),
                "unit": v.unit,
                "units": list(v.units),
                "choices": {choice.key: choice.label for choice in v.choices},
                "levels": {number(level.value): level.label for level in v.levels},
            }
            for v in formula.variables
        ],
        ensure_ascii=False,
    )


def formula_passages(bank: Bank) -> Iterator[SourceDocument]:
    """The bank's entries as sources of the ``formulas`` silo (identifier ``FORM-<id>``)."""
    for formula in bank.entries:
        yield SourceDocument(source=_source(formula), passages=tuple(_passages(formula)))


def _source(formula: Formula) -> Source:
    return Source(
        key=f"formulas:{formula.id}",
        silo=Silo.FORMULAS,
        title=formula.name,
        source_identifier=f"FORM-{formula.id}",
        publisher=PUBLISHER,
        licence=LICENCE,
        regulatory_date=formula.verified_date,
        status=SourceStatus.DRAFT,
        names=(formula.name, *formula.aliases),
        details=(
            ("Source primaire", formula.source),
            ("Vérification", f"{formula.verified_by} ({date_text(formula.verified_date)})"),
        ),
    )


def _passages(formula: Formula) -> Iterator[Passage]:
    sections = (
        ("formule", _formula_text(formula)),
        ("variables et unités", _variables_text(formula)),
        ("interprétation", _bands_text(formula)),
        ("limites et divergences", _limits_text(formula)),
        ("source", _source_text(formula)),
    )
    kept = [(section, text) for section, text in sections if text]
    for index, (section, text) in enumerate(kept):
        yield Passage(
            urn=passage_urn(Silo.FORMULAS, f"FORM-{formula.id}", str(index + 1)),
            source_key=f"formulas:{formula.id}",
            silo=Silo.FORMULAS,
            origin_title=formula.name,
            source_identifier=f"FORM-{formula.id}",
            text=text,
            regulatory_date=formula.verified_date,
            chunk_index=index,
            section=section,
            heading=formula.name,
            kind=PassageKind.FORMULA,
        )


def _sentence(text: str) -> str:
    """One whole sentence: capital first, a single full stop last."""
    text = text.strip()
    if not text[1:2].isupper():  # qSOFA keeps its small letter
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _lines(sentences: Iterable[str]) -> str:
    return "\n".join(_sentence(sentence) for sentence in sentences)


def _formula_text(formula: Formula) -> str:
    sentences = [f"{formula.name}{NBSP}: {_lower(formula.formula_text)}"]
    sentences += [_criterion_sentence(formula, criterion) for criterion in formula.criteria]
    if formula.population:
        sentences.append(
            f"{formula.name}{NBSP}: population concernée, {_lower(formula.population)}"
        )
    if formula.status is Status.HISTORICAL:
        sentences.append(f"{formula.name}{NBSP}: score conservé à titre historique")
    return _lines(sentences)


_KEEP = frozenset("France Centor Child Hillier Katz Kim Lorentz Cockcroft ARDSNet Forrest".split())
"""First words that keep their capital after a colon, whatever follows."""


def _lower(text: str) -> str:
    """A small first letter after a colon, unless the text starts with a name or an acronym."""
    first = re.match(r"[^\W\d_]+", text)
    word = first.group() if first else ""
    plain_word = len(word) > 2 and word[1:].islower() and word not in _KEEP
    if plain_word or word in {"Un", "Ne", "Le", "La", "En"}:
        return text[:1].lower() + text[1:]
    return text


def _criterion_sentence(formula: Formula, criterion: Criterion) -> str:
    """« le critère X compte 2 points si Âge ≥ 75 ans, sinon 1 point si Âge ≥ 65 ans »."""
    start = f"{formula.name}{NBSP}: le critère «{NBSP}{criterion.label}{NBSP}» compte"
    first = criterion.cases[0]
    if len(criterion.cases) == 1 and first.condition.text in first.condition.names:
        return f"{start} {points_text(first.points)} s’il est présent"
    if all(_scores_itself(case) for case in criterion.cases):
        return f"{start} le nombre de points donné à l’item"
    worth = _worth(formula, criterion.cases, {})
    for reading in criterion.readings:
        units = dict.fromkeys(reading.variables, reading.unit)
        written = list_of(tuple(sorted(reading.units)), "ou")
        worth += (
            f"{NBSP}; valeur saisie en {written}{NBSP}: {_worth(formula, reading.cases, units)}"
        )
    return f"{start} {worth}"


def _scores_itself(case: Case) -> bool:
    """« x==3 → 3 points »: the item is its own score."""
    name, _, value = case.condition.text.partition("==")
    return name in case.condition.names and value == str(case.points)


def _worth(formula: Formula, cases: tuple[Case, ...], units: Mapping[str, str]) -> str:
    names = {item.id: (item.label, "") for item in formula.intermediates}
    names |= {v.id: (v.label, units.get(v.id, v.unit)) for v in formula.variables}
    choices = {choice.key: choice.label for v in formula.variables for choice in v.choices}
    return ", sinon ".join(
        f"{points_text(case.points)} si {described(case.condition, names, choices)}"
        for case in cases
    )


def _variables_text(formula: Formula) -> str:
    return _lines(f"{formula.name}{NBSP}: {_variable_sentence(v)}" for v in formula.variables)


def _variable_sentence(variable: Variable) -> str:
    label = f"la variable «{NBSP}{variable.label}{NBSP}»"
    match variable.type:
        case VariableType.BOOLEAN:
            return f"{label} se répond par oui ou par non"
        case VariableType.CHOICE:
            choices = list_of(tuple(choice.label for choice in variable.choices), "ou")
            return f"{label} se choisit parmi{NBSP}: {choices}"
        case VariableType.DATE:
            return f"{label} est une date"
    unit = f" s’exprime en {variable.unit}" if variable.unit else " est un nombre sans unité"
    others = tuple(u for u in variable.units if u != variable.unit)
    also = f" (unités acceptées{NBSP}: {list_of(others, 'ou')})" if others else ""
    assert variable.minimum is not None
    assert variable.maximum is not None
    low, high = number(variable.minimum), quantity(variable.maximum, variable.unit)
    need = ", facultative," if variable.need is Need.OPTIONAL else ""
    graded = f"{NBSP}; {levels_text(variable)}" if variable.levels else ""
    return f"{label}{need}{unit}{also}, entre {low} et {high}{graded}"


def _bands_text(formula: Formula) -> str:
    names = {output.id: output.label for output in formula.outputs} | {"total": "total"}
    sentences = []
    for band in formula.bands:
        sentences.append(
            f"{formula.name}, interprétation de «{NBSP}{names[band.output]}{NBSP}»{NBSP}: "
            f"{_lower(band.label)}"
        )
    return _lines(sentences)


def _limits_text(formula: Formula) -> str:
    sentences = [f"{formula.name}{NBSP}: {_lower(caveat)}" for caveat in formula.caveats]
    sentences += [
        f"{formula.name}, divergence entre sources{NBSP}: {_lower(d)}" for d in formula.divergences
    ]
    sentences += [
        f"{formula.name}, point non vérifié{NBSP}: {_lower(u)}" for u in formula.unverified
    ]
    return _lines(sentences)


def _source_text(formula: Formula) -> str:
    sentences = [f"{formula.name}, source primaire{NBSP}: {formula.source}"]
    sentences += [
        f"{formula.name}, source secondaire{NBSP}: {source}" for source in formula.secondary_sources
    ]
    day = date_text(formula.verified_date)
    sentences.append(f"{formula.name}, vérification du {day}{NBSP}: {formula.verified_by}")
    return _lines(sentences)
