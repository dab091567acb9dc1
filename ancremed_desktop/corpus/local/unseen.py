"""Which declarations of a style sheet leave nothing of a text to be seen.

Sources: CSS Display 3, Filter Effects 1, Compositing 1, CSS Masking 1; the ways in which sites hide text from
the eye and leave it to search engines or screen readers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ancremed_desktop.corpus.local.css_colours import WHITE, Paint, paint
from ancremed_desktop.corpus.local.lengths import number, pixels

_CONTRAST = 30
"""Least difference in one primary colour between letters and what is behind them."""
_SMALLEST_PX = 2.0
_FAR_PX = -500.0
"""Further left or up than that, a text is off its page."""
_BEYOND_PX = 5_000.0
"""Further right or down than that, no one looks for a text."""
_FAINTEST = 0.1
_INHERITED = frozenset({"", "none", "inherit", "initial", "unset", "revert", "currentcolor"})
_NOTHING = re.compile(
    r"rect\(\s*(?:0|1px)\D+(?:0|1px)\D+(?:0|1px)\D+(?:0|1px)\s*\)|inset\((?:50|100)%"
    r"|circle\(0|polygon\(0 0, ?0 0"
)
_FLAT = re.compile(
    r"scale(?:3d|x|y)?\(\s*0?\.?0*\s*[,)]|matrix\(\s*0\s*,\s*0|rotate[xy]\(\s*-?(?:90|270)deg"
)
"""Transforms that leave a line of a text, or a point."""
_MOVED = re.compile(r"translate(?:3d|x|y)?\(([^)]*)\)")
_PIECE = re.compile(r"[a-z-]+\((?:[^()]|\([^()]*\))*\)|[^\s,]+")
"""A value of a list of them: a function with what it holds, or a word."""
_MASKS = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
_BLENDS = frozenset({"", "normal", "multiply", "darken", "color-burn", "inherit", "initial"})
"""Ways of mixing letters with what is behind them that never lighten them."""
_NO_MASK = (["none"], ["inherit"], ["initial"], ["unset"])
_FILTER = re.compile(r"([a-z-]+)\(([^()]*)\)")
_FILTERED = {
    "brightness": (0.5, 1.5), "contrast": (0.5, 3.0), "opacity": (_FAINTEST, 1.0),
    "blur": (0.0, 1.0), "invert": (0.0, 0.2),
}  # fmt: skip
"""What a filter may do to letters that are still read; a shadow or a tint does nothing to them."""
_CLEARED = re.compile(r"opacity\(\s*(0?\.0\d*|0|[0-9]%)\s*\)")
_FONT_SIZE = re.compile(r"(?:^|\s)(-?\d*\.?\d+(?:px|pt|em|rem|%)?)(?:/\S+)?\s")
_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?")
_SAYS = re.compile(r"[^\W_]|[≤≥<±×=%]")


def declarations(body: str) -> dict[str, str]:
    """The declarations of a rule, the last of each name, in lower case."""
    found: dict[str, str] = {}
    for part in body.lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def is_unseen(style: Mapping[str, str]) -> bool:
    """Whether declarations hide an element with all it holds, whatever its colours."""
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
        or (number(style.get("opacity", "1")) or 0) < _FAINTEST
        or 0 <= _px(style.get("font-size", "16px")) < _SMALLEST_PX
        or _is_far(style)
        or _is_closed(style)
        or 0 <= _px(_font_size(style.get("font", ""))) < _SMALLEST_PX
        or bool(_NOTHING.search(style.get("clip", "") + style.get("clip-path", "")))
        or bool(_FLAT.search(style.get("transform", "")))
        or bool(_CLEARED.search(style.get("filter", "")))
        or any(style.get(name, "1").split()[:1] in (["0"], ["0%"]) for name in ("zoom", "scale"))
        or style.get("content", "").startswith(("url(", "image-set("))
    )


def is_undecided(style: Mapping[str, str]) -> bool:
    """Whether declarations may hide an element, which only its drawing would tell: a mask, a
    filter, letters mixed with what is behind them, a size or a cut that is worked out.
    """
    worked = [style.get("font-size", ""), _font_size(style.get("font", ""))]
    cut = style.get("clip-path", "")
    return (
        any(style.get(name, "none").split()[:1] not in _NO_MASK for name in _MASKS)
        or style.get("mix-blend-mode", "") not in _BLENDS
        or not all(_is_readable(*part) for part in _FILTER.findall(style.get("filter", "")))
        or "url(" in style.get("filter", "")
        or any("(" in size and pixels(size) is None for size in worked)
        or any(part in cut for part in ("calc(", "url(", "path("))
    )


def _is_readable(name: str, value: str) -> bool:
    """Whether a filter leaves letters to be read."""
    bounds = _FILTERED.get(name)
    told = pixels(value) if name == "blur" else number(value)
    return bounds is None or (told is not None and bounds[0] <= told <= bounds[1])


def letters_of(style: Mapping[str, str]) -> str:
    """The colour a rule gives letters."""
    return style.get("-webkit-text-fill-color") or style.get("color", "")


def written(style: Mapping[str, str]) -> bool:
    """Whether a rule writes words or figures beside an element (« ::before »), not signs alone."""
    content = style.get("content", "")
    if "attr(" in content:
        return True
    strings = "".join(one or other for one, other in _STRING.findall(content))
    return bool(_SAYS.search(_ESCAPE.sub(_character, strings)))


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16)
    private = 0xE000 <= code <= 0xF8FF  # an icon of a font
    return " " if private or not 0 < code < 0x110000 or 0xD800 <= code < 0xE000 else chr(code)


def _font_size(font: str) -> str:
    found = _FONT_SIZE.search(f"{font} ")
    return found[1] if found else ""


def _is_far(style: Mapping[str, str]) -> bool:
    sides = ["text-indent", "margin-left", "margin-top", "translate"]
    if style.get("position") in {"absolute", "fixed", "relative"}:
        sides += ["left", "top", "right", "bottom", "inset"]
    values = [style.get(side, "0") for side in sides]
    values += _MOVED.findall(style.get("transform", ""))
    lengths = (_px(part) for value in values for part in re.split(r"[\s,]+", value.strip()))
    return any(length < _FAR_PX or length > _BEYOND_PX for length in lengths)


def _is_closed(style: Mapping[str, str]) -> bool:
    """Whether a box has no room, or a pixel, and shows nothing beyond."""
    if style.get("overflow", style.get("overflow-y", "")) not in {"hidden", "clip"}:
        return False
    sizes = [
        style[name] for name in ("height", "width", "max-height", "max-width") if name in style
    ]
    return any(0 <= _px(size) <= 1 for size in sizes)


def set_colour(value: str) -> str:
    """A colour that is set here, empty when it is that of the text around."""
    return "" if value in _INHERITED else value


def background(style: Mapping[str, str]) -> str:
    """The colour a rule lays behind text, or all it says when that is none; empty: nothing."""
    for name in ("background-color", "background", "background-image"):
        value = style.get(name, "")
        if value in _INHERITED or is_clear(value):
            continue
        told = (part for part in _PIECE.findall(value) if paint(part) is not None)
        pictured = "gradient(" in value or "url(" in value
        return value if pictured else next(told, value)
    return ""


def is_clear(value: str) -> bool:
    """Whether a colour lets all of what is behind it through."""
    found = paint(value)
    return found is not None and found.cover < _FAINTEST


def is_lost(letters: str, behind: str) -> bool:
    """Whether letters of a colour cannot be told from their background; empty: nothing is set."""
    if not letters:
        return False
    if is_clear(letters) or letters.strip().lower() == behind.strip().lower():
        return True
    ink, paper = paint(letters), paint(behind) if behind else Paint(WHITE)
    if ink is None or paper is None:
        return False
    ground = paper.over(WHITE)
    pairs = zip(ink.over(ground), ground, strict=True)
    return max(abs(a - b) for a, b in pairs) < _CONTRAST


def _px(value: str) -> float:
    """A length in pixels of a screen; a word (« auto ») is a usual size."""
    found = pixels(value)
    return 16.0 if found is None else found
