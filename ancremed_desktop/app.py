"""Composition root: the only module that knows the adapters."""

from __future__ import annotations


def main() -> int:
    """Run the application; returns the exit code."""
    return 0
