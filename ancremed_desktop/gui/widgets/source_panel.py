"""A source beside the answer: its text with the quoted sentence marked, page and neighbours."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTextEdit

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.safe_text import utf16_offset
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.basics import badge, button, clear, column, label, row
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.page_view import PageView
from ancremed_desktop.gui.widgets.prose import Prose, fill, mark
from ancremed_desktop.gui.widgets.span_cards import badges_of
from ancremed_desktop.gui.wording import SILO, capital, dotted, page_text
from ancremed_desktop.services.ask import SourceView
from ancremed_desktop.text.french import NBSP, french_date

PATH_DETAIL = "chemin"
"""Name of the ``Source.details`` entry that holds the path of the source's PDF."""

_HIDDEN_DETAILS = frozenset({PATH_DETAIL})
_PROVENANCE = "Provenance"


class PassageText(QTextEdit):
    """The stored text of a passage with some sentences marked."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._text = ""
        self.marked: tuple[int, int] | None = None
        """Marked range, in characters of the passage; None when nothing is quoted here."""
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("role", "prose")
        self.setAccessibleName("Texte de la source")
        self.document().setDocumentMargin(0)
        appearance.changed.connect(self._paint_mark)

    def show_passage(self, text: str, marked: tuple[int, int] | None) -> None:
        """Show a passage; ``marked`` in characters of ``text``, half-open."""
        self._text = text
        self.marked = marked
        fill(self, text)
        self._paint_mark()
        # The layout is not known before the panel has its size.
        QTimer.singleShot(0, self, self._reveal)

    def _paint_mark(self) -> None:
        palette = self._appearance.palette
        ranges = [self.marked] if self.marked else []
        mark(self, self._text, ranges, QColor(palette.mark), QColor(palette.on_mark))

    def _reveal(self) -> None:
        cursor = QTextCursor(self.document())
        if self.marked is not None:
            cursor.setPosition(utf16_offset(self._text, self.marked[0]))
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        above = self.viewport().height() // 4
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - above)


class SourcePanel(QFrame):
    """The open source. Escape closes it; Page buttons go through the passages in order."""

    closed = Signal()

    def __init__(self, appearance: Appearance, tint: Tint) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._tint = tint
        self._view: SourceView | None = None
        self._quoted: tuple[str, int, int] | None = None
        self._position = 0
        self.title = Prose("", size="title")
        self.meta = Prose("", size="small", tone="muted")
        self.where = Prose("", size="small", tone="muted")
        self._badges: QHBoxLayout = row(6)
        self.text = PassageText(appearance)
        self.page = PageView(tint)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.text)
        self._stack.addWidget(self.page)
        self.provenance = PassageText(appearance)
        self.provenance.setAccessibleName(_PROVENANCE)
        self._stack.addWidget(self.provenance)
        self._make_buttons()
        self._lay_out()
        self.hide()

    def show_source(self, view: SourceView, start: int, end: int) -> None:
        """Open at a quote (character offsets of the passage, half-open)."""
        self._view = view
        self._quoted = (view.passage.urn, start, end)
        source = view.source
        self.title.set_text(source.title)
        self.meta.set_text(_meta(view))
        clear(self._badges)
        for text, kind in badges_of(source, view.passage):
            self._badges.addWidget(badge(text, kind))
        self._badges.addStretch(1)
        urns = [passage.urn for passage in view.siblings]
        self._position = urns.index(view.passage.urn) if view.passage.urn in urns else -1
        self._show(view.passage)
        self.show()

    def step(self, direction: int) -> None:
        """The next (1) or previous (-1) passage of the same source."""
        if self._view is None:
            return
        position = self._position + direction
        if 0 <= position < len(self._view.siblings):
            self._position = position
            self._show(self._view.siblings[position])

    def close_panel(self) -> None:
        """Hide the panel and free the page shown."""
        self.page.clear()
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+arrows walk through the passages."""
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and event.key() in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self.step(1 if event.key() == Qt.Key.Key_Right else -1)
            return
        super().keyPressEvent(event)

    def _show(self, passage: Passage) -> None:
        here = self._quoted is not None and self._quoted[0] == passage.urn
        marked = self._quoted[1:] if here and self._quoted is not None else None
        self.text.show_passage(passage.text, marked)
        self._stack.setCurrentWidget(self.text)
        parts = (
            capital(passage.section),
            passage.heading.replace(" > ", " › ") if passage.heading else "",
            page_text(passage),
        )
        self.where.set_text(dotted(dict.fromkeys(parts)))
        self.where.setVisible(any(parts))
        total = len(self._view.siblings) if self._view else 0
        self.position.setText(f"Passage {self._position + 1} sur {total}")
        for widget in (self.position, self.before, self.after):
            widget.setVisible(total > 1 and self._position >= 0)
        self.before.setEnabled(self._position > 0)
        self.after.setEnabled(self._position < total - 1)
        self.see_details.setVisible(bool(_details(self._view)) if self._view else False)
        self.see_page.setVisible(_pdf_of(self._view, passage) is not None)
        self._name_page_button()

    def _toggle_provenance(self) -> None:
        if self._stack.currentWidget() is self.provenance:
            self._stack.setCurrentWidget(self.text)
        elif self._view is not None:
            self.provenance.show_passage(_details(self._view), None)
            self._stack.setCurrentWidget(self.provenance)
        self._name_page_button()

    def _toggle_page(self) -> None:
        if self._stack.currentWidget() is self.page:
            self._stack.setCurrentWidget(self.text)
        elif self._view is not None:
            passage = self._current()
            path = _pdf_of(self._view, passage)
            if path is not None and passage.page_number is not None:
                quoted = self._quoted
                here = quoted is not None and quoted[0] == passage.urn
                words = passage.text[quoted[1] : quoted[2]] if here and quoted else ""
                self.page.show_page(path, passage.page_number, words)
                self._stack.setCurrentWidget(self.page)
        self._name_page_button()

    def _current(self) -> Passage:
        assert self._view is not None
        if self._position < 0:
            return self._view.passage
        return self._view.siblings[self._position]

    def _name_page_button(self) -> None:
        on_page = self._stack.currentWidget() is self.page
        on_details = self._stack.currentWidget() is self.provenance
        self.see_details.setText("Voir le texte" if on_details else _PROVENANCE)
        self.see_page.setText("Voir le texte" if on_page else "Voir la page")
        self._tint(self.see_page, "text" if on_page else "page", "accent", 16)

    def _make_buttons(self) -> None:
        self.close_button = button("", "flat", tip="Fermer la source (Échap)")
        self.close_button.setAccessibleName("Fermer la source")
        self.close_button.clicked.connect(self.close_panel)
        self.see_details = button(_PROVENANCE, "flat")
        self.see_details.clicked.connect(self._toggle_provenance)
        self.see_page = button("Voir la page", "")
        self.see_page.clicked.connect(self._toggle_page)
        self.before = button("", "flat", tip="Passage précédent (Alt+Gauche)")
        self.before.setAccessibleName("Passage précédent")
        self.after = button("", "flat", tip="Passage suivant (Alt+Droite)")
        self.after.setAccessibleName("Passage suivant")
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.position = label("", "small", wrap=False)
        self._tint(self.close_button, "close", "muted", 16)
        self._tint(self.before, "chevron-left", "muted", 16)
        self._tint(self.after, "chevron-right", "muted", 16)

    def _lay_out(self) -> None:
        head = row(8)
        head.addWidget(label("Source", "small-strong", wrap=False), 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        walk = (self.before, self.position, self.after)
        foot = FittingRow([*walk, self.see_details, self.see_page], apart=len(walk), spacing=4)
        line = QFrame()
        line.setProperty("role", "separator")
        layout = column(8, (22, 14, 22, 14))
        layout.addLayout(head)
        layout.addWidget(self.title)
        layout.addWidget(self.meta)
        layout.addLayout(self._badges)
        layout.addWidget(line)
        layout.addWidget(self.where)
        layout.addWidget(self._stack, 1)
        layout.addWidget(foot)
        self.setLayout(layout)


def _meta(view: SourceView) -> str:
    source = view.source
    first = (
        SILO[source.silo],
        source.publisher,
        french_date(source.regulatory_date or view.passage.regulatory_date),
        source.source_identifier,
    )
    lines = [dotted(dict.fromkeys(first))]
    if source.licence:
        lines.append(f"Licence{NBSP}: {source.licence}")
    if source.url:
        lines.append(source.url)
    return "\n".join(lines)


def _details(view: SourceView) -> str:
    """What else the source says of itself, one paragraph each."""
    return "\n\n".join(
        f"{capital(name)}{NBSP}: {french_date(value)}"
        for name, value in view.source.details
        if name not in _HIDDEN_DETAILS and value
    )


def _pdf_of(view: SourceView | None, passage: Passage) -> Path | None:
    """The PDF on disk that holds the passage's page, if there is one."""
    if view is None or passage.page_number is None:
        return None
    for name, value in view.source.details:
        path = Path(value)
        if name == PATH_DETAIL and path.suffix.lower() == ".pdf" and path.is_file():
            return path
    return None
