"""Wording of the exam corpus: what is said of a question stays inside one sentence."""

from __future__ import annotations

import re

from ancremed_desktop.text.french import NBSP, curly

_INNER_STOP = re.compile(r"\s*(?:[?!…]+|(?<!\s[A-Za-z])\.+)([”\"»)]*)\s+(?=\S)")
_END = re.compile(r"[\s.;:,?!]+$")


def one_sentence(text: str, *, closed: bool = True) -> str:
    """The text as a single sentence: inner full stops and question marks become dashes."""
    flat = " ".join(text.replace(NBSP, "\x00").split()).replace("\x00", NBSP)
    ellipsis = flat.endswith("…")
    flat = _END.sub("", curly(_INNER_STOP.sub(rf"\1{NBSP}– ", flat)))
    if not closed or ellipsis:
        return flat
    return f"{flat}."
