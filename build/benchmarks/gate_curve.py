"""Block, pass and critical leaks as rules are taken away and as the count of free words moves.

Usage: python build/benchmarks/gate_curve.py CASES.jsonl [CASES.jsonl …]

Prints one Markdown row for each strictness and one column for each file: must-block cases
stopped, must-pass cases shown, critical must-block cases shown. Cases that a policy decides are
left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import common  # noqa: F401 - puts the package on the path

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.evaluation.gate import Case, read_cases, run_cases
from ancremed_desktop.pipeline.rules import (
    axes,
    binding,
    cases,
    company,
    contrary,
    cover,
    degrees,
    harm,
    logic,
    lost,
    modality,
    order,
    polarity,
    roles,
    subjects,
    swaps,
)
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier

Change = tuple[object, str, object]


def _without(*rules: tuple[object, str]) -> tuple[Change, ...]:
    return tuple((module, name, lambda *_a: None) for module, name in rules)


def _words(unknown: int, far: int, near: float) -> tuple[Change, ...]:
    return (
        (cover, "UNKNOWN_ALLOWED", unknown),
        (cover, "FAR_ALLOWED", far),
        (cover, "NEAR_VERBATIM", near),
    )


_NEVER = 2.0
"""A share no text reaches: nothing counts as a near copy."""
STRICTNESS: tuple[tuple[str, tuple[Change, ...]], ...] = (
    ("toutes les règles", ()),
    ("sans couverture", _without((cover, "uncovered"))),
    ("sans axes", _without((axes, "moved"))),
    ("sans polarité", _without((polarity, "opposed"))),
    ("sans modalité", _without((modality, "changed"))),
    (
        "sans exception, condition, limite perdues",
        _without(
            (lost, "lost_exception"),
            (lost, "lost_condition"),
            (lost, "lost_limit"),
        ),
    ),
    ("sans valeurs liées", _without((binding, "misbound"), (harm, "made_harmless"))),
    (
        "sans sujet, cas, degré échangés",
        _without(
            (binding, "_borrowed"),
            (subjects, "replaced"),
            (cases, "exchanged_cases"),
            (cases, "denied_case"),
            (cases, "requalified"),
            (degrees, "opposite_degree"),
        ),
    ),
    ("sans et/ou", _without((logic, "confused"))),
    ("sans ordre, rôles", _without((order, "reversed_order"), (roles, "swapped_roles"))),
    (
        "sans échanges, compagnie",
        _without((swaps, "turned"), (swaps, "changed_places"), (company, "mixed")),
    ),
    ("sans contraires", _without((contrary, "contrary"))),
    ("mots 0, 0, calque 0,75", _words(0, 0, cover.NEAR_VERBATIM)),
    ("mots 2, 3, calque 0,75", _words(2, 3, cover.NEAR_VERBATIM)),
    ("mots 1, 1, calque jamais", _words(1, 1, _NEVER)),
    ("mots 99, 99, calque jamais", _words(99, 99, _NEVER)),
)


def _cell(cases: Sequence[Case], verifier: RuleVerifier | None) -> str:
    scored = [
        (c, v.verdict)
        for c, v in zip(cases, run_cases(cases, verifier, CancelToken()), strict=True)
        if not c.policy_dependent
    ]
    block = [(c, v) for c, v in scored if c.expected == "block"]
    sound = [v for c, v in scored if c.expected == "pass"]
    stopped = sum(v == "block" for _, v in block)
    leaks = sum(v == "pass" and c.severity == "critical" for c, v in block)
    return f"{stopped}/{len(block)}, {sound.count('pass')}/{len(sound)}, {leaks}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", type=Path, nargs="+")
    files = [(p.stem, read_cases(p)) for p in parser.parse_args().cases]
    print("| rigueur |", " | ".join(name for name, _ in files), "|")
    print("|---" * (len(files) + 1) + "|")
    for label, changes in STRICTNESS:
        with ExitStack() as stack:
            for module, name, value in changes:
                stack.enter_context(patch.object(module, name, value))
            cells = [_cell(cases, RuleVerifier()) for _, cases in files]
        print(f"| {label} |", " | ".join(cells), "|", flush=True)
    print("| porte seule |", " | ".join(_cell(cases, None) for _, cases in files), "|")


if __name__ == "__main__":
    main()
