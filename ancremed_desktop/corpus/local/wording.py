"""Text of a file as it is stored: decoded, composed, without what is not seen."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from ancremed_desktop.errors import BadFileError
from ancremed_desktop.text.normalise import BIDI, ZERO_WIDTH, nfc

TURNS = frozenset("\u061c\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
"""What makes « 51 » be shown as « 15 », or a list of numbers in another order."""
WITHIN_NUMBER = "\ufffc"
"""Stands in tidy text for an invisible sign between two figures, which may part them or not."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY = ["cp1252", "iso8859_15", "mac_roman", "cp850"]
"""What French files were written in before UTF-8."""
_FRENCH = "éèàçêùîôâûëïœÉÀ"
_FORMS = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}
_INVISIBLE = "".join(ZERO_WIDTH | (BIDI - TURNS))
_UNSEEN = str.maketrans(dict.fromkeys(_INVISIBLE, "") | _FORMS)
_PARTED = re.compile(rf"(?<=\d)[{_INVISIBLE}]+(?=\d)")
_SPACES = re.compile(r"[ \t\r\n\f\v\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def decode(content: bytes, declared: str = "") -> str:
    """Text of a file: by its byte order mark, UTF-8, the encoding it declares, or a likely one.

    Raises: BadFileError when it is empty or no text.
    """
    if not content.strip():
        raise BadFileError("fichier vide")
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _decoded(content, encoding)
    if b"\0" in content:
        raise BadFileError("ce n’est pas un fichier de texte (octets nuls)")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass  # an older encoding
    if declared:
        return _decoded(content, declared)
    likely = [str(match) for match in from_bytes(content, cp_isolation=_LEGACY)]
    if not likely:
        raise BadFileError(
            "encodage du texte non reconnu ; enregistrez le fichier en UTF-8, puis importez-le"
        )
    # The library knows no French word: of the readings it finds sound, the one in French letters.
    return max(likely, key=lambda text: sum(map(text.count, _FRENCH)))


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise BadFileError(
            f"le texte n’est pas dans l’encodage annoncé ({encoding}) ; enregistrez-le en UTF-8"
        ) from error


def tidy(text: str) -> str:
    """One line: NFC, blanks joined (no-break spaces kept), invisible signs out.

    Those that part or turn figures stay, for the text to be refused.
    """
    parted = _PARTED.sub(WITHIN_NUMBER, text)
    return _SPACES.sub(" ", nfc(parted.translate(_UNSEEN))).strip(" ")
