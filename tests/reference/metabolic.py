"""Electrolytes, glucose, lipids, iron (see common.py: written without sight)."""

from fractions import Fraction

from reference.common import Outputs


def calcium_corrige(*, ca: Fraction, albumine: Fraction) -> Outputs:
    """Payne RB et al. Br Med J 1973;4:643-6; slope 0.02 mmol/g: Br Med J 1977;1:598 (40 g/L)."""
    return {"ca_corrige": ca + Fraction("0.02") * (40 - albumine)}


def trou_anionique(
    *,
    na: Fraction,
    cl: Fraction,
    hco3: Fraction,
    albumine: Fraction,
    kalium: Fraction | None = None,
) -> Outputs:
    """Emmett M, Narins RG. Medicine 1977;56:38-54; Figge J et al. Crit Care Med 1998;26:1807-10.

    Figge: 0.25 mmol/L per g/L of albumin below normal (here 40 g/L).
    """
    gap = na - (cl + hco3)
    outputs: Outputs = {"ta": gap, "ta_corrige": gap + Fraction("0.25") * (40 - albumine)}
    if kalium is not None:
        outputs["ta_k"] = gap + kalium
    return outputs


def osmolalite(
    *, na: Fraction, glycemie: Fraction, uree: Fraction, osm_mesuree: Fraction | None = None
) -> Outputs:
    """Gennari FJ. N Engl J Med 1984;310:102-5: 2 Na + glucose + urea; urea is not effective."""
    tonicity = 2 * na + glycemie
    outputs: Outputs = {"osm": tonicity + uree, "tonicite": tonicity}
    if osm_mesuree is not None:
        outputs["trou_osm"] = osm_mesuree - (tonicity + uree)
    return outputs


def winter(*, hco3: Fraction, paco2: Fraction | None = None) -> Outputs:
    """Albert MS, Dell RB, Winters RW. Ann Intern Med 1967;66:312-22: 1.5 x HCO3 + 8 (± 2)."""
    expected = Fraction("1.5") * hco3 + 8
    outputs: Outputs = {
        "paco2_attendue": expected,
        "borne_basse": expected - 2,
        "borne_haute": expected + 2,
    }
    if paco2 is not None:
        outputs["ecart"] = paco2 - expected
    return outputs


def natremie_corrigee(*, na: Fraction, glycemie: Fraction) -> Outputs:
    """Katz MA. N Engl J Med 1973;289:843-4 (1.6); Hillier TA et al. Am J Med 1999;106:399-403 (2.4).

    Both per 100 mg/dL above 100 mg/dL, 1 g/L being 5.55 mmol/L. French use (CUEN): 0.3 per mmol/L
    above 5 mmol/L.
    """
    excess = glycemie / Fraction("5.55") - 1
    return {
        "na_corrigee": na + Fraction("0.3") * (glycemie - 5),
        "na_katz": na + Fraction("1.6") * excess,
        "na_hillier": na + Fraction("2.4") * excess,
    }


def hba1c_gme(*, hba1c: Fraction) -> Outputs:
    """Nathan DM et al. Diabetes Care 2008;31:1473-8; Hoelzel W et al. Clin Chem 2004;50:166-74.

    28.7 x A1c - 46.7 mg/dL; 1.59 x A1c - 2.59 mmol/L; NGSP = 0.0915 x IFCC + 2.15, published the
    other way round as IFCC = 10.929 x (NGSP - 2.15).
    """
    return {
        "gme_gl": (Fraction("28.7") * hba1c - Fraction("46.7")) / 100,
        "gme_mmol": Fraction("1.59") * hba1c - Fraction("2.59"),
        "ifcc": (hba1c - Fraction("2.15")) * Fraction("10.929"),
    }


def homa_ir(*, insuline: Fraction, glycemie: Fraction) -> Outputs:
    """Matthews DR et al. Diabetologia 1985;28:412-9: insulin (µU/mL) x glucose (mmol/L) / 22.5."""
    return {"homa": insuline * glycemie / Fraction("22.5")}


def ldl_friedewald(*, ct: Fraction, hdl: Fraction, tg: Fraction) -> Outputs:
    """Friedewald WT, Levy RI, Fredrickson DS. Clin Chem 1972;18:499-502: TC - HDL - TG / 5.

    Not above the triglycerides of French use (3.4 g/L, NSFA 2005); 1 g/L is 2.586 mmol/L.
    """
    ldl = ct - hdl - tg / 5
    outputs: Outputs = {"non_hdl": ct - hdl}
    if tg < Fraction("3.4"):
        outputs |= {"ldl": ldl, "ldl_mmol": ldl * Fraction("2.586")}
    return outputs


def ganzoni(*, poids: Fraction, hb: Fraction, hb_cible: Fraction, reserves: Fraction) -> Outputs:
    """Ganzoni AM. Schweiz Med Wochenschr 1970;100:301-3: kg x (target - Hb) x 2.4 + stores."""
    return {"deficit": poids * (hb_cible - hb) * Fraction("2.4") + reserves}
