"""What is about the document itself or to be filled in: true sentences, no clinical answer."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.text.normalise import fold

_PAPERWORK = re.compile(
    r"□ \w[^□]*□|_{4}|…{2}|\.{5}|\bngap\b|\bnomenclature generale des actes\b|\bcotations?\b"
    r"|\bactes? medico[- ]infirmiers?\b|\b(?:etre|est|sont) cotee?s?\b"
    r"|\bdemarche de soins infirmiers\b|\bseule responsabilite du prescripteur\b"
    r"|\bguides? medecin cit|\bcadre precis de son (?:amm|autorisation)"
)
"""What is left to fill in, a line of contents, what an act is billed, what a guide disclaims."""
_CACHED = 4_096
"""Sentences and headings: the same are met for each section of a question."""
_CAPTION = re.compile(r"\W*(?:figure|tableau|schema|encadre|annexe) [\divx]+\b")
_STUDY = re.compile(
    r"criteres? d(?:e |.)(?:non[- ])?inclusion|randomis|a l.etude\b|bras (?:temoin|controle)"
    r"|\binclus(?:es?)?\b|\b(?:objectif|critere)s? (?:principa|secondaire|de jugement)|"
    r"\belaboration de (?:ce|cette|ces) (?:guide|fiche|recommandation)s?\b"
)
"""How a trial was run or a guide was written is no advice."""
_METHOD = re.compile(
    r"\bmethodes? (?:utilisee|de travail|de randomisation|d.analyse|de travail suivie|suivie)"
    r"|\bmethodolog|^(?:[\d.]+ )?methodes?$|\bgroupes? de (?:travail|lecture|pilotage|cotation)\b"
    r"|\bparticipants\b|\babreviations?\b"
    r"|^(?:annexe )?(?:[\divx]+[.:]? ?)*references?(?: bibliographiques?)?$"
    r"|^fiche descriptive$|^(?:[\d.]+ )?niveaux? de preuve\b"
)
"""A heading over how a document was made: who wrote it, how it grades, what it cites."""


@lru_cache(maxsize=_CACHED)
def is_paperwork(folded: str) -> bool:
    """Whether a folded sentence is a form, a line of contents, a bill or a caption."""
    return bool(_PAPERWORK.search(folded) or _CAPTION.match(folded))


@lru_cache(maxsize=_CACHED)
def is_about_the_document(heading: str) -> bool:
    """Whether one of the headings above a passage (« A > B ») is of paperwork or of a method."""
    parts = (fold(part).strip() for part in heading.split(" > "))
    return any(_PAPERWORK.search(p) or _METHOD.search(p) for p in parts)


def is_of_a_study(folded: str) -> bool:
    """Whether a folded sentence says how a trial was run or a guide was written."""
    return _STUDY.search(folded) is not None
