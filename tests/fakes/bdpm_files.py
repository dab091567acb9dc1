"""Small hand-written BDPM dumps, and what reading them gives."""

from __future__ import annotations

from pathlib import Path

from ancremed_desktop.corpus.bdpm.read import read_bdpm
from ancremed_desktop.domain.documents import Passage, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress

TRAMADOL, AMLO, METFORMINE, GONE = "60000001", "60000002", "60000003", "60000009"


def drug_line(cis: str, name: str, *, form: str = "comprimé", warning: str = "") -> str:
    return (
        f"{cis}\t{name}\t{form}\torale;rectale\tAutorisation active\tProcédure nationale\t"
        f"Commercialisée\t31/05/2011\t{warning}\tEU/1/00/1\t LABO A;LABO B\tOui"
    )


def write(
    folder: Path, table: str, *lines: str, encoding: str = "cp1252", end: str = "\r\n"
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    content = "".join(line + end for line in lines).encode(encoding)
    (folder / f"{table}.txt").write_bytes(content)


def read(folder: Path) -> tuple[dict[str, SourceDocument], list[Refusal], dict[str, Tally]]:
    documents: dict[str, SourceDocument] = {}
    refusals: list[Refusal] = []
    tallies: dict[str, Tally] = {}
    for item in read_bdpm(folder, ignore_progress, CancelToken()):
        match item:
            case SourceDocument():
                documents[item.source.source_identifier] = item
            case Refusal(where="table absente"):
                pass  # these dumps hold only what a test needs
            case Refusal():
                refusals.append(item)
            case Tally():
                tallies[item.file_name] = item
    return documents, refusals, tallies


def part(document: SourceDocument, slug: str) -> list[Passage]:
    return [p for p in document.passages if p.urn.split("#")[1].rsplit("-", 1)[0] == slug]


def text(document: SourceDocument, slug: str) -> str:
    return "\n".join(p.text for p in part(document, slug)).replace("\u00a0", " ")


def box_line(cis: str, *, label: str, rate: str, prices: str, indications: str = "") -> str:
    return (
        f"{cis}\t3000001\t{label}\tPrésentation active\tDéclaration de commercialisation\t"
        f"16/03/2011\t3400930000011\toui\t{rate}\t{prices}\t{indications}"
    )


def opinion_line(cis: str, dossier: str, day: str, value: str, said: str) -> str:
    return f"{cis}\t{dossier}\tInscription (CT)\t{day}\t{value}\t{said}"


def opinions(folder: Path) -> None:
    hta = '" Le "SMR" est important dans le traitement de l’HTA. "'
    angor = "Le SMR est insuffisant dans le traitement de l'angor."
    amm = "Le SMR reste important dans les indications de l'AMM."
    sign = "Le SMR est important dans le traitement des enfants (=12 ans). Le reste suit."
    write(
        folder,
        "CIS_HAS_SMR_bdpm",
        opinion_line(AMLO, "CT-1", "20200101", "Important", hta),
        opinion_line(AMLO, "CT-1", "20200101", "Insuffisant", angor),
        opinion_line(AMLO, "CT-0", "20100131", "Important", amm),
        opinion_line(AMLO, "CT-2", "20190101", "Important", sign),
        opinion_line(GONE, "CT-9", "20190101", "Important", "Perdu."),
    )
    write(
        folder,
        "CIS_HAS_ASMR_bdpm",
        opinion_line(AMLO, "CT-1", "20200101", "V", "Absence d'amélioration."),
        opinion_line(AMLO, "CT-2", "20190101", "Commentaires sans chiffrage de l'ASMR", "Sans."),
    )


def three_drugs(tmp_path: Path) -> Path:
    """One dated dump with three drugs."""
    folder = tmp_path / "2026-05"
    write(
        folder,
        "CIS_bdpm",
        drug_line(TRAMADOL, "TRAMADOL LABO L.P. 100 mg, comprimé"),
        drug_line(AMLO, "AMLO 5 mg, gélule", form="gélule", warning="Alerte"),
        drug_line(METFORMINE, "METFORMINE LABO 1000 mg, comprimé"),
    )
    return folder
