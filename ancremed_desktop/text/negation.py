"""Polarity of French clinical text: what is affirmed, denied, excepted or made a condition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ancremed_desktop.text.clauses import NEGATIVES, Chunk, Reading, Role, clauses, read_words
from ancremed_desktop.text.scopes import CLAUSAL, EXCEED, REASONS, marker_at, open_scope

_VERBS = frozenset(
    "est sont etait etaient sera seront doit doivent peut peuvent faut a ont n ne il elle ils "
    "elles on devra impose imposent interdit interdisent exige exigent necessite justifie permet "
    "conduit font fait empeche "
    "recoit recoivent prend prennent justifient relevent releve beneficie beneficient "
    "devront fait font reste restent devient impose imposent permet permettent".split()
)


_BREAKS = re.compile(r"[,)(]")
_STOPS = frozenset(
    "si chez par pour apres avant pendant avec lorsque lorsqu quand car afin".split()
)


_FORBID = re.compile(
    r"(?:proscri|empech|dispens|affranchi|interdi|deconseill|prohib|contreindi|bannir|banni|bannie|abstenir|abstention"
    r"|recuse|recuser|recusent|eviter|evite|evites|evitee|evitees|eviterai|evitons|evitent)"
)


_PURPOSE = frozenset("pour afin permet permettent vise but dans permettre d".split())


_INDICATES = (["indique"], ["indiquent"])
_NO_PARTICIPLES = frozenset(
    "avant pendant devant durant enfant quant suivant autant maintenant important puissant".split()
)
_TIMES = frozenset({"avant", "apres", "pendant"})
_DENIES = frozenset("pas jamais aucun aucune rien".split())
_AIMS = frozenset("sert servent vise visent aide aident permet permettent moyen destine".split())
"""« sert à éviter la récidive » forbids nothing."""
_WEAK = frozenset("rarement exceptionnellement guere".split())


_USELESS = frozenset("inutile inutiles injustifie injustifiee injustifies impropre".split())


_BETWEEN_EXCEED = frozenset(
    "doit doivent faut peut peuvent pas jamais etre on il devra devrait se en la le l plus".split()
)


_NO_MORE = (["plus", "de"], ["plus", "d"])
"""« pas plus de 1 g » bounds, it does not deny."""
_SAME_TIME = ["en", "meme", "temps"]
_OMITS = ("oubli", "manqu", "neglig", "meconn", "omet", "hesit")
_BARE_DENIALS = (["peut"], ["peuvent"], ["saurait"], ["cesse"], ["cessent"])
"""« que l'on ne peut modifier »: denied without « pas »."""
_MAY_BE = frozenset("peut peuvent pouvait pas etre".split())


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
    for chunk in chunks:
        if chunk.sign < 0:
            _affirm_reasons(reading, chunk)
    return reading


def _affirm_reasons(reading: Reading, chunk: Chunk) -> None:
    """« n'est plus recommandé en raison d'un risque »: the risk is there."""
    keys = [w.key for w in reading.words[chunk.start : chunk.end]]
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
    for word in reading.words[i : min(i + 5, chunk.end)]:
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
    keys = [w.key for w in reading.words]
    role, sign, clausal, one_word, by_agent = Role.CORE, 1, False, False, False
    i = chunk.start
    entered = -1
    while i < chunk.end:
        gap = reading.words[i].gap
        ends = _BREAKS.search(gap) and not _list_goes_on(reading, chunk, i, role)
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
        if one_word and len(keys[i]) > 2 and not (by_agent and _agent_follows(keys, i)):
            sign, one_word = 1, False
        elif one_word and by_agent and keys[i + 1 : i + 2] == ["par"]:
            entered, one_word = i + 1, False
        i += 1


def _verb(reading: Reading, i: int) -> bool:
    """Whether a word is a plain verb: « a », not « à »."""
    word = reading.words[i]
    return word.key in _VERBS and reading.text[word.start : word.end] not in {"à", "À"}


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


def _read_predicate(reading: Reading, chunk: Chunk) -> None:
    keys = [w.key for w in reading.words]
    i = chunk.start
    while i < chunk.end:
        key = keys[i]
        given = reading.role[i] in {Role.CONDITION, Role.EXCEPTION}
        negated_condition = given and _clausal_at(reading, keys, i)
        if key == "ne" or (key == "n" and _elided(reading, i)):
            i = _read_ne(reading, keys, chunk, i, negated_condition)
            continue
        if key == "ni" and i not in reading.marks and _neither(keys, chunk):
            reading.marks.update(j for j in range(i, chunk.end) if keys[j] == "ni")
            _deny(reading, chunk, i, negated_condition)
        elif key in _DENIES and i not in reading.marks:
            if key == "pas" and keys[i - 1 : i] and keys[i - 1].isdigit():
                i += 1
                continue
            if (
                keys[i + 1 : i + 3] in _NO_MORE
                or keys[i + 1 : i + 2] == ["exception"]
                or keys[i + 1 : i + 4] == _SAME_TIME
            ):
                reading.marks.add(i)
            else:
                _deny(reading, chunk, i, negated_condition)
        elif key in _USELESS or (key in _WEAK and _useful_near(keys, i, chunk)):
            chunk.sign = -chunk.sign
            reading.marks.add(i)
        elif reading.role[i] is Role.CORE and _forbids(keys, i):
            width = 2 if key == "contre" else 1
            chunk.sign, chunk.forbidden = -chunk.sign, True
            reading.marks.update(range(i, i + width))
            i += width - 1
        elif key in {"seulement", "uniquement", "exclusivement"} or key.startswith("reserv"):
            chunk.only = i
        i += 1


def _neither(keys: Sequence[str], chunk: Chunk) -> bool:
    """« Ni X ni Y dans Z »: a denial without a verb."""
    inside = keys[chunk.start : chunk.end]
    return inside.count("ni") > 1 and not {"ne", "n", "pas", "sans", "jamais"} & set(inside)


def _elided(reading: Reading, i: int) -> bool:
    """« n' » and not the letter of « N-acétylcystéine »."""
    after = reading.words[i + 1].gap if i + 1 < len(reading.words) else ""
    return after in {"'", "’", "ʼ", "´"}


def _clausal_at(reading: Reading, keys: Sequence[str], i: int) -> bool:
    """Whether the condition at ``i`` was opened by a conjunction (it has its own predicate)."""
    for j in range(i, -1, -1):
        if reading.role[j] is not reading.role[i]:
            return False
        if marker_at(keys, j, CLAUSAL):
            return True
    return False


def _forbids(keys: Sequence[str], i: int) -> bool:
    key = keys[i]
    if key == "contre":
        return i + 1 < len(keys) and keys[i + 1].startswith("indi")
    if key.startswith(("empech", "dispens", "affranchi")):
        # « empêche de débuter », not « empêche les crises »
        return keys[i + 1 : i + 2] in (["de"], ["d"], ["du"], ["des"])
    if not _FORBID.match(key):
        return False
    if key.startswith("evit"):
        aims = _AIMS & set(keys[max(0, i - 4) : i])
        return not (i and (keys[i - 1] in _PURPOSE or aims))
    return True


def _hinders(keys: Sequence[str], i: int) -> bool:
    """Whether the verb at ``i`` forbids by itself, so that its denial allows."""
    if keys[i : i + 1] == ["s"]:
        return keys[i + 1 : i + 2] in (["oppose"], ["opposent"])
    verb = keys[i] if i < len(keys) else ""
    return verb.startswith(("empech", "dispens", "interdi", "proscri", "deconseill")) or (
        verb == "contre" and keys[i + 1 : i + 2] in (["indique"], ["indiquent"])
    )


def _useful_near(keys: Sequence[str], i: int, chunk: Chunk) -> bool:
    near = keys[max(chunk.start, i - 2) : min(chunk.end, i + 3)]
    if any(keys[j : j + 2] == ["plus", "de"] for j in range(i + 1, min(i + 3, chunk.end))):
        return True  # « rarement plus de 5 jours » is « dépasse rarement 5 jours »
    return any(k.startswith(("utile", "necessaire", "justifi", "depass", "exced")) for k in near)


def _deny(reading: Reading, chunk: Chunk, i: int, in_condition: bool, start: int = -1) -> None:
    """``start``: where « ne » stands, when the denied verb comes before « pas »."""
    reading.marks.add(i)
    keys = [w.key for w in reading.words]
    if in_condition:
        for j in range((i if start < 0 else start) + 1, chunk.end):
            opens = keys[j] in {"et", "ou"} and marker_at(keys, j + 1, CLAUSAL)
            if opens or reading.role[j] is not reading.role[i]:
                break
            reading.local[j] = -reading.local[j]
    else:
        chunk.sign = -chunk.sign


def _relative(keys: Sequence[str], chunk: Chunk, i: int) -> bool:
    """Whether « ne » at ``i`` stands in a relative clause: « les patients qui ne … »."""
    return i - 1 > chunk.start and (
        keys[i - 1] == "qui" or keys[i - 2 : i] == ["qu", "on"] or keys[i - 3 : i] == _QUE_L_ON
    )


_QUE_L_ON = ["que", "l", "on"]
_CHAIN = frozenset({"a", "de", "d", "etre", "ete"})
_ACTS_ON = re.compile(r"[a-z]{3,}(?:er|ir|re|e|ee|es|ees|i|ie|is|u|ue|us)$")


def _deny_relative(
    reading: Reading, keys: Sequence[str], chunk: Chunk, i: int, negative: int
) -> None:
    """« ceux qui ne répondent pas reçoivent … »: not to respond is denied, to receive is not."""
    reading.marks.add(negative)
    last = negative
    while last + 1 < chunk.end and "," not in reading.words[last + 1].gap:
        key = keys[last + 1]
        chained = key in _CHAIN or (keys[last] in _CHAIN | {keys[negative]} and _ACTS_ON.match(key))
        if not chained or (key not in _CHAIN and key in _VERBS):
            break
        last += 1
    for j in range(i + 1, last + 1):
        reading.local[j] = -reading.local[j]


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
    if negative < 0 and "ni" in keys[chunk.start : i]:
        reading.marks.update(j for j in range(chunk.start, i) if keys[j] == "ni")
        _deny(reading, chunk, i, in_condition)
        return i + 1  # « ni les uns ni les autres ne … »
    if negative < 0 or (0 <= que < negative):
        if que > 0:
            chunk.only = que
            reading.marks.add(que)
        elif keys[i + 1 : i + 2] in _BARE_DENIALS:
            _deny(reading, chunk, i, in_condition)
        return i + 1
    exceed = next((j for j in range(i + 1, limit) if EXCEED.match(keys[j])), -1)
    if exceed > 0 and all(keys[j] in _BETWEEN_EXCEED for j in range(i + 1, exceed)):
        reading.marks.add(negative)
        return exceed + 1
    if exceed > 0 and negative == exceed + 1:
        reading.marks.add(negative)
        return negative + 1
    more = keys[negative + 1 : negative + 4]
    if "plus" in more and keys[negative + more.index("plus") + 2 :][:1] in (["de"], ["d"]):
        reading.marks.add(negative)  # « pas plus de 1 g » bounds, it does not deny
        return negative + 1
    if _hinders(keys, i + 1) and negative <= i + 4:
        reading.marks.update(range(i, negative + 1))
        return negative + 1  # « n'empêche pas », « ne contre-indique pas »: two denials
    omitted = negative + 1 if negative == i + 1 else i + 1
    if omitted < chunk.end and keys[omitted].startswith(_OMITS) and negative <= i + 2:
        reading.marks.update((i, negative, omitted))
        return max(negative, omitted) + 1  # « à ne pas manquer » asks for it
    if not in_condition and _relative(keys, chunk, i):
        _deny_relative(reading, keys, chunk, i, negative)
        return negative + 1
    if keys[negative] == "ni":
        reading.marks.update(j for j in range(negative, chunk.end) if keys[j] == "ni")
    _deny(reading, chunk, negative, in_condition, i)
    return negative + 1
