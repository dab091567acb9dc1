"""Which passages are named beside an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.meaning import no_meaning
from ancremed_desktop.pipeline.nearby import nearby
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
LEADS = passage("HAS-sonde", "Stimulateurs", "", "Déplacement des sondes : 1,1 à 6 %.", Silo.HAS)


class _Covered(MemoryIndex):
    """Every passage holds the same share of any question."""

    coverage = 1.0

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        found = self._passages.values()
        return tuple(SearchHit(passage=p, score=1.0, coverage=self.coverage) for p in found)


def _named(status: AnswerStatus, coverage: float, *passages: Passage) -> list[str]:
    index = _Covered(passages)
    index.coverage = coverage
    question = understand("déplacement des sondes", index, LEXICON)
    answer = Answer(
        status=status, question=question, plan=make_plan(question, index, LEXICON), spans=(),
        dropped=(), sources=(), calculations=(), rounds=(), timings_ms=(), index=None,
    )  # fmt: skip
    return [p.source_identifier for p in nearby(answer, index, LEXICON, no_meaning)]


@pytest.mark.parametrize(
    ("status", "coverage", "expected"),
    [
        (AnswerStatus.ABSTENTION, 0.6, ["HAS-sonde"]),
        (AnswerStatus.ABSTENTION, 0.59, []),
        (AnswerStatus.REFUSED, 0.75, ["HAS-sonde"]),
        (AnswerStatus.REFUSED, 0.7, []),
        (AnswerStatus.CONVERSATION, 1.0, []),
    ],
)
def test_a_passage_must_hold_enough_of_the_question(
    status: AnswerStatus, coverage: float, expected: list[str]
) -> None:
    assert _named(status, coverage, LEADS) == expected


def test_labels_and_what_is_replaced_are_not_named() -> None:
    label = replace(LEADS, urn="u:1", source_identifier="CIM10-T82", source_key="edn:CIM10-T82")
    old = replace(LEADS, urn="u:2", source_key="has:old", superseded=True)
    assert _named(AnswerStatus.ABSTENTION, 1.0, label, old, LEADS) == ["HAS-sonde"]


def test_objectives_of_one_item_are_named_once_and_three_passages_at_most() -> None:
    objectives = [
        replace(LEADS, urn=f"u:o{n}", heading=f"Objectif {n}", kind=PassageKind.OBJECTIVE)
        for n in range(3)
    ]
    others = [replace(LEADS, urn=f"u:{n}", page_number=n) for n in range(1, 5)]
    assert len(_named(AnswerStatus.ABSTENTION, 1.0, *objectives)) == 1
    assert len(_named(AnswerStatus.ABSTENTION, 1.0, *others)) == 3
