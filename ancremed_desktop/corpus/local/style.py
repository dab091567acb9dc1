"""Which elements of a page are struck, hidden, raised or lowered: by tag, attribute and style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lxml import html

from ancremed_desktop.corpus.local.selectors import Selector, is_under, selectors_of
from ancremed_desktop.corpus.local.unseen import (
    background,
    declarations,
    is_lost,
    is_unseen,
    letters_of,
    set_colour,
    written,
)
from ancremed_desktop.corpus.omitted import HIDDEN, STRUCK, STYLED, TURNED

_STRUCK_TAGS = frozenset("del s strike".split())
_SHIFTS = {"sup": "super", "sub": "sub"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VALUE = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]+)")
_DEEPEST = 3
"""How often a variable may name another."""
_USE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")


@dataclass(frozen=True, slots=True)
class _Look:
    """What a list of declarations does to text. ``why``: it is struck or hidden, or empty."""

    why: str = ""
    shift: str = ""
    letters: str = ""
    behind: str = ""


class Styles:
    """The style sheets inside a page, read for what changes or hides its words.

    A paragraph may be refused too often, never too seldom: rules of all media and sizes count.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        text = _COMMENT.sub("", "\n".join(sheets))
        # The first: a later one is of the dark theme or of paper.
        self._values: dict[str, str] = dict(reversed(_VALUE.findall(text)))
        self._rules: list[tuple[Selector, _Look]] = []
        self._fitting: dict[tuple[str | None, ...], list[tuple[Selector, _Look]]] = {}
        self._looked: dict[html.HtmlElement, tuple[_Look, ...]] = {}
        for heads, body in _RULE.findall(text):
            style = declarations(self._resolved(body))
            looks = (_read(style), _read_beside(style))
            for selector in selectors_of(heads.rpartition(";")[2]):
                look = looks[selector[-1].beside]
                if look != _Look():
                    self._rules.append((selector, look))

    def _resolved(self, body: str) -> str:
        """Declarations with the values of their variables in place."""
        for _ in range(_DEEPEST):
            body = _USE.sub(lambda use: self._values.get(use[1], use[2] or ""), body)
        return body

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
        if element not in self._looked:
            style = self._resolved(_COMMENT.sub("", element.get("style") or ""))
            own = _read(declarations(style))
            sheets = (
                look for selector, look in self._alike(element) if is_under(selector, element)
            )
            self._looked[element] = (own, *sheets)
        return self._looked[element]

    def _alike(self, element: html.HtmlElement) -> list[tuple[Selector, _Look]]:
        """The rules whose last compound selector fits an element, the same for many of them."""
        key = (element.tag, element.get("class"), element.get("id"), *element.attrib)
        if key not in self._fitting:
            self._fitting[key] = [rule for rule in self._rules if rule[0][-1].fits(element)]
        return self._fitting[key]

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


def _read(style: Mapping[str, str]) -> _Look:
    """What declarations do to the text of an element."""
    if not style:
        return _Look()
    struck = any("line-through" in v for n, v in style.items() if n.startswith("text-decoration"))
    turned = style.get("direction") == "rtl" or "override" in style.get("unicode-bidi", "")
    shift = style.get("vertical-align", "")
    return _Look(
        why=STRUCK if struck else TURNED if turned else HIDDEN if is_unseen(style) else "",
        shift=shift if shift in _SHIFTS.values() else "",
        letters=set_colour(letters_of(style)),
        behind=background(style),
    )


def _read_beside(style: Mapping[str, str]) -> _Look:
    """What declarations of what stands before or after an element add to it."""
    return _Look(why=STYLED if written(style) and not is_unseen(style) else "")


def _is_shut(element: html.HtmlElement) -> bool:
    """Whether an element is a dialogue that is not open."""
    return bool(element.tag == "dialog" and element.get("open") is None)


def _has_words(element: html.HtmlElement) -> bool:
    """Whether an element holds words itself, not in others alone."""
    own = (element.text, *(child.tail for child in element))
    return any(text and text.strip() for text in own)
