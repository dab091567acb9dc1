"""The question page: ask, watch the stages, read the answer with its sources beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.events import Progress
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.gui.background import Background, Job, Reply
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.page_renderer import PageRequest, render_page
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.answer_view import AnswerView
from ancremed_desktop.gui.widgets.approval import ApprovalCard
from ancremed_desktop.gui.widgets.banner import Banner
from ancremed_desktop.gui.widgets.basics import (
    Column,
    WrappingButton,
    column,
    label,
    scrolling,
)
from ancremed_desktop.gui.widgets.question_box import QuestionBox
from ancremed_desktop.gui.widgets.source_panel import SourcePanel
from ancremed_desktop.gui.widgets.stages import StageBar
from ancremed_desktop.gui.widgets.two_panes import TwoPanes
from ancremed_desktop.gui.wording import Trouble, trouble
from ancremed_desktop.gui.workbench import Workbench
from ancremed_desktop.services.approval import Approval, Outgoing
from ancremed_desktop.services.ask import SourceView
from ancremed_desktop.text.french import NBSP, no_break

EXAMPLES = (
    "Qu’est-ce que l’embolie pulmonaire ?",
    "Conduite à tenir devant une anaphylaxie de l’adulte",
    "Contre-indications de la metformine",
    "Clairance de la créatinine : homme de 72 ans, 68 kg, créatinine 130 µmol/L",
)


_LEAST = (430, 360)
"""Narrowest answer and source side by side, in pixels at 100 %."""
_LEAST_ABOVE, _START_HEIGHT = 36, 560
"""Pixels above the start page, and its height: a quarter of what is left stands above it."""
_WIDE = 1500
"""From that width at 100 % there is room for a source beside the answer without being asked."""


class QuestionPage(QWidget):
    """Asks through ``Background``; nothing of a draft is ever shown.

    The answer made of extracts is shown first; models may then add to it, while it is read.
    """

    asking = Signal()
    """A question is about to be given to the worker."""

    def __init__(
        self,
        workbench: Workbench,
        background: Background,
        reading: Background,
        appearance: Appearance,
        tint: Tint,
    ) -> None:
        """``reading``: opens sources, also while a question is answered."""
        super().__init__()
        self._workbench = workbench
        self._background = background
        self._reading = reading
        self._appearance = appearance
        self._first: Answer | None = None
        self._job: Job | None = None
        self._source_job: Job | None = None
        self.box = QuestionBox(appearance, tint)
        self.stages = StageBar(tint)
        self.approval = ApprovalCard(appearance, tint)
        self.banner = Banner(tint)
        self.answer = AnswerView(appearance, tint)
        self.panel = SourcePanel(appearance, tint)
        self.welcome = self._make_welcome()
        self.examples = self._make_examples()
        self._lay_out(appearance)
        self.box.asked.connect(self.ask)
        self.box.stopped.connect(self.stop)
        self.answer.opened.connect(self.open_source)
        self.answer.read.connect(self.open_passage)
        self.answer.suggested.connect(self.ask)
        self.answer.wanted_visible.connect(self._make_visible)
        self.answer.wanted_on_top.connect(self._put_on_top)
        self.answer.failed.connect(lambda error: self.banner.say(trouble(error), "danger"))
        self.panel.closed.connect(self._source_closed)
        self.panel.page.wanted.connect(self._draw_page)
        self._panes.narrowed.connect(self._one_pane)

    @property
    def running(self) -> bool:
        """Whether an answer is being made."""
        return self._job is not None and self._job.running

    def ask(self, question: str) -> None:
        """Ask; a question under way is stopped first."""
        self.stop()
        self.box.set_text(question)
        self.box.remember(question)
        # What held the keyboard goes away: it must not fall to another part of the window.
        self.box.field.setFocus()
        self.banner.hide()
        self.welcome.hide()
        self.examples.hide()
        self.panel.close_panel()
        self.answer.reset()
        self._first = None
        self.stages.start(waiting=self._background.busy)
        self.box.set_running(True)
        self.asking.emit()
        self._job = self._background.run(
            partial(self._work, question),
            done=self._answered,
            failed=self._failed,
            progress=self._progress,
            item=self._extracts_made,
            question=self._show_outgoing,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The start page does not cling to the top of a tall window."""
        super().resizeEvent(event)
        above = max(_LEAST_ABOVE, (self.height() - self._appearance.px(_START_HEIGHT)) // 4)
        layout = self.welcome.layout()
        if layout is not None:
            layout.setContentsMargins(0, above, 0, 12)

    def stop(self) -> None:
        """Stop the answer under way; nothing when there is none."""
        if self._job is not None and self._job.running:
            self._job.stop()

    def escape(self) -> None:
        """Send nothing, stop, else close the source, else go back to the question."""
        if self.approval.isVisible():
            self.approval.refuse.click()
        elif self.running:
            self.stop()
        elif self.panel.isVisible():
            self.panel.close_panel()
        else:
            self.box.field.setFocus()

    def ask_again(self) -> None:
        """Go back to the field, its text selected."""
        if self._panes.narrow:
            self.panel.close_panel()
        self.box.field.setFocus()
        self.box.field.selectAll()

    def open_source(self, span: VerifiedAssertion) -> None:
        """Open the source of a quote beside the answer."""
        urn = span.anchored.passage.urn
        self._open(lambda: self._workbench.source_view(urn), partial(self._source_opened, span))

    def open_passage(self, passage: Passage) -> None:
        """Open a source at a passage the answer names and does not quote."""
        self._open(lambda: self._workbench.source_view(passage.urn), self._document_opened)

    def open_document(self, source: Source) -> None:
        """Open a source of the library at its first passage, beside the answer."""
        self._open(lambda: self._workbench.document_view(source.key), self._document_opened)

    def _open(self, read: Callable[[], SourceView], done: Callable[[SourceView], None]) -> None:
        if self._source_job is not None and self._source_job.running:
            self._source_job.abandon()
        self._source_job = self._reading.run(
            lambda _job: read(), done=done, failed=self._source_failed
        )

    def _draw_page(self, request: PageRequest) -> None:
        page = self.panel.page
        self._reading.run(
            lambda _job: render_page(request),
            done=page.show_image,
            failed=lambda error: page.show_problem(trouble(error).message),
        )

    def _work(self, question: str, job: Job) -> Answer:
        def approve(outgoing: Outgoing) -> Approval:
            answer = job.ask(outgoing)
            return answer if isinstance(answer, Approval) else Approval.REFUSED

        return self._workbench.ask(
            question,
            progress=job.report,
            cancel=job.cancel_token,
            on_answer=job.send,
            approve=approve,
        )

    def _progress(self, progress: Progress) -> None:
        self.stages.show_stage(progress.stage, progress.detail)

    def _extracts_made(self, answer: object) -> None:
        """The whole answer by rules: it stands whatever becomes of the models' work."""
        if isinstance(answer, Answer):
            self._first = answer
            self.stages.begin_models()
            self._show(answer)

    def _show_outgoing(self, outgoing: object, reply: Reply) -> None:
        def give(answer: object) -> None:
            self.stages.wait_for_user(False)
            (self.answer.cards[0] if self.answer.cards else self.box.field).setFocus()
            reply.give(answer)

        if isinstance(outgoing, Outgoing):
            self.stages.wait_for_user(True)
            self._scroll.verticalScrollBar().setValue(0)
            self.approval.ask(outgoing, give)

    def _answered(self, answer: Answer) -> None:
        self._ended()
        if self._first is None:
            self._show(answer)
            return
        bar = self._scroll.verticalScrollBar()
        place = bar.value()
        self.answer.complete(answer)
        # Once the new content has its height.
        QTimer.singleShot(0, self, lambda: bar.setValue(place))

    def _show(self, answer: Answer) -> None:
        self.answer.show_answer(answer)
        self._scroll.verticalScrollBar().setValue(0)
        if self.box.field.hasFocus() and self.answer.cards:
            self.answer.cards[0].setFocus(Qt.FocusReason.OtherFocusReason)
        if self.answer.cards and self.width() >= self._appearance.px(_WIDE):
            self.open_source(self.answer.cards[0].span)

    def _failed(self, error: BaseException) -> None:
        self._ended()
        shown = trouble(error)
        stopped = isinstance(error, Cancelled)
        if self._first is None:
            self.answer.reset()
        elif stopped:
            shown = Trouble(title=shown.title, message="La réponse reste faite d’extraits.")
        self.banner.say(shown, "quiet" if stopped else "danger" if shown.detail else "warning")
        self.box.field.setFocus()

    def _ended(self) -> None:
        self.approval.dismiss()
        self.stages.hide()
        self.box.set_running(False)

    def _source_opened(self, span: VerifiedAssertion, view: SourceView) -> None:
        anchored = span.anchored
        if view.passage.text[anchored.char_start : anchored.char_end] != anchored.quote:
            self._source_failed(ValueError(f"{anchored.passage.urn} no longer holds its quote"))
            return
        self._show_panel(view, anchored.char_start, anchored.char_end)
        self.answer.mark_opened(span)

    def _document_opened(self, view: SourceView) -> None:
        self._show_panel(view, 0, 0)
        self.answer.mark_opened(None)
        self.panel.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_panel(self, view: SourceView, start: int, end: int) -> None:
        """Show a source with a range marked, beside the answer or alone."""
        first = not self.panel.isVisible()
        self.panel.show_source(view, start, end)
        self._panes.show_second(True)
        if first:
            width = self._panes.width()
            side = max(_LEAST[1], round(width * 0.4))
            self._panes.setSizes([width - side, side])
        if self._panes.narrow:
            self.panel.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _one_pane(self, narrow: bool) -> None:
        """The keyboard goes on in what is still shown."""
        if narrow and self.panel.isVisible():
            self.panel.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _source_failed(self, error: BaseException) -> None:
        self.banner.say(trouble(error), "danger")

    def _source_closed(self) -> None:
        self._panes.show_second(False)
        opened = [card for card in self.answer.cards if card.property("opened") == "true"]
        self.answer.mark_opened(None)
        if opened:
            opened[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_visible(self, card: QWidget) -> None:
        self._scroll.ensureWidgetVisible(card, 0, 24)

    def _put_on_top(self, heading: QWidget) -> None:
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.value() + heading.mapTo(self._scroll, QPoint(0, 0)).y() - 8)

    def _make_welcome(self) -> QWidget:
        layout: QVBoxLayout = column(6, (0, _LEAST_ABOVE, 0, 12))
        layout.addWidget(label("Que cherchez-vous\u00a0?", "display"))
        layout.addWidget(
            label(
                "Chaque affirmation de la réponse est une phrase d’une source, mot pour mot, que "
                f"vous pouvez ouvrir. Ce qui n’est pas trouvé est dit{NBSP}; rien n’est inventé.",
                "muted",
            )
        )
        holder = QWidget()
        holder.setLayout(layout)
        return holder

    def _make_examples(self) -> QWidget:
        layout = column(8, (0, 12, 0, 0))
        layout.addWidget(label("Pour essayer", "small-strong"))
        for example in EXAMPLES:
            choice = WrappingButton(no_break(example), "example")
            choice.clicked.connect(partial(self.ask, example))
            layout.addWidget(choice)
        layout.addStretch(1)
        holder = QWidget()
        holder.setLayout(layout)
        return holder

    def _lay_out(self, appearance: Appearance) -> None:
        top = column(10, (0, 20, 0, 4))
        for widget in (self.welcome, self.box, self.stages, self.banner):
            top.addWidget(widget)
        head = QWidget()
        head.setLayout(top)
        top_column = Column(head, appearance)
        body = column(0)
        body.addWidget(self.examples)
        body.addWidget(self.approval)
        body.addWidget(self.answer)
        body.addStretch(1)
        content = QWidget()
        content.setLayout(body)
        self._scroll = scrolling(Column(content, appearance))
        bar = self._scroll.verticalScrollBar()
        # Both columns stay aligned when the scroll bar takes its place beside the lower one.
        bar.rangeChanged.connect(
            lambda low, high: top_column.setContentsMargins(
                0, 0, bar.sizeHint().width() if high > low else 0, 0
            )
        )
        left = QWidget()
        left.setProperty("role", "ground")
        stacked = column(0)
        stacked.addWidget(top_column)
        stacked.addWidget(self._scroll, 1)
        left.setLayout(stacked)
        self._panes = TwoPanes(left, self.panel, appearance, _LEAST, both=False)
        self._panes.setStretchFactor(0, 3)
        self._panes.setStretchFactor(1, 2)
        whole = column(0)
        whole.addWidget(self._panes)
        self.setLayout(whole)
        self.setFocusProxy(self.box)
