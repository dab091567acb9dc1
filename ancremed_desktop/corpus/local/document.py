"""Reads one file of the user, whatever its format; the task of the child process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ancremed_desktop.corpus.local.docx_text import read_docx
from ancremed_desktop.corpus.local.flow import flow_page, split_title
from ancremed_desktop.corpus.local.html_text import html_pieces
from ancremed_desktop.corpus.local.markdown_text import markdown_pieces
from ancremed_desktop.corpus.local.model import LocalText, Piece
from ancremed_desktop.corpus.local.pdf_text import read_pdf
from ancremed_desktop.corpus.local.plain_text import plain_pieces
from ancremed_desktop.corpus.local.withheld import readable
from ancremed_desktop.corpus.local.wording import decode
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.corpus.stated_date import stated_date
from ancremed_desktop.errors import BadFileError, reason_of

READ = frozenset({".pdf", ".docx", ".md", ".markdown", ".html", ".htm", ".xhtml", ".txt", ".text"})
_TO_CONVERT = {
    ".doc": ".docx ou PDF", ".odt": ".docx ou PDF", ".rtf": ".docx ou PDF", ".pages": "PDF",
    ".ppt": "PDF", ".pptx": "PDF", ".odp": "PDF", ".xls": "PDF", ".xlsx": "PDF", ".ods": "PDF",
    ".epub": "HTML ou PDF", ".docm": ".docx", ".7z": ".zip", ".rar": ".zip",
}  # fmt: skip
"""Formats that hold documents and are not read, with what to save them as."""
KNOWN = READ | frozenset(_TO_CONVERT)
SAVED = "dernier enregistrement, d’après les propriétés du fichier"
_OPENING, _CLOSING = 20, 10
"""Paragraphs at the beginning and the end of a document among which it says its date."""
_MAX_TEXT_BYTES = 10 * 1024 * 1024
"""Some five thousand pages."""


def read_file(path: Path) -> LocalText:
    """A PDF, DOCX, Markdown, HTML or text file. Raises: BadFileError, in French."""
    suffix = path.suffix.lower()
    if suffix in _TO_CONVERT:
        raise BadFileError(
            f"le format « {suffix} » n’est pas lu ; enregistrez le document en "
            f"{_TO_CONVERT[suffix]}, puis importez-le"
        )
    if suffix not in READ:
        raise BadFileError(
            f"le format « {suffix or 'sans extension'} » n’est pas lu ; formats lus : PDF, DOCX, "
            "Markdown (.md), HTML, texte (.txt)"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFileError(f"fichier inaccessible ({reason_of(error)})") from error
    sha256 = hashlib.sha256(content).hexdigest()
    if suffix == ".pdf":
        pdf = read_pdf(path)
        date, words = stated_date(pdf.lines)
        return LocalText(
            title=pdf.title, date=date, page_count=pdf.page_count, pages=pdf.pages,
            refusals=pdf.refusals, file_sha256=sha256, dated_by=_stated(words),
        )  # fmt: skip
    return _flow(path, suffix, content, sha256)


def _flow(path: Path, suffix: str, content: bytes, sha256: str) -> LocalText:
    given, saved = "", ""
    margins: tuple[str, ...] = ()
    found: Iterable[Piece | PageRefusal]
    if suffix == ".docx":
        if not content:
            raise BadFileError("fichier vide (0 octet)")
        read = read_docx(path)
        given, saved, found, margins = read.title, read.date, read.pieces, read.margins
    elif len(content) > _MAX_TEXT_BYTES:
        raise BadFileError("fichier de texte de plus de 10 Mo ; découpez-le")
    elif suffix in {".html", ".htm", ".xhtml"}:
        given, found = html_pieces(content)
    elif suffix in {".md", ".markdown"}:
        found = markdown_pieces(decode(content))
    else:
        found = plain_pieces(decode(content))
    items = tuple(readable(found))
    title, pieces = split_title([item for item in items if isinstance(item, Piece)])
    page = flow_page(pieces)
    if not page.blocks:
        raise BadFileError("aucun texte lisible dans ce fichier")
    texts = [item.text for item in items if isinstance(item, Piece)]
    date, words = stated_date((*texts[:_OPENING], *texts[_OPENING:][-_CLOSING:], *margins))
    return LocalText(
        title=title or given,
        date=date or saved,
        dated_by=_stated(words) or (SAVED if saved else ""),
        page_count=0,
        pages=(page,),
        refusals=tuple(item for item in items if isinstance(item, PageRefusal)),
        file_sha256=sha256,
    )


def _stated(words: str) -> str:
    return f"écrite dans le document : «\u00a0{words}\u00a0»" if words else ""
