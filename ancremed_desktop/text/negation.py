"""Polarity of French clinical text: what is affirmed, denied, excepted or made a condition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ancremed_desktop.text.clauses import NEGATIVES, Chunk, Reading, Role, clauses, read_words

_VERBS = frozenset(
    "est sont etait etaient sera seront doit doivent peut peuvent faut a ont n ne il elle ils "
    "elles on devra "
    "devront fait font reste restent devient impose imposent permet permettent".split()
)


_CLAUSAL = {
    ("si",),
    ("s", "il"),
    ("s", "ils"),
    ("s", "elle"),
    ("s", "elles"),
    ("lorsque",),
    ("lorsqu",),
    ("quand",),
    ("tant", "que"),
    ("tant", "qu"),
    ("a", "condition"),
    ("des", "que"),
    ("des", "lors"),
    ("a", "moins", "que"),
    ("apres", "que"),
    ("avant", "que"),
    ("pourvu",),
}


_NOMINAL = {
    ("en", "cas"),
    ("chez",),
    ("devant",),
    ("pendant",),
    ("au", "cours"),
    ("en", "presence"),
    ("lors",),
    ("sous", "reserve"),
    ("face",),
    ("dans",),
    ("apres",),
    ("avant",),
    ("des",),
    ("au", "dela"),
    ("en", "situation"),
    ("a", "partir"),
    ("hormis", "cas"),
    ("a", "defaut"),
}


_EXCEPT = {
    ("sauf",),
    ("hormis",),
    ("excepte",),
    ("a", "l", "exception"),
    ("a", "l", "exclusion"),
    ("hors",),
    ("en", "dehors"),
    ("exception", "faite"),
    ("a", "part"),
    ("excepte",),
    ("exceptes",),
    ("exceptee",),
}


_ABSENT = {("en", "l", "absence"), ("absence",), ("en", "absence"), ("sans",)}


_INSTEAD = {
    ("plutot", "que"),
    ("plutot", "qu"),
    ("au", "lieu"),
    ("et", "non"),
    ("a", "la", "place"),
    ("non",),
}


_BREAKS = re.compile(r"[,)(]")
_OPENERS = frozenset(
    m[0] for markers in (_CLAUSAL, _NOMINAL, _EXCEPT, _ABSENT, _INSTEAD) for m in markers
)
"""First words of every phrase that opens a scope."""


_NOT_ABSENT = frozenset("depasser exceder exception tenir".split())


_STOPS = frozenset(
    "si chez par pour apres avant pendant avec lorsque lorsqu quand des car afin".split()
)


_FORBID = re.compile(
    r"(?:proscri|interdi|deconseill|prohib|contreindi|bannir|banni|bannie|abstenir|abstention"
    r"|recuse|recuser|recusent|eviter|evite|evites|evitee|evitees|eviterai|evitons|evitent)"
)


_PURPOSE = frozenset("pour afin permet permettent vise but dans permettre d".split())


_WEAK = frozenset("rarement exceptionnellement guere".split())


_USELESS = frozenset("inutile inutiles injustifie injustifiee injustifies impropre".split())


_EXCEED = re.compile(r"(?:depass|exced)")


_BETWEEN_EXCEED = frozenset(
    "doit doivent faut peut peuvent pas jamais etre on il devra devrait se en la le l plus".split()
)


_SAME_TIME = ["en", "meme", "temps"]
_MAY_BE = frozenset("peut peuvent pouvait pas etre".split())


def _at(keys: Sequence[str], index: int, markers: set[tuple[str, ...]]) -> int:
    """Length of the longest marker that starts at ``index``, 0 for none."""
    for size in (3, 2, 1):
        if tuple(keys[index : index + size]) in markers:
            return size
    return 0


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """Polarity of every word of ``text``."""
    words = read_words(text)
    chunks = clauses(words)
    size = len(words)
    reading = Reading(text, words, chunks, [0] * size, [Role.CORE] * size, [1] * size)
    for number, chunk in enumerate(chunks):
        for i in range(chunk.start, chunk.end):
            reading.chunk_of[i] = number
        _read_scopes(reading, chunk)
    _frame_conditions(reading)
    for chunk in chunks:
        _read_predicate(reading, chunk)
    for chunk in chunks:
        framed = [chunks[f] for f in chunk.frames]
        if any(f.forbidden for f in framed) and not chunk.heads and not chunk.aside:
            chunk.sign = -chunk.sign
            chunk.forbidden = True
    return reading


def _frame_conditions(reading: Reading) -> None:
    """A clause that is all condition (« Si la fièvre persiste, ») holds for what follows it."""
    for number, chunk in enumerate(reading.chunks):
        if chunk.heads or any(r is Role.CORE for r in reading.role[chunk.start : chunk.end]):
            continue
        chunk.heads = True
        for later in reading.chunks[number + 1 :]:
            if later.sentence != chunk.sentence:
                break
            later.frames = (*later.frames, number)


def _read_scopes(reading: Reading, chunk: Chunk) -> None:
    """Local effect of prepositions and conjunctions: condition, absence, exception."""
    keys = [w.key for w in reading.words]
    role, sign, clausal, one_word = Role.CORE, 1, False, False
    i = chunk.start
    entered = -1
    while i < chunk.end:
        gap = reading.words[i].gap
        ends = _BREAKS.search(gap) and not _list_goes_on(reading, chunk, i, role)
        if i > chunk.start and (ends or (not clausal and keys[i] in _VERBS)):
            role, sign, clausal = Role.CORE, 1, False
        opened = _open_scope(keys, i)
        if opened is None and keys[i] == "pour" and i == chunk.start and _comma_after(reading, i):
            opened = (Role.CONDITION, 1, 1, False, False)
        if opened is not None:
            new_role, new_sign, length, clausal, one_word = opened
            inside = new_role is Role.CORE and role is Role.CONDITION
            if role is Role.EXCEPTION and new_role is Role.CONDITION and new_sign > 0:
                new_role, new_sign = Role.EXCEPTION, -1
            role, sign = (Role.CONDITION if inside else new_role), new_sign
            if new_sign < 0:
                reading.marks.update(range(i, i + length))
            for j in range(i, min(i + length, chunk.end)):
                reading.role[j], reading.local[j] = role, 1
            i += length
            entered = i
            continue
        if sign < 0 and keys[i] in _STOPS and i != entered:
            sign = 1
        reading.role[i], reading.local[i] = role, sign
        if one_word and len(keys[i]) > 2 and not _agent_follows(keys, i):
            sign, one_word = 1, False
        elif one_word and keys[i + 1 : i + 2] == ["par"]:
            entered, one_word = i + 1, False
        i += 1


def _agent_follows(keys: Sequence[str], i: int) -> bool:
    """« non traité par insuline »: what is denied is the insulin."""
    return keys[i + 1 : i + 2] == ["par"]


def _list_goes_on(reading: Reading, chunk: Chunk, i: int, role: Role) -> bool:
    """« en cas de fièvre, d'asthénie ou de toux »: the comma separates members of one condition."""
    if role is Role.CORE or "," not in reading.words[i].gap:
        return False
    return reading.words[i].key in {"d", "de", "du"} and any(
        w.key in {"et", "ou"} and "," not in w.gap for w in reading.words[i + 1 : chunk.end]
    )


def _comma_after(reading: Reading, i: int) -> bool:
    """Whether « pour … » is set apart by a comma: it then says for whom or for what."""
    ahead = reading.words[i + 1 : i + 14]
    return any("," in w.gap for w in ahead)


def _open_scope(keys: Sequence[str], i: int) -> tuple[Role, int, int, bool, bool] | None:
    """(role, sign, marker length, clausal, one word only) of the scope opened at ``i``."""
    if keys[i] not in _OPENERS:
        return None
    size = _at(keys, i, _EXCEPT)
    if size:
        return Role.EXCEPTION, -1, size, False, False
    size = _at(keys, i, _ABSENT)
    if size:
        after = keys[i + size] if i + size < len(keys) else ""
        if (
            after in _NOT_ABSENT
            or "prealable" in keys[i + size : i + size + 4]
            or _EXCEED.match(after)
        ):
            return None
        conditional = keys[i] == "en"
        waits = after == "attendre"
        return (Role.CONDITION if conditional else Role.CORE), -1, size, False, waits
    size = _at(keys, i, _INSTEAD)
    if size:
        return Role.CORE, -1, size, False, keys[i] == "non"
    size = _at(keys, i, _CLAUSAL)
    if size and keys[i + size : i + size + 1] not in (["possible"], ["besoin"], ["necessaire"]):
        return Role.CONDITION, 1, size, True, False
    size = _at(keys, i, _NOMINAL)
    if size and not (keys[i] == "des" and i + 1 < len(keys) and not _temporal_des(keys, i)):
        return Role.CONDITION, 1, size, False, False
    return None


def _temporal_des(keys: Sequence[str], i: int) -> bool:
    """« dès » and « des » fold alike: only « dès le, dès la, dès l', dès que » opens a scope."""
    return keys[i + 1] in {"le", "la", "l", "que", "lors"}


def _read_predicate(reading: Reading, chunk: Chunk) -> None:
    keys = [w.key for w in reading.words]
    i = chunk.start
    while i < chunk.end:
        key = keys[i]
        negated_condition = reading.role[i] is Role.CONDITION and _clausal_at(reading, keys, i)
        if key == "ne" or (key == "n" and _elided(reading, i)):
            i = _read_ne(reading, keys, chunk, i, negated_condition)
            continue
        if key in {"pas", "jamais", "aucun", "aucune"} and i not in reading.marks:
            if key == "pas" and keys[i - 1 : i] and keys[i - 1].isdigit():
                i += 1
                continue
            if keys[i + 1 : i + 2] == ["exception"] or keys[i + 1 : i + 4] == _SAME_TIME:
                reading.marks.add(i)
            else:
                _deny(reading, chunk, i, negated_condition)
        elif key in _USELESS or (key in _WEAK and _useful_near(keys, i, chunk)):
            chunk.sign = -chunk.sign
            reading.marks.add(i)
        elif _forbids(keys, i):
            width = 2 if key == "contre" else 1
            chunk.sign, chunk.forbidden = -chunk.sign, True
            reading.marks.update(range(i, i + width))
            i += width - 1
        elif key in {"seulement", "uniquement", "exclusivement"} or key.startswith("reserv"):
            chunk.only = i
        i += 1


def _elided(reading: Reading, i: int) -> bool:
    """« n' » and not the letter of « N-acétylcystéine »."""
    after = reading.words[i + 1].gap if i + 1 < len(reading.words) else ""
    return after in {"'", "’", "ʼ", "´"}


def _clausal_at(reading: Reading, keys: Sequence[str], i: int) -> bool:
    """Whether the condition at ``i`` was opened by a conjunction (it has its own predicate)."""
    for j in range(i, -1, -1):
        if reading.role[j] is not Role.CONDITION:
            return False
        if _at(keys, j, _CLAUSAL):
            return True
    return False


def _forbids(keys: Sequence[str], i: int) -> bool:
    key = keys[i]
    if key == "contre":
        return i + 1 < len(keys) and keys[i + 1].startswith("indi")
    if not _FORBID.match(key):
        return False
    if key.startswith("evit"):
        return not (i and keys[i - 1] in _PURPOSE)
    return True


def _hinders(keys: Sequence[str], i: int) -> bool:
    """Whether the verb at ``i`` forbids by itself, so that its denial allows."""
    if keys[i : i + 1] == ["s"]:
        return keys[i + 1 : i + 2] in (["oppose"], ["opposent"])
    verb = keys[i] if i < len(keys) else ""
    return verb.startswith(("empech", "interdi", "proscri", "deconseill")) or (
        verb == "contre" and keys[i + 1 : i + 2] in (["indique"], ["indiquent"])
    )


def _useful_near(keys: Sequence[str], i: int, chunk: Chunk) -> bool:
    near = keys[max(chunk.start, i - 2) : min(chunk.end, i + 3)]
    return any(k.startswith(("utile", "necessaire", "justifi", "depass", "exced")) for k in near)


def _deny(reading: Reading, chunk: Chunk, i: int, in_condition: bool, start: int = -1) -> None:
    """``start``: where « ne » stands, when the denied verb comes before « pas »."""
    reading.marks.add(i)
    if in_condition:
        for j in range((i if start < 0 else start) + 1, chunk.end):
            if reading.role[j] is not Role.CONDITION:
                break
            reading.local[j] = -reading.local[j]
    else:
        chunk.sign = -chunk.sign


def _read_ne(
    reading: Reading, keys: Sequence[str], chunk: Chunk, i: int, in_condition: bool
) -> int:
    """« ne … pas » denies, « ne … que » restricts, « ne pas dépasser » is a comparison."""
    reading.marks.add(i)
    limit = min(chunk.end, i + 8)
    avoided = next((j for j in range(i + 1, limit) if keys[j].startswith("evit")), -1)
    if avoided > 0 and all(k in _MAY_BE for k in keys[i + 1 : avoided]):
        reading.marks.update(range(i, avoided + 1))
        return avoided + 1  # « si elle ne peut être évitée » says that it is needed
    negative = next((j for j in range(i + 1, limit) if keys[j] in NEGATIVES), -1)
    que = next((j for j in range(i + 1, min(chunk.end, i + 10)) if keys[j] in {"que", "qu"}), -1)
    if negative < 0 or (0 <= que < negative):
        if que > 0:
            chunk.only = que
            reading.marks.add(que)
        return i + 1
    exceed = next((j for j in range(i + 1, limit) if _EXCEED.match(keys[j])), -1)
    if exceed > 0 and all(keys[j] in _BETWEEN_EXCEED for j in range(i + 1, exceed)):
        reading.marks.add(negative)
        return exceed + 1
    if exceed > 0 and negative == exceed + 1:
        reading.marks.add(negative)
        return negative + 1
    if keys[negative + 1 : negative + 3] == ["plus", "de"]:
        reading.marks.add(negative)  # « pas plus de 1 g » bounds, it does not deny
        return negative + 1
    if _hinders(keys, i + 1) and negative <= i + 4:
        reading.marks.update(range(i, negative + 1))
        return negative + 1  # « n'empêche pas », « ne contre-indique pas »: two denials
    if keys[negative] == "ni":
        reading.marks.update(j for j in range(negative, chunk.end) if keys[j] == "ni")
    _deny(reading, chunk, negative, in_condition, i)
    return negative + 1
