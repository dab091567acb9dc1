"""A plan by a model, beside the plan by rules: which classes, which sections, which searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.identifiers import SECTIONS, TopicClass
from ancremed_desktop.domain.plans import Question, RetrievalPlan, SubQuery
from ancremed_desktop.pipeline.asked_sections import OPTIONAL, REQUIRED
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.plan import with_classes
from ancremed_desktop.pipeline.prompts import Prompt, fenced
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.text.words import content_words

PLAN_TIMEOUT_S = 20.0
"""A slower plan comes after the answer it was for; the rules' plan is on screen already."""
_MAX_TOKENS = 300
_MAX_SECTIONS = 8
_MAX_QUERIES = 8
_MAX_QUERY_CHARS = 120
_NONE = "aucune"
_CLASSES = {
    TopicClass.DEFINITION: "définition, mécanisme, épidémiologie, cadre d’un sujet de cours",
    TopicClass.SEMIOLOGY: "signes, examens et diagnostic d’une maladie ou d’un cas",
    TopicClass.PHARMACOLOGY: "un médicament ou un traitement : indication, dose, sécurité",
    TopicClass.ANATOMY: "structure et fonctionnement normal du corps",
    TopicClass.CALCULATION: "un score ou une formule à calculer",
    TopicClass.EMERGENCY: "que faire, prise en charge, urgence, recommandation",
}


def model_plan(
    question: Question,
    by_rules: RetrievalPlan,
    model: LanguageModel,
    prompt: Prompt,
    work: ModelWork,
    cancel: CancelToken,
) -> tuple[RetrievalPlan, tuple[SubQuery, ...]]:
    """The model's plan and its searches; the rules' plan and none when it has no usable one.

    The subject stays that of the rules: a model never changes what the question is about.
    Raises: Cancelled.
    """
    values = {
        "classes": "\n".join(f"- {c} : {what}." for c, what in _CLASSES.items()),
        "sections": "\n".join(f"- {c} : {', '.join(REQUIRED[c] + OPTIONAL[c])}." for c in _CLASSES),
        "question": fenced(question.text),
    }
    completion = work.ask(
        model,
        prompt,
        values,
        _schema(),
        max_tokens=_MAX_TOKENS,
        timeout_s=PLAN_TIMEOUT_S,
        cancel=cancel,
    )
    return _read(completion.value if completion else None, question, by_rules)


def _read(
    value: object, question: Question, by_rules: RetrievalPlan
) -> tuple[RetrievalPlan, tuple[SubQuery, ...]]:
    """Checked here too: not every provider holds a model to its schema."""
    plan = None
    if isinstance(value, dict):
        primary, secondary = (_topic(value.get(k)) for k in ("classe", "classe_secondaire"))
        named = value.get("sections")
        known = isinstance(named, list) and all(s in SECTIONS for s in named)
        second_known = secondary is not None or value.get("classe_secondaire") == _NONE
        if primary and second_known and known and isinstance(named, list):
            chosen = tuple(str(s) for s in named)
            plan = with_classes(by_rules, question, primary, secondary, chosen)
    if plan is None or not isinstance(value, dict):
        return by_rules, ()
    queries = read_queries(value.get("recherches"), plan.sections)
    return replace(plan, sub_queries=(*plan.sub_queries, *queries)), queries


def _topic(value: object) -> TopicClass | None:
    return TopicClass(value) if isinstance(value, str) and value in tuple(TopicClass) else None


def read_queries(value: object, sections: Sequence[str]) -> tuple[SubQuery, ...]:
    """Usable searches of a reply: for one of ``sections``, with words to search, each once."""
    found = []
    for item in value if isinstance(value, list) else ():
        section, words = (item.get(k) for k in ("section", "mots")) if isinstance(item, dict) else (
            None, None,
        )  # fmt: skip
        if section not in sections or not isinstance(words, str):
            continue
        if len(words) <= _MAX_QUERY_CHARS and content_words(words):
            found.append(SubQuery(section=str(section), query=words))
    return tuple(dict.fromkeys(found))[:_MAX_QUERIES]


def queries_schema(sections: Sequence[str]) -> dict[str, object]:
    """Schema of a list of searches for some sections."""
    return {
        "type": "array",
        "maxItems": _MAX_QUERIES,
        "items": {
            "type": "object",
            "properties": {
                "section": {"enum": list(sections)},
                "mots": {"type": "string"},
            },
            "required": ["section", "mots"],
            "additionalProperties": False,
        },
    }


def _schema() -> dict[str, object]:
    classes = [str(c) for c in _CLASSES]
    sections = [s for s in SECTIONS if any(s in REQUIRED[c] + OPTIONAL[c] for c in _CLASSES)]
    return {
        "type": "object",
        "properties": {
            "classe": {"enum": classes},
            "classe_secondaire": {"enum": [*classes, _NONE]},
            "sections": {"type": "array", "maxItems": _MAX_SECTIONS, "items": {"enum": sections}},
            "recherches": queries_schema(sections),
        },
        "required": ["classe", "classe_secondaire", "sections", "recherches"],
        "additionalProperties": False,
    }
