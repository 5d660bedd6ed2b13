"""Bar of the steps of a lesson: done, now and to do."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
HIGH, GAP = 5, 3  # px at the normal text size


class StepBar(QtWidgets.QWidget):
    """One piece for each step; a click takes it.  chosen(index)."""

    chosen = QtCore.Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._count, self._now = theme, 0, -1
        theme.fit(self, height=HIGH + 8)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Steps of the lesson"))
        theme.changed.connect(self.update)

    def show_step(self, count: int, now: int) -> None:
        """Tell how many steps there are, and which one is taken; -1 for none."""
        self._count, self._now = count, now
        self.setAccessibleDescription(tr("{now} of {count}", now=now + 1, count=count))
        self.update()

    def piece(self, index: int) -> QtCore.QRectF:
        """Rectangle of a step."""
        high, gap, count = self._theme.dp(HIGH), self._theme.dp(GAP), max(self._count, 1)
        wide = (self.width() - gap * (count - 1)) / count
        top = (self.height() - high) / 2
        return QtCore.QRectF(index * (wide + gap), top, wide, high)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for k in range(self._count):
            role = "ok" if k < self._now else "accent" if k == self._now else "press"
            painter.setBrush(self._theme.color(role))
            piece = self.piece(k)
            painter.drawRoundedRect(piece, piece.height() / 2, piece.height() / 2)
        painter.end()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        x = event.position().x()
        found = [k for k in range(self._count) if self.piece(k).left() <= x]
        if found:
            self.chosen.emit(found[-1])
