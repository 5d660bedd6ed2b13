"""Ways of dragging the lengths of shapes, as data of their rows."""

from collections.abc import Mapping

import msgspec

from mechstudio.model.geometry.rotation import Triple, triple


class Size(msgspec.Struct, frozen=True):
    """One way of dragging a dimension of a shape.

    dimension: its name.  way: unit direction in the shape's axes in which the handle goes.  face:
    factors of dimensions that give the handle's place, x, y and z.  grows: the middle moves by half
    the growth, so that the opposite face stays.
    """

    dimension: str
    way: Triple
    face: tuple[dict[str, float], dict[str, float], dict[str, float]]
    grows: bool

    @property
    def rate(self) -> float:
        """By how much the dimension grows per metre that its handle goes: twice as far where the
        opposite face goes the other way.
        """
        return (
            1.0
            if self.grows
            else 1.0
            / sum(abs(part.get(self.dimension, 0.0) * w) for part, w in zip(self.face, self.way))
        )


def along(
    dimension: str,
    axis: int,
    grows: bool,
    reach: dict[str, float],
    off: Mapping[int, dict[str, float]] = {},
) -> tuple[Size, ...]:
    """Handles on both sides of an axis."""
    out: list[Size] = []
    for sign in (1.0, -1.0):
        place = triple(
            {k: sign * f for k, f in reach.items()} if i == axis else off.get(i, {})
            for i in range(3)
        )
        way = triple(sign if i == axis else 0.0 for i in range(3))
        out.append(Size(dimension, way, place, grows))
    return tuple(out)


def across(dimension: str, off: Mapping[int, dict[str, float]] = {}) -> tuple[Size, ...]:
    """Handles of a radius across the axis z."""
    return (
        *along(dimension, 0, False, {dimension: 1.0}, off),
        *along(dimension, 1, False, {dimension: 1.0}, off),
    )
