"""Every spelling of a word finds every other one, and ranks the passage first."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.memory_index import passage

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.evidence import MatchMode, Meaning, SearchRequest
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.settings.paths import RESOURCES

FORMS = (
    ("oedeme", "œdème", "Œdèmes", "oede\u0300me"),
    ("coeur", "cœur", "CŒURS"),
    ("classification", "classi\ufb01cation", "classifications"),
    ("CHA2DS2", "CHA₂DS₂", "cha2ds2"),
    ("10000", "10 000", "10\u202f000", "10\u00a0000"),
    ("beta", "β", "bêta"),
    ("5 µg", "5 μg", "5 mcg"),
    ("anti-inflammatoire", "antiinflammatoire", "anti inflammatoire", "anti‐inflammatoires"),
    ("l'insuline", "l’insuline", "insuline"),
    ("ganglion", "ganglions"),
    ("dépressif", "dépressive", "dépressifs"),
    ("artériel", "artérielle", "artériels"),
    ("osseux", "osseuse", "osseuses"),
    ("cérébral", "cérébraux", "cerebrales"),
    ("na\u00eff", "nai\u0308f"),
)
PAIRS = [(a, b) for forms in FORMS for a in forms for b in forms]


def _document(one: Passage) -> SourceDocument:
    return SourceDocument(
        source=Source(
            key=one.source_key,
            silo=one.silo,
            title=one.origin_title,
            source_identifier=one.source_identifier,
            publisher="Essai",
            licence="CC0",
        ),
        passages=(one,),
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, SqlitePassageIndex]]:
    """For each stored form an index that holds it once, among passages that hold none."""
    folder = tmp_path_factory.mktemp("forms")
    indexes = {}
    for number, form in enumerate(dict.fromkeys(f for forms in FORMS for f in forms)):
        target = folder / f"{number}.db"
        with IndexWriter(target, RESOURCES / "sql") as writer:
            writer.add(_document(passage("EDN-1", "Titre", "signes", f"On note {form} ici.")))
            for other in range(2, 6):
                text = "Un texte tout autre, sans rapport aucun."
                writer.add(_document(passage(f"EDN-{other}", "Autre", "signes", text)))
            writer.finish()
        indexes[form] = SqlitePassageIndex([target])
    yield indexes
    for index in indexes.values():
        index.close()


def _found(index: SqlitePassageIndex, request: SearchRequest) -> list[str]:
    return [hit.passage.source_identifier for hit in index.search(request)]


@pytest.mark.parametrize(("stored", "asked"), PAIRS)
def test_every_form_finds_every_other(
    written: dict[str, SqlitePassageIndex], stored: str, asked: str
) -> None:
    request = SearchRequest(query=asked, mode=MatchMode.RANKED)
    assert _found(written[stored], request) == ["EDN-1"]


@pytest.mark.parametrize("form", [forms[0] for forms in FORMS])
def test_a_decomposed_question_is_the_same_question(
    written: dict[str, SqlitePassageIndex], form: str
) -> None:
    request = SearchRequest(query=unicodedata.normalize("NFD", form), mode=MatchMode.ALL)
    assert _found(written[form], request) == ["EDN-1"]


def test_an_apostrophe_that_is_a_letter_ends_a_word(
    written: dict[str, SqlitePassageIndex],
) -> None:
    request = SearchRequest(query="lʼinsuline", mode=MatchMode.ALL)
    assert _found(written["insuline"], request) == ["EDN-1"]


def test_a_verb_turned_around_is_searched_as_the_verb(
    written: dict[str, SqlitePassageIndex],
) -> None:
    request = SearchRequest(query="note-t-on", mode=MatchMode.ALL)
    assert _found(written["coeur"], request) == ["EDN-1"]
    request = SearchRequest(query="note-t-on un cœur ?", mode=MatchMode.RANKED)
    assert _found(written["coeur"], request) == ["EDN-1"]


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[SqlitePassageIndex]:
    target = tmp_path / "clinic.db"
    texts = (
        ("A-1", "Infarctus", "gestes immédiats", "Devant un infarctus du myocarde, appeler le 15."),
        ("A-2", "Infarctus", "définition", "L’infarctus du myocarde est une nécrose."),
        ("A-3", "Coup de fouet", "définition", "La crise du muscle n’a rien de cardiaque."),
        ("A-4", "Dose", "", "La posologie est de trois."),
    )
    with IndexWriter(target, RESOURCES / "sql") as writer:
        for identifier, title, section, text in texts:
            writer.add(_document(passage(identifier, title, section, text)))
        writer.finish()
    index = SqlitePassageIndex([target])
    yield index
    index.close()


def test_what_lay_words_mean_is_found_and_the_section_asked_for_goes_first(
    clinic: SqlitePassageIndex,
) -> None:
    plain = SearchRequest(query="crise cardiaque", mode=MatchMode.RANKED)
    assert _found(clinic, plain) == ["A-3"]
    meant = SearchRequest(
        query="crise cardiaque",
        mode=MatchMode.RANKED,
        meanings=(Meaning(words="crise cardiaque", others=("infarctus du myocarde",)),),
        sections=("gestes immédiats",),
    )
    assert _found(clinic, meant) == ["A-1", "A-2"]


def test_coverage_falls_with_the_words_that_stand_nowhere(clinic: SqlitePassageIndex) -> None:
    def coverage(query: str) -> float:
        request = SearchRequest(query=query, mode=MatchMode.RANKED)
        return max(hit.coverage for hit in clinic.search(request))

    assert coverage("infarctus du myocarde") == 1.0
    assert 0.0 < coverage("infarctus du zorbatrexime") < 0.6
