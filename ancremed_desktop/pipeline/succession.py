"""Documents that a later edition replaces on the subject of a question: read after it, and said so.

A card that a later one replaces names the documents it was made from; of the index they are still
the whole of another subject, so that they stay, behind. Two editions of a document of the user are
both his: the later is read first, and he is told of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.dates import figures, work_of
from ancremed_desktop.text.normalise import fold

OLD_YEARS = 10
_AGEING = frozenset({Silo.HAS, Silo.FICHES})
"""What recommends; a record or a code is of the day of its file."""


def outdated_sources(
    concepts: Iterable[Concept], index: PassageIndex
) -> tuple[tuple[str, str], ...]:
    """(key of a document, key of what is newer): a card on the subject of a question, or a later
    edition among the documents of the user.
    """
    replaced = list(_replaced_cards(concepts, index))
    own = tuple(older_editions(index.sources(Silo.LOCAL.value)))
    if not replaced:
        return own
    documents = index.sources(Silo.HAS.value)
    return own + tuple(
        (document.key, card.superseded_by)
        for card in replaced
        for document in documents
        if _was_made_from(card, document)
    )


def older_editions(documents: Iterable[Source]) -> Iterator[tuple[str, str]]:
    """(older edition, latest) of each document of the user that has several dates."""
    for editions in _works(documents).values():
        latest = max(editions, key=_date)
        yield from ((s.key, latest.key) for s in editions if "" < _date(s) < _date(latest))


def _works(documents: Iterable[Source]) -> dict[str, list[Source]]:
    """Documents of one title, dates and versions set aside, where there are several."""
    found: dict[str, list[Source]] = {}
    for source in documents:
        if work := work_of(source.title):
            found.setdefault(work, []).append(source)
    return {work: editions for work, editions in found.items() if editions[1:]}


def _date(source: Source) -> str:
    return source.regulatory_date


def _replaced_cards(concepts: Iterable[Concept], index: PassageIndex) -> Iterator[Source]:
    keys = dict.fromkeys(p.source_key for p in of_cards(concepts, index) if p.superseded)
    return (s for key in keys if (s := index.source(key)).superseded_by)


def _was_made_from(card: Source, document: Source) -> bool:
    """Whether a card cites a document by its title and date."""
    date = document.regulatory_date
    return bool(date) and any(
        fold(document.title) in fold(cited) and date in cited for _section, cited in card.details
    )


def succession_notice(
    outdated: Iterable[tuple[str, str]], cited: Iterable[Source], index: PassageIndex
) -> str:
    """What is said, in French, of the documents cited that a later one replaces; or nothing."""
    newer = dict(outdated)
    said = []
    sources = tuple(cited)
    own = {work_of(s.title) for s in sources if s.silo is Silo.LOCAL}
    if own:
        works = _works(index.sources(Silo.LOCAL.value))
        said = [_editions(works[work]) for work in sorted(own & works.keys())]
    for old in sources:
        if old.key in newer and old.silo is not Silo.LOCAL:
            new = index.source(newer[old.key])
            said.append(
                f"«\u00a0{old.title}\u00a0» ({figures(old.regulatory_date)}) a été actualisé sur "
                f"ce sujet\u00a0: lisez d’abord «\u00a0{new.title}\u00a0» "
                f"({figures(new.regulatory_date)})."
            )
    return " ".join(said)


def is_aged(silo: Silo, regulatory_date: str, year: int) -> bool:
    """Whether what recommends is ``OLD_YEARS`` old in ``year``."""
    written = regulatory_date[:4]
    return silo in _AGEING and written.isdecimal() and int(written) <= year - OLD_YEARS


def age_notice(cited: Iterable[Source], year: int) -> str:
    """What is said, in French, of recommendations and cards cited that are ``OLD_YEARS`` old in
    ``year``; or nothing.
    """
    old = [
        f"«\u00a0{s.title}\u00a0» ({s.regulatory_date[:4]})"
        for s in cited
        if is_aged(s.silo, s.regulatory_date, year)
    ]
    if not old:
        return ""
    return (
        f"Textes de {OLD_YEARS} ans ou plus\u00a0: {', '.join(old)}. Vérifiez qu’ils sont encore "
        "en vigueur."
    )


def _editions(editions: Iterable[Source]) -> str:
    """What is said of several editions of one document of the user, oldest first."""
    ordered = sorted(editions, key=_date)
    named = [
        f"{figures(s.regulatory_date) or 'sans date'} («\u00a0{s.file_name}\u00a0»)"
        for s in ordered
    ]
    return (
        f"Vos documents contiennent {len(ordered)} éditions de «\u00a0{ordered[-1].title}\u00a0»"
        f"\u00a0: {', '.join(named)}. Elles peuvent différer\u00a0: vérifiez laquelle fait foi, et "
        "retirez l’autre de votre bibliothèque."
    )
