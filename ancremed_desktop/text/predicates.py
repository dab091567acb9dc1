"""What denies or forbids a predicate, wholly or a relative clause of it alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ancremed_desktop.text.clauses import NEGATIVES, Chunk, Reading, Role
from ancremed_desktop.text.scopes import CLAUSAL, EXCEED, marker_at

VERBS = frozenset(
    "est sont etait etaient sera seront doit doivent peut peuvent faut a ont n ne il elle ils "
    "elles on devra impose imposent interdit interdisent exige exigent necessite justifie permet "
    "conduit font fait empeche "
    "recoit recoivent prend prennent justifient relevent releve beneficie beneficient "
    "devront fait font reste restent devient impose imposent permet permettent".split()
)
"""Plain verbs, folded: « a » is read with its accent."""
_FORBID = re.compile(
    r"(?:proscri|empech|dispens|affranchi|interdi|deconseill|prohib|contreindi|bannir|banni|bannie|abstenir|abstention"
    r"|recuse|recuser|recusent|eviter|evite|evites|evitee|evitees|eviterai|evitons|evitent)"
)
_SHUT = frozenset({"exclu", "exclue", "exclus", "exclues", "fermee"})
_PURPOSE = frozenset("pour afin permet permettent vise but dans permettre d".split())
_DENIES = frozenset("pas jamais aucun aucune rien".split())
_AIMS = frozenset("sert servent vise visent aide aident permet permettent moyen destine".split())
"""« sert à éviter la récidive » forbids nothing."""
_SELDOM = ("exceptionnel", "rare", "inhabituel")
_WEAK = frozenset("rarement exceptionnellement guere".split())
_USELESS = frozenset("inutile inutiles injustifie injustifiee injustifies impropre".split())
_TURNS = (
    _DENIES
    | _WEAK
    | _USELESS
    | _SHUT
    | {"ne", "n", "ni", "contre", "seulement", "uniquement", "exclusivement"}
)
_STOPS = ("empech", "dispens", "affranchi")
_BETWEEN_EXCEED = frozenset(
    "doit doivent faut peut peuvent pas jamais etre on il devra devrait se en la le l plus est "
    "conseille recommande preconise souhaitable de".split()
)
_NO_MORE = (["plus", "de"], ["plus", "d"])
"""« pas plus de 1 g » bounds, it does not deny."""
_SAME_TIME = ["en", "meme", "temps"]
_OMITS = ("oubli", "manqu", "neglig", "meconn", "omet", "hesit")
_BARE_DENIALS = (["peut"], ["peuvent"], ["saurait"], ["cesse"], ["cessent"])
"""« que l'on ne peut modifier »: denied without « pas »."""
_MAY_BE = frozenset("peut peuvent pouvait pas etre".split())


def read_predicate(reading: Reading, chunk: Chunk) -> None:
    """Sign, restriction and marks of a clause, from its verbs and its words of denial."""
    keys = reading.keys
    i = chunk.start
    while i < chunk.end:
        key = keys[i]
        if _says_no_more(key):
            i += 1
            continue
        given = reading.role[i] in {Role.CONDITION, Role.EXCEPTION}
        negated_condition = given and _clausal_at(reading, keys, i)
        if (key == "ne" and not _born(reading, i)) or (key == "n" and _elided(reading, i)):
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
                (key == "pas" and keys[i - 1 : i] == ["non"])  # « et non pas avant »: in place of
                or keys[i + 1 : i + 3] in _NO_MORE
                or keys[i + 1 : i + 2] == ["exception"]
                or keys[i + 1 : i + 4] == _SAME_TIME
            ):
                reading.marks.add(i)
            else:
                _deny(reading, chunk, i, negated_condition)
        elif (
            key in _USELESS
            or (key in _WEAK and _useful_near(keys, i, chunk))
            or (key.startswith(_SELDOM) and _more_than(keys, i, chunk))
        ):
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


@lru_cache(maxsize=65536)
def _says_no_more(key: str) -> bool:
    """Whether a folded word can neither deny, forbid nor restrict a predicate."""
    return not (
        key in _TURNS
        or key in _SHUT
        or key.startswith((*_SELDOM, *_STOPS, "reserv"))
        or bool(_FORBID.match(key))
    )


def _neither(keys: Sequence[str], chunk: Chunk) -> bool:
    """« Ni X ni Y dans Z »: a denial without a verb."""
    inside = keys[chunk.start : chunk.end]
    return inside.count("ni") > 1 and not {"ne", "n", "pas", "sans", "jamais"} & set(inside)


def _born(reading: Reading, i: int) -> bool:
    """« le nouveau-né » denies nothing."""
    word = reading.words[i]
    return reading.text[word.start : word.end] not in {"ne", "Ne", "NE"}


def _elided(reading: Reading, i: int) -> bool:
    """« n' » and not the letter of « N-acétylcystéine »."""
    after = reading.words[i + 1].gap if i + 1 < len(reading.words) else ""
    return after in {"'", "’", "ʼ", "´"}


_UNLESS = (["a", "moins", "que"], ["a", "moins", "qu"])


def _clausal_at(reading: Reading, keys: Sequence[str], i: int) -> bool:
    """Whether the condition at ``i`` was opened by a conjunction (it has its own predicate)."""
    for j in range(i, -1, -1):
        if reading.role[j] is not reading.role[i]:
            return False
        if marker_at(keys, j, CLAUSAL) or keys[j : j + 3] in _UNLESS:
            return True
    return False


def _forbids(keys: Sequence[str], i: int) -> bool:
    """Whether the word at ``i`` forbids; ``_says_no_more`` must know each word that may."""
    key = keys[i]
    if key in _SHUT:  # « la voie orale est exclue »
        return keys[i - 1] in {"est", "sont"} and "voie" in keys[max(0, i - 4) : i]
    if key == "contre":
        return i + 1 < len(keys) and keys[i + 1].startswith("indi")
    if key.startswith(_STOPS):
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


def _more_than(keys: Sequence[str], i: int, chunk: Chunk) -> bool:
    """« un traitement de plus de 5 jours est exceptionnel » is « dépasse rarement 5 jours »."""
    before = keys[chunk.start : i]
    return keys[i - 1] in {"est", "reste"} and any(
        before[j : j + 2] in (["plus", "de"], ["plus", "d"]) for j in range(len(before))
    )


def _deny(reading: Reading, chunk: Chunk, i: int, in_condition: bool, start: int = -1) -> None:
    """``start``: where « ne » stands, when the denied verb comes before « pas »."""
    reading.marks.add(i)
    keys = reading.keys
    if in_condition:
        for j in range((i if start < 0 else start) + 1, chunk.end):
            opens = keys[j] in {"et", "ou"} and (
                marker_at(keys, j + 1, CLAUSAL) or keys[j + 1 : j + 2] in (["que"], ["qu"])
            )
            if opens or reading.role[j] is not reading.role[i]:
                break
            reading.local[j] = -reading.local[j]
    else:
        chunk.sign = -chunk.sign


def _aims(keys: Sequence[str], chunk: Chunk, i: int) -> bool:
    """« pas d'examens pour ne pas retarder les soins »: to delay them is denied, no more."""
    led = keys[max(chunk.start, i - 2) : i]
    return led[-1:] == ["pour"] or led == ["afin", "de"]


def _relative(keys: Sequence[str], chunk: Chunk, i: int) -> bool:
    """Whether « ne » at ``i`` stands in a relative clause: « les patients qui ne … »."""
    return i - 1 > chunk.start and (
        keys[i - 1] == "qui" or keys[i - 2 : i] == ["qu", "on"] or keys[i - 3 : i] == _QUE_L_ON
    )


def _nothing_before(keys: Sequence[str], chunk: Chunk, i: int) -> bool:
    """Whether the subject of « ne » at ``i`` denies already (« rien », « aucune étude »)."""
    return not {"rien", "aucun", "aucune", "nul", "nulle", "personne"}.isdisjoint(
        keys[max(chunk.start, i - 5) : i]
    )


def _main_verb(keys: Sequence[str], chunk: Chunk, negative: int) -> int:
    """Where the main clause goes on behind a denied « dont … », « chez lesquels … »; -1: nowhere."""
    if keys[chunk.start] not in _OF_WHICH:
        return -1
    later = range(negative + 2, chunk.end)
    return next((j for j in later if keys[j] in _FINITE), -1)


_OF_WHICH = frozenset({"dont", "lesquels", "lesquelles", "laquelle", "lequel"})
_FINITE = frozenset("est sont doit doivent peut peuvent sera seront recoit recoivent".split())
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
        if not chained or (key not in _CHAIN and key in VERBS):
            break
        last += 1
    if keys[last + 1 : last + 2] in (["de"], ["d"]) or keys[last] in {"de", "d"}:
        last = _object_end(reading, keys, chunk, last)
    for j in range(i + 1, last + 1):
        reading.local[j] = -reading.local[j]


def _object_end(reading: Reading, keys: Sequence[str], chunk: Chunk, last: int) -> int:
    """Last word of what « qui n'ont pas de facteur de risque … » denies."""
    while last + 1 < chunk.end and "," not in reading.words[last + 1].gap:
        if keys[last + 1] in VERBS or keys[last + 1] in _AFTER_OBJECT:
            break
        last += 1
    return last


_AFTER_OBJECT = frozenset(
    "chez si pour avant apres pendant avec sans lorsque quand qui et ou".split()
)


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
        if _nothing_before(keys, chunk, i):
            return i + 1  # « rien ne montre que … »: « rien » denies
        if que > 0:
            chunk.only = que
            reading.marks.add(que)
        elif keys[i + 1 : i + 2] in _BARE_DENIALS:
            if not in_condition and _relative(keys, chunk, i):
                _deny_relative(reading, keys, chunk, i, i + 1)
            else:
                _deny(reading, chunk, i, in_condition)
        return i + 1
    exceed = next((j for j in range(i + 1, limit) if EXCEED.match(keys[j])), -1)
    if exceed > 0 and all(keys[j] in _BETWEEN_EXCEED for j in range(i + 1, exceed)):
        reading.marks.add(negative)
        return exceed + 1
    if exceed > 0 and negative == exceed + 1:
        reading.marks.add(negative)
        return negative + 1
    more = keys[negative + 1 : min(negative + 4, chunk.end)]  # « pas ensemble : plus de 2 h »
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
    aims = negative == i + 1 and _aims(keys, chunk, i)
    if not in_condition and (aims or _relative(keys, chunk, i)):
        _deny_relative(reading, keys, chunk, i, negative)
        return negative + 1
    verb = _main_verb(keys, chunk, negative) if not in_condition else -1
    if verb > 0:  # « dont l'endoscopie n'a pas montré de varices sont revus »
        reading.marks.add(negative)
        for j in range(i + 1, verb):
            reading.local[j] = -reading.local[j]
        return verb
    if keys[negative] == "ni":
        reading.marks.update(j for j in range(negative, chunk.end) if keys[j] == "ni")
    _deny(reading, chunk, negative, in_condition, i)
    return negative + 1
