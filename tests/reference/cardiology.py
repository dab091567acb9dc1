"""Heart and vessels (see common.py: written without sight)."""

import math
from fractions import Fraction

from reference.common import CREATININE_UMOL_PER_MG_DL, Outputs, steps


def pam(*, pas: Fraction, pad: Fraction) -> Outputs:
    """Mean arterial pressure, diastolic plus a third of the pulse pressure (Gauer, 1960)."""
    return {"pam": pad + (pas - pad) / 3}


def ips_cheville(*, pas_cheville: Fraction, pas_bras: Fraction) -> Outputs:
    """Aboyans V et al. (AHA). Circulation 2012;126:2890-909: ankle over arm systolic pressure."""
    return {"ips": pas_cheville / pas_bras}


def qtc_bazett(*, qt: Fraction, fc: Fraction, sexe: str | None = None) -> Outputs:
    """Bazett HC. Heart 1920;7:353-70; Sagie A et al. Am J Cardiol 1992;70:797-801; Hodges M 1983.

    QT / sqrt(RR); QT + 154 (1 - RR) ms; QT + 1.75 (rate - 60) ms (J Am Coll Cardiol 1983;1:694).
    """
    rr = float(60 / fc)
    return {
        "qtc": float(qt) / math.sqrt(rr),
        "framingham": float(qt) + 154 * (1 - rr),
        "hodges": qt + Fraction("1.75") * (fc - 60),
    }


def qtc_fridericia(*, qt: Fraction, fc: Fraction) -> Outputs:
    """Fridericia LS. Acta Med Scand 1920;53:469-86: QT over the cube root of RR."""
    return {"qtc": float(qt) / float(60 / fc) ** (1 / 3)}


def cha2ds2_va(
    *,
    age: Fraction,
    insuffisance_cardiaque: bool = False,
    hta: bool = False,
    diabete: bool = False,
    avc_ait_embolie: bool = False,
    maladie_vasculaire: bool = False,
) -> Outputs:
    """Van Gelder IC et al. (ESC 2024). Eur Heart J 2024;45:3314-414: age 65-74 1, 75 and over 2."""
    points = insuffisance_cardiaque + hta + diabete + maladie_vasculaire
    return {"total": points + 2 * avc_ait_embolie + steps(age, 65, 75)}


def cha2ds2_vasc(
    *,
    age: Fraction,
    sexe: str,
    insuffisance_cardiaque: bool = False,
    hta: bool = False,
    diabete: bool = False,
    avc_ait_embolie: bool = False,
    maladie_vasculaire: bool = False,
) -> Outputs:
    """Lip GY et al. Chest 2010;137:263-72: C1 H1 A2 (75+) D1 S2 V1 A (65-74) 1 Sc (female) 1."""
    points = insuffisance_cardiaque + hta + diabete + 2 * avc_ait_embolie + maladie_vasculaire
    points += 2 if age >= 75 else int(age >= 65)
    return {"total": points + (sexe == "F"), "total_hors_sexe": points}


def has_bled(
    *,
    age: Fraction,
    hta_non_controlee: bool = False,
    renal: bool = False,
    hepatique: bool = False,
    avc: bool = False,
    saignement: bool = False,
    inr_labile: bool = False,
    medicaments: bool = False,
    alcool: bool = False,
) -> Outputs:
    """Pisters R et al. Chest 2010;138:1093-100: one point each, elderly is > 65."""
    habits = medicaments + alcool
    return {
        "total": hta_non_controlee
        + renal
        + hepatique
        + avc
        + saignement
        + inr_labile
        + (age > 65)
        + habits
    }


def timi_st_moins(
    *,
    age: Fraction,
    fdr3: bool = False,
    stenose: bool = False,
    aspirine: bool = False,
    angor2: bool = False,
    st: bool = False,
    marqueur: bool = False,
) -> Outputs:
    """Antman EM et al. JAMA 2000;284:835-42: seven items of one point, age >= 65."""
    return {"total": sum((age >= 65, fdr3, stenose, aspirine, angor2, st, marqueur))}


def rcri_lee(
    *,
    creatinine: Fraction,
    chirurgie_risque: bool = False,
    coronaropathie: bool = False,
    ic: bool = False,
    avc_ait: bool = False,
    insuline: bool = False,
) -> Outputs:
    """Lee TH et al. Circulation 1999;100:1043-9: six items, creatinine > 2.0 mg/dL (177 µmol/L)."""
    return {
        "total": sum((chirurgie_risque, coronaropathie, ic, avc_ait, insuline, creatinine > 177))
    }


def grace(
    *,
    age: Fraction,
    killip: Fraction,
    pas: Fraction,
    fc: Fraction,
    creatinine: Fraction,
    arret: bool = False,
    st: bool = False,
    enzymes: bool = False,
) -> Outputs:
    """Granger CB et al. (GRACE). Arch Intern Med 2003;163:2345-53, nomogram of figure 4."""
    mg_dl = creatinine / CREATININE_UMOL_PER_MG_DL
    points = (0, 20, 39, 59)[int(killip) - 1]
    points += (58, 53, 43, 34, 24, 10, 0)[steps(pas, 80, 100, 120, 140, 160, 200)]
    points += (0, 3, 9, 15, 24, 38, 46)[steps(fc, 50, 70, 90, 110, 150, 200)]
    points += (0, 8, 25, 41, 58, 75, 91, 100)[steps(age, 30, 40, 50, 60, 70, 80, 90)]
    points += (1, 4, 7, 10, 13, 21, 28)[
        steps(mg_dl, Fraction("0.4"), Fraction("0.8"), Fraction("1.2"), Fraction("1.6"), 2, 4)
    ]
    return {"total": points + 39 * arret + 28 * st + 14 * enzymes}


def score2(
    *, age: Fraction, sexe: str, pas: Fraction, ct: Fraction, hdl: Fraction, tabac: bool = False
) -> Outputs:
    """SCORE2 working group. Eur Heart J 2021;42:2439-54, supplementary tables 2 and 4, low risk.

    The abstract's example (50 y, smoker, 140 mmHg, 5.5 and 1.3 mmol/L): 5.9 % (M), 4.2 % (F).
    """
    years, pressure = float(age - 60) / 5, float(pas - 120) / 20
    total, good = (
        float(ct / Fraction("0.3867")) - 6,
        (float(hdl / Fraction("0.3867")) - 1.3) / 0.5,
    )
    if sexe == "H":
        main = (0.3742, 0.6012, 0.2777, 0.1458, -0.2698)
        with_age = (-0.0755, -0.0255, -0.0281, 0.0426)
        survival, scale1, scale2 = 0.9605, -0.5699, 0.7476
    else:
        main = (0.4648, 0.7744, 0.3131, 0.1002, -0.2606)
        with_age = (-0.1088, -0.0277, -0.0226, 0.0613)
        survival, scale1, scale2 = 0.9776, -0.7380, 0.7019
    terms = (float(tabac), pressure, total, good)
    linear = main[0] * years + sum(b * x for b, x in zip(main[1:], terms, strict=True))
    linear += years * sum(b * x for b, x in zip(with_age, terms, strict=True))
    uncalibrated = 1 - survival ** math.exp(linear)
    calibrated = 1 - math.exp(-math.exp(scale1 + scale2 * math.log(-math.log(1 - uncalibrated))))
    return {"score2": 100 * calibrated}


def abcd2(
    *,
    age: Fraction,
    pas: Fraction,
    pad: Fraction,
    clinique: str,
    duree: Fraction,
    diabete: bool = False,
) -> Outputs:
    """Johnston SC et al. Lancet 2007;369:283-92: >= 60 y, >= 140/90, deficit 2 or speech 1,
    >= 60 min 2 or 10-59 min 1, diabetes 1."""
    clinical = {"deficit": 2, "parole": 1, "autre": 0}[clinique]
    pressure = pas >= 140 or pad >= 90
    return {"total": (age >= 60) + pressure + clinical + steps(duree, 10, 60) + diabete}
