"""Parts of the shapes of bodies, from unit meshes that are kept, at a level of detail that falls as
bodies increase.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.application.scene.solids.mesh import mesh_part
from mechstudio.application.scene.solids.plates import plate, without_seams
from mechstudio.application.scene.solids.solids import (
    CAST,
    PAINT,
    STEEL,
    Part,
    box,
    capsule,
    cone,
    cylinder,
    ellipsoid,
    half_hollow,
    hollow,
    placed,
    sphere,
)
from mechstudio.model.geometry.forms import (
    Ball,
    Block,
    Capsule,
    Cylinder,
    Ellipsoid,
    Flat,
    Form,
    Frustum,
    HalfPipe,
    Polyhedron,
    Tube,
)
from mechstudio.model.geometry.outline import convex_hull
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mechanism import Shape
from mechstudio.model.quantity import values

MATERIALS = {"paint": PAINT, "steel": STEEL, "cast": CAST}
HOLE = 0.41  # radius of the hole at a corner of a plate or an end of a link, of its round end's
FLAT_IN_XZ = np.array(
    [(1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)]
)  # plate axes x, y, z to body x, z, -y


class Detail(NamedTuple):
    """Fineness of the parts.  arc: segments per half turn; turn: per full turn of a turned part;
    glyph: per arc of a glyph.
    """

    arc: int
    turn: int
    holes: bool
    glyph: int
    coil: int


# a circle of n segments that is r px large departs from round by r (1 - cos(pi / n)): at 96 by half
# a pixel where it fills a screen
FINEST, FINE, MIDDLE, COARSE = (
    Detail(40, 96, True, 64, 20),
    Detail(26, 56, True, 40, 16),
    Detail(12, 32, True, 28, 12),
    Detail(3, 10, False, 9, 8),
)
LEVELS = ((8, FINEST), (24, FINE), (80, MIDDLE))  # up to so many shapes


def detail(shape_count: int) -> Detail:
    """The level for a number of shapes in all."""
    return next((level for most, level in LEVELS if shape_count <= most), COARSE)


def body_parts(shapes: Sequence[Shape], level: Detail) -> list[Part | None]:
    """The part of each shape of a body; plates that were drawn as one outline show no seams."""
    parts = [shape_part(shape, level) for shape in shapes]
    sharp = [
        k
        for k, shape in enumerate(shapes)
        if parts[k] is not None and isinstance(form := shape.form, Flat) and form.radius == 0
    ]
    if len(sharp) > 1:
        for k, part in zip(sharp, without_seams([parts[k] for k in sharp])):  # type: ignore[misc]
            parts[k] = part
    return parts


def shape_part(shape: Shape, level: Detail) -> Part | None:
    """The part of a shape in its body's axes; None for a shape without extent in some direction,
    and for a mesh that encloses nothing.
    """
    form = shape.form
    part = mesh_part(form.mesh) if isinstance(form, Polyhedron) else _part(form, level)
    if part is None or not (
        any(values(shape.placement.position)) or any(values(shape.placement.orientation))
    ):
        return part
    return placed(
        part,
        np.array(matrix(shape.placement.quaternion)),
        np.array(values(shape.placement.position)),
    )


@functools.lru_cache(maxsize=512)
def _part(form: Form, level: Detail) -> Part | None:
    lengths = [v for v in msgspec.structs.astuple(form) if isinstance(v, float)]
    return picture(form, level) if min(lengths) >= 0 and form.enclosed()[0] > 0 else None


@functools.singledispatch
def picture(form: Form, level: Detail) -> Part:
    """Part of a form that encloses something, other than a surface of triangles."""
    raise NotImplementedError(f"No picture is known for a {type(form).__name__}.")


@picture.register
def _(form: Block, level: Detail) -> Part:
    sizes = (form.x, form.y, form.z)
    return box(sizes, 0.05 * min(sizes))


@picture.register
def _(form: Cylinder, level: Detail) -> Part:
    r, h = form.radius, form.height
    # a thin large one is a floor or a table, whose corners would be seen
    turn = max(level.turn, 12) * (2 if r > 10 * h else 1)
    return cylinder(r, h, 0.06 * min(r, h) if h > r else 0.12 * h, turn)


@picture.register
def _(form: Tube, level: Detail) -> Part:
    chamfer = 0.12 * min(form.outer - form.inner, form.height)
    return hollow(form.outer, form.inner, form.height, chamfer, max(level.turn, 12))


@picture.register
def _(form: HalfPipe, level: Detail) -> Part:
    chamfer = 0.12 * min(form.outer - form.inner, form.height)
    return half_hollow(form.outer, form.inner, form.height, chamfer, max(level.turn, 12))


@picture.register
def _(form: Ball, level: Detail) -> Part:
    return sphere(form.radius, max(level.turn, 12))


@picture.register
def _(form: Ellipsoid, level: Detail) -> Part:
    return ellipsoid((form.x / 2, form.y / 2, form.z / 2), max(level.turn, 12))


@picture.register
def _(form: Capsule, level: Detail) -> Part:
    return capsule(form.radius, form.height, max(level.turn, 12))


@picture.register
def _(form: Frustum, level: Detail) -> Part:
    b, t, h = form.bottom, form.top, form.height
    return cone(b, t, h, 0.06 * min(max(b, t), h), max(level.turn, 12))


@picture.register
def _(form: Flat, level: Detail) -> Part:
    return _flat(convex_hull(form.corners), form.radius, form.thickness, level)


def _flat(corners: list, radius: float, thickness: float, level: Detail) -> Part:
    hole = HOLE * radius if level.holes else 0.0
    flat = plate(
        np.array(corners), radius, thickness, hole, 0.11 * min(radius, thickness), level.arc
    )
    return placed(flat, FLAT_IN_XZ, np.zeros(3))
