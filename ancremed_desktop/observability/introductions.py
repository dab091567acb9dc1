"""What introduces a person in a text, and a quick look whether anything does.

The masks themselves are in ``redaction``, whose patterns and lists take a while to read: a text that
this look clears is not shown to them. Words are folded: small letters, no accents.
"""

from __future__ import annotations

import re
import unicodedata

from ancremed_desktop.text.normalise import fold

GAP = r"[ \t\u00a0\u202f]"
TITLES = frozenset(
    "mr mrs mme mmes mlle mlles melle melles mademoiselle monsieur messieurs madame mesdames dr drs "
    "docteur docteurs docteure docteures".split()
)
LABELS = frozenset("nom noms prenom prenoms".split())
NAMING = frozenset(
    "professeur professeure professeurs pr prof patient patiente patients patientes pt pte epouse epoux "
    "veuve ne nee nes nees nomme nommee prenomme prenommee denomme denommee surnomme surnommee "
    "appelle dit dite dits alias maitre prenom prenoms".split()
)
RELATIVES = frozenset(
    "enfant bebe nourrisson nouveau-ne nouveau-nee fils fille fillette garcon jumeau jumelle mari "
    "famille frere soeur conjoint conjointe compagnon compagne mere pere".split()
)
CARERS = frozenset(
    "medecin generaliste cardiologue pediatre chirurgien chirurgienne infirmier infirmiere "
    "sage-femme interne tuteur tutrice curateur curatrice confiance contact".split()
)

# « Emma Rousseau »: two capital letters side by side, particles between them or not.
_TWO_CAPITALS = re.compile(
    r"[^\W\d_a-z][^\W\d_]+(?:[ \t\u00a0\u202f]+\w{1,3}){0,3}[ \t\u00a0\u202f]+[^\W\d_a-z]"
)
_OTHER_SIGNS = re.compile(r"[\d@(\[]|\bn[ée]|\bddn|naissance|\bat\b|arobase", re.I)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
# « m » alone, and the other short words, stand before a name in few texts, but in those.
_INTRODUCE = frozenset({"m", "mm", "me", *TITLES, *LABELS, *NAMING, *RELATIVES, *CARERS}) - {
    "ne",
    "nes",
}

# Forms of a letter that look the same: full-width and mathematical ones.
_LOOKALIKE = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff]+")
_INSIDE_A_WORD = re.compile(r"(?<=[a-zß-öø-ÿ])[\u00ad\u200b-\u200f\u2060\ufeff]+(?=[a-zß-öø-ÿ])")
_UNSEEN = re.compile(r"[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_OTHER_SPACE = re.compile(r"[\u2000-\u200b\u205f\u3000]")


def may_identify(text: str) -> bool:
    """Whether ``redaction.without_people`` could find a person in a text; where it cannot, false
    or, at worst, true.

    Digits are of every number and date that is masked; words introduce names.
    """
    bare = plain(text)
    if bare != text or _OTHER_SIGNS.search(bare) or _TWO_CAPITALS.search(bare):
        return True
    return any(fold(word) in _INTRODUCE for word in _WORD.findall(bare))


def plain(text: str) -> str:
    """The text without what hides a name from a pattern and from the eye."""
    text = _LOOKALIKE.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    text = _UNSEEN.sub("", _INSIDE_A_WORD.sub("", text))
    return unicodedata.normalize("NFC", _OTHER_SPACE.sub(" ", text))
