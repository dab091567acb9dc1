"""Whether an abstention is false: a sentence of what was retrieved tells what it misses.

Only an abstention that names its subject can be held against the passages: « les passages ne
répondent pas » says nothing that a sentence could contradict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.pipeline.rules.cover import held
from ancremed_desktop.pipeline.rules.model import Mention, Statement
from ancremed_desktop.pipeline.rules.parse import parse
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans

_DOSES = frozenset({"mass", "UI", "volume", "amount", "charge", "percent"})
_TIMES = frozenset({"time", "calendar", "rank", "gestation"})
_ASKED = (
    (re.compile(r"\b(?:doses?|posologies?)\b"), _DOSES),
    (re.compile(r"\b(?:delais?|durees?|combien de temps)\b"), _TIMES),
    (re.compile(r"\b(?:frequences?|rythmes?|intervalles?)\b"), _TIMES | {"frequency", "interval"}),
)
"""What an abstention misses, with the dimensions of the values that tell it."""
_THRESHOLD = re.compile(r"\b(?:seuils?|valeurs?|cibles?)\b")
_ACTING = re.compile(
    r"\b(?:conduite|prise en charge|place|utilisation|emploi|traitement|indication)\b"
)
"""What a sentence on the case or the drug tells without any value."""
_FRAME = (
    "source", "document", "passage", "extrait", "texte", "fourni", "retrouv", "avis", "fiche",
    "precis", "decri", "abord", "document", "indiqu", "mention", "trait", "figur", "donn", "evoqu",
    "renseign", "detaill", "cit", "section", "question", "repond", "conduite", "place", "seuil",
    "posologi", "dose", "delai", "duree", "frequence", "rythme", "utilis", "emploi",
)  # fmt: skip
"""Beginnings of the words that say that nothing is said."""
_UNTOLD = re.compile(
    r"\baucune? (?:donnee|etude|recommandation|information)"
    r"|\b(?:pas|non) (?:ete )?(?:etudi|precis|etabli|connu|determin|evalu|document)"
)


def told_by(reason: str, passages: Iterable[Passage]) -> tuple[Passage, str] | None:
    """The passage and the sentence of it that names all that an abstention names, and tells it."""
    wanted = [m for m in parse(reason).mentions if not m.neutral and not m.key.startswith(_FRAME)]
    asked = fold(reason)
    dimensions = next((d for pattern, d in _ASKED if pattern.search(asked)), frozenset[str]())
    if not wanted or not (dimensions or _THRESHOLD.search(asked) or _ACTING.search(asked)):
        return None
    for passage in passages:
        label = parse(f"{passage.origin_title}\n{passage.heading}")
        for start, end in sentence_spans(passage.text) if not passage.superseded else ():
            sentence = passage.text[start:end]
            if _tells(parse(sentence), label, wanted, asked, dimensions):
                return passage, sentence
    return None


def _tells(
    sentence: Statement,
    label: Statement,
    wanted: list[Mention],
    asked: str,
    dimensions: frozenset[str],
) -> bool:
    near = sentence.concepts | label.concepts
    if not all(held(m, near) for m in wanted) or _UNTOLD.search(sentence.folded_text):
        return False
    if not any(held(m, sentence.concepts) for m in wanted):
        return False
    if dimensions:
        return any(v.quantity.dimension.split("/")[0] in dimensions for v in sentence.values)
    if _THRESHOLD.search(asked):
        return any(v.bound for v in sentence.values)
    return True
