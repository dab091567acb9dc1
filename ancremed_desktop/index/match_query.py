"""Turns the words of a request into FTS5 match text that no input can break.

    forms             made by          read by
    words of a query  query_words      expand
    groups of phrases expand           match_text, ranking.best_of_any
    match text        match_text       SQLite

Every token is quoted, so no operator of FTS5 (https://www.sqlite.org/fts5.html §3) is ever
interpreted. At most 64 terms and 2,000 characters are read: a long query cannot be interrupted.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence

from ancremed_desktop.domain.evidence import MatchMode
from ancremed_desktop.text.normalise import fold, nfc
from ancremed_desktop.text.words import INVERTED, STOP_WORDS

MAX_CHARACTERS = 2_000
MAX_TERMS = 64
MAX_VARIANTS = 12
"""Spellings tried for one word; a class with more is a class of rare misprints."""
MAX_PHRASES = 16
"""Combinations of spellings tried for one phrase."""
NEAR_TOKENS = 10

Phrase = tuple[str, ...]
Group = tuple[Phrase, ...]
"""Phrases that stand for one word of the user, the word itself first."""
Variants = Callable[[str], Sequence[str]]
"""Tokens of the vocabulary in the class of a word, the nearest first; empty: none."""

_GROUPED_DIGITS = r"\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?!\d)"
_WORD = re.compile(rf"{_GROUPED_DIGITS}|[^\W_]+(?:[-‐‑–+.,/][^\W_]+)*")
_TOKEN = re.compile(r"[^\W_]+")
_PREFIXES = (
    "anti|auto|beta|bêta|béta|broncho|cardio|dermo|gastro|hyper|hypo|immuno|inter|intra|extra|"
    "neuro|peri|péri|post|pre|pré|thrombo"
)
_PREFIXED = re.compile(rf"(?:{_PREFIXES})(?=[^\W\d_]{{5}})", re.IGNORECASE)
APART = re.compile(rf"\b({_PREFIXES})[ \u00a0\u202f](?=[^\W\d_]{{5}})", re.IGNORECASE)
"""A prefix written as a word of its own (« anti inflammatoire »)."""
_SAME_UNIT = {"µg": "mcg", "mcg": "µg"}
_ELISION = "'’"
_LONE_LETTERS_OF_SPEECH = frozenset("ay")


def quoted(token: str) -> str:
    """A token as an FTS5 string."""
    return '"' + token.replace('"', '""') + '"'


def query_words(query: str) -> tuple[Phrase, ...]:
    """Words of a query that carry meaning, each as the tokens FTS5 will cut it into.

    Stop words go. « type 2 », « vitamine D »: a lone letter or digit belongs to the word before.
    """
    text = INVERTED.sub(" ", _readable(query))
    found: list[Phrase] = []
    previous_end = -1
    for match in _WORD.finditer(text):
        tokens = tuple(_TOKEN.findall(match.group()))
        lone = len(match.group()) == 1
        elided = text[match.end() : match.end() + 1] in tuple(_ELISION)
        if lone and not elided and fold(tokens[0]) not in _LONE_LETTERS_OF_SPEECH:
            if previous_end == match.start() - 1 and found:
                found[-1] = (*found[-1], *tokens)
                previous_end = -1
                continue
            if fold(tokens[0]) in STOP_WORDS:
                continue
        if _is_stop_word(match.group()):
            previous_end = -1
            continue
        if tokens not in found:
            found.append(tokens)
        previous_end = match.end() if found[-1] == tokens else -1
    return _within_limit(found)


def all_tokens(query: str) -> Phrase:
    """Every token of a query in order, stop words included: the words of a phrase search."""
    return tuple(_TOKEN.findall(_readable(query))[:MAX_TERMS])


def _readable(query: str) -> str:
    """Composed text, cut; an apostrophe that Unicode calls a letter would join two words."""
    return nfc(query[:MAX_CHARACTERS]).replace("ʼ", "'")


def expand(word: Phrase, variants: Variants) -> Group:
    """Phrases that stand for a word: itself, its spellings, joined (« bêta-bloquant »,
    « 10 000 ») and cut (« 10000 », « antiinflammatoire »), and « mcg » for « µg ».
    """
    phrases = list(_spellings(word, variants))
    if len(word) > 1:
        phrases += [(token,) for token in variants("".join(word))]
    elif word[0].isdecimal() and word[0].isascii() and len(word[0]) > 3:
        phrases.append(_in_thousands(word[0]))
    elif fold(word[0]) in _SAME_UNIT:
        phrases += [(token,) for token in variants(_SAME_UNIT[fold(word[0])])]
    elif prefix := _PREFIXED.match(word[0]):
        phrases += _spellings((prefix[0], word[0][prefix.end() :]), variants)
    return tuple(dict.fromkeys(phrases))


def match_text(groups: Sequence[Group], mode: MatchMode, require: Sequence[Group]) -> str:
    """FTS5 match text: the groups combined as ``mode`` says, and one of ``require``."""
    if mode is MatchMode.NEAR and len(groups) > 1:
        combined = _near(groups)
    else:
        joiner = " OR " if mode is MatchMode.ANY else " AND "
        combined = joiner.join(f"({any_of(g)})" for g in groups)
    if not require:
        return combined
    return f"({combined}) AND ({' OR '.join(any_of(g) for g in require)})"


def any_of(group: Iterable[Phrase]) -> str:
    """Match text of one group."""
    return " OR ".join(phrase_text(p) for p in group)


def phrase_text(phrase: Phrase) -> str:
    """Match text of one phrase: its tokens next to each other."""
    return quoted(" ".join(phrase))


def phrase_group(tokens: Phrase, variants: Variants) -> Group:
    """A whole query as one phrase, with the spellings of its words."""
    return tuple(_spellings(tokens, variants))


def _near(groups: Sequence[Group]) -> str:
    combinations = itertools.islice(itertools.product(*groups), MAX_PHRASES)
    return " OR ".join(
        f"NEAR({' '.join(phrase_text(p) for p in phrases)}, {NEAR_TOKENS})"
        for phrases in combinations
    )


def _spellings(word: Phrase, variants: Variants) -> Iterable[Phrase]:
    """Combinations of the spellings of each token; a token out of the vocabulary stays."""
    choices = [tuple(variants(token))[:MAX_VARIANTS] or (token,) for token in word]
    return itertools.islice(itertools.product(*choices), max(MAX_PHRASES, MAX_VARIANTS))


def _is_stop_word(word: str) -> bool:
    folded = fold(word)
    return folded in STOP_WORDS or all(t in STOP_WORDS for t in _TOKEN.findall(folded))


def _in_thousands(digits: str) -> Phrase:
    head = len(digits) % 3
    cut = [digits[:head]] if head else []
    return tuple(cut + [digits[i : i + 3] for i in range(head, len(digits), 3)])


def _within_limit(words: Sequence[Phrase]) -> tuple[Phrase, ...]:
    kept: list[Phrase] = []
    terms = 0
    for word in words:
        terms += len(word)
        if terms > MAX_TERMS:
            break
        kept.append(word)
    return tuple(kept)
