"""Which heading of a guideline announces which section of the taxonomy: one table."""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold

_CUES: tuple[tuple[str, str], ...] = (
    (r"contre indicat", "contre-indications"),
    (r"effets? (?:indesirables?|secondaires?)|tolerance", "effets indésirables"),
    (r"interactions?\b", "interactions"),
    (
        r"grossesse|allaitement|femmes? (?:enceintes?|en age de procreer)",
        "grossesse et allaitement",
    ),
    (r"surdosage|antidote", "antidote"),
    (
        r"posologie|doses?\b|mode d administration|schema (?:therapeutique|d administration)",
        "posologie",
    ),
    (r"prescription|delivrance|conditions? d utilisation", "prescription et délivrance"),
    (
        r"mode d action|mecanisme d action|pharmaco(?:cinetique|dynamie|logie)",
        "mécanisme et pharmacocinétique",
    ),
    (r"diagnostics? differentiel", "diagnostics différentiels"),
    (r"criteres? (?:de |du )?diagnosti", "critères diagnostiques"),
    (r"signes? (?:d alerte|de gravite|d alarme)|gravite|urgence vitale", "gravité"),
    (r"physiopatholog", "physiopathologie"),
    (r"epidemiolog|prevalence|incidence", "épidémiologie"),
    (r"classification|stades?\b|types? de\b", "classification"),
    (r"definition", "définition"),
    (r"facteurs? de risque|etiolog|causes?\b", "étiologies et facteurs de risque"),
    (r"depistage|prevention|vaccin", "dépistage et prévention"),
    (r"complications?\b|evolution\b|pronostic", "évolution et complications"),
    (
        r"examens? (?:complementaires?|paracliniques?|biologiques?)|imagerie|bilan\b"
        r"|explorations?\b",
        "paraclinique",
    ),
    (r"signes?\b|symptom|clinique\b.*examen|examen clinique|quand (?:suspecter|evoquer)", "signes"),
    (r"suivi\b", "suivi"),
    (r"surveillance", "surveillance"),
    (r"diagnosti", "critères diagnostiques"),
    (r"premiere intention|strategie", "première intention"),
    (r"alternatives?\b", "alternatives"),
    (r"orientation|hospitalis|adresser", "orientation"),
    (r"objectifs? (?:therapeutique|du traitement|de la prise en charge)", "objectifs"),
    (r"traitement|therapeutique|medicament|prise en charge", "traitement"),
    (r"conduite a tenir|que faire", "conduite à tenir"),
    (r"indications?\b", "indication"),
)  # fmt: skip
_COMPILED = tuple((re.compile(rf"\b(?:{cue})"), section) for cue, section in _CUES)
_APART = re.compile(r"[^a-z0-9]+")


def section_of(heading: str) -> str:
    """Section a heading announces: the first cue of the table it holds, else empty.

    Precise cues stand before general ones (« critères diagnostiques » before « diagnostic »).
    """
    words = _APART.sub(" ", fold(heading))
    for cue, section in _COMPILED:
        if cue.search(words):
            return section
    return ""
