"""What must come first, and the case that « dans le cas contraire » turns round."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.model import Finding, Statement
from ancremed_desktop.pipeline.rules.parse import FUNCTION_WORDS
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.derivation import root
from ancremed_desktop.text.lexicon import inflected
from ancremed_desktop.text.values import alike

_NO_NEED = (
    "depass", "exced", "tenir", "compter", "oubli", "negli", "danger", "risque", "delai", "attend",
    "retard", "raison", "effet", "signe", "symptom",
)  # fmt: skip
"""« sans dépasser », « sans délai », « sans signe » ask for nothing."""
_OF_PEOPLE = re.compile(
    r"\b(?:chez|patients?|sujets?|personnes?|malades?|femmes?|enfants?|adultes?)\b"
    r"|\b(?:necessair|utile|inutile|besoin|systemati|indispensab|obligatoir)"
)
"""« pas nécessaire chez le sujet sans facteur de risque »: who lacks it, nothing that is asked."""
_NEAR = 3
"""Words from « sans » to what is lacking."""
_BEING = frozenset({"avoir", "ete", "etre", "son", "sa"})
_CONTRARY = (("dans", "le", "cas", "contraire"), ("dans", "le", "cas", "inverse"), ("sinon",))
_OTHERWISE = frozenset({"sinon", "contraire", "inverse", "defaut", "autrement"})


def branch_changed(assertion: Statement, source: Source) -> Finding | None:
    """A need denied, what is needed put after, or one branch told of the case of the other."""
    return _need_denied(assertion, source.cited) or _branch_taken(assertion, source.cited)


def _need_denied(assertion: Statement, cited: Statement) -> Finding | None:
    """« ne demande pas d'avis médical » of « ne pas utiliser sans avis médical »."""
    for clause in cited.clauses:
        if clause.sign > 0:
            continue
        for index in range(clause.start, clause.end):
            if _OF_PEOPLE.search(" ".join(cited.keys[clause.start : index])):
                break
            needed = _needed(cited, index, clause.end)
            places = [i for i, k in enumerate(assertion.keys) if needed and inflected(k) == needed]
            if not places:
                continue
            if all(_under(assertion, i) < 0 for i in places):
                return Finding(
                    DropReason.POLARITY,
                    "La source l’exige, l’affirmation non.",
                    tuple(assertion.offsets[i] for i in places),
                )
            late = _put_after(assertion, cited.keys[clause.start : index])
            if late >= 0 and "apres" not in cited.keys:
                return Finding(
                    DropReason.ORDER, "La source l’exige avant.", (assertion.offsets[late],)
                )
    return None


def _needed(cited: Statement, index: int, end: int) -> str:
    """What a denied act may not go without, from its « sans » at ``index``; '' for nothing."""
    if cited.keys[index] != "sans":
        return ""
    after = [k for k in cited.keys[index + 1 : min(index + 1 + _NEAR, end)] if _content(k)]
    if not after or after[0].startswith(_NO_NEED) or after[0].endswith(("er", "ir")):
        return ""
    return inflected(after[0])


def _content(key: str) -> bool:
    return key not in FUNCTION_WORDS and len(key) > 1


def _under(assertion: Statement, index: int) -> int:
    """+1 where a word is affirmed or asked for, -1 where it is denied or dispensed with."""
    clause = next(c for c in assertion.clauses if c.start <= index < c.end)
    if "sans" in assertion.keys[max(clause.start, index - _NEAR) : index]:
        return -clause.sign
    local = [m.sign for m in assertion.every if m.first == index and " " not in m.key]
    return clause.sign * (local[0] if local else 1)


def _put_after(assertion: Statement, denied: tuple[str, ...]) -> int:
    """Index of « après » before the act that the source denies without what is needed; -1."""
    acts = {root(k) for k in denied if _content(k)}
    for index, key in enumerate(assertion.keys):
        if key != "apres":
            continue
        next_ones = (k for k in assertion.keys[index + 1 :] if _content(k) and k not in _BEING)
        if root(next(next_ones, "")) in acts:
            return index
    return -1


def _branch_taken(assertion: Statement, cited: Statement) -> Finding | None:
    """« B si X » of « A si X ; dans le cas contraire, B »."""
    at = turning(cited)
    if at < 0 or _OTHERWISE & set(assertion.keys) or not assertion.mentions:
        return None
    sentence = next(c.sentence for c in cited.clauses if c.start <= at < c.end)
    case = [
        v for v in cited.values
        if v.first < at and cited.roles[v.first] is Role.CONDITION
        and sentence - 1 <= cited.clauses[v.chunk].sentence
    ]  # fmt: skip
    first = [m for m in cited.mentions if m.first < at and not m.neutral]
    then = [m for m in cited.mentions if m.first > at and m.role is Role.CORE and not m.neutral]
    then = [m for m in then if not any(same(m, f) for f in first)]
    told = any(same(a, m) for a in assertion.mentions for m in then)
    for value in assertion.values:
        same_case = [
            v for v in case
            if alike(value.quantity, assertion.text, v.quantity, cited.text) and v.bound == value.bound
        ]  # fmt: skip
        if told and same_case and not _turned_round(assertion, value.first):
            return Finding(
                DropReason.CONDITION,
                "La source le dit du cas contraire.",
                ((value.quantity.start, value.quantity.end),),
            )
    return None


def turning(cited: Statement) -> int:
    """Index of « dans le cas contraire » or « sinon » in a statement; -1 for none."""
    sizes = [(m, len(m)) for m in _CONTRARY]
    return next(
        (i for i in range(1, len(cited.keys)) for m, n in sizes if cited.keys[i : i + n] == m), -1
    )


def _turned_round(assertion: Statement, index: int) -> bool:
    """Whether the condition that a word stands in is denied in some part."""
    start = index
    while start and assertion.roles[start - 1] is assertion.roles[index]:
        start -= 1
    run = [m for m in assertion.every if start <= m.first <= index]
    clause = next(c for c in assertion.clauses if c.start <= index < c.end)
    return clause.sign < 0 or any(m.sign < 0 for m in run)
