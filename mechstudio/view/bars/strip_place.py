"""Place of the strip of tools in the scene: the edge where nothing is drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model.geometry.outline import convex_hull
from mechstudio.view.bars.tool_strip import Form, ToolStrip

# in the order in which they are preferred
LEFT, RIGHT, TOP, BOTTOM = SIDES = ("left", "right", "top", "bottom")
# what may be covered before another edge is looked for, and part of it that another one may cover
FEW, BETTER = 150.0, 0.4  # [px²]
REST_MS = 400


class Around(NamedTuple):
    """Room that the rest over the scene takes [px].

    size: of the scene.  edge: to it.  shown: the button at the upper left.  cube: side of the
    square at the upper right.  ruler: height of the ruler at the lower left.  badge: of the work
    plane, at the lower right.
    """

    size: QtCore.QSize
    edge: int
    shown: QtCore.QSize
    cube: int
    ruler: int
    badge: QtCore.QSize


class Place(NamedTuple):
    """Form of the strip at an edge, and its room [px]."""

    form: Form
    room: QtCore.QRect


def places(around: Around, strip: ToolStrip) -> dict[str, Place]:
    """Place of the strip at each edge."""
    wide, tall, edge = around.size.width(), around.size.height(), around.edge
    low = edge + max(around.ruler, around.badge.height())
    begin = edge + around.shown.width() + edge

    def place(upright: bool, length: int, at: Callable[[QtCore.QSize], tuple[int, int]]) -> Place:
        form = strip.form(upright, length)
        size = strip.size_of(form)
        return Place(form, QtCore.QRect(QtCore.QPoint(*at(size)), size))

    return {
        LEFT: place(True, tall - 2 * edge - around.ruler, lambda size: (edge, edge)),
        RIGHT: place(
            True,
            tall - around.cube - edge // 2 - low,
            lambda size: (wide - edge - size.width(), around.cube),
        ),
        TOP: place(False, wide - begin - around.cube - edge, lambda size: (begin, edge)),
        BOTTOM: place(
            False, wide - 2 * edge, lambda size: (edge, tall - low - edge // 2 - size.height())
        ),
    }


def outlines(flat: Sequence[np.ndarray]) -> list[QtGui.QPolygonF]:
    """Outlines of bodies in the picture.  flat: points of each, (k, 2) [px]."""
    found = []
    for points in flat:
        seen = _ends(points[np.isfinite(points).all(axis=1)])
        if len(seen):
            corners = convex_hull([(x, y) for x, y in seen.tolist()])
            found.append(QtGui.QPolygonF([QtCore.QPointF(x, y) for x, y in corners]))
    return found


def _ends(points: np.ndarray) -> np.ndarray:
    """The highest and the lowest point of each column of pixels, (k, 2), whose hull is that of all
    points to a pixel: solids have thousands, and the hull is found one by one.
    """
    across = np.round(points[:, 0])
    order = np.lexsort((points[:, 1], across))
    turns = np.flatnonzero(np.diff(across[order])) + 1
    ends = np.concatenate(([0], turns, turns - 1, [len(order) - 1]))
    return points[order[ends]] if len(points) else points


def covered(room: QtCore.QRect, bodies: Sequence[QtGui.QPolygonF]) -> float:
    """Area of bodies below a room [px²]."""
    frame = QtGui.QPolygonF(QtCore.QRectF(room))
    return sum(_area(body.intersected(frame)) for body in bodies)


def _area(polygon: QtGui.QPolygonF) -> float:
    points = polygon.toList()
    crosses = (p.x() * q.y() - q.x() * p.y() for p, q in zip(points, points[1:] + points[:1]))
    return 0.5 * abs(sum(crosses))


def best_side(now: str, found: Mapping[str, Place], bodies: Sequence[QtGui.QPolygonF]) -> str:
    """The usual edge where nothing is drawn there, else the present one as long as it covers next
    to nothing, else the one that covers least.
    """
    cost = {side: covered(place.room, bodies) for side, place in found.items()}
    if cost[LEFT] == 0.0 or (now != LEFT and cost[LEFT] <= cost[now]):
        return LEFT
    if cost[now] <= FEW:
        return now
    least = min(SIDES, key=lambda side: cost[side])
    return least if cost[least] < BETTER * cost[now] else now


class StripPlace(QtCore.QObject):
    """Keeps the strip where nothing is drawn.  moved: it stands at another edge.  side: its edge.

    It looks when the picture has come to rest, and never moves below the pointer.
    """

    moved = QtCore.Signal()

    def __init__(
        self,
        strip: ToolStrip,
        bodies: Callable[[], Sequence[np.ndarray]],
        is_busy: Callable[[], bool],
    ) -> None:
        """bodies(): points of each body in the picture, (k, 2) [px].  is_busy(): the picture is not
        at rest, or something is being drawn.
        """
        super().__init__(strip)
        self._strip, self._bodies, self._is_busy = strip, bodies, is_busy
        self.side = LEFT
        self._places: dict[str, Place] = {}
        self._late = QtCore.QTimer(self, singleShot=True, interval=REST_MS)
        self._late.timeout.connect(self._look)

    def soon(self) -> None:
        """Look once the picture is at rest."""
        self._late.start()

    def stop(self) -> None:
        """Look no more."""
        self._late.stop()

    def arrange(self, around: Around) -> None:
        """Stand at the edge, in a scene as it is now."""
        self._places = places(around, self._strip)
        form, room = self._places[self.side]
        self._strip.take_form(form)
        self._strip.move(room.topLeft())
        self._strip.raise_()
        self.soon()

    def _look(self) -> None:
        if not self._strip.isVisible() or not self._places:
            return
        held = QtWidgets.QApplication.mouseButtons() != QtCore.Qt.MouseButton.NoButton
        menu = QtWidgets.QApplication.activePopupWidget() is not None
        if held or menu or self._strip.underMouse() or self._is_busy():
            self.soon()
            return
        side = best_side(self.side, self._places, outlines(self._bodies()))
        if side != self.side:
            self.side = side
            self.moved.emit()
