"""Letters of Word that cannot be seen are refused by name, whatever hides them; others are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.text.paragraph import Paragraph
from lxml import etree

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.model import LocalText

KEPT = "La glycémie est mesurée chaque matin avant le repas."
W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
SOLID = "<w14:textFill {0}><w14:solidFill><w14:srgbClr w14:val='{1}'>{2}</w14:srgbClr></w14:solidFill></w14:textFill>"
Add = Callable[[Document, Paragraph], None]


def element(text: str) -> etree._Element:
    return parse_xml(text.replace("/>", f" {nsdecls('w')}/>", 1) if "w14" not in text else text)


def run(*formats: str) -> Add:
    """A run with some properties."""

    def add(_document: Document, paragraph: Paragraph) -> None:
        properties = paragraph.add_run("ne pas")._r.get_or_add_rPr()
        for text in formats:
            properties.append(element(text))

    return add


def shaded(fill: str, colour: str) -> Add:
    """A run in a shaded paragraph."""

    def add(document: Document, paragraph: Paragraph) -> None:
        shade = element(f'<w:shd w:val="clear" w:fill="{fill}"/>')
        paragraph._p.get_or_add_pPr().append(shade)
        run(f'<w:color w:val="{colour}"/>')(document, paragraph)

    return add


def usual(text: str) -> Add:
    """A run that only the usual style of paragraphs formats."""

    def add(document: Document, paragraph: Paragraph) -> None:
        document.styles["Normal"].element.get_or_add_rPr().append(element(text))
        run()(document, paragraph)

    return add


def line_of(height: str) -> Add:
    def add(document: Document, paragraph: Paragraph) -> None:
        spacing = element(f'<w:spacing w:lineRule="exact" w:line="{height}"/>')
        paragraph._p.get_or_add_pPr().append(spacing)
        run()(document, paragraph)

    return add


def placed(text: str) -> Add:
    """A run in a paragraph whose properties set its place."""

    def add(document: Document, paragraph: Paragraph) -> None:
        paragraph._p.get_or_add_pPr().append(element(text))
        run()(document, paragraph)

    return add


def styled_away(document: Document, paragraph: Paragraph) -> None:
    document.styles["Normal"].element.get_or_add_pPr().append(element('<w:ind w:left="31000"/>'))
    run()(document, paragraph)


def read(tmp_path: Path, add: Add) -> LocalText:
    document = docx.Document()
    paragraph = document.add_paragraph("Donner ")
    add(document, paragraph)
    paragraph.add_run(" 40 mg")
    document.save(str(tmp_path / "x.docx"))
    return read_file(tmp_path / "x.docx")


def blocks(text: LocalText) -> list[str]:
    return [page.text[b.start : b.end] for page in text.pages for b in page.blocks]


@pytest.mark.parametrize(
    "add",
    [
        run('<w:color w:val="auto" w:themeColor="background1"/>'),
        run('<w:color w:val="000000" w:themeColor="background1"/>'),
        run('<w:color w:val="404040" w:themeColor="text1" w:themeTint="05"/>'),
        run('<w:color w:val="FFFFFF"/>', '<w:shd w:val="clear" w:fill="auto"/>'),
        run('<w:color w:val="FFFFFF"/>', '<w:shd w:val="clear" w:fill="FFFFFF"/>'),
        run('<w:color w:val="FFFFFF"/>', '<w:shd w:val="clear" w:fill="0" w:themeFill="light1"/>'),
        run('<w:color w:val="003366"/>', '<w:shd w:val="clear" w:fill="003366"/>'),
        run('<w:color w:val="000000"/>', '<w:shd w:val="solid" w:color="000000"/>'),
        run('<w:color w:val="000000"/>', '<w:highlight w:val="black"/>'),
        shaded("FFFFFF", "FFFFFF"),
        shaded("003366", "003366"),
        usual('<w:color w:val="FFFFFF"/>'),
        usual("<w:vanish/>"),
        run(f"<w14:textFill {W14}><w14:noFill/></w14:textFill>"),
        run(SOLID.format(W14, "FFFFFF", "")),
        run(SOLID.format(W14, "000000", "<w14:alpha w14:val='100000'/>")),
        run('<w:w w:val="1"/>'),
        run('<w:spacing w:val="-400"/>'),
        line_of("20"),
        placed('<w:ind w:left="31000"/>'),
        placed('<w:ind w:left="-20000" w:right="20000"/>'),
        placed('<w:ind w:firstLine="20000"/>'),
        placed('<w:ind w:hanging="20000"/>'),
        placed('<w:ind w:leftChars="20000"/>'),
        placed('<w:framePr w:w="3000" w:x="-20000" w:y="100"/>'),
        placed('<w:framePr w:w="3000" w:x="100" w:y="30000"/>'),
        styled_away,
    ],
)
def test_letters_that_are_not_seen_are_refused(tmp_path: Path, add: Add) -> None:
    text = read(tmp_path, add)
    assert "du texte y est caché" in text.refusals[0].reason
    assert not any("ne pas" in block for block in blocks(text))


@pytest.mark.parametrize(
    "add",
    [
        run('<w:color w:val="FFFFFF"/>', '<w:highlight w:val="black"/>'),
        run('<w:color w:val="FFFFFF"/>', '<w:shd w:val="clear" w:fill="003366"/>'),
        run('<w:shd w:val="clear" w:fill="000000"/>'),  # the automatic colour: white on it
        run('<w:color w:val="FFFFFF"/>', '<w:shd w:val="pct75" w:fill="FFFFFF"/>'),
        run('<w:color w:val="FFFFFF" w:themeColor="accent1"/>'),
        run('<w:color w:val="7F7F7F"/>'),
        shaded("003366", "FFFFFF"),
        run(SOLID.format(W14, "C00000", "<w14:alpha w14:val='40000'/>")),
        run('<w:w w:val="90"/>', '<w:spacing w:val="-6"/>'),
        line_of("240"),
        placed('<w:ind w:left="720" w:hanging="360"/>'),
        placed('<w:ind w:left="-567" w:right="-567"/>'),
        placed('<w:framePr w:w="3000" w:x="1000" w:y="1000"/>'),
    ],
)
def test_letters_that_are_seen_are_read(tmp_path: Path, add: Add) -> None:
    text = read(tmp_path, add)
    assert (text.refusals, blocks(text)) == ((), ["Donner ne pas 40 mg"])


def test_white_letters_on_dark_paper_are_read(tmp_path: Path) -> None:
    def add(document: Document, paragraph: Paragraph) -> None:
        document.element.insert(0, element('<w:background w:color="10202A"/>'))
        run('<w:color w:val="FFFFFF"/>')(document, paragraph)

    assert read(tmp_path, add).refusals == ()


@pytest.mark.parametrize("own", [True, False])
def test_white_letters_in_a_table_are_judged_by_their_cell(tmp_path: Path, own: bool) -> None:
    """A cell of its own shade is known; what the style of a table shades is not looked at."""
    document = docx.Document()
    document.add_paragraph(KEPT)
    style = "Table Grid" if own else "Medium Shading 1 Accent 1"
    table = document.add_table(2, 2, style=style)
    for cell, words in zip(table._cells, ("Produit", "Dose", "Digoxine", "0,25 mg"), strict=True):
        cell.text = words
    cell = table.rows[1].cells[1]
    cell.paragraphs[0].runs[0]._r.get_or_add_rPr().append(element('<w:color w:val="FFFFFF"/>'))
    document.save(str(tmp_path / "x.docx"))
    text = read_file(tmp_path / "x.docx")
    assert bool(text.refusals) is own


def test_a_table_off_its_page_is_refused(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph(KEPT)
    table = document.add_table(2, 2)
    for cell, words in zip(table._cells, ("Produit", "Dose", "Digoxine", "0,25 mg"), strict=True):
        cell.text = words
    table._tbl.tblPr.append(element('<w:tblInd w:w="20000" w:type="dxa"/>'))
    document.save(str(tmp_path / "x.docx"))
    text = read_file(tmp_path / "x.docx")
    assert text.refusals
    assert not any("0,25" in block for block in blocks(text))


def test_a_row_that_is_hidden_is_refused(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(3, 2)
    words = ("Produit", "Dose", "Digoxine", "0,25 mg", "Amiodarone", "200 mg")
    for cell, text in zip(table._cells, words, strict=True):
        cell.text = text
    table.rows[1]._tr.get_or_add_trPr().append(element("<w:hidden/>"))
    document.save(str(tmp_path / "x.docx"))
    read_text = read_file(tmp_path / "x.docx")
    assert "du texte y est caché" in read_text.refusals[0].reason
    assert not any("Digoxine" in block for block in blocks(read_text))
    assert blocks(read_text)[-1] == "Produit : Amiodarone ; Dose : 200 mg"
