"""Takes sources out of an index that is being built."""

from __future__ import annotations

import apsw

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.errors import BugError
from ancremed_desktop.index.connection import run_script
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


def forget_removed(db: apsw.Connection) -> None:
    """Write the file anew without what deleted rows left in it: a free page keeps its content,
    and so does a page whose rows were moved. To be called before the full text is made.

    Raises: BugError should SQLite have numbered the rows again, which it reserves the right to do
    (https://www.sqlite.org/lang_vacuum.html) but does not for a table with an index.
    """
    run_script(db, "VACUUM")
    lost = "SELECT count(*) FROM passages LEFT JOIN documents ON documents.rowid = row"
    if db.execute(f"{lost} WHERE id IS NULL").get:
        raise BugError("the rows of documents have other numbers than their passages")
