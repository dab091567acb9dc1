"""Names over rows of a table hold where they are certain, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.drawn_pdf import Drawn

from ancremed_desktop.corpus.groups import Groups
from ancremed_desktop.corpus.has.document import read_pdf
from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.domain.identifiers import PassageKind

BODY = (
    "Le traitement est donné au malade pendant toute la durée de la maladie, et son",
    "effet est vu par le médecin chaque semaine pendant le premier mois de la maladie.",
)
XS = (60, 260, 420)


def rows_of(drawn: Drawn, path: Path) -> tuple[list[str], list[str]]:
    """Rows of tables, and the reasons why others are left out."""
    pdf = read_pdf(drawn.save(path))
    rows = [
        page.text[b.start : b.end]
        for page in pdf.pages
        for b in page.blocks
        if b.kind is PassageKind.TABLE
    ]
    return rows, [refusal.reason for refusal in pdf.refusals]


def nested(drawn: Drawn, names: Sequence[tuple[str, bool]]) -> None:
    """A table with rows across it: (name, whether it is bold), each but the first over a row."""
    cells: list[list[str]] = [["Produit", "Dose"]]
    for number, (name, _bold) in enumerate(names):
        doses = [[f"Testamol {number}", f"{number} mg"], [f"Autrimol {number}", f"{number} g"]]
        cells += [[name, ""]] + (doses if number else [])
    across = [n for n, row in enumerate(cells) if n and not row[1]]
    top = drawn.y
    plain = [["", ""] if n in across else row for n, row in enumerate(cells)]
    drawn.table(XS, plain, across=across)
    for number, (name, bold) in zip(across, names, strict=True):
        drawn.at(XS[0] + 4, top + 15 + number * 22, name, 9, bold=bold)


def test_an_inner_group_keeps_the_name_of_the_outer_one(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    nested(drawn, [("Adulte", True), ("Injecté", False), ("Par bouche", False), ("Enfant", True)])
    rows, reasons = rows_of(drawn, tmp_path / "a.pdf")
    assert rows == [
        "Adulte – Injecté : Testamol 1 ; Dose : 1 mg",
        "Adulte – Injecté : Autrimol 1 ; Dose : 1 g",
        "Adulte – Par bouche : Testamol 2 ; Dose : 2 mg",
        "Adulte – Par bouche : Autrimol 2 ; Dose : 2 g",
        "Enfant : Testamol 3 ; Dose : 3 mg",
        "Enfant : Autrimol 3 ; Dose : 3 g",
    ]
    assert reasons == []


def test_a_group_that_may_be_inner_or_outer_takes_its_rows(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    nested(drawn, [("Adulte", True), ("Injecté", True), ("Par bouche", True)])
    rows, reasons = rows_of(drawn, tmp_path / "a.pdf")
    assert rows == [
        "Adulte – Injecté : Testamol 1 ; Dose : 1 mg",
        "Adulte – Injecté : Autrimol 1 ; Dose : 1 g",
    ]
    assert "2 lignes sans groupe certain" in reasons[0].replace("\u00a0", " ")


def test_levels_are_known_by_name_or_by_look() -> None:
    groups = Groups()
    told = []
    for name in ("Adulte", "IV", "", "Per os", "", "Enfant", "IV", "", "Per os", "", "IV", ""):
        if name:
            groups.begin(name)
        else:
            groups.row()
            told.append(groups.name if groups.sure else "?")
    # « Per os » after rows: under the group above, or a group of its own?
    assert told == ["Adulte – IV", "?", "Enfant – IV", "?", "?"]
    for name in ("Adulte", "Per os", "", "IV", "", "Per os", "", "Adulte", "IV", ""):
        if name:
            groups.begin(name)
        else:
            groups.row()
            told.append(groups.name if groups.sure else "?")
    assert told[5:] == ["Adulte – Per os", "Adulte – IV", "Adulte – Per os", "Adulte – IV"]


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_a_doubtful_group_of_a_document_takes_its_rows(tmp_path: Path, suffix: str) -> None:
    names = ["| Produit | Dose |", "|---|---|", "| Adulte | |", "| Injecté | |", "| A | 1 mg |",
             "| Par bouche | |", "| B | 2 mg |"]  # fmt: skip
    path = tmp_path / f"x{suffix}"
    if suffix == ".md":
        path.write_text("\n".join(names), "utf-8")
    else:
        cells = [line.strip("| ").split("|") for line in names if "---" not in line]
        made = "".join(
            "<tr>" + (f"<td colspan=2>{c[0]}</td>" if len(c) < 2 else f"<td>{c[0]}<td>{c[1]}")
            for c in cells[1:]
        )
        path.write_text(f"<table><tr><th>Produit<th>Dose</tr>{made}</table>", "utf-8")
    text = read_file(path)
    shown = [page.text[b.start : b.end] for page in text.pages for b in page.blocks]
    assert shown[0] == "Adulte – Injecté : A ; Dose : 1 mg"
    assert shown[1].startswith("[Texte omis")
    assert "sous quel groupe" in text.refusals[0].reason


def test_an_empty_cell_under_a_label_is_not_of_that_drug(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.table(
        [60, 180, 320, 480],
        [
            ["Produit", "Terrain", "Dose"],
            ["Testamol", "adulte", "4 mg"],
            ["", "enfant", "1 mg"],
            ["Autrimol", "sujet âgé", "2 mg"],
        ],
    )
    rows, reasons = rows_of(drawn, tmp_path / "a.pdf")
    assert rows == [
        "Produit : Testamol ; Terrain : adulte ; Dose : 4 mg",
        "Produit : Autrimol ; Terrain : sujet âgé ; Dose : 2 mg",
    ]
    assert "1 ligne sans intitulé" in reasons[0].replace("\u00a0", " ")


def test_a_cell_over_two_rows_names_both(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    top = drawn.y
    for y in (0, 22, 66):
        drawn.page.draw_line((60, top + y), (480, top + y))
    drawn.page.draw_line((180, top + 44), (480, top + 44))
    for x in (60, 180, 320, 480):
        drawn.page.draw_line((x, top), (x, top + 66))
    for x, text in zip((64, 184, 324), ("Produit", "Terrain", "Dose"), strict=True):
        drawn.at(x, top + 15, text, 9, bold=True)
    drawn.at(64, top + 47, "Testamol", 9)
    for number, row in enumerate((("adulte", "4 mg"), ("enfant", "1 mg"))):
        for x, text in zip((184, 324), row, strict=True):
            drawn.at(x, top + 37 + 22 * number, text, 9)
    drawn.y = top + 90
    rows, reasons = rows_of(drawn, tmp_path / "a.pdf")
    assert rows == [
        "Produit : Testamol ; Terrain : adulte ; Dose : 4 mg",
        "Produit : Testamol ; Terrain : enfant ; Dose : 1 mg",
    ]
    assert reasons == []


@pytest.mark.parametrize("between", ["", "Autre tableau, qui est dit ici en une phrase entière."])
def test_a_group_goes_on_overleaf_in_its_own_table_alone(tmp_path: Path, between: str) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.y = 740
    drawn.table(
        XS,
        [["Produit", "Dose"], ["Bêtamols", ""], ["Autrimol", "60 mg"]],
        across=(1,),
    )
    drawn.new_page()
    if between:
        drawn.lines(between)
    drawn.table(XS, [["Produit", "Dose"], ["Dernimol", "5 mg"], ["Finimol", "6 mg"]])
    drawn.lines(*BODY)
    rows, _reasons = rows_of(drawn, tmp_path / "a.pdf")
    assert rows[-2:] == (
        ["Produit : Dernimol ; Dose : 5 mg", "Produit : Finimol ; Dose : 6 mg"]
        if between
        else ["Bêtamols : Dernimol ; Dose : 5 mg", "Bêtamols : Finimol ; Dose : 6 mg"]
    )


def test_a_line_between_two_parts_of_a_table_names_the_second(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.table(
        XS, [["Alphamols", "Dose"], ["Testamol", "1 mg"], ["Bêtamols", ""], ["Autrimol", "2 mg"]],
        across=(2,),
    )  # fmt: skip
    drawn.y -= 28 - 12
    drawn.at(XS[0] + 4, drawn.y - 1, "Gammamols", 9, bold=True)
    drawn.y += 2
    drawn.table(
        XS, [["Dernimol", "5 mg"], ["Finimol", "6 mg"], ["Ultimol", "7 mg"]], header_bold=False
    )
    rows, _reasons = rows_of(drawn, tmp_path / "a.pdf")
    assert rows[-3:] == [
        "Gammamols : Dernimol ; Dose : 5 mg",
        "Gammamols : Finimol ; Dose : 6 mg",
        "Gammamols : Ultimol ; Dose : 7 mg",
    ]
