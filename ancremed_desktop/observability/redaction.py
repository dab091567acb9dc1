"""Masks what identifies a person before a text may leave the machine.

It masks too much rather than too little: a word lost costs an answer, a name sent cannot be taken
back. It knows patterns, not people: a name that nothing introduces stays, so the user is shown the
text. Formats: NIR of INSEE (13 digits and a key of 2), ten-digit French telephone numbers and
international ones (E.164), addresses of the French post.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

NAME = "[NOM]"
NIR = "[N° DE SÉCURITÉ SOCIALE]"
FILE_NUMBER = "[N° DE DOSSIER]"
BIRTH = "[DATE DE NAISSANCE]"
DATE = "[DATE]"
PHONE = "[TÉLÉPHONE]"
MAIL = "[COURRIEL]"
ADDRESS = "[ADRESSE]"

_GAP = r"[ \t\u00a0\u202f]"
# Latin capitals; beyond them each letter of a block counts as one (« Nguyễn », « Łukasz »).
_UPPER = r"A-ZÀ-ÖØ-ÞŒ\u0100-\u024f\u1e00-\u1eff"
_LOWER = r"a-zß-öø-ÿœ"
_REST = r"(?:[^\W\d_]|[’'\-])*+"
_WORD = rf"[^\W\d_]{_REST}"
_CAPITAL = rf"[{_UPPER}]{_REST}"
_PARTICLE = r"(?:de|du|des|le|la|les|d[’']|l[’']|van|von|der|den|el|al|ben|bin|da|dos|di)"
# Bounded: a page without a full stop must not be searched again from each of its words.
_PARTICLES = rf"(?:{_PARTICLE}{_GAP}*){{0,3}}"
_NAMES = rf"{_PARTICLES}{_CAPITAL}\.?(?:{_GAP}+{_PARTICLES}{_CAPITAL}\.?){{0,4}}"

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
    r"(?:(?:MM?|mm?|[Mm][Rr]|[Mm][Mm][Ee]s?|[Mm](?:[Ee])?[Ll]{2}[Ee]s?|[Dd][Rr]|Pr)\."
    rf"|(?:M(?={_GAP}+[A-ZÀ-Þ])|[Mm][Rr]|[Mm][Mm][Ee]s?|[Mm](?:[Ee])?[Ll]{{2}}[Ee]s?|[Dd][Rr]|"
    r"[Mm]onsieur|MONSIEUR|[Mm]esdames|[Mm]adame|MADAME|[Mm](?:ademoi|ADEMOI)(?:selle|SELLE)|"
    rf"[Dd]octeure?|DOCTEURE?|[Nn]om(?:{_GAP}+de{_GAP}+(?:naissance|famille|jeune{_GAP}+fille))?"
    rf"{_GAP}*:|[Pp]rénoms?{_GAP}*:|NOM{_GAP}*:|PRÉNOM{_GAP}*:)(?={_GAP}|(?<=:)))"
)
# After these only a capital letter makes a name (« le patient sous AVK », « née en 1956 »).
_NOUN = (
    r"(?:[Pp]rofesseure?|Pr|[Pp]atiente?s?|PATIENTE?|[Nn]ommée?|[Éé]pouse|[Éé]poux|[Vv]euve|"
    r"[Nn]ée?|s[’']appelle)"
)
_SMALL_NAME = rf"(?:(?i:{'|'.join(sorted(_FIRST_NAMES))})(?:-{_WORD})?{_GAP}+)?{_WORD}"
_TITLED = re.compile(rf"(?<![\w’'\-])({_TITLE}){_GAP}*(?:(?P<n>{_NAMES})|(?P<w>{_SMALL_NAME}))")
_INTRODUCED = re.compile(rf"(?<![\w’'\-])({_NOUN}){_GAP}*:?{_GAP}+(?P<n>{_NAMES})")
# « mr jean dupont », « mme dupont marie, 80 ans »: a name in small letters goes on.
_GOES_ON = re.compile(
    rf"{re.escape(NAME)}{_GAP}+(?P<w>{_WORD})(?={_GAP}*,?{_GAP}*\(?\d{{1,3}}{_GAP}*ans\b)"
)
_AGED = re.compile(
    rf"(?<![\w’'\-])(?P<n>{_CAPITAL}(?:{_GAP}+{_CAPITAL}){{1,4}})(?={_GAP}*[,(]?{_GAP}*\d{{1,3}}{_GAP}*ans\b)"
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

_MONTH = r"(?:janv|f[ée]v|mars|avr|mai|juin|juil|ao[uû]t|sept|oct|nov|d[ée]c)[a-zé]*\.?"
_NUMERIC_DATE = (
    r"(?:[0-3]?\d\s?[/.\-]\s?[01]?\d\s?[/.\-]\s?(?:19|20)?\d{2}|(?:19|20)\d{2}-[01]\d-[0-3]\d)"
)
_ANY_DATE = (
    rf"(?:{_NUMERIC_DATE}|(?:\d{{1,2}}(?:er)?\s+)?{_MONTH}\s+(?:19|20)?\d{{2}}|(?:19|20)\d{{2}})"
)

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![\w.+%\-])[\w.+%\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,5}"), MAIL),
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
            rf"(?i)\b(né(?:e|\(e\))?{_GAP}+(?:(?:le|en){_GAP}+)?|ddn\s*:?\s*|"
            rf"(?:date{_GAP}+de{_GAP}+)?naissance\s*(?:le|:)?\s*)(?:{_ANY_DATE}|[0-3]\d[01]\d(?:19|20)?\d{{2}})"
        ),
        rf"\g<1>{BIRTH}",
    ),
    (re.compile(rf"(?<![\d,.]){_NUMERIC_DATE}(?![\d])"), DATE),
    (
        re.compile(
            r"(?i)\b((?:IPP|NIP|NDA|IEP|INS)\b\s*(?:n°)?\s*:?\s*|"
            r"(?:n°|numéro)\s*(?:de\s+)?(?:dossier|patient|séjour)\s*:?\s*)[A-Z]{0,3}\d[\d \-/]{3,}\d"
        ),
        rf"\g<1>{FILE_NUMBER}",
    ),
)
# What announces a mask and says nothing once it is gone.
_ANNOUNCED = re.compile(
    r"(?i)(?:\b(?:mon|ma|notre|le|la|une?|chez|pour|de|est|s[’']appelle|nommée?|épouse|veuve|"
    r"mm?e?s?|mr|m(?:e)?lles?|dr|pr|monsieur|madame|mademoiselle|docteur|professeur|patiente?|"
    r"noms?|prénoms?|née?(?:\(e\))?(?:\s+le)?|ddn|(?:date\s+de\s+)?naissance|t[ée]l(?:éphone)?|port(?:able)?|"
    r"nir|ipp|nip|nda|iep|ins|n°|numéro|dossier|mail|courriel|adresse|habite|au)\b(?:\s*[.:])?\s*)*"
    r"(?:\[(?:NOM|N° DE SÉCURITÉ SOCIALE|N° DE DOSSIER|DATE DE NAISSANCE|TÉLÉPHONE|COURRIEL|ADRESSE)\])"
)
_CITY = rf"\d{{5}}{_GAP}+(?:[{_UPPER}][{_LOWER}]{{2,}}|[{_UPPER}]{{4,}})[{_UPPER}{_LOWER}’'\- ]{{0,40}}(?<! )"
_ADDRESSES = (
    re.compile(
        rf"\b\d{{1,4}}{_GAP}*(?:bis|ter|quater|[A-D])?{_GAP}*,?{_GAP}*"
        rf"(?i:(?:rue|avenue|av\.|boulevard|bd\.?|chemin|impasse|allées?|faubourg|résidence|lotissement)"
        rf"{_GAP}+[^\n,;.?!()]{{2,60}})(?:,?\s*{_CITY})?"
    ),
    re.compile(
        rf"\b\d{{1,4}}{_GAP}*(?:bis|ter)?{_GAP}*,?{_GAP}*(?:place|route|quai|cours|square|passage|voie|sentier)"
        rf"{_GAP}+(?:(?:de|du|des|la|le|les|d[’']|l[’']){_GAP}*)*[{_UPPER}][^\n,;.?!()]{{1,60}}(?:,?\s*{_CITY})?"
    ),
    re.compile(rf"(?<![\d,.]){_CITY}"),
)


def redact(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts with what identifies a person masked; a name found in one is masked in all."""
    masked = [_mask_patterns(unicodedata.normalize("NFC", text)) for text in texts]
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
    return text


def _mask_names(text: str, found: set[str]) -> str:
    """Mask the names something introduces, and add their words to ``found``."""

    def titled(match: re.Match[str]) -> str:
        name, rest = match["n"] or match["w"], ""
        if match["w"]:
            *first, last = re.split(rf"({_GAP}+)", name)
            if last.lower() in _NOT_NAMES or (last in _SPECIES and match[1] == "M."):
                if not first:
                    return match[0]
                name, rest = first[0], first[1] + last
        return match[0][: match.start(2 if match["n"] else 3) - match.start()] + note(name) + rest

    def introduced(match: re.Match[str]) -> str:
        if match["n"] in _ACRONYMS or match["n"].lower() in _NOT_NAMES:
            return match[0]
        return match[0][: -len(match["n"])] + note(match["n"])

    def goes_on(match: re.Match[str]) -> str:
        return match[0] if match["w"].lower() in _NOT_NAMES else note(match["w"])

    def note(name: str) -> str:
        words = re.findall(_WORD, name)
        found.update(w for w in words if len(w) > 2 and w.lower() not in _NOT_NAMES)
        return NAME

    text = _TITLED.sub(titled, text)
    text = _INTRODUCED.sub(introduced, text)
    text = _GOES_ON.sub(goes_on, text)
    text = _AGED.sub(lambda m: note(m["n"]), text)
    return _REPEATED.sub(NAME, text)


def _mask_again(text: str, found: set[str]) -> str:
    """Mask the other places of names already found, however they are written there."""
    for name in sorted(found, key=len, reverse=True):
        forms = {name, name.upper(), name.capitalize(), name.lower() if name.islower() else name}
        either = "|".join(re.escape(form) for form in sorted(forms))
        text = re.sub(rf"(?<![\w\[])(?:{either})(?!\w)", NAME, text)
    return text
