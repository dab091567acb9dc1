"""« sauf X », words of one root, and calculations that nobody asked for."""

from __future__ import annotations

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import PlanningLexicon, load_lexicon
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.run import Engine, answer
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold, unfolded_range

SIGNS = "signes"


@pytest.fixture(scope="module")
def lexicon() -> PlanningLexicon:
    return load_lexicon(RESOURCES / "lexicons")


@pytest.fixture
def index() -> MemoryIndex:
    return MemoryIndex(
        [
            passage("EDN-1", "Angine virale", SIGNS, "L’angine virale donne une fièvre modérée."),
            passage("EDN-2", "Angine bactérienne", SIGNS, "L’angine bactérienne donne un frisson."),
            passage("EDN-3", "Rhinite allergique", SIGNS, "La rhinite allergique fait éternuer."),
            passage(
                "60000001",
                "Aspirine",
                "contre-indications",
                "L’aspirine est contre-indiquée en cas d’ulcère, de grossesse ou d’asthme.",
            ),
            passage("60000001", "Aspirine", "posologie", "La dose d’aspirine est de 1 g."),
        ],
        names={
            "angine": ("EDN-1", "EDN-2"),
            "rhinite allergique": ("EDN-3",),
            "aspirine": ("60000001",),
        },
        extra_words=("allergie",),
    )


def _ask(question: str, index: MemoryIndex, lexicon: PlanningLexicon) -> Answer:
    engine = Engine(
        index=index,
        lexicon=lexicon,
        generator=ExtractiveGenerator(lexicon.sections, lambda _text: True),
        verifier=RuleVerifier(),
        calculate=lambda _text: (),
    )
    return answer(question, engine, progress=ignore_progress, cancel=CancelToken())


def _quotes(found: Answer) -> list[str]:
    return [s.anchored.quote for s in found.spans if isinstance(s, VerifiedAssertion)]


def test_what_is_excepted_is_left_out_and_that_is_said(
    index: MemoryIndex, lexicon: PlanningLexicon
) -> None:
    both = _quotes(_ask("signes de l’angine", index, lexicon))
    assert len(both) == 2
    found = _ask("signes de l’angine sauf bactérienne", index, lexicon)
    assert _quotes(found) == ["L’angine virale donne une fièvre modérée."]
    assert "« sauf bactérienne » n’écarte que les documents et les chapitres" in found.message
    assert "peut encore conseiller « bactérienne »" in found.message
    assert "pas appliqué" not in found.message


def test_a_letter_that_folds_to_two_moves_nothing(
    index: MemoryIndex, lexicon: PlanningLexicon
) -> None:
    found = _ask("œdème, œil et signes de l’angine sauf bactérienne", index, lexicon)
    assert "« sauf bactérienne » n’écarte" in found.message
    assert "bacterienne" not in found.plan.subject.words
    without = _ask("œdème et angine sans aspirine", index, lexicon)
    assert without.message == "« sans aspirine » n’est pas appliqué : tout est montré."


@pytest.mark.parametrize("text", ["œdème sauf œil", "abc", "", "µg œ", "ﬁn de l’œuvre", "a ½ b"])
def test_every_folded_range_comes_from_its_letters(text: str) -> None:
    folded = fold(text)
    for start in range(len(folded) + 1):
        for end in range(start, len(folded) + 1):
            first, last = unfolded_range(text, start, end)
            assert folded[start:end] in fold(text[first:last])
            assert len(fold(text[first:last])) - (end - start) <= 2


@pytest.mark.parametrize(
    "question", ["traitement de l’angine sans aspirine", "angine sans l’aspirine"]
)
def test_a_drug_not_wanted_is_said_to_be_shown(
    index: MemoryIndex, lexicon: PlanningLexicon, question: str
) -> None:
    assert "n’est pas appliqué : tout est montré" in _ask(question, index, lexicon).message


def test_without_anything_but_a_drug_is_no_exclusion(
    index: MemoryIndex, lexicon: PlanningLexicon
) -> None:
    assert "appliqué" not in _ask("angine sans fièvre", index, lexicon).message


def test_an_exception_never_hides_a_danger(index: MemoryIndex, lexicon: PlanningLexicon) -> None:
    found = _ask("contre-indications de l’aspirine sauf asthme", index, lexicon)
    assert len(_quotes(found)) == 1  # the same sentence names the ulcer and the pregnancy


def test_whom_an_exception_is_about_is_still_read(
    index: MemoryIndex, lexicon: PlanningLexicon
) -> None:
    found = _ask("signes de l’angine sauf bactérienne chez l’enfant", index, lexicon)
    assert "enfant" in found.plan.subject.populations


def test_an_exception_that_names_nothing_is_said(
    index: MemoryIndex, lexicon: PlanningLexicon
) -> None:
    found = _ask("signes de l’angine sauf en cas de fièvre", index, lexicon)
    assert "n’est pas appliqué : tout est montré" in found.message


@pytest.mark.parametrize("word", ["allergie", "allergies", "allergique", "allergiques"])
def test_noun_and_adjective_are_one_subject(
    index: MemoryIndex, lexicon: PlanningLexicon, word: str
) -> None:
    found = _ask(f"signes de rhinite et {word}", index, lexicon)
    assert _quotes(found) == ["La rhinite allergique fait éternuer."]


def test_figures_of_a_patient_open_no_empty_formula(
    index: MemoryIndex, lexicon: PlanningLexicon
) -> None:
    found = _ask("posologie aspirine homme 70 ans 80 kg 180 cm", index, lexicon)
    assert "calcul_clinique" in {found.plan.primary_class, found.plan.secondary_class}
    shown = {s.section for s in found.spans if not isinstance(s, VerifiedAssertion)}
    assert not shown & {"formule", "interprétation"}
    asked = _ask("calcule le score de l’angine", index, lexicon)
    assert "formule" in {s.section for s in asked.spans if not isinstance(s, VerifiedAssertion)}
