"""What is read of a page of a PDF: its text in blocks, or why it is refused."""

from __future__ import annotations

from dataclasses import dataclass

from ancremed_desktop.corpus.chunking import TextBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """One kept page. ``text``: paragraphs one a line, blank lines between; NFC."""

    number: int
    label: str
    text: str
    blocks: tuple[TextBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRefusal:
    """A page, or with ``whole`` false a part of it, that is not indexed, and why (French)."""

    number: int
    reason: str
    whole: bool = True
    part: str = ""
