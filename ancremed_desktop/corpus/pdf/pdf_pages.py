"""Reads the pages of a PDF with PyMuPDF; runs in the child process only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pymupdf

from ancremed_desktop.corpus.pdf.by_hand import hand_strokes
from ancremed_desktop.corpus.pdf.covered import with_covered
from ancremed_desktop.corpus.pdf.flaws import Box, marked
from ancremed_desktop.corpus.pdf.ink import Drawn, near_edge, with_cuts, with_hidden
from ancremed_desktop.corpus.pdf.layout import Line, PageLayout, PdfLayout, Ruling, Run
from ancremed_desktop.errors import BadFileError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Ligatures are resolved by MuPDF (flag absent); MEDIABOX_CLIP leaves printer slugs outside.
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_BOLD_FLAG = 16
_THIN = 3.0
"""Thickest rectangle still drawn as a line, in points."""
_SHORTEST_H, _SHORTEST_V = 12.0, 6.0
"""Shorter strokes are bullets, underlines of one word or parts of a drawing."""
_SHORTEST_STRIKE = 3.0
_MAX_BOXES = 600
_LEVEL = 0.99
"""Cosine of the angle of a line of text that counts as horizontal."""
_MAX_PAGES = 5000
_MAX_RULINGS = 4000
"""A drawing with more strokes is a figure, not a table."""


def read_layout(path: Path) -> PdfLayout:
    """All pages of a PDF file.

    Raises: BadFileError, in French, when the file is not a readable PDF.
    """
    _check_header(path)
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = pymupdf.open(path, filetype="pdf")
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError) as error:
        raise BadFileError("PDF illisible ou endommagé") from error
    with document:
        if document.needs_pass:
            raise BadFileError("PDF protégé par un mot de passe ; enregistrez-en une copie ouverte")
        if document.is_repaired and not _has_end(path):
            # MuPDF reads on to where the bytes stop, in the middle of a sentence if need be.
            raise BadFileError("PDF tronqué (fin de fichier « %%EOF » absente)")
        if document.page_count == 0:
            raise BadFileError("PDF sans aucune page ; le fichier est tronqué ou endommagé")
        if document.page_count > _MAX_PAGES:
            raise BadFileError(f"PDF de plus de {_MAX_PAGES} pages")
        pages = tuple(_page(document, number) for number in range(1, document.page_count + 1))
        title = str((document.metadata or {}).get("title") or "")
    return PdfLayout(pages=pages, metadata_title=title)


def _check_header(path: Path) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(1024)
    except FileNotFoundError as error:
        raise BadFileError("fichier introuvable") from error
    except OSError as error:
        raise BadFileError(f"fichier inaccessible ({reason_of(error)})") from error
    if size == 0:
        raise BadFileError("fichier vide (0 octet)")
    if b"%PDF-" not in head:  # readers accept the mark anywhere in the first kilobyte
        raise BadFileError("ce n’est pas un PDF (en-tête « %PDF- » absent)")


def _has_end(path: Path) -> bool:
    """Whether the end mark stands in the last 2 kilobytes, where readers look for it."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 2048))
        return b"%%EOF" in stream.read()


def _page(document: pymupdf.Document, number: int) -> PageLayout:
    try:
        page = document.load_page(number - 1)
        content = page.get_text("dict", flags=_FLAGS)
        drawn = _drawn(page, content["blocks"])
        drawings = page.get_cdrawings()
        strokes = _Strokes(drawings)
        by_hand = tuple(hand_strokes(page, drawings))
        crossed = [(*annot.rect,) for annot in page.annots([pymupdf.PDF_ANNOT_STRIKE_OUT])]
        has_image = bool(page.get_images())
        label = page.get_label()
    except MemoryError:
        raise
    except Exception as error:  # MuPDF raises several unrelated types on a damaged page
        if "malloc" in str(error) or "memory" in str(error):
            raise
        raise BadFileError(f"page {number} illisible ; le PDF est endommagé") from error
    shades = strokes.shade_edges()
    lines = marked(
        drawn,
        [*strokes.flat, *_through(crossed)],
        lambda: _struck_boxes(page),
        by_hand,
    )
    return PageLayout(
        number=number,
        label=label or "",
        width=page.rect.width,
        height=page.rect.height,
        lines=lines,
        horizontal=tuple(strokes.horizontal),
        vertical=tuple(strokes.vertical),
        shade_horizontal=shades[0],
        shade_vertical=shades[1],
        overlaps=_overlaps(lines),
        turned=tuple(_turned(content["blocks"])),
        has_image=has_image,
    )


def _drawn(page: pymupdf.Page, blocks: Iterable[Mapping[str, object]]) -> tuple[Line, ...]:
    """The lines of a page, with what of them cannot be seen or is cut by its edge."""
    width, height = page.rect.width, page.rect.height
    drawn = Drawn(page)
    lines = with_hidden(drawn, tuple(_lines(blocks, width, height)))
    lines = with_covered(page, drawn, lines)
    if not near_edge(lines, width):
        return lines
    whole = page.get_text("dict", flags=_FLAGS, clip=pymupdf.INFINITE_RECT())
    return with_cuts(lines, tuple(_lines(whole["blocks"], width, height)), width)


def _struck_boxes(page: pymupdf.Page) -> list[Box]:
    """Where MuPDF sees letters struck through; its reading by styles cuts runs otherwise."""
    content = page.get_text("dict", flags=_FLAGS | pymupdf.TEXT_COLLECT_STYLES)
    spans = (s for b in content["blocks"] for line in b.get("lines", ()) for s in line["spans"])
    return [s["bbox"] for s in spans if s["char_flags"] & pymupdf.mupdf.FZ_STEXT_STRIKEOUT]


def _through(crossed: Iterable[tuple[float, ...]]) -> Iterator[Ruling]:
    """Strokes in the middle of what a reader’s strike marks; it may run over several lines."""
    for left, top, right, bottom in crossed:
        for at in range(round(top) + 2, round(bottom), 3):
            yield Ruling(at=at, start=left, end=right)


def _lines(blocks: Iterable[Mapping[str, object]], width: float, height: float) -> Iterator[Line]:
    for index, block in enumerate(blocks):
        lines = block.get("lines")
        for line in lines if isinstance(lines, list) else ():
            cosine, _sine = line["dir"]
            if cosine < _LEVEL:  # turned text is a margin note or a watermark
                continue
            runs = tuple(_run(span) for span in line["spans"] if span["text"])
            if not any(run.text.strip() for run in runs):
                continue
            found = Line(runs=runs, block=index)
            if found.x1 > 0 and found.y1 > 0 and found.x0 < width and found.y0 < height:
                yield found


def _turned(blocks: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for block in blocks:
        lines = block.get("lines")
        for line in lines if isinstance(lines, list) else ():
            if line["dir"][0] < _LEVEL:
                yield "".join(str(span["text"]) for span in line["spans"])


def _run(span: Mapping[str, object]) -> Run:
    x0, y0, x1, y1 = _floats(span["bbox"])
    font = str(span["font"])
    return Run(
        text=str(span["text"]),
        x0=x0,
        x1=x1,
        y0=y0,
        y1=y1,
        baseline=_floats(span["origin"])[1],
        size=_number(span["size"]),
        bold=bool(int(_number(span["flags"])) & _BOLD_FLAG)
        or any(word in font for word in ("Bold", "Black", "Heavy", "Demi")),
        symbol_font="Symbol" in font,
        picture_font=any(word in font for word in ("Wingdings", "Webdings", "Dingbats")),
        colour=int(_number(span["color"])),
        seen=_number(span.get("alpha", 255)) > 0,
    )


def _floats(value: object) -> tuple[float, ...]:
    return tuple(float(x) for x in value) if isinstance(value, (tuple, list)) else (0.0,) * 4


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _overlaps(lines: Sequence[Line]) -> int:
    """Pairs of lines on one baseline whose words run into each other.

    A sign drawn with its shadow holds no letter and is no sign of damage.
    """
    count = 0
    worded = [line for line in lines if sum(map(str.isalnum, line.raw)) > 1]
    ordered = sorted(worded, key=lambda line: line.baseline)
    for position, one in enumerate(ordered):
        for other in ordered[position + 1 :]:
            if other.baseline - one.baseline >= 1.0:
                break
            shared = min(_last_x(one), _last_x(other)) - max(one.x0, other.x0)
            count += shared > 0.15 * min(one.size, other.size)
    return count


def _last_x(line: Line) -> float:
    """Right edge of a line less the blanks at its end, which may lie over what follows."""
    run = next(run for run in reversed(line.runs) if run.text.strip())
    blanks = len(run.text) - len(run.text.rstrip())
    return run.x1 - blanks * (run.x1 - run.x0) / len(run.text)


class _Strokes:
    """Straight strokes of a page, and the boxes filled with a colour."""

    def __init__(self, drawings: Sequence[Mapping[str, object]]) -> None:
        self.flat: list[Ruling] = []
        self.horizontal: list[Ruling] = []
        self.vertical: list[Ruling] = []
        self._boxes: list[tuple[tuple[float, ...], object]] = []
        for drawing in drawings:
            items = drawing.get("items")
            for item in items if isinstance(items, (list, tuple)) else ():
                self._take(item, drawing)
            if len(self.horizontal) + len(self.vertical) > _MAX_RULINGS:
                self.flat, self.horizontal, self.vertical, self._boxes = [], [], [], []
                return

    def _take(self, item: Sequence[object], drawing: Mapping[str, object]) -> None:
        if item[0] == "l":
            (x0, y0), (x1, y1) = _floats(item[1])[:2], _floats(item[2])[:2]
            if abs(y0 - y1) < 1:
                self._flat((y0 + y1) / 2, min(x0, x1), max(x0, x1))
            elif abs(x0 - x1) < 1:
                self._upright((x0 + x1) / 2, min(y0, y1), max(y0, y1))
        elif item[0] == "re":
            left, top, right, bottom = box = _floats(item[1])
            if bottom - top <= _THIN:
                self._flat((top + bottom) / 2, left, right)
            elif right - left <= _THIN:
                self._upright((left + right) / 2, top, bottom)
            elif "s" in str(drawing.get("type")):
                self._flat(top, left, right)
                self._flat(bottom, left, right)
                self._upright(left, top, bottom)
                self._upright(right, top, bottom)
            else:
                self._boxes.append((box, drawing.get("fill")))

    def _flat(self, at: float, start: float, end: float) -> None:
        if end - start >= _SHORTEST_STRIKE:
            self.flat.append(Ruling(at=at, start=start, end=end))
        if end - start >= _SHORTEST_H:
            self.horizontal.append(Ruling(at=at, start=start, end=end))

    def _upright(self, at: float, start: float, end: float) -> None:
        if end - start >= _SHORTEST_V:
            self.vertical.append(Ruling(at=at, start=start, end=end))

    def shade_edges(self) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
        """Edges of coloured boxes, those left out that the same colour goes on beyond.

        Word and others lay one box behind each line of a cell; their common edges mean nothing.
        """
        if len(self._boxes) > _MAX_BOXES:
            return (), ()
        flat: list[Ruling] = []
        upright: list[Ruling] = []
        for box, colour in self._boxes:
            left, top, right, bottom = box
            same = [b for b, c in self._boxes if c == colour and b != box]
            for at in (top, bottom):
                if not any(_goes_on(b[0], b[2], b[1], b[3], left, right, at) for b in same):
                    flat.append(Ruling(at=at, start=left, end=right))
            for at in (left, right):
                if not any(_goes_on(b[1], b[3], b[0], b[2], top, bottom, at) for b in same):
                    upright.append(Ruling(at=at, start=top, end=bottom))
        return tuple(flat), tuple(upright)


def _goes_on(
    along0: float,
    along1: float,
    across0: float,
    across1: float,
    start: float,
    end: float,
    at: float,
) -> bool:
    """Whether a box that spans most of ``start:end`` along an edge touches or covers it."""
    shared = min(along1, end) - max(along0, start)
    return shared > 0.5 * (end - start) and across0 - 2 <= at <= across1 + 2
