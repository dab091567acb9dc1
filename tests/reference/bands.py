"""The classes of the primary papers, as cuts on one output (see common.py: written without sight).

A cut is ("≥" or ">", value); the class of a result is the number of cuts it reaches.
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
    "crb65": ("total", _cuts("≥1", "≥3")),
    "qsofa": ("total", _cuts("≥2")),
    "has_bled": ("total", _cuts("≥3")),
    "timi_st_moins": ("total", _cuts("≥3", "≥5")),
    "rcri_lee": ("total", _cuts("≥1", "≥2", "≥3")),
    # In-hospital tertiles of the non-ST registry, ESC 2011 (Eur Heart J 2011;32:2999-3054).
    "grace": ("total", _cuts("≥109", "≥141")),
    "abcd2": ("total", _cuts("≥4", "≥6")),
    "fib4": ("fib4", _cuts("≥1.45", ">3.25")),
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
    # AHA 2012: 0.90, 1.00, 1.40.
    "ips_cheville": ("ips", _cuts(">0.9", "≥1", ">1.4")),
}


def rank(value: Fraction | float | int, cuts: tuple[Cut, ...]) -> int:
    """Return the class of `value`: the number of ascending cuts it reaches."""
    return sum(value >= bound if sign == "≥" else value > bound for sign, bound in cuts)
