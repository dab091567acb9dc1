"""Codes, items and RCP from the question to the answer, over a built index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from fakes.memory_index import passage

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.pipeline.codes import UNKNOWN_CODE, unknown_codes
from ancremed_desktop.pipeline.documents import asked_documents
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
CIP13 = "3400935955838"
GUIDES = (
    ("Place des stimulateurs cardiaques", "2014-03"),
    ("Suivi des zolites de l’adulte", "2014-03-12"),
    ("Suivi des zolites de l’enfant", "2015"),
)


def _source(p: Passage, *names: str, codes: tuple[tuple[Code, str], ...] = ()) -> SourceDocument:
    source = Source(
        key=p.source_key,
        silo=p.silo,
        title=p.origin_title,
        source_identifier=p.source_identifier,
        publisher="Essai",
        licence="CC0",
        regulatory_date=p.regulatory_date,
        names=names,
        codes=codes,
    )
    return SourceDocument(source=source, passages=(p,))


def _record(cis: str) -> SourceDocument:
    p = passage(cis, "ZOLIBRA 10 mg, comprimé", "", "ZOLIBRA est un comprimé.", Silo.BDPM)
    p = replace(p, kind=PassageKind.RECORD, regulatory_date="2026-05")
    return _source(p, "ZOLIBRA", "zolixine", codes=((Code.CIP, CIP13), (Code.ATC, "C01AA05")))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlitePassageIndex]:
    out = tmp_path_factory.mktemp("codes") / "c.db"
    rcp = passage("RCP-60000001", "ZOLIBRA – RCP", "posologie", "La dose est de 5 mg.", Silo.BDPM)
    rcp = replace(rcp, source_key="rcp:RCP-60000001:2020")
    item = passage(
        "EDN-232", "Item 232 – Fibrillation inventée", "", "Item du programme.", Silo.EDN
    )
    code = passage("CIM10-I48", "CIM-10 : I48 Fibrillation", "classification", "I48 : x.", Silo.EDN)
    atc = passage("ATC-C01AA05", "ATC : C01AA05", "classification", "C01AA05 : x.", Silo.BDPM)
    atc = replace(atc, source_key="atc:ATC-C01AA05")
    guides = [
        replace(passage(f"HAS-{n}", title, "", "Texte.", Silo.HAS), regulatory_date=date)
        for n, (title, date) in enumerate(GUIDES)
    ]
    with IndexWriter(out) as writer:
        for document in (
            *(_record(str(60000001 + n)) for n in range(250)),
            _source(rcp, "ZOLIBRA", "zolixine", codes=((Code.CIS, "60000001"),)),
            _source(item, "Fibrillation inventée", "item 232", codes=((Code.ITEM, "232"),)),
            *map(_source, guides),
            _source(atc, codes=((Code.ATC, "C01AA05"),)),
            _source(code, codes=((Code.CIM10, "I48"), (Code.CIM10, "I480"))),
        ):
            writer.add(document)
        writer.finish()
    opened = SqlitePassageIndex([out])
    yield opened
    opened.close()


def _plan(index: SqlitePassageIndex, question: str) -> RetrievalPlan:
    return make_plan(understand(question, index, LEXICON), index, LEXICON)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("60000003", "60000003"),
        ("CIS 60000001", "RCP-60000001"),
        ("CIM-10 I48.0", "CIM10-I48"),
        ("item 232", "EDN-232"),
    ],
)
def test_a_code_leads_to_its_source(index: SqlitePassageIndex, text: str, identifier: str) -> None:
    (mention,) = index.mentions(text)
    assert identifier in mention.identifiers


def test_a_cip7_is_the_cip13_it_is_part_of(index: SqlitePassageIndex) -> None:
    by7, by13 = index.mentions("CIP 3595583"), index.mentions(CIP13)
    assert by7[0].identifiers == by13[0].identifiers != ()


def test_an_unknown_code_leads_nowhere(index: SqlitePassageIndex) -> None:
    assert index.mentions("CIS 12345678 et M04AA01") == ()


def test_two_hundred_records_do_not_push_the_rcp_out(index: SqlitePassageIndex) -> None:
    (mention,) = index.mentions("posologie de la zolixine")
    assert mention.identifiers[0] == "RCP-60000001"


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("CIM-10 I48", ("classification",)),
        ("que veut dire le code I48.0 ?", ("classification",)),
        (f"code CIP {CIP13}", ("composition et présentations",)),
    ],
)
def test_a_code_alone_has_its_own_section(
    index: SqlitePassageIndex, question: str, sections: tuple[str, ...]
) -> None:
    assert _plan(index, question).sections == sections


def test_an_item_is_searched_by_its_title(index: SqlitePassageIndex) -> None:
    subject = _plan(index, "physiopathologie de l’item 232").subject
    assert subject.concepts[-1].phrases == ("fibrillation inventee",)
    assert subject.entity_ids == ("EDN-232",)


@pytest.mark.parametrize(
    "question", ["CIS 12345678", "12345678 ?", "posologie du CIS 12345678", "CIP 3400930000000"]
)
def test_an_unknown_code_is_said_to_be_unknown_and_since_when(
    index: SqlitePassageIndex, question: str
) -> None:
    plan = _plan(index, question)
    assert plan.intent == UNKNOWN_CODE
    assert "fichier de 05/2026" in unknown_codes(question, index)


@pytest.mark.parametrize(
    "question", ["CIS 60000001", "appelez le 12345678 pour une angine", "code M04AA01"]
)
def test_other_questions_hold_no_unknown_drug_code(
    index: SqlitePassageIndex, question: str
) -> None:
    assert unknown_codes(question, index) == ""


def test_a_word_that_announces_a_code_is_no_acronym(index: SqlitePassageIndex) -> None:
    read = [understand(t, index, LEXICON).corrections for t in ("CIS 60000001", "un CIS du col")]
    assert [[c.original for c in corrections] for corrections in read] == [[], ["CIS"]]


@pytest.mark.parametrize(
    ("question", "identifiers"),
    [
        ("recommandation HAS de mars 2014 sur les zolites", ("HAS-1",)),
        ("reco HAS 2014 stimulateurs cardiaques", ("HAS-0",)),
        ("documents HAS de mars 2014", ("HAS-0", "HAS-1")),
        ("recommandation HAS de février 2014 sur les zolites", ()),
        ("recommandation HAS de mars 2014 sur la migraine", ()),
    ],
)
def test_a_document_is_found_by_its_date(
    index: SqlitePassageIndex, question: str, identifiers: tuple[str, ...]
) -> None:
    asked = asked_documents(question, index)
    assert asked is not None
    assert asked.identifiers == identifiers
    assert ("Aucun document" in asked.message) is not bool(identifiers)
    search = _plan(index, question).search
    assert search is not None
    assert search.identifiers == identifiers


@pytest.mark.parametrize("question", ["recommandation HAS sur les zolites", "ESC 2014 zolites"])
def test_no_date_or_no_publisher_names_no_document(
    index: SqlitePassageIndex, question: str
) -> None:
    assert asked_documents(question, index) is None


def test_an_atc_code_alone_is_answered_by_its_class_not_by_records(
    index: SqlitePassageIndex,
) -> None:
    assert _plan(index, "code ATC C01AA05").sections == ("classification",)
