"""Work that may wait a moment: one piece in each turn of the window's event loop, so that keys,
pointer and pictures come between the pieces.
"""

import time
from collections.abc import Callable

import shiboken6
from PySide6 import QtCore

# between two pieces: Qt paints some 5 ms after the request, and a picture shall have a turn to
# itself
GAP_MS = 12
# what the window may have done for itself in a gap [s of computing], and how late the gap may end
# [s]: after more the next piece leaves another one, and so often at most
BUSY, LATE, MOST_GAPS = 0.008, 0.006, 2


class Turns(QtCore.QObject):
    """Pieces of work by the widget that waits for them; a piece that is requested twice is done
    once.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[QtCore.QObject, Callable[[], object]] = {}
        self._timer = QtCore.QTimer(self, singleShot=True, interval=GAP_MS)
        self._timer.setTimerType(QtCore.Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._due)
        self._began, self._gaps = (0.0, 0.0), 0

    def soon(self, owner: QtCore.QObject, work: Callable[[], object]) -> None:
        """Do it in a turn of its own, after what waits already; not at all if its owner is gone by
        then.
        """
        self._waiting[owner] = work
        if not self._timer.isActive():
            self._leave_gap()

    def waits(self, owner: QtCore.QObject) -> bool:
        """True if a task of an owner is still to be run."""
        return owner in self._waiting

    def drop(self, owner: QtCore.QObject) -> None:
        """An owner's work has been done, or is no longer needed."""
        self._waiting.pop(owner, None)

    def finish(self) -> None:
        """Do all that waits now."""
        while self._waiting:
            self._next()
        self._timer.stop()

    def _leave_gap(self, again: int = 0) -> None:
        self._began, self._gaps = (time.thread_time(), time.monotonic()), again
        self._timer.start()

    def _due(self) -> None:
        # timers that are due together fire in one turn: a picture that has just been painted, or is
        # about to be, is one for itself
        computed, passed = time.thread_time() - self._began[0], time.monotonic() - self._began[1]
        if (computed > BUSY or passed > 1e-3 * GAP_MS + LATE) and self._gaps < MOST_GAPS:
            self._leave_gap(self._gaps + 1)
        else:
            self._next()

    def _next(self) -> None:
        while self._waiting:
            owner = next(iter(self._waiting))
            work = self._waiting.pop(owner)
            if shiboken6.isValid(owner):
                try:
                    work()
                finally:
                    if self._waiting:
                        self._leave_gap()
                return


_turns: list[Turns] = []


def turns() -> Turns:
    """Those of the program's one event loop."""
    if not _turns:
        _turns.append(Turns())
    return _turns[0]
