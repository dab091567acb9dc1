"""Contraries that no single word denies: one for two, the denied case for the other, acts exchanged."""

from __future__ import annotations

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, mentions_of, same
from ancremed_desktop.pipeline.rules.cover import names_class, names_drug
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.lexicon import inflected


def contrary(assertion: Statement, source: Source) -> Finding | None:
    """The first of these contraries that an assertion makes of its source."""
    return (
        _one_of_several(assertion, source.cited)
        or _denied_of_them(assertion, source.cited)
        or _undenied(assertion, source.cited)
        or _acts_exchanged(assertion, source.cited)
        or _manner_lost(assertion, source)
        or _advised(assertion, source.cited)
        or _risk_awaited(assertion, source.cited)
        or _other_branch(assertion, source.cited)
        or _identity_changed(assertion, source)
    )


def _one_of_several(assertion: Statement, cited: Statement) -> Finding | None:
    """« sur un seul contrôle » of what takes « deux contrôles successifs »."""
    for index, key in enumerate(assertion.keys):
        if key not in {"seul", "seule"} or assertion.keys[index - 1] not in {"un", "une"}:
            continue
        noun = inflected(assertion.keys[index + 1]) if index + 1 < len(assertion.keys) else ""
        counted = [
            v
            for v in cited.values
            if noun in {inflected(k) for k in cited.keys[v.last : v.last + 2]}
        ]
        if noun and counted and all((v.quantity.low or 0) > 1 for v in counted):
            return Finding(
                DropReason.QUANTITY,
                "La source en demande plusieurs, l’affirmation un seul.",
                (assertion.offsets[index],),
            )
    return None


_RELATIVES = frozenset("dont lesquels lesquelles laquelle lequel qui".split())


def _denied_of_them(assertion: Statement, cited: Statement) -> Finding | None:
    """« avec des varices » of « chez lesquels l'endoscopie n'a pas montré de varices »."""
    for mention in assertion.mentions:
        denied = mention.sign < 0 or assertion.clauses[mention.chunk].sign < 0
        if mention.neutral or denied or mention.role is Role.EXCEPTION:
            continue
        places = [m for m in cited.every if same(mention, m)]
        if places and all(_told_absent(cited, m) for m in places):
            return Finding(
                DropReason.POLARITY,
                "La source le dit de ceux qui ne l’ont pas.",
                ((mention.start, mention.end),),
            )
    return None


def _told_absent(cited: Statement, place: Mention) -> bool:
    """Whether a relative clause denies what stands right behind its « pas »."""
    clause = cited.clauses[place.chunk]
    if cited.keys[clause.start] not in _RELATIVES or clause.sign > 0 or place.sign < 0:
        return False
    return any(k in {"pas", "jamais"} for k in cited.keys[clause.start : place.first])


_WITHOUT = frozenset("non pas sans jamais ni peu mal plus aucun aucune moins".split())


def _undenied(assertion: Statement, cited: Statement) -> Finding | None:
    """« une HTA contrôlée » of what the source says of « une HTA non contrôlée »; or the reverse."""
    for ours, theirs in ((assertion, cited), (cited, assertion)):
        for index in range(len(theirs.keys) - 1):
            if (
                theirs.keys[index] != "non"
                or theirs.keys[index + 1] == "pas"
                or "'" in theirs.gaps[index + 1]
            ):
                continue
            word = inflected(theirs.keys[index + 1])
            said = [i for i, k in enumerate(ours.keys) if inflected(k) == word]
            if any(
                inflected(k) == word and theirs.keys[i - 1] != "non"
                for i, k in enumerate(theirs.keys)
            ):
                continue
            if said and not any(_WITHOUT & set(ours.keys[max(0, i - 3) : i]) for i in said):
                return Finding(
                    DropReason.POLARITY, f"L’un dit « non {theirs.keys[index + 1]} », l’autre non."
                )
    return None


def _risk_awaited(assertion: Statement, cited: Statement) -> Finding | None:
    """« contre-indiqué en cas d'hémorragie » of what is « en raison du risque d'hémorragie »."""
    if "expose_risk" in {
        c for m in assertion.every if m.role is not Role.CORE for c in m.concepts
    } or not any("expose_risk" in m.concepts and m.role is Role.REASON for m in cited.every):
        return None
    for case in assertion.mentions:
        if case.neutral or case.role is not Role.CONDITION or case.sign < 0:
            continue
        places = [m for m in cited.every if same(case, m)]
        if places and all(m.role is Role.REASON for m in places):
            return Finding(
                DropReason.CONDITION,
                "La source en fait un risque, l’affirmation une condition.",
                ((case.start, case.end),),
            )
    return None


_ADVICE = ("recommand", "preconis", "conseill")


def _advised(assertion: Statement, cited: Statement) -> Finding | None:
    """« est recommandé jusqu'à 50 mg » of « n'est pas recommandé ; au besoin, pas plus de 50 mg »."""
    theirs = _advice(cited)
    if not theirs or any(c.sign > 0 for c in theirs):
        return None
    for clause in _advice(assertion):
        denied = [m for c in theirs for m in c.mentions if not m.neutral]
        told = all(any(same(a, m) and a.sign > 0 for a in assertion.every) for m in denied)
        if clause.sign > 0 and denied and told:
            return Finding(
                DropReason.POLARITY,
                "La source ne le recommande pas.",
                (assertion.offsets[clause.start],),
            )
    return None


def _advice(statement: Statement) -> list[Clause]:
    return [
        c
        for c in statement.clauses
        if any(k.startswith(_ADVICE) for k in statement.keys[c.start : c.end])
    ]


def _other_branch(assertion: Statement, cited: Statement) -> Finding | None:
    """« B s'il n'est pas sorti » of « A s'il n'est pas sorti, et B s'il est sorti »."""
    for case in assertion.mentions:
        if case.neutral or case.role is not Role.CONDITION:
            continue
        told = [m for m in assertion.clauses[case.chunk].mentions if m.role is Role.CORE]
        for clause in cited.clauses:
            cases = [m for m in clause.mentions if m.role is Role.CONDITION and same(case, m)]
            core = [m for m in clause.mentions if m.role is Role.CORE and not m.neutral]
            own = [m for m in told if not m.neutral and any(same(m, c) for c in core)]
            if not own or not cases or any(m.sign == case.sign for m in cases):
                continue
            elsewhere = [c for c in cited.clauses if c is not clause]
            again = any(same(o, m) for o in own for c in elsewhere for m in c.mentions)
            other = any(same(case, m) for c in elsewhere for m in c.mentions)
            if other and not again:
                return Finding(
                    DropReason.CONDITION,
                    "La source le dit du cas contraire.",
                    ((case.start, case.end),),
                )
    return None


_IS = frozenset({"est", "sont"})


def _identity_changed(assertion: Statement, source: Source) -> Finding | None:
    """« la radiographie est l'examen de référence » of what the source says of the scanner."""
    cited, label = source.cited, source.label.concepts
    ours = next(filter(None, (_equated(assertion, c) for c in assertion.clauses)), None)
    if ours is None or any(m.concepts & label for m in ours[0]):
        return None
    for clause in cited.clauses:
        theirs = _equated(cited, clause)
        if theirs is None or any(same(a, m) for a in ours[0] for m in mentions_of(cited, clause)):
            continue
        shared = any(same(a, b) for a in ours[1] for b in theirs[1])
        if shared and not any(m.concepts & label or _known(m, assertion) for m in theirs[0]):
            return Finding(
                DropReason.SUBGROUP,
                "La source le dit d’autre chose.",
                tuple((m.start, m.end) for m in ours[0]),
            )
    return None


def _equated(statement: Statement, clause: Clause) -> tuple[list[Mention], list[Mention]] | None:
    """(what stands before « est le », what stands behind) of a clause that says what a thing is."""
    words = range(clause.start, clause.end - 1)
    verb = next(
        (i for i in words if statement.keys[i] in _IS and statement.keys[i + 1] in _ARTICLES), -1
    )
    told = [m for m in clause.mentions if m.role is Role.CORE and not m.neutral]
    before = [m for m in told if m.first < verb]
    after = [m for m in told if m.first > verb]
    return (before, after) if verb > 0 and before and after else None


def _known(mention: Mention, statement: Statement) -> bool:
    return any(same(mention, m) for m in statement.every)


_ARTICLES = frozenset("le la les l un une".split())


_MANNERS = frozenset({"sudden", "abrupt", "systematic_word", "alone", "line=first"})


def _manner_lost(assertion: Statement, source: Source) -> Finding | None:
    """« ne pas arrêter » of « ne pas arrêter brutalement »: only one way of it is denied."""
    cited = source.cited
    if not any(c.sign < 0 for c in assertion.clauses):
        return None
    for clause in cited.clauses:
        if clause.sign > 0:
            continue
        inside = [m for m in cited.every if clause.start <= m.first < clause.end]
        ways = frozenset(c for m in inside for c in m.concepts & _MANNERS)
        if not ways or _RATHER.intersection(cited.keys[clause.start : clause.end]):
            continue
        ours = [
            c
            for c in assertion.clauses
            if c.sign < 0 and _tells_of(c, inside, source.label.concepts)
        ]
        if ours and not assertion.concepts & _SOFT_WAYS:
            return Finding(
                DropReason.CONDITION,
                "La source n’exclut qu’une manière, l’affirmation exclut tout.",
                (assertion.offsets[ours[0].start],),
            )
    return None


_SOFT_WAYS = _MANNERS | frozenset(
    {"gradual", "step_by_step", "constant", "line=second", "isolated"}
)
_RATHER = frozenset({"mais", "contre", "jamais"})


def _tells_of(clause: Clause, theirs: list[Mention], title: frozenset[str]) -> bool:
    """Whether a clause shares all that is not plain with one of the source, its subject apart."""
    told = [m for m in clause.mentions if not m.neutral or m.axes]
    told = [m for m in told if not m.concepts & title] or told
    return bool(told) and all(any(same(m, t) for t in theirs) for m in told)


_ACTS = frozenset({"start", "stop"})


def _acts_exchanged(assertion: Statement, cited: Statement) -> Finding | None:
    """« le NACO est débuté avant l'arrêt de l'AVK » of the reverse."""
    theirs = _acts(cited)
    for drug, act in _acts(assertion):
        own = {a for d, a in theirs if same(drug, d)}
        others = {a for d, a in theirs if not same(drug, d)}
        if own and act not in own and act in others:
            return Finding(
                DropReason.ORDER,
                "La source débute l’un et arrête l’autre, à l’inverse.",
                ((drug.start, drug.end),),
            )
    return None


def _acts(statement: Statement) -> list[tuple[Mention, str]]:
    """(substance or class, 'start' or 'stop') of each act told with what it is done to."""
    found: list[tuple[Mention, str]] = []
    for index, mention in enumerate(statement.mentions):
        kinds = {m for a, m in mention.axes if a == "start_stop"} & _ACTS
        if len(kinds) != 1 or mention.sign * statement.clauses[mention.chunk].sign < 0:
            continue
        if mention.key.startswith(("prescri", "administr", "donn")):
            continue
        passive = (
            mention.key.endswith(_PARTICIPLES)
            and statement.keys[mention.first - 1 : mention.first] in _BEING
        )
        beside = (
            reversed(statement.mentions[:index]) if passive else statement.mentions[index + 1 :]
        )
        near = next((m for m in beside if not m.neutral), None)
        if near and abs(near.first - mention.first) <= _BESIDE and _substance(near):
            found.append((near, kinds.pop()))
    return found


_PARTICIPLES = ("e", "ee", "es", "ees", "u", "ue", "is", "ise")
_BEING = (("est",), ("sont",), ("etre",), ("sera",), ("seront",), ("ete",))
_BESIDE = 5


def _substance(mention: Mention) -> bool:
    return names_drug(mention) or names_class(mention)
