"""Lines of infomedicament exports: one document a line, as a tree of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ancremed_desktop.corpus.rcp.html import table_pieces, text_of
from ancremed_desktop.corpus.rcp.pieces import (
    LeafletText,
    Piece,
    PieceKind,
    composition_line,
    is_heading,
    item,
    plain,
)
from ancremed_desktop.errors import BadFileError

_LEVELS = {
    "AmmAnnexeTitre": 1,
    "AmmNoticeTitre1": 1,
    "AmmAnnexeTitre1": 1,
    "AmmAnnexeTitre2": 2,
    "AmmAnnexeTitre3": 3,
    "AmmAnnexeTitre4": 4,
}
_MAX_DEPTH = 40


def read_record(record: object) -> LeafletText:
    """One document. Raises: BadFileError when the record is not one."""
    content = record.get("content") if isinstance(record, Mapping) else None
    source = record.get("source") if isinstance(record, Mapping) else None
    if not isinstance(content, Sequence) or isinstance(content, str):
        raise BadFileError("l’enregistrement n’a pas de contenu")
    cis = source.get("cis") if isinstance(source, Mapping) else ""
    code = str(cis) if cis and str(cis).isdecimal() and len(str(cis)) == 8 else ""
    return LeafletText(pieces=list(_nodes(content, 0)), cis=code)


def _nodes(nodes: Sequence[object], depth: int) -> Iterator[Piece]:
    if depth > _MAX_DEPTH:
        raise BadFileError("le document est imbriqué sur trop de niveaux")
    for node in nodes:
        if not isinstance(node, Mapping):
            continue
        yield from _node(node)
        children = node.get("children")
        if (
            isinstance(children, Sequence)
            and not isinstance(children, str)
            and node.get("type") != "table"
        ):
            yield from _nodes(children, depth + 1)


def _node(node: Mapping[str, object]) -> Iterator[Piece]:
    kind = str(node.get("type") or "")
    content = node.get("content")
    if kind == "table":
        if node.get("html"):
            yield from table_pieces(str(node["html"]))
        return
    if isinstance(content, Sequence) and not isinstance(content, str):
        yield from (item(str(part)) for part in content if plain(str(part)))
        return
    markup = str(node.get("html") or "")
    text = text_of(markup) if "<sup" in markup else plain(str(content or ""))
    if not text:
        return
    anchor = str(node.get("anchor") or "")
    if kind == "DateNotif":
        yield Piece(kind=PieceKind.DATE, text=text)
    elif kind in _LEVELS:
        yield Piece(kind=PieceKind.HEADING, text=text, level=_LEVELS[kind], anchor=anchor)
    elif kind == "AmmComposition":
        yield Piece(kind=PieceKind.PARAGRAPH, text=composition_line(text))
    elif is_heading(text) and (kind.endswith("Gras") or node.get("styles")):
        yield Piece(kind=PieceKind.HEADING, text=text, level=4)
    else:
        yield Piece(kind=PieceKind.PARAGRAPH, text=text)
