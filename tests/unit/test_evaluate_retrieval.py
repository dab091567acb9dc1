"""Gold questions are read, matched, ranked and tuned on a small index."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pytest
from fakes.memory_index import passage

from ancremed_desktop import app
from ancremed_desktop.cli import main as cli
from ancremed_desktop.domain.documents import Source, SourceDocument
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.evaluation.gold import Expected, read_gold, read_off_corpus
from ancremed_desktop.evaluation.measures import (
    bootstrap_rank,
    mean_reciprocal_rank,
    recall,
    wilson,
)
from ancremed_desktop.index.rescore import load_weights
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.settings.paths import RESOURCES

GOLD = Path(__file__).parents[1] / "data" / "gold"
SILOS = ("edn", "has", "bdpm", "formulas", "fiches", "local")

QUESTION = {
    "id": "edn-1", "silo": "edn", "half": "tuning", "kind": "plain",
    "question": "Signes de l’œdème du poumon",
    "expected": [{"source": "EDN-1", "part": "signes", "words": "donne une dyspnee"}],
}  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> Path:
    target = tmp_path / "index.db"
    texts = (
        ("EDN-1", "Œdème du poumon", "signes", "L’œdème du poumon donne une dyspnée."),
        ("EDN-2", "Œdème de Quincke", "définition", "Œdème de la face et du cou."),
        ("EDN-3", "Poumon", "définition", "Organe de la respiration."),
    )
    with IndexWriter(target, RESOURCES / "sql") as writer:
        for identifier, title, section, text in texts:
            one = passage(identifier, title, section, text, Silo.EDN)
            source = Source(
                key=one.source_key,
                silo=one.silo,
                title=title,
                source_identifier=identifier,
                publisher="Essai",
                licence="CC0",
            )
            writer.add(SourceDocument(source=source, passages=(one,)))
        writer.finish()
    return target


def _written(tmp_path: Path, *rows: Mapping[str, object]) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    return path


def test_the_table_shows_both_searches_and_the_failures(
    tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = {**QUESTION, "id": "edn-2", "expected": [{"source": "EDN-9"}]}
    path = _written(tmp_path, QUESTION, lost)
    command = ["evaluate", "retrieval", str(path), "--index", str(index), "--failures"]
    assert cli.run(command, app.toolbox()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:3] == ["edn", "2", "0,500"]
    assert lines[1].split()[-3:] == ["0,500", "0,500", "0,500"]
    assert any(line.startswith("edn-2 (rang –)") for line in lines)
    assert not any(line.startswith("edn-1") for line in lines)


def test_tuned_weights_can_be_read_back(tmp_path: Path, index: Path) -> None:
    out = tmp_path / "weights.toml"
    command = ["evaluate", "tune", str(_written(tmp_path, QUESTION)), "--index", str(index)]
    assert cli.run([*command, "--out", str(out)], app.toolbox()) == 0
    weights = load_weights.__wrapped__(out)
    assert set(weights) == set(Silo)
    table = tomllib.loads(out.read_text("utf-8"))["silo"]["edn"]
    assert table["questions"] == 1
    assert table["mrr"] == 1.0
    assert asdict(weights[Silo.EDN]).items() <= table.items()


def test_off_corpus_questions_are_counted(
    tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    off = tmp_path / "off.jsonl"
    row = {"id": "o", "half": "test", "kind": "drug", "question": "Posologie du zorbatrexime"}
    off.write_text(json.dumps(row), "utf-8")
    gold = _written(tmp_path, QUESTION)
    command = ["evaluate", "offcorpus", str(off), "--answerable", str(gold)]
    assert cli.run([*command, "--index", str(index)], app.toolbox()) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].startswith("hors corpus         1  100,0 %")
    curve = {line.split()[0]: line.split()[2:] for line in printed if " %" in line[:9]}
    assert curve["50,0"] == ["100,0", "%", "0,0", "%"]


@pytest.mark.parametrize(
    ("described", "accepted"),
    [
        (Expected(source="EDN-1"), True),
        (Expected(source="EDN-2"), False),
        (Expected(part="signes"), True),
        (Expected(part="définition"), False),
        (Expected(words="DONNE  une dyspnee"), True),
        (Expected(page=3), False),
    ],
)
def test_all_that_is_described_must_agree(described: Expected, accepted: bool) -> None:
    one = passage("EDN-1", "Œdème", "signes", "L’œdème donne\nune dyspnée.")
    assert described.accepts(one) is accepted


@pytest.mark.parametrize(
    "change", [{"half": "both"}, {"silo": "none"}, {"expected": []}, {"expected": [{"sorce": 1}]}]
)
def test_a_bad_question_is_named(tmp_path: Path, change: Mapping[str, object]) -> None:
    with pytest.raises(BadFileError, match="ligne 2"):
        read_gold([_written(tmp_path, QUESTION, {**QUESTION, **change})])


def test_measures_are_those_of_the_books() -> None:
    ranks = [1, 2, 0, 7]
    assert recall(ranks, 6) == 0.5
    assert mean_reciprocal_rank(ranks) == pytest.approx((1 + 0.5 + 1 / 7) / 4)
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    low, high = bootstrap_rank(ranks)
    assert 0 <= low < mean_reciprocal_rank(ranks) < high <= 1


def test_the_gold_sets_are_as_large_and_as_balanced_as_they_say() -> None:
    questions = read_gold([GOLD / f"{silo}.jsonl" for silo in SILOS])
    assert len({q.id for q in questions}) == len(questions)
    for silo in Silo:
        plain = [q for q in questions if q.silo is silo and q.kind == "plain"]
        assert len(plain) >= 30
        assert abs(2 * sum(q.half == "test" for q in plain) - len(plain)) <= 1
    assert sum(q.kind != "plain" for q in questions) >= 60
    assert all(len(e.words.split()) <= 8 for q in questions for e in q.expected)
    off = read_off_corpus(GOLD / "off_corpus.jsonl")
    assert len({q.text for q in off}) == 300
    assert sum(q.half == "test" for q in off) == 150
