"""Coordinates of joints that close loops: a slide or an angle measured between the joint's two frames.

    slide  x = z_A . (p_B - p_A)         angle of parallel axes  a form of the plane's angles
    any other hinge's angle is known by its rate, z_A . (w_B - w_A), and by its sine and cosine, y_A . x_B and x_A . x_B
"""

from dataclasses import dataclass

from mechstudio.model.joint_types import JOINT_TYPES, SLIDE, TURN, X, Y, Z

from .kinematics import Kinematics
from .loads import relative_angle
from .loops import Closure
from .ring import Poly, Ring


@dataclass
class Reading:
    """x, or None where only its sine and cosine are closed forms; its slopes dx/dq_k and rate."""

    x: Poly | None
    slopes: list[Poly]
    rate: Poly
    sine: Poly | None = None
    cosine: Poly | None = None


def closing_coordinate(ring: Ring, kin: Kinematics, closure: Closure, component: int) -> Reading | None:
    """A coordinate of a closing joint; None where it has no closed form."""
    kind, a, b = JOINT_TYPES[closure.joint.type], closure.a, closure.b
    coordinate = kind.coordinates[component]
    if coordinate.dimension == "length" and sum(motion == SLIDE for motion, _ in kind.motions) == 1:
        d, frame = kin.between(a, b)
        axis = next(axis for motion, axis in kind.motions if motion == SLIDE)
        x = ring.dot(d, kin.up(kin.axis(a, axis), a.frame, frame))
        return Reading(x, ring.gradient(x), ring.rate(x))
    if coordinate.dimension != "angle" or [m for m, _ in kind.motions if m != SLIDE] != [TURN]:
        return None
    form = relative_angle(a, b)
    if form is not None:
        x = sum((c * (ring.q[v] if v >= 0 else ring.p[-1 - v]) for v, c in form), ring.zero)
        return Reading(x, ring.gradient(x), ring.rate_of(form))
    frame = kin.common({a.frame, b.frame})
    slopes = [ring.zero] * ring.coordinate_count
    for sign, cursor in ((1, b), (-1, a)):
        axis = kin.axis(cursor, Z)
        for k, column in kin.motion(cursor).turning.items():
            slopes[k] = slopes[k] + sign * ring.dot(axis, column)
    x_a, y_a, x_b = (kin.up(kin.axis(c, k), c.frame, frame) for c, k in ((a, X), (a, Y), (b, X)))
    rate = sum((s * v for s, v in zip(slopes, ring.v)), ring.zero)
    return Reading(None, slopes, rate, ring.dot(y_a, x_b), ring.dot(x_a, x_b))


__all__ = ["Reading", "closing_coordinate"]
