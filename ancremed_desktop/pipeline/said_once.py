"""What every section of an answer lacks is said once, above all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ancremed_desktop.domain.answers import AnswerSpan
from ancremed_desktop.domain.spans import Narrative, VerifiedAssertion

_LACKS = re.compile(r"Aucun extrait de cette section ne parle de(?P<what>.+)\.")
_FEWEST = 2


def said_once(spans: Sequence[AnswerSpan]) -> tuple[tuple[AnswerSpan, ...], str]:
    """The spans without the notices that stand in each section that quotes something, and these
    notices for the whole answer (French, empty where there is none).
    """
    quoting = {s.anchored.draft.section for s in spans if isinstance(s, VerifiedAssertion)}
    places: dict[str, set[str]] = {}
    for span in spans:
        if isinstance(span, Narrative) and _LACKS.fullmatch(span.text):
            places.setdefault(span.text, set()).add(span.section)
    common = [t for t, own in places.items() if len(own) >= _FEWEST and own >= quoting]
    kept = tuple(s for s in spans if not (isinstance(s, Narrative) and s.text in common))
    said = [_LACKS.sub(r"Aucun extrait ne parle de\g<what>.", text) for text in common]
    return kept, " ".join(said)
