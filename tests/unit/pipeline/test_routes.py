"""A dose by another route is never shown as that of the route asked."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.routes import (
    is_of_another_route,
    is_route,
    routes_in,
    unsaid_route,
)


@pytest.mark.parametrize(
    ("text", "routes"),
    [
        ("furosémide IV dose", ("intraveineuse",)),
        (
            "Il est injecté par voie intraveineuse ou intramusculaire.",
            ("intraveineuse", "intramusculaire"),
        ),
        ("diazépam rectal enfant", ("rectale",)),
        ("paracétamol per os", ("orale",)),
        ("amoxicilline angine", ()),
    ],
)
def test_routes_are_read_by_their_names(text: str, routes: tuple[str, ...]) -> None:
    assert routes_in(text) == routes


def test_a_route_is_no_word_of_the_subject() -> None:
    assert is_route("iv")
    assert is_route("intraveineux")
    assert not is_route("furosemide iv")


def test_a_sentence_of_another_route_is_told_from_one_that_names_none() -> None:
    oral = "Il est pris par voie orale à la dose de 40 mg."
    assert is_of_another_route(oral, ("intraveineuse",))
    assert not is_of_another_route(oral, ("orale",))
    assert not is_of_another_route("Il est pris à la dose de 40 mg.", ("intraveineuse",))
    assert not is_of_another_route(oral, ())


def test_a_route_that_no_dose_names_is_said() -> None:
    muscle = ["Elle est injectée par voie intramusculaire à la dose de 0,01 mg/kg."]
    assert unsaid_route(("intramusculaire",), muscle) == ""
    assert unsaid_route((), muscle) == ""
    assert "«\u00a0intraveineuse\u00a0»" in unsaid_route(("intraveineuse",), muscle)
