"""The sheet on which a path is drawn and poses are set, and a linkage moves over them."""

import math

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.marks.figures.edges import edges_of
from mechstudio.application.studio import Studio
from mechstudio.application.synthesis.answers import Answer
from mechstudio.application.synthesis.draft import Draft
from mechstudio.application.synthesis.question import FUNCTION, MOTION
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.rounding import round_above
from mechstudio.translation import tr
from mechstudio.view.plots.ticks import even_ticks
from mechstudio.view.synthesis.pairs import paint_pairs
from mechstudio.view.synthesis.picture import (
    Plane,
    extent,
    fitted,
    paint_curve,
    paint_linkage,
)
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
NEAR = 9  # px within which a point is under the pointer
SLIP = 5  # px that a click may move
ARM = 34  # px from a pose to the handle that turns it
TICK_MS, TURN_S = 33, 4.0  # of the picture that moves, and of its turn
START = 4e-4  # [m/px] of an empty sheet
MARGIN = 46  # px around what is shown


class Sheet(QtWidgets.QWidget):
    """Press and drag draws a curve; a click sets a point; points and poses are dragged.

    shown: the linkage that moves over it, None without one.
    """

    def __init__(self, theme: Theme, studio: Studio, draft: Draft) -> None:
        super().__init__()
        self._theme, self._studio, self.draft = theme, studio, draft
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 160)
        self.setAccessibleName(tr("Sheet on which a path is drawn"))
        self.shown: Answer | None = None
        self._plane: Plane | None = None
        self._stroke: list[complex] = []
        self._press: tuple[QtCore.QPointF, str, int] | None = None  # place, what, row
        self._hovered: tuple[str, int] = ("", -1)
        self._share = 0.0
        self._behind: tuple[object, list[np.ndarray]] = (None, [])
        self._timer = QtCore.QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._move_on)
        draft.changed.connect(self.update)
        theme.follow(self.update)

    # looking

    def show_answer(self, answer: Answer | None) -> None:
        """Let a linkage move over the sheet."""
        if answer is self.shown:
            return
        self.shown, self._share = answer, 0.0
        if answer is None or not self.isVisible():
            self._timer.stop()
        else:
            self._make_room(answer)
            self._timer.start()
        self.update()

    def rest(self) -> None:
        """Stop what moves."""
        self._timer.stop()

    def _move_on(self) -> None:
        self._share = (self._share + TICK_MS / 1000 / TURN_S) % 1.0
        self.update()

    @property
    def plane(self) -> Plane:
        """The view of the plane."""
        if self._plane is None:
            self._plane = Plane(QtCore.QPointF(), 0j, 1 / START)
        return self._plane._replace(centre=self._room.center())

    def fit(self) -> None:
        """See all of it."""
        points = [self.draft.now.points if self.draft.now.purpose != FUNCTION else np.zeros(0)]
        if self.shown is not None:
            points.append(extent(self.shown))
        else:
            points += [line.ravel() for line in self._drawing()]
        every = np.concatenate(points)
        self._plane = (
            fitted(every, self._room)
            if len(every) > 1 and np.abs(every - every[0]).max() > 0.0
            else None
        )
        self.update()

    @property
    def _room(self) -> QtCore.QRectF:
        edge = self._theme.dp(MARGIN)
        room = QtCore.QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        if self.draft.now.purpose == FUNCTION:
            room.setHeight(0.5 * room.height())
        return room

    def _make_room(self, answer: Answer) -> None:
        """See more if a linkage needs it."""
        inner = self._room
        places = self.plane.line(extent(answer)).boundingRect()
        if not inner.contains(places) or places.width() + places.height() < 0.4 * inner.height():
            self.fit()

    def _drawing(self) -> list[np.ndarray]:
        """Edges (n, 2) x + i z [m] of the bodies that are drawn already, seen from the front."""
        m = self._studio.document.project.mechanism
        if self._behind[0] is not m:
            found = []
            for id, edges in edges_of(m).items():
                p, q = m.bodies[id].placement.pose
                ends = []
                for side in (edges.a, edges.b):
                    at = np.array([transform((p, q), tuple(e)) for e in side.tolist()])
                    ends.append(at[:, 0] + 1j * at[:, 2])
                found.append(np.stack(ends, axis=1))
            self._behind = (m, found)
        return self._behind[1]

    # painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.color("plot"))
        question = self.draft.now
        self._paint_grid(painter)
        self._paint_drawing(painter)
        answer, theme = self.shown, self._theme
        if answer is not None:
            color = theme.color("accent", 0.55)
            paint_curve(painter, self.plane, answer.curve, color, theme.dp(3))
        if question.purpose == FUNCTION:
            paint_pairs(painter, theme, self._graph_room, question, answer)
        else:
            self._paint_question(painter)
        if answer is not None:
            count = len(answer.curve) - 1
            share = self._share if answer.turns else 1.0 - abs(1.0 - 2.0 * self._share)
            paint_linkage(painter, theme, self.plane, answer, round(share * count), theme.dp(5.0))
        self._paint_hint(painter)
        painter.setPen(QtGui.QPen(theme.color("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QtCore.QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, 0.5))
        painter.end()

    @property
    def _graph_room(self) -> QtCore.QRectF:
        return QtCore.QRectF(0, 0.55 * self.height(), self.width(), 0.45 * self.height())

    def _font(self, size: int = 11) -> QtGui.QFont:
        font = QtGui.QFont(self.font())
        font.setPixelSize(self._theme.dp(size))
        return font

    def _paint_grid(self, painter: QtGui.QPainter) -> None:
        plane, theme = self.plane, self._theme
        low, high = (
            plane.point(QtCore.QPointF(0, self.height())),
            plane.point(QtCore.QPointF(self.width(), 0)),
        )
        most = max(3, self.width() // theme.dp(90))
        step = round_above((high.real - low.real) * 1e3 / most)
        painter.setFont(self._font())
        words = theme.color("text3")
        ends = ((low.real, high.real), (low.imag, high.imag))
        for across, (first, last) in enumerate(ends):
            count = max(2, math.ceil((last - first) * 1e3 / step))
            for value, text in even_ticks(first * 1e3, last * 1e3, count):
                at = plane.pixel(complex(value, value) / 1e3)
                strong = abs(value) < 1e-9 * step
                role = "line_strong" if strong else "plot_grid"
                painter.setPen(QtGui.QPen(theme.color(role), 1))
                if across == 0:
                    painter.drawLine(
                        QtCore.QPointF(at.x(), 0), QtCore.QPointF(at.x(), self.height())
                    )
                    painter.setPen(words)
                    place = QtCore.QPointF(at.x() + theme.dp(3), self.height() - theme.dp(5))
                else:
                    painter.drawLine(
                        QtCore.QPointF(0, at.y()), QtCore.QPointF(self.width(), at.y())
                    )
                    painter.setPen(words)
                    place = QtCore.QPointF(theme.dp(5), at.y() - theme.dp(3))
                # no text is cut by the edge, or stands on those of x
                if across == 0 or theme.dp(16) < at.y() < self.height() - theme.dp(22):
                    painter.drawText(place, text)
        painter.setPen(words)
        corner = QtCore.QRectF(self.rect()).adjusted(0, theme.dp(6), -theme.dp(8), 0)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        painter.drawText(corner, flags, tr("x, z in mm"))

    def _paint_drawing(self, painter: QtGui.QPainter) -> None:
        painter.setPen(QtGui.QPen(self._theme.color("line_strong"), 1))
        plane = self.plane
        for body in self._drawing():
            ends = plane.line(body.ravel())
            painter.drawLines(ends.toList())

    def _paint_question(self, painter: QtGui.QPainter) -> None:
        draft, theme, plane = self.draft, self._theme, self.plane
        question, ink = draft.now, theme.color("text")
        points = question.points
        if self._stroke:
            paint_curve(painter, plane, np.array(self._stroke), ink, theme.dp(2))
            return
        if not len(points):
            return
        if question.purpose != MOTION:
            soft = theme.color("text", 0.6)
            pen = QtGui.QPen(soft, theme.dp(1.5), Qt.PenStyle.DashLine)
            painter.setPen(pen)
            line = np.append(points, points[:1]) if question.closed else points
            painter.drawPolyline(plane.line(line))
        painter.setFont(self._font())
        for k, point in enumerate(points.tolist()):
            at, marked = plane.pixel(point), k == draft.chosen or self._hovered[1] == k
            if question.purpose == MOTION:
                self._paint_pose(painter, at, question.table[k][2] or 0.0, marked)
            painter.setPen(QtGui.QPen(theme.color("panel"), 1.5))
            painter.setBrush(theme.color("accent") if marked else ink)
            size = theme.dp(5.5 if marked else 4.0)
            painter.drawEllipse(at, size, size)
            painter.setPen(theme.color("text2"))
            painter.drawText(at + QtCore.QPointF(theme.dp(7), -theme.dp(6)), str(k + 1))

    def _paint_pose(
        self, painter: QtGui.QPainter, at: QtCore.QPointF, angle: float, marked: bool
    ) -> None:
        theme, arm = self._theme, self._theme.dp(ARM)
        x = QtCore.QPointF(math.cos(angle), -math.sin(angle))
        z = QtCore.QPointF(x.y(), -x.x())
        color = theme.color("accent" if marked else "text2")
        painter.setPen(QtGui.QPen(color, theme.dp(2)))
        painter.drawLine(at, at + x * arm)
        painter.drawLine(at, at + z * (0.5 * arm))
        painter.setBrush(theme.color("panel"))
        painter.drawEllipse(at + x * arm, theme.dp(4), theme.dp(4))

    def _paint_hint(self, painter: QtGui.QPainter) -> None:
        question = self.draft.now
        if len(question.table) or self._stroke:
            return
        words = {
            MOTION: tr("Click to set a pose; drag its end to turn it"),
            FUNCTION: tr("Type the pairs at the left, or let a formula fill them"),
        }.get(question.purpose, tr("Drag to draw a curve, or click to set its points"))
        painter.setFont(self._font(14))
        room = self._graph_room if question.purpose == FUNCTION else QtCore.QRectF(self.rect())
        middle, edge = Qt.AlignmentFlag.AlignCenter, self._theme.dp(8)
        place = painter.boundingRect(room, middle, words).adjusted(-edge, -edge, edge, edge)
        # no line of the grid goes through the words
        painter.fillRect(place, self._theme.color("plot"))
        painter.setPen(self._theme.color("text2"))
        painter.drawText(room, middle, words)

    # the hand

    def place_of(self, point: complex) -> QtCore.QPoint:
        """Place of a point of the plane."""
        return self.plane.pixel(point).toPoint()

    def _under(self, place: QtCore.QPointF) -> tuple[str, int]:
        """Thing under the pointer: "point" or "arm" with its row, or "" and -1."""
        question, near = self.draft.now, self._theme.dp(NEAR)
        if question.purpose == FUNCTION:
            return "", -1
        found: list[tuple[float, str, int]] = []
        for k, point in enumerate(question.points.tolist()):
            at = self.plane.pixel(point)
            off = place - at
            found.append((math.hypot(off.x(), off.y()), "point", k))
            if question.purpose == MOTION:
                angle, arm = question.table[k][2] or 0.0, self._theme.dp(ARM)
                off -= QtCore.QPointF(math.cos(angle), -math.sin(angle)) * arm
                found.append((math.hypot(off.x(), off.y()), "arm", k))
        found = [f for f in found if f[0] <= near]
        return min(found)[1:] if found else ("", -1)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        place = event.position()
        if event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
            self._press = (place, "pan", -1)
        elif event.button() == Qt.MouseButton.LeftButton and self.draft.now.purpose != FUNCTION:
            what, row = self._under(place)
            self._press = (place, what or "sheet", row)
            self._stroke = []

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        place = event.position()
        if self._press is None:
            hovered = self._under(place)
            if hovered != self._hovered:
                self._hovered = hovered
                shape = Qt.CursorShape.OpenHandCursor if hovered[0] else Qt.CursorShape.CrossCursor
                self.setCursor(shape)
                self.update()
            return
        start, what, row = self._press
        point = self.plane.point(place)
        if what == "pan":
            plane = self.plane
            self._plane = plane._replace(
                middle=plane.middle + plane.point(start) - plane.point(place)
            )
            self._press = (place, what, row)
        elif what == "point":
            self.draft.move(row, point.real, point.imag)
        elif what == "arm":
            way = point - complex(self.draft.now.points[row])
            self.draft.turn(row, math.atan2(way.imag, way.real))
        elif self.draft.now.purpose != MOTION and (
            self._stroke or (place - start).manhattanLength() > self._theme.dp(SLIP)
        ):
            if not self._stroke:
                self._stroke.append(self.plane.point(start))
            self._stroke.append(point)
        self.update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._press is None:
            return
        start, what, row = self._press
        self._press = None
        stroke, self._stroke = self._stroke, []
        draft, point = self.draft, self.plane.point(event.position())
        slipped = (event.position() - start).manhattanLength() > self._theme.dp(SLIP)
        if what == "pan" and not slipped and event.button() == Qt.MouseButton.RightButton:
            found = self._under(event.position())
            if found[0] == "point":
                draft.delete(found[1])
        elif what == "sheet" and len(stroke) > 2:
            draft.draw(np.array(stroke))
        elif what == "sheet" and not slipped:
            draft.add(point.real, point.imag)
        elif what == "point" and not slipped:
            first = row == 0 and len(draft.now.table) > 2 and draft.now.purpose != MOTION
            if first and draft.chosen == len(draft.now.table) - 1 and not draft.now.closed:
                draft.change(closed=True)
            draft.choose(row)
        draft.release()
        self._hovered = self._under(event.position())
        self.update()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        plane = self.plane
        factor = 1.0015 ** event.angleDelta().y()
        fixed = plane.point(event.position())
        scale = min(max(plane.scale * factor, 1.0), 1e7)
        middle = fixed + (plane.middle - fixed) * plane.scale / scale
        self._plane = plane._replace(scale=scale, middle=middle)
        self.update()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        chosen = self.draft.chosen
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and chosen is not None:
            self.draft.delete(chosen)
        else:
            super().keyPressEvent(event)
