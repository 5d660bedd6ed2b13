"""The pointer of the tests: a move is over when the window has heard of it.

QTest.mouseMove requests a place of the pointer from the screen and handles pending events. Its news
comes by the screen, in a thread of Qt's own, and on a busy machine after the next click.
"""

import time

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

PATIENCE = 0.5  # [s] for news of a move; there is none where no window of ours lies below
_move = QTest.mouseMove


class _Heard(QtCore.QObject):
    """True once any window has heard that the pointer is at a place of the screen."""

    def __init__(self, place: QtCore.QPoint) -> None:
        super().__init__()
        self._place, self.heard_of = place, False

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.MouseMove:
            assert isinstance(event, QtGui.QMouseEvent)
            self.heard_of |= event.globalPosition().toPoint() == self._place
        return False


def move(widget, at=None, delay=-1) -> None:
    """Move the pointer over a widget, to its middle where no place is given, and wait for the
    news.
    """
    at = widget.rect().center() if at is None or at.isNull() else at
    app, place = QtWidgets.QApplication.instance(), widget.mapToGlobal(at)
    heard = _Heard(place)
    heard.heard_of = QtGui.QCursor.pos() == place  # no move, no news
    app.installEventFilter(heard)
    try:
        _move(widget, at, delay)
        end = time.monotonic() + PATIENCE
        while not heard.heard_of and time.monotonic() < end:
            app.processEvents(QtCore.QEventLoop.ProcessEventsFlag.AllEvents, 5)
    finally:
        app.removeEventFilter(heard)


def install() -> None:
    """Let every test that calls QTest.mouseMove wait for the news."""
    QTest.mouseMove = staticmethod(move)
