"""Whatever a card file holds, the reader names it and goes on; it never breaks."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.corpus.cards.read import read_cards
from ancremed_desktop.domain.documents import Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _adds_up(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(content)
        items = list(read_cards(Path(folder), ignore_progress, CancelToken()))
    tally = items[-1]
    assert isinstance(tally, Tally)
    assert tally.kept == sum(isinstance(i, SourceDocument) for i in items)
    assert tally.refused == sum(isinstance(i, Refusal) for i in items)
    assert tally.read == tally.kept + tally.refused == len(items) - 1


@given(st.binary(max_size=300))
def test_any_bytes_are_a_named_refusal(content: bytes) -> None:
    _adds_up("a.md", content)
    _adds_up("a.json", content)


@given(st.text(max_size=300))
def test_any_header_and_body_are_a_named_refusal(text: str) -> None:
    _adds_up("a.md", f"+++\n{text}\n+++\n## posologie\n{text}".encode("utf-8", "replace"))


@given(st.lists(JSON_VALUES, max_size=5))
def test_any_list_of_documents_is_counted(records: list[object]) -> None:
    _adds_up("a.json", json.dumps({"documents": records}).encode())
