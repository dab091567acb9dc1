"""Numbers for values that many rows share: each value is stored once, the rows hold its number."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from ancremed_desktop.index.rows import SqlValue

LABELS = ("label",)
EDITIONS = (
    "publisher", "licence", "regulatory_date", "file_name", "file_sha256", "page_count", "status",
    "build_id",
)  # fmt: skip

_UNUSED = """
DELETE FROM editions WHERE number NOT IN (SELECT edition FROM sources);
DELETE FROM labels WHERE number NOT IN (
    SELECT section FROM passages UNION SELECT heading FROM passages UNION SELECT kind FROM passages
    UNION SELECT url FROM sources UNION SELECT details FROM sources)
"""


class Numbers:
    """The numbers of a table of a build; a value that is met for the first time gets the next."""

    def __init__(self, db: apsw.Connection, table: str, columns: Sequence[str]) -> None:
        self._db = db
        self._select = f"SELECT number, {', '.join(columns)} FROM {table}"
        self._insert = f"INSERT INTO {table} VALUES (?{', ?' * len(columns)})"
        self.read_again()

    def read_again(self) -> None:
        """Forget what was not stored after all."""
        found = self._db.execute(self._select)
        self._known = {tuple(values): int(str(number)) for number, *values in found}
        self._last = max(self._known.values(), default=0)

    def of(self, *values: SqlValue) -> int:
        """The number of a value."""
        number = self._known.get(values)
        if number is None:
            self._last = number = self._last + 1
            self._db.execute(self._insert, (number, *values))
            self._known[values] = number
        return number


def forget_unused(db: apsw.Connection) -> None:
    """Delete the values no source or passage has any more: nothing of a removed document stays."""
    for statement in _UNUSED.split(";"):
        db.execute(statement)
