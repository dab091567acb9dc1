"""Cards of a JSON file ``{"documents": [...]}``: one reworded fact each, with its publication."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ancremed_desktop.corpus.cards.fields import is_full_date, nfc, required_text
from ancremed_desktop.corpus.cards.problems import CardProblem
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument, passage_urn
from ancremed_desktop.domain.identifiers import Silo, SourceStatus

FIELDS = (
    "id", "source_id", "title", "text", "disease", "evidence_level", "published_at",
    "accessed_at", "url", "locator", "attribution", "license", "license_url", "changes",
    "text_sha256",
)  # fmt: skip
EVIDENCE_LEVEL = "niveau de preuve"
"""Label under which ``Source.details`` keeps the evidence level, so that it can be filtered."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

LICENCES = {
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "etalab-2.0": "https://www.etalab.gouv.fr/licence-ouverte-open-licence/",
}
"""Licences that let a reworded fact be redistributed, with the address that states each."""

_DETAILS = (
    (EVIDENCE_LEVEL, "evidence_level"),
    ("maladie", "disease"),
    ("publication", "source_id"),
    ("où relire", "locator"),
    ("consulté le", "accessed_at"),
    ("licence (adresse)", "license_url"),
    ("modifications", "changes"),
    ("empreinte SHA-256 du texte", "text_sha256"),
)


def parse_records(content: bytes) -> list[object]:
    """The ``documents`` list of the file, unchecked.

    Raises: CardProblem when the file is not such a JSON file.
    """
    try:
        root: object = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CardProblem(f"octet {error.start}", "le fichier n’est pas en UTF-8.") from error
    except (ValueError, RecursionError) as error:
        line = f"ligne {error.lineno}" if isinstance(error, json.JSONDecodeError) else "fichier"
        raise CardProblem(line, "le fichier n’est pas du JSON lisible.") from error
    documents: object = root.get("documents") if isinstance(root, dict) else None
    if not isinstance(documents, list):
        raise CardProblem("fichier", "la liste « documents » est absente.")
    return documents


def read_record(record: object, where: str, file_name: str) -> SourceDocument:
    """One card. Raises: CardProblem when a field, the hash, the licence or a date is wrong."""
    if not isinstance(record, dict):
        raise CardProblem(where, "la fiche n’est pas un objet JSON.")
    fields = {name: required_text(record, name, where) for name in FIELDS}
    if _ID.fullmatch(fields["id"]) is None:
        raise CardProblem(where, "« id » doit être formé de lettres, chiffres, points ou traits.")
    _check_hash(record, where)
    _check_licence(fields, where)
    _check_dates(fields, where)
    _check_url(fields["url"], where)
    return _document(fields, file_name)


def _check_hash(record: Mapping[str, object], where: str) -> None:
    # The digest is that of the text as it was written, before any normalisation of ours.
    text, expected = str(record["text"]), str(record["text_sha256"])
    if hashlib.sha256(text.encode()).hexdigest() != expected.lower():
        raise CardProblem(where, "l’empreinte SHA-256 ne correspond pas au texte de la fiche.")


def _check_licence(fields: Mapping[str, str], where: str) -> None:
    name, url = fields["license"], fields["license_url"]
    if name not in LICENCES:
        raise CardProblem(where, f"la licence « {name} » n’est pas admise.")
    if url != LICENCES[name]:
        raise CardProblem(where, f"l’adresse « {url} » n’est pas celle de la licence {name}.")


def _check_dates(fields: Mapping[str, str], where: str) -> None:
    for name in ("published_at", "accessed_at"):
        if not is_full_date(fields[name]):
            raise CardProblem(where, f"« {name} » vaut « {fields[name]} », date AAAA-MM-JJ voulue.")
    if fields["accessed_at"] < fields["published_at"]:
        raise CardProblem(where, "la date de consultation précède la date de publication.")


def _check_url(url: str, where: str) -> None:
    try:
        parts = urlsplit(url)
        secure = parts.scheme == "https" and bool(parts.hostname)
    except ValueError:
        secure = False
    if not secure or url != url.strip() or " " in url:
        raise CardProblem(where, f"l’adresse « {url} » n’est pas une adresse https.")


def _document(fields: Mapping[str, str], file_name: str) -> SourceDocument:
    identifier = fields["id"]
    source = Source(
        key=f"{Silo.FICHES}:{identifier}",
        silo=Silo.FICHES,
        title=fields["title"],
        source_identifier=identifier,
        publisher=fields["attribution"],
        licence=fields["license"],
        regulatory_date=fields["published_at"],
        url=fields["url"],
        file_name=file_name,
        # No field of this format tells of a clinical review, so none is assumed.
        status=SourceStatus.DRAFT,
        names=(fields["disease"], fields["title"]),
        details=tuple((label, fields[name]) for label, name in _DETAILS),
    )
    passage = Passage(
        urn=passage_urn(Silo.FICHES, identifier, "texte"),
        source_key=source.key,
        silo=Silo.FICHES,
        origin_title=source.title,
        source_identifier=identifier,
        text=nfc(fields["text"]),
        regulatory_date=source.regulatory_date,
        heading=source.title,
    )
    return SourceDocument(source=source, passages=(passage,))
