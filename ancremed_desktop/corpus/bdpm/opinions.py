"""Sentences on what the Commission de la Transparence said of a drug: SMR and ASMR.

One value of one opinion is one part, with its day, dossier and page: a drug has no single SMR.
An SMR text is filed under « indication » when it names what the drug treats and its value is not
« insuffisant »: it is the only indication text of the base. ASMR texts compare treatments and
belong to no section.
"""

from __future__ import annotations

import re
from collections import Counter

from ancremed_desktop.corpus.bdpm.catalogue import Catalogue, Entry
from ancremed_desktop.corpus.bdpm.french import (
    COLON,
    SEMICOLON,
    file_label,
    inline,
    lower_first,
    of,
    word_count,
    written_date,
)
from ancremed_desktop.corpus.bdpm.parts import Part
from ancremed_desktop.corpus.bdpm.rows import WITHHELD, Opinion
from ancremed_desktop.corpus.bdpm.schema import Table
from ancremed_desktop.text.french import curly
from ancremed_desktop.text.sentences import sentence_spans

_MEANINGS = {
    "I": "I (majeure)",
    "II": "II (importante)",
    "III": "III (modérée)",
    "IV": "IV (mineure)",
    "V": "V (inexistante)",
}
_NAMES = {
    "SMR": "Service médical rendu (SMR)",
    "ASMR": "Amélioration du service médical rendu (ASMR)",
}
_TABLES = {"SMR": Table.SMR, "ASMR": Table.ASMR}
_NAMES_A_USE = re.compile(
    r"\b(?:traitements? (?!symptomatique\.)(?:de|du|des|d['’]|symptomatique|local|adjuvant|"
    r"préventif|substitutif|curatif)|prévention|prise en charge (?:de|du|des|d['’])|prophylaxie|"
    r"diagnosti\w+|indications?\s*:|contraception|anesthésie|vaccination|immunisation|"
    r"soulagement|patients? )",
    re.IGNORECASE,
)
_OPEN_LIST = 110
"""Words after which a list without full stop is cut at a semicolon."""


def opinions(entry: Entry, catalogue: Catalogue) -> list[Part]:
    """SMR then ASMR, newest opinion first."""
    found = sorted(entry.opinions, key=lambda item: item.given, reverse=True)
    newest = {kind: next((o.given for o in found if o.kind == kind), "") for kind in _TABLES}
    values = Counter((item.kind, item.dossier, item.given) for item in found)
    return [
        _part(entry, item, catalogue, newest[kind], values[kind, item.dossier, item.given])
        for kind in _TABLES
        for item in found
        if item.kind == kind
    ]


def _part(entry: Entry, item: Opinion, catalogue: Catalogue, newest: str, values: int) -> Part:
    name = curly(inline(entry.drug.name))
    sentences = [_verdict(name, item, catalogue, values)]
    if item.given and item.given < newest:
        sentences.append(
            f"Un avis {item.kind} plus récent, du {written_date(newest)}, existe pour {name}."
        )
    sentences.extend(_quoted(name, item))
    return Part(
        slug=item.kind.lower(),
        heading=f"{item.kind} selon l’avis du {written_date(item.given)}"
        if item.given
        else item.kind,
        section="indication" if _tells_indication(item) else "",
        sentences=tuple(sentences),
        date=item.given,
        follow=_text_lead(name, item),
    )


def _tells_indication(item: Opinion) -> bool:
    return (
        item.kind == "SMR"
        and item.value in {"Important", "Modéré", "Faible"}
        and WITHHELD not in item.text
        and _NAMES_A_USE.search(item.text) is not None
    )


def _verdict(name: str, item: Opinion, catalogue: Catalogue, values: int) -> str:
    value = _MEANINGS.get(item.value) or lower_first(item.value).replace("'", "’")
    several = f", une des {values} valeurs de cet avis selon l’indication" if values > 1 else ""
    edition = file_label(catalogue.edition_of(_TABLES[item.kind]))
    links = catalogue.links.get(item.dossier, ())
    pages = f", {SEMICOLON.join(links)}" if links else ""
    reason = lower_first(item.reason.removesuffix(" (CT)").replace("'", "’"))
    reason = re.sub(r"post-inscript$", "post-inscription", reason)
    details = ", ".join(part for part in (reason, f"dossier {item.dossier}", edition) if part)
    return (
        f"{_NAMES[item.kind]} {of(name)}{COLON}{value}{several}, selon l’avis de la commission de "
        f"la Transparence de la HAS{_day(item)} ({details}{pages})."
    )


def _quoted(name: str, item: Opinion) -> list[str]:
    """The opinion's own sentences; the first says whose they are."""
    if not item.text:
        return []
    pieces = [piece for text in _sentences(item.text) for piece in _cut_long(text)]
    if item.cut:
        pieces[-1] += " […] (texte coupé dans le fichier)."
    pieces[0] = _text_lead(name, item) + pieces[0]
    return pieces


def _text_lead(name: str, item: Opinion) -> str:
    return f"Texte de l’avis {item.kind}{_day(item)} sur {name}{COLON}"


def _day(item: Opinion) -> str:
    return f" du {written_date(item.given)}" if item.given else ""


def _sentences(text: str) -> list[str]:
    found: list[str] = []
    for start, end in sentence_spans(text):
        piece = text[start:end]
        if found and piece.startswith(";"):
            found[-1] = f"{found[-1]} {piece}"
        else:
            found.append(piece)
    if found[-1][-1] not in ".!?…»)":
        found[-1] = found[-1].rstrip(" ;,") + "."
    return found


def _cut_long(text: str) -> list[str]:
    if word_count(text) <= _OPEN_LIST:
        return [text]
    pieces: list[str] = []
    current = ""
    for item in text.split(" ; "):
        if current and word_count(current) + word_count(item) > _OPEN_LIST:
            pieces.append(f"{current} ;")
            current = item
        else:
            current = f"{current} ; {item}" if current else item
    return [*pieces, current]
