"""The words of a text that may hold names, with what shows whether a capital letter says anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ancremed_desktop.text.normalise import fold

_TOKEN = re.compile(
    r"(?:[ldjmtsnc]|qu)[’'](?=[^\W\d_])|(?:[A-ZÀ-Þ]\.-?){2,}|[^\W\d_]+(?:[’'\-]+[^\W\d_]+)*", re.I
)
_MARK = re.compile(r"\[[A-ZÉÈ°’ ]{2,40}\]")
"""What stands for something masked."""
_SHOUTED_LETTERS = 12
"""Letters a line has at least to be one in capitals: « PARIS » alone is not."""


@dataclass(frozen=True, slots=True)
class Word:
    """``text[start:end]``. ``shouted``: its line has no small letter, so capitals say nothing."""

    start: int
    end: int
    text: str
    folded: str
    shouted: bool

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter that says something."""
        return self.text[0].isupper() and not self.shouted


def read_words(text: str) -> list[Word]:
    """Words in order; an elided article is one (« l’ », « enfant »), a mask is none."""
    marks = [match.span() for match in _MARK.finditer(text)]
    found: list[Word] = []
    mark, line_end, loud = 0, -1, False
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while mark < len(marks) and marks[mark][1] <= start:
            mark += 1
        if mark < len(marks) and marks[mark][0] <= start:
            continue
        if start > line_end:
            begin = text.rfind("\n", max(0, line_end), start) + 1
            line_end = text.find("\n", start)
            line_end = line_end if line_end >= 0 else len(text)
            loud = _is_loud(text[begin:line_end])
        found.append(Word(start, end, match[0], fold(match[0]), loud))
    return found


def _is_loud(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return len(letters) >= _SHOUTED_LETTERS and not any(map(str.islower, letters))
