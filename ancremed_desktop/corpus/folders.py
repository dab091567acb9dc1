"""What every reader of a folder checks first."""

from __future__ import annotations

from pathlib import Path

from ancremed_desktop.errors import BadFileError


def require_folder(folder: Path, label: str) -> None:
    """Refuse what is no folder; ``label`` names the kind of material in French.

    Raises: BadFileError when the folder is absent, or a file (an archive is not opened here).
    """
    if folder.is_dir():
        return
    if folder.exists():
        raise BadFileError(
            f"« {folder} » est un fichier : indiquez le dossier {label} (une archive zip se "
            "décompresse d’abord)."
        )
    raise BadFileError(f"Le dossier {label} « {folder} » n’existe pas : vérifiez son nom.")
