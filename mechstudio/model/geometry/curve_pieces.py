"""Exact pieces of curves: straight ones and arcs over their arc length."""

import math

import msgspec

from mechstudio.model.geometry.rotation import Triple, plus, scaled

NO_POINT: Triple = (0.0, 0.0, 0.0)


class Piece(msgspec.Struct, frozen=True):
    """Exact piece of a curve over its arc length s from its own start, to `length` [m]; of an
    ellipse over its eccentric angle [rad], with k = 1.

    curvature k [1/m]: 0 of a straight piece, place + s first with a unit vector first; else of an
    arc, place + cos(k s) first + sin(k s) second, with two arms (3,) [m] from its centre.
    """

    length: float
    curvature: float
    place: Triple
    first: Triple
    second: Triple = NO_POINT

    def at(self, s: float) -> Triple:
        """Point at an arc length [m]."""
        if self.curvature == 0.0:
            return plus(self.place, scaled(self.first, s))
        turned = self.curvature * s
        arms = scaled(self.first, math.cos(turned)), scaled(self.second, math.sin(turned))
        return plus(self.place, plus(*arms))

    @property
    def turn(self) -> float:
        """Angle between its two ends' tangents [rad]."""
        return self.curvature * self.length
