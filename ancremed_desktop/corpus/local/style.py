"""Which elements of a page are struck, hidden, raised or lowered: by tag, attribute and style."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import html

from ancremed_desktop.corpus.local.unseen import (
    background,
    declarations,
    is_lost,
    is_unseen,
    set_colour,
)
from ancremed_desktop.corpus.omitted import HIDDEN, STRUCK, TURNED

_STRUCK_TAGS = frozenset("del s strike".split())
_SHIFTS = {"sup": "super", "sub": "sub"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"([a-z][\w-]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Look:
    """What a list of declarations does to text. ``why``: it is struck or hidden, or empty."""

    why: str = ""
    shift: str = ""
    letters: str = ""
    behind: str = ""


class Styles:
    """The style sheets inside a page, read for what changes or hides its words.

    A rule counts for every element that its last simple selector fits: where it stands is not
    looked at, so that a paragraph may be refused too often, never too seldom.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: list[tuple[str, frozenset[str], _Look]] = []
        self._known: dict[tuple[str, ...], tuple[_Look, ...]] = {}
        for sheet in sheets:
            for selectors, body in _RULE.findall(_COMMENT.sub("", sheet)):
                look = _read(body)
                if look != _Look():
                    self._rules += [
                        (*simple, look) for one in selectors.split(",") for simple in _last(one)
                    ]

    def objection(self, element: html.HtmlElement) -> str:
        """Why what an element holds cannot be taken as it reads (French), or empty."""
        if element.tag in _STRUCK_TAGS:
            return STRUCK
        if element.get("hidden") is not None or _is_shut(element):
            return HIDDEN
        if element.tag == "bdo" or element.get("dir", "").lower() == "rtl":
            return TURNED
        found = next((look.why for look in self._looks(element) if look.why), "")
        return found or (HIDDEN if _has_words(element) and self._is_lost(element) else "")

    def shift(self, element: html.HtmlElement) -> str:
        """« super », « sub » or empty: where an element sets its text."""
        own, *sheets = self._looks(element)
        found = (look.shift for look in sheets if look.shift)
        return own.shift or _SHIFTS.get(element.tag, "") or next(found, "")

    def _looks(self, element: html.HtmlElement) -> tuple[_Look, ...]:
        """What its own style does to an element, then each rule that fits it."""
        names = [element.get(name) or "" for name in ("style", "class", "id")]
        key = (str(element.tag), *names)
        if key not in self._known:
            marks = {f".{name}" for name in names[1].split()} | {f"#{names[2]}"}
            fits = (k for t, wanted, k in self._rules if t in {"", key[0]} and wanted <= marks)
            self._known[key] = (_read(_COMMENT.sub("", names[0])), *fits)
        return self._known[key]

    def _is_lost(self, element: html.HtmlElement) -> bool:
        """Whether the words of an element have the colour of what is behind them."""
        letters = behind = ""
        for around in (element, *element.iterancestors()):
            looks = self._looks(around)
            if not letters:
                letters = next((k.letters for k in looks if k.letters), "")
                letters = letters or around.get("color") or around.get("text") or ""
            if not behind:
                behind = next((k.behind for k in looks if k.behind), "")
                behind = behind or around.get("bgcolor") or around.get("background") or ""
        return is_lost(letters, behind)


def _read(body: str) -> _Look:
    """What a list of declarations does to text."""
    if not body:
        return _Look()
    style = declarations(body)
    struck = any("line-through" in v for n, v in style.items() if n.startswith("text-decoration"))
    turned = style.get("direction") == "rtl" or "override" in style.get("unicode-bidi", "")
    shift = style.get("vertical-align", "")
    return _Look(
        why=STRUCK if struck else TURNED if turned else HIDDEN if is_unseen(style) else "",
        shift=shift if shift in _SHIFTS.values() else "",
        letters=set_colour(style.get("color", "")),
        behind=background(style),
    )


def _is_shut(element: html.HtmlElement) -> bool:
    """Whether an element is a dialogue that is not open."""
    return bool(element.tag == "dialog" and element.get("open") is None)


def _has_words(element: html.HtmlElement) -> bool:
    """Whether an element holds words itself, not in others alone."""
    own = (element.text, *(child.tail for child in element))
    return any(text and text.strip() for text in own)


def _last(selector: str) -> Iterable[tuple[str, frozenset[str]]]:
    """The last simple selector as (tag, classes and identifiers); none when it is a state."""
    words = selector.replace(">", " ").replace("+", " ").replace("~", " ").split()
    simple = _SIMPLE.fullmatch(words[-1]) if words else None
    if simple and words[-1]:
        yield (simple[1] or "").lower(), frozenset(re.findall(r"[.#][\w-]+", simple[2]))
