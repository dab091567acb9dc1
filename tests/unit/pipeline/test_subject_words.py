"""Which words of a question are its subject, and which name a section or a class."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import ANSWER, TopicClass
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.pipeline.lexicon import NO_CUES, load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
INDEX = MemoryIndex(
    [
        passage("EDN-900", "Fibrose testique", "signes", "Un œdème, une attelle, un plâtre."),
        passage("EDN-901", "Foie", "", "Une hépatite d’origine inconnue, une vitamine."),
    ],
    names={"fibrose testique": ("EDN-900",), "testamol": ("60000001",)},
)


def _plan(raw: str) -> RetrievalPlan:
    return make_plan(understand(raw, INDEX, LEXICON), INDEX, LEXICON)


def _first_words(raw: str) -> list[str]:
    return [c.phrases[0] for c in _plan(raw).subject.concepts]


def test_an_examination_names_its_section_and_stays_what_is_asked_about() -> None:
    plan = _plan("IRM de la fibrose testique")
    assert plan.sections == ("paraclinique",)
    assert _first_words("IRM de la fibrose testique") == ["irm", "fibrose testique"]
    assert _first_words("Bilan de la fibrose testique") == ["fibrose testique"]
    assert plan.subject.point.sections == ()  # a sentence on it need not say « examen »


def test_of_two_things_joined_by_ou_either_answers() -> None:
    either, _disease = _plan("attelle ou plâtre dans la fibrose testique").subject.concepts
    assert either.phrases == ("attelle", "platre")
    assert len(_plan("testamol ou attelle ?").subject.concepts) == 2


@pytest.mark.parametrize("word", ["doser", "interdit", "dangereux", "jeune"])
def test_what_is_done_or_feared_is_no_subject(word: str) -> None:
    assert _first_words(f"fibrose testique {word}") == ["fibrose testique"]


@pytest.mark.parametrize("ending", ["oui/non", "oui ou non ?", "ou non", "ou pas ?"])
def test_yes_or_no_is_no_subject(ending: str) -> None:
    assert _first_words(f"colique hépatique {ending}") == _first_words("colique hépatique")


def test_a_question_without_a_word_of_a_class_is_of_the_class_of_its_section() -> None:
    plan = _plan("Indication de la fibrose testique")
    assert plan.primary_class is TopicClass.PHARMACOLOGY
    assert plan.sections == ("indication",)


def test_no_other_hepatitis_answers() -> None:
    subject = _plan("dépistage de l’hépatite B").subject
    section = "dépistage et prévention"
    texts = {
        "Le dépistage de l’hépatite virale B est proposé.": True,
        "Le dépistage d’une hépatite médicamenteuse est proposé.": False,
        "Le dépistage de l’hépatite C est proposé.": False,
    }
    for text, taken in texts.items():
        found = passage("DOC", "Foie", "", text)
        assert (
            bool(quotable(found, section, LEXICON.sections[section], subject, widened=True))
            is taken
        )


@pytest.mark.parametrize(
    ("raw", "section"),
    [
        ("contre-indications du vaccin testamol", "contre-indications"),
        ("vaccination fibrose testique", "dépistage et prévention"),
    ],
)
def test_a_vaccine_stays_what_is_asked_about(raw: str, section: str) -> None:
    plan = _plan(raw)
    assert plan.sections == (section,)
    assert any(p.startswith("vaccin") for c in plan.subject.concepts for p in c.phrases)


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("", "Surveillance de la fibrose testique ; □ OK □ PAS OK"),
        ("", "La surveillance de la fibrose testique ne peut être cotée qu’une fois par semaine."),
        ("13. Fiche NGAP – Surveillance", "La surveillance de la fibrose testique est clinique."),
        ("4. Surveillance ______ 19", "Surveillance de la fibrose testique."),
    ],
)
def test_forms_bills_and_contents_are_never_quoted(heading: str, text: str) -> None:
    found = replace(passage("EDN-900", "Fibrose testique", "", text), heading=heading)
    subject = _plan("surveillance de la fibrose testique").subject
    for section in ("surveillance", ANSWER):
        cues = LEXICON.sections.get(section, NO_CUES)
        assert not quotable(found, section, cues, subject, widened=True)
