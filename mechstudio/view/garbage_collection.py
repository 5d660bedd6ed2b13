"""Garbage collection in the thread of the window alone.

Python collects in the thread that happens to allocate. A widget that nothing but itself refers to
would be destroyed there, and Qt then waits for the window's thread, which may be waiting for that
very thread to end.
"""

import gc

from PySide6 import QtCore

INTERVAL_MS = 500


class GarbageCollector(QtCore.QObject):
    """Collects now and then, by the thresholds of Python, instead of Python."""

    def __init__(self, app: QtCore.QCoreApplication) -> None:
        super().__init__(app)
        gc.disable()
        timer = QtCore.QTimer(self, interval=INTERVAL_MS)
        timer.timeout.connect(collect_due)
        timer.start()


def collect_due() -> None:
    """Collect the oldest generation that is due, and with it all younger ones."""
    gc.disable()  # compiling a kernel may have enabled it again
    due = [0 < most < count for most, count in zip(gc.get_threshold(), gc.get_count())]
    if any(due):
        gc.collect(max(k for k, is_due in enumerate(due) if is_due))
