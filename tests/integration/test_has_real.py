"""The HAS reader on the 42 real documents of the reference data."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from ancremed_desktop.corpus.has.read import read_has
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import SECTIONS, PassageKind

pytestmark = pytest.mark.data

DATES = {
    "CNEDIMTS-5850_LAMBRE": "2019-03-12",
    "CNEDIMTS-6173_ORSIRO": "2020-06-16",
    "CT-20974_NOMANESIT": "2024-12-18",
    "HPP_recos": "2004-11",
    "ald_-_recommandations": "2006-05-18",
    "baclocur": "2019-11-20",
    "conformable_tag": "",
    "corevalve": "",
    "diabete_gestationnel": "2005-07",
    "dialyse_peritoneale": "2007-06",
    "education_asthmatique": "2001-06",
    "efficacite-methodes": "2013",
    "endoscopdig": "2001-03",
    "excluder-08_mars_2011_3422": "2011-03-08",
    "fbutm_stimul": "2009-03",
    "fiche-contraception": "2013-04-24",
    "fiche_bum": "2022-11-17",
    "fiche_de_synth_350se_2006": "2004-05",
    "fiche_de_synth_350se_asthme": "2004-09",
    "fiche_de_synthese_-_hypothyroidie": "2022-12-15",
    "fiche_de_synthese_-_transfusion": "2015-10",
    "fiche_de_synthese_antiagregants": "2013-11",
    "fiche_de_synthese_infections": "2019-02",
    "fiche_de_synthese_retinopathie": "2010-12",
    "fiche_memo_eps": "2017-01",
    "fiche_orientation": "2024-10-17",
    "fiche_rbp_1": "2018-06",
    "fiche_synthese_rattrapage": "2019-12",
    "fluad_tetra": "2021-11-18",
    "fm_chirurgie": "2016-01",
    "fm_contraception": "2019-02",
    "fm_valproate_epilepsie": "2018-09",
    "fm_valproate_trouble": "2018-09",
    "fpc_i_ns": "2015-04",
    "fs_diverticulite": "2017-11",
    "fs_pertinence": "2015-10",
    "guide_parcours_de_soins_ic": "2014-06",
    "guide_pds_fibrillation": "2014-02",
    "guide_pnds_tac": "2008-06",
    "incontinrecos": "2000-02",
    "pp020025": "2002-10-09",
}
"""Dates read by eye on the documents; an update counts before a first edition."""

TITLES = {
    "guide_pds_fibrillation": "Fibrillation atriale",
    "fiche-contraception": "Contraception d’urgence",
    "fiche_de_synthese_-_hypothyroidie": "Prise en charge des hypothyroïdies chez l’adulte",
    "fluad_tetra": "Utilisation du vaccin FLUAD TETRA dans la stratégie de vaccination contre la "
    "grippe saisonnière chez les personnes de 65 ans et plus",
    "excluder": "EXCLUDER, endoprothèse aortique abdominale",
    "fs_diverticulite": "Prise en charge médicale et chirurgicale de la diverticulite colique",
    "HPP_recos": "Hémorragies du post-partum immédiat",
}


@pytest.fixture(scope="module")
def items(shared: Path) -> list[CorpusItem]:
    folder = shared / "data" / "has" / "pdf"
    return list(read_has(folder, ignore_progress, CancelToken()))


@pytest.fixture(scope="module")
def documents(items: Sequence[CorpusItem]) -> list[SourceDocument]:
    return [item for item in items if isinstance(item, SourceDocument)]


def named(documents: Sequence[SourceDocument], start: str) -> SourceDocument:
    (found,) = [d for d in documents if d.source.file_name.startswith(start)]
    return found


def test_every_page_is_accounted_for(items: Sequence[CorpusItem], shared: Path) -> None:
    with (shared / "data" / "has" / "manifest.tsv").open(encoding="utf-8") as stream:
        pages = {
            row["fichier"]: int(row["pages"]) for row in csv.DictReader(stream, delimiter="\t")
        }
    tallies = {item.file_name: item for item in items if isinstance(item, Tally)}
    assert {name: tally.read for name, tally in tallies.items()} == pages
    assert all(t.read == t.kept + t.refused + t.ignored for t in tallies.values())
    assert sum(t.kept for t in tallies.values()) > 600
    whole = [i for i in items if isinstance(i, Refusal) and i.where.startswith("page") and i.lines]
    assert len(whole) == sum(t.refused for t in tallies.values()) < 40


def test_twins_and_image_pages(items: Sequence[CorpusItem]) -> None:
    refusals = [item for item in items if isinstance(item, Refusal)]
    (twin,) = [r for r in refusals if "même texte" in r.reason]
    assert twin.file_name.startswith("excluder-08_mars_2011_3423")
    images = {r.where for r in refusals if r.file_name.startswith("corevalve") and r.lines}
    assert images == {f"page {n}" for n in (1, 2, 4, 5, 6, 9, 10, 11, 16)}


def test_dates_and_titles(documents: Sequence[SourceDocument]) -> None:
    found = {start: named(documents, start).source.regulatory_date for start in DATES}
    assert found == DATES
    assert {s: named(documents, s).source.title for s in TITLES} == TITLES
    assert len({d.source.source_identifier for d in documents}) == len(documents) == 41


def test_figures_are_those_of_the_pages(documents: Sequence[SourceDocument]) -> None:
    def text(start: str) -> str:
        return "\n".join(p.text for p in named(documents, start).passages)

    assert "inférieure à 50 G.L⁻¹" in text("HPP_recos")
    assert "État" not in text("conformable_tag") or "2200" not in text("conformable_tag")
    contraception = text("efficacite-methodes")
    assert re.search(
        r"Méthode : DIU au cuivre ;.*France \(Moreau\) : 1,1 ;.*: 15$", contraception, re.M
    )
    assert re.search(r"Méthode : Diaphragme ;[^\n]*: 12 ; [^\n]*: 6$", contraception, re.M)
    vaccines = text("fiche_synthese_rattrapage")
    assert (
        "Âge au moment du rattrapage : 6 ans - 13 ans ; Vaccins : ROR ; Nombre de doses "
        "nécessaires incluant les doses reçues antérieurement : 2 ;" in vaccines
    )
    rhythm = text("guide_pds_fibrillation")
    assert "Inhibiteurs calciques non dihydropyridines : Diltiazem ; Dose orale" in rhythm
    assert "Autres : Amiodarone ; Dose orale de maintenance (mg) : 100-200 mg" in rhythm
    assert "Bêtabloquants : D" not in rhythm
    stents = text("CNEDIMTS-6173")
    assert re.search(r"Petits vaisseaux .{0,20}: TLF ; ORSIRO : 10,3% \(49\)", stents)
    assert re.search(r"IDM aigu \(n=442\) : TLF ; ORSIRO : 11,3% \(43\)", stents)
    platelets = text("fiche_de_synthese_antiagregants")
    assert re.search(
        r"Traitement : Aspirine \+ prasugrel ; Conduite à tenir : Arrêt prasugrel ; "
        r"Délai d'arrêt en jours avant le geste percutané : 7 jours",
        platelets,
    )


def test_passages_are_clean(documents: Sequence[SourceDocument]) -> None:
    passages = [p for d in documents for p in d.passages]
    assert len(passages) > 2000
    assert len({p.urn for p in passages}) == len(passages)
    for passage in passages:
        assert passage.section in {"", *SECTIONS}
        assert passage.text == passage.text.strip()
        assert not re.search(r"[\u0000-\u0008\ufb00-\ufb06\u00ad\ue000-\uf8ff\ufffd]", passage.text)
        assert not re.search(r"\.{5,}|\.qxd|\.indd", passage.text)
    labelled = [p for p in named(documents, "guide_pnds_tac").passages if p.page_label]
    assert {(p.page_number, p.page_label) for p in labelled} >= {(36, "34"), (56, "54")}
    footers = re.compile(r"Service des maladies chroniques et des dispositifs.{0,60}Juin 2014")
    assert not any(footers.search(p.text) for p in passages)


def test_tables_and_sections_are_found(documents: Sequence[SourceDocument]) -> None:
    urgent = named(documents, "fiche-contraception").passages
    rows = [p for p in urgent if p.kind is PassageKind.TABLE and p.section == "contre-indications"]
    assert any("Hypersensibilité au LNG" in p.text for p in rows)
    thyroid = named(documents, "fiche_de_synthese_-_hypothyroidie").passages
    definitions = [p for p in thyroid if p.section == "définition"]
    assert any("TSH > 10 mUI/L" in p.text and p.page_number == 1 for p in definitions)
