"""What stands in a section that says nothing of what is asked: French, and why."""

from __future__ import annotations

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SectionEvidence
from ancremed_desktop.domain.identifiers import ANSWER, FORMULA_SECTIONS, SAFETY
from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.domain.spans import Narrative
from ancremed_desktop.pipeline.nothing_new import NOT_FOUND
from ancremed_desktop.text.french import NBSP

NO_LEAFLET = "Non trouvé : aucun passage indexé de ce médicament ne répond ici à la question posée."
DOSING = frozenset({"posologie", ANSWER})
"""Sections that give doses."""


def of_more(passage: Passage) -> str:
    """The source found is about a combination of which a part is asked about."""
    return (
        f"Non trouvé pour ce médicament seul{NBSP}: la source indexée porte sur "
        f"«{NBSP}{passage.origin_title}{NBSP}»."
    )


def nobody(evidence: SectionEvidence, asked: frozenset[str]) -> str:
    """No dose of the patients asked about; whether anything was found at all."""
    return no_dose(asked) if evidence.hits else NOT_FOUND


def no_dose(asked: frozenset[str]) -> str:
    """No dose of the patients asked about among what was found."""
    return (
        f"Aucun extrait ne donne de dose pour : {', '.join(sorted(asked))}. Une dose d’adulte "
        "n’est pas montrée à la place."
    )


def of_adults(groups_asked: frozenset[str]) -> str:
    """In an emergency the adult’s treatment is shown to those of whom nothing speaks."""
    names = " ni à ".join(
        f"l’{g}" if g.startswith("a") else f"la {g}" for g in sorted(groups_asked)
    )
    return (
        f"Aucun extrait de cette section n’est propre à {names}{NBSP}: traitement de l’adulte "
        "montré, avis spécialisé."
    )


def unsaid(groups_asked: frozenset[str]) -> str:
    """What everybody is given is not shown to those to whom it may be forbidden."""
    return (
        f"Aucun extrait de cette section ne parle de : {', '.join(sorted(groups_asked))}. Un "
        "traitement donné sans cette précision n’est pas montré à la place."
    )


def not_found(evidence: SectionEvidence, subject: Subject) -> str:
    """Nothing: of a drug’s dose or dangers, that no passage of it answers."""
    drug = any(c.mandatory and any(i.isdecimal() for i in c.identifiers) for c in subject.concepts)
    if drug and evidence.section in (*DOSING, *SAFETY):
        return NO_LEAFLET
    return NOT_FOUND


def silent_on(silent: frozenset[str], section: str) -> list[Narrative]:
    """Which patients asked about the extracts shown do not speak of."""
    if not silent or section in FORMULA_SECTIONS:
        return []  # whom a score is for is in its name
    text = f"Aucun extrait de cette section ne parle de : {', '.join(sorted(silent))}."
    return [Narrative(text=text, section=section)]
