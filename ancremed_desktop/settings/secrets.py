"""The user's key of an online service: in the system's key store, else in memory until the end.

Key stores that write plain files are not used: a key on disk could be copied with a backup.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from ancremed_desktop.errors import MachineError, UserError

Result = TypeVar("Result")

_SERVICE = "AncreMed"
_USER = "gemini"
_SYSTEM_STORES = tuple(
    f"keyring.backends.{name}"
    for name in ("SecretService", "libsecret", "kwallet", "macOS", "Windows")
)
_KEY = re.compile(r"[A-Za-z0-9._\-]{20,256}")


class Backend(Protocol):
    """The part of a ``keyring`` backend that is used; each call may raise ``KeyringError``."""

    def get_password(self, service: str, username: str) -> str | None:
        """The secret, None when there is none."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store the secret."""

    def delete_password(self, service: str, username: str) -> None:
        """Erase the secret."""


def system_store() -> Backend | None:
    """The key store of the operating system; None when there is none that is encrypted."""
    # Imported here: it looks for key stores, which the application does not need to start.
    import keyring

    found = keyring.get_keyring()
    candidates = getattr(found, "backends", (found,))
    for candidate in candidates:
        if type(candidate).__module__.startswith(_SYSTEM_STORES):
            backend: Backend = candidate
            return backend
    return None


class KeyStore:
    """One key; what it holds is never part of a message, a log or a representation."""

    def __init__(self, find: Callable[[], Backend | None] = system_store) -> None:
        """``find``: the system's key store; asked at each use, it may be locked or come later."""
        self._find = find
        self._session = ""

    @property
    def lasting(self) -> bool:
        """Whether this machine has a key store that outlives the session."""
        return self._find() is not None

    def read(self) -> str:
        """The key, empty when there is none. Raises: MachineError, when the store is locked."""
        if self._session:
            return self._session
        backend = self._find()
        found = _asked(lambda: backend.get_password(_SERVICE, _USER)) if backend else ""
        # Another program may have put a line break behind it.
        return (found or "").strip()

    def write(self, key: str) -> bool:
        """Keep a key in place of the one before; False when only until the end of the session.

        Raises: UserError, when it cannot be a key.
        """
        stripped = key.strip()
        if not _KEY.fullmatch(stripped):
            raise UserError(
                "Ce texte n’est pas une clé : une clé Gemini compte au moins 20 lettres, chiffres, "
                "points ou tirets, sans espace. Copiez-la entière depuis aistudio.google.com."
            )
        self._session = stripped
        backend = self._find()
        if backend is None:
            return False
        try:
            _asked(lambda: backend.set_password(_SERVICE, _USER, stripped))
        except MachineError:
            return False  # locked or refused: the caller says that it will not outlive the session
        self._session = ""
        return True

    def forget(self) -> None:
        """Erase the key everywhere. Raises: MachineError, when the store is locked."""
        self._session = ""
        backend = self._find()
        if backend is not None and _asked(lambda: backend.get_password(_SERVICE, _USER)):
            _asked(lambda: backend.delete_password(_SERVICE, _USER))


def _asked(call: Callable[[], Result]) -> Result:
    from keyring.errors import KeyringError

    try:
        return call()
    except KeyringError as error:
        raise MachineError(
            "Le trousseau de clés de l’ordinateur refuse l’accès : déverrouillez-le, puis "
            "réessayez."
        ) from error
