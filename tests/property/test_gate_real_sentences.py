"""Verbatim mode and stored bytes on ten thousand real sentences of the Transparency Committee."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from fakes.transparency import real_passages

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import AnchoredAssertion, DraftAssertion, DropReason
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.pipeline.attribute import GateContext, attribute
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.verify import verify
from ancremed_desktop.text.markers import unquotable_spans
from ancremed_desktop.text.matching import content_count, find_quotes
from ancremed_desktop.text.normalise import unsafe_characters
from ancremed_desktop.text.sentences import extend_to_sentences, sentence_spans

WANTED = 10_000


def draft(passage: Passage, text: str, subject: str) -> DraftAssertion:
    return DraftAssertion(
        section="avis",
        text=text,
        exact_source_quote=text,
        source_urn=passage.urn,
        subject_entity_id=subject,
        confidence_score=0.95,
    )


def sentences(shared: Path, wanted: int = WANTED) -> Iterator[tuple[Passage, str]]:
    count = 0
    for passage in real_passages(shared):
        for start, end in sentence_spans(passage.text):
            yield passage, passage.text[start:end]
            count += 1
            if count == wanted:
                return


def justified(reason: DropReason, passage: Passage, sentence: str) -> bool:
    """Whether a refused sentence has the property its refusal names."""
    if reason is DropReason.UNSAFE_TEXT:
        return bool(unsafe_characters(sentence))
    if reason is DropReason.QUOTE_TRIVIAL:
        tokens, content = content_count(sentence)
        return tokens < 3 or content < 2
    if reason is DropReason.NOT_QUOTABLE:
        return bool(unquotable_spans(passage.text))
    if reason is DropReason.SCHEMA:
        return len(sentence) > 2000
    if reason is DropReason.UNSURE:
        # The quote also stands in another sentence, or its end is not where the sentence ends:
        # the words shown would not be these words.
        found = find_quotes(passage.text, sentence)
        held = {passage.text[slice(*extend_to_sentences(passage.text, *f))] for f in found}
        return held != {sentence}
    return False


@pytest.mark.data
@pytest.mark.slow
def test_a_real_sentence_passes_under_its_own_subject_and_no_other(shared: Path) -> None:
    refused: Counter[DropReason] = Counter()
    wrong: list[str] = []
    total = 0
    others = [p.source_identifier for p, _ in zip(real_passages(shared), range(500), strict=False)]
    rng = random.Random(5)
    for passage, sentence in sentences(shared):
        total += 1
        context = GateContext(passages={passage.urn: passage}, known_names=lambda _t: ())
        spans, dropped = attribute((draft(passage, sentence, passage.source_identifier),), context)
        kept, rejected = verify(
            spans,
            RuleVerifier(),
            cancel=CancelToken(),
            paraphrase_allowed=False,
            timeout_s=60,
        )
        for drop in (*dropped, *rejected):
            refused[drop.reason] += 1
            if not justified(drop.reason, passage, sentence):
                wrong.append(f"{drop.reason}: {drop.detail} {sentence[:80]}")
        assert len(kept) + len(dropped) + len(rejected) == 1
        other = rng.choice([o for o in others if o != passage.source_identifier])
        spans, _ = attribute((draft(passage, sentence, other),), context)
        assert not spans
    assert total == WANTED
    assert not wrong, (len(wrong), wrong[:20])
    # Headings and « Sans objet. » are under three tokens; all else that is refused is rare.
    assert sum(refused.values()) - refused[DropReason.QUOTE_TRIVIAL] <= 0.01 * WANTED, refused


@pytest.mark.data
@pytest.mark.slow
def test_the_quote_shown_is_the_bytes_stored(shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    asked = list(sentences(shared, WANTED + WANTED // 4))
    with IndexWriter(path) as writer:
        for passage in {p.urn: p for p, _ in asked}.values():
            source = Source(
                key=passage.source_key,
                silo=passage.silo,
                title=passage.origin_title,
                source_identifier=passage.source_identifier,
                publisher="HAS",
                licence="Licence Ouverte",
            )
            writer.add(SourceDocument(source=source, passages=(passage,)))
        writer.finish()
    file = apsw.Connection(
        f"file:{path}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    stored = dict(file.execute("SELECT id, CAST(text_content AS BLOB) FROM documents"))
    file.close()
    shown = 0
    for number, (passage, sentence) in enumerate(asked):
        # Every other one is asked for with other spaces: what is shown is the source's writing.
        quote = re.sub(r"[ \n]+", "\u00a0 ", sentence) if number % 2 else sentence
        context = GateContext(passages={passage.urn: passage}, known_names=lambda _t: ())
        spans, _ = attribute((draft(passage, quote, passage.source_identifier),), context)
        for span in spans:
            assert isinstance(span, AnchoredAssertion)
            shown += 1
            raw = stored[passage.urn].decode("utf-8")
            assert span.quote.encode() in stored[passage.urn]
            assert span.quote == raw[span.char_start : span.char_end]
    assert shown >= WANTED
