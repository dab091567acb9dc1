"""Colours as style sheets write them: names, functions, mixtures.

Source: CSS Color 4 and 5 (syntax, OKLab and Lab matrices, system colours).
"""

from __future__ import annotations

import colorsys
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from ancremed_desktop.corpus.local.lengths import number

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


class Paint(NamedTuple):
    """A colour and how much of what is behind it it covers (0 to 1)."""

    colour: Colour
    cover: float = 1.0

    def over(self, behind: Colour) -> Colour:
        """What one sees of it on a colour."""
        pairs = zip(self.colour, behind, strict=True)
        red, green, blue = (round(self.cover * a + (1 - self.cover) * b) for a, b in pairs)
        return (red, green, blue)


_NAMES = """
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc
    bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a
    burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50
    cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan
    008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki
    bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred
    8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f
    darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue
    00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0
    forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod
    daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink
    ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
    lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
    lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey
    d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa
    lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime
    00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa
    mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
    mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred
    c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite
    ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered
    ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee
    palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
    powderblue b0e0e6 purple 800080 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown
    8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver
    c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa
    springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347
    turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00
    yellowgreen 9acd32 rebeccapurple 663399
""".split()
_NAMED = {
    name: (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    for name, digits in zip(_NAMES[::2], _NAMES[1::2], strict=True)
}
_SYSTEM = dict.fromkeys(
    "canvas window field buttonface threedface menu infobackground background buttonhighlight "
    "threedhighlight threedlightshadow scrollbar highlighttext".split(), WHITE
) | dict.fromkeys(
    "canvastext windowtext fieldtext buttontext menutext infotext captiontext".split(), BLACK
)  # fmt: skip
"""Colours of the reader's system, as a light one sets them."""
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_FUNCTION = re.compile(r"([a-z-]+)\((.*)\)", re.DOTALL)
_ARGUMENTS = re.compile(r",(?![^(]*\))")
_SHARE = re.compile(r"\s(\d*\.?\d+)%\s*$|^\s*(\d*\.?\d+)%\s")
_MADE = frozenset(
    "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark contrast-color "
    "device-cmyk var".split()
)
_SPACES = frozenset({"srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020"})
"""Near enough to one another to tell letters from paper."""
_FULL = {"lab": (100, 125), "lch": (100, 150), "oklab": (1, 0.4), "oklch": (1, 0.4)}
"""What 100 % of lightness and of the other axes stands for."""


def paint(value: str) -> Paint | None:
    """A colour that can be told; ``None`` of another name, a picture, a relative colour."""
    value = value.strip().lower()
    if value == "transparent":
        return Paint(BLACK, 0.0)
    if found := _HEX.fullmatch(value):
        return _of_digits(found[1])
    if found := _FUNCTION.fullmatch(value):
        return _made(found[1], found[2].strip())
    known = _NAMED.get(value) or _SYSTEM.get(value)
    return Paint(known) if known else None


def is_undecided(value: str) -> bool:
    """Whether a value makes a colour that cannot be told: a browser that can draws it."""
    found = _FUNCTION.fullmatch(value.strip().lower())
    return found is not None and found[1] in _MADE and paint(value) is None


def _of_digits(digits: str) -> Paint | None:
    if len(digits) in {3, 4}:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) not in {6, 8}:
        return None
    red, green, blue, cover = (int(digits[n : n + 2] or "ff", 16) for n in (0, 2, 4, 6))
    return Paint((red, green, blue), cover / 255)


def _made(name: str, inner: str) -> Paint | None:
    if name == "color-mix":
        return _mixed(inner)
    if name == "light-dark":  # pages are read as on paper
        return paint(_ARGUMENTS.split(inner)[0])
    plain, _slash, cover = inner.partition("/")
    parts = re.split(r"[\s,]+", plain.strip())
    if name == "color":
        space, *parts = parts
        name = "rgb" if space in _SPACES else ""
        parts = [f"{100 * share}%" for share in map(number, parts) if share is not None]
    if len(parts) == 4 and not cover:
        cover = parts.pop()
    covered = number(cover) if cover else 1.0
    try:
        made = _of_parts(name, parts)
    except ValueError:
        return None
    return None if made is None or covered is None else Paint(made, min(max(covered, 0), 1))


def _of_parts(name: str, parts: Sequence[str]) -> Colour | None:
    """A colour by its function and three values. Raises: ValueError when one is no number."""
    if len(parts) != 3:
        return None
    name = name.removesuffix("a") if name in {"rgba", "hsla"} else name
    if name == "rgb":
        red, green, blue = (_value(p, 255) / 255 for p in parts)
        return _levels(red, green, blue)
    if name in {"hsl", "hwb"}:
        hue = _value(parts[0].removesuffix("deg"), 360) / 360 % 1
        second, third = (_value(p if "%" in p else f"{p}%", 1) for p in parts[1:])
        if name == "hsl":
            return _levels(*colorsys.hls_to_rgb(hue, min(third, 1), min(second, 1)))
        pure = colorsys.hsv_to_rgb(hue, 1, 1)
        grey = max(second + third, 1)
        red, green, blue = (c * (1 - (second + third) / grey) + second / grey for c in pure)
        return _levels(red, green, blue)
    if name not in _FULL:
        return None
    most, other = _FULL[name]
    light, first = _value(parts[0], most), _value(parts[1], other)
    second = _value(parts[2].removesuffix("deg"), 360 if name.endswith("ch") else other)
    if name.endswith("ch"):
        angle = math.radians(second)
        first, second = first * math.cos(angle), first * math.sin(angle)
    return _of_oklab(light, first, second) if most == 1 else _of_lab(light, first, second)


def _value(part: str, whole: float) -> float:
    if part == "none":
        return 0.0
    found = number(part)
    if found is None:
        raise ValueError(part)
    return found * whole if "%" in part else found


def _levels(red: float, green: float, blue: float) -> Colour:
    one, two, three = (round(255 * min(max(share, 0), 1)) for share in (red, green, blue))
    return (one, two, three)


def _of_oklab(light: float, a: float, b: float) -> Colour:
    long, medium, short = (
        (light + x * a + y * b) ** 3
        for x, y in (
            (0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728),
            (-0.0894841775, -1.2914855480),
        )
    )  # fmt: skip
    return _of_light(
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _of_lab(light: float, a: float, b: float) -> Colour:
    middle = (light + 16) / 116
    x, y, z = (
        part**3 if part**3 > 216 / 24389 else (116 * part - 16) * 27 / 24389
        for part in (middle + a / 500, middle, middle - b / 200)
    )
    x, z = 0.96422 * x, 0.82521 * z  # the white of D50
    return _of_light(
        3.1338561 * x - 1.6168667 * y - 0.4906146 * z,
        -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
        0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
    )


def _of_light(*linear: float) -> Colour:
    red, green, blue = (
        12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in linear
    )
    return _levels(red, green, blue)


def _mixed(inner: str) -> Paint | None:
    """Two colours mixed by their shares, in sRGB whatever the space: near enough."""
    parts = _ARGUMENTS.split(inner)
    if len(parts) != 3:
        return None
    told = [_SHARE.search(f" {part.strip()} ") for part in parts[1:]]
    paints = [paint(_SHARE.sub(" ", f" {part.strip()} ")) for part in parts[1:]]
    one, two = paints
    if one is None or two is None:
        return None
    first, second = (float(t[1] or t[2]) / 100 if t else None for t in told)
    if first is None:
        first = 0.5 if second is None else 1 - second
    second = 1 - first if second is None else second
    total = first + second
    if not total:
        return None
    cover = (first * one.cover + second * two.cover) / total
    if not cover:
        return Paint(BLACK, 0.0)
    weights = first * one.cover / total / cover, second * two.cover / total / cover
    red, green, blue = (
        round(weights[0] * a + weights[1] * b) for a, b in zip(one.colour, two.colour, strict=True)
    )
    return Paint((red, green, blue), min(cover * min(total, 1), 1))
