"""The plain query of the specification (§5.5), kept to compare our searches with.

Content words as typed, all of them, then any of them where too few passages hold all; bm25 with
the title five times the body; nothing folded beyond what the tokenizer folds.
"""

from __future__ import annotations

from pathlib import Path

from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index.connection import open_read_only, translated
from ancremed_desktop.index.match_query import all_tokens, quoted
from ancremed_desktop.text.words import content_words

_STATEMENT = """
SELECT d.id FROM documents_fts JOIN documents d ON d.rowid = documents_fts.rowid
WHERE documents_fts MATCH ?1 AND d.superseded = 0 AND ?2 IN ('', d.category_silo)
ORDER BY bm25(documents_fts, 5.0, 1.0) LIMIT ?3
"""


class PlainSearch:
    """Runs the plain query on one index file. Raises (constructor): IndexFileError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = open_read_only(path)

    def urns(self, question: str, silo: Silo | None, limit: int) -> tuple[str, ...]:
        """URNs of the passages found, best first. Raises: IndexFileError."""
        terms = [quoted(t) for t in all_tokens(question) if content_words(t) or t.isdecimal()]
        if not terms:
            return ()
        found: dict[str, None] = {}
        with translated(self._path):
            for joiner in (" AND ", " OR "):
                arguments = (joiner.join(terms), silo or "", limit)
                found.update((str(urn), None) for (urn,) in self._db.execute(_STATEMENT, arguments))
                if len(found) >= limit:
                    break
        return tuple(found)[:limit]

    def close(self) -> None:
        """Release the file."""
        self._db.close()
