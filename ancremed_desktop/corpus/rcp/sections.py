"""Which section of the taxonomy a chapter of an RCP or a notice answers."""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold

_BY_ANCHOR = {
    "RcpCompoQualiQuanti": "composition et présentations",
    "RcpIndicTherap": "indication",
    "RcpPosoAdmin": "posologie",
    "RcpContreindications": "contre-indications",
    "RcpMisesEnGarde": "surveillance",
    "RcpInteractionsMed": "interactions",
    "RcpFertGrossAllait": "grossesse et allaitement",
    "RcpEffetsIndesirables": "effets indésirables",
    "RcpSurdosage": "antidote",
    "RcpPropPharmacodynamiques": "mécanisme et pharmacocinétique",
    "RcpPropPharmacocinetiques": "mécanisme et pharmacocinétique",
    "RcpCondPrescription": "prescription et délivrance",
    "Ann3bQuestceque": "indication",
    "Ann3bCommentPrendre": "posologie",
    "Ann3bEffetsIndesirables": "effets indésirables",
}
_BY_NUMBER = {
    "4.1": "indication",
    "4.2": "posologie",
    "4.3": "contre-indications",
    "4.4": "surveillance",
    "4.5": "interactions",
    "4.6": "grossesse et allaitement",
    "4.8": "effets indésirables",
    "4.9": "antidote",
    "5.1": "mécanisme et pharmacocinétique",
    "5.2": "mécanisme et pharmacocinétique",
}
_NUMBER = re.compile(r"\s*0?(\d{1,2}(?:\.\d)?)\.?\s")
_LEFT_OUT = frozenset(
    "Ann3bSomm Ann3bConservation Ann3bEmballage RcpDonneesPharmaceutiques RcpTitulaireAmm "
    "RcpNumAutor RcpPremiereAutorisation RcpDateRevision RcpDosimetrie RcpInstPrepRadioph "
    "RcpSecuritePreclinique".split()
)
"""Chapters a clinician does not ask about: addresses, packaging, toxicity in animals."""
_NOTICE_PARTS = (
    (re.compile(r"n[e'](?: |\s?)\w+ jamais"), "contre-indications"),
    (re.compile(r"avertissements et precautions|faites attention"), "surveillance"),
    (
        re.compile(r"autres medicaments et|\bavec (?:des )?aliments|\bavec (?:de l')?alcool"),
        "interactions",
    ),
    (re.compile(r"grossesse|allaitement"), "grossesse et allaitement"),
    (re.compile(r"si vous avez (?:pris|utilise) plus"), "antidote"),
)


def chapter_section(anchor: str, title: str) -> str:
    """Section of a chapter by its anchor, or else its number; empty when it answers none."""
    if anchor in _BY_ANCHOR:
        return _BY_ANCHOR[anchor]
    number = _NUMBER.match(title)
    is_leaflet = anchor.startswith("Ann3b")
    return _BY_NUMBER.get(number[1], "") if number and not is_leaflet else ""


def notice_section(heading: str) -> str:
    """Section of a heading inside « Quelles sont les informations à connaître »."""
    folded = fold(heading)
    return next((section for pattern, section in _NOTICE_PARTS if pattern.search(folded)), "")


def is_left_out(anchor: str) -> bool:
    """Whether a chapter is not indexed."""
    return anchor in _LEFT_OUT
