"""Whether a criterion mentioned in a question is said present, absent, or left in doubt."""

from __future__ import annotations

import re
from enum import Enum

from ancremed_desktop.formulas.scope import PERSON

_BOUNDARY = re.compile(r"[.;\n]|\bmais\b|\bavec\b|\bpar contre\b")
_CUE = re.compile(
    r"\b(?:pas(?! ?(?:[<>=:]|a|de|est a)? ?\d)|sans|ni|aucune?s?|absence|jamais|nie|non"
    r"|exclue?|elimine|indemne|negatif|negative|ne presente pas|n'a pas)\b"
)
_ITEM_LINK = re.compile(r"^ *(?:de |d'|ni |ou |et (?:de |d'|ni ))")
_AFTER_NO = re.compile(
    r"^ ?(?:(?:pas|plus|jamais)\b(?! (?:de\b|d'|[<>=:]? ?\d))"
    r"|(?:[:=(-] ?)?(?:non(?! (?:control|equil))|absente?s?|negati[fv]e?s?|0(?!\d|[.,]\d)|aucune?"
    r"|(?:formellement )?(?:exclue?|eliminee?|ecartee?|infirmee?)s?)\b"
    r"|[:=(] ?-(?!\d)| ?-(?= ?(?:[,;)]|$))|-(?= ))"
)
_AFTER_YES = re.compile(r"^ ?(?:[:=(-] ?)?(?:oui\b|presente?s?\b|\+)")
_UNSURE = (
    r"(?:possibles?|probables?|vraisemblables?|eventuel(?:le)?s?|hypothetiques?|incertaine?s?"
    r"|presumee?s?|supposee?s?|suspectee?s?|suspecte?s?|douteu(?:x|ses?)|evoquee?s?|discutee?s?"
    r"|limites?|peut-etre|nsp|inconnue?s?|non (?:confirmee?|connue?|documentee?|precisee?"
    r"|renseignee?|recherchee?|exclue?|eliminee?)s?"
    r"|pas (?:exclue?|eliminee?|confirmee?|certaine?|sure?|recherchee?)s?"
    r"|(?:reste |restant )?a (?:eliminer|confirmer|rechercher|verifier|explorer|preciser|discuter"
    r"|documenter|evoquer|exclure|infirmer|demander)"
    r"|en cours (?:de bilan|d'exploration|de diagnostic)|je ne sais pas|ne sai[ts] pas|sous reserve)"
)
_DETAIL = (
    r"(?: (?:(?:de |du |d')?(?:type|stade|grade|allure|origine|ancienne?s?|recente?s?|chroniques?"
    r"|aigue?s?|arteriel(?:le)?s?|cerebral\w*|cardiaques?|ischemiques?|hemorragiques?|severes?"
    r"|moderee?s?|legere?s?|transitoires?|myocarde|veineu(?:x|se)|renale?|actifs?|debutante?s?)"
    r"|[1-4i]{1,3}|gauche|droite?|est|serait|semble|parait|reste|a ete|encore|tres|fort|fortement"
    r"|assez|plutot|peut-etre|qui|seulement|cliniquement))*"
)
_AFTER_DOUBT = re.compile(
    rf"^{_DETAIL} ?[:=(,-]? ?{_UNSURE}\b"
    rf"|^{_DETAIL} (?:ou|et/ou) [a-z]+{_DETAIL} {_UNSURE}\b"
    r"|^(?: [a-z'-]+){0,3} (?:en remission|gueri\w*|sevre\w*)"
)
_AFTER_QUESTION = re.compile(rf"^{_DETAIL} ?[:=(-]? ?\?")
_ASKING = re.compile(
    r"\b(?:quel(?:le)?s?|combien|comment|calcul\w*|estim\w+|donne[rz]?|peut-on|pouvez|pourriez"
    r"|faut-il|est-ce|(?:chez|pour) (?:une?|ce|cette|mon|ma|le|la)"
    r"|d'une? (?:homme|femme|dame|patiente?|monsieur|garcon|fille|enfant|sujet|malade|personne))\b"
)
"""A sentence that asks for a score ends with a question mark of its own."""
_BEFORE_DOUBT = re.compile(
    r"(?:suspicions?|suspect\w*|possibles?|probables?|vraisemblables?|eventuel\w*|dout(?:es?|eu\w+)"
    r"|recherche[rz]?|soupcon\w*|hypotheses?|eliminer|exclure|confirmer|verifier|infirmer|evoquer"
    r"|peut-etre|sans certitude|si|en cas|presumee?)"
    r"(?: (?:de|d'|une?|du|la|le|l'|des|sur|antecedents?|atcd)| d'|:| :)*[ ']*$"
)
_LISTED_DOUBT = re.compile(
    r"\b(?:suspicions?|soupcons?|doutes?|hypotheses?)\b[^.;:,?\n]{1,40}"
    r" (?:et|ou|ni) (?:de |d'|une? |l'|sur )*$"
)
_OTHERS = re.compile(rf"\b(?:{PERSON}|fils|famil\w+)\b[^.;,]{{0,30}}$")
_AFTER_OTHERS = re.compile(
    r"^ ?familia\w+"
    r"|^(?: (?!viv|heberg|habit|log|accompagn|vue?\b|venue?\b|amenee?\b|et\b|ou\b|avec\b)[a-z'-]+){0,4}?"
    r" (?:chez|de|du|d'|pour) ?(?:(?:son|sa|ses|le|la|l'|une?|leurs?) ?)?"
    rf"(?:{PERSON}|fils)\b"
)
_NOT_SAID = re.compile(
    r"\b(?:(?:risque|peur|crainte|phobie|prevention|depistage|allergi\w*|intoleran\w*|contre-?indication)"
    r"(?: (?:a|au|aux|de|du|des|la|les|eleve|majeur|l'|d'))*"
    r"|(?:faut-il|peut-on|puis-je|dois-je|donner|prescrire|introduire|debuter)[^.?;,]{0,25})[ ']*$"
)
"""A risk, an allergy or a treatment that is asked about says nothing of the patient's state."""
_ADJECTIVE = re.compile(
    r"(?:iques?|eurs?|euses?|[iy]ses?|fuse?s?|ues?|u|ntes?|aires?|ifs?|ives?|ile|riens?|rienne)$"
)
"""« non diabétique » denies; in « diabète non AVC oui » the « non » is not about the stroke."""
_EXCEPTED = re.compile(
    r"\b(?:sauf|hors|hormis|excepte[es]?|a l'exception d(?:e\b|u\b|es\b|')|en dehors d(?:e\b|u\b|es\b|'))"
    r"[^.;:?\n]{0,70}$"
)
"""« sauf diabète » may deny it or leave it out of what is asked: the criterion is asked for."""
_FORMER_BEFORE = re.compile(
    r"\b(?:(?:anciens?|anciennes?|ex)[ -]|(?:antecedents?|atcd) (?:de |d')?)$"
)
_FORMER_AFTER = re.compile(
    r"^(?: (?!(?:et|ou|mais|avec|sans)\b)[a-z'-]+){0,3}? \(?(?:ancien(?:ne)?s?|passee?s?|abstinen\w+|sevr\w+"
    r"|repenti\w*|sobre|arrete\w*|stoppe\w*|en remission|gueri\w*|dans le passe|il y a)\b"
)
_MAX_DISTANCE = 70


class Polarity(Enum):
    """What a mention says; OTHER: it is not about the patient's present state."""

    PRESENT = "présent"
    ABSENT = "absent"
    DOUBT = "incertain"
    OTHER = "autre"


def polarity(text: str, start: int, end: int) -> Polarity:
    """Polarity of the mention ``text[start:end]`` (folded text)."""
    before, after = text[:start], text[end:]
    if _OTHERS.search(before) or _AFTER_OTHERS.match(after) or _NOT_SAID.search(before):
        return Polarity.OTHER
    if _AFTER_YES.match(after):
        return Polarity.PRESENT
    if _EXCEPTED.search(before) or _uncertain(before, after, text[start:end]):
        return Polarity.DOUBT
    if _AFTER_NO.match(after):
        return Polarity.ABSENT
    if re.search(r"\bnon $", before) and not _ADJECTIVE.search(text[start:end]):
        return Polarity.DOUBT
    return Polarity.ABSENT if _negated(before, after) else Polarity.PRESENT


def is_former(text: str, start: int, end: int) -> bool:
    """Whether a habit is said to be one of the past: « ancien alcoolique », « alcool, sevré »."""
    return bool(_FORMER_BEFORE.search(text[:start]) or _FORMER_AFTER.match(text[end:]))


def _uncertain(before: str, after: str, mention: str) -> bool:
    """« AVC ? », « HTA suspectée », « suspicion d’AIT »: neither present nor absent."""
    if _AFTER_DOUBT.match(after) or _BEFORE_DOUBT.search(before) or _LISTED_DOUBT.search(before):
        return True
    asked = _AFTER_QUESTION.match(after)
    return asked is not None and not _closes_the_question(before, after[asked.end() :])


def _closes_the_question(before: str, rest: str) -> bool:
    """Whether the question mark belongs to the whole sentence, not to the criterion alone.

    « Quel score chez un homme avec HTA ? » asks for the score; in « sans antécédent, AVC ? » the
    criterion stands alone and is asked about.
    """
    if re.search(r"[,(:] *$", before) or not re.match(r"\W*(?:merci\W*)?$", rest):
        return False
    return bool(_ASKING.search(re.split(r"[.;?\n]", before)[-1]))


def _negated(before: str, after: str) -> bool:
    limit = max((m.end() for m in _BOUNDARY.finditer(before)), default=0)
    cues = list(_CUE.finditer(before, limit))
    if not cues:
        return False
    cue = cues[-1]
    between = before[cue.end() :]
    if len(between) > _MAX_DISTANCE:
        return False
    if cue.group() == "non" and between.strip(" -"):
        return False
    if _crosses_verdict(between):
        return False
    items = between.split(",")
    if len(items) == 1:
        return not re.search(r"\bet\b(?! (?:de|d'|ni))", between)
    linked = all(_ITEM_LINK.match(item) for item in items[1:] if item.strip())
    if linked and (items[-1].strip() or _closes_with_or(after)):
        return True
    return _listed_with_or(items, after)


def _crosses_verdict(between: str) -> bool:
    """A value or a « oui » between the cue and the mention ends the scope of the cue."""
    return bool(re.search(r"\boui\b|\d|:", between))


def _listed_with_or(items: list[str], after: str) -> bool:
    """« sans HTA, diabète ou AVC »: « ou » (or « ni ») carries the negation over the list."""
    short = all(len(item.split()) <= 4 for item in items)
    return short and (bool(re.search(r"\b(?:ou|ni)\b", items[-1])) or _closes_with_or(after))


def _closes_with_or(after: str) -> bool:
    rest = re.split(r"[.;:?\n]|\bet\b", after, maxsplit=1)[0]
    return bool(re.match(r"^(?:[^,]{0,25},){0,4}[^,]{0,25} (?:ou|ni) ", rest))
