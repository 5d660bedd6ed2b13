"""Gauges painted over the scene as dimensions: extension lines, a line with arrows, the number on
it.  A driving dimension is boxed, one that follows stands in brackets.
"""

import math
from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPen, QPolygonF

from mechstudio.application.marks.gauges import ARC, LEADER, STEPPED, GaugeMark
from mechstudio.view.fonts import font
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays.canvas import Canvas

# px at the normal text size
AWAY = 34.0  # from the measured feature to the dimension line
GAP, BEYOND = 5.0, 6.0  # extension lines begin off the point and end beyond the dimension line
HEAD, HALF = 10.0, 3.5  # length and half width of an arrow
RADIUS = 54.0  # of an arc
TEXT = 12.0
INSIDE = 2.6 * HEAD  # px between the ends below which the arrows stand outside


def paint_gauges(
    canvas: Canvas,
    marks: Iterable[GaugeMark],
    middle: np.ndarray,
    placer: Placer,
    chosen: frozenset[str],
) -> dict[str, QRectF]:
    """Paint gauges; returns the rooms of their numbers by id.  middle (3,): of the mechanism in W,
    from which dimension lines stand off.
    """
    rooms: dict[str, QRectF] = {}
    flat_middle = canvas.project(middle[None])[0, :2]
    numbers: list[tuple[GaugeMark, list[np.ndarray]]] = []
    # what is chosen lies over the others
    for mark in sorted(marks, key=lambda mark: mark.id in chosen):
        lit = mark.id in chosen
        if mark.kind == ARC:
            places = _arc(canvas, mark, lit)
        elif mark.kind == LEADER:
            places = _leader(canvas, mark, lit)
        else:
            places = _line(canvas, mark, flat_middle, lit)
        if places:
            numbers.append((mark, places))
    # numbers last, and none over another one
    for mark, places in numbers:
        found = [_room(canvas, mark, place) for place in places]
        free = (room for room in found if not any(room.intersects(r) for r in rooms.values()))
        rooms[mark.id] = room = next(free, found[0])
        _number(canvas, mark, room, mark.id in chosen)
        placer.block(room)
    return rooms


def _tone(canvas: Canvas, mark: GaugeMark, lit: bool) -> QColor:
    return QColor(canvas.t["accent" if lit else "text2" if mark.drives else "text3"])


def _draw(canvas: Canvas, lines: list[list[QPointF]], tone: QColor, wide: float = 1.2) -> None:
    """Polylines with a halo of the sky."""
    painter, halo = canvas.painter, QColor(canvas.t["view_top"])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((halo, wide + 2.4), (tone, wide)):
        painter.setPen(QPen(color, width * canvas.scale))
        for line in lines:
            painter.drawPolyline(QPolygonF(line))


def _head(canvas: Canvas, tip: np.ndarray, way: np.ndarray, tone: QColor) -> None:
    """A filled arrow whose tip stands at a place, pointing along a unit way."""
    back = tip - HEAD * canvas.scale * way
    across = HALF * canvas.scale * np.array([-way[1], way[0]])
    canvas.painter.setPen(QPen(QColor(canvas.t["view_top"]), 1.0 * canvas.scale))
    canvas.painter.setBrush(tone)
    canvas.painter.drawPolygon(QPolygonF([_q(tip), _q(back + across), _q(back - across)]))
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)


def _q(p: np.ndarray) -> QPointF:
    return QPointF(float(p[0]), float(p[1]))


def _ends(canvas: Canvas, mark: GaugeMark) -> tuple[np.ndarray, np.ndarray] | None:
    flat = canvas.project(np.array([mark.a, mark.b]))
    if (flat[:, 2] <= 0).any() or not np.isfinite(flat).all() or np.abs(flat[:, :2]).max() > 1e5:
        return None
    return flat[0, :2], flat[1, :2]


def _line(canvas: Canvas, mark: GaugeMark, middle: np.ndarray, lit: bool) -> list[np.ndarray]:
    """A dimension line beside the two ends, on the side away from the mechanism; one along an axis
    of W is as long as its share on the screen.
    """
    found = _ends(canvas, mark)
    if found is None:
        return []
    p, q = found
    way = q - p
    if mark.kind == STEPPED:
        step = mark.a.copy()
        step[mark.axis] = mark.b[mark.axis]
        flat = canvas.project(step[None])[0]
        way = flat[:2] - p
    length = float(np.hypot(*way))
    s, tone = canvas.scale, _tone(canvas, mark, lit)
    if length < 1.0:  # both ends are at one place: a mark and its number
        rise, fall = np.array([4.0, 4.0]), np.array([4.0, -4.0])
        _draw(canvas, [[_q(p - d), _q(p + d)] for d in (rise, fall)], tone)
        return [p + np.array([0.0, way * s]) for way in (-16.0, 16.0, -40.0, 40.0)]
    u = way / length
    n = np.array([-u[1], u[0]])
    if np.isfinite(middle).all() and n @ ((p + q) / 2 - middle) < 0:
        n = -n
    # beyond the farther of both ends
    reach = max(0.0, float(n @ (q - p))) + AWAY * s
    a, b = p + reach * n, p + reach * n + way
    extensions = [
        [_q(end + GAP * s * n), _q(foot + BEYOND * s * n)]
        for end, foot in ((p, a), (q, b))
        if float(n @ (foot - end)) > GAP * s
    ]
    inside = length > INSIDE * s
    tail = 1.6 * HEAD * s
    line = [_q(a), _q(b)] if inside else [_q(a - tail * u), _q(b + tail * u)]
    _draw(canvas, [*extensions, line], tone)
    for tip, sign in ((a, -1.0), (b, 1.0)):
        _head(canvas, tip, (sign if inside else -sign) * u, tone)
    spread = (0.5, 0.3, 0.7, 0.1, 0.9)
    return [a + k * (b - a) + off * n for off in (0.0, 24.0 * s) for k in spread]


def _arc(canvas: Canvas, mark: GaugeMark, lit: bool) -> list[np.ndarray]:
    """An arc from one direction to the other about the vertex, with both legs."""
    s, tone = canvas.scale, _tone(canvas, mark, lit)
    center = canvas.project(mark.at[None])[0]
    if center[2] <= 0 or not np.isfinite(center).all():
        return []
    near = canvas.camera.distance / center[2] if canvas.camera.perspective else 1.0
    r = RADIUS * s * lens.pixel(canvas.camera, canvas.size) / max(near, 1e-9)
    u, v = mark.a, mark.b
    across = v - (u @ v) * u
    length = float(np.linalg.norm(across))
    angle = math.atan2(length, float(u @ v))
    w = across / length if length > 1e-9 else np.zeros(3)
    turns = np.linspace(0.0, angle, max(2, int(math.degrees(angle) / 4) + 2))
    points = mark.at + r * (np.cos(turns)[:, None] * u + np.sin(turns)[:, None] * w)
    legs = np.array([mark.at, mark.at + 1.2 * r * u, mark.at, mark.at + 1.2 * r * v])
    flat = canvas.project(np.concatenate([points, legs]))
    if (flat[:, 2] <= 0).any() or not np.isfinite(flat).all():
        return []
    curve, legs = flat[: len(points), :2], flat[len(points) :, :2]
    lines = [[_q(p) for p in curve], [_q(p) for p in legs[:2]], [_q(p) for p in legs[2:]]]
    _draw(canvas, lines, tone)
    if len(curve) > 2 and np.hypot(*(curve[-1] - curve[0])) > INSIDE * s:
        for tip, before in ((curve[0], curve[1]), (curve[-1], curve[-2])):
            d = tip - before
            _head(canvas, tip, d / max(float(np.hypot(*d)), 1e-9), tone)
    middle = curve[len(curve) // 2]
    out = middle - center[:2]
    far = max(float(np.hypot(*out)), 1e-9)
    beyond = [middle + out / far * way * s for way in (20.0, 44.0, 68.0)]
    beside = [curve[k] + np.array([way * s, 0.0]) for k in (-1, 0) for way in (-64.0, 64.0)]
    return [*beyond, *beside]


def _leader(canvas: Canvas, mark: GaugeMark, lit: bool) -> list[np.ndarray]:
    """A line from the centre, or the other side, through the rim to the number."""
    found = _ends(canvas, mark)
    if found is None:
        return []
    p, q = found
    s, tone = canvas.scale, _tone(canvas, mark, lit)
    way = q - p
    length = float(np.hypot(*way))
    u = way / length if length > 1e-6 else np.array([0.7071, -0.7071])
    end = q + 26.0 * s * u
    side = 1.0 if u[0] >= 0 else -1.0
    landing = end + np.array([side * 12.0 * s, 0.0])
    _draw(canvas, [[_q(p), _q(end), _q(landing)]], tone)
    _head(canvas, q, u, tone)
    if np.hypot(*(mark.b - mark.a)[:2]) and np.linalg.norm(mark.a - mark.at) > 0:
        _head(canvas, p, -u, tone)
    return [landing + np.array([side * 34.0 * s, down * s]) for down in (0.0, 24.0, -24.0)]


def _text(mark: GaugeMark) -> str:
    """The number as it is written: in brackets where it only follows."""
    return mark.words if mark.drives else f"( {mark.words} )"


def _room(canvas: Canvas, mark: GaugeMark, place: np.ndarray) -> QRectF:
    """The room of a number about a place, inside the picture."""
    s = canvas.scale
    measure = QFontMetricsF(font(TEXT * s, QFont.Weight.Medium))
    wide, tall = measure.horizontalAdvance(_text(mark)) + 14 * s, measure.height() + 6 * s
    x = min(max(float(place[0]), wide / 2 + 4), canvas.size[0] - wide / 2 - 4)
    y = min(max(float(place[1]), tall / 2 + 4), canvas.size[1] - tall / 2 - 4)
    return QRectF(round(x - wide / 2), round(y - tall / 2), round(wide), round(tall))


def _number(canvas: Canvas, mark: GaugeMark, room: QRectF, lit: bool) -> None:
    """The number, boxed where it drives, else in brackets."""
    painter, t, s = canvas.painter, canvas.t, canvas.scale
    ground = QColor(t["field" if mark.drives else "view_top"])
    ground.setAlphaF(1.0 if mark.drives else 0.86)
    edge = QColor(t["accent" if lit else "line_strong"])
    painter.setPen(QPen(edge, 1.0 * s) if mark.drives or lit else Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 5 * s, 5 * s)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font(TEXT * s, QFont.Weight.Medium))
    painter.setPen(QColor(t["accent_text" if lit else "text" if mark.drives else "text2"]))
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _text(mark))
