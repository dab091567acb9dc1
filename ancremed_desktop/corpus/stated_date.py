"""The date that a document states of itself: « Mis à jour le 12 mars 2024 », « Version 3 (06/2023) »."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ancremed_desktop.text.normalise import fold

_MONTHS = (
    "janvier janv", "fevrier fevr fev", "mars", "avril avr", "mai", "juin", "juillet juil", "aout",
    "septembre sept", "octobre oct", "novembre nov", "decembre dec",
)  # fmt: skip
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"(?:(?P<day>\d{{1,2}})(?:er)?\s+)?(?P<month>{'|'.join(_MONTH)})\.?\s+(?P<year>{_YEAR})(?!\d)"
    rf"|(?<!\d)(?P<d>\d{{1,2}})[/.-](?P<m>\d{{1,2}})[/.-](?P<y>{_YEAR})(?!\d)"
    rf"|(?<!\d)(?P<iso>{_YEAR}-\d\d-\d\d)(?!\d)"
    rf"|(?<![\d/])(?P<m2>\d{{1,2}})/(?P<y2>{_YEAR})(?!\d)"
    rf"|(?<![\d/.-])(?P<alone>{_YEAR})(?![\d/.-])"
)
_CHANGED = re.compile(
    r"\b(?:mise? a jour|maj|actualis\w+|revis(?:e|ee|es|ees|ion)\b|modifi\w+|version|edition"
    r"|en vigueur|applicable|date d'application)"
)
_MADE = re.compile(r"\b(?:valid\w+|approuv\w+|redig\w+|cre(?:e|ee|ation)\b|diffus\w+|publi\w+"
                   r"|parution|date(?= ?:| du document| d'edition))")  # fmt: skip
_LATER = re.compile(r"\b(?:prochaine?|prevue?|a revis\w+|a revoir|echeance|avant le|jusqu'|d'ici)")
"""What tells of a date to come: « Prochaine révision : 2027 »."""
_OF_OTHERS = re.compile(
    r"\b(?:recommand\w+|selon|d'apres|sources?|references?|bibliographie|has|ansm|oms|esc|aha|rcp"
    r"|sf[a-z]{1,4}|naissance|hospitalis\w+|inclusion)\b"
)
"""Before a date, what says that it is not that of the document."""
_OF_A_PERSON = re.compile(
    r"\b(?:nee?s? (?:le|en|vers)|naissance|patiente?s?|malades?|deces|decedee?|entree|sortie|admis\w*"
    r"|hospitalis\w+|consultation|seances?|donnees|etudes?|cohortes?|periodes?|inclus\w*)\b"
)
"""Between the words and the date, what says that it is the date of something else."""
_OPENS = re.compile(r"(?:^|[-–—|;,:/(.•]\s*)(?:(?:document|protocole|procedure|fiche|texte|page"
                    r"|derniere?|date|de|la|ce|cette|le|du|ete)\s+)*$")  # fmt: skip
_REACH = 30
"""Letters between « mis à jour » and its date: further away the date is another thing's."""
_MAX_WORDS = 25
"""Longer paragraphs tell of something else than the document."""


def stated_date(texts: Iterable[str]) -> tuple[str, str]:
    """(ISO date of year, month or day; the words that state it), both empty when none does.

    The latest update, else the latest day on which it was made. ``texts``: lines or paragraphs. A
    mention inside a sentence about another text (« (HAS, mise à jour 2017) ») is not taken.
    """
    lines = [text for text in texts if len(text.split()) <= _MAX_WORDS]
    for said in (_CHANGED, _MADE):
        found = [entry for line in lines for entry in _dates(line, said)]
        if found:
            return max(found)
    return "", ""


def _dates(line: str, said: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    folded = fold(line)
    for mark in said.finditer(folded):
        before = folded[: mark.end()]
        own = _OPENS.search(folded[: mark.start()]) and not _OF_OTHERS.search(before)
        if not own or _LATER.search(before):
            continue
        date = _DATE.search(folded, mark.end())
        if not date or date.start() - mark.end() > _REACH:
            continue
        other = _OF_A_PERSON.search(folded, mark.end(), date.start())
        if not other and (iso := _iso(date)):
            yield iso, line.strip()


def _iso(date: re.Match[str]) -> str:
    """Empty for a day or month that does not exist."""
    if date["iso"]:
        return date["iso"]
    if date["alone"]:
        return date["alone"]
    year = date["year"] or date["y"] or date["y2"]
    month = _MONTH[date["month"]] if date["month"] else int(date["m"] or date["m2"])
    day = int(date["day"] or date["d"] or 0)
    if not 1 <= month <= 12 or day > 31:
        return ""
    return f"{year}-{month:02d}-{day:02d}" if day else f"{year}-{month:02d}"
