"""The user's documents: every format gives the same numbered texts; bad files are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement
from fakes import ward_protocol

from ancremed_desktop.corpus.local.read import read_local
from ancremed_desktop.domain.documents import Passage, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import PassageKind, Silo, SourceStatus
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.text.articles import label_of


def read(path: Path) -> tuple[list[SourceDocument], list[Refusal], list[Tally]]:
    items = list(read_local(path, ignore_progress, CancelToken()))
    return (
        [i for i in items if isinstance(i, SourceDocument)],
        [i for i in items if isinstance(i, Refusal)],
        [i for i in items if isinstance(i, Tally)],
    )


def by_label(passages: tuple[Passage, ...]) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    for passage in passages:
        found.setdefault(label_of(passage.urn), []).append(passage)
    return found


@pytest.mark.parametrize("suffix", sorted(ward_protocol.FORMATS))
def test_each_format_keeps_headings_numbers_and_tables(tmp_path: Path, suffix: str) -> None:
    path = ward_protocol.FORMATS[suffix](tmp_path / f"sedation_2024-03{suffix}")
    (document,), refusals, (tally,) = read(path)
    named = [r.where for r in refusals]
    hidden = [f"paragraphe «\u00a0{ward_protocol.SECRET}\u00a0»"]
    assert named == (hidden if suffix == ".html" else [])
    assert (tally.read, tally.kept) == (1, 1)
    source = document.source
    assert (source.silo, source.status) == (Silo.LOCAL, SourceStatus.USER)
    assert source.publisher == "document de l’utilisateur"
    assert source.regulatory_date == "2024-03"
    assert source.title == ("Sedation 2024-03" if suffix == ".txt" else ward_protocol.TITLE)
    found = by_label(document.passages)
    assert set(found) - {""} == {"sec-4.1", "sec-4.2", "sec-4.3", "art-7", "art-8"}
    (dose,) = found["sec-4.2"]
    assert "bolus de 1 mg" in dose.text
    assert "5 mg sans avis" in dose.text
    assert dose.section == "posologie"
    assert dose.heading == "4. Médicaments > 4.2 Posologie"
    assert found["art-8"][0].text.endswith("avant le geste.")
    assert found["art-8"][0].heading.endswith("Article 8")
    assert "500 mg" not in " ".join(p.text for p in document.passages)
    if suffix != ".txt":
        rows = next(p for p in document.passages if "Ramsay 2" in p.text)
        assert "Score : Ramsay 2 ; Conduite : poursuivre" in rows.text
    pages = {label: p[0].page_number for label, p in found.items()}
    assert (pages["sec-4.2"], pages["art-8"]) == ((1, 2) if suffix == ".pdf" else (None, None))


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp850", "utf-16", "utf-8-sig"])
def test_legacy_encodings_are_recognised(tmp_path: Path, encoding: str) -> None:
    path = ward_protocol.text(tmp_path / "protocole.txt", encoding=encoding)
    text = "\n".join(p.text for p in read(path)[0][0].passages)
    assert "La sédation procédurale est réservée aux gestes" in text
    assert "prévue à l" in text


def test_bad_files_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    ward_protocol.markdown(tmp_path / "bon.md")
    (tmp_path / "vide.txt").touch()
    (tmp_path / "faux.docx").write_bytes(b"PK\3\4" + bytes(300))
    (tmp_path / "faux.pdf").write_bytes(b"%PDF-1.7 tronque")
    (tmp_path / "ancien.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    (tmp_path / "binaire.txt").write_bytes(bytes(range(256)))
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8")
    documents, refusals, tallies = read(tmp_path)
    assert [d.source.file_name for d in documents] == ["bon.md"]
    reasons = {r.file_name: r.reason for r in refusals}
    assert set(reasons) == {"vide.txt", "faux.docx", "faux.pdf", "ancien.doc", "binaire.txt"}
    assert "enregistrez le document en .docx" in reasons["ancien.doc"]
    assert "fichier vide" in reasons["vide.txt"]
    assert all(t.read == t.kept + t.refused for t in tallies)


def test_pending_revisions_are_refused(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("La dose est de ")
    paragraph._p.append(OxmlElement("w:ins"))
    document.save(str(tmp_path / "revu.docx"))
    documents, (refusal,), _ = read(tmp_path / "revu.docx")
    assert documents == []
    assert "modifications suivies" in refusal.reason


def test_a_table_with_twin_headings_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "doses.md"
    path.write_text("# Doses\n\nTexte utile.\n\n| Dose | Dose |\n|---|---|\n| 1 mg | 2 mg |\n")
    (document,), (refusal,), _ = read(path)
    assert "même intitulé" in refusal.reason
    assert all(p.kind is not PassageKind.TABLE for p in document.passages)


def test_files_of_one_article_are_one_document(tmp_path: Path) -> None:
    law = tmp_path / "code_du_bloc_2020-01"
    (law / "Titre II").mkdir(parents=True)
    for number, text in (("10", "Le dixième."), ("9-1", "Après le neuf."), ("9", "Le neuvième.")):
        body = f"Article {number}\n----\n{text} Il renvoie à l’article 9."
        (law / "Titre II" / f"Article {number}.md").write_text(body, "utf-8")
    (document,), _, tallies = read(law)
    assert document.source.title == "Code du bloc 2020-01"
    assert "Code du bloc" in document.source.names
    assert [label_of(p.urn) for p in document.passages] == ["art-9", "art-9-1", "art-10"]
    assert document.passages[0].heading == "Titre II > Article 9"
    assert len(tallies) == 3
    alone = tmp_path / "seul"
    alone.mkdir()
    shutil.copy(law / "Titre II" / "Article 9.md", alone)
    assert read(alone / "Article 9.md")[0][0].source.title == "Article 9"


def test_a_long_article_is_covered_once_and_whole(tmp_path: Path) -> None:
    sentences = [f"La règle numéro {n} vaut pour chacun des membres du service." for n in range(60)]
    path = tmp_path / "reglement.txt"
    path.write_text("Article 1\n" + " ".join(sentences) + "\n\nArticle 2\nFin.", "utf-8")
    passages = by_label(read(path)[0][0].passages)["art-1"]
    assert len(passages) > 1
    joined = " ".join(p.text for p in passages)
    assert [s for s in sentences if joined.count(s) != 1] == []


def test_a_folder_without_document_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").touch()
    with pytest.raises(BadFileError, match="aucun document lisible"):
        read(tmp_path)
