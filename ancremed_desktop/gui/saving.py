"""An answer saved to a file: PDF, web page, plain text or cards for Anki, told by the suffix."""

from __future__ import annotations

import re
from pathlib import Path

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.errors import MachineError, reason_of
from ancremed_desktop.gui.printing import save_pdf
from ancremed_desktop.services.anki import answer_to_anki
from ancremed_desktop.services.export import answer_to_text
from ancremed_desktop.services.page import answer_to_html
from ancremed_desktop.settings.files import write_whole
from ancremed_desktop.text.normalise import fold

_TEXTS = {".html": answer_to_html, ".txt": answer_to_text, ".tsv": answer_to_anki}
FILTERS = {
    "PDF (*.pdf)": "pdf",
    "Page web (*.html)": "html",
    "Texte (*.txt)": "txt",
    "Cartes Anki (*.tsv)": "tsv",
}
"""Kinds of files as a chooser offers them, with their suffixes."""
_LONGEST_NAME = 60


def proposed_name(answer: Answer) -> str:
    """A file name without suffix made of the question: « contre-indications-de-la-metformine »."""
    words = re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", fold(answer.question.raw))
    return "-".join(words)[:_LONGEST_NAME].strip("-") or "reponse"


def save_answer(answer: Answer, target: Path) -> None:
    """Write ``target`` in the form its suffix names; another suffix is a PDF.

    Raises: MachineError when the file cannot be written.
    """
    if target.suffix not in _TEXTS:
        save_pdf(answer_to_html(answer), answer.question.raw.strip(), target)
        return
    try:
        write_whole(target, _TEXTS[target.suffix](answer).encode())
    except OSError as error:
        raise MachineError(
            f"La réponse n’a pas pu être enregistrée dans {target} ({reason_of(error)}). Choisissez "
            "un autre dossier, ou libérez de la place, puis recommencez."
        ) from error
