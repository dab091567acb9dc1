"""What the cards say of all that a question names, in whatever section, where the sections asked
say nothing: « noradrénaline dose » of septic shock has no dose, and is the first vasopressor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import Evidence, SearchHit, SectionEvidence
from ancremed_desktop.domain.identifiers import ANSWER, SECTIONS, Silo
from ancremed_desktop.domain.plans import (
    Concept,
    Figure,
    PlanMode,
    Question,
    RetrievalPlan,
    Subject,
)
from ancremed_desktop.domain.spans import DraftSpan
from ancremed_desktop.pipeline.bearing import is_beside, is_disease
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.drafts import Draft, Tools
from ancremed_desktop.pipeline.drug_classes import class_named, classes_in
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.holding import holds, starts_a_word
from ancremed_desktop.pipeline.own_lines import drugs_of
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.population import groups
from ancremed_desktop.pipeline.set_aside import quoted
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.pipeline.whose import DOSES, gives_amount, is_of_newborn, suits
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.lexicon_files import load_lexicon
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import words

_MOST = 6
_WORD = re.compile(r"[^\W_]+")
_ACUTE = re.compile(r"aigue?s?")
_CHRONIC = re.compile(r"\bchroniques?\b")
_OF_NOTHING_DONE = frozenset({"prescription et délivrance", "recommandation et date"})
_FIGURES = {
    Figure.NUMBER: "le chiffre demandé",
    Figure.DURATION: "le temps demandé",
    Figure.LENGTH: "la durée demandée",
}
_OF_ANY_SECTION = frozenset({DOSES, "indication", ANSWER})
"""What of these is asked may stand in any section of a card."""

_Line = tuple[Passage, str]
"""(passage, sentence)."""


def lines_of_cards(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of the sentences of cards that hold all that is asked, with what they lack;
    ``None`` where there are none.
    """
    subject = plan.subject
    if subject.unknown_words or subject.pairs or len(subject.concepts) < 2 or plan.search is None:
        return None
    found = list(dict.fromkeys(_found(question, plan, tools)))
    whole = [(p, text) for p, text in found if _names_all(p, text, subject)]
    found = whole or found  # a card on cystitis and prostatitis answers on the one asked
    drugs = drugs_of(subject.concepts)
    found = [line for line in found if all(_names(line, c) for c in drugs)] or found
    figure = subject.point.figure
    dosed = figure is Figure.NUMBER and DOSES in plan.sections
    given = [p_t for p_t in found if (gives_amount if dosed else _gives(figure))(p_t[1])]
    lines = (given or found)[:_MOST]
    if not lines:
        return None
    sections = tuple(s for s in SECTIONS if any(p.section == s for p, _text in lines))
    hits = {
        s: [SearchHit(passage=p, score=0.0) for p, _text in lines if p.section == s]
        for s in sections
    }
    spans: list[DraftSpan] = [
        quoted_as(s, p, text) for s in sections for p, text in lines if p.section == s
    ]
    return Draft(
        plan=replace(plan, mode=PlanMode.TARGETED, sections=sections),
        evidence=Evidence(
            sections=tuple(
                SectionEvidence(section=s, hits=tuple(dict.fromkeys(h)), covered=True)
                for s, h in hits.items()
            ),
            rounds=tools.search(plan).rounds,
            stop_reason="Phrases des fiches qui tiennent toute la question.",
        ),
        spans=tuple(spans),
        notice=_lacking(question, plan, lines, given=bool(given)),
    )


def _lacking(
    question: Question, plan: RetrievalPlan, lines: Sequence[_Line], *, given: bool
) -> str:
    """What the sentences lack of the question, in French: the figure asked, or the very drug."""
    figure = plan.subject.point.figure
    said = []
    if figure in _FIGURES and not given:
        said.append(
            f"Aucun extrait ne donne {_FIGURES[figure]}{NBSP}: ce qui suit est ce que les fiches "
            "disent de la question, sans ce chiffre."
        )
    drugs = drugs_of(plan.subject.concepts)
    unnamed = [c for c in drugs if not any(_names(line, c) for line in lines)]
    if unnamed:
        said.append(
            f"Aucun extrait ne nomme {quoted(unnamed, question.text)}{NBSP}: ce qui suit porte sur "
            "une classe dont il fait partie."
        )
    return " ".join(said)


def _names(line: _Line, concept: Concept) -> bool:
    passage, text = line
    return holds(f"{passage.origin_title} {passage.heading} {text}", concept)


def _gives(figure: Figure) -> Callable[[str], bool]:
    return lambda text: gives(fold(text), figure)


def _is_of_the_sections(passage: Passage, text: str, plan: RetrievalPlan, tools: Tools) -> bool:
    """Whether a sentence is of a section the question names (« bilan »), if it names any."""
    if plan.mode is not PlanMode.TARGETED or not _OF_ANY_SECTION.isdisjoint(plan.sections):
        return True
    cues = (cue for s in plan.sections for cue in tools.lexicon.sections[s].cues)
    folded = fold(text)
    return passage.section in plan.sections or any(starts_a_word(folded, cue) for cue in cues)


def _found(question: Question, plan: RetrievalPlan, tools: Tools) -> Iterator[_Line]:
    """Of the cards the question names, then of those that hold its words best."""
    subject, newborn = plan.subject, is_of_newborn(question.text)
    search = replace(plan.search, silos=(Silo.FICHES,)) if plan.search else None
    near = (h.passage for h in tools.index.search(search)) if search else ()
    for passage in (*of_cards(subject.concepts, tools.index), *near):
        if passage.superseded or passage.section in _OF_NOTHING_DONE:
            continue
        title = f"{passage.origin_title} {passage.heading}"
        context = groups(title)
        for unit in units(passage, passage.section):
            text = passage.text[unit.start : unit.end]
            if (
                suits(text, context, passage.section, subject, newborn=newborn)
                and _is_of_the_sections(passage, text, plan, tools)
                and _is_all_said(passage, text, title, subject)
                and not is_beside(passage, text, passage.section, subject)
            ):
                yield passage, text


def _is_all_said(passage: Passage, text: str, title: str, subject: Subject) -> bool:
    """Whether a sentence names all that is asked, at least a part of it itself; what its card is
    about it need not repeat.
    """

    def is_known(concept: Concept) -> bool:
        return passage.source_identifier in concept.identifiers or holds(title, concept)

    rest = [c for c in subject.concepts if not is_known(c)]
    rest = rest or [c for c in subject.concepts if not holds(title, c)]
    return bool(rest) and all(_says(text, c) for c in rest)


def _names_all(passage: Passage, text: str, subject: Subject) -> bool:
    """Whether a sentence and its title name all that is asked, whatever names the card bears."""
    title = f"{passage.origin_title} {passage.heading}"
    return all(holds(title, c) or _says(text, c) for c in subject.concepts)


def _says(text: str, concept: Concept) -> bool:
    """Whether a sentence names a concept; a word that is no drug, no disease and not exact, by any
    of one sense (« arrêt », « suspendue »); « aiguë » is of what is not said to be chronic.
    """
    if holds(text, concept):
        return True
    if _ACUTE.fullmatch(concept.phrases[0]):
        return _CHRONIC.search(fold(text)) is None
    if concept.mandatory and not concept.exact:
        return is_of_its_class(text, concept)
    if concept.exact or concept.identifiers or is_disease(concept):
        return False
    return not _senses(concept.phrases[0]).isdisjoint(_senses(text))


def is_of_its_class(text: str, drug: Concept) -> bool:
    """Whether a sentence that gives no amount names a class a drug belongs to, not another member
    (« inducteur enzymatique » of carbamazepine).
    """
    own = frozenset[str]().union(*(classes_in(p) for p in drug.phrases))
    if drug.classes or not own or gives_amount(text):
        return False
    return any(not own.isdisjoint(class_named(word)) for word in words(text))


@lru_cache(maxsize=4_096)
def _senses(text: str) -> frozenset[str]:
    lexicon = load_lexicon(RESOURCES / "lexicons")
    return frozenset(f for hit in lexicon.hits(_WORD.findall(fold(text))) for f in hit.families)
