"""Which declarations of a style sheet leave nothing of a text to be seen.

Sources: CSS Color 4 (values), CSS Display 3, CSS Masking 1; the ways in which sites hide text from
the eye and leave it to search engines or screen readers.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping, Sequence

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
WHITE: Colour = (255, 255, 255)
_CONTRAST = 30
"""Least difference in one primary colour between letters and what is behind them."""
_SMALLEST_PX = 2.0
_FAR_PX = -500.0
"""Further left or up than that, a text is off its page."""
_BEYOND_PX = 5_000.0
"""Further right or down than that, no one looks for a text."""
_FAINTEST = 0.1
_NAMED = {
    "white": WHITE, "snow": (255, 250, 250), "ivory": (255, 255, 240), "azure": (240, 255, 255),
    "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245), "mintcream": (245, 255, 250),
    "floralwhite": (255, 250, 240), "aliceblue": (240, 248, 255), "seashell": (255, 245, 238),
    "honeydew": (240, 255, 240), "oldlace": (253, 245, 230), "linen": (250, 240, 230),
    "black": (0, 0, 0), "silver": (192, 192, 192), "gray": (128, 128, 128), "red": (255, 0, 0),
    "grey": (128, 128, 128), "maroon": (128, 0, 0), "purple": (128, 0, 128), "lime": (0, 255, 0),
    "fuchsia": (255, 0, 255), "green": (0, 128, 0), "olive": (128, 128, 0), "navy": (0, 0, 128),
    "yellow": (255, 255, 0), "blue": (0, 0, 255), "teal": (0, 128, 128), "aqua": (0, 255, 255),
    "orange": (255, 165, 0), "lightyellow": (255, 255, 224), "lavenderblush": (255, 240, 245),
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_RGB = re.compile(r"rgba?\(([^)]*)\)")
_HSL = re.compile(r"hsla?\(([^)]*)\)")
_LENGTH = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|%|vw|vh|cm|mm)?")
_PX = {"pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16, "vw": 10.0, "vh": 10.0, "cm": 38.0,
       "mm": 3.8}  # fmt: skip
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
        or _number(style.get("opacity", "1")) < _FAINTEST
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


def colour(value: str) -> Colour | None:
    """A colour that can be told; ``None`` of one by another name, a variable, a picture."""
    value = value.strip().lower()
    if found := _HEX.fullmatch(value):
        digits = found[1]
        if len(digits) in {3, 4}:
            digits = "".join(2 * digit for digit in digits)
        return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6].ljust(2, "0"), 16))
    if found := _RGB.fullmatch(value):
        parts = re.findall(r"[\d.]+%?", found[1])[:3]
        levels = [float(p.rstrip("%")) * (2.55 if "%" in p else 1) for p in parts]
        return (int(levels[0]), int(levels[1]), int(levels[2])) if len(levels) == 3 else None
    if found := _HSL.fullmatch(value):
        return _of_hue(re.findall(r"[\d.]+", found[1])[:3])
    return _NAMED.get(value)


def _of_hue(parts: Sequence[str]) -> Colour | None:
    """A colour by hue (degrees), saturation and lightness (percent)."""
    if len(parts) != 3:
        return None
    hue, saturation, lightness = map(float, parts)
    shares = colorsys.hls_to_rgb(
        hue / 360 % 1, min(lightness, 100) / 100, min(saturation, 100) / 100
    )
    red, green, blue = (round(255 * share) for share in shares)
    return (red, green, blue)


def set_colour(value: str) -> str:
    """A colour that is set here, empty when it is that of the text around."""
    return "" if value in _INHERITED else value


def background(style: Mapping[str, str]) -> str:
    """The colour a rule lays behind text, or all it says when that is none; empty: nothing."""
    for name in ("background-color", "background", "background-image"):
        value = style.get(name, "")
        if value in _INHERITED or is_clear(value):
            continue
        plain = "" if "(" in _RGB.sub("", value) else value
        told = (part for part in re.findall(r"rgba?\([^)]*\)|\S+", plain) if colour(part))
        return next(told, value)
    return ""


def is_clear(value: str) -> bool:
    """Whether a colour lets all of what is behind it through."""
    value = value.strip().lower()
    if value == "transparent" or (value.startswith("#") and value[-2:] == "00" and len(value) == 9):
        return True
    found = _RGB.fullmatch(value)
    parts = re.findall(r"[\d.]+%?", found[1]) if found else []
    return len(parts) == 4 and _number(parts[3]) < _FAINTEST


def is_lost(letters: str, behind: str) -> bool:
    """Whether letters of a colour cannot be told from their background; empty: nothing is set."""
    if not letters:
        return False
    if is_clear(letters):
        return True
    if letters.strip().lower() == behind.strip().lower():
        return True
    one, other = colour(letters), colour(behind) if behind else WHITE
    if one is None or other is None:
        return False
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < _CONTRAST


def _number(value: str) -> float:
    found = _LENGTH.match(value)
    if found is None:
        return 1.0
    return float(found[1]) / (100 if found[2] == "%" else 1)


def _px(value: str) -> float:
    """A length in pixels of a screen; a word (« auto ») is a usual size."""
    found = _LENGTH.fullmatch(value)
    return float(found[1]) * _PX.get(found[2] or "px", 1.0) if found else 16.0
