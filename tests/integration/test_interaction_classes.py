"""A class word leads to every entry it heads and to the classes that hold its members."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fakes.thesaurus_files import write_json

from ancremed_desktop.corpus.ansm.read import read_ansm
from ancremed_desktop.domain.documents import SourceDocument
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.plans import PairLookup, Question
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.pipeline.interactions import MAX_SHOWN, asked_pairs, readings, unlisted
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.subject import find_subject
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold

LEXICON = load_lexicon(RESOURCES / "lexicons")
MANY = tuple(f"lorvine{letter}" for letter in "abcdefghijklmnop")


def _pair(first: str, second: str, level: str) -> dict[str, object]:
    return {
        "main_drug": first,
        "between_main_and_plus_drug": "",
        "plus_drug": second,
        "severity_levels": [{"level": level, "info": ""}],
        "interaction_mechanism": "Effet essayé.",
        "description": f"{level}Effet essayé.",
    }


SUBSTANCES: list[dict[str, object]] = [
    {"substance": "vidangine", "drug_classes": ["rinceurs", "rinceurs de l'anse", "videurs"]},
    {"substance": "garduline", "drug_classes": ["rinceurs", "rinceurs épargneurs (seuls ou associés)"]},
    {"substance": "oublix", "drug_classes": ["feutrants", "feutrants majeurs"]},
    {"substance": "apaisine", "drug_classes": ["feutrants", "feutrants majeurs (sauf oublix)"]},
    {"substance": "seline", "drug_classes": []},
    {"substance": "battine", "drug_classes": []},
    {"substance": "nulline", "drug_classes": []},
    {"substance": "cadencine", "drug_classes": ["inhibiteurs des cadences"]},
]  # fmt: skip
SUBSTANCES += [{"substance": name, "drug_classes": ["lorvants"]} for name in MANY]
PAIRS = [
    _pair("RINCEURS DE L'ANSE", "SELINE", "Précaution d'emploi"),
    _pair("RINCEURS EPARGNEURS (SEULS OU ASSOCIES)", "SELINE", "CONTRE-INDICATION"),
    _pair("VIDEURS", "BATTINE", "A prendre en compte"),
    _pair("FEUTRANTS MAJEURS (SAUF OUBLIX)", "BATTINE", "CONTRE-INDICATION"),
    _pair("INHIBITEURS DES CADENCES", "SELINE", "CONTRE-INDICATION"),
    *(_pair(name.upper(), "BATTINE", "A prendre en compte") for name in MANY),
    _pair("LORVANTS", "BATTINE", "Association DECONSEILLEE"),
    _pair("SELINE", "BATTINE", "A prendre en compte"),
]


def _built(folder: Path, out: Path) -> SqlitePassageIndex:
    with IndexWriter(out) as writer:
        for item in read_ansm(folder, ignore_progress, CancelToken()):
            if isinstance(item, SourceDocument):
                writer.add(item)
        writer.finish()
    return SqlitePassageIndex([out])


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlitePassageIndex]:
    folder = tmp_path_factory.mktemp("classes")
    write_json(folder / "thesaurus_2020-10-20.json", PAIRS)
    write_json(folder / "index_2020-10-20.json", SUBSTANCES)
    opened = _built(folder, folder / "i.db")
    yield opened
    opened.close()


def _asked(index: SqlitePassageIndex, text: str) -> tuple[PairLookup, ...]:
    question = Question(raw=text, text=text)
    return asked_pairs(find_subject(question, index, LEXICON), text, index)


def _found(pairs: Sequence[PairLookup]) -> list[str]:
    return [i.removeprefix("ANSM-") for pair in pairs for i in pair.identifiers]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "rinceurs et séline",
            ["rinceurs-epargneurs-seuls-ou-associes_seline", "rinceurs-de-l-anse_seline"],
        ),
        ("rinceur avec battine", ["battine_videurs"]),
        ("rinceurs de l’anse et séline", ["rinceurs-de-l-anse_seline"]),
        ("interaction entre feutrants et battine", ["battine_feutrants-majeurs-sauf-oublix"]),
        ("apaisine et battine", ["battine_feutrants-majeurs-sauf-oublix"]),
    ],
)
def test_a_class_word_leads_to_its_entries_and_parents_gravest_first(
    index: SqlitePassageIndex, question: str, expected: list[str]
) -> None:
    assert _found(_asked(index, question)) == expected


def test_the_exception_of_an_entry_is_kept(index: SqlitePassageIndex) -> None:
    (pair,) = _asked(index, "interaction entre feutrants et battine")
    (passage,) = index.passages_of(pair.identifiers[0])
    assert "(SAUF OUBLIX)" in passage.text
    assert "ne vaut que pour les entrées qu’elle nomme" in " ".join(readings([pair]))
    assert _found(_asked(index, "oublix et battine")) == []


def test_many_pairs_are_capped_and_counted_the_gravest_kept(index: SqlitePassageIndex) -> None:
    (pair,) = _asked(index, "lorvants et battine")
    assert len(pair.identifiers) == MAX_SHOWN
    assert pair.identifiers[0] == "ANSM-battine_lorvants"
    assert pair.unshown == len(MANY) + 1 - MAX_SHOWN
    assert f"{pair.unshown} autres paires" in " ".join(unlisted([pair]))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("rinceurs avec nulline", "Nommez la substance."),
        ("feutrants et nulline", "Nommez la substance."),
        ("séline et nulline", "Absence d’interaction listée"),
        ("vidangine et nulline", "Absence d’interaction listée"),
    ],
)
def test_only_two_substances_may_have_no_listed_interaction(
    index: SqlitePassageIndex, question: str, says: str
) -> None:
    said = " ".join(unlisted(_asked(index, question)))
    assert says in said
    assert ("Absence" in said) is says.startswith("Absence")


def test_a_word_that_heads_many_classes_alone_leads_to_none(index: SqlitePassageIndex) -> None:
    pairs = _asked(index, "inhibiteurs avec séline")
    assert _found(pairs) == []
    assert "Absence" not in " ".join(unlisted(pairs))


def test_classes_beside_a_disease_ask_no_pair_their_own_entries_do_not_list(
    index: SqlitePassageIndex,
) -> None:
    assert _asked(index, "rinceurs ou battine dans l’érysipèle") == ()


@pytest.mark.data
def test_no_head_of_a_listed_class_is_said_to_have_no_interaction(
    shared: Path, tmp_path: Path
) -> None:
    folder = shared / "data" / "ansm"
    records, known = (
        json.loads(gzip.decompress((folder / name).read_bytes()))
        for name in (
            "thesaurus_interactions_2020-10-20.json.gz",
            "index_substances_2020-10-20.json.gz",
        )
    )
    substances = {fold(r["substance"]) for r in known}
    sides = {(fold(r["main_drug"]), fold(r["plus_drug"])) for r in records}
    asked = {
        (entry.split(" ")[0].rstrip(","), other)
        for entry, other in sides | {(b, a) for a, b in sides}
        if entry not in substances and other in substances and not entry.startswith("autres ")
    }
    index = _built(folder, tmp_path / "i.db")
    nothing = set()
    for head, other in sorted(asked):
        pairs = _asked(index, f"interaction entre {head} et {other}")
        assert "Absence" not in " ".join(unlisted(pairs)), (head, other)
        if not any(pair.identifiers for pair in pairs):
            nothing.add(head)
    (blocked,) = _asked(index, "inhibiteurs calciques et bêtabloquants")
    assert blocked.first.label == "inhibiteurs calciques"
    assert "ANSM-beta-bloquants-sauf-esmolol-y-compris-collyres_verapamil" in blocked.identifiers
    assert not index.mentions("inhibiteur calcique")  # an « IC » is a failing heart, too
    index.close()
    assert len(asked) > 300
    # Words that name no class by themselves, of which nothing is said either.
    assert nothing <= {
        "alcaloides", "analogues", "antagonistes", "derives", "hormones", "huiles", "inducteurs",
        "inhibiteurs", "medicaments", "produits", "resines", "substances", "substrats",
        "traitements", "vaccins", "vitamine", "sels",
    }  # fmt: skip


def test_a_pair_reached_through_some_members_of_a_class_names_them(
    index: SqlitePassageIndex,
) -> None:
    said = readings(_asked(index, "rinceurs + battine"))
    assert any(
        "« VIDEURS » ne réunit que : vidangine." in line.replace("\u00a0", " ") for line in said
    )


def test_what_is_no_longer_taken_is_not_taken_with_a_drug(index: SqlitePassageIndex) -> None:
    together = _asked(index, "seline battine")
    assert any(pair.identifiers for pair in together)
    assert not any(pair.second for pair in _asked(index, "seline sevrage en battine"))
