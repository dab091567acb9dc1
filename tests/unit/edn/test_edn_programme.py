"""R2C tables to items and objectives, hand-written and real."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from ancremed_desktop.corpus.edn.programme import rubric_section
from ancremed_desktop.corpus.edn.read import read_edn
from ancremed_desktop.domain.documents import Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import SECTIONS, PassageKind
from ancremed_desktop.text.sentences import sentence_spans

ITEMS = (
    "item\tintitule\n8\tNouvel item. Les discriminations\n232\tFibrillation atriale\n\n x\tfaux\n"
)
OBJECTIVES = (
    "item\trang\trubrique\tintitule\n"
    "232\tA\tDéfinition\tConnaître la définition de la FA\n"
    "232\tA\tDéfinition\tConnaître la définition de la FA\n"
    "232\tB\tEtiologies\tConnaître les causes. Savoir les chercher\n"
    "232\tA\tÉtiologie\tConnaître l'IgE trophallergè\u00ad\n"
    '232\tB\tPrise en Charge\t"Connaître le "";pilier"" du traitement"\n'
)


def read(folder: Path) -> tuple[dict[str, SourceDocument], list[Refusal], dict[str, Tally]]:
    items = list(read_edn(folder, ignore_progress, CancelToken()))
    documents = {i.source.source_identifier: i for i in items if isinstance(i, SourceDocument)}
    refusals = [i for i in items if isinstance(i, Refusal)]
    return documents, refusals, {i.file_name: i for i in items if isinstance(i, Tally)}


def test_items_and_objectives(tmp_path: Path) -> None:
    (tmp_path / "items.tsv").write_text(ITEMS)
    (tmp_path / "objectifs.tsv").write_text(OBJECTIVES)
    (tmp_path / "matieres.tsv").write_text("item\tmatiere\n232\tCardiologie\n")
    (tmp_path / "autre.tsv").write_text("a\tb\n1\t2\n")
    documents, refusals, tallies = read(tmp_path)
    source = documents["EDN-232"].source
    assert source.title == "Item 232 – Fibrillation atriale"
    assert source.names == ("Fibrillation atriale", "item 232", "EDN 232")
    assert documents["EDN-008"].source.title == "Item 8 – Les discriminations"
    found = [
        (p.heading, p.section, p.text.replace("\u00a0", " ")) for p in documents["EDN-232"].passages
    ]
    lead = "Objectif de connaissance (rang {}, item 232, Fibrillation atriale) – "
    assert found == [
        ("Programme", "",
         "L’item 232 du programme R2C (EDN) s’intitule « Fibrillation atriale » ; matière : "
         "Cardiologie."),
        ("Définition", "définition",
         lead.format("A") + "Définition : Connaître la définition de la FA."),
        ("Étiologies", "étiologies et facteurs de risque",
         lead.format("B") + "Étiologies : Connaître les causes – Savoir les chercher.\n"
         + lead.format("A") + "Étiologies : Connaître l’IgE trophallergè…"),
        ("Prise en charge", "",
         lead.format("B") + 'Prise en charge : Connaître le ";pilier" du traitement.'),
    ]  # fmt: skip
    assert "n’en donne aucun" in documents["EDN-008"].passages[0].text
    assert {(r.file_name, r.where) for r in refusals} == {
        ("autre.tsv", "ligne 1"),
        ("items.tsv", "ligne 5"),
    }
    objectives = tallies["objectifs.tsv"]
    assert (objectives.read, objectives.kept, objectives.ignored) == (5, 4, 1)
    items = tallies["items.tsv"]
    assert (items.read, items.kept, items.refused, items.ignored) == (4, 2, 1, 1)
    assert dict(items.notes)["items sans objectif\u00a0: 8"] == 1


@pytest.mark.parametrize(
    ("rubric", "name", "section"),
    [
        ("Etiologie", "Étiologies", "étiologies et facteurs de risque"),
        ("Étiologies", "Étiologies", "étiologies et facteurs de risque"),
        ("Eléments physiopathologiques", "Physiopathologie", "physiopathologie"),
        ("Prévalence, Epidémiologie", "Épidémiologie", "épidémiologie"),
        ("examens complémentaires", "Examens complémentaires", "paraclinique"),
        ("Diagnostic Positif", "Diagnostic positif", ""),
        ("Identification de l’urgence", "Identifier une urgence", ""),
        ("evaluation", "Evaluation", ""),
    ],
)
def test_rubrics_in_one_spelling(rubric: str, name: str, section: str) -> None:
    assert rubric_section(rubric) == (name, section)
    assert section in {"", *SECTIONS}


@pytest.mark.data
def test_real_corpus(shared: Path) -> None:
    documents, refusals, tallies = read(shared / "data" / "edn")
    assert not refusals
    assert sum(key[4:].isdecimal() for key in documents) == 367
    for tally in tallies.values():
        assert tally.read == tally.kept + tally.refused + tally.ignored
    objectives = tallies["r2c_objectifs_4872.tsv"]
    assert (objectives.read, dict(objectives.notes)) == (4872, {"doublons exacts": 42})
    lone = dict(tallies["r2c_items_367.tsv"].notes)
    assert lone == {"items sans objectif\u00a0: 75, 150, 239": 3}
    assert tallies["frenchmedmcqa/train.json.gz"].read == 2171
    passages = [p for document in documents.values() for p in document.passages]
    assert len({p.urn for p in passages}) == len(passages)
    for passage in passages:
        assert passage.kind in {PassageKind.OBJECTIVE, PassageKind.EXAM_ANSWER}
        if passage.kind is PassageKind.EXAM_ANSWER:
            assert passage.text.startswith("Question d’examen (")
            assert len(sentence_spans(passage.text)) == 1


_SAID = re.compile(
    r" : à « (.*?) », (?:la réponse attendue est|les réponses attendues sont) : (.*)"
)


def _bare(text: str) -> str:
    """Without blanks and stops, which the wording of a sentence changes; « Rh- » is not « Rh+ »."""
    plain = re.sub(r"(?<!\d)[.,]|[.,](?!\d)", "", text.casefold())
    return re.sub(r"[\s;:!?'’\"«»“”()…–]+", "", plain)


@pytest.mark.data
def test_no_wrong_option_of_a_real_question_is_said(shared: Path) -> None:
    """Each sentence gives all the right options of its question, and no other words after them."""
    folder = shared / "data" / "edn"
    records = [
        *json.loads(gzip.decompress((folder / "frenchmedmcqa" / "train.json.gz").read_bytes())),
        *json.loads((folder / "frenchmedmcqa" / "dev.json").read_bytes()),
    ]
    right: dict[str, set[str]] = {}
    wrong: dict[str, set[str]] = {}
    for record in records:
        answers, correct = record["answers"], set(record["correct_answers"])
        key = _bare(record["question"])
        said = "".join(_bare(answers[letter]) for letter in sorted(correct))
        right.setdefault(key, set()).add(said)
        wrong.setdefault(key, set()).update(
            _bare(text) for letter, text in answers.items() if letter not in correct
        )
    documents, _refusals, _tallies = read(folder)
    seen = 0
    for document in documents.values():
        for passage in document.passages:
            found = _SAID.search(passage.text.replace("\u00a0", " "))
            if "FrenchMedMCQA" not in passage.text or found is None:
                continue
            key, said = _bare(found[1]), _bare(found[2])
            assert said in right[key], passage.text
            given = {_bare(part) for part in found[2].rstrip(".").split(" ; ")}
            twice = {text for text in given & wrong[key] if len(right[key]) == 1}
            assert not twice, passage.text
            seen += 1
    assert seen > 1000
