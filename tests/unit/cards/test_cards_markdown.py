"""Markdown cards: what is kept, and every reason for which a card is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop.corpus.cards.read import read_cards
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.domain.identifiers import Silo, SourceStatus
from ancremed_desktop.errors import BadFileError, Cancelled

HEADER = """\
+++
id = "carte-test"
kind = "medicament"
title = "Testamol"
source_identifier = "60000001"
names = ["testamol", "Testalgic"]
regulatory_date = "2026-05"
superseded = false
statut = "brouillon, non relu par un clinicien"
redige_le = "2026-11-30"

[[source]]
key = "s1"
publisher = "ANSM"
title = "RCP de Testalgic"
date = "2026-05"
where = "https://example.org/rcp"
verification = "à vérifier : RCP en ligne"

[[source]]
key = "s2"
publisher = "HAS"
title = "Fiche testamol"
date = "2024"
where = "has-sante.fr"
verification = "vérifié dans fiche.pdf le 2026-11-30"
+++
"""
BODY = """\

## posologie
Le testamol est pris à la dose de 2,5 mg par jour. [s1]
La dose de testamol est réduite chez E. coli et chez le sujet âgé. [s1, s2]

## contre-indications
- Le testamol est contre-indiqué pendant la grossesse. [s2]
- Le testamol est contre-indiqué chez l’enfant. [s1]
"""


def _read(folder: Path) -> list[CorpusItem]:
    return list(read_cards(folder, ignore_progress, CancelToken()))


def _read_text(folder: Path, text: str) -> list[CorpusItem]:
    (folder / "carte.md").write_text(text, encoding="utf-8")
    return _read(folder)


def _refusal(folder: Path, text: str) -> Refusal:
    refusal, tally = _read_text(folder, text)
    assert isinstance(refusal, Refusal)
    assert tally == Tally(file_name="carte.md", unit="fiche", read=1, kept=0, refused=1)
    assert refusal.file_name == "carte.md"
    return refusal


def _line_of(text: str, needle: str) -> str:
    lines = text.split("\n")
    return f"ligne {next(n for n, line in enumerate(lines, 1) if needle in line)}"


def test_a_card_becomes_one_passage_a_section_without_tags(tmp_path: Path) -> None:
    document, tally = _read_text(tmp_path, HEADER + BODY)
    assert isinstance(document, SourceDocument)
    assert tally == Tally(file_name="carte.md", unit="fiche", read=1, kept=1)
    dose, contra = document.passages
    assert dose.text == (
        "Le testamol est pris à la dose de 2,5 mg par jour. "
        "La dose de testamol est réduite chez E. coli et chez le sujet âgé."
    )
    assert contra.text == (
        "- Le testamol est contre-indiqué pendant la grossesse.\n"
        "- Le testamol est contre-indiqué chez l’enfant."
    )
    assert (dose.section, contra.section) == ("posologie", "contre-indications")
    assert dose.urn == "urn:ancremed:fiches:carte-test#posologie"
    assert (dose.heading, dose.origin_title, dose.chunk_index) == ("Testamol", "Testamol", 0)
    assert {p.source_identifier for p in document.passages} == {"60000001"}


def test_the_source_keeps_who_backs_each_sentence(tmp_path: Path) -> None:
    document = _read_text(tmp_path, HEADER + BODY)[0]
    assert isinstance(document, SourceDocument)
    source = document.source
    assert (source.key, source.silo) == ("fiches:carte-test", Silo.FICHES)
    assert source.names == ("testamol", "Testalgic")
    assert source.status is SourceStatus.DRAFT
    assert source.url == "https://example.org/rcp"
    assert len(source.file_sha256) == 64
    details = dict(source.details)
    assert details["rédigé le"] == "2026-11-30"
    assert details["posologie"].split("\n") == [
        "phrases 1, 2 : ANSM, RCP de Testalgic, 2026-05, https://example.org/rcp "
        "(à vérifier : RCP en ligne)",
        "phrase 2 : HAS, Fiche testamol, 2024, has-sante.fr (vérifié dans fiche.pdf le 2026-11-30)",
    ]


def test_a_reviewed_card_names_its_reviewer(tmp_path: Path) -> None:
    text = HEADER.replace(
        'statut = "brouillon, non relu par un clinicien"',
        'statut = "validé"\nrelu_par = "Dr A. Martin"',
    )
    document = _read_text(tmp_path, text + BODY)[0]
    assert isinstance(document, SourceDocument)
    assert document.source.status is SourceStatus.PUBLISHED
    assert dict(document.source.details)["relecture"] == "validé (Dr A. Martin)"


@pytest.mark.parametrize(
    ("written", "kept"),
    [("carte-nouvelle", "fiches:carte-nouvelle"), ("spécialité arrêtée", "spécialité arrêtée")],
)
def test_a_superseded_card_says_by_what(tmp_path: Path, written: str, kept: str) -> None:
    text = HEADER.replace("superseded = false", f'superseded = true\nsuperseded_by = "{written}"')
    document = _read_text(tmp_path, text + BODY)[0]
    assert isinstance(document, SourceDocument)
    assert document.source.superseded
    assert document.source.superseded_by == kept
    assert all(passage.superseded for passage in document.passages)


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    content = "\ufeff" + (HEADER + BODY).replace("\n", "\r\n")
    (tmp_path / "carte.md").write_bytes(content.encode())
    assert isinstance(_read(tmp_path)[0], SourceDocument)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('title = "Testamol"\n', "", "« title » est absent"),
        ('title = "Testamol"', 'title = "  "', "« title » est absent, vide"),
        ('title = "Testamol"', "title = 3", "n’est pas un texte"),
        ('title = "Testamol"', "title = Testamol", "TOML"),
        ('kind = "medicament"', 'kind = "recette"', "« kind » vaut « recette »"),
        ('"60000001"', '"6000001"', "code CIS de 8 chiffres"),
        ('kind = "medicament"', 'kind = "sujet_edn"', "EDN- suivi de 3 chiffres"),
        ('kind = "medicament"', 'kind = "classe"', "CLASSE-"),
        ('id = "carte-test"', 'id = "Carte test"', "« id »"),
        ('["testamol", "Testalgic"]', "[]", "« names »"),
        ('["testamol", "Testalgic"]', '["testamol", ""]', "nom 2"),
        ('regulatory_date = "2026-05"', 'regulatory_date = "mai 2026"', "AAAA-MM"),
        ('regulatory_date = "2026-05"', 'regulatory_date = "2026-02-30"', "2026-02-30"),
        ("superseded = false", "superseded = 0", "true ou false"),
        ("superseded = false", "superseded = true", "superseded_by"),
        ("superseded = false", 'superseded = false\nsuperseded_by = "x"', "superseded_by"),
        ("non relu par un clinicien", "à revoir", "« statut »"),
        ('"brouillon, non relu par un clinicien"', '"relu"', "relu_par"),
        ('redige_le = "2026-11-30"', "", "redige_le"),
        ('key = "s2"', 'key = "s1"', "deux fois"),
        ('key = "s2"', 'key = "has"', "s suivi d’un numéro"),
        ('publisher = "HAS"\n', "", "« publisher »"),
        ('date = "2024"', 'date = "l’an dernier"', "« date »"),
        ('where = "has-sante.fr"\n', "", "« where »"),
        ("vérifié dans fiche.pdf le 2026-11-30", "vérifié", "« verification »"),
        (
            "vérifié dans fiche.pdf le 2026-11-30",
            "vérifié dans a le 2026-13-01",
            "« verification »",
        ),
    ],
)
def test_a_wrong_header_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in HEADER
    refusal = _refusal(tmp_path, HEADER.replace(old, new, 1) + BODY)
    assert refusal.where.startswith("en-tête")
    assert reason in f"{refusal.where} : {refusal.reason}"


def test_a_card_without_any_source_is_refused(tmp_path: Path) -> None:
    header = HEADER.split("[[source]]", maxsplit=1)[0] + "+++\n"
    assert "aucune source" in _refusal(tmp_path, header + BODY).reason


@pytest.mark.parametrize(
    ("old", "new", "needle", "reason"),
    [
        ("## posologie", "## Posologie", "## Posologie", "taxonomie"),
        ("## posologie", "## dosage", "## dosage", "« dosage »"),
        ("## posologie", "# posologie", "# posologie", "« ## nom »"),
        ("## contre-indications", "## posologie", None, "répétée"),
        (" [s2]", "", "pendant la grossesse", "affirmation sans source"),
        ("[s1, s2]", "[s1, s3]", "[s1, s3]", "« s3 » n’est pas dans l’en-tête"),
        ("[s1, s2]", "[s1;s2]", "[s1;s2]", "affirmation sans source"),
        ("par jour. [s1]", "par jour [s1]", "par jour [s1]", "phrase entière"),
        ("par jour. [s1]", "par jour. Il est bu. [s1]", "Il est bu", "affirmation sans source"),
        ("par jour. [s1]", "par jour. [voir] Il est bu. [s1]", "[voir]", "illisible"),
        ("par jour. [s1]", "selon le Dr. [s1]", "selon le Dr", "abréviation"),
        ("Le testamol est pris", "[s1] Le testamol est pris", "[s1] Le", "phrase entière"),
    ],
)
def test_a_wrong_body_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, needle: str | None, reason: str
) -> None:
    text = HEADER + BODY.replace(old, new, 1)
    refusal = _refusal(tmp_path, text)
    expected = needle or "## posologie"
    line = _line_of(text, expected)
    if needle is None:
        line = f"ligne {len(text.split(chr(10))) - text[text.rindex(expected) :].count(chr(10))}"
    assert refusal.where == line
    assert reason in refusal.reason


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ("## posologie\nTexte. [s1]\n", "ligne 1", "+++"),
        ("+++\nid = 1\n", "ligne 1", "+++"),
        ("", "ligne 1", "+++"),
        (HEADER, "ligne 28", "aucune section"),
        (HEADER + "Texte. [s1]\n" + BODY, "ligne 28", "précède"),
        (HEADER + "## posologie\n\n## indication\nTexte. [s1]\n", "ligne 28", "vide"),
    ],
)
def test_a_card_without_its_parts_is_refused(
    tmp_path: Path, text: str, where: str, reason: str
) -> None:
    refusal = _refusal(tmp_path, text)
    assert refusal.where == where
    assert reason in refusal.reason


def test_a_file_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "carte.md").write_bytes((HEADER + BODY).encode("cp1252"))
    refusal = _read(tmp_path)[0]
    assert isinstance(refusal, Refusal)
    assert refusal.where == _line_of(HEADER, "à vérifier")
    assert "UTF-8" in refusal.reason


def test_a_bad_card_does_not_stop_the_others_and_ids_are_unique(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(HEADER + BODY, encoding="utf-8")
    (tmp_path / "b.md").write_text("rien", encoding="utf-8")
    (tmp_path / "sous").mkdir()
    (tmp_path / "sous" / "c.md").write_text(HEADER + BODY, encoding="utf-8")
    (tmp_path / "d.md").write_text(HEADER.replace("carte-test", "autre") + BODY, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("pas une fiche", encoding="utf-8")
    items = _read(tmp_path)
    assert [i.source.key for i in items if isinstance(i, SourceDocument)] == [
        "fiches:carte-test",
        "fiches:autre",
    ]
    refusals = [i for i in items if isinstance(i, Refusal)]
    assert [r.file_name for r in refusals] == ["b.md", "sous/c.md"]
    assert "déjà pris par « a.md »" in refusals[1].reason
    tallies = [i for i in items if isinstance(i, Tally)]
    assert len(tallies) == 4
    assert all(t.read == t.kept + t.refused + t.ignored for t in tallies)


def test_an_absent_or_empty_folder_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="n’existe pas"):
        _read(tmp_path / "rien")
    with pytest.raises(BadFileError, match="aucune fiche"):
        _read(tmp_path)


def test_progress_is_told_and_a_stop_is_obeyed(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        text = HEADER.replace("carte-test", name) + BODY
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    seen: list[Progress] = []
    cancel = CancelToken()
    reader = read_cards(tmp_path, seen.append, cancel)
    assert isinstance(next(reader), SourceDocument)
    cancel.cancel()
    assert isinstance(next(reader), Tally)
    with pytest.raises(Cancelled):
        next(reader)
    assert [(p.done, p.total, p.detail) for p in seen] == [(0, 3, "a.md")]
