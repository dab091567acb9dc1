"""Questions that are a code alone: a CIS, a CIP, an ATC or CIM-10 code, an EDN item."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.identifiers import Code, Silo, TopicClass
from ancremed_desktop.domain.plans import PlanMode, RetrievalPlan, Subject, SubQuery
from ancremed_desktop.ports import EntityMention, PassageIndex
from ancremed_desktop.text.codes import CodeMatch, read_codes
from ancremed_desktop.text.dates import figures
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

UNKNOWN_CODE = "code_inconnu"
"""Intent of a question whose only drug is a code that no source carries."""

_ASKS_CODE = frozenset("code codes coder codage cim cim-10 cim10 pmsi".split())
"""Words that ask how a disease is coded."""
_OTHER_CODES = frozenset("cip cip7 cip13 cis atc ucd ccam ngap".split())
_CODED = "classification"
_LETTER_CODE = re.compile(r"[a-z]\d{2}(?:\.?\d{1,2})?")
_ABOUT_CODE = re.compile(
    r"\b(?:quel\w*|est|sont|le|la|les|l'|du|de|des|d'|code|codes|cis|cip|atc|cim|medicament\w*|"
    r"correspond\w*|signifie|veut|dire|que|a|quoi|c'|ce)\b|[\W_]"
)


def lone_code(text: str, index: PassageIndex) -> EntityMention | None:
    """The code a text is made of, whatever asks what it is; ``None`` for any other text."""
    for mention in index.mentions(text):
        is_code = any(char.isdigit() for char in mention.label)
        if is_code and _is_alone(mention, text):
            return mention
    return None


def asks_code(subject: Subject) -> bool:
    """Whether a question asks how a disease is coded, or is a code of the ICD."""
    coded = any(_LETTER_CODE.fullmatch(c.phrases[0]) for c in subject.concepts)
    return coded or _asks_coding(subject)


def _asks_coding(subject: Subject) -> bool:
    asked = subject.point.words
    return not asked.isdisjoint(map(stem, _ASKS_CODE)) and asked.isdisjoint(map(stem, _OTHER_CODES))


def with_code_asked(plan: RetrievalPlan) -> RetrievalPlan:
    """The plan of a question that asks how a disease is coded: its codes and nothing else."""
    subject = plan.subject
    kept = tuple(c for c in subject.concepts if _ASKS_CODE.isdisjoint(c.phrases[:1]))
    if not (kept and plan.search and _asks_coding(subject)):
        return plan
    words = tuple(w for w in subject.words if w not in _ASKS_CODE)
    query = " ".join(words)
    return replace(
        plan,
        primary_class=TopicClass.DEFINITION,
        secondary_class=None,
        mode=PlanMode.TARGETED,
        sections=(_CODED,),
        sub_queries=(SubQuery(section=_CODED, query=query),),
        silos=(Silo.EDN,),
        search=replace(plan.search, query=query, silos=(Silo.EDN,)),
        subject=replace(subject, concepts=kept, words=words, label=query, unknown_words=()),
        pointed=False,
    )


def unknown_codes(text: str, index: PassageIndex) -> str:
    """What to say, in French, of the CIS and CIP codes no drug of the index carries; or nothing.

    Eight digits in a longer text are a code only behind « CIS ».
    """
    known = {(m.start, m.end) for m in index.mentions(text)}
    missing = [
        text[c.start : c.end]
        for c in read_codes(text)
        if (c.code is Code.CIP or (c.code is Code.CIS and (c.announced or _is_alone(c, text))))
        and (c.start, c.end) not in known
    ]
    if not missing:
        return ""
    register = (s for s in index.sources(Silo.BDPM) if s.source_identifier.isdecimal())
    date = max((s.regulatory_date for s in register), default="")
    codes = ", ".join(f"«\u00a0{code}\u00a0»" for code in missing)
    if not date:
        return f"L’index ne contient pas la base publique des médicaments\u00a0: {codes} y manque."
    return (
        f"Code absent de la base indexée\u00a0: {codes} (base publique des médicaments, fichier de "
        f"{figures(date)}). Vérifiez le code, ou mettez la base à jour."
    )


def _is_alone(code: EntityMention | CodeMatch, text: str) -> bool:
    """Whether a text says nothing but a code."""
    return not _ABOUT_CODE.sub("", fold(text[: code.start] + text[code.end :]))
