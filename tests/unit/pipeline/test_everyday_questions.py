"""Questions as interns type them: verbs, shortened names, lay words, scores by name alone."""

from __future__ import annotations

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import TopicClass
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
INDEX = MemoryIndex(
    [
        passage("EDN-900", "Fibrose testique", "signes", "Un œdème, une ferritinémie, un moine."),
        passage("FORM-lee", "Score de Lee", "formule", "Un point par critère."),
        passage("EDN-901", "Transplantation", "signes", "Une patiente transplantée, un scanner."),
        passage("EDN-902", "Hernie bilatérale", "signes", "Un bilan, une métoclopramide."),
    ],
    names={
        "fibrose testique": ("EDN-900",),
        "lee": ("FORM-lee",),
        "atorvastatine": ("60000001",),
        "amphotéricine": ("60000002",),
    },
)


def _plan(raw: str) -> RetrievalPlan:
    return make_plan(understand(raw, INDEX, LEXICON), INDEX, LEXICON)


def _first_words(raw: str) -> list[str]:
    return [c.phrases[0] for c in _plan(raw).subject.concepts]


@pytest.mark.parametrize(
    "raw",
    [
        "la fibrose testique ça dure longtemps",
        "fibrose testique : je garde combien de jours",
        "fibrose testique ça veut dire quoi",
        "que bloque la fibrose testique",
        "à quoi sert la fibrose testique",
        "le patient en fibrose testique veut pas être encadré",
        "le test de la fibrose testique est fiable ?",
    ],
)
def test_everyday_verbs_and_judgements_are_no_subject(raw: str) -> None:
    assert "fibrose testique" in _first_words(raw)
    assert not {"dure", "garde", "veut", "dire", "bloque", "sert", "encadre", "fiable"} & set(
        _first_words(raw)
    )


@pytest.mark.parametrize("raw", ["pour qui scanner", "chez qui scanner", "scanner à qui"])
def test_what_follows_pour_qui_is_no_verb(raw: str) -> None:
    assert _first_words(raw) == ["scanner"]


def test_a_medical_act_told_by_a_verb_stays_in_the_subject() -> None:
    act, disease = _plan("fibrose testique : on opère ?").subject.concepts[::-1]
    assert "chirurgie" in act.phrases
    assert disease.phrases[0] == "fibrose testique"


def test_a_shortened_drug_is_that_drug_and_no_other_word() -> None:
    question = understand("atorva et fibrose testique", INDEX, LEXICON)
    assert question.text == "atorva et fibrose testique"
    assert ("acronym", "atorvastatine") in [(c.kind, c.replacement) for c in question.corrections]


def test_an_analyte_is_its_level_in_the_blood_when_the_corpus_says_so() -> None:
    (ferritin,) = _plan("ferritine de la maladie").subject.concepts[:1]
    assert "ferritinemie" in ferritin.phrases


def test_who_was_transplanted_has_a_transplantation() -> None:
    (concept,) = _plan("transplantation").subject.concepts
    assert {"transplante", "greffe"} <= set(concept.phrases)


def test_a_score_named_alone_asks_for_the_score_and_a_town_does_not() -> None:
    assert _plan("lee : quoi dedans").primary_class is TopicClass.CALCULATION
    assert _plan("se promener à lee").primary_class is not TopicClass.CALCULATION


def test_the_letter_of_a_hepatitis_is_part_of_it() -> None:
    (exact,) = _plan("signes de l’hépatite B").subject.concepts
    assert exact.exact
    assert exact.mandatory
    assert "vhb" in exact.phrases


@pytest.mark.parametrize(
    ("raw", "intent"),
    [
        ("tu peux répéter", "meta_reponse"),
        ("répète stp", "meta_reponse"),
        ("scanner je répète quand", ""),
    ],
)
def test_to_repeat_an_act_is_no_word_to_the_program(raw: str, intent: str) -> None:
    assert _plan(raw).intent == intent


def test_a_patient_on_a_drug_is_no_question_of_interactions() -> None:
    assert _plan("patient sous AOD saignement grave").sections != ("interactions",)
    assert _plan("interactions de l’atorvastatine").sections == ("interactions",)


def _offered(raw: str) -> list[tuple[str, bool]]:
    found = understand(raw, INDEX, LEXICON).corrections
    return [(c.replacement, c.certain) for c in found if c.kind == "typo"]


def test_a_word_cut_short_is_asked_never_guessed() -> None:
    assert _offered("bilat") == [("bilatérale", False), ("bilan", False)]
    assert _offered("metoc") == [("métoclopramide", False)]
    assert _offered("zorvatine") == []
    assert _offered("scaner") == [("scanner", True)]


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        ("salbu", "salbutamol"),
        ("bblq", "betabloquant"),
        ("aug", "amoxicilline et acide clavulanique"),
        ("ambu", "ambulatoire"),
    ],
)
def test_usual_short_forms_are_understood(raw: str, meant: str) -> None:
    (concept,) = _plan(f"posologie {raw}").subject.concepts
    assert meant in concept.phrases


def test_a_common_word_is_no_acronym_unless_in_capitals() -> None:
    assert _first_words("pic de scanner")[0] == "pic"
    assert not _plan("pic de scanner").subject.concepts[0].phrases[1:]
    assert "pression intracranienne" in _plan("PIC au scanner").subject.concepts[0].phrases


def test_a_drug_and_a_weight_ask_for_a_dose() -> None:
    plan = _plan("atorvastatine 3 kg")
    assert plan.primary_class is TopicClass.PHARMACOLOGY
    assert "posologie" in plan.sections
    assert "posologie" not in _plan("atorvastatine 60 kg créat 130 µmol/L").sections
