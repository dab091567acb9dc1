"""Reads one HAS document from its bytes to pages of text; the task of the child process."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ancremed_desktop.corpus.has.identity import read_identity
from ancremed_desktop.corpus.has.pdf_text import PdfText
from ancremed_desktop.corpus.pdf.document import body_size, read_pages
from ancremed_desktop.corpus.pdf.furniture import furniture
from ancremed_desktop.corpus.pdf.pdf_pages import read_layout


def read_pdf(path: Path) -> PdfText:
    """A PDF as pages of text; a page that cannot be trusted is refused, the others go on.

    Raises: BadFileError, in French, when the file is not a readable PDF.
    """
    layout = read_layout(path)
    found = furniture(layout.pages, body_size(layout.pages))
    identity = read_identity(layout, [dropped for dropped, _label in found], path.stem)
    pages, refusals = read_pages(layout, found, identity.title)
    text = "\f".join(page.text for page in pages)
    return PdfText(
        identity=identity,
        page_count=len(layout.pages),
        pages=pages,
        refusals=refusals,
        file_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        text_sha256=hashlib.sha256(text.encode()).hexdigest(),
    )
