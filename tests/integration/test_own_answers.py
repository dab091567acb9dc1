"""Whole answers from the user's documents, beside a corpus that is medical."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import ward_protocol

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.services.export import answer_to_text
from ancremed_desktop.settings import paths
from ancremed_desktop.text.articles import label_of, spoken

BIRTH = "Que faut-il mettre dans un acte de naissance ?"


def add(*files: Path) -> AskService:
    toolbox = app.toolbox()
    toolbox.library.import_into(
        "local", files, paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    return toolbox.ask(None)


def quotes(answer: Answer, section: str) -> list[VerifiedAssertion]:
    return [
        span
        for span in answer.spans
        if isinstance(span, VerifiedAssertion) and span.anchored.draft.section == section
    ]


def test_a_ward_protocol_answers_by_section_and_is_labelled(tmp_path: Path) -> None:
    service = add(ward_protocol.pdf(tmp_path / "sedation.pdf"))
    answer = service.ask("Que dit la section 4.2 du protocole de sédation ?")
    shown = quotes(answer, "article demandé")
    assert "bolus de 1 mg" in " ".join(s.anchored.quote for s in shown)
    cited = quotes(answer, "articles cités")
    assert {label_of(s.anchored.passage.urn) for s in cited} == {"sec-4.3"}
    text = answer_to_text(answer)
    assert "[1, p. 1, section 4.2, «\u00a04. Médicaments › 4.2 Posologie\u00a0»]" in text
    assert f"{ward_protocol.TITLE} – document de l’utilisateur" in text
    assert "HAS" not in text
    article = service.ask("article 7")
    assert [label_of(s.anchored.passage.urn) for s in quotes(article, "article demandé")] == [
        "art-7"
    ]
    assert [label_of(s.anchored.passage.urn) for s in quotes(article, "articles cités")] == [
        "art-8"
    ]
    dose = service.ask("posologie du midazolam").spans
    shown = [s for s in dose if isinstance(s, VerifiedAssertion)]
    assert {label_of(s.anchored.passage.urn) for s in shown} >= {"sec-4.2"}
    child = service.ask("posologie du midazolam chez l’enfant").spans
    told = [s.anchored for s in child if isinstance(s, VerifiedAssertion)]
    assert not any("mg" in a.quote for a in told if a.passage.silo is Silo.LOCAL)
    unknown = service.ask("article 70 du protocole de sédation")
    assert unknown.status is AnswerStatus.ABSTENTION
    assert "L’article 70 n’est pas dans" in unknown.message


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html"])
def test_a_dose_for_a_child_is_found_under_its_section(tmp_path: Path, suffix: str) -> None:
    """« Dose » asks for what stands under « Posologie »; errors are no answer."""
    rows = ("Adulte : 4 mg/j", "Enfant : 1 mg/j")
    wrong = "La zumirine a été donnée à 40 mg par jour chez un enfant."
    path = tmp_path / f"zumirine{suffix}"
    if suffix == ".html":
        body = (
            f"<h2>Posologie</h2><p>{'<br>'.join(rows)}</p><h2>Erreurs relevées</h2><p>{wrong}</p>"
        )
        path.write_text(f"<h1>Zumirine</h1>{body}")
    else:
        level = "#" if suffix == ".md" else ""
        parts = [f"{level} Zumirine", f"{2 * level} Posologie", "\n".join(rows)]
        parts += [f"{2 * level} Erreurs relevées", wrong]
        path.write_text("\n\n".join(part.strip() for part in parts))
    service = add(path)
    for question in ("Dose de zumirine chez l’enfant ?", "posologie zumirine enfant"):
        shown = quotes(service.ask(question), "extraits de vos documents")
        text = "\n".join(span.anchored.quote for span in shown)
        assert "Enfant : 1 mg/j" in text
        assert "40 mg" not in text


def test_a_medical_question_keeps_its_answer(tmp_path: Path) -> None:
    question = "Que faire devant un choc anaphylactique ?"
    before = app.toolbox().ask(None).ask(question)
    after = add(ward_protocol.markdown(tmp_path / "sedation.md")).ask(question)
    assert before.status is AnswerStatus.ANSWER
    assert [s.anchored.quote for s in after.spans if isinstance(s, VerifiedAssertion)] == [
        s.anchored.quote for s in before.spans if isinstance(s, VerifiedAssertion)
    ]


@pytest.mark.data
def test_the_civil_code_answers_only_when_it_was_imported(shared: Path) -> None:
    assert app.toolbox().ask(None).ask(BIRTH).status is AnswerStatus.REFUSED
    (archive,) = (shared / "data" / "loi").glob("*.tar.gz")
    service = add(archive)
    answer = service.ask(BIRTH)
    assert answer.status is AnswerStatus.ANSWER
    assert {s.silo.value for s in answer.sources} == {"local"}
    for foreign in ("capitale de la France ?", "recette de la tarte aux pommes", "prix du pétrole"):
        assert service.ask(foreign).status in {AnswerStatus.REFUSED, AnswerStatus.ABSTENTION}


@pytest.mark.data
def test_each_article_of_the_civil_code_is_answered_by_itself_and_whole(shared: Path) -> None:
    (archive,) = (shared / "data" / "loi").glob("*.tar.gz")
    service = add(archive)
    index = app.toolbox().open_index(paths.user_index())
    (source,) = index.sources()
    texts: dict[str, str] = {}
    for passage in index.passages_of(source.source_identifier):
        texts[label_of(passage.urn)] = texts.get(label_of(passage.urn), "") + passage.text
    index.close()
    assert len(texts) == 74
    for label, text in texts.items():
        answer = service.ask(f"Que dit l’{spoken(label)} du code civil ?")
        assert answer.dropped == ()
        shown = "".join(s.anchored.quote for s in quotes(answer, "article demandé"))
        assert "".join(shown.split()) == "".join(text.split()), label
    chain = quotes(service.ask("article 62 du code civil"), "articles cités")
    assert {label_of(s.anchored.passage.urn) for s in chain} == {"art-59"}


@pytest.mark.parametrize("dated", [True, False])
def test_two_editions_of_a_document_are_said_and_the_later_read_first(
    tmp_path: Path, dated: bool
) -> None:
    files = []
    for year, dose in (("2019", "10"), ("2023", "5")):
        said = f"Mis à jour le 4 mars {year}" if dated else "Document du service"
        files.append(tmp_path / (f"douleur_{year}.md" if dated else f"douleur {dose}.md"))
        files[-1].write_text(
            f"# Protocole douleur du service\n\n{said}\n\n## Posologie\n\n"
            f"La zorbamine est donnée à {dose} mg toutes les 4 heures.\n",
            "utf-8",
        )
    answer = add(*files).ask("posologie de la zorbamine")
    doses = [s.anchored.quote for s in quotes(answer, "extraits de vos documents")]
    told = answer.message.replace("\u00a0", " ")
    assert "2 éditions de « Protocole douleur du service »" in told
    assert all(path.name in told for path in files)
    if dated:
        assert "5 mg" in doses[0]
        assert "04/03/2019" in told
        assert "04/03/2023" in told
    else:
        assert "sans date" in told
