"""A page of rich text on paper, or in a PDF file."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import (
    QFont,
    QPagedPaintDevice,
    QPageSize,
    QPdfWriter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QWidget

from ancremed_desktop.errors import MachineError, reason_of
from ancremed_desktop.gui.paged import PagedText

_POINTS = 10
_POINTS_PER_PIXEL = 72 / 96
"""A pixel of CSS is 1/96 inch (CSS Values and Units 3, 5.2)."""


def save_pdf(html: str, title: str, target: Path) -> None:
    """Write an A4 PDF; an existing file is replaced only by a whole one.

    Raises: MachineError when the file cannot be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".ancremed-", dir=target.parent) as folder:
            draft = Path(folder) / "page.pdf"
            writer = QPdfWriter(str(draft))
            writer.setTitle(title)
            writer.setCreator("AncreMed")
            _write(html, title, writer)
            # The writer keeps its file open and its errors to itself.
            del writer
            if not draft.exists() or not draft.read_bytes().rstrip().endswith(b"%%EOF"):
                raise OSError("fichier incomplet, disque plein ?")
            draft.replace(target)
    except OSError as error:
        reason = reason_of(error) if error.errno else str(error)
        raise MachineError(
            f"Le PDF n’a pas pu être enregistré dans {target} ({reason}). Choisissez un autre "
            "dossier, ou libérez de la place, puis recommencez."
        ) from error


def print_page(html: str, title: str, parent: QWidget) -> None:
    """Show the system's dialogue of printers; what is accepted there is printed."""
    dialog = QPrintDialog(parent)  # with a printer of its own, which lives as long as it
    dialog.printer().setDocName(title)
    dialog.printer().setCreator("AncreMed")
    dialog.setWindowTitle("Imprimer la réponse")
    dialog.accepted.connect(lambda printer: _write(html, title, printer))
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(True)
    dialog.show()  # its own ``open`` takes names of slots


def _write(html: str, title: str, device: QPagedPaintDevice) -> None:
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    # The text brings its own margins of two centimetres.
    device.setPageMargins(QMarginsF())
    document = QTextDocument()
    document.setDefaultFont(QFont("DejaVu Sans", _POINTS))
    document.setMetaInformation(QTextDocument.MetaInformation.CssMedia, "print")
    document.setHtml(html)
    _size_in_points(document)
    PagedText(document, device, f"AncreMed – {title}").paint()


def _size_in_points(document: QTextDocument) -> None:
    """Give text sized in pixels its size in points.

    Qt takes a pixel for a dot of the device: at 1,200 dots per inch, 17 px are 1 point.
    """
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        if points := _points(block.charFormat()):
            cursor.setPosition(block.position())
            cursor.mergeBlockCharFormat(points)
        for run in block.textFormats():
            if points := _points(run.format):
                start = block.position() + run.start
                cursor.setPosition(start)
                cursor.setPosition(start + run.length, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(points)
        block = block.next()


def _points(text: QTextCharFormat) -> QTextCharFormat | None:
    pixels = text.font().pixelSize()
    if pixels <= 0:
        return None
    points = QTextCharFormat()
    points.setFontPointSize(pixels * _POINTS_PER_PIXEL)
    return points
