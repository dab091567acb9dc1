"""Which sentences of a passage may be quoted for a section of a question.

One rule for searching and for quoting: a section is covered when a sentence of it can be quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import ANSWER, SAFETY, PassageKind, Silo
from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.pipeline.about import (
    FIRST_STEPS,
    is_asked,
    is_excepted,
    is_most,
    is_step_of,
    names_owed,
    names_subject,
    owed,
    readings,
    without_drugs,
)
from ancremed_desktop.pipeline.bearing import (
    DOSE,
    gives_doses,
    is_another_product,
    is_beside,
    is_dose_of_something_else,
    is_named_as_danger,
    is_named_formula,
    is_of_another_case,
    is_of_its_drug,
    is_of_the_other_half,
    is_row_of_another_case,
    is_ruled_out,
    is_use_of_a_poison,
    names_drug,
)
from ancremed_desktop.pipeline.explaining import EXPLAINED, explains, is_elsewhere
from ancremed_desktop.pipeline.focus import Quotable, all_of, focused
from ancremed_desktop.pipeline.holding import (
    is_held,
    read,
    starts_a_word,
    without_subject,
)
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.pipeline.paperwork import is_about_the_document, is_of_a_study, is_paperwork
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.units import ENDED, LEANS, units
from ancremed_desktop.text.list_marks import is_item
from ancremed_desktop.text.lists import Statement
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

RECORD_SECTIONS = frozenset(
    {"prescription et délivrance", "composition et présentations", "évaluation (SMR, ASMR)"}
)
"""What an administrative record may answer by its words; a strength is no posology."""

CROSSING = frozenset({"interactions", "grossesse et allaitement", "antidote"})
"""Sections whose facts also stand under others (« contre-indiqué avec… »): all are gathered."""
_NO_EXPLANATION = frozenset({PassageKind.TABLE, PassageKind.EXAM_ANSWER})
_CARE = frozenset({"traitement", "posologie", "conduite à tenir", "gestes immédiats"})
"""What is to be done: a sentence that does not speak of it is no answer on it."""
_MEASURED = re.compile(r"\b(?:est|sont|etre|soient?) (?:\w+ ){0,2}dosee?s?\b")
"""« La troponine est dosée » gives no dose."""
_OWN_ITEM = re.compile(r"^\s*[■▪●]\s?[A-ZÀ-Ý]")
"""An item that begins a sentence of its own."""
_CAPITAL_ITEM = re.compile(r"^\s*\W{1,2}\s?[A-ZÀ-Ý]")
_ITEM_WORDS = 6
"""Content words from which an item that begins with a capital is a sentence."""
_TOLD = re.compile(r"\b(?:n.(?:a|est|ont)|est|sont|ont|doit|doivent|peut|peuvent|permet)\b")
"""What makes a short item a sentence."""
_BULLETS = " \t-–—‒•●■▪◦*►"
_LOWER = re.compile(r"\s*\(?[a-zà-ÿ]")


def quotable(
    passage: Passage, section: str, cues: SectionCues, subject: Subject, *, widened: bool
) -> tuple[Quotable, ...]:
    """Sentences that hold the section and the subject, in order; empty: the passage is no answer.

    ``widened``: passages filed under another section count too, sentence by sentence.
    """
    if passage.kind in (PassageKind.OBJECTIVE, PassageKind.INTERACTION):
        # What a student must know of a section is not what the section says; a listed pair is
        # shown whole, and only when both its drugs are asked about (``Subject.pairs``).
        return ()
    if is_excepted(passage, subject) or is_about_the_document(passage.heading):
        return ()
    labelled = passage.section == section
    if section == ANSWER and (passage.silo is not Silo.FORMULAS or is_asked(passage, subject)):
        return _answering(passage, section, subject)
    if passage.silo is Silo.FORMULAS and not labelled:
        return ()  # how a score counts « ascite » is no treatment of it
    if passage.kind is PassageKind.RECORD and not labelled and section not in RECORD_SECTIONS:
        return ()
    if passage.kind is PassageKind.RECORD and is_another_product(passage, subject):
        return ()
    elsewhere = bool(passage.section) and not labelled
    if elsewhere and (not widened or is_elsewhere(passage.section, section)):
        return ()
    if section == "indication" and passage.section in SAFETY:
        return ()  # « contre-indiquée dans l’acné » indicates nothing
    step = labelled and names_drug(subject) and is_step_of(passage, subject)
    asked = without_drugs(subject) if step else subject
    about = () if is_named_formula(passage, subject) else owed(passage, asked)
    given = elsewhere and gives_doses(passage, section)
    if about is None or (elsewhere and about and not given):
        return ()
    if labelled and section not in SAFETY and is_of_its_drug(passage, subject):
        about = ()  # « dose maximale de baclofène, alcool »: each dose need not name what it is for
    heading_cue = False
    if not passage.section:
        own = passage.heading.rpartition(" > ")[2] if section in EXPLAINED else passage.heading
        said = without_subject(fold(own), subject)
        heading_cue = any(starts_a_word(said, c) for c in cues.cues)
    found = []
    for unit in units(passage, section):
        text = passage.text[unit.start : unit.end]
        if is_paperwork(fold(text)) or _is_of_a_trial(passage, text, section, subject):
            continue
        dosed = given and DOSE.search(fold(text))
        speaks = labelled or dosed or _speaks_of(passage, unit, cues, subject, section, heading_cue)
        if not speaks:
            continue
        if about and not all(is_held(*read(text), c) for c in about):
            continue
        if is_beside(passage, text, section, subject):
            continue
        found.append(Quotable(start=unit.start, end=unit.end))
    found = _outermost(found)
    whole = section in SAFETY or step or (labelled and section in FIRST_STEPS and subject.spare)
    return all_of(passage, subject, found) if whole else focused(passage, subject, found)


def _answering(passage: Passage, section: str, subject: Subject) -> tuple[Quotable, ...]:
    """Sentences of a passage that with its title name the whole subject (three quarters of four
    concepts and more), with a figure of the kind asked; of equals those that name most of it
    themselves, then those that speak of a section hinted at.

    An item without its list, or how a formula was checked, is no answer.
    """
    about = owed(passage, subject)
    if about is None or passage.kind is PassageKind.RECORD or passage.section == "source":
        return ()
    title = read(f"{passage.origin_title} {passage.heading}")
    rest = [c for c in subject.concepts if not is_held(*title, c)]
    point, total = subject.point, len(subject.concepts)
    dosed = "posologie" in point.sections
    hinted = not point.cues or passage.section in point.sections
    ranks: dict[Quotable, tuple[int, bool]] = {}
    for unit in units(passage, section):
        text = passage.text[unit.start : unit.end]
        found = read(text)
        if (
            not is_paperwork(found[1])
            and _stands_alone(passage, text, found[1])
            and _is_whole(text)
            and _is_announced(passage, unit, title, subject)
            and names_subject(passage, *found, subject)
            and any(names_owed(*r, about) for r in readings(passage, unit))
            and gives(found[1], point.figure)
            and not is_of_the_other_half(passage, text, subject)
            and not is_row_of_another_case(text, passage, subject)
            and not is_use_of_a_poison(passage, text, subject)
            and not is_of_another_case(passage, text, subject)
            and not is_ruled_out(passage, text, subject)
            and not (dosed and is_dose_of_something_else(passage, text, subject))
            and not (total == 1 and is_named_as_danger(passage, text, subject))
        ):
            speaks = hinted or any(starts_a_word(found[1], c) for c in point.cues)
            care = passage.kind is not PassageKind.FORMULA and not _CARE.isdisjoint(point.sections)
            if care and not speaks:
                continue
            own = max(sum(is_held(*r, c) for c in rest) for r in readings(passage, unit))
            whole = passage.kind is PassageKind.FORMULA or is_most(total - len(rest) + own, total)
            if whole:
                ranks[Quotable(start=unit.start, end=unit.end)] = (own, speaks)
    most = max(ranks.values(), default=(0, False))
    if not (most[0] or (not rest and most[1])):
        return ()
    return tuple(_outermost([q for q, rank in ranks.items() if rank == most]))


def _outermost(found: list[Quotable]) -> list[Quotable]:
    """Quotes less those that stand within another: a sentence, and the one that leans on it."""
    return [
        q for q in found if not any(o.start <= q.start and q.end <= o.end for o in found if o != q)
    ]


def _is_announced(
    passage: Passage, unit: Statement, title: tuple[frozenset[str], str], subject: Subject
) -> bool:
    """Whether what announces a list, or the title, names the subject; one item says little."""
    above = read(passage.text[unit.start : unit.lead]), title
    return unit.lead == unit.start or any(is_held(*a, c) for a in above for c in subject.concepts)


def _is_whole(text: str) -> bool:
    """Whether a sentence is none of a list, or an item that is a sentence of its own."""
    if not is_item(text) or _OWN_ITEM.match(text):
        return True
    told = len(content_words(text)) >= _ITEM_WORDS or (
        ENDED.search(text) and _TOLD.search(fold(text))
    )
    return bool(_CAPITAL_ITEM.match(text) and told)


def speaks_of(passage: Passage, section: str, cues: Sequence[str]) -> bool:
    """Whether a passage is filed under a section or holds one of its cues."""
    folded = fold(f"{passage.heading} {passage.text}")
    return passage.section == section or any(starts_a_word(folded, c) for c in cues)


def _stands_alone(passage: Passage, text: str, folded: str) -> bool:
    return passage.kind is not PassageKind.PROSE or not (
        not ENDED.search(text)
        or LEANS.match(folded.lstrip(_BULLETS))
        or _LOWER.match(text)
        or is_of_a_study(folded)
    )


def _is_of_a_trial(passage: Passage, text: str, section: str, subject: Subject) -> bool:
    """Whether a sentence says how a trial was run where no drug is asked about, nor how often
    something is.
    """
    if passage.kind is not PassageKind.PROSE or section == "épidémiologie" or names_drug(subject):
        return False
    return is_of_a_study(fold(text))


def _speaks_of(
    passage: Passage,
    unit: Statement,
    cues: SectionCues,
    subject: Subject,
    section: str,
    heading_cue: bool,
) -> bool:
    """Whether a statement that no label files under the section belongs there, read alone.

    Of a list, one item with what announces it says so: words of different items say nothing.
    """
    text = passage.text[unit.start : unit.end]
    if passage.kind is PassageKind.RECORD:
        return any(starts_a_word(fold(text), c) for c in cues.cues)
    if passage.kind in _NO_EXPLANATION and section in EXPLAINED:
        return False
    listed = unit.lead > unit.start  # a list need not end in a stop
    if not _stands_alone(passage, f"{text}." if listed else text, fold(text)):
        return False
    if heading_cue:
        return True
    lead = passage.text[unit.start : unit.lead]
    unfiled = section in EXPLAINED and not passage.section
    if unfiled and not explains(lead if listed else text, section, subject):
        return False
    for found, folded in readings(passage, unit):
        given = _MEASURED.sub(" ", folded) if section == "posologie" else folded
        cued = any(starts_a_word(given, c) for c in cues.cues)
        if cued and names_subject(passage, found, folded, subject):
            return True
    return False
