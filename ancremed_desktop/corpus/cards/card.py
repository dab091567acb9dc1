"""One Markdown card: its header and body put together as a source with its passages."""

from __future__ import annotations

import re
import unicodedata

from ancremed_desktop.corpus.cards.body import CardSection, parse_body
from ancremed_desktop.corpus.cards.fields import nfc
from ancremed_desktop.corpus.cards.front_matter import (
    FENCE,
    CardHeader,
    CardSource,
    is_card_id,
    parse_header,
)
from ancremed_desktop.corpus.cards.problems import CardProblem
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument, passage_urn
from ancremed_desktop.domain.identifiers import Silo

PUBLISHER = "AncreMed (fiche de synthèse rédigée pour le projet)"
LICENCE = "AGPL-3.0-or-later"


def read_card(content: bytes, file_name: str) -> SourceDocument:
    """A card from the bytes of its file.

    Raises: CardProblem, with the line or header field that is wrong.
    """
    try:
        text = nfc(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise CardProblem(f"ligne {line}", "le fichier n’est pas en UTF-8.") from error
    lines = tuple(text.replace("\r\n", "\n").split("\n"))
    end = _header_end(lines)
    header = parse_header("\n".join(lines[1:end]))
    keys = frozenset(source.key for source in header.sources)
    sections = parse_body(lines[end + 1 :], end + 2, keys)
    source = _source(header, sections, file_name)
    return SourceDocument(source=source, passages=_passages(source, header.id, sections))


def _header_end(lines: tuple[str, ...]) -> int:
    fences = [number for number, line in enumerate(lines) if line.rstrip() == FENCE]
    if len(fences) < 2 or fences[0] != 0:
        raise CardProblem("ligne 1", f"l’en-tête doit tenir entre deux lignes « {FENCE} ».")
    return fences[1]


def _source(header: CardHeader, sections: list[CardSection], file_name: str) -> Source:
    by_key = {source.key: source for source in header.sources}
    superseded_by = header.superseded_by
    review = f"{header.review} ({header.reviewer})" if header.reviewer else header.review
    return Source(
        key=f"{Silo.FICHES}:{header.id}",
        silo=Silo.FICHES,
        title=header.title,
        source_identifier=header.source_identifier,
        publisher=PUBLISHER,
        licence=LICENCE,
        regulatory_date=header.regulatory_date,
        url=next((s.where for s in header.sources if s.where.startswith("https://")), ""),
        file_name=file_name,
        status=header.status,
        superseded=header.superseded,
        superseded_by=(
            f"{Silo.FICHES}:{superseded_by}" if is_card_id(superseded_by) else superseded_by
        ),
        names=header.names,
        details=(
            ("type de fiche", header.kind),
            ("relecture", review),
            ("rédigé le", header.written_on),
            *((section.name, _provenance(section, by_key)) for section in sections),
        ),
    )


def _provenance(section: CardSection, by_key: dict[str, CardSource]) -> str:
    """Which sentences of the section (from 1) each public source backs, one source a line."""
    lines = []
    for key, source in by_key.items():
        backed = [str(n) for n, s in enumerate(section.sentences, 1) if key in s.source_keys]
        if backed:
            label = "phrases" if len(backed) > 1 else "phrase"
            lines.append(f"{label} {', '.join(backed)} : {source.citation}")
    return "\n".join(lines)


def _passages(source: Source, card_id: str, sections: list[CardSection]) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            urn=passage_urn(Silo.FICHES, card_id, _slug(section.name)),
            source_key=source.key,
            silo=Silo.FICHES,
            origin_title=source.title,
            source_identifier=source.source_identifier,
            text=section.text,
            regulatory_date=source.regulatory_date,
            superseded=source.superseded,
            chunk_index=index,
            section=section.name,
            heading=source.title,
        )
        for index, section in enumerate(sections)
    )


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain)
