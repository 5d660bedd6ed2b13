"""A typeset part of the equations as a widget: crisp, sideways scrollable, and aware of which term lies under the pointer."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.derivations import Picture

from ..theme import Theme

Qt = QtCore.Qt
FADE = 18               # px over which a picture that goes on dims at the edge
ROUND = 3.0             # px, corners of a highlight
GROW = 1.5              # px by which a highlight is larger than its term
POINTED = 0.22          # opacity of the highlight of the very term under the pointer
WAITING = 22            # px, height before the picture is there


class Formula(QtWidgets.QWidget):
    """Shows one picture.

    hovered(sources), clicked(sources): of the term under the pointer, () for none.   zoomed(steps): Ctrl and the wheel.
    """

    hovered = QtCore.Signal(tuple)
    clicked = QtCore.Signal(tuple)
    zoomed = QtCore.Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._picture: Picture | None = None
        self._image = QtGui.QImage()
        self._scale = 1.0
        self._under = -1        # number of the spot under the pointer, -1 for none
        self.marked = ""        # element whose terms are highlighted
        self._bar = QtWidgets.QScrollBar(Qt.Orientation.Horizontal, self)
        self._bar.hide()
        self._bar.valueChanged.connect(lambda _: self.update())
        self.setMouseTracking(True)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self._fit()

    @property
    def picture(self) -> Picture | None:
        return self._picture

    def show_picture(self, picture: Picture | None, size: float) -> None:
        """A picture, drawn for letters of `size` px: one that was typeset for another size is scaled until a better one comes."""
        if picture is not self._picture:
            self._picture, self._under = picture, -1
            self._image = QtGui.QImage() if picture is None else QtGui.QImage.fromData(picture.png)
        self._scale = 1.0 if picture is None else size / picture.style.size
        self._fit()
        self.update()

    def mark(self, id: str) -> None:
        """Highlight the terms of an element; "" for none."""
        if id != self.marked:
            self.marked = id
            self.update()

    # measures

    def _extent(self) -> tuple[float, float]:
        if self._picture is None:
            return 0.0, float(WAITING)
        return self._picture.size[0] * self._scale, self._picture.size[1] * self._scale

    def _fit(self) -> None:
        width, height = self._extent()
        over = width - self.width()
        wide = over > 1 and self._picture is not None
        side = self._bar.sizeHint().height()
        self.setFixedHeight(round(height + 0.5) + (side if wide else 0))
        self._bar.setVisible(wide)
        if wide:
            self._bar.setRange(0, round(over))
            self._bar.setPageStep(self.width())
            self._bar.setSingleStep(32)
            self._bar.setGeometry(0, self.height() - side, self.width(), side)
        elif self._bar.value():
            self._bar.setValue(0)

    @property
    def _offset(self) -> int:
        return self._bar.value() if not self._bar.isHidden() else 0

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._fit()

    def boxes(self, id: str) -> list[QtCore.QRectF]:
        """Where the terms of an element lie in this widget."""
        spots = () if self._picture is None else self._picture.spots
        return [self._box(s.box) for s in spots if id in s.sources]

    def _box(self, box: tuple[float, float, float, float]) -> QtCore.QRectF:
        x, y, w, h = (v * self._scale for v in box)
        return QtCore.QRectF(x - self._offset, y, w, h).adjusted(-GROW, -GROW, GROW, GROW)

    def spot_at(self, point: QtCore.QPointF) -> int:
        """The number of the smallest term under a point; -1 where there is none."""
        spots = () if self._picture is None else self._picture.spots
        under = [k for k, s in enumerate(spots) if self._box(s.box).contains(point)]
        return min(under, key=lambda k: spots[k].box[2] * spots[k].box[3], default=-1)

    # painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self._picture is None:
            return
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self._paint_marks(painter)
        width, height = self._extent()
        ratio = self._picture.style.density
        if abs(self._scale - 1) < 1e-6 and abs(self._image.width() - width * ratio) < 2:
            # pixel for pixel: letters stay as crisp as they were set
            self._image.setDevicePixelRatio(ratio)
            painter.drawImage(QtCore.QPointF(-self._offset, 0), self._image)
        else:
            painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
            self._image.setDevicePixelRatio(1.0)
            painter.drawImage(QtCore.QRectF(-self._offset, 0, width, height), self._image)
        self._paint_edges(painter, height)
        painter.end()

    def _paint_marks(self, painter: QtGui.QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft"))
        for box in self.boxes(self.marked) if self.marked else ():
            painter.drawRoundedRect(box, ROUND, ROUND)
        if self._under >= 0:
            painter.setBrush(self._theme.color("accent", POINTED))
            painter.drawRoundedRect(self._box(self._picture.spots[self._under].box), ROUND, ROUND)  # type: ignore[union-attr]

    def _paint_edges(self, painter: QtGui.QPainter, height: float) -> None:
        """Fade where the picture goes on beyond an edge."""
        if self._bar.isHidden():
            return
        ground, clear = self._theme.color("panel"), self._theme.color("panel", 0.0)
        for left, wanted in ((True, self._offset > 0), (False, self._offset < self._bar.maximum())):
            if wanted:
                x = 0.0 if left else float(self.width() - FADE)
                fade = QtGui.QLinearGradient(x, 0, x + FADE, 0)
                fade.setColorAt(0, ground if left else clear)
                fade.setColorAt(1, clear if left else ground)
                painter.fillRect(QtCore.QRectF(x, 0, FADE, height), fade)

    # the pointer

    def _sources(self, spot: int) -> tuple[str, ...]:
        return self._picture.spots[spot].sources if self._picture is not None and spot >= 0 else ()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self._point_at(self.spot_at(event.position()))

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._point_at(-1)

    def _point_at(self, spot: int) -> None:
        if spot != self._under:
            self._under = spot
            self.setCursor(Qt.CursorShape.PointingHandCursor if spot >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()
            self.hovered.emit(self._sources(spot))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        spot = self.spot_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and spot >= 0:
            self.clicked.emit(self._sources(spot))
        else:
            event.ignore()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        delta, modifiers = event.angleDelta(), event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(delta.y() / 120)
            event.accept()
            return
        along = delta.x() or (delta.y() if modifiers & Qt.KeyboardModifier.ShiftModifier else 0)
        if along and not self._bar.isHidden():
            self._bar.setValue(self._bar.value() - along)
            event.accept()
        else:
            event.ignore()      # up and down belongs to the panel
