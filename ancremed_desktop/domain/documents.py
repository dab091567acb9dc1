"""Sources and their passages: what the corpus is made of.

A *source* is one published thing (a drug record, a HAS guideline, an exam item, a card). A
*passage* is a piece of its text, the unit that is indexed, retrieved and quoted. Reading a
corpus yields ``SourceDocument`` and ``Refusal`` values; nothing here knows files or tables.
Text is NFC; spans are half-open character offsets; pages count from 1.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo, SourceStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One published source; ``source_identifier`` is the entity a quote of it is about.

    ``source_identifier``: CIS code (8 digits), ``EDN-nnn``, a HAS document number, ``RECO-xx``...
    ``regulatory_date``: ISO ``YYYY[-MM[-DD]]`` of the edition, empty when the source has none.
    ``names``: names by which a question may call the entity (brand, DCI, title, acronym).
    ``superseded_by``: source key of the later edition, or a reason (« spécialité arrêtée »).
    """

    key: str
    silo: Silo
    title: str
    source_identifier: str
    publisher: str
    licence: str
    regulatory_date: str = ""
    url: str = ""
    file_name: str = ""
    file_sha256: str = ""
    page_count: int = 0
    status: SourceStatus = SourceStatus.PUBLISHED
    superseded: bool = False
    superseded_by: str = ""
    names: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    """Further provenance shown with the source (evidence level, consultation date...)."""
    codes: tuple[tuple[Code, str], ...] = ()
    """Codes for direct look-up; an index finds by them (``by_code``) and reads back none here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a source's text; ``urn`` is the ``id`` of the ``documents`` table.

    ``section``: a name of ``identifiers.SECTIONS`` when the source labels it, else empty.
    ``heading``: the source's own heading(s) above the text, outermost first, " > " between.
    ``char_start``: offset of ``text`` in its page (or record) as extracted.
    ``page_number``: physical page from 1, ``None`` where the source has no pages;
    ``page_label`` is what is printed on it.
    """

    urn: str
    source_key: str
    silo: Silo
    origin_title: str
    source_identifier: str
    text: str
    regulatory_date: str = ""
    superseded: bool = False
    page_number: int | None = None
    page_label: str = ""
    chunk_index: int = 0
    char_start: int = 0
    section: str = ""
    heading: str = ""
    kind: PassageKind = PassageKind.PROSE

    @property
    def sha256(self) -> bytes:
        """SHA-256 of the text in UTF-8 (32 bytes)."""
        return hashlib.sha256(self.text.encode()).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """A source with all its passages, as a corpus reader yields it."""

    source: Source
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Something a reader could not take: what, where, why (French) - the rest goes on.

    ``where``: line, page or record inside ``file_name``. ``lines``: input lines it stands for.
    """

    file_name: str
    where: str
    reason: str
    lines: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Input lines (or pages, or records) of one file: ``read == kept + refused + ignored``.

    ``ignored``: blank lines, exact duplicates and rows of a broken join, which are counted by
    name in ``notes`` (French label, count).
    """

    file_name: str
    unit: str
    read: int
    kept: int
    refused: int = 0
    ignored: int = 0
    notes: tuple[tuple[str, int], ...] = field(default=())


CorpusItem = SourceDocument | Refusal | Tally
"""What every corpus reader yields, in any order; a file's ``Tally`` comes after its content."""


def passage_urn(silo: Silo, source_identifier: str, part: str) -> str:
    """URN of a passage: ``urn:ancremed:<silo>:<identifier>#<part>``."""
    return f"urn:ancremed:{silo}:{source_identifier}#{part}"
