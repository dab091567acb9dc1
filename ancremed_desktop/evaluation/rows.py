"""Files of questions and cases: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ancremed_desktop.errors import BadFileError, reason_of

_Row = TypeVar("_Row")


def read_rows(path: Path, make: Callable[[dict[str, Any]], _Row]) -> tuple[_Row, ...]:
    """Every line made into a row, empty ones left out.

    ``make`` may raise KeyError (a field is missing), ValueError, TypeError or AttributeError.

    Raises:
        BadFileError: the file cannot be read, or a line is no row: file, line and reason named.

    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise BadFileError(
            f"Le fichier « {path} » n’est pas du texte UTF-8 : enregistrez-le dans ce codage."
        ) from error
    except OSError as error:
        raise BadFileError(f"Le fichier « {path} » est illisible : {reason_of(error)}.") from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(make(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadFileError(
                f"« {path} », ligne {number} : {_reason(error)}. Corrigez ou retirez cette ligne."
            ) from error
    return tuple(rows)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"le champ « {error.args[0]} » manque"
    if isinstance(error, json.JSONDecodeError):
        return f"ce n’est pas un objet JSON (colonne {error.colno})"
    return "le contenu n’est pas celui attendu"
