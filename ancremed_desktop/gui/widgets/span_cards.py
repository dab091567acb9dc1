"""The spans of an answer: quotes that open their source, narrative, abstentions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QLabel, QWidget

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.identifiers import PassageKind, SourceStatus
from ancremed_desktop.domain.spans import Narrative, VerifiedAssertion
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import (
    badge,
    button,
    column,
    frame,
    label,
    restyle,
    row,
)
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import KIND, capital, source_line
from ancremed_desktop.services.answer_blocks import Block
from ancremed_desktop.services.export import source_words
from ancremed_desktop.text.french import NBSP, grouped, no_break

_CARD_PADDING = 60
LONGEST_CARD = 1_500
"""Characters shown before « Afficher la suite »."""

_JOINED = {
    (False, False): "",
    (False, True): "first",
    (True, True): "middle",
    (True, False): "last",
}
"""Value of the style property by (a card of the same source before, after)."""

_OPEN_KEYS = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})


def badges_of(source: Source | None, passage: Passage) -> tuple[tuple[str, str], ...]:
    """(text, kind) of each mark a quote of this passage must carry."""
    marks: list[tuple[str, str]] = []
    if passage.superseded or (source is not None and source.superseded):
        later = source.superseded_by if source else ""
        marks.append((f"remplacé par {later}" if later else "remplacé", "danger"))
    if passage.kind in KIND:
        warn = passage.kind is PassageKind.EXAM_ANSWER
        marks.append((KIND[passage.kind], "warning" if warn else "plain"))
    if source is not None and source.status is SourceStatus.DRAFT:
        marks.append((source.status.value, "warning"))
    if source is not None and source.status is SourceStatus.USER:
        marks.append((source.status.value, "plain"))
    return tuple(marks)


class LongProse(QWidget):
    """A paragraph whose end is shown on request."""

    clicked = Signal()

    def __init__(self, text: str, *, size: str = "", tone: str = "") -> None:
        super().__init__()
        self._text = text
        short = len(text) <= LONGEST_CARD
        self.prose = Prose(text if short else f"{text[:LONGEST_CARD]}…", size=size, tone=tone)
        self.prose.clicked.connect(self.clicked)
        layout = column(4)
        layout.addWidget(self.prose)
        if not short:
            rest = grouped(len(text) - LONGEST_CARD)
            self.more = button(f"Afficher la suite ({rest} caractères)", "link")
            self.more.clicked.connect(self._show_all)
            layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(layout)

    def _show_all(self) -> None:
        self.more.hide()
        self.prose.set_text(self._text)


class SectionHead(FittingRow):
    """Name of a section and, beside it where there is room, what a model did to it."""

    def __init__(self, title: str, mark: str) -> None:
        self.title = label(title, "section", wrap=False)
        self.mark = badge(mark, "accent")
        self.mark.setToolTip(
            "Chaque phrase a passé les mêmes contrôles que les extraits ; la source reste à un clic."
        )
        shown = [self.title, self.mark] if mark else [self.title]
        super().__init__(shown, apart=len(shown), spacing=10)
        self.setContentsMargins(0, 4, 0, 2)
        self.setAccessibleName(f"{title}, {mark}" if mark else title)


class QuoteCard(QFrame):
    """A verified span. Click, Enter or Space opens its source."""

    opened = Signal(object)
    """The ``VerifiedAssertion``."""
    moved = Signal(int)
    """1 or -1: the next or previous card is wanted."""

    def __init__(self, span: VerifiedAssertion, source: Source | None) -> None:
        super().__init__()
        self.span = span
        self._source = source
        self.setProperty("role", "quote")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Ouvrir la source à côté (Entrée) ; copier avec la source (Ctrl+C)")
        passage = span.anchored.passage
        line = source_line(source, passage)
        statement = span.anchored.quote if span.verbatim else span.anchored.draft.text
        self._statement = statement
        self.statement = LongProse(statement, size="large")
        self.line = Prose(line, size="small", tone="muted")
        layout = column(8, (18, 14, 18, 14))
        layout.addWidget(self.statement)
        parts: list[LongProse | Prose] = [self.statement, self.line]
        if not span.verbatim:
            quoted = f"Dans la source{NBSP}: «{NBSP}{span.anchored.quote}{NBSP}»"
            words = LongProse(quoted, tone="muted")
            layout.addWidget(words)
            parts.append(words)
        self._foot = row(10)
        self._foot.addWidget(self.line, 1)
        self._marks = [badge(text, kind) for text, kind in badges_of(source, passage)]
        if self._marks:
            marks = row(6)
            for mark in self._marks:
                marks.addWidget(mark)
            marks.addStretch(1)
            self._foot.addLayout(marks)
        layout.addLayout(self._foot)
        for part in parts:
            part.clicked.connect(self._open)
        self.setLayout(layout)
        self.setAccessibleName(f"Citation vérifiée : {statement[:300]}")
        status = ", ".join(text for text, _ in badges_of(source, passage))
        self.setAccessibleDescription(f"Source : {line}. {status}".strip())

    @property
    def cited(self) -> tuple[str, tuple[str, ...]]:
        """Source line and marks."""
        return self.line.as_text(), tuple(mark.text() for mark in self._marks)

    @property
    def citation(self) -> str:
        """What it says with its source and state, to paste elsewhere."""
        passage = self.span.anchored.passage
        marks = (text for text, _ in badges_of(self._source, passage))
        cited = "; ".join((source_line(self._source, passage), *marks))
        said = [f"«{NBSP}{self._statement.strip()}{NBSP}»", f"({no_break(cited)})"]
        return "\n".join(said if self.span.verbatim else [*said, source_words(self.span)])

    def join(self, *, before: bool, after: bool) -> None:
        """Stick to the cards beside it that cite the same source; the last one of a run names it."""
        restyle(self, "joined", _JOINED[before, after])
        for widget in (self.line, *self._marks):
            widget.setVisible(not after)

    def set_opened(self, opened: bool) -> None:
        """Mark the card whose source is open beside it."""
        restyle(self, "opened", "true" if opened else "false")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The marks stand beside the source line where there is room, else under it."""
        super().resizeEvent(event)
        line = self.line.fontMetrics().horizontalAdvance(self.line.as_text())
        marks = sum(mark.sizeHint().width() + 6 for mark in self._marks)
        wide = self.width() > line + marks + _CARD_PADDING
        directions = QBoxLayout.Direction
        self._foot.setDirection(directions.LeftToRight if wide else directions.TopToBottom)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, arrows go from card to card, Ctrl+C copies with the source."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(self.citation)
        elif event.key() in _OPEN_KEYS:
            self._open()
        elif event.key() == Qt.Key.Key_Down:
            self.moved.emit(1)
        elif event.key() == Qt.Key.Key_Up:
            self.moved.emit(-1)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click beside the text opens too."""
        super().mouseReleaseEvent(event)
        inside = self.rect().contains(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and inside:
            self._open()

    def _open(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.opened.emit(self.span)


def run_of_cards(cards: Sequence[QuoteCard]) -> QWidget:
    """Cards one under the other; those that cite the same source in a row stand together."""
    layout = column(0)
    for place, card in enumerate(cards):
        before = place > 0 and cards[place - 1].cited == card.cited
        after = place + 1 < len(cards) and cards[place + 1].cited == card.cited
        if place and not before:
            layout.addSpacing(10)
        layout.addWidget(card)
        card.join(before=before, after=after)
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def narrative(span: Narrative) -> Prose:
    """Connecting words, lighter than what is quoted."""
    return Prose(span.text, tone="muted")


def absence(block: Block, tint: Tint) -> QFrame:
    """Sections the corpus does not hold, and why."""
    mark = QLabel()
    tint(mark, "absent", "muted", 20)
    mark.setAlignment(Qt.AlignmentFlag.AlignTop)
    names = ", ".join(section for section in block.sections if section)
    title = label(capital(names) or "Sans réponse", "strong")
    words = column(3)
    words.addWidget(title)
    words.addWidget(Prose(no_break(block.reason), tone="muted"))
    layout = row(12, (16, 12, 16, 12))
    layout.addWidget(mark)
    layout.addLayout(words, 1)
    card = frame("quiet", layout)
    card.setAccessibleName(f"Sans réponse : {names}. {block.reason}")
    return card
