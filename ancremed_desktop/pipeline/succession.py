"""Documents that a later edition replaces on the subject of a question: read after it, and said so.

A card that a later one replaces names the documents it was made from; of the index they are still
the whole of another subject, so that they stay, behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.dates import figures
from ancremed_desktop.text.normalise import fold


def outdated_sources(
    concepts: Iterable[Concept], index: PassageIndex
) -> tuple[tuple[str, str], ...]:
    """(key of a document, key of the card that is newer) for the subject of a question."""
    replaced = list(_replaced_cards(concepts, index))
    if not replaced:
        return ()
    documents = index.sources(Silo.HAS.value)
    return tuple(
        (document.key, card.superseded_by)
        for card in replaced
        for document in documents
        if _was_made_from(card, document)
    )


def _replaced_cards(concepts: Iterable[Concept], index: PassageIndex) -> Iterator[Source]:
    passages = (p for c in concepts for i in c.identifiers for p in index.passages_of(i))
    keys = dict.fromkeys(p.source_key for p in passages if p.superseded and p.silo is Silo.FICHES)
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
    for old in cited:
        if old.key in newer:
            new = index.source(newer[old.key])
            said.append(
                f"«\u00a0{old.title}\u00a0» ({figures(old.regulatory_date)}) a été actualisé sur "
                f"ce sujet\u00a0: lisez d’abord «\u00a0{new.title}\u00a0» "
                f"({figures(new.regulatory_date)})."
            )
    return " ".join(said)
