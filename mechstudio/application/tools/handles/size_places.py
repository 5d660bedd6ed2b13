"""Places of the squares of sizes: on their faces, or off them on a stem where the arrows of the
gizmo or another square have that place.
"""

import math
from collections.abc import Iterable

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.handles.handle_places import flat, gap_of
from mechstudio.model.edits.bodies.sizes import face
from mechstudio.model.geometry.rotation import Pose, Triple, compose, conjugate, minus, plus, rotate
from mechstudio.model.mechanism import Body, Mechanism, Shape
from mechstudio.model.quantity import values
from mechstudio.model.types.shapes import SHAPE_TYPES

# in pixels: how far a square is from the middle of what it measures at least, and from lines and
# spots of other handles
OFF_MIDDLE, CLEAR = 15.0, 12.0
STEP, STEPS = 17.0, 8  # how far it moves on at a time, and how often: beyond the tips of the arrows


def pose_of(m: Mechanism, body: Body, index: int) -> Pose:
    """A shape's axes in W."""
    return compose(body.placement.pose, body.shapes[index].placement.pose)


def stood_off(
    eye: Eye,
    middle: Triple,
    at: Triple,
    way: Triple,
    taken: Iterable[list[tuple[float, float]]],
    scale: float,
) -> Triple:
    """The place [m, W] of a square that belongs at `at`, moved on along the unit direction `way`
    until it is clear of the lines `taken` [px].

    middle: the place [m, W] that its face would come to with a size of zero.
    """
    pixel = eye.pixel_size(at)
    line = flat(eye, (middle, at, plus(at, way, 10.0 * pixel)))
    if line is None:
        return at
    per_pixel = 10.0 * pixel / max(math.dist(line[1], line[2]), 1e-6)
    least = max(0.0, OFF_MIDDLE * scale - math.dist(line[0], line[1]))
    (x, y), (u, v) = (
        line[1],
        ((b - a) / max(math.dist(line[1], line[2]), 1e-6) for a, b in zip(line[1], line[2])),
    )
    for k in range(STEPS):
        off = least + k * STEP * scale
        if all(gap_of(other, x + off * u, y + off * v) > CLEAR * scale for other in taken):
            return plus(at, way, off * per_pixel)
    return plus(at, way, least * per_pixel)


def nearest_shape(m: Mechanism, body: Body, point: Triple) -> int:
    """The index of the shape on whose surface a point of W lies, as far as their boxes tell."""
    return min(
        range(len(body.shapes)),
        key=lambda k: abs(
            _gap_to_box(
                body.shapes[k],
                rotate(conjugate((pose := pose_of(m, body, k))[1]), minus(point, pose[0])),
            )
        ),
    )


def _gap_to_box(shape: Shape, point: Triple) -> float:
    """Distance from a point in the shape's axes to the box about the shape [m]; negative within."""
    at, q = shape.placement.pose
    named = [rotate(conjugate(q), minus(p, at)) for p in shape.points().values()]
    corners = [
        *named,
        *(face(shape, size) for size in SHAPE_TYPES[shape.type].sizes),
        *((x, 0.0, z) for x, z in map(values, shape.outline)),
    ]
    return (
        max(
            max(min(c[k] for c in corners) - point[k], point[k] - max(c[k] for c in corners))
            for k in range(3)
        )
        if corners
        else math.inf
    )
