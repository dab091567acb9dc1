"""A question understood, and the plan that will answer it (specification §6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ancremed_desktop.domain.evidence import SearchRequest
from ancremed_desktop.domain.identifiers import Silo, TopicClass

Range = tuple[float, float]
"""Least and greatest value, both included; infinite where there is no limit."""


class PlanMode(StrEnum):
    """Whole topic, named sections only, or no search at all."""

    COMPLETE = "complet"
    TARGETED = "cible"
    SHORT_CIRCUIT = "court_circuit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A word of the question and what it was read as. ``kind``: typo, acronym, brand,
    value (of an analysis), sign (of a case).
    """

    original: str
    replacement: str
    kind: str
    certain: bool = True
    """False: a suggestion only (« vouliez-vous dire… ? »), the word itself is unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """``raw`` as typed (1 to 2,000 characters), ``text`` as corrected, ``corrections`` shown."""

    raw: str
    text: str
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuery:
    """One search: ``query`` holds plain French words, ``silo`` None means any."""

    section: str
    query: str
    silo: Silo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """One thing a question names.

    ``phrases``: folded wordings that may stand for it, the user's own first. ``identifiers``:
    sources that are about it. ``mandatory``: no answer may do without it (a drug, a type, a
    negated word). ``exact``: to be found letter for letter (« type 1 », « st- »). ``classes``: of
    drugs it stands for, each held by any of its members.
    """

    phrases: tuple[str, ...]
    identifiers: tuple[str, ...] = ()
    mandatory: bool = False
    exact: bool = False
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifier:
    """What the case of a question lacks (``absent``) or has: « sans comorbidité ». ``stem``: of its
    folded word.
    """

    stem: str
    absent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """A drug, class or product of a question, as the interactions thesaurus knows it.

    ``label``: as the question names it. ``substances``: what it was read as (folded), when that
    says more than the label. ``entries``: folded entries of the thesaurus it stands for; empty:
    the thesaurus does not know it. ``identifiers``: its sources in the thesaurus. ``on_skin``: the
    register gives the products meant « cutanée » as their only route. ``exact``: all it names was
    led to substances of the thesaurus, or to the one entry that is no class: nothing listed under
    another name can be missed, so that only of such parties the absence of a pair may be said.
    """

    label: str
    substances: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    on_skin: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLookup:
    """What the thesaurus of ``edition`` (ISO date) lists between two parties, gravest first.

    ``second`` is ``None`` when the question names one drug: all that is listed for it.
    ``identifiers``: sources of the pairs shown; ``unshown``: how many more there are. ``filed``:
    sources that say of which class a party is, where a pair names the class alone.
    ``names_route``: whether a pair shown says by which route it holds.
    """

    first: Party
    second: Party | None
    edition: str
    identifiers: tuple[str, ...] = ()
    unshown: int = 0
    filed: tuple[str, ...] = ()
    names_route: bool = False
    through: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """(class asked, entry of a pair shown, the only members of the class that it holds)."""


class Figure(StrEnum):
    """Kind of figure a question asks for: its answer holds one."""

    NONE = ""
    NUMBER = "nombre"
    DURATION = "durée"
    LENGTH = "durée de traitement"
    """How long something is given; « deux fois par jour » is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What is asked of a subject. ``sections``: those the question hints at; ``cues``: word starts
    that show in a sentence that it speaks of one of them. ``words``: stems of all that is asked,
    by which sentences are ordered.
    """

    figure: Figure = Figure.NONE
    sections: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What the question is about.

    ``words``: content words of the question that must be found in a passage for it to count.
    ``entity_ids``: source identifiers it resolves to (CIS codes, items), possibly none.
    ``unknown_words``: words neither the index nor the lexicons hold (an invented drug).
    ``excluded``: what the question does not want (« sauf… »), empty when it names nothing.
    ``populations``: groups of patients it asks about (« enfant », « fonction rénale »...);
    ``ages``: those it names, folded (« 14 ans »).
    """

    label: str
    words: tuple[str, ...]
    entity_ids: tuple[str, ...] = ()
    unknown_words: tuple[str, ...] = ()
    concepts: tuple[Concept, ...] = ()
    populations: frozenset[str] = frozenset()
    ages: frozenset[str] = frozenset()
    pairs: tuple[PairLookup, ...] = ()
    """Look-ups in the interactions thesaurus, when the question asks for them."""
    excluded: tuple[Concept, ...] = ()
    qualifiers: tuple[Qualifier, ...] = ()
    """What the case asked has or lacks."""
    point: Point = Point()
    outdated: tuple[tuple[str, str], ...] = ()
    """(key of a source, key of the one that replaces it on this subject)."""
    spare: tuple[str, ...] = ()
    """First wordings of the concepts that what is to be done in an emergency may leave out."""
    routes: tuple[str, ...] = ()
    """Routes by which the drug asked is to be given (« intraveineuse »)."""
    measures: tuple[str, ...] = ()
    """What the question gives a value of (« pression artérielle »), in order."""
    values: tuple[tuple[str, Range], ...] = ()
    """(analysis, range) of the values asked about: « DFG 25 », « insuffisance rénale sévère »."""
    beside: tuple[Concept, ...] = ()
    """What else is asked, which no sentence must name: those that do are shown first."""
    set_aside: tuple[str, ...] = ()
    """Places and people the corpus does not know, beside a subject it knows."""
    vital: bool = False
    """Whether a card about it says what to do at once."""
    doses: tuple[float, ...] = ()
    """Doses the question gives, in mg."""
    allergies: tuple[Concept, ...] = ()
    """Drugs the patient is allergic to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPlan:
    """``sections`` in display order; ``intent`` names the conversational sub-intent, if any.

    ``search``: the whole question as one ranked search; ``None`` when nothing is to be searched.
    ``pointed``: one point is asked, so that the sentences that answer it come before any section.
    ``beside``: a second plan, whose answer follows. ``notice``: French, what both answer of the
    question.
    """

    primary_class: TopicClass
    secondary_class: TopicClass | None = None
    mode: PlanMode
    sections: tuple[str, ...]
    subject: Subject
    sub_queries: tuple[SubQuery, ...]
    silos: tuple[Silo, ...]
    intent: str = ""
    search: SearchRequest | None = None
    pointed: bool = False
    beside: RetrievalPlan | None = None
    notice: str = ""
