"""What a question does not want (« sauf X », « sans X »), and what is said of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold, unfolded_range

_EXCLUSION = re.compile(
    r"\b(?:sauf|hormis|excepte|autres? que|a l.exception d[eu]s?)\b(?P<what>[^,;.?!]*?)"
    r"(?=\s+(?:chez|pendant|en cas|pour|lors|si)\b|[,;.?!]|$)"
)
"""Ends where the question goes on about somebody: « sauf l’aspirine chez l’enfant »."""
_WITHOUT = re.compile(
    r"\bsans (?:les? |la |l.|aucune? )?(?P<what>[\w-]+(?: (?:d[eu]s? |d.|l.)*[\w-]+){0,3})"
)
_DRUG_CLASS = re.compile(
    r"anti\w{4,}|beta-?(?:bloquant|lactam|mimetiqu)\w*|inhibiteurs?$|ains$|iec$|ara2$|ipp$"
    r"|isrs$|aod$|avk$"
    r"|\w+(?:cilline|mycine|cycline|floxacine|statine|prazole|zepam|sartan|azole|oxaban)s?$"
    r"|(?:cortico|opio|opiac|macrol|glinide|gliptine|gliflozine|diuretiqu|quinolone|sulfamide"
    r"|heparine)\w*"
)
"""How classes of drugs are called; one taken for a class is only said to be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """``text[start:end]`` of the question, as written (``wish``), and what it names (``what``)."""

    start: int
    end: int
    wish: str
    what: str


def find_exclusion(text: str) -> Exclusion | None:
    """The first « sauf… » of an NFC text."""
    return _as_written(text, _EXCLUSION.search(fold(text)))


def exclusion_notice(
    text: str, subject: Subject, lexicon: PlanningLexicon, index: PassageIndex
) -> str:
    """What is left out on demand and what is not, in French; empty when nothing was asked."""
    asked = find_exclusion(text)
    if asked and subject.excluded:
        return (
            f"« {asked.wish} » n’écarte que les documents et les chapitres de ce titre : une "
            f"phrase montrée peut encore conseiller « {asked.what} » ou un médicament de cette "
            "classe."
        )
    asked = asked or _drug_not_wanted(text, lexicon, index)
    return f"« {asked.wish} » n’est pas appliqué : tout est montré." if asked else ""


def _drug_not_wanted(text: str, lexicon: PlanningLexicon, index: PassageIndex) -> Exclusion | None:
    """« sans bêtalactamine »: what is asked to be left out, when it is a drug or a class."""
    for match in _WITHOUT.finditer(fold(text)):
        asked = _as_written(text, match)
        assert asked is not None
        named = (m for m in index.mentions(asked.what) if m.start == 0)
        first = match["what"].split()[0]
        known = {first, first.rstrip("s")} & lexicon.drug_words
        if known or any(m.is_drug_or_class for m in named) or _DRUG_CLASS.match(first):
            return asked
    return None


def _as_written(text: str, match: re.Match[str] | None) -> Exclusion | None:
    if match is None:
        return None
    start, end = unfolded_range(text, *match.span())
    what = text[slice(*unfolded_range(text, *match.span("what")))]
    return Exclusion(start=start, end=end, wish=text[start:end].strip(" ?"), what=what.strip())
