"""Field whose text is taken when it is left."""

from PySide6 import QtCore, QtWidgets

from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import row

HIGH = 26  # px at the normal text size


class TextField(QtWidgets.QWidget):
    """A field with a text that is taken at Enter or when it is left.  taken(text)."""

    taken = QtCore.Signal(str)

    def __init__(self, theme: Theme, text: str, name: str, hint: str = "") -> None:
        super().__init__()
        self._before = text
        self.edit = QtWidgets.QLineEdit(text)
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(hint)
        self.edit.setCursorPosition(0)
        self.edit.editingFinished.connect(self._take)
        frame = row(self.edit, margins=(7, 0, 5, 0), name="field")
        theme.fit(frame, height=HIGH)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(frame)
        self.edit.setMinimumWidth(theme.dp(24))

    def _take(self) -> None:
        text = self.edit.text().strip()
        if text != self._before:
            self._before = text
            self.taken.emit(text)
