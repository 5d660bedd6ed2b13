"""The words of a plot's head: one per curve, a click shows or hides it; what does not fit stands in
a menu.
"""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.runs.plots import Curve
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr
from mechstudio.view.widgets.widgets import IconButton, dot, throw_away

Qt = QtCore.Qt


class Legend(QtWidgets.QWidget):
    """Right-aligned words; asks for no width of its own, so that panes may be narrow.

    below: a row of its own that takes all words where those of shown curves find no room here.
    """

    def __init__(
        self, theme: Theme, toggle: Callable[[str], None], below: "Legend | None" = None
    ) -> None:
        super().__init__()
        self._theme, self._toggle, self._below = theme, toggle, below
        self._curves: tuple[Curve, ...] = ()
        self._hidden: set[str] = set()
        self.words: dict[str, QtWidgets.QPushButton] = {}
        self._more = IconButton(theme, "more", tr("Curves"), 20, 16)
        self._more.setParent(self)
        self._menu = QtWidgets.QMenu(self._more)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._fill)
        self._more.setMenu(self._menu)
        self._more.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )
        theme.fit(self, "setMinimumWidth", 20)
        theme.fit(self, "setFixedHeight", 20)

    def sizeHint(self) -> QtCore.QSize:
        # it expands; to ask for more would shorten the title first
        return QtCore.QSize(self._theme.dp(20), self._theme.dp(20))

    def show_curves(self, curves: tuple[Curve, ...], hidden: set[str]) -> None:
        for word in self.words.values():
            throw_away(word)
        self._curves, self._hidden, self.words = curves, hidden, {}
        for c in curves:
            if not c.word:
                continue
            button = QtWidgets.QPushButton(tr(c.word), self)
            button.setObjectName("curve")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setIcon(QtGui.QIcon(self._dot(c)))
            button.setIconSize(QtCore.QSize(self._theme.dp(10), self._theme.dp(10)))
            tip = (
                tr("Show {curve}", curve=c.word)
                if c.key in hidden
                else tr("Hide {curve}", curve=c.word)
            )
            button.setToolTip(f"{c.tip}\n{tip}" if c.tip else tip)
            button.clicked.connect(lambda _=False, key=c.key: self._toggle(key))
            button.show()
            self.words[c.key] = button
        if self._below is not None:
            self._below.show_curves(curves, hidden)
        self._arrange()

    def _dot(self, curve: Curve) -> QtGui.QPixmap:
        return dot(
            self._theme["line_strong"]
            if curve.key in self._hidden
            else self._theme["text3"]
            if curve.color < 0
            else self._theme.body(curve.color),
            self._theme.dp(5),
            self._theme.dp(10),
            self._theme.dp(2.5),
        )

    def _fill(self) -> None:
        self._menu.clear()
        for c in self._curves:
            if not c.word:
                continue
            action = self._menu.addAction(tr(c.word))
            action.setToolTip(c.tip)
            action.setCheckable(True)
            action.setChecked(c.key not in self._hidden)
            action.triggered.connect(lambda _=False, key=c.key: self._toggle(key))

    def _arrange(self) -> None:
        """Words from the right edge; with too little room first the hidden curves' words go into
        the menu, then the last ones.
        """
        widths = {key: word.sizeHint().width() for key, word in self.words.items()}
        shown = list(widths)
        edges = self.contentsMargins()
        room, more = self.width() - edges.left() - edges.right(), self._more.width()
        if self._below is not None:
            named = [widths[k] for k in shown if k not in self._hidden]
            crowded = sum(named) + (more + 4 if len(named) < len(shown) else 0) > room
            self._below.setVisible(crowded)
            if crowded:
                for part in (self._more, *self.words.values()):
                    part.hide()
                return
        while (
            shown
            and sum(widths[k] for k in shown) + (more + 4 if len(shown) < len(widths) else 0) > room
        ):
            shown.remove(next((k for k in reversed(shown) if k in self._hidden), shown[-1]))
        x = room + edges.left()
        self._more.setVisible(len(shown) < len(widths))
        if len(shown) < len(widths):
            x -= more
            self._more.move(x, 0)
        for key in reversed(list(widths)):
            word = self.words[key]
            word.setVisible(key in shown)
            if key in shown:
                x -= widths[key]
                word.setGeometry(
                    x,
                    (self.height() - word.sizeHint().height()) // 2,
                    widths[key],
                    word.sizeHint().height(),
                )

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._arrange()
