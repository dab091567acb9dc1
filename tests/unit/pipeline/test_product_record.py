"""The record of a product: opinions by date, prices, generics, what the base does not say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.spans import DraftAssertion
from ancremed_desktop.pipeline import product_record
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.pipeline.whole_quotes import quote_whole
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
FIVE, TEN, MIXED = "60000005", "60000010", "60000015"


def _record(cis: str, title: str, slug: str, text: str, date: str = "2026-05") -> Passage:
    return replace(
        passage(cis, title, "", text, Silo.BDPM),
        urn=f"urn:ancremed:bdpm:{cis}#{slug}",
        kind=PassageKind.RECORD,
        regulatory_date=date,
    )


def _opinion(cis: str, slug: str, value: str, date: str, dossier: str, text: str = "") -> Passage:
    kind = slug.partition("-")[0].upper()
    name = f"NORVEX {5 if cis == FIVE else 10} mg, comprimé"
    return _record(
        cis,
        name,
        slug,
        f"({kind}) de {name} : {value}, selon l’avis du {date} (dossier CT-{dossier}).\n"
        f"Texte de l’avis {kind} du {date} sur {name} : {text or f'Le service reste {value}.'}",
        date,
    )


INDEX = MemoryIndex(
    [
        _record(FIVE, "NORVEX 5 mg, comprimé", "composition-1", "Contient : norvexine 5 mg."),
        _record(TEN, "NORVEX 10 mg, comprimé", "composition-1", "Contient : norvexine 10 mg."),
        _record(FIVE, "NORVEX 5 mg, comprimé", "presentations-1", "Boîte de NORVEX 5 mg à 3,10 €."),
        _opinion(FIVE, "smr-1", "modéré", "2007-12-05", "4973", "Le service reste modéré ici."),
        _opinion(FIVE, "smr-2", "insuffisant", "2011-09-14", "10934"),
        _opinion(TEN, "smr-1", "insuffisant", "2011-09-14", "10934"),
        _opinion(FIVE, "asmr-1", "V (inexistante)", "2011-09-14", "10934"),
        _record(
            FIVE, "NORVEX 5 mg, comprimé", "generiques-1", "NORVEX 5 mg est le princeps du groupe."
        ),
        _record(
            MIXED, "DUOVEX, comprimé", "composition-1", "A : norvexine 5 mg\u00a0; autre 1 mg."
        ),
        *(
            _record(
                cis,
                f"NORVEX {mg} mg, comprimé",
                "prescription-1",
                f"NORVEX {mg} mg, comprimé : liste I.",
            )
            for cis, mg in ((FIVE, 5), (TEN, 10))
        ),
        passage("NORVEX", "Norvexine", "prescription et délivrance", "La norvexine est réservée."),
        _record(MIXED, "DUOVEX, comprimé", "disponibilite-1", "DUOVEX est en rupture de stock."),
        _record(MIXED, "DUOVEX, comprimé", "presentations-1", "Boîte de DUOVEX à 9,99 €."),
        passage("HAS-1", "Angor", "", "La norvexine et l’angor.", Silo.HAS),
    ],
    names={"norvex": (FIVE, TEN), "norvexine": (FIVE, TEN, MIXED, "NORVEX"), "duovex": (MIXED,)},
)


def _asked(raw: str) -> DirectAnswer | None:
    question = understand(raw, INDEX, LEXICON)
    return product_record.asked(question, make_plan(question, INDEX, LEXICON), INDEX)


def _urns(raw: str) -> list[str]:
    found = _asked(raw)
    assert found is not None
    return [h.passage.urn.rpartition(":")[2] for s in found.evidence.sections for h in s.hits]


@pytest.mark.parametrize(
    ("raw", "urns"),
    [
        # The newest first; one opinion about two strengths is shown once, of the first by name.
        ("SMR du Norvex", [f"{TEN}#smr-1", f"{FIVE}#smr-1"]),
        ("ASMR du Norvex", [f"{FIVE}#asmr-1"]),
        ("SMR et ASMR de norvexine", [f"{TEN}#smr-1", f"{FIVE}#smr-1", f"{FIVE}#asmr-1"]),
        ("prix du Norvex", [f"{FIVE}#presentations-1"]),
        ("prix de la norvexine", [f"{FIVE}#presentations-1"]),
        ("composition du Norvex 10", [f"{TEN}#composition-1"]),
        ("composition du Norvex 40 mg", [f"{TEN}#composition-1", f"{FIVE}#composition-1"]),
        ("prix du Duovex", [f"{MIXED}#presentations-1"]),
        # The card first; of records that say the same, one.
        (
            "conditions de prescription de la norvexine",
            ["NORVEX#prescription et délivrance", f"{TEN}#prescription-1"],
        ),
        ("norvex 10 durée max prescription", [f"{TEN}#prescription-1"]),
        ("norvex 5 délivré pour combien de jours", [f"{FIVE}#prescription-1"]),
        ("ASMR du Norvex vs Duovex", [f"{FIVE}#asmr-1"]),
        ("génériques de la norvexine", [f"{FIVE}#generiques-1"]),
        ("composition du Norvex", [f"{TEN}#composition-1", f"{FIVE}#composition-1"]),
    ],
)
def test_a_record_is_looked_up_by_what_is_asked(raw: str, urns: list[str]) -> None:
    assert _urns(raw) == urns


@pytest.mark.parametrize(
    "raw",
    [
        "posologie du Norvex",
        "SMR du Norvex dans l’angor",
        "SMR de l’angor",
        "norvex",
        "durée du Norvex",
        "combien de jours de Norvex",
    ],
)
def test_another_question_is_searched(raw: str) -> None:
    assert _asked(raw) is None


def test_a_mixture_does_not_speak_for_a_substance_that_is_sold_alone() -> None:
    found = _asked("rupture de norvexine ?")
    assert found is not None
    assert found.evidence.urns == frozenset()


def test_opinions_without_a_level_come_last_and_newer_ones_are_not_told_again() -> None:
    newer = "Un avis SMR plus récent, du 8 juillet 2020, existe pour NORVEX 5 mg, comprimé."
    old = _opinion(FIVE, "smr-2", "important", "2018-01-24", "16066")
    told = replace(old, text=old.text.replace("\n", f"\n{newer}\n", 1))
    again = _opinion(TEN, "smr-1", "important", "2018-01-24", "16066")
    index = MemoryIndex(
        [_opinion(FIVE, "smr-1", "commentaires", "2020-07-08", "18245"), told, again],
        names={"norvex": (FIVE, TEN)},
    )
    question = understand("SMR du Norvex", index, LEXICON)
    found = product_record.asked(question, make_plan(question, index, LEXICON), index)
    assert found is not None
    (section,) = found.evidence.sections
    assert [h.passage.regulatory_date for h in section.hits] == ["2018-01-24", "2020-07-08"]
    quoted = [span.text for span in quote_whole(found) if isinstance(span, DraftAssertion)]
    assert any("important" in text for text in quoted)
    assert newer not in quoted


def test_older_opinions_are_counted() -> None:
    many = [
        _opinion(FIVE, f"smr-{n}", "important", f"20{n:02}-01-01", f"{n}") for n in range(10, 21)
    ]
    index = MemoryIndex(many, names={"norvex": (FIVE,)})
    question = understand("SMR du Norvex", index, LEXICON)
    found = product_record.asked(question, make_plan(question, index, LEXICON), index)
    assert found is not None
    (section,) = found.evidence.sections
    dates = [h.passage.regulatory_date[:4] for h in section.hits]
    assert dates == ["2020", "2019", "2018", "2017", "2016", "2015", "2014", "2013"]
    assert found.message.endswith("non montrés\u00a0: 3.")


def test_what_the_base_does_not_say_is_said() -> None:
    found = _asked("rupture de Norvex ?")
    assert found is not None
    assert found.evidence.urns == frozenset()
    assert found.nothing.startswith("La base indexée ne signale ni rupture ni tension")


def test_products_beyond_the_limit_are_counted() -> None:
    several = [
        _record(f"6100000{n}", f"VEX {n} mg, comprimé", "presentations-1", f"Boîte {n}.")
        for n in range(9)
    ]
    index = MemoryIndex(several, names={"vex": tuple(p.source_identifier for p in several)})
    question = understand("prix du Vex", index, LEXICON)
    found = product_record.asked(question, make_plan(question, index, LEXICON), index)
    assert found is not None
    assert len(found.evidence.urns) == product_record.MAX_PRODUCTS
    assert found.message.startswith("Autres spécialités du même nom, non montrées\u00a0: 3.")
