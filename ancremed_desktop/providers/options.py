"""What a provider is told when a model is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import ModelFamily


def no_key() -> str:
    """Key of providers that need none."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """Each provider reads what it needs.

    ``model``: name within the provider. ``file``: weights or recorded exchanges.
    ``api_key``: asked at each call, never kept, empty when there is none. ``consented``: asked at
    each call: may the text of the user leave the machine? ``base_url``: empty for the provider's
    own address. ``redact``: masks what identifies a person in texts sent together. ``on_sent``:
    told a text as it leaves the machine, even when no reply comes. ``family``,
    ``context_tokens``, ``identity``: of local weights, 0 or empty when unknown. ``check_file``:
    called before each use of ``file``; raises ModelUnavailableError when it is no longer the file
    that ``identity`` names, Cancelled when the user stops.
    """

    model: str
    file: Path | None = None
    api_key: Callable[[], str] = no_key
    consented: Callable[[], bool] = lambda: False
    base_url: str = ""
    redact: Callable[[Sequence[str]], tuple[str, ...]] | None = None
    on_sent: Callable[[str], None] = lambda _text: None
    family: ModelFamily = ModelFamily.CHATML
    context_tokens: int = 0
    identity: str = ""
    check_file: Callable[[CancelToken], None] = lambda _cancel: None
