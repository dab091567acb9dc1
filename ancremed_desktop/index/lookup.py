"""Direct look-up: codes carried by sources, over several index files."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.names import CODES, code_key

MAX_VALUES = 200

_BY_CODE = """
SELECT s.key, s.source_identifier, s.superseded
FROM source_codes c JOIN sources s ON s.number = c.source
WHERE c.code IN (SELECT value FROM json_each(?1)) AND c.kind = ?2
ORDER BY s.superseded, s.key
"""
_CODES_OF = """
SELECT c.code, s.key FROM sources s JOIN source_codes c ON c.source = s.number
WHERE s.source_identifier = ?1 AND c.kind = ?2 AND s.superseded = 0
ORDER BY c.code
"""


def by_code(files: Sequence[IndexFile], code: Code, values: Sequence[str]) -> tuple[str, ...]:
    """Identifiers of the sources that carry one of the codes, current ones first, each once.

    Raises: ValueError when there are more than 200 values.
    """
    if len(values) > MAX_VALUES:
        raise ValueError(f"at most {MAX_VALUES} codes at once, not {len(values)}")
    keys = json.dumps([code_key(value) for value in values])
    current: dict[str, None] = {}
    gone: dict[str, None] = {}
    for file in files:
        for key, identifier, superseded in file.query(_BY_CODE, keys, CODES.index(code)):
            is_gone = str(superseded) != "0" or str(key) in file.hidden
            (gone if is_gone else current)[str(identifier)] = None
    return tuple({**current, **gone})


def codes_of(files: Sequence[IndexFile], source_identifier: str, code: Code) -> tuple[str, ...]:
    """Codes of a kind that the current sources of an entity carry, folded, sorted."""
    return tuple(
        dict.fromkeys(
            str(name)
            for file in files
            for name, key in file.query(_CODES_OF, source_identifier, CODES.index(code))
            if str(key) not in file.hidden
        )
    )
