"""Dates of editions in figures and in file names."""

from __future__ import annotations

import re

_IN_NAME = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_]?(0[1-9]|1[0-2])(?:[-_]?(0[1-9]|[12]\d|3[01]))?(?!\d)"
)


def figures(iso: str) -> str:
    """« 20/10/2020 » of ``2020-10-20``, « 10/2020 » of ``2020-10``, « 2020 » of ``2020``."""
    return "/".join(reversed(iso.split("-")))


def date_in_name(name: str) -> str:
    """ISO date (``YYYY-MM`` or ``YYYY-MM-DD``) in a file's name, empty when there is none."""
    found = _IN_NAME.search(name)
    return "-".join(part for part in found.groups() if part) if found else ""
