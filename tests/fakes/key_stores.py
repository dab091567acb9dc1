"""Key stores of the system: one that works, one that is locked."""

from __future__ import annotations

from keyring.errors import KeyringLocked


class WorkingStore:
    """Keeps secrets in memory, as the system would."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedStore:
    """Refuses everything."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("locked")

    def delete_password(self, service: str, username: str) -> None:
        raise KeyringLocked("locked")
