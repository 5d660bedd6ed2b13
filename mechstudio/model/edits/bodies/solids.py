"""Solids as they are drawn by hand: corners, centres, axes and radii in a plane become shapes, and
shapes a new body or part of one.

Each function returns a Solid: shapes in axes that stand at a pose in W.  A solid is centred on its
plane, or stands on it as on a face (`standing`).  Lengths are Quantities, so that what was typed
stays as it was typed.
"""

from collections.abc import Sequence

import msgspec

from mechstudio.model.edits.bodies.shapes import ACROSS, new_shape, pose_about
from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import WorkPlane, body_name, distance, free_id, next_color
from mechstudio.model.geometry.outline import convex_parts
from mechstudio.model.geometry.rotation import (
    Pose,
    Quaternion,
    Triple,
    compose,
    conjugate,
    from_axes,
    minus,
    multiply,
    plus,
    rotate,
    to_angles,
)
from mechstudio.model.mechanism import Body, Placement, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr

BORE = 0.8  # of the radius of a new tube: that of its bore

replace = msgspec.structs.replace


class Solid(msgspec.Struct, frozen=True):
    """One or several shapes drawn at once.  type: key of SHAPE_TYPES.  pose: of the axes in which
    the shapes are placed, in W.
    """

    type: str
    shapes: tuple[Shape, ...]
    pose: Pose


def _moved(point: Triple, way: Triple, by: float) -> Triple:
    return plus(point, way, by)  # type: ignore[return-value]


def plane_attitude(plane: WorkPlane) -> Quaternion:
    """Axes x, y, z along u, against the normal and along v of a plane: what is drawn there looks as
    in the front view.
    """
    n = plane.normal
    return from_axes(plane.u, (-n[0], -n[1], -n[2]), plane.v)


def box(
    plane: WorkPlane,
    center: Triple,
    width: Quantity,
    height: Quantity,
    depth: Quantity,
    standing: bool = False,
    type: str = "box",
) -> Solid:
    """A box about a point of the plane, or the ellipsoid that fits in it; width along u, height
    along v, depth across.
    """
    at = _moved(center, plane.normal, depth.value / 2 if standing else 0.0)
    return Solid(
        type,
        (Shape(type, {"length": width, "depth": depth, "height": height}),),
        (at, plane_attitude(plane)),
    )


def disc(
    plane: WorkPlane,
    center: Triple,
    radius: Quantity,
    thickness: Quantity,
    standing: bool = False,
    type: str = "disc",
) -> Solid:
    """A wheel that faces the viewer."""
    at = _moved(center, plane.normal, thickness.value / 2 if standing else 0.0)
    shape = Shape(
        type, {"radius": radius, "thickness": thickness}, placement=Placement(orientation=ACROSS)
    )
    return Solid(type, (shape,), (at, plane_attitude(plane)))


def sphere(
    plane: WorkPlane,
    center: Triple,
    radius: Quantity,
    standing: bool = False,
    type: str = "sphere",
) -> Solid:
    """A sphere about a point, or standing on the plane there."""
    at = _moved(center, plane.normal, radius.value if standing else 0.0)
    return Solid(type, (Shape(type, {"radius": radius}),), (at, plane_attitude(plane)))


def round_on_axis(
    type: str,
    plane: WorkPlane,
    start: Triple,
    end: Triple,
    height: Quantity,
    radius: Quantity,
    standing: bool = False,
) -> Solid:
    """A cylinder, tube, capsule or cone along a line of the plane.

    A cylinder or tube goes from start to end; the caps of a capsule are centred there; a cone has
    its base at the start and its apex at the end.
    """
    span = distance(start, end)
    z: Triple = tuple((b - a) / span for a, b in zip(start, end))  # type: ignore[assignment]
    n = plane.normal
    y = (-n[0], -n[1], -n[2])
    x = (y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0])
    lengths = {
        "radius": radius,
        "inner_radius": Quantity(round(BORE * radius.value, 12)),
        "bottom_radius": radius,
        "top_radius": Quantity(0.0),
        "height": height,
    }
    dimensions = {d.name: lengths[d.name] for d in SHAPE_TYPES[type].dimensions}
    at = _moved(_moved(start, z, height.value / 2), n, radius.value if standing else 0.0)
    return Solid(type, (Shape(type, dimensions),), (at, from_axes(x, y, z)))


def bar(
    plane: WorkPlane,
    start: Triple,
    end: Triple,
    length: Quantity,
    width: Quantity,
    thickness: Quantity,
    standing: bool = False,
    type: str = "link",
) -> Solid:
    """A round-ended bar, as a link is, without joints."""
    span = distance(start, end)
    x: Triple = tuple((b - a) / span for a, b in zip(start, end))  # type: ignore[assignment]
    n = plane.normal
    y = (-n[0], -n[1], -n[2])
    z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    at = _moved(start, n, thickness.value / 2 if standing else 0.0)
    return Solid(
        type,
        (Shape(type, {"length": length, "width": width, "thickness": thickness}),),
        (at, from_axes(x, y, z)),
    )


def plate(
    plane: WorkPlane,
    corners: Sequence[Triple],
    thickness: Quantity,
    standing: bool = False,
    type: str = "plate",
) -> Solid:
    """A plate with sharp corners at points of the plane, three at least; one that is not convex
    consists of several that fit together.

    Raises ExpressionError where the outline crosses itself or encloses nothing.
    """
    (u, v), *_ = flat = [plane.to_plane(c) for c in corners]
    shapes = tuple(
        Shape(
            type,
            {"radius": Quantity(0.0), "thickness": thickness},
            tuple((Quantity(a + 0.0), Quantity(b + 0.0)) for a, b in part),
        )
        for part in convex_parts([(a - u, b - v) for a, b in flat])
    )
    at = _moved(plane.to_world(u, v), plane.normal, thickness.value / 2 if standing else 0.0)
    return Solid(type, shapes, (at, plane_attitude(plane)))


def default(type: str, plane: WorkPlane, at: Triple, length: float) -> Solid:
    """A solid of about a length [m] across with its middle at a point: what stands there when
    nothing was said.
    """
    shape = new_shape(type, length)
    return Solid(type, (shape,), pose_about(plane, at, shape))


def as_body(project: Project, solid: Solid) -> tuple[Project, str]:
    """A new body of a solid, its frame where the solid's axes stand.  Returns the project and the
    body's id.
    """
    m = project.mechanism
    id = free_id(project, solid.type)
    position, quaternion = solid.pose
    placement = Placement(vector(*(c + 0.0 for c in position)), vector(*to_angles(quaternion)))
    body = Body(
        id,
        body_name(m, tr(SHAPE_TYPES[solid.type].label).lower()),
        solid.shapes,
        placement,
        color=next_color(m),
    )
    return replace(project, mechanism=replace(m, bodies={**m.bodies, id: body})), id


def as_part(project: Project, solid: Solid, body: str) -> Project:
    """A solid as further shapes of a body, or of ground, where it was drawn."""
    owner = project.mechanism.body(body)
    origin, attitude = owner.placement.pose
    back = conjugate(attitude)
    place = (
        rotate(back, minus(solid.pose[0], origin)),
        multiply(back, solid.pose[1]),
    )  # type: ignore[arg-type]
    shapes: list[Shape] = []
    for shape in solid.shapes:
        position, quaternion = compose(place, shape.placement.pose)
        # a number of the order of rounding is a zero
        near = tuple(0.0 if abs(c) < 1e-12 else c for c in position)
        shapes.append(
            replace(
                shape,
                placement=Placement(
                    vector(*near),
                    vector(*(0.0 if abs(a) < 1e-12 else a for a in to_angles(quaternion))),
                ),
            )
        )
    return put_element(project, body, replace(owner, shapes=(*owner.shapes, *shapes)))
