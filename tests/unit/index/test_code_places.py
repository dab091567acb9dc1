"""Every kind of code has a place in an index, the same in Python and in the upgrade."""

from __future__ import annotations

import json
import re

from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.index.names import CODES, KINDS
from ancremed_desktop.settings.paths import RESOURCES


def test_every_code_has_a_place() -> None:
    assert sorted(CODES) == sorted(Code)
    upgrade = (RESOURCES / "sql" / "index" / "003_numbers.sql").read_text(encoding="utf-8")
    kinds, codes = (
        json.loads(found)
        for found in re.findall(
            r"json_each\('(\[\"(?:substance|cis)\".*?\])'\)", upgrade, re.DOTALL
        )
    )
    assert (tuple(kinds), tuple(codes)) == (KINDS, tuple(c.value for c in CODES))
