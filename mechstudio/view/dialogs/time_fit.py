"""Search for the time shift of measured data in a thread, so that it does not block the window."""

import threading
from collections.abc import Callable, Sequence

from PySide6 import QtCore

from mechstudio.curves.course import Course
from mechstudio.curves.measurements.comparison import best_shift
from mechstudio.curves.measurements.table import DataUnreadable
from mechstudio.translation import tr

POLL_MS = 30


class TimeFit(QtCore.QObject):
    """Thread that finds the shift of least squares [s]; done(shift, or a sentence why there is
    none) is called in the window's thread, unless the owner is gone by then.
    """

    def __init__(
        self,
        owner: QtCore.QObject,
        pairs: Sequence[tuple[Course, Course]],
        done: Callable[[float | str], object],
    ) -> None:
        super().__init__(owner)
        self._pairs, self._done = pairs, done
        self._found: float | str = tr("The search for the shift did not end.")
        self._thread = threading.Thread(target=self._search, name=tr("time fit"), daemon=True)
        self._poll = QtCore.QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._look)
        self._thread.start()
        self._poll.start()

    def _search(self) -> None:
        try:
            self._found = best_shift(self._pairs)
        except DataUnreadable as error:
            self._found = str(error)

    def _look(self) -> None:
        if not self._thread.is_alive():
            self._poll.stop()
            self._done(self._found)
            self.deleteLater()
