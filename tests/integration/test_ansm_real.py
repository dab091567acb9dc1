"""The thesaurus reader and its look-up on the real files of the reference data."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from ancremed_desktop.corpus.ansm.read import read_ansm
from ancremed_desktop.corpus.ansm.repair import FURNITURE
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.domain.spans import DraftAssertion
from ancremed_desktop.pipeline.attribute import MAX_TEXT, GateContext, attribute
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.verify import verify

pytestmark = pytest.mark.data

_NUMBER = re.compile(r"[<>=]*\s*\d+(?:[.,]\d+)?")


@pytest.fixture(scope="module")
def items(shared: Path) -> list[CorpusItem]:
    return list(read_ansm(shared / "data" / "ansm", ignore_progress, CancelToken()))


@pytest.fixture(scope="module")
def documents(items: list[CorpusItem]) -> dict[str, SourceDocument]:
    return {d.source.key: d for d in items if isinstance(d, SourceDocument)}


def test_every_record_is_counted(items: list[CorpusItem]) -> None:
    tallies = [i for i in items if isinstance(i, Tally)]
    assert {(t.read, t.unit) for t in tallies} >= {
        (3139, "paire"),
        (2772, "paire"),
        (1084, "substance"),
    }
    assert all(t.read == t.kept + t.refused + t.ignored for t in tallies)
    assert not [i for i in items if isinstance(i, Refusal) and i.file_name.endswith(".json.gz")]


def test_keys_and_urns_are_unique(items: list[CorpusItem]) -> None:
    found = [d for d in items if isinstance(d, SourceDocument)]
    assert max(Counter(d.source.key for d in found).values()) == 1
    assert max(Counter(p.urn for d in found for p in d.passages).values()) == 1


def test_numbers_and_words_are_those_of_the_file(
    shared: Path, documents: dict[str, SourceDocument]
) -> None:
    path = shared / "data" / "ansm" / "thesaurus_interactions_2020-10-20.json.gz"
    records = json.loads(gzip.decompress(path.read_bytes()))
    by_heading = {
        p.heading: p.text
        for d in documents.values()
        if d.source.regulatory_date == "2020-10-20"
        for p in d.passages
        if p.text.startswith("Interaction listée")
    }
    compared = 0
    for record in records:
        text = by_heading.get(f"{record['main_drug']} + {record['plus_drug']}")
        if text is None or "\ufffd" in record["description"]:
            continue
        body = "\n".join(text.splitlines()[1:])
        source = record["description"].replace(FURNITURE, "")
        assert Counter(_NUMBER.findall(" ".join(body.split()))) == Counter(
            _NUMBER.findall(" ".join(source.split()))
        )
        compared += 1
    assert compared > 1500


def test_every_passage_of_the_edition_in_force_passes_gate_and_verifier(
    documents: dict[str, SourceDocument],
) -> None:
    passages = [
        p
        for d in documents.values()
        if not d.source.superseded
        for p in d.passages
        if p.kind is PassageKind.INTERACTION
    ]
    assert max(len(p.text) for p in passages) <= MAX_TEXT
    drafts = [
        DraftAssertion(
            section="interactions",
            text=p.text,
            exact_source_quote=p.text,
            source_urn=p.urn,
            subject_entity_id=p.source_identifier,
            confidence_score=1.0,
        )
        for p in passages
    ]
    context = GateContext(passages={p.urn: p for p in passages}, known_names=lambda text: ())
    anchored, refused = attribute(drafts, context)
    kept, rejected = verify(
        anchored, RuleVerifier(), cancel=CancelToken(), paraphrase_allowed=False, timeout_s=20
    )
    assert (refused, rejected) == ((), ())
    assert len(kept) == len(passages) > 2500


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("antipurines_inhibiteurs-de-la-xanthine-oxydase", ("CONTRE-INDICATION", "médullaire")),
        ("methotrexate_trimethoprime", ("CONTRE-INDICATION",)),
        ("acide-acetylsalicylique_anticoagulants-oraux", (
            "Niveaux\u00a0: CONTRE-INDICATION\u00a0; Association DECONSEILLEE\u00a0; A prendre en compte",
            "\n- des doses antiagrégantes (de 50 mg à 375 mg par jour)",
            "\nAssociation déconseillée avec :\n",
        )),
        ("acide-acetylsalicylique_deferasirox", ("A prendre en compte", "a perdu des caractères")),
    ],
)  # fmt: skip
def test_known_pairs(
    documents: dict[str, SourceDocument], key: str, words: tuple[str, ...]
) -> None:
    text = documents[f"ansm:2020-10-20:ANSM-{key}"].passages[0].text
    assert all(word in text for word in words)
