"""Least distance of two solids: Gilbert, Johnson and Keerthi's algorithm on exact support points.

G. van den Bergen, "A fast and robust GJK implementation for collision detection of convex objects",
Journal of Graphics Tools 4 (1999).  Every step gives a point of the difference, no nearer than the
distance, and a plane before it, no farther: what lies between them is the error, and it is
reported. Balls and capsules are their cores less a radius, bars and plates are exact with their
round ends, meshes are their convex hulls.
"""

import functools
import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import (
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
from mechstudio.model.geometry.rotation import (
    Pose,
    Triple,
    conjugate,
    minus,
    plus,
    rotate,
    transform,
    triple,
)

ENOUGH = 1e-11  # error at which the search ends, as a share of the solids' distance and reach
MOST = 200  # steps
TOUCHING = 1e-12  # of the reach: nearer cores touch or lie in each other


class Solid(NamedTuple):
    """A form at a pose of W."""

    form: Form
    pose: Pose


class Clearance(NamedTuple):
    """Least distance [m], zero where the solids touch or lie in each other.  a, b: the points
    nearest to each other, on the first and the second one.  error [m]: the true distance of the
    convex solids lies between distance - error and distance.
    """

    distance: float
    a: Triple
    b: Triple
    error: float = 0.0


# support points: the farthest of a form in a direction of its own axes


@functools.singledispatch
def support(form: Form, d: Triple) -> Triple:
    """The point of a form, less its round skin, that is farthest in a direction."""
    raise NotImplementedError(f"No distance is known for a {type(form).__name__}.")


@support.register
def _(form: Block, d: Triple) -> Triple:
    half = (form.x / 2, form.y / 2, form.z / 2)
    return tuple(math.copysign(h, c) for h, c in zip(half, d))  # type: ignore[return-value]


@support.register
def _(form: Ellipsoid, d: Triple) -> Triple:
    a, b, c = form.x / 2, form.y / 2, form.z / 2
    length = math.hypot(a * d[0], b * d[1], c * d[2])
    if length == 0.0:
        return (a, 0.0, 0.0)
    return (a * a * d[0] / length, b * b * d[1] / length, c * c * d[2] / length)


def _on_rim(radius: float, z: float, d: Triple) -> Triple:
    """The point of a circle about z that is farthest in a direction; its middle where all are."""
    across = math.hypot(d[0], d[1])
    if across == 0.0:
        return (0.0, 0.0, z)
    return (radius * d[0] / across, radius * d[1] / across, z)


@support.register
def _(form: Cylinder, d: Triple) -> Triple:
    return _on_rim(form.radius, math.copysign(form.height / 2, d[2]), d)


@support.register
def _(form: Frustum, d: Triple) -> Triple:
    ends = (
        _on_rim(form.bottom, -form.height / 2, d),
        _on_rim(form.top, form.height / 2, d),
    )
    return max(ends, key=lambda p: _dot(p, d))


@support.register
def _(form: Capsule, d: Triple) -> Triple:
    return (0.0, 0.0, math.copysign(form.height / 2, d[2]))


@support.register
def _(form: Flat, d: Triple) -> Triple:
    x, z = max(form.corners, key=lambda p: p[0] * d[0] + p[1] * d[2])
    across = math.hypot(d[0], d[2])
    share = form.radius / across if across > 0.0 else 0.0
    return (x + share * d[0], math.copysign(form.thickness / 2, d[1]), z + share * d[2])


@support.register
def _(form: Tube, d: Triple) -> Triple:
    return _on_rim(form.outer, math.copysign(form.height / 2, d[2]), d)


@support.register
def _(form: HalfPipe, d: Triple) -> Triple:
    z = math.copysign(form.height / 2, d[2])
    if d[0] > 0.0:
        return _on_rim(form.outer, z, d)
    return (0.0, math.copysign(form.outer, d[1]), z)


@support.register
def _(form: Polyhedron, d: Triple) -> Triple:
    return meshes.farthest(form.mesh, d)


def skin(form: Form) -> float:
    """Radius about the core that `support` gives [m]."""
    return form.radius if isinstance(form, Capsule) else 0.0


def is_exact(form: Form) -> bool:
    """True if a form is what is measured; a mesh and a tube are measured by their convex hulls,
    which are nearer than they or as near.
    """
    return not isinstance(form, Polyhedron | Tube)


# the search


def clearance(
    first: Sequence[Solid], second: Sequence[Solid], reach: float = 1.0
) -> Clearance | None:
    """Least distance of two bodies by the solids of each; None where one has none.  reach: size of
    the mechanism [m].
    """
    best: Clearance | None = None
    for one in first:
        for other in second:
            found = _between(one, other, reach, math.inf if best is None else best.distance)
            if best is None or found.distance < best.distance:
                best = found
    return best


def _between(one: Solid, other: Solid, reach: float, limit: float) -> Clearance:
    """Least distance of two solids; any greater number where it is beyond a limit [m]."""
    back, forth = conjugate(one.pose[1]), conjugate(other.pose[1])
    ra, rb = skin(one.form), skin(other.form)
    simplex: list[tuple[Triple, Triple, Triple]] = []  # of the difference b - a, with both points
    v = minus(other.pose[0], one.pose[0])
    if not any(v):
        v = (1.0, 0.0, 0.0)
    a = b = v
    upper, error = math.inf, 0.0
    for _ in range(MOST):
        pa = transform(one.pose, support(one.form, rotate(back, v)))
        pb = transform(other.pose, support(other.form, rotate(forth, minus((0, 0, 0), v))))
        w, length = minus(pb, pa), math.hypot(*v)
        lower = _dot(v, w) / length
        error = upper - lower
        if lower - ra - rb > limit:
            return Clearance(lower - ra - rb, a, b)
        done = upper < math.inf and error <= ENOUGH * (upper + reach)
        if done or any(w == known[0] for known in simplex):
            break
        kept, shares = _nearest([*simplex, (w, pa, pb)])
        found = _mixed(kept, shares, 0)
        size = math.hypot(*found)
        if size >= upper:  # rounding: nothing nearer is found
            break
        simplex, v, upper = kept, found, size
        a, b = _mixed(kept, shares, 1), _mixed(kept, shares, 2)
        if upper <= TOUCHING * reach:
            return Clearance(0.0, a, b)
    if upper <= ra + rb:
        return Clearance(0.0, a, b)
    n = triple(c / upper for c in v)
    error = min(max(error, 0.0), upper)
    return Clearance(upper - ra - rb, plus(a, n, ra), plus(b, n, -rb), error)


Corner = tuple[Triple, Triple, Triple]


def _mixed(corners: Sequence[Corner], shares: Sequence[float], k: int) -> Triple:
    return tuple(
        sum(share * corner[k][i] for share, corner in zip(shares, corners)) for i in range(3)
    )  # type: ignore[return-value]


def _nearest(corners: list[Corner]) -> tuple[list[Corner], list[float]]:
    """The face of a simplex that is nearest to the origin, with the shares of its corners in the
    nearest point: by trying all faces, which rounding cannot mislead.
    """
    best: tuple[float, list[Corner], list[float]] = (math.inf, corners[:1], [1.0])
    for count in range(1, len(corners) + 1):
        for face in combinations(corners, count):
            shares = _shares([corner[0] for corner in face])
            if shares is None or min(shares) < 0.0:
                continue
            size = math.hypot(*_mixed(face, shares, 0))
            if size < best[0]:
                best = (size, list(face), shares)
    return best[1], best[2]


def _shares(points: list[Triple]) -> list[float] | None:
    """Shares of points, their sum one, in the point of their hull nearest to the origin; None where
    they span less than they are.
    """
    first, others = points[0], points[1:]
    edges = [minus(p, first) for p in others]
    n = len(edges)
    if n == 0:
        return [1.0]
    rows = [[_dot(e, f) for f in edges] + [-_dot(e, first)] for e in edges]
    scale = max(rows[i][i] for i in range(n))
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[pivot][k]) <= 1e-14 * scale:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    shares = [0.0] * n
    for k in reversed(range(n)):
        rest = sum(rows[k][j] * shares[j] for j in range(k + 1, n))
        shares[k] = (rows[k][n] - rest) / rows[k][k]
    return [1.0 - sum(shares), *shares]


def _dot(u: Triple, v: Triple) -> float:
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
