"""French words of the window: labels of the domain's values, dates, counts, durations."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.identifiers import PassageKind, Silo, TopicClass
from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.errors import BugError, Cancelled, MachineError, ModelError, UserError
from ancremed_desktop.services.export import headings_of
from ancremed_desktop.text.articles import label_of, spoken
from ancremed_desktop.text.french import NBSP, french_date, no_break

MINUTE_S, HOUR_S = 60, 3600

SILO = {
    Silo.EDN: "EDN",
    Silo.HAS: "HAS",
    Silo.BDPM: "BDPM",
    Silo.FORMULAS: "Formules",
    Silo.FICHES: "Fiches",
    Silo.LOCAL: "Mes documents",
}
TOPIC = {
    TopicClass.DEFINITION: "Définition",
    TopicClass.SEMIOLOGY: "Sémiologie",
    TopicClass.PHARMACOLOGY: "Pharmacologie",
    TopicClass.ANATOMY: "Anatomie et physiologie",
    TopicClass.CALCULATION: "Calcul clinique",
    TopicClass.EMERGENCY: "Urgence et conduite à tenir",
    TopicClass.CONVERSATION: "Conversation",
}
KIND = {
    PassageKind.TABLE: "tableau",
    PassageKind.EXAM_ANSWER: "réponse d’examen",
    PassageKind.OBJECTIVE: "objectif de connaissance",
    PassageKind.RECORD: "fiche administrative",
    PassageKind.FORMULA: "formule",
    PassageKind.INTERACTION: "interaction listée",
}
FOLDER_KIND = {
    "bdpm": "Médicaments : fichiers de la BDPM",
    "has": "Recommandations : PDF de la HAS",
    "edn": "Enseignement : EDN et questions d’examen",
    "cards": "Fiches sourcées",
}
STAGE = {
    "schema": "Forme",
    "narrative": "Texte de liaison",
    "context": "Contexte",
    "inclusion": "Citation",
    "quantities": "Quantités",
    "entity": "Sujet de la source",
    "confidence": "Confiance",
    "verifier": "Vérification",
}
DROP_REASON = {
    DropReason.SCHEMA: "segment mal formé",
    DropReason.NARRATIVE_LEAK: "fait clinique dans un texte de liaison",
    DropReason.URN_NOT_RETRIEVED: "source non trouvée pour cette question",
    DropReason.SUPERSEDED: "source remplacée par une édition plus récente",
    DropReason.NOT_QUOTABLE: "passage qui ne peut pas être cité",
    DropReason.QUOTE_NOT_FOUND: "citation absente de la source",
    DropReason.QUOTE_TRIVIAL: "citation trop courte pour prouver quoi que ce soit",
    DropReason.FALSE_ABSTENTION: "une source retrouvée dit ce qui est donné pour absent",
    DropReason.QUANTITY: "quantité absente de la source",
    DropReason.ENTITY: "la source parle d’autre chose",
    DropReason.CONFIDENCE: "confiance insuffisante",
    DropReason.UNSAFE_TEXT: "texte trompeur ou illisible",
    DropReason.POLARITY: "négation différente de la source",
    DropReason.MODALITY: "degré d’obligation différent",
    DropReason.SUBGROUP: "autre population de patients",
    DropReason.ROUTE: "autre voie d’administration",
    DropReason.CONDITION: "condition absente ou différente",
    DropReason.LOGIC: "« et » ou « ou » changé",
    DropReason.ORDER: "ordre des événements changé",
    DropReason.BINDING: "valeur attribuée à autre chose",
    DropReason.ADDED_FACT: "fait absent de la source",
    DropReason.UNSURE: "doute du vérificateur",
    DropReason.VERIFIER_FAULT: "vérification impossible",
}


def capital(text: str) -> str:
    """First letter in upper case, the rest as it is."""
    return text[:1].upper() + text[1:]


def file_size(count_bytes: int) -> str:
    """« 98 Mo », « 2,4 Go »."""
    if count_bytes < 1e9:
        return f"{max(1, round(count_bytes / 1e6))}{NBSP}Mo"
    return f"{count_bytes / 1e9:.1f}{NBSP}Go".replace(".", ",")


def dotted(parts: Iterable[str]) -> str:
    """The parts that are not empty with a middle dot between; no line starts with the dot."""
    return f"{NBSP}{NBSP}·  ".join(part for part in parts if part)


def duration(seconds: float) -> str:
    """« moins d’une seconde », « 12 s », « 3 min 20 s », « 1 h 05 min »."""
    whole = round(seconds)
    if whole < 1:
        return "moins d’une seconde"
    if whole < MINUTE_S:
        return f"{whole}{NBSP}s"
    if whole < HOUR_S:
        minutes, rest = divmod(whole, MINUTE_S)
        return f"{minutes}{NBSP}min" + (f" {rest}{NBSP}s" if rest else "")
    hours, rest = divmod(whole, HOUR_S)
    return f"{hours}{NBSP}h {rest // MINUTE_S:02d}{NBSP}min"


def page_text(passage: Passage) -> str:
    """« p. 12 », with the printed label when it differs; empty without pages."""
    if passage.page_number is None:
        return ""
    label = passage.page_label
    printed = f" (imprimée {label})" if label and label != str(passage.page_number) else ""
    return f"p.{NBSP}{passage.page_number}{printed}"


def source_line(source: Source | None, passage: Passage) -> str:
    """« title · publisher · date · page · article · headings » of a quote, as far as known."""
    title = source.title if source else passage.origin_title
    date = (source.regulatory_date if source else "") or passage.regulatory_date
    label = label_of(passage.urn)
    publisher = source.publisher if source else ""
    number = spoken(label) if label else ""
    under = headings_of(passage)
    parts = (title, publisher, french_date(date), page_text(passage), number, under)
    return dotted(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """An error as it is shown; ``detail`` is for a report to the authors, often empty."""

    title: str
    message: str
    detail: str = ""


def trouble(error: BaseException) -> Trouble:
    """What to tell of an error: its own French message, or that the fault is ours."""
    if isinstance(error, Cancelled):
        return Trouble(title="Arrêté", message=str(error) or "Arrêté à votre demande.")
    if isinstance(error, UserError):
        return Trouble(title="À corriger", message=no_break(str(error)))
    if isinstance(error, MachineError):
        return Trouble(title="L’ordinateur a refusé", message=no_break(str(error)))
    if isinstance(error, ModelError):
        return Trouble(title="Modèle de langage", message=no_break(str(error)))
    ours = "" if isinstance(error, BugError) else " inattendue"
    return Trouble(
        title="Erreur interne",
        message=(
            f"Une erreur{ours} s’est produite dans AncreMed. Rien n’a été perdu. Vous pouvez "
            f"réessayer{NBSP}; si elle revient, copiez le détail et signalez-la."
        ),
        detail="".join(traceback.format_exception(error)),
    )
