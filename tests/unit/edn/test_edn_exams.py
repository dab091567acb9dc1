"""Exam questions: only what is true comes out, and it says it is an exam answer."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ancremed_desktop.corpus.edn.exams import DEPENDENT, NEGATIVE
from ancremed_desktop.corpus.edn.read import read_edn
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.errors import BadFileError, Cancelled
from ancremed_desktop.text.sentences import sentence_spans

OPTIONS = {
    "a": "Vrai un",
    "b": "Leurre deux",
    "c": "Vrai trois.",
    "d": "Leurre quatre",
    "e": "L'eau",
}


def mcq(question: str, correct: object, **more: object) -> dict[str, object]:
    return {
        "id": "x1",
        "question": question,
        "answers": OPTIONS,
        "correct_answers": correct,
        **more,
    }


def read(folder: Path, records: object, name: str = "train.json") -> list[CorpusItem]:
    content = json.dumps(records).encode()
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return list(read_edn(folder, ignore_progress, CancelToken()))


def texts(items: list[CorpusItem]) -> list[str]:
    return [
        p.text.replace("\u00a0", " ")
        for item in items
        if isinstance(item, SourceDocument)
        for p in item.passages
    ]


def tally(items: list[CorpusItem]) -> Tally:
    (found,) = [item for item in items if isinstance(item, Tally)]
    assert found.read == found.kept + found.refused + found.ignored
    return found


def test_right_options_only_in_one_sentence_that_says_what_it_is(tmp_path: Path) -> None:
    items = read(
        tmp_path, [mcq("Quels sont les signes ? Chez l'adulte :", ["a", "c"])], "t.json.gz"
    )
    assert texts(items) == [
        "Question d’examen (FrenchMedMCQA, annales de pharmacie) : à « Quels sont les signes – "
        "Chez l’adulte », les réponses attendues sont : Vrai un ; Vrai trois."
    ]
    (document,) = [item for item in items if isinstance(item, SourceDocument)]
    (passage,) = document.passages
    assert passage.kind is PassageKind.EXAM_ANSWER
    assert passage.section == ""
    assert sentence_spans(passage.text) == ((0, len(passage.text)),)
    assert document.source.licence == "Apache-2.0"


@pytest.mark.parametrize(
    "stem",
    [
        "Parmi les affirmations suivantes, une seule est fausse, indiquer laquelle :",
        "Cochez les réponses fausses.",
        "Lequel est faux ?",
        "Indiquez celle(s) qui est (sont) inexacte(s) :",
        "Quelle est la réponse INEXACTE ?",
        "Tous ces signes se voient sauf un, lequel ?",
        "Quelle molécule n'est pas retrouvée ?",
        "Lequel n’est pas attribuable à la morphine ?",
        "Laquelle (lesquelles) ne s’applique(nt) pas à la cystite ?",
        "Quelle proposition est incorrecte ?",
        "Quelle affirmation est erronée ?",
        "Tous excepté :",
        "Lequel de ces effets ne se voit jamais ?",
        "Quelle est l'affirmation la moins exacte ?",
        "Chercher l'intrus :",
    ],
)
def test_negative_stem_is_left_out_because_its_answer_is_false(tmp_path: Path, stem: str) -> None:
    items = read(tmp_path, [mcq(stem, ["b"])])
    assert texts(items) == []
    assert dict(tally(items).notes) == {NEGATIVE: 1}


@pytest.mark.parametrize(
    "stem",
    ["La bilirubine non conjuguée :", "Quels antalgiques non morphiniques ?", "La faucille :"],
)
def test_negative_looking_words_of_medicine_pass(tmp_path: Path, stem: str) -> None:
    assert len(texts(read(tmp_path, [mcq(stem, ["a"])]))) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "Toutes les réponses sont exactes",
        "Aucune de ces propositions",
        "A et C",
        "Les réponses a et b",
    ],
)
def test_answer_that_leans_on_other_options_is_left_out(tmp_path: Path, answer: str) -> None:
    record = mcq("Quels signes ?", ["e"]) | {"answers": OPTIONS | {"e": answer}}
    items = read(tmp_path, [record])
    assert texts(items) == []
    assert dict(tally(items).notes) == {DEPENDENT: 1}


def test_repeated_question_is_kept_once_whatever_the_order(tmp_path: Path) -> None:
    items = read(
        tmp_path, [mcq("Signes ?", ["a", "c"]), mcq("signes ?", ["c", "a"]), mcq("Signes ?", ["a"])]
    )
    assert len(texts(items)) == 2
    assert tally(items).ignored == 1


def test_caremedeval_keeps_a_justification_that_speaks_of_right_options(tmp_path: Path) -> None:
    extra = {"date_exam": "2021", "article_link": "https://x/y", "labels": ["design"]}
    items = read(
        tmp_path,
        [
            mcq("Type d’étude ?", ["a"], justification="Essai randomisé. Double aveugle.", **extra),
            mcq("Autre chose ?", ["a"], justification="B est fausse car ouvert.", **extra),
        ],
    )
    assert texts(items) == [
        "Question d’examen (CareMedEval, lecture critique d’article, examen de 2021, article "
        "https://x/y) : à « Type d’étude », la réponse attendue est : Vrai un ; justification de "
        "l’expert : Essai randomisé – Double aveugle.",
        "Question d’examen (CareMedEval, lecture critique d’article, examen de 2021, article "
        "https://x/y) : à « Autre chose », la réponse attendue est : Vrai un.",
    ]


def test_mediqal_formats(tmp_path: Path) -> None:
    options = {f"answer_{letter}": text for letter, text in OPTIONS.items()}
    choice = {
        "id": "1", "clinical_case": "Homme de 60 ans.", "question": "Quel diagnostic ?",
        "correct_answers": "a,c", "task": "mcqm", "medical_subject": "Cardiologie", **options,
    }  # fmt: skip
    opened = {
        "id": "2",
        "clinical_case": "",
        "question": "Quel germe ?",
        "answer": "Le pneumocoque",
    }
    items = read(tmp_path, [choice, opened])
    assert texts(items) == [
        "Question d’examen (MediQAl, annales de médecine) : à « Homme de 60 ans – Quel diagnostic "
        "», les réponses attendues sont : Vrai un ; Vrai trois.",
        "Question d’examen (MediQAl, annales de médecine) : à « Quel germe », la réponse attendue "
        "est : Le pneumocoque.",
    ]


def test_json_lines(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(mcq(f"Signes {n} ?", ["a"])) for n in range(3))
    (tmp_path / "test.jsonl").write_text(lines + "\n")
    assert len(texts(list(read_edn(tmp_path, ignore_progress, CancelToken())))) == 3


@pytest.mark.parametrize("correct", [[], ["z"], None, ["a", 3], "xyz"])
def test_question_without_a_readable_answer_is_refused(tmp_path: Path, correct: object) -> None:
    items = read(tmp_path, [mcq("Bonne ?", ["a"]), mcq("Signes ?", correct)])
    (refusal,) = [item for item in items if isinstance(item, Refusal)]
    assert refusal.where == "question 2"
    assert len(texts(items)) == 1
    assert tally(items).refused == 1


@pytest.mark.parametrize("content", [b"{", b"[]", b'[{"x": 1}]', b"\xff\xfe", b"[" * 100_000])
def test_file_that_is_no_exam_is_named_and_the_rest_goes_on(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "autre.json").write_bytes(content)
    items = read(tmp_path, [mcq("Signes ?", ["a"])])
    assert [item.file_name for item in items if isinstance(item, Refusal)] == ["autre.json"]
    assert len(texts(items)) == 1


def test_empty_folder_and_cancel(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="n’existe pas"):
        list(read_edn(tmp_path / "absent", ignore_progress, CancelToken()))
    with pytest.raises(BadFileError, match="ni annales"):
        list(read_edn(tmp_path, ignore_progress, CancelToken()))
    (tmp_path / "t.json").write_text(json.dumps([mcq("Signes ?", ["a"])]))
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(read_edn(tmp_path, ignore_progress, cancel))
