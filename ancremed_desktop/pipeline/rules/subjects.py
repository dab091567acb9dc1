"""What the source speaks of may not give way to its title, its condition or another record."""

from __future__ import annotations

import re
from itertools import pairwise

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Pairing, Source, same, span_of
from ancremed_desktop.pipeline.rules.cover import held, names_class, names_drug
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.values import alike

_PAST = re.compile(
    r"\b(?:antecedent\w*|deja|ancien\w*|anterieur\w*|passes?|precedent\w*|histoire|jadis"
    r"|(?:a|ont|ayant|avoir) (?:eu|fait|presente|subi|connu))\b"
)
_REACH = 4
"""Words from « antécédent » to what it is of."""


def replaced(assertion: Statement, source: Source, pairings: tuple[Pairing, ...]) -> Finding | None:
    """Another subject, case or record than that of the cited sentences."""
    return (
        _heading_lost(assertion, source, pairings)
        or _other_head(assertion, source)
        or _other_subject(assertion, source, pairings)
        or _history_lost(assertion, source.cited)
        or _other_drug(assertion, source)
        or _other_record(assertion, source.cited)
        or _other_letter(assertion, source)
    )


def _finding(detail: str, *mentions: Mention) -> Finding:
    spans = tuple((m.start, m.end) for m in mentions)
    return Finding(DropReason.SUBGROUP, detail, spans)


def _other_head(assertion: Statement, source: Source) -> Finding | None:
    """« insuffisance cardiaque » of the title where the sentence says « insuffisance rénale »."""
    for mention in assertion.mentions:
        head, _, rest = mention.key.partition(" ")
        titled = held(mention, source.label.concepts | source.before.concepts)
        if not rest or not titled or mention.concepts & source.cited.concepts:
            continue
        rivals = [m for m in source.cited.mentions if m.key.startswith(f"{head} ")]
        if rivals and not any(same(a, r) for r in rivals for a in assertion.every):
            return _finding("La phrase citée parle d’autre chose que son titre.", mention)
    return None


def _other_subject(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """« L'ostéoporose correspond à … » of what is said of osteopenia, under the other's title.

    So « les digitaliques sont à éviter » of what is to be avoided in who takes them.
    """
    for pairing in pairings:
        ours = _subject(assertion, pairing.clause)
        theirs = [_subject(source.cited, c) for c in pairing.found]
        if ours is None or not theirs or not all(theirs):
            continue
        lost = all(
            t is not None
            and not any(same(a, t) for a in assertion.every)
            and not t.concepts & source.label.concepts
            for t in theirs
        )
        told = [m for m in source.cited.every if same(ours, m)]
        titled = not told and all(t is not None and _alike(ours, t) for t in theirs)
        case = (
            bool(told)
            and all(_taken(source.cited, m) for m in told)
            and all(t is not None and _treats(ours) and _treats(t) for t in theirs)
        )
        whose = bool(told) and all(
            t is not None and _persons(ours, t) and _complement(source.cited, t, told)
            for t in theirs
        )
        if lost and (titled or case or whose):
            return _finding("La phrase citée parle d’un autre sujet.", ours)
    return None


def _taken(cited: Statement, mention: Mention) -> bool:
    """Whether a drug is only named for who takes it (« chez le patient sous digitaliques »)."""
    return mention.role is Role.CONDITION and bool(
        {"chez", "sous", "cas"} & set(cited.keys[max(0, mention.first - _REACH) : mention.first])
    )


def _persons(mention: Mention, other: Mention) -> bool:
    """Whether both name people, by age or sex."""
    return all(any(axis in {"age", "sex"} for axis, _ in m.axes) for m in (mention, other))


def _complement(cited: Statement, subject: Mention, told: list[Mention]) -> bool:
    """« le nouveau-né de mère porteuse »: who is only named for whose child it is."""
    after = subject.first + len(subject.key.split())
    return all(
        after < m.first <= after + 2 and cited.keys[after] in {"de", "d", "du", "des"} for m in told
    )


def _treats(mention: Mention) -> bool:
    return names_drug(mention) or names_class(mention)


def _alike(mention: Mention, other: Mention) -> bool:
    """« ostéoporose » and « ostéopénie », « hypertension » and « hypotension »: rival names."""
    one, two = mention.key, other.key
    return one[:_SHARED] == two[:_SHARED] or one[-_SHARED - 1 :] == two[-_SHARED - 1 :]


_SHARED = 5
"""Letters that two learned words share at their beginning; one more at their end."""


def _subject(statement: Statement, clause: Clause) -> Mention | None:
    """The first thing a clause says something of, before its verb."""
    for mention in clause.mentions:
        if mention.role is Role.CORE and not mention.neutral:
            before_verb = not _VERBS & set(statement.keys[clause.start : mention.first])
            return mention if before_verb else None
    return None


_VERBS = frozenset(
    "est sont doit doivent peut peuvent correspond correspondent definit sera reste a ont".split()
)


def _history_lost(assertion: Statement, cited: Statement) -> Finding | None:
    """« un antécédent de pré-éclampsie » is no pre-eclampsia."""
    if _PAST.search(assertion.folded_text):
        return None
    for mention in assertion.mentions:
        places = [m for m in cited.mentions if not mention.neutral and same(mention, m)]
        if places and all(
            any(k.startswith("antecedent") for k in cited.keys[max(0, m.first - _REACH) : m.first])
            for m in places
        ):
            return _finding("La source parle d’un antécédent.", mention)
    return None


def _other_drug(assertion: Statement, source: Source) -> Finding | None:
    """« L'association à la colchicine » of what is said of azathioprine, named nowhere."""
    held_here = source.cited.concepts | source.label.concepts
    ours = [m for m in assertion.mentions if names_drug(m)]
    absent = [m for m in ours if not held(m, held_here)]
    if not absent or any(held(m, source.cited.concepts) for m in ours):
        return None
    theirs = [m for m in source.cited.mentions if names_drug(m)]
    lost = [
        m
        for m in theirs
        if not m.concepts & source.label.concepts and not any(same(a, m) for a in assertion.every)
    ]
    return _finding("La phrase citée parle d’un autre médicament.", *absent) if lost else None


def _other_letter(assertion: Statement, source: Source) -> Finding | None:
    """« Z-score » of what is said of the T-score, « groupe B » of group A."""
    theirs = _letters(source.cited) + _letters(source.label)
    for word, letter, index in _letters(assertion):
        known = {other for w, other, _ in theirs if w == word}
        if known and letter not in known:
            start, end = assertion.offsets[index]
            return Finding(
                DropReason.SUBGROUP, "La source nomme une autre lettre.", ((start, end),)
            )
    return None


def _letters(statement: Statement) -> list[tuple[str, str, int]]:
    """(word, letter, index of the letter) of names with a capital letter: « T-score »."""
    found = []
    for index, (start, end) in enumerate(statement.offsets):
        if end - start != 1 or not statement.text[start:end].isupper():
            continue
        after = index + 1 < len(statement.keys) and statement.gaps[index + 1] in {"-", "‑"}
        if after:
            found.append((statement.keys[index + 1], statement.keys[index], index))
        elif index and statement.gaps[index] == " " and len(statement.keys[index - 1]) > _REACH:
            found.append((statement.keys[index - 1], statement.keys[index], index))
    return found


def _other_record(assertion: Statement, cited: Statement) -> Finding | None:
    """« une cytologie tous les 5 ans » of « … deux cytologies … ; …, test HPV tous les 5 ans »."""
    records = _records(cited)
    if len(records) < 2:
        return None
    values = {
        i
        for value in assertion.values
        for i in [_only([_holds(assertion, value, cited, r) for r in records])]
        if i >= 0
    }
    if len(values) != 1:
        return None
    (record,) = values
    own = [m for m in cited.mentions if m.first in records[record] and _tells(m)]
    if not own or any(same(a, m) for m in own for a in assertion.every):
        return None
    for mention in assertion.mentions:
        if not _tells(mention):
            continue
        where = [any(same(mention, m) for m in cited.every if m.first in r) for r in records]
        if where.count(True) == 1 and where.index(True) != record:
            return _finding("La source le dit d’un autre élément de sa liste.", mention)
    return None


def _tells(mention: Mention) -> bool:
    return not mention.neutral and mention.role is Role.CORE


def _only(told: list[bool]) -> int:
    return told.index(True) if told.count(True) == 1 else -1


def _holds(assertion: Statement, value: Value, cited: Statement, record: range) -> bool:
    return any(
        v.first in record and alike(value.quantity, assertion.text, v.quantity, cited.text)
        for v in cited.values
    )


def _records(cited: Statement) -> list[range]:
    """Parts of a sentence between semicolons."""
    edges = [i for i in range(1, len(cited.keys)) if ";" in cited.gaps[i]]
    marks = [0, *edges, len(cited.keys)]
    return [range(*edge) for edge in pairwise(marks)]


def _heading_lost(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """« Neurosyphilis : 20 MUI par jour » said of early syphilis, its sister.

    What stands before the colon is whom the clause is about: the assertion may not leave out a
    word of it and qualify the rest by a word of its own.
    """
    for pairing in pairings:
        sisters = [_sister(assertion, source.cited, c) for c in pairing.found]
        if sisters and all(sisters):
            return Finding(
                DropReason.SUBGROUP,
                "La source le dit d’une autre forme, nommée avant les deux-points.",
                span_of(assertion, pairing.clause),
            )
    return None


def _sister(assertion: Statement, cited: Statement, clause: Clause) -> bool:
    heads = [f for f in clause.frames if cited.clauses[f].heads]
    named = [m for f in heads for m in cited.clauses[f].mentions if not m.neutral]
    ours = [a for a in assertion.mentions if not a.neutral]
    if all(any(same(m, a) for a in ours) for m in named):
        return False
    wider = [m for m in cited.every if m.chunk in heads and not m.neutral]
    return any(
        two.first - one.first <= _QUALIFIED
        and two.role is one.role
        and not _COPULAS & set(assertion.keys[one.first + 1 : two.first])
        and "," not in assertion.gaps[two.first]
        and not names_drug(two)
        and any(same(one, m) for m in wider)
        and not held(two, cited.concepts)
        for one, two in pairwise(ours)
    )


_COPULAS = frozenset("est sont reste restent".split())
_QUALIFIED = 2
"""Words from a noun to the adjective that follows it."""
