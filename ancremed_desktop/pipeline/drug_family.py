"""« Diltiazem, quelle classe ? »: where the index of the interactions thesaurus files a drug."""

from __future__ import annotations

import re

from ancremed_desktop.domain.identifiers import Silo, TopicClass
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.pipeline.direct_answer import DirectAnswer, LookUp
from ancremed_desktop.pipeline.interactions import filed_substances
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

FILED = (
    "Voici les classes où l’index du thésaurus des interactions de l’ANSM range ce médicament ; "
    "il ne dit pas lesquelles sont ses indications."
)
_INDEX = LookUp(
    section="classification",
    silo=Silo.BDPM,
    topic=TopicClass.PHARMACOLOGY,
    done="Index du thésaurus consulté.",
)
_FILED = re.compile(r"\breleve(?:nt)? de\b")
"""Of a substance that is in no class the index says so, which tells nothing of the drug."""
_ASKS = re.compile(r"\b(?:classes?|familles?)\b")
_ASKING = frozenset(
    "classe classes famille familles therapeutique therapeutiques pharmacologique atc appartient "
    "appartiennent pharmaco".split()
)
"""Words of such a question beside the drug."""


def asked(question: Question, plan: RetrievalPlan, index: PassageIndex) -> DirectAnswer | None:
    """The entries of the only drug of a question that asks for its class, else ``None``."""
    if not _ASKS.search(fold(question.text)):
        return None
    named = [c for c in plan.subject.concepts if c.phrases[0] not in _ASKING]
    if len(named) != 1 or not named[0].mandatory or named[0].exact or named[0].classes:
        return None
    found = filed_substances(named[0], question.text, index)
    filed = (p for i in found for p in index.passages_of(i) if not p.superseded)
    passages = [p for p in filed if _FILED.search(fold(p.text))]
    if not passages:
        return None
    label = named[0].phrases[0]
    return _INDEX.answer(plan, label, passages, FILED)
