"""Thromboembolism and lungs (see common.py: written without sight)."""

from fractions import Fraction

from reference.common import Outputs, steps


def wells_ep(
    *,
    fc: Fraction,
    signes_tvp: bool = False,
    ep_probable: bool = False,
    immobilisation_chirurgie: bool = False,
    atcd_mtev: bool = False,
    hemoptysie: bool = False,
    cancer: bool = False,
) -> Outputs:
    """Wells PS et al. Thromb Haemost 2000;83:416-20: 3, 3, 1.5 (> 100/min), 1.5, 1.5, 1, 1."""
    half = (fc > 100) + immobilisation_chirurgie + atcd_mtev
    return {"total": 3 * (signes_tvp + ep_probable) + Fraction("1.5") * half + hemoptysie + cancer}


def wells_tvp(
    *,
    cancer: bool = False,
    paralysie_platre: bool = False,
    alitement_chirurgie: bool = False,
    sensibilite: bool = False,
    oedeme_membre: bool = False,
    mollet3: bool = False,
    godet: bool = False,
    collaterales: bool = False,
    atcd_tvp: bool = False,
    autre_diag: bool = False,
) -> Outputs:
    """Wells PS et al. N Engl J Med 2003;349:1227-35: nine items of one point, alternative -2."""
    signs = (cancer, paralysie_platre, alitement_chirurgie, sensibilite, oedeme_membre, mollet3)
    return {"total": sum(signs) + godet + collaterales + atcd_tvp - 2 * autre_diag}


def geneve_revise(
    *,
    age: Fraction,
    fc: Fraction,
    atcd_mtev: bool = False,
    chirurgie_fracture: bool = False,
    cancer: bool = False,
    douleur_unilat: bool = False,
    hemoptysie: bool = False,
    palpation_oedeme: bool = False,
) -> Outputs:
    """Le Gal G et al. Ann Intern Med 2006;144:165-71: age > 65 1, previous 3, surgery 2, cancer 2,
    pain 3, haemoptysis 2, 75-94/min 3, >= 95/min 5, palpation and oedema 4."""
    points = (age > 65) + 3 * (atcd_mtev + douleur_unilat) + 4 * palpation_oedeme
    points += 2 * (chirurgie_fracture + cancer + hemoptysie)
    return {"total": points + (0, 3, 5)[steps(fc, 75, 95)]}


def geneve_simplifie(
    *,
    age: Fraction,
    fc: Fraction,
    atcd_mtev: bool = False,
    chirurgie_fracture: bool = False,
    cancer: bool = False,
    douleur_unilat: bool = False,
    hemoptysie: bool = False,
    palpation_oedeme: bool = False,
) -> Outputs:
    """Klok FA et al. Arch Intern Med 2008;168:2131-6: one point each, >= 95/min one more."""
    points = (age > 65) + atcd_mtev + chirurgie_fracture + cancer
    return {"total": points + douleur_unilat + hemoptysie + palpation_oedeme + steps(fc, 75, 95)}


def spesi(
    *,
    age: Fraction,
    fc: Fraction,
    pas: Fraction,
    spo2: Fraction,
    cancer: bool = False,
    cardio_resp: bool = False,
) -> Outputs:
    """Jiménez D et al. Arch Intern Med 2010;170:1383-9: > 80 y, >= 110/min, < 100 mmHg, < 90 %."""
    return {"total": (age > 80) + cancer + cardio_resp + (fc >= 110) + (pas < 100) + (spo2 < 90)}


def perc(
    *,
    age: Fraction,
    fc: Fraction,
    spo2: Fraction,
    oedeme_unilat: bool = False,
    hemoptysie: bool = False,
    chirurgie_trauma: bool = False,
    atcd_mtev: bool = False,
    oestrogenes: bool = False,
) -> Outputs:
    """Kline JA et al. J Thromb Haemost 2004;2:1247-55: ruled out if < 50 y, < 100/min, > 94 %."""
    measured = (age >= 50) + (fc >= 100) + (spo2 < 95)
    told = oedeme_unilat + hemoptysie + chirurgie_trauma + atcd_mtev + oestrogenes
    return {"total": measured + told}


def crb65(
    *, age: Fraction, fr: Fraction, pas: Fraction, pad: Fraction, confusion: bool = False
) -> Outputs:
    """Lim WS et al. Thorax 2003;58:377-82: confusion, >= 30/min, < 90 or <= 60 mmHg, >= 65 y."""
    return {"total": confusion + (fr >= 30) + (pas < 90 or pad <= 60) + (age >= 65)}


def curb65(
    *,
    age: Fraction,
    uree: Fraction,
    fr: Fraction,
    pas: Fraction,
    pad: Fraction,
    confusion: bool = False,
) -> Outputs:
    """Lim WS et al. Thorax 2003;58:377-82: CRB-65 and urea > 7 mmol/L."""
    low = pas < 90 or pad <= 60
    return {"total": confusion + (uree > 7) + (fr >= 30) + low + (age >= 65)}


def gradient_aa(
    *, age: Fraction, pao2: Fraction, paco2: Fraction, fio2: Fraction, patm: Fraction
) -> Outputs:
    """Alveolar gas equation (Fenn WO, Rahn H, Otis AB. Am J Physiol 1946;146:637-53), R 0.8.

    Water vapour 47 mmHg. Expected for age: age / 4 + 4.
    """
    alveolar = fio2 * (patm - 47) - paco2 / Fraction("0.8")
    return {"pao2_alv": alveolar, "gradient": alveolar - pao2, "attendu": age / 4 + 4}


def pf_berlin(*, pao2: Fraction, fio2: Fraction) -> Outputs:
    """ARDS Definition Task Force. JAMA 2012;307:2526-33."""
    return {"pf": pao2 / fio2}


def light(
    *, prot_pl: Fraction, prot_s: Fraction, ldh_pl: Fraction, ldh_s: Fraction, ldh_lsn: Fraction
) -> Outputs:
    """Light RW et al. Ann Intern Med 1972;77:507-13: > 0.5, > 0.6, > two thirds of the ULN."""
    protein, ldh = prot_pl / prot_s, ldh_pl / ldh_s
    met = (
        (protein > Fraction("0.5")) + (ldh > Fraction("0.6")) + (ldh_pl > ldh_lsn * Fraction(2, 3))
    )
    return {"rapport_prot": protein, "rapport_ldh": ldh, "criteres": met}


def mcisaac(
    *,
    age: Fraction,
    fievre: bool = False,
    absence_toux: bool = False,
    adenopathies: bool = False,
    amygdales: bool = False,
) -> Outputs:
    """McIsaac WJ et al. CMAJ 1998;158:75-83 (3-14 y +1, >= 45 y -1); Centor RM et al. 1981."""
    centor = fievre + absence_toux + adenopathies + amygdales
    return {"total": centor + 1 - steps(age, 15, 45), "centor": centor}
