"""Bytes of a file to rows: encodings, line ends, column drift, refusals, sums."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ancremed_desktop.corpus.bdpm.lines import TableRows, decode, read_rows
from ancremed_desktop.corpus.bdpm.schema import Table, schema_of, table_of
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.errors import BadFileError, Cancelled


def rows_of(folder: Path, content: bytes, table: Table = Table.CONDITIONS) -> TableRows:
    path = folder / f"{table}.txt"
    path.write_bytes(content)
    return read_rows(path, schema_of(table), CancelToken())


def accounted(result: TableRows) -> int:
    refused = sum(len(lines) for lines in result.refused.values())
    return len(result.rows) + refused + result.blank + result.duplicates


def test_each_file_has_its_own_encoding(tmp_path: Path) -> None:
    utf8 = rows_of(tmp_path, "60000001\tstupéfiants\n".encode())
    ansi = rows_of(tmp_path, "60000001\tstupéfiants l\x92eau\r\n".encode("latin-1"))
    bom = rows_of(tmp_path, b"\xef\xbb\xbf60000001\tliste I\n")
    assert (utf8.rows, utf8.encoding) == ([("60000001", "stupéfiants")], "utf-8")
    assert (ansi.rows, ansi.encoding) == ([("60000001", "stupéfiants l’eau")], "windows-1252")
    assert bom.rows == [("60000001", "liste I")]


def test_decomposed_accents_are_composed() -> None:
    assert decode("e\u0301".encode(), "f")[0] == "é"


def test_damaged_line_of_a_utf8_file_is_refused_and_the_rest_is_no_mojibake(tmp_path: Path) -> None:
    good = "60000001\tdélivrance fractionnée\n60000002\tréservé\n".encode()
    result = rows_of(tmp_path, good + b"60000003\tr\xe9serv\xe9\n")
    assert result.rows == [("60000001", "délivrance fractionnée"), ("60000002", "réservé")]
    (reason,) = result.refused
    assert "octets" in reason
    assert result.refused[reason] == [3]


def test_line_ends_and_stray_carriage_returns(tmp_path: Path) -> None:
    content = b"60000001\tliste I\r\n60000002\tliste II\r\r\n\r\r\n60000003\tli\rste\n"
    result = rows_of(tmp_path, content)
    assert result.rows == [
        ("60000001", "liste I"), ("60000002", "liste II"), ("60000003", "li ste"),
    ]  # fmt: skip
    assert (result.read, result.blank) == (4, 1)
    assert result.notes["lignes avec un retour chariot de trop"] == 3


def test_trailing_tab_of_older_dumps_is_no_column(tmp_path: Path) -> None:
    line = "60000001\tcomprimé\t1\tPARACÉTAMOL \t500 mg\tun comprimé\tSA\t1"
    new = rows_of(tmp_path, f"{line}\n".encode(), Table.COMPOSITION)
    old = rows_of(tmp_path, f"{line}\t\n".encode(), Table.COMPOSITION)
    assert new.rows == old.rows
    assert new.rows[0][3] == "PARACÉTAMOL"


def test_missing_reimbursement_column_is_empty(tmp_path: Path) -> None:
    twelve = "\t".join(["60000001", *"bcdefghijkl"])
    assert rows_of(tmp_path, twelve.encode(), Table.PRESENTATIONS).rows[0][12] == ""


def test_wrong_shape_is_refused_with_its_reason_and_lines(tmp_path: Path) -> None:
    content = b"60000001\tliste I\n60000002\n6000\tliste I\n60000003\ta\tb\n60000004\n"
    result = rows_of(tmp_path, content)
    assert result.refused == {
        "1 colonne au lieu de 2": [2, 5],
        "le code CIS n’a pas 8 chiffres": [3],
        "3 colonnes au lieu de 2": [4],
    }
    assert accounted(result) == result.read == 5


def test_exact_duplicates_are_counted(tmp_path: Path) -> None:
    result = rows_of(tmp_path, b"60000001\tliste I\n60000001\tliste I\n60000001\tliste II\n")
    assert (len(result.rows), result.duplicates) == (2, 1)
    assert accounted(result) == result.read


def test_quotes_never_join_lines(tmp_path: Path) -> None:
    result = rows_of(tmp_path, b'60000001\t"liste I\n60000002\tliste "II"\n')
    assert result.rows == [("60000001", '"liste I'), ("60000002", 'liste "II"')]


def test_lost_characters_are_counted_repaired_or_kept(tmp_path: Path) -> None:
    result = rows_of(tmp_path, "60000001\td¿un 3A¿G\n".encode("cp1252"))
    assert result.rows == [("60000001", "d’un 3A¿G")]
    assert result.notes["caractères perdus (¿) réparés ou lus comme puces"] == 1
    assert result.notes["caractères perdus (¿) gardés tels quels"] == 1


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"", "vide"), (b"  \r\n", "vide"), (b"PK\x03\x04\0\0", "octets nuls")],
)
def test_file_that_is_no_text(tmp_path: Path, content: bytes, word: str) -> None:
    with pytest.raises(BadFileError, match=word):
        rows_of(tmp_path, content)


def test_cut_gzip_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "CIS_CPD_bdpm.txt.gz"
    path.write_bytes(gzip.compress(b"60000001\tliste I\n" * 500)[:-12])
    with pytest.raises(BadFileError, match=r"CIS_CPD_bdpm\.txt\.gz"):
        read_rows(path, schema_of(Table.CONDITIONS), CancelToken())


def test_cancel_inside_a_long_file(tmp_path: Path) -> None:
    path = tmp_path / "CIS_CPD_bdpm.txt"
    path.write_bytes(b"60000001\tliste I\n" * 3000)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        read_rows(path, schema_of(Table.CONDITIONS), cancel)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("CIS_bdpm.txt", Table.DRUGS),
        ("CIS_bdpm.txt.gz", Table.DRUGS),
        ("cis_cip_bdpm.TXT", Table.PRESENTATIONS),
        ("CIS_CIP_Dispo_Spec.txt", Table.AVAILABILITY),
        ("CIS_InfoImportantes_20260519073000_bdpm.txt", Table.SAFETY),
        ("HAS_LiensPageCT_bdpm.txt", Table.LINKS),
        ("README.txt", None),
        ("CIS_bdpm.csv", None),
    ],
)
def test_table_by_file_name(name: str, table: Table | None) -> None:
    assert table_of(name) is table
