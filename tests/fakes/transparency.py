"""Real texts: the opinions of the Transparency Committee in the shared drug data."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.text.normalise import nfc


def real_passages(shared: Path) -> Iterator[Passage]:
    """Texts of the files of opinions, once each, as one passage a drug and opinion."""
    seen: set[str] = set()
    for name in ("CIS_HAS_SMR_bdpm.txt.gz", "CIS_HAS_ASMR_bdpm.txt.gz"):
        rows = gzip.decompress((shared / "data" / "bdpm" / "2023-11" / name).read_bytes())
        for number, row in enumerate(rows.decode("cp1252").splitlines()):
            fields = row.split("\t")
            text = nfc(re.sub(r"<br>", "\n", fields[5])).strip()
            if text in seen or not text:
                continue
            seen.add(text)
            key = f"cis-{fields[0]}-{name[8:12]}-{number}"
            yield Passage(
                urn=f"urn:ancremed:{key}#avis",
                source_key=key,
                silo=Silo.BDPM,
                origin_title="Avis de la Commission de la transparence",
                source_identifier=key,
                text=text,
            )
