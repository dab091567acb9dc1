"""Emergency and intensive care severity (see common.py: written without sight)."""

import math
from fractions import Fraction

from reference.common import Outputs, steps


def glasgow(*, y: Fraction, v: Fraction, m: Fraction) -> Outputs:
    """Teasdale G, Jennett B. Lancet 1974;2:81-4 (six-point motor scale of 1976): the sum."""
    return {"total": y + v + m}


def qsofa(*, fr: Fraction, pas: Fraction, gcs: Fraction) -> Outputs:
    """Singer M et al. (Sepsis-3). JAMA 2016;315:801-10: >= 22/min, <= 100 mmHg, GCS < 15."""
    return {"total": (fr >= 22) + (pas <= 100) + (gcs < 15)}


def sofa(
    *,
    pf: Fraction,
    plaquettes: Fraction,
    bili: Fraction,
    pam: Fraction,
    gcs: Fraction,
    creatinine: Fraction,
    ventilation: bool = False,
    vaso: Fraction = Fraction(0),
    diurese_24h: Fraction | None = None,
) -> Outputs:
    """Vincent JL et al. Intensive Care Med 1996;22:707-10, table 3, its µmol/L columns.

    Bilirubin 20-32, 33-101, 102-204, > 204; creatinine 110-170, 171-299, 300-440, > 440 or urine
    < 500, < 200 mL; PaO2/FiO2 < 400, < 300, then < 200 and < 100 with respiratory support only.
    """
    lungs = (pf < 400) + (pf < 300)
    if ventilation:
        lungs += (pf < 200) + (pf < 100)
    blood = 4 - steps(plaquettes, 20, 50, 100, 150)
    liver = steps(bili, 20, 33, 102) + (bili > 204)
    heart = max(int(vaso), int(pam < 70))
    brain = 4 - steps(gcs, 6, 10, 13, 15)
    kidney = steps(creatinine, 110, 171, 300) + (creatinine > 440)
    if diurese_24h is not None:
        kidney = max(kidney, 4 if diurese_24h < 200 else 3 if diurese_24h < 500 else 0)
    return {"total": lungs + blood + liver + heart + brain + kidney}


def _saturation(spo2: Fraction, *, hypercapnic: bool, oxygen: bool) -> int:
    """Return the points of SpO2: scale 1 (92, 94, 96) or scale 2 (84, 86, 88; above with oxygen)."""
    if not hypercapnic:
        return 3 - steps(spo2, 92, 94, 96)
    if spo2 >= 88:
        return steps(spo2, 93, 95, 97) if oxygen else 0
    return 3 - steps(spo2, 84, 86)


def news2(
    *,
    fr: Fraction,
    spo2: Fraction,
    echelle: Fraction,
    pas: Fraction,
    fc: Fraction,
    temp: Fraction,
    oxygene: bool = False,
    conscience: bool = False,
) -> Outputs:
    """Royal College of Physicians. National Early Warning Score (NEWS) 2. London: RCP, 2017."""
    points = (3, 1, 0, 2, 3)[steps(fr, 9, 12, 21, 25)]
    points += _saturation(spo2, hypercapnic=echelle == 2, oxygen=oxygene)
    points += (3, 2, 1, 0, 3)[steps(pas, 91, 101, 111, 220)]
    points += (3, 1, 0, 1, 2, 3)[steps(fc, 41, 51, 91, 111, 131)]
    points += (3, 1, 0, 1, 2)[
        steps(temp, Fraction("35.1"), Fraction("36.1"), Fraction("38.1"), Fraction("39.1"))
    ]
    return {"total": points + 2 * oxygene + 3 * conscience}


def das28_vs(*, nad: Fraction, nag: Fraction, vs: Fraction, evs: Fraction) -> Outputs:
    """Prevoo ML et al. Arthritis Rheum 1995;38:44-8: 0.56 √T + 0.28 √S + 0.70 ln ESR + 0.014 GH."""
    joints = 0.56 * math.sqrt(nad) + 0.28 * math.sqrt(nag)
    return {"das28": joints + 0.70 * math.log(vs) + 0.014 * float(evs)}
