"""A text that cannot be taken as it reads is left out by name: another in its place says so."""

from __future__ import annotations

from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.text.announcing import WITHHELD
from ancremed_desktop.text.list_marks import MARK
from ancremed_desktop.text.visible import visible

STRUCK = "du texte y est barré"
HIDDEN = "du texte y est caché"
UNDECIDED = "sa mise en forme ne permet pas de savoir s’il est visible"
FOLDED = "il est dans une partie repliée, à enregistrer dépliée"
STYLED = "la feuille de style y ajoute des mots"
CUT = "le bord de la page le coupe"
SHIFTED = "un exposant ou un indice n’y a pas d’écriture sans mise en forme"
PICTURED = "une image ou une formule y tient lieu de texte"
TURNED = "des signes y changent le sens de l’écriture"
PARTED = "un signe invisible y coupe un nombre"
QUOTED = "il est cité comme du code (exemple ou modèle), non comme une consigne"
ENDLESS = "il a plus de 20\u00a0000 caractères, allez à la ligne entre ses paragraphes"
MISREAD = "ses lettres ont été mal converties avant l’enregistrement («\u00a0Ã©\u00a0» pour «\u00a0é\u00a0»)"
UNKNOWN = "un caractère de symbole y est illisible"
_SHOWN_WORDS = 8
_SHOWN_CHARACTERS = 80


def omitted(text: str, why: str, number: int = 0) -> tuple[str, PageRefusal]:
    """What stands for a paragraph, its list mark kept, and the refusal that names it.

    ``number``: its page, 0 where there are none.
    """
    mark = MARK.match(text)
    opening = text[: mark.end()] if mark else ""
    rest = text[len(opening) :]
    shown = " ".join(rest[:_SHOWN_CHARACTERS].split()[:_SHOWN_WORDS])
    shown += "…" if len(shown) < len(rest) else ""
    return (
        f"{opening}{WITHHELD}\u00a0: {why}, voir l’original.]",
        PageRefusal(
            number=number,
            reason=f"un paragraphe n’est pas repris\u00a0: {why}",
            whole=False,
            part=f"paragraphe «\u00a0{visible(shown)}\u00a0»",
        ),
    )
