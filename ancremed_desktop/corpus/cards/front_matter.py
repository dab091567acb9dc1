"""The TOML header of a Markdown card: who the card is about and which public sources back it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from ancremed_desktop.corpus.cards.fields import (
    is_full_date,
    optional_text,
    required_choice,
    required_partial_date,
    required_text,
)
from ancremed_desktop.corpus.cards.problems import CardProblem
from ancremed_desktop.domain.identifiers import SourceStatus
from ancremed_desktop.errors import reason_of

FENCE = "+++"
WHERE = "en-tête"

_IDENTIFIERS = {
    "medicament": re.compile(r"\d{8}"),
    "classe": re.compile(r"CLASSE-[0-9A-Z]+(?:-[0-9A-Z]+)*"),
    "notion": re.compile(r"NOTION-[0-9A-Z]+(?:-[0-9A-Z]+)*"),
    "sujet_edn": re.compile(r"EDN-\d{3}"),
    "recommandation": re.compile(r"EDN-\d{3}|RECO-[0-9A-Z]+(?:-[0-9A-Z]+)*"),
    "urgence": re.compile(r"EDN-\d{3}|RECO-[0-9A-Z]+(?:-[0-9A-Z]+)*"),
}
KINDS = tuple(_IDENTIFIERS)
_EXPECTED = {
    "medicament": "un code CIS de 8 chiffres",
    "classe": "CLASSE- suivi de capitales",
    "notion": "NOTION- suivi de capitales",
    "sujet_edn": "EDN- suivi de 3 chiffres",
    "recommandation": "RECO-… ou EDN- suivi de 3 chiffres",
    "urgence": "RECO-… ou EDN- suivi de 3 chiffres",
}
_REVIEWED = ("relu", "validé")
STATUSES = (SourceStatus.DRAFT.value, *_REVIEWED)
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SOURCE_KEY = re.compile(r"s\d{1,2}")
_CHECKED = re.compile(r"vérifié dans .+ le (\d{4}-\d{2}-\d{2})")
_TO_CHECK = re.compile(r"à vérifier\s?: .+")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSource:
    """A public source of a card. ``where``: address, or how to find it; ``date``: ISO, partial.

    ``verification``: « vérifié dans <fichier> le AAAA-MM-JJ » or « à vérifier : <quoi ouvrir> ».
    """

    key: str
    publisher: str
    title: str
    date: str
    where: str
    verification: str

    @property
    def citation(self) -> str:
        """One line that names the source, its date, where to find it and how it was checked."""
        return f"{self.publisher}, {self.title}, {self.date}, {self.where} ({self.verification})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHeader:
    """A checked header. ``superseded_by``: id of the later card or a reason, empty if current."""

    id: str
    kind: str
    title: str
    source_identifier: str
    names: tuple[str, ...]
    regulatory_date: str
    superseded: bool
    superseded_by: str
    review: str
    reviewer: str
    written_on: str
    sources: tuple[CardSource, ...]

    @property
    def status(self) -> SourceStatus:
        """Published only when a named person reviewed the card."""
        return SourceStatus.PUBLISHED if self.review in _REVIEWED else SourceStatus.DRAFT


def is_card_id(text: str) -> bool:
    """Whether text has the form of a card id (lower case, digits, hyphens)."""
    return _SLUG.fullmatch(text) is not None


def parse_header(text: str) -> CardHeader:
    """The header between the two ``+++`` lines.

    Raises: CardProblem, with the first field that is wrong.
    """
    try:
        record: Mapping[str, object] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CardProblem(WHERE, f"ce n’est pas du TOML lisible ({reason_of(error)}).") from error
    kind = required_choice(record, "kind", WHERE, KINDS)
    superseded, superseded_by = _supersession(record)
    review, reviewer = _review(record)
    return CardHeader(
        id=_card_id(record),
        kind=kind,
        title=required_text(record, "title", WHERE),
        source_identifier=_identifier(record, kind),
        names=_names(record),
        regulatory_date=required_partial_date(record, "regulatory_date", WHERE),
        superseded=superseded,
        superseded_by=superseded_by,
        review=review,
        reviewer=reviewer,
        written_on=required_partial_date(record, "redige_le", WHERE),
        sources=_sources(record),
    )


def _card_id(record: Mapping[str, object]) -> str:
    value = required_text(record, "id", WHERE)
    if not is_card_id(value):
        raise CardProblem(
            WHERE, f"« id » vaut « {value} » ; n’employez que a-z, 0-9 et le trait d’union."
        )
    return value


def _identifier(record: Mapping[str, object], kind: str) -> str:
    value = required_text(record, "source_identifier", WHERE)
    if _IDENTIFIERS[kind].fullmatch(value) is None:
        raise CardProblem(
            WHERE,
            f"« source_identifier » vaut « {value} » ; une fiche « {kind} » attend "
            f"{_EXPECTED[kind]}.",
        )
    return value


def _names(record: Mapping[str, object]) -> tuple[str, ...]:
    value = record.get("names")
    if not isinstance(value, list) or not value:
        raise CardProblem(WHERE, "« names » doit être une liste d’au moins un nom.")
    return tuple(
        required_text({"names": name}, "names", f"{WHERE}, nom {number}")
        for number, name in enumerate(value, start=1)
    )


def _supersession(record: Mapping[str, object]) -> tuple[bool, str]:
    superseded = record.get("superseded")
    if not isinstance(superseded, bool):
        raise CardProblem(WHERE, "« superseded » doit être true ou false.")
    superseded_by = optional_text(record, "superseded_by", WHERE).strip()
    if superseded != bool(superseded_by):
        raise CardProblem(
            WHERE, "« superseded_by » se remplit si « superseded » est true, et seulement alors."
        )
    return superseded, superseded_by


def _review(record: Mapping[str, object]) -> tuple[str, str]:
    review = required_choice(record, "statut", WHERE, STATUSES)
    reviewer = optional_text(record, "relu_par", WHERE).strip()
    if (review in _REVIEWED) != bool(reviewer):
        raise CardProblem(
            WHERE, "« relu_par » se remplit si « statut » est relu ou validé, et seulement alors."
        )
    return review, reviewer


def _sources(record: Mapping[str, object]) -> tuple[CardSource, ...]:
    entries = record.get("source")
    if not isinstance(entries, list) or not entries:
        raise CardProblem(WHERE, "aucune source : ajoutez au moins un bloc [[source]].")
    sources = tuple(_source(entry, number) for number, entry in enumerate(entries, start=1))
    keys = [source.key for source in sources]
    for key in keys:
        if keys.count(key) > 1:
            raise CardProblem(WHERE, f"la clé de source « {key} » est employée deux fois.")
    return sources


def _source(entry: object, number: int) -> CardSource:
    where = f"{WHERE}, source {number}"
    if not isinstance(entry, dict):
        raise CardProblem(where, "une source s’écrit dans un bloc [[source]].")
    key = required_text(entry, "key", where)
    if _SOURCE_KEY.fullmatch(key) is None:
        raise CardProblem(where, f"« key » vaut « {key} » ; écrivez s suivi d’un numéro.")
    verification = required_text(entry, "verification", where)
    checked = _CHECKED.fullmatch(verification)
    if not (is_full_date(checked[1]) if checked else _TO_CHECK.fullmatch(verification)):
        raise CardProblem(
            where,
            "« verification » s’écrit « vérifié dans <fichier> le AAAA-MM-JJ » ou "
            "« à vérifier : <source à ouvrir> ».",
        )
    return CardSource(
        key=key,
        publisher=required_text(entry, "publisher", where),
        title=required_text(entry, "title", where),
        date=required_partial_date(entry, "date", where),
        where=required_text(entry, "where", where),
        verification=verification,
    )
