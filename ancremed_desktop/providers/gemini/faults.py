"""What can go wrong with the online service, in the errors of the port and in French."""

from __future__ import annotations

from ancremed_desktop.errors import (
    InvalidReplyError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
)

BAD_KEY = (
    ModelUnavailableError,
    (
        "Google refuse la clé : vérifiez-la, ou créez-en une autre sur aistudio.google.com, puis "
        "enregistrez-la à nouveau à la page Modèles."
    ),
)
NO_KEY = (
    ModelUnavailableError,
    ("Aucune clé Gemini n’est enregistrée : ajoutez-la à la page Modèles."),
)
NO_CONSENT = (
    ModelRefusedError,
    (
        "Vous n’avez pas autorisé l’envoi de textes à Google : rien n’est envoyé. L’autorisation "
        "se donne à la page Modèles."
    ),
)
NO_LIBRARY = (
    ModelUnavailableError,
    ("La bibliothèque google-genai n’est pas installée : relancez l’installation d’AncreMed."),
)
NO_NETWORK = (
    ModelUnavailableError,
    ("Google est injoignable : vérifiez la connexion à Internet, puis réessayez."),
)
CUT = (
    ModelUnavailableError,
    ("La connexion à Google a été coupée avant la fin de la réponse : réessayez."),
)
UNREADABLE = InvalidReplyError, "La réponse reçue de Google est illisible ou tronquée."
EMPTY = InvalidReplyError, "Google a rendu une réponse vide."
TOO_LARGE = InvalidReplyError, "La réponse de Google dépasse la taille permise."
BLOCKED = (
    ModelRefusedError,
    ("Google a bloqué cette demande ou sa réponse (règles de sécurité du service)."),
)
REDIRECTED = (
    ModelUnavailableError,
    (
        "La connexion est détournée vers une autre adresse (portail d’accès au réseau ?) : rien "
        "n’y est envoyé."
    ),
)
ACCOUNT = (
    ModelUnavailableError,
    (
        "Google n’ouvre pas ce service à ce compte ou à ce pays : vérifiez le compte de la clé sur "
        "aistudio.google.com."
    ),
)

Fault = tuple[type[ModelError], str]
_RETRIED = frozenset({429, 500, 502, 503, 504})


class TryAgain(Exception):  # noqa: N818 - not an error yet: the same request may succeed
    """A passing fault. ``error``: what it is after the last try. ``after_s``: delay asked."""

    def __init__(self, error: ModelError, after_s: float | None = None) -> None:
        super().__init__(str(error))
        if isinstance(error, ModelUnavailableError):
            error.after_s = after_s
        self.error = error
        self.after_s = after_s


def fault(kind: Fault) -> ModelError:
    """The error of a fault of this module."""
    error, message = kind
    return error(message)


def of_status(
    code: int, reasons: frozenset[str], model: str, after_s: float | None
) -> ModelError | TryAgain:
    """The error of an HTTP status. ``reasons``: status and reason words of the body, capitals."""
    if code == 429:
        wait = f"dans {max(1, round(after_s))} s" if after_s is not None else "plus tard"
        quota = f"Google limite le nombre de demandes (quota atteint) : réessayez {wait}."
        return TryAgain(ModelUnavailableError(quota), after_s)
    if code in _RETRIED:
        down = f"Le service de Google est en panne (erreur {code}) : réessayez plus tard."
        return TryAgain(ModelUnavailableError(down), after_s)
    if code in {401, 403} or "API_KEY_INVALID" in reasons:
        return fault(BAD_KEY)
    if code == 404:
        return ModelUnavailableError(
            f"Google ne propose pas, ou plus, le modèle « {model} » : mettez AncreMed à jour."
        )
    if "FAILED_PRECONDITION" in reasons:
        return fault(ACCOUNT)
    if code == 413:
        return ModelRefusedError("La demande est trop longue pour Google.")
    if 300 <= code < 400:
        return fault(REDIRECTED)
    return ModelRefusedError(f"Google refuse cette demande (erreur {code}).")
