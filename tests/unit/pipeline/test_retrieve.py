"""What a question becomes when it is searched."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.evidence import MatchMode
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.pipeline.lexicon import PlanningLexicon, load_lexicon
from ancremed_desktop.pipeline.retrieve import numbered_hits, ranked_request
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

ARTICLE = replace(
    passage("LOI", "Code", "", "Les déclarations sont faites.", Silo.LOCAL),
    urn="urn:ancremed:local:LOI#0a1b-art-55-3",
)
INDEX = MemoryIndex([ARTICLE], extra_words=("mucoviscidose",))


@pytest.fixture(scope="module")
def lexicon() -> PlanningLexicon:
    return load_lexicon(RESOURCES / "lexicons")


@pytest.mark.parametrize(
    ("asked", "words", "other"),
    [
        ("crise cardiaque que faire", "crise cardiaque", "infarctus du myocarde"),
        ("tt fa", "fa", "fibrillation atriale"),
        ("doliprane max", "doliprane", "paracétamol"),
        ("cha2ds2vasc", "cha2ds2vasc", "CHA2DS2-VASc"),
    ],
)
def test_words_bring_what_they_mean(
    lexicon: PlanningLexicon, asked: str, words: str, other: str
) -> None:
    request = ranked_request(understand(asked, INDEX, lexicon), INDEX, lexicon)
    meant = {m.words: m.others for m in request.meanings}
    assert request.mode is MatchMode.RANKED
    assert other in meant[words]


def test_a_word_brings_its_kin_when_the_corpus_writes_it_about_as_often(
    lexicon: PlanningLexicon,
) -> None:
    def kin(asked: str, *texts: str) -> tuple[str, ...]:
        index = MemoryIndex([passage(f"S{n}", "Titre", "", t) for n, t in enumerate(texts)])
        request = ranked_request(understand(asked, index, lexicon), index, lexicon)
        return tuple(o for m in request.meanings if m.words == asked for o in m.others)

    assert "depistage" in kin("depister", "Le dépistage est annuel.")
    assert kin("depister", "On peut dépister.") == ()
    often = ("On peut dépister.",) * 6
    assert kin("depister", *often, "Le dépistage est annuel.") == ()


def test_the_section_asked_for_is_preferred(lexicon: PlanningLexicon) -> None:
    question = understand("effets secondaires du salbutamol", INDEX, lexicon)
    assert "effets indésirables" in ranked_request(question, INDEX, lexicon).sections
    question = understand("que contient le Spasfon", INDEX, lexicon)
    assert "composition et présentations" in ranked_request(question, INDEX, lexicon).sections


def test_an_article_is_found_by_its_number(lexicon: PlanningLexicon) -> None:
    asked = understand("que dit l’article 55 ?", INDEX, lexicon)
    assert [h.passage for h in numbered_hits(asked, INDEX, ())] == [ARTICLE]
    assert numbered_hits(asked, INDEX, (Silo.HAS,)) == ()
    other = understand("que dit l’article 56 ?", INDEX, lexicon)
    assert numbered_hits(other, INDEX, ()) == ()
