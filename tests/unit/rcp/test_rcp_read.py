"""The reader of RCP and notices on small invented pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ancremed_desktop.corpus.rcp.document import WITHHELD
from ancremed_desktop.corpus.rcp.pieces import item, looks_like_headings
from ancremed_desktop.corpus.rcp.read import read_rcp
from ancremed_desktop.corpus.rcp.sections import notice_section
from ancremed_desktop.domain.documents import CorpusItem, Passage, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import Code, PassageKind
from ancremed_desktop.errors import BadFileError

NBSP = "\u00a0"
PAGE = """<html><head><title>RCP</title></head><body>
<a href='extrait.php?specid=60000001'>fiche</a>
<div id="textDocument">
<p class="DateNotif">ANSM - Mis à jour le : 21/09/2017</p>
<p class="AmmAnnexeTitre1"><a name="RcpDenomination">1. DENOMINATION DU MEDICAMENT</a></p>
<p class=AmmCorpsTexteGras>ZOLIBRA 10 mg, comprimé</p>
<p class="AmmAnnexeTitre1"><a name="RcpCompoQualiQuanti">2. COMPOSITION</a></p>
<p class=AmmComposition>Zolixine (chlorhydrate de) .................. 10,00 mg</p>
<p class="AmmAnnexeTitre1"><a name="RcpDonneesCliniques">4. DONNEES CLINIQUES</a></p>
<p class="AmmAnnexeTitre2"><a name="RcpIndicTherap">4.1. Indications thérapeutiques</a></p>
<p class=AmmListePuces1><span>·<span>      </span></span>Traitement de l’œdème chez l’adulte.</p>
<p class="AmmAnnexeTitre2"><a name="RcpPosoAdmin">4.2. Posologie</a></p>
<p class=AmmAnnexeTitre4>Insuffisants rénaux</p>
<p class=AmmCorpsTexte>La dose est de 2,5 mg par jour, soit 10<sup>6</sup> UI.</p>
<table><tr><td>Clairance</td><td>Dose maximale</td></tr>
<tr><td>&lt; 30 ml/min</td><td>5 mg/j</td></tr></table>
<p class="AmmAnnexeTitre2"><a name="RcpContreindications">4.3. Contre-indications</a></p>
<p class=AmmCorpsTexte>Ce médicament est contre-indiqué si la fréquence est ³ 100 par minute.</p>
<p class="AmmAnnexeTitre1"><a name="RcpTitulaireAmm">7. TITULAIRE</a></p>
<p class=AmmCorpsTexte>12 rue des Lilas</p>
</div></body></html>"""
NOTICE = {
    "source": {"cis": "60000002"},
    "content": [
        {"type": "AmmAnnexeTitre", "content": "NOTICE", "anchor": "Ann3bNotice"},
        {"type": "DateNotif", "content": "ANSM - Mis à jour le : 01/04/2022"},
        {
            "type": "AmmNoticeTitre1",
            "content": "Dénomination du médicament",
            "anchor": "Ann3bDenomination",
            "children": [
                {
                    "type": "AmmCorpsTexteGras",
                    "content": "SERENOL 5 mg, gélule.",
                    "styles": ["bold"],
                },
                {"type": "AmmCorpsTexte", "content": "Mélotane", "styles": []},
            ],
        },
        {
            "type": "AmmAnnexeTitre1",
            "content": "2. QUELLES SONT LES INFORMATIONS A CONNAITRE ?",
            "anchor": "Ann3bInfoNecessaires",
            "children": [
                {
                    "type": "AmmCorpsTexteGras",
                    "content": "Ne prenez jamais SERENOL :",
                    "styles": ["bold"],
                },
                {
                    "type": "listePuce",
                    "content": ["· si vous êtes allergique", "· si vous dormez trop"],
                },
                {
                    "type": "AmmCorpsTexteGras",
                    "content": "Grossesse et allaitement",
                    "styles": ["bold"],
                },
                {
                    "type": "AmmCorpsTexte",
                    "content": "Demandez conseil à votre médecin.",
                    "styles": [],
                },
            ],
        },
    ],
}


def _read(folder: Path) -> list[CorpusItem]:
    return list(read_rcp(folder, ignore_progress, CancelToken()))


def _document(items: list[CorpusItem]) -> SourceDocument:
    (document,) = (i for i in items if isinstance(i, SourceDocument))
    return document


@pytest.fixture
def rcp(tmp_path: Path) -> SourceDocument:
    (tmp_path / "p.html").write_bytes(PAGE.encode("cp1252", "xmlcharrefreplace"))
    return _document(_read(tmp_path))


def _section(document: SourceDocument, section: str) -> list[Passage]:
    return [p for p in document.passages if p.section == section]


def test_a_page_is_dated_and_linked_to_its_drug(rcp: SourceDocument) -> None:
    source = rcp.source
    assert source.source_identifier == "RCP-60000001"
    assert source.regulatory_date == "2017-09-21"
    assert source.title == "ZOLIBRA 10 mg, comprimé – RCP"
    assert {"ZOLIBRA", "zolixine"} <= set(source.names)
    assert (Code.CIS, "60000001") in source.codes
    assert (Code.SUBSTANCE, "zolixine") in source.codes


def test_rubrics_become_sections(rcp: SourceDocument) -> None:
    (indication,) = _section(rcp, "indication")
    assert indication.text == "• Traitement de l’œdème chez l’adulte."
    prose, table = _section(rcp, "posologie")
    assert prose.text == "La dose est de 2,5 mg par jour, soit 10⁶ UI."
    assert prose.heading == "RCP > 4. DONNEES CLINIQUES > 4.2. Posologie > Insuffisants rénaux"
    assert table.kind is PassageKind.TABLE
    assert table.text == f"Clairance{NBSP}: < 30 ml/min{NBSP}; Dose maximale{NBSP}: 5 mg/j"
    assert not [p for p in rcp.passages if "Lilas" in p.text]


def test_an_unreadable_comparison_hides_its_text(rcp: SourceDocument) -> None:
    (passage,) = _section(rcp, "contre-indications")
    assert passage.text == WITHHELD


def test_a_leaflet_is_labelled_so(tmp_path: Path) -> None:
    (tmp_path / "n.jsonl").write_text(json.dumps(NOTICE, ensure_ascii=False), "utf-8")
    document = _document(_read(tmp_path))
    assert document.source.source_identifier == "Notice-60000002"
    assert document.source.title == "SERENOL 5 mg, gélule – notice destinée au patient"
    assert "mélotane" in document.source.names
    (never,) = _section(document, "contre-indications")
    assert never.text == "• si vous êtes allergique\n• si vous dormez trop"
    assert never.heading.startswith("Notice destinée au patient")
    assert _section(document, "grossesse et allaitement")


def test_what_cannot_be_read_is_named_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    (tmp_path / "b.html").write_text("<html><body><p>Bonjour</p></body></html>", "utf-8")
    (tmp_path / "c.jsonl").write_text('{"content": 3}\n{', "utf-8")
    (tmp_path / "d.txt").write_text("4.1. Indications", "utf-8")
    items = _read(tmp_path)
    refused = {(r.file_name, r.where) for r in items if isinstance(r, Refusal)}
    assert refused == {
        ("b.html", "document 1"),
        ("c.jsonl", "document 1"),
        ("c.jsonl", "document 2"),
        ("d.txt", "fichier entier"),
    }
    assert all(t.read == t.kept + t.refused + t.ignored for t in items if isinstance(t, Tally))


def test_the_same_edition_twice_counts_once(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(PAGE, "utf-8")
    items = _read(tmp_path)
    assert sum(isinstance(i, SourceDocument) for i in items) == 1
    assert sum(t.ignored for t in items if isinstance(t, Tally)) == 1


def test_a_folder_without_any_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>rien</p>", "utf-8")
    with pytest.raises(BadFileError, match="aucun RCP"):
        _read(tmp_path)


@pytest.mark.parametrize(
    ("row", "is_header"),
    [
        (["Clairance", "Dose"], True),
        (["", "AA-P", "Placebo"], True),
        (["< 30 ml/min", "5 mg"], False),
        (["Décès", "Décès"], False),
        (["Seule"], False),
    ],
)
def test_which_first_row_names_columns(row: list[str], is_header: bool) -> None:
    assert looks_like_headings(row) is is_header


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Ne prenez jamais ZOLIBRA :", "contre-indications"),
        ("N’utilisez jamais ZOLIBRA :", "contre-indications"),
        ("Avertissements et précautions", "surveillance"),
        ("Autres médicaments et ZOLIBRA", "interactions"),
        ("Conduite de véhicules", ""),
    ],
)
def test_parts_of_a_leaflet(heading: str, section: str) -> None:
    assert notice_section(heading) == section


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("·  si vous dormez", "• si vous dormez"),
        ("• o le pollen", "◦ le pollen"),
        ("o le pollen", "◦ le pollen"),
        ("o", "• o"),
        ("oui, parfois", "• oui, parfois"),
    ],
)
def test_an_item_within_an_item_keeps_its_hollow_bullet(line: str, text: str) -> None:
    assert item(line).text == text
