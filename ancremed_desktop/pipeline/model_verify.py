"""A second look by a model, never alone: the rules must support an assertion too (DESIGN §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import DropReason, Judgement, Verdict
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.pipeline.model_call import ModelWork, budget, prompt_tokens
from ancremed_desktop.pipeline.prompts import Prompt, fenced
from ancremed_desktop.ports import LanguageModel, Verifier, VerifierView

VERIFY_TIMEOUT_S = 18.0
"""For one call; below the time ``verify`` allows, so that the reason of a refusal is known."""
_TOKENS_EACH = 40
_MARGIN = 60
_MAX_TOGETHER = 4
"""Assertions in one call to a model elsewhere: more are confused with one another. A model here
reads each anyway, its instructions being kept: one a call comes sooner.
"""
_VERDICTS: Mapping[str, Verdict] = MappingProxyType(
    {
        "soutenue": Verdict.SUPPORTED,
        "non_soutenue": Verdict.NOT_SUPPORTED,
        "incertaine": Verdict.UNSURE,
    }
)
_REASONS: Mapping[str, tuple[DropReason, str]] = MappingProxyType(
    {
        "contredit": (DropReason.POLARITY, "la source dit autre chose"),
        "valeur": (DropReason.QUANTITY, "une valeur n’est pas celle de la source"),
        "sujet": (DropReason.ENTITY, "le sujet n’est pas celui de la source"),
        "sous_groupe": (
            DropReason.SUBGROUP,
            "les patients ou les conditions ont changé",
        ),
        "ajout": (DropReason.ADDED_FACT, "un fait n’est pas dans la source"),
        "aucun": (DropReason.UNSURE, "le modèle ne conclut pas"),
    }
)
_FAULT = Judgement(
    verdict=Verdict.UNSURE,
    reason=DropReason.VERIFIER_FAULT,
    detail="Affirmation retirée : le modèle vérificateur n’a pas donné de verdict lisible à temps.",
)


class ModelVerifier:
    """Asks a model; whatever is not a plain « soutenue » is a refusal.

    ``read_ahead`` judges several assertions a call; ``judge`` then says what was found.
    """

    def __init__(self, model: LanguageModel, prompt: Prompt, work: ModelWork) -> None:
        self.name = model.name
        self._model = model
        self._prompt = prompt
        self._work = work
        self._known: dict[VerifierView, Judgement] = {}

    def read_ahead(self, views: Sequence[VerifierView], cancel: CancelToken) -> None:
        """Judge ``views``, as many a call as fit in a prompt. Raises: Cancelled."""
        waiting = [v for v in dict.fromkeys(views) if v not in self._known]
        while waiting:
            together = waiting[: self._fitting(waiting, cancel)]
            self._known.update(zip(together, self._ask(together, cancel), strict=True))
            waiting = waiting[len(together) :]

    def judge(self, view: VerifierView, cancel: CancelToken) -> Judgement:
        """Verdict on one assertion. Raises: Cancelled."""
        self.read_ahead((view,), cancel)
        return self._known[view]

    def _fitting(self, views: Sequence[VerifierView], cancel: CancelToken) -> int:
        """How many of the first views one prompt holds, at least 1. Raises: Cancelled."""
        count, most = 1, 1 if self._model.local else _MAX_TOGETHER
        try:
            while count < min(len(views), most):
                messages = self._prompt.messages({"items": _items(views[: count + 1])})
                needed = prompt_tokens(self._model, messages, cancel)
                if needed + _MARGIN > budget(self._model):
                    break
                count += 1
        except Cancelled:
            raise
        except Exception:  # it will say so again when it is asked, and that is recorded
            return 1
        return count

    def _ask(self, views: Sequence[VerifierView], cancel: CancelToken) -> list[Judgement]:
        completion = self._work.ask(
            self._model,
            self._prompt,
            {"items": _items(views)},
            _schema(len(views)),
            max_tokens=_TOKENS_EACH * len(views) + _MARGIN,
            timeout_s=VERIFY_TIMEOUT_S,
            cancel=cancel,
        )
        value = completion.value if completion else None
        verdicts = value.get("verdicts") if isinstance(value, dict) else None
        if not isinstance(verdicts, list) or len(verdicts) != len(views):
            return [_FAULT] * len(views)
        return [_judgement(v, number) for number, v in enumerate(verdicts, 1)]


class BothVerifiers:
    """The rules, then a model on what is not the source's own words: both must support."""

    def __init__(self, rules: Verifier, model: ModelVerifier) -> None:
        self.name = f"{rules.name} + {model.name}"
        self._rules = rules
        self._model = model

    def read_ahead(self, views: Sequence[VerifierView], cancel: CancelToken) -> None:
        """Have the model judge what the rules support. Raises: Cancelled, or what rules raise."""
        supported = [v for v in views if self._by_rules(v, cancel) is None]
        self._model.read_ahead([v for v in supported if not _own_words(v)], cancel)

    def judge(self, view: VerifierView, cancel: CancelToken) -> Judgement:
        """The first refusal, else « supported ». Raises: Cancelled, or what the rules raise."""
        refusal = self._by_rules(view, cancel)
        if refusal is not None:
            return refusal
        if _own_words(view):
            return Judgement(verdict=Verdict.SUPPORTED)
        return self._model.judge(view, cancel)

    def _by_rules(self, view: VerifierView, cancel: CancelToken) -> Judgement | None:
        judgement = self._rules.judge(view, cancel)
        return None if judgement.verdict is Verdict.SUPPORTED else judgement


def _own_words(view: VerifierView) -> bool:
    """A sentence of the source cannot differ from itself: no model is asked."""
    return view.assertion.strip() == view.sentences.strip()


def _judgement(verdict: object, number: int) -> Judgement:
    if not isinstance(verdict, dict) or verdict.get("numero") != number:
        return _FAULT
    said, why = verdict.get("verdict"), verdict.get("motif")
    if not isinstance(said, str) or said not in _VERDICTS:
        return _FAULT
    if not isinstance(why, str) or why not in _REASONS:
        return _FAULT
    if _VERDICTS[said] is Verdict.SUPPORTED and why == "aucun":
        return Judgement(verdict=Verdict.SUPPORTED)
    reason, detail = _REASONS[why]
    # « soutenue » with a ground for refusal contradicts itself: a refusal too.
    kept = Verdict.UNSURE if _VERDICTS[said] is Verdict.SUPPORTED else _VERDICTS[said]
    return Judgement(verdict=kept, reason=reason, detail=f"Modèle vérificateur : {detail}.")


def _items(views: Sequence[VerifierView]) -> str:
    return "\n\n".join(
        f"Affirmation {number} (section : {view.section}) :\n{fenced(view.assertion)}\n"
        f"Sa source (titre, rubrique, section, phrases) :\n"
        + fenced(
            f"{view.title}\n{view.heading or 'sans rubrique'}\n"
            f"{view.passage_section or 'sans section'}\n{view.sentences}"
        )
        for number, view in enumerate(views, 1)
    )


def _schema(count: int) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "minItems": count,
                "maxItems": count,
                "items": {
                    "type": "object",
                    "properties": {
                        "numero": {"enum": list(range(1, count + 1))},
                        "motif": {"enum": list(_REASONS)},
                        "verdict": {"enum": list(_VERDICTS)},
                    },
                    "required": ["numero", "motif", "verdict"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["verdicts"],
        "additionalProperties": False,
    }
