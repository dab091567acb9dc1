"""Sentences in a row of one passage that together say all that a question names, where no sentence
alone does: an abscess is announced, and its size told in the list below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import Evidence, SearchHit, SectionEvidence
from ancremed_desktop.domain.identifiers import ANSWER, PassageKind, Silo
from ancremed_desktop.domain.plans import Figure, PlanMode, Question, RetrievalPlan, Subject
from ancremed_desktop.pipeline.bearing import (
    is_beside,
    is_of_another_case,
    is_ruled_out,
    names_drug,
)
from ancremed_desktop.pipeline.deep_search import is_outdated, may_answer
from ancremed_desktop.pipeline.drafts import Draft, Tools
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.holding import holds, starts_a_word
from ancremed_desktop.pipeline.paperwork import is_about_the_document, is_of_a_study, is_paperwork
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.population import groups
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.pipeline.whose import DOSES, is_of_newborn, suits
from ancremed_desktop.text.announcing import WITHHELD
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import holds_word, stems

_MOST_SENTENCES = 4
_LONGEST = 700
"""Characters of the sentences quoted together."""
_ENOUGH = 3
"""Things named from which a sentence that holds them all need not show the section hinted at."""
_KINDS = frozenset({PassageKind.PROSE, PassageKind.TABLE, PassageKind.FORMULA})
_CORPUS = tuple(s for s in Silo if s is not Silo.LOCAL)


def in_one_passage(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of the shortest such run of the best passage that has one; ``None`` elsewhere, of
    an emergency and of the dose of a drug, where a sentence must say all by itself.
    """
    subject = plan.subject
    if subject.unknown_words or subject.pairs or subject.vital or len(subject.concepts) < 2:
        return None
    if plan.search is None or _asks_a_dose(plan):
        return None
    newborn = is_of_newborn(question.text)
    for hit in tools.index.search(replace(plan.search, silos=_CORPUS)):
        if may_answer(hit, plan) and (run := _run(hit.passage, subject, newborn=newborn)):
            return _draft(plan, tools, hit, run)
    return None


def _asks_a_dose(plan: RetrievalPlan) -> bool:
    asked = DOSES in plan.sections or plan.subject.point.figure is Figure.NUMBER
    return names_drug(plan.subject) and asked


def _run(passage: Passage, subject: Subject, *, newborn: bool) -> tuple[int, int] | None:
    """Range of the run of sentences that, under their title, hold the whole subject: of several
    the one that holds most words of the question, then the shortest.
    """
    title = f"{passage.origin_title} {passage.heading}"
    rest = [c for c in subject.concepts if not holds(title, c)]
    if passage.kind not in _KINDS or not rest or is_outdated(passage, subject):
        return None
    if is_about_the_document(passage.heading):
        return None
    if not all(holds(passage.text, c) for c in rest):
        return None
    context = groups(title)
    runs = [
        (start, end)
        for start, end in _ranges(passage, subject)
        if all(holds(passage.text[start:end], c) for c in rest)
        and _is_to_the_point(passage.text[start:end], title, subject)
        and suits(passage.text[start:end], context, passage.section, subject, newborn=newborn)
    ]

    def rank(run: tuple[int, int]) -> tuple[int, int]:
        held = stems((passage.text[run[0] : run[1]],))
        return -sum(holds_word(held, word) for word in subject.point.words), run[1] - run[0]

    return min(runs, key=rank, default=None)


def _ranges(passage: Passage, subject: Subject) -> Iterator[tuple[int, int]]:
    """Ranges of up to four sentences that follow each other, none of which speaks of something
    else.
    """
    found = units(passage, ANSWER)
    for first, unit in enumerate(found):
        end = unit.start
        for last in found[first : first + _MOST_SENTENCES]:
            text = passage.text[last.start : last.end]
            skipped = passage.text[end : last.start].strip() or last.start < end
            if skipped or last.end - unit.start > _LONGEST or _is_no_answer(passage, text, subject):
                break
            end = last.end
            yield unit.start, end


def _is_no_answer(passage: Passage, text: str, subject: Subject) -> bool:
    return (
        WITHHELD in text
        or is_paperwork(fold(text))
        or is_of_a_study(fold(text))
        or is_beside(passage, text, ANSWER, subject)
        or is_of_another_case(passage, text, subject)
        or is_ruled_out(passage, text, subject)
    )


def _is_to_the_point(text: str, title: str, subject: Subject) -> bool:
    """Whether a run gives the figure asked and speaks of a section hinted at, or of much else."""
    point, folded = subject.point, fold(text)
    if not gives(folded, point.figure):
        return False
    hinted = not point.cues or any(starts_a_word(fold(f"{title} {text}"), c) for c in point.cues)
    return hinted or len(subject.concepts) >= _ENOUGH


def _draft(plan: RetrievalPlan, tools: Tools, hit: SearchHit, run: tuple[int, int]) -> Draft:
    passage = hit.passage
    return Draft(
        plan=replace(plan, mode=PlanMode.TARGETED, sections=(ANSWER,)),
        evidence=Evidence(
            sections=(SectionEvidence(section=ANSWER, hits=(hit,), covered=True),),
            rounds=tools.search(plan).rounds,
            stop_reason="Phrases d’un passage qui, ensemble, tiennent toute la question.",
        ),
        spans=(quoted_as(ANSWER, passage, passage.text[run[0] : run[1]]),),
    )
