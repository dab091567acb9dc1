"""The real BDPM dumps: totals that add up, texts that can be quoted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ancremed_desktop.corpus.bdpm.french import inline
from ancremed_desktop.corpus.bdpm.read import read_bdpm
from ancremed_desktop.domain.documents import Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import SECTIONS
from ancremed_desktop.text.french import curly
from ancremed_desktop.text.sentences import sentence_spans

pytestmark = pytest.mark.data


_LOOKED_AT = frozenset("67401121 69035345 65796011 60025054 62679309 60058620".split())


@dataclass
class Reading:
    """What the dumps gave, without holding every text."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    sources: Counter[bool] = field(default_factory=Counter)
    passages: Counter[str] = field(default_factory=Counter)
    sections: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kept: dict[str, SourceDocument] = field(default_factory=dict)
    urns: set[str] = field(default_factory=set)
    lost: int = 0


@pytest.fixture(scope="module")
def reading(shared: Path) -> Reading:
    result = Reading()
    for item in read_bdpm(shared / "data" / "bdpm", ignore_progress, CancelToken()):
        match item:
            case Tally():
                result.tallies[item.file_name] = item
            case Refusal():
                result.refusals.append(item)
            case SourceDocument():
                _look_at(item, result)
    return result


def _look_at(document: SourceDocument, result: Reading) -> None:
    source = document.source
    result.sources[source.superseded] += 1
    name = curly(inline(source.title))
    for passage in document.passages:
        slug = passage.urn.split("#")[1].rsplit("-", 1)[0]
        result.passages[slug] += 1
        result.sections[passage.section] += 1
        result.urns.add(passage.urn)
        spans = sentence_spans(passage.text)
        quotable = spans[:1] if slug in {"smr", "asmr"} else spans
        result.faults["sentence without its drug"] += sum(
            name not in passage.text[start:end] for start, end in quotable
        )
        result.faults["control character"] += any("\x7f" <= c < "\xa0" for c in passage.text)
        result.faults["tag or soft hyphen"] += any(t in passage.text for t in ("<br", "</", "\xad"))
        result.faults["double space"] += "  " in passage.text
        result.faults["over 220 words"] += len(passage.text.split()) > 220
        result.lost += "¿" in passage.text
    names = (
        source.title,
        source.publisher,
        *source.names,
        *(value for _n, value in source.details),
    )
    result.faults["padding"] += any(name != name.strip() for name in names)
    if source.source_identifier in _LOOKED_AT:
        result.kept[source.source_identifier] = document


def test_lines_add_up_in_every_file(reading: Reading) -> None:
    for tally in reading.tallies.values():
        assert tally.read == tally.kept + tally.refused + tally.ignored, tally.file_name
    assert len(reading.tallies) == 21
    # The one table that none of the three dumps holds.
    assert [(r.file_name, r.where) for r in reading.refusals] == [
        ("CIS_InfoImportantes.txt", "table absente")
    ]


@pytest.mark.parametrize(
    ("file", "read", "kept", "ignored"),
    [
        ("2026-05/CIS_bdpm.txt.gz", 15848, 15848, 0),
        ("2026-05/CIS_CIP_bdpm.txt.gz", 20903, 20899, 4),
        ("2026-05/CIS_COMPO_bdpm.txt.gz", 32389, 32389, 0),
        ("2026-05/CIS_GENER_bdpm.txt.gz", 10704, 8187, 2517),
        ("2026-05/CIS_CPD_bdpm.txt.gz", 28154, 28151, 3),
        ("2026-05/CIS_CIP_Dispo_Spec.txt.gz", 766, 737, 29),
        ("2026-05/CIS_MITM.txt.gz", 7711, 7711, 0),
        ("2026-05/HAS_LiensPageCT_bdpm.txt.gz", 10342, 10342, 0),
        ("2023-11/CIS_bdpm.txt.gz", 15761, 1192, 14569),
        ("2023-11/CIS_HAS_SMR_bdpm.txt.gz", 13778, 10009, 3769),
        ("2017-03/CIS_HAS_SMR_bdpm.txt.gz", 0, 0, 0),
    ],
)
def test_counts_of_the_published_files(
    reading: Reading, file: str, read: int, kept: int, ignored: int
) -> None:
    tally = reading.tallies[file]
    assert (tally.read, tally.kept, tally.ignored) == (read, kept, ignored)


def test_measured_quirks_are_found(reading: Reading) -> None:
    notes = {name: dict(tally.notes) for name, tally in reading.tallies.items()}
    boxes = notes["2026-05/CIS_CIP_bdpm.txt.gz"]
    assert boxes["encodage utf-8"] == 1
    assert boxes["prix avec une virgule de milliers"] == 466 + 467
    # 7,357 in the file, two of which belong to no current drug.
    assert boxes["présentations sans taux ni prix"] == 7355
    assert "prix public différent de prix + honoraire (gardé tel quel)" not in boxes
    assert notes["2026-05/CIS_CPD_bdpm.txt.gz"]["lignes vides"] == 3
    assert notes["2026-05/CIS_CIP_Dispo_Spec.txt.gz"]["doublons exacts"] == 17
    assert notes["2026-05/CIS_MITM.txt.gz"]["noms différents de la liste des spécialités"] == 33
    assert notes["2026-05/CIS_COMPO_bdpm.txt.gz"]["composants sans dosage"] == 2810
    links = notes["2026-05/HAS_LiensPageCT_bdpm.txt.gz"]
    assert links["dossiers à plusieurs liens (tous gardés)"] == 15


def test_sources_and_passages(reading: Reading) -> None:
    assert reading.sources == {False: 15848, True: 1192 + 3450}
    assert len(reading.urns) == reading.passages.total() > 76_303
    assert set(reading.sections) == {"", "indication", "prescription et délivrance"}
    assert set(reading.sections) <= {"", *SECTIONS}


def test_texts_can_be_quoted(reading: Reading) -> None:
    over = reading.faults.pop("over 220 words")
    assert not +reading.faults
    assert over < 200  # single sentences of opinions, never cut inside


def test_known_drugs(reading: Reading) -> None:
    imukin = reading.kept["67401121"]
    assert imukin.source.title.startswith("IMUKIN 2 x 10⁶ UI")
    assert imukin.source.names[-1] == "interféron gamma-1B"
    gone = reading.kept["69035345"]
    assert gone.source.superseded_by == "spécialité retirée de la base (fichier de mai 2026)"
    assert "doxorubicine" in gone.source.names


def test_quirks_are_read_as_what_they_mean(reading: Reading) -> None:
    """Values of the files looked up by hand, of those quirks that leave no count behind."""

    def text(identifier: str) -> str:
        shown = "\n".join(p.text for p in reading.kept[identifier].passages)
        return shown.replace("\u00a0", " ").replace("\u202f", " ")

    # « 1,466,29 », « 1,469,05 », « 30% », « 24/06/2014 »
    assert (
        "déclaration de commercialisation du 24 juin 2014 ; remboursement à 30 %, prix de "
        "1 466,29 € hors honoraire de dispensation, honoraire de 2,76 €, prix public de 1 469,05 €"
    ) in text("60025054")
    assert "remboursement à 100 %, prix de 3 982,28 €" in text("60058620")
    # Two values of one opinion, « 20180516 »
    for value in ("important", "modéré"):
        assert re.search(
            rf"\) de FLIXOVATE 0,05 %, crème : {value}, une des 2 valeurs de cet avis .* du 16 mai 2018",
            text("65796011"),
        )
    assert "ne compte que cette spécialité de la base (fichier de mai 2026), sans princeps" in text(
        "62679309"
    )
    # « ¿ » where it may be an apostrophe, an œ or a bullet: repaired only when it can be one.
    assert reading.lost < 20
    lost = "caractères perdus (¿) réparés ou lus comme puces"
    notes = dict(reading.tallies["2023-11/CIS_HAS_ASMR_bdpm.txt.gz"].notes)
    assert notes[lost] == 718
    retired = dict(reading.tallies["2023-11/CIS_bdpm.txt.gz"].notes)
    assert retired["spécialités retirées de la base depuis"] == 1192
