"""A section chosen or written by a model, out of the sentences that rules already allow there.

What is given to the model is what the extractive generator would show: the right drug, the right
patients, the right section. The model chooses, orders or rewords; it never adds a source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.pipeline.model_call import ModelWork, budget, prompt_tokens
from ancremed_desktop.pipeline.prompt_budget import passages_within
from ancremed_desktop.pipeline.prompts import Prompt, fenced
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.text.matching import find_quotes

SELECT_TIMEOUT_S = 30.0
WRITE_TIMEOUT_S = 90.0
"""For one section; its extract stays on screen meanwhile."""
_SELECT_TOKENS = 80
_WRITE_TOKENS = 700
_MAX_SPANS = 12
_MARGIN = 120
"""Tokens of fences, numbers, chat format and the note of a retry."""
_ABSENT = "Les passages donnés ne répondent pas à la question pour cette section."

Candidates = Sequence[DraftAssertion]
"""Sentences of one section, each its own quote, as the extractive generator drafts them."""
_Read = Callable[[object], tuple[DraftSpan, ...] | str]
"""Drafts of a reply, or what is wrong with it, said to the model (French)."""


def select(
    question: Question,
    section: str,
    candidates: Candidates,
    model: LanguageModel,
    prompt: Prompt,
    work: ModelWork,
    cancel: CancelToken,
) -> tuple[DraftSpan, ...] | None:
    """Sentences of the section the model names, in its order; None: the extract stays.

    It names numbers; a number it was not given, or given twice, is told once, then refused.
    Raises: Cancelled.
    """
    shown = _shown(candidates, _sentence, question, section, model, prompt, work, cancel)
    if not shown:
        return None
    listed = "\n".join(f"{n}. {_sentence(c)}" for n, c in enumerate(shown, 1))
    numbers = list(range(1, len(shown) + 1))
    schema = {
        "type": "object",
        "properties": {
            "phrases": {
                "type": "array",
                "items": {"enum": numbers},
                "minItems": 1,
                "maxItems": len(numbers),
            }
        },
        "required": ["phrases"],
        "additionalProperties": False,
    }

    def read(value: object) -> tuple[DraftSpan, ...] | str:
        named = value.get("phrases") if isinstance(value, dict) else None
        if not isinstance(named, list) or not named:
            return "Nomme au moins un numéro."
        if any(type(n) is not int or n not in numbers for n in named):
            return f"N’emploie que les numéros de 1 à {len(numbers)}."
        if len(set(named)) < len(named):
            return "Nomme chaque numéro une seule fois."
        return tuple(shown[n - 1] for n in named)

    values = {"section": section, "sentences": fenced(listed), "question": fenced(question.text)}
    return _asked_twice(
        model, prompt, values, schema, read, work, cancel, _SELECT_TOKENS, SELECT_TIMEOUT_S
    )


def write(
    question: Question,
    section: str,
    candidates: Candidates,
    model: LanguageModel,
    prompt: Prompt,
    work: ModelWork,
    cancel: CancelToken,
) -> tuple[DraftSpan, ...] | None:
    """Typed spans of the specification for the section; None: the extract stays.

    A span whose quote is not in what was shown is told once, then the reply is refused whole.
    The drafts go through gate and verifier like any other. Raises: Cancelled.
    """
    shown = _shown(candidates, _passage, question, section, model, prompt, work, cancel)
    if not shown:
        return None
    values = {
        "section": section,
        "passages": "\n".join(_passage(c) for c in shown),
        "question": fenced(question.text),
    }
    return _asked_twice(
        model,
        prompt,
        values,
        _spans_schema(shown),
        lambda value: _spans(value, section, shown),
        work,
        cancel,
        _WRITE_TOKENS,
        WRITE_TIMEOUT_S,
    )


def verbatim(drafts: Sequence[DraftSpan], candidates: Candidates) -> tuple[DraftSpan, ...]:
    """Written assertions brought back to the sentences they quote, each once.

    For a model that may order and introduce sentences and whose paraphrases are not trusted.
    """
    spans: list[DraftSpan] = []
    for draft in drafts:
        if isinstance(draft, DraftAssertion):
            source = _quoted(draft, candidates)
            if source is not None and source not in spans:
                spans.append(source)
        else:
            spans.append(draft)
    return tuple(spans)


def _asked_twice(
    model: LanguageModel,
    prompt: Prompt,
    values: dict[str, str],
    schema: dict[str, object],
    read: _Read,
    work: ModelWork,
    cancel: CancelToken,
    max_tokens: int,
    timeout_s: float,
) -> tuple[DraftSpan, ...] | None:
    note = ""
    for _ in range(2):
        completion = work.ask(
            model,
            prompt,
            values,
            schema,
            max_tokens=max_tokens,
            timeout_s=timeout_s,
            cancel=cancel,
            note=note,
        )
        if completion is None:
            return None
        drafts = read(completion.value)
        if not isinstance(drafts, str):
            return drafts
        work.useless(model)
        note = f"Ta réponse précédente a été refusée. {drafts}"
    return None


def _shown(
    candidates: Candidates,
    as_shown: Callable[[DraftAssertion], str],
    question: Question,
    section: str,
    model: LanguageModel,
    prompt: Prompt,
    work: ModelWork,
    cancel: CancelToken,
) -> Candidates:
    """Whole candidates that fit in the prompt with room for a retry's note; none: not asked.

    A model that cannot even count (absent, crashed) is recorded and gives none. Raises: Cancelled.
    """
    if work.given_up(model):
        return ()
    empty = dict.fromkeys(("section", "question", "sentences", "passages"), "")
    empty |= {"section": section, "question": question.text}
    wanted = {k: v for k, v in empty.items() if k in prompt.placeholders}
    try:
        fixed = prompt_tokens(model, prompt.messages(wanted), cancel) + _MARGIN
        texts = [as_shown(c) for c in candidates]
        kept = passages_within(texts, model.count_tokens, fixed_tokens=fixed, most=budget(model))
    except Cancelled:
        raise
    except Exception as error:  # whatever it is, the extract stays
        work.failed(model, prompt, error)
        return ()
    return [candidates[place] for place in kept]


def _sentence(candidate: DraftAssertion) -> str:
    return " ".join(candidate.text.split())


def _passage(candidate: DraftAssertion) -> str:
    return (
        f"source_urn : {candidate.source_urn}\n"
        f"subject_entity_id : {candidate.subject_entity_id}\n{fenced(candidate.text)}"
    )


def _quoted(draft: DraftAssertion, candidates: Candidates) -> DraftAssertion | None:
    """The sentence shown that an assertion quotes, None when it quotes none of them."""
    for candidate in candidates:
        same = draft.source_urn == candidate.source_urn
        if same and find_quotes(candidate.text, draft.exact_source_quote):
            return candidate
    return None


def _spans(value: object, section: str, shown: Candidates) -> tuple[DraftSpan, ...] | str:
    items = value.get("spans") if isinstance(value, dict) else None
    if not isinstance(items, list) or not items:
        return "Donne au moins un segment."
    drafts: list[DraftSpan] = []
    for number, item in enumerate(items, 1):
        draft = _span(item, section)
        if draft is None:
            return f"Le segment {number} est mal formé."
        if isinstance(draft, DraftAssertion):
            source = _quoted(draft, shown)
            if source is None:
                return f"La citation du segment {number} n’est pas dans un passage de cette source."
            # An item is held against its whole list: what announces it may forbid it.
            draft = replace(draft, exact_source_quote=source.exact_source_quote)
        drafts.append(draft)
    if any(isinstance(d, Abstention) for d in drafts):
        # Half an abstention would contradict what stands beside it.
        return (Abstention(section=section, reason=_ABSENT),)
    return tuple(drafts)


def _span(item: object, section: str) -> DraftSpan | None:
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if kind == "abstention":
        return Abstention(section=section, reason=_ABSENT)
    if not isinstance(item.get("text"), str):
        return None
    if kind == "narrative":
        return Narrative(text=item["text"], section=section)
    score = item.get("confidence_score")
    words = ("exact_source_quote", "source_urn", "subject_entity_id")
    if kind != "clinical_assertion" or not all(isinstance(item.get(k), str) for k in words):
        return None
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    return DraftAssertion(
        section=section,
        text=item["text"],
        exact_source_quote=item["exact_source_quote"],
        source_urn=item["source_urn"],
        subject_entity_id=item["subject_entity_id"],
        confidence_score=float(score),
    )


def _spans_schema(shown: Candidates) -> dict[str, object]:
    def span(kind: str, **fields: object) -> dict[str, object]:
        properties = {"type": {"const": kind}, **fields}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    # No length: llama.cpp unrolls it into a grammar it then refuses. The gate has its own limit.
    text = {"type": "string"}
    assertion = span(
        "clinical_assertion",
        exact_source_quote={"type": "string"},
        text=text,
        source_urn={"enum": list(dict.fromkeys(c.source_urn for c in shown))},
        subject_entity_id={"enum": list(dict.fromkeys(c.subject_entity_id for c in shown))},
        confidence_score={"type": "number", "minimum": 0, "maximum": 1},
    )
    kinds = [span("narrative", text=text), assertion, span("abstention", reason=text)]
    return {
        "type": "object",
        "properties": {
            "spans": {
                "type": "array",
                "minItems": 1,
                "maxItems": _MAX_SPANS,
                "items": {"anyOf": kinds},
            }
        },
        "required": ["spans"],
        "additionalProperties": False,
    }
