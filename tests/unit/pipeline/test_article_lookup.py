"""Direct look-up of numbered texts, the references they make, extracts of the user's documents."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from fakes.memory_index import MemoryIndex

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import OWN_SECTIONS, Silo
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.domain.spans import Abstention, DraftAssertion
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.own_documents import extracts, look_up
from ancremed_desktop.pipeline.whole_quotes import quote_whole
from ancremed_desktop.text.articles import label_of

ASKED, CITED, _ = OWN_SECTIONS
LAW = {
    "art-1": "Le délai de déclaration est de trois jours, sous réserve de l’article 2.",
    "art-2": "Le délai est prolongé dans les cas de l’article 3, puis de l’article 9.",
    "art-3": "Le juge statue comme il est dit à l’article 1 et à l’article 4.",
    "art-4": "Le greffe note la décision prévue à l’article 5.",
    "art-5": "La décision est publiée.",
    "art-6": "Les articles 3 à 5 et l’article 99 du code de procédure s’appliquent.",
}


def document(identifier: str, title: str, texts: Mapping[str, str]) -> list[Passage]:
    return [
        Passage(
            urn=f"urn:ancremed:local:{identifier}#0a1b2c3d-{label}-{number}",
            source_key=f"local:{identifier}",
            silo=Silo.LOCAL,
            origin_title=title,
            source_identifier=identifier,
            text=text,
            heading=label,
        )
        for number, (label, text) in enumerate(texts.items())
    ]


def index(*documents: list[Passage]) -> MemoryIndex:
    return MemoryIndex(list(itertools.chain(*documents)))


def found(own: DirectAnswer | None, section: str) -> list[str]:
    assert own is not None
    hits = [h for s in own.evidence.sections if s.section == section for h in s.hits]
    return [label_of(h.passage.urn) for h in hits]


def ask(text: str, law: MemoryIndex) -> DirectAnswer | None:
    return look_up(Question(raw=text, text=text), law)


@pytest.fixture
def law() -> MemoryIndex:
    return index(document("DOC-loi", "Loi du bloc", LAW))


def test_an_article_brings_what_it_refers_to_two_steps_far(law: MemoryIndex) -> None:
    own = ask("Que dit l’article 1 ?", law)
    assert found(own, ASKED) == ["art-1"]
    assert found(own, CITED) == ["art-2", "art-3"]
    assert own is not None
    assert own.message == "Cité, mais absent de vos documents : article 9."
    assert [q.query for q in own.evidence.rounds[1].queries] == [
        "article 2 (cité par article 1)",
        "article 3 (cité par article 2)",
    ]


def test_a_cycle_ends(law: MemoryIndex) -> None:
    assert found(ask("article 3", law), CITED) == ["art-1", "art-4", "art-2", "art-5"]


def test_a_range_is_filled_in_and_another_code_is_not_this_one(law: MemoryIndex) -> None:
    own = ask("article 6", law)
    assert found(own, CITED)[:3] == ["art-3", "art-4", "art-5"]
    assert own is not None
    assert "article 99 (code procedure)" in own.message


def test_the_number_of_cited_texts_is_bounded() -> None:
    many = {f"art-{n}": f"Voir l’article {n + 1} pour la suite." for n in range(2, 60)}
    start = {"art-1": "Les articles 2 à 59 s’appliquent ensemble."}
    own = ask("article 1", index(document("DOC-x", "Loi", start | many)))
    assert len(found(own, CITED)) == 12
    assert own is not None
    assert "ne sont pas suivis" in own.message


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("article 55", "Aucun de vos documents ne contient d’article 55."),
        ("article 55 de la loi du bloc", "L’article 55 n’est pas dans « Loi du bloc »."),
        ("article 1 du code pénal", "Aucun de vos documents ne s’appelle « code pénal »."),
    ],
)
def test_an_absent_article_is_no_other_article(
    law: MemoryIndex, question: str, message: str
) -> None:
    own = ask(question, law)
    assert own is not None
    assert own.evidence.urns == frozenset()
    assert own.message == message
    (draft,) = quote_whole(own)
    assert isinstance(draft, Abstention)


def test_a_document_named_is_the_only_one_read() -> None:
    two = index(
        document("DOC-loi", "Loi du bloc", LAW),
        document("DOC-charte", "Charte du service", {"art-1": "Le badge est porté."}),
    )
    both = ask("article 1", two)
    assert both is not None
    assert "Plusieurs de vos documents" in both.message
    charter = ask("article 1 de la charte du service", two)
    assert charter is not None
    assert {h.passage.source_identifier for h in charter.evidence.sections[0].hits} == {
        "DOC-charte"
    }


def test_nothing_is_looked_up_without_number_or_document(law: MemoryIndex) -> None:
    assert ask("Quelle dose de paracétamol ?", law) is None
    assert ask("voir la section 12", law) is None
    assert ask("article 1", MemoryIndex([])) is None


def test_an_extract_holds_every_word_of_the_question(law: MemoryIndex) -> None:
    def extract(text: str) -> DirectAnswer | None:
        return extracts(Question(raw=text, text=text), law)

    own = extract("Quel est le délai pour faire une déclaration ?")
    assert found(own, OWN_SECTIONS[2]) == ["art-1"]
    assert found(own, CITED) == ["art-2", "art-3"]
    for foreign in (
        "Quelle est la capitale de la France ?",
        "délai de livraison",
        "le juge Dupond",
    ):
        assert extract(foreign) is None


def test_a_word_of_a_medical_question_is_never_left_out() -> None:
    texts = {"sec-4": "Le midazolam se titre à la posologie de 1 mg par bolus en sédation."}
    protocol = index(document("DOC-p", "Protocole", texts))
    text = "posologie du midazolam en sédation chez l’enfant"
    question = Question(raw=text, text=text)
    assert extracts(question, protocol, every_word=True) is None
    plain = Question(raw="posologie du midazolam", text="posologie du midazolam")
    assert found(extracts(plain, protocol, every_word=True), OWN_SECTIONS[2]) == ["sec-4"]


def test_a_long_text_is_quoted_whole_in_pieces_the_gate_takes() -> None:
    items = "\n\n".join(f"- la mention numéro {n} de la liste ;" for n in range(120))
    text = f"L’acte énonce :\n\n{items}\n\nFin.\n\n" + "Une phrase de plus. " * 200
    own = ask("article 1", index(document("DOC-x", "Loi", {"art-1": text.strip()})))
    assert own is not None
    drafts = [d for d in quote_whole(own) if isinstance(d, DraftAssertion)]
    assert all(len(d.text) <= 1800 for d in drafts)
    assert "".join("".join(d.text for d in drafts).split()) == "".join(text.split())
