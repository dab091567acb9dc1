"""Rows of a table: the case asked before narrower ones, and each quotable as the gate reads it."""

from __future__ import annotations

from dataclasses import replace

from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.pipeline.focus import narrowness
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.sentences import sentence_spans

LEXICON = load_lexicon(RESOURCES / "lexicons")
GENERAL = "Pathologie : Fibrose testique adulte ; Durée du traitement antibiotique : 7 jours"
BITE = (
    "Pathologie : Fibrose testique adulte après morsure ; Durée du traitement antibiotique : "
    "9 jours"
)


def _table(*rows: str, between: str = "\n\n") -> MemoryIndex:
    found = passage("HAS-1", "Infections testiques", "", between.join(rows), Silo.HAS)
    return MemoryIndex(
        [replace(found, kind=PassageKind.TABLE)], names={"fibrose testique": ("HAS-1",)}
    )


def _quotes(index: MemoryIndex, raw: str) -> list[str]:
    plan = make_plan(understand(raw, index, LEXICON), index, LEXICON)
    (table,) = index.passages_of("HAS-1")
    found = quotable(table, "posologie", LEXICON.sections["posologie"], plan.subject, widened=True)
    return [table.text[q.start : q.end] for q in found]


def test_the_row_of_the_case_asked_comes_before_that_of_a_narrower_one() -> None:
    index = _table(BITE, GENERAL)
    assert _quotes(index, "combien de jours d’antibiotique fibrose testique") == [GENERAL, BITE]


def test_a_row_of_the_narrower_case_is_near_to_a_question_about_it() -> None:
    index = _table(BITE)
    (table,) = index.passages_of("HAS-1")
    near, far = (
        narrowness(table, make_plan(understand(raw, index, LEXICON), index, LEXICON).subject)
        for raw in ("fibrose testique après morsure", "fibrose testique")
    )
    assert near < far


def test_rows_that_a_line_end_alone_divides_are_one_sentence_for_the_gate() -> None:
    index = _table(GENERAL, BITE, between="\n")
    (table,) = index.passages_of("HAS-1")
    spans = {table.text[start:end].strip() for start, end in sentence_spans(table.text)}
    assert set(_quotes(index, "combien de jours d’antibiotique fibrose testique")) <= spans
