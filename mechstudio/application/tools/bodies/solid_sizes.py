"""Sizes of a solid being drawn from the position of the pointer, rounded."""

import math
from collections.abc import Callable
from typing import NamedTuple

from mechstudio.application.tools.bodies.solid_stages import Stage
from mechstudio.application.tools.eye import nearest_on_line
from mechstudio.application.tools.snapping.snap import Snap
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.geometry.rotation import Triple, minus
from mechstudio.model.geometry.work_plane import WorkPlane, dot
from mechstudio.model.rounding import step_above, stepped

STILL = 5.0  # pixels that the pointer moves after a click before it sets the next number
COARSE = 3.0  # pixels of one step of a rounded length
# cosine from which the view counts as along the normal, so that no depth can be pointed at
ALONG_VIEW = 0.94


class PointedSizes(NamedTuple):
    """One stage of a drawing with the position of the pointer.

    plane: of the drawing. standing: the solid stands on that plane as on a face. points: clicked
    before [m, W]. here: snap of the pointer in the plane. begun: pixel of the last click. foot: its
    place in W. units: of the rounding.
    """

    stage: Stage
    plane: WorkPlane
    standing: bool
    points: tuple[Triple, ...]
    here: Snap
    pointer: Pointer
    begun: tuple[float, float]
    foot: Triple | None
    units: str

    def measured(self, default: Callable[[str], float]) -> dict[str, float]:
        """Sizes of the stage by name [m, rad], those of a box with the sign of their direction;
        empty while the pointer sets none.

        default(name): a size without the pointer [m].
        """
        here, pointer, kind = self.here, self.pointer, self.stage.kind
        (u, v), (a, b) = (
            self.plane.to_plane(p)
            for p in (here.point, self.points[-1] if kind == "corners" else self.points[0])
        )
        u, v, least = u - a, v - b, 0.2 * STILL * pointer.pixel
        if kind == "across":
            name = self.stage.numbers[0][0]
            return {name: depth} if (depth := self._depth(default(name))) else {}
        if kind == "off":
            c, d = self.plane.to_plane(self.points[1])
            off = abs(u * (d - b) - v * (c - a)) / math.hypot(c - a, d - b)
            name = self.stage.numbers[0][0]
            return (
                {name: self.rounded(off * (2.0 if name == "width" else 1.0))}
                if off > least and self._moved()
                else {}
            )
        if math.hypot(u, v) <= least:
            return {}
        if kind == "radius":
            return {"radius": self.rounded(math.hypot(u, v))}
        own = (lambda length: length) if here.grid else self.rounded
        if kind == "corner":
            if pointer.shift:
                side = self.rounded(max(abs(u), abs(v)))
                return {"width": math.copysign(side, u), "height": math.copysign(side, v)}
            return {"width": own(u), "height": own(v)}
        return {"length": own(math.hypot(u, v)), "angle": math.atan2(v, u)}

    def rounded(self, length: float) -> float:
        """A length rounded to a step of some pixels; exact while Ctrl is held or the pointer is
        snapped to a point of the drawing.
        """
        here = self.here
        caught = bool(here.word) and not here.grid and (here.shape != "angle" or here.as_long)
        if self.pointer.ctrl or caught:
            return length
        return stepped(length, step_above(COARSE * self.pointer.pixel, self.units))

    def _moved(self) -> bool:
        """True if the pointer has left the place of the last click."""
        return (
            self.pointer.eye is None
            or math.dist(self.begun, (self.pointer.x, self.pointer.y)) >= STILL
        )

    def _depth(self, default: float) -> float:
        """Thickness of the solid from the pointer [m]; zero while it sets none."""
        eye, n = self.pointer.eye, self.plane.normal
        if eye is None or self.foot is None or not self._moved():
            return 0.0
        both = 1.0 if self.standing else 2.0  # a solid centred on its plane grows on both sides
        if abs(dot(eye.back, n)) < ALONG_VIEW:
            p = nearest_on_line(eye, self.pointer.x, self.pointer.y, self.foot, n)
            return 0.0 if p is None else both * self.rounded(abs(dot(minus(p, self.foot), n)))
        grown = default + 2.0 * self.pointer.pixel * (self.begun[1] - self.pointer.y)
        return max(self.rounded(grown), self.rounded(2 * COARSE * self.pointer.pixel))
