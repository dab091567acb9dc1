"""Passages are slices of their page, whole sentences, one heading each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.corpus.chunking import MAX_WORDS, TextBlock, chunk_page
from ancremed_desktop.domain.identifiers import PassageKind


def page(*paragraphs: tuple[str, str, bool]) -> tuple[str, list[TextBlock]]:
    text, blocks = "", []
    for content, heading, _item in paragraphs:
        text += "\n\n" if text else ""
        blocks.append(TextBlock(start=len(text), end=len(text) + len(content), heading=heading))
        text += content
    return text, blocks


def sentence(number: int, words: int) -> str:
    return f"Phrase {number} " + "mot " * (words - 3) + "fin."


def test_windows_overlap_by_one_whole_sentence() -> None:
    text, blocks = page((" ".join(sentence(i, 20) for i in range(18)), "A", False))
    chunks = chunk_page(text, blocks)
    assert [c.text.split()[1] for c in chunks] == ["0", "5", "10", "15"]
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.start + len(chunk.text)]
        assert chunk.text.endswith("fin.")
        assert len(chunk.text.split()) <= MAX_WORDS
    assert "Phrase 5 " in chunks[0].text
    assert "Phrase 6 " not in chunks[0].text


def test_list_stays_with_its_introduction() -> None:
    items = [(f"• signe {i} " + "mot " * 12 + ";", "A", True) for i in range(8)]
    text, blocks = page((sentence(1, 110), "A", False), ("Il faut chercher :", "A", False), *items)
    chunks = chunk_page(text, blocks)
    holding = [c for c in chunks if "signe" in c.text]
    assert len(holding) == 1
    assert all(f"signe {i} " in holding[0].text for i in range(8))
    assert "Il faut chercher :" in holding[0].text


def test_headings_are_never_mixed() -> None:
    text, blocks = page((sentence(1, 30), "A", False), (sentence(2, 30), "B", False))
    assert [(c.heading, c.text) for c in chunk_page(text, blocks)] == [
        ("A", sentence(1, 30)),
        ("B", sentence(2, 30)),
    ]


def test_table_rows_are_not_cut() -> None:
    row = "Vaccin : ROR ; Doses : 2. Si besoin : 3"
    blocks = [TextBlock(start=0, end=len(row), kind=PassageKind.TABLE)]
    (chunk,) = chunk_page(row, blocks)
    assert (chunk.text, chunk.kind) == (row, PassageKind.TABLE)


@given(
    st.lists(
        st.tuples(st.integers(4, 90), st.sampled_from("AB"), st.booleans()), min_size=1, max_size=25
    )
)
def test_every_word_is_in_a_passage_and_every_passage_is_a_slice(
    shape: list[tuple[int, str, bool]],
) -> None:
    text, blocks = page(
        *[(sentence(i, words), heading, item) for i, (words, heading, item) in enumerate(shape)]
    )
    chunks = chunk_page(text, blocks)
    assert all(c.text == text[c.start : c.start + len(c.text)] for c in chunks)
    covered: set[int] = set()
    for chunk in chunks:
        covered.update(range(chunk.start, chunk.start + len(chunk.text)))
    assert all(i in covered for b in blocks for i in range(b.start, b.end))
    assert [c.start for c in chunks] == sorted(c.start for c in chunks)
