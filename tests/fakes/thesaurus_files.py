"""A thesaurus of a few invented pairs, in the two file forms of the interactions reader."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

CLASS = "CALMANTS (SAUF OUBLIX)"

PAIRS: list[dict[str, object]] = [
    {
        "main_drug": "ZOLIXINE",
        "between_main_and_plus_drug": "",
        "plus_drug": CLASS,
        "severity_levels": [
            {"level": "Association DECONSEILLEE", "info": "Surveillance de lakaliémie à 2,5 mg/Lchez le sujet âgé."}
        ],
        "interaction_mechanism": "Majoration de l’effet auriculo-\nventriculaire.",
        "description": "Association DECONSEILLEE\nSurveillance de la \nkaliémie à 2,5 mg/L\nchez le sujet âgé.\n\n"
        "Majoration de l’effet auriculo-\nventriculaire.\n\nInteractions médicamenteuses - Thésaurus",
    },
    {
        "main_drug": "ZOLIXINE",
        "between_main_and_plus_drug": "",
        "plus_drug": "BRADIVAR",
        "severity_levels": [
            {"level": "CONTRE-INDICATION", "info": "avec :\n- des doses > 20 mg"},
            {"level": "Précaution d'emploi", "info": "avec :\n- des doses =< 20 mg"},
        ],
        "interaction_mechanism": "Diminution de sa clairance.",
        "description": "CI - PE\nContre-indication avec :\n- des doses > 20 mg \npar jour\n"
        "Précaution d'emploi avec :\n- des doses =< 20 mg par jour\n\nDiminution de sa clairance.",
    },
    {
        "main_drug": "MELOTANE",
        "between_main_and_plus_drug": "",
        "plus_drug": "BRADIVAR",
        "severity_levels": [{"level": "CONTRE-INDICATION", "info": ""}],
        "interaction_mechanism": "Risque de torsades de pointes.",
        "description": "CONTRE-INDICATIONRisque de torsades de pointes.",
    },
    {
        "main_drug": "ZOLIXINE",
        "between_main_and_plus_drug": "",
        "plus_drug": "PAMPLEMOUSSE (JUS ET FRUIT)",
        "severity_levels": [{"level": "A prendre en compte", "info": ""}],
        "interaction_mechanism": "Augmentation des concentrations.",
        "description": "A prendre en compteAugmentation des concentrations.",
    },
]  # fmt: skip
SUBSTANCES: list[dict[str, object]] = [
    {"substance": "zolixine", "drug_classes": []},
    {"substance": "bradivar", "drug_classes": []},
    {"substance": "mélotane", "drug_classes": ["calmants (sauf oublix)", "autres calmants"]},
    {"substance": "dormival", "drug_classes": ["calmants (sauf oublix)"]},
    {"substance": "nulline", "drug_classes": []},
]


def mirrored(pair: dict[str, object]) -> dict[str, object]:
    """The same pair as the file repeats it under its second entry."""
    return {**pair, "main_drug": pair["plus_drug"], "plus_drug": pair["main_drug"]}


def write_json(path: Path, records: list[dict[str, object]]) -> Path:
    """A list as the reader expects it, compressed when the name says so."""
    content = json.dumps(records, ensure_ascii=False).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def write_thesaurus(folder: Path) -> Path:
    """Two editions: the older lists one pair more and another level for the first."""
    folder.mkdir(exist_ok=True)
    gone = {**PAIRS[2], "main_drug": "DORMIVAL", "plus_drug": "ZOLIXINE"}
    lighter = {
        **PAIRS[2],
        "severity_levels": [{"level": "A prendre en compte", "info": ""}],
        "description": "A prendre en compteRisque de torsades de pointes.",
    }
    both = [*PAIRS, *map(mirrored, PAIRS)]
    write_json(folder / "thesaurus_2020-10-20.json.gz", both)
    write_json(folder / "thesaurus_2016-01.json", [lighter, gone])
    write_json(folder / "index_2020-10-20.json", SUBSTANCES)
    return folder
