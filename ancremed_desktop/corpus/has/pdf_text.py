"""What the child process hands back for one PDF: pages of text in blocks, and its identity."""

from __future__ import annotations

from dataclasses import dataclass

from ancremed_desktop.corpus.pdf.page_text import PageRefusal, PageText


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a document says of itself.

    ``date``: ISO ``YYYY[-MM[-DD]]`` of the edition, the update where there is one;
    ``first_date``: of the first edition when it differs. ``reference``: official number.
    ``kind``: French name of the kind of document, may be empty.
    """

    title: str
    title_is_own: bool
    kind: str
    publisher: str
    reference: str
    date: str
    first_date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfText:
    """A PDF as read. A page in neither list holds nothing to read (blank, contents)."""

    identity: Identity
    page_count: int
    pages: tuple[PageText, ...]
    refusals: tuple[PageRefusal, ...]
    file_sha256: str
    text_sha256: str
