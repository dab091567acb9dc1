"""The calculators page: favourites, recent ones, specialties, search, and the one chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QTreeWidgetItem,
    QWidget,
)

from ancremed_desktop.errors import BadFileError, CalculationError, MachineError
from ancremed_desktop.formulas.bank import Formula
from ancremed_desktop.gui.calculator_memory import CalculatorMemory
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.banner import Banner
from ancremed_desktop.gui.widgets.basics import Column, button, column, label, scrolling
from ancremed_desktop.gui.widgets.formula_form import FormulaForm
from ancremed_desktop.gui.widgets.two_panes import TwoPanes
from ancremed_desktop.gui.widgets.wrapping_tree import WrappingTree
from ancremed_desktop.gui.wording import capital, trouble
from ancremed_desktop.gui.workbench import Workbench
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.text.french import NBSP, count

SPECIALTY = {
    "anthropometrie": "Anthropométrie",
    "geriatrie": "Gériatrie",
    "hematologie": "Hématologie",
    "hepatologie": "Hépatologie",
    "metabolisme": "Métabolisme",
    "nephrologie": "Néphrologie",
    "obstetrique": "Obstétrique",
    "pediatrie": "Pédiatrie",
    "reanimation": "Réanimation",
}
"""Specialties whose name takes accents the identifier has not."""

_ID = Qt.ItemDataRole.UserRole
_MOST_FOUND = 100
_LIST = 380
"""Width of the list beside a form, in pixels at 100 %."""
_LEAST = (330, 520)
"""Narrowest list and form side by side, in pixels at 100 %."""


class CalculatorsPage(QWidget):
    """Opens the bank when first shown."""

    def __init__(
        self, workbench: Workbench, store: PreferenceStore, appearance: Appearance, tint: Tint
    ) -> None:
        super().__init__()
        self._workbench = workbench
        self._memory = CalculatorMemory(store)
        self._appearance = appearance
        self._tint = tint
        self._calculator: CalculatorService | None = None
        self.form: FormulaForm | None = None
        self.search = QLineEdit()
        self.search.setPlaceholderText("Score, organe, maladie…")
        self.search.setAccessibleName("Chercher un calculateur")
        self.search.setClearButtonEnabled(True)
        self.tree = WrappingTree()
        self.tree.setAccessibleName("Calculateurs par spécialité")
        self.total = label("", "small", wrap=False)
        self.back = button("Tous les calculateurs", "flat", tip="Revenir à la liste (Échap)")
        self.back.hide()
        tint(self.back, "chevron-left", "muted", 16)
        self.back.clicked.connect(self.show_list)
        self.banner = Banner(tint)
        empty = label(
            "Choisissez une formule dans la liste, ou cherchez-la par son nom ou par une maladie.",
            "muted",
        )
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setContentsMargins(24, 0, 24, 0)
        self._scroll = scrolling(empty)
        self._lay_out()
        self.search.textChanged.connect(self._list)
        appearance.changed.connect(self._fit)
        appearance.changed.connect(lambda: self._list(self.search.text()))
        self.search.returnPressed.connect(self._open_first)
        self.tree.itemSelectionChanged.connect(self._follow_selection)
        self.tree.itemClicked.connect(self._open_selected)
        self.tree.itemActivated.connect(self._open_selected)
        self._bind_keys()

    def showEvent(self, event: QShowEvent) -> None:
        """The bank is read when it is first looked at."""
        super().showEvent(event)
        if self._calculator is None:
            try:
                self._calculator = self._workbench.calculators()
            except Exception as error:
                self.banner.say(trouble(error), "danger")
                return
        # Again each time: what was opened meanwhile is now among the recent ones.
        self._list(self.search.text())

    def open_formula(self, formula_id: str) -> None:
        """Show a calculator."""
        assert self._calculator is not None
        formula = self._calculator.show(formula_id)
        self.form = FormulaForm(formula, self._calculator, self._memory, self._tint, self._attempt)
        self.form.favourite_changed.connect(lambda: self._list(self.search.text()))
        self._scroll.setWidget(Column(self.form, self._appearance))
        self._panes.show_second(True)
        if self._panes.narrow:
            self.form.focus_first()
        self._attempt(lambda: self._memory.opened(formula_id))

    def show_list(self) -> None:
        """Back to the list, when the form hides it."""
        self._panes.show_second(False)
        self.tree.setFocus()

    def escape(self) -> None:
        """Back to the list, else empty the search."""
        if not self.tree.isVisible():
            self.show_list()
            return
        self.search.clear()
        self.search.setFocus()

    def _list(self, text: str) -> None:
        if self._calculator is None:
            return
        wanted = text.strip()
        found = self._calculator.search(wanted, _MOST_FOUND) if wanted else self._calculator.list()
        self.tree.clear()
        if wanted:
            self.tree.addTopLevelItems([_item(formula) for formula in found])
            if not found:
                self.tree.addTopLevelItem(_nothing(wanted))
        else:
            self._group(found)
        self.total.setText(count(len(found), "calculateur"))

    def _group(self, formulas: tuple[Formula, ...]) -> None:
        groups: dict[str, list[Formula]] = {}
        for formula in formulas:
            name = SPECIALTY.get(formula.category, capital(formula.category))
            groups.setdefault(name, []).append(formula)
        own = {"Favoris": self._memory.favourites, "Récents": self._memory.recent}
        ordered = [(name, self._known(ids)) for name, ids in own.items()]
        ordered += [(name, groups[name]) for name in sorted(groups)]
        for name, members in ordered:
            if members:
                self.tree.addTopLevelItem(self._heading(name, members))
        self.tree.expandAll()

    def _known(self, identifiers: tuple[str, ...]) -> list[Formula]:
        """The formulas still in the bank: an older choice may name one that left it."""
        assert self._calculator is not None
        known = []
        for identifier in identifiers:
            try:
                known.append(self._calculator.show(identifier))
            except CalculationError:
                continue
        return known

    def _heading(self, name: str, members: list[Formula]) -> QTreeWidgetItem:
        heading = QTreeWidgetItem([name])
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = self.tree.font()
        font.setBold(True)
        heading.setFont(0, font)
        heading.addChildren([_item(formula) for formula in members])
        return heading

    def _attempt(self, action: Callable[[], object]) -> None:
        """Run what may fail on the disk; a failure is shown above the form."""
        try:
            action()
        except (MachineError, BadFileError) as error:
            self.banner.say(trouble(error), "danger")

    def _bind_keys(self) -> None:
        def with_form(action: Callable[[FormulaForm], object]) -> Callable[[], None]:
            def act() -> None:
                if self.form is not None:
                    action(self.form)

            return act

        keys: list[tuple[str, Callable[[], object]]] = [
            ("Ctrl+F", self._search_again),
            ("Ctrl+D", with_form(lambda form: form.favourite.toggle())),
            ("Ctrl+P", with_form(FormulaForm.choose_pdf)),
            ("Ctrl+N", with_form(FormulaForm.reset)),
        ]
        for sequence, action in keys:
            shortcut = QShortcut(QKeySequence(sequence), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)

    def _search_again(self) -> None:
        self._panes.show_second(False)
        self.search.setFocus()
        self.search.selectAll()

    def _open_first(self) -> None:
        first = self.tree.topLevelItem(0)
        if first is not None and first.data(0, _ID):
            self.tree.setFocus()
            self.tree.setCurrentItem(first)
            self._open_selected()

    def _follow_selection(self) -> None:
        """Arrows show each form beside the list; alone on screen, the list waits for Enter."""
        if not self._panes.narrow:
            self._open_selected()

    def _open_selected(self) -> None:
        chosen = self.tree.selectedItems()
        wanted = str(chosen[0].data(0, _ID) or "") if chosen else ""
        shown = self.form is not None and self.form.isVisible() and self.form.formula.id == wanted
        if wanted and not shown:
            self.open_formula(wanted)

    def _lay_out(self) -> None:
        side = column(10, (20, 22, 14, 14))
        side.addWidget(label("Calculateurs", "page"))
        side.addWidget(self.search)
        side.addWidget(self.total)
        side.addWidget(self.tree, 1)
        left = QWidget()
        left.setLayout(side)
        main = column(10, (0, 22, 0, 0))
        main.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        main.addWidget(self.banner)
        main.addWidget(self._scroll, 1)
        right = QWidget()
        right.setLayout(main)
        self._panes = TwoPanes(left, right, self._appearance, _LEAST, both=True)
        self._fit()
        self._panes.setStretchFactor(1, 1)
        self._panes.narrowed.connect(self.back.setVisible)
        whole = column(0)
        whole.addWidget(self._panes)
        self.setLayout(whole)
        self.setFocusProxy(self.search)

    def _fit(self) -> None:
        """The list grows with its names."""
        side = self._appearance.px(_LIST)
        self._panes.setSizes([side, max(self.width(), 3 * side) - side])


def _nothing(wanted: str) -> QTreeWidgetItem:
    text = (
        f"Aucun calculateur pour «{NBSP}{wanted}{NBSP}». Essayez un organe, une maladie, un sigle."
    )
    item = QTreeWidgetItem([text])
    item.setFlags(Qt.ItemFlag.ItemIsEnabled)
    return item


def _item(formula: Formula) -> QTreeWidgetItem:
    item = QTreeWidgetItem([formula.name])
    item.setData(0, _ID, formula.id)
    item.setToolTip(0, formula.name)
    return item
