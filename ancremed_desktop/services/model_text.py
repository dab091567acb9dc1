"""What models did for an answer and what left the machine, in the words every output uses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ancremed_desktop.domain.answers import Answer, ModelSection, ModelUse, ModelWay
from ancremed_desktop.services.approval import NOT_SENT, NOTHING_SENT
from ancremed_desktop.text.french import count, no_break

_WAYS: Mapping[ModelWay, str] = MappingProxyType(
    {
        ModelWay.PLAN: "complété par {}, phrases de la source",
        ModelWay.SELECT: "phrases de la source choisies par {}",
        ModelWay.ORDER: "phrases de la source ordonnées par {}",
        ModelWay.INTRODUCE: "phrases de la source, liaisons rédigées par {}",
        ModelWay.WRITE: "rédigé par {}, vérifié",
    }
)
_LEAST_USD = 0.0001
TRIAL = "très petit, pour essayer"
"""What a model that is recommended for nothing is, beside its name."""
UNTRIED = "Jamais essayé par nous : qualifiez-le d’abord."
"""Of a model we never ran."""


def short_name(model: str) -> str:
    """Name of a model without its provider."""
    return model.partition(":")[2] or model


def section_mark(changed: ModelSection) -> str:
    """« rédigé par smollm2-135m, vérifié »."""
    return _WAYS[changed.way].format(short_name(changed.model))


def marks(answer: Answer) -> Mapping[str, str]:
    """The mark of each section that models changed."""
    return {changed.section: section_mark(changed) for changed in answer.model_sections}


def cost_text(usd: float) -> str:
    """« environ 0,0012 $ »."""
    if usd < _LEAST_USD:
        return f"moins de {_LEAST_USD} $".replace(".", ",")
    return f"environ {usd:.2g} $".replace(".", ",")


def sent_texts(answer: Answer) -> tuple[str, ...]:
    """What left the machine for the answer, word for word, in order."""
    return tuple(use.sent for use in answer.models if use.sent)


def record_lines(answer: Answer) -> tuple[str, ...]:
    """What left for the answer, who helped, what failed: one sentence each, none without models."""
    lines = []
    if sent := [use for use in answer.models if use.sent]:
        texts = count(len(sent), "demande")
        cost = cost_text(sum(use.cost_usd for use in answer.models))
        provider = sent[0].model.partition(":")[0].capitalize()
        lines.append(f"Envoyé à {provider} : {texts}, {cost}.")
    for model in dict.fromkeys(use.model for use in answer.models):
        own = [use for use in answer.models if use.model == model]
        lines += _of_model(short_name(model), own, answer)
    return tuple(map(no_break, lines))


def _of_model(name: str, uses: list[ModelUse], answer: Answer) -> list[str]:
    helped = any(short_name(s.model) == name for s in answer.model_sections)
    problems = tuple(dict.fromkeys(use.problem for use in uses if use.problem))
    own_choice = [p for p in problems if p in {NOT_SENT, NOTHING_SENT}]
    if own_choice:
        return own_choice
    if problems:
        kept = "" if answer.model_sections else " La réponse est faite d’extraits."
        said = "n’a pas tout fait" if helped else "n’a pas aidé"
        return [f"{name} {said} : {' '.join(problems)}{kept}"]
    if helped or not any(use.outcome == "ok" for use in uses):
        return []
    if any(short_name(s.model) != name for s in answer.model_sections):
        return []  # it checked what another wrote
    return [f"{name} n’a rien trouvé de mieux que ces extraits."]
