"""What connecting text may not hold: numbers, doses, durations, guidelines, contraindications."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ancremed_desktop.text.normalise import fold, nfc
from ancremed_desktop.text.quantities import find_quantities, is_fixed_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """Range of the text that makes a narrative clinical; ``kind`` is French."""

    start: int
    end: int
    kind: str


_CARDINALS = (
    "deux|trois|quatre|cinq|six|sept|huit|dix|onze|douze|treize|quatorze|quinze|seize|vingts?"
    "|trente|quarante|cinquante|soixante|septante|octante|huitante|nonante|cents?|mille|millions?"
    "|milliards?|milliers?|zero"
)
_ORDINALS = (
    "deux|trois|quatr|cinqu|six|sept|huit|neuv|dix|onz|douz|treiz|quatorz|quinz|seiz|vingt|trent"
    "|quarant|cinquant|soixant|cent|mill"
)
_COLLECTIVES = (
    "dizaine|douzaine|quinzaine|vingtaine|trentaine|quarantaine|cinquantaine|soixantaine"
    "|centaine|huitaine|neuvaine"
)
_UNIT_WORDS = (
    "(?:milli|micro|nano|kilo|deci|centi)?grammes?|(?:milli|micro|deci|centi)?litres?|milligrammes?"
    "|(?:milli|micro)?moles?|unites?|gouttes?|comprimes?|gelules?|ampoules?|sachets?"
    "|cuilleres?(?: a \\w+)?"
    "|cuillerees?|bouffees?|pulverisations?|suppositoires?|injections?|doses?|prises?|cures?"
    "|pourcents?"
    "|secondes?|minutes?|heures?|jours?|journees?|nuits?|semaines?|mois|trimestres?|semestres?"
    "|annees?|ans?"
    "|siecles?|metres?|centimetres?|millimetres?|degres?|flacons?|seances?|fois"
)
_STRUCTURAL = (
    "situations?|types?|formes?|groupes?|categories?|parties?|etapes?|volets?|points?|questions?"
    "|aspects?"
    "|axes?|mecanismes?|familles?|grands?|grandes?|principaux|principales?|cas|niveaux"
    "|approches?|notions?"
    "|elements?|raisons?|objectifs?|idees?|temps|versants?|chapitres?|tableaux?|facons?"
    "|manieres?|cotes"
    "|autres?|premiers?|premieres?|derniers?|dernieres?|entites?|modalites?|options?|strategies?"
    "|definitions?"
    "|dimensions?|composantes?|piliers?|phenomenes?|pistes?|demarches?|ordres?|ensembles?|lignes "
    "directrices"
)
_ARTICLES = (
    "les|des|ces|en|de|a|aux|ses|leurs|nos|vos|mes|d'|entre|sous|selon|par|sur|dans"
    "|l'un des|l'une des"
)
_NUMBER_WORD = re.compile(
    rf"\b(?:{_CARDINALS}|{_COLLECTIVES}s?|(?:{_ORDINALS})(?:r|t)?iemes?|deuxiemes?|centiemes?"
    rf"|milliemes?)\b"
    r"|\b(?:un|une) (?:sur (?:\d|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze"
    r"|vingt|trente|cent|mille)|fois (?:par|tous|toutes|chaque)|pour cent)\b"
    r"|\b(?:moitie|tiers|quart|quarts|demi|demie|demis|semestres?|semestriel\w*|quinzaines?"
    r"|decennies?)\b"
    r"|\b(?:doubl|tripl|quadrupl|quintupl|decupl|centupl)(?:e|es|er|ent|ee|ees|ement|ant)\b"
    r"|\bbi(?:mensuel|hebdomadaire|quotidien|annuel)\w*|\b(?:hebdomadaire|mensuel|trimestriel"
    r"|annuel)(?:le|les|s|lement|ment)?\b"
    rf"|\b(?:un|une|chaque|par|d'une|d'un) ?(?:seule? |premiere |demi-|bonne |petite "
    rf")?(?:{_UNIT_WORDS}) (?:par|avant|apres|plus tard|toutes|tous|matin|et demie?|plus tot"
    rf"|suffi\w+|durant|pendant|chaque|environ|au (?:moins|plus|maximum))\b"
    r"|\b(?:pendant|durant|depuis|apres|avant|dans|sous|en|d'ici|environ|toutes|chaque) (?:au "
    r"(?:moins|plus) )?(?:un|une|l'|la|le)? ?(?:demi-)?(?:heure|journee|semaine|mois|annee"
    r"|an|minute|seconde|trimestre|semestre|quinzaine)s?\b(?! (?:en cours|ou)\b)"
    r"|\b(?:un|une) (?:milli|micro|nano|kilo|deci|centi)?(?:gramme|litre|mole)s?\b|\bune unite "
    r"internationale\b"
    r"|\b(?:matin et soir|matin, midi et soir|matin midi et soir|par jour|par semaine|par mois"
    r"|par heure|par an|par kilo\w*|au quotidien|quotidiennement|tous les jours|chaque "
    r"(?:jour|matin|soir|semaine|mois|annee|heure))\b"
)
_NINE = re.compile(r"\bneuf\b")
_ROMAN = re.compile(
    r"\b(?:stades?|grades?|classes?|phases?|degres?|niveaux?|types?|groupes?|scores?|rangs?"
    r"|categories?|bandes?|groupe \w|facteurs?|lignes?)"
    r" +(I{1,3}|I?V|VI{0,3}|I?X|XI{0,2})[A-Da-d]?\b|\b(?:NYHA|OMS|ASA|CEAP|FIGO|OMS) +(I{1,3}"
    r"|I?V|VI?)\b"
)  # fmt: skip
_NINE_ADJECTIVE_NEXT = re.compile(
    r"\s*(?:$|[.,;:!?)»]|(?:sur|et|pour|de|a|dans|en|mais|ou|du|des|au|aux|pourtant|ici)\b)"
)
_NUMERAL_BEFORE = re.compile(
    r"(?:^|\b(?:les|des|de|a|pendant|pour|environ|ces|ou|et|sur|par|aux|entre|apres|avant|dans"
    r"|vaut|a|est|donner|prendre|soit|compte|dure|moins|plus|que)\s+)$"
)
_STRUCTURE = re.compile(
    rf"\b(?:(?:{_ARTICLES}) ?)?(?:deux|trois|quatre|cinq|six|sept|huit)(?: (?:grands?|grandes?"
    rf"|principaux|principales?|autres))? (?:{_STRUCTURAL})\b"
    r"|\b(?:(?:en|dans un|d'un) (?:premier|second|deuxieme|troisieme|dernier) (?:lieu|temps)"
    r"|dans un (?:second|premier) temps)\b"
    r"|\b(?:tous|toutes|ces|l'un des|l'une des|les) (?:les )?deux\b(?! (?:\w+ )?(?:\d|jours?"
    r"|heures?|semaines?|mois|ans?|fois|comprimes?|prises?|gelules?|premiers?|premieres?"
    r"|milli|doses?|injections?|gouttes?|minutes?|kilo))"
    r"|\bdeuxiemement\b|\btroisiemement\b|\bentre (?:les|ces) deux\b|\bsix mots\b"
    r"|\b(?:la|une|cette) (?:deuxieme|troisieme|quatrieme) (?:partie|etape|question|notion"
    r"|situation|idee|section)\b"
    r"|\bdouble (?:aveugle|objectif|enjeu|interet|titre|role|question|regard|lecture|approche)\b"
    r"|\ba mille\b"
    r"|\bune fois (?:le|la|les|l'|ce|cet|cette|que|qu'|\w+ee?s?\b)(?! ?(?:jour|semaine|mois|an"
    r"|heure|soir|matin))|\bpar an\b(?=nee)"
)
_GUIDELINE_BODY = (
    "has|anaes|ansm|afssaps|oms|esc|esh|aha|acc|acr|eular|easl|esmo|asco|kdigo|kdoqi|nice|gina"
    "|gold|ada|easd"
    "|sfar|spilf|srlf|sfmu|cngof|afu|sfc|sfd|sfn|sfr|splf|snfmi|snfge|sfp|gpip|hcsp|inca|idsa"
    "|escmid|ers|ats"
    "|esicm|ssc|figo|acog|rcog|surviving sepsis campaign|commission de la transparence|haute "
    "autorite de sante|societes? (?:savantes?|(?:\\w+ ){0,2}d[e']\\s?\\w+)|academies? (?:\\w+ )?d[e']\\s?\\w+"
    "|organisation mondiale de la sante|agences? (?:\\w+ )?d[ue']\\s?(?:\\w+ )?(?:medicament|securite)\\w*"
    "|haut conseil de la sante publique|institut national du cancer|colleges? (?:\\w+ )?des \\w+"
)
_GUIDELINE = re.compile(
    rf"\b(?:recommandations?|recos?|guides?|guidelines?|avis|fiches?(?: memo)?|referentiels?"
    rf"|consensus|conferences?|rapports?|actualisations?|protocoles?|arretes?|instructions?"
    rf"|decrets?)"
    rf"\b[^.;]{{0,60}}?\b(?:{_GUIDELINE_BODY})\b"
    rf"|\b(?:{_GUIDELINE_BODY})\b[^.;]{{0,30}}?\b(?:recommand\w+|preconis\w+|conseill\w+"
    rf"|propos\w+|definit|fixe\w*|precis\w+|estim\w+|consider\w+|stipul\w+)"
    rf"|\b(?:selon|d'apres|pour|suivant|conformement a) (?:la |l'|le |les )?(?:{_GUIDELINE_BODY})\b"
    rf"|\b(?:{_GUIDELINE_BODY}) ?\d{{4}}\b"
)
_VERB = (
    "prescri\\w+|administr\\w+|donn\\w+|utilis\\w+|associ\\w+|pris(?:e|es)?|prendre|inject\\w+"
    "|debut\\w+|employ\\w+"
    "|instaur\\w+|perfus\\w+|recommand\\w+|indique\\w*|vaccin\\w+|introdui\\w+|recour\\w+"
    "|poursui\\w+|reprend\\w+|traite\\w*"
)
_CONTRAINDICATION = re.compile(
    r"\bcontre[- ]?indi\w+|\b(?:proscri|deconseill|prohib)\w+|\binterdi(?:t|te|ts|tes|re|sent"
    r"|ction|ctions)\b"
    r"|\ba eviter\b|\b(?:doit|doivent|faut|convient d|mieux vaut|imperatif d)\s?(?:absolument "
    r"|imperativement )?'?(?:etre )?evite\w*"
    rf"|\bne? ?(?:l'|les? |la |lui |leur |y |en )?(?:doi\w+|faut|peu(?:t|vent)|saurai\w+"
    rf"|convient|est|sont|sera|seront|devrai\w+|a|ont)? ?(?:donc |surtout |absolument |en "
    rf"aucun cas )?(?:pas|jamais|plus|point) (?:\w+ ){{0,3}}?(?:{_VERB})\b"
    rf"|\bn'(?:est|etait|y a|a|ont|en)? ?(?:donc |surtout )?(?:pas|jamais|plus) (?:\w+ "
    rf"){{0,3}}?(?:{_VERB})\b"
    r"|\bil (?:ne |n')?faut (?:surtout |absolument )?pas\b|\bnon (?:recommande|indique)\w*|\bpas "
    r"(?:d'indication|recommande\w*|indique\w*)\b"
    r"|\bn'(?:a|ont) (?:pas|aucune|plus) (?:sa |leur |de )?(?:place|indication)\b"
    r"|\bn'(?:a|ont|aur\w+) (?:pas|plus|jamais) (?:le )?droit (?:a|au|aux|d)\b"
    r"|\b(?:on|nous|l'on) (?:l' ?|les? |la |lui )?evit\w+ (?!que\b|d'oublier\b|tout retard)"
    r"|(?:^|(?<=[.;:!?] )|(?<=faut ))evite(?:r|z) (?:absolument |surtout )?(?:ce|cette|cet|ces|le|la|les|l'|son|sa|ses|chez|pendant)\b"
    r"|\b(?:jamais|surtout pas|en aucun cas|sous aucun pretexte) (?:chez|pendant|durant|en cas|au cours|lors|avec"
    r"|sous|sans|dans|pour|avant|apres|si|s'il|quand|lorsqu\w+|d[eu']|associ\w+|\w+er\b)"
    r"|(?:^|(?<=[.;:!?] ))pas (?:chez|pendant|en cas|avec|sous|d(?:e |')[^.;]{3,40}? (?:chez|pendant|en cas|au cours"
    r"|si|sous|avant|lors))\b"
    r"|\bs'abst(?:enir|ient|iennent|iendra) d|\bs'en abst\w+|\b(?:est|sont|reste|restent) (?:\w+ )?bannie?s?\b"
    r"|\b(?:dangereu(?:x|se|ses)|toxiques?) (?:chez|pendant|en cas|au cours)\b"
    r"|\bincompatible\w*\b|\bcontre-?indi\w+"
    r"|\b(?:est|sont|reste|restent) (?:formellement |strictement |absolument )?exclu(?:e|s|es)? "
    r"(?:chez|pendant|en cas|dans|pour|au cours)\b"
)
_DIGIT = re.compile(r"[^\W_]*[\d⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉½¼¾⅓⅔⅕⅛]+[^\W_]*")
_PERCENT = re.compile(r"[%‰]|\bpour (?:cent|mille)\b|\bpourcentages? de\b")


def narrative_leaks(text: str) -> tuple[Leak, ...]:
    """Everything in ``text`` that connecting text may not hold, in order of position.

    Digits inside a fixed name (SpO2, HbA1c, CHA₂DS₂-VASc) and structural cardinals from a closed
    list (« deux situations », « en premier lieu ») are no leak (DESIGN §6).
    """
    text = nfc(text)
    folded, back = _folded_with_offsets(text)
    structure = [m.span() for m in _STRUCTURE.finditer(folded)]
    leaks: set[tuple[int, int, str]] = set()

    def add(start: int, end: int, kind: str) -> None:
        leaks.add((back[start], back[end - 1] + 1 if end > start else back[start], kind))

    for match in _NUMBER_WORD.finditer(folded):
        if not _inside(match.start(), match.end(), structure):
            add(match.start(), match.end(), "nombre ou durée en lettres")
    for match in _NINE.finditer(folded):
        before, after = folded[: match.start()], folded[match.end() :]
        adjective = _NINE_ADJECTIVE_NEXT.match(after) and not _NUMERAL_BEFORE.search(before)
        if not adjective:
            add(match.start(), match.end(), "nombre en lettres")
    for pattern, kind in (
        (_PERCENT, "pourcentage"),
        (_GUIDELINE, "recommandation nommée"),
        (_CONTRAINDICATION, "contre-indication"),
    ):
        for match in pattern.finditer(folded):
            add(match.start(), match.end(), kind)
    leaks |= {(m.start(), m.end(), "chiffre romain") for m in _ROMAN.finditer(text)}
    leaks |= set(_digit_leaks(text))
    leaks |= set(_quantity_leaks(text, structure, back))
    return tuple(Leak(start=s, end=e, kind=k) for s, e, k in sorted(leaks))


def _digit_leaks(text: str) -> list[tuple[int, int, str]]:
    return [
        (m.start(), m.end(), "chiffre")
        for m in _DIGIT.finditer(text)
        if not is_fixed_name(text, m.start(), m.end())
    ]


def _quantity_leaks(
    text: str, structure: list[tuple[int, int]], back: list[int]
) -> list[tuple[int, int, str]]:
    allowed = [(back[s], back[e - 1] + 1) for s, e in structure if e > s]
    return [
        (q.start, q.end, "quantité")
        for q in find_quantities(text)
        if not _inside(q.start, q.end, allowed)
        and not _ARTICLE_ONLY.fullmatch(fold(text[q.start : q.end]))
    ]


_ARTICLE_ONLY = re.compile(
    r"(?:un|une|l'un|l'une|neuf|premier|premiere|premiers|premieres|second|seconde|seconds"
    r"|secondes|seule?s?|unique|uniques|i|v|x)"
)


def _inside(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(s <= start and end <= e for s, e in spans)


def _folded_with_offsets(text: str) -> tuple[str, list[int]]:
    """Folded text and, for each of its characters, the offset it comes from."""
    parts: list[str] = []
    back: list[int] = []
    for index, char in enumerate(text):
        piece = fold(char)
        parts.append(piece)
        back.extend([index] * len(piece))
    back.append(len(text))
    return "".join(parts), back
