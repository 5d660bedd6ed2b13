"""Named points and frames of bodies: put, renamed with all that refers to them, turned, taken away.
Pure functions Project -> Project.

A named frame is a named point with an orientation: joints that are put there take their axes from
it.
"""

import itertools

import msgspec

from mechstudio.model.edits.bodies.shapes import with_body_kept
from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.references import map_references
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import (
    Quaternion,
    Triple,
    about,
    conjugate,
    from_angles,
    minus,
    multiply,
    rotate,
    to_angles,
)
from mechstudio.model.mechanism import Body, NamedPoint
from mechstudio.model.naming import presentable
from mechstudio.model.project import Project
from mechstudio.model.quantity import Vector, values, vector
from mechstudio.translation import tr

replace = msgspec.structs.replace


def free_name(body: Body) -> str:
    """The first unused name P1, P2, …"""
    taken = body.named_points()
    return next(name for k in itertools.count(1) if (name := f"P{k}") not in taken)


def add_point(
    project: Project, body: str, point: Triple, name: str = "", attitude: Quaternion | None = None
) -> tuple[Project, str]:
    """A named point of a body, or of ground, at a point of W; a frame with an attitude in W.
    Returns the project and the point's name.

    Raises ExpressionError where the body has a point of that name.
    """
    owner = project.mechanism.body(body)
    name = _free(owner, name) if name else free_name(owner)
    position, quaternion = owner.placement.pose
    back = conjugate(quaternion)
    local = rotate(back, minus(point, position))  # type: ignore[arg-type]
    at = vector(*(0.0 if abs(c) < 1e-12 else c for c in local))
    rotated = None if attitude is None else _rotated(multiply(back, attitude))
    return put_element(
        project,
        body,
        replace(owner, points=(*owner.points, NamedPoint(name, at, orientation=rotated))),
    ), name


def _rotated(attitude: Quaternion) -> Vector:
    return vector(*(0.0 if abs(a) < 1e-12 else a for a in to_angles(attitude)))


def _free(body: Body, name: str) -> str:
    """The name, as it can be kept.  Raises ExpressionError with the reason where it cannot."""
    name = presentable(name)
    if not name:
        raise ExpressionError(tr("A point needs a name."))
    if name in body.named_points():
        raise ExpressionError(
            tr(
                "{body} has a point named {name} already: choose another name.",
                body=body.name,
                name=name,
            )
        )
    return name


def rename_point(project: Project, body: str, old: str, new: str) -> Project:
    """A point called otherwise, by all joints and forces that stand there too.  Raises
    ExpressionError where it cannot be called so.
    """
    if old == new:
        return project
    owner = project.mechanism.body(body)
    new = _free(owner, new)
    project = put_element(
        project,
        body,
        replace(
            owner, points=tuple(replace(p, name=new) if p.name == old else p for p in owner.points)
        ),
    )
    return map_references(
        project, lambda r: r._replace(part=new) if (r.id, r.part) == (body, old) else r
    )


def remove_point(project: Project, body: str, name: str) -> Project:
    """A body without a named point of its own; what stood there stays where it is."""
    owner = project.mechanism.body(body)
    return with_body_kept(
        project, replace(owner, points=tuple(p for p in owner.points if p.name != name))
    )


def set_frame(project: Project, body: str, name: str, attitude: Quaternion | None) -> Project:
    """A named point as a frame with an attitude in the body's axes, or as a mere point."""
    owner = project.mechanism.body(body)
    rotated = None if attitude is None else _rotated(attitude)
    return put_element(
        project,
        body,
        replace(
            owner,
            points=tuple(
                replace(p, orientation=rotated) if p.name == name else p for p in owner.points
            ),
        ),
    )


def turn_frame(project: Project, body: str, name: str, axis: Triple, angle: float) -> Project:
    """A frame of a body's own turned by an angle [rad] about a unit axis of W; what stands at its
    point keeps its own attitude.
    """
    owner = project.mechanism.body(body)
    point, q = next(p for p in owner.points if p.name == name), owner.placement.quaternion
    assert point.orientation is not None
    attitude = multiply(q, from_angles(*values(point.orientation)))
    return set_frame(
        project, body, name, multiply(conjugate(q), multiply(about(axis, angle), attitude))
    )
