"""The floating strip at the left edge of the viewport: drawing tools, and what can be done to the
view.
"""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.registry import Action
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton

Qt = QtCore.Qt
# a button: its icon, and its action, or the title and the actions of its menu
Button = tuple[str, Action[Any] | tuple[Words, tuple[Action[Any], ...]]]

SIDES, GLYPH = (30, 26, 22), 19  # of a button, and of its icon at the largest [px at 100 % text]
GROUPED = (1, 2, 3)  # columns in which lines stand between groups


class ToolStrip(QtWidgets.QFrame):
    """Buttons over the scene, 12 px from its edge: actions, and menus of them.  A line stands
    between two groups.
    """

    def __init__(
        self,
        theme: Theme,
        groups: Sequence[Sequence[Button]],
        action_of: Callable[[Action[Any]], QtGui.QAction],
        trigger: Callable[[Action[Any]], None],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._action_of, self._trigger = theme, action_of, trigger
        self.buttons: dict[str, IconButton] = {}
        self._groups = [[self._button(*entry) for entry in group] for group in groups]
        self._rules: list[QtWidgets.QFrame] = []
        for _ in groups[1:]:
            rule = QtWidgets.QFrame(self)
            rule.setObjectName("rule")
            rule.setFixedHeight(1)
            self._rules.append(rule)
        self._once = QtWidgets.QLabel("1", self)
        self._once.setObjectName("once")
        self._once.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._once.hide()
        self._grid = QtWidgets.QGridLayout(self)
        self._grid.setContentsMargins(4, 4, 4, 4)
        self._grid.setSpacing(1)
        self._fitted = (0, 0, 0.0)  # columns, side of a button, scale
        self.fit(10_000, 10_000)

    def _button(
        self, icon: str, what: Action[Any] | tuple[str, tuple[Action[Any], ...]]
    ) -> IconButton:
        if isinstance(what, Action):
            return self._action_button(icon, what)
        title, inner = what
        button = IconButton(self._theme, icon, tr(title), SIDES[0], GLYPH)
        menu = QtWidgets.QMenu(button)
        for each in inner:
            menu.addAction(self._action_of(each))
        button.setMenu(menu)
        button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.buttons[title] = button
        return button

    def _action_button(self, icon: str, row: Action[Any]) -> IconButton:
        tip = tr(row.text) + (f" ({row.keys[-1]})" if row.keys else "")
        checkable, action = row.checked is not None, self._action_of(row)
        button = IconButton(self._theme, icon, tip, SIDES[0], GLYPH, checkable=checkable)

        def press() -> None:
            self._trigger(row)
            # a click has turned the button over by itself; what is true is what the action says
            button.setChecked(action.isChecked())

        button.clicked.connect(press)
        if checkable:
            action.toggled.connect(button.setChecked)
            button.setChecked(action.isChecked())
        self.buttons[row.id] = button
        return button

    def show_once(self, name: str) -> None:
        """Mark the button of the tool in hand as one that works once only; "" for none."""
        held = self.buttons.get(name)
        self._once.setVisible(held is not None)
        if held is not None:
            self._once.adjustSize()
            corner = held.geometry().bottomRight() - self._once.rect().bottomRight()
            self._once.move(corner - QtCore.QPoint(1, 1))
            self._once.raise_()

    def _columns_at(self, side: int, height: int) -> int:
        """Columns that buttons of a side [px at the normal text size] need in a height [px]."""
        rows, tall = sum(len(group) for group in self._groups), self._theme.dp(side) + 1
        grouped = {
            c: sum(-(-len(group) // c) for group in self._groups) * tall + len(self._rules) * 9 + 8
            for c in GROUPED
        }
        flowing = {c: -(-rows // c) * tall + 8 for c in range(len(GROUPED) + 1, rows + 1)}
        return next((c for c, needed in (grouped | flowing).items() if needed <= height), rows)

    def fit(self, height: int, width: int) -> None:
        """Stand in as few columns as this height [px] allows; where even rows of groups are too
        tall, groups follow each other without lines.  Buttons are smaller where they would take
        more than this width [px].
        """
        columns, side = 1, SIDES[0]
        for side in SIDES:
            columns = self._columns_at(side, height)
            if columns * (self._theme.dp(side) + 1) + 8 <= width:
                break
        rows = sum(len(group) for group in self._groups)
        if (columns, side, self._theme.scale) == self._fitted:
            return
        self._fitted = columns, side, self._theme.scale
        for button in self.buttons.values():
            self._theme.fit(button, "setFixedSize", side, side)
            self._theme.fit(button, "setIconSize", *[round(GLYPH * side / SIDES[0])] * 2)
        flows = columns not in GROUPED
        groups = [[button for group in self._groups for button in group]] if flows else self._groups
        for rule in self._rules:
            rule.setVisible(not flows)
        while self._grid.count():
            self._grid.takeAt(0)
        line = 0
        for k, group in enumerate(groups):
            if k:
                self._grid.setRowMinimumHeight(line, 9)
                self._grid.addWidget(
                    self._rules[k - 1], line, 0, 1, columns, Qt.AlignmentFlag.AlignVCenter
                )
                line += 1
            for i, button in enumerate(group):
                self._grid.setRowMinimumHeight(line + i // columns, 0)
                self._grid.addWidget(button, line + i // columns, i % columns)
            line += -(-len(group) // columns)
        for rest in range(line, rows + 8):
            self._grid.setRowMinimumHeight(rest, 0)
        self._grid.activate()
        self.resize(self._grid.sizeHint())
