"""« SMR du Vastarel », « prix de… »: the record of a product of the register, looked up by what is
asked of it. Words rank a record badly: what an opinion is worth stands in its date, not its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind, Silo, TopicClass
from ancremed_desktop.domain.plans import Concept, PlanMode, Question, RetrievalPlan
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.direct_answer import DirectAnswer, LookUp
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

MAX_PRODUCTS = 6
MAX_OPINIONS = 8
"""Most opinions have a value and one paragraph: more of them is no longer read."""

_OPINIONS = "évaluation (SMR, ASMR)"
_CONTENT = "composition et présentations"
_PRESCRIPTION = "prescription et délivrance"
_GENERICS = "generiques"
_SUPPLY = "disponibilite"
_ASKED: tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b"), section, slugs)
    for words, section, slugs in (
        (r"smr|(?<!amelioration du )service medical rendu", _OPINIONS, ("smr",)),
        (r"asmr|amelioration du service medical rendu", _OPINIONS, ("asmr",)),
        (r"generiques?|princeps", _CONTENT, (_GENERICS,)),
        (r"prix|coute\w*|cout|rembours\w*|boites?|presentations?|code cip\w*", _CONTENT,
         ("presentations", "remboursement")),
        (r"disponib\w*|ruptures?|penuries?|tensions? d.approvisionnement", _CONTENT, (_SUPPLY,)),
        (r"compositions?|compo|contient|contiennent|substances? actives?|principes? actifs?"
         r"|excipients?|teneur|hormones?|molecules?", _CONTENT, ("composition",)),
        (r"formes?|voies?|laboratoires?|titulaires?|code cis|commercialis\w*", _CONTENT,
         ("identite",)),
        (r"ordonnances?|prescri\w*|delivr\w*|liste i+", _PRESCRIPTION,
         ("prescription",)),
    )
)  # fmt: skip
"""(folded words of a question, section, what of a record they ask for)."""
_HOW_LONG = re.compile(
    r"\b(?:prescription|delivr\w*)\b.*\b(?:duree|temps|jours|semaines|mois|combien|max\w*)\b"
    r"|\b(?:duree|temps|jours|semaines|mois|max\w*)\b.*\b(?:prescription|delivr\w*)\b"
)
"""« durée max de prescription » asks what the register allows, not how long the drug is taken."""
_COMPARED = re.compile(r"\b(?:vs|versus|par rapport|comparee? a\w*|contre)\b")
_FORM = re.compile(
    r"(?:patchs?|gels?|cremes?|pommades?|comprimes?|gelules?|sirops?|sprays?|ampoules?|sachets?"
    r"|suppositoires?|collyres?|gouttes)"
)
_ALSO = f"{NBSP}; "
"""Between two substances of a composition."""
_DOSSIER = re.compile(r"\bdossier (CT-?\d+)")
_LEVEL = re.compile(
    r"\(a?smr\) .*? : (?:important|modere|faible|insuffisant|i|ii|iii|iv|v)\b(?: \(|,)"
)
"""The first sentence, folded, of an opinion that gives a level: others are « commentaires »."""
_NEWER = re.compile(r"\bUn avis A?SMR plus récent, du [^.]*?, existe pour [^.]*\.")
_ORDER = (
    "Avis de la commission de la Transparence qui donnent un niveau, du plus récent au plus "
    "ancien, puis ceux sans niveau. Chacun vaut pour l’indication qu’il nomme, et un avis ancien "
    "peut avoir été remplacé par un plus récent."
)
_PRINCEPS = re.compile(r"\best le princeps\b")
_NOTHING = {
    _GENERICS: f"La base indexée ne range ce médicament dans aucun groupe générique{NBSP}: cela ne "
    "dit pas qu’aucun médicament ne lui est semblable.",
    _SUPPLY: f"La base indexée ne signale ni rupture ni tension pour ce médicament{NBSP}: cela ne "
    "dit pas qu’il est disponible aujourd’hui.",
}


def asked(question: Question, plan: RetrievalPlan, index: PassageIndex) -> DirectAnswer | None:
    """What the record of the one product (or substance) of a question says of what it asks, whole,
    after the card on it; ``None`` for any other question.
    """
    folded = fold(question.text)
    wanted = [(s, slugs) for words, s, slugs in _ASKED if words.search(folded)]
    sections = {section for section, _slugs in wanted}
    supplied = sections == {_PRESCRIPTION} and _HOW_LONG.search(folded) is not None
    if len(sections) != 1 or not (supplied or _is_of(plan, sections)):
        return None
    drug = _drug(plan, compared=sections == {_OPINIONS} and _COMPARED.search(folded) is not None)
    if drug is None:
        return None
    slugs = tuple(slug for _section, several in wanted for slug in several)
    products = [i for i in drug.identifiers if i.isdecimal()]
    found = _of_strength(_records(products, slugs, index), question.text, drug)
    (section,) = sections
    filed = [p for p in of_cards([drug], index) if p.section == section and not p.superseded]
    if section == _OPINIONS:
        passages, message = _opinions(found, slugs)
    else:
        passages, message = _of_records(found, slugs)
    passages = (*filed, *passages)
    nothing = next((_NOTHING[s] for s in slugs if s in _NOTHING), "")
    if not passages and not nothing:
        return None
    look_up = LookUp(
        section=section,
        silo=Silo.BDPM,
        topic=TopicClass.PHARMACOLOGY,
        done="Base publique des médicaments consultée.",
    )
    shows = _shows if section == _OPINIONS else bool
    return look_up.answer(plan, plan.subject.label, passages, message, shows, nothing=nothing)


def _shows(paragraph: str) -> bool:
    """Whether a paragraph of an opinion says something that the message above does not."""
    return _NEWER.fullmatch(paragraph.strip()) is None


def _is_of(plan: RetrievalPlan, sections: set[str]) -> bool:
    return plan.mode is PlanMode.TARGETED and set(plan.sections) == sections


def _drug(plan: RetrievalPlan, *, compared: bool) -> Concept | None:
    """The only subject, if it is of the register and the question is about nothing else; of an
    opinion ``compared`` with other drugs, the first.
    """
    drugs = [c for c in plan.subject.concepts if c.mandatory and not c.exact]
    others = [c for c in plan.subject.concepts if c not in drugs]
    about = all(
        any(words.fullmatch(p) for p in c.phrases for words in (_FORM, *(w for w, *_ in _ASKED)))
        for c in others
    )
    drugs = drugs[:1] if compared else drugs
    if len(drugs) != 1 or not about or not any(i.isdecimal() for i in drugs[0].identifiers):
        return None
    return drugs[0]


def _records(products: Sequence[str], slugs: Sequence[str], index: PassageIndex) -> list[Passage]:
    """What the records say, by name of product; products that add another substance to the one
    asked about are left out where one holds it alone, whether or not it says what is asked.
    """
    alone: list[Passage] = []
    mixed: list[Passage] = []
    only_mixed = True
    for cis in products:
        record = [
            p for p in index.passages_of(cis) if p.kind is PassageKind.RECORD and not p.superseded
        ]
        is_mixed = any(_slug(p) == "composition" and _ALSO in p.text for p in record)
        only_mixed = only_mixed and (is_mixed or not record)
        (mixed if is_mixed else alone).extend(p for p in record if _slug(p) in slugs)
    return sorted(mixed if only_mixed else alone, key=lambda p: p.origin_title)


def _of_strength(found: list[Passage], text: str, drug: Concept) -> list[Passage]:
    """Records of the strength written behind the drug (« Xarelto 20 »), if one has it."""
    typed = (re.search(rf"{re.escape(p)} (\d+(?:[.,]\d+)?)\b", fold(text)) for p in drug.phrases)
    strength = next((m[1].replace(".", ",") for m in typed if m), "")
    own = [p for p in found if strength in re.findall(r"\d+(?:,\d+)?", p.origin_title)]
    return own if strength and own else found


def _slug(passage: Passage) -> str:
    return passage.urn.rpartition("#")[2].rpartition("-")[0]


def _of_records(found: list[Passage], slugs: Sequence[str]) -> tuple[tuple[Passage, ...], str]:
    if _GENERICS in slugs:
        found = [p for p in found if _PRINCEPS.search(p.text)] or found
    once = {_said(p): p for p in reversed(found)}
    found = [p for p in found if once[_said(p)] is p]
    of_products = [list(group) for _key, group in groupby(found, lambda p: p.source_key)]
    shown = tuple(p for group in of_products[:MAX_PRODUCTS] for p in group)
    left = len(of_products) - MAX_PRODUCTS
    if left <= 0:
        return shown, ""
    return shown, (
        f"Autres spécialités du même nom, non montrées{NBSP}: {left}. Précisez la marque, le "
        "dosage ou la forme."
    )


def _opinions(found: list[Passage], slugs: Sequence[str]) -> tuple[tuple[Passage, ...], str]:
    """Opinions that give a level first, then newest first, each once however many products it is
    about.
    """
    opinions: list[tuple[Passage, ...]] = []
    for passage in found:
        dossier = _DOSSIER.search(passage.text)
        if dossier is None and opinions and opinions[-1][0].heading == passage.heading:
            opinions[-1] = (*opinions[-1], passage)  # a long opinion goes on in a further passage
            continue
        opinions.append((passage,))
    opinions.sort(key=lambda o: o[0].regulatory_date, reverse=True)
    opinions.sort(key=lambda o: _LEVEL.search(fold(o[0].text)) is None)
    once: dict[tuple[str, str], tuple[Passage, ...]] = {}
    for opinion in opinions:
        once.setdefault(_said(opinion[0]), opinion)
    fresh = once.values()
    shown = [
        o
        for slug in slugs
        for o in [o for o in fresh if _slug(o[0]) == slug][: MAX_OPINIONS // len(slugs)]
    ]
    left = len(fresh) - len(shown)
    message = _ORDER
    if left:
        message += f" Autres avis, non montrés{NBSP}: {left}."
    return tuple(p for opinion in shown for p in opinion), message if shown else ""


def _said(record: Passage) -> tuple[str, str]:
    """What a record says, whichever product it is written for (« liste I »)."""
    text = fold(_NEWER.sub("", record.text)).replace(fold(record.origin_title), "")
    return _slug(record), " ".join(text.split())
