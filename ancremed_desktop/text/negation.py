"""Polarity of French clinical text: what is affirmed, denied, excepted or made a condition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ancremed_desktop.text.clauses import Chunk, Reading, Role, clauses, read_words
from ancremed_desktop.text.predicates import VERBS, read_predicate
from ancremed_desktop.text.scopes import OPENERS, REASONS, marker_at, open_scope

_BREAKS = re.compile(r"[,)(]")
_STOPS = frozenset(
    "si chez par pour apres avant pendant avec lorsque lorsqu quand car afin".split()
)
_WITHIN = frozenset({"par", "pour"})
"""« sauf dépistage par coloscopie du cancer »: what they lead is still excepted."""
_ITEM_WORDS = 4
"""Words of one item of a list without articles."""


_INDICATES = (["indique"], ["indiquent"])
_NO_PARTICIPLES = frozenset(
    "avant pendant devant durant enfant quant suivant autant maintenant important puissant".split()
)
_TIMES = frozenset({"avant", "apres", "pendant"})


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """Polarity of every word of ``text``."""
    words = read_words(text)
    chunks = clauses(words)
    size = len(words)
    keys = [w.key for w in words]
    reading = Reading(text, words, keys, chunks, [0] * size, [Role.CORE] * size, [1] * size)
    for number, chunk in enumerate(chunks):
        for i in range(chunk.start, chunk.end):
            reading.chunk_of[i] = number
        _read_scopes(reading, chunk)
    _frame_conditions(reading)
    for chunk in chunks:
        read_predicate(reading, chunk)
    for chunk in chunks:
        framed = [chunks[f] for f in chunk.frames]
        if (
            any(f.forbidden or (f.announces and f.sign < 0) for f in framed)
            and not chunk.heads
            and not chunk.aside
        ):
            chunk.sign = -chunk.sign
            chunk.forbidden = True
    for number, chunk in enumerate(chunks):
        if number and _goes_on_inside(reading, chunks[number - 1], chunk):
            chunk.sign, chunk.forbidden = chunks[number - 1].sign, chunks[number - 1].forbidden
    for chunk in chunks:
        if chunk.sign < 0:
            _affirm_reasons(reading, chunk)
    return reading


def _goes_on_inside(reading: Reading, host: Chunk, chunk: Chunk) -> bool:
    """« est contre-indiqué (A < 30 pour X ; A < 15 pour Y) »: the bracket is one with its host."""
    if ";" not in reading.words[chunk.start].gap or host.sign > 0 or chunk.sign < 0:
        return False
    gaps = "".join(w.gap for w in reading.words[host.start + 1 : chunk.start])
    if gaps.count("(") <= gaps.count(")"):
        return False
    return not any(_verb(reading, i) for i in range(chunk.start, chunk.end))


def _affirm_reasons(reading: Reading, chunk: Chunk) -> None:
    """« n'est plus recommandé en raison d'un risque »: the risk is there."""
    keys = reading.keys[chunk.start : chunk.end]
    inside = False
    for i in range(chunk.start, chunk.end):
        if inside and _BREAKS.search(reading.words[i].gap):
            inside = False
        if inside or marker_at(keys, i - chunk.start, REASONS) or _explains(reading, chunk, i):
            inside = True
            reading.role[i], reading.local[i] = Role.REASON, 1


def _explains(reading: Reading, chunk: Chunk, i: int) -> bool:
    """« …, les tissus pouvant s'infecter »: a participle set apart says why."""
    if i == chunk.start or "," not in reading.words[i].gap:
        return False
    for at, word in enumerate(reading.words[i : min(i + 5, chunk.end)]):
        if (at and "," in word.gap) or word.key in {"ceux", "celles", "celui", "celle"}:
            return False
        if word.key.endswith("ant") and word.key not in _NO_PARTICIPLES:
            return True
    return False


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
    keys = reading.keys
    role, sign, clausal, one_word, by_agent = Role.CORE, 1, False, False, False
    i = _first_scope(keys, chunk)
    entered = insertion = -1
    while i < chunk.end:
        gap = reading.words[i].gap
        ends = _BREAKS.search(gap) and not _list_goes_on(reading, chunk, i, role)
        if i <= insertion and "," in gap:
            ends = None
            if i == insertion:
                role, sign, clausal = Role.CONDITION, 1, True
        verb = _verb(reading, i) or (keys[i] == "contre" and keys[i + 1 : i + 2] in _INDICATES)
        if i > chunk.start and (ends or (not clausal and verb)):
            role, sign, clausal = Role.CORE, 1, False
        opened = open_scope(keys, i)
        if opened is None and keys[i] == "pour" and i == chunk.start and _comma_after(reading, i):
            opened = (Role.CONDITION, 1, 1, False, False)
        if opened is not None:
            new_role, new_sign, length, clausal, one_word = opened
            by_agent = keys[i] == "non"
            inside = new_role is Role.CORE and role is Role.CONDITION
            if role is Role.EXCEPTION and new_sign < 0 and i == entered:
                new_role, new_sign = Role.EXCEPTION, 1  # « sauf en l'absence d'alternative »
            if role is Role.EXCEPTION and new_role is Role.CONDITION and new_sign > 0:
                if i == entered or keys[i - 1] in {"et", "ou"} or keys[i] not in _TIMES:
                    new_role, new_sign = Role.EXCEPTION, -1  # « sauf en cas de … et si … »
            instead = i == entered and sign < 0 and keys[i - 1] in {"non", "pas"}
            role = Role.CONDITION if inside else new_role
            sign = -1 if instead else new_sign  # « et non pas avant »
            if new_sign < 0:
                reading.marks.update(range(i, i + length))
            for j in range(i, min(i + length, chunk.end)):
                reading.role[j], reading.local[j] = role, -1 if instead else 1
            i += length
            entered = i
            if clausal and i < chunk.end and "," in reading.words[i].gap:
                insertion = _next_comma(reading, chunk, i)
            continue
        stops = _STOPS - _WITHIN if role is Role.EXCEPTION else _STOPS
        if sign < 0 and (keys[i] in stops or _by_test(keys, i)) and i != entered:
            sign = 1
        reading.role[i], reading.local[i] = role, sign
        if one_word and len(keys[i]) > 2 and not (by_agent and _agent_follows(keys, i)):
            sign, one_word = 1, False
        elif one_word and by_agent and keys[i + 1 : i + 2] == ["par"]:
            entered, one_word = i + 1, False
        i += 1


def _first_scope(keys: Sequence[str], chunk: Chunk) -> int:
    """First word of a clause that may open a scope; those before it are outside any."""
    if keys[chunk.start] == "pour":
        return chunk.start
    return next((i for i in range(chunk.start, chunk.end) if keys[i] in OPENERS), chunk.end)


def _next_comma(reading: Reading, chunk: Chunk, i: int) -> int:
    """Where « si, au bout de 30 minutes, le placenta … » goes on; -1 where it does not."""
    later = range(i + 1, min(i + 10, chunk.end))
    return next((j for j in later if "," in reading.words[j].gap), -1)


def _verb(reading: Reading, i: int) -> bool:
    """Whether a word is a plain verb: « a », not « à »."""
    word = reading.words[i]
    return word.key in VERBS and reading.text[word.start : word.end] not in {"à", "À"}


def _by_test(keys: Sequence[str], i: int) -> bool:
    """« sans varices à l'endoscopie »: the examination is done."""
    near = keys[i + 1 : i + 3]
    return keys[i] == "a" and near[:1] in (["l"], ["la"]) and bool(_TEST.search(near[-1]))


_TEST = re.compile(r"(?:scopie|graphie|gramme|irm|scanner|examen|imagerie|biopsie)$")


def _agent_follows(keys: Sequence[str], i: int) -> bool:
    """« non traité par insuline »: what is denied is the insulin."""
    return keys[i + 1 : i + 2] == ["par"]


def _list_goes_on(reading: Reading, chunk: Chunk, i: int, role: Role) -> bool:
    """« en cas de fièvre, d'asthénie ou de toux »: the comma separates members of one condition."""
    if role is Role.CORE or "," not in reading.words[i].gap:
        return False
    if reading.words[i].key in {"d", "de", "du"}:
        return any(
            w.key in {"et", "ou"} and "," not in w.gap for w in reading.words[i + 1 : chunk.end]
        )
    return role is Role.EXCEPTION and _bare_list(reading, chunk, i)


def _bare_list(reading: Reading, chunk: Chunk, i: int) -> bool:
    """« sauf fièvre, grossesse ou âge > 80 ans »: short items without a verb, the last by « ou ».

    At the head of a clause a comma must close the list (« Hors urgence, A ou B » excepts no A).
    """
    last = item = -1
    for j in range(i, chunk.end):
        if j > i and _BREAKS.search(reading.words[j].gap):
            if last >= 0:
                return True
            item = j
        if _verb(reading, j) or reading.words[j].key in {"on", "il", "ne", "n"}:
            return False
        if reading.words[j].key in {"et", "ou"}:
            if last >= 0:
                return False
            last = item = j
        if j - max(item, i) > _ITEM_WORDS:
            return False
    return last >= 0 and reading.role[chunk.start] is Role.CORE


def _comma_after(reading: Reading, i: int) -> bool:
    """Whether « pour … » is set apart by a comma: it then says for whom or for what."""
    ahead = reading.words[i + 1 : i + 14]
    return any("," in w.gap for w in ahead)
