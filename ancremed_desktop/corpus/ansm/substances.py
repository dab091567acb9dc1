"""The index of the thesaurus: substances with their classes, classes with their members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ancremed_desktop.text.normalise import fold, nfc

_OTHERS = "autres "


@dataclass(slots=True)
class SubstanceIndex:
    """``classes`` by substance and ``members`` by class, in the order and words of the file."""

    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    _spelling: dict[str, str] = field(default_factory=dict)

    def add(self, record: object) -> str:
        """Take a record; the French reason when it cannot be taken."""
        if not isinstance(record, Mapping):
            return "l’enregistrement n’est pas une substance"
        substance, classes = record.get("substance"), record.get("drug_classes")
        if not isinstance(substance, str) or not substance.strip():
            return "le champ « substance » est absent ou vide"
        if not isinstance(classes, Sequence) or not all(isinstance(c, str) for c in classes):
            return "le champ « drug_classes » n’est pas une liste de classes"
        name = " ".join(nfc(substance).split())
        name = self._spelling.setdefault(fold(name), name)  # some come twice, without accents
        whole = tuple(dict.fromkeys(_whole(c) for c in classes))
        self.classes[name] = tuple(dict.fromkeys((*self.classes.get(name, ()), *whole)))
        for one in whole:
            known = self.members.setdefault(one, [])
            if name not in known:
                known.append(name)
        return ""


def _whole(name: str) -> str:
    """A class name without the gap of a line end inside a hyphenated word."""
    return " ".join(nfc(name).split()).replace("- ", "-").replace(" -", " - ")


def with_itself(entry: str) -> tuple[str, ...]:
    """An entry and its « autres … » form, under which a class meets its own members."""
    return (entry, f"{_OTHERS}{entry}")


def is_others(entry: str) -> bool:
    """Whether an entry is the « autres … » form of another."""
    return fold(entry).startswith(_OTHERS)
