"""Methods of Builder for lower pairs and other joints of axes, points and planes."""

from typing import TYPE_CHECKING, Unpack

from mechstudio.builder.geometry import Number, Point, unit
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.builder.joints import FRONT, UP, AtPoint, Numbers, OnAxis, Place
from mechstudio.model.quantity import values
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.builder.builder import Builder


def pin(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    axis: Point = FRONT,
    x: Place | None = None,
    **given: Unpack[AtPoint],
) -> JointHandle:
    """A revolute joint; without an axis, a pin of the front plane."""
    return self.joint("revolute", name, a, b, axis=axis, x=x, **given)


def slider(
    self: "Builder", name: str, a: BodyHandle, b: BodyHandle, **given: Unpack[OnAxis]
) -> JointHandle:
    """A slider (prismatic joint): b slides along the axis on a."""
    return self.joint("prismatic", name, a, b, **given)


def cylindrical(
    self: "Builder", name: str, a: BodyHandle, b: BodyHandle, **given: Unpack[OnAxis]
) -> JointHandle:
    """b slides along the axis and turns about it; coordinates (slide, angle)."""
    return self.joint("cylindrical", name, a, b, **given)


def screw(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    pitch: Number,
    **given: Unpack[OnAxis],
) -> JointHandle:
    """A thread: b climbs by `pitch` along the axis per turn about it; a left-hand thread has a
    negative pitch.  Its coordinate is the angle.
    """
    return self.joint("screw", name, a, b, pitch=pitch, **given)


def ball(
    self: "Builder", name: str, a: BodyHandle, b: BodyHandle, **given: Unpack[AtPoint]
) -> JointHandle:
    """A spherical joint; its coordinates are the angles (psi, theta, phi) of b's axes in
    a's.
    """
    return self.joint("spherical", name, a, b, **given)


def universal(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    first: Point,
    second: Point,
    **given: Unpack[AtPoint],
) -> JointHandle:
    """A Cardan joint: a cross turns about `first` on a and b about `second` on the cross;
    perpendicular as drawn.  Both angles start at 0.
    """
    z, across = (unit(values(self._draft.point_quantities(d, name)), name) for d in (first, second))
    if abs(sum(p * q for p, q in zip(z, across))) > 1e-9:
        raise ValueError(
            tr("{name}: the two axes of a universal joint stand at right angles.", name=name)
        )
    return self.joint("universal", name, a, b, axis=z, x=across, **given)


def constant_velocity(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    at: Place,
    axis: Place,
    rate: Numbers = (),
) -> JointHandle:
    """A shaft joint that passes rotation on without ripple; axis: of the shafts, or a pair
    (that of a, that of b).
    """
    return self.joint("constant_velocity", name, a, b, at=at, axis=axis, rate=rate)


def planar(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    normal: Point = UP,
    **given: Unpack[AtPoint],
) -> JointHandle:
    """b lies on a plane of a: coordinates (x, y, angle)."""
    return self.joint("planar", name, a, b, axis=normal, **given)


def rod(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    at: tuple[Point, Point],
    length: Number,
) -> JointHandle:
    """A massless rod of a length between a point of each body."""
    return self.joint("distance", name, a, b, at=at, length=length)


def on_line(
    self: "Builder", name: str, a: BodyHandle, b: BodyHandle, **given: Unpack[OnAxis]
) -> JointHandle:
    """A point of b stays on a line of a."""
    return self.joint("point_on_line", name, a, b, **given)


def on_plane(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    normal: Point = UP,
    **given: Unpack[AtPoint],
) -> JointHandle:
    """A point of b stays on a plane of a."""
    return self.joint("point_on_plane", name, a, b, axis=normal, **given)


def free(
    self: "Builder", name: str, a: BodyHandle, b: BodyHandle, *, rate: Numbers = ()
) -> JointHandle:
    """No constraint: the six coordinates of b in a, to be driven or read."""
    return self.joint("free", name, a, b, at=(a.world(), b.world()), rate=rate)


def fix(self: "Builder", name: str, a: BodyHandle, b: BodyHandle, *, at: Place) -> JointHandle:
    """A fixed joint, in the attitude as drawn."""
    return self.joint("fixed", name, a, b, at=at, axis=UP)
