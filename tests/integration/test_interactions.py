"""« X avec Y ? » from the question to the verified answer, over a built index."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes.thesaurus_files import write_thesaurus

from ancremed_desktop.corpus.ansm.read import read_ansm
from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo, TopicClass
from ancremed_desktop.domain.spans import Abstention, VerifiedAssertion
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.run import Engine, answer
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")


def _brand(
    cis: str, brand: str, *substances: str, form: str = "comprimé", route: str = "orale"
) -> SourceDocument:
    source = Source(
        key=f"bdpm:{cis}",
        silo=Silo.BDPM,
        title=f"{brand} 10 mg, {form}",
        source_identifier=cis,
        publisher="Essai",
        licence="CC0",
        regulatory_date="2026-05",
        names=(brand, *substances),
        codes=tuple((Code.SUBSTANCE, s) for s in substances),
    )
    passage = Passage(
        urn=f"urn:ancremed:bdpm:{cis}#identite",
        source_key=source.key,
        silo=Silo.BDPM,
        origin_title=source.title,
        source_identifier=cis,
        text=f"{brand}, {form}, voie d’administration\u00a0: {route} (fichier de mai 2026).",
        kind=PassageKind.RECORD,
    )
    return SourceDocument(source=source, passages=(passage,))


BRANDS = (
    _brand("60000001", "ZOLIBRA", "zolixine"),
    _brand("60000002", "SERENOL", "mélotane", "excipientine"),
    _brand("60000003", "TRIMEDOL", "inconnuline"),
    _brand("60000004", "ZOLIBIS", "zolixine"),
    _brand("60000005", "ZOLIDERM", "zolixine", form="crème", route="cutanée"),
    _brand("60000006", "ZOLIPERF", "zolixine", form="solution", route="cutanée et orale"),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlitePassageIndex]:
    folder = tmp_path_factory.mktemp("interactions")
    out = folder / "i.db"
    with IndexWriter(out) as writer:
        for item in read_ansm(write_thesaurus(folder / "ansm"), ignore_progress, CancelToken()):
            if isinstance(item, SourceDocument):
                writer.add(item)
        for brand in BRANDS:
            writer.add(brand)
        writer.finish()
    opened = SqlitePassageIndex([out])
    yield opened
    opened.close()


def _ask(index: SqlitePassageIndex, question: str) -> Answer:
    engine = Engine(
        index=index,
        lexicon=LEXICON,
        generator=ExtractiveGenerator(LEXICON.sections, lambda text: bool(index.mentions(text))),
        verifier=RuleVerifier(),
        calculate=lambda text: (),
    )
    return answer(question, engine, progress=ignore_progress, cancel=CancelToken())


def _shown(result: Answer) -> list[str]:
    return [s.anchored.quote for s in result.spans if isinstance(s, VerifiedAssertion)]


def _reasons(result: Answer) -> str:
    return " ".join(s.reason for s in result.spans if isinstance(s, Abstention))


@pytest.mark.parametrize(
    "question",
    [
        "zolixine avec bradivar ?",
        "Zolibra avec bradivar ?",
        "interaction zolixine bradivar",
        "peut-on associer zolixine et bradivar ?",
        "zolixine + bradivar",
        "bradivar et Zolibra",
        "bradivar et zolixine : que surveiller ?",
    ],
)
def test_a_pair_is_answered_whole_by_brand_or_substance(
    index: SqlitePassageIndex, question: str
) -> None:
    result = _ask(index, question)
    assert result.status is AnswerStatus.ANSWER
    assert result.plan.primary_class is TopicClass.PHARMACOLOGY
    assert result.plan.sections == ("interactions",)
    (text,) = _shown(result)
    assert "CONTRE-INDICATION" in text
    assert "Précaution d'emploi avec :\n- des doses =< 20 mg par jour" in text
    (source,) = result.sources
    assert source.source_identifier == "ANSM-bradivar_zolixine"
    assert source.regulatory_date == "2020-10-20"
    assert result.dropped == ()


def test_a_class_stands_for_its_members_and_says_why(index: SqlitePassageIndex) -> None:
    pair, filed = _shown(_ask(index, "Serenol avec Zolibra ?"))
    assert "ZOLIXINE + CALMANTS (SAUF OUBLIX)" in pair
    assert "« mélotane » relève de" in filed


def test_pairs_of_a_member_come_with_those_of_its_class(index: SqlitePassageIndex) -> None:
    shown = _shown(_ask(index, "calmants avec bradivar"))
    assert any("MELOTANE + BRADIVAR" in text for text in shown)


def test_three_drugs_are_looked_up_two_by_two(index: SqlitePassageIndex) -> None:
    result = _ask(index, "zolixine, bradivar et mélotane ensemble ?")
    heads = [t.splitlines()[0] for t in _shown(result) if t.startswith("Interaction listée")]
    assert len(heads) == 3
    assert "Absence" not in _reasons(result)


def test_no_listed_pair_is_an_abstention_never_a_permission(index: SqlitePassageIndex) -> None:
    result = _ask(index, "nulline avec bradivar ?")
    assert result.status is AnswerStatus.ABSTENTION
    reasons = _reasons(result)
    assert "Absence d’interaction listée dans le thésaurus de l’ANSM du 20/10/2020" in reasons
    assert "pas d’interaction" not in reasons.lower()


@pytest.mark.parametrize(
    "question",
    [
        "calmants avec nulline ?",  # a class
        "interactions entre nulline et calmants",
        "Serenol avec nulline ?",  # a brand one substance of which the thesaurus does not know
    ],
)
def test_absence_is_never_said_of_what_is_no_substance(
    index: SqlitePassageIndex, question: str
) -> None:
    result = _ask(index, question)
    assert result.status is AnswerStatus.ABSTENTION
    assert "Absence" not in _reasons(result)
    assert "Nommez la substance." in _reasons(result)


def test_a_drug_unknown_to_the_thesaurus_is_said(index: SqlitePassageIndex) -> None:
    reasons = _reasons(_ask(index, "Trimedol avec zolixine ?"))
    assert "Trimedol" in reasons
    assert "inconnu de l’index" in reasons
    assert "Absence d’interaction" not in reasons


def test_two_names_of_one_substance_are_said(index: SqlitePassageIndex) -> None:
    assert "même substance" in _reasons(_ask(index, "Zolibra avec Zolibis ?"))
    assert "même substance" not in _reasons(_ask(index, "Zolibra avec bradivar ?"))


def test_an_invented_drug_is_not_answered(index: SqlitePassageIndex) -> None:
    result = _ask(index, "Zorglubine avec zolixine ?")
    assert result.status is AnswerStatus.ABSTENTION
    assert "Zorglubine" in _reasons(result)


def test_a_pair_only_the_older_edition_lists_is_not_shown(index: SqlitePassageIndex) -> None:
    shown = _shown(_ask(index, "dormival avec zolixine ?"))
    assert all("DORMIVAL" not in text for text in shown)


def test_one_drug_lists_its_pairs_gravest_first(index: SqlitePassageIndex) -> None:
    result = _ask(index, "interactions de la zolixine")
    levels = [text.splitlines()[1] for text in _shown(result)]
    assert len(levels) == 3
    assert "CONTRE-INDICATION" in levels[0]
    assert "A prendre en compte" in levels[2]


def test_another_section_is_not_turned_into_interactions(index: SqlitePassageIndex) -> None:
    result = _ask(index, "posologie de la zolixine avec bradivar")
    assert "posologie" in result.plan.sections
    assert result.plan.subject.pairs == ()


def test_what_to_watch_of_two_drugs_without_a_pair_is_not_turned_into_one(
    index: SqlitePassageIndex,
) -> None:
    assert _ask(index, "nulline et bradivar : que surveiller ?").plan.subject.pairs == ()


def test_codes_lead_to_sources_and_back(index: SqlitePassageIndex) -> None:
    assert index.by_code(Code.SUBSTANCE, ["MÉLOTANE", "absente"]) == (
        "ANSM-substance_melotane",
        "60000002",
    )
    assert index.by_code(Code.PAIR, ["bradivar + melotane"]) == ("ANSM-bradivar_melotane",)
    assert index.codes_of("ANSM-bradivar_melotane", Code.SIDE) == ("bradivar", "melotane")
    assert index.by_code(Code.CIS, []) == ()
    with pytest.raises(ValueError, match="200"):
        index.by_code(Code.CIS, ["1"] * 201)


@pytest.mark.parametrize(
    "question", ["Zoliderm avec bradivar ?", "bradivar et Zoliderm", "zolixine crème et bradivar"]
)
def test_a_product_for_the_skin_alone_is_said_to_be_one(
    index: SqlitePassageIndex, question: str
) -> None:
    result = _ask(index, question)
    assert "CONTRE-INDICATION" in _shown(result)[0]
    assert "ne donne que la voie cutanée" in _reasons(result)
    assert "n’écarte pas l’interaction" in _reasons(result)


@pytest.mark.parametrize(
    "question",
    ["Zolibra avec bradivar ?", "Zoliperf avec bradivar ?", "zolixine avec bradivar ?"],
)
def test_other_products_are_not(index: SqlitePassageIndex, question: str) -> None:
    assert "cutanée" not in _reasons(_ask(index, question))


@pytest.mark.parametrize(
    "question", ["Serenol quelle classe ?", "à quelle famille est le mélotane"]
)
def test_a_class_that_is_asked_is_where_the_index_files_the_substance(
    index: SqlitePassageIndex, question: str
) -> None:
    result = _ask(index, question)
    (text,) = _shown(result)
    assert "la substance « mélotane » relève de" in text
    assert "- calmants (sauf oublix)" in text
    assert result.plan.sections == ("classification",)
    assert "pas lesquelles sont ses indications" in result.message


def test_a_substance_of_no_class_is_given_none(index: SqlitePassageIndex) -> None:
    assert _ask(index, "zolixine quelle classe ?").plan.sections != ("classification",)
