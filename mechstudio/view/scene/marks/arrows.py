"""Arrows painted over the scene: an open head for a velocity, half a head for an acceleration, a
full one for a force, two for a moment; each kind has one scale.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from mechstudio.application.marks.arrows import Arrow
from mechstudio.application.scene.scene import Measure
from mechstudio.view.scene.overlays.canvas import Canvas

HEAD, HALF = 12.0, 5.0  # length and half width of a head [px]
HEAD_SHARE = 0.45  # largest share of an arrow taken by its head
LONGEST = 2.5  # sizes of the mechanism; a longer arrow is cut there, with a mark of the cut
SHORTEST = 2.5  # px; shorter ones point at the viewer, or are zero
WIDE, THIN = 2.4, 1.3  # strokes of an arrow and of a component [px]
HALOES = 24  # arrows up to which each has a halo
COMPONENT = 0.65  # strength of components
OPEN, HALVED, FULL = "open", "half", "full"
HEADS = {
    "velocity": OPEN,
    "velocity_parts": OPEN,
    "acceleration": HALVED,
    "acceleration_parts": HALVED,
}
ROLES = {"velocity": "velocity", "acceleration": "acceleration"}


class Drawn(NamedTuple):
    """An arrow on the screen.  root, tip: (2,) [px]; depth: of the root [m]."""

    arrow: Arrow
    root: np.ndarray
    tip: np.ndarray
    depth: float


def role_of(dimension: str) -> str:
    """The colour of the arrows of a quantity: forces and moments have one."""
    return ROLES.get(dimension, "vector")


def layout(
    canvas: Canvas,
    arrows: Sequence[Arrow],
    measures: Mapping[str, Measure],
    size: float,
) -> tuple[list[Drawn], set[int]]:
    """Arrows on the screen, the far ones first, and the indices of those that are cut.  measures:
    scales by dimension.  size: of the mechanism [m].
    """
    known = [a for a in arrows if a.dimension in measures]
    if not known:
        return [], set()
    roots = np.array([a.root for a in known])
    along = np.array([a.vector * measures[a.dimension].length for a in known])
    along /= np.array([measures[a.dimension].value for a in known])[:, None]
    reach = np.linalg.norm(along, axis=1)
    cut = reach > LONGEST * size
    along[cut] *= (LONGEST * size / reach[cut])[:, None]
    flat = canvas.project(np.concatenate([roots, roots + along])).reshape(2, len(known), 3)
    near = np.isfinite(flat) & (np.abs(flat) < 1e5)
    seen = [near[:, k].all() and (flat[:, k, 2] > 0).all() for k in range(len(known))]
    order = [k for k in np.argsort(-flat[0, :, 2]) if seen[k]]
    drawn = [Drawn(known[k], flat[0, k, :2], flat[1, k, :2], flat[0, k, 2]) for k in order]
    return drawn, {n for n, k in enumerate(order) if cut[k]}


def paint_arrows(
    canvas: Canvas,
    drawn: Sequence[Drawn],
    cut: Collection[int],
    measures: Mapping[str, Measure],
    components: bool,
) -> None:
    """Paint arrows with a halo, which separates them from bodies. components: also those along the
    axes of W, thinner.
    """
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    halo = QColor(t["view_top"])
    halo.setAlphaF(0.85)
    if components:
        for each in drawn:
            _paint_components(canvas, each.arrow, measures[each.arrow.dimension], halo)
    if len(drawn) > HALOES:
        simple = [n for n, each in enumerate(drawn) if _is_simple(each, n in cut)]
        _paint_many(canvas, [drawn[n] for n in simple])
        rest = [n for n in range(len(drawn)) if n not in set(simple)]
        cut = {k for k, n in enumerate(rest) if n in cut}
        drawn = [drawn[n] for n in rest]
    for n, each in enumerate(drawn):
        arrow = each.arrow
        draw_arrow(
            painter,
            each.root,
            each.tip,
            HEADS.get(arrow.type, FULL),
            QColor(t[role_of(arrow.dimension)]),
            halo,
            scale,
            double=arrow.couple,
            dashed=arrow.loose,
            broken=n in cut,
        )


def _is_simple(each: Drawn, cut: bool) -> bool:
    """True for an arrow that is neither dashed, doubled nor cut, and longer than a dot."""
    arrow, length = each.arrow, float(np.hypot(*(each.tip - each.root)))
    return not (arrow.couple or arrow.loose or cut) and length >= SHORTEST


def _paint_many(canvas: Canvas, drawn: Sequence[Drawn]) -> None:
    """Paint plain arrows without a halo, those of one kind in two strokes: among so many a halo is
    noise, and takes as much time as they do.
    """
    painter, scale = canvas.painter, canvas.scale
    kinds: dict[tuple[str, str], list[Drawn]] = {}
    for each in drawn:
        head = HEADS.get(each.arrow.type, FULL)
        kinds.setdefault((role_of(each.arrow.dimension), head), []).append(each)
    for (role, head), arrows in kinds.items():
        a, b = (np.array([getattr(x, end) for x in arrows]) for end in ("root", "tip"))
        length = np.linalg.norm(b - a, axis=1)[:, None]
        u = (b - a) / length
        n = np.column_stack([-u[:, 1], u[:, 0]])
        reach = np.minimum(HEAD * scale, HEAD_SHARE * length)
        half, back = HALF / HEAD * reach * n, b - reach * u
        lines = [QLineF(*x, *y) for x, y in zip(a.tolist(), (b if head == OPEN else back).tolist())]
        color = QColor(canvas.t[role])
        painter.setPen(QPen(color, WIDE * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        if head == OPEN:
            for side in (back + half, back - half):
                lines += [QLineF(*x, *y) for x, y in zip(side.tolist(), b.tolist())]
            painter.drawLines(lines)
            continue
        painter.drawLines(lines)
        other = back - (half if head == FULL else 0.5 * WIDE * scale * n)
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for corners in zip(b.tolist(), (back + 1.15 * half).tolist(), other.tolist()):
            path.addPolygon(QPolygonF([QPointF(*p) for p in corners]))
            path.closeSubpath()
        painter.fillPath(path, color)


def draw_arrow(
    painter: QPainter,
    a: np.ndarray,
    b: np.ndarray,
    head: str,
    color: QColor,
    halo: QColor,
    scale: float,
    double: bool = False,
    dashed: bool = False,
    broken: bool = False,
    wide: float = WIDE,
) -> None:
    """Paint an arrow between two points [px]. dashed: rigid bodies do not determine it. broken: it
    is cut.
    """
    length = float(np.hypot(*(b - a)))
    if length < SHORTEST:
        painter.setPen(QPen(halo, 3.0 * scale))
        painter.setBrush(color)
        painter.drawEllipse(QPointF(*a.tolist()), 2.6 * scale, 2.6 * scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        return
    u = (b - a) / length
    n = np.array([-u[1], u[0]])
    reach = min(HEAD * scale, HEAD_SHARE * length)
    half = HALF / HEAD * reach * n
    point = lambda p: QPointF(float(p[0]), float(p[1]))
    neck = b - (0.0 if head == OPEN else reach) * u
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    ends = [b, b - 0.7 * reach * u] if double else [b]
    for tone, extra in ((halo, 2.4), (color, 0.0)):
        pen = QPen(tone, (wide + extra) * scale, style, Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(point(a), point(neck))
        joined = Qt.PenJoinStyle.MiterJoin if head != OPEN else Qt.PenJoinStyle.RoundJoin
        for end in ends:
            back = end - reach * u
            if head == OPEN:
                pen = QPen(tone, (wide + extra) * scale)
                pen.setJoinStyle(joined)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                painter.drawPolyline(
                    QPolygonF([point(back + half), point(end), point(back - half)])
                )
                continue
            other = back - (half if head == FULL else 0.5 * wide * scale * n)
            corners = QPolygonF([point(end), point(back + 1.15 * half), point(other)])
            painter.setPen(QPen(tone, extra * scale) if extra else Qt.PenStyle.NoPen)
            painter.setBrush(tone)
            painter.drawPolygon(corners)
            painter.setBrush(Qt.BrushStyle.NoBrush)
    if broken:
        middle = 0.5 * (a + neck)
        painter.setPen(QPen(color, 1.6 * scale))
        for shift in (-2.5, 2.5):
            at = middle + shift * scale * u
            across = 4.0 * scale * (n + 0.4 * u)
            painter.drawLine(point(at - across), point(at + across))


def _paint_components(canvas: Canvas, arrow: Arrow, measure: Measure, halo: QColor) -> None:
    """The parts of an arrow along the axes of W, from its root."""
    along = np.diag(arrow.vector * measure.length / measure.value)
    whole = float(np.linalg.norm(arrow.vector))
    color = QColor(canvas.t[role_of(arrow.dimension)])
    color.setAlphaF(COMPONENT)
    flat = canvas.project(np.concatenate([arrow.root[None], arrow.root + along]))
    if not np.isfinite(flat).all() or (flat[:, 2] <= 0).any():
        return
    for k in range(3):
        if abs(arrow.vector[k]) > 1e-3 * whole:
            draw_arrow(
                canvas.painter,
                flat[0, :2],
                flat[1 + k, :2],
                HEADS.get(arrow.type, FULL),
                color,
                halo,
                canvas.scale,
                double=arrow.couple,
                wide=THIN,
            )
