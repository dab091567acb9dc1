"""A disease of a patient allergic to a drug: the care of its card, after what the allergy forbids
of it, less what gives the drug or one of its class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo, TopicClass
from ancremed_desktop.domain.plans import Concept, Question, RetrievalPlan
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.case import forbids
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.drug_classes import classes_in, classes_said, narrowest, wider
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.harm_cards import AT_ONCE, cards_of_disease
from ancremed_desktop.pipeline.harm_kinds import classes_of
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.named_doses import drugs_in
from ancremed_desktop.pipeline.patients import first_of_all
from ancremed_desktop.pipeline.population import Fit, fit, groups
from ancremed_desktop.pipeline.set_aside import narrowed, quoted
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

_BARRED = "contre-indications"
_CARE = (
    AT_ONCE, "première intention", "conduite à tenir", "traitement", "alternatives", "indication",
    "posologie",
)  # fmt: skip
_SHOWN = (_BARRED, *_CARE, "antidote", "orientation", "reconnaissance", "suivi")
_ASKED = frozenset({*_SHOWN, "surveillance", "recommandation et date", "interactions"})
_DENIED = r"(?<!\bsans )(?<!\bpas d.)(?<!\bnon )(?<!absence d.)"
_TO = r"(?:(?:(?:a|au|aux|de|du|des|pour) |d['’])(?:la |les? |l['’])?)"
_KNOWN = r"(?:(?:grave|severe|connue?|vraie|averee|prouvee|documentee|ancienne|immediate)s? )*"
_ALLERGY = re.compile(rf"{_DENIED}\b(?:allerg|hypersensib)\w+")
_ALLERGIC_TO = re.compile(
    rf"{_DENIED}\b(?:(?:allergies?|hypersensibilites?) {_KNOWN}{_TO}?|allergiques? {_TO}"
    rf"|(?:\b(?:patiente?|enfant|femme|homme|ans|mois|est)\b ?|^)allergique {_KNOWN}{_TO}?"
    rf")(?P<what>[^.;?!]*)"
)
"""« Allergique à l’amoxicilline », « allergie pénicilline »; not « rhinite allergique aerius »."""
_AND = re.compile(rf"[\w-]+(?: [\w-]+)?(?:,| et| ou) {_TO}?")
_SPOKEN = re.compile(r"\ballerg|\bhypersensib|\breactions? (?:immediates? |graves? )*severes?")
"""What a sentence says of an allergy."""
_OF_ALLERGY = re.compile(r"\banaphyla|\ballerg")
"""A disease that is an allergy: the drug beside it treats it."""
_CONTRAST = re.compile(r"\bcontraste\b|\biodee?s?\b")
_CROSSED = frozenset({"betalactam", "antibiotic", "antalgic"})
"""Classes whose members do not all share an allergy: what forbids them is shown, none left out."""
_LEFT_OUT = "Ce qui donne {what} ou un médicament de sa classe n’est pas montré\u00a0: allergie."


def plan_of_allergy(
    question: Question, plan: RetrievalPlan, index: PassageIndex
) -> RetrievalPlan | None:
    """The plan of the care of a disease for a patient allergic to a drug; ``None`` where no card
    is about the disease, no drug is named, or something else is asked.
    """
    folded = fold(question.text)
    told = _ALLERGIC_TO.search(folded)
    asked = set(plan.sections)
    if told is None or plan.search is None or not (asked <= _ASKED or not plan.pointed):
        return None
    # « Allergie grave » alone is an anaphylaxis; beside a drug it is whom the disease is of.
    others = [c for c in plan.subject.concepts if not any(map(_ALLERGY.match, c.phrases))]
    to = told["what"].strip()
    allergens = [c for c in others if _is_allergen(c) and _is_named(c, to)]
    diseases = [c for c in others if c not in allergens]
    cards = (cards_of_disease(c, plan.subject, index, _CARE) for c in diseases)
    card = next(filter(None, cards), None)
    if not allergens or card is None or any(map(_OF_ALLERGY.search, card.phrases)):
        return None
    held = {p.section for i in card.identifiers for p in index.passages_of(i) if not p.superseded}
    ordered = tuple(s for s in _SHOWN if s in held)
    found = narrowed(plan, (card,), ordered)
    titles = [next(iter(index.passages_of(i))).origin_title for i in card.identifiers]
    cards_named = " et ".join(f"«{NBSP}{title}{NBSP}»" for title in titles)
    notice = (
        f"Allergie à {quoted(allergens, question.text)}{NBSP}: conduite à tenir d’après "
        f"{'les fiches' if len(titles) > 1 else 'la fiche'} {cards_named}, après ce qui est dit de "
        "cette allergie."
    )
    return replace(
        found,
        primary_class=TopicClass.EMERGENCY,
        secondary_class=None,
        silos=tuple(s for s in Silo if s is not Silo.FORMULAS),
        search=replace(found.search, silos=()) if found.search else None,
        notice=notice,
        subject=replace(
            found.subject,
            unknown_words=(),
            pairs=(),
            spare=(),
            allergies=tuple(allergens),
        ),
    )


def for_the_allergic(draft: Draft, index: PassageIndex) -> Draft:
    """A draft after what forbids, to who is allergic to a drug, what it gives; less what gives that
    drug, which is said. What is done at once stays: it says more than which drug.
    """
    allergens = draft.plan.subject.allergies
    if not allergens:
        return draft
    quotes, passages = _barred(draft, allergens, index)
    told = {d.text for d in quotes}
    kept: list[DraftSpan] = []
    without: dict[str, None] = {}
    for span in draft.spans:
        if isinstance(span, DraftAssertion) and span.text in told:
            continue
        if isinstance(span, DraftAssertion) and _gives(span, allergens):
            without.setdefault(span.section)
        else:
            kept.append(span)
    left = {s.section for s in kept if isinstance(s, DraftAssertion)}
    names = ", ".join(f"«{NBSP}{c.phrases[0]}{NBSP}»" for c in allergens)
    sections = tuple(s for s in draft.plan.sections if s in left or s in without)
    notes = [Narrative(text=_LEFT_OUT.format(what=names), section=s) for s in without if s in left]
    notice = draft.notice
    if without and not notes:
        notice = f"{notice} {_LEFT_OUT.format(what=names)}"
    if not (quotes or without):
        notice = f"{notice} Aucune phrase de ces fiches ne parle de cette allergie."
    shown = tuple(s for s in sections if s in left)
    rest = replace(
        draft,
        plan=replace(draft.plan, sections=shown),
        spans=(*notes, *(s for s in kept if s.section in shown)),
        notice=notice,
    )
    return first_of_all(rest, quotes, passages) if quotes else rest


def _is_named(concept: Concept, told: str) -> bool:
    """Whether what an allergy is to begins with a concept, alone or after another one."""
    after = _AND.match(told)
    starts = (told, told[after.end() :]) if after else (told,)
    return any(s.startswith(p) for s in starts for p in concept.phrases)


def _is_allergen(concept: Concept) -> bool:
    drug = concept.mandatory or bool(classes_of(concept))
    return not concept.exact and (drug or _CONTRAST.search(concept.phrases[0]) is not None)


def _gives(span: DraftAssertion, allergens: Iterable[Concept]) -> bool:
    """Whether a sentence of the care gives a drug one is allergic to, or one of its class."""
    if span.section in (AT_ONCE, _BARRED) or forbids(span.text) or _SPOKEN.search(fold(span.text)):
        return False
    named = classes_in(span.text)
    return any(
        (holds(span.text, c) and not c.classes) or narrowest(classes_of(c)) & (named - _CROSSED)
        for c in allergens
    )


def _barred(
    draft: Draft, allergens: Sequence[Concept], index: PassageIndex
) -> tuple[list[DraftAssertion], list[Passage]]:
    """What the cards of a draft, and those of the drugs it names, say of the allergy: what forbids,
    then what is given instead.
    """
    found = [*_of_the_disease(draft, allergens, index), *_of_the_drugs(draft, allergens, index)]
    found.sort(key=lambda f: not forbids(f[1]))
    told: dict[str, tuple[DraftAssertion, Passage]] = {}
    for passage, text in found:
        told.setdefault(fold(text), (quoted_as(_BARRED, passage, text), passage))
    return [d for d, _p in told.values()], [p for _d, p in told.values()]


def _of_the_disease(
    draft: Draft, allergens: Sequence[Concept], index: PassageIndex
) -> Iterator[tuple[Passage, str]]:
    asked = draft.plan.subject.populations
    for passage in of_cards(draft.plan.subject.concepts, index):
        title = f"{passage.origin_title} {passage.heading}"
        for text in _sentences(passage):
            other = fit(groups(text), groups(title), asked, dosing=True) is Fit.OTHER
            if not other and _speaks_of(text, allergens):
                yield passage, text


def _of_the_drugs(
    draft: Draft, allergens: Sequence[Concept], index: PassageIndex
) -> Iterator[tuple[Passage, str]]:
    given = [s.text for s in draft.spans if isinstance(s, DraftAssertion) and not forbids(s.text)]
    drugs = {d.identifiers: d for text in given for d in drugs_in(text, index)}
    for passage in of_cards(drugs.values(), index):
        if passage.section == _BARRED:
            yield from ((passage, t) for t in _sentences(passage) if _speaks_of(t, allergens))


def _sentences(passage: Passage) -> Iterator[str]:
    if not passage.superseded:
        spans = units(passage, passage.section)
        yield from (passage.text[unit.start : unit.end] for unit in spans)


def _speaks_of(text: str, allergens: Iterable[Concept]) -> bool:
    """Whether a sentence speaks of an allergy to a drug, to its class or to a wider one."""
    if not _SPOKEN.search(fold(text)):
        return False
    said = classes_said(text)
    return any(holds(text, c) or said & wider(narrowest(classes_of(c))) for c in allergens)
