"""Methods of Builder for joints on floors: rolling discs and wheels, and knife edges."""

from typing import TYPE_CHECKING, Unpack

from mechstudio.builder.geometry import Number, Point, crossing
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.builder.joints import UP, Numbers, Place, Rolling
from mechstudio.model.quantity import values

if TYPE_CHECKING:
    from mechstudio.builder.builder import Builder


def rolling_disc(
    self: "Builder", name: str, floor: BodyHandle, disc: BodyHandle, **given: Unpack[Rolling]
) -> JointHandle:
    """A disc that rolls without slipping on a plane and may lean; at: a point of the plane.

    Coordinates: x and y of the point of contact, heading, lean (90 deg upright), spin.
    """
    return _rolling(self, "rolling_disc", name, floor, disc, **given)


def rolling_wheel(
    self: "Builder", name: str, floor: BodyHandle, wheel: BodyHandle, **given: Unpack[Rolling]
) -> JointHandle:
    """A wheel that rolls without slipping, held upright; coordinates x, y, heading, spin."""
    return _rolling(self, "rolling_wheel", name, floor, wheel, **given)


def _rolling(
    self: "Builder",
    type: str,
    name: str,
    floor: BodyHandle,
    round: BodyHandle,
    *,
    center: Point,
    axis: Point,
    radius: Number,
    at: Point = (0, 0, 0),
    normal: Point = UP,
    rate: Numbers = (),
) -> JointHandle:
    place, axes = (at, center), (normal, axis)
    return self.joint(type, name, floor, round, at=place, axis=axes, rate=rate, radius=radius)


def knife_edge(
    self: "Builder",
    name: str,
    floor: BodyHandle,
    blade: BodyHandle,
    *,
    at: Place,
    along: Point,
    normal: Point = UP,
    rate: Numbers = (),
) -> JointHandle:
    """A blade on a plane that slides along its edge and turns, but never sideways; coordinates
    x, y, heading.
    """
    across = crossing(values(self._draft.point_quantities(normal, name)))
    x = (across, along)
    return self.joint("knife_edge", name, floor, blade, at=at, axis=normal, x=x, rate=rate)
