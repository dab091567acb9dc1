"""A small source, a sound draft about it, and ways to spoil the draft."""

from __future__ import annotations

import dataclasses

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.spans import DraftAssertion
from ancremed_desktop.ports import EntityMention

URN = "urn:ancremed:cis-1#posologie"
TEXT = (
    "La dose est de 0,25 mg par jour. En cas de sepsis, la dose est de 15 mg/kg. "
    "Ce produit est contre-indiqué en cas de myasthénie."
)
PASSAGE = Passage(
    urn=URN, source_key="cis-1", silo=Silo.BDPM, origin_title="Ficticine — posologie",
    source_identifier="cis-1", text=TEXT,
)  # fmt: skip
DRAFT = DraftAssertion(
    section="posologie", text="La dose est de 0,25 mg par jour.",
    exact_source_quote="la dose est de 0.25 mg", source_urn=URN, subject_entity_id="cis-1",
    confidence_score=0.95,
)  # fmt: skip


def names(text: str) -> tuple[EntityMention, ...]:
    at = text.find("Autrine")
    if at < 0:
        return ()
    return (
        EntityMention(start=at, end=at + 7, label="Autrine", kind="drug", identifiers=("cis-2",)),
    )


def changed(**fields: object) -> DraftAssertion:
    """The sound draft with other fields."""
    return dataclasses.replace(DRAFT, **fields)  # type: ignore[arg-type]  # hostile values
