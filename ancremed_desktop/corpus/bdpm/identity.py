"""Sentences on what a drug is: form, routes, authorisation, holder, code, major interest."""

from __future__ import annotations

import re

from ancremed_desktop.corpus.bdpm.catalogue import Catalogue, Entry
from ancremed_desktop.corpus.bdpm.french import (
    COLON,
    SEMICOLON,
    as_subject,
    enumeration,
    file_label,
    inline,
    lower_first,
    of,
    of_date,
    sentence,
    written_date,
)
from ancremed_desktop.corpus.bdpm.parts import Part
from ancremed_desktop.corpus.bdpm.schema import Table

_PROCEDURES = {
    "Enreg homéo (Proc. Nat.)": "enregistrement homéopathique, procédure nationale",
    "Enreg phyto (Proc. Nat.)": "enregistrement de phytothérapie, procédure nationale",
    "Enreg phyto (Proc. Dec.)": "enregistrement de phytothérapie, procédure décentralisée",
}
_ABBREVIATED = re.compile(r"\.(?=[\s,]|$)")
_STATUS_PREFIX = "Autorisation "


def identity(entry: Entry, catalogue: Catalogue) -> Part:
    """Identity, status, holder and code of a drug; for a retired one, that it is retired."""
    drug = entry.drug
    name = inline(drug.name)
    edition = file_label(catalogue.editions[entry.dump.name])
    sentences = [_retirement(entry, catalogue, name)] if entry.retired else []
    routes = _routes(drug.routes)
    verb = "était" if entry.retired else "est"
    sentences.append(
        sentence(
            f"{as_subject(name)} {verb} un médicament sous forme de {inline(drug.form)}{routes} "
            f"(base publique des médicaments, {edition})"
        )
    )
    sentences.append(_authorisation(entry, name))
    if drug.holders:
        plural = "s" if len(drug.holders) > 1 else ""
        holders = inline(_ABBREVIATED.sub("", enumeration(drug.holders)))
        sentences.append(sentence(f"Titulaire{plural} {of(name)}{COLON}{holders}"))
    code = f"Code CIS {of(name)}{COLON}{drug.cis}"
    if drug.european_number:
        code += f"{SEMICOLON}numéro d’autorisation européenne{COLON}{drug.european_number}"
    sentences.append(sentence(code))
    if not entry.retired:
        sentences.extend(_flags(entry, catalogue, name))
    return Part(slug="identite", heading="Identité du médicament", sentences=tuple(sentences))


def _routes(routes: tuple[str, ...]) -> str:
    if not routes:
        return ""
    label = "voie d’administration" if len(routes) == 1 else "voies d’administration"
    return f", {label}{COLON}{enumeration(routes)}"


def _retirement(entry: Entry, catalogue: Catalogue, name: str) -> str:
    newest = of_date(catalogue.edition_of(Table.DRUGS))
    seen = of_date(catalogue.editions[entry.dump.name])
    return sentence(
        f"La spécialité {as_subject(name)} a été retirée de la base publique des médicaments"
        f"{COLON}elle figure dans le fichier {seen} et n’est plus dans celui {newest}"
    )


def _authorisation(entry: Entry, name: str) -> str:
    drug = entry.drug
    verb = "était" if entry.retired else "est"
    text = f"La spécialité {as_subject(name)} {verb} {drug.marketing.lower()}"
    procedure = _PROCEDURES.get(drug.procedure, drug.procedure.lower())
    status = drug.status.removeprefix(_STATUS_PREFIX).lower()
    given = f"délivrée le {written_date(drug.authorised)}" if drug.authorised else ""
    details = ", ".join(part for part in (given, procedure) if part)
    inside = f" ({details})" if details else ""
    return sentence(f"{text}{SEMICOLON}son autorisation{inside} {verb} {status}")


def _flags(entry: Entry, catalogue: Catalogue, name: str) -> list[str]:
    drug = entry.drug
    found: list[str] = []
    if drug.reinforced:
        found.append(
            sentence(
                f"{as_subject(name)} fait l’objet d’une surveillance renforcée (triangle noir)"
            )
        )
    if drug.warning:
        kind = "une alerte" if drug.warning == "Alerte" else "un avertissement de disponibilité"
        found.append(sentence(f"La base publique des médicaments affiche {kind} pour {name}"))
    if entry.major_interest:
        code = f", code ATC {entry.atc}" if entry.atc else ""
        found.append(
            sentence(
                f"{as_subject(name)} est un médicament d’intérêt thérapeutique majeur (MITM{code})"
            )
        )
    for notice in entry.safety:
        period = f" du {written_date(notice.started)}" if notice.started else ""
        until = f" au {written_date(notice.ended)}" if notice.ended else ""
        found.append(
            sentence(
                f"Information de sécurité{period}{until} sur {name} "
                f"({file_label(catalogue.edition_of(Table.SAFETY))}){COLON}"
                f"{lower_first(inline(notice.text))}"
            )
        )
    return found
