"""Which elements of a page are struck, hidden, raised or lowered: by tag, attribute and style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lxml import html

from ancremed_desktop.corpus.local.css_colours import is_undecided as is_undecided_colour
from ancremed_desktop.corpus.local.selectors import Selector, is_under, selectors_of
from ancremed_desktop.corpus.local.unseen import (
    background,
    declarations,
    is_lost,
    is_undecided,
    is_unseen,
    letters_of,
    set_colour,
    written,
)
from ancremed_desktop.corpus.omitted import HIDDEN, STRUCK, STYLED, TURNED, UNDECIDED

_STRUCK_TAGS = frozenset("del s strike".split())
_SHIFTS = {"sup": "super", "sub": "sub"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VALUE = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]+)")
_ELSEWHERE = re.compile(r"@media[^{;]*(?:prefers-color-scheme\s*:\s*dark|\bprint\b)[^{;]*\{")
_DEEPEST = 3
"""How often a variable may name another."""
_USE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")


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
    Variables have the value that the nearest element around sets, those of the dark theme and of
    paper left out; one that nothing sets leaves the colour around.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        text = _COMMENT.sub("", "\n".join(sheets))
        apart = tuple(_elsewhere(text))
        self._rules: list[tuple[Selector, _Look | str]] = []
        self._setting: list[tuple[Selector, dict[str, str]]] = []
        self._fitting: dict[tuple[str | None, ...], list[tuple[Selector, _Look | str]]] = {}
        self._looked: dict[html.HtmlElement, tuple[_Look, ...]] = {}
        self._values: dict[html.HtmlElement, dict[str, str]] = {}
        for rule in _RULE.finditer(text):
            body = rule[2]
            looks = _looks_of(body)
            values = {} if any(rule.start() in r for r in apart) else dict(_VALUE.findall(body))
            for selector in selectors_of(rule[1].rpartition(";")[2]):
                beside = selector[-1].beside
                if _USE.search(body):
                    self._rules.append((selector, body))
                elif looks[beside] != _Look():
                    self._rules.append((selector, looks[beside]))
                if values and not beside:
                    self._setting.append((selector, values))

    def _values_at(self, element: html.HtmlElement) -> dict[str, str]:
        """Variables with their values at an element: those set around it, then its own."""
        if element not in self._values:
            above = element.getparent()
            found = {} if above is None else self._values_at(above)
            own: dict[str, str] = {}
            for selector, values in self._setting:
                if selector[-1].fits(element) and is_under(selector, element):
                    own.update(values)
            own.update(_VALUE.findall(element.get("style") or ""))
            self._values[element] = {**found, **own} if own else found
        return self._values[element]

    def _resolved(self, body: str, element: html.HtmlElement) -> str:
        """Declarations with the values of their variables in place."""
        if "var(" not in body:
            return body
        values = self._values_at(element)
        for _ in range(_DEEPEST):
            body = _USE.sub(lambda use: values.get(use[1], use[2] or ""), body)
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
        return found or (self._colour_objection(element) if _has_words(element) else "")

    def shift(self, element: html.HtmlElement) -> str:
        """« super », « sub » or empty: where an element sets its text."""
        own, *sheets = self._looks(element)
        found = (look.shift for look in sheets if look.shift)
        return own.shift or _SHIFTS.get(element.tag, "") or next(found, "")

    def _looks(self, element: html.HtmlElement) -> tuple[_Look, ...]:
        """What its own style does to an element, then each rule that fits it."""
        if element not in self._looked:
            style = self._resolved(_COMMENT.sub("", element.get("style") or ""), element)
            own = _read(declarations(style))
            sheets = (
                self._look(rule, selector[-1].beside, element)
                for selector, rule in self._alike(element)
                if is_under(selector, element)
            )
            self._looked[element] = (own, *sheets)
        return self._looked[element]

    def _look(self, rule: _Look | str, beside: bool, element: html.HtmlElement) -> _Look:
        if isinstance(rule, _Look):
            return rule
        return _looks_of(self._resolved(rule, element))[beside]

    def _alike(self, element: html.HtmlElement) -> list[tuple[Selector, _Look | str]]:
        """The rules whose last compound selector fits an element, the same for many of them."""
        key = (element.tag, element.get("class"), element.get("id"), *element.attrib)
        if key not in self._fitting:
            self._fitting[key] = [rule for rule in self._rules if rule[0][-1].fits(element)]
        return self._fitting[key]

    def _colour_objection(self, element: html.HtmlElement) -> str:
        """Why the words of an element are not seen by their colour, or may not be; or empty."""
        letters = behind = ""
        for around in (element, *element.iterancestors()):
            looks = self._looks(around)
            if not letters:
                letters = next((k.letters for k in looks if k.letters), "")
                letters = letters or around.get("color") or around.get("text") or ""
            if not behind:
                behind = next((k.behind for k in looks if k.behind), "")
                behind = behind or around.get("bgcolor") or around.get("background") or ""
        if is_lost(letters, behind):
            return HIDDEN
        return UNDECIDED if is_undecided_colour(letters) else ""


def _read(style: Mapping[str, str]) -> _Look:
    """What declarations do to the text of an element."""
    if not style:
        return _Look()
    struck = any("line-through" in v for n, v in style.items() if n.startswith("text-decoration"))
    turned = style.get("direction") == "rtl" or "override" in style.get("unicode-bidi", "")
    shift = style.get("vertical-align", "")
    return _Look(
        why=STRUCK if struck else TURNED if turned else _unseen(style),
        shift=shift if shift in _SHIFTS.values() else "",
        letters=set_colour(letters_of(style)),
        behind=background(style),
    )


def _unseen(style: Mapping[str, str]) -> str:
    """Why what declarations are of is not seen, or may not be; or empty."""
    return HIDDEN if is_unseen(style) else UNDECIDED if is_undecided(style) else ""


def _looks_of(body: str) -> tuple[_Look, _Look]:
    """What the declarations of a rule do to an element, and to what stands beside it."""
    style = declarations(body)
    return _read(style), _read_beside(style)


def _elsewhere(text: str) -> Iterator[range]:
    """The parts of a style sheet that hold of the dark theme or of paper alone."""
    for start in _ELSEWHERE.finditer(text):
        depth, end = 1, start.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield range(start.start(), end)


def _read_beside(style: Mapping[str, str]) -> _Look:
    """What declarations of what stands before or after an element add to it."""
    return _Look(why=STYLED if written(style) and not is_unseen(style) else "")


def _is_shut(element: html.HtmlElement) -> bool:
    """Whether an element is a dialogue, or what a button opens above the page, that is not open."""
    closed = element.tag == "dialog" and element.get("open") is None
    return bool(closed or element.get("popover") is not None)


def _has_words(element: html.HtmlElement) -> bool:
    """Whether an element holds words itself, not in others alone."""
    own = (element.text, *(child.tail for child in element))
    return any(text and text.strip() for text in own)
