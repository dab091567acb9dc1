"""What every embedder must do; the real one is tried where it is installed."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from fakes.hash_embedder import HashEmbedder

from ancremed_desktop.ports import Embedder, Vector
from ancremed_desktop.providers.universal_encoder import UniversalEncoder, is_installed

SAME = ("infarctus du myocarde", "crise cardiaque : infarctus du myocarde aigu")
OTHER = "ordonnance de lunettes"


@pytest.fixture(
    params=[
        HashEmbedder,
        pytest.param(
            UniversalEncoder,
            marks=pytest.mark.skipif(
                not is_installed(), reason="requirements-hybrid.txt is not installed"
            ),
        ),
    ],
    scope="module",
)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    make: Callable[[], Embedder] = request.param
    return make()


def _cosine(a: Vector, b: Vector) -> float:
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / (math.hypot(*a) * math.hypot(*b))


def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    assert embedder.name
    first = embedder.embed_query(SAME[0])
    assert embedder.embed_query(SAME[0]) == first
    assert len(first) % 8 == 0
    assert len(embedder.embed_passage(OTHER)) == len(first)


def test_near_texts_have_near_vectors(embedder: Embedder) -> None:
    asked = embedder.embed_query(SAME[0])
    near = _cosine(asked, embedder.embed_passage(SAME[1]))
    assert near > _cosine(asked, embedder.embed_passage(OTHER))


@pytest.mark.parametrize("text", ["", "\0", "a\0b", "\ud800", "💊" * 300, "x" * 2000])
def test_hostile_texts_have_a_vector(embedder: Embedder, text: str) -> None:
    assert all(map(math.isfinite, embedder.embed_query(text)))
