"""Arms: bodies that hold joints at three points or more, as A-arms, uprights and ternary links."""

import itertools
from collections.abc import Sequence

import msgspec

from mechstudio.model.edits.bodies.solids import plane_attitude
from mechstudio.model.edits.links import (
    LAYER,
    body_name,
    distance,
    free_id,
    free_layer,
    link_placement,
    link_section,
    next_color,
)
from mechstudio.model.edits.poses.renumbering import tidy
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import (
    Pose,
    Triple,
    conjugate,
    minus,
    multiply,
    rotate,
    to_angles,
)
from mechstudio.model.geometry.work_plane import WorkPlane, cross, dot, of_points, parallel
from mechstudio.model.mechanism import Body, NamedPoint, Placement, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.translation import tr

replace = msgspec.structs.replace
FLAT = 1e-7  # of the longest distance: points that lie in one plane
SAME = 1e-9  # of the longest distance: two points at one place


def arm_plane(points: Sequence[Triple], plane: WorkPlane) -> WorkPlane | None:
    """The plane in which the points [m, W] of an arm lie, through the first one, with the axes of a
    parallel work plane; None where they lie in no plane.

    Raises ExpressionError for fewer than three points, for two at one place and for points in line.
    """
    if len(points) < 3:
        raise ExpressionError(
            tr("An arm has three points or more: click one more, or draw a link with L.")
        )
    size = max(distance(a, b) for a, b in itertools.combinations(points, 2))
    if min(distance(a, b) for a, b in itertools.combinations(points, 2)) <= SAME * size:
        raise ExpressionError(tr("Two points of the arm are at one place: click them apart."))
    first = points[0]
    second = max(points, key=lambda p: distance(first, p))
    third = max(points, key=lambda p: _area(first, second, p))
    found = of_points(first, second, third, plane.normal)
    if found is None:
        raise ExpressionError(
            tr("The points of the arm lie in line: click one beside it, or draw a link with L.")
        )
    if any(abs(found.height(p)) > FLAT * size for p in points):
        return None
    if parallel(found.normal, plane.normal):
        return WorkPlane(plane.name, first, plane.u, plane.v)
    return replace(found, origin=first)


def _area(a: Triple, b: Triple, c: Triple) -> float:
    n = cross(minus(b, a), minus(c, a))
    return dot(n, n)


def add_arm(
    project: Project, plane: WorkPlane, points: Sequence[Triple], neighbours: tuple[str, ...] = ()
) -> tuple[Project, str]:
    """A steel arm through three points of W or more, its points named "corner 1", "corner 2", …

    It is a plate with round corners, in a layer beside its neighbours; where the points lie in no
    plane it is a ring of bars.  Its frame stands at the first point.  Returns the project and the
    new body's id.  Raises ExpressionError as `arm_plane` does.
    """
    m, flat = project.mechanism, arm_plane(points, plane)
    size = max(distance(a, b) for a, b in itertools.combinations(points, 2))
    width, thickness = link_section(project, size)
    pose = (points[0], plane_attitude(flat or plane))
    if flat is not None:
        layer = LAYER * free_layer(project, neighbours) * thickness
        shapes, named = (_plate(flat, points, width, thickness, layer),), ()
    else:
        shapes = tuple(
            _bar(plane, pose, a, b, width, thickness)
            for a, b in zip(points, [*points[1:], points[0]])
        )
        named = tuple(
            NamedPoint(f"corner {k}", vector(*_tidy(_seen(pose, p))))
            for k, p in enumerate(points, 1)
        )
    id = free_id(project, "arm")
    placement = Placement(vector(*(c + 0.0 for c in pose[0])), vector(*to_angles(pose[1])))
    body = Body(id, body_name(m, "arm"), shapes, placement, points=named, color=next_color(m))
    return replace(project, mechanism=replace(m, bodies={**m.bodies, id: body})), id


def _plate(
    plane: WorkPlane, points: Sequence[Triple], width: float, thickness: float, layer: float
) -> Shape:
    flat = [tuple(_tidy(plane.to_plane(p))) for p in points]
    return Shape(
        "plate",
        {"radius": Quantity(width / 2), "thickness": Quantity(thickness)},
        tuple((Quantity(u), Quantity(v)) for u, v in flat),
        Placement(vector(0.0, layer, 0.0)),
    )


def _bar(
    plane: WorkPlane, pose: Pose, a: Triple, b: Triple, width: float, thickness: float
) -> Shape:
    q = multiply(conjugate(pose[1]), link_placement(plane, a, b).quaternion)
    dimensions = {"length": distance(a, b), "width": width, "thickness": thickness}
    return Shape(
        "link",
        {name: Quantity(value) for name, value in dimensions.items()},
        placement=Placement(vector(*_tidy(_seen(pose, a))), vector(*to_angles(q))),
    )


def _seen(pose: Pose, point: Triple) -> Triple:
    """A point of W in the axes of a pose."""
    return rotate(conjugate(pose[1]), minus(point, pose[0]))


def _tidy(numbers: Sequence[float]) -> list[float]:
    """Without the last digits of sums, which are rounding."""
    return [tidy(c, max(map(abs, numbers)) or 1.0) for c in numbers]
