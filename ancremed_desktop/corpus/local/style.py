"""Which elements of a page are struck, hidden, raised or lowered: by tag, attribute and style."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml import html

from ancremed_desktop.corpus.omitted import HIDDEN, STRUCK

_STRUCK_TAGS = frozenset("del s strike".split())
_SHIFTS = {"sup": "super", "sub": "sub"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"([a-z][\w-]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_STRIKES = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden"
    r"|(?:font-size|opacity)\s*:\s*0(?:\.0*)?(?![.\d])",
    re.IGNORECASE,
)
_VERTICAL = re.compile(r"vertical-align\s*:\s*(super|sub)\b", re.IGNORECASE)


class Styles:
    """The style sheets inside a page, read for what changes or hides its words.

    A rule counts for every element that its last simple selector fits: where it stands is not
    looked at, so that a paragraph may be refused too often, never too seldom.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._rules: list[tuple[str, frozenset[str], str, str]] = []
        for sheet in sheets:
            for selectors, body in _RULE.findall(_COMMENT.sub("", sheet)):
                why, shift = _read(body)
                if why or shift:
                    self._rules += [
                        (*simple, why, shift)
                        for one in selectors.split(",")
                        for simple in _last(one)
                    ]

    def objection(self, element: html.HtmlElement) -> str:
        """Why what an element holds cannot be taken as it reads (French), or empty."""
        if element.tag in _STRUCK_TAGS:
            return STRUCK
        if element.get("hidden") is not None:
            return HIDDEN
        own, _shift = _read(_COMMENT.sub("", element.get("style") or ""))
        return own or next((why for why, _s in self._of_sheets(element) if why), "")

    def shift(self, element: html.HtmlElement) -> str:
        """« super », « sub » or empty: where an element sets its text."""
        _why, own = _read(_COMMENT.sub("", element.get("style") or ""))
        sheets = (shift for _w, shift in self._of_sheets(element) if shift)
        return own or _SHIFTS.get(element.tag, "") or next(sheets, "")

    def _of_sheets(self, element: html.HtmlElement) -> Iterable[tuple[str, str]]:
        if not self._rules:
            return
        marks = {f".{name}" for name in (element.get("class") or "").split()}
        marks.add(f"#{element.get('id') or ''}")
        for tag, wanted, why, shift in self._rules:
            if tag in {"", element.tag} and wanted <= marks:
                yield why, shift


def _read(body: str) -> tuple[str, str]:
    """(why the text is not taken, how it is shifted) by a list of declarations."""
    why = STRUCK if _STRIKES.search(body) else HIDDEN if _HIDES.search(body) else ""
    found = _VERTICAL.search(body)
    return why, found[1].lower() if found else ""


def _last(selector: str) -> Iterable[tuple[str, frozenset[str]]]:
    """The last simple selector as (tag, classes and identifiers); none when it is a state."""
    words = selector.replace(">", " ").replace("+", " ").replace("~", " ").split()
    simple = _SIMPLE.fullmatch(words[-1]) if words else None
    if simple and words[-1]:
        yield (simple[1] or "").lower(), frozenset(re.findall(r"[.#][\w-]+", simple[2]))
