"""One row a question, with the specification's fields (§10), made from the answer."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import UTC, datetime

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import Abstention, DropReason, VerifiedAssertion
from ancremed_desktop.ports import QueryLogRow

_SUBSTRING = frozenset({DropReason.QUOTE_NOT_FOUND, DropReason.QUOTE_TRIVIAL, DropReason.QUANTITY})
_ENTITY = frozenset({DropReason.ENTITY})


def log_row(answer: Answer, *, keep_question: bool) -> QueryLogRow:
    """The row of an answer; the question's text, masked, only when ``keep_question``."""
    text = None
    if keep_question:
        # Imported here: its patterns take long to compile, and most users keep no text.
        from ancremed_desktop.observability.redaction import redact

        (text,) = redact((answer.question.raw,))
    verified = [s for s in answer.spans if isinstance(s, VerifiedAssertion)]
    failed = Counter(
        "verifier"
        if d.stage == "verifier"
        else "substring"
        if d.reason in _SUBSTRING
        else "entity"
        if d.reason in _ENTITY
        else "other"
        for d in answer.dropped
    )
    passages = [v.anchored.passage for v in verified]
    secondary = answer.plan.secondary_class
    return QueryLogRow(
        request_id=str(uuid.uuid4()),
        timestamp=datetime.now(UTC).isoformat(timespec="milliseconds"),
        primary_class=answer.plan.primary_class.value,
        secondary_class=secondary.value if secondary else None,
        rounds_used=len(answer.rounds),
        sub_queries_issued=sum(len(r.queries) for r in answer.rounds),
        distinct_sources_cited=len(answer.sources),
        silos_touched=tuple(dict.fromkeys(p.silo.value for p in passages)),
        clinical_assertions_total=len(verified) + len(answer.dropped),
        clinical_assertions_passed_gate=len(verified),
        clinical_assertions_failed_substring=failed["substring"],
        clinical_assertions_failed_entity=failed["entity"],
        clinical_assertions_failed_verifier=failed["verifier"],
        clinical_assertions_failed_other=failed["other"],
        abstained_sections=tuple(s.section for s in answer.spans if isinstance(s, Abstention)),
        stage_latency_ms=dict(answer.timings_ms),
        latency_ms=sum(ms for _stage, ms in answer.timings_ms),
        estimated_cost_usd=sum(use.cost_usd for use in answer.models),
        gate_blocked=bool(answer.dropped) and not verified,
        status=answer.status.value,
        question_text=text,
    )
