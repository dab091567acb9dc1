"""What is derived from the full text of a finished build: vocabulary, spellings, lengths.

Made once after all rows are in, and made again by ``integrity.check`` to be compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import apsw
import numpy as np

from ancremed_desktop.errors import BugError
from ancremed_desktop.index import postings
from ancremed_desktop.index.full_text_pages import checksums
from ancremed_desktop.index.rows import blob_of
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

RUNS, TITLES, TEXTS, PAGES = "runs", "titles", "texts", "pages"
"""Names in the table ``derived``."""
COMMON_CODE = 64
"""Rows from which a code is in the vocabulary; half of all tokens are rarer codes, and each is
its own class: the full text is asked for them.
"""
_LAST = 0x7F
_SIZES = """
SELECT ifnull(group_concat(id, ' '), ''), ifnull(CAST(group_concat(sz, '') AS BLOB), x'')
FROM (SELECT id, sz FROM documents_fts_docsize ORDER BY id)
"""
"""Joined: a hundred thousand rows of two values take longer to fetch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Rows of the tables ``vocabulary``, ``spellings`` and ``derived``, each in its order."""

    vocabulary: list[tuple[str, str, int]]
    spellings: list[tuple[int, str, str]]
    lengths: list[tuple[str, bytes]]


def derive(connection: apsw.Connection) -> Derived:
    """Read the full text of a connection. Raises: BugError, ValueError when it does not read."""
    connection.execute(
        "CREATE VIRTUAL TABLE temp.tokens USING fts5vocab('main', 'documents_fts', 'row')"
    )
    vocabulary = []
    words: dict[tuple[int, str], list[str]] = defaultdict(list)
    stem_once = stem.__wrapped__  # each comes once: its cache would be filled for nothing
    for token, count in connection.execute("SELECT term, doc FROM temp.tokens"):
        if not token.isascii():
            folded = fold(token)
            vocabulary.append((stem_once(folded), token, count))
        elif not token[-1:].isdecimal():  # ``is_code``, which takes as long to call as all else
            folded = token
            vocabulary.append((stem_once(token), token, count))
        else:
            folded = token
            if count >= COMMON_CODE:
                vocabulary.append((token, token, count))
        words[len(folded), folded[:1]].append(folded)
    connection.execute("DROP TABLE temp.tokens")
    vocabulary.sort()
    return Derived(
        vocabulary=vocabulary,
        spellings=[(*key, " ".join(dict.fromkeys(found))) for key, found in sorted(words.items())],
        lengths=_lengths(connection),
    )


def is_code(token: str) -> bool:
    """Whether a token is its own class whatever it stands for: ASCII that ends in a digit."""
    return token.isascii() and token[-1:].isdecimal()


def write(connection: apsw.Connection) -> tuple[str, ...]:
    """Fill the tables; the tokens of the vocabulary. Raises: as ``derive``."""
    made = derive(connection)
    connection.executemany("INSERT INTO vocabulary VALUES (?,?,?)", made.vocabulary)
    connection.executemany("INSERT INTO spellings VALUES (?,?,?)", made.spellings)
    connection.executemany("INSERT INTO derived VALUES (?,?)", made.lengths)
    return tuple(token for _, token, _ in made.vocabulary)


def differences(connection: apsw.Connection) -> Iterator[str]:
    """Which of the tables are not what the full text says, in French. Raises: as ``derive``."""
    made = derive(connection)
    for table, rows, what in (
        ("vocabulary", made.vocabulary, "les mots"),
        ("spellings", made.spellings, "les orthographes"),
        ("derived", made.lengths, "les longueurs des passages"),
    ):
        if connection.execute(f"SELECT * FROM {table}").fetchall() != rows:
            yield f"plein texte : {what} ne sont pas ceux des passages"


def _lengths(connection: apsw.Connection) -> list[tuple[str, bytes]]:
    """Runs of rowids without a gap (first, length), how many tokens the title and the text of each
    row hold (two varints a row: https://sqlite.org/src/file/ext/fts5/fts5_storage.c), and the
    checksums of the pages.
    """
    ids, sizes = connection.execute(_SIZES).fetchall()[0]
    rowids = np.fromstring(str(ids), np.int64, sep=" ")
    raw = np.frombuffer(blob_of(sizes), np.uint8)
    lasts = np.flatnonzero(raw <= _LAST)
    widths = np.diff(lasts, prepend=-1)
    if len(lasts) != 2 * len(rowids) or (np.diff(rowids) <= 0).any():
        raise BugError("the full text counts its tokens otherwise")
    numbers = raw[lasts].astype(np.int64)
    for place in range(1, int(widths.max(initial=1))):
        wide = np.flatnonzero(widths > place)
        numbers[wide] |= (raw[lasts[wide] - place].astype(np.int64) & _LAST) << (7 * place)
    begins = np.flatnonzero(np.diff(rowids, prepend=-2) != 1)
    runs = np.column_stack((rowids[begins], np.diff(begins, append=len(rowids))))
    columns = {
        RUNS: runs.ravel(), TITLES: numbers[::2], TEXTS: numbers[1::2],
        PAGES: checksums(connection),
    }  # fmt: skip
    return sorted((name, postings.pack(values)) for name, values in columns.items())
