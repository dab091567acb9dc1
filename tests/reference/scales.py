"""Questionnaires and scales that add their items (see common.py: written without sight)."""

from fractions import Fraction

from reference.common import Outputs, steps


def nihss(
    *,
    a1: Fraction,
    b1: Fraction,
    c1: Fraction,
    i2: Fraction,
    i3: Fraction,
    i4: Fraction,
    i5g: Fraction,
    i5d: Fraction,
    i6g: Fraction,
    i6d: Fraction,
    i7: Fraction,
    i8: Fraction,
    i9: Fraction,
    i10: Fraction,
    i11: Fraction,
) -> Outputs:
    """Brott T et al. Stroke 1989;20:864-70 (current 15-item form, 0-42): the sum."""
    limbs = i5g + i5d + i6g + i6d
    return {"nihss": a1 + b1 + c1 + i2 + i3 + i4 + limbs + i7 + i8 + i9 + i10 + i11}


def mmse(
    *,
    orientation_t: Fraction,
    orientation_e: Fraction,
    apprentissage: Fraction,
    calcul: Fraction,
    rappel: Fraction,
    langage: Fraction,
    praxies: Fraction,
) -> Outputs:
    """Folstein MF, Folstein SE, McHugh PR. J Psychiatr Res 1975;12:189-98: the sum, 0-30."""
    orientation = orientation_t + orientation_e
    return {"mmse": orientation + apprentissage + calcul + rappel + langage + praxies}


def barthel(
    *,
    selles: Fraction,
    urines: Fraction,
    toilette: Fraction,
    wc: Fraction,
    repas: Fraction,
    transferts: Fraction,
    mobilite: Fraction,
    habillage: Fraction,
    escaliers: Fraction,
    bain: Fraction,
) -> Outputs:
    """Mahoney FI, Barthel DW. Md State Med J 1965;14:61-5: the sum, 0-100."""
    care = selles + urines + toilette + wc + repas + bain + habillage
    return {"barthel": care + transferts + mobilite + escaliers}


def adl_katz(
    *,
    hygiene: Fraction,
    habillage: Fraction,
    toilettes: Fraction,
    locomotion: Fraction,
    continence: Fraction,
    repas: Fraction,
) -> Outputs:
    """Katz S et al. JAMA 1963;185:914-9, scored 0, 0.5, 1 an item: the sum, 0-6."""
    return {"total": hygiene + habillage + toilettes + locomotion + continence + repas}


def phq9(
    *,
    q1: Fraction,
    q2: Fraction,
    q3: Fraction,
    q4: Fraction,
    q5: Fraction,
    q6: Fraction,
    q7: Fraction,
    q8: Fraction,
    q9: Fraction,
) -> Outputs:
    """Kroenke K, Spitzer RL, Williams JB. J Gen Intern Med 2001;16:606-13: the sum; item 9."""
    return {"phq9": q1 + q2 + q3 + q4 + q5 + q6 + q7 + q8 + q9, "alerte_suicide": q9 > 0}


def audit_c(*, q1: Fraction, q2: Fraction, q3: Fraction, sexe: str) -> Outputs:
    """Bush K et al. Arch Intern Med 1998;158:1789-95 (men >= 4); Bradley KA et al. 2003 (women 3)."""
    total = q1 + q2 + q3
    return {"total": total, "positif": total >= (3 if sexe == "F" else 4)}


def fagerstrom(
    *,
    delai: Fraction,
    cig: Fraction,
    interdits: bool = False,
    premiere: bool = False,
    matin: bool = False,
    malade: bool = False,
) -> Outputs:
    """Heatherton TF et al. Br J Addict 1991;86:1119-27: within 5, 6-30, 31-60 min: 3, 2, 1;
    10 or less, 11-20, 21-30, 31 or more a day: 0 to 3; four items of one point."""
    delay = (delai <= 5) + (delai <= 30) + (delai <= 60)
    return {"total": delay + steps(cig, 11, 21, 31) + interdits + premiere + matin + malade}


def mini_gds(
    *,
    decourage: bool = False,
    vie_vide: bool = False,
    pas_heureux: bool = False,
    desespere: bool = False,
) -> Outputs:
    """Clément JP et al. Encephale 1997;23:91-9: four items of one point, 1 or more is positive."""
    return {"total": decourage + vie_vide + pas_heureux + desespere}
