"""Which stretches of a stored text belong together: a list, and what announces it.

« Ne pas donner : » and its items say the contrary of the items alone. A *run* is a paragraph, or a
list behind its lead-in at every level. Lines keep their own marks (« • », « 1. ») and are indented
by two spaces a level where the source shows the level. Offsets are half-open, on the stored text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ancremed_desktop.text.announcing import (
    WITHHELD,
    excepts,
    forbids,
    is_ended,
    is_title,
    leads,
    limits,
    rules,
)
from ancremed_desktop.text.list_marks import Nesting, mark_class
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans

MAX_STATEMENT = 1800
"""Characters of one quote; the gate takes 2,000."""
_MIDDLE = re.compile(r"\S\s?:\s\S")
_CALL = re.compile(r"(?<=[\w.)%»])(?:\*{1,3}|[†‡]|[¹²³⁴⁵⁶⁷⁸⁹]|\s?\(\d\)|\[\d\])(?!\w)")
_NOTE = re.compile(r"(\*{1,3}|[†‡]|[¹²³⁴⁵⁶⁷⁸⁹]|\(\d\)|\[\d\])\s?(?=\w)")
Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A paragraph, or a list with what introduces it.

    ``parts``: ranges in order that cover it, between which alone it may be cut: sentences of a
    paragraph, whole items of a list, the first with the lead-in, which ends at ``lead``. ``alone``: each part says all
    by itself. ``introduced``: false when the text begins with items, or with an exception, whose
    lead-in stands elsewhere. ``whole``: its last part takes something back, and must be shown.
    """

    parts: tuple[Range, ...]
    lead: int = 0
    alone: bool = False
    introduced: bool = True
    whole: bool = False

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.parts[0][0]

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.parts[-1][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A range that may be quoted. ``introduced``, ``whole``: as of its run.

    ``parts``: its items, the first with the lead-in, which ends at ``lead`` (``start``: none).
    """

    start: int
    end: int
    introduced: bool
    lead: int
    parts: tuple[Range, ...]
    whole: bool = False


class Line(NamedTuple):
    """A line of a text. ``depth``: of an item in its list, from 0."""

    start: int
    end: int
    item: bool
    depth: int


@dataclass(frozen=True, slots=True)
class _Block:
    """A line, or a paragraph of several sentences. ``mark``: class of its list mark, or empty."""

    text: str
    start: int
    end: int
    indent: int
    mark: str
    spans: tuple[Range, ...]


@lru_cache(maxsize=1024)
def runs(text: str, heading: str = "") -> tuple[Run, ...]:
    """The runs of a text, in order; ``heading``: what stands above it, in the text or not."""
    blocks = _blocks(text)
    found: list[Run] = []
    position = 0
    while position < len(blocks):
        taken, position = _take(blocks, position, heading.rpartition(" > ")[2])
        for run in taken:
            _add(found, run, text)
    return tuple(found)


def statements(text: str, heading: str = "") -> tuple[Statement, ...]:
    """What may be quoted of a text, in order: sentences, and lists from their lead-in on.

    Of a list longer than ``MAX_STATEMENT`` the beginning; nothing when its end takes back what it
    says. Items that stand directly under a heading are ``introduced`` by it alone.
    """
    found: list[Statement] = []
    notes = _notes(text)
    for run in runs(text, heading):
        if is_omitted(run, text):
            continue
        if run.alone and not run.whole:
            found += [_statement(run, (part,)) for part in run.parts]
            continue
        fits = tuple(part for part in run.parts if part[1] - run.start <= MAX_STATEMENT)
        if fits and not (run.whole and len(fits) < len(run.parts)):
            found.append(_statement(run, fits))
    return tuple(s for s in found if _is_whole(text, s, notes))


def is_omitted(run: Run, text: str) -> bool:
    """Whether a run, or what announces it, is a text that could not be read."""
    return text.startswith(WITHHELD, run.start)


def _notes(text: str) -> dict[str, Range]:
    """The foot notes of a text by their mark: « * seulement en cas de dialyse »."""
    found: dict[str, Range] = {}
    for block in _blocks(text):
        mark = _NOTE.match(block.text)
        if mark:
            found.setdefault(mark[1], (block.start, block.end))
    return found


def _is_whole(text: str, statement: Statement, notes: Mapping[str, Range]) -> bool:
    """Whether a range holds what it calls for: the answer to its question, its foot notes."""
    shown = text[statement.start : statement.end]
    calls = {found[0].strip() for found in _CALL.finditer(shown)} if notes else set()
    return not shown.endswith("?") and all(
        statement.start <= notes[call][0] < statement.end for call in calls & notes.keys()
    )


def _statement(run: Run, parts: tuple[Range, ...]) -> Statement:
    start = parts[0][0]
    return Statement(
        start=start,
        end=parts[-1][1],
        introduced=run.introduced,
        lead=max(start, run.lead) if start == run.start else start,
        parts=parts,
        whole=run.whole,
    )


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of a text, in order; what goes on under an item is in it."""
    found: list[Line] = []
    nesting = Nesting()
    for block in _blocks(text):
        if block.mark:
            depth = nesting.depth(block.indent, block.mark)
            found.append(Line(block.start, block.end, item=True, depth=depth))
        elif found and found[-1].item and (block.indent or _goes_on(block)):
            found[-1] = found[-1]._replace(end=block.end)
        else:
            nesting = Nesting()
            found.append(Line(block.start, block.end, item=False, depth=0))
    return tuple(found)


def _blocks(text: str) -> tuple[_Block, ...]:
    groups: list[tuple[int, list[Range]]] = []
    for start, end in sentence_spans(text):
        line = text.rfind("\n", 0, start) + 1
        if groups and text[line:start].strip():
            groups[-1][1].append((start, end))
        else:
            groups.append((start - line, [(start, end)]))
    return tuple(
        _Block(
            text=text[spans[0][0] : spans[-1][1]],
            start=spans[0][0],
            end=spans[-1][1],
            indent=indent,
            mark=mark_class(text[spans[0][0] : spans[-1][1]]),
            spans=tuple(spans),
        )
        for indent, spans in groups
    )


def _take(blocks: Sequence[_Block], at: int, heading: str) -> tuple[list[Run], int]:
    """The runs that begin with a block, and the place of the next block."""
    block = blocks[at]
    titled = at == 0 and _same(block.text, heading)
    if block.mark and not titled:
        end = _list_end(blocks, at)
        return [_list(None, blocks[at:end])], end
    following = blocks[at + 1] if at + 1 < len(blocks) else None
    announced = leads(block.text) and following is not None and bool(following.mark)
    if (titled or _is_title(block)) and forbids(block.text) and following and not announced:
        end = _ruled_end(blocks, at, headed=titled)
        return [_list(block, blocks[at + 1 : end])], end
    if not following or not (leads(block.text) or following.mark):
        return ([] if titled else [_paragraph(block)]), at + 1
    end = _body_end(blocks, at)
    before = [_paragraph(block, block.spans[:-1])] if block.spans[1:] else []
    last = _Block(
        text=block.text[block.spans[-1][0] - block.start :],
        start=block.spans[-1][0],
        end=block.end,
        indent=block.indent,
        mark="",
        spans=block.spans[-1:],
    )
    return [*before, _list(last, blocks[at + 1 : end], titled=titled)], end


def _ruled_end(blocks: Sequence[_Block], at: int, *, headed: bool) -> int:
    """Where ends what a heading that forbids rules: at the next heading.

    One right under it is a level of it (« Contre-indications / Absolues / • … / Relatives ») and
    so is what follows it; where ``headed``, the passage says what it stands under by itself.
    """
    nested = _is_title(blocks[at + 1])
    if nested and not headed:
        return len(blocks)
    after = range(at + 1 + nested, len(blocks))
    return next((i for i in after if _is_title(blocks[i])), len(blocks))


def _list_end(blocks: Sequence[_Block], at: int) -> int:
    """Where a list ends that begins at ``at``: before the first block that is none of it."""
    end = at + 1
    while end < len(blocks):
        block = blocks[end]
        inside = block.mark or block.indent or _goes_on(block) or leads(blocks[end - 1].text)
        if not inside or _announces_anew(blocks, at, end):
            break
        end += 1
    return end


def _body_end(blocks: Sequence[_Block], at: int) -> int:
    """Where ends what the block ``at`` announces."""
    body = at + 1
    if blocks[body].mark:
        return _list_end(blocks, body)
    nested = leads(blocks[body].text)  # « Contre-indications : / Absolues : / - … / Relatives : »
    end, listed = body + 1, False
    while end < len(blocks):
        block = blocks[end]
        listed = listed or bool(block.mark)
        inside = block.mark or _goes_on(block) or leads(blocks[end - 1].text)
        titled = _is_title(block) and end + 1 < len(blocks) and bool(blocks[end + 1].mark)
        if not (
            inside or (nested and leads(block.text)) or not (listed or titled or _is_free(block))
        ):
            break
        end += 1
    return end


def _list(lead: _Block | None, body: Sequence[_Block], *, titled: bool = False) -> Run:
    """A list behind its lead-in. ``titled``: the lead-in is a mere heading."""
    parts, known = _parts(body)
    alone = (titled or lead is None) and known and all(map(_rules, body))
    starts = [body[part[0]].start for part in parts]
    ends = [body[part[1] - 1].end for part in parts]
    if lead is not None and not alone:
        starts[0] = lead.start
    return Run(
        parts=tuple(zip(starts, ends, strict=True)),
        lead=lead.end if lead is not None else 0,
        alone=alone,
        introduced=lead is not None,
        whole=any(excepts(block.text) for block in body),
    )


def _rules(block: _Block) -> bool:
    return bool(is_ended(block.text) and rules(block.text))


def _parts(body: Sequence[_Block]) -> tuple[list[Range], bool]:
    """Ranges of blocks, each an outermost item with all within it; whether levels are known.

    An item that announces something and is followed by its like holds it, for all one can see.
    """
    marked = [i for i, block in enumerate(body) if block.mark]
    nesting = Nesting()
    levels = {i: nesting.depth(body[i].indent, body[i].mark) for i in marked}
    starts = [0]
    known = True
    for i in range(1, len(body)):
        announced = leads(body[i - 1].text)
        known = known and not (announced and levels.get(i, 1) <= levels.get(i - 1, 0))
        within = levels.get(i, 0) > 0 or (i not in levels and bool(marked))
        if not (announced or within):
            starts.append(i)
    return list(zip(starts, [*starts[1:], len(body)], strict=True)), known


def _paragraph(block: _Block, spans: Sequence[Range] = ()) -> Run:
    """The sentences of a paragraph; what goes on with the one before stays with it."""
    parts: list[Range] = []
    announced = False
    for start, end in spans or block.spans:
        sentence = block.text[start - block.start : end - block.start]
        asked = bool(parts) and block.text[: parts[-1][1] - block.start].endswith("?")
        if parts and (asked or excepts(sentence) or (announced and not rules(sentence))):
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
            announced = bool(_MIDDLE.search(sentence))
    return Run(
        parts=tuple(parts),
        alone=True,
        introduced=not excepts(block.text),
    )


def _add(found: list[Run], run: Run, text: str) -> None:
    """Add a run; one that begins with an exception, or forbids after one that does not, is the end
    of the one before.
    """
    said = text[run.start : run.end]
    bounds = not run.lead and limits(said)  # « Ne pas donner : » opens a list of its own
    if not (found and (excepts(said) or (bounds and not limits(text[found[-1].start :])))):
        found.append(run)
        return
    last = found.pop()
    *before, end = last.parts
    found.append(
        Run(
            parts=(*before, (end[0], run.end)),
            lead=last.lead,
            alone=last.alone,
            introduced=last.introduced,
            whole=True,
        )
    )


def _announces_anew(blocks: Sequence[_Block], at: int, end: int) -> bool:
    """Whether a line that is no item begins another list: a sentence of its own, ending in a colon.

    « b) le lithium / Il peut être associé à : / a) … » is two lists; « Relatives : » is a level.
    """
    block = blocks[end]
    return (
        not block.mark
        and block.text[:1].isupper()
        and leads(block.text)
        and rules(block.text)
        and block.indent <= blocks[at].indent
    )


def _goes_on(block: _Block) -> bool:
    return not block.mark and (block.text[:1].islower() or excepts(block.text))


def _is_free(block: _Block) -> bool:
    """Whether a paragraph after an announcement is a sentence of its own for certain."""
    first = block.text[block.spans[0][0] - block.start : block.spans[0][1] - block.start]
    return bool(is_ended(block.text) and rules(first))


def _is_title(block: _Block) -> bool:
    return not block.mark and is_title(block.text)


def _same(line: str, heading: str) -> bool:
    return bool(heading) and fold(line).strip(" :") == fold(heading).strip(" :")
