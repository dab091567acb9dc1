"""Opinions, older dumps, retired drugs, unreadable files, progress and cancel."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from fakes.bdpm_files import (
    AMLO,
    GONE,
    drug_line,
    opinions,
    part,
    read,
    text,
    three_drugs,
    write,
)

from ancremed_desktop.corpus.bdpm.read import read_bdpm
from ancremed_desktop.domain.documents import Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.errors import BadFileError, Cancelled


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """One dated dump with three drugs."""
    return three_drugs(tmp_path)


def test_opinions_of_an_older_dump_keep_their_values_days_and_file(dump: Path) -> None:
    older = dump.parent / "2023-11"
    opinions(older)
    write(dump, "HAS_LiensPageCT_bdpm", "CT-1\thttps://has/2", "CT-1\thttps://has/1")
    documents, _, tallies = read(dump.parent)
    first, second, third, fourth = part(documents[AMLO], "smr")
    assert first.text.replace("\u00a0", " ").split("\n") == [
        "Service médical rendu (SMR) d’AMLO 5 mg, gélule : important, une des 2 valeurs de cet "
        "avis selon l’indication, selon l’avis de la commission de la Transparence de la HAS du "
        "1er janvier 2020 (inscription, dossier CT-1, fichier de novembre 2023, https://has/2 ; "
        "https://has/1).",
        "Texte de l’avis SMR du 1er janvier 2020 sur AMLO 5 mg, gélule : Le \"SMR\" est "
        "important dans le traitement de l’HTA.",
    ]  # fmt: skip
    assert [p.regulatory_date for p in (first, third, fourth)] == [
        "2020-01-01", "2019-01-01", "2010-01-31",
    ]  # fmt: skip
    # « Indication » only where a use is named, the value is not « insuffisant », nothing withheld.
    assert [p.section for p in (first, second, third, fourth)] == ["indication", "", "", ""]
    assert "=12" not in third.text
    assert "Phrase omise" in third.text
    assert "Le reste suit." in third.text
    assert "Un avis SMR plus récent, du 1er janvier 2020, existe" in fourth.text
    asmr = text(documents[AMLO], "asmr")
    assert "V (inexistante), selon l’avis" in asmr
    assert "commentaires sans chiffrage de l’ASMR, selon l’avis" in asmr
    assert {p.section for p in part(documents[AMLO], "asmr")} == {""}
    tally = tallies["2023-11/CIS_HAS_SMR_bdpm.txt"]
    assert (tally.read, tally.kept, tally.ignored) == (5, 4, 1)
    assert dict(tally.notes)["avis sans lien vers la HAS"] == 2
    links = dict(tallies["2026-05/HAS_LiensPageCT_bdpm.txt"].notes)
    assert links["dossiers à plusieurs liens (tous gardés)"] == 1


def test_threshold_of_a_utf8_file_is_trusted(dump: Path) -> None:
    line = f"{AMLO}\tCT-1\tInscription (CT)\t20200101\tImportant\tEnfants de ≥ 6 ans ou score = 3."
    write(dump, "CIS_HAS_SMR_bdpm", line, encoding="utf-8")
    assert "Enfants de ≥ 6 ans ou score = 3." in text(read(dump)[0][AMLO], "smr")


def test_long_opinion_is_split_between_sentences_and_each_piece_says_whose_it_is(
    dump: Path,
) -> None:
    body = " ".join(f"Phrase numéro {n} de cet avis, qui compte bien dix mots." for n in range(60))
    write(dump, "CIS_HAS_SMR_bdpm", f"{AMLO}\tCT-1\tInscription (CT)\t20200101\tFaible\t{body}")
    pieces = part(read(dump)[0][AMLO], "smr")
    assert len(pieces) > 2
    assert all(len(p.text.split()) <= 220 for p in pieces)
    lead = "Texte de l’avis SMR du 1er janvier 2020 sur AMLO 5 mg, gélule\u00a0: Phrase"
    assert all(p.text.startswith(lead) for p in pieces[1:])
    joined = " ".join(p.text for p in pieces)
    assert all(f"Phrase numéro {n} de" in joined for n in range(60))


def test_cut_opinion_says_so(dump: Path) -> None:
    body = "mot " * 500 + "coup"
    write(dump, "CIS_HAS_SMR_bdpm", f"{AMLO}\tCT-1\tInscription (CT)\t20200101\tFaible\t{body}")
    documents, _, tallies = read(dump)
    assert "coup. […] (texte coupé dans le fichier)." in text(documents[AMLO], "smr")
    assert dict(tallies["CIS_HAS_SMR_bdpm.txt"].notes)["textes coupés vers 2 000 caractères"] == 1


def test_retired_drug_is_superseded_not_unknown(dump: Path) -> None:
    older = dump.parent / "2017-03"
    write(
        older,
        "CIS_bdpm",
        drug_line(GONE, "ANCIEN 10 mg, sirop"),
        drug_line(AMLO, "AMLO, vieux nom"),
    )
    write(
        older,
        "CIS_COMPO_bdpm",
        f"{GONE}\tsirop\t1\tCODÉINE\t10 mg\t5 ml\tSA\t1\t",
        f"{AMLO}\tgélule\t1\tFAUX\t1 mg\t\tSA\t1\t",
    )
    write(older, "CIS_CPD_bdpm", f"{AMLO}\tancienne condition")
    write(dump, "CIS_CPD_bdpm", f"{AMLO}\tliste I", f"{GONE}\tliste I")
    write(dump, "CIS_COMPO_bdpm", f"{AMLO}\tgélule\t1\tAMLODIPINE\t5 mg\tune gélule\tSA\t1")
    documents, _, tallies = read(dump.parent)
    gone = documents[GONE]
    assert gone.source.superseded
    assert gone.source.superseded_by == "spécialité retirée de la base (fichier de mai 2026)"
    assert gone.source.regulatory_date == "2017-03"
    assert "codéine" in gone.source.names
    assert all(p.superseded for p in gone.passages)
    assert text(gone, "identite").startswith(
        "La spécialité ANCIEN 10 mg, sirop, a été retirée de la base publique des médicaments : "
        "elle figure dans le fichier de mars 2017 et n’est plus dans celui de mai 2026.\n"
    )
    assert text(gone, "composition").startswith("ANCIEN 10 mg, sirop, contenait")
    # A current drug takes nothing from the older dump.
    assert documents[AMLO].source.title == "AMLO 5 mg, gélule"
    assert "faux" not in text(documents[AMLO], "composition")
    assert "ancienne" not in text(documents[AMLO], "prescription")
    assert tallies["2017-03/CIS_CPD_bdpm.txt"].read == 0
    assert tallies["2017-03/CIS_bdpm.txt"].kept == 1
    assert tallies["2026-05/CIS_CPD_bdpm.txt"].ignored == 1


def test_undated_folder_takes_its_newest_day(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    write(folder, "CIS_bdpm", drug_line(AMLO, "AMLO 5 mg, gélule"))
    write(
        folder, "CIS_CIP_Dispo_Spec", f"{AMLO}\t\t1\tRupture\t01/02/2024\t05/03/2024\t09/09/2999\tx"
    )
    documents, _, _ = read(folder)
    assert documents[AMLO].source.regulatory_date == "2024-03-05"
    assert "fichier de 5 mars 2024" not in text(documents[AMLO], "identite")
    assert "fichier du 5 mars 2024" in text(documents[AMLO], "identite")


def test_unreadable_newest_table_falls_back_to_the_older_one(dump: Path) -> None:
    older = dump.parent / "2023-11"
    write(older, "CIS_CPD_bdpm", f"{AMLO}\tliste II")
    (dump / "CIS_CPD_bdpm.txt.gz").write_bytes(gzip.compress(b"x\ty\n" * 99)[:-9])
    documents, refusals, _ = read(dump.parent)
    assert [r.file_name for r in refusals] == ["2026-05/CIS_CPD_bdpm.txt.gz"]
    assert "(fichier de novembre 2023) : liste II." in text(documents[AMLO], "prescription")


def test_bad_lines_are_refused_by_name_and_the_rest_goes_on(dump: Path) -> None:
    write(dump, "CIS_CPD_bdpm", f"{AMLO}\tliste I", "court", "court 2")
    documents, refusals, tallies = read(dump)
    (refusal,) = refusals
    assert (refusal.file_name, refusal.where, refusal.lines) == (
        "CIS_CPD_bdpm.txt",
        "lignes 2, 3",
        2,
    )
    assert "liste I" in text(documents[AMLO], "prescription")
    assert tallies["CIS_CPD_bdpm.txt"].refused == 2


def test_no_drug_list(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="n’existe pas"):
        read(tmp_path / "absent")
    write(tmp_path / "2026-05", "CIS_CPD_bdpm", f"{AMLO}\tliste I")
    with pytest.raises(BadFileError, match="liste des spécialités"):
        read(tmp_path)
    (tmp_path / "2026-05" / "CIS_bdpm.txt").write_bytes(b"")
    with pytest.raises(BadFileError, match="Aucune liste de spécialités lisible"):
        read(tmp_path)


def test_progress_and_cancel(dump: Path) -> None:
    seen: list[Progress] = []
    items = list(read_bdpm(dump, seen.append, CancelToken()))
    assert [type(item) for item in items if not isinstance(item, Refusal)] == [
        *[SourceDocument] * 3, Tally,
    ]  # fmt: skip
    assert {p.stage for p in seen} == {
        "Lecture de la base publique des médicaments", "Mise en forme des fiches de médicaments",
    }  # fmt: skip
    assert seen[-1].done == seen[-1].total == 3
    cancel = CancelToken()
    stream = read_bdpm(dump, ignore_progress, cancel)
    while not isinstance(next(stream), SourceDocument):
        pass
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(stream)
