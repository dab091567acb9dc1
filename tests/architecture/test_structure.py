"""Shape of the code: sizes, prints, and what the repository must not speak of."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "ancremed_desktop").rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= 400
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= 60
    ]
    assert not long


NETWORK = ("urllib.request", "http.client", "http.server", "ftplib", "smtplib", "ssl")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_the_standard_library_opens_no_connection(path: Path) -> None:
    """import-linter cannot name parts of the standard library; the providers alone may."""
    if "providers" in path.parts:
        return
    imported = {
        name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [f"{node.module}.{a.name}" for a in node.names] + [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not imported & set(NETWORK)


_PARSERS = {"json.loads", "json.load", "tomllib.loads", "tomllib.load"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_file_nested_too_deep_is_damaged_like_another(path: Path) -> None:
    """Where a parser's ValueError is expected, so is the RecursionError of deep brackets."""
    missed = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Try) and _PARSERS & _called(node.body)
        for caught in [{n for h in node.handlers if h.type for n in _names(h.type)}]
        if "ValueError" in caught and "RecursionError" not in caught
    ]
    assert not missed


def _called(body: list[ast.stmt]) -> set[str]:
    nodes = (node for statement in body for node in ast.walk(statement))
    return {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}


def _names(node: ast.expr) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
