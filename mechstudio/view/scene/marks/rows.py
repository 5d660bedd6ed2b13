"""Rows of the list of marks: a check box, its word, its elements, and a choice."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6 import QtGui, QtWidgets
from PySide6.QtCore import Qt

from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, label


class Line(QtWidgets.QWidget):
    """One row: a check box, its word, its elements, and a number or a choice at the right."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        toggled: Callable[[bool], object],
        right: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__()
        self._box = box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(theme.dp(8))
        theme.fit(self, least_height=23)
        self.check = QtWidgets.QCheckBox()
        self.check.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.check.setAccessibleName(text)
        self.check.clicked.connect(lambda: toggled(self.check.isChecked()))
        self.word, self.holds = label(text), Elided(name="three")
        self.value = label("", "three")
        box.addWidget(self.check)
        box.addWidget(self.word)
        box.addWidget(self.holds, 1)
        box.addWidget(self.value)
        if right is not None:
            box.addWidget(right)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.check.click()

    def set_narrow(self, narrow: bool) -> None:
        """Let the word wrap, and leave out what the row holds, where there is no room for both."""
        self.word.setWordWrap(narrow)
        self.holds.setVisible(not narrow)
        self._box.setStretchFactor(self.word, 1 if narrow else 0)

    def show_state(self, checked: bool, holds: str = "", value: str = "") -> None:
        """Report the shown marks."""
        self.check.setChecked(checked)
        self.holds.set_text(holds)
        self.value.setText(value)
        self.check.setAccessibleDescription(f"{holds} {value}".strip())
        self.word.setToolTip(holds)


class Choice(NamedTuple):
    """Entry of a menu.  words; data that it stands for; checked: None for an entry that does
    something.
    """

    words: str
    data: object
    checked: bool | None = None


def choice_button(
    theme: Theme,
    words: str,
    name: str,
    groups: Iterable[Iterable[Choice]],
    chosen: Callable[[object], object],
) -> QtWidgets.QToolButton:
    """A button at the right of a row that shows what is chosen, with a menu of choices; lines stand
    between groups.  name: for screen readers.
    """
    button = QtWidgets.QToolButton()
    button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setText(words)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    button.setIcon(theme.icon("down", "text3", 12))
    theme.fit(button, icon=12)
    button.setAccessibleName(name)
    menu = QtWidgets.QMenu(button)
    fill(menu, groups)
    # the row that the menu belongs to may go away with the change
    queued = Qt.ConnectionType.QueuedConnection
    menu.triggered.connect(lambda entry: chosen(entry.data()), queued)
    button.setMenu(menu)
    return button


def fill(menu: QtWidgets.QMenu, groups: Iterable[Iterable[Choice]]) -> None:
    """Put choices into a menu, in place of those that are there."""
    menu.clear()
    for k, group in enumerate(groups):
        if k:
            menu.addSeparator()
        for choice in group:
            entry = menu.addAction(choice.words)
            entry.setData(choice.data)
            entry.setCheckable(choice.checked is not None)
            entry.setChecked(bool(choice.checked))
