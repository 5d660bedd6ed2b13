"""Edits of the shapes of bodies: new bodies of one shape, further shapes, and shapes removed, as
pure functions Project -> Project.
"""

import itertools
from collections.abc import Mapping, Sequence

import msgspec

from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import WorkPlane, body_name, free_id, next_color
from mechstudio.model.edits.marks import without_lost
from mechstudio.model.geometry.rotation import (
    Pose,
    Triple,
    frame_on_axis,
    from_axes,
    minus,
    rotate,
    to_angles,
)
from mechstudio.model.geometry.triangles import Mesh, RoundAxis
from mechstudio.model.mechanism import Body, Frame, Mechanism, NamedPoint, Placement, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.rounding import round_near
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr

replace = msgspec.structs.replace

EMPTY_SIZE = 0.3  # of the mechanism that there is before there is any [m]
_TRIANGLE = ((0.0, 0.0), (1.0, 0.0), (0.4, 0.6))
ACROSS = vector(
    0.0, 0.0, 1.5707963267948966
)  # z along -y: a disc faces the viewer of the plane that it is drawn in


def sensible_length(mechanism: Mechanism) -> float:
    """A round length for a new shape beside what is drawn: 1, 2 or 5 times a power of ten [m]."""
    return round_near(0.3 * (mechanism.size() if mechanism.bodies else EMPTY_SIZE))


def new_shape(type: str, length: float, mesh: Mesh | None = None) -> Shape:
    """A steel shape of about a length [m] across; a mesh comes in its own size."""
    dimensions = {
        d.name: Quantity(round(d.share * length, 12)) for d in SHAPE_TYPES[type].dimensions
    }
    outline = (
        tuple((Quantity(x * length), Quantity(z * length)) for x, z in _TRIANGLE)
        if SHAPE_TYPES[type].outline
        else ()
    )
    return Shape(
        type,
        dimensions,
        outline,
        Placement(orientation=ACROSS) if SHAPE_TYPES[type].faces else Placement(),
        mesh=mesh,
    )


def add_body(
    project: Project, plane: WorkPlane, center: Triple, shape: Shape, stem: str = ""
) -> tuple[Project, str]:
    """A body of one shape, its middle at a point of W and its axes x, y, z along u, against the
    normal and along v of a work plane.

    stem: of its name; the shape's type without one.   Returns the project and the body's id.
    """
    m, kind = project.mechanism, tr(SHAPE_TYPES[shape.type].label).lower()
    id = free_id(project, shape.type)
    position, attitude = pose_about(plane, center, shape)
    body = Body(
        id,
        body_name(m, stem or kind),
        (shape,),
        Placement(vector(*position), vector(*to_angles(attitude))),
        color=next_color(m),
    )
    return replace(project, mechanism=replace(m, bodies={**m.bodies, id: body})), id


def with_axes(project: Project, body: str, axes: Sequence[RoundAxis]) -> Project:
    """A body with a named frame on each axis of a hole or a shaft, in body axes: "hole 1" or "axis
    1", z along it, so that joints find them.
    """
    owner = project.mechanism.body(body)
    known = owner.named_points()
    named: list[NamedPoint] = []
    for word, hole in (("hole", True), ("axis", False)):
        free = (name for k in itertools.count(1) if (name := f"{word} {k}") not in known)
        named += [
            NamedPoint(
                name,
                vector(*axis.center),
                orientation=vector(*to_angles(frame_on_axis(axis.direction))),
            )
            for axis, name in zip((a for a in axes if a.hole == hole), free)
        ]
    return put_element(project, body, replace(owner, points=(*owner.points, *named)))


def pose_about(plane: WorkPlane, center: Triple, shape: Shape) -> Pose:
    """Pose of a shape's axes with its middle at a point of W and x, y, z along u, against the
    normal and along v of a plane.
    """
    n = plane.normal
    attitude = from_axes(plane.u, (-n[0], -n[1], -n[2]), plane.v)
    return minus(center, rotate(attitude, shape.form.middle())), attitude


def add_shape(project: Project, body: str, shape: Shape) -> Project:
    """One more shape of a body, or of ground."""
    owner = project.mechanism.body(body)
    return put_element(project, body, replace(owner, shapes=(*owner.shapes, shape)))


def remove_shape(project: Project, body: str, index: int) -> Project:
    """A body without one of its shapes; frames that stood at points of it stay where they are."""
    old = project.mechanism.body(body)
    return with_body_kept(
        project, replace(old, shapes=old.shapes[:index] + old.shapes[index + 1 :])
    )


def with_body_kept(project: Project, new: Body) -> Project:
    """With another state of a body; frames that stood at points that it has no more, or has
    elsewhere, stay where they are, marks at points that it has no more go.
    """
    m, body = project.mechanism, new.id
    before, after = m.body(body).named_points(), new.named_points()
    project = put_element(project, body, new)
    for elements in (m.joints, m.forces):
        for id, element in elements.items():
            kept = {
                side: frame
                for side in ("frame_a", "frame_b")
                if (frame := getattr(element, side)) is not None
                and frame.body == body
                and frame.point
            }
            moved = {side: _kept(frame, before[frame.point], after) for side, frame in kept.items()}
            if any(moved[side] is not kept[side] for side in kept):
                project = put_element(project, id, replace(element, **moved))
    return without_lost(project)


def _kept(frame: Frame, at: Triple, points: Mapping[str, Triple]) -> Frame:
    """The frame of a point that stood at `at` before, now that its body has these points."""
    if points.get(frame.point) == at:
        return frame
    name = next((name for name, p in points.items() if p == at), None)
    if name is not None:
        return replace(frame, point=name)
    moved = tuple(
        q if a == 0.0 else Quantity(q.value + a) for q, a in zip(frame.placement.position, at)
    )
    return replace(frame, point="", placement=replace(frame.placement, position=moved))
