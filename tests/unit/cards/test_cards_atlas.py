"""JSON cards: provenance kept, and refused as soon as one thing is missing or does not agree."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from ancremed_desktop.corpus.cards.atlas import EVIDENCE_LEVEL, FIELDS
from ancremed_desktop.corpus.cards.read import read_cards
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import SourceStatus

TEXT = "Douze participants ont été suivis 3 ans en 2020."


def _card(**changes: str) -> dict[str, str]:
    card = {
        "id": "T01",
        "source_id": "P1",
        "title": "A long title",
        "text": TEXT,
        "disease": "Maladie d’essai",
        "evidence_level": "clinique",
        "published_at": "2020-03-01",
        "accessed_at": "2026-10-16",
        "url": "https://example.org/article",
        "locator": "Abstract",
        "attribution": "Martin et al., Journal",
        "license": "CC-BY-4.0",
        "license_url": "https://creativecommons.org/licenses/by/4.0/",
        "changes": "Reformulation.",
        "text_sha256": hashlib.sha256(TEXT.encode()).hexdigest(),
    }
    return {**card, **changes}


def _read(folder: Path, content: object) -> list[CorpusItem]:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    (folder / "atlas.json").write_bytes(data)
    return list(read_cards(folder, ignore_progress, CancelToken()))


def test_a_card_keeps_its_whole_provenance(tmp_path: Path) -> None:
    document, tally = _read(tmp_path, {"documents": [_card()]})
    assert isinstance(document, SourceDocument)
    assert tally == Tally(file_name="atlas.json", unit="fiche", read=1, kept=1)
    source, (passage,) = document.source, document.passages
    assert passage.text == TEXT
    assert passage.urn == "urn:ancremed:fiches:T01#texte"
    assert passage.sha256.hex() == _card()["text_sha256"]
    assert source.status is SourceStatus.DRAFT
    assert source.names == ("Maladie d’essai", "A long title")
    assert (source.licence, source.regulatory_date) == ("CC-BY-4.0", "2020-03-01")
    details = dict(source.details)
    assert details[EVIDENCE_LEVEL] == "clinique"
    assert details["où relire"] == "Abstract"
    assert details["consulté le"] == "2026-10-16"
    assert details["modifications"] == "Reformulation."


def test_the_published_example_of_the_format_has_the_digest_we_compute(tmp_path: Path) -> None:
    text = "Suivi publié en 2022 : huit participants, suivi médian de 7,6 ans."
    digest = "1bc4a9ca220b935a384a54d340d1d39ff3bc496f365d83fdb12b259a61c36354"
    card = _card(text=text, text_sha256=digest)
    assert isinstance(_read(tmp_path, {"documents": [card]})[0], SourceDocument)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [None, "", " \n", 7])
def test_a_missing_or_blank_field_is_refused(
    tmp_path: Path, field: str, value: str | int | None
) -> None:
    card: dict[str, object] = {**_card()}
    if value is None:
        del card[field]
    else:
        card[field] = value
    refusal, tally = _read(tmp_path, {"documents": [card]})
    assert isinstance(refusal, Refusal)
    assert f"« {field} »" in refusal.reason
    assert tally == Tally(file_name="atlas.json", unit="fiche", read=1, kept=0, refused=1)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"text": TEXT + " "}, "empreinte"),
        ({"text": TEXT.replace("3", "30")}, "empreinte"),
        ({"text_sha256": "0" * 64}, "empreinte"),
        ({"license": "CC-BY-NC-4.0"}, "« CC-BY-NC-4.0 » n’est pas admise"),
        ({"license_url": "https://creativecommons.org/licenses/by/3.0/"}, "licence CC-BY-4.0"),
        ({"url": "http://example.org/article"}, "https"),
        ({"url": "https://"}, "https"),
        ({"url": "https://[bad"}, "https"),
        ({"url": "javascript:alert(1)"}, "https"),
        ({"published_at": "2020-02-30"}, "« published_at »"),
        ({"published_at": "2020"}, "« published_at »"),
        ({"accessed_at": "16/10/2026"}, "« accessed_at »"),
        ({"accessed_at": "2019-12-31"}, "précède"),
        ({"id": "a b"}, "« id »"),
        ({"title": "\ud800"}, "illisible"),
    ],
)
def test_what_does_not_agree_is_refused(
    tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    refusal = _read(tmp_path, {"documents": [_card(**changes)]})[0]
    assert isinstance(refusal, Refusal)
    assert reason in refusal.reason
    assert refusal.where.startswith("fiche 1 (")


def test_one_bad_card_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    cards = [_card(), _card(id="T02", text="Autre."), _card(), "rien", _card(id="T03")]
    items = _read(tmp_path, {"documents": cards})
    assert [i.source.source_identifier for i in items if isinstance(i, SourceDocument)] == [
        "T01",
        "T03",
    ]
    refusals = [i for i in items if isinstance(i, Refusal)]
    assert [r.where for r in refusals] == ["fiche 2 (T02)", "fiche fiches:T01", "fiche 4"]
    assert "déjà pris" in refusals[1].reason
    assert items[-1] == Tally(file_name="atlas.json", unit="fiche", read=5, kept=2, refused=3)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "JSON"),
        (b'{"documents": [', "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"documents": [' + b"9" * 5000 + b"]}", "JSON"),
        (b"\xff\xfe{", "UTF-8"),
        (b"[]", "« documents »"),
        (b'{"documents": {}}', "« documents »"),
    ],
)
def test_a_broken_file_is_refused_whole(tmp_path: Path, content: bytes, reason: str) -> None:
    refusal, tally = _read(tmp_path, content)
    assert isinstance(refusal, Refusal)
    assert reason in refusal.reason
    assert tally == Tally(file_name="atlas.json", unit="fiche", read=1, kept=0, refused=1)
