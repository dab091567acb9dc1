"""What the user chose for the window: a small typed JSON file, written in one step."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path

from ancremed_desktop.errors import MachineError, reason_of
from ancremed_desktop.settings.files import write_whole
from ancremed_desktop.settings.paths import config_dir

TEXT_SCALES = (80, 90, 100, 110, 125, 150, 175, 200)
"""Sizes of the text offered, in percent of the normal one."""


class Theme(StrEnum):
    """Colours of the window; ``AUTO`` follows the system."""

    AUTO = "auto"
    LIGHT = "clair"
    DARK = "sombre"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """``text_scale``: a member of ``TEXT_SCALES``. ``notice_version``: last notice read, 0: none.

    ``keep_questions``: whether the local log may hold the text of the questions.
    ``search_by_meaning``: whether passages near the question in meaning are searched too.
    ``gemini_consent``: version of the consent text agreed to, 0: nothing may be sent.
    ``import_folder``: where the folder chooser starts, empty for the user's own folder.
    ``favourite_formulas`` and ``recent_formulas``: identifiers, latest first. ``usual_units``:
    units the user reads values in, as « notion=unit ». Never a value of a patient.
    ``model_roles``: which model may help with what, as « ability=model » (``services.roles``).
    """

    theme: Theme = Theme.AUTO
    text_scale: int = 100
    notice_version: int = 0
    keep_questions: bool = False
    search_by_meaning: bool = False
    gemini_consent: int = 0
    import_folder: str = ""
    favourite_formulas: tuple[str, ...] = ()
    recent_formulas: tuple[str, ...] = ()
    usual_units: tuple[str, ...] = ()
    model_roles: tuple[str, ...] = ()
    window_width: int = 1280
    window_height: int = 800


def preferences_file() -> Path:
    """Where the preferences live."""
    return config_dir() / "preferences.json"


class PreferenceStore:
    """Current preferences; ``problem`` is French and empty when the file was read whole."""

    def __init__(self, path: Path | None = None) -> None:
        """Read ``path`` (the user's file by default); what cannot be read takes its default."""
        self._path = path or preferences_file()
        self.current, self.problem = _read(self._path)
        self._unsaved: set[str] = set()

    def update(self, **changes: Theme | int | bool | str | tuple[str, ...]) -> Preferences:
        """Change some fields and write the file; what another window or command wrote is kept.

        Raises:
            TypeError: no such field.
            ValueError: a value out of range.
            MachineError: the file cannot be written; the change holds until the window closes.

        """
        changed = replace(self._latest(), **changes)  # type: ignore[arg-type]  # checked by _valid
        if not _valid(changed):
            raise ValueError(f"preferences out of range: {changes}")
        self.current = changed
        self._unsaved |= set(changes)
        _write(self._path, changed)
        self._unsaved.clear()
        return changed

    def stored(self) -> Preferences:
        """The file's preferences as they are now."""
        return _read(self._path)[0]

    def _latest(self) -> Preferences:
        """The file's preferences, with the changes that could not be written to it.

        A consent taken back elsewhere must not return with the next change of colours.
        """
        stored, problem = _read(self._path)
        if problem or not self._path.exists():
            return self.current
        return replace(stored, **{name: getattr(self.current, name) for name in self._unsaved})


def _valid(preferences: Preferences) -> bool:
    return (
        preferences.text_scale in TEXT_SCALES
        and preferences.notice_version >= 0
        and preferences.gemini_consent >= 0
        and 320 <= preferences.window_width <= 20_000
        and 240 <= preferences.window_height <= 20_000
    )


def _read(path: Path) -> tuple[Preferences, str]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences(), ""
    except (OSError, ValueError, RecursionError):
        return Preferences(), _damaged(path)
    if not isinstance(data, dict):
        return Preferences(), _damaged(path)
    kept = Preferences()
    damaged = False
    for field in fields(Preferences):
        if field.name not in data:
            continue
        candidate = _with_field(kept, field.name, data[field.name])
        damaged = damaged or candidate is None
        kept = candidate or kept
    return kept, _damaged(path) if damaged else ""


def _with_field(preferences: Preferences, name: str, value: object) -> Preferences | None:
    """The preferences with one field as stored; None when the stored value is unusable."""
    default = getattr(preferences, name)
    if isinstance(default, Theme):
        if value not in tuple(Theme):
            return None
        value = Theme(str(value))
    elif isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return None
        value = tuple(value)
    elif type(value) is not type(default):
        return None
    changed = replace(preferences, **{name: value})  # type: ignore[arg-type]  # type checked above
    return changed if _valid(changed) else None


def _damaged(path: Path) -> str:
    return (
        f"Le fichier de préférences est abîmé ({path}). Les réglages illisibles ont repris leur "
        "valeur d’origine ; vos choix suivants seront enregistrés normalement."
    )


def _write(path: Path, preferences: Preferences) -> None:
    text = json.dumps(asdict(preferences), ensure_ascii=False, indent=2)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise MachineError(
            f"Les réglages n’ont pas pu être enregistrés dans {path} ({reason_of(error)}). "
            "Ils valent jusqu’à la fermeture de la fenêtre."
        ) from error
