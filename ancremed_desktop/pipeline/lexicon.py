"""The planner's lexicons: acronyms, class cues, section cues, loaded once from resources."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ancremed_desktop.domain.identifiers import SECTIONS, TopicClass
from ancremed_desktop.errors import BugError
from ancremed_desktop.text.normalise import fold

_ASIDE = re.compile(r" \([^()]*\)")
"""« adrénaline (épinéphrine) »: the other name of a substance."""
_LONG_NAME = 5
"""Letters above which a word of a drug's name is a name (« acide » and « sodium » are not)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acronym:
    """An acronym with its expansions; ``contexts`` pairs an expansion with deciding words."""

    acronym: str
    expansions: tuple[str, ...]
    contexts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    guarded: bool = False
    """Also a common word or a unit: expanded only when written in capitals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionCues:
    """How a question names a section (``ask``) and which word starts show it in a passage.

    ``find``: further wordings that make a search prefer the section, no more. ``masks``: those of
    ``ask`` that say nothing of the subject (« bilan », unlike « TSH »). ``name``: the section's
    own, in any number; it is one of ``masks``, and of ``ask`` where there is one.
    """

    ask: re.Pattern[str] | None
    cues: tuple[str, ...]
    find: re.Pattern[str] | None = None
    masks: re.Pattern[str] | None = None
    name: re.Pattern[str] | None = None

    def is_hinted(self, folded: str) -> bool:
        """Whether a folded question leads to the section by words that are not its subject."""
        return any(p is not None and p.search(folded) for p in (self.masks, self.find))


NO_CUES = SectionCues(ask=None, cues=())
"""Of a section that is none of the taxonomy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningLexicon:
    """Everything the rule planner knows beside the index's own vocabulary."""

    acronyms: Mapping[str, Acronym]
    abbreviations: tuple[tuple[str, str], ...]
    """(folded expansion of several words, its acronym)."""
    synonyms: Mapping[str, tuple[str, ...]]
    narrower: Mapping[str, tuple[str, ...]]
    """Folded word → folded ones that are of its kind: who speaks of one speaks of it."""
    brands: Mapping[str, str]
    sections: Mapping[str, SectionCues]
    class_cues: Mapping[TopicClass, tuple[tuple[re.Pattern[str], int], ...]]
    priority: tuple[TopicClass, ...]
    conversation: tuple[tuple[str, re.Pattern[str]], ...]
    medical_anchor: re.Pattern[str]
    emergency: re.Pattern[str]
    """Somebody may be in danger now: the answer opens with whom to call."""
    drug_words: frozenset[str]
    drug_names: frozenset[str]
    """Folded single-word names of drugs (brands, DCI, classes), known to the corpus or not."""
    substances: frozenset[str]
    """Folded single-word names of substances that are drugs, known to the corpus or not."""
    drug_labels: Mapping[str, str]
    """Folded names of drugs, brands first → as they are written."""
    secondary_minimum: int
    secondary_ratio: float

    def names_section(self, wording: str) -> bool:
        """Whether a wording is a section's name, in any number, and nothing else."""
        folded = fold(wording)
        masks = (cues.masks for cues in self.sections.values())
        return any(mask is not None and mask.fullmatch(folded) for mask in masks)


def load_lexicon(folder: Path) -> PlanningLexicon:
    """Read ``acronyms.json``, ``classes.json``, ``sections.toml`` and ``narrower.toml``.

    Raises:
        BugError: a section or class of the files is not one of the taxonomy.

    """
    substances = _substances(tomllib.loads((folder / "substances.toml").read_text("utf-8")))
    words = json.loads((folder / "acronyms.json").read_text("utf-8"))
    classes = json.loads((folder / "classes.json").read_text("utf-8"))
    sections = tomllib.loads((folder / "sections.toml").read_text("utf-8"))
    narrower = tomllib.loads((folder / "narrower.toml").read_text("utf-8"))
    unknown = set(sections) - set(SECTIONS)
    if unknown:
        raise BugError(f"sections.toml names unknown sections: {sorted(unknown)}")
    acronyms = {fold(a["acronyme"]): _acronym(a) for a in words["acronymes"]}
    # « cha2ds2vasc »: as acronyms are typed in haste.
    closed = {key.replace("-", ""): acronym for key, acronym in acronyms.items()}
    return PlanningLexicon(
        acronyms={**closed, **acronyms},
        abbreviations=tuple(
            (fold(e), key) for key, a in acronyms.items() for e in a.expansions if " " in e
        ),
        synonyms={fold(s["profane"]): tuple(s["medical"]) for s in words["synonymes"]},
        narrower={fold(w): tuple(map(fold, e["held_by"])) for w, e in narrower.items()},
        brands={fold(b["marque"]): _ASIDE.sub("", b["dci"]) for b in words["marques"]},
        sections={name: _section(name, sections.get(name, {})) for name in SECTIONS},
        class_cues={
            TopicClass(name): tuple((re.compile(p), w) for p, w in cues)
            for name, cues in classes["classes"].items()
        },
        priority=tuple(TopicClass(name) for name in classes["priority"]),
        conversation=tuple((i, re.compile(p)) for i, p in classes["conversation"]),
        emergency=re.compile(classes["emergency"]),
        medical_anchor=re.compile(classes["medical_anchor"]),
        drug_words=frozenset(classes["drug_words"]),
        drug_names=frozenset(
            word
            for b in words["marques"]
            for word in fold(f"{b['marque']} {b['dci']}").replace("+", " ").split()
            if len(word) > _LONG_NAME
        )
        | frozenset(classes["drug_words"])
        | substances,
        substances=substances,
        drug_labels=_labels(words["marques"]),
        secondary_minimum=classes["secondary_minimum"],
        secondary_ratio=classes["secondary_ratio"],
    )


def _substances(entries: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """Folded names of the substances that are drugs by name alone."""
    lists = (v for name, v in entries["members"].items() if name != "reason")
    return frozenset(fold(name) for names in lists for name in names.split(", "))


def _labels(brands: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Brands, then substances of one word, by their fold."""
    substances = (_ASIDE.sub("", b["dci"]) for b in brands)
    names = (*(b["marque"] for b in brands), *(s for s in substances if " " not in s))
    return {fold(name): name for name in names}


def _acronym(entry: Mapping[str, Any]) -> Acronym:
    contexts = tuple(
        (expansion, tuple(fold(word) for word in clues))
        for expansion, clues in entry.get("contexte", {}).items()
    )
    return Acronym(
        acronym=entry["acronyme"],
        expansions=tuple(entry["expansions"]),
        contexts=contexts,
        guarded="garde" in entry,
    )


def _section(name: str, entry: Mapping[str, Any]) -> SectionCues:
    ask, find, also = entry.get("ask"), entry.get("find"), entry.get("also_subject")
    own = _any_number(name)
    # The longest wording first: « recommandation et date », « interactions médicamenteuses ».
    both = filter(None, (own, ask) if " " in name else (ask, own))
    masks = "|".join(both)
    asks = f"{masks}|{also}" if also else masks
    return SectionCues(
        ask=re.compile(asks) if ask or also else None,
        cues=tuple(fold(c) for c in entry.get("cues", ())),
        find=re.compile(find) if find else None,
        masks=re.compile(masks),
        name=re.compile(own),
    )


def _any_number(name: str) -> str:
    """Pattern of a section's name, singular or plural."""
    words = (word.removesuffix("s") + "s?" for word in re.findall(r"\w+", fold(name)))
    return r"(?<!contre[- ])\b" + r"\W+".join(words) + r"\b"
