"""Kinds of what goes wrong under a drug (bleeding, overdose), and the classes a drug is of."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ancremed_desktop.domain.plans import Concept, Range
from ancremed_desktop.pipeline.drug_classes import classes_in
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold

POISONING = "surdosage"
_DENIED = r"(?<!\bsans )(?<!\bpas de )(?<!\bpas d.)(?<!\bni )(?<!absence de )(?<!absence d.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """An entry of ``harms.toml``, whose head says what each field is."""

    name: str
    said: re.Pattern[str]
    called: tuple[str, ...]
    classes: frozenset[str]
    general: bool
    cards: str
    """Name of the kind whose cards say what to do: its own, or that of what is feared."""
    beyond: tuple[str, float, str, str]
    """(analysis, limit beyond which it tells the same, class of drugs, words said otherwise)."""

    def is_beyond(
        self, values: Iterable[tuple[str, Range]], drugs: Sequence[Concept], folded: str
    ) -> bool:
        """Whether a value asked tells this of a drug."""
        analysis, limit, by, unless = self.beyond
        return (
            any(name == analysis and low > limit for name, (low, _high) in values)
            and any(by in classes_of(d) for d in drugs)
            and not re.search(unless, folded)
        )

    def as_told(self, typed: str) -> Concept:
        """What went wrong as a concept, the wording of the question first."""
        return Concept(phrases=tuple(dict.fromkeys((typed, *map(fold, self.called)))))

    def is_done_by(self, drugs: Sequence[Concept]) -> bool:
        """Whether one of some drugs is of a class that does this."""
        return "*" in self.classes or any(self.classes & classes_of(d) for d in drugs)


def kind_named(concept: Concept) -> Kind | None:
    """The kind that the first wording of a concept names, if any."""
    return next((k for k in kinds() if k.said.search(concept.phrases[0])), None)


def kind_done(harm: Concept, drugs: Sequence[Concept]) -> Kind | None:
    """The kind of what went wrong, where one of some drugs does it: a bleeding under lithium is a
    disease like another.
    """
    kind = kind_named(harm)
    return kind if kind is not None and kind.is_done_by(drugs) else None


def feared(kind: Kind) -> Kind | None:
    """What is feared of a kind, where that is not itself: bleeding, of a fall."""
    return None if kind.cards == kind.name else next(k for k in kinds() if k.name == kind.cards)


def classes_of(concept: Concept) -> frozenset[str]:
    """Classes of drugs a concept stands for or is a member of."""
    return frozenset().union(concept.classes, *(classes_in(p) for p in concept.phrases[:3]))


@lru_cache(1)
def kinds() -> tuple[Kind, ...]:
    """The kinds, in the order in which a question is read for them."""
    entries = tomllib.loads((RESOURCES / "lexicons" / "harms.toml").read_text("utf-8"))
    return tuple(
        Kind(
            name=name,
            said=re.compile(rf"{_DENIED}\b(?:{entry['said']})\b"),
            called=tuple(entry["called"]),
            classes=frozenset(entry["classes"]),
            general=entry["general"],
            cards=entry.get("cards", name),
            beyond=tuple(entry.get("beyond", ("", 0.0, "", ""))),
        )
        for name, entry in entries.items()
    )
