"""What is painted over a body that is cut free: arrows of forces, arcs of couples, their symbols with live numbers, and the scale they are drawn to."""

import math
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

from ..i18n import tr
from ..symbol_text import SymbolPictures, parts
from ..tokens import body_color, readable
from . import camera as lens
from .overlay import font

STROKE, HALO = 2.6, 5.4       # px, of arrows and of the sky's colour about them
HEAD = 11.0                   # px, length of a head
SHORTEST = 5.0                # px: a shorter arrow is a dot
RADIUS, APART = 25.0, 9.0     # px, of the arc of a couple; by how much the next one at the same place is larger
LEAST, MOST = 0.55, 4.9       # rad that arcs turn: least, and that of the usual largest couple
REACH = 8.0                   # px from an arrow at which it is under the pointer
SIZE = 12.5                   # px, letters
DIGITS = 3
FAR = 20000.0                 # px: what lies farther out is left out


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
    """What comes from a body has its colour, loads that of vectors, inertia that of motion."""
    if action.slot.kind == INERTIA:
        return readable(t["velocity"], t["view_bottom"], t["text"], 3.0)
    if action.slot.kind in (WEIGHT, LOAD) or not action.from_body:
        return t["vector"]
    color = t["text2"] if action.from_body == GROUND else body_color(theme_name, mechanism.body(action.from_body).color)
    return readable(color, t["view_bottom"], t["text"], 3.0)


class FreeBodyMarks:
    """Lays out, paints and finds the marks; `marks` are those of the last picture."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self._pictures = SymbolPictures()
        self._chosen: dict[tuple, int] = {}                   # places of symbols in the last picture: they do not jump about without need

    def layout(self, cut: Cut, mechanism: Mechanism, camera: Camera, size: tuple[float, float], model_size: float, arrow_scale: float, theme_name: str, t: dict[str, Any], units: str,
               taken: list[QRectF], scale: float) -> None:
        """Place everything.   model_size: of the mechanism [m].   arrow_scale: as the user chose it.   taken: room where no symbol may stand."""
        per_newton = scale_of(cut, model_size, arrow_scale)
        usual = cut.usual_couple or cut.largest_moment
        turns: dict[tuple, int] = {}
        flat: list[tuple[Stroke, list[tuple[float, float]]]] = []
        for stroke in cut.strokes:
            point = stroke.action.point
            if stroke.couple:
                place = tuple(np.round(point / (0.02 * model_size)).tolist())
                turns[place] = ring = turns.get(place, -1) + 1
                points = self._arc(stroke.vector, point, camera, size, usual, (RADIUS + APART * ring) * scale)
            else:
                points = np.array([point, point + per_newton * stroke.vector])
            on_screen = lens.project(camera, size, points)
            if np.isfinite(on_screen).all() and (on_screen[:, 2] > 0).all() and np.abs(on_screen[:, :2]).max() < FAR:
                flat.append((stroke, [(x, y) for x, y, _ in on_screen.tolist()]))
        segments = [s for stroke, line in flat for s in (zip(line[::5], line[5::5]) if stroke.couple else zip(line, line[1:]))]
        rooms, marks, chosen = [(r.left(), r.top(), r.right(), r.bottom()) for r in taken], [], {}
        # the longest first: they have the best right to the place beside their head
        for stroke, line in sorted(flat, key=lambda each: -_length(each[1])):
            slot, text = stroke.action.slot, self._text(stroke, units)
            wide, tall = self._pictures.room(text, SIZE * scale)
            key = (slot, stroke.couple, stroke.loose)
            chosen[key], x, y = _placed(line, wide, tall, rooms, segments, size, stroke.couple, self._chosen.get(key, -1))
            rooms.append((x - wide / 2 + 2, y - tall / 2 + 3, x + wide / 2 - 2, y + tall / 2 - 3))
            marks.append(Mark(slot, stroke.couple, tuple(line), color_of(stroke.action, mechanism, theme_name, t), stroke.loose, text, QRectF(x - wide / 2, y - tall / 2, wide, tall)))
        self.marks, self._chosen = marks, chosen

    @staticmethod
    def _text(stroke: Stroke, units: str) -> tuple[str, str, str]:
        number = format_value(float(np.linalg.norm(stroke.vector)), "torque" if stroke.couple else "force", units, DIGITS)
        return parts(stroke.symbol, stroke.couple, f"{number} · {tr('not unique')}" if stroke.loose else number)

    @staticmethod
    def _arc(couple: np.ndarray, point: np.ndarray, camera: Camera, size: tuple[float, float], usual: float, radius: float) -> np.ndarray:
        """A part of a circle about the axis of a couple, turning as it does; (k, 3) [m]."""
        axis = couple / np.linalg.norm(couple)
        right, up, back = lens.axes(camera)
        depth = float((lens.eye(camera) - point) @ back)
        pixel = lens.pixel(camera, size) * (max(depth, 1e-3 * camera.distance) / camera.distance if camera.perspective else 1.0)
        first = right - (right @ axis) * axis
        if np.linalg.norm(first) < 0.2:
            first = up - (up @ axis) * axis
        first /= np.linalg.norm(first)
        second = np.cross(axis, first)
        turn = max(LEAST, min(MOST, MOST * float(np.linalg.norm(couple)) / usual)) if usual > 0 else LEAST
        angles = np.linspace(0.35 * math.pi, 0.35 * math.pi + turn, max(8, round(turn / 0.12)))
        return point + radius * pixel * (np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second)

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

    def paint(self, painter: QPainter, lit: Any, t: dict[str, Any], ratio: float, scale: float) -> None:
        """lit(slot): whether an action is pointed at here or elsewhere, or selected."""
        halo = QColor(t["view_top"])
        halo.setAlphaF(0.85)
        for mark in self.marks:
            wide = (STROKE + (1.6 if lit(mark.slot) else 0.0)) * scale
            self._line(painter, mark, halo, wide + (HALO - STROKE) * scale, False, scale)
        for mark in sorted(self.marks, key=lambda m: bool(lit(m.slot))):
            chosen = lit(mark.slot)
            color = QColor(mark.color)
            self._line(painter, mark, color, (STROKE + (1.6 if chosen else 0.0)) * scale, mark.dashed, scale)
        for mark in self.marks:
            if lit(mark.slot):
                painter.setPen(QPen(QColor(t["accent"]), 1.4 * scale))
                painter.setBrush(QColor(t["accent_soft"]))
                painter.drawRoundedRect(mark.label.adjusted(0, 1, 0, -1), 5, 5)
            self._pictures.paint(painter, mark.text, mark.label.topLeft(), readable(mark.color, t["view_bottom"], t["text"]), t["accent_soft"] if lit(mark.slot) else t["view_top"], SIZE * scale, ratio)

    @staticmethod
    def _line(painter: QPainter, mark: Mark, color: QColor, wide: float, dashed: bool, scale: float) -> None:
        line = [QPointF(*p) for p in mark.line]
        end, before = line[-1], line[-2]
        reach = _length(mark.line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        if reach < SHORTEST * scale:
            painter.drawEllipse(line[0], wide + 1.2, wide + 1.2)
            return
        head = min(HEAD * scale, 0.55 * reach)
        along = end - before
        if mark.couple and len(line) > 4:
            along = end - line[-4]
        size = math.hypot(along.x(), along.y()) or 1.0
        u = QPointF(along.x() / size, along.y() / size)
        across = QPointF(-u.y(), u.x())
        grow = max(0.0, wide - STROKE * scale) * 0.5
        neck = end - u * head
        if mark.couple:
            kept = [p for p in line[:-1] if math.hypot(p.x() - end.x(), p.y() - end.y()) > 0.7 * head] or line[:1]
            shaft = [*kept, neck]
        else:
            shaft = [line[0], end - u * (0.8 * head)]
        pen = QPen(color, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap if not dashed else Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
        if dashed:
            pen.setDashPattern([2.6, 1.7])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(shaft)
        painter.setPen(QPen(color, 2 * grow, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin) if grow else Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([end, neck + across * (0.42 * head), neck - across * (0.42 * head)]))

    def paint_scale(self, painter: QPainter, cut: Cut, camera: Camera, size: tuple[float, float], model_size: float, arrow_scale: float, t: dict[str, Any], units: str, scale: float,
                    left: float) -> None:
        """An arrow as long as its number says, in the plane through the camera's target; and what a whole arc stands for."""
        per_newton, pixel = scale_of(cut, model_size, arrow_scale), lens.pixel(camera, size)
        f = font(11 * scale, QFont.Weight.Medium)
        painter.setFont(f)
        measure, x, y = QFontMetricsF(f), left, size[1] - 20.0 * scale
        if per_newton > 0.0:
            value = step_below(110.0 * scale * pixel / per_newton, units, "force")
            wide = value * per_newton / pixel
            text = format_value(value, "force", units, 4)
            painter.setPen(QPen(QColor(t["text2"]), 2.4 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            end = QPointF(x + wide, y)
            for a, b in ((QPointF(x, y), end), (end + QPointF(-5 * scale, -4 * scale), end), (end + QPointF(-5 * scale, 4 * scale), end)):
                painter.drawLine(a, b)
            painter.drawText(QPointF(x + wide + 7 * scale, y + 4 * scale), text)
            x += wide + 7 * scale + measure.horizontalAdvance(text) + 20 * scale
        usual = cut.usual_couple or cut.largest_moment
        if any(m.couple for m in self.marks) and usual > 0:
            text = tr("whole arc {value}", value=format_value(usual, "torque", units, 2))
            if x + measure.horizontalAdvance(text) + 26 * scale < size[0] - 8:
                painter.setPen(QPen(QColor(t["text2"]), 2.0 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawArc(QRectF(x, y - 7 * scale, 14 * scale, 14 * scale), 60 * 16, 280 * 16)
                painter.drawText(QPointF(x + 21 * scale, y + 4 * scale), text)


def _length(line) -> float:
    return sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(line, line[1:]))


def _gap(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    s = min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long, 0.0), 1.0) if long > 0 else 0.0
    return math.hypot(p[0] - a[0] - s * dx, p[1] - a[1] - s * dy)


# directions in which a symbol may stand off, by how far they turn from the arrow's own
AROUND = tuple(math.radians(a) for a in (0, 45, -45, 90, -90, 135, -135, 180))
AWAY = (6.0, 20.0, 42.0)      # px
STAY = 9.0                    # what it is worth to stand where it stood
COVERED, CROSSED = 60.0, 14.0


def _placed(line, wide: float, tall: float, taken: list[tuple[float, float, float, float]], segments, size: tuple[float, float], couple: bool, before: int) -> tuple[int, float, float]:
    """(number of the place, its middle) for a symbol near the head of its arrow: free of others, off the arrows, inside the picture.   before: the number of the place it had."""
    (x0, y0), (x1, y1) = (line[len(line) // 2], line[-1]) if couple else (line[0], line[-1])
    heading = math.atan2(y1 - y0, x1 - x0) if math.hypot(x1 - x0, y1 - y0) > 1.0 else -0.5 * math.pi
    anchors = ((x1, y1, 0.0), ((x0 + x1) / 2, (y0 + y1) / 2, 10.0) if not couple else (x0, y0, 2.0))
    each = len(AROUND) * len(AWAY)
    best, found = math.inf, (0, x1, y1)
    for n in ((before, *range(2 * each)) if before >= 0 else range(2 * each)):
        ax, ay, late = anchors[n // each]
        step, away = (n % each) // len(AWAY), AWAY[n % len(AWAY)]
        cost = late + 1.5 * step + 0.35 * away - (STAY if n == before else 0.0)
        if cost >= best:
            continue
        ux, uy = math.cos(heading + AROUND[step]), math.sin(heading + AROUND[step])
        # so far that the nearest side of the word is that far away
        x, y = ax + ux * (away + 0.5 * wide * abs(ux)), ay + uy * (away + 0.5 * tall * abs(uy))
        x, y = min(max(x, 0.5 * wide + 4), size[0] - 0.5 * wide - 4), min(max(y, 0.5 * tall + 4), size[1] - 0.5 * tall - 28)
        l, r, u, d = x - 0.5 * wide + 3, x + 0.5 * wide - 3, y - 0.5 * tall + 4, y + 0.5 * tall - 4
        for left, top, right, bottom in taken:
            w, h = min(r, right) - max(l, left), min(d, bottom) - max(u, top)
            if w > 0 and h > 0:
                cost += COVERED + 0.4 * w * h
        for a, b in segments if cost < best else ():
            if _crosses(a, b, l, u, r, d):
                cost += CROSSED
        if cost < best:
            best, found = cost, (n, x, y)
    return found


def _crosses(a, b, l: float, u: float, r: float, d: float) -> bool:
    """Whether a segment runs through a rectangle (Liang and Barsky 1984)."""
    low, high = 0.0, 1.0
    for start, step, least, most in ((a[0], b[0] - a[0], l, r), (a[1], b[1] - a[1], u, d)):
        if abs(step) < 1e-12:
            if start < least or start > most:
                return False
            continue
        s, e = (least - start) / step, (most - start) / step
        low, high = max(low, min(s, e)), min(high, max(s, e))
        if low > high:
            return False
    return True
