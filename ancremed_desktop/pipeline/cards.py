"""The cards of the corpus on the subject of a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.ports import PassageIndex


def of_cards(concepts: Iterable[Concept], index: PassageIndex) -> Iterator[Passage]:
    """Passages of the cards about some concepts, superseded ones too.

    Of the two hundred sources of a substance one may be a card: the others are not read.
    """
    known = {source.source_identifier for source in index.sources(Silo.FICHES.value)}
    own = (i for c in concepts for i in c.identifiers if i in known)
    return (p for i in own for p in index.passages_of(i) if p.silo is Silo.FICHES)
