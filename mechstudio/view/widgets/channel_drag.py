"""Channels that are dragged from where they stand as numbers to a pane."""

import json
from collections.abc import Callable, Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.widgets.widgets import label

Qt = QtCore.Qt
MIME = "application/x-mechstudio-channels"


def packed(keys: Sequence[str]) -> QtCore.QMimeData:
    """Channels as the pointer carries them."""
    data = QtCore.QMimeData()
    data.setData(MIME, json.dumps(list(keys)).encode())
    return data


def unpacked(data: QtCore.QMimeData) -> list[str]:
    """The channels that the pointer carries; none for anything else."""
    return json.loads(bytes(data.data(MIME).data())) if data.hasFormat(MIME) else []


def drag(source: QtWidgets.QWidget, keys: Sequence[str], words: str) -> None:
    """Let the pointer carry channels until the button is released."""
    carried = QtGui.QDrag(source)
    carried.setMimeData(packed(keys))
    chip = label(words, "chip")
    chip.ensurePolished()
    chip.adjustSize()
    carried.setPixmap(chip.grab())
    carried.setHotSpot(QtCore.QPoint(-12, -6))
    carried.exec(Qt.DropAction.CopyAction)


def drag_and_release(source: QtWidgets.QWidget, keys: Sequence[str], words: str) -> None:
    """Let the pointer carry channels, then notify the source of the release of the button, which
    the drag has taken for itself.
    """
    drag(source, keys, words)
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    at = QtGui.QCursor.pos()
    place, everywhere = QtCore.QPointF(source.mapFromGlobal(at)), QtCore.QPointF(at)
    kind, free = QtCore.QEvent.Type.MouseButtonRelease, Qt.KeyboardModifier.NoModifier
    release = QtGui.QMouseEvent(kind, place, everywhere, left, none, free)
    QtWidgets.QApplication.sendEvent(source, release)


class Carrier(QtCore.QObject):
    """Lets what stands in a widget be dragged to a pane.  found(place): channels and words at a
    place of the widget; none where there is nothing to plot.  started, ended: of a drag.
    """

    started, ended = QtCore.Signal(), QtCore.Signal()

    def __init__(
        self,
        widget: QtWidgets.QWidget,
        found: Callable[[QtCore.QPoint], tuple[Sequence[str], str]],
    ) -> None:
        super().__init__(widget)
        self._found = found
        self._pressed: QtCore.QPoint | None = None
        widget.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        kinds = QtCore.QEvent.Type
        if not isinstance(event, QtGui.QMouseEvent) or not isinstance(watched, QtWidgets.QWidget):
            return False
        place = event.position().toPoint()
        if event.type() == kinds.MouseButtonPress:
            self._pressed = place if event.button() == Qt.MouseButton.LeftButton else None
        elif event.type() == kinds.MouseButtonRelease:
            self._pressed = None
        elif event.type() == kinds.MouseMove and self._pressed is not None:
            far = QtWidgets.QApplication.startDragDistance()
            if (place - self._pressed).manhattanLength() < far:
                return False
            keys, words = self._found(self._pressed)
            self._pressed = None
            if keys:
                self.started.emit()
                drag(watched, keys, words)
                self.ended.emit()
                return True
        return False
