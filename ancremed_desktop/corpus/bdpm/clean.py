"""Turns a raw BDPM field into plain text: padding, HTML, entities, lost characters.

What cannot be repaired without guessing is kept as it is and counted (``LOST``).
"""

from __future__ import annotations

import html
import re

LOST = "¿"
"""Stands in the files for a character their export could not write (apostrophe, œ, bullet, >)."""

_BREAK = re.compile(r"(?:\s*</?(?:br|p|li|ul|ol|div)\s*/?>\s*)+", re.IGNORECASE)
# A tag name must follow the angle bracket at once: « < 1,2 UI/L. » is text.
_INLINE_TAG = re.compile(r"</?(?:b|i|u|em|strong|span|font|a)(?:\s[^<>]*)?>", re.IGNORECASE)
_RAISED = re.compile(r"<(su[pb])>([^<>]*)</\1>", re.IGNORECASE)
_CUT_TAG = re.compile(r"<(?:/|/?b|/?br)?$", re.IGNORECASE)
_ENTITY = re.compile(r"&(#\d{1,6}|#[xX][0-9a-fA-F]{1,5}|[A-Za-z]{2,10}\d{0,2});")
_BULLET = re.compile(r"(?:[-–—•·*.?](?=[\s\xad?•]|[^\W\d])|[¿\xad]|\s)+")
_SUPERSCRIPT = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_SUBSCRIPT = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")

_LETTER = "a-zA-ZàâéèêëîïôùûüçœæÀÂÉÈÊËÎÏÔÙÛÜÇŒÆ"
_OE_WORDS = (
    r"cœurs?\b", r"sœurs?\b", r"chœurs?\b", r"nœuds?\b", r"vœux?\b", r"bœufs?\b", r"œufs?\b",
    r"mœurs\b", r"œil\b", "œillet", "œuvre", "manœuvre", "œdème", "œdémat", "œsophag",
    "œstrogèn", "œstradiol", "fœtus", "fœtal", "fœto",
)  # fmt: skip
_LOST_OE = re.compile(
    rf"(?<![{_LETTER}])(?:{'|'.join(word.replace('œ', LOST) for word in _OE_WORDS)})",
    re.IGNORECASE,
)
_ELISION = re.compile(
    rf"(?<![{_LETTER}])([ldnjmtsc]|qu|jusqu|lorsqu|puisqu|quelqu)¿(?=[haeiouyàâéèêëîïôùûœ])",
    re.IGNORECASE,
)
_SPACED_STOP = re.compile(r"\s+([.,])(?=\s|$)")
_GLUED_STOP = re.compile(r"\s\.(?=[A-ZÀ-Ý][a-zà-ÿ])")
# These exports write a lost semicolon as « . » between spaces.
_LOST_SEMICOLON = re.compile(r"\s+\.\s+(?=[a-zà-ÿ0-9\[(])")
_PADDED = re.compile(r"(?<=\()\s+|\s+(?=\))|\s+(?=,\s)")
_EQUALS = re.compile(r"([^\s(\[]*)\s*=\s*[-+]?\d")
_STATISTICS = frozenset("p n hr or rr irr shr ahr rdi ic ou delta".split())


def clean_field(raw: str) -> str:
    """Plain text on one line: no padding, no HTML, single spaces.

    Line breaks become sentence or list punctuation, so that a list stays one quotable sentence:
    « cas suivants :<br>- A<br>- B » gives « cas suivants : A ; B ».
    """
    text = " ".join(raw.split())
    if "( " in text or " )" in text or " ," in text:
        text = _PADDED.sub("", text)
    if " ." in text:
        text = _GLUED_STOP.sub(". ", text)
    if "<" not in text and "&" not in text and LOST not in text and "\xad" not in text:
        return text
    text = _CUT_TAG.sub("", text)
    text = _RAISED.sub(_raised, text)
    text = _INLINE_TAG.sub("", text)
    text = _join_lines(_BREAK.split(text))
    text = _ENTITY.sub(_entity, text).replace("\xad", "")
    if LOST in text:
        text = repair_lost(text)
    return " ".join(text.split())


def tidy_prose(text: str) -> str:
    """A cleaned opinion without the quotes around it and the spaces before its full stops."""
    spaced = text.startswith('" ') and text.endswith(' "')
    if spaced or (text.startswith('"') and text.endswith('"') and text.count('"') == 2):
        text = text[1:-1].strip()
    elif text.startswith('"') and text.count('"') == 1:
        text = text[1:].strip()
    text = _LOST_SEMICOLON.sub(" ; ", text)
    return _SPACED_STOP.sub(r"\1", text)


def hides_comparison(text: str) -> bool:
    """Whether « = » before a number may stand for ≥ or ≤.

    windows-1252 has neither sign: its exports wrote « enfants (= 12 ans) » and « FEVG = 35 % ».
    Statistics (p, n, HR…) are let through, as is « < ou = ».
    """
    return any(found[1].lower() not in _STATISTICS for found in _EQUALS.finditer(text))


def repair_lost(text: str) -> str:
    """Repair « ¿ » only where one reading exists: œ in a closed list of words, an elision."""
    whole_words = _LOST_OE.sub(lambda found: found[0].replace(LOST, "œ"), text)
    return _ELISION.sub(r"\1’", whole_words)


def _raised(found: re.Match[str]) -> str:
    table = _SUPERSCRIPT if found[1].lower() == "sup" else _SUBSCRIPT
    return found[2].translate(table)


def _entity(found: re.Match[str]) -> str:
    for candidate in (found[0], found[0].lower()):
        resolved = html.unescape(candidate)
        if resolved != candidate:
            return resolved
    return found[0]


def _join_lines(lines: list[str]) -> str:
    out = ""
    for raw in lines:
        bullet = _BULLET.match(raw)
        line = raw[bullet.end() :] if bullet else raw
        if not line:
            continue
        listed = bullet is not None and bool(bullet[0].strip())
        out = out + _glue(out, listed=listed, capital=line[0].isupper()) + line if out else line
    return out


def _glue(before: str, *, listed: bool, capital: bool) -> str:
    """What replaces a line break."""
    if before.rstrip()[-1] in ":;,.!?(…":
        return " "
    if listed:
        return " ; "
    return ". " if capital else " "
