"""Reads the lexicon files of ``resources/lexicons``."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ancremed_desktop.errors import BugError
from ancremed_desktop.text.lexicon import LINK_WORDS, Lexicon, Pieces
from ancremed_desktop.text.normalise import fold

# No word here may be a verb: « l'alcool diminue … » is no low amount of alcohol.
_LOW = "bas basse basses faible faibles insuffisant insuffisante".split()
_HIGH = "eleve elevee eleves elevees haut haute".split()
_LACKS = ("manque", "deficit", "deficit en", "carence", "carence en")
_EXCESS = ("exces", "trop")
_IN_BLOOD = ("sanguin", "sanguine", "plasmatique", "serique", "dans sang")
_THINGS = frozenset(
    "anatomy cardiology childbirth complaints conditions drugs emergency infections laboratory "
    "mind_and_nerves organs pharmacology signs tests".split()
)
"""Files whose families name things: a disease, a sign, an organ, an examination, a treatment; so do
acronyms.
"""
_AMOUNTS = ("taux", "concentration", "concentrations", "dosage", "niveau")


@dataclass(slots=True)
class _Draft:
    """Forms and wider families of each family, and forms of each member of an axis."""

    forms: dict[str, list[str]] = field(default_factory=dict)
    broader: dict[str, list[str]] = field(default_factory=dict)
    axes: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, name: str, forms: Iterable[str], broader: Iterable[str] = ()) -> None:
        """A family, in one place only.

        Raises:
            BugError: a family of that name is there, or it has no form.

        """
        listed = [f for f in forms if f]
        # « sans symptôme » is « l'absence de symptôme »
        absent = [f"absence de {f[5:]}" for f in listed if f.startswith("sans ")]
        listed += [f for f in absent if f not in listed]
        if name in self.forms or not listed:
            raise BugError(f"lexicon family twice or empty: {name}")
        self.forms[name] = listed
        self.broader[name] = list(broader)


@lru_cache(maxsize=4)
def load_lexicon(folder: Path) -> Lexicon:
    """Read ``families/*.toml``, ``substances``, ``learned``, ``axes``, ``neutral``, ``acronyms``.

    Raises:
        BugError: a table without a reason, a family twice or empty, an unknown wider family.

    """
    plain: dict[str, str] = tomllib.loads((folder / "neutral.toml").read_text("utf-8"))
    neutral = frozenset(fold(plain["words"]).split())
    light = set(plain["light"].split())
    draft = _Draft()
    things: set[str] = set()
    for path in sorted((folder / "families").glob("*.toml")):
        for table in _tables(path).values():
            if table.pop("each", ""):
                _singles(draft, table)
                continue
            if table.pop("plain", ""):
                light |= set(table)
            for name, row in table.items():
                forms, _, wider = row.partition(">")
                draft.add(name, _listed(forms), _listed(wider))
                if path.stem in _THINGS:
                    things.add(name)
    substances = _tables(folder / "substances.toml")
    classes = _members(draft, substances["members"])
    _dictionary(draft, folder, neutral | LINK_WORDS)
    axes = tomllib.loads((folder / "axes.toml").read_text("utf-8"))
    _axes(draft, axes["axis"])
    learned = _tables(folder / "learned.toml")
    holders = _holders(draft)
    _measures(draft, holders, learned["measures"])
    _states(draft, holders, learned["states"])
    pieces = Pieces(
        starts=tuple(sorted(learned["start"].items(), key=lambda s: -len(s[0]))),
        ends=learned["end"],
    )
    named = _listed(substances["substances"]["families"])
    _check(draft, (*named, *light, *learned["start"].values(), *learned["end"].values()))
    return Lexicon(
        families=draft.forms,
        broader=draft.broader,
        axes=draft.axes,
        neutral=neutral,
        classes=classes,
        substances=frozenset(named),
        light=frozenset(light),
        loose=frozenset(axes["loose"].split()),
        pieces=pieces,
        things=things | {name for name in draft.forms if name.startswith("acronym:")},
    )


def _axes(draft: _Draft, axes: Mapping[str, Mapping[str, Mapping[str, list[str]]]]) -> None:
    for axis, entry in axes.items():
        if not entry.get("reason"):
            raise BugError(f"axis without a reason: {axis}")
        for member, forms in entry["members"].items():
            draft.axes[axis, member] = list(forms)


def _tables(path: Path) -> dict[str, dict[str, str]]:
    """Tables of one-line rows, each with its reason, which is taken off."""
    tables: dict[str, dict[str, str]] = tomllib.loads(path.read_text("utf-8"))
    for name, table in tables.items():
        if not table.pop("reason", ""):
            raise BugError(f"lexicon table without a reason: {path.name} [{name}]")
    return tables


def _listed(row: str) -> list[str]:
    return [part.strip() for part in row.split(",") if part.strip()]


def _check(draft: _Draft, named: Iterable[str]) -> None:
    wider = {b for names in draft.broader.values() for b in names}
    unknown = (wider | set(named)) - set(draft.forms)
    if unknown:
        raise BugError(f"lexicon names unknown families: {sorted(unknown)}")


def _singles(draft: _Draft, rows: Mapping[str, str]) -> None:
    """One family for each form, which implies the families whose rows list it and meets no other."""
    wider: dict[str, list[str]] = defaultdict(list)
    for family, forms in rows.items():
        for form in _listed(forms):
            wider[form].append(family)
    for form, families in wider.items():
        draft.add(f"of:{form.rstrip('*')}", (form,), families)


def _members(draft: _Draft, classes: Mapping[str, str]) -> frozenset[str]:
    """One family for each substance, which implies its classes and no other member of them."""
    wider: dict[str, list[str]] = defaultdict(list)
    for family, names in classes.items():
        for name in _listed(names):
            wider[name] += [family] if family != "plain" else []
    for name, families in wider.items():
        draft.add(f"only:{name}", (name, f"{name}s"), families)
    return frozenset(classes) - {"plain"}


def _dictionary(draft: _Draft, folder: Path, common: frozenset[str]) -> None:
    """Families of the search dictionary: acronyms, everyday words and brands of one meaning.

    An acronym of several meanings, or one that is also a common word, proves nothing here; what
    only finds a subject (``search_only.toml``) is not exchangeable with it.
    """
    words = json.loads((folder / "acronyms.json").read_text("utf-8"))
    for entry in words["acronymes"]:
        if len(entry["expansions"]) == 1 and "garde" not in entry and entry["cle"] not in common:
            draft.add(f"acronym:{entry['cle']}", (entry["acronyme"], *entry["expansions"]))
    search_only = tomllib.loads((folder / "search_only.toml").read_text("utf-8"))["words"]
    for entry in words["synonymes"]:
        if len(entry["medical"]) == 1 and entry["profane"] not in search_only:
            draft.add(f"everyday:{entry['profane']}", (entry["profane"], *entry["medical"]))
    for entry in words["marques"]:
        draft.add(f"brand:{entry['marque']}", (entry["dci"], entry["marque"]))


def _holders(draft: _Draft) -> dict[str, list[str]]:
    """Families of the files by each of their forms as it stands."""
    held: dict[str, list[str]] = defaultdict(list)
    for name, forms in draft.forms.items():
        if ":" not in name:
            for form in forms:
                held[form].append(name)
    return held


def _owners(holders: Mapping[str, Sequence[str]], nouns: Iterable[str]) -> list[str]:
    """Families that hold one of some nouns as it stands."""
    return list(dict.fromkeys(n for noun in nouns for n in holders.get(noun, ())))


def _measures(draft: _Draft, holders: Mapping[str, Sequence[str]], rows: Mapping[str, str]) -> None:
    """« kaliémie », « hypokaliémie » and « hyperkaliémie » with all that says the same."""
    for name, row in rows.items():
        stem, _, listed = row.partition(":")
        nouns = _listed(listed)
        owners = [*_owners(holders, nouns), "blood"]
        words = [f"{stem}emie", f"{stem}emies"]
        said = [f"{a} {n}" for n in nouns for a in _AMOUNTS]
        said += [f"{n} {b}" for n in nouns for b in _IN_BLOOD]
        draft.add(name, (*words, *said), (*owners, "concentration"))
        low = [f"{n} {a}" for n in (*words[:1], *nouns) for a in _LOW]
        low += [f"{a} {n}" for n in (*words[:1], *nouns) for a in _LACKS]
        high = [f"{n} {a}" for n in (*words[:1], *nouns) for a in _HIGH]
        high += [f"{a} {n}" for n in (*words[:1], *nouns) for a in _EXCESS]
        _both_ways(draft, name, stem, (low, high), (name, *owners))


def _both_ways(
    draft: _Draft, name: str, stem: str, said: tuple[list[str], list[str]], wider: Iterable[str]
) -> None:
    for prefix, word, member, forms in (
        ("hypo", "low", "down", said[0]),
        ("hyper", "high", "up", said[1]),
    ):
        learned = [f"{prefix}{stem}emi*"]
        draft.add(f"{word}:{name}", (*learned, *forms), wider)
        draft.axes["direction", member] += learned


def _states(draft: _Draft, holders: Mapping[str, Sequence[str]], rows: Mapping[str, str]) -> None:
    """« bradycardie », « thrombopénie »: a thing that is low or high, in one word."""
    for name, row in rows.items():
        stem, listed, way = (part.strip() for part in row.split(":"))
        nouns = _listed(listed)
        adjectives, starts = (_LOW, _LACKS) if way == "low" else (_HIGH, _EXCESS)
        said = [f"{n} {a}" for n in nouns for a in adjectives]
        said += [f"{s} {n}" for n in nouns for s in starts]
        draft.add(f"{way}:{name}", (f"{stem}*", *said), _owners(holders, nouns))
        draft.axes["direction", "down" if way == "low" else "up"].append(f"{stem}*")
