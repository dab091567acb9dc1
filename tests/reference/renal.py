"""Kidney function and injury, from the primary papers (see common.py: written without sight)."""

from fractions import Fraction

from reference.common import CREATININE_UMOL_PER_MG_DL, Outputs


def cockcroft_gault(*, age: Fraction, poids: Fraction, creatinine: Fraction, sexe: str) -> Outputs:
    """Cockcroft DW, Gault MH. Nephron 1976;16:31-41: (140 - age) x kg / (72 x mg/dL), x 0.85 (F).

    The French form (ANAES 2002) replaces 72 and 0.85 by 1.23 (men) and 1.04 (women) on µmol/L.
    """
    woman = sexe == "F"
    base = (140 - age) * poids
    original = base / (72 * creatinine / CREATININE_UMOL_PER_MG_DL)
    return {
        "clairance": base * (Fraction("1.04") if woman else Fraction("1.23")) / creatinine,
        "clairance_originale": original * (Fraction("0.85") if woman else 1),
    }


def ckd_epi_2009(*, age: Fraction, creatinine: Fraction, sexe: str) -> Outputs:
    """Levey AS et al. Ann Intern Med 2009;150:604-12, the single equation (non-Black)."""
    woman = sexe == "F"
    ratio = float(creatinine / CREATININE_UMOL_PER_MG_DL) / (0.7 if woman else 0.9)
    alpha = -0.329 if woman else -0.411
    gfr = 141 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.209 * 0.993 ** float(age)
    return {"dfg": gfr * (1.018 if woman else 1)}


def ckd_epi_2021(*, age: Fraction, creatinine: Fraction, sexe: str) -> Outputs:
    """Inker LA et al. N Engl J Med 2021;385:1737-49, creatinine equation without race."""
    woman = sexe == "F"
    ratio = float(creatinine / CREATININE_UMOL_PER_MG_DL) / (0.7 if woman else 0.9)
    alpha = -0.241 if woman else -0.302
    gfr = 142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.200 * 0.9938 ** float(age)
    return {"dfg": gfr * (1.012 if woman else 1)}


def mdrd4(*, age: Fraction, creatinine: Fraction, sexe: str) -> Outputs:
    """Levey AS et al. Ann Intern Med 2006;145:247-54: 175 x Scr^-1.154 x age^-0.203 (x 0.742 F)."""
    scr = float(creatinine / CREATININE_UMOL_PER_MG_DL)
    return {"dfg": 175 * scr**-1.154 * float(age) ** -0.203 * (0.742 if sexe == "F" else 1)}


def schwartz_2009(
    *, age: Fraction | None = None, taille: Fraction, creatinine: Fraction
) -> Outputs:
    """Schwartz GJ et al. J Am Soc Nephrol 2009;20:629-37: 0.413 x cm / (mg/dL), 36.5 on µmol/L."""
    return {"dfg": Fraction("36.5") * taille / creatinine}


def clairance_mesuree(
    *, u_creat: Fraction, volume: Fraction, creatinine: Fraction, duree_h: Fraction
) -> Outputs:
    """Möller E, McIntosh JF, Van Slyke DD. J Clin Invest 1928;6:427-65: U x V / P."""
    flow_ml_min = volume / (duree_h * 60)
    return {"clairance": u_creat * 1000 * flow_ml_min / creatinine}


def fe_na(*, na_u: Fraction, na_p: Fraction, creat_u: Fraction, creatinine: Fraction) -> Outputs:
    """Espinel CH. JAMA 1976;236:579-81: (UNa x PCr) / (PNa x UCr), in %."""
    return {"fena": 100 * (na_u * creatinine / 1000) / (na_p * creat_u)}


def fe_uree(
    *, uree_u: Fraction, uree_p: Fraction, creat_u: Fraction, creatinine: Fraction
) -> Outputs:
    """Carvounis CP, Nisar S, Guro-Razuman S. Kidney Int 2002;62:2223-9."""
    return {"feuree": 100 * (uree_u * creatinine / 1000) / (uree_p * creat_u)}


def deficit_hydrique(*, poids: Fraction, na_p: Fraction, coef: Fraction) -> Outputs:
    """Adrogué HJ, Madias NE. N Engl J Med 2000;342:1493-9: body water x (Na / 140 - 1)."""
    return {"deficit": poids * coef * (na_p / 140 - 1)}


def kdigo_ira(
    *,
    creatinine: Fraction,
    creat_base: Fraction,
    diurese_ml_kg_h: Fraction | None = None,
    duree_oligurie_h: Fraction | None = None,
    anurie_h: Fraction | None = None,
    eer: bool = False,
) -> Outputs:
    """KDIGO AKI Work Group. Kidney Int Suppl 2012;2:1-138, table 2.

    1: x 1.5-1.9 or + 26.5 µmol/L, or < 0.5 mL/kg/h for 6 h; 2: x 2.0-2.9, or < 0.5 for 12 h;
    3: x 3.0, or >= 353.6 µmol/L once the creatinine-based change of the definition is achieved
    (chapter 2.1), dialysis, < 0.3 for 24 h, anuria 12 h.
    """
    ratio = creatinine / creat_base
    injured = ratio >= Fraction("1.5") or creatinine - creat_base >= Fraction("26.5")
    stage = 1 if injured else 0
    if ratio >= 2:
        stage = 2
    if ratio >= 3 or eer or (injured and creatinine >= Fraction("353.6")):
        stage = 3
    if diurese_ml_kg_h is not None and duree_oligurie_h is not None:
        if diurese_ml_kg_h < Fraction("0.5"):
            stage = max(stage, (duree_oligurie_h >= 6) + (duree_oligurie_h >= 12))
        if diurese_ml_kg_h < Fraction("0.3") and duree_oligurie_h >= 24:
            stage = 3
    if anurie_h is not None and anurie_h >= 12:
        stage = 3
    return {"stade": stage}
