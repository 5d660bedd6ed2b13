"""Channels that are dragged from where they stand as numbers to a plot, which lights up while it
would take them.
"""

import json
from collections.abc import Callable, Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import label

Qt = QtCore.Qt
MIME = "application/x-mechstudio-channels"
RING = 2  # width of a plot's light, at a scale of 1


def packed(keys: Sequence[str]) -> QtCore.QMimeData:
    """Channels as the pointer carries them."""
    data = QtCore.QMimeData()
    data.setData(MIME, json.dumps(list(keys)).encode())
    return data


def unpacked(data: QtCore.QMimeData) -> list[str]:
    """The channels that the pointer carries; none for anything else."""
    return json.loads(bytes(data.data(MIME).data())) if data.hasFormat(MIME) else []


def drag(source: QtWidgets.QWidget, keys: Sequence[str], words: str) -> None:
    """Let the pointer carry channels until it is let go."""
    carried = QtGui.QDrag(source)
    carried.setMimeData(packed(keys))
    chip = label(words, "chip")
    chip.ensurePolished()
    chip.adjustSize()
    carried.setPixmap(chip.grab())
    carried.setHotSpot(QtCore.QPoint(-12, -6))
    carried.exec(Qt.DropAction.CopyAction)


class DropLight(QtWidgets.QWidget):
    """Takes channels for a widget that it covers, and rings it while they are over it."""

    def __init__(
        self, theme: Theme, owner: QtWidgets.QWidget, taken: Callable[[list[str]], None]
    ) -> None:
        super().__init__(owner)
        self._theme, self._owner, self._taken = theme, owner, taken
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        owner.setAcceptDrops(True)
        owner.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        kind = event.type()
        if kind == QtCore.QEvent.Type.Resize:
            self.resize(self._owner.size())
        elif kind == QtCore.QEvent.Type.DragLeave:
            self.hide()
        elif isinstance(event, QtGui.QDropEvent) and (keys := unpacked(event.mimeData())):
            event.acceptProposedAction()
            if kind == QtCore.QEvent.Type.Drop:
                self.hide()
                self._taken(keys)
            else:
                self.raise_()
                self.show()
            return True
        return False

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, width = QtGui.QPainter(self), self._theme.dp(RING)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtGui.QPen(self._theme.color("accent"), width))
        ground = self._theme.color("accent_soft")
        ground.setAlpha(90)
        painter.setBrush(ground)
        edge = 0.5 * width + 1
        painter.drawRoundedRect(
            QtCore.QRectF(self.rect()).adjusted(edge, edge, -edge, -edge),
            self._theme.dp(5),
            self._theme.dp(5),
        )
