"""The R2C programme: items of the EDN and their knowledge objectives, from tab-separated tables.

Tables are known by their header line: items (``item intitule``), objectives (``item rang rubrique
intitule``), subjects (``item matiere``). An objective says what to know, never the knowledge
itself: its passages have the kind OBJECTIVE.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ancremed_desktop.corpus.edn.wording import one_sentence
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument, passage_urn
from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

ITEMS = ("item", "intitule")
OBJECTIVES = ("item", "rang", "rubrique", "intitule")
SUBJECTS = ("item", "matiere")

_MAX_WORDS = 180
_NEW_ITEM = re.compile(r"^Nouvel item\.\s*")
_CUT_END = re.compile(
    r"(?:\xad|\b(?:de|du|des|la|le|les|un|une|et|ou|à|au|aux|en|sur|par|pour|dans|avec|chez))$"
)
# Rubrics that are a section of the taxonomy under another name; the others have no equal there.
_RUBRIC_STEMS = (
    ("physiopathologi", "Physiopathologie", "physiopathologie"),
    ("definition", "Définition", "définition"),
    ("epidemiologi", "Épidémiologie", "épidémiologie"),
    ("prevalence", "Épidémiologie", "épidémiologie"),
    ("etiologie", "Étiologies", "étiologies et facteurs de risque"),
    ("examen", "Examens complémentaires", "paraclinique"),
    ("diagnostic differentiel", "Diagnostic différentiel", "diagnostics différentiels"),
    ("prevention", "Prévention", "dépistage et prévention"),
    ("depist", "Dépistage", "dépistage et prévention"),
    ("symptomes", "Symptômes", "signes"),
    ("diagnostic positif", "Diagnostic positif", ""),
    ("identif", "Identifier une urgence", ""),
    ("contenu multimedia", "Contenu multimédia", ""),
    ("pris en charge", "Prise en charge", ""),
    ("prise en charge", "Prise en charge", ""),
    ("suivi", "Suivi et pronostic", ""),
    ("pronostic", "Suivi et pronostic", ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """One objective. ``rank``: A (all students) or B (specialists)."""

    rank: str
    rubric: str
    text: str


@dataclass(slots=True, kw_only=True)
class Programme:
    """What the tables say, by item number."""

    titles: dict[int, str] = field(default_factory=dict)
    objectives: dict[int, list[Objective]] = field(default_factory=dict)
    subjects: dict[int, list[str]] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class TableCount:
    """Lines of one table below its header; ``refused``: (line number, reason)."""

    read: int = 0
    kept: int = 0
    duplicates: int = 0
    blank: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)


def header_of(text: str) -> tuple[str, ...]:
    """Column names in the first line of a table."""
    return tuple(text.split("\n", 1)[0].strip().split("\t"))


def add_table(text: str, programme: Programme) -> TableCount:
    """Read one table into the programme."""
    count = TableCount()
    header = header_of(text)
    seen: set[tuple[str, ...]] = set()
    lines = text.splitlines()[1:]
    for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=2):
        count.read += 1
        fields = tuple(" ".join(part.split()) for part in row)
        if not any(fields):
            count.blank += 1
        elif len(fields) != len(header) or not fields[0].isdecimal() or not fields[-1]:
            count.refused.append((number, "ligne sans numéro d’item ou sans toutes ses colonnes"))
        elif fields in seen:
            count.duplicates += 1
        else:
            seen.add(fields)
            count.kept += 1
            _add(header, fields, programme)
    return count


def _add(header: tuple[str, ...], fields: tuple[str, ...], programme: Programme) -> None:
    item = int(fields[0])
    if header == ITEMS:
        programme.titles[item] = _NEW_ITEM.sub("", fields[1]).rstrip(" .")
    elif header == SUBJECTS:
        programme.subjects.setdefault(item, []).append(fields[1])
    else:
        objective = Objective(rank=fields[1], rubric=fields[2], text=_uncut(fields[3]))
        programme.objectives.setdefault(item, []).append(objective)


def _uncut(text: str) -> str:
    """The objective; one that the table cut ends in an ellipsis."""
    return f"{text.rstrip(chr(0xAD))}…" if _CUT_END.search(text) else text.replace("\xad", "")


def rubric_section(rubric: str) -> tuple[str, str]:
    """(rubric in one spelling, section of the taxonomy or empty)."""
    folded = fold(rubric)
    for stem, name, section in _RUBRIC_STEMS:
        if stem in folded:
            return name, section
    return rubric[:1].upper() + rubric[1:], ""


def item_documents(
    programme: Programme, file_name: str, file_sha256: str
) -> Iterator[SourceDocument]:
    """One source per item, in order of number."""
    for item in sorted(programme.titles):
        source = _source(item, programme, file_name, file_sha256)
        yield SourceDocument(source=source, passages=tuple(_passages(item, source, programme)))


def _source(item: int, programme: Programme, file_name: str, file_sha256: str) -> Source:
    title = programme.titles[item]
    subjects = ", ".join(programme.subjects.get(item, ()))
    return Source(
        key=f"edn:EDN-{item:03d}",
        silo=Silo.EDN,
        title=f"Item {item} – {title}",
        source_identifier=f"EDN-{item:03d}",
        publisher="Programme national R2C des études médicales",
        licence="BSD-2-Clause (tables dérivées du programme national)",
        file_name=file_name,
        file_sha256=file_sha256,
        names=(title, f"item {item}", f"EDN {item}"),
        codes=((Code.ITEM, str(item)),),
        details=(("Matières", subjects),) if subjects else (),
    )


def _passages(item: int, source: Source, programme: Programme) -> Iterator[Passage]:
    title = programme.titles[item]
    objectives = programme.objectives.get(item, [])
    blocks = [("programme", "Programme", "", [_presentation(item, programme)])]
    grouped: dict[tuple[str, str], list[str]] = {}
    for objective in objectives:
        grouped.setdefault(rubric_section(objective.rubric), []).append(
            one_sentence(
                f"Objectif de connaissance (rang {objective.rank}, item {item}, "
                f"{one_sentence(title, closed=False)}) – {rubric_section(objective.rubric)[0]}"
                f"{NBSP}: {objective.text}"
            )
        )
    for (name, section), sentences in grouped.items():
        slug = re.sub(r"[^a-z]+", "-", fold(name)).strip("-")
        blocks.append((slug, name, section, sentences))
    number = 0
    for slug, heading, section, block in blocks:
        for part, text in enumerate(_packed(block), start=1):
            yield Passage(
                urn=passage_urn(Silo.EDN, source.source_identifier, f"{slug}-{part}"),
                source_key=source.key,
                silo=Silo.EDN,
                origin_title=source.title,
                source_identifier=source.source_identifier,
                text=text,
                chunk_index=number,
                section=section,
                heading=heading,
                kind=PassageKind.OBJECTIVE,
            )
            number += 1


def _presentation(item: int, programme: Programme) -> str:
    title = one_sentence(programme.titles[item], closed=False)
    text = f"L’item {item} du programme R2C (EDN) s’intitule «{NBSP}{title}{NBSP}»"
    subjects = programme.subjects.get(item)
    if subjects:
        label = "matière" if len(subjects) == 1 else "matières"
        text += f"{NBSP}; {label}{NBSP}: {', '.join(subjects)}"
    if item not in programme.objectives:
        text += f"{NBSP}; la table des objectifs n’en donne aucun pour cet item"
    return one_sentence(text)


def _packed(sentences: list[str]) -> Iterator[str]:
    current: list[str] = []
    words = 0
    for sentence in sentences:
        count = len(sentence.split())
        if current and words + count > _MAX_WORDS:
            yield "\n".join(current)
            current, words = [], 0
        current.append(sentence)
        words += count
    if current:
        yield "\n".join(current)
