"""An answer as JSON or as text: always with sources, dates and notice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from ancremed_desktop.domain.answers import Answer, AnswerSpan, AnswerStatus
from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.formulas import CalculationRequest
from ancremed_desktop.domain.identifiers import PassageKind, Silo, SourceStatus
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.domain.spans import Abstention, VerifiedAssertion
from ancremed_desktop.services.answer_blocks import blocks
from ancremed_desktop.services.calculation_text import NOTICE, calculation_lines
from ancremed_desktop.services.model_text import marks, record_lines
from ancremed_desktop.text.articles import label_of, spoken
from ancremed_desktop.text.french import NBSP, french_date, no_break
from ancremed_desktop.text.lists import lines_of
from ancremed_desktop.text.normalise import fold

SCHEMA_VERSION = "1.0"
_BULLETS = " \t-–—‒•●■▪◦*►"
_WITHIN = "◦ "
"""Before an item of a list within another, once a level."""
_DOCUMENTS = frozenset({Silo.LOCAL, Silo.HAS, Silo.BDPM})
"""What is read from documents with headings of their own; a card’s heading is its subject."""
_MAX_HEADING = 70
_BLANKS = re.compile(r"[ \t\r\n]+")
"""Not the no-break spaces, which belong to what they bind."""


def answer_to_json(answer: Answer) -> str:
    """The whole answer (schema of the ``ask --json`` command)."""
    plan = answer.plan
    titles = {s.key: s for s in answer.sources}
    document = {
        "schema_version": SCHEMA_VERSION,
        "status": answer.status.value,
        "message": answer.message,
        "warning": answer.warning,
        "question": answer.question.text,
        "corrections": [
            {"original": c.original, "replacement": c.replacement, "kind": c.kind,
             "certain": c.certain}
            for c in answer.question.corrections
        ],
        "plan": _plan(plan),
        "rounds": [
            {"number": r.number, "uncovered": list(r.uncovered),
             "queries": [{"section": q.section, "query": q.query, "silo": q.silo, "mode": q.mode,
                          "hits": q.hits, "fresh": q.fresh} for q in r.queries]}
            for r in answer.rounds
        ],
        "stop_reason": answer.stop_reason,
        "spans": [
            _span(span)
            | ({"shown_of_list": list(parts)} if (parts := answer.parts_after(n)) else {})
            for n, span in enumerate(answer.spans)
        ],
        "dropped": [
            {"section": d.section, "text": d.span_text, "stage": d.stage,
             "reason": d.reason.value, "detail": d.detail, "nearest": d.nearest}
            for d in answer.dropped
        ],
        "near": [_place(passage) for passage in answer.near],
        "calculations": [_calculation(c) for c in answer.calculations],
        "sources": [
            {"key": s.key, "title": s.title, "identifier": s.source_identifier,
             "publisher": s.publisher, "date": s.regulatory_date, "status": s.status.value,
             "licence": s.licence, "url": s.url}
            for s in titles.values()
        ],
        "models": [
            {"role": u.role, "prompt": u.prompt, "model": u.model, "identity": u.identity,
             "outcome": u.outcome, "elapsed_ms": round(u.elapsed_ms, 3), "cost_usd": u.cost_usd,
             "sent": u.sent, "problem": u.problem}
            for u in answer.models
        ],
        "model_sections": [
            {"section": s.section, "way": s.way.value, "model": s.model}
            for s in answer.model_sections
        ],
        "timings_ms": {stage: round(ms, 3) for stage, ms in answer.timings_ms},
        "index": (
            {"build_id": answer.index.build_id, "built_at": answer.index.built_at,
             "passages": answer.index.passages, "schema_version": answer.index.schema_version}
            if answer.index else None
        ),
    }  # fmt: skip
    return json.dumps(document, ensure_ascii=False, indent=2)


def _plan(plan: RetrievalPlan) -> dict[str, object]:
    return {
        "primary_class": plan.primary_class.value,
        "secondary_class": plan.secondary_class.value if plan.secondary_class else None,
        "mode": plan.mode.value,
        "intent": plan.intent,
        "sections": list(plan.sections),
        "sub_queries": [
            # Without a silo of its own a sub-query runs over those of the plan at once.
            {"section": s.section, "query": s.query,
             "silos": [silo.value for silo in ((s.silo,) if s.silo else plan.silos)]}
            for s in plan.sub_queries
        ],
        "silos": [s.value for s in plan.silos],
    }  # fmt: skip


def _place(passage: Passage) -> dict[str, object]:
    return {
        "source_urn": passage.urn,
        "document_title": passage.origin_title,
        "document_date": passage.regulatory_date,
        "page": passage.page_number,
        "heading": passage.heading,
    }


def _span(span: AnswerSpan) -> dict[str, object]:
    if not isinstance(span, VerifiedAssertion):
        kind = "abstention" if isinstance(span, Abstention) else "narrative"
        text = span.reason if isinstance(span, Abstention) else span.text
        return {"type": kind, "section": span.section, "text": text}
    anchored = span.anchored
    passage = anchored.passage
    return {
        "type": "clinical_assertion",
        "section": anchored.draft.section,
        "text": anchored.draft.text,
        "exact_source_quote": anchored.quote,
        **_place(passage),
        "subject_entity_id": passage.source_identifier,
        "confidence_score": anchored.draft.confidence_score,
        "char_start": anchored.char_start,
        "char_end": anchored.char_end,
        "kind": passage.kind.value,
        "verifier": span.verifier,
    }


def _calculation(request: CalculationRequest) -> dict[str, object]:
    result = request.result
    return {
        "id": request.formula_id,
        "name": request.name,
        "missing": [{"id": m.id, "label": m.label, "problem": m.problem} for m in request.missing],
        "inputs": [
            {"id": i.id, "label": i.label, "value": str(i.value), "unit": i.unit,
             "origin": i.origin}
            for i in request.inputs
        ],
        "steps": [s.result for s in result.steps] if result else [],
        "outputs": [
            {"id": o.id, "label": o.label, "value": str(o.value), "unit": o.unit}
            for o in (result.outputs if result else ())
        ],
        "provisional": result.provisional if result else "",
        "band": result.band if result else "",
        "source": result.source if result else "",
    }  # fmt: skip


def answer_to_text(answer: Answer) -> str:
    """The answer as plain French text for a terminal or the clipboard."""
    lines = [f"Question{NBSP}: {answer.question.raw.strip()}", *readings(answer), ""]
    if answer.warning:
        lines += [no_break(f"Attention : {answer.warning}"), ""]
    if answer.message:
        lines += [no_break(answer.message), ""]
    for request in answer.calculations:
        lines += [*calculation_lines(request), ""]
    first = leads_to_card(answer)
    lines += _near_lines(answer) if first else []
    lines += _span_lines(answer)
    lines += ["", *_near_lines(answer)] if answer.near and not first else []
    lines += model_lines(answer)
    if answer.sources:
        lines += ["", "Sources"]
    for number, source in enumerate(answer.sources, 1):
        draft = f" ({source.status.value})" if source.status is SourceStatus.DRAFT else ""
        lines.append(
            f"  [{number}] {source.title} – {source.publisher}, "
            f"{french_date(source.regulatory_date) or 'sans date'}{draft}"
        )
    return "\n".join([*lines, "", no_break(NOTICE)])


def model_lines(answer: Answer) -> list[str]:
    """What models did for the answer and what left the machine; nothing when they did nothing."""
    return [line for said in record_lines(answer) for line in ("", said)]


def readings(answer: Answer) -> list[str]:
    """How words of the question were read: never changed without saying so."""
    lines = []
    for c in answer.question.corrections:
        if c.kind == "typo" and not c.certain:
            lines.append(f"  « {c.original} » : vouliez-vous dire « {c.replacement} » ?")
        else:
            lines.append(f"  « {c.original} » lu comme « {c.replacement} »")
    return [no_break(line) for line in lines]


def _span_lines(answer: Answer) -> list[str]:
    numbers = {s.key: n for n, s in enumerate(answer.sources, 1)}
    marked = marks(answer)
    shown = {id(span): answer.parts_after(n) for n, span in enumerate(answer.spans)}
    lines: list[str] = []
    for block in blocks(answer.spans):
        section = ", ".join(block.sections)
        mark = f" ({marked[section]})" if section in marked else ""
        lines += ["", f"{_capital(section)}{mark}"]
        lines += [no_break(f"  – {line}") for line in block.reason.splitlines()]
        for span in block.spans:
            lines += _lines_of_span(span, numbers)
            lines += [f"    ({part})" for part in shown[id(span)]]
    return lines


def _lines_of_span(span: AnswerSpan, numbers: dict[str, int]) -> list[str]:
    if isinstance(span, Abstention):
        return [no_break(f"  – {span.reason}")]
    if not isinstance(span, VerifiedAssertion):
        return [no_break(f"  {span.text}")]
    passage = span.anchored.passage
    place = "".join(f", {part}" for part in places(passage))
    first, *items = quote_lines(span)
    lines = [f"  • {first}", *(f"      – {item}" for item in items)]
    lines[-1] += f" [{numbers[passage.source_key]}{place}]"
    return lines if span.verbatim else [*lines, f"    {source_words(span)}"]


def quote_lines(span: VerifiedAssertion) -> list[str]:
    """What a span says, then the items of the list it announces, one each and without bullets,
    « ◦ » before one that stands within another.
    """
    text = span.anchored.draft.text
    if span.anchored.passage.kind is PassageKind.INTERACTION:  # its lines are levels
        return [_of_level(line) for line in text.splitlines() if line.strip()]
    shown: list[str] = []
    for line in lines_of(text):
        first, *under = filter(str.strip, text[line.start : line.end].split("\n"))
        words = _one_line(first)
        if line.item:
            shown.append(_WITHIN * line.depth + words.lstrip(_BULLETS))
        else:
            shown.append(words)
        shown += [_WITHIN * (line.depth + 1) + _one_line(further) for further in under]
    return shown


def _of_level(line: str) -> str:
    """A line of a listed interaction: one with a bullet stands within the level above it."""
    words = " ".join(line.split())
    bare = words.lstrip(_BULLETS)
    return f"{_WITHIN}{bare}" if bare != words else words


def nested_list(items: Sequence[str], field: Callable[[str], str]) -> str:
    """Items of ``quote_lines`` as HTML lists, one within the other; ``field`` makes a text HTML."""
    parts: list[str] = []
    depth = 0
    for item in items:
        words = item.lstrip(_WITHIN)
        wanted = (len(item) - len(words)) // len(_WITHIN) + 1
        if wanted > depth:
            parts += ["<ul><li>"] * (wanted - depth)
        else:
            parts += ["</li></ul>"] * (depth - wanted) + ["</li><li>"]
        parts.append(field(words))
        depth = wanted
    return "".join([*parts, *["</li></ul>"] * depth])


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def source_words(span: VerifiedAssertion) -> str:
    """What the source says itself, for a reworded span."""
    quote = _one_line(span.anchored.quote)
    return f"Dans la source{NBSP}: «{NBSP}{quote}{NBSP}»"


def _near_lines(answer: Answer) -> list[str]:
    title, notice = near_words(answer)
    return [title, f"  {notice}", *(f"  • {place_line(passage)}" for passage in answer.near)]


def leads_to_card(answer: Answer) -> bool:
    """Whether nothing answers and a card is on what the question names: it is named first of all,
    above what was not found.
    """
    card = answer.near[0] if answer.status is not AnswerStatus.ANSWER and answer.near else None
    named = answer.plan.subject.entity_ids
    return card is not None and card.silo is Silo.FICHES and card.source_identifier in named


def near_words(answer: Answer) -> tuple[str, str]:
    """Heading and notice over the passages an answer names and does not quote."""
    if leads_to_card(answer):
        title = "Fiche d’urgence à ouvrir" if answer.plan.subject.vital else "Fiche à ouvrir"
        return title, no_break(
            f"La fiche « {answer.near[0].origin_title} » existe : ouvrez-la. Aucun de ses extraits "
            "ne répond à toute la question."
        )
    if answer.status is not AnswerStatus.ANSWER:
        words = "Passages les plus proches ; aucune phrase n’y a été reconnue comme une réponse."
        return "À lire", no_break(words)
    return "À lire aussi", "Proche de la question, sans être cité dans la réponse."


def place_line(passage: Passage) -> str:
    """« title (2015), p. 12, headings » of a passage that is named and not quoted."""
    year = f" ({passage.regulatory_date[:4]})" if passage.regulatory_date else ""
    return ", ".join((f"{passage.origin_title}{year}", *places(passage)))


def places(passage: Passage) -> list[str]:
    """Where in its source a passage stands: page, number of the article or section, headings."""
    page = [f"p. {passage.page_number}"] if passage.page_number else []
    label = label_of(passage.urn)
    return [*page, *filter(None, (spoken(label) if label else "", headings_of(passage)))]


def headings_of(passage: Passage) -> str:
    """The two innermost headings over a passage of a document, empty when they say nothing more:
    « Chez le malade dialysé » says of whom the sentence under it speaks.
    """
    if passage.silo not in _DOCUMENTS or passage.kind not in (PassageKind.PROSE, PassageKind.TABLE):
        return ""
    number = fold(spoken(label_of(passage.urn))) if label_of(passage.urn) else ""
    known = {fold(passage.origin_title), number}
    parts = [p for p in passage.heading.split(" > ") if p and fold(p) not in known][-2:]
    shown = " › ".join(p if len(p) <= _MAX_HEADING else f"{p[:_MAX_HEADING]}…" for p in parts)
    return f"«{NBSP}{shown}{NBSP}»" if shown else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
