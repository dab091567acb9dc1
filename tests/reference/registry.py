"""Every second implementation written without sight, by the bank's identifier."""

from collections.abc import Callable
from types import ModuleType

from reference import (
    body,
    cardiology,
    hepatology,
    metabolic,
    renal,
    scales,
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


REFERENCES: dict[str, Callable[..., Outputs]] = {
    name: function for module in _MODULES for name, function in _own(module).items()
}
