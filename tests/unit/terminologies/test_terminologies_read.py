"""Code tables read into sources that are found by their codes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ancremed_desktop.corpus.terminologies.read import read_terminologies
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.errors import BadFileError


def _read(folder: Path) -> list[CorpusItem]:
    return list(read_terminologies(folder, ignore_progress, CancelToken()))


@pytest.fixture
def items(tmp_path: Path) -> list[CorpusItem]:
    (tmp_path / "cis_atc_2024-04-07.csv").write_text(
        "Code CIS,Code ATC,Libellé ATC\n60000001,M04AA01,Zolixine\n60000002,M04AA01,Zolixine\n1,X,\n",
        "utf-8",
    )
    (tmp_path / "noms.json").write_text(json.dumps({"M04AA01": ["ZOLIBRA", "zolixine"]}), "utf-8")
    table = "code,type,ssr,psy,short,long\nI48,3,N,3,FA,Fibrillation inventée\nI480,0,N,0,FP,Fibrillation brève\nI481,0,N,0,,\n"
    (tmp_path / "cim10.csv.gz").write_bytes(gzip.compress(table.encode()))
    (tmp_path / "autre.csv").write_text("a,b\n1,2\n", "utf-8")
    return _read(tmp_path)


def _source(items: list[CorpusItem], identifier: str) -> SourceDocument:
    return next(
        i
        for i in items
        if isinstance(i, SourceDocument) and i.source.source_identifier == identifier
    )


def test_an_atc_code_lists_its_drugs_with_the_date(items: list[CorpusItem]) -> None:
    document = _source(items, "ATC-M04AA01")
    text = document.passages[0].text
    assert text.startswith("Code ATC M04AA01\u00a0: Zolixine.")
    assert "07/04/2024" in text
    assert "60000001, 60000002." in text
    assert document.source.codes == ((Code.ATC, "M04AA01"),)


def test_a_category_holds_its_subdivisions(items: list[CorpusItem]) -> None:
    document = _source(items, "CIM10-I48")
    assert document.passages[0].text == "I48 – Fibrillation inventée.\nI48.0 – Fibrillation brève."
    assert (Code.CIM10, "I480") in document.source.codes


def test_bad_lines_and_files_are_named(items: list[CorpusItem]) -> None:
    refused = {(r.file_name, r.where) for r in items if isinstance(r, Refusal)}
    assert refused == {
        ("cis_atc_2024-04-07.csv", "ligne 4"),
        ("cim10.csv.gz", "ligne 4"),
        ("autre.csv", "fichier entier"),
    }
    assert all(t.read == t.kept + t.refused + t.ignored for t in items if isinstance(t, Tally))


def test_a_folder_without_table_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "autre.csv").write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(BadFileError, match="aucune table"):
        _read(tmp_path)


def test_codes_withdrawn_are_left_out_and_counted(tmp_path: Path) -> None:
    lines = [
        "code,type,ssr,psy,short,long",
        "R50,3,N,3,F,Fièvre inventée",
        "R500,0,N,0,F,*** SU06 *** (Fièvre ancienne)",
    ]
    (tmp_path / "cim10.csv").write_text("\n".join(lines) + "\n", "utf-8")
    items = _read(tmp_path)
    assert _source(items, "CIM10-R50").passages[0].text == "R50 – Fièvre inventée."
    tally = next(i for i in items if isinstance(i, Tally))
    assert (tally.read, tally.kept, tally.ignored, tally.refused) == (2, 1, 1, 0)
    assert tally.notes == (("codes supprimés par l’ATIH", 1),)
