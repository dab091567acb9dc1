"""Wordings of several words stand for all that says the same."""

from __future__ import annotations

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.pipeline.kin import same_root
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.one_sense import of_one_sense, spans_of_one_sense
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
INDEX = MemoryIndex(
    [
        passage("HAS-1", "Rythme", "", "Une cardioversion électrique, une lombalgie, un sel."),
        passage("HAS-2", "Néphrologie", "", "La DP, ou dialyse péritonéale, et le préservatif."),
    ]
)


def _subject(raw: str) -> Subject:
    return make_plan(understand(raw, INDEX, LEXICON), INDEX, LEXICON).subject


def test_a_wording_brings_the_others_that_the_corpus_writes() -> None:
    assert "cardioversion" in of_one_sense("choc electrique externe", INDEX)
    assert "lombalgie" in of_one_sense("mal de dos", INDEX)  # the lexicon writes « lombalgi* »
    assert "rachialgie" not in of_one_sense("mal de dos", INDEX)
    assert of_one_sense("choc electrique externe bref", INDEX) == ()


def test_an_acronym_stands_for_its_words_where_they_are_asked() -> None:
    dialysis = _subject("contre-indications à la dialyse péritonéale").concepts[0]
    assert dialysis.phrases == ("dialyse peritoneale", "dp")


@pytest.mark.parametrize("text", ["prise en charge de la goutte", "sel", "une ponction"])
def test_single_words_and_words_that_say_nothing_are_left(text: str) -> None:
    assert spans_of_one_sense(text) == ()


def test_an_everyday_complaint_is_of_medicine() -> None:
    plan = make_plan(understand("mal de dos, quand opérer ?", INDEX, LEXICON), INDEX, LEXICON)
    assert plan.intent == ""
    assert "lombalgie" in plan.subject.concepts[0].phrases


@pytest.mark.parametrize(
    ("asked", "dropped"),
    [
        ("préservatif hier soir", "hier"),
        ("préservatif suspecté", "suspecte"),
        ("le patient a pris un sel", "pris"),
        ("quelle largeur du préservatif", "largeur"),
        ("quels médocs sous préservatif", "medocs"),
    ],
)
def test_when_and_what_was_taken_is_no_subject(asked: str, dropped: str) -> None:
    assert dropped not in [c.phrases[0] for c in _subject(asked).concepts]


def test_a_composition_is_hinted_at_where_a_drug_is_named_alone() -> None:
    assert _subject("cardioversion : combien de grammes ?").point.sections == ()


def test_a_word_of_the_subject_hints_at_no_section() -> None:
    # « antibio » also asks for the first choice
    assert _subject("combien de sel avant antibio").point.sections == ()
    assert _subject("quel antibio en premier ?").point.sections != ()


@pytest.mark.parametrize(
    ("word", "kin"),
    [
        ("traite", "traitement"),
        ("arretant", "arret"),
        ("encadre", "encadrement"),
        ("surveiller", "surveillance"),
        ("alerter", "alerte"),
        ("epilepsie", "epileptique"),
    ],
)
def test_a_form_of_a_verb_brings_its_noun(word: str, kin: str) -> None:
    assert kin in same_root(word)


@pytest.mark.parametrize(
    "asked",
    [
        "cardioversion sans signe d’alarme : sel ou pas",
        "cardioversion avec signes de gravité",
        "cardioversion en l’absence de symptôme",
    ],
)
def test_signs_that_say_whom_it_is_about_are_no_section(asked: str) -> None:
    plan = make_plan(understand(asked, INDEX, LEXICON), INDEX, LEXICON)
    assert not {"signes", "gravité"} & {*plan.sections, *plan.subject.point.sections}


def test_signs_that_are_asked_are_a_section() -> None:
    plan = make_plan(understand("signes de la lombalgie", INDEX, LEXICON), INDEX, LEXICON)
    assert plan.sections == ("signes",)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("arrêter le sel d’un coup", "brutalement"),
        ("le patient en a marre du sel", "lassitude"),
        ("il a maigri sous préservatif", "amaigrissement"),
    ],
)
def test_an_idiom_is_read_as_what_it_says(asked: str, meant: str) -> None:
    assert meant in _subject(asked).concepts[0].phrases


def test_a_gesture_is_no_gestation() -> None:
    assert "gestation" not in same_root("geste")
    assert "arterite" not in same_root("artere")
