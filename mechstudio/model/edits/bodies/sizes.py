"""Sizes of shapes and corners of plates as handles change them, and where forces hold; pure
functions Project -> Project.
"""

import math

import msgspec

from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.links import distance, frame_at
from mechstudio.model.edits.poses.motion import with_body
from mechstudio.model.edits.poses.renumbering import renumbered
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import IDENTITY, Triple, rotate
from mechstudio.model.mechanism import Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.forces import FORCE_TYPES, FRAMES
from mechstudio.model.types.sizes import Size
from mechstudio.translation import tr

replace = msgspec.structs.replace


def face(shape: Shape, size: Size) -> Triple:
    """Position of a handle in the shape's axes [m]; a plate's in the middle of its corners."""
    known = {name: q.value for name, q in shape.dimensions.items()}
    x, y, z = (sum(f * known[name] for name, f in part.items()) for part in size.face)
    if shape.outline:
        count = len(shape.outline)
        x, z = (
            x + sum(corner[k].value for corner in shape.outline) / count
            if k == 0
            else z + sum(corner[k].value for corner in shape.outline) / count
            for k in (0, 1)
        )
    return (x, y, z)


def resize(project: Project, body: str, index: int, size: Size, quantity: Quantity) -> Project:
    """A dimension of one shape of a body (ground included) given another length, the opposite face
    staying; what is joined to points that move follows.
    """
    m = project.mechanism
    owner = m.body(body)
    shape = owner.shapes[index]
    placement = shape.placement
    if size.grows:
        growth = quantity.value - shape.dimensions[size.dimension].value
        (x, y, z), q = placement.pose
        a, b, c = rotate(q, size.way)
        placement = renumbered(
            placement,
            ((x + a * growth / 2, y + b * growth / 2, z + c * growth / 2), q),
            max(m.size(), 1e-6),
        )
    changed = replace(
        shape, dimensions={**shape.dimensions, size.dimension: quantity}, placement=placement
    )
    return with_body(
        project, replace(owner, shapes=(*owner.shapes[:index], changed, *owner.shapes[index + 1 :]))
    )


def move_corner(
    project: Project, body: str, index: int, corner: int, x: float, z: float
) -> Project:
    """A corner of a plate moved to other coordinates in the plate's plane [m]; what is joined to it
    follows.
    """
    owner = project.mechanism.body(body)
    shape = owner.shapes[index]
    row = tuple(
        q if q.value == value else Quantity(value)
        for q, value in zip(shape.outline[corner], (x, z))
    )
    outline = (*shape.outline[:corner], row, *shape.outline[corner + 1 :])
    return with_body(
        project,
        replace(
            owner,
            shapes=(
                *owner.shapes[:index],
                replace(shape, outline=outline),
                *owner.shapes[index + 1 :],
            ),
        ),
    )  # type: ignore[arg-type]


def hold_at(project: Project, id: str, side: str, body: str, point: Triple) -> Project:
    """One end of a force (side "frame_a" or "frame_b") held at a point of W on a body.  A spring
    that was at rest as drawn stays so.
    """
    m = project.mechanism
    force = m.forces[id]
    world = FORCE_TYPES[force.type].attachment == FRAMES
    attitude = (
        m.frame_in_world(getattr(force, side))[1] if world else m.body(body).placement.quaternion
    )
    frame = frame_at(m, body, point, attitude, 1e-9 * max(m.size(), 1e-6))
    changed = replace(force, **{side: frame})
    other = getattr(force, "frame_a" if side == "frame_b" else "frame_b")
    if other is not None and "free_length" in force.parameters and "free_length" not in force.laws:
        free, far = force.parameters["free_length"], m.frame_in_world(other)[0]
        was = distance(m.frame_in_world(getattr(force, side))[0], far)
        if not free.text and abs(free.value - was) <= 1e-9 * max(was, 1e-9):
            changed = replace(
                changed,
                parameters={**force.parameters, "free_length": Quantity(distance(point, far))},
            )
    return put_element(project, id, changed)


def aim(project: Project, id: str, vector: Triple) -> Project:
    """A force or torque on a body as a vector in W [N or N m].  Raises ExpressionError for none at
    all.
    """
    m = project.mechanism
    force = m.forces[id]
    if not any(vector):
        raise ExpressionError(tr("{force} needs a size above zero.", force=force.name))
    frame = force.frame_b or force.frame_a
    if force.axes == "body" and frame is not None:
        w, x, y, z = m.body(frame.body).placement.quaternion
        vector = rotate((w, -x, -y, -z), vector)
    scale = 10.0 ** (12 - math.floor(math.log10(max(map(abs, vector)))))
    parts = {k: Quantity(round(c * scale) / scale + 0.0) for k, c in zip("xyz", vector)}
    kept = {
        k: force.parameters[k]
        if k in force.parameters and force.parameters[k].value == q.value
        else q
        for k, q in parts.items()
    }
    return put_element(project, id, replace(force, parameters={**force.parameters, **kept}))


def drag_of(project: Project, id: str) -> Triple:
    """The vector of a force or torque on a body, in W [N or N m]."""
    m = project.mechanism
    force = m.forces[id]
    x, y, z = (force.parameters[k].value if k in force.parameters else 0.0 for k in "xyz")
    frame = force.frame_b or force.frame_a
    q = (
        m.body(frame.body).placement.quaternion
        if force.axes == "body" and frame is not None
        else IDENTITY
    )
    return rotate(q, (x, y, z))
