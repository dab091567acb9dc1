"""Questions of one point are answered by the sentence that gives it, or not at all."""

from __future__ import annotations

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.identifiers import ANSWER, Silo
from ancremed_desktop.domain.plans import Figure
from ancremed_desktop.domain.spans import Abstention, DraftAssertion
from ancremed_desktop.pipeline.deep_search import deep_search
from ancremed_desktop.pipeline.draft import make_draft
from ancremed_desktop.pipeline.drafts import Draft, Tools
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.point import asks_one_point, find_point, gives
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
CARD = [
    passage("EDN-900", "Fibrose testique", "définition", "La fibrose testique est une maladie."),
    passage(
        "EDN-900", "Fibrose testique", "suivi",
        "L’échographie de la fibrose testique est refaite tous les 6 mois. "
        "L’échographie de la fibrose testique ne montre pas les formes débutantes.",
    ),
    passage("60000001", "Testamol", "posologie", "Le testamol est donné à 500 mg par jour."),
    passage("60000001", "Testamol", "contre-indications", "Le testamol est contre-indiqué à jeun."),
]  # fmt: skip
TABLE = passage(
    "HAS-geste", "Anticoagulants et gestes", "",
    "En cas de coloscopie testique, le testamol est arrêté 3 jours avant le geste.", Silo.HAS,
)  # fmt: skip
INDEX = MemoryIndex(
    [*CARD, TABLE], names={"fibrose testique": ("EDN-900",), "testamol": ("60000001",)}
)


def _draft(raw: str, index: MemoryIndex = INDEX) -> Draft:
    question = understand(raw, index, LEXICON)
    plan = make_plan(question, index, LEXICON)
    generator = ExtractiveGenerator(LEXICON.sections, lambda text: "testamol" in text.casefold())
    tools = Tools(
        index=index,
        lexicon=LEXICON,
        search=lambda plan: deep_search(plan, index, LEXICON.sections, CancelToken()),
        generate=lambda plan, found: generator.generate(question, plan, found, CancelToken()),
        replan=lambda other: make_plan(other, index, LEXICON),
    )
    return make_draft(question, plan, tools.search(plan), tools)


def _texts(draft: Draft) -> list[str]:
    return [s.text for s in draft.spans if isinstance(s, DraftAssertion)]


@pytest.mark.parametrize(
    "raw", ["Fibrose testique : tous les combien refaire l’échographie ?",
            "fibrose testique echographie tous les cb"],
)  # fmt: skip
def test_a_delay_asked_is_answered_by_the_sentence_that_gives_one(raw: str) -> None:
    draft = _draft(raw)
    assert _texts(draft)[0] == "L’échographie de la fibrose testique est refaite tous les 6 mois."


def test_what_a_disease_is_does_not_answer_a_point_nothing_speaks_of() -> None:
    draft = _draft("Fibrose testique : délai avant de reprendre la plongée ?")
    assert _texts(draft) == []
    assert draft.plan.sections == (ANSWER,)
    assert [type(s) for s in draft.spans] == [Abstention]


def test_the_point_asked_of_a_drug_stands_before_what_forbids_it() -> None:
    draft = _draft("Combien de jours avant une coloscopie testique arrêter le testamol ?")
    assert _texts(draft)[0].endswith("est arrêté 3 jours avant le geste.")


def test_another_drugs_source_answers_where_its_sentence_names_the_drug() -> None:
    assert "3 jours" in " ".join(_texts(_draft("testamol avant coloscopie testique")))


@pytest.mark.parametrize(
    ("raw", "figure"),
    [
        ("combien de temps dure le traitement", Figure.LENGTH),
        ("delai de la thrombolyse", Figure.DURATION),
        ("a partir de quelle tsh", Figure.NUMBER),
        ("dose maximale", Figure.NUMBER),
        ("faut-il une echographie", Figure.NONE),
    ],
)
def test_the_figure_asked_is_read(raw: str, figure: Figure) -> None:
    assert find_point(raw, (), LEXICON.sections).figure is figure


@pytest.mark.parametrize(
    ("text", "figure", "found"),
    [
        ("pendant trois semaines", Figure.DURATION, True),
        ("un controle annuel", Figure.DURATION, True),
        ("a la dose de 5 mg", Figure.DURATION, False),
        ("la dose est adaptee", Figure.NUMBER, False),
    ],
)
def test_a_sentence_gives_the_figure_or_not(text: str, figure: Figure, found: bool) -> None:
    assert gives(text, figure) is found


@pytest.mark.parametrize("raw", ["conduite a tenir devant un avc", "tout sur l'avc", "l'avc"])
def test_a_whole_topic_is_no_point(raw: str) -> None:
    assert not asks_one_point(raw)


def test_what_held_in_the_past_comes_last_and_the_figure_asked_first() -> None:
    card = passage(
        "60000009", "Vetomol", "posologie",
        "En mars 2014, la dose maximale de vetomol était de 300 mg. "
        "Le vetomol est pris le soir. "
        "La dose maximale de vetomol est de 80 mg.",
    )  # fmt: skip
    index = MemoryIndex([card], names={"vetomol": ("60000009",)})
    subject = make_plan(understand("vetomol dose maximale", index, LEXICON), index, LEXICON).subject
    quotes = quotable(card, "posologie", LEXICON.sections["posologie"], subject, widened=True)
    assert [card.text[q.start : q.end] for q in quotes] == [
        "La dose maximale de vetomol est de 80 mg.",
        "Le vetomol est pris le soir.",
        "En mars 2014, la dose maximale de vetomol était de 300 mg.",
    ]


def test_a_sentence_that_holds_all_that_is_asked_comes_before_a_section_that_does_not() -> None:
    card = passage(
        "EDN-901", "Fibrose testique", "définition", "La fibrose testique est une maladie."
    )
    kinds = passage(
        "EDN-901", "Fibrose testique", "classification",
        "La fibrose testique à fraction préservée est définie par une fraction de 50 %.",
    )  # fmt: skip
    index = MemoryIndex([card, kinds], names={"fibrose testique": ("EDN-901",)})
    asked = "Définition de la fibrose testique à fraction préservée"
    assert _texts(_draft(asked, index))[0] == kinds.text


def test_a_rate_per_litre_is_no_dose_that_must_name_its_drug() -> None:
    text = "Le seuil de fibrose testique avant une ponction est de 50 g/L."
    index = MemoryIndex(
        [passage("HAS-seuil", "Fibrose testique", "", text, Silo.HAS)],
        names={"fibrose testique": ("HAS-seuil",)},
    )
    assert _texts(_draft("Seuil de fibrose testique avant une ponction", index)) == [text]


def test_a_dose_that_names_the_age_asked_is_that_childs() -> None:
    rows = (
        "À partir de 14 ans, le rattrapage testique comprend 3 doses.",
        "Avant, le rattrapage testique comprend 2 doses.",
    )
    cards = [
        passage(f"HAS-{n}", "Rattrapage testique", "", row, Silo.HAS) for n, row in enumerate(rows)
    ]
    index = MemoryIndex(cards, names={"rattrapage testique": ("HAS-0", "HAS-1")})
    asked = "Rattrapage testique à partir de 14 ans : combien de doses ?"
    assert _texts(_draft(asked, index))[0] == rows[0]
    assert _texts(_draft("Rattrapage testique à 9 ans : combien de doses ?", index)) == []


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("le sel : comment limiter sa consommation. 2011.", False),
        ("le regime tient compte du gout des patients.(1)", False),
        ("1.2.2 prescrire des habitudes", False),
        ("un regime pauvre en sel (6 g/j) est conseille.", True),
        ("une dose de 2000 mg", True),
    ],
)
def test_a_year_or_a_reference_is_no_figure(said: str, figure: bool) -> None:
    assert gives(said, Figure.NUMBER) is figure


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pendant 7 jours", True),
        ("est de 10 a 14 jours", True),
        ("500 mg deux fois par jour", False),
        ("toutes les 12 heures", False),
    ],
)
def test_how_long_is_no_rhythm(text: str, told: bool) -> None:
    assert gives(text, Figure.LENGTH) is told


def _of_a_document(text: str) -> MemoryIndex:
    return MemoryIndex(
        [*CARD, passage("HAS-marche", "Fibrose testique : marche encadrée", "", text, Silo.HAS)],
        names={"fibrose testique": ("EDN-900",)},
    )


def test_sentences_in_a_row_of_one_passage_answer_together() -> None:
    index = _of_a_document(
        "Le podomètre est prêté au patient. La bonne adhésion se juge sur trois séances. "
        "Le carnet de marche est relu par le kinésithérapeute."
    )
    draft = _draft("fibrose testique podomètre adhésion", index)
    assert _texts(draft) == [
        "Le podomètre est prêté au patient. La bonne adhésion se juge sur trois séances."
    ]


@pytest.mark.parametrize(
    "between",
    [
        "[Texte omis : du texte y est barré, voir l’original.]",
        "Les participants ont été randomisés en deux bras, bras témoin compris.",
        " ".join(["Le kinésithérapeute note la durée de chaque marche dans le carnet."] * 4),
    ],
)
def test_sentences_apart_do_not(between: str) -> None:
    index = _of_a_document(
        f"Le podomètre est prêté au patient. {between} La bonne adhésion se juge sur trois séances."
    )
    assert not _texts(_draft("fibrose testique podomètre adhésion", index))
