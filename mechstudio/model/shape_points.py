"""The points that a shape names, so that joints, springs and trails can stand there."""

from typing import TYPE_CHECKING

from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.types.shapes import SHAPE_TYPES

if TYPE_CHECKING:
    from mechstudio.model.mechanism import Shape


def local_points(shape: "Shape") -> dict[str, Triple]:
    """The points that a shape names, in its own axes [m]."""
    size = {name: q.value for name, q in shape.dimensions.items()}
    out: dict[str, Triple] = {
        name: tuple(f * size[d] if d else 0.0 for d, f in factors)
        for name, factors in SHAPE_TYPES[shape.type].points
    }  # type: ignore[misc]
    return out | shape.form.points()


def local_point(shape: "Shape", name: str) -> Triple | None:
    """One of them that is a multiple of dimensions; None for any other name."""
    for known, factors in SHAPE_TYPES[shape.type].points:
        if known == name:
            return tuple(f * shape.dimensions[d].value if d else 0.0 for d, f in factors)  # type: ignore[return-value]
    return None
