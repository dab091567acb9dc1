"""The question field: counter, send and stop, Enter to ask."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.basics import button, column, label, restyle, row
from ancremed_desktop.text.french import NBSP, grouped

LONGEST_QUESTION = 2_000
LONGEST_PASTE = 10_000
"""Beyond this nothing is pasted: laying a megabyte out would freeze the window."""

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_MOST_LINES = 6
_MOST_ASKED = 30
_LONGEST_LINE = 80
_BEFORE = "Questions déjà posées (Haut, Bas) ; gardées d’une session à l’autre si vous le voulez"


class _Field(QPlainTextEdit):
    """Plain text only; Enter asks, Shift+Enter starts a line, Tab leaves the field."""

    sent = Signal()
    refused = Signal(int)
    focus_changed = Signal(bool)
    resized = Signal()
    recalled = Signal(int)
    """-1 or 1: the question asked before or after is wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("role", "question")
        self.document().setDocumentMargin(2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Ctrl+Enter ask; up from the first line, down from the last, recall."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and not shift and self._at_edge(step):
            self.recalled.emit(step)
            return
        if event.key() in _ENTER and not shift:
            self.sent.emit()
            return
        super().keyPressEvent(event)

    def _at_edge(self, step: int) -> bool:
        """Whether the cursor cannot go a line further."""
        cursor = self.textCursor()
        up, down = cursor.MoveOperation.Up, cursor.MoveOperation.Down
        return not cursor.movePosition(up if step < 0 else down)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Refuse what no question could be, rather than cut it in silence."""
        length = len(source.text())
        if length > LONGEST_PASTE:
            self.refused.emit(length)
            return
        self.insertPlainText(source.text().replace("\0", ""))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may mean another number of lines."""
        super().resizeEvent(event)
        self.resized.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The frame shows the focus."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame shows the focus."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)


class QuestionBox(QFrame):
    """Where the question is typed."""

    asked = Signal(str)
    stopped = Signal()

    def __init__(self, appearance: Appearance, tint: Tint) -> None:
        super().__init__()
        self.setProperty("role", "ask")
        self._running = False
        self._asked: list[str] = []
        self._place = 0
        self._draft = ""
        self._tint = tint
        self._appearance = appearance
        self.field = _Field()
        # One line at every size of the text: a second one would be cut.
        self.field.setPlaceholderText("Votre question clinique")
        self.field.setAccessibleName("Question clinique")
        self.field.setAccessibleDescription(
            f"De 1 à {grouped(LONGEST_QUESTION)} caractères. Entrée pour demander, "
            "Maj+Entrée pour aller à la ligne."
        )
        self.counter = label("", "small", wrap=False)
        self.counter.setAccessibleName("Nombre de caractères")
        self.hint = label("", "small")
        self.send = button(
            "Demander", "primary", tip="Entrée ou Ctrl+Entrée. Maj+Entrée va à la ligne."
        )
        self.stop = button("Arrêter", "stop", tip="Échap")
        self.asked_before = button("", "flat", tip=_BEFORE)
        self.asked_before.setAccessibleName("Questions déjà posées")
        self._menu = QMenu(self.asked_before)
        self.asked_before.setMenu(self._menu)
        self.asked_before.hide()
        tint(self.asked_before, "history", "muted", 16)
        tint(self.stop, "stop", "danger", 16)
        self._lay_out()
        self.field.textChanged.connect(self._update)
        self.field.sent.connect(self._ask)
        self.field.refused.connect(self._say_refused)
        self.field.recalled.connect(self._recall)
        self.field.focus_changed.connect(
            lambda on: restyle(self, "focused", "true" if on else "false")
        )
        self.field.document().documentLayout().documentSizeChanged.connect(self._grow)
        self.field.resized.connect(self._grow)
        self.send.clicked.connect(self._ask)
        self.stop.clicked.connect(self.stopped)
        appearance.changed.connect(self._grow)
        self.set_running(False)
        self._grow()

    def text(self) -> str:
        """What is typed, as typed."""
        return self.field.toPlainText()

    def set_text(self, text: str) -> None:
        """Put a question in the field, the cursor at its end."""
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def remember(self, question: str) -> None:
        """Keep a question for this session, in memory alone."""
        self._offer([*(q for q in self._asked if q != question), question])
        self.asked_before.setVisible(len(self._asked) > 1)

    def offer_earlier(self, questions: Sequence[str]) -> None:
        """Questions of earlier sessions, oldest first, before those of this one."""
        self._offer([*(q for q in questions if q not in self._asked), *self._asked])

    def forget(self) -> None:
        """Keep none of the questions asked so far."""
        self._offer([])

    def _offer(self, questions: Sequence[str]) -> None:
        self._asked = list(questions)[-_MOST_ASKED:]
        self._place, self._draft = len(self._asked), ""
        self._menu.clear()
        for asked in reversed(self._asked):
            line = " ".join(asked.split())
            shown = line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
            action = self._menu.addAction(shown.replace("&", "&&"))
            action.triggered.connect(lambda _on, asked=asked: self.asked.emit(asked))
        self.asked_before.setVisible(bool(self._asked))

    def _recall(self, step: int) -> None:
        """Put the question asked before or after in the field; past the last one, what was typed."""
        place = self._place + step
        if not 0 <= place <= len(self._asked):
            return
        if self._place == len(self._asked):
            self._draft = self.text()
        self._place = place
        self.set_text([*self._asked, self._draft][place])

    def set_running(self, running: bool) -> None:
        """Show Stop instead of Ask while an answer is made."""
        self._running = running
        self.stop.setVisible(running)
        self.send.setVisible(not running)
        self._update()

    def _lay_out(self) -> None:
        foot = row(12)
        foot.addWidget(self.asked_before)
        foot.addWidget(self.hint, 1)
        foot.addWidget(self.counter)
        foot.addWidget(self.send)
        foot.addWidget(self.stop)
        layout = column(6, (16, 12, 12, 10))
        layout.addWidget(self.field)
        layout.addLayout(foot)
        self.setLayout(layout)
        self.setFocusProxy(self.field)

    def _ask(self) -> None:
        if self.send.isEnabled() and not self._running:
            self.asked.emit(self.text())

    def _update(self) -> None:
        length = len(self.text())
        over = length > LONGEST_QUESTION
        self.counter.setText(f"{grouped(length)} / {grouped(LONGEST_QUESTION)}")
        restyle(self.counter, "type", "small-danger" if over else "small")
        too_long = f"Question trop longue{NBSP}: {grouped(LONGEST_QUESTION)} caractères au plus."
        keys = "Entrée pour demander"
        self.hint.setText(too_long if over else "Échap pour arrêter" if self._running else keys)
        ready = bool(self.text().strip()) and not over
        self.send.setEnabled(ready)
        self._tint(self.send, "send", "on_accent" if ready else "muted", 16)

    def _say_refused(self, length: int) -> None:
        self.hint.setText(
            f"Texte collé trop long ({grouped(length)} caractères){NBSP}: rien n’a été collé."
        )

    def _grow(self) -> None:
        """One to six lines, then the field scrolls."""
        document = self.field.document()
        lines = max(1, min(_MOST_LINES, round(document.size().height())))
        spacing = self.field.fontMetrics().lineSpacing()
        self.field.setFixedHeight(lines * spacing + 8)
        policy = Qt.ScrollBarPolicy
        full = document.size().height() > _MOST_LINES
        self.field.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if full else policy.ScrollBarAlwaysOff
        )
