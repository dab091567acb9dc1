"""The deep search covers what it can, and says what it cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.spans import Abstention, DraftAssertion
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.pipeline.deep_search import MAX_ROUNDS, deep_search
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
TITLE = "Bactéries"
BACTERIA = [
    passage("EDN-148", TITLE, "définition", "Les bactéries sont des micro-organismes à paroi."),
    passage("EDN-148", TITLE, "classification", "La coloration de Gram classe les bactéries."),
    passage("EDN-148", TITLE, "", "La virulence des bactéries repose sur leurs toxines.", Silo.EDN),
    passage("EDN-999", "Astronomie", "définition", "Le suivi médian des planètes est long."),
]


def _search(raw: str, index: MemoryIndex) -> Evidence:
    plan = make_plan(understand(raw, index, LEXICON), index, LEXICON)
    return deep_search(plan, index, LEXICON.sections, CancelToken())


def test_every_section_is_covered_or_left_empty() -> None:
    index = MemoryIndex(BACTERIA, names={"bactéries": ("EDN-148",)})
    evidence = _search("Parle-moi des bactéries", index)
    assert [(s.section, s.covered) for s in evidence.sections] == [
        ("définition", True),
        ("physiopathologie", True),
        ("épidémiologie", False),
        ("classification", True),
    ]
    assert len(evidence.rounds) == MAX_ROUNDS
    assert evidence.rounds[0].uncovered == ("épidémiologie",)
    assert all(h.passage.source_identifier == "EDN-148" for s in evidence.sections for h in s.hits)


def test_a_text_of_ten_years_stands_behind_a_later_one() -> None:
    texts = (
        "Les bactéries, disait-on, sont des plantes.",
        "Les bactéries sont des micro-organismes sans noyau.",
    )
    old, new = (
        replace(passage(f"EDN-{date[:4]}", TITLE, "définition", text), regulatory_date=date)
        for date, text in zip(("2004", "2024-05"), texts, strict=True)
    )
    index = MemoryIndex([old, new], names={"bactéries": ("EDN-2004", "EDN-2024")})
    evidence = _search("définition des bactéries", index)
    assert [h.passage.regulatory_date for h in evidence.sections[0].hits] == ["2024-05", "2004"]


def test_an_unknown_subject_is_off_corpus_without_any_search() -> None:
    index = MemoryIndex(BACTERIA)
    evidence = _search("Posologie du Xylotrémine 40 mg", index)
    assert evidence.off_corpus
    assert not index.requests


def test_shared_words_are_not_a_subject() -> None:
    index = MemoryIndex(BACTERIA, names={"bactéries": ("EDN-148",)})
    evidence = _search("définition des bactéries en astronomie", index)
    assert not any(s.covered for s in evidence.sections)


def test_the_extractive_generator_only_copies() -> None:
    index = MemoryIndex(BACTERIA, names={"bactéries": ("EDN-148",)})
    question = understand("Parle-moi des bactéries", index, LEXICON)
    plan = make_plan(question, index, LEXICON)
    evidence = deep_search(plan, index, LEXICON.sections, CancelToken())
    spans = ExtractiveGenerator(LEXICON.sections, lambda _text: False).generate(
        question, plan, evidence, CancelToken()
    )
    drafts = [s for s in spans if isinstance(s, DraftAssertion)]
    assert [d.section for d in drafts] == ["définition", "physiopathologie", "classification"]
    for draft in drafts:
        assert draft.text == draft.exact_source_quote
        assert draft.text in index.passage(draft.source_urn).text
    assert [s.section for s in spans if isinstance(s, Abstention)] == ["épidémiologie"]


def test_a_stop_is_obeyed() -> None:
    index = MemoryIndex(BACTERIA, names={"bactéries": ("EDN-148",)})
    token = CancelToken()
    token.cancel()
    plan = make_plan(understand("Parle-moi des bactéries", index, LEXICON), index, LEXICON)
    with pytest.raises(Cancelled):
        deep_search(plan, index, LEXICON.sections, token)


def test_a_drugs_strength_is_not_its_posology() -> None:
    record = replace(
        passage("60000001", "TESTAMOL", "", "TESTAMOL contient : testamol 500 mg.", Silo.BDPM),
        kind=PassageKind.RECORD,
    )
    index = MemoryIndex([record], names={"testamol": ("60000001",)})
    evidence = _search("Posologie du testamol", index)
    assert [(s.section, s.covered) for s in evidence.sections] == [("posologie", False)]


def test_a_record_that_names_another_drug_is_not_about_it() -> None:
    other = replace(
        passage(
            "60000002",
            "AUTRAMOL",
            "indication",
            "Comme le testamol, AUTRAMOL est utile.",
            Silo.BDPM,
        ),
        kind=PassageKind.RECORD,
    )
    brand = replace(
        passage(
            "60000001",
            "MARQUAMOL",
            "indication",
            "MARQUAMOL est utile dans la fibrose testique.",
            Silo.BDPM,
        ),
        kind=PassageKind.RECORD,
    )
    index = MemoryIndex([other, brand], names={"testamol": ("60000001",)})
    plan = make_plan(understand("Indication du testamol", index, LEXICON), index, LEXICON)
    cues = LEXICON.sections["indication"]
    assert not quotable(other, "indication", cues, plan.subject, widened=True)
    assert quotable(brand, "indication", cues, plan.subject, widened=False)


def _answer(raw: str, index: MemoryIndex) -> list[tuple[str, str]]:
    question = understand(raw, index, LEXICON)
    plan = make_plan(question, index, LEXICON)
    evidence = deep_search(plan, index, LEXICON.sections, CancelToken())
    generator = ExtractiveGenerator(LEXICON.sections, lambda text: "mol" in text.casefold())
    spans = generator.generate(question, plan, evidence, CancelToken())
    return [(type(s).__name__, getattr(s, "text", getattr(s, "reason", ""))) for s in spans]


DRUGS = [
    passage(
        "60000001", "Testamol", "posologie",
        "Chez l’adulte, le testamol est donné à 500 mg par jour. "
        "Chez l’enfant, le testamol est donné à 10 mg/kg par jour. "
        "Si le DFG est de 30 à 44 mL/min, la dose maximale de testamol est de 1 g par jour. "
        "Si le DFG est de 45 à 59 mL/min, la dose maximale de testamol est de 2 g par jour.",
    ),
    passage(
        "60000002", "Autramol", "posologie",
        "Dans l’embolie pulmonaire, l’autramol est donné à 20 mg par jour.",
    ),
]  # fmt: skip


@pytest.fixture
def drugs() -> MemoryIndex:
    return MemoryIndex(DRUGS, names={"testamol": ("60000001",), "autramol": ("60000002",)})


def test_another_drug_never_answers(drugs: MemoryIndex) -> None:
    spans = _answer("Posologie du testamol dans l’embolie pulmonaire", drugs)
    assert [kind for kind, _text in spans] == ["Abstention"]


def test_a_childs_dose_is_the_childs(drugs: MemoryIndex) -> None:
    spans = dict(reversed(_answer("Posologie du testamol chez l’enfant", drugs)[:1]))
    assert spans == {"DraftAssertion": "Chez l’enfant, le testamol est donné à 10 mg/kg par jour."}


def test_doses_that_differ_by_a_number_alone_are_both_quoted(drugs: MemoryIndex) -> None:
    spans = _answer("Posologie du testamol", drugs)
    assert sum("dose maximale" in text for _kind, text in spans) == 2


def test_what_is_excluded_is_not_the_subject(drugs: MemoryIndex) -> None:
    spans = _answer("Posologie de tout sauf le testamol", drugs)
    assert {kind for kind, _text in spans} == {"Abstention"}


def test_a_dose_without_its_drug_is_not_quoted() -> None:
    card = passage(
        "RECO-1", "Fibrose testique", "posologie",
        "Dans la fibrose testique, la dose est de 5 mg par jour. "
        "Dans la fibrose testique, le testamol est donné à 7 mg par jour.",
    )  # fmt: skip
    index = MemoryIndex([card], names={"fibrose testique": ("RECO-1",)})
    assert _answer("Posologie dans la fibrose testique", index) == [
        ("DraftAssertion", "Dans la fibrose testique, le testamol est donné à 7 mg par jour.")
    ]


def test_a_limit_is_never_hidden_by_the_patient_asked(drugs: MemoryIndex) -> None:
    texts = [text for _kind, text in _answer("Posologie du testamol chez une femme", drugs)]
    assert sum("dose maximale" in text for text in texts) == 2


def test_a_limit_stands_beside_the_dose_of_one_indication() -> None:
    card = passage(
        "60000003", "Hebdomol", "posologie",
        "Dans le psoriasis, l’hebdomol est pris à la dose de 10 mg. "
        "L’hebdomol est pris une fois par semaine, jamais tous les jours. "
        "Dans la goutte testique, l’hebdomol est pris à la dose de 50 mg.",
    )  # fmt: skip
    index = MemoryIndex([card], names={"hebdomol": ("60000003",)})
    assert [
        text for _kind, text in _answer("Posologie de l’hebdomol dans le psoriasis", index)
    ] == [
        "Dans le psoriasis, l’hebdomol est pris à la dose de 10 mg.",
        "L’hebdomol est pris une fois par semaine, jamais tous les jours.",
    ]


@pytest.mark.parametrize(
    "raw", ["Traitement de l’infarctus sans ST+", "infarctus sans sus-décalage du ST traitement",
            "infarctus non ST+ traitement", "infarctus ST- traitement"],
)  # fmt: skip
def test_the_opposite_condition_never_answers(raw: str) -> None:
    card = passage(
        "RECO-2", "Infarctus avec sus-décalage de ST", "traitement",
        "Dans l’infarctus avec sus-décalage de ST (ST+), une fibrinolyse est discutée.",
    )  # fmt: skip
    index = MemoryIndex([card], names={"infarctus": ("RECO-2",)})
    assert {kind for kind, _text in _answer(raw, index)} == {"Abstention"}


def test_what_forbids_a_drug_is_not_its_indication() -> None:
    card = passage(
        "60000004", "Vetomol", "contre-indications",
        "Le vetomol est contre-indiqué en cas d’asthme testique.",
    )  # fmt: skip
    index = MemoryIndex([card], names={"vetomol": ("60000004",)})
    question = understand("Vetomol et asthme testique", index, LEXICON)
    plan = make_plan(question, index, LEXICON)
    evidence = deep_search(plan, index, LEXICON.sections, CancelToken())
    assert [s.section for s in evidence.sections if s.covered] == ["contre-indications"]
