"""Garbage is collected in the thread of the window alone."""

import gc
import threading
import weakref

from PySide6 import QtWidgets


class Cycle(QtWidgets.QWidget):
    """A widget that refers to itself."""

    def __init__(self):
        super().__init__()
        self.itself = self


def allocate(count):
    """Make so many objects that a collection of each generation is due."""
    made = []
    for _ in range(count):
        made.append([])


def test_a_thread_leaves_widgets_to_the_thread_of_the_window(theme, qtbot):
    before = gc.get_threshold()
    gc.set_threshold(100, 2, 2)
    try:
        widget = weakref.ref(Cycle())
        thread = threading.Thread(target=allocate, args=(10_000,))
        thread.start()
        thread.join()
        assert widget() is not None
        allocate(1_000)
        assert widget() is not None, "nor in the middle of what the window does"
        qtbot.waitUntil(lambda: widget() is None)
    finally:
        gc.set_threshold(*before)
