"""HAS documents a question names by their date (« recommandation HAS de mars 2014 sur… »)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.dates import figures
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, stems

_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
)  # fmt: skip
_FOLDED_MONTHS = tuple(map(fold, _MONTHS))
_DATE = re.compile(
    rf"\b(?:(?P<month>{'|'.join(dict.fromkeys((*_MONTHS, *_FOLDED_MONTHS)))})\s)?"
    r"(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_PUBLISHER = re.compile(r"\b(?:has|anaes|haute autorite de sante)\b")
_DOCUMENT = re.compile(r"\b(?:recommandations?|recos?|avis|rapports?|documents?)\b")
_MAX_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedDocuments:
    """``identifiers`` of the documents meant, none when the index has no such document.

    ``message`` says which, in French; ``undated``: the question without the date.
    """

    identifiers: tuple[str, ...]
    message: str
    undated: str


def asked_documents(text: str, index: PassageIndex) -> AskedDocuments | None:
    """The HAS documents of a date a question asks for; ``None`` where it asks for none.

    Of those of the date, the ones whose title holds most words of the question, at least half.
    """
    date = _DATE.search(text)
    if date is None or not _PUBLISHER.search(fold(text)):
        return None
    month = date["month"]
    iso = date["year"]
    if month:
        iso += f"-{_FOLDED_MONTHS.index(fold(month)) + 1:02}"
    undated = f"{text[: date.start()]} {text[date.end() :]}"
    current = [s for s in index.sources(Silo.HAS) if not s.superseded]
    dated = [s for s in current if f"{s.regulatory_date}-".startswith(f"{iso}-")]
    subject = _DOCUMENT.sub(" ", _PUBLISHER.sub(" ", fold(undated)))
    wanted = stems(content_words(subject))
    shared = {s.key: len(wanted & stems((fold(s.title),))) for s in dated}
    best = max(shared.values(), default=0)
    meant = [s for s in dated if shared[s.key] == best and 2 * best >= len(wanted)]
    return AskedDocuments(
        identifiers=tuple(dict.fromkeys(s.source_identifier for s in meant)),
        message=_message(meant, iso, len(current)),
        undated=undated,
    )


def _message(meant: list[Source], iso: str, held: int) -> str:
    if not meant:
        return (
            f"Aucun document de la HAS daté de {figures(iso)} sur ce sujet parmi les {held} de "
            "l’index."
        )
    named = "\u00a0; ".join(
        f"«\u00a0{s.title}\u00a0», {s.publisher}, {figures(s.regulatory_date)}"
        for s in meant[:_MAX_NAMED]
    )
    more = len(meant) - _MAX_NAMED
    return f"Document demandé\u00a0: {named}" + _others(more)


def _others(more: int) -> str:
    if more <= 0:
        return "."
    return " et un autre." if more == 1 else f" et {more} autres."
