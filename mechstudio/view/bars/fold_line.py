"""One line in the place of the bottom row, while there is nothing to plot."""

from collections.abc import Callable

from PySide6 import QtWidgets

from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, Picture

HEIGHT = 34  # px at the normal text size


class FoldLine(QtWidgets.QFrame):
    """Says what opens here, and opens it.  button: opens it now."""

    def __init__(self, theme: Theme, open_now: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("fold")
        theme.fit(self, height=HEIGHT)
        words = Elided(tr("Plots and equations open here with the first run"), "two")
        self.button = QtWidgets.QPushButton(tr("Open now"))
        self.button.setObjectName("flat")
        self.button.clicked.connect(lambda _=False: open_now())
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 0, 8, 0)
        box.setSpacing(8)
        box.addWidget(Picture(theme, "panels", "text2", 16, 2))
        box.addWidget(words, 1)
        box.addWidget(self.button)
