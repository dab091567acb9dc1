"""One dump to sources and passages, on small hand-written files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from fakes.bdpm_files import (
    AMLO,
    GONE,
    METFORMINE,
    TRAMADOL,
    box_line,
    opinions,
    part,
    read,
    text,
    three_drugs,
    write,
)

from ancremed_desktop.domain.identifiers import SECTIONS, PassageKind, Silo
from ancremed_desktop.text.sentences import sentence_spans


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """One dated dump with three drugs."""
    return three_drugs(tmp_path)


def test_source_says_what_it_is(dump: Path) -> None:
    salt = "1\tTRAMADOL (CHLORHYDRATE DE) \t100 mg\tun comprimé\tSA\t1\t"
    write(dump, "CIS_COMPO_bdpm", f"{TRAMADOL}\tcomprimé\t{salt}")
    source = read(dump)[0][TRAMADOL].source
    assert source.key == "bdpm:60000001"
    assert source.silo is Silo.BDPM
    assert source.title == "TRAMADOL LABO L.P. 100 mg, comprimé"
    assert source.publisher == "ANSM – Base de données publique des médicaments"
    assert source.licence == "Licence Ouverte / Etalab 2.0"
    assert source.regulatory_date == "2026-05"
    assert source.names == (
        "TRAMADOL LABO L.P. 100 mg, comprimé", "TRAMADOL LABO L.P", "TRAMADOL LABO", "tramadol",
    )  # fmt: skip
    assert source.url.endswith("specid=60000001")
    assert len(source.file_sha256) == 64
    assert not source.superseded


def test_identity_sentences(dump: Path) -> None:
    write(dump, "CIS_MITM", f"{AMLO}\tC08CA01\tAMLO 5 mg\thttp://x")
    notice = "01/04/2026\t30/06/2026\t<a href='x'>Rappel de lot</a>"
    write(dump, "CIS_InfoImportantes_20260501000000_bdpm", f"{AMLO}\t{notice}")
    documents, _, tallies = read(dump)
    assert text(documents[AMLO], "identite").split("\n") == [
        "AMLO 5 mg, gélule, est un médicament sous forme de gélule, voies d’administration : "
        "orale et rectale (base publique des médicaments, fichier de mai 2026).",
        "La spécialité AMLO 5 mg, gélule, est commercialisée ; son autorisation (délivrée le "
        "31 mai 2011, procédure nationale) est active.",
        "Titulaires d’AMLO 5 mg, gélule : LABO A et LABO B.",
        "Code CIS d’AMLO 5 mg, gélule : 60000002 ; numéro d’autorisation européenne : EU/1/00/1.",
        "AMLO 5 mg, gélule, fait l’objet d’une surveillance renforcée (triangle noir).",
        "La base publique des médicaments affiche une alerte pour AMLO 5 mg, gélule.",
        "AMLO 5 mg, gélule, est un médicament d’intérêt thérapeutique majeur (MITM, code ATC "
        "C08CA01).",
        "Information de sécurité du 1er avril 2026 au 30 juin 2026 sur AMLO 5 mg, gélule "
        "(fichier de mai 2026) : rappel de lot.",
    ]
    assert dict(tallies["CIS_MITM.txt"].notes)["noms différents de la liste des spécialités"] == 1


def test_salt_and_fraction_are_paired_and_told_apart(dump: Path) -> None:
    write(
        dump,
        "CIS_COMPO_bdpm",
        f"{AMLO}\tgélule\t1\tBÉSILATE D'AMLODIPINE\t6,94 mg\tune gélule\tSA\t1",
        f"{AMLO}\tgélule\t2\tAMLODIPINE\t5,00 mg\tune gélule\tFT\t1",
        f"{METFORMINE}\tcomprimé\t3\tMETFORMINE\t780 mg\tun comprimé\tFT\t1",
        f"{METFORMINE}\tcomprimé\t4\tCHLORHYDRATE DE METFORMINE\t1000 mg\tun comprimé\tSA\t1",
        f"{TRAMADOL}\tcomprimé\t5\tCHLORHYDRATE DE TRAMADOL\t100 mg\tun comprimé\tSA\t1",
        f"{TRAMADOL}\tcomprimé\t6\tPARACÉTAMOL\t325 mg\tun comprimé\tSA\t1",
        f"{TRAMADOL}\tcomprimé\t7\tCAFÉINE\t\tun comprimé\tSA\t2",
    )
    documents, _, tallies = read(dump)
    assert text(documents[AMLO], "composition").split("\n") == [
        "AMLO 5 mg, gélule, contient, pour une gélule : amlodipine 5,00 mg (fraction "
        "thérapeutique), sous forme de bésilate d’amlodipine 6,94 mg (poids du sel).",
        "Le dosage inscrit dans le nom d’AMLO 5 mg, gélule (5 mg) est celui de la fraction "
        "thérapeutique, amlodipine, et non celui de bésilate d’amlodipine 6,94 mg.",
    ]
    # The strength of metformine is the salt's: saying otherwise would be false.
    assert text(documents[METFORMINE], "composition").split("\n")[1] == (
        "Le dosage inscrit dans le nom de METFORMINE LABO 1000 mg, comprimé (1000 mg) est celui "
        "de la forme entière, chlorhydrate de metformine, et non celui de metformine 780 mg."
    )
    assert text(documents[TRAMADOL], "composition") == (
        "TRAMADOL LABO LP 100 mg, comprimé, contient, pour un comprimé : chlorhydrate de "
        "tramadol 100 mg (quantité exprimée en sel) ; paracétamol 325 mg ; caféine."
    )
    assert documents[AMLO].source.names[-1] == "amlodipine"
    assert dict(tallies["CIS_COMPO_bdpm.txt"].notes)["composants sans dosage"] == 1


def test_same_content_of_several_elements_is_said_once(dump: Path) -> None:
    stock = "BRYONIA POUR PRÉPARATIONS HOMÉOPATHIQUES\t4CH à 30CH"
    write(
        dump,
        "CIS_COMPO_bdpm",
        f"{AMLO}\tgranules\t1\t{stock}\tun comprimé\tSA\t1",
        f"{AMLO}\tpommade\t1\t{stock}\tun film orodispersible\tSA\t2",
    )
    document = read(dump)[0][AMLO]
    # A reference of another form is left out rather than repeated.
    assert text(document, "composition") == (
        "AMLO 5 mg, gélule, contient dans les éléments « granules » et « pommade » : bryonia "
        "pour préparations homéopathiques 4CH à 30CH."
    )
    assert document.source.names == ("AMLO 5 mg, gélule", "AMLO")


def test_presentations_with_prices_as_published(dump: Path) -> None:
    write(
        dump,
        "CIS_CIP_bdpm",
        box_line(AMLO, label=" boîte de 30", rate="65 %", prices="1,466,29\t1,467,31\t1,02"),
        box_line(AMLO, label="boîte de 90", rate="", prices="\t\t"),
        box_line(AMLO, label="boîte de 7", rate="65%", prices="2,00\t2,50\t1,02"),
        box_line(AMLO, label="boîte de 8", rate="gratuit", prices="deux\t\t"),
        box_line("69999999", label="boîte", rate="", prices="\t\t"),
        encoding="utf-8",
        end="\n",
    )
    documents, _, tallies = read(dump)
    lines = text(documents[AMLO], "presentations").split("\n")
    assert lines[0] == (
        "Présentation d’AMLO 5 mg, gélule : boîte de 30 (code CIP13 3400930000011) ; présentation "
        "active, déclaration de commercialisation du 16 mars 2011 ; remboursement à 65 %, prix de "
        "1 466,29 € hors honoraire de dispensation, honoraire de 1,02 €, prix public de "
        "1 467,31 € (fichier de mai 2026) ; agréée aux collectivités."
    )
    assert "ni taux de remboursement ni prix publiés" in lines[1]
    assert "prix de 2,00 €" in lines[2]
    assert "prix public de 2,50 €" in lines[2]
    tally = tallies["CIS_CIP_bdpm.txt"]
    assert (tally.read, tally.kept, tally.refused, tally.ignored) == (5, 4, 0, 1)
    notes = dict(tally.notes)
    assert notes["prix avec une virgule de milliers"] == 2
    assert notes["prix public différent de prix + honoraire (gardé tel quel)"] == 1
    assert notes["prix illisibles laissés de côté"] == 1
    assert notes["taux illisibles laissés de côté"] == 1
    assert notes["présentations sans taux ni prix"] == 2
    assert notes["jointures rompues : CIS absent de la liste des spécialités"] == 1


def test_reimbursed_indications_stay_one_sentence(dump: Path) -> None:
    raw = "Pris en charge dans les cas suivants :<br><br>- asthme de l¿adulte.<br>- BPCO ; J.O. ; 1"
    lines = [
        box_line(AMLO, label=f"boîte de {n}", rate="65%", prices="\t\t", indications=raw)
        for n in (7, 30)
    ]
    write(dump, "CIS_CIP_bdpm", *lines, encoding="utf-8")
    (passage,) = part(read(dump)[0][AMLO], "remboursement")
    assert passage.section == "indication"
    assert passage.text.replace("\u00a0", " ") == (
        "Indications ouvrant droit au remboursement d’AMLO 5 mg, gélule (CIP13 3400930000011 et "
        "3400930000011) : pris en charge dans les cas suivants : asthme de l’adulte ; BPCO ; JO ; "
        "1."
    )


def test_availability_says_since_when_only_where_the_file_knows(dump: Path) -> None:
    write(
        dump,
        "CIS_CIP_Dispo_Spec",
        f"{AMLO}\t\t1\tRupture de stock\t14/04/2026\t18/05/2026\t\thttps://x",
        f"{AMLO}\t\t1\tRupture de stock\t14/04/2026\t18/05/2026\t\thttps://x",
        f"{AMLO}\t3400930000011\t2\tTension d'approvisionnement\t17/08/2022\t06/12/2024\t\thttps://x",
        f"{AMLO}\t\t4\tremise à disposition\t01/01/2026\t02/01/2026\t03/01/2026\thttps://x",
    )
    documents, _, tallies = read(dump)
    assert text(documents[AMLO], "disponibilite").split("\n") == [
        "Selon l’ANSM, AMLO 5 mg, gélule, est en rupture de stock depuis le 14 avril 2026 "
        "(fichier de mai 2026, fiche mise à jour le 18 mai 2026).",
        "Selon l’ANSM, AMLO 5 mg, gélule, est en tension d’approvisionnement pour la "
        "présentation CIP13 3400930000011 (situation signalée le 17 août 2022) (fichier de mai "
        "2026, fiche mise à jour le 6 décembre 2024).",
        "Selon l’ANSM, AMLO 5 mg, gélule, est de nouveau à disposition depuis le 3 janvier 2026 "
        "(fichier de mai 2026, fiche mise à jour le 2 janvier 2026).",
    ]
    assert dict(tallies["CIS_CIP_Dispo_Spec.txt"].notes)["doublons exacts"] == 1


def test_generic_groups(dump: Path) -> None:
    label = "TRAMADOL 100 mg\xa0- TOPALGIC, comprimé."
    write(
        dump,
        "CIS_GENER_bdpm",
        f"7\t{label}\t{TRAMADOL}\t1\t2\t",
        f"7\t{label}\t{AMLO}\t0\t1\t",
        f"8\tAutre groupe\t{TRAMADOL}\t4\t1",
        f"8\tAutre groupe\t{GONE}\t0\t1",
    )
    documents, _, tallies = read(dump)
    assert text(documents[TRAMADOL], "generiques").split("\n") == [
        "TRAMADOL LABO LP 100 mg, comprimé, est un générique du groupe « TRAMADOL 100 mg - "
        "TOPALGIC, comprimé ».",
        "Le groupe générique de TRAMADOL LABO LP 100 mg, comprimé compte 2 spécialités de la "
        "base (fichier de mai 2026), dont le princeps : AMLO 5 mg, gélule.",
        "TRAMADOL LABO LP 100 mg, comprimé, est un générique substituable du groupe générique "
        "« Autre groupe ».",
        "Le groupe générique de TRAMADOL LABO LP 100 mg, comprimé ne compte que cette spécialité "
        "de la base (fichier de mai 2026), sans princeps présent dans la base.",
    ]
    assert text(documents[AMLO], "generiques").split("\n") == [
        "AMLO 5 mg, gélule, est le princeps (médicament de référence) du groupe générique "
        "« TRAMADOL 100 mg - TOPALGIC, comprimé ».",
        "Le groupe générique d’AMLO 5 mg, gélule compte 2 spécialités de la base (fichier de mai "
        "2026).",
        "Génériques d’AMLO 5 mg, gélule (fichier de mai 2026) : TRAMADOL LABO LP 100 mg, comprimé.",
    ]
    tally = tallies["CIS_GENER_bdpm.txt"]
    assert (tally.kept, tally.ignored) == (3, 1)
    assert dict(tally.notes)["spécialités dans plusieurs groupes"] == 1


def test_prescription_conditions_are_one_sentence(dump: Path) -> None:
    write(dump, "CIS_CPD_bdpm", f"{AMLO}\tliste I", f"{AMLO}\tréservé à l'usage HOSPITALIER")
    (passage,) = part(read(dump)[0][AMLO], "prescription")
    assert passage.section == "prescription et délivrance"
    assert passage.text.replace("\u00a0", " ") == (
        "Conditions de prescription et de délivrance d’AMLO 5 mg, gélule (fichier de mai 2026) : "
        "liste I ; réservé à l’usage HOSPITALIER."
    )


def test_every_passage_is_quotable_and_well_formed(dump: Path) -> None:
    opinions(dump)
    write(
        dump,
        "CIS_CIP_bdpm",
        box_line(AMLO, label="boîte. Étui", rate="65%", prices="1,00\t2,02\t1,02"),
    )
    write(dump, "CIS_CPD_bdpm", f"{AMLO}\tCSAPA.", f"{AMLO}\tliste I")
    document = read(dump)[0][AMLO]
    assert [p.chunk_index for p in document.passages] == list(range(len(document.passages)))
    assert len({p.urn for p in document.passages}) == len(document.passages)
    for passage in document.passages:
        assert passage.kind is PassageKind.RECORD
        assert passage.section in {"", *SECTIONS}
        assert passage.section not in {"posologie", "contre-indications"}
        assert "posologie" not in passage.text.lower()
        spans = sentence_spans(passage.text)
        assert "AMLO 5 mg, gélule" in passage.text[slice(*spans[0])]
        if passage.heading.startswith(("SMR", "ASMR")):
            continue
        for span in spans:
            assert "AMLO 5 mg, gélule" in passage.text[slice(*span)]
        assert all(a[1] < b[0] for a, b in pairwise(spans))
