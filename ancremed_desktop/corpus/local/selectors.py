"""Which elements a selector of a style sheet fits, or may fit: never too few.

Source: Selectors 4. Combinators are read as « somewhere under »; what depends on neighbours or
numbers (``:nth-child``, ``:not``) is taken to hold, what depends on the pointer (``:hover``) not to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import html

_ESCAPED = re.compile(r"\\(.)")
_NAME = r"(?:\\.|[\w-])+"
_PIECE = re.compile(
    rf"(?P<kind>[.#]|)(?P<name>{_NAME})|(?P<any>\*)|\[\s*(?P<attribute>[\w-]+)[^\]]*\]"
    rf"|::?(?P<state>[\w-]+)(?:\((?P<inner>(?:[^()]|\([^()]*\))*)\))?"
)
_APART = re.compile(r"\s*[>]\s*|\s+(?![^\[(]*[\])])")
_SIBLINGS = re.compile(r"[+~](?![^\[(]*[\])])(?!=)")
_COMMA = re.compile(r",(?![^(]*\))")
_STATES = frozenset(
    "hover focus active visited target checked focus-visible focus-within link any-link disabled "
    "enabled open popover-open fullscreen placeholder-shown selection placeholder marker backdrop "
    "first-letter first-line invalid valid indeterminate".split()
)
"""What does not hold of a page at rest, or is of a part of an element only."""
_EITHER = frozenset({"is", "where", "matches", "-webkit-any"})
BESIDE = frozenset({"before", "after"})


class Simple(NamedTuple):
    """A compound selector. ``beside``: it is of what stands before or after the element."""

    tag: str = ""
    marks: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    beside: bool = False

    def fits(self, element: html.HtmlElement) -> bool:
        """Whether an element has the tag, classes, identifier and attributes."""
        return (
            self.tag in {"", element.tag}
            and self.marks <= marks_of(element)
            and all(element.get(name) is not None for name in self.attributes)
        )


Selector = tuple[Simple, ...]
"""Compound selectors from the outermost to the element's own."""


def marks_of(element: html.HtmlElement) -> frozenset[str]:
    """Classes and identifier of an element as a selector writes them."""
    names = {f".{name}" for name in (element.get("class") or "").split()}
    return frozenset(names | {f"#{element.get('id') or ''}"})


def selectors_of(text: str) -> Iterator[Selector]:
    """The selectors of a rule; those that hold of no page at rest are left out."""
    for one in filter(None, map(str.strip, _COMMA.split(text))):
        found = [
            [list(_compounds(part)) for part in _APART.split(beside.strip()) if part]
            for beside in _SIBLINGS.split(one)
        ]
        if all(map(all, found)) and found[-1]:
            *above, last = found[-1]
            outer = tuple(either[0] for either in above if len(either) == 1)
            yield from ((*outer, own) for own in last)


def _compounds(text: str) -> Iterator[Simple]:
    """What a compound selector may be; several for ``:is(.a, .b)``."""
    tag, marks, attributes, beside = "", set[str](), set[str](), False
    either: list[Simple] = []
    for piece in _PIECE.finditer(text):
        state = (piece["state"] or "").lower()
        if state in _STATES:
            return
        beside = beside or state in BESIDE
        tag = "html" if state == "root" else tag
        if state in _EITHER:
            either += [simple for one in selectors_of(piece["inner"] or "") for simple in one[-1:]]
        elif piece["attribute"]:
            attributes.add(piece["attribute"].lower())
        elif piece["name"] and piece["kind"]:
            marks.add(piece["kind"] + _ESCAPED.sub(r"\1", piece["name"]))
        elif piece["name"]:
            tag = piece["name"].lower()
    for one in either or [Simple()]:
        yield Simple(
            one.tag or tag, one.marks | marks, one.attributes | attributes, beside or one.beside
        )


def is_under(selector: Selector, element: html.HtmlElement) -> bool:
    """Whether an element stands under those that a selector names before its own."""
    outer = list(selector[:-1])
    if outer:
        for above in element.iterancestors():
            if outer and outer[-1].fits(above):
                outer.pop()
    return not outer
