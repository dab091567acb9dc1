"""Body measures, children, pregnancy, burns, intake (see common.py: written without sight)."""

import calendar
import math
from datetime import date, timedelta
from fractions import Fraction

from reference.common import Outputs, clamp, steps


def imc(*, poids: Fraction, taille: Fraction) -> Outputs:
    """Keys A et al. J Chronic Dis 1972;25:329-43: kg / m²."""
    return {"imc": poids / (taille / 100) ** 2}


def surface_dubois(*, poids: Fraction, taille: Fraction) -> Outputs:
    """Du Bois D, Du Bois EF. Arch Intern Med 1916;17:863-71: 71.84 cm² x kg^0.425 x cm^0.725."""
    return {"sc": 71.84 * float(poids) ** 0.425 * float(taille) ** 0.725 / 10_000}


def surface_mosteller(*, poids: Fraction, taille: Fraction) -> Outputs:
    """Mosteller RD. N Engl J Med 1987;317:1098: square root of kg x cm / 3600."""
    return {"sc": math.sqrt(poids * taille / 3600)}


def poids_ideal_lorentz(*, taille: Fraction, sexe: str) -> Outputs:
    """Lorentz FH. Klin Wochenschr 1929;8:348-51 (4; women 2.5 in French use); ARDSNet 2000.

    ARDS Network. N Engl J Med 2000;342:1301-8: 50 (45.5 F) + 0.91 x (cm - 152.4).
    """
    woman = sexe == "F"
    return {
        "lorentz": taille - 100 - (taille - 150) / (Fraction("2.5") if woman else 4),
        "pbw": (Fraction("45.5") if woman else 50)
        + Fraction("0.91") * (taille - Fraction("152.4")),
    }


def besoins_421(*, poids: Fraction) -> Outputs:
    """Holliday MA, Segar WE. Pediatrics 1957;19:823-32: 100, 50, 20 kcal/kg (mL); 4-2-1 mL/kg/h."""
    first, second = min(poids, Fraction(10)), clamp(poids - 10, Fraction(0), Fraction(10))
    rest = max(poids - 20, Fraction(0))
    return {
        "debit": 4 * first + 2 * second + rest,
        "jour": 100 * first + 50 * second + 20 * rest,
    }


def parkland(*, poids: Fraction, scb: Fraction, heures: Fraction | None = None) -> Outputs:
    """Baxter CR, Shires T. Ann N Y Acad Sci 1968;150:874-94: 4 mL x kg x %, half in 8 h."""
    day = 4 * poids * scb
    outputs: Outputs = {"v24": day, "v8": day / 2}
    if heures is not None and heures < 8:
        outputs["debit8"] = (day / 2) / (8 - heures)
    return outputs


def alcool_verres(*, volume: Fraction, degre: Fraction) -> Outputs:
    """Density of ethanol 0.8 g/mL; French standard drink 10 g (Inpes/INCa guidance)."""
    grams = volume * degre / 100 * Fraction("0.8")
    return {"grammes": grams, "verres": grams / 10}


def paquets_annees(*, cig_jour: Fraction, annees: Fraction) -> Outputs:
    """Doll R, Peto R. J Epidemiol Community Health 1978;32:303-13 (dose); a pack is 20."""
    return {"pa": cig_jour / 20 * annees}


def apgar(
    *,
    fc: Fraction,
    respiration: Fraction,
    tonus: Fraction,
    reactivite: Fraction,
    coloration: Fraction,
) -> Outputs:
    """Apgar V. Curr Res Anesth Analg 1953;32:260-7: rate absent 0, under 100 1, 100 and over 2."""
    rate = 0 if fc == 0 else 1 + steps(fc, 100)
    return {"total": rate + respiration + tonus + reactivite + coloration}


def bishop(
    *,
    dilatation: Fraction,
    effacement: Fraction,
    consistance: str,
    position: str,
    station: Fraction,
) -> Outputs:
    """Bishop EH. Obstet Gynecol 1964;24:266-8.

    Dilatation 0, 1-2, 3-4, 5-6; effacement 0-30, 40-50, 60-70, 80; station -3, -2, -1/0, +1/+2.
    """
    return {
        "total": steps(dilatation, 1, 3, 5)
        + steps(effacement, 40, 60, 80)
        + steps(station, -2, -1, 1)
        + ("ferme", "moyenne", "molle").index(consistance)
        + ("posterieure", "intermediaire", "anterieure").index(position)
    }


def _add_months(day: date, months: int) -> date:
    """Return the same day of another month, or that month's last day where it has no such day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def terme(*, ddr: date, date_jour: date | None = None) -> Outputs:
    """Naegele FK. Lehrbuch der Geburtshülfe, 1830 (280 d; + 7 d - 3 months); CNGOF: 41 SA (287 d).

    The pregnancy starts 14 days after the last period; French civil count: + 9 months from there.
    """
    conception = ddr + timedelta(days=14)
    outputs: Outputs = {
        "debut_grossesse": conception,
        "terme_fr": ddr + timedelta(days=287),
        "terme_fr_calendaire": _add_months(conception, 9),
        "terme_naegele": ddr + timedelta(days=280),
        "terme_naegele_calendaire": _add_months(ddr + timedelta(days=7), 9),
    }
    if date_jour is not None:
        outputs["sa"], outputs["sa_jours"] = divmod((date_jour - ddr).days, 7)
    return outputs
