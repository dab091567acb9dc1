"""Second implementations of the scores, table by table as the papers print them."""

from __future__ import annotations

from fakes.reference_tables import (
    MG_DL_CREATININE,
    Patient,
    Reference,
    Results,
    count,
    female,
    num,
    step,
)


def kdigo_ira(p: Patient) -> Results:
    """KDIGO 2012, table 2, creatinine and urine output."""
    now, base = num(p, "creatinine"), num(p, "creat_base")
    urine, oliguria = num(p, "diurese_ml_kg_h"), num(p, "duree_oligurie_h")
    aki = now / base >= 1.5 or now - base >= 26.5 or (urine < 0.5 and oliguria >= 6)
    stage = 1 if aki else 0
    if now / base >= 2 or (urine < 0.5 and oliguria >= 12):
        stage = 2
    if now / base >= 3 or (aki and now >= 354) or p["eer"]:
        stage = 3
    if (urine < 0.3 and oliguria >= 24) or num(p, "anurie_h") >= 12:
        stage = 3
    return {"stade": stage}


def cha2ds2_va(p: Patient) -> Results:
    """ESC 2024: one point each, two for age 75 and stroke."""
    single = count(p, "insuffisance_cardiaque", "hta", "diabete", "maladie_vasculaire")
    age = step(num(p, "age"), (65, 75), (0, 1, 2))
    return {"total": single + 2 * count(p, "avc_ait_embolie") + age}


def cha2ds2_vasc(p: Patient) -> Results:
    """Chest 2010."""
    without_sex = cha2ds2_va(p)["total"]
    return {"total": without_sex + female(p), "total_hors_sexe": without_sex}


def has_bled(p: Patient) -> Results:
    """Chest 2010: nine items, age above 65."""
    items = count(
        p,
        "hta_non_controlee",
        "renal",
        "hepatique",
        "avc",
        "saignement",
        "inr_labile",
        "medicaments",
        "alcool",
    )
    return {"total": items + (num(p, "age") > 65)}


def timi_st_moins(p: Patient) -> Results:
    """JAMA 2000: seven items."""
    items = count(p, "fdr3", "stenose", "aspirine", "angor2", "st", "marqueur")
    return {"total": items + (num(p, "age") >= 65)}


def grace(p: Patient) -> Results:
    """Arch Intern Med 2003, nomogram of in-hospital death."""
    total = float({1: 0, 2: 20, 3: 39, 4: 59}[int(num(p, "killip"))])
    total += step(num(p, "pas"), (80, 100, 120, 140, 160, 200), (58, 53, 43, 34, 24, 10, 0))
    total += step(num(p, "fc"), (50, 70, 90, 110, 150, 200), (0, 3, 9, 15, 24, 38, 46))
    total += step(num(p, "age"), (30, 40, 50, 60, 70, 80, 90), (0, 8, 25, 41, 58, 75, 91, 100))
    creatinine = round(num(p, "creatinine") / MG_DL_CREATININE, 9)  # 106.08 µmol/L is 1.2 mg/dL
    total += step(creatinine, (0.4, 0.8, 1.2, 1.6, 2, 4), (1, 4, 7, 10, 13, 21, 28))
    return {
        "total": total + 39 * count(p, "arret") + 28 * count(p, "st") + 14 * count(p, "enzymes")
    }


def wells_ep(p: Patient) -> Results:
    """Thromb Haemost 2000."""
    total = 3.0 * count(p, "signes_tvp", "ep_probable") + count(p, "hemoptysie", "cancer")
    total += 1.5 * (count(p, "immobilisation_chirurgie", "atcd_mtev") + (num(p, "fc") > 100))
    return {"total": total}


def wells_tvp(p: Patient) -> Results:
    """N Engl J Med 2003."""
    plus = count(
        p,
        "cancer",
        "paralysie_platre",
        "alitement_chirurgie",
        "sensibilite",
        "oedeme_membre",
        "mollet3",
        "godet",
        "collaterales",
        "atcd_tvp",
    )
    return {"total": plus - 2 * count(p, "autre_diag")}


def geneve_revise(p: Patient) -> Results:
    """Ann Intern Med 2006."""
    total = (num(p, "age") > 65) + 3 * count(p, "atcd_mtev", "douleur_unilat")
    total += 2 * count(p, "chirurgie_fracture", "cancer", "hemoptysie")
    total += 4 * count(p, "palpation_oedeme")
    return {"total": total + step(num(p, "fc"), (75, 95), (0, 3, 5))}


def geneve_simplifie(p: Patient) -> Results:
    """Arch Intern Med 2008: one point each, a second one from 95 beats a minute."""
    total = count(
        p,
        "atcd_mtev",
        "chirurgie_fracture",
        "cancer",
        "douleur_unilat",
        "hemoptysie",
        "palpation_oedeme",
    )
    return {"total": total + (num(p, "age") > 65) + (num(p, "fc") >= 75) + (num(p, "fc") >= 95)}


def perc(p: Patient) -> Results:
    """J Thromb Haemost 2004: criteria that are not met."""
    total = count(p, "oedeme_unilat", "hemoptysie", "chirurgie_trauma", "atcd_mtev", "oestrogenes")
    total += (not num(p, "age") < 50) + (not num(p, "fc") < 100) + (not num(p, "spo2") >= 95)
    return {"total": total}


def spesi(p: Patient) -> Results:
    """Arch Intern Med 2010."""
    vital = (num(p, "fc") >= 110) + (num(p, "pas") < 100) + (num(p, "spo2") < 90)
    return {"total": vital + (num(p, "age") > 80) + count(p, "cancer", "cardio_resp")}


def crb65(p: Patient) -> Results:
    """Thorax 2003 without urea."""
    low = num(p, "pas") < 90 or num(p, "pad") <= 60
    return {"total": count(p, "confusion") + (num(p, "fr") >= 30) + low + (num(p, "age") >= 65)}


def curb65(p: Patient) -> Results:
    """Thorax 2003."""
    return {"total": crb65(p)["total"] + (num(p, "uree") > 7)}


def light(p: Patient) -> Results:
    """Ann Intern Med 1972."""
    met = num(p, "prot_pl") / num(p, "prot_s") > 0.5
    ldh = num(p, "ldh_pl") / num(p, "ldh_s") > 0.6
    return {"criteres": met + ldh + (3 * num(p, "ldh_pl") > 2 * num(p, "ldh_lsn"))}


def qsofa(p: Patient) -> Results:
    """JAMA 2016."""
    return {"total": (num(p, "fr") >= 22) + (num(p, "pas") <= 100) + (num(p, "gcs") < 15)}


def sofa(p: Patient) -> Results:
    """Intensive Care Med 1996, table in µmol/L."""
    ratio, support = num(p, "pf"), bool(p["ventilation"])
    lungs = step(ratio, (100, 200, 300, 400), (4, 3, 2, 1, 0))
    if not support:
        lungs = min(lungs, 2)
    total = lungs + step(num(p, "plaquettes"), (20, 50, 100, 150), (4, 3, 2, 1, 0))
    bilirubin = num(p, "bili")
    total += 4 if bilirubin > 204 else step(bilirubin, (20, 33, 102), (0, 1, 2, 3))
    total += max(num(p, "vaso"), 1 if num(p, "pam") < 70 else 0)
    total += step(num(p, "gcs"), (6, 10, 13, 15), (4, 3, 2, 1, 0))
    creatinine, urine = num(p, "creatinine"), num(p, "diurese_24h")
    kidney = 4 if creatinine > 440 else step(creatinine, (110, 171, 300), (0, 1, 2, 3))
    by_urine = 4 if urine < 200 else 3 if urine < 500 else 0
    return {"total": total + max(kidney, by_urine)}


def _news_saturation(value: float, scale: float, oxygen: bool) -> int:
    if scale == 1:
        return int(step(value, (92, 94, 96), (3, 2, 1, 0)))
    if value < 88:
        return int(step(value, (84, 86), (3, 2, 1)))
    return int(step(value, (93, 95, 97), (0, 1, 2, 3))) if oxygen else 0


def news2(p: Patient) -> Results:
    """Royal College of Physicians 2017, whole numbers (temperature to a tenth)."""
    total = step(num(p, "fr"), (9, 12, 21, 25), (3, 1, 0, 2, 3))
    total += _news_saturation(num(p, "spo2"), num(p, "echelle"), bool(p["oxygene"]))
    total += 2 * count(p, "oxygene") + 3 * count(p, "conscience")
    total += step(num(p, "pas"), (91, 101, 111, 220), (3, 2, 1, 0, 3))
    total += step(num(p, "fc"), (41, 51, 91, 111, 131), (3, 1, 0, 1, 2, 3))
    tenths = round(num(p, "temp") * 10)
    return {"total": total + step(tenths, (351, 361, 381, 391), (3, 1, 0, 1, 2))}


def _pugh(p: Patient, bilirubin: tuple[float, float], clotting: int) -> Results:
    """Br J Surg 1973, French µmol/L bounds."""
    low, high = bilirubin
    value = num(p, "bili")
    total = 1 if value < low else 3 if value > high else 2
    albumin = num(p, "albumine")
    total += 1 if albumin > 35 else 3 if albumin < 28 else 2
    total += {"absente": 1, "moderee": 2, "tendue": 3}[str(p["ascite"])]
    grade = num(p, "encephalopathie")
    total += 1 if grade == 0 else 3 if grade >= 3 else 2
    return {"total": total + clotting}


def _inr_points(p: Patient) -> int:
    inr = num(p, "inr")
    return 1 if inr < 1.7 else 3 if inr > 2.3 else 2


def child_pugh(p: Patient) -> Results:
    """INR version."""
    return _pugh(p, (35, 50), _inr_points(p))


def child_pugh_cholestase(p: Patient) -> Results:
    """Primary biliary disease: 4 and 10 mg/dL."""
    return _pugh(p, (68, 170), _inr_points(p))


def child_pugh_tp(p: Patient) -> Results:
    """Prothrombin ratio version."""
    tp = num(p, "tp")
    return _pugh(p, (35, 50), 1 if tp > 50 else 3 if tp < 40 else 2)


def glasgow_blatchford(p: Patient) -> Results:
    """Lancet 2000."""
    total = step(num(p, "uree"), (6.5, 8, 10, 25), (0, 2, 3, 4, 6))
    haemoglobin = num(p, "hb")
    if female(p):
        total += step(haemoglobin, (10, 12), (6, 1, 0))
    else:
        total += step(haemoglobin, (10, 12, 13), (6, 3, 1, 0))
    total += step(num(p, "pas"), (90, 100, 110), (3, 2, 1, 0)) + (num(p, "fc") >= 100)
    return {"total": total + count(p, "melena") + 2 * count(p, "syncope", "hepatopathie", "ic")}


def abcd2(p: Patient) -> Results:
    """Lancet 2007."""
    total = (num(p, "age") >= 60) + (num(p, "pas") >= 140 or num(p, "pad") >= 90)
    total += {"deficit": 2, "parole": 1, "autre": 0}[str(p["clinique"])]
    return {"total": total + step(num(p, "duree"), (10, 60), (0, 1, 2)) + count(p, "diabete")}


def mcisaac(p: Patient) -> Results:
    """Centor 1981 and McIsaac 1998."""
    centor = count(p, "fievre", "absence_toux", "adenopathies", "amygdales")
    return {"centor": centor, "total": centor + step(num(p, "age"), (15, 45), (1, 0, -1))}


def bishop(p: Patient) -> Results:
    """Obstet Gynecol 1964."""
    total = step(num(p, "dilatation"), (1, 3, 5), (0, 1, 2, 3))
    total += step(num(p, "effacement"), (40, 60, 80), (0, 1, 2, 3))
    total += step(num(p, "station"), (-2, -1, 1), (0, 1, 2, 3))
    total += {"ferme": 0, "moyenne": 1, "molle": 2}[str(p["consistance"])]
    return {
        "total": total + {"posterieure": 0, "intermediaire": 1, "anterieure": 2}[str(p["position"])]
    }


def fagerstrom(p: Patient) -> Results:
    """Br J Addict 1991; the first cigarette within 5, 30 or 60 minutes, bounds included."""
    delay, daily = num(p, "delai"), num(p, "cig")
    total = 3 if delay <= 5 else 2 if delay <= 30 else 1 if delay <= 60 else 0
    total += 0 if daily <= 10 else 1 if daily <= 20 else 2 if daily <= 30 else 3
    return {"total": total + count(p, "interdits", "premiere", "matin", "malade")}


SCORES: dict[str, Reference] = {
    reference.__name__: reference
    for reference in (
        cha2ds2_va,
        cha2ds2_vasc,
        has_bled,
        timi_st_moins,
        grace,
        wells_ep,
        wells_tvp,
        geneve_revise,
        geneve_simplifie,
        perc,
        spesi,
        crb65,
        curb65,
        qsofa,
        sofa,
        news2,
        child_pugh,
        child_pugh_cholestase,
        child_pugh_tp,
        glasgow_blatchford,
        abcd2,
        mcisaac,
        bishop,
        fagerstrom,
        kdigo_ira,
        light,
    )
}
"""By identifier of the bank's entry."""
