"""Turns the runs of a line into text whose figures are right.

A note call is dropped (``5¹ mg`` is five milligrams with a note, never 51 mg), a power keeps its
raised characters (``10⁹/L``), a letter raised for style stays a letter (``1re``, ``Dr``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Sequence

from ancremed_desktop.corpus.pdf.layout import Line, Run

_RAISED = str.maketrans("0123456789+-−–()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾")
_POWER_OF_TEN = re.compile(r"(?:[×x*·.]\s?|\b)10$")
_MULTIPLIED_TEN = re.compile(r"[×x*·]\s?10$")
_COUNTED = re.compile(
    r"\s?(?:/|[µm]?[lL]\b|UI\b|UFC\b|CFU\b|copies|cellules|plaquettes|germes|g[eé]nomes)"
)
_LENGTH = re.compile(r"(?:^|[^A-Za-zÀ-ÿ])[kcdmµn]?m$")
_CALL = re.compile(r"[\d\s,;–\-()*†‡§#¶¥]+|[a-d]")
_SIGNED = re.compile(r"[+\-−–]\d{1,2}|\d{0,2}[+\-−–]")
_CHARGED = re.compile(r"(?:Na|K|Ca|Mg|Cl|H|Fe|Li|Zn|Cu|HCO3|CD\d+|ST)$")

SYMBOL = {
    0x2B: "+", 0x2D: "−", 0x3C: "<", 0x3D: "=", 0x3E: ">", 0x61: "α", 0x62: "β", 0x64: "δ",
    0x67: "γ", 0x6C: "λ", 0x6D: "µ", 0x44: "Δ", 0xA3: "≤", 0xA5: "∞", 0xA9: "♥", 0xAB: "↔",
    0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×",
    0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xDE: "⇒",
    0xE8: "™",
}  # fmt: skip
"""Adobe Symbol encoding, as found at U+F000 + code in PDF text layers."""
_PICTURES = {0xFC: "✓", 0xFB: "✗", 0xE0: "→", 0xE8: "→", 0xF0: "→", 0xD8: "➢"}
"""Wingdings codes with a meaning of their own; every other picture is taken as a bullet."""
_PICTURE_FALLBACK = "•"
_REGISTERED = {0xF6DA: "®", 0xF6D9: "©", 0xF6DB: "™", 0xF8E8: "®", 0xF8E9: "©", 0xF8EA: "™"}
"""Adobe corporate-use code points of the serif and sans marks."""

_BULLET_ONLY = re.compile(r"\s*(?:[•·▪■●○◦‣∙►▶➢✓□❖→´–—−\-o*]|\d{1,2}[.)]|[a-z]\))\s*")
_BULLET_START = re.compile(r"\s*(?:[•▪■●○◦‣∙►▶➢✓□❖→´]\s*|[·–—−\-*]\s+|o\s{2,}|[a-z]\)\s+)(?=\S)")
_SPACES = re.compile(r"[ \t\r\n\f\v\u2000-\u200a\u202f\u205f\u3000]+")
_SOFT_HYPHEN = re.compile(r"\u00ad ?(?=[^\W\d_])|\u00ad(?=.)")
"""Inside a line a soft hyphen says nothing; at its end it marks a cut word (``join_lines``)."""
_DROPPED = re.compile(
    r"[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060\ufeff]"
)

_KEPT_HYPHEN = frozenset(
    "contre non sous demi semi mi ex anti-inflammatoire celui celle ceux celles peut est dit au "
    "vis avant après entre quasi ci là grand porte rendez moyen moins quelques lui elle eux soi "
    "nous vous presque outre plus".split()
)
_HYPHENS = "-\u00ad‐"
_LAST_WORD = re.compile(r"([A-Za-zÀ-ÿœŒæÆ’'-]+)$")
_FIRST_WORD = re.compile(r"([A-Za-zÀ-ÿœŒæÆ]+)")


def line_text(line: Line) -> str:
    """Text of a line: glyphs repaired, note calls dropped, powers kept; NFC, single spaces."""
    return clean(render_runs(line.runs))


def starts_with_call(line: Line) -> bool:
    """Whether the line opens with a raised mark: the text of a foot note."""
    first = next((run for run in line.runs if run.text.strip()), None)
    return (
        first is not None
        and first is not line.main
        and _is_raised(first, line.main)
        and bool(_CALL.fullmatch(first.text.strip()))
    )


def render_runs(runs: Sequence[Run]) -> str:
    """Text of consecutive runs, spaces as drawn, raised runs resolved."""
    lettered = [run for run in runs if run.text.strip()]
    if not lettered:
        return " "
    main = max(lettered, key=lambda run: (len(run.text.strip()), run.size))
    text, position = "", 0
    while position < len(runs):
        run = runs[position]
        position += 1
        if run is main or not run.text.strip() or not _is_raised(run, main):
            text += _gap(runs, position - 1) + _repair(run)
            continue
        raised = _repair(run)
        while (
            position < len(runs)
            and _is_raised(runs[position], main)
            and runs[position].text.strip()
        ):
            raised += _repair(runs[position])
            position += 1
        following = _repair(runs[position]) if position < len(runs) else ""
        text += _raised_text(text, raised, following)
    return text


def _gap(runs: Sequence[Run], position: int) -> str:
    """A space where the page leaves room between two runs and none was drawn."""
    if not position:
        return ""
    left, right = runs[position - 1], runs[position]
    if left.text.endswith((" ", "\u00a0")) or right.text.startswith((" ", "\u00a0")):
        return ""
    return " " if right.x0 - left.x1 > 0.18 * min(left.size, right.size) else ""


def _is_raised(run: Run, main: Run) -> bool:
    rise = (main.baseline - run.baseline) / main.size
    return 0.15 < rise < 0.9 and (run.size < 0.9 * main.size or rise > 0.3)


def _raised_text(before: str, raised: str, following: str) -> str:
    mark = raised.strip()
    tail = " " if raised.endswith((" ", "\u00a0")) else ""
    if mark.isdigit():
        if _LENGTH.search(before) and mark in {"2", "3"}:
            return mark.translate(_RAISED) + tail
        if _MULTIPLIED_TEN.search(before) or (
            _POWER_OF_TEN.search(before) and (_COUNTED.match(following) or not following.strip())
        ):
            return mark.translate(_RAISED) + tail
        return tail
    if _SIGNED.fullmatch(mark) and (any(map(str.isdigit, mark)) or _CHARGED.search(before)):
        return mark.translate(_RAISED) + tail
    if _CALL.fullmatch(mark):
        return tail
    return raised


def _repair(run: Run) -> str:
    """Characters of symbol fonts as Unicode; what is unknown stays U+FFFD and is not trusted."""
    text = run.text
    if not run.picture_font and not any("\ue000" <= c <= "\uf8ff" for c in text):
        return text
    return "".join(_repair_char(char, run) for char in text)


def _repair_char(char: str, run: Run) -> str:
    code = ord(char)
    if code in _REGISTERED:
        return _REGISTERED[code]
    if run.picture_font:
        if char.isspace():
            return char
        return _PICTURES.get(code & 0xFF, _PICTURE_FALLBACK)
    if 0xF000 <= code <= 0xF0FF:
        if run.symbol_font:
            return SYMBOL.get(code - 0xF000, "\ufffd")
        return _PICTURES.get(code - 0xF000, _PICTURE_FALLBACK)
    return "\ufffd" if "\ue000" <= char <= "\uf8ff" else char


def clean(text: str) -> str:
    """NFC, one space for runs of white space, no control or invisible character."""
    text = _SOFT_HYPHEN.sub("", _DROPPED.sub("", text))
    return unicodedata.normalize("NFC", _SPACES.sub(" ", text)).strip(" ")


def is_bullet(text: str) -> bool:
    """Whether a line holds nothing but a list mark."""
    return bool(_BULLET_ONLY.fullmatch(text))


def starts_item(text: str) -> bool:
    """Whether a line opens a list item."""
    return bool(_BULLET_START.match(text))


def join_lines(left: str, right: str, vocabulary: Container[str]) -> str:
    """Two lines of one paragraph as one, the word cut between them made whole.

    ``vocabulary``: lower-case words of the document, which tell ``fé-/condation`` (a cut word)
    from ``contre-/indication`` (a compound). Two numbers are never joined: the mark between
    them stays.
    """
    if not left or not right:
        return left + right
    if left[-1] not in _HYPHENS or len(left) < 2 or left[-2].isspace():
        return f"{left} {right}"
    if not (left[-2].isalpha() and right[0].isalpha()):
        return left[:-1] + "-" + right
    if left[-1] == "\u00ad" or _is_cut_word(left[:-1], right, vocabulary):
        return left[:-1] + right
    return left[:-1] + "-" + right


def _is_cut_word(left: str, right: str, vocabulary: Container[str]) -> bool:
    head, tail = _LAST_WORD.search(left), _FIRST_WORD.match(right)
    if head is None or tail is None:
        return False
    first, second = head.group(1).lower(), tail.group(1).lower()
    if f"{first}-{second}" in vocabulary:
        return False
    if first + second in vocabulary:
        return True
    if not right[0].islower():
        return False
    return first.rsplit("-", 1)[-1].rsplit("’", 1)[-1] not in _KEPT_HYPHEN
