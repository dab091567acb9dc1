"""The verifier that needs no model: every check that aligns an assertion with its source."""

from __future__ import annotations

import re

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import DropReason, Judgement, Verdict
from ancremed_desktop.pipeline.rules import (
    axes,
    binding,
    branches,
    cases,
    company,
    contrary,
    cover,
    degrees,
    harm,
    limits,
    logic,
    lost,
    modality,
    order,
    polarity,
    rhythm,
    roles,
    subjects,
    swaps,
)
from ancremed_desktop.pipeline.rules.align import Source, pair, same
from ancremed_desktop.pipeline.rules.model import Finding, Statement
from ancremed_desktop.pipeline.rules.parse import parse
from ancremed_desktop.ports import VerifierView
from ancremed_desktop.text.list_marks import is_item
from ancremed_desktop.text.lists import runs
from ancremed_desktop.text.matching import tokenise
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.predicates import VERBS
from ancremed_desktop.text.sentences import sentence_spans

_LEANS = re.compile(
    r"(?:Elles?|Ils?|Celles?-ci|Celui-ci|Ceux-ci|Ces?|Cette|Cet|Le relais|Son|Sa|Ses|Dans (?:ce"
    r"|le) cas"
    r"|(?:L['’](?:antidote|injection|administration|arrêt|instauration|utilisation|effet|efficacité)"
    r"|L[ae] (?:dose|posologie|prise|durée|traitement|réévaluation|surveillance|reprise|relais"
    r"|vitesse|concentration))(?! d[eu]s? | d['’])|L['’]association (?:à|aux?))\b"
)


_ALSO = re.compile(r"[^.;:]{0,70}\b(?:egalement|aussi(?! (?:bien|longtemps|souvent|vite|tot)))\b")
"""« La fonction rénale doit également être évaluée »: in the case just told."""
_FORBIDS = re.compile(r"\bcontre-? ?indications?\W*$")
"""A heading of what is forbidden, which its items leave out."""
_IDENTITY = re.compile(
    r"\b(?:est|sont) (?:le|la|les|l'|un|une) (?:seule?s? )?(?:traitement|antidote|methode|moyen|medicament)"
)
"""« X est le seul traitement »: the sentence says itself what treats."""


class RuleVerifier:
    """Aligns an assertion with the stored sentences (DESIGN §7).

    Every rule only refuses; what no rule refuses is supported. Same words as the source are
    supported at once.
    """

    name = "règles"

    def judge(self, view: VerifierView, cancel: CancelToken) -> Judgement:
        """Verdict on one assertion.

        Raises:
            Cancelled: the user stopped, or the time allowed is over.

        """
        cancel.raise_if_cancelled()
        if _same_words(view.assertion, view.sentences):
            return Judgement(verdict=Verdict.SUPPORTED)
        assertion = parse(view.assertion)
        if not assertion.mentions and not assertion.values:
            return Judgement(
                verdict=Verdict.UNSURE, reason=DropReason.UNSURE, detail="Rien à vérifier."
            )
        finding = _first_finding(assertion, _source(view, assertion))
        if finding is None:
            return Judgement(verdict=Verdict.SUPPORTED)
        return Judgement(
            verdict=Verdict.NOT_SUPPORTED,
            reason=finding.reason,
            detail=finding.detail,
            differing=finding.spans,
        )


def _first_finding(assertion: Statement, source: Source) -> Finding | None:
    pairings = pair(assertion, source.cited)
    return (
        cover.uncovered(assertion, source)
        or axes.moved(assertion, source, pairings)
        or polarity.opposed(assertion, source, pairings)
        or modality.changed(assertion, source, pairings)
        or lost.lost_exception(assertion, source, pairings)
        or lost.lost_condition(assertion, source, pairings)
        or lost.lost_limit(assertion, source, pairings)
        or binding.misbound(assertion, source)
        or rhythm.rhythm_changed(assertion, source.cited)
        or cases.exchanged_cases(assertion, source)
        or cases.denied_case(assertion, source)
        or cases.without(assertion, source)
        or cases.other_place(assertion, source)
        or cases.requalified(assertion, source)
        or contrary.contrary(assertion, source)
        or branches.branch_changed(assertion, source)
        or degrees.opposite_degree(assertion, source)
        or subjects.replaced(assertion, source, pairings)
        or harm.made_harmless(assertion, source)
        or limits.limit_lost(assertion, source)
        or logic.confused(assertion, source)
        or order.reversed_order(assertion, source)
        or roles.swapped_roles(assertion, source)
        or swaps.turned(assertion, source)
        or swaps.changed_places(assertion, source)
        or company.mixed(assertion, source)
    )


def _source(view: VerifierView, assertion: Statement) -> Source:
    cited = parse(view.sentences)
    label = parse("\n".join((view.title, view.heading, view.passage_section)))
    asked = any(
        (cover.names_drug(m) or cover.names_class(m))
        and not cover.held(m, cited.concepts | label.concepts)
        for m in assertion.mentions
    )
    at = view.passage.find(view.sentences)
    earlier = [view.passage[s:e] for s, e in sentence_spans(view.passage) if e <= at]
    leant = _leant_on(view, earlier, at)
    if asked and not _names_drug(cited) and not cover.first_drug(leant):
        leant = f"{leant}\n{_drug_spoken_of(view, label, earlier)}".strip()
    if leant and is_item(view.sentences) and parse(leant).clauses[-1].sign < 0:
        cited = parse(f"{leant.rstrip()}\n{view.sentences.lstrip()}")
    elif _FORBIDS.search(fold(view.heading or view.title)) and _bare(cited):
        cited = parse(f"Contre-indications :\n• {view.sentences.lstrip()}")
    return Source(cited=cited, passage=view.passage, label=label, before=parse(leant))


def _bare(cited: Statement) -> bool:
    """Whether sentences only name things, under a heading that says what of them."""
    return all(c.sign > 0 for c in cited.clauses) and not VERBS & set(cited.keys)


def _leant_on(view: VerifierView, earlier: list[str], at: int) -> str:
    """What the cited sentences lean on: what announces their list, or the sentence before."""
    if not earlier:
        return ""
    if is_item(view.sentences):
        listed = next((r for r in runs(view.passage) if r.start < at < r.end), None)
        return view.passage[listed.start : listed.lead] if listed else ""
    leans = _LEANS.match(view.sentences) or _ALSO.match(fold(view.sentences))
    return earlier[-1] if leans else ""


def _drug_spoken_of(view: VerifierView, label: Statement, earlier: list[str]) -> str:
    """The drug last named first in a sentence, or the only one of the passage."""
    if _IDENTITY.search(fold(view.sentences)):
        return ""
    last = next(filter(None, map(cover.first_drug, reversed(earlier))), "")
    if last or _names_drug(label):
        return last
    named = [m for m in parse(view.passage).mentions if cover.names_drug(m) or cover.names_class(m)]
    if not named or not all(same(named[0], m) for m in named):
        return ""
    before = named[0].start < view.passage.find(view.sentences)
    unknown = any(cover.may_name_drug(m) for e in earlier for m in parse(e).mentions)
    return named[0].key if before or not unknown else ""


def _names_drug(statement: Statement) -> bool:
    return any(cover.names_drug(m) for m in statement.mentions)


_OTHER_SPACING = 0.25
"""Share of a text by which spaces and signs alone may lengthen it."""


def _same_words(assertion: str, sentences: str) -> bool:
    if abs(len(assertion) - len(sentences)) > _OTHER_SPACING * len(sentences):
        return False
    left = tuple((t.kind, t.key) for t in tokenise(assertion))
    return left == tuple((t.kind, t.key) for t in tokenise(sentences))
