"""A typeset part of the equations as a widget: crisp, sideways scrollable, and aware of which term
lies under the pointer.
"""

from collections.abc import Callable, Mapping, Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.questions.equations.instant_texts import LARGE, UNDETERMINED
from mechstudio.application.questions.equations.styles import LinkArea, Picture
from mechstudio.model.equations.terms import VALUE
from mechstudio.translation import comma
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
FADE = 18  # px over which a picture that goes on dims at the edge
ROUND = 3.0  # px, corners of a highlight
GROW = 1.5  # px by which a highlight is larger than its term
LINED = 0.55  # opacity of the line under the terms of the selection
POINTED = 0.22  # opacity of the highlight of the very term under the pointer
WAITING = 22  # px, height before the picture is there
NOTE = 0.6  # height of numbers under symbols, of that of the letters
CELL = 0.8  # height of numbers that stand in a place of their own
EDGE = 4.0  # px between a number and the bracket beside it
DROP = 1.5  # px that a number under a symbol keeps away from it
ROOM = 4.0  # letter heights that such a number may be wide


class Formula(QtWidgets.QWidget):
    """Shows one picture.

    hovered(sources), clicked(sources): of the term under the pointer, () for none.  zoomed(steps):
    Ctrl and the wheel.
    """

    hovered = QtCore.Signal(tuple)
    clicked = QtCore.Signal(tuple)
    zoomed = QtCore.Signal(float)
    accessible_role = QtGui.QAccessible.Role.Equation

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._picture: Picture | None = None
        self.image = QtGui.QImage()
        self._scale = 1.0
        self._under = -1  # number of the spot under the pointer, -1 for none
        self.marked = ""  # element whose terms are highlighted
        self._chosen: tuple[str, ...] = ()  # elements whose terms are underlined
        self._rooms: dict[str, list[int]] = {}  # spots for the number of a symbol, by its name
        self._values: Mapping[str, str] = {}
        self._found: tuple[int, ...] = ()  # spots that hold what is looked for
        self._current = -1  # the one of them that is shown
        # words about a term, by its symbols and sources
        self.explain: Callable[[str, tuple[str, ...]], str] = lambda words, sources: ""
        self._bar = QtWidgets.QScrollBar(Qt.Orientation.Horizontal, self)
        self._bar.hide()
        self._bar.valueChanged.connect(lambda _: self.update())
        self.setMouseTracking(True)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self._fit()

    @property
    def picture(self) -> Picture | None:
        return self._picture

    def on_ground(self) -> QtGui.QImage | None:
        """The picture on the ground that it is shown on; None where there is none."""
        if self._picture is None:
            return None
        picture = QtGui.QImage.fromData(self._picture.png)
        ground = QtGui.QImage(picture.size(), QtGui.QImage.Format.Format_RGB32)
        ground.setDevicePixelRatio(self._picture.style.density)
        ground.fill(self._theme.color("panel"))
        picture.setDevicePixelRatio(ground.devicePixelRatio())
        painter = QtGui.QPainter(ground)
        painter.drawImage(0, 0, picture)
        painter.end()
        return ground

    def shows(self, picture: Picture | None, size: float) -> bool:
        """True if `show_picture` would change nothing."""
        return picture is self._picture and self._scale == (
            1.0 if picture is None else size / picture.style.size
        )

    def show_picture(self, picture: Picture | None, image: QtGui.QImage, size: float) -> None:
        """A picture and what its PNG holds, drawn for letters of `size` px: one that was typeset
        for another size is scaled until a better one comes.
        """
        if picture is not self._picture:
            self._picture, self._under = picture, -1
            self._found, self._current = (), -1
            self._rooms = {}
            for k, s in enumerate(() if picture is None else picture.link_areas):
                if s.sources and s.sources[0].startswith(VALUE):
                    self._rooms.setdefault(s.sources[0].removeprefix(VALUE), []).append(k)
            self.image = image
        self._scale = 1.0 if picture is None else size / picture.style.size
        self._fit()
        self.update()

    def mark(self, id: str, chosen: tuple[str, ...] = ()) -> None:
        """Highlight the terms of an element, "" for none, and underline those of the chosen
        ones.
        """
        if (id, chosen) != (self.marked, self._chosen):
            self.marked, self._chosen = id, chosen
            self.update()

    # numbers under symbols

    def show_values(self, values: Mapping[str, str]) -> None:
        """Numbers to stand under the symbols, by their names."""
        if not self._rooms:
            self._values = values
            return
        boxes = [
            self._room(k)
            for name, link_areas in self._rooms.items()
            if values.get(name) != self._values.get(name)
            for k in link_areas
        ]
        self._values = values
        region = QtGui.QRegion()
        for box in boxes:
            region += box.toAlignedRect()
        self.update(region)

    def _room(self, k: int) -> QtCore.QRectF:
        """Rectangle for the number of a spot, widened where the letters left too little room for
        it.
        """
        box = self._box(self._link_areas[k].box)
        size = 0.0 if self._picture is None else self._picture.style.size
        wide = ROOM * NOTE * size * self._scale
        if box.width() > wide:
            return box.adjusted(0, 0, -EDGE, 0)
        return QtCore.QRectF(box.center().x() - wide / 2, box.top() + DROP, wide, box.height())

    # places

    @property
    def _link_areas(self) -> Sequence[LinkArea]:
        return () if self._picture is None else self._picture.link_areas

    def link_areas_that(self, fits: Callable[[LinkArea], bool]) -> list[int]:
        """Numbers of the spots that fit, from left to right and from top to bottom; of spots one in
        another only the inner one.
        """
        found = [
            k
            for k, s in enumerate(self._link_areas)
            if not (s.sources and s.sources[0].startswith(VALUE)) and fits(s)
        ]
        boxes = {k: QtCore.QRectF(*self._link_areas[k].box) for k in found}
        inner = [
            k
            for k in found
            if not any(
                j != k
                and boxes[k].adjusted(-1, -1, 1, 1).contains(boxes[j])
                and boxes[j] != boxes[k]
                for j in found
            )
        ]
        return sorted(inner, key=lambda k: (round(boxes[k].center().y() / 12), boxes[k].left()))

    def show_found(self, link_areas: Sequence[int]) -> None:
        """Mark the places that hold what is looked for."""
        if tuple(link_areas) != self._found:
            self._found, self._current = tuple(link_areas), -1
            self.update()

    def show_current(self, link_area: int) -> None:
        """The one of them that is shown; -1 for none."""
        if link_area != self._current:
            self._current = link_area
            self.update()

    def box_of(self, link_area: int) -> QtCore.QRectF:
        """Rectangle of a spot in this widget."""
        return self._box(self._link_areas[link_area].box)

    def to_sight(self, link_area: int) -> None:
        """Scroll sideways to a spot."""
        box = self.box_of(link_area)
        if not self._bar.isHidden() and not 0 <= box.left() <= box.right() <= self.width():
            self._bar.setValue(self._bar.value() + round(box.center().x() - self.width() / 2))

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
        """Rectangles of the terms of an element in this widget."""
        return [self._box(s.box) for s in self._link_areas if id in s.sources]

    def _box(self, box: tuple[float, float, float, float]) -> QtCore.QRectF:
        x, y, w, h = (v * self._scale for v in box)
        return QtCore.QRectF(x - self._offset, y, w, h).adjusted(-GROW, -GROW, GROW, GROW)

    def link_area_at(self, point: QtCore.QPointF) -> int:
        """The number of the smallest term under a point; -1 where there is none."""
        link_areas = self._link_areas
        under = [
            k
            for k, s in enumerate(link_areas)
            if s.sources and not s.sources[0].startswith(VALUE) and self._box(s.box).contains(point)
        ]
        return min(under, key=lambda k: link_areas[k].box[2] * link_areas[k].box[3], default=-1)

    # painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self._picture is None:
            return
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self._paint_marks(painter)
        width, height = self._extent()
        ratio = self._picture.style.density
        if abs(self._scale - 1) < 1e-6 and abs(self.image.width() - width * ratio) < 2:
            # pixel for pixel: letters stay as crisp as they were set
            self.image.setDevicePixelRatio(ratio)
            painter.drawImage(QtCore.QPointF(-self._offset, 0), self.image)
        else:
            painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
            self.image.setDevicePixelRatio(1.0)
            painter.drawImage(QtCore.QRectF(-self._offset, 0, width, height), self.image)
        self._paint_values(painter)
        self._paint_edges(painter, height)
        painter.end()

    def _paint_marks(self, painter: QtGui.QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft"))
        for box in self.boxes(self.marked) if self.marked else ():
            painter.drawRoundedRect(box, ROUND, ROUND)
        painter.setBrush(self._theme.color("accent", LINED))
        for box in (b for id in self._chosen for b in self.boxes(id)):
            painter.drawRect(QtCore.QRectF(box.left(), box.bottom() - 1.5, box.width(), 1.5))
        for k in self._found:
            painter.setBrush(self._theme.color("warn_soft"))
            if k == self._current:
                painter.setPen(QtGui.QPen(self._theme.color("accent"), 1.5))
            painter.drawRoundedRect(self.box_of(k), ROUND, ROUND)
            painter.setPen(Qt.PenStyle.NoPen)
        if self._under >= 0:
            painter.setBrush(self._theme.color("accent", POINTED))
            painter.drawRoundedRect(self._box(self._link_areas[self._under].box), ROUND, ROUND)

    def _paint_values(self, painter: QtGui.QPainter) -> None:
        if not self._rooms or self._picture is None:
            return
        letters = self._picture.style.size * self._scale
        fonts = {}
        for share in (NOTE, CELL):
            fonts[share] = QtGui.QFont(self.font())
            fonts[share].setPixelSize(max(round(share * letters), 6))
        for name, link_areas in self._rooms.items():
            text, large = self._values.get(name, "–"), name.startswith(LARGE)
            loose = text.startswith(UNDETERMINED)
            painter.setFont(fonts[CELL if large else NOTE])
            painter.setPen(
                self._theme.color("text3" if loose else "text" if large else "accent_text")
            )
            side = Qt.AlignmentFlag.AlignRight if large else Qt.AlignmentFlag.AlignHCenter
            for k in link_areas:
                room = self._room(k)
                if loose and large:
                    # what rigid bodies do not determine is hatched
                    painter.fillRect(
                        room.adjusted(0, -2, 3, 2),
                        QtGui.QBrush(self._theme.color("line_strong"), Qt.BrushStyle.BDiagPattern),
                    )
                painter.drawText(
                    room, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text
                )

    def _paint_edges(self, painter: QtGui.QPainter, height: float) -> None:
        """Fade where the picture goes on beyond an edge."""
        if self._bar.isHidden():
            return
        ground, clear = self._theme.color("panel"), self._theme.color("panel", 0.0)
        for left, requested in (
            (True, self._offset > 0),
            (False, self._offset < self._bar.maximum()),
        ):
            if requested:
                x = 0.0 if left else float(self.width() - FADE)
                fade = QtGui.QLinearGradient(x, 0, x + FADE, 0)
                fade.setColorAt(0, ground if left else clear)
                fade.setColorAt(1, clear if left else ground)
                painter.fillRect(QtCore.QRectF(x, 0, FADE, height), fade)

    # the pointer

    def _sources(self, link_area: int) -> tuple[str, ...]:
        return (
            self._picture.link_areas[link_area].sources
            if self._picture is not None and link_area >= 0
            else ()
        )

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self._point_at(self.link_area_at(event.position()))

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._point_at(-1)

    def _point_at(self, link_area: int) -> None:
        if link_area != self._under:
            self._under = link_area
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if link_area >= 0 else Qt.CursorShape.ArrowCursor
            )
            self.update()
            self.hovered.emit(self._sources(link_area))

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ToolTip:
            assert isinstance(event, QtGui.QHelpEvent)
            link_area = self.link_area_at(QtCore.QPointF(event.pos()))
            text = "" if link_area < 0 else self.words_at(link_area)
            if text:
                place = self.box_of(link_area).toAlignedRect()
                QtWidgets.QToolTip.showText(event.globalPos(), text, self, place)
            else:
                QtWidgets.QToolTip.hideText()
            return True
        return super().event(event)

    def spoken_value(self) -> str:
        """Symbols of the formula from left to right and from the top down."""
        areas = [s for s in self._link_areas if s.words]
        areas.sort(key=lambda s: (round(s.box[1] / 12), s.box[0]))
        return comma().join(s.words for s in areas)

    def words_at(self, link_area: int) -> str:
        """Words about the term of a spot."""
        area = self._link_areas[link_area]
        return self.explain(area.words, area.sources)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        link_area = self.link_area_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and link_area >= 0:
            self.clicked.emit(self._sources(link_area))
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
            event.ignore()  # up and down belongs to the panel
