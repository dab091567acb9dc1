"""Fourth stage, deterministic form: whole source sentences chosen section by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import Evidence, SectionEvidence
from ancremed_desktop.domain.plans import Question, RetrievalPlan, Subject
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.pipeline.population import DEFAULTS, RESTRICTING, groups, suits
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.text.normalise import fold

SENTENCES_PER_SECTION = 8
PASSAGES_PER_SECTION = 3
NOT_FOUND = "Non trouvé dans le corpus indexé pour cette sous-section."
_CHILD = "enfant"
_DOSE = re.compile(r"\d\s*(?:mg|g|µg|mcg|microgrammes?|ui|ml|gouttes?|comprimes?)\b")


class ExtractiveGenerator:
    """Chooses sentences; writes none. Its text is always the quote itself.

    ``names_drug``: whether a text names a drug of the corpus.
    """

    name = "extraits"

    def __init__(
        self, sections: Mapping[str, SectionCues], names_drug: Callable[[str], bool]
    ) -> None:
        self._sections = sections
        self._names_drug = names_drug

    def generate(
        self, question: Question, plan: RetrievalPlan, evidence: Evidence, cancel: CancelToken
    ) -> tuple[DraftSpan, ...]:
        """Draft spans in section order; a section without sentence is an abstention.

        Raises:
            Cancelled: the user stopped.

        """
        del question
        spans: list[DraftSpan] = []
        used: set[str] = set()
        for section in evidence.sections:
            cancel.raise_if_cancelled()
            spans += self._section(section, plan.subject, used)
        return tuple(spans)

    def _section(
        self, evidence: SectionEvidence, subject: Subject, used: set[str]
    ) -> list[DraftSpan]:
        fitting: list[DraftAssertion] = []
        general: list[DraftAssertion] = []
        narrow: set[str] = set()
        for hit in evidence.hits[:PASSAGES_PER_SECTION]:
            passage = hit.passage
            context = groups(f"{passage.origin_title} {passage.heading}")
            for text in self._sentences(passage, evidence.section, subject):
                key = " ".join(fold(text).split())
                if key in used:
                    continue
                suited = suits(groups(text), context, subject.populations)
                if suited is False:
                    continue
                if suited is None and _CHILD in subject.populations and "/kg" in fold(text):
                    suited = True  # a dose by weight is a child's as well
                used.add(key)
                narrow |= context & RESTRICTING if not subject.populations else frozenset()
                (fitting if suited else general).append(_draft(passage, evidence.section, text))
        if subject.populations - DEFAULTS and not fitting:
            return [Abstention(section=evidence.section, reason=_nobody(evidence, subject))]
        drafts = [*fitting, *general][:SENTENCES_PER_SECTION]
        if not drafts:
            return [Abstention(section=evidence.section, reason=NOT_FOUND)]
        return [*_notice(narrow, evidence.section), *drafts]

    def _sentences(self, passage: Passage, section: str, subject: Subject) -> list[str]:
        found = []
        drug_source = passage.source_identifier.isdecimal() or self._names_drug(
            f"{passage.origin_title} {passage.heading}"
        )
        if drug_source and _is_another_drugs(passage, subject):
            return []
        ranges = quotable(passage, section, self._sections[section], subject, widened=True)
        for quote in ranges:
            text = passage.text[quote.start : quote.end]
            # A dose quoted alone must say of which drug.
            if not drug_source and _DOSE.search(fold(text)) and not self._names_drug(text):
                continue
            found.append(text)
        return found


def _is_another_drugs(passage: Passage, subject: Subject) -> bool:
    """Whether a source about one drug would be quoted for another it only mentions."""
    title = fold(passage.origin_title)
    return any(
        c.mandatory
        and not c.exact
        and passage.source_identifier not in c.identifiers
        and not any(p in title for p in c.phrases)
        for c in subject.concepts
    )


def _draft(passage: Passage, section: str, text: str) -> DraftAssertion:
    return DraftAssertion(
        section=section,
        text=text,
        exact_source_quote=text,
        source_urn=passage.urn,
        subject_entity_id=passage.source_identifier,
        confidence_score=1.0,
    )


def _nobody(evidence: SectionEvidence, subject: Subject) -> str:
    if not evidence.hits:
        return NOT_FOUND
    asked = ", ".join(sorted(subject.populations))
    return (
        f"Aucun extrait ne porte sur : {asked}. Les extraits trouvés concernent d’autres patients "
        "et ne sont pas montrés ici."
    )


def _notice(narrow: set[str], section: str) -> list[Narrative]:
    if not narrow:
        return []
    whom = ", ".join(sorted(narrow))
    text = f"Les extraits de cette section viennent d’une source qui porte sur : {whom}."
    return [Narrative(text=text, section=section)]
