"""Molar masses (g/mol) and physical units: the bank's conversion factors, from first principles.

IUPAC atomic masses (2021). A factor of the bank is a usual rounding of these, never more than
0.25 % away.
"""

from fractions import Fraction

CREATININE, BILIRUBIN = Fraction("113.12"), Fraction("584.66")
GLUCOSE, UREA, NITROGEN = Fraction("180.156"), Fraction("60.056"), Fraction("14.007")
CALCIUM, CHOLESTEROL, TRIOLEIN = Fraction("40.078"), Fraction("386.65"), Fraction("885.4")
HAEMOGLOBIN_MONOMER = Fraction(16114)

FACTORS: dict[tuple[str, str], Fraction] = {
    ("creatinine", "mg/dL"): 10_000 / CREATININE,
    ("creatinine", "mg/L"): 1000 / CREATININE,
    ("creatinine", "mmol/L"): Fraction(1000),
    ("creatinine_u", "µmol/L"): Fraction(1, 1000),
    ("creatinine_u", "mg/dL"): 10 / CREATININE,
    ("creatinine_u", "g/L"): 1000 / CREATININE,
    ("creatinine_u", "mg/L"): 1 / CREATININE,
    ("bilirubine", "mg/dL"): 10_000 / BILIRUBIN,
    ("bilirubine", "mg/L"): 1000 / BILIRUBIN,
    ("glucose", "g/L"): 1000 / GLUCOSE,
    ("glucose", "mg/dL"): 10 / GLUCOSE,
    ("uree", "g/L"): 1000 / UREA,
    ("uree", "mg/dL d’urée"): 10 / UREA,
    ("uree", "BUN mg/dL"): 10 / (2 * NITROGEN),
    ("calcium", "mg/L"): 1 / CALCIUM,
    ("calcium", "mg/dL"): 10 / CALCIUM,
    ("cholesterol", "mmol/L"): CHOLESTEROL / 1000,
    ("cholesterol", "mg/dL"): Fraction(1, 100),
    ("triglycerides", "mmol/L"): TRIOLEIN / 1000,
    ("triglycerides", "mg/dL"): Fraction(1, 100),
    ("hemoglobine", "mmol/L"): HAEMOGLOBIN_MONOMER / 10_000,
    ("hemoglobine", "g/L"): Fraction(1, 10),
    ("albumine", "g/dL"): Fraction(10),
    ("proteines", "g/dL"): Fraction(10),
    # 133.322 Pa to the millimetre of mercury; a katal is a mole a second, a unit a µmol a minute.
    ("pression", "kPa"): 1000 / Fraction("133.322"),
    ("pression", "cmHg"): Fraction(10),
    ("enzyme", "µkat/L"): Fraction(60),
    # WHO first international reference preparation as now used: 1 mU is 6.0 pmol.
    ("insuline", "pmol/L"): Fraction(1, 6),
}
