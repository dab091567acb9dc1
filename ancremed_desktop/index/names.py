"""Names by which a question may call a source, and the search for them in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Code, Silo
from ancremed_desktop.index.words import folded_words, singular, tokens
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import STOP_WORDS

KINDS = ("substance", "drug", "class", "title")
"""Kinds of ``EntityMention`` by precedence: a name that is a DCI anywhere is a DCI. An index keeps
their places, here and below: new ones go to the end.
"""
CODES = (
    Code.CIS, Code.CIP, Code.ATC, Code.CIM10, Code.ITEM, Code.SUBSTANCE, Code.ENTRY, Code.MEMBER,
    Code.PAIR, Code.SIDE, Code.HEAD,
)  # fmt: skip

MAX_NAME_TOKENS = 8
"""Longest name looked for in a text."""
MAX_STORED_TOKENS = 40
MAX_TEXT_TOKENS = 500

OF_PLURALS = ("class", "title")
_CARD_KIND = "type de fiche"
_MIN_LETTERS = 3
_MIN_DIGITS = 6


TITLE, IDENTIFIER = -1, -2
"""Labels of a name that is not one of the names of its source."""


class NameRow(NamedTuple):
    """One row of ``source_names``; ``name`` and ``singular`` are folded tokens, space between.

    ``kind``: place in ``KINDS``. ``label``: place of the name in the names of the source,
    ``TITLE`` or ``IDENTIFIER``. ``singular``: only where a plural may stand for the name and it
    differs.
    """

    name: str
    kind: int
    label: int
    singular: str | None


def name_rows(source: Source) -> Iterator[NameRow]:
    """Every name of a source (its names, title and identifier), each once."""
    seen: set[str] = set()
    title = " ".join(folded_words(source.title)[:MAX_STORED_TOKENS])
    own = (TITLE, source.title), (IDENTIFIER, source.source_identifier)
    card_kind = fold(dict(source.details).get(_CARD_KIND, ""))
    for place, label in (*enumerate(source.names), *own):
        parts = folded_words(label)[:MAX_STORED_TOKENS]
        name = " ".join(parts)
        if name in seen or not _is_telling(parts):
            continue
        seen.add(name)
        kind = _kind(source, card_kind, title, name, label)
        plain = " ".join(singular(p) for p in parts) if kind in OF_PLURALS else name
        yield NameRow(
            name=name,
            kind=KINDS.index(kind),
            label=place,
            singular=None if plain == name else plain,
        )


def code_rows(source: Source) -> Iterator[tuple[str, int]]:
    """Every code of a source as it is compared, with the place of its kind, each once."""
    found = ((code_key(value), CODES.index(code)) for code, value in source.codes)
    return iter(dict.fromkeys(found))


def code_key(value: str) -> str:
    """What a code is compared by."""
    return " ".join(fold(value).split())


def _is_telling(parts: Sequence[str]) -> bool:
    """Whether a name can be looked for without matching everywhere (« A », « 500 »)."""
    name = "".join(parts)
    if name.isdecimal():
        return len(name) >= _MIN_DIGITS
    return len(name) >= _MIN_LETTERS and any(p not in STOP_WORDS for p in parts)


def _kind(source: Source, card_kind: str, title: str, name: str, label: str) -> str:
    if source.silo is Silo.BDPM and not card_kind:
        # A record is titled by its full name, which starts with the brand; the rest is DCI.
        is_brand = title.startswith(name) or label == source.source_identifier
        return "drug" if is_brand else "substance"
    if card_kind == "classe":
        return "class"
    if card_kind == "medicament":
        # « Paracétamol (DOLIPRANE 1000 mg) »: the title of a card opens with the DCI.
        return "substance" if title.startswith(name) and name != title else "drug"
    return "title"


class NameMatch(NamedTuple):
    """A run of tokens that may be a name: ``text[start:end]``, folded, with and without plurals."""

    start: int
    end: int
    name: str
    singular: str


def candidates(text: str, may_begin: Callable[[str], bool]) -> tuple[NameMatch, ...]:
    """Runs of up to eight tokens that may be names, longest first, then as they stand.

    ``may_begin``: whether some name, or its singular, begins with these words.
    """
    found = tokens(text, MAX_TEXT_TOKENS)
    runs = []
    for start, first in enumerate(found):
        name = plain = ""
        telling = False
        for length, token in enumerate(found[start : start + MAX_NAME_TOKENS]):
            name = f"{name} {token.fold}" if length else token.fold
            plain = f"{plain} {singular(token.fold)}" if length else singular(token.fold)
            if not (may_begin(name) or (plain != name and may_begin(plain))):
                break
            telling = telling or token.fold not in STOP_WORDS
            if telling:
                match = NameMatch(start=first.start, end=token.end, name=name, singular=plain)
                runs.append((-length, match))
    return tuple(match for _, match in sorted(runs, key=lambda run: run[0]))
