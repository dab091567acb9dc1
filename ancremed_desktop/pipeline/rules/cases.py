"""What the source says of one case is not told of the other case beside it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.binding import is_parameter
from ancremed_desktop.pipeline.rules.branches import turning
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement
from ancremed_desktop.text.clauses import Role


class _Branch(NamedTuple):
    """A case of the source and what it says of it."""

    case: tuple[Mention, ...]
    content: tuple[Mention, ...]


def exchanged_cases(assertion: Statement, source: Source) -> Finding | None:
    """« la cuisse chez le nourrisson » of « le bras chez l'adulte et la cuisse chez le nourrisson ».

    Said the other way round, « le bras chez le nourrisson » has a case that the source gives to
    something else and a content that it gives to another case.
    """
    for branches in _forks(source.cited):
        for clause in assertion.clauses:
            said = [m for m in _with_frames(assertion, clause) if not m.neutral]
            wrong = _crossed(said, branches)
            if wrong:
                return Finding(
                    DropReason.SUBGROUP,
                    "La source le dit d’un autre cas, nommé à côté.",
                    tuple((m.start, m.end) for m in wrong),
                )
    return None


def denied_case(assertion: Statement, source: Source) -> Finding | None:
    """« si le traitement peut être différé » of what holds « s'il ne peut pas être différé ».

    Plain words as they are, denied on one side only they tell the contrary case.
    """
    cited = source.cited
    turn = turning(cited)  # « dans le cas contraire » tells the contrary of what comes before
    for mention in assertion.mentions:
        if not mention.neutral or mention.role is not Role.CONDITION or len(mention.key) < _TELLING:
            continue
        sign = assertion.clauses[mention.chunk].sign
        theirs = [m for m in cited.mentions if m.key == mention.key]
        if (
            theirs
            and not any(m.first < turn for m in theirs)
            and all(
                m.role is Role.CONDITION
                and m.sign != mention.sign
                and cited.clauses[m.chunk].sign == sign
                for m in theirs
            )
        ):
            return Finding(
                DropReason.CONDITION,
                "La source le dit du cas contraire.",
                ((mention.start, mention.end),),
            )
    return None


def other_place(assertion: Statement, source: Source) -> Finding | None:
    """« dans le sang » of what is counted « dans l'ascite », for its word alone is known there."""
    cited = source.cited
    theirs = [m for run in _within(cited) for m in run]
    if not theirs or any(same(a, m) for m in theirs for a in assertion.every):
        return None
    words = {m.key for m in cited.every} | set(source.label.keys)
    for run in _within(assertion):
        if run and not any(m.key in words for m in run):
            return Finding(
                DropReason.CONDITION,
                "La source le dit d’un autre endroit.",
                ((run[0].start, run[-1].end),),
            )
    return None


def without(assertion: Statement, source: Source) -> Finding | None:
    """« sans choc » of what is told « avec choc », restricted or not."""
    for mention in assertion.mentions:
        if mention.neutral or not _led_by(assertion, mention, "sans"):
            continue
        theirs = [m for m in source.cited.mentions if same(mention, m)]
        if theirs and all(_led_by(source.cited, m, "avec") for m in theirs):
            return Finding(
                DropReason.POLARITY,
                "La source dit « avec », l’affirmation « sans ».",
                ((mention.start, mention.end),),
            )
    return None


def _led_by(statement: Statement, mention: Mention, word: str) -> bool:
    return word in statement.keys[max(0, mention.first - 2) : mention.first]


def _within(statement: Statement) -> list[list[Mention]]:
    """What each « dans le … » of a text names, values apart."""
    found = []
    for index, key in enumerate(statement.keys):
        if key != "dans" or statement.keys[index + 1 : index + 2] == ("les",):
            continue
        near = range(index + 1, index + _PLACE)
        if not any(v.first in near for v in statement.values):
            found.append([m for m in statement.mentions if m.first in near and not m.neutral][:1])
    return [run for run in found if run]


_PLACE = 4
"""Words from « dans » to the place."""


def requalified(assertion: Statement, source: Source) -> Finding | None:
    """« mère vaccinée » of what is told of a « mère porteuse », though a vaccine is named too.

    The qualifier right after a noun is that of another noun of the source, and the noun's own is
    nowhere in the assertion.
    """
    cited = source.cited
    for noun, quality in itertools.pairwise(assertion.mentions):
        plain = noun.neutral or quality.neutral or is_parameter(noun)
        level = any(axis in _LEVELS for axis, _ in quality.axes)  # judged with the axes
        if plain or level or not _qualifies(assertion, noun, quality):
            continue
        places = [m for m in cited.mentions if m.key == noun.key or same(noun, m)]
        own = [_quality(cited, p) for p in places]
        if own and all(
            q is not None
            and not same(quality, q)
            and not any(a.key == q.key or same(a, q) for a in assertion.every)
            for q in own
        ):
            return Finding(
                DropReason.SUBGROUP,
                "La source qualifie autrement ce dont elle parle.",
                ((noun.start, quality.end),),
            )
    return None


def _qualifies(statement: Statement, noun: Mention, quality: Mention) -> bool:
    """Whether one word agrees with the word right before it (« mère vaccinée »)."""
    return (
        quality.first == noun.first + len(noun.key.split())
        and not re.search(r"[,;:.()]", statement.gaps[quality.first])
        and quality.chunk == noun.chunk
        and bool(_AGREES.search(statement.text[quality.start : quality.end]))
    )


def _quality(cited: Statement, noun: Mention) -> Mention | None:
    """The adjective or participle right after a noun of the source, if it has one."""
    after = next((m for m in cited.mentions if m.first > noun.first), None)
    return after if after is not None and _qualifies(cited, noun, after) else None


_AGREES = re.compile(
    r"[a-z]{3}(?:ée?s?|ies?|ues?|antes?|ants?|ifs?|ives?|eux|euses?|iques?|ale?s?|aux|aires?|els?|elles?)$"
    r"|\b(?:graves?|sévères?|simples?|précoces?|jeunes?|fortes?|faibles?|aiguës?|aigus?|mineure?s?"
    r"|majeure?s?|lég[eè]re?s?|profonde?s?|internes?|externes?|libres?|unipolaires?|bipolaires?)$"
)
_LEVELS = frozenset({"direction", "result"})
_TELLING = 6
"""Letters of a plain word that says what a case is (« différé », « disponible »)."""


def _with_frames(statement: Statement, clause: Clause) -> list[Mention]:
    framed = [m for f in clause.frames for m in statement.clauses[f].mentions]
    return [*framed, *clause.mentions]


def _crossed(said: list[Mention], branches: Sequence[_Branch]) -> tuple[Mention, ...]:
    """(case, content) of two branches that the assertion takes together; () for none."""
    cases = [_only_in(m, [b.case for b in branches]) for m in said]
    contents = [_only_in(m, [b.content for b in branches]) for m in said]
    if len({c for c in cases if c >= 0}) != 1:
        return ()
    told = {c for c in contents if c >= 0}
    case = next(c for c in cases if c >= 0)
    if len(told) != 1 or case in told:
        return ()
    return (
        said[cases.index(case)],
        said[contents.index(told.pop())],
    )


def _only_in(mention: Mention, groups: list[tuple[Mention, ...]]) -> int:
    """The one group that has a counterpart of a mention, -1 for none or several."""
    found = [i for i, group in enumerate(groups) if any(same(mention, m) for m in group)]
    return found[0] if len(found) == 1 else -1


def _forks(cited: Statement) -> list[list[_Branch]]:
    """The cases that stand side by side in each clause, each led by the same word."""
    found = []
    for clause in cited.clauses:
        starts = _openers(cited, clause)
        if len(starts) < 2:
            continue
        if starts[0] == clause.start:
            branches = _leading(cited, [*starts, clause.end])
        else:
            branches = _trailing(cited, [*starts, clause.end], clause.start)
        if all(b.case and b.content for b in branches):
            found.append(branches)
    return found


def _openers(cited: Statement, clause: Clause) -> list[int]:
    """Words of a clause that open a case, where the same word opens several of them."""
    given = [i for i in range(clause.start, clause.end) if cited.roles[i] is Role.CONDITION]
    for opener in _OPENERS:
        found = [i for i in given if cited.keys[i] == opener]
        if len(found) > 1:
            return found
    return []


_OPENERS = ("chez", "si", "en", "lorsque", "devant", "pendant", "apres", "avant", "sous", "dans")
"""The first ones say of whom something is told, the last ones when and where."""


def _leading(cited: Statement, edges: list[int]) -> list[_Branch]:
    """« Chez l'adulte le bras est choisi, chez le nourrisson la cuisse ».

    The first thing told may be the subject of all, which the later ones leave out.
    """
    found = []
    for start, stop in itertools.pairwise(edges):
        end = next((i for i in range(start, stop) if cited.roles[i] is not Role.CONDITION), stop)
        told = _inside(cited, range(end, stop))
        subject = told[0].first if told and start == edges[0] else -1
        found.append(
            _Branch(
                _inside(cited, range(start, end)),
                tuple(m for m in told if m.first != subject),
            )
        )
    return found


def _trailing(cited: Statement, edges: list[int], begin: int) -> list[_Branch]:
    """« choisir le bras chez l'adulte et la cuisse chez le nourrisson »: what leads to each case."""
    found = []
    for start, stop in itertools.pairwise(edges):
        end = stop if stop == edges[-1] else _joined_at(cited, start, stop)
        told = _inside(cited, range(begin, start))
        last = max((m.first for m in told), default=-1)
        found.append(
            _Branch(
                _inside(cited, range(start, end)),
                tuple(m for m in told if m.first == last),
            )
        )
        begin = end
    return found


def _joined_at(cited: Statement, start: int, stop: int) -> int:
    """Where what is said of the next case begins: at the last « et » or comma before it."""
    joints = [i for i in range(start + 1, stop) if cited.keys[i] in _JOINTS or "," in cited.gaps[i]]
    return joints[-1] if joints else stop


_JOINTS = frozenset("et ou mais puis".split())


def _inside(cited: Statement, words: range) -> tuple[Mention, ...]:
    return tuple(m for m in cited.every if m.first in words and not m.neutral)
