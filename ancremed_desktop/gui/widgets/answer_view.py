"""A whole answer: corrections, sections, calculations, what was refused, notice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from ancremed_desktop.domain.answers import MODELS_STAGE, Answer, AnswerStatus
from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.plans import Correction, Question
from ancremed_desktop.domain.spans import Abstention, VerifiedAssertion
from ancremed_desktop.errors import BadFileError, MachineError
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.printing import print_page
from ancremed_desktop.gui.saving import FILTERS, choose_target, proposed_name, save_answer
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.answer_head import AnswerHead
from ancremed_desktop.gui.widgets.basics import (
    Fold,
    WrappingButton,
    button,
    clear,
    column,
    frame,
    label,
    row,
)
from ancremed_desktop.gui.widgets.calculation import calculation_card
from ancremed_desktop.gui.widgets.dropped import dropped_fold
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.widgets.span_cards import (
    QuoteCard,
    SectionHead,
    absence,
    narrative,
    run_of_cards,
)
from ancremed_desktop.gui.wording import TOPIC, capital, dotted, duration, source_line
from ancremed_desktop.services.answer_blocks import Block, blocks, quotes
from ancremed_desktop.services.calculation_text import NOTICE
from ancremed_desktop.services.export import answer_to_text, leads_to_card, near_words
from ancremed_desktop.services.model_text import marks, record_lines, sent_texts
from ancremed_desktop.services.page import answer_to_html
from ancremed_desktop.text.french import NBSP, count, french_date, grouped, no_break

_NOTHING_FOUND = "Le corpus de cette machine ne contient pas de quoi répondre."


class AnswerView(QWidget):
    """Shows an answer; the one made of extracts may be completed by models."""

    opened = Signal(object)
    """A ``VerifiedAssertion`` whose source is wanted."""
    read = Signal(object)
    """A ``Passage`` that is not quoted and is wanted."""
    suggested = Signal(str)
    """The question with a suggested word put in."""
    wanted_visible = Signal(object)
    """A card that took the focus by keyboard."""
    wanted_on_top = Signal(object)
    """The heading of a section to scroll to."""
    failed = Signal(object)
    """A ``MachineError``: the answer could not be saved."""

    def __init__(self, appearance: Appearance, tint: Tint) -> None:
        super().__init__()
        self._appearance = appearance
        self._tint = tint
        self._answer: Answer | None = None
        self.cards: list[QuoteCard] = []
        self._heads: dict[str, SectionHead] = {}
        self._shown: dict[int, tuple[str, ...]] = {}
        self._layout = column(10, (0, 8, 0, 28))
        self.setLayout(self._layout)

    def reset(self) -> None:
        """Empty the page."""
        self._answer = None
        self.cards = []
        self._heads = {}
        clear(self._layout)

    def show_answer(self, answer: Answer) -> None:
        """Replace the page by an answer."""
        self.reset()
        self._answer = answer
        self._head = self._make_head(answer)
        self._layout.addWidget(self._head)
        self._add_corrections(answer.question)
        if answer.warning:
            self._layout.addWidget(_warning(answer.warning, self._tint))
        if answer.message:
            self._layout.addWidget(_message(answer, self._tint))
        if answer.status is AnswerStatus.ABSTENTION and not answer.near:
            self._layout.addWidget(Prose(_NOTHING_FOUND))
        for request in answer.calculations:
            self._layout.addWidget(calculation_card(request, self._tint))
        sources = {source.key: source for source in answer.sources}
        self._shown = {id(s): answer.parts_after(n) for n, s in enumerate(answer.spans)}
        self._marks = marks(answer)
        first = leads_to_card(answer)
        if first:
            self._layout.addWidget(self._to_read(answer))
        for block in blocks(answer.spans):
            self._add_block(block, sources)
        if answer.near and not first:
            self._layout.addWidget(self._to_read(answer))
        self._tail = self._end(answer)
        self._layout.addWidget(self._tail)

    def complete(self, answer: Answer) -> None:
        """The finished answer in place of the one made of extracts; what did not change stays as
        it is, with the reader's selection, focus and opened source.
        """
        before = self._answer
        if before is None or before.spans != answer.spans:
            opened = [card.span for card in self.cards if card.property("opened") == "true"]
            focused = [number for number, card in enumerate(self.cards) if card.hasFocus()]
            self.show_answer(answer)
            self.mark_opened(opened[0] if opened else None)
            for card in self.cards[focused[0] : focused[0] + 1] if focused else ():
                # A widget not yet laid out takes no focus.
                QTimer.singleShot(0, card, card.setFocus)
            return
        self._answer = answer
        self._head.summary.setText(_summary(answer))
        old, self._tail = self._tail, self._end(answer)
        self._layout.replaceWidget(old, self._tail)
        old.deleteLater()

    def _to_read(self, answer: Answer) -> QWidget:
        """The passages the answer names and does not quote, each a way to its source."""
        title, notice = near_words(answer)
        urgent = leads_to_card(answer) and answer.plan.subject.vital
        layout = column(8, (14, 10, 14, 12) if urgent else (0, 10, 0, 0))
        layout.addWidget(label(title, "section"))
        layout.addWidget(Prose(notice) if urgent else Prose(notice, size="small", tone="muted"))
        for passage in answer.near:
            choice = WrappingButton(source_line(None, passage), "example")
            choice.setToolTip("Ouvrir la source à côté (Entrée)")
            choice.clicked.connect(partial(self.read.emit, passage))
            layout.addWidget(choice)
        if urgent:
            return frame("warning", layout)
        holder = QWidget()
        holder.setLayout(layout)
        return holder

    def _end(self, answer: Answer) -> QWidget:
        """What was refused, what models did and sent, notice and corpus."""
        layout = column(8, (0, 8, 0, 0))
        if answer.dropped:
            layout.addWidget(dropped_fold(answer.dropped, self._appearance, self._tint))
        for line in record_lines(answer):
            layout.addWidget(Prose(no_break(line), size="small", tone="muted"))
        if sent := sent_texts(answer):
            text = "\n\n".join(sent)
            layout.addWidget(
                Fold("Voir ce qui a été envoyé", lambda: Prose(text, size="small"), self._tint)
            )
        layout.addWidget(_foot(answer))
        holder = QWidget()
        holder.setLayout(layout)
        return holder

    def copy(self) -> bool:
        """Put the answer with its sources on the clipboard; False when there is none."""
        if self._answer is None:
            return False
        QApplication.clipboard().setText(answer_to_text(self._answer))
        self._head.copy.setText("Copié")
        return True

    def save(self) -> None:
        """Ask where and in which form, then write the answer with its sources; or nothing."""
        if self._answer is not None:
            name = proposed_name(self._answer)
            choose_target(self, "Enregistrer la réponse", name, FILTERS, self.save_as)

    def save_as(self, target: Path) -> None:
        """Write the answer; what goes wrong is told through ``failed``."""
        assert self._answer is not None
        try:
            save_answer(self._answer, target)
        except (MachineError, BadFileError) as error:
            self.failed.emit(error)
        else:
            self._head.save.setText("Enregistré")

    def choose_printer(self) -> None:
        """Ask for a printer, then print the answer with its sources; or nothing."""
        if self._answer is not None:
            print_page(answer_to_html(self._answer), self._answer.question.raw.strip(), self)

    def open_sections(self) -> None:
        """Drop the menu of sections down, when the answer has several."""
        if self._answer is not None:
            self._head.open_sections()

    def mark_opened(self, span: VerifiedAssertion | None) -> None:
        """Show which quote is open in the source panel."""
        for card in self.cards:
            card.set_opened(card.span == span)

    def _add_block(self, block: Block, sources: dict[str, Source]) -> None:
        self._layout.addSpacing(10)
        if block.reason:
            self._layout.addWidget(absence(block, self._tint))
            return
        if section := block.sections[0]:
            head = SectionHead(capital(section), self._marks.get(section, ""))
            self._heads[section] = head
            self._layout.addWidget(head)
        run: list[QuoteCard] = []
        for span in block.spans:
            if isinstance(span, VerifiedAssertion):
                run.append(self._card(span, sources))
                if parts := self._shown.get(id(span), ()):
                    self._end_run(run)
                    for part in parts:
                        self._layout.addWidget(Prose(part, size="small", tone="muted"))
                continue
            self._end_run(run)
            if isinstance(span, Abstention):
                own = Block(sections=block.sections, reason=span.reason)
                self._layout.addWidget(absence(own, self._tint))
            else:
                self._layout.addWidget(narrative(span))
        self._end_run(run)

    def _end_run(self, run: list[QuoteCard]) -> None:
        if run:
            self._layout.addWidget(run_of_cards(run))
            run.clear()

    def _card(self, span: VerifiedAssertion, sources: dict[str, Source]) -> QuoteCard:
        card = QuoteCard(span, sources.get(span.anchored.passage.source_key))
        card.opened.connect(self.opened)
        card.moved.connect(lambda step: self._move(card, step))
        self.cards.append(card)
        return card

    def _move(self, card: QuoteCard, step: int) -> None:
        position = self.cards.index(card) + step
        if 0 <= position < len(self.cards):
            self.cards[position].setFocus(Qt.FocusReason.TabFocusReason)
            self.wanted_visible.emit(self.cards[position])

    def _make_head(self, answer: Answer) -> AnswerHead:
        found = [block.sections[0] for block in blocks(answer.spans) if not block.reason]
        head = AnswerHead(_summary(answer), [name for name in found if name], self._tint)
        head.copied.connect(self.copy)
        head.saved.connect(self.save)
        head.printed.connect(self.choose_printer)
        head.section_wanted.connect(self._go_to_section)
        return head

    def _go_to_section(self, section: str) -> None:
        self.wanted_on_top.emit(self._heads[section])

    def _add_corrections(self, question: Question) -> None:
        certain = [c for c in question.corrections if c.certain]
        if certain:
            self._layout.addWidget(Prose(_read_as(certain), size="small", tone="muted"))
        for correction in question.corrections:
            if not correction.certain:
                self._layout.addLayout(self._suggestion(question, correction))

    def _suggestion(self, question: Question, correction: Correction) -> QHBoxLayout:
        wanted = question.raw.replace(correction.original, correction.replacement)
        shown = correction.replacement.replace("&", "&&")
        link = button(f"«{NBSP}{shown}{NBSP}»", "link")
        link.setAccessibleName(f"Demander avec {correction.replacement}")
        link.clicked.connect(lambda: self.suggested.emit(wanted))
        layout = row(6)
        text = f"«{NBSP}{correction.original}{NBSP}»{NBSP}: vouliez-vous dire"
        layout.addWidget(label(text, "muted", wrap=False))
        layout.addWidget(link)
        layout.addWidget(label("?", "muted", wrap=False))
        layout.addStretch(1)
        return layout


def _read_as(corrections: Iterable[Correction]) -> str:
    pairs = (f"{c.original} → {c.replacement}" for c in corrections)
    return f"Lu comme{NBSP}: {' ; '.join(pairs)}".replace(" ; ", f"{NBSP}; ")


def _summary(answer: Answer) -> str:
    """How the question was read, and under it what the answer is made of."""
    topic = ""
    if answer.status in {AnswerStatus.ANSWER, AnswerStatus.ABSTENTION}:
        topic = TOPIC[answer.plan.primary_class]
        if answer.plan.secondary_class is not None:
            topic += f" et {TOPIC[answer.plan.secondary_class].lower()}"
    parts = []
    found = len(quotes(answer))
    if found:
        cited = count(len(answer.sources), "source")
        reworded = not all(span.verbatim for span in quotes(answer))
        made = count(found, "affirmation" if reworded else "extrait")
        parts.append(f"{made}{NBSP}de{NBSP}{cited}")
    models = sum(ms for stage, ms in answer.timings_ms if stage == MODELS_STAGE)
    if rules := sum(ms for _, ms in answer.timings_ms) - models:
        parts.append(_time(rules))
    if models:
        parts.append(f"{_time(models)} de modèle")
    return "\n".join(filter(None, (topic, dotted(parts))))


def _time(ms: float) -> str:
    return duration(ms / 1000) if ms >= 1000 else f"{max(1, round(ms))}{NBSP}ms"


def _message(answer: Answer, tint: Tint) -> QFrame:
    mark = QLabel()
    refused = answer.status is AnswerStatus.REFUSED
    tint(mark, "absent" if refused else "question", "accent", 20)
    mark.setAlignment(Qt.AlignmentFlag.AlignTop)
    layout = row(12, (18, 16, 18, 16))
    layout.addWidget(mark)
    layout.addWidget(Prose(no_break(answer.message), size="large"), 1)
    return frame("card", layout)


def _warning(text: str, tint: Tint) -> QFrame:
    mark = QLabel()
    tint(mark, "warning", "warning", 20)
    layout = row(12, (14, 10, 14, 10))
    layout.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(Prose(no_break(text)), 1)
    return frame("warning", layout)


def _foot(answer: Answer) -> QWidget:
    layout: QVBoxLayout = column(2)
    layout.addWidget(label(no_break(NOTICE), "small"))
    if answer.index is not None:
        index = answer.index
        built = french_date(index.built_at)
        layout.addWidget(
            label(
                f"Corpus du {built}{NBSP}: {grouped(index.passages)} passages, "
                f"{count(index.sources, 'source')}.",
                "small",
            )
        )
    holder = QWidget()
    holder.setLayout(layout)
    return holder
