"""The opposite denied: « n'est plus donné » is « est arrêté », « pas A sans B » is « B avant A »."""

from __future__ import annotations

import re

from ancremed_desktop.pipeline.rules.align import mentions_of, same
from ancremed_desktop.pipeline.rules.model import Clause, Statement
from ancremed_desktop.pipeline.rules.parse import FUNCTION_WORDS
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.lexicon import inflected
from ancremed_desktop.text.values import alike, equal_value

SAME = re.compile(r"\b(?:cel(?:ui|le|les)|ceux|memes?|identiques?|pareil\w*|semblables?)\b")
DIFFERS = re.compile(r"\b(?:differ\w+|distinct\w*)\b")
_FOR_GOOD = frozenset({("start_stop", "stop"), ("permanence", "definitive")})
_GOES_ON = frozenset({("start_stop", "resume"), ("start_stop", "continue")})
_PREVENTS = ("empech", "bloqu", "supprim", "inhib", "abol", "oppos", "suspen", "interromp")
_OPPOSED: tuple[tuple[object, object], ...] = (
    (("together", "apart"), ("together", "together")),
    (("onset", "early"), ("onset", "late")),
    (("onset", "early"), "late_word"),
    (("meal", "fasting"), ("meal", "fed")),
    ("gradual", "sudden"),
    ("fruitless", "effective"),
    ("intact", "open_act"),
)
"""What is said when its opposite is denied."""
_NO_LESS = re.compile(r"\bpas (?:(?:moins|plus) d|(?:encore )?attein|au-dela|au-dessus|en dessous)")
"""« pas moins d'une heure », « ne doit pas atteindre » bound by themselves and deny nothing."""
_CAPS = frozenset({"≤", "w"})
_OPPOSITE = {"<": "≥", ">": "≤", "<=": ">", ">=": "<"}
"""What a bound says when it is denied."""


def said_by_denial(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """Whether one clause denies the opposite of what the other affirms."""
    if clause.sign == other.sign:
        return False
    return (
        _stops(assertion, clause, cited, other)
        or _prevented(assertion, clause, cited, other)
        or _bounded(assertion, clause, cited, other)
        or _differs(assertion, clause, cited, other)
        or _not_before(assertion, clause, cited, other)
        or _set_apart(assertion, clause, cited, other)
        or _needed_first(assertion, clause, cited, other)
        or _in_other_words(assertion, clause, cited, other)
    )


def _prevented(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« ne récupère plus le chlorure » is « empêche la réabsorption du chlorure »."""
    if clause.sign < 0:
        denied, affirmed, said, told = clause, other, assertion, cited
    else:
        denied, affirmed, said, told = other, clause, cited, assertion
    if any(k.startswith(_PREVENTS) for k in said.keys[denied.start : denied.end]):
        return False
    if {"ne", "n", "pas"} & set(told.keys[affirmed.start : affirmed.end]):
        return False
    for index in range(affirmed.start, affirmed.end):
        if told.keys[index].startswith(_PREVENTS):
            objects = [m for m in affirmed.mentions if m.first > index and not m.neutral]
            return any(same(m, d) for m in objects[:2] for d in mentions_of(said, denied))
    return False


def _differs(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« ne sont pas celles de l'ESC » is « diffèrent de celles de l'ESC »."""
    ours = assertion.folded(clause)
    theirs = cited.folded(other)
    denied, affirmed = (ours, theirs) if clause.sign < 0 else (theirs, ours)
    return bool(SAME.search(denied) and DIFFERS.search(affirmed))


def _not_before(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« pas avant la guérison » is « seulement après la guérison »."""
    ours = assertion.keys[clause.start : clause.end]
    theirs = cited.keys[other.start : other.end]
    denied, affirmed = (ours, theirs) if clause.sign < 0 else (theirs, ours)
    restricted = (other if clause.sign < 0 else clause).only >= 0
    return "avant" in denied and "apres" in affirmed and restricted


def _set_apart(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« pas en même temps » is « à distance », « progressivement » is « pas brutal »."""
    one, two = (mentions_of(assertion, clause), mentions_of(cited, other))
    denied, affirmed = (one, two) if clause.sign < 0 else (two, one)
    stated = [m for m in affirmed if m.role is not Role.CONDITION]  # no « en cas d'urgence »
    said = {a for m in stated for a in m.axes} | {c for m in stated for c in m.concepts}
    refused = {a for m in denied for a in m.axes} | {c for m in denied for c in m.concepts}
    return any(a in said and b in refused and b not in said for a, b in _OPPOSED)


def _stops(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« n'est pas repris », « n'est plus donné » is « est arrêté »."""
    ours = {a for m in mentions_of(assertion, clause) for a in m.axes}
    theirs = {a for m in mentions_of(cited, other) for a in m.axes}
    denied, affirmed = (ours, theirs) if clause.sign < 0 else (theirs, ours)
    said, clause = (assertion, clause) if clause.sign < 0 else (cited, other)
    no_more = any(
        said.keys[i] == "plus" and i in said.marks for i in range(clause.start, clause.end)
    )
    goes_on = ("start_stop", "stop") in denied and ("start_stop", "continue") in affirmed
    return goes_on or (bool(affirmed & _FOR_GOOD) and (no_more or bool(denied & _GOES_ON)))


def _bounded(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« on ne débute pas au-dessus de 100 mg » is « on débute à 100 mg au plus ».

    « il n'est pas nécessaire de dépasser 3 g » is « 3 g suffisent ».
    """
    denied, affirmed, said = clause, other, cited
    if clause.sign > 0:
        denied, affirmed, said = other, clause, assertion
    near, far = (cited, assertion) if clause.sign > 0 else (assertion, cited)
    if _NO_LESS.search(near.folded(denied)):
        return any(
            (v.bound == w.bound or (v.bound == ">" and w.bound in _CAPS))
            and alike(v.quantity, near.text, w.quantity, far.text)
            for v in denied.values
            for w in affirmed.values
        )
    if any(k.startswith("suffi") for k in said.keys[affirmed.start : affirmed.end]):
        return any(
            v.bound == "≤" and equal_value(v.quantity, w.quantity)
            for v in denied.values
            for w in affirmed.values
        )
    turned = {
        _OPPOSITE[v.quantity.comparator]
        for v in denied.values
        if v.quantity.comparator in _OPPOSITE
    }
    turned |= {"w"} if "≤" in turned else set()
    return any(
        v.bound in turned and equal_value(v.quantity, w.quantity)
        for v in affirmed.values
        for w in denied.values
    )


def _needed_first(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« pas d'antibiotique sans ECBU préalable » is « un ECBU est indispensable avant »."""
    denied, affirmed, said, told = clause, other, assertion, cited
    if clause.sign > 0:
        denied, affirmed, said, told = other, clause, cited, assertion
    opened = [i for i in range(denied.start, denied.end) if said.keys[i] in {"sans", "avant"}]
    before = [i for i in range(affirmed.start, affirmed.end) if told.keys[i] == "avant"]
    if not opened or not before or not _NEEDED.search(told.folded(affirmed)):
        return False
    lacking = {inflected(k) for k in said.keys[opened[-1] + 1 : opened[-1] + 3]} - FUNCTION_WORDS
    if lacking & {inflected(k) for k in told.keys[affirmed.start : before[-1]]}:
        return True  # plain as the words may be (« sans avis médical »)
    needed = [m for m in denied.mentions if m.first > opened[0] and not m.neutral]
    first = [m for m in mentions_of(told, affirmed) if m.first < before[0]]
    return any(same(m, f) for m in needed for f in first)


def _in_other_words(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    """« reste possible » is « n'est pas éliminé », « inchangé » is « pas adapté »."""
    denied, affirmed = assertion.folded(clause), cited.folded(other)
    if clause.sign > 0:
        denied, affirmed = affirmed, denied
    return any(no.search(denied) and yes.search(affirmed) for no, yes in _AFFIRMED)


_AFFIRMED = tuple(
    (re.compile(rf"\b(?:{no})"), re.compile(rf"\b(?:{yes})"))
    for no, yes in (
        (
            r"elimin|ecart|exclu",
            r"(?:rest|demeur)\w+ (?:toujours |tout de meme )?(?:possible|envisageable|a evoquer)"
            r"|peu(?:t|vent) (?:exister|etre present)",
        ),
        (
            r"adapt|ajust|modifi|chang",
            r"(?:rest\w*|demeur\w*|gard\w*|conserv\w*|est|sont|maint\w*) (?:a )?(?:la |le |les )?"
            r"(?:memes?|identiques?)\b|inchang|sans (?:changement|modification|adaptation|ajustement)",
        ),
        (
            r"attend",
            r"(?:dans l'attente|en attendant|sans attendre|d'emblee|au plus (?:vite|tot)|aussitot|immediat)",
        ),
        (
            r"concern|s'appliqu|vaut|valabl",
            r"echapp",
        ),
        (
            r"indispensable|necessaire|obligatoire|requis|besoin|oblig",
            r"(?:se |s'en )?(?:passer|dispenser) d|peu(?:t|vent) [^.;,]*\bsans\b|(?:facultati|optionnel)",
        ),
    )
)
"""What is denied, and what says the same without denial."""
_NEEDED = re.compile(
    r"\b(?:doi(?:t|vent)|faut|obligat\w+|imperati\w+|indispensables?|necessaires?|prealable\w*"
    r"|demand\w+|requier\w+|exig\w+|necessit\w+|impos\w+|suppos\w+)\b"
)
