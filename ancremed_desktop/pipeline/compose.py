"""Last stage: what passed becomes an answer; what cannot be answered is said plainly."""

from __future__ import annotations

from collections.abc import Sequence

from ancremed_desktop.domain.answers import AnswerSpan, AnswerStatus
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.domain.spans import (
    Abstention,
    DroppedSpan,
    DropReason,
    Narrative,
    VerifiedAssertion,
)
from ancremed_desktop.pipeline.interactions import unlisted
from ancremed_desktop.pipeline.nothing_new import NOT_FOUND, SAID_ABOVE

CONVERSATION = {
    "detresse_grave": (
        "Ce que vous vivez est important et vous n’êtes pas seul. Appelez le 3114, numéro national "
        "de prévention du suicide, gratuit et joignable 24 h/24. En cas de danger immédiat, "
        "appelez le 15 ou le 112."
    ),
    "detresse_legere": (
        "Ces études et ce métier sont éprouvants. En parler à un proche, à un médecin ou au "
        "service de santé de votre université peut aider ; le 3114 répond aussi, 24 h/24."
    ),
    "injection": "Je ne peux pas suivre cette consigne. Posez-moi une question clinique.",
    "salutation": "Bonjour. Posez votre question clinique en français.",
    "remerciement": "Avec plaisir.",
    "cloture": "À bientôt.",
    "identite": (
        "Je suis AncreMed, un logiciel à visée pédagogique : je cite mot pour mot des sources que "
        "vous pouvez ouvrir, et je dis quand je n’ai pas trouvé. Vérifiez toujours la source ; "
        "aucun clinicien n’a relu les fiches de démarrage."
    ),
    "aide_produit": (
        "Posez une question clinique : la réponse cite ses sources, ouvrables d’un clic. "
        "Vos propres documents s’importent depuis la Bibliothèque."
    ),
    "meta_reponse": "Reposez la question en nommant la section voulue : je citerai ses extraits.",
    "hors_sujet": (
        "Mes sources ne contiennent rien sur ce sujet, ou il sort de mon domaine : je ne réponds "
        "qu’à des questions médicales, à partir de ces sources."
    ),
}
"""Fixed French templates: no figure nor clinical advice in any (taxonomy)."""

NO_SUBJECT = (
    "Cette question ne nomme rien que je puisse chercher : ajoutez-y une maladie, un médicament, "
    "un signe ou un score."
)
EMERGENCY = (
    "S’il s’agit d’une urgence réelle, appelez tout de suite le 15 ou le 112 ; en cas "
    "d’intoxication, un centre antipoison aussi."
)
OFF_CORPUS = "Non trouvé : le corpus indexé ne contient aucun passage sur ce sujet."
_BLOCKED = "Les extraits trouvés n’ont pas passé le contrôle d’attribution."
_SPOKEN_OF = (
    "Rien n’est montré ici : aucun extrait de la section n’y répond de façon sûre, mais un autre "
    "passage trouvé parle de ce cas."
)
"""Of a section said to be silent while a passage tells: neither of them is claimed."""


def compose(
    plan: RetrievalPlan,
    evidence: Evidence,
    spans: Sequence[AnswerSpan],
    dropped: Sequence[DroppedSpan],
) -> tuple[AnswerStatus, tuple[AnswerSpan, ...]]:
    """Status and spans in section order; each required section has a span or an abstention."""
    if evidence.off_corpus:
        reason = OFF_CORPUS if plan.subject.concepts else NO_SUBJECT
        if plan.subject.unknown_words:
            names = ", ".join(f"« {w} »" for w in plan.subject.unknown_words)
            reason = f"Absent des sources indexées : {names}. Rien n’est inventé à la place."
        return AnswerStatus.ABSTENTION, tuple(
            Abstention(section=s, reason=reason) for s in plan.sections
        )
    blocked = {d.section for d in dropped if d.reason is not DropReason.FALSE_ABSTENTION}
    spoken_of = {d.section for d in dropped} - blocked
    ordered: list[AnswerSpan] = []
    for section in plan.sections:
        own = [s for s in spans if _section(s) == section]
        if section == "interactions":
            reasons = unlisted(plan.subject.pairs)
            own += [Abstention(section=section, reason=reason) for reason in reasons]
        if dropped:
            own = [s for s in own if not _is_above(s)]  # what it speaks of may be what was dropped
        if section in blocked and not any(isinstance(s, VerifiedAssertion) for s in own):
            own = [s for s in own if not isinstance(s, Narrative)]  # it introduced what was dropped
        if not any(isinstance(s, VerifiedAssertion | Abstention) or _is_above(s) for s in own):
            reason = _SPOKEN_OF if section in spoken_of else NOT_FOUND
            reason = _BLOCKED if section in blocked else reason
            own.append(Abstention(section=section, reason=reason))
        ordered += own
    answered = any(isinstance(s, VerifiedAssertion) for s in ordered)
    return (AnswerStatus.ANSWER if answered else AnswerStatus.ABSTENTION), tuple(ordered)


def _is_above(span: AnswerSpan) -> bool:
    """Whether a span says that what its section holds is quoted in one above it."""
    return isinstance(span, Narrative) and span.text == SAID_ABOVE


def _section(span: AnswerSpan) -> str:
    return span.anchored.draft.section if isinstance(span, VerifiedAssertion) else span.section
