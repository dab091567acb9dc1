"""Text of a file as it is stored: decoded, composed, without what is not seen."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Collection, Mapping

from ancremed_desktop.corpus.local.plausible import is_plausible
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
_OLDER = ("cp850", "mac_roman")
"""What French files were written in before Windows-1252, which is taken unless they are clear."""
_FRENCH = frozenset("éèàçêùîôâûëï")
_RARE = frozenset("Éü×")
"""What else the foreign bytes may be in an older encoding; no evidence of it."""
_FOREIGN = frozenset("‚ƒˆŠŽž\ufffd")
"""What the accented letters of the older encodings are in Windows-1252, and no French text holds;
the replacement character stands for the bytes that it leaves undefined."""
_FOREIGN_SHARE = 0.1
"""Foreign letters beside French ones up to which a text is French that holds a foreign name."""
_UNRECOGNISED = "encodage du texte non reconnu ; enregistrez le fichier en UTF-8, puis importez-le"
_MIN_KINDS = 2
_ASCII = 0x7F
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")
"""Signs of no text; 0x1A ends files of DOS."""
_OE = re.compile(rb"(?<=[A-Za-z])\xbd(?=[A-Za-z])")
"""« œ » of ISO 8859-15 within a word, where « ½ » of Windows-1252 cannot stand."""
_ODD_UNIT = re.compile(rb"[0-9] ?[\xe6\xf1\xf8\xff]")
"""« 5 æg », « 38 øC »: µ, °, ± and the no-break space of CP850, read in Windows-1252."""
_C1 = re.compile(rb"[\x80-\x9f]")
_FORMS = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}
_INVISIBLE = "".join(ZERO_WIDTH | (BIDI - TURNS))
_UNSEEN = str.maketrans(dict.fromkeys(_INVISIBLE, "") | _FORMS)
_PARTED = re.compile(rf"(?<=\d)[{_INVISIBLE}]+(?=\d)")
_SPACES = re.compile(r"[ \t\r\n\f\v\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def decode(content: bytes, declared: str = "") -> str:
    """Text of a file: by its byte order mark, UTF-8, the encoding it declares, or an older one.

    Raises: BadFileError when it is empty or no text, or reads as none of western Europe.
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
    text = _decoded(content, declared or _legacy_encoding(content))
    if not is_plausible(text):
        raise BadFileError(_UNRECOGNISED)
    return text


def _legacy_encoding(content: bytes) -> str:
    """Encoding of a text that is no UTF-8 and declares none: Windows-1252 unless another is clear.

    Raises: BadFileError when the text may be in several: « 0,5 µg » must not become « 0,5 Ág ».
    """
    counts = Counter(byte for byte in content if byte > _ASCII)
    ansi = {byte: bytes([byte]).decode("cp1252", "replace") for byte in counts}
    foreign = {byte for byte, letter in ansi.items() if letter in _FOREIGN}
    french = sum(counts[byte] for byte, letter in ansi.items() if letter in _FRENCH)
    clear = [] if french else [name for name in _OLDER if _is_clear(name, ansi, foreign)]
    if len(clear) == 1 and not _BINARY.search(content):
        return clear[0]
    strange = sum(counts[byte] for byte in foreign)
    sound = "\ufffd" not in ansi.values() and strange <= _FOREIGN_SHARE * french
    if sound and not (_BINARY.search(content) or _ODD_UNIT.search(content)):
        latin9 = _OE.search(content) and not _C1.search(content)
        return "iso8859_15" if latin9 else "cp1252"
    raise BadFileError(_UNRECOGNISED)


def _is_clear(encoding: str, ansi: Mapping[int, str], foreign: Collection[int]) -> bool:
    """Whether bytes are French letters of more than one kind in an encoding, foreign in
    ``ansi``, their reading in Windows-1252.
    """
    own = {byte: bytes([byte]).decode(encoding) for byte in ansi}
    letters = {b for b in own if own[b] in _FRENCH and (b in foreign or not ansi[b].isalpha())}
    explained = all(b in letters or own[b] in _RARE for b in foreign)
    return explained and len(letters) >= _MIN_KINDS and not letters.isdisjoint(foreign)


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
