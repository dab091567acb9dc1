"""Doses of a drug in another disease than the one asked: atrial fibrillation is no thrombosis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.pipeline.bearing import is_disease
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.own_lines import drugs_of
from ancremed_desktop.pipeline.population import without_failing_organ
from ancremed_desktop.pipeline.whose import DOSES, gives_amount
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

_SCOPE = re.compile(
    r"^\W*(?:dans|pour|en cas|au cours|lors|devant|contre)\b (?P<what>[^,;:.]{3,160})[,:]"
)
_TITLE = "title"
_FORMULA = "FORM-"
ANOTHER = (
    "Les autres doses trouvées pour ce médicament sont celles d’une autre maladie que celle de la "
    "question\u00a0: elles ne sont pas montrées."
)


def without_doses_of_another(draft: Draft, index: PassageIndex) -> Draft:
    """A draft on a drug in a disease less the doses that say they are of another disease; where
    some are left out it is said.
    """
    concepts = draft.plan.subject.concepts
    diseases = [c for c in concepts if _is_of_a_title(c)]
    if not (diseases and drugs_of(concepts)):
        return draft
    kept: list[DraftSpan] = [
        s
        for s in draft.spans
        if not (isinstance(s, DraftAssertion) and _is_of_another(s.text, diseases, index))
    ]
    if len(kept) == len(draft.spans):
        return draft
    at = next((i for i, s in enumerate(kept) if s.section == DOSES), len(kept))
    while at < len(kept) and kept[at].section == DOSES:
        at += 1
    section = DOSES if DOSES in draft.plan.sections else draft.plan.sections[-1]
    kept.insert(at, Narrative(text=ANOTHER, section=section))
    return replace(draft, spans=tuple(kept))


def _is_of_a_title(concept: Concept) -> bool:
    if concept.mandatory or concept.exact:
        return False
    named = any(not i.startswith(_FORMULA) for i in concept.identifiers)
    return named or is_disease(concept)


def _is_of_another(text: str, diseases: Sequence[Concept], index: PassageIndex) -> bool:
    """Whether a dose says that it is of a disease, and not of one asked about."""
    scope = _SCOPE.match(fold(text))
    if scope is None or not gives_amount(text):
        return False
    what = without_failing_organ(scope["what"])
    if any(holds(what, c) for c in diseases):
        return False
    asked = {i for c in diseases for i in c.identifiers}
    named = [m for m in index.mentions(what) if m.kind == _TITLE]
    return bool(named) and not any(asked & set(m.identifiers) for m in named)
