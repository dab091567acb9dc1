"""« Pourquoi bloqué » : what was refused, at which stage, and the nearest source sentence."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QWidget

from ancremed_desktop.domain.spans import DroppedSpan
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.basics import Fold, badge, column, frame, label, row
from ancremed_desktop.gui.widgets.prose import Prose, mark
from ancremed_desktop.gui.wording import DROP_REASON, STAGE, capital
from ancremed_desktop.text.french import NBSP, no_break

MOST_SHOWN = 60
LONGEST_TEXT = 1_500


def dropped_fold(dropped: Sequence[DroppedSpan], appearance: Appearance, tint: Tint) -> Fold:
    """The fold with all refused spans; built when it is opened."""
    title = f"Pourquoi bloqué ({len(dropped)})"
    return Fold(title, lambda: _list(dropped, appearance), tint)


def _list(dropped: Sequence[DroppedSpan], appearance: Appearance) -> QWidget:
    layout = column(10)
    layout.addWidget(
        label(
            "Ces segments n’ont pas passé un contrôle. Ils ne font pas partie de la réponse"
            f"{NBSP}: ne vous y fiez pas.",
            "small",
        )
    )
    for span in dropped[:MOST_SHOWN]:
        layout.addWidget(_card(span, appearance))
    if len(dropped) > MOST_SHOWN:
        layout.addWidget(label(f"… et {len(dropped) - MOST_SHOWN} autres.", "small"))
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def _card(span: DroppedSpan, appearance: Appearance) -> QFrame:
    layout = column(6, (16, 12, 16, 12))
    head = row(6)
    head.addWidget(badge(STAGE.get(span.stage, span.stage), "danger"))
    head.addWidget(badge(DROP_REASON[span.reason], "plain"))
    head.addStretch(1)
    layout.addLayout(head)
    if span.section:
        layout.addWidget(label(capital(span.section), "small"))
    text = span.span_text[:LONGEST_TEXT]
    refused = Prose(text)
    colours = appearance.palette
    mark(
        refused,
        text,
        [(start, min(end, len(text))) for start, end in span.differing if start < len(text)],
        QColor(colours.danger_soft),
        QColor(colours.danger),
    )
    layout.addWidget(refused)
    if span.detail:
        layout.addWidget(Prose(no_break(span.detail), size="small", tone="muted"))
    if span.nearest:
        layout.addWidget(label("Phrase la plus proche dans la source", "small-strong"))
        layout.addWidget(Prose(span.nearest[:LONGEST_TEXT], tone="muted"))
    return frame("quiet", layout)
