"""Sentence at the lower right of the view on how to come back, which disappears by itself."""

from PySide6 import QtCore, QtWidgets

from mechstudio.view.theme import Theme

SHOWN_MS = 3000
EDGE = 12  # px to the edges of its host


class Reminder(QtWidgets.QLabel):
    """Chip over the view, hidden until `say`."""

    def __init__(self, theme: Theme, host: QtWidgets.QWidget) -> None:
        super().__init__(host)
        self.setObjectName("chip")
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._host, self._bottom = host, host.height()
        self._timer = QtCore.QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        theme.follow(self._again)

    def say(self, words: str) -> None:
        """Show a sentence for three seconds."""
        self.setText(words)
        self.show()
        self.place(self._bottom)
        self._timer.start()

    def _again(self) -> None:
        self.place(self._bottom)

    def place(self, bottom: int) -> None:
        """Stand at the right end of the host, above a place [px]."""
        self._bottom = bottom
        if not self.isHidden():
            self.adjustSize()
            right = self._host.width() - EDGE
            self.move(right - self.width(), bottom - self.height())
            self.raise_()
