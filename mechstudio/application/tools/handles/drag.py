"""One straight drag of a handle: along an axis, in a plane or freely, with locks by X, Y and Z,
steps, snapping and typed numbers.
"""

import math
from abc import ABC, abstractmethod

from mechstudio.application.tools.entry import Entry
from mechstudio.application.tools.eye import Eye, nearest_on_line, on_plane
from mechstudio.application.tools.snapping.snap import Snap, angle_of, snap
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.links import WorkPlane, distance
from mechstudio.model.edits.poses.motion import shifted_by
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Pose, Triple, minus, plus
from mechstudio.model.geometry.work_plane import dot
from mechstudio.model.rounding import step_below, stepped
from mechstudio.model.units import format_value
from mechstudio.translation import tr

STARTS_AFTER = (
    3.0  # pixels, summed along both axes: less than those that begin a rotation of the view
)
FACING = 0.3  # cosine between line of sight and a plane's normal below which it allows no drag
LETTERS = "XYZ"
WORLD: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
Axes = tuple[Triple, Triple, Triple]
Lock = tuple[int, bool]  # an axis, and whether the drag keeps to the plane across it instead


def view_direction(eye: Eye, point: Triple) -> Triple:
    """Unit line of sight through a point of W; for a point behind the camera the central one."""
    at = eye.pixel_of(point)
    return eye.ray(*at)[1] if at is not None else plus((0.0, 0.0, 0.0), eye.back, -1.0)


class Drag(ABC):
    """Base of all drags: keys, the typed number and the last pointer.

    start: place of the dragged element before the drag [m, W].  axes: unit directions that X, Y and
    Z lock.  lock: axis or plane that the drag keeps to now; None for nothing.
    """

    dimension = "length"

    def __init__(
        self, context: ToolContext, start: Triple, axes: Axes, pointer: Pointer, lock: Lock | None
    ) -> None:
        self.context, self.start, self.axes, self.lock = context, start, axes, lock
        self._base, self._from, self._last = lock, pointer, pointer
        self.entry = Entry(context, self.dimension, names=True)
        self.begun = False

    @property
    @abstractmethod
    def label(self) -> str:
        """Text beside the cursor."""

    def move(self, pointer: Pointer) -> None:
        """Handle a motion of the pointer; `begun`: whether it is far enough for a drag."""
        self._last = pointer
        self.begun = (
            self.begun
            or abs(pointer.x - self._from.x) + abs(pointer.y - self._from.y) >= STARTS_AFTER
        )
        if self.begun:
            self._follow()

    def key(self, key: str) -> bool:
        """Handle a key of a lock or a number. Returns whether it was used."""
        if not self.entry.text and len(key) == 1 and key.upper() in LETTERS:
            k = LETTERS.index(key.upper())
            self._take_lock((k, key.isupper()))
        elif not self.entry.key(key):
            return False
        self.begun = True
        self._follow()
        return True

    def wants(self, key: str) -> bool:
        return (
            key in ("escape", "enter")
            or (len(key) == 1 and key.upper() in LETTERS)
            or self.entry.wants(key)
        )

    def _take_lock(self, lock: Lock) -> None:
        """Lock the drag to an axis or plane; the same again restores the initial lock."""
        self.lock = (
            self._base
            if self.lock == lock and self._base != lock
            else None
            if self.lock == lock
            else lock
        )

    def accept(self) -> bool:
        """Handle Enter. Returns whether the typed text is a valid number for this drag; if not, the
        message has the reason.
        """
        if not self.entry.text:
            return True
        self.entry.now = self.amount
        try:
            self.entry.value()
        except ExpressionError as error:
            self.context.message = str(error)
            return False
        self.context.message = ""
        self._follow()
        return True

    @property
    def free(self) -> tuple[int, ...]:
        """Axes of the lock: one, two of a plane, none without a lock."""
        if self.lock is None:
            return ()
        return (
            (self.lock[0],) if not self.lock[1] else tuple(k for k in range(3) if k != self.lock[0])
        )

    @property
    def eye(self) -> Eye | None:
        """The camera at the last event."""
        return self._last.eye

    @property
    def pointer(self) -> Pointer:
        """The last event."""
        return self._last

    @property
    def amount(self) -> float | None:
        """Value of the number that can be typed, from the pointer [SI]; None if it is not one
        number.
        """
        return None

    @property
    def typed(self) -> float | None:
        """The number typed so far [SI]; None if it is none yet."""
        if not self.entry.text:
            return None
        try:
            return self.entry.value()[0]
        except ExpressionError:
            return None

    def _shown(self, value: float) -> str:
        """Text of a number beside the cursor: the typed text, else the value from the pointer."""
        return (
            self.entry.text + "▏"
            if self.entry.text
            else format_value(value, self.dimension, self.context.units, 4)
        )

    @abstractmethod
    def _follow(self) -> None:
        """Update the drag from the pointer and the typed number."""


class Rigid(Drag, ABC):
    """A drag that moves the selection as one rigid piece."""

    @property
    @abstractmethod
    def motion(self) -> Pose:
        """The motion so far."""


class Travel(Rigid):
    """A straight drag.

    now: place of the dragged element. here: the snap, None without one.  anchor: the other end of a
    link, from which the typed number and the directions of Shift count.  exclude, exclude_bodies:
    features that it must not snap to; it snaps to nothing without `snaps`.
    """

    def __init__(
        self,
        context: ToolContext,
        start: Triple,
        axes: Axes,
        pointer: Pointer,
        lock: Lock | None = None,
        anchor: Triple | None = None,
        exclude: frozenset[Triple] = frozenset(),
        exclude_bodies: frozenset[str] = frozenset(),
        snaps: bool = True,
    ) -> None:
        super().__init__(context, start, axes, pointer, lock)
        self.now, self.anchor = start, anchor
        self.here: Snap | None = None
        self._exclude, self._exclude_bodies, self._snaps = exclude | {start}, exclude_bodies, snaps

    @property
    def word(self) -> str:
        """Name of the place that the drag was snapped to, in words; empty if there is none."""
        return self.here.word if self.here is not None else ""

    def _follow(self) -> None:
        eye = self._last.eye
        self.here = None
        if eye is None:
            return
        if self.lock is not None and not self.lock[1]:
            self._along(eye, self.axes[self.lock[0]])
        else:
            self._across(eye)

    def _along(self, eye: Eye, axis: Triple) -> None:
        ends = [nearest_on_line(eye, p.x, p.y, self.start, axis) for p in (self._from, self._last)]
        value = self.typed
        if value is None:
            if (
                ends[0] is None or ends[1] is None
            ):  # the axis points at the viewer: no distance can be read
                return
            value = self._step(dot(minus(ends[1], ends[0]), axis), eye)
        self.now = plus(self.start, axis, value)

    def _across(self, eye: Eye) -> None:
        plane = self._plane(eye)
        first, last = (on_plane(eye, p.x, p.y, plane) for p in (self._from, self._last))
        if first is None or last is None:
            return
        u, v = plane.to_plane(plus(plane.origin, minus(last, first)))
        here = self._caught(eye, plane, plus(self.start, minus(last, first)))
        if here is not None:
            self.now, self.here = here.point, here
        else:
            self.now = plus(
                plus(self.start, plane.u, self._step(u, eye)), plane.v, self._step(v, eye)
            )
        value = self.typed
        if value is not None:
            begin = self.start if self.anchor is None or self.lock is not None else self.anchor
            way = minus(self.now, begin)
            far = math.sqrt(dot(way, way))
            self.now, self.here = (
                plus(begin, way, value / far) if far > 0 else plus(begin, plane.u, value),
                None,
            )

    def _caught(self, eye: Eye, plane: WorkPlane, free: Triple) -> Snap | None:
        """Snap place of a free place; None for nothing."""
        rotated = self._last.shift and self.anchor is not None and self.lock is None
        if (
            self._last.ctrl
            or (self._last.shift and not rotated)
            or (not self._snaps and not rotated)
        ):
            return None
        flat = frozenset(plane.to_world(*plane.to_plane(p)) for p in self._exclude)
        here = snap(
            self.context.document.project,
            self._grid(plane),
            self.context.grid,
            _at(self._last, free, eye.pixel_size(self.start)),
            self.anchor if self.lock is None else None,
            flat,
            self._exclude_bodies,
        )
        return here if here is not None and here.word else None

    def _plane(self, eye: Eye) -> WorkPlane:
        """The plane of the drag through the start: across a locked axis, along the work plane, or
        parallel to the screen.
        """
        if self.lock is not None:
            u, v = (self.axes[(self.lock[0] + k) % 3] for k in (1, 2))
            return WorkPlane("", self.start, u, v)
        plane = self.context.plane
        if abs(dot(view_direction(eye, self.start), plane.normal)) >= FACING:
            return WorkPlane("", self.start, plane.u, plane.v)
        return WorkPlane("", self.start, eye.right, eye.up)

    def _grid(self, plane: WorkPlane) -> WorkPlane:
        """The same plane with the work plane's own origin for its grid."""
        own = self.context.plane
        if (plane.u, plane.v) != (own.u, own.v):
            return plane
        return WorkPlane(
            "",
            plus(own.origin, own.normal, dot(minus(self.start, own.origin), own.normal)),
            own.u,
            own.v,
        )

    def _step(self, value: float, eye: Eye) -> float:
        """A length rounded to its steps: those of the grid with Shift, none with Ctrl, else those
        of a pixel.
        """
        if self._last.ctrl:
            return value
        return stepped(
            value,
            self.context.grid
            if self._last.shift
            else step_below(eye.pixel_size(self.start), self.context.units),
        )

    @property
    def amount(self) -> float | None:
        if self.lock is not None and not self.lock[1]:
            return dot(self.shift, self.axes[self.lock[0]])
        return distance(self.start if self.anchor is None else self.anchor, self.now)

    @property
    def shift(self) -> Triple:
        """Displacement since the start [m, W]."""
        return minus(self.now, self.start)

    @property
    def motion(self) -> Pose:
        return shifted_by(self.shift)

    @property
    def label(self) -> str:
        """Label of the displacement, per axis; from the anchor its distance and direction."""
        if self.lock is not None and not self.lock[1]:
            return (
                f"Δ{LETTERS[self.lock[0]]} {self._shown(dot(self.shift, self.axes[self.lock[0]]))}"
            )
        if self.anchor is not None and self.lock is None:
            return f"{self._shown(distance(self.anchor, self.now))}   {self._direction()}"
        if self.entry.text:
            return f"Δ {self._shown(0.0)}"
        parts = [
            (k, dot(self.shift, a))
            for k, a in enumerate(self.axes)
            if self.lock is None or k != self.lock[0]
        ]
        tell = [
            f"Δ{LETTERS[k]} {self._shown(x)}"
            for k, x in parts
            if abs(x) > 1e-12 or self.lock is not None
        ]
        return "   ".join(tell) or f"Δ {self._shown(0.0)}"

    def _direction(self) -> str:
        assert self.anchor is not None
        return format_value(
            math.radians(angle_of(self.context.plane, self.anchor, self.now)),
            "angle",
            self.context.units,
            4,
        )

    def words(self, own: bool) -> str:
        """Displacement in words, for the history: "120 mm along X".  own: the axes are not the
        world's.
        """
        far = format_value(distance(self.start, self.now), "length", self.context.units, 4)
        if self.lock is None or self.lock[1]:
            return far
        along = format_value(
            dot(self.shift, self.axes[self.lock[0]]), "length", self.context.units, 4
        )
        return tr(
            "{along} along {word}{lock}",
            along=along,
            word=tr("its own ") if own else "",
            lock=LETTERS[self.lock[0]],
        )


class Measured(Drag):
    """A length dragged along a line, such as the height of a box: the typed number is the length
    itself.

    value: the length now [m]; grows by `rate` per metre of the pointer along the line.  least: its
    lower bound.
    """

    def __init__(
        self,
        context: ToolContext,
        start: Triple,
        axis: Triple,
        pointer: Pointer,
        value: float,
        rate: float,
        name: str,
        zero: bool = False,
    ) -> None:
        super().__init__(context, start, (axis, axis, axis), pointer, (0, False))
        self.value, self._was, self._rate, self.name, self._zero = value, value, rate, name, zero
        self.entry.reserved = ""

    def key(self, key: str) -> bool:
        if not self.entry.key(key):
            return False
        self.begun = True
        self._follow()
        return True

    def wants(self, key: str) -> bool:
        return key in ("escape", "enter") or self.entry.wants(key)

    def accept(self) -> bool:
        if not super().accept():
            return False
        if self.typed is not None and (self.typed < 0 or (self.typed == 0 and not self._zero)):
            self.context.message = tr(
                "The {name} must be above zero: type a positive number.", name=self.name
            )
            return False
        return True

    def _follow(self) -> None:
        eye, typed = self._last.eye, self.typed
        if typed is not None:
            self.value = typed if typed > 0 or (typed == 0 and self._zero) else self.value
        elif eye is not None:
            ends = [
                nearest_on_line(eye, p.x, p.y, self.start, self.axes[0])
                for p in (self._from, self._last)
            ]
            if ends[0] is None or ends[1] is None:
                return
            free = self._was + self._rate * dot(minus(ends[1], ends[0]), self.axes[0])
            step = (
                self.context.grid
                if self._last.shift
                else step_below(eye.pixel_size(self.start), self.context.units)
            )
            found = free if self._last.ctrl else stepped(free, step)
            self.value = max(found, 0.0 if self._zero else step)

    @property
    def amount(self) -> float | None:
        return self.value

    @property
    def grown(self) -> float:
        """Displacement of the handle along its line [m]."""
        return (self.value - self._was) / self._rate

    @property
    def label(self) -> str:
        return f"{self.name} {self._shown(self.value)}"

    def text(self) -> str:
        """Typed text, with its unit; empty if the mouse set the value."""
        return self.entry.value()[1] if self.entry.text and self.typed is not None else ""


def _at(pointer: Pointer, point: Triple, pixel: float) -> Pointer:
    """The pointer with the intersection of its ray and the plane of a drag at this place."""
    return Pointer(
        point,
        pixel,
        pointer.element,
        pointer.body,
        pointer.shift,
        pointer.ctrl,
        pointer.alt,
        pointer.x,
        pointer.y,
        pointer.eye,
    )
