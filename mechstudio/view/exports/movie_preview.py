"""The film as it will be, playing in the export sheet, and the stretch of the run that it shows."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model.rounding import round_above
from mechstudio.translation import localised, tr
from mechstudio.view.films.film_stage import FilmStage
from mechstudio.view.idle_tasks import turns
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, row

Qt = QtCore.Qt
FRAME_MS = 33
EDGE, TRACK = 8, 34  # px beside the track, and its height
GRIP = 7  # px by which the pointer takes an end


class Screen(QtWidgets.QWidget):
    """A picture in a frame, or a sentence in its place."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._image: QtGui.QImage | None = None
        self._words = ""
        self.ratio = 16 / 9
        self.enlarges = True  # whether a small picture fills the frame
        # what lies below the sheet need not be painted for each picture
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Expanding
        )
        theme.changed.connect(self.update)

    @property
    def place(self) -> QtCore.QRectF:
        """The room of the picture."""
        wide = min(self.width(), self.height() * self.ratio) - 2
        tall = wide / self.ratio
        return QtCore.QRectF((self.width() - wide) / 2, 1, wide, tall)

    def show_image(self, image: QtGui.QImage) -> None:
        self._image, self._words = image, ""
        self.update()

    def show_words(self, words: str) -> None:
        self._image, self._words = None, words
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHints(
            QtGui.QPainter.RenderHint.Antialiasing | QtGui.QPainter.RenderHint.SmoothPixmapTransform
        )
        painter.fillRect(self.rect(), self._theme.color("raised"))
        room = self.place
        if self._image is not None:
            if self._image.hasAlphaChannel():
                self._paint_squares(painter, room)
            elif not self.enlarges:
                painter.fillRect(room, self._theme.color("panel"))
            painter.drawImage(self._image_place(room, self._image), self._image)
        else:
            painter.fillRect(room, self._theme.color("panel"))
            painter.setPen(self._theme.color("text2"))
            inner = room.adjusted(32, 24, -32, -24)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(inner, flags, self._words)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(room.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3)
        painter.end()

    def _image_place(self, room: QtCore.QRectF, image: QtGui.QImage) -> QtCore.QRectF:
        """The picture's own room in that of the frame, in its middle."""
        if self.enlarges:
            return room
        size = image.deviceIndependentSize()
        size *= min(1.0, room.width() / size.width(), room.height() / size.height())
        place = QtCore.QRectF(QtCore.QPointF(), size)
        place.moveCenter(room.center())
        # between two pixels of the screen letters are blurred
        place.moveTopLeft(QtCore.QPointF(place.topLeft().toPoint()))
        return place

    def _paint_squares(self, painter: QtGui.QPainter, room: QtCore.QRectF) -> None:
        """The squares that mean that nothing is there."""
        painter.fillRect(room, QtGui.QColor("#FFFFFF"))
        brush = QtGui.QBrush(QtGui.QColor("#E3E6EB"))
        side = 8
        painter.save()
        painter.setClipRect(room)
        for j in range(int(room.height() / side) + 1):
            for i in range(j % 2, int(room.width() / side) + 1, 2):
                painter.fillRect(
                    QtCore.QRectF(room.left() + i * side, room.top() + j * side, side, side), brush
                )
        painter.restore()


class StretchTrack(QtWidgets.QWidget):
    """The run with the part of it that the film shows; its ends can be dragged.  chosen(first, last
    [s]): they were.
    """

    chosen = QtCore.Signal(float, float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.run, self.part = (0.0, 1.0), (0.0, 1.0)
        self.now = 0.0
        self._drag = ""
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.fit(self, height=TRACK)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Part of the run that the film shows"))
        theme.changed.connect(self.update)

    def show_part(self, run: tuple[float, float], part: tuple[float, float]) -> None:
        self.run, self.part = run, part
        self.update()

    def show_now(self, now: float) -> None:
        self.now = now
        self.update()

    def _x(self, time: float) -> float:
        first, last = self.run
        share = (time - first) / (last - first) if last > first else 0.0
        return EDGE + min(max(share, 0.0), 1.0) * (self.width() - 2 * EDGE)

    def _time(self, x: float) -> float:
        first, last = self.run
        share = (x - EDGE) / max(self.width() - 2 * EDGE, 1)
        return first + min(max(share, 0.0), 1.0) * (last - first)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter, t = QtGui.QPainter(self), self._theme
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), t.color("raised"))
        painter.translate(0, (self.height() - TRACK) / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        room = QtCore.QRectF(EDGE, 8, self.width() - 2 * EDGE, 18)
        painter.setBrush(t.color("press"))
        painter.drawRoundedRect(room, 4, 4)
        a, b = self._x(self.part[0]), self._x(self.part[1])
        painter.setBrush(t.color("accent_soft"))
        painter.drawRoundedRect(QtCore.QRectF(a, 8, max(b - a, 1), 18), 3, 3)
        painter.setPen(t.color("text2"))
        step = round_above((self.run[1] - self.run[0]) * 90 / max(room.width(), 1))
        first = int(self.run[0] / step) if step > 0 else 0
        for k in range(first + 1, first + 60):
            time = k * step
            if step <= 0 or time >= self.run[1] - 0.2 * step:
                break
            box = QtCore.QRectF(self._x(time) - 30, 8, 60, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, localised(f"{time:g}"))
        pen = QtGui.QPen(t.color("accent"), 2)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        for x, way in ((a, 1), (b, -1)):
            painter.drawLine(QtCore.QPointF(x, 5), QtCore.QPointF(x, 29))
            for y in (6, 28):
                painter.drawLine(QtCore.QPointF(x, y), QtCore.QPointF(x + 5 * way, y))
        x = self._x(self.now)
        painter.setPen(QtGui.QPen(t.color("accent"), 2))
        painter.drawLine(QtCore.QPointF(x, 4), QtCore.QPointF(x, 30))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.color("accent"))
        painter.drawEllipse(QtCore.QPointF(x, 5), 4, 4)
        painter.end()

    def _end_at(self, x: float) -> str:
        near = [("a", abs(x - self._x(self.part[0]))), ("b", abs(x - self._x(self.part[1])))]
        name, far = min(near, key=lambda end: end[1])
        return name if far <= GRIP else ""

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self._drag = self._end_at(event.position().x())

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        x = event.position().x()
        if not self._drag:
            over = Qt.CursorShape.SizeHorCursor if self._end_at(x) else Qt.CursorShape.ArrowCursor
            self.setCursor(over)
            return
        least = 0.005 * (self.run[1] - self.run[0])
        time, (first, last) = self._time(x), self.part
        if self._drag == "a":
            first = min(time, last - least)
        else:
            last = max(time, first + least)
        self.part = (first, last)
        self.update()
        self.chosen.emit(first, last)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._drag = ""


class Player(QtWidgets.QWidget):
    """The preview with its play button and the stretch of the run.

    make(size): the stage of the film at a size [px], its instants and how long it lasts [s], or why
    there is none.
    """

    def __init__(
        self,
        theme: Theme,
        make: Callable[[tuple[int, int]], tuple[FilmStage, tuple[float, ...], float] | str],
        foot: QtWidgets.QWidget,
    ) -> None:
        """foot: what stands below."""
        super().__init__()
        self._make = make
        self.picture, self.track = Screen(theme), StretchTrack(theme)
        self.button = IconButton(theme, "pause", tr("Pause"), 28, 18, clicked=self.toggle)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.picture, 1)
        line = row(self.button, self.track, gap=8)
        line.box.setStretch(1, 1)
        box.addWidget(line)
        box.addWidget(foot)
        box.addStretch(0)
        self.playing, self._stage, self._stale, self.problem = True, None, True, ""
        self._times: tuple[float, ...] = ()
        self._length = self._place = 0.0  # of the film, and how far it has played [s]
        self._last = time.monotonic()
        self._timer = QtCore.QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(lambda: turns().soon(self, self._next))

    def set_ratio(self, ratio: float) -> None:
        """Width over height of the film."""
        self.picture.ratio = ratio
        self._place_screen()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._place_screen()
        super().resizeEvent(event)

    def _place_screen(self) -> None:
        """No higher than the film is at this width: what is below stands right under it."""
        self.picture.setMaximumHeight(max(60, round(self.width() / self.picture.ratio) + 2))
        self.picture.update()

    def refresh(self) -> None:
        """The film is another."""
        self._stale = True

    def start(self) -> None:
        self._last = time.monotonic()
        self._timer.start()
        turns().soon(self, self._next)

    def rest(self) -> None:
        """Stop, and give the graphics device back."""
        self._timer.stop()
        turns().drop(self)
        if self._stage is not None:
            self._stage.close()
        self._stage, self._stale = None, True

    def toggle(self) -> None:
        self.playing = not self.playing
        self.button.set_icon(
            "pause" if self.playing else "play", tr("Pause") if self.playing else tr("Play")
        )

    def _next(self) -> None:
        if not self.isVisible():
            return
        if self._stale or (self._stage is not None and self._size != self._fitting):
            self._rebuild()
            return
        now = time.monotonic()
        if self._stage is None or not self._times:
            return
        if self.playing and self._length > 0:
            self._place = (self._place + now - self._last) % self._length
        self._last = now
        count = len(self._times)
        k = min(int(self._place / self._length * count) if self._length > 0 else 0, count - 1)
        self.track.show_now(self._times[k])
        self.picture.show_image(self._stage.image(self._times[k], k / count))

    @property
    def _fitting(self) -> tuple[int, int]:
        place = self.picture.place
        return max(32, round(place.width())), max(32, round(place.height()))

    def _rebuild(self) -> None:
        if self._stage is not None:
            self._stage.close()
            self._stage = None
        self._stale, self._size = False, self._fitting
        made = self._make(self._size)
        if isinstance(made, str):
            self.problem, self._times = made, ()
            self.picture.show_words(made)
            return
        self.problem = ""
        self._stage, self._times, self._length = made
        self._last = time.monotonic()
