"""Routes by which a drug is asked to be given: a dose by another one is never shown as that one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

_ROUTES = {
    "intraveineuse": r"\b(?:iv|ivl|ivd|ivse|intra-?veineu\w*)\b",
    "intramusculaire": r"\bintra-?musculaires?\b",
    "sous-cutanée": r"\bsous[- ]cutanee?s?\b",
    "orale": r"\b(?:per os|oral|orale|oraux|orales|par la bouche)\b",
    "inhalée": r"\b(?:inhale\w*|inhalation|nebulis\w*|aerosols?|bouffees?)\b",
    "nébulisée": r"\b(?:nebulis\w*|aerosols?(?! doseurs?))\b",
    "rectale": r"\b(?:(?:intra-?)?rect(?:ale?s?|aux)|suppositoires?)\b",
    "nasale": r"\b(?:nasale?s?)\b",
}
"""Route → how a question or a source names it, folded; what is nebulised is inhaled too, and puffs
of a spray are no answer to how much is nebulised.
"""
_PATTERNS = {name: re.compile(pattern) for name, pattern in _ROUTES.items()}


def routes_in(text: str) -> tuple[str, ...]:
    """Routes a text names, in the order of the list."""
    folded = fold(text)
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(folded))


def is_route(phrase: str) -> bool:
    """Whether a folded phrase is the name of a route and nothing else."""
    return any(pattern.fullmatch(phrase) for pattern in _PATTERNS.values())


def is_of_another_route(text: str, asked: Sequence[str]) -> bool:
    """Whether a sentence names routes, and none of those asked."""
    named = routes_in(text)
    return bool(asked and named) and set(named).isdisjoint(asked)


def unsaid_route(asked: Sequence[str], quotes: Iterable[str]) -> str:
    """What is said, in French, of the routes asked that no quote names; empty if none."""
    named = {route for quote in quotes for route in routes_in(quote)}
    left = [f"«{NBSP}{route}{NBSP}»" for route in asked if route not in named]
    if not left:
        return ""
    return (
        f"Aucun extrait ne donne de dose par voie {', '.join(left)}{NBSP}: vérifiez la voie de "
        "chaque dose montrée."
    )
