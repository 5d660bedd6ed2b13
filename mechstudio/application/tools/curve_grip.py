"""Ctrl-drag of an element or a named point carries what is usually plotted of it to a pane of the
plots.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from mechstudio.application.plots.choice import usual, usual_of_point
from mechstudio.application.tools.handles.grip import Grip
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.fields import find
from mechstudio.model.geometry.rotation import transform

STARTS_AFTER = 3.0  # pixels before a press becomes a drag
NEAR = 8.0  # pixels from the ring of a named point


class _Load(NamedTuple):
    """Load of the pointer: keys of quantities, and words."""

    keys: tuple[str, ...] = ()
    words: str = ""


class CurveGrip(Grip):
    """The drawing stays as it is; the window lets the pointer carry the curves."""

    looks, at_any_time = False, True

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.drop()

    def drop(self) -> None:
        """Forget what was pressed."""
        super().drop()
        self._load, self._from, self._carries = _Load(), (0.0, 0.0), False

    @property
    def dragging(self) -> bool:
        """True from where the pointer carries something."""
        return self._carries

    def takes(self, pointer: Pointer) -> bool:
        """True with Ctrl over an element or a named point that has curves."""
        return pointer.ctrl and bool(self._under(pointer).keys)

    def press(self, pointer: Pointer) -> None:
        """Remember what is there, and the place."""
        self.drop()
        self._load, self._from = self._under(pointer), (pointer.x, pointer.y)

    def move(self, pointer: Pointer) -> None:
        """Let the window carry it once the pointer has moved."""
        away = math.dist((pointer.x, pointer.y), self._from)
        if self._load.keys and not self._carries and away >= STARTS_AFTER:
            self._carries = True
            self.context.carried.emit(*self._load)

    def release(self, pointer: Pointer) -> None:
        """Nothing is left active."""
        self.drop()

    def _under(self, pointer: Pointer) -> _Load:
        """The nearest named point whose ring is under the pointer, else the element there."""
        document = self.context.document
        near = min(self._points(pointer), default=None)
        if near is not None and near[0] <= NEAR * self.context.scale:
            _, body, name = near
            words = f"{document.project.mechanism.body(body).name}.{name}"
            return _Load(usual_of_point(document.project, body, name), words)
        if not pointer.element:
            return _Load()
        keys = usual(document.project, pointer.element)
        return _Load(keys, find(document.project, pointer.element).name) if keys else _Load()

    def _points(self, pointer: Pointer) -> Iterator[tuple[float, str, str]]:
        """Distance [px], body and name of the points that have a ring: those of selected bodies."""
        m, poses = self.context.document.project.mechanism, self.context.shown()
        if pointer.eye is None:
            return
        for id in self.context.selection.selected:
            if id not in m.bodies:
                continue
            pose = poses.get(id, m.bodies[id].placement.pose)
            for point in m.bodies[id].points:
                at = pointer.eye.pixel_of(transform(pose, m.bodies[id].point(point.name)))
                if at is not None:
                    yield math.dist(at, (pointer.x, pointer.y)), id, point.name
