"""Must, should, may, should not, must not; always and only."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Pairing, Source
from ancremed_desktop.pipeline.rules.denials import said_by_denial
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Statement
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.scopes import REASONS, marker_at
from ancremed_desktop.text.values import equal_value

_POSSIBLE = re.compile(
    r"\b(?:peu(?:t|vent)(?! (?:pas )?etre evit)|pourr\w+|pouvoir|eventuel\w*|envisag\w+"
    r"|discut\w+|propos\w+|option\w*"
    r"|facultati\w+|autoris\w+|permis\w*|acceptable\w*|renouvelables?|licite\w*"
    r"|(?<!plus tot )(?<!si "
    r")(?<!que )possible\w*)\b"
)
_MUST = re.compile(
    r"\b(?:doi(?:t|vent)|devr\w+|faut|faudra|obligat\w+|imperati\w+|indispensable\w*"
    r"|necessair\w*|necessit\w*|impos\w+|exig\w+|requi\w+|systemati\w+|toujours|tout|toute"
    r"|tous|toutes|chaque|constant\w*|il convient)\b"
)
_STRONG_MUST = re.compile(
    r"\b(?:obligat\w+|imperati\w+|indispensable\w*|impos\w+|exig\w+|systemati\w+|toujours)\b"
)
_RECOMMEND = re.compile(
    r"\b(?:recommand\w+|preconis\w+|conseill\w+|premiere intention|premiere ligne|prefer\w+"
    r"|privilegi\w+|de reference|de choix|en premier(?: lieu)?|d'abord)\b"
)
_FORBID_STRONG = re.compile(
    r"\b(?:contre[ -]?indi\w+|interdi\w+|proscri\w+|prohib\w+|jamais|formellement)\b"
)
_FORBID_MUST = re.compile(r"\b(?:ne|n') ?(?:doi(?:t|vent)|faut|peu(?:t|vent))\b")
_AVOID = re.compile(
    r"\b(?:deconseill\w+|(?:a |doit etre |doivent etre |est |sont |on |mieux vaut |mieux vaut "
    r"l')evit\w+|prudence|precaution\w*|(?:pas|plus|non) (?:\w+ )?(?:recommande\w*"
    r"|conseille\w*|preconise\w*)|pas (?:\w+ )?indique\w*)\b"
)
_NO_NEED = re.compile(
    r"\bpas\b[^.;]{0,40}\b(?:premiere (?:intention|ligne)|systemati\w*|routine|d'emblee|necessaires?"
    r"|utiles?|indispensables?|obligatoires?)\b"
)
"""« ne sont pas un traitement de première intention »: no prohibition."""
_EVITE = re.compile(r"\b(?:a|doit etre|doivent etre|est|sont|on|l') ?evit\w+")
_UNIVERSAL = re.compile(
    r"\b(?:toujours|tout|toute|tous|toutes|systematique\w*|jamais|quel(?:le)?s? qu(?:e|'en|'elles?|'ils?) soi(?:t|ent)"
    r"|sans exception|n'importe|constamment|constant\w*|chaque|aucun\w*|d'office|meme (?:en"
    r"|pour|chez|si|pendant|sans|dans|apres|avec|au|a)|y compris|obligatoire\w*"
    r"|indispensable\w*|certain\w*ement)\b"
)
_UNIVERSAL_SOURCE = re.compile(
    _UNIVERSAL.pattern[:-3]
    + r"|definiti\w*|doi(?:t|vent)|impos\w+|necessair\w*|imperati\w+|faut|contre[ -]?indi\w+|proscri\w+"
    r"|interdi\w+|en routine|tant que|des que|quelle que|obligatoire\w*|il convient|y compris"
    r"|tout\w*|sans attendre|sans tenir compte|dispense(?:nt)? pas|ne (?:pas|jamais)|aucun\w*)\b"
)
_CONCESSION = re.compile(
    r"\b(?:meme s'|meme (?:si|en|chez|quand|lorsqu)|y compris)|, meme \w+|\bou (?:non|pas)\b"
    r"|\bavec (?:ou|comme) sans\b"
)
_DEPENDS = re.compile(r"\b(?:depend(?:ent)?|selon|en fonction) d?")
_WHATEVER = re.compile(
    r"\bquel(?:le)?s? qu(?:e|'en|'elles?|'ils?) soi(?:t|ent)|\bsans tenir compte|\bpeu importe"
    r"|\bindependamment|\bindependant|\bdepend(?:ent)? pas"
)
_EVERY_PERIOD = re.compile(
    r"\b(?:tous|toutes) les (?:[\w,]+ )?(?:jours?|semaines?|mois|ans|annees|heures?|matins|soirs)\b"
    r"|\bchaque (?:jour|semaine|mois|trimestre|semestre|annee|heure|matin|soir)\b"
)
_STILL_NOT = re.compile(r"\btoujours (?:pas\b|(?:l[ea] |au |a la )meme\b)")
"""« n'est toujours pas expulsé »: not yet; « toujours le même jour »: a day fixed."""
_NO_DATA = re.compile(r"\baucune? (?:donnee|etude|essai|preuve|argument|element)\b")
"""« aucune étude ne prouve »: not proved."""
_STILL = re.compile(r"\b(?:est|sont) (?:toujours|encore)\b|\b(?:rest|persist|demeur)\w*|\bencore\b")
_EVERY_CASE = re.compile(r"\b(?:dans tous les cas|toujours|systematiquement)\b")
_OTHER_CASES = re.compile(r"\b(?:dans les autres cas|dans le cas contraire|sinon)\b")
_EACH_UNIT = re.compile(
    r"\bchaque (?:prise|dose|injection|gramme|comprime|gelule|ampoule|flacon|sachet|milligramme"
    r"|mesure|bolus|perfusion|bouffee|goutte|litre)\b"
)
_SOFT_UNIVERSAL = re.compile(r"tout|toute|tous|toutes|chaque")
_GENERIC = re.compile(r"\b(?:devant|en cas de|lorsqu|chez (?:le|la|les|l'|tout)|est systematique)")
_ONLY = re.compile(
    r"\b(?<!un )(?<!une )(?<!lui )(?<!elle )(?<!soi )(?:seule?s?(?! (?:fois|prise|injection|dose|administration))|seulement|uniquement"
    r"|exclusivement|exclusif|exclusive|rien que)\b"
)
_NOTHING_BUT = re.compile(
    r"\b(?:ne|n')\b(?! ?\w+ (?:pas|plus|jamais)\b)[^.;]{0,40}?\bqu(?:e (?!apres|vers)|'(?!apres |au bout |a (?:partir|compter|\d)))"
)
_NOTHING = re.compile(r"\b(?:rien|personne|aucune?(?: \w+){1,2}) (?:ne |n')")
"""« rien ne montre que … »: « rien » denies, « que » restricts nothing."""
_ONLY_SOURCE = re.compile(
    rf"{_ONLY.pattern}|{_NOTHING_BUT.pattern}|\bpas\b[^.;]{{0,40}}?\ben l'absence\b"
    r"|\bdoi(?:t|vent)\b[^.;]{0,60}\bavant\b"
    r"|\bseules? (?:fois|prise|injection|dose|administration)\b|\b(?:reserv\w+|limite\w*"
    r"|unique\w*|isole\w*|contre[ -]?indi\w+|hors|en dehors|sauf|a l'exception|ne doit "
    r"pas|ne doivent pas|monotherapie)\b"
)
_HEDGE = re.compile(
    r"\b(?:le plus souvent|en regle generale|habituellement|generalement|en general|souvent"
    r"|parfois|rarement|typiquement|classiquement|dans la plupart|la plupart|environ"
    r"|certains?|certaines|peu(?:t|vent))\b"
)
_IF_POSSIBLE = re.compile(
    r"\b(?:si|s'|quand|lorsque|lorsqu'|des que|des qu'|tant que|des lors qu')[^,;.:]{0,40}?"
    r"\b(?:peu(?:t|vent)|est possible|sont possibles|realisables?|faisables?)\b"
)
"""« si elle peut être faite » is a condition; it leaves no choice."""
_IF_IMPOSED = re.compile(
    r"\b(?:si|quand|lorsqu[e']) [^,;.]{0,40}?\b(?:l'|les? |la )?(?:impos|exig|necessit|justifi)\w+"
)
"""« peut être faite d'emblée si la situation l'impose » obliges to nothing."""
_ARISES = re.compile(
    r"\bpeu(?:t|vent) (?:survenir|apparaitre|arriver|se produire|exister|etre present\w*)\b"
)
"""« une hémolyse peut survenir : on surveille … » leaves no choice."""
_NOT_EVEN = re.compile(r"\b(?:sans|aucune?) [^.;,]{0,30}?\bpossibles?\b")
"""« sans reprise possible » leaves no choice."""
_ONLY_IF = re.compile(r"\b(?:ne|n') ?peu(?:t|vent)\b(?= [^.;,]{0,40}\bqu[e'])")
"""« ne peut être prescrit que si … » asks for it."""
_WHOLLY = re.compile(
    r"\ben tout(?! cas)\b|\btout (?:de suite|a fait|d'abord|au plus|au moins)\b|\bdu tout\b"
)
"""« compter un an en tout » speaks of no « tout »."""
_AUCUN = re.compile(r"\baucune?\b")
_NONE = re.compile(r"\b(?:pas|plus|jamais) d(?:e\b|')|\b(?:absence|depourvu\w*|sans)\b")
"""« il n'y a pas d'antidote » says that there is none."""
_FINITE = re.compile(
    r"\b(?:est|sont|doi(?:t|vent)|faut|a|ont|peu(?:t|vent)|sera|seront|ne|n'|impose\w*|exige\w*|necessite\w*)(?:\b|(?<='))"
)
_OF_ANY = re.compile(r"\bde (?:tout|toute|tous|toutes)\b")
_ENVISAGE = re.compile(r"\b(?:envisag\w+|discut\w+)\b")


def changed(assertion: Statement, source: Source, pairings: tuple[Pairing, ...]) -> Finding | None:
    """A statement stronger or weaker than its source."""
    for pairing in pairings:
        ours = _text(assertion, pairing.clause)
        theirs = [
            _ONLY_IF.sub("ne doit", _text(source.cited, c))
            if c.only >= 0
            else _text(source.cited, c)
            for c in pairing.found
        ]
        detail = ""
        if any(said_by_denial(assertion, pairing.clause, source.cited, c) for c in pairing.found):
            continue
        for text in theirs:
            restricted = pairing.clause.only >= 0
            detail = _shift(ours, text, pairing.clause.sign, restricted=restricted)
            if not detail:
                break
        if detail:
            return Finding(DropReason.MODALITY, detail)
    return _universal(assertion, source)


def _text(statement: Statement, clause: Clause) -> str:
    numbers = (*clause.frames, statement.clauses.index(clause))
    text = " ; ".join(_stated(statement, statement.clauses[n]) for n in numbers)
    return _WHOLLY.sub(" ", _IF_POSSIBLE.sub(" ", text))


def _stated(statement: Statement, clause: Clause) -> str:
    """Folded text of a clause without its conditions and its reasons.

    « si … n'est pas possible », « car … peut survenir » leave no choice.
    """
    words = range(clause.start, clause.end)
    why = next((i for i in words if marker_at(statement.keys, i, REASONS)), clause.end)
    stated = [i for i in range(clause.start, why) if statement.roles[i] is not Role.CONDITION]
    if len(stated) == len(words):
        return statement.folded(clause)
    return fold(
        "".join(statement.gaps[i] + statement.text[slice(*statement.offsets[i])] for i in stated)
    )


def _shift(ours: str, theirs: str, sign: int, *, restricted: bool) -> str:
    """``restricted``: « ne peut … que si » offers nothing."""
    ours = _NOT_EVEN.sub(" ", _ARISES.sub(" ", ours))
    if sign < 0:
        return _negative_shift(ours, theirs)
    may_theirs = bool(_POSSIBLE.search(theirs))
    if not _FINITE.search(theirs):
        theirs = _OF_ANY.sub(
            " ", theirs
        )  # « aggravation de toute cardiopathie » obliges to nothing
    must_theirs = bool(_MUST.search(theirs)) and not _ENVISAGE.search(theirs)
    may_ours = bool(_POSSIBLE.search(ours)) and not restricted
    must_ours = bool(_MUST.search(ours)) and not _ENVISAGE.search(ours)
    recommended = _RECOMMEND.search(ours) and not _RECOMMEND.search(theirs)
    if may_theirs and not must_theirs and not may_ours and (must_ours or recommended):
        return "La source dit « possible », l’affirmation dit davantage."
    if _STRONG_MUST.search(ours) and _RECOMMEND.search(theirs) and not must_theirs:
        return "La source recommande, l’affirmation oblige."
    if may_ours and not must_ours and must_theirs and not may_theirs:
        return "La source oblige, l’affirmation laisse le choix."
    if may_ours and _RECOMMEND.search(theirs) and not may_theirs and not _RECOMMEND.search(ours):
        return "La source recommande, l’affirmation laisse le choix."
    return ""


def _negative_shift(ours: str, theirs: str) -> str:
    strong_ours, strong_theirs = _FORBID_STRONG.search(ours), _FORBID_STRONG.search(theirs)
    avoid_ours, avoid_theirs = _AVOID.search(ours), _AVOID.search(theirs)
    must_theirs = strong_theirs or _FORBID_MUST.search(theirs)
    if strong_ours and not must_theirs and not avoid_theirs and _NO_NEED.search(theirs):
        return "La source n’en fait pas une règle, l’affirmation interdit."
    if strong_ours and avoid_theirs and not must_theirs:
        return "La source déconseille, l’affirmation interdit."
    if _EVITE.search(ours) and not strong_theirs:
        return ""  # « à éviter » says « ne doit pas »
    if avoid_ours and not strong_ours and must_theirs and not avoid_theirs:
        return "La source interdit, l’affirmation déconseille seulement."
    return ""


def _limit_lost(assertion: Statement, cited: Statement) -> bool:
    """« toute convulsion » of « une convulsion qui dure plus de 5 minutes »."""
    limits = [v for v in cited.values if v.bound in {"<", ">", "≥"} and not v.age]
    return any(
        {"qui", "dont"} & set(cited.keys[max(0, v.first - 3) : v.first])
        for v in limits
        if not any(equal_value(v.quantity, a.quantity) for a in assertion.values)
    )


def _nothing_but(assertion: Statement) -> bool:
    """« ne … que » before anything but an amount (« n'est prise qu'une fois » restricts nothing)."""
    if not _NOTHING_BUT.search(_NOTHING.sub(" ", assertion.folded_text)):
        return False
    amounts = {v.first for v in assertion.values}
    restricted = [c.only for c in assertion.clauses if c.only >= 0]
    return not restricted or any(not amounts & {only + 1, only + 2} for only in restricted)


def _universal(assertion: Statement, source: Source) -> Finding | None:
    ours, theirs = assertion.folded_text, _IF_IMPOSED.sub(" ", source.cited.folded_text)
    ours = _WHOLLY.sub(" ", _EVERY_PERIOD.sub(" ", ours))
    ours = _NO_DATA.sub(" ", _STILL_NOT.sub(" ", ours))
    if _STILL.search(theirs):
        ours = _STILL.sub(" ", ours)  # « est toujours basse » where it « reste basse »
    ours = _EACH_UNIT.sub(" ", ours)
    if _NONE.search(theirs):
        ours = _AUCUN.sub(" ", ours)
    theirs = _EVERY_PERIOD.sub(" ", theirs)
    found = _UNIVERSAL.search(ours)
    if found and _SOFT_UNIVERSAL.fullmatch(found.group()) and _GENERIC.search(theirs):
        # « tout déficit » says what « devant un déficit » says, with its limit if it has one
        found = found if _limit_lost(assertion, source.cited) else None
    if found and found.group().startswith(("oblig", "indisp")) and _ONLY_IF.search(theirs):
        found = None  # « ne peut … que si » obliges
    if found and not _UNIVERSAL_SOURCE.search(theirs):
        return Finding(DropReason.MODALITY, "L’affirmation généralise ce que la source limite.")
    if _EVERY_CASE.search(ours) and _OTHER_CASES.search(theirs) and not _EVERY_CASE.search(theirs):
        return Finding(DropReason.MODALITY, "La source ne le dit que des autres cas.")
    if _CONCESSION.search(ours) and not _UNIVERSAL_SOURCE.search(theirs):
        return Finding(DropReason.MODALITY, "L’affirmation étend ce que la source limite.")
    only = bool(_ONLY.search(ours)) or _nothing_but(assertion)
    if _DEPENDS.search(ours) and _WHATEVER.search(theirs) and not _WHATEVER.search(ours):
        return Finding(DropReason.MODALITY, "La source le dit dans tous les cas.")
    if only and _CONCESSION.search(theirs) and not _ONLY_SOURCE.search(theirs):
        return Finding(DropReason.LOGIC, "L’affirmation restreint ce que la source étend.")
    if only and not _ONLY_SOURCE.search(theirs):
        return Finding(DropReason.LOGIC, "L’affirmation restreint ce que la source laisse ouvert.")
    if (
        found
        and _HEDGE.search(theirs)
        and not _MUST.search(theirs)
        and not _UNIVERSAL.search(theirs)
    ):
        return Finding(DropReason.MODALITY, "La source nuance, l’affirmation généralise.")
    return None
