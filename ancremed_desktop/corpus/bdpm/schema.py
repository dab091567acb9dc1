"""The files of a BDPM dump and their columns.

Source: ANSM, « Contenu et format des fichiers téléchargeables dans la BDPM », 27/08/2025: tab
separated, no header, no quoting. Older dumps end each line with an empty further field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Table(StrEnum):
    """A table of the base; the value is its usual file name without extension."""

    DRUGS = "CIS_bdpm"
    PRESENTATIONS = "CIS_CIP_bdpm"
    COMPOSITION = "CIS_COMPO_bdpm"
    SMR = "CIS_HAS_SMR_bdpm"
    ASMR = "CIS_HAS_ASMR_bdpm"
    LINKS = "HAS_LiensPageCT_bdpm"
    GENERICS = "CIS_GENER_bdpm"
    CONDITIONS = "CIS_CPD_bdpm"
    SAFETY = "CIS_InfoImportantes"
    AVAILABILITY = "CIS_CIP_Dispo_Spec"
    MITM = "CIS_MITM"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSchema:
    """``columns``: fields a line must have; ``cis_column`` -1 when the table has no CIS."""

    table: Table
    columns: int
    label: str
    cis_column: int = 0


SCHEMAS: tuple[TableSchema, ...] = (
    TableSchema(table=Table.DRUGS, columns=12, label="Spécialités"),
    TableSchema(table=Table.PRESENTATIONS, columns=12, label="Présentations"),
    TableSchema(table=Table.COMPOSITION, columns=8, label="Compositions"),
    TableSchema(table=Table.SMR, columns=6, label="Avis SMR"),
    TableSchema(table=Table.ASMR, columns=6, label="Avis ASMR"),
    TableSchema(table=Table.LINKS, columns=2, label="Liens des avis", cis_column=-1),
    TableSchema(table=Table.GENERICS, columns=5, label="Groupes génériques", cis_column=2),
    TableSchema(table=Table.CONDITIONS, columns=2, label="Prescription et délivrance"),
    TableSchema(table=Table.SAFETY, columns=4, label="Informations importantes"),
    TableSchema(table=Table.AVAILABILITY, columns=8, label="Disponibilité"),
    TableSchema(table=Table.MITM, columns=4, label="Intérêt thérapeutique majeur"),
)

EXTRA_COLUMNS = {Table.PRESENTATIONS: 1}
"""Further fields that may be absent: reimbursement text, dropped by some exports when empty."""

_FILE = re.compile(
    r"(CIS_bdpm|CIS_CIP_bdpm|CIS_COMPO_bdpm|CIS_HAS_SMR_bdpm|CIS_HAS_ASMR_bdpm|"
    r"HAS_LiensPageCT_bdpm|CIS_GENER_bdpm|CIS_CPD_bdpm|CIS_CIP_Dispo_Spec|CIS_MITM|"
    r"CIS_InfoImportantes)(?:_\d{8,14})?(?:_bdpm)?\.txt(?:\.gz)?",
    re.IGNORECASE,
)
_BY_NAME = {table.value.lower(): table for table in Table}


def table_of(file_name: str) -> Table | None:
    """Which table a file holds, by its name; ``None`` for any other file."""
    found = _FILE.fullmatch(file_name)
    return _BY_NAME[found[1].lower()] if found else None


def schema_of(table: Table) -> TableSchema:
    """The schema of a table."""
    return next(schema for schema in SCHEMAS if schema.table is table)
