"""What can go wrong with a download, in French: what, why, what to do."""

from __future__ import annotations

from pathlib import Path

from ancremed_desktop.errors import (
    AncremedError,
    BadFileError,
    MachineError,
    UserError,
    is_disk_full,
    reason_of,
)

KEPT = "Ce qui est reçu est gardé : recommencez pour avoir la suite."
AGAIN = "Rien n’est encore reçu : recommencez plus tard."


class CutError(Exception):
    """The connection broke; ``reason`` in French. The rest may still come: not yet the end."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class StaleError(BadFileError):
    """What had come is not the beginning of what is sent: it is thrown away."""


def refusal(code: int, host: str) -> AncremedError | CutError:
    """The error of an HTTP status that brings no file."""
    if code in {404, 410}:
        return UserError(
            f"Rien à cette adresse de {host} (erreur {code}) : le fichier a été déplacé ou son "
            "adresse est fautive. Vérifiez-la, ou mettez AncreMed à jour."
        )
    if code in {401, 403}:
        return UserError(
            f"{host} réserve ce fichier à des comptes (erreur {code}) : acceptez sa licence sur "
            "le site, téléchargez-le là, puis importez-le avec « main.py models import FICHIER »."
        )
    if code == 407:
        return MachineError("Le mandataire (proxy) du réseau demande un mot de passe.")
    if code == 429 or code >= 500:
        return CutError(f"{host} est surchargé ou en panne (erreur {code}).")
    return MachineError(f"{host} refuse cette demande (erreur {code}).")


def page_instead(host: str) -> BadFileError:
    """A page where a file was expected."""
    return BadFileError(
        f"Une page web a été envoyée par {host} à la place du fichier : portail d’accès au "
        "réseau, ou adresse de la page du modèle au lieu de celle du fichier. Elle n’est pas "
        "gardée."
    )


def wrong_size(host: str, got: int, wanted: int) -> BadFileError:
    """Another size than expected."""
    return BadFileError(
        f"Le fichier de {host} n’a pas la taille attendue ({got} octets au lieu de "
        f"{wanted}) : il n’est pas gardé. La source a changé, ou l’adresse est fautive."
    )


def unwritable(target: Path, error: OSError) -> MachineError:
    """What the disk refused."""
    if is_disk_full(error):
        return MachineError(f"Plus de place dans « {target.parent} » : libérez-en. {KEPT}")
    return MachineError(
        f"« {target} » n’a pas pu être écrit ({reason_of(error)}). Vérifiez vos droits d’accès."
    )


def unreachable(host: str, error: Exception) -> str:
    """Why there is no connection at all, French."""
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return (
            f"Le certificat de {host} n’est pas reconnu : l’heure de l’ordinateur est fausse, ou "
            "un filtre du réseau lit les connexions."
        )
    return f"{host} est injoignable : vérifiez la connexion à Internet (et le mandataire)."
