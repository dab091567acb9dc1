"""Which Gemini model is asked, and what it costs (resources/online/gemini.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.domain.models import Usage
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.settings.paths import RESOURCES

CARD_FILE = RESOURCES / "online" / "gemini.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiCard:
    """``input_usd``, ``output_usd``: per million tokens, read on ``read_on`` (ISO) at ``read_at``.

    ``context_tokens``: longest prompt and reply together that we send.
    """

    model: str
    input_usd: float
    output_usd: float
    price_page: str
    read_at: str
    read_on: str
    context_tokens: int
    thinking_level: str

    def cost_usd(self, usage: Usage) -> float:
        """Estimated cost of one reply in US dollars; cached tokens are counted at full price."""
        spent = usage.prompt_tokens * self.input_usd + usage.completion_tokens * self.output_usd
        return spent / 1_000_000


def read_gemini_card(path: Path = CARD_FILE) -> GeminiCard:
    """The card as shipped. Raises: BadFileError."""
    try:
        card = GeminiCard(**tomllib.loads(path.read_text(encoding="utf-8")))
        if not (card.input_usd > 0 and card.output_usd > 0 and card.context_tokens > 0):
            raise ValueError(path)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise BadFileError(
            f"Le fichier du modèle en ligne « {path} » est absent ou abîmé : réinstallez AncreMed."
        ) from error
    return card
