"""Events that other things come before or after, plain as their words are."""

from __future__ import annotations

from ancremed_desktop.pipeline.rules.model import Statement
from ancremed_desktop.text.lexicon import stem

_NEAR = 8
"""Words from « avant » or « après » within which it names its event."""
_NAMES = 2
"""Telling words that name one event (« le retour du bilan »)."""
_STOPS = ",;.:()"
_OF_TIME = frozenset("avant attendre fois que qu apres".split())
_TELLING = 4
"""Letters of a word that may name an event."""
_PLAIN = frozenset(
    "debut debuter debute commencer commence instauration instaurer traitement traitements toute tout "
    "tous toutes chaque cette leur leurs dans avec pour sans puis heures heure jours jour semaines "
    "semaine mois annee minutes etre avoir premiere premier dose prise possible plus moins".split()
)


def events_crossed(assertion: Statement, cited: Statement) -> bool:
    """« une fois le séjour débuté » of what comes « avant le séjour »; or the reverse.

    Where one of both denies or restricts to an end (« pas avant ») polarity judges it.
    """
    if any(c.sign < 0 for c in assertion.clauses) != any(c.sign < 0 for c in cited.clauses):
        return False
    ours, theirs = _sides(assertion), _sides(cited)
    return any(
        len(sides) == 1 and word in theirs and len(theirs[word]) == 1 and sides != theirs[word]
        for word, sides in ours.items()
    )


def _sides(statement: Statement) -> dict[str, set[str]]:
    """For the stem of each event, on which side of it something is said to be."""
    found: dict[str, set[str]] = {}
    for index in range(len(statement.keys)):
        side = _side(statement, index)
        if not side:
            continue
        following = statement.gaps[index + 1 : index + 2]
        if not following or any(mark in following[0] for mark in _STOPS):
            for sides in found.values():
                sides.add(side)  # « 3 semaines avant la chirurgie et 4 semaines après »
            continue
        names = 0
        for at in range(index + 1, min(index + 1 + _NEAR, len(statement.keys))):
            if at > index + 1 and any(mark in statement.gaps[at] for mark in _STOPS):
                break
            if names == _NAMES or _side(statement, at):
                break
            word = statement.keys[at]
            if len(word) >= _TELLING and word not in _PLAIN and word.isalpha():
                names += 1
                found.setdefault(stem(word), set()).add(side)
    return found


def _side(statement: Statement, index: int) -> str:
    """'before' or 'after' where a word of time leads to an event, else ''."""
    key = statement.keys[index]
    if key not in _OF_TIME:
        return ""
    led = statement.keys[max(0, index - 1) : index]
    if key == "avant" or (key == "attendre" and led == ("sans",)):
        return "before"
    once = key == "fois" and led == ("une",)
    as_soon = key in {"que", "qu"} and led == ("des",)
    return "after" if key == "apres" or once or as_soon else ""
