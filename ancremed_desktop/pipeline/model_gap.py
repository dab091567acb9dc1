"""Other words to search with, asked of a model when the rules' own widening found nothing."""

from __future__ import annotations

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.plans import Question, SubQuery
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.model_plan import queries_schema, read_queries
from ancremed_desktop.pipeline.prompts import Prompt, fenced
from ancremed_desktop.ports import LanguageModel

GAP_TIMEOUT_S = 15.0
_MAX_TOKENS = 200


def reformulations(
    question: Question,
    found: Evidence,
    model: LanguageModel,
    prompt: Prompt,
    work: ModelWork,
    cancel: CancelToken,
) -> tuple[SubQuery, ...]:
    """Searches for the sections without any passage; none, and no call, when each has one.

    A question off the corpus is never put to a model. Raises: Cancelled.
    """
    empty = tuple(s.section for s in found.sections if not s.hits)
    if not empty or found.off_corpus:
        return ()
    schema = {
        "type": "object",
        "properties": {"recherches": queries_schema(empty)},
        "required": ["recherches"],
        "additionalProperties": False,
    }
    completion = work.ask(
        model,
        prompt,
        {"sections": ", ".join(empty), "question": fenced(question.text)},
        schema,
        max_tokens=_MAX_TOKENS,
        timeout_s=GAP_TIMEOUT_S,
        cancel=cancel,
    )
    value = completion.value if completion else None
    return read_queries(value.get("recherches"), empty) if isinstance(value, dict) else ()
