"""Names that hold digits: what is no number although it is written with some."""

from __future__ import annotations

import re

from ancremed_desktop.text.numbers import plain

_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "01234567890123456789")

# A closed list: gases, vitamins, hormones, receptors, markers, germs, scores and classifications.
# In connecting text anything else with a digit counts as a number (checks fail closed).
_FIXED = re.compile(
    r"(?:s[pav]o2|p(?:et|tc)?a?co2|p[av]o2|fio2|et?co2|o2|co2|h2o2?|n2o|no2|v?o2max|vo2"
    r"|hba1c?|a1c|hba2|(?:vitamine )?(?:b(?:1|2|3|5|6|8|9|12)|d2|d3|k1|k2)"
    r"|cha2ds2(?:-vasc?)?|chads2"
    r"|f?t[34]l?|lt[34]|cd\d{1,3}|h\d{1,2}n\d{1,2}|covid-?19|sars-cov-?2|sars-?cov2|mers-cov"
    r"|p2y12|[vf]e[vm]s?1|cyp\d[a-z]\d{1,2}|(?:a|i?)glp-?1|i?sglt-?2|idpp-?4|dpp-?4"
    r"|il-?\d{1,2}|her-?2"
    r"|hla-?[a-z]{1,3}\d{0,4}|vih-?[12]|htlv-?[12]|h[sh]v-?\d|vhs-?\d|hhv-?\d|pd-?1"
    r"|pd-?l-?1|ctla-?4"
    r"|5-?fu|5-?ht\d?[a-z]?|5-?asa|6-?mp|25-?oh|(?:alpha|beta|gamma|omega|α|β|ω|γ|ß)-?\d{1,2}"
    r"|(?:anti-?)?h[12]|g6pd|mdrd4|c[345]|c1q?|ca2\+|ca ?(?:19-9|125|15-3|72-4)"
    r"|fe[23]\+|mg2\+|zn2\+"
    r"|dsm-?[45](?:-?tr)?|icd-?1[01]|vco2|ve/vco2|cim-?1[01]|phq-?[29]|gad-?7|curb-?65"
    r"|crb-?65|abcd2|audit-?c|s100b?|psi"
    r"|p53|brca-?[12]|jak2|mthfr|flt3|npm1|kras|ki-?67|fgf-?\d{1,2}|igf-?1|igg[1-4]|factor5"
    r"|(?:c|d|m)?m[23]|v1|v2|at[12]|m[123]|nt-?probnp|nfs|l[1-5](?:-[ls][1-5])?|s[1-5]"
    r"|c[1-7](?:-c[1-8])?|t(?:1[0-2]|[1-9])|d(?:1[0-2]|[1-9])"
    r"|type-? ?(?:[12]|ii?)|types [12] et [12]|dt[12]|maturity|mody-?\d|trisomie 21|trisomie-?21"
    r"|coenzyme q10|q10|[bs]nf|g-?csf|mmse?|cockcroft|ckd-?epi|pfa-?100|tnf|f1\+2|2,?3-?dpg)",
)
_AROUND = re.compile(
    r"(?:(?:vitamine|type|types|trisomie|coenzyme|ca) )?[^\W_][^\s,;:()«»\"<>≤≥=]*", re.IGNORECASE
)


def name_key(name: str) -> str:
    """Lower case, subscripts and superscripts as digits, no outer punctuation."""
    return plain(name.translate(_DIGITS)).lower().strip(".'-/*")


def is_fixed(name: str) -> bool:
    """Whether a whole name is on the closed list."""
    return _FIXED.fullmatch(name_key(name)) is not None


def is_fixed_name(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` lies within a fixed name of medicine that is written in digits.

    SpO2, HbA1c, vitamine B12, CHA₂DS₂-VASc, CD4, H1N1, COVID-19, P2Y12, « type 2 »... A name that
    is not on the closed list is none.
    """
    left, right = max(0, start - 24), min(len(text), end + 24)
    while left and start - left < 40 and not text[left - 1].isspace():
        left -= 1
    window = plain(text[left:right])
    start, end = start - left, end - left
    for match in _AROUND.finditer(window):
        if match.start() <= start and end <= match.end():
            written, offset = match.group(), match.start()
            if _holds(written, start - offset, end - offset):
                return True
            _, gap, name = written.partition(" ")
            offset += len(written) - len(name)
            return bool(gap) and start >= offset and _holds(name, start - offset, end - offset)
    return False


def _holds(written: str, start: int, end: int) -> bool:
    """Whether a name of the list covers ``written[start:end]`` between hyphens or slashes."""
    if is_fixed(written):
        return True
    for piece in re.finditer(r"[^/']+", written):
        if piece.start() <= start and end <= piece.end():
            if is_fixed(piece.group()):
                return True
            for part in re.finditer(r"[^-]+(?:-\d+)?", piece.group()):
                inside = piece.start() + part.start() <= start and end <= piece.start() + part.end()
                if inside and is_fixed(part.group()):
                    return True
    return False
