"""A heading with a note beside it, which a click opens: the form that parts of the equations and steps of a lecture share."""

from PySide6 import QtCore, QtGui, QtWidgets

from ..pieces import Elided, column, row
from ..theme import Theme

INDENT = 15                 # px before what a fold holds
TEXT = 4                    # px more before words, which then begin with the heading


class Words(QtWidgets.QLabel):
    """Sentences over several lines.  It takes its height by itself: layouts in layouts ask for the height of a width again and again, in a long chapter for longer than a
    picture may take.
    """

    def __init__(self, text: str, name: str = "two") -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setTextFormat(QtCore.Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setContentsMargins(TEXT, 0, 0, 0)
        # QLabel takes its width for its height into its policy whenever lines are broken
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)

    def say(self, text: str) -> None:
        """Other sentences; none, and it goes away."""
        self.setText(text)
        self.setVisible(bool(text))
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(max(self.heightForWidth(self.width()), 0))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QtCore.QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QtCore.QEvent.Type.FontChange, QtCore.QEvent.Type.StyleChange):
            self._fit()


class Fold(QtWidgets.QWidget):
    """held: what it opens to, from the top down."""

    def __init__(self, theme: Theme, title: str, *held: QtWidgets.QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.head = QtWidgets.QPushButton(title)
        self.head.setObjectName("fold")
        self.head.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        theme.fit(self.head, "setIconSize", 13, 13)
        self.head.clicked.connect(lambda: self.turn(not self.is_open))
        self.note = Elided("", "three")
        self._body = row(*held, vertical=True, gap=4, margins=(INDENT, 0, 0, 6))
        self._body.hide()
        box = column(self, 2)
        head = QtWidgets.QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.head)
        head.addWidget(self.note, 1)
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
