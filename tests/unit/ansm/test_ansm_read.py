"""The thesaurus reader on invented pairs with the faults of the real files."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.thesaurus_files import PAIRS, mirrored, write_json, write_thesaurus

from ancremed_desktop.corpus.ansm.names import entry_heads, entry_names
from ancremed_desktop.corpus.ansm.read import read_ansm
from ancremed_desktop.corpus.ansm.repair import join_lines
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import THESAURUS, Code
from ancremed_desktop.errors import BadFileError, Cancelled

NBSP = "\u00a0"


def _read(folder: Path) -> list[CorpusItem]:
    return list(read_ansm(folder, ignore_progress, CancelToken()))


def _documents(items: list[CorpusItem]) -> dict[str, SourceDocument]:
    return {d.source.key: d for d in items if isinstance(d, SourceDocument)}


@pytest.fixture
def items(tmp_path: Path) -> list[CorpusItem]:
    return _read(write_thesaurus(tmp_path))


def _text(items: list[CorpusItem], identifier: str, date: str = "2020-10-20") -> str:
    (passage,) = _documents(items)[f"ansm:{date}:{identifier}"].passages
    return passage.text


def test_a_pair_has_level_conduct_and_mechanism_with_the_words_of_the_page(
    items: list[CorpusItem],
) -> None:
    assert _text(items, "ANSM-calmants-sauf-oublix_zolixine") == (
        f"Interaction listée au thésaurus de l’ANSM du 20/10/2020{NBSP}: "
        "ZOLIXINE + CALMANTS (SAUF OUBLIX).\n"
        f"Niveau{NBSP}: Association DECONSEILLEE.\n"
        f"Conduite à tenir{NBSP}: Surveillance de la kaliémie à 2,5 mg/L chez le sujet âgé.\n"
        f"Mécanisme{NBSP}: Majoration de l’effet auriculo-ventriculaire."
    )


def test_a_pair_may_have_two_levels_each_on_its_own_lines(items: list[CorpusItem]) -> None:
    assert _text(items, "ANSM-bradivar_zolixine").splitlines()[1:] == [
        f"Niveaux{NBSP}: CONTRE-INDICATION{NBSP}; Précaution d'emploi.",
        f"Conduite à tenir{NBSP}: Contre-indication avec :",
        "- des doses > 20 mg par jour",
        "Précaution d'emploi avec :",
        "- des doses =< 20 mg par jour",
        f"Mécanisme{NBSP}: Diminution de sa clairance.",
    ]


def test_mirrored_copies_count_once(items: list[CorpusItem]) -> None:
    tally = next(
        t for t in items if isinstance(t, Tally) and "2020" in t.file_name and t.unit == "paire"
    )
    assert (tally.read, tally.kept, tally.ignored) == (8, 4, 4)
    assert all(t.read == t.kept + t.refused + t.ignored for t in items if isinstance(t, Tally))


def test_the_newer_edition_replaces_the_older_one(items: list[CorpusItem]) -> None:
    found = _documents(items)
    old = found["ansm:2016-01:ANSM-bradivar_melotane"].source
    assert (old.superseded, old.superseded_by) == (True, "ansm:2020-10-20")
    gone = found["ansm:2016-01:ANSM-dormival_zolixine"].source
    assert (gone.superseded, gone.superseded_by) == (
        True,
        "paire absente du thésaurus du 20/10/2020",
    )
    new = found["ansm:2020-10-20:ANSM-bradivar_melotane"]
    assert not new.source.superseded
    assert "CONTRE-INDICATION" in new.passages[0].text
    assert found[f"ansm:2020-10-20:{THESAURUS}"].source.regulatory_date == "2020-10-20"


def test_substances_and_classes_lead_to_the_entries_of_pairs(items: list[CorpusItem]) -> None:
    found = _documents(items)
    melotane = found["ansm:2020-10-20:ANSM-substance_melotane"]
    assert (Code.ENTRY, "MELOTANE") in melotane.source.codes
    assert (Code.ENTRY, "calmants (sauf oublix)") in melotane.source.codes
    assert melotane.passages[0].text.endswith("relève de\u00a0:\n- calmants (sauf oublix)")
    calming = found["ansm:2020-10-20:ANSM-classe_calmants-sauf-oublix"]
    assert calming.source.names == ("calmants (sauf oublix)", "calmants")
    assert calming.passages[0].text.endswith("comprend\u00a0: mélotane, dormival.")
    juice = found["ansm:2020-10-20:ANSM-entree_pamplemousse-jus-et-fruit"].source
    assert "PAMPLEMOUSSE" in juice.names


def test_lost_characters_hide_the_detail_and_keep_the_level(tmp_path: Path) -> None:
    lossy = {**PAIRS[0], "description": "Association DECONSEILLEE\nDose \ufffd 1 g.\n\nMécanisme."}
    write_json(tmp_path / "t_2020-10.json", [lossy])
    items = _read(tmp_path)
    text = _text(items, "ANSM-calmants-sauf-oublix_zolixine", "2020-10")
    assert "Association DECONSEILLEE" in text
    assert "1 g" not in text
    assert "a perdu des caractères" in text


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"severity_levels": [{"level": "Peut-être"}]}, "niveau de contrainte inconnu"),
        ({"severity_levels": []}, "aucun niveau"),
        ({"description": 3}, "« description »"),
        ({"plus_drug": " "}, "« plus_drug »"),
    ],
)
def test_a_bad_record_is_refused_by_number(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    write_json(tmp_path / "t_2020-10.json", [PAIRS[0], {**PAIRS[1], **change}])
    (refusal,) = (i for i in _read(tmp_path) if isinstance(i, Refusal))
    assert refusal.where == "paire 2"
    assert reason in refusal.reason


def test_a_copy_that_says_something_else_is_kept(tmp_path: Path) -> None:
    other = {**mirrored(PAIRS[2]), "severity_levels": [{"level": "A prendre en compte"}],
             "description": "A prendre en compteRisque de torsades de pointes."}  # fmt: skip
    write_json(tmp_path / "t_2020-10.json", [PAIRS[2], other])
    document = _documents(_read(tmp_path))["ansm:2020-10:ANSM-bradivar_melotane"]
    assert [p.text.count("CONTRE-INDICATION") for p in document.passages] == [1, 0]


def test_files_that_are_no_thesaurus_or_have_no_date_are_named(tmp_path: Path) -> None:
    write_thesaurus(tmp_path)
    write_json(tmp_path / "sans_date.json", [PAIRS[0]])
    (tmp_path / "abime_2020.json").write_text("{", "utf-8")
    write_json(tmp_path / "autre_2020-10.json", [{"cle": "valeur"}])
    (tmp_path / "thesaurus_09_2019.pdf").write_bytes(b"%PDF-1.6")
    refusals = {i.file_name: i.reason for i in _read(tmp_path) if isinstance(i, Refusal)}
    assert "PDF" in refusals["thesaurus_09_2019.pdf"]
    assert "AAAA-MM-JJ" in refusals["sans_date.json"]
    assert "JSON" in refusals["abime_2020.json"]
    assert "index de substances" in refusals["autre_2020-10.json"]


def test_no_thesaurus_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="Aucun thésaurus lisible"):
        _read(tmp_path)
    with pytest.raises(BadFileError, match="n’existe pas"):
        _read(tmp_path / "absent")


def test_reading_stops_when_asked(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(read_ansm(write_thesaurus(tmp_path), ignore_progress, token))


@pytest.mark.parametrize(
    ("page", "joined"),
    [
        ("pendant l' \nassociation", "pendant l' association"),
        ("la 5-\n\nalpha réductase", "la 5-alpha réductase"),
        ("de 10 à \n20 mg", "de 10 à 20 mg"),
        ("- une dose\nContre-indication avec", "- une dose\nContre-indication avec"),
        ("niveaux de\n\nl’hémostase", "niveaux de l’hémostase"),
        ("Fin.\n\nDébut", "Fin.\nDébut"),
    ],
)
def test_lines_are_joined_without_touching_words_or_numbers(page: str, joined: str) -> None:
    assert join_lines(page) == joined


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ("inhibiteurs de l'HMG-CoA réductase (statines)", {"statines", "inhibiteurs de l'HMG-CoA réductase"}),
        ("valproïque (acide) et, par extrapolation, valpromide", {"acide valproïque"}),
        ("acide alendronique", {"alendronate"}),
        ("benzodiazépines et apparentés", {"benzodiazépines"}),
        ("bêta-bloquants (sauf esmolol)", {"bêta-bloquants", "bêtabloquants"}),
    ],
)  # fmt: skip
def test_usual_names_of_an_entry(entry: str, names: set[str]) -> None:
    assert names <= set(entry_names(entry))


def test_the_others_of_a_class_are_no_name() -> None:
    assert entry_names("autres calmants") == ()


@pytest.mark.parametrize(
    ("entry", "heads"),
    [
        ("diurétiques de l'anse", ("diuretiqu",)),
        ("bêta-bloquants (sauf esmolol) (y compris collyres)", ("betabloquant",)),
        ("neuroleptiques antipsychotiques (sauf clozapine)", ("neuroleptiqu", "antipsychotiqu")),
        ("glucocorticoïdes (sauf hydrocortisone)", ("glucocorticoid", "corticoid", "corticosteroid")),
        ("médicaments sédatifs", ("sedatif",)),
        ("médicaments à l'origine d'un hypogonadisme masculin", ()),
        ("sels de fer par voie injectable", ("fer",)),
        ("inhibiteurs puissants du CYP3A4", ()),
        ("valproïque (acide) et, par extrapolation, valpromide", ("valproiqu",)),
    ],
)  # fmt: skip
def test_the_words_that_head_an_entry(entry: str, heads: tuple[str, ...]) -> None:
    assert entry_heads(entry) == heads
