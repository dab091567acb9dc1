"""The cards that ship with the application: all readable, sourced, linked and well typed."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from ancremed_desktop.corpus.cards.read import read_cards
from ancremed_desktop.domain.documents import Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import SECTIONS, SourceStatus
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.sentences import sentence_spans

CORPUS = RESOURCES / "corpus"
REQUIRED = {
    "medicament": {"indication", "posologie", "contre-indications", "surveillance"},
    "classe": {"indication", "posologie", "contre-indications", "surveillance"},
}
KIND = "type de fiche"


@pytest.fixture(scope="module")
def items() -> list[SourceDocument | Refusal | Tally]:
    return list(read_cards(CORPUS, ignore_progress, CancelToken()))


@pytest.fixture(scope="module")
def starter(items: list[SourceDocument | Refusal | Tally]) -> list[SourceDocument]:
    documents = [i for i in items if isinstance(i, SourceDocument)]
    return [d for d in documents if d.source.file_name.startswith("starter/")]


def test_every_shipped_card_is_read(items: list[SourceDocument | Refusal | Tally]) -> None:
    assert [i for i in items if isinstance(i, Refusal)] == []
    tallies = [i for i in items if isinstance(i, Tally)]
    files = [p for p in CORPUS.rglob("*") if p.suffix in {".md", ".json"}]
    assert len(tallies) == len(files)
    assert sum(t.kept for t in tallies) == sum(isinstance(i, SourceDocument) for i in items)


def test_the_starter_corpus_covers_its_kinds(starter: list[SourceDocument]) -> None:
    kinds = [dict(d.source.details)[KIND] for d in starter]
    assert len(kinds) >= 34
    assert kinds.count("medicament") >= 12
    assert kinds.count("sujet_edn") >= 12
    assert kinds.count("urgence") + kinds.count("recommandation") >= 12
    assert kinds.count("notion") >= 2


def test_each_card_holds_150_to_400_words_in_known_sections(starter: list[SourceDocument]) -> None:
    for document in starter:
        words = sum(len(p.text.split()) for p in document.passages)
        sections = {p.section for p in document.passages}
        assert 150 <= words <= 400, document.source.key
        assert sections <= set(SECTIONS), document.source.key
        assert REQUIRED.get(dict(document.source.details)[KIND], set()) <= sections


def test_each_section_names_public_sources_for_all_its_sentences(
    starter: list[SourceDocument],
) -> None:
    for document in starter:
        details = dict(document.source.details)
        for passage in document.passages:
            backed = {
                int(n)
                for line in details[passage.section].split("\n")
                for n in re.findall(r"\d+", line.split(" : ")[0])
            }
            assert backed == set(range(1, len(sentence_spans(passage.text)) + 1)), passage.urn


def test_every_card_says_that_no_clinician_has_reviewed_it(starter: list[SourceDocument]) -> None:
    assert {d.source.status for d in starter} == {SourceStatus.DRAFT}


def test_every_listed_source_backs_something(starter: list[SourceDocument]) -> None:
    for document in starter:
        text = (CORPUS / document.source.file_name).read_text(encoding="utf-8")
        keys = set(re.findall(r'^key = "(s\d+)"$', text, re.MULTILINE))
        body = text.split("+++")[2]
        assert {k for tag in re.findall(r"\[([^\]]+)\]", body) for k in tag.split(", ")} == keys


def test_current_cards_have_one_entity_each_and_replaced_ones_lead_to_them(
    starter: list[SourceDocument],
) -> None:
    current = {d.source.key: d.source for d in starter if not d.source.superseded}
    entities = [s.source_identifier for s in current.values()]
    assert sorted(set(entities)) == sorted(entities)
    replaced = [d.source for d in starter if d.source.superseded]
    assert len(replaced) >= 2
    for source in replaced:
        later = current[source.superseded_by]
        assert later.source_identifier == source.source_identifier
        assert later.regulatory_date > source.regulatory_date


def test_a_dose_of_a_child_is_said_where_it_is_that_of_an_adult(
    starter: list[SourceDocument],
) -> None:
    """« Celle de l’adulte » gives a child no dose: the adult’s is not shown for it."""
    for document in starter:
        for passage in document.passages:
            for start, end in sentence_spans(passage.text):
                said = passage.text[start:end]
                if re.search(r"(?:celles? de|comme chez) l’adulte", said) and "enfant" in said:
                    assert re.search(r"\d", said), said


def test_french_typography_holds(items: list[SourceDocument | Refusal | Tally]) -> None:
    for item in items:
        if not isinstance(item, SourceDocument):
            continue
        for passage in item.passages:
            text = passage.text
            assert "'" not in text, passage.urn
            assert '"' not in text, passage.urn
            assert re.search(r"(?<!\u00a0)[;:?!»]", text) is None, passage.urn
            assert re.search(r"«(?!\u00a0)", text) is None, passage.urn
            assert re.search(r"\d\.\d", text) is None, passage.urn
            assert re.search(r"\d (?:mg|g|kg|µg|mL|mmHg|%|ans|jours|mois)\b", text) is None, text
            assert "  " not in text, passage.urn


@pytest.mark.data
def test_drug_cards_carry_a_marketed_cis_of_the_public_database(
    starter: list[SourceDocument], shared: Path
) -> None:
    path = shared / "data" / "bdpm" / "2026-05" / "CIS_bdpm.txt.gz"
    with gzip.open(path, "rt", encoding="cp1252", newline="") as file:
        rows = {row[0]: row for row in (line.rstrip("\r\n").split("\t") for line in file)}
    for document in starter:
        if dict(document.source.details)[KIND] != "medicament":
            continue
        source = document.source
        row = rows[source.source_identifier]
        brand = row[1].split()[0]
        assert row[4:7] == ["Autorisation active", row[5], "Commercialisée"], source.key
        assert "importation" not in row[5], source.key
        assert brand in source.title, source.key
        assert any(name.upper().startswith(brand) for name in source.names), source.key


@pytest.mark.data
def test_exam_topics_carry_the_number_of_the_national_programme(
    starter: list[SourceDocument], shared: Path
) -> None:
    lines = (shared / "data" / "edn" / "r2c_items_367.tsv").read_text(encoding="utf-8")
    titles = dict(line.split("\t", 1) for line in lines.splitlines()[1:])
    for document in starter:
        source = document.source
        if not source.source_identifier.startswith("EDN-"):
            continue
        item = titles[str(int(source.source_identifier.removeprefix("EDN-")))].lower()
        words = re.findall(r"\w{5,}", " ".join((source.title, *source.names)).lower())
        assert any(word.rstrip("s") in item for word in words), (source.key, item)
