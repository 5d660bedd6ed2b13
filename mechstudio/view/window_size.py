"""Size of the window while the text gets another size."""

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets


class GivenSize:
    """Size that somebody gave the window.  A larger text may need more room; what it took comes
    back with a smaller one.
    """

    def __init__(self, window: QtWidgets.QMainWindow) -> None:
        self._window = window
        self._given: QtCore.QSize | None = None

    def through(self, change: Callable[[], object]) -> None:
        """Make a change of the text size."""
        window = self._window
        now, least = window.size(), window.minimumSizeHint()
        before = self._given or now
        # a side that is as short as it can be was pushed there by the text, the other ones given
        self._given = QtCore.QSize(
            *(
                min(kept, side) if side <= most else side
                for kept, side, most in zip(before.toTuple(), now.toTuple(), least.toTuple())
            )
        )
        change()
        if window.isVisible() and not window.isMaximized() and not window.isFullScreen():
            # the least sizes of all parts are those of the new text
            QtCore.QCoreApplication.sendPostedEvents(None, QtCore.QEvent.Type.LayoutRequest)
            layout = window.layout()
            assert layout is not None
            layout.activate()
            window.resize(self._given)
