"""Ring around the focused widget, for users of Tab: the same for every widget, over any ground.  A
click takes it away.
"""

from PySide6 import QtCore, QtGui, QtWidgets
from shiboken6 import isValid

from mechstudio.view.theme import Theme

Qt = QtCore.Qt
WIDE, GAP, ROUND = 2, 2, 6  # px: of the line, between it and the widget, of its corners
LARGE = 200  # px of height from which the line stands inside: such a widget fills its place
FOLLOW_MS = 40


class FocusRing(QtWidgets.QWidget):
    """Lies over the window and lets every click through.  It is shown from `lead` on, that is from
    the first Tab, until the focus goes another way.
    """

    def __init__(self, theme: Theme, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self._theme, self._leads = theme, False
        self._around: QtWidgets.QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        # the widget inside may scroll or be laid out again
        self._follow = QtCore.QTimer(self, interval=FOLLOW_MS)
        self._follow.timeout.connect(self._place)
        theme.changed.connect(self.update)
        app = QtWidgets.QApplication.instance()
        assert isinstance(app, QtWidgets.QApplication)
        app.focusChanged.connect(self._moved)

    def lead(self) -> None:
        """Tab or Shift+Tab is about to move the focus."""
        self._leads = True

    @property
    def around(self) -> QtWidgets.QWidget | None:
        """The widget that it lies around now."""
        return self._around if self.isVisible() else None

    def _moved(self, before: QtWidgets.QWidget | None, now: QtWidgets.QWidget | None) -> None:
        leads, self._leads = self._leads, False
        inside = now is not None and self.window().isAncestorOf(now)
        self._around = now if leads and inside else None
        if self._around is None:
            self._follow.stop()
            self.hide()
        else:
            self._follow.start()
            self._place()

    def _place(self) -> None:
        around = self._around
        if around is None or not isValid(around) or not around.isVisible():
            self._around = None
            self._follow.stop()
            self.hide()
            return
        seen = around.visibleRegion().boundingRect()
        room = QtCore.QRect(around.mapTo(self.window(), seen.topLeft()), seen.size())
        if room.height() < LARGE:
            room.adjust(-GAP - WIDE, -GAP - WIDE, GAP + WIDE, GAP + WIDE)
        room &= self.window().rect()
        if room != self.geometry():
            self.setGeometry(room)
        if self.isHidden():
            self.show()
        self.raise_()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        inner = QtCore.QRectF(self.rect()).adjusted(1, 1, -1, -1)
        # the light line separates the ring from equally dark surfaces
        for role, inset, wide in (("raised", 2.0, 1.0), ("accent", 0.0, float(WIDE))):
            painter.setPen(QtGui.QPen(self._theme.color(role), wide))
            painter.drawRoundedRect(inner.adjusted(inset, inset, -inset, -inset), ROUND, ROUND)
        painter.end()
