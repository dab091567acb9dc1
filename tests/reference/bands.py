"""The classes of the primary papers, as cuts on one output (see common.py: written without sight).

A cut is ("≥" or ">", value): one class ends and the next begins there.
"""

from fractions import Fraction
from typing import TypeAlias

Cut: TypeAlias = tuple[str, Fraction]


def _cuts(*texts: str) -> tuple[Cut, ...]:
    """Read « ≥5 » and « >6 »."""
    return tuple((text[0], Fraction(text[1:])) for text in texts)


#: entry -> (output, cuts); sources: the paper of the entry unless said.
BANDS: dict[str, tuple[str, tuple[Cut, ...]]] = {
    # WHO Technical Report Series 894 (2000).
    "imc": ("imc", _cuts("≥18.5", "≥25", "≥30", "≥35", "≥40")),
    # Pugh 1973: A 5-6, B 7-9, C 10-15.
    "child_pugh": ("total", _cuts("≥7", "≥10")),
    "child_pugh_tp": ("total", _cuts("≥7", "≥10")),
    "child_pugh_cholestase": ("total", _cuts("≥7", "≥10")),
    "wells_ep": ("total", _cuts("≥2", ">6")),
    "wells_tvp": ("total", _cuts("≥2")),
    "geneve_revise": ("total", _cuts("≥4", "≥11")),
    "geneve_simplifie": ("total", _cuts("≥2", "≥5")),
    "spesi": ("total", _cuts("≥1")),
    "perc": ("total", _cuts("≥1")),
    "curb65": ("total", _cuts("≥2", "≥3")),
    "crb65": ("total", _cuts("≥1")),
    "qsofa": ("total", _cuts("≥2")),
    "has_bled": ("total", _cuts("≥3")),
    "timi_st_moins": ("total", _cuts("≥3", "≥5")),
    "rcri_lee": ("total", _cuts("≥1", "≥2", "≥3")),
    # In-hospital tertiles of the non-ST registry, ESC 2011 (Eur Heart J 2011;32:2999-3054).
    "grace": ("total", _cuts("≥109", "≥141")),
    "abcd2": ("total", _cuts("≥4", "≥6")),
    # Shah AG et al. Clin Gastroenterol Hepatol 2009;7:1104-12 (steatosis), taken up by EASL.
    "fib4": ("fib4", _cuts("≥1.3", ">2.67")),
    "apri": ("apri", _cuts(">0.5", ">1.5")),
    "maddrey": ("maddrey", _cuts("≥32")),
    "pf_berlin": ("pf", _cuts(">100", ">200", ">300")),
    # Teasdale, Jennett: severe 3-8, moderate 9-12, minor 13-15.
    "glasgow": ("total", _cuts("≥9", "≥13")),
    "apgar": ("total", _cuts("≥4", "≥7")),
    "phq9": ("phq9", _cuts("≥5", "≥10", "≥15", "≥20")),
    "mini_gds": ("total", _cuts("≥1")),
    # van Gestel AM et al. Arthritis Rheum 1998;41:1845-50; remission: Prevoo 1996 (2.6).
    "das28_vs": ("das28", _cuts("≥2.6", ">3.2", ">5.1")),
    # KDIGO 2012 categories G5 to G1.
    "ckd_epi_2009": ("dfg", _cuts("≥15", "≥30", "≥45", "≥60", "≥90")),
    "ckd_epi_2021": ("dfg", _cuts("≥15", "≥30", "≥45", "≥60", "≥90")),
    "kdigo_ira": ("stade", _cuts("≥1", "≥2", "≥3")),
    "ranson": ("total", _cuts("≥3")),
    "bisap": ("total", _cuts("≥3")),
    "light": ("criteres", _cuts("≥1")),
    "mdrd4": ("dfg", _cuts("≥15", "≥30", "≥45", "≥60", "≥90")),
    # Fagerström KO, 1991 addendum: very low 0-2, low 3-4, medium 5-6, high 7-10 (French use).
    "fagerstrom": ("total", _cuts("≥3", "≥5", "≥7")),
    "news2": ("total", _cuts("≥5", "≥7")),
    # SPILF/Afssaps 2011: a rapid test from 2.
    "mcisaac": ("total", _cuts("≥2")),
    "cha2ds2_va": ("total", _cuts("≥1", "≥2")),
    # Gralnek IM et al. (ESGE). Endoscopy 2021;53:300-32: out-patient care at 0 or 1.
    "glasgow_blatchford": ("total", _cuts("≥2")),
    # HAS, AOMI, 2006.
    "ips_cheville": ("ips", _cuts("≥0.9", ">1.3")),
}

FINER = {
    "wells_ep": "the two-level reading (> 4) and the three-level one are told together",
    "wells_tvp": "the two-level reading (2) and the three-level one (1, 3) are told together",
    "timi_st_moins": "one class a risk published in table 3 of the paper",
    "ranson": "6 and more, the mortality of the French tables",
}
"""Entries whose bank tells more classes than the cuts above, and why."""
