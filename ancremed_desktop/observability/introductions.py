"""What introduces a person in a text, and a quick look whether anything does.

The masks themselves are in ``redaction``, whose patterns take a tenth of a second to compile: a
text that this look clears is not shown to them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

GAP = r"[ \t\u00a0\u202f]"
# After these only a capital letter makes a name (« le patient sous AVK », « née en 1956 »).
NOUN = (
    r"(?:[Pp]rofesseure?|Pr(?:of)?\.?|[Pp]atiente?s?|PATIENTE?S?|[Pp]te?|PTE?|[Éé]pouse|[Éé]poux|[Vv]euve|"
    r"[Nn]ée?s?|s[’']appelle|(?:[Pp]ré|[Dd]é|[Ss]ur)?[Nn]ommée?s?|[Dd]ite?s?|DITE?|[Aa]lias|Me|[Mm]aître|"
    r"[Ff]amille|[Pp]rénoms?|PRÉNOMS?)"
)
# After these a colon begins a sentence, not a name (« Enfant : Posologie »); in capitals they are
# part of the name of a drug (« X ENFANTS ET NOURRISSONS »).
RELATIVE = (
    r"(?:[Ee]nfant|[Bb]ébé|[Nn]ourrisson|[Nn]ouveau-née?|[Ff]ils|[Ff]ille|"
    r"[Ff]illette|[Gg]arçon|[Jj]umeau|[Jj]umelle|[Mm]ari|[Ff]rère|[Ss]œur|[Cc]onjointe?|[Cc]ompagnon|"
    r"[Cc]ompagne)"
)
# Who looks after the patient: with or without a colon.
CARER = (
    r"(?i:(?:médecin|généraliste|cardiologue|pédiatre|chirurgien(?:ne)?|infirmi(?:er|ère)|sage-femme|"
    rf"interne|tuteur|tutrice|curateur|personne{GAP}+de{GAP}+confiance|contact)"
    rf"(?:{GAP}+(?:traitante?|référente?|correspondante?))?)"
)

# Forms of a letter that look the same: full-width and mathematical ones.
_LOOKALIKE = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff]+")
_INSIDE_A_WORD = re.compile(r"(?<=[a-zß-öø-ÿ])[\u00ad\u200b-\u200f\u2060\ufeff]+(?=[a-zß-öø-ÿ])")
_UNSEEN = re.compile(r"[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_OTHER_SPACE = re.compile(r"[\u2000-\u200b\u205f\u3000]")


def may_identify(text: str) -> bool:
    """Whether ``redaction.without_people`` could find a person in a text; where it cannot, false
    or, at worst, true.
    """
    bare = plain(text)
    return bare != text or bool(_signs().search(bare))


def plain(text: str) -> str:
    """The text without what hides a name from a pattern and from the eye."""
    text = _LOOKALIKE.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    text = _UNSEEN.sub("", _INSIDE_A_WORD.sub("", text))
    return unicodedata.normalize("NFC", _OTHER_SPACE.sub(" ", text))


@cache
def _signs() -> re.Pattern[str]:
    """Matches in every text of which a mask of a person could match: what introduces a name, a
    date of birth or an electronic address, a mask as it is written, and digits, of which all other
    masks are made. Titles in short: ``redaction`` spells them out, which takes long to compile.
    """
    titles = r"m(?:[mr.]|\b|e?ll|onsieur|ess|esd|ada|ade)|drs?\b|docteur|pr\b|prénom|nom"
    return re.compile(
        rf"[\d@(\[]|(?<!\w)(?:(?i:{titles})|(?:{NOUN}|{CARER}|{RELATIVE})(?!\w))"
        r"|(?i:\bn[ée]|\bddn|naissance|\bat\b|arobase)"
    )
