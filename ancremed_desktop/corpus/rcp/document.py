"""One RCP or notice as a source with its passages, each under the rubric it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ancremed_desktop.corpus.chunking import TextBlock, chunk_page
from ancremed_desktop.corpus.rcp.pieces import LeafletText, Piece, PieceKind, iso_date
from ancremed_desktop.corpus.rcp.sections import chapter_section, is_left_out, notice_section
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument, passage_urn
from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.text.drug_names import bare_substance, drug_names

PUBLISHER = "ANSM – Base de données publique des médicaments"
LICENCE = "document public de l’ANSM, à citer avec sa date, sans altération"
RCP = "RCP"
NOTICE = "Notice"
_LABEL = {RCP: "RCP", NOTICE: "notice destinée au patient"}
_PAGE = "https://base-donnees-publique.medicaments.gouv.fr/affichageDoc.php?specid="
_ATC = re.compile(r"code ATC\s*:\s*([A-Z]\d{2}[A-Z]{2}\d{2})", re.I)
_QUANTITY = re.compile(r"\s*:\s*\d.*$")
_NOT_NAME = re.compile(r"^(?:pour|excipient|chaque|liste|la liste|voir)\b", re.I)
_LOST = re.compile(r"(?:^|[\s(])[³£]\s*\d")
"""« ≥ » and « ≤ » of the Symbol font, read as letters: the threshold cannot be trusted."""
WITHHELD = "[Texte omis\u00a0: un signe de comparaison y est illisible, voir l’original.]"
_SEPARATOR = " > "


@dataclass(slots=True, kw_only=True)
class _Text:
    """The running text of a document with its blocks and what its first rubrics say."""

    text: str = ""
    blocks: list[TextBlock] = field(default_factory=list)
    withheld: int = 0

    def add(self, piece: Piece, heading: str, section: str) -> None:
        text = piece.text
        if _LOST.search(text):
            text = WITHHELD
            self.withheld += 1
        if self.text:
            self.text += "\n"
        start = len(self.text)
        self.text += text
        self.blocks.append(
            TextBlock(
                start=start,
                end=len(self.text),
                heading=heading,
                section=section,
                kind=PassageKind.TABLE if piece.kind is PieceKind.ROW else PassageKind.PROSE,
            )
        )


def leaflet_document(
    leaflet: LeafletText, file_name: str, file_sha256: str, fallback: str
) -> tuple[SourceDocument, int]:
    """The document, and how many texts were withheld for an unreadable comparison sign.

    ``fallback``: what identifies it when the file does not say its CIS.
    Raises: BadFileError when its denomination is not found or nothing answers a section.
    """
    denomination, substances, date, atc = _identity(leaflet.pieces)
    kind = _kind(leaflet.pieces)
    if not denomination:
        raise BadFileError("la dénomination du médicament est introuvable")
    text = _running_text(leaflet.pieces, kind)
    if not text.blocks:
        raise BadFileError("aucune rubrique lisible")
    identifier = f"{kind}-{leaflet.cis or fallback}"
    codes = [(Code.CIS, leaflet.cis)] if leaflet.cis else []
    codes += [(Code.SUBSTANCE, bare_substance(s)) for s in substances]
    codes += [(Code.ATC, atc)] if atc else []
    source = Source(
        key=f"rcp:{identifier}:{date or 'sans-date'}",
        silo=Silo.BDPM,
        title=f"{denomination} – {_LABEL[kind]}",
        source_identifier=identifier,
        publisher=PUBLISHER,
        licence=LICENCE,
        regulatory_date=date,
        url=f"{_PAGE}{leaflet.cis}&typedoc={kind[0]}" if leaflet.cis else "",
        file_name=file_name,
        file_sha256=file_sha256,
        names=drug_names(denomination, substances),
        codes=tuple(dict.fromkeys(codes)),
        details=(("Nature", _LABEL[kind]),),
    )
    return SourceDocument(source=source, passages=_passages(source, text)), text.withheld


def _passages(source: Source, text: _Text) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            urn=passage_urn(source.silo, source.source_identifier, f"{source.regulatory_date}-{n}"),
            source_key=source.key,
            silo=source.silo,
            origin_title=source.title,
            source_identifier=source.source_identifier,
            text=chunk.text,
            regulatory_date=source.regulatory_date,
            chunk_index=n,
            char_start=chunk.start,
            section=chunk.section,
            heading=chunk.heading,
            kind=chunk.kind,
        )
        for n, chunk in enumerate(chunk_page(text.text, text.blocks))
    )


def _kind(pieces: list[Piece]) -> str:
    leaflet = any(p.anchor.startswith("Ann3b") for p in pieces)
    summary = any(p.anchor == "RcpIndicTherap" for p in pieces)
    return NOTICE if leaflet and not summary else RCP


def _identity(pieces: list[Piece]) -> tuple[str, list[str], str, str]:
    """(denomination, substances, ISO date, ATC code) a document says of itself."""
    chapter = denomination = date = atc = ""
    substances: list[str] = []
    for piece in pieces:
        if piece.kind is PieceKind.DATE:
            date = date or iso_date(piece.text)
        elif piece.kind is PieceKind.HEADING and piece.anchor.startswith(("Rcp", "Ann3b")):
            chapter = piece.anchor
        elif chapter in {"RcpDenomination", "Ann3bDenomination"} and not denomination:
            denomination = piece.text.rstrip(" .")
        elif chapter == "RcpCompoQualiQuanti" and _QUANTITY.search(piece.text):
            name = _QUANTITY.sub("", piece.text)
            if not _NOT_NAME.match(name):
                substances.append(name)
        elif chapter == "Ann3bDenomination" and denomination and len(piece.text) < 60:
            substances.append(piece.text)
        if found := _ATC.search(piece.text):
            atc = atc or found[1].upper()
    return denomination, substances, date, atc


def _running_text(pieces: list[Piece], kind: str) -> _Text:
    text = _Text()
    path: dict[int, str] = {}
    section, inner, left_out = "", "", True
    for piece in pieces:
        if piece.kind is PieceKind.DATE:
            continue
        if piece.kind is PieceKind.HEADING:
            path = {level: title for level, title in path.items() if level < piece.level}
            path[piece.level] = piece.text
            if piece.level <= 2 and (piece.anchor or piece.level == 1):
                left_out = is_left_out(piece.anchor) or (
                    left_out and piece.level == 2 and not chapter_section(piece.anchor, piece.text)
                )
                section, inner = chapter_section(piece.anchor, piece.text), ""
            elif kind == NOTICE and piece.level > 2:
                inner = notice_section(piece.text)
            continue
        if not left_out:
            heading = _SEPARATOR.join(
                [_LABEL[kind].capitalize() if kind == NOTICE else RCP, *path.values()]
            )
            text.add(piece, heading, inner or section)
    return text
