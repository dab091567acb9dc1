"""The verifier that needs no model: every check that aligns an assertion with its source."""

from __future__ import annotations

import re

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import DropReason, Judgement, Verdict
from ancremed_desktop.pipeline.rules import (
    axes,
    binding,
    cases,
    company,
    cover,
    harm,
    logic,
    lost,
    modality,
    order,
    polarity,
    roles,
    swaps,
)
from ancremed_desktop.pipeline.rules.align import Source, pair
from ancremed_desktop.pipeline.rules.model import Finding, Statement
from ancremed_desktop.pipeline.rules.parse import parse
from ancremed_desktop.ports import VerifierView
from ancremed_desktop.text.matching import tokenise
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans

_LEANS = re.compile(
    r"(?:Elles?|Ils?|Celles?-ci|Celui-ci|Ceux-ci|Ces?|Cette|Cet|Le relais|Son|Sa|Ses|Dans (?:ce"
    r"|le) cas"
    r"|(?:L['’](?:antidote|injection|administration|arrêt|instauration|utilisation|effet|efficacité)"
    r"|L[ae] (?:dose|posologie|prise|durée|traitement|réévaluation|surveillance|reprise|relais"
    r"|vitesse|concentration))(?! d[eu]s? | d['’])|L['’]association (?:à|aux?))\b"
)


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
        finding = _first_finding(assertion, _source(view))
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
        or lost.lost_heading(assertion, source, pairings)
        or binding.misbound(assertion, source)
        or cases.exchanged_cases(assertion, source)
        or harm.made_harmless(assertion, source)
        or logic.confused(assertion, source)
        or order.reversed_order(assertion, source)
        or roles.swapped_roles(assertion, source)
        or swaps.turned(assertion, source)
        or swaps.changed_places(assertion, source)
        or company.mixed(assertion, source)
    )


def _source(view: VerifierView) -> Source:
    label = "\n".join((view.title, view.heading, view.passage_section))
    return Source(
        cited=parse(view.sentences),
        passage=view.passage,
        label=parse(label),
        before=parse(_sentence_before(view)),
    )


def _sentence_before(view: VerifierView) -> str:
    """What the cited sentences lean on: the sentence before, or the drug it speaks of."""
    at = view.passage.find(view.sentences)
    earlier = [view.passage[s:e] for s, e in sentence_spans(view.passage) if e <= at]
    if not earlier:
        return ""
    if _LEANS.match(view.sentences):
        return earlier[-1]
    return _drug_spoken_of(view, earlier)


def _drug_spoken_of(view: VerifierView, earlier: list[str]) -> str:
    """The drug last named first in a sentence, when the cited sentences name none."""
    if any(cover.names_drug(m) for m in parse(view.sentences).mentions):
        return ""
    if _IDENTITY.search(fold(view.sentences)):
        return ""
    return next(filter(None, map(cover.first_drug, reversed(earlier))), "")


_OTHER_SPACING = 0.25
"""Share of a text by which spaces and signs alone may lengthen it."""


def _same_words(assertion: str, sentences: str) -> bool:
    if abs(len(assertion) - len(sentences)) > _OTHER_SPACING * len(sentences):
        return False
    left = tuple((t.kind, t.key) for t in tokenise(assertion))
    return left == tuple((t.kind, t.key) for t in tokenise(sentences))
