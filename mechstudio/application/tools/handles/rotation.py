"""One drag about an axis: its angle from the pointer, in steps, or typed."""

import math

from mechstudio.application.tools.eye import Eye, on_plane
from mechstudio.application.tools.handles.drag import (
    FACING,
    LETTERS,
    Axes,
    Lock,
    Rigid,
    view_direction,
)
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.poses.motion import rotated_about
from mechstudio.model.geometry.rotation import IDENTITY, Pose, Triple, minus, plus
from mechstudio.model.geometry.work_plane import WorkPlane, cross, dot
from mechstudio.model.rounding import stepped
from mechstudio.model.units import format_value
from mechstudio.translation import tr

STEP = 0.5  # degrees between the angles of a free turn
SHIFT_STEP = 15.0  # the same with Shift


class Turning(Rigid):
    """A turn about an axis through the start; turns are counted on."""

    dimension = "angle"

    def __init__(
        self, context: ToolContext, start: Triple, axes: Axes, pointer: Pointer, axis: int
    ) -> None:
        super().__init__(context, start, axes, pointer, (axis, False))
        self.angle, self._raw = 0.0, 0.0

    @property
    def amount(self) -> float | None:
        return self.angle

    @property
    def axis(self) -> Triple:
        return self.axes[self.lock[0]]  # type: ignore[index]

    def _take_lock(self, lock: Lock) -> None:
        self.lock = (
            self._base if self.lock is not None and self.lock[0] == lock[0] else (lock[0], False)
        )
        self._raw = 0.0

    def _follow(self) -> None:
        eye = self._last.eye
        if eye is None:
            return
        found = self._swept(eye)
        # a full turn is not forgotten where the angle of the pointer jumps
        self._raw = found + 2 * math.pi * round((self._raw - found) / (2 * math.pi))
        typed = self.typed
        if typed is not None:
            self.angle = typed
        elif self._last.ctrl:
            self.angle = self._raw
        else:
            self.angle = math.radians(
                stepped(math.degrees(self._raw), SHIFT_STEP if self._last.shift else STEP)
            )

    def _swept(self, eye: Eye) -> float:
        """The angle from where the drag began to the pointer, as seen along the axis; where the
        axis lies across the view, along the arc.
        """
        n = self.axis
        if abs(dot(view_direction(eye, self.start), n)) >= FACING:
            plane = WorkPlane("", self.start, *_square_to(n))
            ends = [on_plane(eye, p.x, p.y, plane) for p in (self._from, self._last)]
            if ends[0] is not None and ends[1] is not None:
                a, b = (minus(e, self.start) for e in ends)  # type: ignore[arg-type]
                return math.atan2(dot(cross(a, b), n), dot(a, b))
        forward = cross(n, view_direction(eye, self.start))
        far = math.sqrt(dot(forward, forward))
        if far < 1e-9:
            return 0.0
        a, b = (
            eye.pixel_of(self.start),
            eye.pixel_of(plus(self.start, forward, 50.0 * eye.pixel_size(self.start) / far)),
        )
        if a is None or b is None:
            return 0.0
        way, reach = (b[0] - a[0], b[1] - a[1]), 60.0 * self.context.scale
        # the near side of the arc moves along axis x line of sight, turned back
        return (
            -((self._last.x - self._from.x) * way[0] + (self._last.y - self._from.y) * way[1])
            / (math.hypot(*way) or 1.0)
            / reach
        )

    @property
    def motion(self) -> Pose:
        return (
            rotated_about(self.start, self.axis, self.angle)
            if self.angle
            else ((0.0, 0.0, 0.0), IDENTITY)
        )

    @property
    def label(self) -> str:
        return tr("turn {angle}", angle=self._shown(self.angle))

    def words(self, own: bool) -> str:
        """By how much and about what, for the history: "30 deg about Z"."""
        assert self.lock is not None, "a turn is about an axis"
        return tr(
            "{angle} about {word}{lock}",
            angle=format_value(self.angle, "angle", self.context.units, 4),
            word=tr("its own ") if own else "",
            lock=LETTERS[self.lock[0]],
        )

    def sector(self, eye: Eye, radius: float) -> tuple[Triple, ...]:
        """The swept sector of a circle of so many pixels, as a polygon in W."""
        plane = WorkPlane("", self.start, *_square_to(self.axis))
        grip = on_plane(eye, self._from.x, self._from.y, plane)
        first = minus(grip, self.start) if grip is not None else plane.u
        far = math.sqrt(dot(first, first)) or 1.0
        u = plus((0.0, 0.0, 0.0), first, radius * eye.pixel_size(self.start) / far)
        v = cross(self.axis, u)
        sweep = min(max(self.angle, -2 * math.pi), 2 * math.pi)
        steps = max(2, int(abs(sweep) / 0.1) + 1)
        rim = [
            plus(plus(self.start, u, math.cos(sweep * k / steps)), v, math.sin(sweep * k / steps))
            for k in range(steps + 1)
        ]
        return (self.start, *rim)


def _square_to(n: Triple) -> tuple[Triple, Triple]:
    """Two unit directions u, v with u x v = n."""
    seed: Triple = (1.0, 0.0, 0.0) if abs(n[0]) < 0.8 else (0.0, 1.0, 0.0)
    u = minus(seed, plus((0.0, 0.0, 0.0), n, dot(seed, n)))
    far = math.sqrt(dot(u, u))
    u = plus((0.0, 0.0, 0.0), u, 1.0 / far)
    return u, cross(n, u)
