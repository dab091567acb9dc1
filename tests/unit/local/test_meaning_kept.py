"""Raised figures stay raised; struck, hidden and drawn text is refused by name, the rest read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.text.paragraph import Paragraph

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.model import LocalText

KEPT = "La glycémie est mesurée chaque matin avant le repas."
_STYLE = "<style>.ancien{text-decoration:line-through} td.x, #y {display:none} a:hover{} .pale{color:#fefefe}</style>"


def read(path: Path, content: str) -> LocalText:
    path.write_text(content, "utf-8")
    return read_file(path)


def blocks(text: LocalText) -> list[str]:
    return [page.text[b.start : b.end] for page in text.pages for b in page.blocks]


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("10<sup>4</sup> UI et 10<sup>-9</sup> g", "10⁴ UI et 10⁻⁹ g"),
        ("CO<sub>2</sub>, C<sub>max</sub>, Ca<sup>2+</sup>", "CO₂, Cₘₐₓ, Ca²⁺"),
        ('10<span style="vertical-align: super">6</span> germes', "10⁶ germes"),
        (
            "1<sup>er</sup> jour, 2<sup>ème</sup> dose, M<sup>me</sup> X",
            "1er jour, 2ème dose, Mme X",
        ),
        ("VIII<sup>e</sup> facteur, 5 mg<sup>[1]</sup> le soir", "VIIIe facteur, 5 mg[1] le soir"),
        ("50 mg<sup>®</sup> puis 5 mg<sup>*</sup>", "50 mg® puis 5 mg*"),
        ('<span style="font-size:0.9em">ne pas</span> donner', "ne pas donner"),
        ('<span aria-hidden="true">ne pas</span> donner', "ne pas donner"),
        ('DFG <img alt="≥" src="x.png">30', "DFG ≥ 30"),
        ('Donner<img alt="" src="x.png">40 mg', "Donner 40 mg"),
        ("para<wbr>céta<wbr>mol 1 g", "paracétamol 1 g"),
        ("<form>ne pas donner</form>", "ne pas donner"),
        ('<b style="background:#036; color:#fff">ne pas</b> donner', "ne pas donner"),
        ('<b style="background:url(x.png);color:white">ne pas</b> donner', "ne pas donner"),
        ('<b style="color:#333; font-size:8pt; opacity:.9">ne pas</b> donner', "ne pas donner"),
    ],
)
@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_what_is_seen_is_read(tmp_path: Path, suffix: str, markup: str, shown: str) -> None:
    text = read(tmp_path / f"x{suffix}", f"<p>{markup}</p>\n\n{KEPT}")
    assert text.refusals == ()
    assert blocks(text)[0] == shown


@pytest.mark.parametrize(
    ("markup", "why"),
    [
        ("Donner <del>500</del> 40 mg", "barré"),
        ("Donner <s>500</s> 40 mg", "barré"),
        ("Donner <strike>500</strike> 40 mg", "barré"),
        ('Donner <span style="text-decoration:underline line-through">500</span> mg', "barré"),
        ('Donner <b class="x ancien">500</b> mg', "barré"),
        ("Donner 5\u03360\u03360\u0336 mg", "barré"),
        ('Donner <span style="display :none">ne pas</span> 40 mg', "caché"),
        ("Donner <span hidden>ne pas</span> 40 mg", "caché"),
        ('Donner <i style="VISIBILITY:hidden">ne pas</i> 40 mg', "caché"),
        ('Donner <i id="y">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="color:#fff">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="color:rgb(250, 250, 250)">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="color:rgba(0,0,0,0)">ne pas</i> 40 mg', "caché"),
        ('Donner <font color="white">ne pas</font> 40 mg', "caché"),
        ('Donner <i style="color:#036;background:#036">ne pas</i> 40 mg', "caché"),
        ('Donner <i class="pale">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="font-size:1px">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="opacity: 0.02">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="position:absolute;left:-9999px">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="height:1px;overflow:hidden">ne pas</i> 40 mg', "caché"),
        ('Donner <i style="clip: rect(0, 0, 0, 0)">ne pas</i> 40 mg', "caché"),
        ("Donner 10<sup>2,5</sup> mg", "exposant"),
        ("Donner C<sub>é</sub> 40 mg", "indice"),
        ('Donner si DFG <img src="ge.png"> 30 mg', "image"),
        ("Donner si DFG <svg><text>≥</text></svg> 30 mg", "image"),
        ("Donner si DFG \uf0b3 30 mg", "illisible"),
        ('Donner <img alt="10" src="x.png"> mg', "image"),
        ('Donner 1<img alt="" src="x.png">5 mg', "image"),
        ('Donner 1 <img alt="" src="x.png"> 5 mg', "image"),
        ("Donner 1<wbr>5 mg", "invisible"),
        ("Donner 1\u200b5 mg", "invisible"),
        ("Donner \u202e51\u202c mg", "sens de l’écriture"),
        ("Donner \u206751\u2069 mg", "sens de l’écriture"),
        ('Donner <bdo dir="rtl">51</bdo> mg', "sens de l’écriture"),
        (
            'Donner <i style="direction:rtl;unicode-bidi:bidi-override">51</i> mg',
            "sens de l’écriture",
        ),
        ('Donner <i dir="RTL">51</i> mg', "sens de l’écriture"),
    ],
)
@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_what_would_be_misread_is_refused_by_name(
    tmp_path: Path, suffix: str, markup: str, why: str
) -> None:
    head = _STYLE if suffix == ".html" else f"{_STYLE}\n\n"
    text = read(tmp_path / f"x{suffix}", f"{head}<p>{markup}</p>\n\n<p>{KEPT}</p>")
    (refusal,) = text.refusals
    assert why in refusal.reason
    assert refusal.part.startswith("paragraphe «\u00a0Donner")
    omitted, kept = blocks(text)
    assert omitted.startswith("[Texte omis")
    assert kept == KEPT


@pytest.mark.parametrize("struck", ["~~500 mg~~", "~500 mg~", "<del>500 mg</del>"])
def test_a_struck_item_leaves_a_gap_in_its_list(tmp_path: Path, struck: str) -> None:
    text = read(tmp_path / "x.md", f"Donner :\n\n- {struck} le soir\n- 40 mg le matin\n\n{KEPT}")
    assert len(text.refusals) == 1
    assert blocks(text) == [
        "Donner :", "• [Texte omis\u00a0: du texte y est barré, voir l’original.]",
        "• 40 mg le matin", KEPT,
    ]  # fmt: skip


def test_a_note_of_markdown_stands_where_it_is_called(tmp_path: Path) -> None:
    text = read(tmp_path / "x.md", f"Donner 4 g[^a] le soir.\n\n[^a]: jamais\n  à jeun\n\n{KEPT}")
    assert blocks(text) == ["Donner 4 g (note\u00a0: jamais à jeun) le soir.", KEPT]


def test_each_row_says_the_caption_of_its_table(tmp_path: Path) -> None:
    rows = "<tr><th>Nom</th><th>Dose</th></tr><tr><td>digoxine</td><td>9 mg</td></tr>"
    table = "<table><caption>Doses interdites</caption>{}</table>"
    text = read(tmp_path / "x.html", f"{table.format(rows)}<p>{KEPT}</p>")
    assert blocks(text) == ["Doses interdites : Nom : digoxine ; Dose : 9 mg", KEPT]
    bare = read(
        tmp_path / "y.html", "<table><tr><td>a</td><td>b</td><td>c</td></tr></table>" + KEPT
    )
    assert "intitulé" in bare.refusals[0].reason
    assert blocks(bare) == [KEPT]


def test_a_row_with_a_struck_cell_is_refused_and_a_struck_heading_takes_the_table(
    tmp_path: Path,
) -> None:
    rows = "| Médicament | Dose |\n|---|---|\n| furosémide | ~~500~~ 40 mg |\n| digoxine | 1 mg |\n"
    text = read(tmp_path / "x.md", f"{rows}\n{KEPT}\n\n{rows.replace('Dose', '~~Dose~~')}")
    assert [r.part.split(" ")[0] for r in text.refusals] == ["ligne", "tableau"]
    shown = [b for b in blocks(text) if not b.startswith("[Texte omis")]
    assert shown == ["Médicament : digoxine ; Dose : 1 mg", KEPT]


def test_a_row_that_may_be_of_the_drug_above_is_refused(tmp_path: Path) -> None:
    head = "| Médicament | Terrain | Dose |\n|---|---|---|\n"
    text = read(
        tmp_path / "x.md",
        f"{head}| digoxine | adulte | 4 mg |\n| | enfant | 1 mg |\n| | | 2 mg |\n"
        "| digoxine | | 3 mg |\n| furosémide | | 40 mg |\n| sotalol | adulte | |\n",
    )
    assert [b for b in blocks(text) if not b.startswith("[Texte omis")] == [
        "Médicament : digoxine ; Terrain : adulte ; Dose : 4 mg",
        "Médicament : furosémide ; Dose : 40 mg",
        "Médicament : sotalol ; Terrain : adulte",
    ]
    assert [r.part for r in text.refusals] == [
        "ligne «\u00a0Terrain : enfant ; Dose : 1 mg\u00a0»",
        "ligne «\u00a0Dose : 2 mg\u00a0»",
        "ligne «\u00a0Médicament : digoxine ; Dose : 3 mg\u00a0»",
    ]
    assert all("case y est vide" in r.reason for r in text.refusals)


@pytest.mark.parametrize(
    "table",
    [
        "| Alphamols | Dose |\n|---|---|\n| A | 1 mg |\n| Bêtamols | |\n| B | 2 mg |\n"
        "| Le soir. | |\n",
        "<table><tr><th>Alphamols</th><th>Dose</th></tr><tr><td>A</td><td>1 mg</td></tr>"
        "<tr><td colspan=2>Bêtamols</td></tr><tr><td>B</td><td>2 mg</td></tr>"
        "<tr><td colspan=2>Le soir.</td></tr></table>",
    ],
)
def test_a_row_across_a_table_names_the_rows_below(tmp_path: Path, table: str) -> None:
    rows = blocks(read(tmp_path / "x.md", table))
    assert rows[:2] == ["Alphamols : A ; Dose : 1 mg", "Bêtamols : B ; Dose : 2 mg"]
    assert rows[2].endswith("Le soir.")


def test_a_merged_cell_is_said_in_each_of_its_rows(tmp_path: Path) -> None:
    rows = "<tr><th>Médicament</th><th>Dose</th></tr><tr><td rowspan=2>digoxine</td><td>4 mg</td>"
    text = read(tmp_path / "x.html", f"<table>{rows}</tr><tr><td>Enfant : 1 mg</td></tr></table>")
    assert blocks(text)[1] == "Médicament : digoxine ; Dose : Enfant : 1 mg"


@pytest.mark.parametrize("fence", ["```\n{}\n```", "~~~\n{}\n~~~", "    {}"])
def test_what_is_quoted_as_code_is_no_rule(tmp_path: Path, fence: str) -> None:
    text = read(tmp_path / "x.md", fence.format("Donner 25 mg de digoxine.") + f"\n\n{KEPT}")
    assert blocks(text)[1:] == [KEPT]
    assert "code" in text.refusals[0].reason


@pytest.mark.parametrize("suffix", [".html", ".md", ".txt"])
def test_a_sentence_over_two_paragraphs_is_one(tmp_path: Path, suffix: str) -> None:
    halves = ("Ne pas donner", "de digoxine en cas de bloc", KEPT)
    apart = "<p>{}</p>" if suffix == ".html" else "{}\n\n"
    text = read(tmp_path / f"x{suffix}", "".join(map(apart.format, halves)))
    assert blocks(text) == ["Ne pas donner\nde digoxine en cas de bloc", KEPT]


@pytest.mark.parametrize("suffix", [".html", ".md", ".txt"])
def test_short_lines_are_told_apart(tmp_path: Path, suffix: str) -> None:
    lines = (
        "Jamais, dit-on, si cirrhose grade C",
        "Il faut surveiller la kaliémie",
        "Adulte : 4 mg/j",
        "Enfant : 1 mg/j chez",
        "Mme X",
        f"Chaque jour {KEPT}",
    )
    text = read(tmp_path / f"x{suffix}", ("<br>" if suffix == ".html" else "\n").join(lines))
    assert blocks(text) == [*lines[:3], "Enfant : 1 mg/j chez Mme X", lines[5]]


def _run(paragraph: Paragraph, text: str, *tags: tuple[str, str]) -> None:
    properties = paragraph.add_run(text)._r.get_or_add_rPr()
    for tag, value in tags:
        element = OxmlElement(tag)
        if value:
            element.set(qn("w:val"), value)
        properties.append(element)


def _styled(paragraph: Paragraph) -> None:
    run = paragraph.add_run("500", "Strong")
    assert run.style is not None
    run.style.element.get_or_add_rPr().append(OxmlElement("w:dstrike"))


def _drawn(paragraph: Paragraph) -> None:
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    paragraph._p.append(parse_xml(f'<m:oMath xmlns:m="{math}"><m:r><m:t>≥</m:t></m:r></m:oMath>'))


def _symbol(font: str) -> Callable[[Paragraph], None]:
    def add(paragraph: Paragraph) -> None:
        run = paragraph.add_run("")._r
        run.append(parse_xml(f'<w:sym {nsdecls("w")} w:font="{font}" w:char="F0B3"/>'))

    return add


@pytest.mark.parametrize(
    ("add", "why"),
    [
        (lambda p: _run(p, "500", ("w:strike", "")), "barré"),
        (_styled, "barré"),
        (lambda p: _run(p, "500", ("w:vanish", "")), "caché"),
        (lambda p: _run(p, "500", ("w:color", "FFFFFF")), "caché"),
        (lambda p: _run(p, "500", ("w:color", "FCFCFC")), "caché"),
        (lambda p: _run(p, "500", ("w:sz", "2")), "caché"),
        (lambda p: _run(p, "2,5", ("w:vertAlign", "superscript")), "exposant"),
        (_drawn, "formule"),
        (_symbol("Wingdings"), "illisible"),
        (lambda p: _run(p, "4", ("w:vertAlign", "superscript")), "Donner 10⁴ mg"),
        (lambda p: _run(p, "4", ("w:position", "6")), "Donner 10⁴ mg"),
        (lambda p: _run(p, "2", ("w:vertAlign", "subscript")), "Donner 10₂ mg"),
        (lambda p: _run(p, "0", ("w:strike", "0"), ("w:vanish", "false")), "Donner 100 mg"),
        (_symbol("Symbol"), "Donner 10≥ mg"),
    ],
)
def test_formats_of_word_are_read(
    tmp_path: Path, add: Callable[[Paragraph], None], why: str
) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Donner 10")
    add(paragraph)
    paragraph.add_run(" mg")
    document.add_paragraph(KEPT)
    document.save(str(tmp_path / "x.docx"))
    text = read_file(tmp_path / "x.docx")
    shown, kept = blocks(text)
    assert kept == KEPT
    if why.startswith("Donner"):
        assert (shown, text.refusals) == (why, ())
    else:
        assert shown.startswith("[Texte omis")
        assert why in text.refusals[0].reason


def test_a_note_of_word_stands_where_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    document = docx.Document()
    paragraph = document.add_paragraph("Donner 40 mg")
    reference = OxmlElement("w:footnoteReference")
    reference.set(qn("w:id"), "2")
    paragraph.add_run("")._r.append(reference)
    paragraph.add_run(" le matin.")
    document.add_paragraph(KEPT)
    document.save(str(path))
    assert "une note y est appelée" in read_file(path).refusals[0].reason

    part = Part(
        PackURI("/word/footnotes.xml"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
        (
            f"<w:footnotes {nsdecls('w')}><w:footnote w:id='2'><w:p><w:r><w:t>sauf en cas de "
            "dialyse</w:t></w:r></w:p></w:footnote></w:footnotes>"
        ).encode(),
        document.part.package,
    )
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    document.save(str(path))
    text = read_file(path)
    assert text.refusals == ()
    assert blocks(text)[0] == "Donner 40 mg (note\u00a0: sauf en cas de dialyse) le matin."


def test_a_word_file_is_called_by_its_heading_then_by_its_name(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Word Document"
    document.add_paragraph(KEPT)
    document.save(str(tmp_path / "x.docx"))
    assert read_file(tmp_path / "x.docx").title == ""
    headed = docx.Document()
    headed.core_properties.title = "Word Document"
    headed.add_heading("Conduite devant un choc", 1)
    headed.add_paragraph(KEPT)
    headed.save(str(tmp_path / "y.docx"))
    assert read_file(tmp_path / "y.docx").title == "Conduite devant un choc"


def test_the_first_of_several_drugs_is_no_title_of_the_others(tmp_path: Path) -> None:
    text = read(tmp_path / "x.md", f"# Trovamine\n\n{KEPT}\n\n# Sulfadrine\n\n{KEPT}\n")
    assert text.title == ""


TOLD = "Situation : FA ; Conduite : Un mg, sauf : Âge > 75 ans : 2 mg • Dialyse : jamais"


def test_a_table_within_a_cell_keeps_its_rows_apart_in_html(tmp_path: Path) -> None:
    inner = "<tr><td>Âge &gt; 75 ans</td><td>2 mg</td></tr><tr><td>Dialyse</td><td>jamais</td></tr>"
    rows = "<tr><th>Situation</th><th>Conduite</th></tr>"
    rows += f"<tr><td>FA</td><td>Un mg, sauf :<table>{inner}</table></td></tr>"
    rows += "<tr><td>EP</td><td>Un mg le soir<br>Si allergie, rien</td></tr>"
    text = read(tmp_path / "x.html", f"<table>{rows}</table>")
    assert blocks(text) == [TOLD, "Situation : EP ; Conduite : Un mg le soir • Si allergie, rien"]


def test_a_table_within_a_cell_keeps_its_rows_apart_in_word(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip(table.row_cells(0), ("Situation", "Conduite"), strict=True):
        cell.text = words
    table.cell(1, 0).text = "FA"
    table.cell(1, 1).text = "Un mg, sauf :"
    inner = table.cell(1, 1).add_table(rows=2, cols=2)
    rows = ("Âge > 75 ans", "2 mg"), ("Dialyse", "jamais")
    for number, row in enumerate(rows):
        for cell, words in zip(inner.row_cells(number), row, strict=True):
            cell.text = words
    document.save(str(tmp_path / "x.docx"))
    assert blocks(read_file(tmp_path / "x.docx")) == [TOLD]


def test_boxes_to_tick_are_signs(tmp_path: Path) -> None:
    boxes = "<li><input type=checkbox> Identité</li><li><input type=checkbox checked> Groupe</li>"
    text = read(tmp_path / "x.html", f"<ul>{boxes}</ul><p>{KEPT}</p>")
    assert (blocks(text), text.refusals) == (["• ☐ Identité", "• ☒ Groupe", KEPT], ())
