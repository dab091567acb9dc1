"""A part of a list, a table or a card's section is counted, a whole one is not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind, Silo, TopicClass
from ancremed_desktop.domain.plans import PlanMode, Question, RetrievalPlan, Subject
from ancremed_desktop.domain.spans import AnchoredAssertion, DraftAssertion, VerifiedAssertion
from ancremed_desktop.pipeline.extent import partial_lists
from ancremed_desktop.services.export import answer_to_json, answer_to_text
from ancremed_desktop.services.page import answer_to_html

TABLE = "Âge : 2 ans ; Dose : 5 mg\n\nÂge : 6 ans ; Dose : 10 mg\n\nÂge : 9 ans ; Dose : 15 mg"
LIST = "Rechercher :\n- une fièvre\n- une toux <b>grasse</b>\n- une dyspnée"


def _quote(source: Passage, text: str, section: str = "signes") -> VerifiedAssertion:
    start = source.text.index(text)
    draft = DraftAssertion(
        section=section,
        text=text,
        exact_source_quote=text,
        source_urn=source.urn,
        subject_entity_id=source.source_identifier,
        confidence_score=1.0,
    )
    anchored = AnchoredAssertion(
        draft=draft, passage=source, char_start=start, char_end=start + len(text)
    )
    return VerifiedAssertion(anchored=anchored, verifier="essai", verbatim=True)


def _guideline(text: str, kind: PassageKind, start: int = 0) -> Passage:
    own = passage("HAS-x", "Fièvre", "", text, Silo.HAS)
    return replace(own, urn=f"{own.urn}{start}", kind=kind, page_number=3, char_start=start)


def _labels(index: MemoryIndex, *spans: VerifiedAssertion) -> list[tuple[int, str]]:
    return [(p.span, p.label.replace("\u00a0", " ")) for p in partial_lists(spans, index)]


def test_rows_of_a_table_are_counted_at_the_last_one_shown() -> None:
    table = _guideline(TABLE, PassageKind.TABLE)
    rows = TABLE.split("\n\n")
    index = MemoryIndex([table])
    assert _labels(index, _quote(table, rows[0]), _quote(table, rows[2])) == [
        (1, "2 lignes du tableau sur 3")
    ]
    assert _labels(index, *(_quote(table, row) for row in rows)) == []
    assert _labels(index, _quote(table, rows[1])) == [(0, "1 ligne du tableau sur 3")]


def test_two_tables_of_a_page_are_counted_apart() -> None:
    other = "Poids : 20 kg ; Dose : 5 mg\n\nPoids : 30 kg ; Dose : 10 mg"
    table = _guideline(f"{TABLE}\n\n{other}", PassageKind.TABLE)
    spans = [_quote(table, row) for row in other.split("\n\n")]
    assert _labels(MemoryIndex([table]), *spans) == []


def test_a_list_goes_on_in_the_next_passage() -> None:
    one = _guideline(LIST, PassageKind.PROSE)
    rest = "- une dyspnée\n- un frisson\n- une sueur"
    two = _guideline(rest, PassageKind.PROSE, start=LIST.index("- une dyspnée"))
    prose = _guideline("Le repos est conseillé.", PassageKind.PROSE, start=500)
    index = MemoryIndex([one, two, prose])
    assert _labels(index, _quote(one, LIST)) == [(0, "3 éléments sur 5")]
    assert _labels(index, _quote(one, LIST), _quote(two, rest)) == []
    assert _labels(index, _quote(prose, prose.text)) == []


def test_a_section_of_a_card_is_counted_under_its_own_name_only() -> None:
    card = passage("T-1", "Fièvre", "signes", "La fièvre frissonne.\nElle fatigue le malade.")
    index = MemoryIndex([card])
    assert _labels(index, _quote(card, "La fièvre frissonne.")) == [(0, "1 élément sur 2")]
    assert _labels(index, _quote(card, "La fièvre frissonne.", "gravité")) == []


@pytest.fixture
def answer() -> Answer:
    table, listed = _guideline(TABLE, PassageKind.TABLE), _guideline(LIST, PassageKind.PROSE, 900)
    index = MemoryIndex([table, listed])
    spans = (_quote(table, TABLE.split("\n\n", maxsplit=1)[0]), _quote(listed, LIST))
    return Answer(
        status=AnswerStatus.ANSWER,
        question=Question(raw="Fièvre <script> ?", text="Fièvre ?"),
        plan=RetrievalPlan(
            primary_class=TopicClass.SEMIOLOGY,
            mode=PlanMode.TARGETED,
            sections=("signes",),
            subject=Subject(label="fièvre", words=("fièvre",)),
            sub_queries=(),
            silos=(),
        ),
        spans=spans,
        dropped=(),
        sources=(index.source(table.source_key),),
        calculations=(),
        rounds=(),
        timings_ms=(),
        index=index.identity(),
        partial=partial_lists(spans, index),
    )


def test_counts_rows_and_items_are_shown_everywhere(answer: Answer) -> None:
    text = answer_to_text(answer).replace("\u00a0", " ")
    assert "  • Âge : 2 ans ; Dose : 5 mg [1, p. 3]\n    (1 ligne du tableau sur 3)\n" in text
    assert "  • Rechercher :\n      – une fièvre\n      – une toux <b>grasse</b>\n" in text
    spans = json.loads(answer_to_json(answer))["spans"]
    assert spans[0]["shown_of_list"] == ["1\u00a0ligne du tableau sur 3"]
    assert "shown_of_list" not in spans[1]
    page = answer_to_html(answer)
    assert "<b>Âge</b> : 2 ans<br><b>Dose</b> : 5 mg" in page
    assert "1\u00a0ligne du tableau sur 3" in page
    assert "<li>une toux &lt;b&gt;grasse&lt;/b&gt;</li><li>une dyspnée</li>" in page
    assert "<script" not in page
