"""A brand asked about, answered by the card on another product of its substance: it is said."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ancremed_desktop.domain.answers import AnswerSpan
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

_PRODUCT = re.compile(r"\(([^()]*)\)\s*$")
"""The product a card on a substance was written from (« Lévonorgestrel (NORLEVO 1,5 mg) »)."""
_DOSED = frozenset({"posologie", "indication", "réponse", "traitement"})
_STRENGTH = r"\W{0,2}(\d+(?:[.,/]\d+)*)(?!\s?(?:ans?|mois|kg|jours?|sa|semaines?|x|fois)\b)"


def product_notice(question: Question, spans: Iterable[AnswerSpan]) -> str:
    """What is said, in French, where doses are those of another product than the one asked about,
    by its brand or its strength (« Innovair 200/6 »); or nothing.
    """
    brands = [(c.original, c.replacement) for c in question.corrections if c.kind == "brand"]
    titles = dict.fromkeys(
        s.anchored.passage.origin_title
        for s in spans
        if isinstance(s, VerifiedAssertion) and s.anchored.draft.section in _DOSED
    )
    said = []
    for title in titles:
        product = _PRODUCT.search(title)
        asked = product and next(
            (b for b, dci in brands if _is_another(b, dci, title, product[1], question.raw)), ""
        )
        if asked:
            said.append(f"«{NBSP}{title}{NBSP}» pour «{NBSP}{asked}{NBSP}»")
    if not said:
        return ""
    return (
        f"Les doses citées sont celles d’un autre produit ou d’un autre dosage{NBSP}: "
        f"{', '.join(said)}. La forme, la voie et la dose peuvent différer{NBSP}: lisez le RCP du "
        "produit demandé."
    )


def _is_another(brand: str, dci: str, title: str, product: str, raw: str) -> bool:
    """Whether a card on the substance of a brand is on another product, or another strength."""
    about = fold(title)
    substances = [fold(part).split()[0] for part in dci.split("+") if part.strip()]
    if not any(s in about for s in substances):
        return False
    if fold(brand) not in fold(product):
        return True
    typed = re.search(re.escape(fold(brand)) + _STRENGTH, fold(raw))
    return typed is not None and typed[1] not in re.findall(r"\d+(?:[.,/]\d+)*", fold(product))
