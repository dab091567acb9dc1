"""Whether a sentence that nothing files says what a disease is, how it comes about or how often.

A word of the section somewhere in a sentence that names the subject is not enough: « la population
cible correspond aux patients migraineux » defines no migraine.
"""

from __future__ import annotations

import re

from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, stem

EXPLAINED = frozenset({"définition", "physiopathologie", "épidémiologie"})
"""What a disease is. No row of a table or exam says it but by its label, nor what is filed under a
sign or a treatment: « les signes les plus fréquents », « traitée 3 mois si provoquée par… ».
"""
_EXPLAINING = EXPLAINED | {
    "classification", "étiologies et facteurs de risque", "évolution et complications",
    "chiffres clés",
}  # fmt: skip
_VERBS = {
    "définition": re.compile(
        r"\b(?:est|sont) (?:une?|l[ea]s?|l.|des|definie?s?|caracterisee?s?)\b|\bdesigne(?:nt)?\b"
        r"|\bcorrespond(?:ent)? (?:a|aux?)\b|\bse (?:definit|caracterise)(?:nt)?\b"
    ),
    "physiopathologie": re.compile(
        r"\b(?:secondaires?|liee?s?|due?s?) (?:a|aux?)\b|\b(?:resulte|provient|decoule)(?:nt)?\b"
        r"|\b(?:entraine|provoque|active)(?:nt)?\b|\bresponsables? d|\bconsequences? d"
    ),
    "épidémiologie": re.compile(
        r"\b(?:touche|concerne|atteint|affecte|represente)(?:nt)?\b"
        r"|\b(?:est|sont) (?:\w+ )?(?:rare|frequent)e?s?\b|\b(?:incidence|prevalence|mortalite)\b"
    ),
}
"""What is said of the subject, which comes first in the sentence."""
_NAMED = {
    "définition": re.compile(r"\b(?:on (?:appelle|entend par|parle de)|definitions? d)\w*"),
    "physiopathologie": re.compile(r"\b(?:physiopatholog|pathogen|virulence)\w*|\bmecanismes? d"),
    "épidémiologie": re.compile(
        r"\b(?:epidemiologie|incidence|prevalence|frequence|mortalite|nombre de (?:cas|deces))\b"
    ),
}
"""What announces the subject, which follows it closely."""
_NEAR = 6
"""Words in which it follows."""


def is_elsewhere(filed: str, section: str) -> bool:
    """Whether what a disease is stands too far from the section a passage is filed under."""
    return section in EXPLAINED and filed not in _EXPLAINING


def explains(text: str, section: str, subject: Subject) -> bool:
    """Whether a sentence (of a list, what announces it) says that section of the subject."""
    folded = fold(text)
    verb = _VERBS[section].search(folded)
    if verb and any(_begins_with(folded[: verb.start()], c) for c in subject.concepts):
        return True
    return any(
        holds(" ".join(folded[named.end() :].split()[:_NEAR]), c)
        for named in _NAMED[section].finditer(folded)
        for c in subject.concepts
    )


def _begins_with(before: str, concept: Concept) -> bool:
    """Whether what stands before the verb names a concept, from its first word on; what opens a
    sentence up to a comma says where or when.
    """
    before = before.rpartition(", ")[2]
    first = [stem(w) for w in content_words(before)[:1]]
    named = ([stem(w) for w in content_words(p)[:1]] for p in concept.phrases)
    return bool(first) and first in named and holds(before, concept)
