"""« avec anomalies ECG » says of a case what its sources call a sign of the electrocardiogram.

Read as the exam it names, it would ask about the exam: the treatment of an hyperkalaemia was lost.
« Signes ECG de l’embolie pulmonaire » asks about them and is left as it is.
"""

from __future__ import annotations

import re

from ancremed_desktop.domain.plans import Correction
from ancremed_desktop.text.normalise import fold, unfolded_range

_CHANGES = (
    r"(?:signes?|modifications?|anomalies?|troubles?|changements?|alterations?|perturbations?"
    r"|retentissements?)"
)
_EXAM = r"(?:ecg|electrocardiogrammes?|electriques?)"
_CHANGED = r"(?:anorma(?:l|ux)|modifies?|perturbes?|pathologiques?|alteres?)"
_IN_CASE = re.compile(
    rf"\b(?P<link>avec|et|sans)\s+(?:des\s+|un\s+|une\s+|d['’]\s*)?"
    rf"(?P<change>{_CHANGES}\s+(?:(?:de|a|sur)\s+l['’]\s*|d['’]\s*|a\s+l\s+)?{_EXAM})\b"
)
_STATE = re.compile(rf"(?<!\bsigne )\b(?P<change>{_EXAM}\s+{_CHANGED})\b")
_SIGN = "signe électrocardiographique"


def signs_named(text: str) -> tuple[str, tuple[Correction, ...]]:
    """A question with the changes of an exam that a case has or lacks in the words of sources, and
    how they were read.
    """
    folded = fold(text)
    match = _IN_CASE.search(folded) or _STATE.search(folded)
    if match is None:
        return text, ()
    start, end = unfolded_range(text, *match.span())
    link = "sans" if match.groupdict().get("link") == "sans" else "avec"
    typed = text[slice(*unfolded_range(text, *match.span("change")))]
    read = Correction(original=typed, replacement=_SIGN, kind="sign")
    return f"{text[:start]}{link} {_SIGN}{text[end:]}", (read,)
