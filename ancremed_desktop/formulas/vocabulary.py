"""The words by which questions name formulas, quantities and criteria, as compiled patterns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.errors import BadFileError
from ancremed_desktop.formulas.french import typographic

Pattern = re.Pattern[str]

_LINK = (
    r"(?: ?(?:[:=(]|\b(?:a|de|du|est|etait|au|en|environ|egale? a|mesuree?|dosee?|calculee?"
    r"|actuelle?|totale?|normale?|retrouvee?|vaut|estimee?|abaissee?|basse|elevee?|stable|chiffree?|compte|sont)\b)){0,4}"
)
_QUALIFIED = (
    r"(?: (?:arteriel(?:le)?s?|veineuses?|chroniques?|aigue?s?|severes?|idiopathique|primitive"
    r"|secondaire|isolee?|de|du|d'un|d'une|des|a|au|par|type))*[ ']*(?:{})(?![a-z0-9])"
)
_PREFIX = re.compile(r"\b(?:pre|pseudo|quasi|hydro)[- ]$")
_SHORT_LINK = r"(?: ?[:=]| a| est a)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberWords:
    """``label``: the name and what may stand before its value.

    ``after_value``: « 6 synovites »; ``of_value``: « 30 g/L d’albumine ».
    """

    concept: str
    label: Pattern
    after_value: Pattern
    of_value: Pattern
    counts: bool
    """Whether « N name » without a unit gives the value (« 6 articulations douloureuses »)."""
    roman: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionWords:
    """``inverse``: the criterion is the absence of what the words name.

    ``denied``: words too loose to tell the criterion, that deny it when they are denied (« pas de
    phlébite » for a history of thrombosis). ``habit``: what one may have given up, which a stroke
    or a cancer of the past is not.
    """

    concept: str
    words: Pattern
    contrary: Pattern | None
    denied: Pattern | None
    inverse: bool
    habit: bool
    qualifiers: tuple[tuple[Pattern, Pattern], ...]
    """(head, what follows it): together another disease, as « hypertension » « pulmonaire »."""

    def is_another(self, text: str, start: int, end: int) -> bool:
        """Whether the mention ``text[start:end]`` is qualified into another disease."""
        if _PREFIX.search(text, max(0, start - 8), start):
            return True
        return any(
            head.match(text, start, end) and follows.match(text, end)
            for head, follows in self.qualifiers
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceWords:
    """``word``: what must be mentioned first (None: nothing); ``keys``: words of each choice."""

    concept: str
    word: Pattern | None
    keys: Mapping[str, Pattern]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameWords:
    """A way to name formulas; ``weak``: counts only where nothing is named outright.

    ``best``: keep only the formula for which the question gives most values.
    """

    pattern: Pattern
    formulas: tuple[str, ...]
    weak: bool
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduction:
    """Formulas implied by the values given, when none is named."""

    formulas: tuple[str, ...]
    concepts: tuple[str, ...]
    any_of: tuple[str, ...]
    none_of: tuple[str, ...]
    words: Pattern | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Everything ``extract`` knows of the language of questions."""

    numbers: tuple[NumberWords, ...]
    criteria: tuple[CriterionWords, ...]
    choices: tuple[ChoiceWords, ...]
    alerts: tuple[tuple[str, Pattern], ...]
    """Words that tell of a value without giving it: (concept, words)."""
    names: tuple[NameWords, ...]
    deductions: tuple[Deduction, ...]


def load_vocabulary(path: Path) -> Vocabulary:
    """Read ``questions.json`` (patterns on folded text).

    Raises: BadFileError naming the file and the entry.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        qualifiers = tuple(
            (re.compile(_words(v["tetes"])), re.compile(_QUALIFIED.format("|".join(v["suites"]))))
            for v in data["qualificatifs"]
        )
        return Vocabulary(
            numbers=tuple(_number(k, v) for k, v in data["nombres"].items()),
            criteria=tuple(_criterion(k, v, qualifiers) for k, v in data["criteres"].items()),
            choices=tuple(_choice(k, v) for k, v in data["choix"].items()),
            alerts=tuple((k, re.compile(_words(v))) for k, v in data["alertes"].items()),
            names=tuple(_name(v) for v in data["noms"]),
            deductions=tuple(_deduction(v) for v in data["deductions"]),
        )
    except (
        OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, re.error,
    ) as error:  # fmt: skip
        raise BadFileError(
            typographic(f"{path.name} : vocabulaire illisible ({error!r}).")
        ) from error


def _words(words: list[str]) -> str:
    """Alternatives, longest first, on word boundaries that also hold beside a digit."""
    ordered = sorted(words, key=len, reverse=True)
    return rf"(?<![a-z0-9µ])(?:{'|'.join(ordered)})(?![a-z0-9])"


def _number(concept: str, entry: Mapping[str, object]) -> NumberWords:
    words = entry["mots"]
    assert isinstance(words, list)
    short = [word for word in words if len(re.sub(r"\W|\?", "", word)) <= 2]
    long = [word for word in words if word not in short]
    forms = []
    if long:
        forms.append(f"(?P<long>{_words(long)}){_LINK}")
    if short:
        forms.append(f"(?P<short>{_words(short)}){_SHORT_LINK}")
    return NumberWords(
        concept=concept,
        label=re.compile(rf"(?:{'|'.join(forms)}) ?"),
        after_value=re.compile(rf" ?{_words(words)}"),
        of_value=re.compile(rf" ?(?:de |d'){_words(words)}"),
        counts=bool(entry.get("avant", False)),
        roman=bool(entry.get("romain", False)),
    )


def _criterion(
    concept: str, entry: Mapping[str, object], qualifiers: tuple[tuple[Pattern, Pattern], ...]
) -> CriterionWords:
    words, contrary, denied = entry["mots"], entry.get("contraire"), entry.get("nie")
    assert isinstance(words, list)
    return CriterionWords(
        concept=concept,
        words=re.compile(_words(words)),
        contrary=re.compile(_words(contrary)) if isinstance(contrary, list) else None,
        denied=re.compile(_words(denied)) if isinstance(denied, list) else None,
        inverse=bool(entry.get("inverse", False)),
        habit=bool(entry.get("habitude", False)),
        qualifiers=qualifiers,
    )


def _choice(concept: str, entry: Mapping[str, object]) -> ChoiceWords:
    word = entry["mot"]
    return ChoiceWords(
        concept=concept,
        word=re.compile(_words([word])) if isinstance(word, str) and word else None,
        keys={
            key: re.compile(_words(words))
            for key, words in entry.items()
            if key != "mot" and isinstance(words, list)
        },
    )


def _name(entry: Mapping[str, object]) -> NameWords:
    formulas = entry["formules"]
    assert isinstance(formulas, list)
    return NameWords(
        pattern=re.compile(rf"(?<![a-z0-9])(?:{entry['motif']})(?![a-z])"),
        formulas=tuple(formulas),
        weak=bool(entry.get("faible", False)),
        best=entry.get("mode") == "meilleure",
    )


def _deduction(entry: Mapping[str, object]) -> Deduction:
    def names(key: str) -> tuple[str, ...]:
        value = entry.get(key, [])
        assert isinstance(value, list)
        return tuple(value)

    words = entry.get("mots")
    return Deduction(
        formulas=names("formules"),
        concepts=names("notions"),
        any_of=names("parmi"),
        none_of=names("sauf"),
        words=re.compile(words) if isinstance(words, str) else None,
    )
