"""Checked access to the fields of a record that was read from TOML or JSON."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date

from ancremed_desktop.corpus.cards.problems import CardProblem

_PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def nfc(text: str) -> str:
    """Text in Unicode NFC, the form in which everything is stored."""
    return unicodedata.normalize("NFC", text)


def is_partial_date(text: str) -> bool:
    """Whether text is a calendar date ``YYYY[-MM[-DD]]`` that exists."""
    match = _PARTIAL_DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def is_full_date(text: str) -> bool:
    """Whether text is an existing date ``YYYY-MM-DD``."""
    return len(text) == len("2000-01-01") and is_partial_date(text)


def required_text(record: Mapping[str, object], name: str, where: str) -> str:
    """The field as NFC text. Raises: CardProblem if missing, blank or not a text."""
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise CardProblem(where, f"le champ « {name} » est absent, vide ou n’est pas un texte.")
    return _storable(value, name, where)


def optional_text(record: Mapping[str, object], name: str, where: str) -> str:
    """The field as NFC text, empty when absent. Raises: CardProblem if not a text."""
    value = record.get(name, "")
    if not isinstance(value, str):
        raise CardProblem(where, f"le champ « {name} » doit être un texte entre guillemets.")
    return _storable(value, name, where)


def _storable(value: str, name: str, where: str) -> str:
    # JSON may spell half of a surrogate pair, which no UTF-8 file or database can hold.
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise CardProblem(where, f"le champ « {name} » contient un caractère illisible.")
    return nfc(value)


def required_choice(
    record: Mapping[str, object], name: str, where: str, choices: tuple[str, ...]
) -> str:
    """The field, one of ``choices``. Raises: CardProblem."""
    value = required_text(record, name, where)
    if value not in choices:
        allowed = ", ".join(f"« {choice} »" for choice in choices)
        raise CardProblem(where, f"« {name} » vaut « {value} » ; valeurs admises : {allowed}.")
    return value


def required_partial_date(record: Mapping[str, object], name: str, where: str) -> str:
    """The field, a date ``YYYY[-MM[-DD]]``. Raises: CardProblem."""
    value = required_text(record, name, where)
    if not is_partial_date(value):
        raise CardProblem(
            where, f"« {name} » vaut « {value} » ; écrivez une date AAAA, AAAA-MM ou AAAA-MM-JJ."
        )
    return value
