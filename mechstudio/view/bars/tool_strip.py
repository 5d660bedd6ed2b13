"""The floating strip at the left edge of the viewport: drawing tools, and what can be done to the
view.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.registry import Action
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton

Qt = QtCore.Qt
# a button: its icon, and its action, or the title and the actions of its menu
Button = tuple[str, Action[Any] | tuple[Words, tuple[Action[Any], ...]]]

SIDES, GLYPH = (30, 26), 19  # of a button, and of its icon at the largest [px at 100 % text]
EDGE, GAP, GROUP = 4, 1, 4  # around the buttons, between them, and about the line of a group [px]
FRAME = 2  # of both lines around it [px]
LEAST = 1  # buttons that stand in the strip however short it is


class Form(NamedTuple):
    """Form of the strip.  upright: buttons stand below each other.  side: of a button [px at the
    normal text size].  shown: how many stand in it; the others are in the menu at its end.
    """

    upright: bool
    side: int
    shown: int


class ToolStrip(QtWidgets.QFrame):
    """Buttons over the scene, 12 px from its edge, in one line: actions, and menus of them.  A
    rule stands between two groups; what has no room is in a menu at the end.
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
        self._actions: dict[IconButton, QtGui.QAction] = {}
        self._hidden: list[IconButton] = []
        self._name_once = ""
        self._groups = [[self._button(*entry) for entry in group] for group in groups]
        self._rules: list[QtWidgets.QFrame] = []
        for _ in groups:
            rule = QtWidgets.QFrame(self)
            rule.setObjectName("rule")
            self._rules.append(rule)
        self.more = IconButton(theme, "more", tr("More tools"), SIDES[0], GLYPH, checkable=True)
        self.more.setMenu(QtWidgets.QMenu(self.more))
        self.more.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setParent(self)
        self._once = QtWidgets.QLabel("1", self)
        self._once.setObjectName("once")
        self._once.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._once.hide()
        self._box = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        self._box.setSpacing(GAP)
        self._fitted: tuple[Form, float] | None = None
        self.take_form(self.form(True, 10_000))

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
        self._actions[button] = action
        if checkable:
            action.toggled.connect(button.setChecked)
            action.toggled.connect(lambda on: self._mark_more())
            button.setChecked(action.isChecked())
        self.buttons[row.id] = button
        return button

    def show_once(self, name: str) -> None:
        """Mark the button of the active tool as one that works once only; "" for none."""
        self._name_once = name
        held = self.buttons.get(name)
        held = self.more if held is not None and held.isHidden() else held
        self._once.setVisible(held is not None)
        if held is not None:
            self._once.adjustSize()
            corner = held.geometry().bottomRight() - self._once.rect().bottomRight()
            self._once.move(corner - QtCore.QPoint(1, 1))
            self._once.raise_()

    def _length(self, side: int, count: int) -> int:
        """Length of so many buttons with the rules between them, and the menu where some are not
        among them [px].
        """
        each, begun, left = self._theme.dp(side) + GAP, 0, count
        for group in self._groups:
            begun += left > 0
            left -= len(group)
        menu = left < 0
        # the menu has no line of its own behind a part of the last group
        rules = begun - 1 + (menu and begun < len(self._groups))
        buttons = (count + menu) * each - GAP
        return buttons + rules * (2 * GROUP + 1 - GAP) + 2 * EDGE + FRAME

    def form(self, upright: bool, length: int) -> Form:
        """Form in which it fits a length [px]: smaller buttons first, then fewer."""
        every = sum(len(group) for group in self._groups)
        for side in SIDES:
            if self._length(side, every) <= length:
                return Form(upright, side, every)
        counts = range(every - 1, LEAST, -1)
        count = next((n for n in counts if self._length(SIDES[-1], n) <= length), LEAST)
        return Form(upright, SIDES[-1], count)

    def size_of(self, form: Form) -> QtCore.QSize:
        """Size that the strip has in a form [px]."""
        across, along = (
            self._theme.dp(form.side) + 2 * EDGE + FRAME,
            self._length(form.side, form.shown),
        )
        return QtCore.QSize(across, along) if form.upright else QtCore.QSize(along, across)

    def take_form(self, form: Form) -> None:
        """Stand in a form."""
        if (form, self._theme.scale) == self._fitted:
            return
        self._fitted = form, self._theme.scale
        for button in (*self.buttons.values(), self.more):
            self._theme.fit(
                button, width=form.side, height=form.side, icon=round(GLYPH * form.side / SIDES[0])
            )
        while self._box.count():
            self._box.takeAt(0)
        directions = QtWidgets.QBoxLayout.Direction
        self._box.setDirection(directions.TopToBottom if form.upright else directions.LeftToRight)
        left, hidden = form.shown, []
        for group, rule in zip(self._groups, self._rules, strict=True):
            shown = group[: max(left, 0)]
            hidden += group[len(shown) :]
            left -= len(group)
            self._put_rule(rule, form, bool(shown) and self._box.count() > 0)
            for button in shown:
                self._box.addWidget(button)
            for button in group:
                button.setVisible(button in shown)
        # a group that is there in part ends before the menu as the others do
        last = self._rules[-1]
        if hidden and last.isHidden():
            self._put_rule(last, form, True)
        self.more.setVisible(bool(hidden))
        if hidden:
            self._box.addWidget(self.more)
        self._fill_more(hidden)
        self._box.activate()
        self.resize(self.sizeHint())
        self.show_once(self._name_once)

    def _put_rule(self, rule: QtWidgets.QFrame, form: Form, shown: bool) -> None:
        rule.setVisible(shown)
        if not shown:
            return
        long = 16_777_215
        rule.setMinimumSize(1, 1)
        rule.setMaximumSize(*((long, 1) if form.upright else (1, long)))
        self._box.addSpacing(GROUP - GAP)
        self._box.addWidget(rule)
        self._box.addSpacing(GROUP - GAP)

    def _fill_more(self, hidden: list[IconButton]) -> None:
        """Put what has no room into the menu at the end."""
        menu = self.more.menu()
        menu.clear()
        for button in hidden:
            inner = button.menu()
            if inner is None:
                menu.addAction(self._actions[button])
            else:
                inner.setTitle(button.toolTip())
                menu.addAction(inner.menuAction())
        self._hidden = hidden
        self._mark_more()

    def _mark_more(self) -> None:
        """Mark the menu where the active tool is in it."""
        self.more.setChecked(any(button.isChecked() for button in self._hidden))
