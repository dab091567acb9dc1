"""Words that must meet and near misses that must not, domain by domain."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ancremed_desktop.pipeline.rules.cover import held
from ancremed_desktop.pipeline.rules.model import Statement
from ancremed_desktop.pipeline.rules.parse import parse

_FILE = Path(__file__).parents[2] / "data" / "lexicon_pairs.toml"
_DOMAINS: dict[str, dict[str, list[str]]] = tomllib.loads(_FILE.read_text("utf-8"))


def _pairs(kind: str) -> list[tuple[str, str]]:
    listed = (pair for domain in _DOMAINS.values() for pair in domain[kind])
    return [(one, other) for one, _, other in (pair.rpartition("/") for pair in listed)]


def _covered(said: Statement, source: Statement) -> bool:
    """Whether every word said has a counterpart; a mark of denial is no word."""
    return bool(said.mentions) and all(m.neutral or held(m, source.concepts) for m in said.mentions)


def _exclusive(said: Statement, source: Statement) -> bool:
    """Whether the two stand on different sides of an axis."""
    both = {a for a, _ in said.axes} & {a for a, _ in source.axes}
    shared = {a for a, _ in said.axes & source.axes}
    return bool(both - shared)


@pytest.mark.parametrize(("one", "other"), _pairs("meet"))
def test_words_of_one_meaning_meet(one: str, other: str) -> None:
    assert _covered(parse(one), parse(other))


@pytest.mark.parametrize(("one", "other"), _pairs("apart"))
def test_near_misses_stay_apart(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        said, source = parse(first), parse(second)
        assert _exclusive(said, source) or not _covered(said, source)


@pytest.mark.parametrize("domain", _DOMAINS)
def test_each_domain_has_ten_pairs_of_both_kinds(domain: str) -> None:
    assert min(len(_DOMAINS[domain]["meet"]), len(_DOMAINS[domain]["apart"])) >= 10
