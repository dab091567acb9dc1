"""Liver, gut and pancreas (see common.py: written without sight)."""

import math
from fractions import Fraction

from reference.common import (
    BILIRUBIN_UMOL_PER_MG_DL,
    CREATININE_UMOL_PER_MG_DL,
    Outputs,
    clamp,
    half_up,
    steps,
)


def apri(*, asat: Fraction, asat_lsn: Fraction, plaquettes: Fraction) -> Outputs:
    """Wai CT et al. Hepatology 2003;38:518-26: (AST / ULN) x 100 / platelets (G/L)."""
    return {"apri": asat / asat_lsn * 100 / plaquettes}


def fib4(*, age: Fraction, asat: Fraction, alat: Fraction, plaquettes: Fraction) -> Outputs:
    """Sterling RK et al. Hepatology 2006;43:1317-25: age x AST / (platelets x sqrt(ALT))."""
    return {"fib4": float(age * asat / plaquettes) / math.sqrt(alat)}


def maddrey(*, tq_patient: Fraction, tq_temoin: Fraction, bili: Fraction) -> Outputs:
    """Carithers RL et al. Ann Intern Med 1989;110:685-90: 4.6 x prolongation + bilirubin (mg/dL)."""
    return {"maddrey": Fraction("4.6") * (tq_patient - tq_temoin) + bili / BILIRUBIN_UMOL_PER_MG_DL}


def _logs(
    bili: Fraction, inr: Fraction, creatinine: Fraction, *, dialyse: bool, cap: int
) -> tuple[float, ...]:
    """Return ln bilirubin, ln INR, ln creatinine (mg/dL), floors at 1 and creatinine capped."""
    creat = (
        Fraction(cap)
        if dialyse
        else clamp(creatinine / CREATININE_UMOL_PER_MG_DL, Fraction(1), Fraction(cap))
    )
    return (
        math.log(max(bili / BILIRUBIN_UMOL_PER_MG_DL, Fraction(1))),
        math.log(max(inr, Fraction(1))),
        math.log(creat),
    )


def _meld(bili: Fraction, inr: Fraction, creatinine: Fraction, *, dialyse: bool) -> float:
    """Kamath PS et al. Hepatology 2001;33:464-70, with the UNOS bounds (Wiesner 2003)."""
    ln_bili, ln_inr, ln_creat = _logs(bili, inr, creatinine, dialyse=dialyse, cap=4)
    return 3.78 * ln_bili + 11.2 * ln_inr + 9.57 * ln_creat + 6.43


def meld(*, bili: Fraction, inr: Fraction, creatinine: Fraction, dialyse: bool = False) -> Outputs:
    """Wiesner R et al. Gastroenterology 2003;124:91-6 (UNOS): rounded, 6 to 40."""
    raw = _meld(bili, inr, creatinine, dialyse=dialyse)
    return {"meld_brut": raw, "meld": min(half_up(raw), 40)}


def meld_na(
    *, bili: Fraction, inr: Fraction, creatinine: Fraction, na: Fraction, dialyse: bool = False
) -> Outputs:
    """OPTN/UNOS policy 9.1.D (11 January 2016); Kim WR et al. N Engl J Med 2008;359:1018-26.

    UNOS: MELD(i) rounded, then if > 11: + 1.32 (137 - Na) - 0.033 MELD(i) (137 - Na), Na 125-137,
    at most 40. Kim: MELD - Na - 0.025 MELD (140 - Na) + 140, Na 125-140, on the allocation MELD
    ("on a scale of 6 to 40").
    """
    raw = _meld(bili, inr, creatinine, dialyse=dialyse)
    initial = half_up(raw)
    unos: float = initial
    if initial > 11:
        lack = float(137 - clamp(na, Fraction(125), Fraction(137)))
        unos = initial + 1.32 * lack - 0.033 * initial * lack
    score = min(initial, 40)
    lack140 = float(140 - clamp(na, Fraction(125), Fraction(140)))
    return {
        "meld_na_brut": unos,
        "meld_na": min(half_up(unos), 40),
        "kim2008": score + lack140 - 0.025 * score * lack140,
    }


def meld_3(
    *,
    bili: Fraction,
    inr: Fraction,
    creatinine: Fraction,
    na: Fraction,
    albumine: Fraction,
    sexe: str,
    dialyse: bool = False,
) -> Outputs:
    """Kim WR et al. Gastroenterology 2021;161:1887-95, MELD 3.0 with albumin.

    Na 125-137 mmol/L, albumin 1.5-3.5 g/dL, creatinine 1.0-3.0 mg/dL (dialysis: 3.0).
    """
    ln_bili, ln_inr, ln_creat = _logs(bili, inr, creatinine, dialyse=dialyse, cap=3)
    lack_na = float(137 - clamp(na, Fraction(125), Fraction(137)))
    lack_alb = 3.5 - float(clamp(albumine / 10, Fraction("1.5"), Fraction("3.5")))
    raw = 1.33 * (sexe == "F") + 4.56 * ln_bili + 0.82 * lack_na - 0.24 * lack_na * ln_bili
    raw += 9.09 * ln_inr + 11.14 * ln_creat + 1.85 * lack_alb - 1.83 * lack_alb * ln_creat + 6
    return {"meld3_brut": raw, "meld3": min(half_up(raw), 40)}


def _pugh(points: int, albumine: Fraction, ascite: str, encephalopathie: Fraction) -> int:
    """Add albumin (> 35, 28-35, < 28 g/L), ascites and encephalopathy (none, 1-2, 3-4)."""
    points += 1 if albumine > 35 else 2 if albumine >= 28 else 3
    points += 1 + ("absente", "moderee", "tendue").index(ascite)
    return points + 1 + steps(encephalopathie, 1, 3)


def _three(value: Fraction, low: Fraction | int, high: Fraction | int) -> int:
    """Return 1 below `low`, 2 from `low` to `high`, 3 above `high`."""
    return 1 if value < low else 2 if value <= high else 3


def child_pugh(
    *, bili: Fraction, albumine: Fraction, inr: Fraction, ascite: str, encephalopathie: Fraction
) -> Outputs:
    """Pugh RN et al. Br J Surg 1973;60:646-9 (2 and 3 mg/100 mL: 35 and 50 µmol/L in French tables).

    INR 1.7 and 2.3 stand for the prolonged prothrombin time."""
    points = _three(bili, 35, 50) + _three(inr, Fraction("1.7"), Fraction("2.3"))
    return {"total": _pugh(points, albumine, ascite, encephalopathie)}


def child_pugh_cholestase(
    *, bili: Fraction, albumine: Fraction, inr: Fraction, ascite: str, encephalopathie: Fraction
) -> Outputs:
    """Pugh 1973, line for primary biliary cirrhosis: 4 and 10 mg/100 mL (68 and 170 µmol/L)."""
    points = _three(bili, 68, 170) + _three(inr, Fraction("1.7"), Fraction("2.3"))
    return {"total": _pugh(points, albumine, ascite, encephalopathie)}


def child_pugh_tp(
    *, bili: Fraction, albumine: Fraction, tp: Fraction, ascite: str, encephalopathie: Fraction
) -> Outputs:
    """HAS, Cirrhose (ALD 30, 2008), after Pugh 1973: bilirubin 35, 50 µmol/L; TP > 50, 40-50, < 40."""
    points = _three(bili, 35, 50) + (1 if tp > 50 else 2 if tp >= 40 else 3)
    return {"total": _pugh(points, albumine, ascite, encephalopathie)}


def glasgow_blatchford(
    *,
    uree: Fraction,
    hb: Fraction,
    sexe: str,
    pas: Fraction,
    fc: Fraction,
    melena: bool = False,
    syncope: bool = False,
    hepatopathie: bool = False,
    ic: bool = False,
) -> Outputs:
    """Blatchford O, Murray WR, Blatchford M. Lancet 2000;356:1318-21.

    Urea 6.5, 8, 10, 25 mmol/L: 2, 3, 4, 6; Hb men < 13 1, < 12 3, < 10 6, women < 12 1, < 10 6;
    systolic < 110 1, < 100 2, < 90 3; pulse >= 100 1; melaena 1; syncope, liver, heart 2 each.
    """
    points = (0, 2, 3, 4, 6)[steps(uree, Fraction("6.5"), 8, 10, 25)]
    points += (6, 3, 1, 0)[steps(hb, 10, 12, 13)] if sexe == "H" else (6, 1, 0)[steps(hb, 10, 12)]
    points += 3 - steps(pas, 90, 100, 110)
    return {"total": points + (fc >= 100) + melena + 2 * (syncope + hepatopathie + ic)}


def ranson(
    *,
    age: Fraction,
    gb: Fraction,
    glycemie: Fraction,
    ldh: Fraction,
    asat: Fraction,
    ht: bool = False,
    uree48: bool = False,
    ca: bool = False,
    pao2: bool = False,
    bd: bool = False,
    sequestration: bool = False,
) -> Outputs:
    """Ranson JH et al. Surg Gynecol Obstet 1974;139:69-81: > 55 y, > 16 G/L, > 200 mg/dL (11
    mmol/L in SI tables), LDH > 350, AST > 250; six items at 48 h."""
    first = (age > 55) + (gb > 16) + (glycemie > 11) + (ldh > 350) + (asat > 250)
    return {"total": first + ht + uree48 + ca + pao2 + bd + sequestration}


def bisap(
    *,
    uree: Fraction,
    age: Fraction,
    conscience: bool = False,
    sirs: bool = False,
    pleural: bool = False,
) -> Outputs:
    """Wu BU et al. Gut 2008;57:1698-703: BUN > 25 mg/dL (8.9 mmol/L urea), age > 60."""
    return {"total": (uree > Fraction("8.9")) + (age > 60) + conscience + sirs + pleural}
