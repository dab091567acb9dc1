"""The bank is read whole, refuses a faulty file by name, is searched, and becomes a corpus."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.formula_patients import FOLDER, bank

from ancremed_desktop.domain.identifiers import SECTIONS, Silo
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.formulas.bank import (
    Status,
    clinical_formula_rows,
    formula_passages,
    load_bank,
)
from ancremed_desktop.text.french import plain


def test_eighty_one_entries_of_which_the_mmse_is_structure_only() -> None:
    entries = bank().entries
    assert len(entries) == 81
    assert [f.id for f in entries if f.status is Status.STRUCTURE] == ["mmse"]
    assert all(f.verified_by.startswith("recalcul croisé") for f in entries)
    assert {f.verified_date for f in entries} == {"2026-11-30"}


def test_same_concept_means_same_type_and_quantity() -> None:
    """Calculators share values by concept: a mismatch would carry a wrong value over."""
    seen: dict[str, tuple[str, str]] = {}
    for formula in bank().entries:
        for variable in formula.variables:
            kind = (str(variable.type), variable.quantity)
            assert seen.setdefault(variable.concept, kind) == kind, variable.concept


def test_each_level_of_a_graded_item_is_worded_and_dated() -> None:
    """Every value an item can take has its words, or the form would offer a part of the scale."""
    graded = [(f, v) for f in bank().entries for v in f.variables if v.levels]
    assert {f.id for f, _ in graded} >= {"nihss", "forrest", "glasgow", "apgar", "barthel"}
    for formula, variable in graded:
        assert variable.minimum is not None
        assert variable.maximum is not None
        assert variable.step is not None
        steps = int((variable.maximum - variable.minimum) / variable.step)
        values = {variable.minimum + variable.step * n for n in range(steps + 1)}
        # The single point of the first line comes from the blood pressure, not from this item.
        left_out = {1} if (formula.id, variable.id) == ("sofa", "vaso") else set()
        assert {level.value for level in variable.levels} == values - left_out, variable.id
        assert any("nos mots le 30/11/2026" in caveat for caveat in formula.caveats), formula.id


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "formulas"
    shutil.copytree(FOLDER, copy)
    return copy


def _edit(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    path = folder / "entrees" / f"{name}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def _graded(value: float, step: int) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        data["variables"][0] |= {"pas": step, "niveaux": [{"valeur": value, "libelle": "x"}]}

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("source"), "imc.json : le champ « source » manque"),
        (_graded(900, 1), "valeur hors des bornes"),
        (_graded(70.5, 1), "valeur hors du pas"),
        (_graded(70, 1), "le champ « niveaux_source » manque"),
        (lambda d: d.update(couleur="bleu"), "imc.json : champ inconnu « couleur »"),
        (lambda d: d.update(statut="neuf"), "imc.json › statut : « neuf » n’est pas prévu"),
        (lambda d: d.update(alias="IMC"), "imc.json › alias : une liste était attendue"),
        (lambda d: d.update(nom=3), "imc.json › nom : un texte était attendu"),
        (lambda d: d["variables"][0].update(bornes=[9, 1]), "deux bornes croissantes"),
        (lambda d: d["variables"][0].update(grandeur="masse"), "grandeur inconnue « masse »"),
        (lambda d: d["variables"][0].update(unite="g"), "celle de la grandeur « poids »"),
        (lambda d: d["variables"].append(d["variables"][0]), "le même identifiant"),
        (
            lambda d: d["sorties"][0].update(expr="poids/longueur"),
            "imc.json › sorties[1] › expr : « longueur » n’est ni une variable",
        ),
        (lambda d: d["sorties"][0].update(expr="poids+"), "expression illisible"),
        (lambda d: d["sorties"][0].update(expr="__import__('os')"), "fonction inconnue"),
        (lambda d: d["sorties"][0].update(expr="poids.real"), "« Attribute » n’est pas permis"),
        (lambda d: d["interpretation"][0].update(sur="x"), "« x » n’est pas une sortie"),
        (lambda d: d["interpretation"][1].update(min=18), "se chevauchent"),
        (lambda d: d.update(id="autre"), "doit être le nom du fichier"),
    ],
)
def test_a_faulty_entry_is_named(folder: Path, change: Callable[[Any], None], message: str) -> None:
    _edit(folder, "imc", change)
    with pytest.raises(BadFileError) as caught:
        load_bank(folder)
    assert message in plain(str(caught.value))
    assert str(caught.value).startswith("imc.json")


@pytest.mark.parametrize("name", ["unites.json", "questions.json", "entrees/imc.json"])
@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}'])
def test_a_damaged_file_is_named(folder: Path, name: str, content: str) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(BadFileError, match=Path(name).name):
        load_bank(folder)


def test_an_empty_folder_is_refused(folder: Path) -> None:
    shutil.rmtree(folder / "entrees")
    with pytest.raises(BadFileError, match="aucune formule"):
        load_bank(folder)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("cockcroft", "cockcroft_gault"),
        ("CHADSVASC", "cha2ds2_vasc"),
        ("CHA₂DS₂-VA", "cha2ds2_va"),
        ("genève révisé", "geneve_revise"),
        ("wells tvp", "wells_tvp"),
        ("imc", "imc"),
        ("meld na", "meld_na"),
    ],
)
def test_search_by_name_or_alias(text: str, first: str) -> None:
    assert bank().search(text)[0].id == first


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fibrillation", {"cha2ds2_va", "cha2ds2_vasc", "has_bled"}),
        ("cirrhose", {"child_pugh", "child_pugh_tp", "meld", "meld_na", "meld_3", "fib4", "apri"}),
        ("embolie pulm", {"wells_ep", "geneve_revise", "geneve_simplifie", "perc", "spesi"}),
        ("tabac", {"fagerstrom", "paquets_annees"}),
        ("insuffisance rénale", {"ckd_epi_2021", "cockcroft_gault", "kdigo_ira", "fe_na"}),
    ],
)
def test_search_by_situation(text: str, expected: set[str]) -> None:
    assert expected <= {f.id for f in bank().search(text)}


def test_a_whole_word_comes_before_the_start_of_another() -> None:
    """« fa » is atrial fibrillation before it is the start of « faible »."""
    assert {f.id for f in bank().search("FA", 3)} == {"cha2ds2_va", "cha2ds2_vasc", "has_bled"}


def test_search_limits() -> None:
    assert bank().search("zzz") == ()
    assert len(bank().search("", 5)) == 5
    assert {f.category for f in bank().search("pneumologie", 5)} == {"pneumologie"}


def test_every_formula_is_a_source_with_its_sections() -> None:
    documents = list(formula_passages(bank()))
    assert len(documents) == 81
    urns = [p.urn for d in documents for p in d.passages]
    assert len(set(urns)) == len(urns)
    for document in documents:
        sections = [passage.section for passage in document.passages]
        assert set(sections) <= set(SECTIONS)
        assert {"formule", "variables et unités", "interprétation", "source"} <= set(sections)
        assert document.source.source_identifier.startswith("FORM-")
        assert document.source.silo is Silo.FORMULAS
        for passage in document.passages:
            assert passage.source_key == document.source.key
            for line in passage.text.splitlines():
                assert line.startswith(document.source.title), line
                assert line.endswith((".", "!", "?"))
                assert not re.search(r" [;:?!»]", line), line


def test_points_are_told_in_words() -> None:
    texts = {d.source.source_identifier: d.passages[0].text for d in formula_passages(bank())}
    assert (
        "le critère «\u00a0Âge\u00a0» compte 2\u00a0points si Âge ≥ 75\u00a0ans, sinon "
        "1\u00a0point si Âge ≥ 65\u00a0ans." in texts["FORM-cha2ds2_vasc"]
    )
    assert (
        "valeur saisie en BUN mg/dL\u00a0: 6\u00a0points si Urée ≥ 70"
        in (texts["FORM-glasgow_blatchford"])
    )


def test_rows_of_the_specification_table() -> None:
    rows = {row.id: row for row in clinical_formula_rows(bank())}
    assert len(rows) == 81
    row = rows["cockcroft_gault"]
    assert "140 − âge" in row.formula_text
    assert [v["id"] for v in json.loads(row.variables_json)] == [
        "age", "poids", "creatinine", "sexe",
    ]  # fmt: skip
    assert row.source_citation.startswith("Cockcroft DW, Gault MH")
    assert "15–29 mL/min" in row.interpretation_text
