"""The specification's trace of « Parle-moi des bactéries » (table 3), on a real small index.

Four sections; round 1 finds 3, 0, 5 and 4 passages (the table gives them as 3, 4, 0, 5 in its own
order of sub-queries); the empty section is widened; round 2 finds 2; stop: 14 passages, 2 rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.memory_index import passage

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.pipeline.deep_search import deep_search
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

TEXTS = {
    "définition": (
        "Les bactéries sont des organismes unicellulaires sans noyau.",
        "La paroi des bactéries est faite de peptidoglycane.",
        "Les bactéries se reproduisent par division binaire.",
    ),
    "épidémiologie": (
        "Staphylococcus aureus fait partie des bactéries pathogènes les plus fréquentes.",
        "Escherichia coli est la plus fréquente des bactéries urinaires.",
        "Streptococcus pneumoniae est une des bactéries des pneumonies communautaires.",
        "Neisseria meningitidis est une des bactéries des méningites de l’adolescent.",
        "Mycobacterium tuberculosis figure parmi les bactéries surveillées en France.",
    ),
    "classification": (
        "La coloration de Gram sépare les bactéries en deux grands types.",
        "Les bactéries à Gram positif gardent le violet.",
        "Les bactéries à Gram négatif ont une membrane externe.",
        "Les bactéries se classent aussi par leur forme en coques et bacilles.",
    ),
    "évolution et complications": (
        "La virulence des bactéries repose sur leurs toxines et leurs adhésines.",
        "La virulence des bactéries capsulées est responsable d’infections invasives.",
    ),
}


def _passages() -> Iterator[Passage]:
    for section, texts in TEXTS.items():
        for number, text in enumerate(texts, 1):
            base = passage("EDN-148", "Bactéries", section, text)
            yield replace(base, urn=f"{base.urn}-{number}", chunk_index=number)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqlitePassageIndex]:
    passages = tuple(_passages())
    source = Source(
        key=passages[0].source_key,
        silo=passages[0].silo,
        title="Bactéries",
        source_identifier="EDN-148",
        publisher="Essai",
        licence="CC0",
    )
    with IndexWriter(tmp_path / "small.db") as writer:
        writer.add(SourceDocument(source=source, passages=passages))
        writer.finish()
    opened = SqlitePassageIndex([tmp_path / "small.db"])
    yield opened
    opened.close()


def test_the_trace_of_the_specification(index: SqlitePassageIndex) -> None:
    lexicon = load_lexicon(RESOURCES / "lexicons")
    plan = make_plan(understand("Parle-moi des bactéries", index, lexicon), index, lexicon)
    assert plan.primary_class.value == "definition_item_edn"
    assert len(plan.sub_queries) == 4
    evidence = deep_search(plan, index, lexicon.sections, CancelToken())
    totals = []
    for done in evidence.rounds:
        found = Counter({q.section: 0 for q in done.queries})
        for query in done.queries:
            found[query.section] += query.fresh
        totals.append(dict(found))
    assert totals == [
        {"définition": 3, "physiopathologie": 0, "épidémiologie": 5, "classification": 4},
        {"physiopathologie": 2},
    ]
    assert evidence.stop_reason == "Toutes les sections sont couvertes."
    assert len(evidence.urns) == 14
    assert all(s.covered for s in evidence.sections)
