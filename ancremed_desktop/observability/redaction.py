"""Masks what identifies a person before a text may leave the machine.

It masks too much rather than too little: a word lost costs an answer, a name sent cannot be taken
back. It knows patterns, not people: a name that nothing introduces stays, so the user is shown the
text. Formats: NIR of INSEE (13 digits and a key of 2), ten-digit French telephone numbers and
international ones (E.164), addresses of the French post.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ancremed_desktop.observability.introductions import (
    CARER,
    GAP,
    NOUN,
    RELATIVE,
    plain,
)

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

# Latin capitals; beyond them each letter of a block counts as one (« Nguyễn », « Łukasz »).
_UPPER = r"A-ZÀ-ÖØ-ÞŒ\u0100-\u024f\u1e00-\u1eff"
_LOWER = r"a-zß-öø-ÿœ"
_REST = r"(?:[^\W\d_]|[’'\-])*+"
_WORD = rf"[^\W\d_]{_REST}"
# Words of a form that begin another field: « Nom : X Prénom : Y ».
_FIELD = (
    r"(?i:noms?|prénoms?|date|née?|ddn|sexe|[âa]ge|t[ée]l(?:éphone)?|adresse|ipp|nip|nda|iep|ins|nir|"
    r"dossier|poids|taille|motif|mail|courriel|médecin|service|numéro)\b"
)
_CAPITAL = rf"(?!{_FIELD}{GAP}*(?:\(e\))?{GAP}*:)[{_UPPER}]{_REST}"
_PARTICLE = r"(?:de|du|des|le|la|les|d[’']|l[’']|van|von|der|den|el|al|ben|bin|da|dos|di)"
# Bounded: a page without a full stop must not be searched again from each of its words.
_PARTICLES = rf"(?:{_PARTICLE}{GAP}*){{0,3}}"
_NAMES = rf"{_PARTICLES}{_CAPITAL}\.?(?:{GAP}+{_PARTICLES}{_CAPITAL}\.?){{0,4}}"

# First names after which a surname in small letters is masked too.
_FIRST_NAMES = frozenset(
    """alain andré anne antoine bernard brigitte camille catherine chantal charles christian
    christine christophe claude daniel danielle david denise didier dominique emma eric éric
    fatima florence françois françoise frédéric georges gérard guy henri hélène isabelle jacqueline
    jacques jean jeanne jérôme josé joseph julie julien karim laurent léa louis louise lucas luc
    madeleine manon marc marcel marguerite maria marie martine maurice michel michèle mireille
    mohamed monique nadia nathalie nicolas nicole odette olivier pascal patrick paul paulette
    philippe pierre raymond rené robert roger sandrine serge simone sophie stéphane suzanne sylvie
    thérèse thierry thomas valérie véronique yves yvette yvonne""".split()
)
# After these a name follows, even in small letters (« mme dupont »). Without a full stop a space
# must follow: « droite » holds « dr ».
_TITLE = (
    r"(?:(?:MM?|(?<!\d[ \u00a0\u202f])mm?|[Mm][Rr]|[Mm][Mm][Ee]s?|[Mm](?:[Ee])?[Ll]{2}[Ee]s?|[Dd][Rr]s?|Pr)\."
    rf"|(?:M(?={GAP}+[A-ZÀ-Þ])|[Mm][Rr]|[Mm][Mm][Ee]s?|[Mm](?:[Ee])?[Ll]{{2}}[Ee]s?|[Dd][Rr]s?|"
    r"[Mm]onsieur|MONSIEUR|[Mm]essieurs|MESSIEURS|[Mm]esdames|[Mm]adame|MADAME|[Mm](?:ademoi|ADEMOI)(?:selle|SELLE)|"
    rf"[Dd]octeure?s?|DOCTEURE?S?|[Nn]om(?:{GAP}+de{GAP}+(?:naissance|famille|jeune{GAP}+fille))?"
    rf"{GAP}*:|[Pp]rénoms?{GAP}*:|NOM{GAP}*:|PRÉNOM{GAP}*:)(?={GAP}|(?<=:)))"
)
_SMALL_NAME = rf"(?:(?i:{'|'.join(sorted(_FIRST_NAMES))})(?:-{_WORD})?{GAP}+)?{_WORD}"
_TITLED = re.compile(rf"(?<![\w’'\-])({_TITLE}){GAP}*(?:(?P<n>{_NAMES})|(?P<w>{_SMALL_NAME}))")
_INTRODUCED = re.compile(
    rf"(?<![\w\-\[])(?:(?:{NOUN}|{CARER})(?:\(e\))?{GAP}*:?|{RELATIVE}){GAP}+(?P<n>{_NAMES})"
)
# « MM. Martin, Petit et Durand », « Mme R. (Rousseau) ».
_PLURAL = (
    r"(?:MM\.|[Mm]mes|[Mm]esdames|[Mm]essieurs|MESSIEURS|[Dd]rs\.?|[Dd]octeure?s|[Pp]atiente?s)"
)
_LISTED = re.compile(
    rf"(?<![\w\-])(?P<head>{_PLURAL}{GAP}*:?{GAP}*{re.escape(NAME)})"
    rf"(?P<rest>(?:{GAP}*,{GAP}*{_NAMES}){{0,20}}(?:{GAP}*,?{GAP}+(?:et|ou|&){GAP}+(?:{_NAMES}|{_WORD}))?)"
)
_JOINED = re.compile(rf"{re.escape(NAME)}{GAP}+(?:et|&){GAP}+(?!{_TITLE})(?P<n>{_NAMES})")
_BRACKETED = re.compile(rf"{re.escape(NAME)}{GAP}*[(«\"“]{GAP}*(?P<n>{_NAMES})(?={GAP}*[)»\"”])")
# « mr jean dupont », « mme dupont marie, 80 ans »: a name in small letters goes on.
_GOES_ON = re.compile(
    rf"{re.escape(NAME)}{GAP}+(?P<w>{_WORD})(?={GAP}*,?{GAP}*\(?\d{{1,3}}{GAP}*ans\b)"
)
_AGED = re.compile(
    rf"(?<![\w’'\-])(?P<n>{_CAPITAL}(?:{GAP}+{_CAPITAL}){{1,4}})(?={GAP}*[,(]?{GAP}*\d{{1,3}}{GAP}*ans\b)"
)
_REPEATED = re.compile(rf"{re.escape(NAME)}(?:[.’'\-]*{re.escape(NAME)})+")

# Words in small letters that follow a title without being a name.
_NOT_NAMES = frozenset(
    """a à au aux avec ayant car ce cet cette chez dans de des dit doit du elle en enceinte est et
    il je la le les leur l ma mais me mon ne ni nous on ou où par pas peut plus pour présente prend
    qui que qu sa sans se ses si son sous sur très un une veut vient vous y âgé âgée
    suit souffre suivi suivie hospitalisé hospitalisée diabétique hypertendu hypertendue""".split()
)
# « M. tuberculosis »: a genus, not a person.
_SPECIES = frozenset(
    """tuberculosis pneumoniae hominis genitalium leprae bovis avium abscessus marinum ulcerans
    kansasii catarrhalis morganii africanum chelonae fortuitum xenopi furfur canis""".split()
)
# Capitals that follow « patient » without being a name.
_ACRONYMS = frozenset(
    """AINS AIT AOD AOMI ASA AVC AVK BAV BBG BMR BPCO CHC COVID DID DNID DT1 DT2 EP FA HBPM HIV HSA
    HTA HTAP IC IDM IMAO IRA IRC IRCT ISRS LAL LAM LED LES LLC LMC LNH MICI OAP PAC PR PTI RAA RCH
    RGO SAOS SARM SAS SCA SDRA SEP SIDA SLA SPA TDAH TIH TSA TVP UGD VHB VHC VIH VRS VZV""".split()
)

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
_SHORT_YEAR = (
    r"[’']?\d{2}(?![\d%]|[,.]\d|"
    r"\s*(?:[mµ]?g|mcg|kg|m?l|cl|mmol|ui|ans?|mois|semaines?|jours?|j|h|heures?|min|cp|comprim\w+|"
    r"gouttes?|fois|sa|%)(?!\w))"
)
_NUMERIC_DATE = (
    r"(?:[0-3]?\d\s?[/.\-]\s?[01]?\d\s?[/.\-]\s?(?:19|20)?\d{2}|(?:19|20)\d{2}[/.\-][01]?\d[/.\-][0-3]?\d|"
    r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|"
    r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2})"
)
_DAY = rf"(?:(?:[0-2]?\d|3[01])(?:er)?|premier|{_IN_WORDS})"
_WORDED_DATE = rf"(?:{_DAY}\s+{_MONTH}(?:\s+(?:{_YEAR}|{_SHORT_YEAR}))?|{_MONTH}\s+{_YEAR}(?!\w))"
_SHORT_DATE = r"(?:0?[1-9]|[12]\d|3[01])\s?[/.\-]\s?(?:0?[1-9]|1[0-2])(?![\d/])"
_ANY_DATE = rf"(?:{_NUMERIC_DATE}|{_WORDED_DATE}|{_SHORT_DATE}|(?:19|20)\d{{2}})"
# The last period is what a term is reckoned from: that date stays.
_DATES = re.compile(
    rf"(?i)(?P<kept>\b(?:DDR|dernières\s+règles)\b\W{{0,3}}(?:(?:le|du|au)\s+)?)?"
    rf"(?<![\w,./\-])(?:{_WORDED_DATE}|{_NUMERIC_DATE}(?!\d))"
)
# « le 12/03 », not « le 1/2 comprimé ».
_DAY_AND_MONTH = re.compile(
    rf"(?i)\b((?:le|du|au)\s+){_SHORT_DATE}(?!\s*(?:cp|comprim|dose|amp|sachet|d[eu]\b|des\b))"
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
            # Three digits: « séjour 12 jours » is a length.
            r"[A-Z]{0,4}[\-/]?\d(?=[A-Z\d\-/. ]*\d[A-Z\d\-/. ]*\d)[A-Z\d]*(?:[\-/.]?[A-Z\d]*\d|\s\d{2,})*"
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
    for pattern in _LONG_NUMBERS:
        text = pattern.sub(rf"\g<1>{NUMBER}", text)
    return text


def _mask_names(text: str, found: set[str]) -> str:
    """Mask the names something introduces, and add their words to ``found``."""

    def titled(match: re.Match[str]) -> str:
        name, rest = match["n"] or match["w"], ""
        if match["w"]:
            *first, last = re.split(rf"({GAP}+)", name)
            if last.lower() in _NOT_NAMES or (last in _SPECIES and match[1] == "M."):
                if not first:
                    return match[0]
                name, rest = first[0], first[1] + last
        return match[0][: match.start(2 if match["n"] else 3) - match.start()] + note(name) + rest

    def introduced(match: re.Match[str]) -> str:
        if re.split(r"\W", match["n"])[0] in _ACRONYMS or match["n"].lower() in _NOT_NAMES:
            return match[0]
        return match[0][: -len(match["n"])] + note(match["n"])

    def goes_on(match: re.Match[str]) -> str:
        return match[0] if match["w"].lower() in _NOT_NAMES else note(match["w"])

    def listed(match: re.Match[str]) -> str:
        # Joined by « et » to a word that names nobody: « MM. X et leur fils ».
        last = re.split(r"\W+", match["rest"])[-1]
        if not match["rest"] or last.lower() in _NOT_NAMES:
            return match[0]
        return match["head"] + ", " + note(match["rest"])

    def note(name: str) -> str:
        words = re.findall(_WORD, name)
        found.update(w for w in words if len(w) > 2 and w.lower() not in _NOT_NAMES)
        return NAME

    text = _TITLED.sub(titled, text)
    text = _INTRODUCED.sub(introduced, text)
    text = _GOES_ON.sub(goes_on, text)
    text = _LISTED.sub(listed, text)
    text = _JOINED.sub(introduced, text)
    text = _BRACKETED.sub(introduced, text)
    text = _AGED.sub(lambda m: note(m["n"]), text)
    return _REPEATED.sub(NAME, text)


def _mask_again(text: str, found: set[str]) -> str:
    """Mask the other places of names already found, however they are written there."""
    for name in sorted(found, key=len, reverse=True):
        forms = {name, name.upper(), name.capitalize(), name.lower() if name.islower() else name}
        either = "|".join(re.escape(form) for form in sorted(forms))
        text = re.sub(rf"(?<![\w\[])(?:{either})(?!\w)", NAME, text)
    return text
