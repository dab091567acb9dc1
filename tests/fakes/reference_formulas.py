"""Second implementations, written from the primary sources, to compare with the bank.

Each takes the patient's values in the bank's canonical units (floats, booleans, choice keys) and
returns the outputs it can vouch for. They share nothing with the bank's expressions: arithmetic
is in floats, published tables are written as the papers print them.
"""

from __future__ import annotations

import math

from fakes.reference_scores import SCORES
from fakes.reference_tables import (
    MG_DL_BILIRUBIN,
    MG_DL_CREATININE,
    Patient,
    Reference,
    Results,
    female,
    num,
)


def cockcroft_gault(p: Patient) -> Results:
    """Nephron 1976: (140 - age) x kg / (72 x mg/dL), 15 % less in women; French constants."""
    mg_dl = num(p, "creatinine") / MG_DL_CREATININE
    original = (140 - num(p, "age")) * num(p, "poids") / (72 * mg_dl)
    french = (140 - num(p, "age")) * num(p, "poids") / num(p, "creatinine")
    return {
        "clairance": french * (1.04 if female(p) else 1.23),
        "clairance_originale": original * 0.85 if female(p) else original,
    }


def mdrd4(p: Patient) -> Results:
    """Ann Intern Med 2006, IDMS-traceable four-variable equation."""
    gfr = 175 * math.pow(num(p, "creatinine") / MG_DL_CREATININE, -1.154)
    gfr *= math.pow(num(p, "age"), -0.203)
    return {"dfg": gfr * 0.742 if female(p) else gfr}


def ckd_epi_2009(p: Patient) -> Results:
    """Ann Intern Med 2009, table 2: one equation a sex and a creatinine range."""
    scr, age = num(p, "creatinine") / MG_DL_CREATININE, num(p, "age")
    if female(p):
        power = -0.329 if scr <= 0.7 else -1.209
        return {"dfg": 141 * 1.018 * (scr / 0.7) ** power * 0.993**age}
    power = -0.411 if scr <= 0.9 else -1.209
    return {"dfg": 141 * (scr / 0.9) ** power * 0.993**age}


def ckd_epi_2021(p: Patient) -> Results:
    """N Engl J Med 2021, creatinine equation without race."""
    scr, age = num(p, "creatinine") / MG_DL_CREATININE, num(p, "age")
    if female(p):
        power = -0.241 if scr <= 0.7 else -1.200
        return {"dfg": 142 * 1.012 * (scr / 0.7) ** power * 0.9938**age}
    power = -0.302 if scr <= 0.9 else -1.200
    return {"dfg": 142 * (scr / 0.9) ** power * 0.9938**age}


def schwartz_2009(p: Patient) -> Results:
    """JASN 2009 bedside equation, French constant for µmol/L."""
    return {"dfg": 36.5 * num(p, "taille") / num(p, "creatinine")}


def clairance_mesuree(p: Patient) -> Results:
    """U x V / P, urine flow in mL/min."""
    flow = num(p, "volume") / (num(p, "duree_h") * 60)
    return {"clairance": num(p, "u_creat") * 1000 / num(p, "creatinine") * flow}


def fe_na(p: Patient) -> Results:
    """JAMA 1976: ratio of the clearances of sodium and creatinine, percent."""
    sodium = num(p, "na_u") / num(p, "na_p")
    creatinine = num(p, "creat_u") * 1000 / num(p, "creatinine")
    return {"fena": 100 * sodium / creatinine}


def fe_uree(p: Patient) -> Results:
    """Kidney Int 2002: ratio of the clearances of urea and creatinine, percent."""
    urea = num(p, "uree_u") / num(p, "uree_p")
    return {"feuree": 100 * urea / (num(p, "creat_u") * 1000 / num(p, "creatinine"))}


def deficit_hydrique(p: Patient) -> Results:
    """N Engl J Med 2000: water needed to bring the sodium back to its target."""
    water = num(p, "coef") * num(p, "poids")
    return {"deficit": water * num(p, "na_p") / num(p, "na_cible") - water}


def calcium_corrige(p: Patient) -> Results:
    """BMJ 1973: 0.02 mmol/L for each g/L of albumin under 40."""
    return {"ca_corrige": num(p, "ca") - num(p, "coef") * (num(p, "albumine") - 40)}


def natremie_corrigee(p: Patient) -> Results:
    """NEJM 1973 (1.6 for 1 g/L), Am J Med 1999 (2.4), French 0.3 for 1 mmol/L above 5."""
    excess = num(p, "glycemie") / 5.55 - 1
    return {
        "na_corrigee": num(p, "na") + 0.3 * (num(p, "glycemie") - 5),
        "na_katz": num(p, "na") + 1.6 * excess,
        "na_hillier": num(p, "na") + 2.4 * excess,
    }


def trou_anionique(p: Patient) -> Results:
    """Crit Care Med 1998: a quarter of mmol/L for each g/L of albumin missing from 40."""
    gap = num(p, "na") - num(p, "cl") - num(p, "hco3")
    corrected = gap + (40 - num(p, "albumine")) / 4
    return {"ta": gap, "ta_corrige": corrected, "ta_k": gap + num(p, "kalium")}


def osmolalite(p: Patient) -> Results:
    """Anaesth Intensive Care 1987: twice the sodium, glucose and urea."""
    tonicity = num(p, "na") + num(p, "na") + num(p, "glycemie")
    osmolality = tonicity + num(p, "uree")
    gap = num(p, "osm_mesuree") - osmolality
    return {"osm": osmolality, "tonicite": tonicity, "trou_osm": gap}


def winter(p: Patient) -> Results:
    """Ann Intern Med 1967."""
    expected = num(p, "hco3") * 3 / 2 + 8
    return {"paco2_attendue": expected, "ecart": num(p, "paco2") - expected}


def ldl_friedewald(p: Patient) -> Results:
    """Clin Chem 1972, g/L; not given from 3.4 g/L of triglycerides."""
    non_hdl = num(p, "ct") - num(p, "hdl")
    results = {"non_hdl": non_hdl}
    if num(p, "tg") < 3.4:
        results["ldl"] = non_hdl - 0.2 * num(p, "tg")
    return results


def homa_ir(p: Patient) -> Results:
    """Diabetologia 1985."""
    return {"homa": num(p, "insuline") / 22.5 * num(p, "glycemie")}


def hba1c_gme(p: Patient) -> Results:
    """Diabetes Care 2008 (ADAG) and the IFCC master equation."""
    hba1c = num(p, "hba1c")
    return {
        "gme_gl": 0.287 * hba1c - 0.467,
        "gme_mmol": 1.59 * hba1c - 2.59,
        "ifcc": 10.929 * hba1c - 10.929 * 2.15,
    }


def imc(p: Patient) -> Results:
    """WHO: kilograms by square metre."""
    metres = num(p, "taille") / 100
    return {"imc": num(p, "poids") / metres / metres}


def surface_dubois(p: Patient) -> Results:
    """Arch Intern Med 1916, in logarithms."""
    logs = 0.425 * math.log(num(p, "poids")) + 0.725 * math.log(num(p, "taille"))
    return {"sc": 0.007184 * math.exp(logs)}


def surface_mosteller(p: Patient) -> Results:
    """N Engl J Med 1987."""
    return {"sc": math.sqrt(num(p, "poids")) * math.sqrt(num(p, "taille")) / 60}


def poids_ideal_lorentz(p: Patient) -> Results:
    """Lorentz 1929; ARDSNet 2000, 2.3 kg an inch above five feet gives 0.91 kg a centimetre."""
    height = num(p, "taille")
    divisor, base = (2.5, 45.5) if female(p) else (4, 50)
    return {
        "lorentz": height - 100 - (height - 150) / divisor,
        "pbw": base + 0.91 * (height - 152.4),
    }


def ganzoni(p: Patient) -> Results:
    """Schweiz Med Wochenschr 1970."""
    missing = num(p, "hb_cible") - num(p, "hb")
    return {"deficit": 2.4 * num(p, "poids") * missing + num(p, "reserves")}


def pam(p: Patient) -> Results:
    """Diastolic plus a third of the pulse pressure."""
    return {"pam": num(p, "pad") + (num(p, "pas") - num(p, "pad")) / 3}


def qtc_bazett(p: Patient) -> Results:
    """Bazett 1920, Framingham 1992, Hodges 1983; RR in seconds."""
    qt, rate = num(p, "qt"), num(p, "fc")
    rr = 60 / rate
    return {
        "qtc": qt * rr**-0.5,
        "framingham": (qt / 1000 + 0.154 * (1 - rr)) * 1000,
        "hodges": qt + 1.75 * rate - 105,
    }


def qtc_fridericia(p: Patient) -> Results:
    """Fridericia 1920: cube root of RR."""
    return {"qtc": num(p, "qt") * math.cbrt(num(p, "fc") / 60)}


def gradient_aa(p: Patient) -> Results:
    """Alveolar gas equation, water vapour 47 mmHg, respiratory quotient 0.8."""
    alveolar = (num(p, "patm") - 47) * num(p, "fio2") - 1.25 * num(p, "paco2")
    return {
        "pao2_alv": alveolar,
        "gradient": alveolar - num(p, "pao2"),
        "attendu": 4 + 0.25 * num(p, "age"),
    }


def parkland(p: Patient) -> Results:
    """Ann N Y Acad Sci 1968: half in eight hours from the burn."""
    day = 4 * num(p, "poids") * num(p, "scb")
    results = {"v24": day, "v8": day / 2}
    if num(p, "heures") < 8:
        results["debit8"] = day / 2 / (8 - num(p, "heures"))
    return results


def besoins_421(p: Patient) -> Results:
    """Pediatrics 1957, read as a running sum over the kilograms."""
    weight = num(p, "poids")
    parts = (min(weight, 10), min(max(weight - 10, 0), 10), max(weight - 20, 0))
    hourly = sum(rate * part for rate, part in zip((4, 2, 1), parts, strict=True))
    daily = sum(rate * part for rate, part in zip((100, 50, 20), parts, strict=True))
    return {"debit": hourly, "jour": daily}


def poids_enfant(p: Patient) -> Results:
    """APLS 2011."""
    months = num(p, "age_mois")
    years = months / 12
    if months < 12:
        return {"poids": months / 2 + 4}
    return {"poids": 2 * years + 8 if years < 6 else 3 * years + 7}


def _bounded(value: float, low: float, high: float = math.inf) -> float:
    return min(max(value, low), high)


def _meld(p: Patient) -> float:
    """Hepatology 2001 with the UNOS bounds."""
    creatinine = _bounded(num(p, "creatinine") / MG_DL_CREATININE, 1, 4)
    if p["dialyse"]:
        creatinine = 4
    bilirubin = _bounded(num(p, "bili") / MG_DL_BILIRUBIN, 1)
    inr = _bounded(num(p, "inr"), 1)
    logs = 0.957 * math.log(creatinine) + 0.378 * math.log(bilirubin) + 1.120 * math.log(inr)
    return 10 * (logs + 0.643)


def meld(p: Patient) -> Results:
    """The unrounded score is compared: a rounding tie may fall either way in floats."""
    return {"meld_brut": _meld(p)}


def meld_na(p: Patient) -> Results:
    """OPTN 2016: the MELD is rounded before the sodium term, which is skipped up to 11."""
    score = math.floor(_meld(p) + 0.5)
    sodium = 137 - _bounded(num(p, "na"), 125, 137)
    if score > 11:
        return {"meld_na_brut": score + 1.32 * sodium - 0.033 * score * sodium}
    return {"meld_na_brut": score}


def meld_3(p: Patient) -> Results:
    """Gastroenterology 2021, OPTN 2022 bounds."""
    creatinine = _bounded(num(p, "creatinine") / MG_DL_CREATININE, 1, 3)
    if p["dialyse"]:
        creatinine = 3
    log_bilirubin = math.log(_bounded(num(p, "bili") / MG_DL_BILIRUBIN, 1))
    sodium = 137 - _bounded(num(p, "na"), 125, 137)
    albumin = 3.5 - _bounded(num(p, "albumine") / 10, 1.5, 3.5)
    log_creatinine = math.log(creatinine)
    score = 6 + (1.33 if female(p) else 0) + 4.56 * log_bilirubin
    score += sodium * (0.82 - 0.24 * log_bilirubin)
    score += 9.09 * math.log(_bounded(num(p, "inr"), 1))
    score += 11.14 * log_creatinine + albumin * (1.85 - 1.83 * log_creatinine)
    return {"meld3_brut": score}


def fib4(p: Patient) -> Results:
    """Hepatology 2006."""
    return {"fib4": num(p, "age") * num(p, "asat") / num(p, "plaquettes") / num(p, "alat") ** 0.5}


def apri(p: Patient) -> Results:
    """Hepatology 2003."""
    return {"apri": 100 * (num(p, "asat") / num(p, "asat_lsn")) / num(p, "plaquettes")}


def maddrey(p: Patient) -> Results:
    """Ann Intern Med 1989: prolongation in seconds, bilirubin in mg/dL."""
    prolongation = num(p, "tq_patient") - num(p, "tq_temoin")
    return {"maddrey": 4.6 * prolongation + num(p, "bili") / MG_DL_BILIRUBIN}


def das28_vs(p: Patient) -> Results:
    """Arthritis Rheum 1995."""
    joints = 0.56 * num(p, "nad") ** 0.5 + 0.28 * num(p, "nag") ** 0.5
    return {"das28": joints + 0.7 * math.log(num(p, "vs")) + 0.014 * num(p, "evs")}


def score2(p: Patient) -> Results:
    """Eur Heart J 2021, supplementary tables; low-risk region."""
    age = (num(p, "age") - 60) / 5
    terms = (
        age,
        float(bool(p["tabac"])),
        (num(p, "pas") - 120) / 20,
        num(p, "ct") / 0.3867 - 6,
        (num(p, "hdl") / 0.3867 - 1.3) / 0.5,
    )
    if female(p):
        main, by_age = (
            (0.4648, 0.7744, 0.3131, 0.1002, -0.2606),
            (-0.1088, -0.0277, -0.0226, 0.0613),
        )
        survival, scale1, scale2 = 0.9776, -0.7380, 0.7019
    else:
        main, by_age = (
            (0.3742, 0.6012, 0.2777, 0.1458, -0.2698),
            (-0.0755, -0.0255, -0.0281, 0.0426),
        )
        survival, scale1, scale2 = 0.9605, -0.5699, 0.7476
    linear = sum(b * x for b, x in zip(main, terms, strict=True))
    linear += age * sum(b * x for b, x in zip(by_age, terms[1:], strict=True))
    uncalibrated = 1 - survival ** math.exp(linear)
    risk = 1 - math.exp(-math.exp(scale1 + scale2 * math.log(-math.log(1 - uncalibrated))))
    return {"score2": 100 * risk}


REFERENCES: dict[str, Reference] = SCORES | {
    reference.__name__: reference
    for reference in (
        cockcroft_gault,
        mdrd4,
        ckd_epi_2009,
        ckd_epi_2021,
        schwartz_2009,
        clairance_mesuree,
        fe_na,
        fe_uree,
        deficit_hydrique,
        calcium_corrige,
        natremie_corrigee,
        trou_anionique,
        osmolalite,
        winter,
        ldl_friedewald,
        homa_ir,
        hba1c_gme,
        imc,
        surface_dubois,
        surface_mosteller,
        poids_ideal_lorentz,
        ganzoni,
        pam,
        qtc_bazett,
        qtc_fridericia,
        gradient_aa,
        parkland,
        besoins_421,
        poids_enfant,
        meld,
        meld_na,
        meld_3,
        fib4,
        apri,
        maddrey,
        das28_vs,
        score2,
    )
}
"""By identifier of the bank's entry."""
