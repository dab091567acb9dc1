"""All folders and files the application uses, each overridable by an environment variable."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
MODELS = ROOT / "models"


def _folder(variable: str, default: str) -> Path:
    folder = Path(os.environ.get(variable) or default)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def data_dir() -> Path:
    """User data (own documents, history, log); ``ANCREMED_DATA_DIR`` overrides."""
    return _folder("ANCREMED_DATA_DIR", platformdirs.user_data_dir("AncreMed", appauthor=False))


def config_dir() -> Path:
    """Settings; ``ANCREMED_CONFIG_DIR`` overrides."""
    return _folder("ANCREMED_CONFIG_DIR", platformdirs.user_config_dir("AncreMed", appauthor=False))


def cache_dir() -> Path:
    """What can be made again; ``ANCREMED_CACHE_DIR`` overrides."""
    return _folder("ANCREMED_CACHE_DIR", platformdirs.user_cache_dir("AncreMed", appauthor=False))


def shipped_index() -> Path:
    """The index that comes with the application (``ANCREMED_INDEX`` overrides)."""
    return Path(os.environ.get("ANCREMED_INDEX") or RESOURCES / "clinical_ground_truth.db")


def user_index() -> Path:
    """The index of what the user imported."""
    return data_dir() / "bibliotheque.db"


def user_store() -> Path:
    """History, query log and favourites."""
    return data_dir() / "journal.db"
