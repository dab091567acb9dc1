"""PDF, archives and BDPM dumps that cannot be read: named, explained, and nothing lost."""

from __future__ import annotations

import codecs
import json
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from fakes.bdpm_files import AMLO, TRAMADOL, drug_line, three_drugs, write
from fakes.command_line import error_of, run
from fakes.drawn_pdf import Drawn

from ancremed_desktop import app
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.gui.workbench import ToolboxWorkbench

QUESTION = "contre-indications de la metformine"


def _good(path: Path) -> Path:
    drawn = Drawn()
    drawn.lines("Haute Autorité de Santé", size=14)
    drawn.lines("Asthme de l'adulte", size=24)
    drawn.lines("Mars 2020", size=14)
    drawn.lines("La dose usuelle est de 20 mg par jour.", "Le suivi est prévu une fois par an.")
    return drawn.save(path)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _truncated(path: Path) -> None:
    content = _good(path).read_bytes()
    path.write_bytes(content[: 2 * len(content) // 3])


def _not_a_pdf(path: Path) -> None:
    path.write_bytes(b"<html>introuvable</html>" * 40)


def _encrypted(path: Path) -> None:
    drawn = Drawn()
    drawn.lines("La dose usuelle est de 20 mg par jour.")
    drawn.save(
        path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="secret"
    )  # fmt: skip


def _image_only(path: Path) -> None:
    drawn = Drawn()
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 60))
    picture.clear_with(90)
    drawn.page.insert_image(pymupdf.Rect(50, 50, 500, 700), pixmap=picture)
    drawn.save(path)


BAD_PDF: dict[str, tuple[Callable[[Path], None], str]] = {
    "0 byte": (_empty, "fichier vide (0 octet)"),
    "truncated": (_truncated, "PDF tronqué"),
    "not a PDF": (_not_a_pdf, "ce n’est pas un PDF"),
    "encrypted": (_encrypted, "protégé par un mot de passe ; enregistrez-en une copie ouverte"),
    "image only": (_image_only, "image"),
}


@pytest.mark.parametrize("case", BAD_PDF)
def test_a_bad_pdf_is_named_and_the_index_stays(index: Path, tmp_path: Path, case: str) -> None:
    make, why = BAD_PDF[case]
    folder = tmp_path / "has"
    folder.mkdir()
    make(folder / "mauvais.pdf")
    before = index.read_bytes()
    outcome = run("library", "build", "--has", folder, "--out", index)
    error = error_of(outcome)
    assert outcome.code == 3
    assert "l’index n’est pas modifié" in error
    assert "mauvais.pdf" in error
    assert why in error
    assert index.read_bytes() == before
    assert [p.name for p in index.parent.iterdir()] == ["index.db"]
    with pytest.raises(BadFileError, match=r"mauvais\.pdf"):
        ToolboxWorkbench(app.toolbox()).import_paths(
            "has", [folder], progress=ignore_progress, cancel=CancelToken()
        )
    _good(folder / "bon.pdf")
    report = _report(run("library", "build", "--has", folder, "--out", index, "--json").out)
    assert any(r["file"] == "mauvais.pdf" and why in r["reason"] for r in report["refusals"])
    assert _titles(index) == ["Asthme de l'adulte"]


def test_an_absent_pdf_is_said(index: Path, tmp_path: Path) -> None:
    before = index.read_bytes()
    for kind in ("has", "bdpm", "edn", "cards"):
        gone = tmp_path / "absent"
        outcome = run("library", "build", f"--{kind}", gone, "--out", index)
        assert outcome.code == 3
        assert error_of(outcome) == f"« {gone} » ({kind}) n’existe pas : vérifiez son emplacement."
    assert index.read_bytes() == before


def _report(text: str) -> dict[str, Any]:
    report = json.loads(text)
    assert isinstance(report, dict)
    return report


def _titles(index: Path) -> list[str]:
    listed = json.loads(run("library", "list", "--index", index, "--json").out)
    return [source["title"] for source in listed if source["silo"] == "has"]


def test_an_archive_with_hostile_members(index: Path, tmp_path: Path) -> None:
    good = _good(tmp_path / "x.pdf").read_bytes()
    link = zipfile.ZipInfo("lien.pdf")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive = tmp_path / "docs.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name in (
            "../dehors.pdf",
            "/racine.pdf",
            "C:\\windows.pdf",
            "..\\dehors2.pdf",
            "a\nb.pdf",
        ):
            opened.writestr(name, good)
        opened.writestr(link, "/etc/passwd")
        opened.writestr("bombe.pdf", b"%PDF-1.7" + bytes(8 * 1024 * 1024))
        opened.writestr("autre.zip", b"PK")
        opened.writestr("CON.pdf", good)
        opened.writestr("note.txt", b"x")
    before = {p for p in tmp_path.rglob("*") if "index" not in p.parts}
    outcome = run("library", "build", "--has", archive, "--out", index, "--json")
    assert outcome.code == 0, outcome.err
    assert {p for p in tmp_path.rglob("*") if "index" not in p.parts} == before
    reasons = {r["file"]: r["reason"] for r in _report(outcome.out)["refusals"]}
    hostile = {name for name, reason in reasons.items() if "nom de fichier dangereux" in reason}
    assert hostile == {
        "../dehors.pdf", "/racine.pdf", "C:\\windows.pdf", "..\\dehors2.pdf", "a\\nb.pdf",
    }  # fmt: skip
    assert "ce n’est pas un PDF" in reasons["lien.pdf"]  # its bytes, never what it points to
    assert "taux de compression anormal" in reasons["bombe.pdf"]
    assert "décompressez-la d’abord" in reasons["autre.zip"]
    assert "root:" not in outcome.out
    # A device name of Windows is no path here: the member is read under a name of our own.
    assert _titles(index) == ["Asthme de l'adulte"]


def test_a_bomb_that_lies_about_its_size_is_cut_short(index: Path, tmp_path: Path) -> None:
    archive = tmp_path / "bombe.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("b.pdf", bytes(3 * 1024 * 1024))
    content = bytearray(archive.read_bytes())
    for mark, offset in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        struct.pack_into("<I", content, content.index(mark) + offset, 1000)
    archive.write_bytes(content)
    before = index.read_bytes()
    outcome = run("library", "build", "--has", archive, "--out", index)
    assert outcome.code == 3
    assert "b.pdf" in error_of(outcome)
    assert "archive" in error_of(outcome)
    assert index.read_bytes() == before


@pytest.mark.parametrize("kind", ["bdpm", "edn", "cards"])
def test_only_has_documents_come_in_archives(index: Path, tmp_path: Path, kind: str) -> None:
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("CIS_bdpm.txt", "x")
    outcome = run("library", "build", f"--{kind}", archive, "--out", index)
    assert outcome.code == 3
    assert "est un fichier : indiquez le dossier" in error_of(outcome)
    assert "zip se décompresse d’abord" in error_of(outcome)


@pytest.mark.parametrize("content", [b"", b"PK\3\4 x", b"bonjour"])
def test_a_damaged_archive(index: Path, tmp_path: Path, content: bytes) -> None:
    archive = tmp_path / "docs.zip"
    archive.write_bytes(content)
    outcome = run("library", "build", "--has", archive, "--out", index)
    assert outcome.code == 3
    assert "archive illisible (contenu illisible, tronqué ou endommagé)" in error_of(outcome)


def _without_columns(folder: Path) -> None:
    write(folder, "CIS_bdpm", f"{AMLO}\tAMLO 5 mg, gélule\tgélule")


def _utf_16(folder: Path) -> None:
    folder.mkdir()
    line = drug_line(AMLO, "AMLO 5 mg, gélule")
    (folder / "CIS_bdpm.txt").write_bytes(codecs.BOM_UTF16_LE + line.encode("utf-16-le"))


def _binary(folder: Path) -> None:
    folder.mkdir()
    (folder / "CIS_bdpm.txt").write_bytes(bytes(range(256)) * 20)


def _no_list(folder: Path) -> None:
    write(folder, "CIS_CPD_bdpm", f"{AMLO}\tliste I")


BAD_DUMP: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing columns": (_without_columns, "[CIS_bdpm.txt] 3 colonnes au lieu de 12"),
    "UTF-16": (_utf_16, "est en UTF-16 : enregistrez-le en UTF-8"),
    "binary": (_binary, "n’est pas un fichier texte de la BDPM"),
    "no drug list": (_no_list, "ne contient pas la liste des spécialités : attendu, CIS_bdpm.txt"),
}


@pytest.mark.parametrize("case", BAD_DUMP)
def test_a_bad_dump_says_why_and_the_index_stays(index: Path, tmp_path: Path, case: str) -> None:
    make, why = BAD_DUMP[case]
    folder = tmp_path / "bdpm"
    make(folder)
    before = index.read_bytes()
    outcome = run("library", "build", "--bdpm", folder, "--out", index)
    assert outcome.code == 3
    assert why in error_of(outcome)
    assert index.read_bytes() == before
    assert [p.name for p in index.parent.iterdir()] == ["index.db"]
    with pytest.raises(BadFileError, match="CIS_bdpm"):
        ToolboxWorkbench(app.toolbox()).import_paths(
            "bdpm", [folder], progress=ignore_progress, cancel=CancelToken()
        )


def test_a_dump_with_a_missing_and_a_broken_table_is_read_without_them(
    index: Path, tmp_path: Path
) -> None:
    folder = three_drugs(tmp_path / "bdpm")
    write(folder, "CIS_CPD_bdpm", AMLO, TRAMADOL)
    outcome = run("library", "build", "--bdpm", folder, "--out", index, "--json")
    assert outcome.code == 0, outcome.err
    refusals = {r["file"]: r for r in _report(outcome.out)["refusals"]}
    assert refusals["CIS_COMPO_bdpm.txt"]["where"] == "table absente"
    assert "ne sera pas dans l’index ; téléchargez-le" in refusals["CIS_COMPO_bdpm.txt"]["reason"]
    assert refusals["CIS_CPD_bdpm.txt"]["reason"] == "1 colonne au lieu de 2"
    assert "CIS_bdpm.txt" not in refusals
    found = run("search", "tramadol", "--silo", "bdpm", "--index", index)
    assert "TRAMADOL LABO" in found.out


def test_a_new_dump_without_its_columns_retires_no_drug(index: Path, tmp_path: Path) -> None:
    three_drugs(tmp_path / "bdpm")
    newer = tmp_path / "bdpm" / "2026-09"
    _without_columns(newer)
    outcome = run("library", "build", "--bdpm", newer.parent, "--out", index, "--json")
    assert outcome.code == 0, outcome.err
    listed = json.loads(run("library", "list", "--index", index, "--json").out)
    drugs = [s for s in listed if s["silo"] == "bdpm"]
    assert len(drugs) == 3
    assert not any(s["superseded"] for s in drugs)


@pytest.mark.parametrize("target", ["elle-même", "absent"])
def test_a_link_to_nothing_is_called_so(tmp_path: Path, target: str) -> None:
    link = tmp_path / "elle-même"
    link.symlink_to(tmp_path / target)
    outcome = run("library", "import", link)
    assert outcome.code == 3
    assert "est un lien qui ne mène à rien" in outcome.err
