"""Takes sources out of an index that is being built."""

from __future__ import annotations

import apsw

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.index.rows import SUPERSEDED_BAND


def remove_source(db: apsw.Connection, key: str) -> None:
    """Delete a source with its passages, names and codes."""
    found = db.execute("SELECT number, first_row, last_row FROM sources WHERE key = ?", (key,))
    for number, *extent in found.fetchall():
        first, last = (int(str(row)) for row in extent)
        for table, column in (("documents", "rowid"), ("passages", "row")):
            for band in (0, SUPERSEDED_BAND):
                bounds = first + band, last + band
                db.execute(f"DELETE FROM {table} WHERE {column} BETWEEN ? AND ?", bounds)
        for table in ("source_names", "source_codes"):
            db.execute(f"DELETE FROM {table} WHERE source = ?", (number,))
        db.execute("DELETE FROM sources WHERE number = ?", (number,))


def remove_earlier(db: apsw.Connection, source: Source, build_id: str) -> None:
    """Delete what earlier builds stored of the same document under another key."""
    found = db.execute(
        "SELECT s.key FROM sources s JOIN editions e ON e.number = s.edition "
        "WHERE s.silo = ? AND s.source_identifier = ? AND e.build_id <> ?",
        (source.silo.value, source.source_identifier, build_id),
    ).fetchall()
    for (key,) in found:
        remove_source(db, str(key))
