"""The gate: deterministic checks that anchor each draft in a stored passage, or refuse it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.spans import (
    Abstention,
    AnchoredAssertion,
    DraftAssertion,
    DraftSpan,
    DroppedSpan,
    DropReason,
    Narrative,
)
from ancremed_desktop.pipeline.abstaining import told_by
from ancremed_desktop.ports import EntityMention
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.markers import unquotable_spans
from ancremed_desktop.text.matching import content_count, find_quotes, nearest_sentence, tokenise
from ancremed_desktop.text.narrative import narrative_leaks
from ancremed_desktop.text.normalise import nfc, unsafe_characters
from ancremed_desktop.text.sentences import extend_to_sentences
from ancremed_desktop.text.values import missing_values

CONFIDENCE_FLOOR = 0.85
"""Specification §7.2; a schema check, never counted as evidence (DESIGN §6)."""
MAX_TEXT = 2000
MIN_QUOTE_TOKENS = 3
_URN = re.compile(r"urn:ancremed:(?!.*\.\.)[^\s#*?/\\<>\"']+#[^\s#*?/\\<>\"']+")
_ENTITY = re.compile(r"[^\W_](?:[\w .:–-]*\w)?")

AnchoredSpan = AnchoredAssertion | Narrative | Abstention


@dataclass(frozen=True, slots=True, kw_only=True)
class GateContext:
    """What a draft is held against.

    ``passages``: by URN, those retrieved for this question, hash checked by the caller.
    ``known_names``: names of the corpus that occur in a text, with the sources they lead to.
    """

    passages: Mapping[str, Passage]
    known_names: Callable[[str], tuple[EntityMention, ...]]


class _Refused(Exception):  # noqa: N818 - control flow inside this module, never seen outside
    """A check failed; carries what « Pourquoi bloqué » shows."""

    def __init__(
        self,
        stage: str,
        reason: DropReason,
        detail: str,
        differing: tuple[tuple[int, int], ...] = (),
        nearest: str = "",
    ) -> None:
        super().__init__(detail)
        self.stage = stage
        self.reason = reason
        self.detail = detail
        self.differing = differing
        self.nearest = nearest


def attribute(
    drafts: Sequence[DraftSpan], context: GateContext
) -> tuple[tuple[AnchoredSpan, ...], tuple[DroppedSpan, ...]]:
    """Anchor each assertion in its passage, check narrative and abstentions, keep the order.

    Order of the checks (DESIGN §6): schema, narrative pre-check, context, inclusion, quantities,
    entity, confidence. The first that fails names the refusal.
    """
    kept: list[AnchoredSpan] = []
    dropped: list[DroppedSpan] = []
    for draft in drafts:
        try:
            kept.append(_check(draft, context))
        except _Refused as refusal:
            dropped.append(_dropped(draft, refusal, context))
    return tuple(kept), tuple(dropped)


def _check(draft: DraftSpan, context: GateContext) -> AnchoredSpan:
    if isinstance(draft, Narrative):
        _check_text(draft.text)
        _check_narrative(draft.text)
        return draft
    if isinstance(draft, Abstention):
        _check_text(draft.section, "la section")
        _check_text(draft.reason, "le motif")
        _check_narrative(draft.reason)
        if told := told_by(draft.reason, context.passages.values()):
            passage, sentence = told
            detail = f"Un passage retrouvé en parle{NBSP}: «{NBSP}{passage.origin_title}{NBSP}»."
            raise _Refused("context", DropReason.FALSE_ABSTENTION, detail, nearest=sentence)
        return draft
    if not isinstance(draft, DraftAssertion):
        raise _Refused("schema", DropReason.SCHEMA, "Type de segment inconnu.")
    _check_schema(draft)
    passage = _passage(draft, context)
    start, end = _locate(draft, passage)
    support = f"{passage.text[start:end]}\n{passage.heading}\n{passage.origin_title}"
    _check_quantities(draft.text, support, passage.text)
    _check_entity(draft, passage, support, context)
    if draft.confidence_score < CONFIDENCE_FLOOR:
        raise _Refused(
            "confidence", DropReason.CONFIDENCE, "Confiance déclarée inférieure au seuil."
        )
    return AnchoredAssertion(draft=draft, passage=passage, char_start=start, char_end=end)


def _check_text(text: object, what: str = "le texte") -> None:
    if not isinstance(text, str) or not text.strip():
        raise _Refused("schema", DropReason.SCHEMA, f"Segment incomplet : {what} est vide.")
    if len(text) > MAX_TEXT:
        raise _Refused("schema", DropReason.SCHEMA, f"Segment refusé : {what} est trop long.")
    unsafe = unsafe_characters(text)
    if unsafe:
        raise _Refused(
            "schema",
            DropReason.UNSAFE_TEXT,
            "Caractères invisibles ou trompeurs dans le texte.",
            tuple((i, i + 1) for i in unsafe),
        )


def _check_narrative(text: str) -> None:
    leaks = narrative_leaks(text)
    if leaks:
        kinds = ", ".join(dict.fromkeys(leak.kind for leak in leaks))
        raise _Refused(
            "narrative",
            DropReason.NARRATIVE_LEAK,
            f"Le texte de liaison contient ce qui doit être sourcé : {kinds}.",
            tuple((leak.start, leak.end) for leak in leaks),
        )


def _check_schema(draft: DraftAssertion) -> None:
    _check_text(draft.text)
    score: object = draft.confidence_score
    problem = ""
    if not isinstance(draft.exact_source_quote, str) or not draft.exact_source_quote.strip():
        problem = "la citation est vide"
    elif not isinstance(draft.source_urn, str) or not _URN.fullmatch(draft.source_urn):
        problem = "l’adresse de la source est mal formée"
    elif not isinstance(draft.subject_entity_id, str) or not draft.subject_entity_id.strip():
        problem = "le sujet manque"
    elif isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        problem = "la confiance n’est pas un nombre"
    elif not 0 <= score <= 1:
        problem = "la confiance est hors de 0 à 1"
    if problem:
        raise _Refused("schema", DropReason.SCHEMA, f"Segment mal formé : {problem}.")


def _passage(draft: DraftAssertion, context: GateContext) -> Passage:
    passage = context.passages.get(draft.source_urn)
    if passage is None or passage.urn != draft.source_urn:
        raise _Refused(
            "context",
            DropReason.URN_NOT_RETRIEVED,
            "La source citée n’a pas été trouvée pour cette question.",
        )
    if passage.superseded:
        raise _Refused(
            "context",
            DropReason.SUPERSEDED,
            "La source citée est remplacée par une édition plus récente.",
        )
    return passage


def _locate(draft: DraftAssertion, passage: Passage) -> tuple[int, int]:
    """Whole sentences of the passage that hold the quote.

    When the quote occurs several times, the one in the shortest sentences that hold every
    quantity of the assertion is meant.
    """
    tokens, content = content_count(draft.exact_source_quote)
    if tokens < MIN_QUOTE_TOKENS or content < MIN_QUOTE_TOKENS - 1:
        raise _Refused(
            "inclusion",
            DropReason.QUOTE_TRIVIAL,
            "La citation est trop courte pour prouver quelque chose.",
        )
    found = find_quotes(passage.text, draft.exact_source_quote)
    if not found:
        raise _Refused(
            "inclusion",
            DropReason.QUOTE_NOT_FOUND,
            "La citation ne se trouve pas mot pour mot dans la source.",
            _unknown_words(draft.text, passage.text),
        )
    spans = list(dict.fromkeys(extend_to_sentences(passage.text, *span) for span in found))
    refused = [(s, e) for s, e, _ in unquotable_spans(passage.text, passage.heading)]
    quotable = [(s, e) for s, e in spans if not any(a < e and b > s for a, b in refused)]
    if not quotable:
        raise _Refused(
            "inclusion",
            DropReason.NOT_QUOTABLE,
            "Le passage cité est marqué par son document comme erreur, règle ancienne "
            "ou texte étranger.",
        )
    if len(quotable) == 1:
        return quotable[0]
    complete = [
        (s, e)
        for s, e in quotable
        if not missing_values(draft.text, passage.text[s:e], passage.text)
    ]
    return min(complete or quotable, key=lambda s: s[1] - s[0])


def _check_quantities(text: str, support: str, passage: str) -> None:
    missing = missing_values(text, support, passage)
    if missing:
        listed = ", ".join(f"« {text[q.start : q.end]} »" for q in missing)
        raise _Refused(
            "quantities",
            DropReason.QUANTITY,
            f"Valeur absente de la citation : {listed}.",
            tuple((q.start, q.end) for q in missing),
        )


def _check_entity(
    draft: DraftAssertion, passage: Passage, support: str, context: GateContext
) -> None:
    if draft.subject_entity_id != passage.source_identifier:
        raise _Refused(
            "entity",
            DropReason.ENTITY,
            "Le sujet déclaré n’est pas celui du document cité.",
        )
    mentions = context.known_names(draft.text)
    foreign = [
        m
        for m in mentions
        if m.is_drug
        and passage.source_identifier not in m.identifiers
        and not find_quotes(support, draft.text[m.start : m.end])
        and not _named_in(support, m, context)
    ]
    if foreign:
        names = ", ".join(f"« {draft.text[m.start : m.end]} »" for m in foreign)
        raise _Refused(
            "entity",
            DropReason.ENTITY,
            f"Sujet étranger à la citation : {names}.",
            tuple((m.start, m.end) for m in foreign),
        )


def _named_in(support: str, mention: EntityMention, context: GateContext) -> bool:
    """Whether the cited sentences name the same thing under another name (brand, substance)."""
    wanted = set(mention.identifiers)
    return any(wanted & set(m.identifiers) for m in context.known_names(support))


def _unknown_words(text: str, support: str) -> tuple[tuple[int, int], ...]:
    held = {t.key for t in tokenise(support)}
    return tuple((t.start, t.end) for t in tokenise(text) if t.key not in held)


def _dropped(draft: DraftSpan, refusal: _Refused, context: GateContext) -> DroppedSpan:
    text = draft.reason if isinstance(draft, Abstention) else draft.text
    urn = draft.source_urn if isinstance(draft, DraftAssertion) else ""
    passage = context.passages.get(urn)
    shown = passage is not None and refusal.stage not in {"schema", "context"}
    nearest = nearest_sentence(passage.text, draft_text(draft)) if passage and shown else ""
    return DroppedSpan(
        span_text=nfc(str(text or "")),
        section=draft.section,
        stage=refusal.stage,
        reason=refusal.reason,
        detail=refusal.detail,
        source_urn=str(urn),
        nearest=refusal.nearest or nearest,
        differing=refusal.differing,
    )


def draft_text(draft: DraftSpan) -> str:
    """What a draft would have shown."""
    return draft.reason if isinstance(draft, Abstention) else draft.text
