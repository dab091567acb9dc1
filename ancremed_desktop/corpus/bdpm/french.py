"""French wording shared by the texts of the records: dates, elision, lists, sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ancremed_desktop.text.french import NBSP, curly

COLON = f"{NBSP}: "
SEMICOLON = f"{NBSP}; "

_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
)  # fmt: skip
_VOWEL = re.compile(r"[AEIOUÀÂÉÈÊËÎÏÔÛÜŒaeiouàâéèêëîïôûüœ]")
_DOTTED = re.compile(r"(?<![A-Za-zÀ-ÿ.])(?:[A-Z]\.){2,}(?![A-Za-z])")
_STOP_BEFORE_SEMICOLON = re.compile(r"\s*\.+\s*;\s*")
_INITIAL_STOP = re.compile(r"(?<![^\W\d_])([A-Z]{1,2})\.(?=\s)")
_INNER_STOP = re.compile(r"\.+\s+(?=\S)")


@lru_cache(maxsize=4096)
def written_date(iso: str) -> str:
    """« 31 mai 2011 » of ``2011-05-31``, « mai 2011 » of ``2011-05``, « 2011 » of ``2011``."""
    year, _, rest = iso.partition("-")
    if not rest:
        return year
    month, _, day = rest.partition("-")
    words = f"{_MONTHS[int(month) - 1]} {year}"
    if not day:
        return words
    return f"1er {words}" if int(day) == 1 else f"{int(day)} {words}"


def of(words: str) -> str:
    """The words after « de », elided before a vowel: « d’avril 2026 », « de mai 2026 »."""
    return f"d’{words}" if _VOWEL.match(words) else f"de {words}"


def file_label(edition: str) -> str:
    """« fichier de novembre 2023 » of the ISO date of a dump."""
    return f"fichier {of_date(edition)}" if edition else "fichier sans date"


def of_date(iso: str) -> str:
    """« du 5 mars 2024 », « d’avril 2024 », « de 2024 »; « sans date » when empty."""
    if not iso:
        return "sans date"
    return f"du {written_date(iso)}" if iso.count("-") == 2 else of(written_date(iso))


def enumeration(items: Sequence[str]) -> str:
    """« a, b et c »."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} et {items[-1]}"


def sentence(text: str) -> str:
    """The text closed by one full stop, its first letter a capital, its apostrophes curved."""
    body = curly(text).rstrip(" .;,")
    if text.rstrip().endswith(("…", "!", "?")):
        return body[:1].upper() + body[1:]
    return f"{body[:1].upper()}{body[1:]}."


@lru_cache(maxsize=65536)
def inline(text: str) -> str:
    """A field as it stands inside a sentence: no full stop of it may end that sentence.

    Dotted acronyms lose their dots (« L.P. » → « LP »), initials too, other stops become « ; ».
    """
    if "." not in text:
        return text
    flat = _DOTTED.sub(lambda found: found[0].replace(".", ""), text)
    flat = _STOP_BEFORE_SEMICOLON.sub(SEMICOLON, flat).replace(":.", ":")
    flat = _INITIAL_STOP.sub(r"\1", flat).rstrip(" .")
    return _INNER_STOP.sub(SEMICOLON, flat)


def as_subject(name: str) -> str:
    """A denomination as grammatical subject: the apposition after its comma is closed."""
    return f"{name}," if "," in name else name


def lower_first(text: str) -> str:
    """The text with a small first letter, unless its first word is an acronym."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def word_count(text: str) -> int:
    """Words separated by white space."""
    return len(text.split())
