"""Age, sex, size, blood pressure and the like: values recognised by their form, not a label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from ancremed_desktop.formulas.french import number, quantity
from ancremed_desktop.formulas.units import parse_number

READ = "lu dans la question"

_N = r"\d+(?:[.,]\d+)?"
_AGE = re.compile(
    rf"(?<![\d/.,])(?P<n>{_N}) ?(?P<unit>ans?|annees|mois)\b(?P<more> et (?:demi|(?P<m>\d+) mois))?"
    r"|(?<![\d/.,])(?P<n2>\d{2,3})a\b"
)
_NOT_AN_AGE = re.compile(
    r"(?:depuis|il y a|pendant|durant|sur|apres|avant|dans|tous les|toutes les|en|duree de|dure"
    r"|suivie? |traitee? )(?: (?:environ|plus de|moins de|pres de|bientot|les|a|un|de))*\W*$"
    r"|\b(?:son|sa|ses|leur) [a-z]+ (?:a|de|agee? de)\W*$"
    r"|\b(?:depuis|des|vers|avant|apres|jusqu'a|a partir de|autour de|aux alentours de|a)"
    r" (?:l'age (?:de |d'))?(?:ses |environ )*$(?<!\ba )"
    r"|\b(?:quand|lorsqu'|depuis qu'|des qu') ?(?:il|elle) (?:a|avait|eut) $|\b(?:il|elle) avait $|\bses $"
    r"|\bage (?:de |du |d'|au |a )(?:la |l'|le )?(?!patient|malade|homme|femme|sujet|enfant|dame|monsieur"
    r"|m[rm]e?\b|personne|environ|mon\b|ma\b|cet?t?e?\b)[a-z][a-z' ]{2,30}:? ?$"
)
"""The age or the date of an event: « depuis l’âge de 45 ans », « vers 30 ans », « à ses 20 ans »."""
PATIENT = re.compile(
    r"(?:d')?(?:(?:jeune|petite?|vieil(?:le)?)-?)?"
    r"(?:hommes?|femmes?|dame|monsieur|mme|madame|mr|patiente?s?|malade|garcon|fille|fillette|enfant"
    r"|nourrisson|sujet|personne|adulte|adolescente?|bebe|nouveau-ne|prematuree?|agee?|age|ages?"
    r"|fumeu(?:r|se)|diabetique|hypertendue?|cirrhotique|insuffisante?|obese|enceinte|parturiente"
    r"|primipare|multipare|gestante|collegue|individu|resident|residente|etudiante?|sportif|sportive)"
)
"""Who an age may belong to; any other noun before « de 30 ans » is somebody else."""
_OF_AN_EVENT = re.compile(
    r"(?<!\bil )(?<!\belle )(?<!\bqui )(?<!\bon )(?<!\bpatient )(?<!\bpatiente )(?<!\bmalade )\ba(?: l'age de)? *$"
)
"""« IDM à 45 ans », « ménopause à l'âge de 50 ans »: the age of an event, unlike « il a 45 ans »."""
_EVENT_DATED = re.compile(
    r"\b(?:idm|infarctus|sca|avc|aic|ait|ep|embolie|tvp|phlebite|thrombose|cancer|fracture|menopause|menarche"
    r"|puberte|diagnosti\w*|decouverte?|debut|survenue?|apparition|oper\w+|chirurgie|intervention|pontage|stent"
    r"|prothese|greffe\w*|transplantation|accident|chute|deces|accouchement|grossesse|hospitalisation|crise"
    rf"|pneumopathie|pancreatite|hemorragie|saignement)(?: (?!{PATIENT.pattern})[a-z']{{4,}}){{0,2}} age ?(?:de|a)? ?[:=]? *$"
)
"""« IDM âge 45 ans »: what happens on one day has an age too; « HTA, âge 75 ans » lists."""
_LASTING = re.compile(
    r"\b(?:tabac|tabagisme|fume\w*|fumeu(?:r|se)|alcool\w*|traitement|evolution|suivi|duree)\W*$"
)
_AGO = re.compile(
    r" ?(?:auparavant|plus tot|plus tard|avant|apres|d'evolution|de (?:recul|suivi|tabac\w*|traitement|maladie))\b"
)
_LINKING = (
    r"(?:de|du|des|les?|la|une?|par|avec|chez|et|ou|sa|son|ses|dont|qui|sous|sur|a|aux?|en|pour)"
)
_OF_SOMEBODY = re.compile(
    rf"(?P<patient>\b{PATIENT.pattern}(?: (?!{_LINKING}\b)[a-z-]+){{1,3}}|\b(?P<who>[a-z][a-z'-]*))"
    r" (?:agee? )?de *$"
)
"""« patient dialysé de 82 ans » tells of the patient, « chirurgien de 40 ans » of somebody else."""
_AGE_RANGE = re.compile(r"\d ?(?:ans)? ?(?:-|a|ou|et) ?$")
_FEMALE = re.compile(
    r"(?<!sa )(?<!ma )(?<!\bla )\bfemme\b|\bpatiente\b|\bmme\b|\bmadame\b|\bfeminin\b"
    r"|\bsexe f(?:eminin)?\b"
    r"|\bdame\b|\bfillette\b|\bjeune fille\b|(?<!sa )(?<!leur )\bfille (?:de|agee)|\benceinte\b|\bmenopausee\b"
    r"|(?<!\d )\bf ?[,:]? ?\d{1,3} ?(?:ans|a)\b|\b\d{1,3} ?ans ?[,:]? f\b(?!')"
)
_MALE = re.compile(
    r"\bhomme\b|\bmonsieur\b|\bm[r.] (?=[a-z])|\bsexe (?:m(?:asculin)?|h)\b|\bmasculin\b|\bgarcon\b"
    r"|(?<!\d )\b[hm] ?[,:]? ?\d{1,3} ?(?:ans|a)\b|\b\d{1,3} ?ans ?[,:]? [hm]\b(?!')"
)
_NEITHER = re.compile(r"\bchez (?:l'|la |le |une? )?(?:homme|femme) (?:et|ou|comme)\b")
_WEIGHT = re.compile(rf"(?<![\d/.,])({_N}) ?(kg|kgs|kilos?)\b(?! ?[/.]\w)")
_NOT_A_WEIGHT = re.compile(
    r"(?:pesait|pesaient|(?:ayant|a|avait) pese|poids (?:anterieur|habituel|initial|de forme|ancien|cible)"
    r"|perdu|pris|perte(?: de poids)? de|prise(?: de poids)? de|amaigri\w*(?: de)?|gagne"
    r"|moins|plus|-|\+|/|par|/ )(?: de| environ)* *$"
)
_WEIGHT_OF = re.compile(r"\bpoids ((?:[a-z'-]+ ){1,4})(?:[:=] ?)?$")
_ITS_WORDS = re.compile(
    r"(?:a|de|du|est|etait|au|en|environ|et|la|le|actuel|reel|corporel|total|sec|stable|mesuree?|taille"
    rf"|estimee?|ce|jour|matin|egal|vaut|sur|balance|{PATIENT.pattern})"
)
"""What may stand between « poids » and the patient's own; « poids à la naissance » is another."""
_OF_SOMETHING = re.compile(
    r"\b(?:un|une|des|le|la|les|son|sa|ses|du|l')[ ]?(?P<who>[a-z][a-z'-]*) (?:de|d'environ|pesant) $"
)
_CARRIED = re.compile(
    r"\b(?:port(?:e|ait|er|ant|ent)|soulev\w*|soulever?|transport\w+|tir(?:e|er|ant)|pouss(?:e|er|ant)"
    r"|sac|valise|colis|charges?|halteres?|bagages?|fardeau)(?: (?:de|d'|environ))* *$"
)
_FORMER = re.compile(
    r" ?(?:a la naissance|a (?:l'age de )?\d+ ans|a l'epoque|l'annee derniere|avant|auparavant|il y a|habituel\w*|l'an dernier|autrefois)\b"
)
_HEIGHT_M = re.compile(
    r"(?<![\d/.,])([012]) ?m ?(\d{2})(?!\d)|(?<![\d/.,])([012][.,]\d{1,2}) ?m\b(?!/)"
)
_HEIGHT_CM = re.compile(r"(?<![\d/.,])(\d{2,3}(?:[.,]\d)?) ?cm\b(?! ?d)")
NOT_A_HEIGHT = re.compile(
    r"(?:mollet|dilat\w+|col|nodule|masse|lesion|kyste|tumeur|anevrisme|diametre|perimetre|plaie"
    r"|circonference|tour|ventricule|foie|rate)\b[a-z' :=>]{0,25}$"
)
_PRESSURE = re.compile(
    r"(?P<label>\b(?:ta|pa|pression(?: arterielle)?|tension(?: arterielle)?)\b[a-z :=]{0,12}?)?"
    rf"(?<![\d/.,])(?P<s>{_N}) ?/ ?(?P<d>{_N})(?![\d/])(?P<unit> ?(?:mm ?hg|cm ?hg))?"
)
_RATE = re.compile(rf"(?<![\d/.,])({_N}) ?(?:bpm|btt/min|battements?(?:/| par )min\w*|batt?/min)\b")
_DEGREES = re.compile(r"(?<![\d/.,])(3[4-9]|4[0-3])(?: ?[.,] ?(\d))? ?(?:° ?(\d)?c?|degres?)(?!\w)")
_EYES = re.compile(r"\b[ye] ?=? ?(\d)[ ,;/-]{0,3}v ?=? ?(\d)[ ,;/-]{0,3}m ?=? ?(\d)\b")
_PACKS = re.compile(rf"(?<![\d/.,])({_N}) ?paquets?(?: de cigarettes)?(?: par jour|/ ?j(?:our)?)\b")
_SMOKED = re.compile(rf"(?:pendant|depuis|durant|sur) (?:environ )?({_N}) ans\b")
_LASTED = re.compile(rf"(?<![\d/.,])({_N}) ?(minutes?|min|mn|heures?|h)\b(?! ?/)")
_ROOM_AIR = re.compile(r"\b(?:en )?air ambiant\b|\ben aa\b|\bfio2 aa\b|\d ?% ?aa\b")
_RISE = re.compile(
    r"creat[a-z]*[a-z' ]{0,20}?(?:passee?|montee?|augmentee?|passant|passe) de "
    rf"({_N})(?: ?(?:µ|u)?[mg][a-z]*/d?l)?"
    rf" a ({_N}) ?((?:µ|u|micro)mol/l|mg/d?l|mmol/l)?"
)
_DRINK = re.compile(rf"(?<![\d/.,])({_N}) ?(ml|cl|l)\b(?! ?/)")
_STRENGTH = re.compile(rf"(?<![\d/.,])({_N}) ?(?:°|degres?|% ?vol)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A reading; ``weak``: used only if nothing better is read for the same concept."""

    value: Decimal | str | bool | None
    unit: str = ""
    origin: str = READ
    doubt: str = ""
    weak: bool = False


def shown(value: Decimal | str | bool | None, unit: str) -> str:
    """A reading as it is told to the user."""
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, Decimal):
        return quantity(value, unit)
    return str(value)


Reading = tuple[str, Found]


def read(text: str) -> Iterator[Reading]:
    """All readings of a folded text, as (concept, found)."""
    yield from _ages(text)
    yield from _sex(text)
    yield from _size(text)
    yield from _pressures(text)
    yield from _consciousness(text)
    yield from _habits(text)
    for match in _RATE.finditer(text):
        yield "fc", Found(value=parse_number(match[1]), unit="bpm")
    for match in _DEGREES.finditer(text):
        decimals = match[2] or match[3] or "0"
        yield "temp", Found(value=Decimal(f"{match[1]}.{decimals}"), unit="°c")
    if _ROOM_AIR.search(text):
        yield "fio2", Found(value=Decimal("0.21"), origin=f"{READ} (air ambiant)", weak=True)
        yield "oxygene", Found(value=False, origin=f"{READ} (air ambiant)")
    for match in _RISE.finditer(text):
        unit = match[3] or ""
        yield "creat_base", Found(value=parse_number(match[1]), unit=unit)
        yield "creatinine", Found(value=parse_number(match[2]), unit=unit)


def _ages(text: str) -> Iterator[Reading]:
    for match in _AGE.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        doubt = doubt_of_age(text, match.start(), match.end())
        if doubt is None:
            continue
        if _AGE_RANGE.search(before):
            yield "age", Found(value=None, doubt="plusieurs âges lus")
            continue
        value, unit = parse_number(match["n"] or match["n2"]), "ans"
        if match["unit"] == "mois":
            unit = "mois"
        if match["more"]:
            extra = Decimal(match["m"]) if match["m"] else Decimal(6)
            value, unit = value * 12 + extra, "mois"
        if doubt:
            found = Found(value=None, doubt=doubt, weak=True)
        else:
            found = Found(value=value, unit=unit)
        yield "age", found
        yield "age_mois", found


def doubt_of_age(text: str, start: int, end: int) -> str | None:
    """Why ``text[start:end]`` may not be the patient's age (French); empty: it is; None: never."""
    before = text[max(0, start - 40) : start]
    if _NOT_AN_AGE.search(before):
        return None
    somebody = _OF_SOMEBODY.search(before)
    if somebody and somebody["who"] and not PATIENT.fullmatch(somebody["who"]):
        return f"âge lu après « {somebody['who']} », celui du patient est attendu"
    of_an_event = _OF_AN_EVENT.search(before) or _EVENT_DATED.search(before)
    if of_an_event or _LASTING.search(before) or _AGO.match(text, end):
        return "âge ou durée d’un événement, l’âge actuel est attendu"
    return ""


def _sex(text: str) -> Iterator[Reading]:
    if _NEITHER.search(text):
        return
    if _FEMALE.search(text):
        yield "sexe", Found(value="F")
    if _MALE.search(text):
        yield "sexe", Found(value="H")


def _size(text: str) -> Iterator[Reading]:
    for match in _WEIGHT.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        if _NOT_A_WEIGHT.search(before) or _FORMER.match(text, match.end()):
            continue
        if _is_of_something(before):
            doubt = "poids d’autre chose ou d’un autre moment, le poids actuel est attendu"
            yield "poids", Found(value=None, doubt=doubt, weak=True)
        else:
            yield "poids", Found(value=parse_number(match[1]), unit="kg")
    for match in _HEIGHT_M.finditer(text):
        metres = match[3] or f"{match[1]},{match[2]}"
        yield "taille", Found(value=parse_number(metres), unit="m")
    for match in _HEIGHT_CM.finditer(text):
        if not NOT_A_HEIGHT.search(text[max(0, match.start() - 40) : match.start()]) and (
            Decimal(45) <= parse_number(match[1]) <= Decimal(230)
        ):
            yield "taille", Found(value=parse_number(match[1]), unit="cm")


def _is_of_something(before: str) -> bool:
    """« porte un sac de 60 kg », « poids à la naissance 60 kg »: not what the patient weighs."""
    named = _WEIGHT_OF.search(before)
    if named and not all(_ITS_WORDS.fullmatch(word) for word in re.findall(r"[a-z-]+", named[1])):
        return True
    owner = _OF_SOMETHING.search(before)
    if owner and owner["who"] != "poids" and not PATIENT.fullmatch(owner["who"]):
        return True
    return _CARRIED.search(before) is not None


def _pressures(text: str) -> Iterator[Reading]:
    for match in _PRESSURE.finditer(text):
        high, low = parse_number(match["s"]), parse_number(match["d"])
        unit = (match["unit"] or "").replace(" ", "")
        if not (match["label"] or unit or (low >= 30 and 60 <= high <= 280)) or high <= low:
            continue
        origin = READ
        if not unit and high <= 30:
            unit = "cmhg"
            written = f"{number(high)}/{number(low)}"
            origin = f"{READ}\u00a0: {written} lu en cmHg"
        for concept, value in (("pas", high), ("pad", low)):
            yield concept, Found(value=value, unit=unit or "mmhg", origin=origin)


def _consciousness(text: str) -> Iterator[Reading]:
    for match in _EYES.finditer(text):
        parts = [Decimal(match[i]) for i in (1, 2, 3)]
        for concept, value in zip(("glasgow_y", "glasgow_v", "glasgow_m"), parts, strict=True):
            yield concept, Found(value=value)
        yield "gcs", Found(value=sum(parts, Decimal(0)), origin=f"{READ} (Y + V + M)")


def _habits(text: str) -> Iterator[Reading]:
    for match in _PACKS.finditer(text):
        yield "cig_jour", Found(value=parse_number(match[1]), unit="paquets/j")
    for match in _SMOKED.finditer(text):
        yield "annees", Found(value=parse_number(match[1]), unit="ans")
    for match in _LASTED.finditer(text):
        if not re.search(r"il y a (?:environ )?$", text[: match.start()]):
            yield "duree_symptomes", Found(value=parse_number(match[1]), unit=match[2])
    for match in _DRINK.finditer(text):
        yield "volume_boisson", Found(value=parse_number(match[1]), unit=match[2])
    for match in _STRENGTH.finditer(text):
        yield "degre", Found(value=parse_number(match[1]))
