"""Before, during and after."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.landmarks import events_crossed
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.pipeline.rules.roles import named
from ancremed_desktop.pipeline.rules.turning import turned_round, turned_wrong
from ancremed_desktop.text.lexicon import stem
from ancremed_desktop.text.values import equal_value

_BEFORE = frozenset({"avant", "prealablement", "precedant", "precedent", "precede"})
_AFTER = frozenset({"apres", "suivant", "suite", "decours", "distance", "issue"})
_DURING = frozenset({"pendant", "durant", "lors"})
_BARE = frozenset({"avant", "apres"})
_REACH = 7


def reversed_order(assertion: Statement, source: Source) -> Finding | None:
    """« avant » where the source says « après » of the same thing, or the reverse."""
    if _waits(assertion, source.cited) or _waits(source.cited, assertion):
        return Finding(DropReason.ORDER, "L’un attend ce que l’autre n’attend pas.")
    if _made_to_wait(assertion, source.cited):
        return Finding(DropReason.ORDER, "L’affirmation fait attendre ce que la source presse.")
    if _sides_changed(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source met ce délai de l’autre côté.")
    if _made_at_once(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source met un délai, l’affirmation n’en met pas.")
    if _landmark_moved(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source compte ce délai depuis un autre événement.")
    if _other_end(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source compte ce délai depuis l’autre bout.")
    if _crossed(assertion, source.cited):
        return Finding(DropReason.ORDER, "L’ordre des événements n’est pas celui de la source.")
    if _other_side(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source le met avant, l’affirmation après.")
    if _denied_side(assertion, source.cited):
        return Finding(DropReason.ORDER, "La source écarte ce moment-là.")
    if _order_added(assertion, source):
        return Finding(DropReason.ORDER, "L’affirmation ordonne ce que la source n’ordonne pas.")
    if events_crossed(assertion, source.cited):
        return Finding(DropReason.ORDER, "L’ordre des événements n’est pas celui de la source.")
    if any(c.sign < 0 for c in assertion.clauses) and any(
        c.only >= 0 for c in source.cited.clauses
    ):
        return None  # « pas avant » is « seulement après »
    theirs = _relations(source.cited)
    for concept, relation in _relations(assertion).items():
        held = theirs.get(concept)
        if held and _ITS_SPELL.search(source.cited.folded_text):
            held = held | {"during"}
        if held and not relation & held:
            return Finding(DropReason.ORDER, "L’ordre des événements n’est pas celui de la source.")
    return None


def _other_side(assertion: Statement, cited: Statement) -> bool:
    """« corrigée après la thrombolyse » of what is corrected « avant toute décision »."""
    if "avant" not in cited.keys or _LATER.search(cited.folded_text):
        return False
    if "avant" in assertion.keys or any(c.sign < 0 for c in assertion.clauses):
        return False
    held = cited.concepts
    return any(
        last and first and not first & held and last & held
        for key, first, last in _successions(assertion)
        if key == "apres"
    )


def _denied_side(assertion: Statement, cited: Statement) -> bool:
    """« désinfecter avant » of « après le retrait, et non pas avant »."""
    for mention in assertion.mentions:
        if mention.key not in _BARE or mention.sign * assertion.clauses[mention.chunk].sign < 0:
            continue
        places = [m for m in cited.mentions if m.key == mention.key]
        if places and all(m.sign * cited.clauses[m.chunk].sign < 0 for m in places):
            others = [m for m in cited.mentions if m.key in _BARE and m.key != mention.key]
            if others and all(m.sign * cited.clauses[m.chunk].sign > 0 for m in others):
                return True
    return False


_LATER = re.compile(
    r"\b(?:apres|puis|ensuite|attend\w*|suivant\w*|plus tot|plus tard|des que|une fois)\b"
)
_ITS_SPELL = re.compile(r"\b(?:pendant|durant) (?:toute )?(?:sa|leur) duree\b")
"""« avant le traitement, poursuivie pendant toute sa durée »."""


def _crossed(assertion: Statement, cited: Statement) -> bool:
    """« la confirmation avant le traitement » said as « le traitement avant la confirmation »."""
    if any(c.sign < 0 for c in assertion.clauses) != any(c.sign < 0 for c in cited.clauses):
        return False  # « pas avant la guérison » is « après la guérison »: polarity judges it
    theirs = _successions(cited)
    return any(
        first & (after - before) and last & (before - after)
        for _, first, last in _successions(assertion)
        for _, before, after in theirs
    )


def _successions(statement: Statement) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """(word, what comes first, what comes last) around each « avant », « après », « puis »."""
    found = []
    for index, word in enumerate(statement.keys):
        previous = statement.keys[index - 1 : index] if index else ()
        given = word in {"si", "s"} and previous in (("que",), ("qu",))
        key = "avant" if word.startswith("preced") and word.endswith(_THIRD) else word
        unawaited = key == "attendre" and previous == ("sans",)
        if not (key in _FIRST_THEN or given or unawaited) or index == 0:
            continue
        clause = next(c for c in statement.clauses if c.start <= index < c.end)
        if {"avant", "apres"} <= set(statement.keys[clause.start : clause.end]):
            continue  # « une heure avant ou deux heures après le repas »
        if any(0 < v.first - index < 4 for v in statement.values):
            continue  # « après 20 semaines » dates, it names no event
        near = {m.first for m in _nearest(statement, index)}
        ahead = [m for m in statement.every if m.first in near and m.first < clause.end]
        begin = clause.start if index > clause.start else _clause_before(statement, clause)
        behind = [m for m in statement.every if begin <= m.first < index]
        if not ahead or not behind:
            continue
        one, other = named(behind), named(ahead)
        if key in _FIRST_THEN[:2] or unawaited:
            found.append((key, one, other))
        else:
            found.append((key, other, one))
    return found


_THIRD = ("ede", "edent")


def _clause_before(statement: Statement, clause: Clause) -> int:
    """Start of the clause that « puis » goes on from, at the head of its own."""
    number = statement.clauses.index(clause)
    earlier = statement.clauses[number - 1] if number else clause
    return earlier.start if earlier.sentence == clause.sentence else clause.start


_ORDERS = re.compile(
    r"\b(?:avant|apres|puis|ensuite|d'abord|prealabl\w*|preced\w*|sui(?:t|v)\w*|attend\w*|des|une fois"
    r"|debut\w*|initial\w*|premi\w*|lors|pendant|jusqu|secondairement|relais|au decours"
    r"|tant que|dela|lorsqu\w*|quand|si|deja|jamais|plus tot|anterieur\w*|instaur\w*|introdu\w*)\b"
)


def _order_added(assertion: Statement, source: Source) -> bool:
    """« une évaluation avant l'hospitalisation » of what the source joins by « et ».

    What comes after the disease of the title comes after it anyhow.
    """
    title = source.label.concepts
    return not _ORDERS.search(source.cited.folded_text) and any(
        first and last and not (key == "apres" and first <= title)
        for key, first, last in _successions(assertion)
        if key in _FIRST_THEN and not (key == "apres" and first & _FAILURES)
    )


_FAILURES = frozenset({"w:echec", "w:intoleranc", "w:intoler", "w:inefficac"})
"""« après échec de A » is « en cas d'échec de A »."""
_FIRST_THEN = ("avant", "puis", "apres")
_NOT_WAITING = re.compile(
    r"\b(?:(?:sans|ne doi(?:t|vent) pas) attendre|dans l'attente d\w*|en attendant) (?:(?:l'|d'|(?:les?|la|des|une?|son|sa|ses|leurs?) ))*(\w+)"
)
_WAITING = re.compile(
    r"\b(?:des qu[e']|une fois|apres|lorsqu(?:e\b|')|quand|a reception d\w*|au vu d\w*|en fonction d\w*"
    r"|selon|(?<!sans )(?<!pas )(?<!en )(?<!n')(?<!ne )attend\w*) ?([\w ']{1,50})"
    r"|\bdes (?:l[ea] |les |l')(\w+)"
)


def _waits(one: Statement, other: Statement) -> bool:
    """« dès que les résultats sont connus » against « sans attendre les résultats »."""
    at_once = {stem(w) for w in _NOT_WAITING.findall(other.folded_text)}
    if not at_once or _NOT_WAITING.search(one.folded_text):
        return False
    return any(
        stem(word) in at_once
        for awaited in _WAITING.findall(one.folded_text)
        for word in " ".join(awaited).partition(" avant ")[0].split()
    )


def _made_to_wait(assertion: Statement, cited: Statement) -> bool:
    """« administrer sans attendre » said as « administrer après le contrôle »."""
    if not _AT_ONCE.search(cited.folded_text) or "apres" in cited.keys:
        return False
    return any(
        m.first - i in range(1, 4)
        for i, k in enumerate(assertion.keys)
        if k == "apres" and not any(0 < v.first - i < 4 for v in assertion.values)
        for m in assertion.mentions
        if not any(same(m, c) for c in cited.every)
    )


_AT_ONCE = re.compile(
    r"\b(?:sans attendre|sans delai|immediate?\w*|d'emblee|en urgence|aussitot)\b"
)


def _sides_changed(assertion: Statement, cited: Statement) -> bool:
    """« une heure avant ou deux heures après » said as « deux heures avant »."""
    theirs = [(v, _side(cited, v)) for v in cited.values]
    for value in assertion.values:
        ours = _side(assertion, value)
        alike = [(v, s) for v, s in theirs if s and equal_value(v.quantity, value.quantity)]
        if alike and all(turned_wrong(assertion, value, cited, v) for v, _ in alike):
            return True
        sides = {s for _, s in alike}
        if ours and sides and ours not in sides:
            return not any(turned_round(assertion, value, cited, v) for v, _ in alike)
    return False


_AT_ONE_TIME = re.compile(r"\ble (?:meme )?(?:jour|moment) (?:ou|meme|du|de la|de l|que)\b")


def _made_at_once(assertion: Statement, cited: Statement) -> bool:
    """« le jour où commence le traitement » of what comes « 1 mois avant le traitement »."""
    return bool(
        _AT_ONE_TIME.search(assertion.folded_text)
        and not assertion.values
        and any(_side(cited, v) for v in cited.values)
        and not re.search(r"\bjours?\b", cited.folded_text)
    )


def _side(statement: Statement, value: Value) -> str:
    """« avant » or « après » that comes right after a delay."""
    for key in statement.keys[value.last + 1 : value.last + 4]:
        if key in _BARE:
            return key
        if key not in _AT_LEAST:
            return ""
    return ""


def _other_end(assertion: Statement, cited: Statement) -> bool:
    """« les 6 derniers mois » of what holds for « les 6 premiers mois »."""
    for value in assertion.values:
        ours = _end(assertion, value)
        theirs = {_end(cited, v) for v in cited.values if equal_value(v.quantity, value.quantity)}
        if ours and theirs and ours not in theirs and "" not in theirs:
            return True
    return False


def _end(statement: Statement, value: Value) -> str:
    """Whether a spell is the first or the last one; '' when it does not say."""
    words = statement.keys[max(0, value.first - 1) : value.last + 2]
    return next((e for e in ("premi", "derni") for w in words if w.startswith(e)), "")


_AT_LEAST = frozenset("au moins plus minimum maximum".split())


def _landmark_moved(assertion: Statement, cited: Statement) -> bool:
    """« 6 semaines après l'arrêt » said as « 6 semaines après le début »."""
    for value in assertion.values:
        ours = _landmarks(assertion, value)
        theirs = [
            _landmarks(cited, v) for v in cited.values if equal_value(v.quantity, value.quantity)
        ]
        if ours and theirs and all(t and not t & ours for t in theirs):
            return True
    return False


def _landmarks(statement: Statement, value: Value) -> frozenset[str]:
    """Whether a delay counts from a start or a stop, with its side (« after stop »)."""
    for index in range(value.last + 1, min(value.last + 3, len(statement.keys))):
        side = _relation(statement, index, statement.keys[index])
        if side:
            near = [m for m in statement.mentions if 0 < m.first - index <= 3]
            return frozenset(
                f"{side} {member}" for m in near for axis, member in m.axes if axis == "start_stop"
            )
    return frozenset()


def _relations(statement: Statement) -> dict[str, set[str]]:
    """For each landmark (« avant le repas »), how something stands to it."""
    found: dict[str, set[str]] = {}
    landmark: list[Mention] = []
    for index, key in enumerate(statement.keys):
        relation = _relation(statement, index, key)
        if not relation:
            continue
        following = _nearest(statement, index)
        if key in _BARE and _stands_alone(statement, index):
            following = landmark  # « 3 semaines avant la cardioversion et 4 semaines après »
        landmark = following
        for mention in following:
            for concept in mention.concepts:
                found.setdefault(concept, set()).add(relation)
    return found


def _stands_alone(statement: Statement, index: int) -> bool:
    return index + 1 >= len(statement.keys) or bool(
        re.search(r"[,;.:)\n]", statement.gaps[index + 1])
    )


def _relation(statement: Statement, index: int, key: str) -> str:
    if key not in _RELATES:
        return ""
    before = statement.keys[max(0, index - 2) : index]
    if key in _BEFORE:
        return "before"
    if key in _FOLLOWS and (before[-1:] == ("qui",) or _of_spell(statement, index)):
        return "after"
    if key in _AFTER:
        plain = key in {"apres", "decours"} or (key == "distance" and before[-1:] == ("a",))
        hours = key == "suivant" and bool(before) and before[-1] in {"heures", "jours", "minutes"}
        return "after" if plain or hours or (key == "issue" and before[-1:] == ("l",)) else ""
    if key == "attendre" and before[-1:] == ("sans",):
        return "before"
    if key in _DURING or (key == "cours" and before[-1:] == ("au",)):
        spell = any(v.first - index in range(1, 4) for v in statement.values)
        return "" if spell else "during"
    return ""


def _of_spell(statement: Statement, index: int) -> bool:
    """« la semaine suivant le début »: a spell, then what it follows."""
    spell = statement.keys[index - 1 : index] if index else ()
    after = statement.keys[index + 1 : index + 2]
    return bool(spell) and spell[0] in _SPELLS and after in (("le",), ("la",), ("l",), ("un",))


_FOLLOWS = frozenset("suit suivent suivant suivante".split())
_RELATES = _BEFORE | _FOLLOWS | _AFTER | _DURING | {"attendre", "cours"}
"""Words that may tell how something stands to a landmark."""
_SPELLS = frozenset("jour jours semaine semaines mois heure heures annee minutes".split())


def _nearest(statement: Statement, index: int) -> list[Mention]:
    """The two mentions that follow a word, within reach; only the first across a comma."""
    near = [m for m in statement.mentions if 0 < m.first - index <= _REACH]
    stop = next(
        (i for i in range(index + 1, len(statement.keys)) if "," in statement.gaps[i]), None
    )
    near = [m for m in near if stop is None or m.first < stop] or near
    near = [m for m in near if not m.neutral] or near
    following = sorted(near, key=lambda m: m.first)[:2]
    if len(following) == 2 and any(
        "," in statement.gaps[i] for i in range(following[0].first + 1, following[1].first + 1)
    ):
        return following[:1]
    return following
