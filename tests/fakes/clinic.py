"""A small made-up corpus and the engine that answers from it."""

from __future__ import annotations

from functools import lru_cache

from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import PlanningLexicon, load_lexicon
from ancremed_desktop.pipeline.prompts import Prompts, load_prompts
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.run import Engine
from ancremed_desktop.settings.paths import RESOURCES

TITLE = "Fibrillation atriale"
DEFINITION = (
    "La fibrillation atriale est un trouble du rythme supraventriculaire. "
    "La fibrillation atriale paroxystique dure moins de 7 jours."
)
SIGNS = (
    "La fibrillation atriale donne des palpitations et une dyspnée d’effort. "
    "La fibrillation atriale peut rester sans symptôme."
)
DRUG = (
    "La ficticine est contre-indiquée en cas de myasthénie. "
    "La ficticine est contre-indiquée en cas de grossesse."
)


@lru_cache(maxsize=1)
def lexicon() -> PlanningLexicon:
    return load_lexicon(RESOURCES / "lexicons")


@lru_cache(maxsize=1)
def prompts() -> Prompts:
    return load_prompts(RESOURCES / "prompts")


def index() -> MemoryIndex:
    return MemoryIndex(
        [
            passage("EDN-232", TITLE, "définition", DEFINITION),
            passage("EDN-232", TITLE, "signes", SIGNS),
            passage("69000001", "Ficticine", "contre-indications", DRUG),
        ],
        names={"fibrillation atriale": ("EDN-232",), "ficticine": ("69000001",)},
    )


def engine(found: MemoryIndex | None = None) -> Engine:
    held = found or index()
    return Engine(
        index=held,
        lexicon=lexicon(),
        generator=ExtractiveGenerator(lexicon().sections, lambda text: "icticine" in text),
        verifier=RuleVerifier(),
        calculate=lambda _text: (),
    )
