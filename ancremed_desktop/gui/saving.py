"""Saving to a file; its suffix tells PDF, web page, plain text or cards for Anki."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.errors import BadFileError, MachineError, reason_of
from ancremed_desktop.gui.printing import save_pdf
from ancremed_desktop.services.anki import answer_to_anki
from ancremed_desktop.services.export import answer_to_text
from ancremed_desktop.services.page import answer_to_html
from ancremed_desktop.settings.files import write_whole
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

_TEXTS = {".html": answer_to_html, ".txt": answer_to_text, ".tsv": answer_to_anki}
ONLY_PDF = {"PDF (*.pdf)": "pdf"}
FILTERS = {
    **ONLY_PDF,
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


def choose_target(
    parent: QWidget,
    title: str,
    name: str,
    filters: Mapping[str, str],
    write: Callable[[Path], object],
) -> None:
    """Ask where and in which form, then ``write`` there; a name without suffix takes the form's."""
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(filters))
    dialog.setDefaultSuffix(filters[dialog.selectedNameFilter()])
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(filters[kind]))
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda chosen: write(Path(chosen)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def known_suffix(target: Path, filters: Mapping[str, str]) -> str:
    """The suffix of ``target`` in lower case, one of ``filters``.

    Another one is refused, not completed: what the completed name replaces, no chooser asked.

    Raises: BadFileError for any other suffix.
    """
    suffix = target.suffix.lower()
    if suffix.removeprefix(".") in filters.values():
        return suffix
    kinds = " ou ".join(kind.replace("*", "") for kind in filters)
    raise BadFileError(
        f"Rien n’a été enregistré{NBSP}: la fin du nom «{NBSP}{target.name}{NBSP}» n’est pas celle "
        f"d’un format proposé. Terminez le nom par celle du format voulu{NBSP}: {kinds}."
    )


def save_answer(answer: Answer, target: Path) -> None:
    """Write ``target`` in the form its suffix names.

    Raises: MachineError when the file cannot be written; BadFileError for an unknown suffix.
    """
    suffix = known_suffix(target, FILTERS)
    if suffix not in _TEXTS:
        save_pdf(answer_to_html(answer), answer.question.raw.strip(), target)
        return
    try:
        write_whole(target, _TEXTS[suffix](answer).encode())
    except OSError as error:
        raise MachineError(
            f"La réponse n’a pas pu être enregistrée dans {target} ({reason_of(error)}). Choisissez "
            "un autre dossier, ou libérez de la place, puis recommencez."
        ) from error
