"""Runs of a text: what announces a list stays with it, at every level, or it is not quoted."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.text.announcing import forbids, leads
from ancremed_desktop.text.lists import MAX_STATEMENT, lines_of, runs, statements


def quoted(text: str, heading: str = "") -> list[str]:
    return [text[s.start : s.end] for s in statements(text, heading) if s.introduced]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ne pas donner :\n\n- a\n\n- b\n\nLa suite est libre.", [3, 1]),
        ("Ne pas donner :\n\nun mg de a\n\ndeux mg de b\n\nLa suite est libre.", [3, 1]),
        ("Doses toxiques :\n\nA 150 mg/kg.\n\nB 400 mg/kg.\n\nLe bilan est répété.", [3, 1]),
        ("Absolues et relatives :\n\nAbsolues :\n\n- a\n\nRelatives :\n\n- b\n\nIl est tard.", [5, 1]),
        ("- Si sévère :\n\ndonner un mg\n\n- Si modéré : rien", None),
        ("Le choix est large.\n\n• a\n\n◦ b\n\n• c", [4]),
        ("Donner un mg. Sauf si dialyse.\n\nFin de la page.", [1, 1]),
        ("Donner un mg.\n\nSauf si dialyse.\n\nFin de la page.", [2, 1]),
        ("Ne pas donner : un mg le matin. Deux mg le soir. Le bilan est fait.", [1, 1]),
        ("Donner\n1. a. Et puis b. Encore\n2. c", [3]),
        ("Faut-il un mg ? Non. Fin de page.", [1, 1]),
        ("Faut-il un mg ?\n\nNon, et jamais.", [2]),
        ("Donner 3 g*.\n\nFin de page.\n\n* seulement le soir.", [2]),
        ("Donner 3 g (1).\n\nFin de page.\n\nSuite de page.\n\n(1) seulement le soir.", [1, 2]),
        ("Ancien protocole\n\nun mg de a\n\nNouveau protocole\n\nun mg de b est donné.", [2, 1, 1]),
        ("A NE PAS FAIRE\n\nun mg de a", [2]),
        ("[Texte omis : barré.]\n\n- a\n\n- b", None),
        ("A est interdit. Cette phrase est erronée.\n\nFin de la page.", [1, 1]),
        ("A est interdit (Faux)\n\nFin de la page.", [1, 1]),
        ("Donner un mg.\n\nCette dose ne concerne que l’adulte.\n\nFin de la page.", [2, 1]),
        ("Donner un mg. Toutefois, pas chez l’enfant. La suite est libre.", [1, 1]),
        ("A ne peut être donné avec :\n\na) b\n\nA peut être donné avec :\n\na) c", [2, 2]),
        ("Ne pas donner\n\nA un mg.\n\nB est à deux mg.\n\nSurveillance\n\nElle est faite.", [3, 1, 1]),
    ],
)  # fmt: skip
def test_runs_are_as_long_as_what_they_announce(text: str, expected: list[int] | None) -> None:
    """Lines of each quote; None: nothing may be quoted."""
    found = [len([line for line in q.split("\n") if line.strip()]) for q in quoted(text)]
    assert found == (expected or [])


@pytest.mark.parametrize("heading", ["", "Thrombolyse > Contre-indications"])
def test_levels_of_a_heading_that_forbids_stay_with_their_items(heading: str) -> None:
    """Where the heading is not known to stand above them, all is one quote."""
    levels = "Contre-indications", "Absolues", "• Grossesse", "Relatives", "• Asthme", "• Diabète"
    text = "\n\n".join(levels)
    split = ["\n\n".join(levels[:3]), "\n\n".join(levels[3:])]
    assert quoted(text, heading) == (split if heading else [text])


def test_items_under_a_heading_stand_alone_only_as_sentences() -> None:
    alone = "Surveillance\n\n- La kaliémie est mesurée.\n\n- Le poids est noté."
    assert quoted(alone, "Titre > Surveillance") == alone.split("\n\n")[1:]
    names = "Formes graves\n\n- Choc septique.\n\n- Purpura."
    assert quoted(names, "Titre > Formes graves") == [names]
    hidden = "Traitement\n\n- Forme grave :\n\n- Elle est hospitalisée.\n\n- Elle est traitée."
    assert quoted(hidden, "Traitement") == [hidden]


def test_a_long_list_is_cut_after_an_item_and_never_before_its_exception() -> None:
    text = "Ne pas donner :\n\n" + "\n\n".join(f"- produit {n} " + "mot " * 40 for n in range(30))
    (statement,) = statements(text)
    assert statement.end - statement.start <= MAX_STATEMENT
    assert text[: statement.end].endswith("mot")
    assert statements(f"{text}\n\nSauf en cas de dialyse.") == ()


def test_levels_are_told_by_indent_or_by_mark() -> None:
    text = "Donner :\n■ a\n● b\n■ c\n- d\n  - e\n    - f\n- g"
    assert [line.depth for line in lines_of(text) if line.item] == [0, 1, 0, 1, 2, 3, 1]


@pytest.mark.parametrize(
    "text",
    ["Ne pas donner", "À ne jamais faire", "Contre-indications", "Non indiqué", "Dose maximale",
     "Doses toxiques", "Erreurs à éviter", "Il n’est pas indiqué", "Interdit en ville"],
)  # fmt: skip
def test_what_forbids_is_known(text: str) -> None:
    assert forbids(text)
    assert not forbids("Posologie de l’adulte")


def test_a_lead_in_ends_in_a_colon_whatever_note_it_calls() -> None:
    assert all(
        map(
            leads,
            (
                "Donner :",
                "Donner : (1)",
                "Donner :*",
                "Sauf dans les cas suivants.",
                "Donner\u00a0:\u00a0²",
            ),
        )
    )
    assert not any(
        map(
            leads,
            ("Donner : un mg", "Le bilan est refait les jours suivants.", "Donner.", "à 12:30"),
        )
    )


@given(st.text(alphabet="aB.:;-•12 )\n", max_size=120), st.sampled_from(["", "B", "Ne pas"]))
def test_parts_are_slices_in_order_and_no_word_is_lost(text: str, heading: str) -> None:
    found = [part for run in runs(text, heading) for part in run.parts]
    assert found == sorted(found)
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(found))
    if not heading:
        covered = {i for start, end in found for i in range(start, end)}
        assert all(char.isspace() or i in covered for i, char in enumerate(text))


def test_a_prohibition_stays_with_the_dose_it_bounds() -> None:
    dose, limit = "Testamol IV : 2 mg toutes les 5 minutes.", "Ne pas en donner si la FR est < 10."
    after = "Surveiller la sédation."
    text = f"{dose}\n\n{limit}\n\n{after}"
    assert [text[s.start : s.end] for s in statements(text)] == [f"{dose}\n\n{limit}", after]


def test_prohibitions_in_a_row_stand_each_alone() -> None:
    rows = ["Ne pas donner de testamol à jeun.", "Ne pas donner d’autrimol le soir."]
    text = "\n\n".join(rows)
    assert [text[s.start : s.end] for s in statements(text)] == rows
