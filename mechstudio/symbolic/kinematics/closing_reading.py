"""Readings of a coordinate of a loop joint, and of an angle from its sine and cosine."""

from collections.abc import Sequence
from dataclasses import dataclass

from mechstudio.model.types.joints import Z
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector


@dataclass
class Reading:
    """x, or None without room for its function; its slopes dx/dq_k and rate.

    sine, cosine: of an angle between axes that are not parallel.  moment: (torque on B, torque on
    A) of a unit effort on the coordinate, each in the axes of its own cursor's display frame.
    force: the forces at B's and A's origins that go with them, if any.  axis: of A, of a slide that
    has neither.
    """

    x: Poly | None
    slopes: list[Poly]
    rate: Poly
    sine: Poly | None = None
    cosine: Poly | None = None
    moment: tuple[Vector, Vector] | None = None
    force: tuple[Vector, Vector] | None = None
    axis: int = Z


def on_both(kin: Kinematics, closure: Closure, moment: Vector, frame: int) -> tuple[Vector, Vector]:
    """A torque on B, in the axes of `frame`, and the opposite one on A."""
    return kin.transformed(moment, frame, closure.b.frame), [
        -x for x in kin.transformed(moment, frame, closure.a.frame)
    ]


def pushed(
    ring: Ring,
    kin: Kinematics,
    closure: Closure,
    force: Vector,
    moment: Vector,
    d: Vector,
    frame: int,
) -> tuple[tuple[Vector, Vector], tuple[Vector, Vector]]:
    """(forces, torques) on B and A: a wrench at B's origin and the opposite one on A in the same
    place.  d: from A's origin to B's; all in the axes of `frame`.
    """
    turn = [ring.reduce(x + y) for x, y in zip(ring.cross(d, force), moment)]
    torques = (
        kin.transformed(moment, frame, closure.b.frame),
        [-x for x in kin.transformed(turn, frame, closure.a.frame)],
    )
    return on_both(kin, closure, force, frame), torques


def slopes_of(
    ring: Ring,
    kin: Kinematics,
    closure: Closure,
    moment: tuple[Vector, Vector],
    force: tuple[Vector, Vector] | None = None,
) -> list[Poly]:
    """dx/dq_k: the power of a unit effort per unit of each rate."""
    slopes = [ring.zero] * ring.coordinate_count
    for k, cursor in enumerate((closure.b, closure.a)):
        motion = kin.motion(cursor)
        for vectors, columns in ((moment, motion.turning), (force, motion.moving)):
            if vectors is None:
                continue
            for j, column in columns.items():
                slopes[j] = slopes[j] + ring.dot(vectors[k], column)
    return [ring.reduce(s) for s in slopes]


def rate_of(ring: Ring, slopes: Sequence[Poly]) -> Poly:
    """Rate of a coordinate with these slopes."""
    return ring.reduce(ring.total(s * v for s, v in zip(slopes, ring.v)))


def rotated(
    ring: Ring,
    kin: Kinematics,
    closure: Closure,
    component: int,
    moment: tuple[Vector, Vector],
    sine: Poly,
    cosine: Poly,
    force: tuple[Vector, Vector] | None = None,
    parts: int = 1,
) -> Reading:
    """An angle, one or two `parts` of which have the given sine and cosine."""
    slopes = slopes_of(ring, kin, closure, moment, force)
    x = None
    if component in closure.turns:
        i = closure.turns[component]
        if ring.arguments[i] is None:
            ring.set_argument(i, 1 + 2 * cosine)
        x = 2 * parts * ring.f[i][0] * sine
        if component in closure.whole:
            x = x + ring.p[closure.whole[component]]
    if parts == 2:
        sine, cosine = ring.reduce(2 * sine * cosine), ring.reduce(cosine * cosine - sine * sine)
    return Reading(x, slopes, rate_of(ring, slopes), sine, cosine, moment, force)


__all__ = ["Reading", "on_both", "pushed", "rate_of", "rotated", "slopes_of"]
