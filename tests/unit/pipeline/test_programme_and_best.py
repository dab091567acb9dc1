"""What the EDN programme asks, and the best sentences where no section answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import ANSWER, PROGRAMME, PassageKind, Silo
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.pipeline import programme
from ancremed_desktop.pipeline.best_answer import best_hits
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.words import content_words

LEXICON = load_lexicon(RESOURCES / "lexicons")


def _objective(item: str, title: str, section: str, text: str) -> Passage:
    return replace(passage(item, title, section, text, Silo.EDN), kind=PassageKind.OBJECTIVE)


WEIGHT = passage(
    "HAS-ic",
    "Insuffisance cardiaque",
    "",
    "Le patient se pèse chaque matin. Une prise de poids de deux kilos doit alerter.",
    Silo.HAS,
)
INDEX = MemoryIndex(
    [
        _objective("EDN-163", "Coqueluche", "épidémiologie", "Connaître la transmission."),
        _objective("EDN-163", "Coqueluche", "signes", "Connaître les signes."),
        _objective("EDN-343", "État confusionnel", "", "Définir l’état confusionnel."),
        WEIGHT,
    ],
    names={
        "coqueluche": ("EDN-163",),
        "item 163": ("EDN-163",),
        "insuffisance cardiaque": ("HAS-ic",),
    },
)


def _plan(raw: str) -> RetrievalPlan:
    return make_plan(understand(raw, INDEX, LEXICON), INDEX, LEXICON)


def _asked(raw: str) -> list[str]:
    found = programme.asked(understand(raw, INDEX, LEXICON), _plan(raw), INDEX)
    if found is None:
        return []
    assert found.plan.sections == (PROGRAMME,)
    return [h.passage.text for s in found.evidence.sections for h in s.hits]


def _instead(raw: str) -> list[str]:
    found = programme.instead(understand(raw, INDEX, LEXICON), _plan(raw), INDEX)
    return [h.passage.text for s in found.evidence.sections for h in s.hits] if found else []


@pytest.mark.parametrize("raw", ["Quel item traite de la coqueluche ?", "Coqueluche pour l’EDN"])
def test_a_question_about_the_programme_gets_every_objective_of_the_item(raw: str) -> None:
    assert _asked(raw) == ["Connaître la transmission.", "Connaître les signes."]


def test_an_item_is_found_by_the_words_of_its_title() -> None:
    assert _asked("État confusionnel : objectifs attendus") == ["Définir l’état confusionnel."]


@pytest.mark.parametrize(
    "raw",
    ["Signes de la coqueluche", "Objectif tensionnel", "Quel item parle de plomberie ?"],
)
def test_other_questions_are_not_about_the_programme(raw: str) -> None:
    assert _asked(raw) == []


def test_instead_of_an_answer_only_the_point_asked_is_shown() -> None:
    assert _instead("Comment se transmet la coqueluche ?") == ["Connaître la transmission."]


@pytest.mark.parametrize("raw", ["Item 163", "Que faut-il savoir de l’item 163 ?"])
def test_an_item_named_by_its_number_is_shown_whole(raw: str) -> None:
    assert _instead(raw) == ["Connaître la transmission.", "Connaître les signes."]


def test_the_objectives_of_a_numbered_item_are_asked_as_such() -> None:
    assert _asked("Objectifs de l’item 163") == [
        "Connaître la transmission.",
        "Connaître les signes.",
    ]


@pytest.mark.parametrize(
    ("raw", "rank", "shown"),
    [("Item 163 rang A", "A", True), ("objectifs de rang b de l’item 163", "B", False)],
)
def test_a_rank_that_is_asked_leaves_the_other_out(raw: str, rank: str, shown: bool) -> None:
    found = programme.asked(understand(raw, INDEX, LEXICON), _plan(raw), INDEX)
    assert found is not None
    assert f"rang {rank} sont montrés" in found.message
    assert found.shows("Objectif de connaissance (rang A, item 163) : les signes.") is shown
    assert found.shows("L’item 163 s’intitule « Coqueluche ».")


@pytest.mark.parametrize(
    "raw", ["coqueluche numéro item", "numero item coqueluche", "coqueluche rang A", "coqueluche item n°",
            "coqueluche quel rang", "qu’attend le programme sur la coqueluche ?"],
)  # fmt: skip
def test_the_programme_is_asked_in_notes_too(raw: str) -> None:
    assert _asked(raw) == ["Connaître la transmission.", "Connaître les signes."]


class _Covering(MemoryIndex):
    """Says of each hit which share of the query it holds."""

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        wanted = len(content_words(request.query)) or 1
        return tuple(replace(h, coverage=h.score / wanted) for h in super().search(request))


def test_the_nearest_objectives_stand_for_an_item_that_has_another_name() -> None:
    index = _Covering(
        [
            _objective("EDN-153", "Prothèses vasculaires", "", "Connaître l’INR cible des valves."),
            _objective("EDN-153", "Prothèses vasculaires", "suivi", "Connaître le suivi."),
        ],
        extra_words=("mécanique", "permis"),
    )

    def nearest(raw: str) -> list[str]:
        question = understand(raw, index, LEXICON)
        found = programme.asked(question, make_plan(question, index, LEXICON), index)
        return [h.passage.text for s in found.evidence.sections for h in s.hits] if found else []

    assert nearest("INR valves mécanique quel item") == ["Connaître l’INR cible des valves."]
    assert nearest("permis mécanique quel item") == []


def test_a_question_of_care_is_never_answered_by_the_programme() -> None:
    assert _instead("Quelle dose pour la coqueluche ?") == []


def _best(raw: str) -> list[str]:
    return [h.passage.urn for h in best_hits(_plan(raw), INDEX, LEXICON.sections)]


def test_the_best_sentence_names_what_the_title_does_not() -> None:
    raw = "Combien de kilos en plus doivent alerter dans l’insuffisance cardiaque ?"
    assert _best(raw) == [WEIGHT.urn]
    cues = LEXICON.sections["définition"]
    quotes = quotable(WEIGHT, ANSWER, cues, _plan(raw).subject, widened=True)
    assert [WEIGHT.text[q.start : q.end] for q in quotes] == [
        "Une prise de poids de deux kilos doit alerter."
    ]


@pytest.mark.parametrize(
    "raw", ["Insuffisance cardiaque et marathon", "Insuffisance cardiaque : chaussures"]
)
def test_a_passage_that_lacks_a_word_of_the_question_is_no_answer(raw: str) -> None:
    assert not _best(raw)


@pytest.mark.parametrize(
    ("raw", "stranger"), [("item 163 insuffisance cardiaque", True), ("item 163", False)]
)
def test_what_the_item_of_that_number_does_not_speak_of_is_said(raw: str, stranger: bool) -> None:
    found = programme.instead(understand(raw, INDEX, LEXICON), _plan(raw), INDEX)
    assert found is not None
    assert ("vérifiez le numéro de l’item" in found.message) is stranger
