"""What the terminal can take: characters it lacks are spelt out, failures to write are said."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

from ancremed_desktop.errors import BadFileError, MachineError, reason_of
from ancremed_desktop.text.french import no_break
from ancremed_desktop.text.visible import visible

HYBRID_HELP = "chercher aussi par le sens (voir « library embed »)"
CORPUS_ONLY_HELP = "ne pas chercher dans vos propres documents"

_Handler = Callable[[UnicodeError], tuple[str, int]]
_PAGES = {".html", ".htm"}
_SPELT = {
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'", "‘": "'", "“": '"', "”": '"',
    "«": '"', "»": '"', "…": "...", "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "•": "-",
    "→": "->", "≥": ">=", "≤": "<=", "≈": "~", "≠": "!=", "×": "x", "÷": "/", "±": "+/-",
    "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss", "µ": "micro", "μ": "micro",
    "°": " deg ", "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "€": "EUR",
}  # fmt: skip
_GREEK = re.compile(r"GREEK (?:SMALL|CAPITAL) LETTER ([A-Z]+)")
_HIGH = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_LOW = "₀₁₂₃₄₅₆₇₈₉₊₋"


def say(text: str, *, error: bool = False) -> None:
    """Print words of ours (never data, never a quotation) as French prints them."""
    print(_seen(no_break(text)), file=sys.stderr if error else sys.stdout)


def show(text: str) -> None:
    """Print words of sources as they are."""
    print(_seen(text))


def _seen(text: str) -> str:
    """A name or text of a file must give the terminal no orders."""
    return "\n".join(map(visible, text.split("\n")))


def prepare_streams() -> None:
    """No character may stop a command: those the terminal lacks are spelt out in ASCII.

    A dose must not change meaning: « ≥ » becomes ``>=``, « µg » ``microg``, « 10⁹ » ``10^9``;
    only what has no spelling becomes ``?``. Without an error output, errors are dropped.
    """
    _spell_with("ancremed-text", _spelt_text)
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # closed by the caller (2>&-)


def escape_json() -> None:
    """From now on spell as JSON escapes: the same document, in ASCII (RFC 8259 §7)."""
    _spell_with("ancremed-json", _spelt_json)


def end_output() -> None:
    """Write what is still held back. Raises: OSError, and nothing is held back any more."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        _abandon_output()
        raise


def _abandon_output() -> None:
    """Send what could not be written nowhere, or the interpreter fails on it when it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # not a file of the system: nothing is held back


def output_error(error: OSError) -> MachineError:
    """The error for a file (named) or an output (not named) that cannot be read or written."""
    what = (
        f"« {error.filename} » n’a pas pu être lu ou écrit"
        if error.filename
        else "La réponse n’a pas pu être écrite en entier"
    )
    return MachineError(
        f"{what} ({reason_of(error)}). Vérifiez la place libre et vos droits d’accès, puis "
        "recommencez."
    )


def check_page_target(path: Path, index: Path | None) -> None:
    """Refuse to write a page over anything but a page. Raises: BadFileError, MachineError."""
    try:
        if path.is_dir():
            raise BadFileError(f"« {path} » est un dossier : indiquez le nom de la page à écrire.")
        if not path.exists():
            return
        in_use = index is not None and index.exists() and index.samefile(path)
        if in_use or not path.is_file() or path.suffix.lower() not in _PAGES:
            raise BadFileError(
                f"« {path} » existe et n’est pas une page HTML : il n’est pas remplacé. "
                "Choisissez un autre nom, en .html."
            )
    except OSError as error:
        raise output_error(error) from error


def _spell_with(name: str, handler: _Handler) -> None:
    codecs.register_error(name, handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=name)


def _spelt_text(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelling, error.object[error.start : error.end])), error.end


def _spelling(char: str) -> str:
    if char in _SPELT:
        return _SPELT[char]
    greek = _GREEK.fullmatch(unicodedata.name(char, ""))
    if greek:
        return greek[1].lower()
    parts = unicodedata.normalize("NFKD", char)
    plain = "".join(c for part in parts for c in _SPELT.get(part, part) if c.isascii())
    mark = "^" if char in _HIGH else "_" if char in _LOW else ""
    return mark + plain if plain else "?"


def _spelt_json(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end
