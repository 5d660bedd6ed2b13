"""Methods of Builder for joints on curves: points on curves and ellipses, and flat followers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mechstudio.builder.geometry import Number, Point, on_axis, unit
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.builder.joints import FRONT, UP, Limits, Numbers
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.geometry.work_plane import cross, dot
from mechstudio.model.quantity import values
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.builder.builder import Builder

SQUARE = 1e-9  # cosine of the angle between two directions that stand square to each other


def on_curve(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    curve: Sequence[Point],
    *,
    at: Point,
    form: str = "spline",
    closed: bool = False,
    fillet: Number | None = None,
    roller: Number | None = None,
    rate: Numbers = (),
    value: Numbers = (),
    limits: Limits = (),
) -> JointHandle:
    """The point `at` of b stays on a curve through points in the axes of body a; its first
    coordinate is the way along it.  form: "spline", "polyline", or the "circle" or "arc"
    through three; fillet: radius of a polyline's corners, else they are rounded a little.
    roller: radius of a roller about the point that rolls outside on the curve, negative inside:
    the point stays at that distance and its way is that of the roller's centre.
    """
    return self.joint(
        "point_on_curve",
        name,
        a,
        b,
        at=(a.world(), at),
        curve=curve,
        form=form,
        closed=closed,
        fillet=fillet,
        roller=roller,
        rate=rate,
        value=value,
        limits=limits,
    )


def flat_follower(
    self: "Builder",
    name: str,
    cam: BodyHandle,
    follower: BodyHandle,
    curve: Sequence[Point],
    *,
    center: Point,
    at: Point,
    normal: Point,
    axis: Point = FRONT,
    along: Point | None = None,
    form: str = "spline",
    fillet: Number | None = None,
    rate: Numbers = (),
    value: Numbers = (),
    limits: Limits = (),
) -> JointHandle:
    """A flat face of `follower` through the point `at`, whose `normal` leads away from the cam,
    touches a closed convex curve on `cam`; coordinates (angle, x, z, turn).  curve: points (x,
    y, 0) from `center` in axes of the cam, z along `axis` and x `along` a direction; without
    one x follows the cam's own axes.  form: "spline" or "circle".
    """
    draft = self._draft
    z, n = (unit(values(draft.point_quantities(d, name)), name) for d in (axis, normal))
    if abs(dot(z, n)) > SQUARE:
        raise ValueError(
            tr("{name}: the normal of a flat face stands square to the axis.", name=name)
        )
    x = rotate(on_axis(z, cam.body.placement.quaternion), (1.0, 0.0, 0.0))
    return self.joint(
        "flat_follower",
        name,
        cam,
        follower,
        at=(center, at),
        axis=z,
        x=(x if along is None else along, cross(n, z)),
        curve=curve,
        form=form,
        closed=True,
        fillet=fillet,
        rate=rate,
        value=value,
        limits=limits,
    )


def on_ellipse(
    self: "Builder",
    name: str,
    a: BodyHandle,
    b: BodyHandle,
    *,
    center: Point,
    at: Point,
    semi_a: Number,
    semi_b: Number,
    normal: Point = UP,
    along: Point | None = None,
    rate: Numbers = (),
    value: Numbers = (),
    limits: Limits = (),
) -> JointHandle:
    """The point `at` of b stays on an ellipse about a centre, whose first semi-axis lies
    `along` a direction; its first coordinate is the eccentric angle.
    """
    return self.joint(
        "point_on_ellipse",
        name,
        a,
        b,
        at=(center, at),
        axis=normal,
        x=along,
        semi_a=semi_a,
        semi_b=semi_b,
        rate=rate,
        value=value,
        limits=limits,
    )
