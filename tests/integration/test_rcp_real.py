"""RCP, notices and code tables of the reference data."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop.corpus.rcp.read import read_rcp
from ancremed_desktop.corpus.terminologies.read import read_terminologies
from ancremed_desktop.domain.documents import SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import SECTIONS, Code, PassageKind

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def leaflets(shared: Path) -> dict[str, SourceDocument]:
    items = read_rcp(shared / "data" / "rcp", ignore_progress, CancelToken())
    return {d.source.source_identifier: d for d in items if isinstance(d, SourceDocument)}


def _text(document: SourceDocument, section: str) -> str:
    return "\n".join(p.text for p in document.passages if p.section == section)


def test_six_documents_are_dated_and_filed(leaflets: dict[str, SourceDocument]) -> None:
    dates = {i: d.source.regulatory_date for i, d in leaflets.items()}
    assert dates == {
        "RCP-69235513": "2017-09-21",
        "RCP-61954108": "2024-01-26",
        "RCP-62701346": "2023-01-04",
        "Notice-63158750": "2022-10-25",
        "Notice-63994813": "2022-04-01",
        "Notice-notice-N0314839-tadalafil-teva-20mg-1": "2018-01-22",
    }
    sections = {p.section for d in leaflets.values() for p in d.passages}
    assert sections - {""} <= set(SECTIONS)


def test_the_doses_of_allopurinol_are_those_of_the_page(
    leaflets: dict[str, SourceDocument],
) -> None:
    document = leaflets["RCP-69235513"]
    doses = _text(document, "posologie")
    assert "posologie initiale de 100 mg/jour" in doses
    assert "sans dépasser la dose de 400 mg par jour" in doses
    assert "Clairance de la créatinine\u00a0: 80 < Cl Cr < 100 ml/mn" in doses
    assert any(p.kind is PassageKind.TABLE for p in document.passages if p.section == "posologie")
    assert "chez l'enfant de moins de 6 ans" in _text(document, "contre-indications")
    assert (Code.SUBSTANCE, "allopurinol") in document.source.codes


def test_a_table_row_carries_its_headings(leaflets: dict[str, SourceDocument]) -> None:
    effects = _text(leaflets["RCP-69235513"], "effets indésirables")
    assert "Fréquence\u00a0: Très rare\u00a0; Réaction indésirable\u00a0: Furoncle" in effects


def test_code_tables_are_whole(shared: Path) -> None:
    items = list(
        read_terminologies(shared / "data" / "terminologies", ignore_progress, CancelToken())
    )
    read = {t.file_name: (t.read, t.refused) for t in items if isinstance(t, Tally)}
    assert read["cim10.csv.gz"][0] == 42_886
    assert read["cis_atc_2024-04-07.csv"][0] == 15_454
    assert read["drugs_atc_noms.json"][0] == 1_968
    codes = [c for d in items if isinstance(d, SourceDocument) for c in d.source.codes]
    assert (Code.CIM10, "I480") in codes
    assert (Code.ATC, "M04AA01") in codes
