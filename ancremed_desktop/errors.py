"""Every error the application raises on purpose.

    AncremedError
    ├── UserError       the user can act on it: ``str(error)`` is French and shown as it is
    │   ├── BadQuestionError      a question that cannot be asked (empty, too long, ...)
    │   ├── BadFileError          a file that cannot be read as what it claims to be
    │   ├── IndexFileError        the index is absent, damaged, newer than the program, ...
    │   └── CalculationError      a formula cannot be computed from the values given
    ├── MachineError    the machine's fault (full disk, locked file): French, no traceback
    └── BugError        ours: shown with its traceback, reported in the diagnostics

"I do not know" is not an error: abstention is a result with a type (``domain.spans``).
Cancellation is not a fault either: ``Cancelled`` ends a piece of work the user stopped.
"""

from __future__ import annotations


class AncremedError(Exception):
    """Root of the tree; ``exit_code`` is what the command line returns."""

    exit_code = 1


class UserError(AncremedError):
    """Something the user can correct; the message says what, where and what to do."""

    exit_code = 2


class BadQuestionError(UserError):
    """The question cannot be asked as it stands."""


class BadFileError(UserError):
    """A file is missing, damaged, encrypted or not what its name says."""

    exit_code = 3


class IndexFileError(UserError):
    """The index file cannot be used (absent, damaged, newer, built halfway)."""

    exit_code = 4


class CalculationError(UserError):
    """A calculation is refused: a value is missing, ambiguous or implausible."""


class MachineError(AncremedError):
    """The machine refuses: disk full, file locked, memory or time limit reached."""

    exit_code = 5


class BugError(AncremedError):
    """An invariant of ours is broken."""

    exit_code = 70


class Cancelled(AncremedError):  # noqa: N818 - a request that was honoured, not an error
    """The user stopped the work; what was committed before stays."""

    exit_code = 130
