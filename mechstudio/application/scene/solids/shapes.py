"""Parts of the shapes of bodies, from unit meshes that are kept, at a level of detail that falls as
bodies increase.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

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
    placed,
    sphere,
)
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mass_properties import convex_hull
from mechstudio.model.mechanism import Shape
from mechstudio.model.quantity import values
from mechstudio.model.types.shapes import SHAPE_TYPES

MATERIALS = {"paint": PAINT, "steel": STEEL, "cast": CAST}
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


FINE, MIDDLE, COARSE = (
    Detail(18, 40, True, 40, 16),
    Detail(9, 20, True, 28, 12),
    Detail(3, 10, False, 9, 8),
)


def detail(shape_count: int) -> Detail:
    """The level for a number of shapes in all."""
    return FINE if shape_count <= 24 else MIDDLE if shape_count <= 80 else COARSE


def body_parts(shapes: Sequence[Shape], level: Detail) -> list[Part | None]:
    """The part of each shape of a body; plates that were drawn as one outline show no seams."""
    parts = [shape_part(shape, level) for shape in shapes]
    sharp = [
        k
        for k, shape in enumerate(shapes)
        if shape.type == "plate" and parts[k] is not None and shape.dimensions["radius"].value == 0
    ]
    if len(sharp) > 1:
        for k, part in zip(sharp, without_seams([parts[k] for k in sharp])):  # type: ignore[misc]
            parts[k] = part
    return parts


def shape_part(shape: Shape, level: Detail) -> Part | None:
    """The part of a shape in its body's axes; None for a shape without extent in some direction,
    and for a mesh that encloses nothing.
    """
    lengths = {name: q.value for name, q in shape.dimensions.items()}
    may_be_zero = {d.name for d in SHAPE_TYPES[shape.type].dimensions if d.zero} | (
        {"length"} if shape.type == "link" else set()
    )
    if any(not v > 0 for name, v in lengths.items() if not (name in may_be_zero and v == 0)):
        return None
    if shape.type == "mesh":
        part = mesh_part(shape.mesh) if shape.mesh is not None else None
    else:
        part = _part(
            shape.type, tuple(lengths.items()), tuple(values(p) for p in shape.outline), level
        )
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
def _part(
    type: str, lengths: tuple[tuple[str, float], ...], outline: tuple, level: Detail
) -> Part | None:
    d = dict(lengths)
    match type:
        case "link":
            ends = [(0.0, 0.0), (d["length"], 0.0)] if d["length"] > 0 else [(0.0, 0.0)]
            return _flat(ends, d["width"] / 2, d["thickness"], level)
        case "plate":
            corners = convex_hull(list(outline))
            return (
                _flat(corners, d["radius"], d["thickness"], level)
                if (d["radius"] > 0 and corners) or len(corners) > 2
                else None
            )
        case "box":
            sizes = (d["length"], d["depth"], d["height"])
            return box(sizes, 0.05 * min(sizes))
        case "cylinder" | "disc":
            h = d["height"] if type == "cylinder" else d["thickness"]
            # a thin large one is a floor or a table, whose corners would be seen
            return cylinder(
                d["radius"],
                h,
                0.06 * min(d["radius"], h) if h > d["radius"] else 0.12 * h,
                max(level.turn, 12) * (2 if d["radius"] > 10 * h else 1),
            )
        case "sphere":
            return sphere(d["radius"], max(level.turn, 12))
        case "ellipsoid":
            return ellipsoid(
                (d["length"] / 2, d["depth"] / 2, d["height"] / 2), max(level.turn, 12)
            )
        case "capsule":
            return capsule(d["radius"], d["height"], max(level.turn, 12))
        case "cone":
            b, t, h = d["bottom_radius"], d["top_radius"], d["height"]
            return cone(b, t, h, 0.06 * min(max(b, t), h), max(level.turn, 12))
    raise ValueError(f"No picture is known for a shape of type {type}.")


def _flat(corners: list, radius: float, thickness: float, level: Detail) -> Part:
    hole = 0.41 * radius if level.holes else 0.0
    flat = plate(
        np.array(corners), radius, thickness, hole, 0.11 * min(radius, thickness), level.arc
    )
    return placed(flat, FLAT_IN_XZ, np.zeros(3))
