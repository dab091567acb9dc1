"""Masks what identifies a person before a text may leave the machine.

It masks too much rather than too little: a word lost costs an answer, a name sent cannot be taken
back. It knows patterns, not people: a name that nothing introduces may stay, so the user is shown
the text. Formats: NIR of INSEE (13 digits and a key of 2), ten-digit French telephone numbers and
international ones (E.164), addresses of the French post.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ancremed_desktop.observability.introductions import GAP, plain
from ancremed_desktop.observability.people import names_in
from ancremed_desktop.observability.people_words import people_words

NAME = "[NOM]"
NIR = "[N° DE SÉCURITÉ SOCIALE]"
FILE_NUMBER = "[N° DE DOSSIER]"
BIRTH = "[DATE DE NAISSANCE]"
DATE = "[DATE]"
PHONE = "[TÉLÉPHONE]"
MAIL = "[COURRIEL]"
ADDRESS = "[ADRESSE]"
NUMBER = "[NUMÉRO]"
IBAN = "[IBAN]"
INTERNET = "[ADRESSE INTERNET]"

_WORD = re.compile(r"[^\W\d_]+(?:[’'\-]+[^\W\d_]+)*")
_REPEATED = re.compile(rf"{re.escape(NAME)}(?:[.’'\-]*{re.escape(NAME)})+")
_UPPER = r"A-ZÀ-ÖØ-ÞŒ"
_LOWER = r"a-zß-öø-ÿœ"

_MONTH = (
    r"(?:(?:janv(?:ier)?|f[ée]vr?(?:ier)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|ao[uû]t|sept(?:embre)?|"
    r"oct(?:obre)?|nov(?:embre)?|d[ée]c(?:embre)?)\b(?:\.(?=\s*\d))?)"
)
_SMALL_NUMBER = (
    r"(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|"
    r"vingt|trente|quarante|cinquante|soixante|quatre-vingts?)"
)
_IN_WORDS = rf"{_SMALL_NUMBER}(?:[\s\-]+(?:et[\s\-]+)?{_SMALL_NUMBER}){{0,3}}"
_YEAR = rf"(?:(?:19|20)\d{{2}}|(?:deux[\s\-]mille|(?:mille|dix)[\s\-]neuf[\s\-]cents?)(?:[\s\-]+{_IN_WORDS})?)"
# Not « depuis le 3 avril 40 mg ».
_NO_MEASURE = (
    r"(?![\d%]|[,.]\d|"
    r"\s*(?:[mµ]?g|mcg|kg|m?l|cl|mmol|ui|ans?|mois|semaines?|jours?|j|h|heures?|min|cp|comprim\w+|"
    r"gouttes?|fois|sa|%)(?!\w))"
)
_SHORT_YEAR = rf"[’']?\d{{2}}{_NO_MEASURE}"
_NUMERIC_DATE = (
    r"(?:[0-3]?\d\s?[/.\-]\s?[01]?\d\s?[/.\-]\s?(?:19|20)?\d{2}|(?:19|20)\d{2}[/.\-][01]?\d[/.\-][0-3]?\d|"
    r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|"
    r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2})"
)
# « 12 03 2024 »; with two digits of a year, only where a date is announced.
_SPACED = r"(?:0?[1-9]|[12]\d|3[01])\s(?:0[1-9]|1[0-2])\s"
_SPACED_DATE = rf"(?<!\d\s){_SPACED}(?:19|20)\d{{2}}{_NO_MEASURE}"
_DAY = rf"(?:(?:[0-2]?\d|3[01])(?:er)?|premier|{_IN_WORDS})"
_WORDED_DATE = rf"(?:{_DAY}\s+{_MONTH}(?:\s+(?:{_YEAR}|{_SHORT_YEAR}))?|{_MONTH}\s+{_YEAR}(?!\w))"
_SHORT_DATE = r"(?:0?[1-9]|[12]\d|3[01])\s?[/.\-]\s?(?:0?[1-9]|1[0-2])(?![\d/])"
_ANY_DATE = rf"(?:{_NUMERIC_DATE}|{_SPACED}(?:(?:19|20)\d{{2}}|\d{{2}}(?!\d))|{_WORDED_DATE}|{_SHORT_DATE}|(?:19|20)\d{{2}})"
# The last period is what a term is reckoned from: that date stays.
_DATES = re.compile(
    rf"(?i)(?P<kept>\b(?:DDR|dernières\s+règles)\b\W{{0,3}}(?:(?:le|du|au)\s+)?)?"
    rf"(?<![\w,./\-])(?:{_WORDED_DATE}|{_SPACED_DATE}|{_NUMERIC_DATE}(?!\d))"
)
# « le 12/03 », not « le 1/2 comprimé ».
_DAY_AND_MONTH = re.compile(
    rf"(?i)\b((?:le|du|au)\s+)(?:{_SPACED}\d{{2}}{_NO_MEASURE}|"
    rf"{_SHORT_DATE}(?!\s*(?:cp|comprim|dose|amp|sachet|d[eu]\b|des\b)))"
)
# Days that share the month or the year of a date beside them: « du 3 au 5 mars », « les 3, 4 et 5 ».
_LINK = r"\s*(?:,|/|-|–|\b(?:et|ou|au|à|puis|jusqu[’']au)\b)\s*(?:(?:le|du|au)\s+)?"
_SHARED_DAY = rf"(?:{_DAY}(?:\s+{_MONTH}|\s?[/.]\s?[01]?\d)?)"
_DAYS_BEFORE = re.compile(
    rf"(?i)(\b(?:du|le|les|entre|dès|au|de)\s+(?:le\s+)?|(?<![\w,./\-])(?=\d{{1,2}}\s?[/–-]\s?\[))"
    rf"{_SHARED_DAY}(?:{_LINK}{_SHARED_DAY}){{0,6}}({_LINK}){re.escape(DATE)}"
)
_DAYS_AFTER = re.compile(
    rf"(?i){re.escape(DATE)}(\s+(?:au|et\s+(?:le|au)|puis\s+le|jusqu[’']au)\s+)(?:[0-2]?\d|3[01])(?![\w/]){_NO_MEASURE}"
)
_SIGN = r"(?:n°|nº|numéro|num\.?|no\b\.?|#)"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            rf"(?i)(?<![\w.+%\-])[\w.+%\-]{{1,64}}{GAP}{{0,2}}(?:@|[(\[]{GAP}?(?:at|a|arobase|@){GAP}?[)\]]|"
            rf"\b(?:at|arobase)\b){GAP}{{0,2}}[\w\-]{{1,63}}"
            rf"(?:(?:\.|{GAP}{{0,2}}[(\[](?:dot|point|\.)[)\]]{GAP}{{0,2}}|{GAP}point{GAP})[\w\-]{{1,63}}){{1,5}}"
        ),
        MAIL,
    ),
    (
        re.compile(
            r"(?i)\b(?:(?:https?|ftp)://|www\.)[^\s<>«»]+(?<![,;.:!?)])|"
            r"(?<![\w.\-])(?:[a-z\d\-]{1,63}\.){1,5}(?:fr|com|org|net|eu|be|ch|ca|io|info)\b(?:/[^\s<>«»]*)?"
        ),
        INTERNET,
    ),
    (
        # An octet of two digits or more: « 4.2.1.3 » is a section.
        re.compile(
            rf"(?<![\d.])(?=[\d.]*\d{{2}})(?:{_OCTET}\.){{3}}{_OCTET}(?!\.?\d)|"
            r"(?i:(?<![\w:])(?:(?:[\da-f]{1,4}:){5,7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,6}(?::[\da-f]{1,4}){1,6})(?!\w))"
        ),
        INTERNET,
    ),
    (
        re.compile(
            rf"\b(?i:[a-z]{{2}})\d{{2}}(?:{GAP}?[A-Z]{{4}})?"
            rf"(?:{GAP}?(?=[A-Z]{{0,3}}\d)[A-Z\d]{{4}}){{3,7}}(?:{GAP}?[A-Z\d]{{1,3}})?\b"
        ),
        IBAN,
    ),
    (
        re.compile(
            rf"(?i)\b((?:dossier|séjour|venue|identifiant|matricule|mutuelle|IPP|NIP|NDA|IEP|INS|RPPS|ADELI|FINESS)s?\b"
            rf"(?:\s+(?:médical|patient|hospitalier|administratif|informatique|d[eu]|d’|est))*"
            rf"\s*(?:{_SIGN}\s*)?:?\s*|"
            rf"{_SIGN}\s*(?:d[eu]\s+|d[’'])?(?:dossier|patient|séjour|identifiant|adhérent|allocataire)"
            rf"(?:\s+(?:médical|patient))?\s*:?\s*)"
            # Three digits: « séjour 12 jours » is a length. CT: a file of the Transparency committee.
            r"(?!CT-?\d)[A-Z]{0,4}[\-/]?\d(?=[A-Z\d\-/. ]*\d[A-Z\d\-/. ]*\d)[A-Z\d]*(?:[\-/.]?[A-Z\d]*\d|\s\d{2,})*"
        ),
        rf"\g<1>{FILE_NUMBER}",
    ),
    (
        re.compile(
            # 34009 and eight digits: the CIP 13 code of a drug.
            r"(?<!\d)(?!34009\d{8}(?!\d))[1-478][\s.\-]?\d{2}[\s.\-]?(?:0[1-9]|[1-9]\d)[\s.\-]?(?:\d{2}|2[ABab])"
            r"[\s.\-]?\d{3}[\s.\-]?\d{3}(?:[\s.\-/]?\d{2})?(?!\d)"
        ),
        NIR,
    ),
    (
        re.compile(
            r"(?<![\d,.])(?:(?:\+|00)\s?33\s?(?:\(0\)\s?)?|0)[1-9](?:[\s.\-\u00a0\u202f]?\d{2}){4}(?!\d)"
        ),
        PHONE,
    ),
    (re.compile(r"(?<!\d)\+\d{1,3}(?:[\s.\-()\u00a0\u202f]{0,2}\d){7,12}(?!\d)"), PHONE),
    (
        re.compile(
            rf"(?i)\b(né(?:e|\(e\))?s?{GAP}+(?:(?:le|en|un){GAP}+)?|ddn\s*:?\s*|"
            rf"(?:date{GAP}+de{GAP}+)?naissance\s*(?:le|:)?\s*)(?:{_ANY_DATE}|[0-3]\d[01]\d(?:19|20)?\d{{2}})"
        ),
        rf"\g<1>{BIRTH}",
    ),
)
# After the dates, which are long numbers too; 34009 and eight digits: the CIP 13 code of a drug.
_LONG_NUMBERS = (
    re.compile(rf"(?i)({_SIGN}\s*:?\s*)(?!34009\d{{8}}\b|6\d{{7}}\b)[A-Z]{{0,3}}\d{{6,}}\b"),
    re.compile(r"(?<![\w,.])(?!34009\d{8}(?!\d))()[A-Z]{0,3}\d{9,}(?!\d)"),
)
# What announces a mask and says nothing once it is gone.
_ANNOUNCED = re.compile(
    r"(?i)(?:\b(?:mon|ma|notre|le|la|une?|chez|pour|de|est|s[’']appelle|nommée?|épouse|veuve|"
    r"mm?e?s?|mr|m(?:e)?lles?|dr|pr|monsieur|madame|mademoiselle|docteur|professeur|patiente?|"
    r"noms?|prénoms?|née?(?:\(e\))?(?:\s+le)?|ddn|(?:date\s+de\s+)?naissance|t[ée]l(?:éphone)?|port(?:able)?|"
    r"nir|ipp|nip|nda|iep|ins|n°|numéro|dossier|mail|courriel|adresse|habite|au)\b(?:\s*[.:])?\s*)*"
    r"(?:\[(?:NOM|N° DE SÉCURITÉ SOCIALE|N° DE DOSSIER|DATE DE NAISSANCE|TÉLÉPHONE|COURRIEL|ADRESSE)\])"
)
_CITY = rf"\d{{5}}{GAP}+(?:[{_UPPER}][{_LOWER}]{{2,}}|[{_UPPER}]{{4,}})[{_UPPER}{_LOWER}’'\- ]{{0,40}}(?<! )"
_ADDRESSES = (
    re.compile(
        rf"\b\d{{1,4}}{GAP}*(?:bis|ter|quater|[A-D])?{GAP}*,?{GAP}*"
        rf"(?i:(?:rue|avenue|av\.|boulevard|bd\.?|chemin|impasse|allées?|faubourg|résidence|lotissement)"
        rf"{GAP}+[^\n,;.?!()]{{2,60}})(?:,?\s*{_CITY})?"
    ),
    re.compile(
        rf"\b\d{{1,4}}{GAP}*(?:bis|ter)?{GAP}*,?{GAP}*(?:place|route|quai|cours|square|passage|voie|sentier)"
        rf"{GAP}+(?:(?:de|du|des|la|le|les|d[’']|l[’']){GAP}*)*[{_UPPER}][^\n,;.?!()]{{1,60}}(?:,?\s*{_CITY})?"
    ),
    re.compile(rf"(?<![\d,.]){_CITY}"),
)


def redact(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts with what identifies a person masked; a name found in one is masked in all."""
    masked = [_mask_patterns(plain(text)) for text in texts]
    found: set[str] = set()
    masked = [_mask_names(text, found) for text in masked]
    return tuple(_mask_again(text, found) for text in masked)


def without_people(text: str) -> str:
    """The text without what identifies a person nor the words that announce it; dates stay.

    For searching: « Mme Durand : signes de l’anaphylaxie ? » asks for signs of anaphylaxis.
    """
    (masked,) = redact((text,))
    bare, found = _ANNOUNCED.subn(" ", masked)
    return " ".join(bare.split()).strip(" ,;:.()–-") if found else text


def _mask_patterns(text: str) -> str:
    for pattern, mark in _PATTERNS:
        text = pattern.sub(mark, text)
    for pattern in _ADDRESSES:
        text = pattern.sub(ADDRESS, text)
    text = _DATES.sub(lambda m: m[0] if m["kept"] else DATE, text)
    text = _DAY_AND_MONTH.sub(rf"\g<1>{DATE}", text)
    text = _DAYS_BEFORE.sub(rf"\g<1>{DATE}\g<2>{DATE}", text)
    text = _DAYS_AFTER.sub(rf"{DATE}\g<1>{DATE}", text)
    for pattern in _LONG_NUMBERS:
        text = pattern.sub(rf"\g<1>{NUMBER}", text)
    return text


def _mask_names(text: str, found: set[str]) -> str:
    """Mask the names of persons, and add their words to ``found``."""
    known = people_words()
    parts, last = [], 0
    for start, end in names_in(text):
        words = _WORD.findall(text[start:end])
        found.update(w for w in words if len(w) > 2 and w.lower() not in known.function)
        parts += [text[last:start], NAME]
        last = end
    return _REPEATED.sub(NAME, "".join(parts) + text[last:])


def _mask_again(text: str, found: set[str]) -> str:
    """Mask the other places of names already found, however they are written there.

    A name that is a common word (« Petit ») is one with a capital letter alone.
    """
    known, forms = people_words(), set[str]()
    for name in found:
        forms |= {name.upper(), name.capitalize()}
        forms |= {name.lower()} if name.islower() and not known.is_common(name) else set()
        forms |= set() if name.islower() else {name}
    for name in sorted(forms, key=len, reverse=True):
        text = re.sub(rf"(?<![\w\[]){re.escape(name)}(?!\w)", NAME, text)
    return text
