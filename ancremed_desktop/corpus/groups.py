"""Rows across a table that name the rows below them: which of them hold where."""

from __future__ import annotations

from collections.abc import Hashable

UNSURE = "on ne sait pas sous quel groupe elle se range"


class Groups:
    """Names over the row being read, outermost first, in the order in which rows are read.

    Two such rows that follow each other are an outer and an inner group. A later one by itself
    takes the place of the level it looks like, or whose name it has; where it may be of either,
    nothing is known of the rows below: « Per os » may be of adults or of children.
    """

    def __init__(self, name: str = "") -> None:
        """``name``: of the group that goes on from the page before, if any."""
        self._names: list[str] = [name] if name else []
        self._seen: list[set[tuple[str, Hashable]]] = [set() for _ in self._names]
        self._unread: list[str] = []
        self.sure = True

    @property
    def name(self) -> str:
        """All that holds, « Adulte – Per os »; empty: none."""
        return " – ".join(self._names).rstrip(" :")

    @property
    def unread(self) -> tuple[str, ...]:
        """Names of groups of which no row was read yet."""
        return tuple(self._unread)

    def begin(self, name: str, look: Hashable = None) -> None:
        """A row that names those below. ``look``: what tells a level from another, if anything."""
        if self._unread:
            self.sure = True
            level = len(self._names)
        elif len(self._seen) < 2:
            level = 0
        else:
            level = self._level(name, look)
        self._names = [*self._names[:level], name]
        while len(self._seen) <= level:
            self._seen.append(set())
        if self.sure:
            self._seen[level].add((name, look))
        self._unread.append(name)

    def row(self) -> None:
        """A row that is no group was read."""
        self._unread.clear()

    def _level(self, name: str, look: Hashable) -> int:
        """The level a name alone belongs to; the outermost where that is not known."""
        named = [n for n, seen in enumerate(self._seen) if any(name == known for known, _ in seen)]
        alike = [n for n, seen in enumerate(self._seen) if any(look == known for _, known in seen)]
        found = next((levels for levels in (named, alike) if len(levels) == 1), [])
        outer = found[:1] == [0]
        self.sure = outer or (bool(found) and self.sure and found[0] <= len(self._names))
        return found[0] if self.sure else 0
