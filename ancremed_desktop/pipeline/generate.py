"""Fourth stage, deterministic form: whole source sentences chosen section by section."""

from __future__ import annotations

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import Evidence, SectionEvidence
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan
from ancremed_desktop.text.sentences import sentence_spans
from ancremed_desktop.text.words import content_words, holds_word, stem, stems

SENTENCES_PER_SECTION = 8
PASSAGES_PER_SECTION = 3
NOT_FOUND = "Non trouvé dans le corpus indexé pour cette sous-section."
_MIN_CONTENT_WORDS = 3


class ExtractiveGenerator:
    """Chooses sentences; writes none. Its text is always the quote itself."""

    name = "extraits"

    def generate(
        self, question: Question, plan: RetrievalPlan, evidence: Evidence, cancel: CancelToken
    ) -> tuple[DraftSpan, ...]:
        """Draft spans in section order; a section without passage is an abstention.

        Raises:
            Cancelled: the user stopped.

        """
        spans: list[DraftSpan] = []
        used: set[str] = set()
        wanted = frozenset(stem(w) for w in content_words(question.text))
        for section in evidence.sections:
            cancel.raise_if_cancelled()
            drafts = _section_drafts(section, wanted, used)
            spans += drafts or [Abstention(section=section.section, reason=NOT_FOUND)]
        del plan
        return tuple(spans)


def _section_drafts(
    evidence: SectionEvidence, wanted: frozenset[str], used: set[str]
) -> list[DraftAssertion]:
    drafts: list[DraftAssertion] = []
    for hit in evidence.hits[:PASSAGES_PER_SECTION]:
        passage = hit.passage
        labelled = passage.section == evidence.section
        for start, end in sentence_spans(passage.text):
            sentence = passage.text[start:end]
            key = " ".join(content_words(sentence))
            if len(key.split()) < _MIN_CONTENT_WORDS or key in used:
                continue
            # A passage filed under the section is quoted whole; elsewhere only what was asked.
            found = stems((sentence,))
            asked = any(holds_word(found, w) for w in wanted)
            if not labelled and not asked and passage.kind is PassageKind.PROSE:
                continue
            used.add(key)
            drafts.append(
                DraftAssertion(
                    section=evidence.section,
                    text=sentence,
                    exact_source_quote=sentence,
                    source_urn=passage.urn,
                    subject_entity_id=passage.source_identifier,
                    confidence_score=1.0,
                )
            )
            if len(drafts) == SENTENCES_PER_SECTION:
                return drafts
    return drafts
