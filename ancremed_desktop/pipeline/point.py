"""Whether a question asks one point of its subject rather than the whole topic, and which kind
of figure answers it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ancremed_desktop.domain.identifiers import SAFETY
from ancremed_desktop.domain.plans import Figure, Point
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.text.words import content_words, stems

_TOPIC = re.compile(
    r"\b(?:tout (?:sur|savoir)|parle[zr]?[- ]moi|c.?est quoi|qu.?est[- ]ce qu\w*|conduite a tenir|"
    r"cat|(?:que|quoi) faire|pec|prise en charge|prendre en charge|demarche|comment traiter)\b"
)
_ASKS = re.compile(
    r"\b(?:combien|cb|quel(?:le)?s?|quand|pourquoi|comment|jusqu.?a|a partir de|au bout de|"
    r"tou(?:s|tes) les|faut[- ]il|peut[- ]on|doit[- ]on|(?:est|sont)[- ](?:ils?|elles?)|"
    r"utile|que (?:risque\w*|fait|devient))\b"
    r"|\bje (?:fais|mets|donne|garde|arrete|dois|peux|traite|change)\b"
    r"|\bj.(?:anticoagul|arret|augment|hospitalis|adress|inject)"
)
_DURATION = re.compile(
    r"\b(?:(?:combien|cb) (?:de |d.)?(?:temps|jours?|j|semaines?|mois|heures?|h)|delais?|durees?|"
    r"au bout de (?:combien|cb)|tou(?:s|tes) les (?:combien|cb)|jusqu.?a quand|frequence|"
    r"quel (?:intervalle|age|terme|rythme))\b"
)
_NUMBER = re.compile(
    r"\b(?:combien|cb|seuils?|a partir de quel(?:le)?s?|quel(?:le)?s? score|taux|doses?|"
    r"posologies?|poso|max(?:imale?|imum)?)\b"
)
_TIME_UNIT = r"(?:h|heures?|min|minutes?|j|jours?|semaines?|mois|ans?|annees?|sa|trimestres?)\b"
_IN_WORDS = r"(?:un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|vingt|trente)"
_SAID_DURATION = re.compile(
    rf"(?:\d|\b{_IN_WORDS})\s?{_TIME_UNIT}|\b(?:annuel|mensuel|hebdomadaire|quotidien|semestriel|"
    rf"trimestriel)\w*|\bpar (?:jour|semaine|mois|an)\b|\d+e (?:jour|semaine|mois)\b"
)
_LENGTH = re.compile(r"\b(?:durees?|combien de (?:temps|jours|semaines|mois))\b")
_SAID_LENGTH = re.compile(
    rf"(?<!tous les )(?<!toutes les )(?<![\d,.])(?:\d+|\b{_IN_WORDS})\s?{_TIME_UNIT}"
)
_SAID_NUMBER = re.compile(rf"\d|\b{_IN_WORDS}\b")
_NO_FIGURE = re.compile(r"\b(?:19|20)\d\d\b(?! ?\w*/)|\(\d\d?\)|^\W*\d+(?:\.\d+)*\.? ")
"""A year, the mark of a reference, the number of a heading."""
_SAID = {
    Figure.DURATION: _SAID_DURATION,
    Figure.LENGTH: _SAID_LENGTH,
    Figure.NUMBER: _SAID_NUMBER,
}


def asks_one_point(folded: str) -> bool:
    """Whether a folded question asks a point (« combien », « délai »), not a whole topic."""
    asks = _ASKS.search(folded) or _DURATION.search(folded)
    return asks is not None and not _TOPIC.search(folded)


def find_point(folded: str, hinted: tuple[str, ...], sections: Mapping[str, SectionCues]) -> Point:
    """What a folded question asks of its subject. ``hinted``: sections its words lead to; what
    forbids has too many wordings (« pas de corticoïdes ») to be held to a list.
    """
    listed = tuple(s for s in hinted if s not in SAFETY)
    return Point(
        figure=_figure(folded),
        sections=listed,
        cues=tuple(dict.fromkeys(c for s in listed for c in sections[s].cues)),
        words=stems(content_words(folded)),
    )


def _figure(folded: str) -> Figure:
    if _DURATION.search(folded):
        return Figure.LENGTH if _LENGTH.search(folded) else Figure.DURATION
    return Figure.NUMBER if _NUMBER.search(folded) else Figure.NONE


def gives(folded: str, figure: Figure) -> bool:
    """Whether a folded sentence holds a figure of the kind asked."""
    said = _SAID.get(figure)
    return said is None or said.search(_NO_FIGURE.sub(" ", folded)) is not None
