"""The providers. Adding one is one class and one line of ``PROVIDERS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.gemini.model import GeminiModel
from ancremed_desktop.providers.llama_cpp.model import LlamaCppModel
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.providers.replay import ReplayModel

Provider = Callable[[ModelOptions], LanguageModel]
"""Makes a model; cheap: nothing is loaded nor sent before its first ``complete``."""

PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "gemini": GeminiModel.from_options,
        "llama_cpp": LlamaCppModel.from_options,
        "replay": ReplayModel.from_options,
    }
)


def open_model(
    provider: str, options: ModelOptions, providers: Mapping[str, Provider] = PROVIDERS
) -> LanguageModel:
    """The model ``options`` describes. Raises: ModelUnavailableError, UserError."""
    if provider not in providers:
        raise ModelUnavailableError(
            f"Fournisseur de modèle inconnu : « {provider} ». "
            f"Connus : {', '.join(sorted(providers))}."
        )
    return providers[provider](options)
