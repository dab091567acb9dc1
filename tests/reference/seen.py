"""The second implementations written WITH SIGHT of the bank: they prove less than the others."""

from fractions import Fraction

from reference.common import Outputs


def poids_enfant(*, age_mois: Fraction) -> Outputs:
    """APLS 2011 (Advanced Life Support Group, 5th edition): written with sight of the bank."""
    years = age_mois / 12
    if years < 1:
        return {"poids": age_mois / 2 + 4}
    return {"poids": 2 * years + 8 if years < 6 else 3 * years + 7}
