"""From text to clauses, mentions and values."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ancremed_desktop.pipeline.rules.ages import is_age
from ancremed_desktop.pipeline.rules.bounds import bound_of
from ancremed_desktop.pipeline.rules.model import Clause, Mention, Statement, Value
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.clauses import Reading
from ancremed_desktop.text.derivation import root
from ancremed_desktop.text.lexicon import Hit, Lexicon, inflected, stem
from ancremed_desktop.text.lexicon_files import load_lexicon
from ancremed_desktop.text.negation import read
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity, find_quantities
from ancremed_desktop.text.values import with_ranges

_SEGMENT = frozenset(",;:.()\n")
_AVOIDS = ("evit", "empech")
"""Verbs that prevent, unless they forbid."""
_FOLLOWED = frozenset({"suivi", "suivie", "suivis", "suivies"})
_OF_WHAT = frozenset({"de", "d", "par", "du", "des"})
FUNCTION_WORDS = frozenset(
    "le la les l un une des du de d au aux et ou a en par pour sur ce cet cette ces il elle ils "
    "elles on que qu qui se "
    "ci s est sont son sa ses leur leurs y ne n pas plus si dans avec sans sous dont ni mais car "
    "donc or c j m t".split()
)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The synonym lexicon of the application."""
    return load_lexicon(RESOURCES / "lexicons")


@lru_cache(maxsize=1024)
def parse(text: str) -> Statement:
    """Read a text for comparison; the same text always gives the same statement."""
    reading = read(text)
    keys = tuple(reading.keys)
    quantities = with_ranges(find_quantities(text))
    in_value = _words_of_values(reading, quantities)
    ranks = frozenset(i for i, q in in_value.items() if quantities[q].dimension == "ordinal")
    hits = lexicon().hits(keys)
    every = tuple(_all_mentions(reading, hits))
    mentions = tuple(_longest(reading, hits, in_value, ranks))
    clauses = tuple(
        Clause(c.start, c.end, c.sentence, c.sign, c.only, c.forbidden, c.heads, c.frames)
        for c in reading.chunks
    )
    plain = _values(reading, quantities, in_value)
    values = tuple(_with_complements(reading, plain))
    for mention in mentions:
        clauses[mention.chunk].mentions.append(mention)
    for value in values:
        clauses[value.chunk].values.append(value)
    return Statement(
        text=text,
        folded_text=fold(text),
        keys=keys,
        gaps=tuple(w.gap for w in reading.words),
        roles=tuple(reading.role),
        offsets=tuple((w.start, w.end) for w in reading.words),
        clauses=clauses,
        mentions=mentions,
        every=every,
        values=values,
        ends=tuple(_ends(reading, quantities, plain)) if len(plain) < len(quantities) else (),
        marks=frozenset(reading.marks),
        concepts=frozenset[str]().union(*[m.concepts for m in every]),
        axes=frozenset[tuple[str, str]]().union(*[m.axes for m in every]),
    )


@lru_cache(maxsize=256)
def concepts_of(text: str) -> frozenset[str]:
    """``parse(text).concepts``, for half of its price."""
    reading = read(text)
    readings = _every_reading(reading, lexicon().hits(reading.keys))
    keys = reading.keys
    return frozenset[str]().union(
        *[_said(tuple(keys[h.start : h.end]), h.families, h.axes, True)[0] for h in readings]
    )


def _words_of_values(reading: Reading, quantities: tuple[Quantity, ...]) -> dict[int, int]:
    """Index of the quantity that each of its words belongs to."""
    inside: dict[int, int] = {}
    for number, quantity in enumerate(quantities):
        for index, word in enumerate(reading.words):
            if word.start >= quantity.end:
                break
            if word.end > quantity.start:
                inside[index] = number
    return inside


_ACRONYM = 4
"""Letters of an acronym that may be read as a plain word."""


@lru_cache(maxsize=65536)
def _word_concepts(key: str) -> frozenset[str]:
    return frozenset({f"w:{stem(key)}", f"w:{root(key)}", f"w:{inflected(key)}"})


@lru_cache(maxsize=65536)
def harmless(key: str) -> bool:
    """Whether a folded word adds no clinical fact of its own."""
    return key in FUNCTION_WORDS or lexicon().neutral(key)


@lru_cache(maxsize=65536)
def _family_concepts(
    families: frozenset[str], axes: frozenset[tuple[str, str]], *, wider: bool
) -> frozenset[str]:
    concepts = set(families)
    if not any(f.startswith(("low:", "high:")) for f in families):
        # « hypokaliémie » goes down, but nothing else that goes down is its counterpart.
        loose = lexicon().loose
        concepts |= {f"{axis}={member}" for axis, member in axes if axis not in loose}
    if wider:
        for family in families:
            concepts |= lexicon().broader.get(family, frozenset())
    return frozenset(concepts)


@lru_cache(maxsize=65536)
def _single(key: str, *, wider: bool) -> frozenset[str]:
    """Concepts of a word of a longer form, taken alone."""
    families = frozenset(f for hit in lexicon().hits((key,)) for f in hit.families)
    return _word_concepts(key) | _family_concepts(families, frozenset(), wider=wider)


@lru_cache(maxsize=65536)
def _said(
    keys: tuple[str, ...],
    families: frozenset[str],
    axes: frozenset[tuple[str, str]],
    wider: bool,
) -> tuple[frozenset[str], tuple[frozenset[str], ...], bool]:
    """(concepts, concepts of each word, whether it adds nothing) of words read as one form."""
    parts = tuple(_single(k, wider=False) for k in keys if k not in FUNCTION_WORDS)
    known = families or axes
    concepts = _family_concepts(families, axes, wider=wider) if known else frozenset()
    neutral = all(map(harmless, keys)) and (
        len(keys) == 1 or (not axes and families <= lexicon().light)
    )
    if len(keys) == 1 and parts:
        concepts |= _word_concepts(keys[0])
        pieces = lexicon().pieces(keys[0])
        if pieces and wider:
            concepts = concepts.union(*pieces)
        elif pieces:
            parts = pieces
    return concepts, parts, neutral


def _mention(
    reading: Reading, hit: Hit, wider: bool, inner: frozenset[tuple[str, str]] = frozenset()
) -> Mention:
    """``inner``: axes of the words inside, which a phrase keeps (« diminue l'effet »)."""
    first, last = reading.words[hit.start], reading.words[hit.end - 1]
    axes = hit.axes | inner if inner else hit.axes
    if first is last:
        keys: tuple[str, ...] = (first.key,)
        key, denies = first.key, False
    else:
        keys = tuple(reading.keys[hit.start : hit.end])
        key = " ".join(keys)
        denies = not reading.marks.isdisjoint(range(hit.start, hit.end))
    concepts, parts, neutral = _said(keys, hit.families, axes, wider)
    neutral = neutral and not (first is last and _is_acronym(reading.text, first.start, first.end))
    # « pas possible » is its own denial; by place, of which there are many, and names cost time.
    sign = 1 if denies else reading.local[hit.start]
    role, chunk = reading.role[hit.start], reading.chunk_of[hit.start]
    return Mention(
        first.start, last.end, key, concepts, parts, axes,
        role, sign, chunk, hit.start, neutral, denies,
    )  # fmt: skip


def _is_acronym(text: str, start: int, end: int) -> bool:
    """Whether a word stands in capitals in a text that does not: « AIT » is not « ait »."""
    return 1 < end - start <= _ACRONYM and text[start:end].isupper() and not text.isupper()


_NO_FAMILY: frozenset[str] = frozenset()
_NO_AXIS: frozenset[tuple[str, str]] = frozenset()


def _plain(index: int) -> Hit:
    return Hit(index, index + 1, _NO_FAMILY, _NO_AXIS)


def _counts(reading: Reading, index: int, in_value: dict[int, int]) -> bool:
    key = reading.words[index].key
    return not (
        index in in_value
        or index in reading.marks
        or key in FUNCTION_WORDS
        or key.isdigit()
        or (len(key) == 1 and not key.isdigit())
    )


def _all_mentions(reading: Reading, hits: tuple[Hit, ...]) -> list[Mention]:
    return [_mention(reading, h, wider=True) for h in _every_reading(reading, hits)]


def _every_reading(reading: Reading, hits: tuple[Hit, ...]) -> list[Hit]:
    """Forms and, beside them, each word by itself."""
    readings = [
        _outside(h, hits)
        for h in hits
        if not (h.start in reading.marks and reading.words[h.start].key.startswith(_AVOIDS))
    ]
    readings += [_plain(i) for i, key in enumerate(reading.keys) if key not in FUNCTION_WORDS]
    return readings


def _outside(hit: Hit, hits: tuple[Hit, ...]) -> Hit:
    """A hit without the axes on which a longer hit around it takes another stand.

    « à distance des repas » holds « repas » and is not « au cours du repas ».
    """
    if not hit.axes:
        return hit
    covered = {
        axis
        for other in hits
        if other.start <= hit.start
        and hit.end <= other.end
        and other.end - other.start > hit.end - hit.start
        for axis, _ in other.axes
    }
    axes = frozenset((a, m) for a, m in hit.axes if a not in covered)
    return hit if axes == hit.axes else Hit(hit.start, hit.end, hit.families, axes)


def _longest(
    reading: Reading, hits: tuple[Hit, ...], in_value: dict[int, int], ranks: frozenset[int]
) -> list[Mention]:
    """Left to right, the longest form at each place, else the word itself.

    ``ranks``: ordinals, which may begin a form of several words (« première intention »).
    """
    best: dict[int, Hit] = {}
    for hit in hits:
        if hit.start not in best or hit.end > best[hit.start].end:
            best[hit.start] = hit
    mentions: list[Mention] = []
    index = 0
    while index < len(reading.words):
        if _then(reading, index):
            index += 1
            continue
        hit = best.get(index) or _plain(index)
        if hit.end - index > 1:
            spent = any(i in reading.marks for i in range(index + 1, hit.end)) and not (
                index in reading.marks and _tells(reading, hit)
            )
            if (
                spent
                or _cut_short(reading, hit)
                or any(i in in_value and i not in ranks for i in range(index, hit.end))
            ):
                hit = _plain(index)
        elif index in in_value:
            hit = _plain(index)
        if hit.families or hit.axes or _counts(reading, index, in_value):
            phrase = hit.end - hit.start > 1
            if (index not in reading.marks or phrase) and (phrase or index not in in_value):
                inner = _inner_axes(hit, hits) if phrase else _NO_AXIS
                mentions.append(_mention(reading, hit, wider=False, inner=inner))
        index = max(hit.end, index + 1)
    return mentions


def _cut_short(reading: Reading, hit: Hit) -> bool:
    """« sans signe d'alarme » is no « sans signe »."""
    after = [w.key for w in reading.words[hit.end : hit.end + 2]]
    return (
        reading.words[hit.start].key == "sans" and after[:1] in (["d"], ["de"]) and len(after) > 1
    )


def _tells(reading: Reading, hit: Hit) -> bool:
    """Whether a denied phrase has a word of its own (« n'urine plus », not « ne peut pas »)."""
    words = (i for i in range(hit.start, hit.end) if i not in reading.marks)
    return any(not harmless(reading.words[i].key) for i in words)


def _then(reading: Reading, index: int) -> bool:
    """« suivi de » says « puis »; nobody is followed up."""
    if reading.keys[index] not in _FOLLOWED:
        return False
    return not _OF_WHAT.isdisjoint(reading.keys[index + 1 : index + 2])


def _inner_axes(hit: Hit, hits: tuple[Hit, ...]) -> frozenset[tuple[str, str]]:
    """Which way the words of a phrase go, where the phrase itself takes no stand."""
    if any(axis == "direction" for axis, _ in hit.axes):
        return _NO_AXIS
    return frozenset(
        (axis, member)
        for h in hits
        if hit.start <= h.start and h.end <= hit.end
        for axis, member in h.axes
        if axis == "direction"
    )


def _values(
    reading: Reading, quantities: tuple[Quantity, ...], in_value: dict[int, int]
) -> list[Value]:
    found: list[Value] = []
    for number, quantity in enumerate(quantities):
        indexes = [i for i, q in in_value.items() if q == number]
        if not indexes:
            continue  # one end of a range: see ``_ends``
        first, last = min(indexes), max(indexes)
        chunk = reading.chunk_of[first]
        found.append(
            Value(
                quantity=quantity,
                chunk=chunk,
                segment=_segment(reading, first),
                bound=bound_of(reading, quantity, first),
                first=first,
                last=last,
                age=is_age(reading.text, quantity),
            )
        )
    return found


def _ends(reading: Reading, quantities: tuple[Quantity, ...], values: list[Value]) -> list[Value]:
    """« ≥ 4 » and « < 6 », which the range « ≥ 4 et < 6 » stands for among the values."""
    spans = {(v.quantity.start, v.quantity.end) for v in values}
    found: list[Value] = []
    for quantity in quantities:
        words = [
            i
            for i, w in enumerate(reading.words)
            if w.start < quantity.end and w.end > quantity.start
        ]
        if words and (quantity.start, quantity.end) not in spans:
            first = words[0]
            chunk, bound = reading.chunk_of[first], bound_of(reading, quantity, first)
            found.append(Value(quantity, chunk, _segment(reading, first), bound, first, words[-1]))
    return found


_TURNED = {"<": "≥", "≤": ">", ">": "≤", "≥": "<"}
_BEYOND = {
    ("au", "dela"): "<≤",
    ("au", "dessus"): "<≤",
    ("en", "dessous"): ">≥",
    ("au", "dessous"): ">≥",
}


def _with_complements(reading: Reading, values: list[Value]) -> list[Value]:
    """« 2 mg si < 60 kg, 3 mg au-delà »: the words alone say the rest of the last bound."""
    found = list(values)
    for index in range(1, len(reading.words)):
        from_bounds = _BEYOND.get((reading.words[index - 1].key, reading.words[index].key))
        after = reading.words[index + 1] if index + 1 < len(reading.words) else None
        if not from_bounds or (after and _SEGMENT.isdisjoint(after.gap)):
            continue
        bounded = [v for v in values if v.last < index - 1 and v.bound and v.bound in from_bounds]
        if bounded:
            found.append(
                replace(
                    bounded[-1],
                    bound=_TURNED[bounded[-1].bound],
                    chunk=reading.chunk_of[index],
                    segment=_segment(reading, index),
                    first=index - 1,
                    last=index,
                )
            )
    return found


def _segment(reading: Reading, index: int) -> int:
    """Number of the comma-delimited stretch a word stands in, counted over the whole text."""
    return sum(not _SEGMENT.isdisjoint(w.gap) for w in reading.words[: index + 1])
