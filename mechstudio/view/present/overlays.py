"""Things over the window in front of a class: the pointer, a dark screen, a frozen picture."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
RING, GLOW, CORE = 16, 28, 5  # px at the normal text size
FOLLOW_MS = 15


class LaserPointer(QtWidgets.QWidget):
    """A ring with a glow that follows the mouse."""

    def __init__(self, theme: Theme, host: QtWidgets.QWidget) -> None:
        super().__init__(host)
        self._theme, self._host = theme, host
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._timer = QtCore.QTimer(self, interval=FOLLOW_MS)
        self._timer.timeout.connect(self.follow)

    @property
    def is_on(self) -> bool:
        return not self.isHidden()

    def turn(self, on: bool) -> None:
        """Switch it on or off; while it is on, the arrow of the mouse is not seen."""
        if on == self.is_on:
            return
        self.setVisible(on)
        if on:
            QtWidgets.QApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)
            self.follow()
            self._timer.start()
        else:
            QtWidgets.QApplication.restoreOverrideCursor()
            self._timer.stop()

    def follow(self) -> None:
        """Stand where the mouse is."""
        size = 2 * self._theme.dp(GLOW)
        at = self._host.mapFromGlobal(QtGui.QCursor.pos())
        self.setGeometry(at.x() - size // 2, at.y() - size // 2, size, size)
        self.raise_()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        theme, middle = self._theme, QtCore.QRectF(self.rect()).center()
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        accent = theme.color("accent")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent", 0.22))
        painter.drawEllipse(middle, theme.dp(GLOW) - 1, theme.dp(GLOW) - 1)
        painter.setBrush(accent)
        painter.drawEllipse(middle, theme.dp(CORE), theme.dp(CORE))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        dark, light = QtGui.QColor("#14171C"), QtGui.QColor("#FFFFFF")
        for color, width in ((dark, 6.0), (light, 3.6)):
            painter.setPen(QtGui.QPen(color, width * theme.scale / 1.6))
            painter.drawEllipse(middle, theme.dp(RING), theme.dp(RING))
        painter.end()


class Blank(QtWidgets.QWidget):
    """A black window; a click takes it away.  clicked()."""

    clicked = QtCore.Signal()

    def __init__(self, host: QtWidgets.QWidget) -> None:
        super().__init__(host)
        self._host = host
        self.setAccessibleName(tr("Dark screen"))
        self.hide()

    def turn(self, on: bool) -> None:
        """Darken the window or give it back."""
        self.setGeometry(self._host.rect())
        self.setVisible(on)
        self.raise_()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), QtGui.QColor("#000000"))
        painter.end()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self.clicked.emit()


class Frozen(QtWidgets.QWidget):
    """Still picture of a part of the window, over it, while that goes on beneath."""

    def __init__(self, theme: Theme, host: QtWidgets.QWidget) -> None:
        super().__init__(host)
        self._theme, self._host = theme, host
        self._picture = QtGui.QPixmap()
        self.hide()

    def hold(self, room: QtCore.QRect) -> None:
        """Keep what the host shows in a room."""
        self._picture = self._host.grab(room)
        self.setGeometry(room)
        self.show()
        self.raise_()

    def release(self) -> None:
        """Show what has become of it."""
        self.hide()
        self._picture = QtGui.QPixmap()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        theme, painter = self._theme, QtGui.QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        font = QtGui.QFont(self.font())
        font.setPixelSize(theme.dp(12))
        font.setWeight(QtGui.QFont.Weight.DemiBold)
        painter.setFont(font)
        words = tr("Frozen")
        wide = painter.fontMetrics().horizontalAdvance(words) + theme.dp(24)
        chip = QtCore.QRectF(theme.dp(14), theme.dp(14), wide, theme.dp(26))
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setPen(theme.color("text"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()
