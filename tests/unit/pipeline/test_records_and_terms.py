"""Records of a product, codes, terms of the corpus and verbs, as a plan reads them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.pipeline.verbs import is_verb
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
CONTENT = "composition et présentations"
CIS, CIP = "68081368", "3400930002247"
INDEX = MemoryIndex(
    [
        passage(CIS, "SPASFON, comprimé", "", "SPASFON contient du phloroglucinol.", Silo.BDPM),
        *(
            passage(f"HAS-{n}", "Endoscopie", "", f"La dyspepsie a une endoscopie ({n}).", Silo.HAS)
            for n in range(5)
        ),
        *(passage(f"HAS-c{n}", "Domicile", "", "Le chat est là.", Silo.HAS) for n in range(3)),
        *(passage(f"HAS-a{n}", "Autre", "", "Sans objet.", Silo.HAS) for n in range(400)),
    ],
    names={"spasfon": (CIS,), CIP: (CIS,)},
)


def _plan(raw: str) -> RetrievalPlan:
    return make_plan(understand(raw, INDEX, LEXICON), INDEX, LEXICON)


@pytest.mark.parametrize(
    ("raw", "sections"),
    [
        ("Que contient le Spasfon ?", (CONTENT,)),
        ("Spasfon : quelle molécule ?", (CONTENT,)),
        ("Forme et voie d’administration du Spasfon", (CONTENT,)),
        ("Spasfon est-il délivré sur ordonnance ?", ("prescription et délivrance",)),
        (f"Code CIP13 {CIP}", (CONTENT,)),
        ("Dosage du Spasfon chez l’enfant", ("posologie", "contre-indications")),
        ("Spasfon pendant la grossesse, quelle teneur ?", None),
    ],
)
def test_a_record_answers_only_what_it_records(raw: str, sections: tuple[str, ...] | None) -> None:
    found = _plan(raw).sections
    if sections is None:
        assert "contre-indications" in found
    else:
        assert found == sections


def test_a_code_stands_for_its_source() -> None:
    concepts = _plan(f"Qu’est-ce que la spécialité de code {CIP} ?").subject.concepts
    assert [(c.identifiers, c.mandatory) for c in concepts] == [((CIS,), True)]


def test_a_term_of_the_corpus_makes_a_question_medical_and_an_everyday_word_does_not() -> None:
    assert _plan("Dyspepsie").intent == ""
    assert _plan("Où est le chat ?").intent == "hors_sujet"


@pytest.mark.parametrize(
    ("word", "before", "verb"),
    [
        ("commence-t-on", "quand ", True),
        ("poursuivre", "", True),
        ("transmet", "comment se ", True),
        ("protègent", "quelles lipoprotéines ", True),
        ("arrêtant", "en ", True),
        ("transmet", "la ", False),
        ("excrément", "ses ", False),
        ("fièvre", "", False),
    ],
)
def test_verbs_are_known_by_form_and_place(word: str, before: str, verb: bool) -> None:
    assert is_verb(word, before) is verb


def test_a_brand_is_answered_by_its_own_record_and_no_generic() -> None:
    generic = passage("60000001", "PHLOROGLUCINOL ARROW", "", "Contient du phloroglucinol.")
    subject = replace(_plan("Que contient le Spasfon ?").subject, excluded=())
    cues = LEXICON.sections[CONTENT]
    own = replace(INDEX.passages_of(CIS)[0], kind=PassageKind.RECORD)
    other = replace(generic, kind=PassageKind.RECORD, silo=Silo.BDPM)
    assert quotable(own, CONTENT, cues, subject, widened=True)
    assert not quotable(other, CONTENT, cues, subject, widened=True)
