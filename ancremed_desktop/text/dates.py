"""Dates of editions in figures and in file names."""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold

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


_EDITION = re.compile(
    r"(?<!\w)(?:(?:du |le |de |en |au )?(?:\d{1,2}(?:er)?[-_/. ])?"
    r"(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"
    r"|\d{1,2})?[-_/. ]?(?:19|20)\d\d(?:[-_/.]\d{1,2}){0,2}"
    r"|v(?:ersion|\.)? ?\d+(?:[._]\d+)*|ed(?:ition|\.)? ?\d+|copie|copy|final[e]?|definiti(?:f|ve)"
    r"|ancien(?:ne)?s?|nouve(?:au|lle)|maj|mise? a jour|revisee?|obsolete|\(\d+\))(?!\w)"
)
"""What tells one edition of a document from another in its title."""


def work_of(title: str) -> str:
    """A title without its date and version: equal for two editions of one document; empty when
    nothing else is left.
    """
    return " ".join(re.findall(r"[^\W_]+", _EDITION.sub(" ", fold(title).replace("_", " "))))
