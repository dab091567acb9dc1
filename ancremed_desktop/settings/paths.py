"""All folders and files the application uses, each overridable by an environment variable.

The folders are created when first asked for; MachineError when they cannot be, unless what is read
there may be absent: a question is answered from a home that is read-only.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import platformdirs

from ancremed_desktop.errors import MachineError, reason_of

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
MODELS = ROOT / "models"
SHIPPED_INDEX = RESOURCES / "clinical_ground_truth.db"

_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def _folder(variable: str, default: str, *, needed: bool = True, to_write: bool = False) -> Path:
    """``needed``: it must exist, else it is made where it can be (what is read there may well be
    absent). ``to_write``: it must be writable as well.
    """
    folder = Path(os.environ.get(variable) or default)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise _unusable(folder, variable, "ce n’est pas un dossier") from error
    except (OSError, ValueError) as error:
        read_only = isinstance(error, OSError) and error.errno in _READ_ONLY
        if needed or to_write or not read_only:
            reason = reason_of(error) if isinstance(error, OSError) else "nom impossible"
            raise _unusable(folder, variable, f"il ne peut pas être créé ({reason})") from error
    if to_write and not os.access(folder, os.W_OK):
        raise _unusable(folder, variable, "il n’est pas accessible en écriture")
    return folder


def _unusable(folder: Path, variable: str, reason: str) -> MachineError:
    advice = "Corrigez" if os.environ.get(variable) else "Indiquez un autre dossier dans"
    return MachineError(
        f"Le dossier « {folder} » ne peut pas servir : {reason}. {advice} la variable "
        f"d’environnement {variable} (un dossier où vous pouvez écrire), ou rendez cet "
        "emplacement utilisable."
    )


def data_dir(*, needed: bool = True, to_write: bool = False) -> Path:
    """User data (own documents, history, log); ``ANCREMED_DATA_DIR`` overrides."""
    default = platformdirs.user_data_dir("AncreMed", appauthor=False)
    return _folder("ANCREMED_DATA_DIR", default, needed=needed, to_write=to_write)


def config_dir() -> Path:
    """Settings; ``ANCREMED_CONFIG_DIR`` overrides."""
    default = platformdirs.user_config_dir("AncreMed", appauthor=False)
    return _folder("ANCREMED_CONFIG_DIR", default, needed=False)


def cache_dir(*, to_write: bool = False) -> Path:
    """What can be made again; ``ANCREMED_CACHE_DIR`` overrides."""
    default = platformdirs.user_cache_dir("AncreMed", appauthor=False)
    return _folder("ANCREMED_CACHE_DIR", default, to_write=to_write)


def models_dir() -> Path:
    """Models installed or imported by the user; ``ANCREMED_MODELS_DIR`` overrides."""
    return _folder("ANCREMED_MODELS_DIR", str(data_dir() / "models"))


def wheels_dir() -> Path:
    """Compiled engines of local models; ``ANCREMED_WHEELS_DIR`` overrides."""
    return _folder("ANCREMED_WHEELS_DIR", str(cache_dir() / "wheels"))


def shipped_index() -> Path:
    """The index that comes with the application (``ANCREMED_INDEX`` overrides)."""
    return Path(os.environ.get("ANCREMED_INDEX") or SHIPPED_INDEX)


def user_index(*, to_write: bool = False) -> Path:
    """The index of what the user imported; ``to_write``: it is about to be changed."""
    return data_dir(needed=False, to_write=to_write) / "bibliotheque.db"


def qualifications() -> Path:
    """What each model has earned on this machine."""
    return data_dir(needed=False) / "qualifications.json"


def user_store() -> Path:
    """History, query log and favourites."""
    return data_dir(needed=False) / "journal.db"
