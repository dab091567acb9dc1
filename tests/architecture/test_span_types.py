"""Anchored and verified assertions are made in one module each (DESIGN §1.2)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "ancremed_desktop"
SITES = {
    "AnchoredAssertion": "pipeline/attribute.py",
    "VerifiedAssertion": "pipeline/verify.py",
}


def uses(name: str, tree: ast.AST) -> Iterator[str]:
    """How ``name`` is built in a module: called, aliased, or handed to another builder."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            target = node.func
            called = getattr(target, "attr", getattr(target, "id", ""))
            if called == name:
                yield "call"
            arguments = [*node.args, *(k.value for k in node.keywords)]
            if called not in {"isinstance", "issubclass", "type"} and any(
                getattr(a, "id", getattr(a, "attr", "")) == name for a in arguments
            ):
                yield "handed to a builder"
        if isinstance(node, ast.ImportFrom):
            yield from ("alias" for a in node.names if a.name == name and a.asname)
        if isinstance(node, ast.Assign) and getattr(node.value, "id", "") == name:
            yield "assignment"


@pytest.mark.parametrize("name", sorted(SITES))
def test_constructed_in_one_module_only(name: str) -> None:
    sites = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if list(uses(name, ast.parse(path.read_text("utf-8"))))
    }
    assert sites == {SITES[name]}


@pytest.mark.parametrize(
    "code",
    ["AnchoredAssertion(draft=d)", "spans.AnchoredAssertion()", "B = AnchoredAssertion",
     "from x import AnchoredAssertion as A", "replace(AnchoredAssertion, a=1)"],
)  # fmt: skip
def test_the_scan_sees_every_way(code: str) -> None:
    assert list(uses("AnchoredAssertion", ast.parse(code)))
