"""Takes sources out of an index that is being built."""

from __future__ import annotations

import apsw

from ancremed_desktop.domain.documents import Source


def remove_source(db: apsw.Connection, key: str) -> None:
    """Delete a source with its passages and names."""
    db.execute(
        "DELETE FROM documents WHERE id IN (SELECT document_id FROM passages WHERE source_key = ?)",
        (key,),
    )
    for table, column in (
        ("passages", "source_key"),
        ("source_names", "source_key"),
        ("sources", "key"),
    ):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))


def remove_earlier(db: apsw.Connection, source: Source, build_id: str) -> None:
    """Delete what earlier builds stored of the same document under another key."""
    found = db.execute(
        "SELECT key FROM sources WHERE silo = ? AND source_identifier = ? AND build_id <> ?",
        (source.silo.value, source.source_identifier, build_id),
    ).fetchall()
    for (key,) in found:
        remove_source(db, str(key))
