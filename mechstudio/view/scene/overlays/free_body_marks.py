"""Marks over a free body: arrows of forces, arcs of couples, their symbols with live numbers, and
the scale of the drawing.
"""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from mechstudio.application.free_body import Action, Cut, Stroke, scale_of
from mechstudio.model.free_bodies import INERTIA, LOAD, WEIGHT, Slot
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Camera
from mechstudio.model.rounding import step_below
from mechstudio.model.units import format_value
from mechstudio.tokens import body_color, readable
from mechstudio.translation import tr
from mechstudio.view.fonts import font
from mechstudio.view.scene import camera as lens
from mechstudio.view.widgets.symbol_text import SymbolPictures, parts

STROKE, HALO = 2.6, 5.4  # px, of arrows and of the sky's colour about them
HEAD = 11.0  # px, length of a head
SHORTEST = 5.0  # px: a shorter arrow is a dot
RADIUS, APART = (
    25.0,
    9.0,
)  # px, of the arc of a couple; by how much the next one at the same place is larger
LEAST, MOST = 0.55, 4.9  # rad that arcs turn: least, and that of the usual largest couple
REACH = 8.0  # px from an arrow at which it is under the pointer
SIZE = 12.5  # px, letters
DIGITS = 3
VISIBLE = 2e-3  # of the usual largest: what is less has its number in the card alone
FAR = 20000.0  # px: what lies farther out is left out


class Mark(NamedTuple):
    """One arrow or arc in pixels.   line: its course; label: where its symbol stands."""

    slot: Slot
    couple: bool
    line: tuple[tuple[float, float], ...]
    color: str
    dashed: bool
    text: tuple[str, str, str]
    label: QRectF


def color_of(action: Action, mechanism: Mechanism, theme_name: str, t: dict[str, Any]) -> str:
    """Colour of an action: that of the body that it comes from, of vectors for loads, of ink for
    inertia, which comes from nowhere.
    """
    if action.slot.kind == INERTIA:
        return t["text"]
    if action.slot.kind in (WEIGHT, LOAD) or not action.from_body:
        return t["vector"]
    color = (
        t["text3"]
        if action.from_body == GROUND
        else body_color(theme_name, mechanism.body(action.from_body).color)
    )
    return readable(color, t["view_bottom"], t["text"], 3.0)


class FreeBodyMarks:
    """Lays out, paints and finds the marks; `marks` are those of the last picture."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self._pictures = SymbolPictures()
        self._chosen: dict[
            tuple, int
        ] = {}  # places of symbols in the last picture: they do not jump about without need

    def layout(
        self,
        cut: Cut,
        mechanism: Mechanism,
        camera: Camera,
        size: tuple[float, float],
        model_size: float,
        arrow_scale: float,
        theme_name: str,
        t: dict[str, Any],
        units: str,
        taken: list[QRectF],
        scale: float,
    ) -> None:
        """Place everything.  model_size: of the mechanism [m].  arrow_scale: as the user chose it.
        taken: room where no symbol may stand.
        """
        per_newton = scale_of(cut, model_size, arrow_scale)
        usual = cut.usual_couple or cut.largest_moment
        turns: dict[tuple, int] = {}
        flat: list[tuple[Stroke, list[tuple[float, float]]]] = []
        for stroke in cut.strokes:
            point = stroke.action.point
            if np.linalg.norm(stroke.vector) < VISIBLE * (
                usual if stroke.couple else cut.usual_force or cut.largest_force
            ):
                continue
            if stroke.couple:
                place = tuple(np.round(point / (0.02 * model_size)).tolist())
                turns[place] = ring = turns.get(place, -1) + 1
                points = self._arc(
                    stroke.vector, point, camera, size, usual, (RADIUS + APART * ring) * scale
                )
            else:
                points = np.array([point, point + per_newton * stroke.vector])
            on_screen = lens.project(camera, size, points)
            if (
                np.isfinite(on_screen).all()
                and (on_screen[:, 2] > 0).all()
                and np.abs(on_screen[:, :2]).max() < FAR
            ):
                flat.append((stroke, [(x, y) for x, y, _ in on_screen.tolist()]))
        segments = np.array(
            [
                (*a, *b)
                for stroke, line in flat
                for a, b in (zip(line[::4], line[4::4]) if stroke.couple else pairwise(line))
            ]
        ).reshape(-1, 4)
        rooms, marks, chosen = [(r.left(), r.top(), r.right(), r.bottom()) for r in taken], [], {}
        # the longest first: they have the best right to the place beside their head
        for stroke, line in sorted(flat, key=lambda each: -_length(each[1])):
            slot, text = stroke.action.slot, self._text(stroke, units)
            wide, tall = self._pictures.room(text, SIZE * scale)
            key = (slot, stroke.couple, stroke.loose)
            chosen[key], x, y = _placed(
                line, wide, tall, rooms, segments, size, stroke.couple, self._chosen.get(key, -1)
            )
            rooms.append((x - wide / 2 + 2, y - tall / 2 + 3, x + wide / 2 - 2, y + tall / 2 - 3))
            marks.append(
                Mark(
                    slot,
                    stroke.couple,
                    tuple(line),
                    color_of(stroke.action, mechanism, theme_name, t),
                    stroke.loose,
                    text,
                    QRectF(x - wide / 2, y - tall / 2, wide, tall),
                )
            )
        self.marks, self._chosen = marks, chosen

    @staticmethod
    def _text(stroke: Stroke, units: str) -> tuple[str, str, str]:
        number = format_value(
            float(np.linalg.norm(stroke.vector)),
            "torque" if stroke.couple else "force",
            units,
            DIGITS,
        )
        return parts(
            stroke.symbol,
            stroke.couple,
            f"{number} · {tr('not unique')}" if stroke.loose else number,
        )

    @staticmethod
    def _arc(
        couple: np.ndarray,
        point: np.ndarray,
        camera: Camera,
        size: tuple[float, float],
        usual: float,
        radius: float,
    ) -> np.ndarray:
        """A part of a circle about the axis of a couple, turning as it does; (k, 3) [m]."""
        axis = couple / np.linalg.norm(couple)
        right, up, back = lens.axes(camera)
        depth = float((lens.eye(camera) - point) @ back)
        pixel = lens.pixel(camera, size) * (
            max(depth, 1e-3 * camera.distance) / camera.distance if camera.perspective else 1.0
        )
        first = right - (right @ axis) * axis
        if np.linalg.norm(first) < 0.2:
            first = up - (up @ axis) * axis
        first /= np.linalg.norm(first)
        second = np.cross(axis, first)
        turn = (
            max(LEAST, min(MOST, MOST * float(np.linalg.norm(couple)) / usual))
            if usual > 0
            else LEAST
        )
        angles = np.linspace(0.35 * math.pi, 0.35 * math.pi + turn, max(6, round(turn / 0.18)))
        return point + radius * pixel * (
            np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second
        )

    def at(self, x: float, y: float) -> Mark | None:
        """The mark under a pixel: its symbol, or the arrow nearest to it."""
        for mark in self.marks:
            if mark.label.adjusted(2, 2, -2, -2).contains(QPointF(x, y)):
                return mark
        best, found = REACH, None
        for mark in self.marks:
            for a, b in zip(mark.line, mark.line[1:]):
                gap = _gap((x, y), a, b)
                if gap < best:
                    best, found = gap, mark
        return found

    def paint(
        self, painter: QPainter, lit: Any, t: dict[str, Any], ratio: float, scale: float
    ) -> None:
        """lit(slot): whether an action is pointed at here or elsewhere, or selected."""
        halo = QPen(
            QColor(t["view_top"]),
            (HALO - STROKE) * scale,
            Qt.PenStyle.SolidLine,
            Qt.PenCapStyle.RoundCap,
            Qt.PenJoinStyle.RoundJoin,
        )
        shapes = sorted(
            (
                (
                    bool(lit(m.slot)),
                    k,
                    _shapes(m, (STROKE + (1.6 if lit(m.slot) else 0.0)) * scale, scale),
                    QColor(m.color),
                )
                for k, m in enumerate(self.marks)
            ),
            key=lambda s: s[:2],
        )
        for pen in (halo, QPen(Qt.PenStyle.NoPen)):
            painter.setPen(pen)
            for _, _, polygons, color in shapes:
                painter.setBrush(color if pen is not halo else halo.brush())
                for polygon in polygons:
                    painter.drawPolygon(polygon)
        for mark in self.marks:
            if lit(mark.slot):
                painter.setPen(QPen(QColor(t["accent"]), 1.4 * scale))
                painter.setBrush(QColor(t["accent_soft"]))
                painter.drawRoundedRect(mark.label.adjusted(0, 1, 0, -1), 5, 5)
            self._pictures.paint(
                painter,
                mark.text,
                mark.label.topLeft(),
                readable(mark.color, t["view_bottom"], t["text"]),
                t["accent_soft"] if lit(mark.slot) else t["view_top"],
                SIZE * scale,
                ratio,
            )

    def paint_scale(
        self,
        painter: QPainter,
        cut: Cut,
        camera: Camera,
        size: tuple[float, float],
        model_size: float,
        arrow_scale: float,
        t: dict[str, Any],
        units: str,
        scale: float,
        left: float,
    ) -> None:
        """An arrow as long as its number says, in the plane through the camera's target; and what a
        whole arc stands for.
        """
        per_newton, pixel = scale_of(cut, model_size, arrow_scale), lens.pixel(camera, size)
        f = font(11 * scale, QFont.Weight.Medium)
        painter.setFont(f)
        measure, x, y = QFontMetricsF(f), left, size[1] - 20.0 * scale
        if per_newton > 0.0:
            value = step_below(110.0 * scale * pixel / per_newton, units, "force")
            wide = value * per_newton / pixel
            text = format_value(value, "force", units, 4)
            painter.setPen(
                QPen(
                    QColor(t["text2"]), 2.4 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap
                )
            )
            end = QPointF(x + wide, y)
            for a, b in (
                (QPointF(x, y), end),
                (end + QPointF(-5 * scale, -4 * scale), end),
                (end + QPointF(-5 * scale, 4 * scale), end),
            ):
                painter.drawLine(a, b)
            painter.drawText(QPointF(x + wide + 7 * scale, y + 4 * scale), text)
            x += wide + 7 * scale + measure.horizontalAdvance(text) + 20 * scale
        usual = cut.usual_couple or cut.largest_moment
        if any(m.couple for m in self.marks) and usual > 0:
            text = tr("whole arc {value}", value=format_value(usual, "torque", units, 2))
            if x + measure.horizontalAdvance(text) + 26 * scale < size[0] - 8:
                painter.setPen(
                    QPen(
                        QColor(t["text2"]),
                        2.0 * scale,
                        Qt.PenStyle.SolidLine,
                        Qt.PenCapStyle.RoundCap,
                    )
                )
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawArc(QRectF(x, y - 7 * scale, 14 * scale, 14 * scale), 60 * 16, 280 * 16)
                painter.drawText(QPointF(x + 21 * scale, y + 4 * scale), text)


def _shapes(mark: Mark, wide: float, scale: float) -> list[QPolygonF]:
    """Shaft and head of an arrow as polygons to be filled, which takes a tenth of the time that
    broad pens do.
    """
    reach = _length(mark.line)
    (x0, y0), (x1, y1) = mark.line[0], mark.line[-1]
    if reach < SHORTEST * scale:
        return [
            _polygon(
                [
                    (x0 + wide * math.cos(a), y0 + wide * math.sin(a))
                    for a in (k * math.pi / 5 for k in range(10))
                ]
            )
        ]
    head, grow = min(HEAD * scale, 0.55 * reach), max(0.0, wide - STROKE * scale) * 0.5
    kept = (
        [p for p in mark.line if math.dist(p, mark.line[-1]) > 0.85 * head]
        if mark.couple
        else [(x0, y0)]
    )
    kept = kept or [(x0, y0)]
    long = math.dist(kept[-1], (x1, y1)) or 1.0
    ux, uy = (x1 - kept[-1][0]) / long, (y1 - kept[-1][1]) / long
    nx, ny, half = x1 - head * ux, y1 - head * uy, 0.42 * head + grow
    shaft = [*kept, (nx + 0.2 * head * ux, ny + 0.2 * head * uy)]
    if mark.dashed:
        out = [
            _ribbon(piece, 0.5 * wide) for piece in _dashes(np.array(shaft), 2.6 * wide, 1.7 * wide)
        ]
    elif mark.couple:
        out = [_ribbon(np.array(shaft), 0.5 * wide)]
    else:
        (xa, ya), (xb, yb) = shaft
        sx, sy = -0.5 * wide * uy, 0.5 * wide * ux
        out = [
            _polygon(
                ((xa + sx, ya + sy), (xb + sx, yb + sy), (xb - sx, yb - sy), (xa - sx, ya - sy))
            )
        ]
    return [
        *out,
        _polygon(
            (
                (x1 + 1.6 * grow * ux, y1 + 1.6 * grow * uy),
                (nx - grow * ux - half * uy, ny - grow * uy + half * ux),
                (nx - grow * ux + half * uy, ny - grow * uy - half * ux),
            )
        ),
    ]


def _polygon(points) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


def _ribbon(line: np.ndarray, half: float) -> QPolygonF:
    """A line (k, 2) as wide as 2 half."""
    d = np.diff(line, axis=0)
    d = d / np.maximum(np.hypot(*d.T), 1e-9)[:, None]
    along = np.vstack((d[:1], d[:-1] + d[1:], d[-1:]))
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    side = half * np.column_stack((-along[:, 1], along[:, 0]))
    return _polygon(np.vstack((line + side, (line - side)[::-1])).tolist())


def _dashes(line: np.ndarray, on: float, off: float) -> list[np.ndarray]:
    """The pieces of a dashed line."""
    at = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))))
    out = []
    for start in np.arange(0.0, at[-1], on + off):
        stop = min(start + on, at[-1])
        inner = (at > start) & (at < stop)
        places = np.concatenate(([start], at[inner], [stop]))
        out.append(np.column_stack([np.interp(places, at, line[:, k]) for k in range(2)]))
    return [piece for piece in out if len(piece) > 1]


def _length(line) -> float:
    return sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))


def _gap(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    s = min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long, 0.0), 1.0) if long > 0 else 0.0
    return math.hypot(p[0] - a[0] - s * dx, p[1] - a[1] - s * dy)


# directions in which a symbol may stand off, by how far they turn from the arrow's own
AROUND = tuple(math.radians(a) for a in (0, 45, -45, 90, -90, 135, -135, 180))
AWAY = (6.0, 20.0, 42.0)  # px
STAY = 9.0  # bonus of the previous place
COVERED, CROSSED = 60.0, 14.0


_N = np.arange(2 * len(AROUND) * len(AWAY))
_ANCHOR, _STEP, _AWAY = (
    _N // (len(AROUND) * len(AWAY)),
    _N % (len(AROUND) * len(AWAY)) // len(AWAY),
    np.array(AWAY)[_N % len(AWAY)],
)
_TURN, _COST = np.array(AROUND)[_STEP], 1.5 * _STEP + 0.35 * _AWAY


def _placed(
    line,
    wide: float,
    tall: float,
    taken: list[tuple[float, float, float, float]],
    segments: np.ndarray,
    size: tuple[float, float],
    couple: bool,
    before: int,
) -> tuple[int, float, float]:
    """(number of the place, its middle) for a symbol near the head of its arrow: free of others,
    off the arrows, inside the picture.  segments (k, 4); before: the number of the place it had.
    """
    (x0, y0), (x1, y1) = (line[len(line) // 2], line[-1]) if couple else (line[0], line[-1])
    heading = math.atan2(y1 - y0, x1 - x0) if math.hypot(x1 - x0, y1 - y0) > 1.0 else -0.5 * math.pi
    second = (x0, y0, 2.0) if couple else ((x0 + x1) / 2, (y0 + y1) / 2, 10.0)
    ax, ay, cost = (np.where(_ANCHOR == 0, a, b) for a, b in zip((x1, y1, 0.0), second))
    cost = cost + _COST
    if before >= 0:
        cost[before] -= STAY
    ux, uy = np.cos(heading + _TURN), np.sin(heading + _TURN)
    # so far that the nearest side of the word is that far away
    x = np.clip(
        ax + ux * (_AWAY + 0.5 * wide * np.abs(ux)),
        0.5 * wide + 4,
        max(size[0] - 0.5 * wide - 4, 0.5 * wide + 4),
    )
    y = np.clip(
        ay + uy * (_AWAY + 0.5 * tall * np.abs(uy)),
        0.5 * tall + 4,
        max(size[1] - 0.5 * tall - 28, 0.5 * tall + 4),
    )
    l, r, u, d = (
        v[:, None]
        for v in (x - 0.5 * wide + 3, x + 0.5 * wide - 3, y - 0.5 * tall + 4, y + 0.5 * tall - 4)
    )
    if taken:
        left, top, right, bottom = np.array(taken).T
        w, h = (
            np.minimum(r, right) - np.maximum(l, left),
            np.minimum(d, bottom) - np.maximum(u, top),
        )
        cost += np.where((w > 0) & (h > 0), COVERED + 0.4 * w * h, 0.0).sum(axis=1)
    if len(segments):
        cost += CROSSED * _crossed(segments, l, u, r, d).sum(axis=1)
    n = int(np.argmin(cost))
    return n, float(x[n]), float(y[n])


def _crossed(
    segments: np.ndarray, l: np.ndarray, u: np.ndarray, r: np.ndarray, d: np.ndarray
) -> np.ndarray:
    """(rectangles, segments): which segments x0 y0 x1 y1 run through which rectangles (Liang and
    Barsky 1984).
    """
    low, high = np.zeros((len(l), len(segments))), np.ones((len(l), len(segments)))
    for start, stop, least, most in (
        (segments[:, 0], segments[:, 2], l, r),
        (segments[:, 1], segments[:, 3], u, d),
    ):
        step = stop - start
        # a segment that stands still in one direction is taken as hardly moving
        step = np.where(np.abs(step) < 1e-9, 1e-9, step)
        a, b = (least - start) / step, (most - start) / step
        low, high = np.maximum(low, np.minimum(a, b)), np.minimum(high, np.maximum(a, b))
    return low <= high
