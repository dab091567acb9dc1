"""The formula bank: reading it, searching it, and giving it to the index as a corpus."""

from __future__ import annotations

from pathlib import Path

from ancremed_desktop.formulas.loading import load
from ancremed_desktop.formulas.model import (
    Band,
    Bank,
    Choice,
    Formula,
    Level,
    Need,
    OutputSpec,
    Status,
    Variable,
    VariableType,
)
from ancremed_desktop.formulas.passages import (
    ClinicalFormulaRow,
    clinical_formula_rows,
    formula_passages,
)

__all__ = [
    "Band",
    "Bank",
    "Choice",
    "ClinicalFormulaRow",
    "Formula",
    "Level",
    "Need",
    "OutputSpec",
    "Status",
    "Variable",
    "VariableType",
    "clinical_formula_rows",
    "formula_passages",
    "load_bank",
]


def load_bank(folder: Path) -> Bank:
    """The bank of a folder (``unites.json``, ``questions.json``, ``entrees/*.json``).

    Raises: BadFileError, in French, naming the file and the field at fault.
    """
    return load(folder)
