"""Every error the application raises on purpose.

    AncremedError
    ├── UserError       the user can act on it: ``str(error)`` is French and shown as it is
    │   ├── BadQuestionError      a question that cannot be asked (empty, too long, ...)
    │   ├── BadFileError          a file that cannot be read as what it claims to be
    │   ├── IndexFileError        the index is absent, damaged, newer than the program, ...
    │   └── CalculationError      a formula cannot be computed from the values given
    ├── MachineError    the machine's fault (full disk, locked file): French, no traceback
    ├── ModelError      a language model gave no usable reply: French; extraction goes on without
    │   ├── ModelTimeoutError      the time allowed is over
    │   ├── ModelRefusedError      it will not answer this (blocked, too long, not consented)
    │   ├── ModelUnavailableError  absent, not installed, crashed, no network, bad key
    │   └── InvalidReplyError      the reply is cut, is not JSON or breaks its schema
    └── BugError        ours: shown with its traceback, reported in the diagnostics

"I do not know" is not an error: abstention is a result with a type (``domain.spans``).
Cancellation is not a fault either: ``Cancelled`` ends a piece of work the user stopped.
"""

from __future__ import annotations

import errno
import re


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


class ModelError(AncremedError):
    """A language model gave no usable reply; the message is French and shown as it is.

    ``sent``: what had left the machine, word for word; empty when nothing had. ``cost_usd``: what
    it may have cost all the same. ``tries``: requests made in vain, 1 where nobody counted.
    """

    exit_code = 6
    sent: str = ""
    cost_usd: float = 0.0
    tries: int = 1


class ModelTimeoutError(ModelError):
    """The reply did not come whole in the time allowed."""


class ModelRefusedError(ModelError):
    """It will not answer this request: blocked, longer than the context, not consented."""


class ModelUnavailableError(ModelError):
    """The model cannot be reached or loaded: absent, crashed, bad key, no network.

    ``after_s``: delay a service asked for, in seconds; None: it asked for none.
    """

    after_s: float | None = None


class InvalidReplyError(ModelError):
    """The reply is cut, is not JSON or does not keep to its schema."""


class BugError(AncremedError):
    """An invariant of ours is broken."""

    exit_code = 70


class Cancelled(AncremedError):  # noqa: N818 - a request that was honoured, not an error
    """The user stopped the work; what was committed before stays.

    ``sent``, ``cost_usd``: as of ``ModelError``, when a language model was being asked.
    """

    exit_code = 130
    sent: str = ""
    cost_usd: float = 0.0


_SYSTEM_REASONS = {
    errno.ENOENT: "introuvable",
    errno.EACCES: "accès refusé",
    errno.EPERM: "accès refusé",
    errno.EISDIR: "c’est un dossier",
    errno.ENOTDIR: "un élément du chemin n’est pas un dossier",
    errno.EEXIST: "ce nom est déjà pris",
    errno.ENAMETOOLONG: "nom trop long",
    errno.ENOSPC: "plus de place",
    errno.EDQUOT: "plus de place",
    errno.EFBIG: "plus de place",
    errno.EROFS: "support en lecture seule",
    errno.EIO: "erreur du disque",
    errno.EBUSY: "déjà utilisé",
    errno.ETXTBSY: "déjà utilisé",
    errno.EMFILE: "trop de fichiers ouverts",
    errno.ENFILE: "trop de fichiers ouverts",
    errno.ELOOP: "ce lien mène à lui-même",
    errno.ENOMEM: "mémoire insuffisante",
    errno.ENXIO: "ce n’est pas un fichier ordinaire",
    errno.ENODEV: "appareil absent",
    errno.EINVAL: "nom ou contenu impossible",
    errno.ENOTSUP: "ce support ne le permet pas",
    errno.ETIMEDOUT: "pas de réponse du support",
    errno.ESTALE: "le partage réseau ne répond plus",
    errno.ENOTCONN: "le partage réseau ne répond plus",
    errno.EHOSTDOWN: "le partage réseau ne répond plus",
    errno.EMLINK: "trop de liens",
}
_PLACE = re.compile(r"\bline (\d+),? column (\d+)")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def is_disk_full(error: Exception) -> bool:
    """Whether a system error says that there is no room left (disk, quota, size limit)."""
    return isinstance(error, OSError) and error.errno in _FULL


def reason_of(error: Exception) -> str:
    """Why a file could not be read or written, in French (libraries and systems say English)."""
    if isinstance(error, UnicodeDecodeError):
        return "le texte n’est pas en UTF-8"
    if place := _PLACE.search(str(error)):  # of JSON and TOML
        return f"ligne {place[1]}, colonne {place[2]}"
    if not isinstance(error, OSError) or error.errno is None:
        return "contenu illisible, tronqué ou endommagé"
    return _SYSTEM_REASONS.get(error.errno, f"erreur système n° {error.errno}")
