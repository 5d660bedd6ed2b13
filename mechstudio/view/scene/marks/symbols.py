"""Symbols of figures, painted over the scene at a constant size, with their words.

A quartered disc is a centre of mass, a double ring an instant centre, a ring on a stroke the place
of a screw axis, a crossed ring a place where bodies lie in each other.
"""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from mechstudio.application.marks.figures.figure import Symbol
from mechstudio.application.scene.instances import rotate
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays.canvas import Canvas
from mechstudio.view.scene.overlays.overlay import MANY, write_near

DISC, INNER, OUTER, RING, CLASH = 6.5, 4.5, 8.0, 4.5, 8.5  # radii [px]
EDGE = 14.0  # px from the side of the view at which what lies outside is pointed at


def paint_symbols(
    canvas: Canvas,
    symbols: Sequence[Symbol],
    bodies: dict[str, np.ndarray],
    placer: Placer,
    chosen: frozenset[str],
    section: tuple[float, float, float, float] | None = None,
) -> None:
    """Symbols on bodies.  bodies: row poses (8,) of visible bodies by id.  chosen: ids of bodies
    whose words are written however many there are.  section: normal and offset of a cut, beyond
    which nothing is shown.
    """
    shown = [s for s in symbols if s.body in bodies]
    if not shown:
        return
    rows = np.array([bodies[s.body] for s in shown])
    points = rows[:, 4:7] + rotate(rows[:, :4], np.array([s.point for s in shown]))
    if section is not None:
        kept = points @ section[:3] <= section[3]
        shown, points = [s for s, k in zip(shown, kept) if k], points[kept]
        if not shown:
            return
    flat = canvas.project(points)
    hidden = canvas.hides(points)
    crowded = sum(bool(s.words) for s in shown) > MANY
    for k, (x, y, depth) in enumerate(flat.tolist()):
        symbol, inside = shown[k], 0 <= x <= canvas.size[0] and 0 <= y <= canvas.size[1]
        if depth <= 0 or not inside:
            if symbol.kind in FAR:
                _paint_outside(canvas, symbol, _towards(canvas, points[k]), placer)
            continue
        away = 3.0
        if symbol.kind:
            faint = hidden[k] and symbol.kind not in INSIDE
            canvas.painter.setOpacity(HIDDEN if faint else 1.0)
            away = SYMBOLS[symbol.kind](canvas, QPointF(x, y)) * canvas.scale
            canvas.painter.setOpacity(1.0)
            placer.block(QRectF(x - away, y - away, 2 * away, 2 * away))
        if symbol.words and (not crowded or symbol.body in chosen):
            key = f"figure {symbol.kind} {symbol.body} {symbol.words}"
            write_near(canvas, placer, symbol.words, x, y, symbol.role, away + 2, key=key)


def _centre(canvas: Canvas, at: QPointF) -> float:
    painter, ink, ground = _tools(canvas)
    r = DISC * canvas.scale
    room = QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r)
    painter.setPen(QPen(ground, 2.4 * canvas.scale))
    painter.setBrush(ground)
    painter.drawEllipse(room)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for start in (0, 180):
        painter.drawPie(room, start * 16, 90 * 16)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.2 * canvas.scale))
    painter.drawEllipse(room)
    return DISC + 1.0


def _rings(canvas: Canvas, at: QPointF, radii: tuple[float, ...]) -> float:
    painter, ink, ground = _tools(canvas)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for tone, wide in ((ground, 4.4), (ink, 2.0)):
        painter.setPen(QPen(tone, wide * canvas.scale))
        for r in radii:
            painter.drawEllipse(at, r * canvas.scale, r * canvas.scale)
    return max(radii) + 1.0


def _pole(canvas: Canvas, at: QPointF) -> float:
    return _rings(canvas, at, (INNER, OUTER))


def _screw(canvas: Canvas, at: QPointF) -> float:
    return _rings(canvas, at, (RING,))


def _clash(canvas: Canvas, at: QPointF) -> float:
    painter, _, ground = _tools(canvas)
    r, tone = CLASH * canvas.scale, QColor(canvas.t["error"])
    for color, wide in ((ground, 4.6), (tone, 2.2)):
        painter.setPen(QPen(color, wide * canvas.scale))
        painter.drawEllipse(at, r, r)
        for sign in (-1.0, 1.0):
            d = QPointF(0.5 * r, sign * 0.5 * r)
            painter.drawLine(at - d, at + d)
    return CLASH + 1.0


def _tools(canvas: Canvas) -> tuple[QPainter, QColor, QColor]:
    return canvas.painter, QColor(canvas.t["text"]), QColor(canvas.t["view_top"])


# symbols by kind: each paints itself and returns its radius [px at the normal text size]
SYMBOLS: dict[str, Callable[[Canvas, QPointF], float]] = {
    "centre": _centre,
    "pole": _pole,
    "screw_axis": _screw,
    "clash": _clash,
}
HIDDEN = 0.45  # strength of those before which bodies stand
INSIDE = ("centre", "clash")  # what lies inside bodies is always seen
FAR = ("pole",)  # pointed at from the side of the view where they lie outside


def _towards(canvas: Canvas, point: np.ndarray) -> np.ndarray:
    """Direction (2,) on the screen from the middle of the view to a point of W, which may lie
    behind the eye.
    """
    target = np.array(canvas.camera.target, float)
    middle = np.array(canvas.size) / 2.0
    for halvings in range(60):
        near = target + (point - target) * 0.5**halvings
        x, y, depth = canvas.project(near[None])[0].tolist()
        if depth > 0 and np.isfinite((x, y)).all():
            return np.array([x, y]) - middle
    return np.array([0.0, -1.0])


def _paint_outside(canvas: Canvas, symbol: Symbol, d: np.ndarray, placer: Placer) -> None:
    """An arrow at the side of the view in a direction d (2,), with words of the elements there."""
    painter, ink, ground = _tools(canvas)
    (wide, tall), edge = canvas.size, EDGE * canvas.scale
    middle = np.array([wide, tall]) / 2.0
    half = middle - edge
    share = float(np.min(half / np.maximum(np.abs(d), 1e-9)))
    tip = middle + share * d
    u = d / max(float(np.linalg.norm(d)), 1e-9)
    n = np.array([-u[1], u[0]])
    back = tip - 11.0 * canvas.scale * u
    corners = [tip, back + 5.0 * canvas.scale * n, back - 5.0 * canvas.scale * n]
    painter.setPen(QPen(ground, 2.4 * canvas.scale))
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF([QPointF(*p.tolist()) for p in corners]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y = back.tolist()
    placer.block(QRectF(tip[0] - 6, tip[1] - 6, 12, 12))
    words = symbol.far or symbol.words
    key = f"far {symbol.words}"
    write_near(canvas, placer, words, x, y, symbol.role, 9.0 * canvas.scale, key=key)
