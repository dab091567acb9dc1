"""Words of a text and the clauses they form, each ruled by one predicate."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ancremed_desktop.text.normalise import fold

_LEX = re.compile(
    r"\d+(?:[.,]\d+)*|[^\W_](?:[^\W_\d]|(?<=[A-Za-z])\d|[\u0300-\u036f\u00ad\u200b-\u200d])*"
)


_ENDS_CLAUSE = re.compile(r"[.;:!?\n]")
_ENDS_SENTENCE = re.compile(r"[.!?\n]")
_SOFT_BREAK = re.compile(r"(?<=[^\W\d_])[-‐‑\u00ad][ \t]*\n[ \t]*(?=[^\W\d_])")


class Word(NamedTuple):
    """A folded word; ``text[start:end]`` is its origin, ``gap`` what stands before it."""

    key: str
    start: int
    end: int
    gap: str


class Role(StrEnum):
    """What a word is in its clause."""

    CORE = "core"
    CONDITION = "condition"
    EXCEPTION = "exception"
    REASON = "reason"


@dataclass(slots=True)
class Chunk:
    """A stretch ruled by one predicate: words ``start:end`` of the reading.

    ``sign``: -1 when the predicate is denied or forbidden. ``only``: index of the « que » or
    restrictive word, -1 for none. ``heads``: the chunk is a heading of the next ones (colon).
    ``announces``: the next ones are items of a list that it rules.
    """

    start: int
    end: int
    sentence: int
    sign: int = 1
    only: int = -1
    heads: bool = False
    forbidden: bool = False
    aside: bool = False
    announces: bool = False
    frames: tuple[int, ...] = ()


@dataclass(slots=True)
class Reading:
    """Words of a text with their chunk, role and local sign (-1: absent, excepted).

    ``keys``: the folded words alone.

    ``marks``: words spent on polarity itself (« ne », « pas », « contre-indiqué », « sauf »).
    """

    text: str
    words: tuple[Word, ...]
    keys: list[str]
    chunks: list[Chunk]
    chunk_of: list[int]
    role: list[Role]
    local: list[int]
    marks: set[int] = field(default_factory=set)


NEGATIVES = frozenset("pas plus jamais aucun aucune guere rien ni nul nulle personne point".split())


_NEW_CLAUSE = frozenset(
    "mais or tandis cependant toutefois neanmoins puis dont lesquels lesquelles".split()
)


_LEADING = frozenset(
    "en pour chez dans sous avec apres avant a si lors lorsque quand pendant au entre sans "
    "devant des selon au aux face hors sauf".split()
)


_PRONOUNS = frozenset("il elle ils elles on".split())


def read_words(text: str) -> tuple[Word, ...]:
    """Folded words of ``text``; elided articles and hyphen parts are words of their own.

    Words cut by a hyphen at a line end are put together again.
    """
    words: list[Word] = []
    breaks = {m.start(): m.end() for m in _SOFT_BREAK.finditer(text)} if "\n" in text else {}
    last = 0
    for match in _LEX.finditer(text):
        start, end = match.span()
        key = fold(match.group())
        if words and breaks.get(last) == start:
            head = words.pop()
            words.append(Word(head.key + key, head.start, end, head.gap))
        else:
            words.append(Word(key, start, end, text[last:start]))
        last = end
    return tuple(words)


_INFINITIVE = re.compile(
    r"(?!cancer|ulcer|cathet|premier|dernier|entier|particul|regul|hier|hiver|amer|chambre|ordre"
    r"|autre|contre|centre|titre|litre|metre|ventre)[a-z]{2,}(?:er|ir|dre|tre|[^aor]ire)$"
)


def _infinitive(word: str) -> bool:
    """Whether a word has the form of an infinitive; « intramusculaire », « orale » have not."""
    return len(word) > 4 and bool(_INFINITIVE.match(word))


def _new_chunk(
    words: tuple[Word, ...],
    start: int,
    i: int,
    negative_infinitive: bool,
) -> bool:
    """Whether word ``i`` begins a clause after the one from ``start``."""
    gap, key = words[i].gap, words[i].key
    after = words[i + 1].key if i + 1 < len(words) else ""
    if _ENDS_CLAUSE.search(gap) or key in _NEW_CLAUSE or ("(" in gap and _infinitive(key)):
        return True
    if "," in gap and any(w.key == "etant" for w in words[i + 1 : i + 5]):
        return True
    if key == "alors" and after in {"que", "qu"}:
        return True
    # A phrase before the subject (« En monothérapie, on ») is no clause.
    leading = words[start].key in _LEADING
    if "," in gap and (key in {"ne", "n", "pas", "jamais"} or (key in _PRONOUNS and not leading)):
        return True
    if "," in gap and key == "et":
        return (
            after in {"ne", "n", "pas", "de", "d"} or after in _PRONOUNS or _own_verb(words, i + 1)
        )
    # A condition may still be open (« s'il échoue ou n'est pas toléré, … »).
    given = key in {"et", "ou"} and _given(words, start, i)
    if key == "et" and not given and _denied_apart(words, i, start):
        return True
    if key in {"et", "ou"}:
        return (after in {"ne", "n", "pas", "ni"} and not given) or (
            negative_infinitive and _infinitive(after)
        )
    return "," in gap and negative_infinitive and _infinitive(key)


_IF = frozenset("si s lorsque lorsqu quand".split())


def _given(words: tuple[Word, ...], start: int, end: int) -> bool:
    """Whether a clause that begins with « si » has met no comma yet.

    So has « … si le patient tolère et n'a pas de fièvre »: what the case has not.
    """
    if words[end + 1 : end + 2] and words[end + 1].key == "n" and _has_not(words, end + 1):
        later = next((i for i in range(end, start, -1) if "," in words[i].gap), start)
        return any(w.key in _IF - {"s"} for w in words[later:end])
    return words[start].key in _IF and not any("," in w.gap for w in words[start + 1 : end + 1])


def _has_not(words: tuple[Word, ...], start: int) -> bool:
    return [w.key for w in words[start : start + 3]] in _HAS_NOT


_HAS_NOT = (["n", "a", "pas"], ["n", "ont", "pas"])
_MAY_PART = frozenset(".;:!?\n(,")
"""Marks at which a clause may end; without any only some words begin one."""
_MAY_BEGIN = _NEW_CLAUSE | {"alors", "et", "ou"}


_PARTICIPLE = re.compile(r"[a-z]{3,}(?:ee?s?|ie?s?|ue?s?|ant|ise?s?)$")


def _leads(words: tuple[Word, ...], start: int, end: int) -> bool:
    """« Utilisée seule, elle … », « Au début, pas de … »: what holds for what follows."""
    if "," not in words[end].gap:
        return False
    if words[end].key in {"pas", "jamais", "ne", "n"}:
        return words[start].key in _LEADING and end - start < 2 * _LEAD
    if words[end].key not in _PRONOUNS:
        return False
    return end - start < _LEAD and bool(_PARTICIPLE.fullmatch(words[start].key))


_LEAD = 6
"""Words a participle and what goes with it may take up before the pronoun."""


def _denied_apart(words: tuple[Word, ...], i: int, start: int) -> bool:
    """« A ne s'écrase pas et B ne s'ouvre pas », « … et elle doit être évitée ».

    « A et B ne s'écrasent pas » is one clause.
    """
    if words[i + 1 : i + 2] and words[i + 1].key in _PRONOUNS:
        return True
    if not any(w.key in _PREDICATES for w in words[start:i]):
        return False
    for at, word in enumerate(words[i + 1 : i + _SUBJECT], i + 1):
        if re.search(r"[,;:.()]", word.gap) or word.key in _LINKED:
            return False
        if word.key == "ne" or (
            word.key == "n" and words[at + 1 : at + 2] and "'" in _plain(words[at + 1].gap)
        ):
            return at > i + 1
    return False


def _plain(gap: str) -> str:
    return gap.replace("’", "'")


_SUBJECT = 9
"""Words within which the « ne » of a second subject must come."""
_LINKED = frozenset("que qu qui dont si s ou et ni pour sans lorsque quand".split())
_PREDICATES = frozenset(
    "est sont doit doivent peut peuvent sera seront reste restent ne se s ont faut devient "
    "donne donnent prend prennent recoit recoivent augmente augmentent diminue diminuent baisse "
    "baissent impose imposent expose exposent permet permettent debute commence cesse provoque "
    "entraine necessite justifie evite evitent convient suffit arrete poursuit interdit".split()
)
"""Verbs and signs of a verb, by which « A … et B ne … » is two clauses."""
_FINITE = frozenset("est sont doit doivent peut peuvent sera seront reste restent".split())


def _own_verb(words: tuple[Word, ...], i: int) -> bool:
    """« …, et les autres sont laissés assis »: a subject with its verb before the next comma."""
    for word in words[i : i + 12]:
        if re.search(r"[,;:.()]", word.gap):
            return False
        if word.key in _FINITE:
            return True
    return False


_ITEM = re.compile(r"\n\s*[-–—‒−•·▪■●○◦‣*►➢✓□]\s*$")


def _list_lead(gap: str, chunks: list[Chunk], listed: list[int]) -> list[int]:
    """What announces the item of a list after ``gap``: « À éviter chez : » holds for each item."""
    if not _ITEM.search(gap):
        return listed if "\n" not in gap else []
    if ":" not in gap:
        return listed
    chunks[-1].announces = True
    return [len(chunks) - 1]


def clauses(words: tuple[Word, ...]) -> list[Chunk]:
    """Cut a text into clauses, with the headings that frame each of them."""
    chunks: list[Chunk] = []
    sentence = 0
    negative_infinitive = False
    heads: list[int] = []
    listed: list[int] = []
    for i, word in enumerate(words):
        parted = not _MAY_PART.isdisjoint(word.gap)
        if i and parted and _ENDS_SENTENCE.search(word.gap):
            sentence += 1
        if not chunks or (
            (parted or word.key in _MAY_BEGIN)
            and _new_chunk(words, chunks[-1].start, i, negative_infinitive)
        ):
            if chunks:
                chunks[-1].end = i
                chunks[-1].heads = ":" in word.gap or _leads(words, chunks[-1].start, i)
                same = chunks[-1].sentence == sentence
                heads = [*heads, len(chunks) - 1] if chunks[-1].heads and same else heads
                if ";" in word.gap and len(heads) > 1:
                    heads = heads[:1]
                listed = _list_lead(word.gap, chunks, listed)
                heads = heads if same else listed
            chunks.append(Chunk(start=i, end=len(words), sentence=sentence, frames=tuple(heads)))
            chunks[-1].aside = "(" in word.gap
            negative_infinitive = False
        if word.key in {"ne", "n"} and i + 2 < len(words):
            nearby = [w.key for w in words[i + 1 : i + 4]]
            negative_infinitive = negative_infinitive or (
                bool(NEGATIVES & set(nearby[:2])) and any(_infinitive(k) for k in nearby)
            )
    return chunks
