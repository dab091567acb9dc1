"""Every second implementation, by the bank's identifier; which ones were written without sight."""

from collections.abc import Callable
from types import ModuleType

from reference import (
    body,
    cardiology,
    hepatology,
    metabolic,
    renal,
    scales,
    seen,
    severity,
    thrombosis,
)
from reference.common import Outputs

_MODULES = (renal, metabolic, body, cardiology, hepatology, thrombosis, severity, scales)


def _own(module: ModuleType) -> dict[str, Callable[..., Outputs]]:
    """Return the public functions a module defines itself, by name."""
    return {
        name: item
        for name, item in vars(module).items()
        if callable(item) and not name.startswith("_") and item.__module__ == module.__name__
    }


_BLIND = {name: item for module in _MODULES for name, item in _own(module).items()}

WITHOUT_SIGHT = frozenset(_BLIND)
REFERENCES: dict[str, Callable[..., Outputs]] = _BLIND | _own(seen)
