"""What each model has earned on this machine: measures kept in the user's data, judged when read.

A qualification holds for one model (SHA-256 of its weights, or published version) and the very
words of the prompts: another model, another prompt, and it is to be done again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType

from ancremed_desktop.domain.models import Ability
from ancremed_desktop.services.model_files import change_json, read_json
from ancremed_desktop.text.french import NBSP

ABILITY_NAMES: Mapping[Ability, str] = MappingProxyType(
    {
        Ability.PLAN: "planifier la recherche",
        Ability.SELECT: "choisir des phrases",
        Ability.NARRATE: "rédiger les liaisons",
        Ability.WRITE: "reformuler des affirmations",
        Ability.VERIFY: "vérifier des affirmations",
    }
)


ROLE_NAMES: Mapping[Ability, str] = MappingProxyType(
    {
        Ability.PLAN: "comme planificateur",
        Ability.SELECT: "pour choisir des phrases",
        Ability.NARRATE: "pour rédiger les liaisons",
        Ability.WRITE: "comme rédacteur",
        Ability.VERIFY: "comme vérificateur",
    }
)
"""What a model is taken on as."""

_ENDS = {
    "ok": "lisibles",
    "late": "trop lentes",
    "invalid": "illisibles",
    "too_long": "trop longues",
    "refused": "refusées",
    "unavailable": "impossibles",
    "fault": "en panne",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One thing measured for an ability. ``floor``: least lower bound (95 %) that earns it."""

    key: str
    ability: Ability
    label: str
    floor: float


CRITERIA = (
    # A model that plans must be about as good as the rules, and seldom wrong where they are right.
    Criterion(key="plan_class", ability=Ability.PLAN, label="classe juste", floor=0.75),
    Criterion(key="plan_no_loss", ability=Ability.PLAN, label="pas moins juste que les règles",
              floor=0.85),
    # Its first sentence is what the reader sees first; the others stand below it.
    Criterion(key="select_first", ability=Ability.SELECT, label="première phrase juste",
              floor=0.80),
    # The pre-check stops a leak whatever the model: this measures waste, hence a modest floor.
    Criterion(key="narrative_clean", ability=Ability.NARRATE, label="liaisons sans fait clinique",
              floor=0.80),
    # What the gate and the rules already refuse says how often it invents.
    Criterion(key="write_supported", ability=Ability.WRITE,
              label="affirmations admises par les règles", floor=0.80),
    Criterion(key="write_useful", ability=Ability.WRITE, label="passages rédigés avec profit",
              floor=0.60),
    # A verifier that lets one error in ten through is not one; one that refuses all is useless.
    Criterion(key="verify_block", ability=Ability.VERIFY, label="affirmations fausses bloquées",
              floor=0.90),
    Criterion(key="verify_pass", ability=Ability.VERIFY, label="affirmations justes admises",
              floor=0.70),
)  # fmt: skip
"""Every threshold there is. Floors are on the lower bound: few cases earn nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``right`` of ``total`` for a criterion, with the bounds of its 95 % interval (0 to 1)."""

    key: str
    right: int
    total: int
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification:
    """One run. ``prompts``: their identity. ``date``: ISO, UTC.

    ``calls``: how many ended how (outcomes of ``ModelUse``): a machine too slow shows here.
    """

    model: str
    identity: str
    prompts: str
    date: str
    measures: tuple[Measure, ...]
    calls: tuple[tuple[str, int], ...] = ()

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the measures earn; a criterion that was not measured earns nothing."""
        low = {m.key: m.low for m in self.measures}
        refused = {c.ability for c in CRITERIA if low.get(c.key, 0.0) < c.floor}
        return frozenset(Ability) - refused


class QualificationStore:
    """The runs of this machine, one a model and prompts, in one small file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, identity: str, prompts: str) -> Qualification | None:
        """The latest run; None when there is none, or it cannot be read (it earns nothing)."""
        entry = read_json(self._path).get(_key(identity, prompts))
        if not isinstance(entry, dict):
            return None
        try:
            found = _read(entry)
        except (KeyError, TypeError, ValueError):
            return None
        return found if (found.identity, found.prompts) == (identity, prompts) else None

    def keep(self, qualification: Qualification) -> None:
        """Store a run in place of the one before. Raises: MachineError."""
        key = _key(qualification.identity, qualification.prompts)
        change_json(self._path, lambda known: {**known, key: asdict(qualification)})


def report(qualification: Qualification) -> str:
    """What was measured and what it earns, in French, one line a criterion."""
    measures = {m.key: m for m in qualification.measures}
    lines = [f"Modèle {qualification.model}, qualifié le {qualification.date[:10]} :"]
    for ability in Ability:
        earned = "accordé" if ability in qualification.abilities else "refusé"
        lines.append(f"  {ABILITY_NAMES[ability]} : {earned}")
        for criterion in (c for c in CRITERIA if c.ability is ability):
            lines.append(f"    {_line(criterion, measures.get(criterion.key))}")
    if ended := ends(qualification):
        lines.append(f"  demandes au modèle – {ended}")
    return "\n".join(lines)


def verdict(qualification: Qualification, ability: Ability) -> str:
    """Why a model may, or may not, do something: one French sentence with its figures."""
    measures = {m.key: m for m in qualification.measures}
    own = [c for c in CRITERIA if c.ability is ability]
    if ability in qualification.abilities:
        shown = " ; ".join(_figures(c, measures.get(c.key)) for c in own)
        return f"Retenu {ROLE_NAMES[ability]} : {shown}."
    short = [c for c in own if c.key not in measures or measures[c.key].low < c.floor]
    shown = " ; ".join(
        f"{_figures(c, measures.get(c.key))}, il en faut {_whole(c.floor)} au moins" for c in short
    )
    return f"Ce modèle n’a pas été retenu {ROLE_NAMES[ability]} : {shown}."


def ends(qualification: Qualification) -> str:
    """How the requests of the run ended, French; empty when it is not known."""
    return ", ".join(f"{_ENDS.get(end, end)} : {count}" for end, count in qualification.calls)


def _figures(criterion: Criterion, measure: Measure | None) -> str:
    if measure is None or not measure.total:
        return f"{criterion.label}, non mesuré"
    bounds = f"entre {_whole(measure.low)} et {_whole(measure.high)}"
    return f"{criterion.label} {measure.right}{NBSP}sur{NBSP}{measure.total} ({bounds})"


def _whole(share: float) -> str:
    """Rounded down: 89.9 % is not 90 %."""
    return f"{math.floor(100 * share + 1e-9)}{NBSP}%"


def _line(criterion: Criterion, measure: Measure | None) -> str:
    floor = f"borne basse exigée : {_percent(criterion.floor)}"
    if measure is None or not measure.total:
        return f"{criterion.label} : non mesuré ({floor})"
    share = _percent(measure.right / measure.total)
    bounds = f"[{_percent(measure.low)} ; {_percent(measure.high)}]"
    return f"{criterion.label} : {measure.right}/{measure.total}, {share} {bounds} ({floor})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %".replace(".", ",")


def _key(identity: str, prompts: str) -> str:
    return f"{identity} {prompts}"


def _read(entry: Mapping[str, object]) -> Qualification:
    measures = entry["measures"]
    calls = entry["calls"]
    if not isinstance(measures, Sequence) or not isinstance(calls, Sequence):
        raise TypeError("measures")
    return Qualification(
        model=str(entry["model"]),
        identity=str(entry["identity"]),
        prompts=str(entry["prompts"]),
        date=str(entry["date"]),
        measures=tuple(_measure(m) for m in measures),
        calls=tuple((str(end), int(str(count))) for end, count in calls),
    )


def _measure(entry: Mapping[str, object]) -> Measure:
    right, total = int(str(entry["right"])), int(str(entry["total"]))
    low, high = float(str(entry["low"])), float(str(entry["high"]))
    if not (0 <= right <= total and 0 <= low <= high <= 1):
        raise ValueError(entry["key"])
    return Measure(key=str(entry["key"]), right=right, total=total, low=low, high=high)
