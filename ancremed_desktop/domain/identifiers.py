"""Names of things: silos, topic classes, sections, source statuses."""

from __future__ import annotations

from enum import StrEnum


class Silo(StrEnum):
    """A family of sources, searched and tuned on its own (DESIGN §4)."""

    EDN = "edn"
    HAS = "has"
    BDPM = "bdpm"
    FORMULAS = "formulas"
    FICHES = "fiches"
    LOCAL = "local"


class Code(StrEnum):
    """Kinds of codes by which a source is looked up directly, without ranking.

    ``SUBSTANCE``: a substance the source contains. ``ENTRY``: an entry (substance or class) of
    the interactions thesaurus a name stands for; ``MEMBER``: a class the source belongs to;
    ``HEAD``: the stem of the word that heads such an entry, or of a usual word for it, no hyphen;
    ``PAIR``: two entries that interact, « a + b » in alphabetical order; ``SIDE``: each of them.
    """

    CIS = "cis"
    CIP = "cip"
    ATC = "atc"
    CIM10 = "cim10"
    ITEM = "item"
    SUBSTANCE = "substance"
    ENTRY = "entrée"
    MEMBER = "membre"
    HEAD = "tête"
    PAIR = "paire"
    SIDE = "côté"


THESAURUS_PREFIX = "ANSM-"
"""Begins the identifiers of the sources of the ANSM interactions thesaurus."""
THESAURUS = f"{THESAURUS_PREFIX}thesaurus"
"""Identifier of the source that stands for its edition in force."""


class TopicClass(StrEnum):
    """The seven classes of the specification (§6.1)."""

    DEFINITION = "definition_item_edn"
    SEMIOLOGY = "semiologie_cas_clinique"
    PHARMACOLOGY = "pharmacologie_therapeutique"
    ANATOMY = "anatomie_physiologie"
    CALCULATION = "calcul_clinique"
    EMERGENCY = "urgence_conduite_a_tenir"
    CONVERSATION = "conversationnel"


class SourceStatus(StrEnum):
    """How far a source has been checked; shown with every quote of it."""

    PUBLISHED = "publié"
    DRAFT = "brouillon, non relu par un clinicien"
    USER = "document de l’utilisateur"


class PassageKind(StrEnum):
    """What a passage is, so that it is quoted for what it is."""

    PROSE = "prose"
    TABLE = "tableau"
    EXAM_ANSWER = "réponse d’examen"
    OBJECTIVE = "objectif de connaissance"
    RECORD = "fiche administrative"
    FORMULA = "formule"
    INTERACTION = "interaction listée"


SECTIONS: tuple[str, ...] = (
    "définition", "physiopathologie", "épidémiologie", "classification",
    "étiologies et facteurs de risque", "évolution et complications",
    "dépistage et prévention", "cadre réglementaire", "chiffres clés",
    "signes", "paraclinique", "diagnostics différentiels", "gravité", "conduite à tenir",
    "critères diagnostiques", "formes selon le terrain",
    "indication", "posologie", "contre-indications", "surveillance",
    "effets indésirables", "interactions", "grossesse et allaitement", "antidote",
    "mécanisme et pharmacocinétique", "prescription et délivrance",
    "composition et présentations", "évaluation (SMR, ASMR)",
    "structure", "rapports", "fonction", "vascularisation et innervation", "régulation",
    "conséquences d’une lésion",
    "formule", "variables et unités", "application numérique", "interprétation",
    "limites et divergences", "source",
    "reconnaissance", "gestes immédiats", "traitement", "orientation", "objectifs",
    "première intention", "alternatives", "suivi", "recommandation et date",
)  # fmt: skip
"""Section names of the taxonomy, in display order; the only ones a passage may use."""

SAFETY = frozenset(
    {"contre-indications", "interactions", "surveillance", "grossesse et allaitement"}
)
"""Sections shown whole: a line left out here would read as a permission."""

FORMULA_SECTIONS = frozenset(
    {"formule", "variables et unités", "application numérique", "interprétation",
     "limites et divergences", "source"}
)  # fmt: skip
"""Sections of the formula bank alone."""

OWN_SECTIONS: tuple[str, str, str] = (
    "article demandé", "articles cités", "extraits de vos documents",
)  # fmt: skip
"""Sections of an answer from the user's own documents, beside those of the taxonomy."""

PROGRAMME = "programme de l’EDN"
"""Section of an answer that says what the programme asks to know."""
ANSWER = "réponse"
"""Section of an answer that no section of the taxonomy holds: the best sentences found."""
