"""Contacts painted over the scene: a square sticks, a ring slides, a dot is near; the friction cone
stands on the normal, and the force lies in it.

Everything is projected in one go and stroked in a few calls: a picture of hundreds of contacts
costs about as much as one of ten.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from mechstudio.application.contact_display import APART, SLIDING, STICKING, InstantContacts
from mechstudio.application.scene.scene import Measure
from mechstudio.model.project import Camera
from mechstudio.translation import tr
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays.canvas import Canvas
from mechstudio.view.scene.overlays.overlay import write_near

CONES = 60  # contacts up to which friction cones are drawn; more would hide the surfaces
HALOES = 16  # up to which they have a halo, which costs ten times as much as they do
NAMED = 12  # bodies up to which the strongest arrow of each says on which body it acts
HIDDEN = 0.35  # strength of those before which bodies stand
ARROWS = 200  # the same for arrows
SIDE = 1.5  # length of a cone's side and of a normal, in glyphs
RIM = np.linspace(0.0, 2.0 * np.pi, 21)[:-1]
HEAD, HALF_HEAD = 8.0, 3.4  # an arrow's head [px]
CATCH = 7.0  # px from a mark within which the pointer means it
RING = 9.0  # px, around a contact that glows
MARK = 3.3  # half side of a square, radius of a ring [px]
LONGEST = 14.0  # glyphs; a blow is cut there, and shows that it is
ROLES = {STICKING: "text", SLIDING: "velocity", APART: "text3"}


def paint_contacts(
    canvas: Canvas,
    contacts: InstantContacts,
    measure: Measure,
    glyph: float,
    lit: frozenset[str] = frozenset(),
) -> None:
    """Paint the contacts, faintly those before which bodies stand.  measure: the scale of the
    arrows.  glyph: radius of a joint's glyph [m], by which cones are sized.  lit: names of contacts
    that glow, and of bodies.
    """
    hidden = canvas.hides(contacts.point)
    for kept, strength in ((hidden, HIDDEN), (~hidden, 1.0)):
        if kept.any():
            canvas.painter.setOpacity(strength)
            _paint_some(canvas, _some(contacts, kept), measure, glyph, lit)
    canvas.painter.setOpacity(1.0)


def _some(contacts: InstantContacts, kept: np.ndarray) -> InstantContacts:
    """Contacts of a mask (n,)."""
    names = tuple(name for name, keep in zip(contacts.names, kept) if keep)
    return InstantContacts._make([*(part[kept] for part in contacts[:-1]), names])


def _along(
    contacts: InstantContacts, measure: Measure, glyph: float
) -> tuple[np.ndarray, np.ndarray]:
    """Arrows (n, 3) of the forces in W [m], and which of them are cut (n,)."""
    along = contacts.force * (measure.length / measure.value)
    reach = np.linalg.norm(along, axis=1)
    cut = reach > LONGEST * glyph
    along[cut] *= (LONGEST * glyph / reach[cut])[:, None]
    return along, cut


def name_contacts(
    canvas: Canvas,
    contacts: InstantContacts,
    measure: Measure,
    glyph: float,
    names: Sequence[str],
    placer: Placer,
    lit: frozenset[str] = frozenset(),
) -> None:
    """Keep words off contacts, and write at the tips of arrows on which body they act.  names: of
    the bodies in file order.
    """
    active = np.flatnonzero(contacts.state != APART)
    along, _ = _along(contacts, measure, glyph)
    ends = canvas.project(np.concatenate([contacts.point, contacts.point + along]))
    ends = ends.reshape(2, -1, 3)
    for k in active[:ARROWS]:
        a, b = ends[0, k], ends[1, k]
        if np.isfinite((a, b)).all() and min(a[2], b[2]) > 0 and np.abs((a, b)).max() < 1e5:
            placer.block_line(a[:2], b[:2], 2.0 * MARK * canvas.scale)
    for k in _named(contacts, active, lit):
        body, (x, y, depth) = int(contacts.bodies[k, 1]), ends[1, k].tolist()
        if depth > 0 and np.isfinite((x, y)).all():
            words, key = tr("on {body}", body=names[body]), f"contact {body}"
            write_near(canvas, placer, words, x, y, "text2", 5.0 * canvas.scale, key=key)


def _named(contacts: InstantContacts, active: np.ndarray, lit: frozenset[str]) -> list[int]:
    """Contacts whose arrows say on which body they act: the strongest of each body where there are
    few bodies, and those that glow.
    """
    strongest: dict[int, int] = {}
    for k in active[np.argsort(np.linalg.norm(contacts.force[active], axis=1))].tolist():
        strongest[int(contacts.bodies[k, 1])] = k
    strongest.pop(-1, None)
    kept = list(strongest.values()) if len(strongest) <= NAMED else []
    glowing = [k for k in active.tolist() if contacts.names and contacts.names[k] in lit]
    return list(dict.fromkeys(k for k in (*kept, *glowing) if contacts.bodies[k, 1] >= 0))


def _paint_some(
    canvas: Canvas, contacts: InstantContacts, measure: Measure, glyph: float, lit: frozenset[str]
) -> None:
    painter, t, scale, count = canvas.painter, canvas.t, canvas.scale, len(contacts.point)
    along, cut = _along(contacts, measure, glyph)
    tips = (contacts.point + SIDE * glyph * contacts.normal, contacts.point + along)
    flat = canvas.project(np.concatenate([contacts.point, *tips])).reshape(3, count, 3)
    seen = np.isfinite(flat).all(axis=(0, 2)) & (flat[:, :, 2] > 0).all(axis=0)
    active = seen & (contacts.state != APART)
    halo = QColor(t["view_top"])
    halo.setAlphaF(0.8)
    if active.sum() <= CONES:
        _paint_cones(canvas, contacts, active, glyph, halo)
    if active.sum() <= ARROWS:
        lines = [
            QLineF(*a, *b)
            for a, b in zip(flat[0, active, :2].tolist(), flat[1, active, :2].tolist())
        ]
        _stroke(painter, lines, QColor(t["text3"]), halo, 1.0 * scale)
        _paint_arrows(
            painter,
            flat[0, active, :2],
            flat[2, active, :2],
            cut[active],
            QColor(t["vector"]),
            halo,
            scale,
        )
    _paint_lit(
        painter,
        [
            flat[0, k, :2]
            for k in np.flatnonzero(seen)
            if contacts.names and contacts.names[k] in lit
        ],
        t,
        scale,
    )
    for state in (APART, SLIDING, STICKING):
        _paint_points(
            painter,
            flat[0, seen & (contacts.state == state), :2],
            state,
            QColor(t[ROLES[state]]),
            QColor(t["view_top"]),
            scale,
        )


def contact_mark_at(
    contacts: InstantContacts,
    camera: Camera,
    size: tuple[float, float],
    x: float,
    y: float,
    scale: float = 1.0,
) -> str:
    """The name of the contact whose mark is under a pixel, the nearest; "" for none.  What is only
    near is passed by.
    """
    kept = np.flatnonzero(contacts.state != APART)
    if not len(kept) or not contacts.names:
        return ""
    flat = lens.project(camera, size, contacts.point[kept])
    away = np.where(flat[:, 2] > 0, np.hypot(flat[:, 0] - x, flat[:, 1] - y), np.inf)
    k = int(np.nanargmin(np.where(np.isfinite(away), away, 1e9)))
    return contacts.names[kept[k]] if away[k] <= CATCH * scale else ""


def _paint_lit(
    painter: QPainter, places: list[np.ndarray], t: dict[str, Any], scale: float
) -> None:
    """Rings round contacts that are pointed at, here or in another panel."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, wide in ((QColor(t["view_top"]), 4.4), (QColor(t["accent"]), 2.2)):
        painter.setPen(QPen(ink, wide * scale))
        for p in places:
            painter.drawEllipse(QPointF(*p.tolist()), RING * scale, RING * scale)


def _stroke(
    painter: QPainter, lines: list[QLineF], color: QColor, halo: QColor, width: float
) -> None:
    """Lines in one colour; a halo lets few of them stand out, of many it would cost more than it
    shows.
    """
    for tone, wide in ((halo, width + 2.2), (color, width)):
        if tone is color or len(lines) <= CONES:
            painter.setPen(QPen(tone, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLines(lines)


def _paint_cones(
    canvas: Canvas, contacts: InstantContacts, shown: np.ndarray, glyph: float, halo: QColor
) -> None:
    """A cone of the angle atan μ about each normal."""
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    kept = np.flatnonzero(shown & (contacts.friction > 0))
    if not len(kept):
        return
    n, mu, tip = contacts.normal[kept], contacts.friction[kept, None], contacts.point[kept]
    across = np.cross(n, np.eye(3)[np.abs(n).argmin(axis=1)])
    across /= np.linalg.norm(across, axis=1)[:, None]
    high = SIDE * glyph / np.hypot(1.0, mu)
    ring = (
        np.cos(RIM)[None, :, None] * across[:, None]
        + np.sin(RIM)[None, :, None] * np.cross(n, across)[:, None]
    )
    rim = (tip + high * n)[:, None] + (high * mu)[:, None] * ring
    corners = np.concatenate([tip[:, None], rim], axis=1).reshape(-1, 3)
    flat = canvas.project(corners).reshape(len(kept), -1, 3)
    seen = np.isfinite(flat).all(axis=(1, 2)) & (flat[:, :, 2] > 0).all(axis=1)
    for state in (STICKING, SLIDING):
        fills, edges = QPainterPath(), QPainterPath()
        fills.setFillRule(Qt.FillRule.WindingFill)
        for corners in flat[seen & (contacts.state[kept] == state), :, :2]:
            around = [QPointF(x, y) for x, y in corners[1:].tolist()]
            edge = QPolygonF(around)
            edges.addPolygon(edge)
            edges.closeSubpath()
            sides = _silhouette(corners[0], corners[1:])
            if sides:
                first, last = around[sides[0]], around[sides[1]]
                edges.addPolygon(QPolygonF([first, QPointF(*corners[0].tolist()), last]))
                fills.addPolygon(QPolygonF([first, QPointF(*corners[0].tolist()), last, first]))
            fills.addPolygon(edge)
        color, soft = QColor(t[ROLES[state]]), QColor(t[ROLES[state]])
        soft.setAlphaF(0.12)
        color.setAlphaF(0.75)
        painter.fillPath(fills, soft)
        if len(kept) <= HALOES:
            # a body may have nearly the colour of the lines
            painter.strokePath(edges, QPen(halo, 3.0 * scale))
            color.setAlphaF(1.0)
        painter.strokePath(edges, QPen(color, scale))


def _silhouette(tip: np.ndarray, edge: np.ndarray) -> tuple[int, ...]:
    """The two points of the rim at which the sides of a cone seem to end; none where the eye looks
    into it.
    """
    d = edge - tip
    middle = d.mean(axis=0)
    angles = np.arctan2(middle[0] * d[:, 1] - middle[1] * d[:, 0], d @ middle)
    low, high = int(angles.argmin()), int(angles.argmax())
    return (low, high) if angles[high] - angles[low] < np.pi else ()


def _paint_arrows(
    painter: QPainter,
    start: np.ndarray,
    end: np.ndarray,
    cut: np.ndarray,
    color: QColor,
    halo: QColor,
    scale: float,
) -> None:
    """Forces; one that is cut has two strokes across, as a broken axis has."""
    d = end - start
    length = np.linalg.norm(d, axis=1)
    long = length > 2.0
    u = d[long] / length[long, None]
    side = np.stack([-u[:, 1], u[:, 0]], axis=1)
    tip, head = end[long], np.minimum(HEAD * scale, 0.6 * length[long])[:, None]
    neck, half = tip - head * u, (HALF_HEAD / HEAD) * head * side
    _stroke(
        painter,
        [QLineF(*a, *b) for a, b in zip(start[long].tolist(), neck.tolist())],
        color,
        halo,
        2.0 * scale,
    )
    painter.setPen(QPen(halo, 1.2 * scale))
    painter.setBrush(color)
    for a, b, c in zip(tip.tolist(), (neck + half).tolist(), (neck - half).tolist()):
        painter.drawPolygon(QPolygonF([QPointF(*a), QPointF(*b), QPointF(*c)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    broken = cut[long]
    middle = 0.5 * (start[long] + tip)[broken]
    strokes = [
        QLineF(
            *(m + o * along - 5 * scale * s - 2 * scale * along),
            *(m + o * along + 5 * scale * s + 2 * scale * along),
        )
        for m, along, s in zip(middle, u[broken], side[broken])
        for o in (-2.5 * scale, 2.5 * scale)
    ]
    if strokes:
        _stroke(painter, strokes, color, halo, 1.4 * scale)


def _paint_points(
    painter: QPainter, at: np.ndarray, state: int, color: QColor, ground: QColor, scale: float
) -> None:
    """The marks of contacts of one kind; by a pen with square or round ends, one call paints all of
    them.
    """
    if not len(at):
        return
    points = QPolygonF([QPointF(x, y) for x, y in at.tolist()])
    if len(at) > ARROWS:
        # a granular heap: a fleck each
        painter.setPen(QPen(color, 3.0 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
        painter.drawPoints(points)
        return
    r = (1.8 if state == APART else MARK) * scale
    cap = Qt.PenCapStyle.SquareCap if state == STICKING else Qt.PenCapStyle.RoundCap
    r = r * 1.2 if state == SLIDING else r
    dots = [(ground, 2 * r + 2.4 * scale), (color, 2 * r)] + (
        [(ground, 2 * r - 3.4 * scale)] if state == SLIDING else []
    )
    for tone, wide in dots:
        painter.setPen(QPen(tone, wide, Qt.PenStyle.SolidLine, cap))
        painter.drawPoints(points)
