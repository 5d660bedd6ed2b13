"""A heading with a note beside it, which a click opens: the form that parts of the equations and
steps of a lecture share.
"""

from PySide6 import QtCore, QtWidgets

from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, column, row

INDENT = 15  # px before what a fold holds
TEXT = 4  # px more before words, which then begin with the heading


class Section(QtWidgets.QWidget):
    """held: its content, from the top down."""

    def __init__(self, theme: Theme, title: str, *held: QtWidgets.QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.head = QtWidgets.QPushButton(title)
        self.head.setObjectName("fold")
        self.head.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        theme.fit(self.head, icon=13)
        self.head.clicked.connect(lambda: self.turn(not self.is_open))
        self.note = Elided("", "three")
        # opens the theory of this section, if there is any
        self.why = QtWidgets.QPushButton(tr("Why?"))
        self.why.setObjectName("curve")
        self.why.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        self.why.setAccessibleName(tr("Why: {title}", title=title))
        self.why.setToolTip(tr("The theory behind it"))
        self.why.hide()
        self._body = row(*held, vertical=True, gap=4, margins=(INDENT, 0, 0, 6))
        self._body.hide()
        box = column(self, 2)
        head = QtWidgets.QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.head)
        head.addWidget(self.note, 1)
        head.addWidget(self.why)
        box.addLayout(head)
        box.addWidget(self._body)
        theme.follow(self.paint)
        self.paint()

    @property
    def is_open(self) -> bool:
        return not self._body.isHidden()

    def set_open(self, open_: bool) -> None:
        self._body.setVisible(open_)
        self.paint()

    def turn(self, open_: bool) -> None:
        """Open or close it for the user."""
        self.set_open(open_)

    def paint(self) -> None:
        self.head.setIcon(self._theme.icon("down" if self.is_open else "right", "text3", 13))
