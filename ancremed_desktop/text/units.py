"""Units of French clinical text: their writings, dimensions and exact factors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ancremed_desktop.text.numbers import Number, read_digits

# Factors: SI prefixes and accepted non-SI units, BIPM, « Le Système international d'unités »,
# 9th ed. (2019), tables 4, 7 and 8. Units without an exact common factor are dimensions apart:
# months are not days, UI are no mass, mmHg are no pascals, a mole is no gram.
_PREFIX: dict[str, Fraction | int] = {"G": 10**9, "M": 10**6, "k": 1000, "h": 100, "": 1,
           "d": Fraction(1, 10),            "c": Fraction(1, 100), "m": Fraction(1, 1000),
           "µ": Fraction(1, 10**6),
           "n": Fraction(1, 10**9), "p": Fraction(1, 10**12), "f": Fraction(1, 10**15)}  # fmt: skip
_PREFIX_WORD = {"kilo": "k", "": "", "deci": "d", "centi": "c", "milli": "m", "micro": "µ",
                "nano": "n", "pico": "p", "mega": "M", "giga": "G", "hecto": "h"}  # fmt: skip
# dimension, base symbol, prefixes in use, base words. « Mg » is no unit of the clinic: left out.
_FAMILIES = (
    ("mass", "g", "k||d|c|m|µ|n|p|f", "gramme"),
    ("volume", "L", "|d|c|m|µ|n|p|f|h", "litre"),
    ("amount", "mol", "|m|µ|n|p|f", "mole"),
    ("UI", "UI", "M|k||m|µ", "unite"),
    ("charge", "Eq", "|m|µ", "equivalent"),
    ("osmole", "Osm", "|m|µ", "osmole"),
    ("length", "m", "k||d|c|m|µ|n", "metre"),
    ("energy_cal", "cal", "k|", "calorie"),
    ("energy_J", "J", "k|", "joule"),
    ("pressure_Pa", "Pa", "k|h|", "pascal"),
    ("pressure_bar", "bar", "|m", "bar"),
    ("hertz", "Hz", "k|M|", "hertz"),
    ("dose", "Gy", "|c|m|µ", "gray"),
    ("equivalent_dose", "Sv", "|m|µ", "sievert"),
    ("activity", "Bq", "G|M|k|", "becquerel"),
    ("catalysis", "kat", "|m|µ|n", "katal"),
    ("voltage", "V", "k||m|µ", "volt"),
    ("current", "A", "m|µ", "ampere"),
    ("power", "W", "k||m", "watt"),
    ("molar_mass", "Da", "k|", "dalton"),
    ("molarity", "M", "m|µ|n", ""),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One written unit: ``factor`` brings it to ``base``, canonical for ``dimension``."""

    dimension: str
    factor: Fraction
    base: str


@dataclass(frozen=True, slots=True)
class UnitReading:
    """A unit expression read up to ``end``: numerator, denominators, combined factor."""

    unit: Unit
    per: tuple[str, ...]
    factor: Fraction
    end: int


def _families() -> tuple[dict[str, Unit], dict[str, Unit]]:
    symbols: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    for dimension, base, prefixes, word in _FAMILIES:
        for prefix in prefixes.split("|"):
            symbols[prefix + base] = Unit(dimension, Fraction(_PREFIX[prefix]), base)
        for spoken, prefix in _PREFIX_WORD.items():
            if word:
                words[spoken + word] = Unit(dimension, Fraction(_PREFIX[prefix]), base)
    return symbols, words


_SYMBOLS, _WORDS = _families()


def _add(dimension: str, base: str, entries: str) -> None:
    """``entries``: « symbol=factor » or « word:factor », separated by spaces."""
    for entry in entries.split():
        mark = "=" if "=" in entry else ":"
        name, factor = entry.split(mark)
        table = _SYMBOLS if mark == "=" else _WORDS
        table[name.replace("_", " ")] = Unit(dimension, Fraction(factor), base)


_add("mass", "g", "mcg=1/1000000 ug=1/1000000 Kg=1000 KG=1000 kilo:1000 gr=1 gamma:1/1000000")
_add("volume", "L", "l=1 ml=1/1000 dl=1/10 cl=1/100 µl=1/1000000 ul=1/1000000 uL=1/1000000 "
     "fl=1/1000000000000000 nl=1/1000000000 cc=1/1000 cm3=1/1000 cm³=1/1000 mm3=1/1000000 "
     "mm³=1/1000000 dm3=1 dm³=1 m3=1000 m³=1000")  # fmt: skip
_add("amount", "mol", "umol=1/1000000 Mmol=1000000")
_add("UI", "UI", "U=1 IU=1 MU=1000000 mU=1/1000 kU=1000 µU=1/1000000 ui=1")
_add("charge", "Eq", "meq=1/1000 mEq=1/1000 mEQ=1/1000")
_add("osmole", "Osm", "mosm=1/1000 mOsmol=1/1000 mosmol=1/1000")
_add("time", "h", "s=1/3600 sec=1/3600 ms=1/3600000 µs=1/3600000000 min=1/60 mn=1/60 Min=1/60 "
     "h=1 H=1 hr=1 j=24 jrs=24 jr=24 seconde:1/3600 minute:1/60 heure:1 jour:24 journee:24 "
     "semaine:168 nuit:24 milliseconde:1/3600000 sem=168 sem.=168")  # fmt: skip
_WORDS["nuit"] = Unit("count", Fraction(1), "nuit")
_add("calendar", "mois", "mois:1 an:12 annee:12 trimestre:3 semestre:6 siecle:1200 decennie:120")
_add("area", "m²", "m2=1 m²=1 cm2=1/10000 cm²=1/10000 mm2=1/1000000 mm²=1/1000000")
_add("pressure", "mmHg", "mmHg=1 cmHg=10 mmhg=1 MmHg=1 mm_Hg=1 cm_Hg=10 Torr=1")
_add("pressure_H2O", "cmH2O", "cmH2O=1 cm_H2O=1 mmH2O=1/10")
_add("temperature", "°C", "°C=1 ℃=1 °c=1 degre_celsius:1 degre_centigrade:1 °Celsius=1")
_add("fahrenheit", "°F", "°F=1")
_add("angle", "°", "°=1 degre:1")
_add("percent", "%", "%=1 ‰=1/10 pour_cent:1 pourcent:1 pour_mille:1/10 ppm=1/10000")
_add("gestation", "SA", "SA=1")
_add("pregnancy", "SG", "SG=1")
_add("deviation", "DS", "DS=1 SD=1 deviation_standard:1 ecart-type:1")
_add("normal", "LSN", "N=1 LSN=1 ULN=1 LNS=1")
_add("colony", "UFC", "UFC=1 CFU=1 ufc=1")
_add("euro", "€", "€=1 euro:1 EUR=1 centime:1/100")
_add("log", "log", "log=1 log10=1")
_add("decibel", "dB", "dB=1 decibel:1")
_add("dioptre", "D", "dioptre:1")
_add("giga", "", "G=1000000000 T=1000000000000 giga:1000000000 tera:1000000000000")
_add("met", "MET", "MET=1 METs=1 met:1")
_add("molar_mass", "Da", "kDa=1000")
_add("french", "Fr", "Fr=1 CH=1")
_add("pack_years", "paquet-année", "paquet-annee:1 paquets-annee:1 PA=1")
_add("beat", "battement", "bpm=1")
_COUNTED = (
    "comprime gelule capsule ampoule flacon sachet goutte bouffee inhalation pulverisation "
    "suppositoire patch injection dose prise cure cycle seance perfusion fois cuillere-mesure "
    "cuilleree cuillere verre cigarette paquet repas unidose pastille tablette implant "
    "lavement lait nebulisation administration seringue stylo ovule applicateur boite copie "
    "cellule globule battement bolus point"
).split()
for _noun in _COUNTED:
    _WORDS[_noun] = Unit("count", Fraction(1), _noun)
for _short, _noun in (("cp", "comprime"), ("cpr", "comprime"), ("cps", "comprime"),
                      ("gel", "gelule"), ("amp", "ampoule"), ("inj", "injection")):  # fmt: skip
    _SYMBOLS[_short] = Unit("count", Fraction(1), _noun)
# « 5 points » is the plain number of a score; « fois » and « x » count occasions alike.
_WORDS["point"] = Unit("", Fraction(1), "")
_SYMBOLS["pt"] = _SYMBOLS["pts"] = _WORDS["point"]
_SYMBOLS["x"] = _SYMBOLS["×"] = _WORDS["fois"]
for _plural in list(_WORDS):
    if not _plural.endswith(("s", "x")):
        _WORDS[_plural + "s"] = _WORDS[_plural]
        first, gap, rest = _plural.partition(" ")
        if gap:
            _WORDS[f"{first}s {rest}s"] = _WORDS[_plural]
_WORDS["paquets-annees"] = _WORDS["paquet-annees"] = _WORDS["paquet-annee"]

_TIMES = frozenset({"time", "calendar"})
PER_NAMES = {
    "time": {1 / Fraction(3600): "seconde", 1 / Fraction(60): "minute", Fraction(1): "heure",
             Fraction(24): "jour", Fraction(168): "semaine"},
    "calendar": {Fraction(1): "mois", Fraction(12): "an", Fraction(3): "trimestre",
                 Fraction(6): "semestre"},
}  # fmt: skip
_GAP = r"[ \n]{0,2}"
_MULTI = re.compile(
    r"(?P<pourcent>pour[ \n]?cent\b|pour 100(?!\d)|p\. ?100\b|p\. ?cent\b)"
    r"|(?P<pourmille>pour (?:mille|1 ?000)\b(?! ?\d))"
    r"|(?P<sa>sa(?![a-z])|semaines? d' ?amenorrhee)|(?P<sg>semaines? de grossesse"
    r"|semaines? de gestation)"
    r"|(?P<ui>unites? (?:internationales?|inter\.?)\b|u\.i\.(?![a-z])|unites?\b)"
    r"|(?P<beats>battements?(?: cardiaques?)?(?: par |/)(?:minute|min|mn)\b|bpm\b"
    r"|bats?/min\b|puls\w*(?: par |/)min(?:ute)?\b)"
    r"|(?P<normal>(?:fois|x|×) (?:la |les? |superieure?s? a la )?(?:limite"
    r" (?:superieure )?(?:de la )?)?(?:valeurs? )?(?:normale|lsn|uln|n(?![a-z]))s?\b)"
    r"|(?P<pressure>mm ?(?:de )?hg\b|millimetres? de mercure\b)|(?P<cmhg>cm ?(?:de"
    r" )?hg\b|centimetres? de mercure\b)"
    r"|(?P<water>cm ?(?:d'|de )?h(?:2|₂)o\b|centimetres? d'eau\b)|(?P<celsius>°"
    r" ?c(?![a-z])|degres? celsius\b)"
    r"|(?P<packs>paquets?[ -]annees?\b)|(?P<sets>deviations? standards?\b|ecarts?[- ]types?\b)"
    r"|(?P<area>(?:cm|mm|m)(?:2|²)(?![a-z\d])|metres? carres?\b)"
    r"|(?P<surface>centimetres? carres?\b)|(?P<mm3>millimetres? cubes?\b)"
    r"|(?P<cm3>centimetres? cubes?\b)"
)
_MULTI_UNITS = {
    "pourcent": _SYMBOLS["%"], "pourmille": _SYMBOLS["‰"], "sa": _SYMBOLS["SA"],
    "sg": _SYMBOLS["SG"], "ui": _SYMBOLS["UI"], "normal": _SYMBOLS["LSN"],
    "pressure": _SYMBOLS["mmHg"], "cmhg": _SYMBOLS["cmHg"], "water": _SYMBOLS["cmH2O"],
    "celsius": _SYMBOLS["°C"], "packs": _SYMBOLS["PA"], "sets": _SYMBOLS["DS"],
    "surface": _SYMBOLS["cm²"], "mm3": _SYMBOLS["mm³"], "cm3": _SYMBOLS["cm³"],
}  # fmt: skip
# Tokens a unit may be: letters (with a final exponent), signs.
_CHUNK = re.compile(r"[a-zA-Zµ]+(?:[-.][a-z]{2,}[a-z]*)?(?:[23²³](?!\d))?|[%‰°€℃]|×")
_SHORT = re.compile(r"[a-zA-Zµ]+(?:[23²³](?!\d))?")
_SEPARATOR = re.compile(
    rf"{_GAP}/{_GAP}(?:de )?|[ \n](?:et )?par[ \n](?:les )?|[ \n]pour[ \n](?=1[,.]73"
    rf"|100 ?ml)|(?P<dot>[ .]?(?=[a-zA-Zµ]+\d?²?(?:-1|⁻¹)))"
)
_INVERSE = re.compile(r"(?:-1|⁻¹)(?!\d)")
_PER_ONLY = {
    "kilo": "kg", "kilos": "kg", "kilogramme": "kg", "kilogrammes": "kg", "kg": "kg", "Kg": "kg",
    "g": "g", "gramme": "g", "mg": "mg", "m": "m", "mol": "mol", "mmol": "mmol", "mètre": "m",
    "d": "jour", "J": "jour", "j": "jour", "jr": "jour", "jour": "jour", "jours": "jour",
    "journee": "jour",
    "an": "an", "ans": "an", "annee": "an", "mois": "mois", "semaine": "semaine", "sem": "semaine",
    "trimestre": "trimestre", "semestre": "semestre", "s": "seconde", "sec": "seconde",
    "seconde": "seconde", "min": "minute", "mn": "minute", "minute": "minute", "Min": "minute",
    "h": "heure", "H": "heure", "heure": "heure", "nuit": "nuit", "personne": "personne",
    "habitant": "habitant", "habitants": "habitant", "patient": "patient", "champ": "champ",
    "fl": "flacon", "unite": "unité",
}  # fmt: skip
_ANTI_XA = re.compile(r"[ -]?(?:anti-? ?xa|axa)\b")
_OPENERS = frozenset([" ", "\n", "/", "%", "‰", "°", "€", "℃", "×", "."])
_BODY_WEIGHT = re.compile(r" de (?:poids(?: corporel)?|masse corporelle|pc)\b| pc\b")
_BOUNDARY = re.compile(r"[a-zA-Z0-9µ']")
_CASELESS = {name.lower(): name for name in _SYMBOLS if len(name) > 1}


def _numerator(text: str, low: str, pos: int) -> tuple[Unit, int, bool] | None:
    """Unit at ``pos``, its end, and whether a « par minute » was read with it."""
    multi = _MULTI.match(low, pos)
    if multi:
        kind = multi.lastgroup or ""
        if kind == "beats":
            return _WORDS["battement"], multi.end(), True
        if kind == "area":
            symbol = text[pos : multi.end()].replace("2", "²")
            return _SYMBOLS.get(symbol, _SYMBOLS["m²"]), multi.end(), False
        return _MULTI_UNITS[kind], multi.end(), False
    name, end = "", pos
    for pattern in (_CHUNK, _SHORT):
        found = pattern.match(text, pos)
        if not found:
            return None
        name, end = found.group(), found.end()
        unit = _SYMBOLS.get(name) or _WORDS.get(low[pos:end])
        # A capitalised word on the next line is a heading or a cell of its own, not a unit.
        if unit and name[0].isupper() and name[1:].islower() and text[pos - 1 : pos] == "\n":
            return None
        hours = unit is not None and unit.dimension == "time" and text[end : end + 1].isdigit()
        if unit and (hours or not (_BOUNDARY.match(text, end) and name[-1].isalpha())):
            return unit, end, False
    # A symbol in the wrong case (« Mg », « MMOL ») is kept as a unit of its own, equal to itself.
    if not _BOUNDARY.match(text, end) and low[pos:end] in _CASELESS and not name.islower():
        return Unit(f"?{name}", Fraction(1), name), end, False
    return None


def _denominator(text: str, low: str, pos: int) -> tuple[str, Fraction, int] | None:
    """(name, factor of the numerator, end) of one denominator at ``pos``."""
    count: Fraction = Fraction(1)
    at = pos
    if low[pos : pos + 1].isdigit():
        number: Number | None = read_digits(low, pos)
        if number is None or number.value is None or not number.value or number.kind == "ordinal":
            return None
        count, at = number.value, number.end
        at += len(low[at : at + 2]) - len(low[at : at + 2].lstrip(" \n"))
    found = _numerator(text, low, at)
    chunk = _SHORT.match(text, at)
    name = chunk.group() if chunk else ""
    if name in _PER_ONLY and (chunk and not _BOUNDARY.match(text, chunk.end())):
        label, end = _PER_ONLY[name], chunk.end()
        weight = _BODY_WEIGHT.match(low, end)
        end = weight.end() if weight else end
    elif low[at : at + len(name)] in _PER_ONLY and chunk and name[1:].islower():
        label, end = _PER_ONLY[low[at : chunk.end()]], chunk.end()
    elif found and found[0].dimension == "volume":
        return "L", 1 / (found[0].factor * count), found[1]
    elif found and found[0].dimension in {"area", "count", "charge", "amount", "mass", "UI"}:
        label, end = _label(found[0], text[at : found[1]]), found[1]
    else:
        return None
    if count == 1:
        return label, Fraction(1), end
    if count == 24 and label == "heure":
        return "jour", Fraction(1), end
    return f"{_french(count)} {label}", Fraction(1), end


def _label(unit: Unit, written: str) -> str:
    return unit.base if unit.dimension in {"area", "count", "UI"} and unit.factor == 1 else written


def _french(value: Fraction) -> str:
    whole = str(value.numerator) if value.denominator == 1 else str(float(value))
    return whole.replace(".", ",")


def _skip(low: str, pos: int) -> int:
    end = pos
    while end < pos + 2 and low[end : end + 1] in {" ", "\n"}:
        end += 1
    return end


def read_unit(text: str, low: str, pos: int) -> UnitReading | None:
    """The unit expression that follows a number ending at ``pos``: « mg/kg/j », « L⁻¹ »...

    ``text`` is plain text with its case, ``low`` the same in lower case. Every pattern is
    bounded, so that the cost does not depend on the length of the text.
    """
    after = text[pos : pos + 1]
    if not (after.isalpha() or after in _OPENERS):
        return None
    start = _skip(low, pos)
    head = _numerator(text, low, start)
    per: list[str] = []
    unit, end = Unit("", Fraction(1), ""), pos
    if head is not None:
        unit, end, beats = head
        per = ["minute"] if beats else []
        anti_xa = _ANTI_XA.match(low, end) if unit.dimension == "UI" else None
        end = anti_xa.end() if anti_xa else end
    factor = unit.factor
    while len(per) < 4:
        separator = _SEPARATOR.match(text, end)
        item = _denominator(text, low, separator.end()) if separator else None
        if separator is None or item is None:
            break
        inverse = _INVERSE.match(text, item[2])
        if separator["dot"] is not None and not inverse:
            break
        per.append(item[0])
        factor *= item[1]
        end = inverse.end() if inverse else item[2]
    if (head is None and not per) or (unit.dimension == "giga" and per != ["L"]):
        return None
    return UnitReading(unit=unit, per=tuple(per), factor=factor, end=end)
