"""Names by which a question may call a source, and the search for them in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Code, Silo
from ancremed_desktop.index.words import Token, folded_words, singular, tokens
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import STOP_WORDS

KINDS = ("substance", "drug", "class", "title")
"""Kinds of ``EntityMention`` by precedence: a name that is a DCI anywhere is a DCI."""

CODE = "code:"
"""Begins the kind of a row that is a code, found by look-up only and never in a text."""

MAX_NAME_TOKENS = 8
"""Longest name looked for in a text."""
MAX_STORED_TOKENS = 40
MAX_TEXT_TOKENS = 500

_CARD_KIND = "type de fiche"
_MIN_LETTERS = 3
_MIN_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """One row of ``source_names``; ``name`` and ``singular`` are folded tokens, space between.

    A code is its ``name``; its kind begins with ``CODE``.
    """

    name: str
    source_key: str
    kind: str
    label: str
    singular: str


def name_rows(source: Source) -> Iterator[NameRow]:
    """Every name of a source (its names, title and identifier) and every code, each once."""
    seen: set[str] = set()
    title = " ".join(folded_words(source.title)[:MAX_STORED_TOKENS])
    for label in (*source.names, source.title, source.source_identifier):
        parts = folded_words(label)[:MAX_STORED_TOKENS]
        name = " ".join(parts)
        if name in seen or not _is_telling(parts):
            continue
        seen.add(name)
        yield NameRow(
            name=name,
            source_key=source.key,
            kind=_kind(source, title, name, label),
            label=label,
            singular=" ".join(singular(p) for p in parts),
        )
    for code, value in dict.fromkeys(source.codes):
        key = code_key(value)
        yield NameRow(name=key, source_key=source.key, kind=code_kind(code), label="", singular=key)


def code_kind(code: Code) -> str:
    """Kind of the rows of a code."""
    return f"{CODE}{code}"


def code_key(value: str) -> str:
    """What a code is compared by."""
    return " ".join(fold(value).split())


def _is_telling(parts: Sequence[str]) -> bool:
    """Whether a name can be looked for without matching everywhere (« A », « 500 »)."""
    name = "".join(parts)
    if name.isdecimal():
        return len(name) >= _MIN_DIGITS
    return len(name) >= _MIN_LETTERS and any(p not in STOP_WORDS for p in parts)


def _kind(source: Source, title: str, name: str, label: str) -> str:
    card_kind = fold(dict(source.details).get(_CARD_KIND, ""))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """A run of tokens that may be a name: ``text[start:end]``, folded, with and without plurals."""

    start: int
    end: int
    name: str
    singular: str


def candidates(text: str, may_start: Callable[[Token], bool]) -> tuple[tuple[NameMatch, ...], ...]:
    """Runs of up to eight tokens that may be names, longest first, grouped by length."""
    found = tokens(text, MAX_TEXT_TOKENS)
    starts = [i for i, token in enumerate(found) if may_start(token)]
    groups = []
    for length in range(MAX_NAME_TOKENS, 0, -1):
        runs = [found[i : i + length] for i in starts if i + length <= len(found)]
        groups.append(
            tuple(
                NameMatch(
                    start=run[0].start,
                    end=run[-1].end,
                    name=" ".join(t.fold for t in run),
                    singular=" ".join(singular(t.fold) for t in run),
                )
                for run in runs
                if any(t.fold not in STOP_WORDS for t in run)
            )
        )
    return tuple(groups)
