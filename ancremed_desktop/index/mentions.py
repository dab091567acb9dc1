"""Finds the names of the corpus that occur in a text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.index import lookup, names
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.names import NameMatch
from ancremed_desktop.ports import EntityMention
from ancremed_desktop.text.codes import read_codes

MAX_IDENTIFIERS = 200
_CACHED_TEXTS = 512
_CACHED_WORDS = 16_384
_CACHED_NAMES = 512
_LAST_CHARACTER = "\U0010ffff"

_BEGINS = """
SELECT 1 WHERE EXISTS (SELECT 1 FROM source_names WHERE name >= ?1 AND name < ?2)
    OR EXISTS (SELECT 1 FROM source_names WHERE singular >= ?1 AND singular < ?2)
"""
_KNOWN = """
SELECT value FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM source_names WHERE name = value)
UNION ALL SELECT value FROM json_each(?2) WHERE
    EXISTS (SELECT 1 FROM source_names WHERE name = value AND singular IS NULL)
    OR EXISTS (SELECT 1 FROM source_names WHERE singular = value)
"""
_PLURALS = ", ".join(str(names.KINDS.index(kind)) for kind in names.OF_PLURALS)
_ENTITIES = f"""
SELECT n.kind,
    CASE n.label WHEN {names.TITLE} THEN s.title WHEN {names.IDENTIFIER} THEN s.source_identifier
        ELSE json_extract(s.names, '$[' || n.label || ']') END,
    s.key, s.source_identifier, s.superseded, n.name = ?1 AS exact
FROM source_names n JOIN sources s ON s.number = n.source
WHERE n.name = ?1 OR (n.kind IN ({_PLURALS}) AND (
    (n.name = ?2 AND n.singular IS NULL) OR n.singular = ?2))
"""


class MentionFinder:
    """Looks names up in several index files. Plurals are tolerated, except in drug names: an
    invented drug must not become a real one.
    """

    def __init__(self, files: Sequence[IndexFile]) -> None:
        self._files = files
        self.find = lru_cache(_CACHED_TEXTS)(self._find)
        self._begins = lru_cache(_CACHED_WORDS)(self._any_begins)
        self._named = lru_cache(_CACHED_NAMES)(self._read_named)

    def _find(self, text: str) -> tuple[EntityMention, ...]:
        """Names in a text, longest first, never overlapping."""
        matches = names.candidates(text, self._begins)
        known = self._known(matches)
        found = list(self._codes(text))
        taken = [(mention.start, mention.end) for mention in found]
        for match in matches:
            if match.name not in known and match.singular not in known:
                continue
            if any(match.start < end and start < match.end for start, end in taken):
                continue
            mention = self._mention(match)
            if mention is not None:
                taken.append((match.start, match.end))
                found.append(mention)
        return tuple(found)

    def _codes(self, text: str) -> Iterator[EntityMention]:
        """Codes a text writes (CIP, ATC, item…) that sources carry, or have as identifier."""
        for match in read_codes(text):
            carried = lookup.by_code(self._files, match.code, (match.value,))
            own = self._identified(match.value) if match.code is Code.CIS else ()
            identifiers = tuple(dict.fromkeys((*carried, *own)))
            if identifiers:
                yield EntityMention(
                    start=match.start,
                    end=match.end,
                    label=match.value,
                    kind=match.kind,
                    identifiers=identifiers[:MAX_IDENTIFIERS],
                )

    def _identified(self, identifier: str) -> tuple[str, ...]:
        statement = "SELECT 1 FROM sources WHERE source_identifier = ? LIMIT 1"
        return (identifier,) if any(f.query(statement, identifier) for f in self._files) else ()

    def _any_begins(self, words: str) -> bool:
        """Whether a name begins so: most of a text is never looked up any further."""
        return any(file.query(_BEGINS, words, words + _LAST_CHARACTER) for file in self._files)

    def _known(self, matches: Sequence[NameMatch]) -> frozenset[str]:
        if not matches:
            return frozenset()
        exact = json.dumps([m.name for m in matches])
        plain = json.dumps([m.singular for m in matches])
        return frozenset(
            str(value) for file in self._files for (value,) in file.query(_KNOWN, exact, plain)
        )

    def _mention(self, match: NameMatch) -> EntityMention | None:
        named = self._named(match.name, match.singular)
        return named and replace(named, start=match.start, end=match.end)

    def _read_named(self, name: str, singular: str) -> EntityMention | None:
        """What a name alone would be a mention of; an answer names the same drug in each line."""
        rows = sorted(self._entities(name, singular))
        if not rows:
            return None
        kind = min((row[3] for row in rows), key=names.KINDS.index)
        label = next(row[4] for row in rows if row[3] == kind)
        identifiers = tuple(dict.fromkeys(row[5] for row in rows))
        return EntityMention(
            start=0,
            end=len(name),
            label=label,
            kind=kind,
            identifiers=identifiers[:MAX_IDENTIFIERS],
        )

    def _entities(
        self, name: str, singular: str
    ) -> Iterator[tuple[bool, bool, bool, str, str, str]]:
        """(superseded, not exact, administrative record, kind, label, identifier), best first."""
        for file in self._files:
            for row in file.query(_ENTITIES, name, singular):
                place, label, key, identifier, superseded, exact = map(str, row)
                gone = superseded != "0" or key in file.hidden
                # Of two hundred records of a substance none may push out its RCP or its class.
                kind = names.KINDS[int(place)]
                yield (gone, exact == "0", key.startswith("bdpm:"), kind, label, identifier)
