"""Runs the real gate and verifier on challenge cases and scores the verdicts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.spans import (
    Abstention,
    DraftAssertion,
    DraftSpan,
    DroppedSpan,
    Narrative,
)
from ancremed_desktop.evaluation.rows import read_rows
from ancremed_desktop.pipeline.attribute import GateContext, attribute
from ancremed_desktop.pipeline.verify import verify
from ancremed_desktop.ports import EntityMention, Verifier
from ancremed_desktop.settings.files import write_whole
from ancremed_desktop.text.normalise import fold, nfc

TIMEOUT_S = 60.0


class Stage(StrEnum):
    """How far a case is taken."""

    DETERMINISTIC = "deterministic"
    RULES = "rules"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One challenge case. ``expected``: pass or block; ``severity``: critical, major, minor."""

    id: str
    category: str
    expected: str
    layer: str
    severity: str
    policy_dependent: bool
    draft: DraftSpan | None
    passages: tuple[Passage, ...]
    retrieved: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseVerdict:
    """``verdict``: pass or block; ``reason``: DropReason of a refusal, else empty."""

    id: str
    verdict: str
    reason: str
    stage: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """``right`` of ``total`` with the exact 95 % interval (Clopper and Pearson, 1934)."""

    label: str
    right: int
    total: int

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound, 0 to 1."""
        return clopper_pearson(self.right, self.total)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Read a file of cases, one JSON object a line.

    Raises:
        BadFileError: the file is missing, or a line is not a case (line number given).

    """
    return read_rows(path, _case)


def _case(raw: Mapping[str, object]) -> Case:
    retrieved = raw["retrieved_urns"]
    others = raw.get("other_sources") or []
    if not isinstance(retrieved, list) or not isinstance(others, list):
        raise TypeError("retrieved_urns et other_sources doivent être des listes")
    return Case(
        id=str(raw["id"]),
        category=str(raw["category"]),
        expected=str(raw["expected"]),
        layer=str(raw["layer"]),
        severity=str(raw["severity"]),
        policy_dependent=bool(raw.get("policy_dependent")),
        draft=_draft(raw["span"]),
        passages=(_passage(raw), *(_passage(o) for o in others)),
        retrieved=tuple(str(u) for u in retrieved),
    )


def _passage(raw: Mapping[str, object]) -> Passage:
    meta = raw.get("source_meta") or {}
    if not isinstance(meta, dict):
        raise TypeError("source_meta doit être un objet")
    identifier = str(raw["source_identifier"])
    return Passage(
        urn=str(raw["source_urn"]),
        source_key=identifier,
        silo=Silo.FICHES,
        origin_title=nfc(str(raw["source_title"])),
        source_identifier=identifier,
        text=nfc(str(raw["source_text"])),
        superseded=meta.get("status") == "superseded" or bool(meta.get("superseded_by")),
    )


def _draft(raw: object) -> DraftSpan | None:
    """The span as a typed draft; ``None`` when it is of no known type."""
    if not isinstance(raw, dict):
        return None
    section = str(raw.get("section") or "")
    if raw.get("type") == "narrative":
        return Narrative(text=raw["text"], section=section)
    if raw.get("type") == "abstention":
        return Abstention(section=section, reason=raw.get("reason") or "")
    if raw.get("type") != "clinical_assertion":
        return None
    return DraftAssertion(
        section=section,
        text=raw["text"],
        exact_source_quote=raw["exact_source_quote"],
        source_urn=raw["source_urn"],
        subject_entity_id=raw["subject_entity_id"],
        confidence_score=raw["confidence_score"],
    )


def names_of(passages: Iterable[Passage]) -> Callable[[str], tuple[EntityMention, ...]]:
    """Names the titles give to their sources, found in a text on word boundaries.

    The name is the title up to a dash, comma or parenthesis (« Apixaban — posologie »); only
    titles of drug records (identifier ``cis-…``) name a substance, the others a condition.
    """
    names: dict[str, tuple[str, list[str]]] = {}
    for passage in passages:
        name = re.split(r"\s+[—–-]\s+|[,(:]", passage.origin_title)[0].strip()
        words = fold(name).split()
        drug = passage.source_identifier.startswith("cis-")
        key = words[0] if drug and words else fold(name)
        if len(key) > 3:
            names.setdefault(key, ("drug" if drug else "title", []))[1].append(
                passage.source_identifier
            )

    patterns = {k: re.compile(rf"(?<!\w){re.escape(k)}(?!\w)") for k in names}

    def find(text: str) -> tuple[EntityMention, ...]:
        folded = "".join(map(_one_letter, text))
        found = []
        for key, (kind, identifiers) in sorted(names.items()):
            for match in patterns[key].finditer(folded) if key in folded else ():
                found.append(
                    EntityMention(
                        start=match.start(),
                        end=match.end(),
                        label=key,
                        kind=kind,
                        identifiers=tuple(dict.fromkeys(identifiers)),
                    )
                )
        return tuple(found)

    return find


@lru_cache(maxsize=4096)
def _one_letter(char: str) -> str:
    """The fold of a character, one letter of it, so that offsets stay."""
    return fold(char)[:1] or " "


def judge_case(
    case: Case,
    verifier: Verifier | None,
    known_names: Callable[[str], tuple[EntityMention, ...]],
    cancel: CancelToken,
) -> CaseVerdict:
    """Take one case through the stages; ``verifier`` None stops after the gate."""
    if case.draft is None:
        return CaseVerdict(id=case.id, verdict="block", reason="schema", stage="schema")
    passages = {p.urn: p for p in case.passages if p.urn in case.retrieved}
    context = GateContext(passages=passages, known_names=known_names)
    spans, dropped = attribute((case.draft,), context)
    if not dropped and verifier is not None:
        _, dropped = verify(
            spans, verifier, cancel=cancel, paraphrase_allowed=True, timeout_s=TIMEOUT_S
        )
    return _verdict(case, dropped)


def _verdict(case: Case, dropped: tuple[DroppedSpan, ...]) -> CaseVerdict:
    if not dropped:
        return CaseVerdict(id=case.id, verdict="pass", reason="")
    first = dropped[0]
    return CaseVerdict(
        id=case.id, verdict="block", reason=first.reason, stage=first.stage, detail=first.detail
    )


def run_cases(
    cases: Sequence[Case], verifier: Verifier | None, cancel: CancelToken
) -> tuple[CaseVerdict, ...]:
    """Verdicts on all cases, in order; names are those of every document of the file."""
    known = names_of(p for c in cases for p in c.passages)
    return tuple(judge_case(c, verifier, known, cancel) for c in cases)


def rates(cases: Sequence[Case], verdicts: Sequence[CaseVerdict]) -> tuple[Rate, ...]:
    """Share of right verdicts: totals, by severity, by layer, by category; policy cases apart."""
    right: dict[str, int] = {}
    total: dict[str, int] = {}
    for case, verdict in zip(cases, verdicts, strict=True):
        if case.policy_dependent:
            labels = [f"hors score (politique)/{case.expected}"]
        else:
            labels = [f"TOTAL {case.expected}", f"{case.category}/{case.expected}"]
            if case.expected == "block":
                labels += [f"bloquer/gravité {case.severity}", f"bloquer/couche {case.layer}"]
        for label in labels:
            total[label] = total.get(label, 0) + 1
            right[label] = right.get(label, 0) + (verdict.verdict == case.expected)
    ordered = sorted(total, key=lambda k: (not k.startswith("TOTAL"), k))
    return tuple(Rate(label=k, right=right[k], total=total[k]) for k in ordered)


def clopper_pearson(right: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Exact bounds of a proportion by bisection on the binomial tails."""
    if not total:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if right == 0 else _solve(lambda p: 1 - _cdf(right - 1, total, p), tail)
    high = 1.0 if right == total else _solve(lambda p: -_cdf(right, total, p), -tail)
    return low, high


def _solve(rising: Callable[[float], float], goal: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < goal else (low, middle)
    return (low + high) / 2


def _cdf(k: int, n: int, p: float) -> float:
    """P(X ≤ k) for a binomial of n trials."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return 1.0 if k >= n else 0.0
    logs = (
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        + i * math.log(p) + (n - i) * math.log1p(-p)
        for i in range(k + 1)
    )  # fmt: skip
    return min(1.0, math.fsum(math.exp(value) for value in logs))


def table(cases: Sequence[Case], verdicts: Sequence[CaseVerdict]) -> str:
    """The scores as a French table, and the ids of the wrong verdicts on critical cases."""
    lines = []
    for rate in rates(cases, verdicts):
        low, high = (f"{100 * b:.1f}".replace(".", ",") for b in rate.bounds)
        share = f"{100 * rate.right / rate.total:.1f}".replace(".", ",")
        lines.append(
            f"{rate.label:46s} {rate.right:4d}/{rate.total:<4d} {share:>6s} %  [{low} ; {high}]"
        )
    wrong = [
        c.id
        for c, v in zip(cases, verdicts, strict=True)
        if c.severity == "critical" and not c.policy_dependent and v.verdict != c.expected
    ]
    lines.append(f"erreurs critiques : {', '.join(wrong) or 'aucune'}")
    return "\n".join(lines)


def write_verdicts(path: Path, verdicts: Sequence[CaseVerdict]) -> None:
    """Write one ``{"id", "verdict", "reason"}`` a line."""
    lines = (
        json.dumps({"id": v.id, "verdict": v.verdict, "reason": v.reason}, ensure_ascii=False)
        for v in verdicts
    )
    write_whole(path, ("\n".join(lines) + "\n").encode())
