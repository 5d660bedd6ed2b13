"""Circle through three points of space."""

from collections.abc import Sequence

from mechstudio.model.geometry.rotation import Triple, minus, scaled
from mechstudio.model.geometry.work_plane import cross, dot

FLAT = 1e-9  # of the longest side squared: twice the area of a triangle through which none is laid


def circle_through(points: Sequence[Triple]) -> tuple[Triple, Triple, Triple] | None:
    """Centre, and the arms to the first of three points and a quarter turn further towards the
    second, each (3,) [m]; None where the points lie on a straight line.
    """
    first, second, third = points
    a, b, c = minus(second, first), minus(third, first), minus(third, second)
    across = cross(a, b)
    area = dot(across, across) ** 0.5
    if not area > FLAT * max(dot(a, a), dot(b, b), dot(c, c)):
        return None
    # of the circumscribed circle, by the two sides from the first point
    out = cross(scaled(b, dot(a, a)), across), cross(scaled(a, dot(b, b)), across)
    arm = scaled(minus(out[1], out[0]), 0.5 / area**2)
    return minus(first, arm), arm, cross(scaled(across, 1.0 / area), arm)
