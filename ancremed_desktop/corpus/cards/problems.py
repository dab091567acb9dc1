"""The one exception by which a card is refused; the reader turns it into a ``Refusal``."""

from __future__ import annotations

from ancremed_desktop.errors import BadFileError


class CardProblem(BadFileError):  # noqa: N818 - names what is wrong with a card, like a finding
    """Why a card cannot be taken (French) and where in its file (line, header field, record)."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where} : {reason}")
        self.where = where
        self.reason = reason
