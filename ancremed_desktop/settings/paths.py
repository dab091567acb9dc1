"""All folders and files the application uses, each overridable by an environment variable.

The folders are created when first asked for; MachineError when they cannot be.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from ancremed_desktop.errors import MachineError, reason_of

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
MODELS = ROOT / "models"
SHIPPED_INDEX = RESOURCES / "clinical_ground_truth.db"


def _folder(variable: str, default: str) -> Path:
    folder = Path(os.environ.get(variable) or default)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise _unusable(folder, variable, "ce n’est pas un dossier") from error
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "nom impossible"
        raise _unusable(folder, variable, f"il ne peut pas être créé ({reason})") from error
    return folder


def _unusable(folder: Path, variable: str, reason: str) -> MachineError:
    return MachineError(
        f"Le dossier « {folder} » ne peut pas servir : {reason}. Corrigez la variable "
        f"d’environnement {variable}, ou libérez cet emplacement."
    )


def data_dir() -> Path:
    """User data (own documents, history, log); ``ANCREMED_DATA_DIR`` overrides."""
    return _folder("ANCREMED_DATA_DIR", platformdirs.user_data_dir("AncreMed", appauthor=False))


def config_dir() -> Path:
    """Settings; ``ANCREMED_CONFIG_DIR`` overrides."""
    return _folder("ANCREMED_CONFIG_DIR", platformdirs.user_config_dir("AncreMed", appauthor=False))


def cache_dir() -> Path:
    """What can be made again; ``ANCREMED_CACHE_DIR`` overrides."""
    return _folder("ANCREMED_CACHE_DIR", platformdirs.user_cache_dir("AncreMed", appauthor=False))


def models_dir() -> Path:
    """Models installed or imported by the user; ``ANCREMED_MODELS_DIR`` overrides."""
    return _folder("ANCREMED_MODELS_DIR", str(data_dir() / "models"))


def wheels_dir() -> Path:
    """Compiled engines of local models; ``ANCREMED_WHEELS_DIR`` overrides."""
    return _folder("ANCREMED_WHEELS_DIR", str(cache_dir() / "wheels"))


def shipped_index() -> Path:
    """The index that comes with the application (``ANCREMED_INDEX`` overrides)."""
    return Path(os.environ.get("ANCREMED_INDEX") or SHIPPED_INDEX)


def user_index() -> Path:
    """The index of what the user imported."""
    return data_dir() / "bibliotheque.db"


def qualifications() -> Path:
    """What each model has earned on this machine."""
    return data_dir() / "qualifications.json"


def user_store() -> Path:
    """History, query log and favourites."""
    return data_dir() / "journal.db"
