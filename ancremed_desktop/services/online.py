"""Gemini for the window and the command line: key, consent, what would leave, what left."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Completion, CompletionRequest, Message, Role
from ancremed_desktop.errors import MachineError, ModelUnavailableError
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.gemini import faults
from ancremed_desktop.providers.gemini.card import GeminiCard, read_gemini_card
from ancremed_desktop.providers.gemini.outgoing import as_shown, masked
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services.approval import Approve, ApprovedModel
from ancremed_desktop.services.network import NetworkMeter
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

ONLINE = "gemini"
"""Name of the online model, beside those of the library."""
CONSENT_VERSION = 5
"""Of the text below: another text needs another consent."""
CONSENT = (
    "Quand Gemini est activé, AncreMed envoie à Google, aux États-Unis ou ailleurs : le texte de "
    "votre question, les phrases des sources trouvées pour y répondre (vos propres documents "
    "compris), les consignes données au modèle, votre clé, l’adresse Internet de cet ordinateur et "
    "les versions de Python et du logiciel d’envoi. Rien d’autre : ni fichiers entiers, ni "
    "journal, ni historique.",
    "Avant l’envoi sont masqués : les noms annoncés par un titre (« M. », « Mme », « Dr »…), par "
    "« patient », « enfant », « né », « dit », « nom : », « prénom : », « médecin traitant : » et"
    " les mots semblables, suivis d’un âge, ou joints à un prénom courant et écrits avec une "
    "majuscule ; les numéros de sécurité sociale, de dossier, RPPS et les nombres de neuf "
    "chiffres ou plus, sauf les codes CIP ; les IBAN ; les dates en chiffres ou en lettres, sauf "
    "une année ou un mois seuls et la date des dernières règles ; les téléphones, les courriels, "
    "les adresses postales et Internet.",
    "Un autre nom que rien n’annonce n’est pas reconnu, et part tel quel : n’écrivez rien qui "
    "désigne une personne. Chaque texte vous est montré avant de partir, sauf si vous demandez de "
    "ne plus l’être jusqu’à la fermeture d’AncreMed, ou, en ligne de commande, d’envoyer sans "
    "demander.",
    "Google peut conserver ces textes et, avec une clé gratuite, s’en servir pour améliorer ses "
    "produits. Vous pouvez retirer votre accord à tout moment ; sans lui, ou sans clé, rien n’est "
    "envoyé.",
)

TEST_REQUEST = CompletionRequest(
    messages=(Message(role=Role.USER, content="Réponds par le seul mot « oui »."),),
    max_tokens=32,
    timeout_s=30,
)
"""What « test » sends: nothing of the user's."""
_REMEMBERED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineStatus:
    """``key``: there is one. ``lasting``: this machine can keep it after the session."""

    consented: bool
    key: bool
    lasting: bool

    @property
    def enabled(self) -> bool:
        """Whether text may leave the machine."""
        return self.consented and self.key

    @property
    def badge(self) -> str:
        """What the user reads of it, French."""
        return "Gemini activé" if self.enabled else "Gemini désactivé : rien n’est envoyé"


class OnlineModel:
    """One for the whole session: it holds the record of what left, in memory only.

    ``show_each``: whether each text of a question is shown before it leaves; True at each start.
    """

    def __init__(
        self,
        keys: KeyStore,
        preferences: PreferenceStore,
        open_model: Callable[[str, ModelOptions], LanguageModel],
        base_url: str = "",
        meter: NetworkMeter | None = None,
    ) -> None:
        """``base_url``: empty for Google's own address."""
        self._keys = keys
        self._preferences = preferences
        self._open_model = open_model
        self._base_url = base_url
        self._left: deque[str] = deque(maxlen=_REMEMBERED)
        self.meter = meter or NetworkMeter()
        self.show_each = True

    @property
    def card(self) -> GeminiCard:
        """Model asked and its prices. Raises: BadFileError."""
        return read_gemini_card()

    @property
    def consented(self) -> bool:
        """Whether the user agreed to the present text; asks neither key store nor network.

        Here and in the file: it may have been taken back in another window.
        """
        known = (self._preferences.current, self._preferences.stored())
        return all(preferences.gemini_consent == CONSENT_VERSION for preferences in known)

    @property
    def left(self) -> tuple[str, ...]:
        """Texts that left the machine in this session, latest first, at most 50."""
        return tuple(reversed(self._left))

    def status(self) -> OnlineStatus:
        """Present state. Raises: MachineError, when the key store is locked."""
        return OnlineStatus(
            consented=self.consented, key=bool(self._keys.read()), lasting=self._keys.lasting
        )

    def save_key(self, key: str) -> bool:
        """Keep a key; False: until the end of the session only. Raises: UserError."""
        return self._keys.write(key)

    def consent(self, agreed: bool) -> None:
        """Agree to ``CONSENT``, or take it back. Raises: MachineError; taken back all the same."""
        self._preferences.update(gemini_consent=CONSENT_VERSION if agreed else 0)

    def forget(self) -> None:
        """Take the consent back and erase the key. Raises: MachineError."""
        try:
            self.consent(False)
        finally:
            self._keys.forget()

    def preview(self, text: str) -> str:
        """What would be sent of a text, word for word."""
        return _as_sent((Message(role=Role.USER, content=text),))

    def open(self) -> LanguageModel:
        """The model, for texts of ours alone; key and consent are asked at each request.

        Raises: BadFileError.
        """

        def leaving(text: str) -> None:
            self._left.append(text)
            self.meter.trial_sent()

        return self._opened(leaving)

    def for_question(self, approve: Approve) -> LanguageModel:
        """The model for one question of the user: each text is shown to ``approve`` first.

        Raises: ModelRefusedError without consent, ModelUnavailableError without a key;
            BadFileError.
        """
        if not self.consented:
            raise faults.fault(faults.NO_CONSENT)
        if not self._key():
            raise faults.fault(faults.NO_KEY)
        card = self.card

        def open_model(leaving: Callable[[str], None]) -> LanguageModel:
            def left(text: str) -> None:
                self._left.append(text)
                leaving(text)

            return self._opened(left)

        return ApprovedModel(open_model, _as_sent, approve, self, card.cost_usd)

    def _opened(self, leaving: Callable[[str], None]) -> LanguageModel:
        return self._open_model(
            "gemini",
            ModelOptions(
                model=self.card.model,
                api_key=self._key,
                consented=lambda: self.consented,
                base_url=self._base_url,
                redact=_redact,
                on_sent=leaving,
            ),
        )

    def test(self, cancel: CancelToken) -> Completion:
        """Send ``TEST_REQUEST``. Raises: ModelError, Cancelled."""
        model = self.open()
        try:
            return model.complete(TEST_REQUEST, cancel=cancel)
        finally:
            model.close()

    def _key(self) -> str:
        try:
            return self._keys.read()
        except MachineError as error:
            raise ModelUnavailableError(str(error)) from error


def _as_sent(messages: Sequence[Message]) -> str:
    return as_shown(masked(messages, _redact))


def _redact(texts: Sequence[str]) -> tuple[str, ...]:
    # Imported here: its patterns take long to compile, and most sessions send nothing.
    from ancremed_desktop.observability.redaction import redact

    return redact(texts)
