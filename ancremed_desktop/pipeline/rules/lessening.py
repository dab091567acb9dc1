"""To limit, to lower and to avoid a risk say the same of it."""

from __future__ import annotations

from ancremed_desktop.pipeline.rules.align import same
from ancremed_desktop.pipeline.rules.model import Mention, Statement

_LESSENS = ("redui", "diminu", "limit", "minimis", "amoindri", "baiss", "abaiss", "attenu")
_AVOIDS = ("evit", "preven", "previ", "empech")
_RISK = "risque"
_OBJECT = 7
"""Words from the verb to what is lessened or avoided."""
_DENIED = frozenset({"ne", "n", "pas", "sans"})


def lessened(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« réduire le risque de X » of « afin de limiter le risque de X » (or « d'éviter X »).

    Verbs of one group speak of one object; of a risk both groups do.
    """
    if not mention.key.startswith(_LESSENS + _AVOIDS):
        return False
    words = range(mention.first + 1, mention.first + _OBJECT)
    ours = [m for m in assertion.mentions if m.first in words and not m.neutral]
    risk = _RISK in assertion.keys[words.start : words.stop]
    for index, key in enumerate(cited.keys):
        if not key.startswith(_LESSENS + _AVOIDS):
            continue
        if _DENIED & set(cited.keys[max(0, index - 2) : index]):
            continue
        after = range(index + 1, index + _OBJECT)
        alike = key.startswith(_LESSENS) == mention.key.startswith(_LESSENS)
        if not alike and not (risk or _RISK in cited.keys[after.start : after.stop]):
            continue
        theirs = [m for m in cited.mentions if m.first in after and not m.neutral]
        if any(same(a, m) for a in ours for m in theirs):
            return True
    return False
