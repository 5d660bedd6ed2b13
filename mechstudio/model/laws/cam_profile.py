"""Profiles of plate cams, in closed form from the follower's law.

The cam turns by a about the origin; the follower moves along +y for a = 0 and stands at s(a) above
its lowest place.  Seen from the cam, the follower turns the other way, so its direction is u(a) =
(sin a, cos a), and the one across it t(a) = (cos a, -sin a).
Sources: Norton, Design of Machinery, chapter 8; Shigley and Uicker, Theory of Machines and
Mechanisms, chapter 6.
"""

import math
from typing import NamedTuple

from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Law
from mechstudio.translation import tr

Point = tuple[float, float]


class Profile(NamedTuple):
    """A closed profile in the cam's axes at a = 0 [m], in the order of the angle.

    pitch: where the follower's reference point runs (the roller's centre, or the foot of the flat
    face on the follower's line).
    profile: the cam's edge.  least_radius: the smallest radius of curvature of the pitch curve
    where that is convex (of the edge, for a flat face); infinite where it is nowhere.
    pressure_angle: the largest one [rad], 0 for a flat face.
    """

    pitch: tuple[Point, ...]
    profile: tuple[Point, ...]
    least_radius: float
    pressure_angle: float


def roller_profile(
    law: Law, base_radius: float, roller_radius: float, offset: float = 0.0, steps: int = 360
) -> Profile:
    """A cam under a roller; roller_radius 0: a knife-edge follower, whose edge is the pitch curve.

    base_radius: of the pitch curve at s = 0, from the cam's centre to the roller's [m].  offset: of
    the follower's line to +x [m].
    With p = sqrt(base_radius^2 - offset^2) + s:  pitch = offset t + p u,  pitch' = -offset u + s' u
    + p t  (u' = t, t' = -u), edge = pitch - roller_radius n, n the unit normal outwards.  Pressure
    angle: tan phi = (s' - offset) / p.
    Raises ValueError, with what to change, for a cam that cannot be cut: an offset beyond the base
    circle, or undercutting.
    """
    if not 0.0 <= roller_radius < base_radius or abs(offset) >= base_radius:
        raise ValueError(
            tr(
                "The base circle must be larger than the roller and than the offset of the "
                "follower."
            )
        )
    p0, least, steepest = math.sqrt(base_radius**2 - offset**2), math.inf, 0.0
    pitch: list[tuple[float, float]] = []
    edge: list[tuple[float, float]] = []
    for k in range(steps):
        a = 2.0 * math.pi * k / steps
        s, s1, s2 = evaluation.jet(law, a)
        (ux, uy), (tx, ty), p = (math.sin(a), math.cos(a)), (math.cos(a), -math.sin(a)), p0 + s
        along, across = s1 - offset, p  # of the pitch curve's slope: along u, across t
        speed = math.hypot(along, across)
        x, y = offset * tx + p * ux, offset * ty + p * uy
        # slope' = (s'' - p) u + (2 s' - offset) t, curvature = |slope x slope'| / |slope|^3,
        # positive where the edge is convex
        bend = (along * (2.0 * s1 - offset) - across * (s2 - p)) / speed**3
        if bend > 0.0:
            least = min(least, 1.0 / bend)
        steepest = max(steepest, abs(math.atan2(along, across)))
        nx, ny = (across * ux - along * tx) / speed, (across * uy - along * ty) / speed
        pitch.append((x, y))
        edge.append((x - roller_radius * nx, y - roller_radius * ny))
    if least <= roller_radius:
        raise ValueError(
            tr(
                "The cam is undercut: its pitch curve bends with {least:.3g} mm, and the roller "
                "has {roller_radius:.3g} mm. Make the base circle larger, the roller smaller or "
                "the rise longer.",
                least=1000 * least,
                roller_radius=1000 * roller_radius,
            )
        )
    return Profile(tuple(pitch), tuple(edge), least, steepest)


def flat_profile(law: Law, base_radius: float, steps: int = 360) -> Profile:
    """A cam under a flat face at right angles to the follower's line through the cam's centre.

    edge = (base_radius + s) u + s' t: the envelope of the face; its radius of curvature is
    base_radius + s + s'' (Norton, equation 8.22), which must stay positive.  The face must reach s'
    to either side.  Raises ValueError for an edge with a cusp.
    """
    pitch: list[tuple[float, float]] = []
    edge: list[tuple[float, float]] = []
    least = math.inf
    for k in range(steps):
        a = 2.0 * math.pi * k / steps
        s, s1, s2 = evaluation.jet(law, a)
        (ux, uy), (tx, ty), p = (
            (math.sin(a), math.cos(a)),
            (math.cos(a), -math.sin(a)),
            base_radius + s,
        )
        least = min(least, p + s2)
        pitch.append((p * ux, p * uy))
        edge.append((p * ux + s1 * tx, p * uy + s1 * ty))
    if least <= 0.0:
        raise ValueError(
            tr(
                "The cam has a cusp: its base circle is {least:.3g} mm too small. Make it larger "
                "or the rise longer.",
                least=-1000 * least,
            )
        )
    return Profile(tuple(pitch), tuple(edge), least, 0.0)


def extruded(
    outline: tuple[Point, ...], bore: float, thickness: float
) -> tuple[list[tuple[float, float, float]], list[tuple[int, int, int]]]:
    """Vertices [m] and triangles of a closed plate with this edge and a round bore about the
    origin, centred on z = 0.

    outline: around the origin, seen from it under every angle once, in either sense.  Four rings of
    points, joined by quadrilaterals of two triangles.
    """
    if (
        sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0])))
        < 0.0
    ):
        outline = outline[::-1]
    n, h = len(outline), 0.5 * thickness
    hole = [(bore * x / math.hypot(x, y), bore * y / math.hypot(x, y)) for x, y in outline]
    # rings counter-clockwise: 0 top edge, 1 bottom edge, 2 bottom bore, 3 top bore; each joined to
    # the next one
    vertices = [
        (x, y, z)
        for ring, z in ((outline, h), (outline, -h), (hole, -h), (hole, h))
        for x, y in ring
    ]
    triangles: list[tuple[int, int, int]] = []
    for ring in range(4):
        first, second = ring * n, (ring + 1) % 4 * n
        for k in range(n):
            j = (k + 1) % n
            triangles += [(first + k, second + k, second + j), (first + k, second + j, first + j)]
    return vertices, triangles
