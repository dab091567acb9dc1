"""The cards that say what to do of what went wrong under a drug, or of a disease."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.drug_classes import narrowest_named
from ancremed_desktop.pipeline.harm_kinds import Kind, classes_of, feared
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.population import RESTRICTING, groups
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

AT_ONCE = "gestes immédiats"


def cards_of_disease(
    concept: Concept, subject: Subject, index: PassageIndex, sections: Collection[str] = (AT_ONCE,)
) -> Concept | None:
    """The cards with one of some sections of a disease, the same whatever drug is taken: those of
    the exact form asked (« ST- ») and of the patients asked, where there are such.
    """
    found = {
        p.source_identifier: p.origin_title
        for p in of_cards([concept], index)
        if p.section in sections and not p.superseded
    }
    for exact in (c.identifiers for c in subject.concepts if c.exact and c.identifiers):
        found = {i: title for i, title in found.items() if i in exact} or found
    return as_one(fitting(found, subject)) if found else None


def cards_of_kind(
    kind: Kind, drugs: Sequence[Concept], subject: Subject, index: PassageIndex
) -> Concept | None:
    """The card of an emergency named by what went wrong and the drug or its class; failing that
    those named by what went wrong alone, of the patients asked.
    """
    general: dict[str, str] = {}
    kind = feared(kind) or kind
    for source, name in _named(kind, index):
        left = " ".join(w for w in content_words(name) if not kind.said.fullmatch(w))
        if any(narrowest_named(name) & classes_of(d) or (left and holds(left, d)) for d in drugs):
            return as_one({source.source_identifier: source.title})
        if kind.general and not left:
            general[source.source_identifier] = source.title
    return as_one(fitting(general, subject)) if general else None


def as_one(titles: Mapping[str, str]) -> Concept:
    """A concept for some cards (identifier: title)."""
    return Concept(phrases=tuple(map(fold, titles.values())), identifiers=tuple(titles))


def joined(one: Concept | None, other: Concept | None) -> Concept | None:
    """The cards of two concepts as one."""
    if one is None or other is None:
        return one or other
    return Concept(
        phrases=tuple(dict.fromkeys((*one.phrases, *other.phrases))),
        identifiers=tuple(dict.fromkeys((*one.identifiers, *other.identifiers))),
    )


def fitting(found: Mapping[str, str], subject: Subject) -> Mapping[str, str]:
    """Of cards those of the patients asked; of everybody where none is; all failing that."""
    asked = subject.populations & RESTRICTING
    fit = {i: title for i, title in found.items() if groups(title) & RESTRICTING == asked}
    fit = fit or {i: title for i, title in found.items() if groups(title) & RESTRICTING <= asked}
    return fit or found


def _named(kind: Kind, index: PassageIndex) -> Iterator[tuple[Source, str]]:
    for source in index.sources(Silo.FICHES.value):
        names = [n for n in source.names if kind.said.search(fold(n))]
        if names and not source.superseded and _says_what_to_do(source.source_identifier, index):
            yield from ((source, name) for name in names)


def _says_what_to_do(identifier: str, index: PassageIndex) -> bool:
    return any(p.section == AT_ONCE for p in index.passages_of(identifier))
