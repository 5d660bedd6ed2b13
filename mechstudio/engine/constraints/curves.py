"""Curves that points run along, over their arc length: exact pieces, straight or round, of the
forms that have them, else pieces of fifth degree, twice continuously differentiable (THEORY 3).

A spline is cubic over the chord lengths (natural, or periodic if closed); a polyline has its
corners rounded off over a small part of them, because a point cannot pass a corner without a jump
of its velocity.  Both are then laid out over their arc length: at the knots position, direction and
curvature are exact, between them |c'| = 1 to LEVEL.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from math import comb

import msgspec
import numpy as np

from mechstudio.model.geometry import curve_forms
from mechstudio.model.geometry.curve_offsets import plane_normal, too_narrow
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.joints.tracks import curve_numbers
from mechstudio.model.mechanism import Curve
from mechstudio.model.units import format_value
from mechstudio.translation import tr

ROUNDED = (
    0.05  # of the shorter neighbour: what a corner of straight pieces is rounded over, to each side
)
LEVEL = 1e-9  # error of |c'| = 1 that refining stops at
FEWEST, MOST = 4, 128  # pieces that a bent part is divided into
LOOKS = 4  # places per radian of an arc from which the nearest one is searched
TANGENTS = 400  # of exact pieces, from all of which the normals keep away
JUMP = 1e-5  # of the curvature over the whole length, that is none [rad]
TURNS = 100  # of Newton's method towards the nearest point, slow by a centre of curvature
EXACT = 1e-12  # from 1, of the speed along a circle
ROLLER_PLACES = 2000  # of a curve, at which the room for a roller is checked
PIECE_PLACES = 4  # of each of its pieces, which are short where it bends sharply
MEET = 1e-9  # of a curve's extent: points nearer to a line lie on it
ROOM = 1e-6  # of its radius that a roller may lack
CUSP = 1e-6  # speed over its mean below which a spline has a cusp
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)


class CurveTable(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A curve c(s) in the axes of its joint's frame A.

    knots (m + 1,): arc length at which pieces begin [m], from 0 to the length.  pieces (m, 3, 6):
    coefficients of x, y, z in powers 0 ... 5 of s - knot.  closed: s goes round; else the curve
    goes on straight beyond its ends, where its curvature is zero. side (3,): a unit vector that is
    nowhere along the curve; its normals are n_2 = c' x side / |...| and n_1 = n_2 x c' / |c'|.
    curvature (m,): of round pieces [1/m], whose first three coefficients are then those of 1, cos
    and sin of curvature (s - knot); 0 of the others.
    """

    knots: np.ndarray
    pieces: np.ndarray
    closed: bool
    side: np.ndarray
    curvature: np.ndarray

    @property
    def length(self) -> float:
        """Of the whole curve [m]; the period of s if it is closed."""
        return float(self.knots[-1])

    def at(self, s: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """c [m], c' and c'' [1/m], each (..., 3), at ways s (...) [m]."""
        s = np.asarray(s, float)
        inside = np.mod(s, self.length) if self.closed else np.clip(s, 0.0, self.length)
        k = np.clip(np.searchsorted(self.knots, inside, side="right") - 1, 0, len(self.pieces) - 1)
        t, p = (inside - self.knots[k])[..., None], self.pieces[k]
        c, d, dd = p[..., 5], 5 * p[..., 5], 20 * p[..., 5]
        for power in (4, 3, 2, 1, 0):
            c = c * t + p[..., power]
            if power >= 1:
                d = d * t + power * p[..., power]
            if power >= 2:
                dd = dd * t + power * (power - 1) * p[..., power]
        if self.curvature.any():
            curvature = self.curvature[k][..., None]
            turned = curvature * t
            cosine, sine = np.cos(turned), np.sin(turned)
            out = cosine * p[..., 1] + sine * p[..., 2]
            along = curvature * (cosine * p[..., 2] - sine * p[..., 1])
            c = np.where(curvature > 0.0, p[..., 0] + out, c)
            d = np.where(curvature > 0.0, along, d)
            dd = np.where(curvature > 0.0, -(curvature**2) * out, dd)
        beyond = (s - inside)[..., None] if not self.closed else 0.0
        return c + beyond * d, d, dd if self.closed else np.where(beyond == 0.0, dd, 0.0)

    @cached_property
    def is_circle(self) -> bool:
        """True for a whole circle over its arc length."""
        speeds = self.curvature[0] * np.linalg.norm(self.pieces[0, :, 1:3], axis=0)
        return self.closed and len(self.pieces) == 1 and bool((abs(speeds - 1.0) < EXACT).all())

    @cached_property
    def jumps(self) -> tuple[float, ...]:
        """Ways at which the curvature jumps [m], ascending, of a closed curve in [0, length)."""
        begins, ends = self.knots[:-1], np.nextafter(self.knots[1:], 0.0)
        after, before = self.at(begins)[2], self.at(ends)[2]
        outside = np.zeros((1, 3))
        before = np.roll(before, 1, axis=0) if self.closed else np.concatenate((outside, before))
        after = after if self.closed else np.concatenate((after, outside))
        jump = np.linalg.norm(after - before, axis=1)
        return tuple(self.knots[: len(jump)][jump > JUMP / self.length].tolist())

    def normals(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Unit tangent and normals n_1, n_2, each (..., 3), at ways s (...) [m]."""
        _, d, _ = self.at(s)
        t = d / np.linalg.norm(d, axis=-1, keepdims=True)
        n2 = np.cross(t, self.side)
        n2 = n2 / np.linalg.norm(n2, axis=-1, keepdims=True)
        return t, np.cross(n2, t), n2

    def nearest(self, p: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """Ways s (...) [m] at which the curve is nearest to points p (..., 3); of a closed curve in
        [0, length).

        near (...): ways to go on from instead of looking everywhere: the nearest point beside each,
        and on a closed curve on its round.
        """
        p = np.asarray(p, float)
        if self.is_circle:
            return self._nearest_on_circle(p, near)
        if near is not None and self.closed and len(self.pieces) == 1:
            # an ellipse does not cross itself, and from far away Newton's steps would go astray
            s = self.nearest(p)
            return s + self.length * np.round((near - s) / self.length)
        if near is None:
            s = self._nearest_knot(p)
        else:
            s = np.broadcast_to(np.asarray(near, float), p.shape[:-1]).copy()
        for _ in range(TURNS):
            c, d, dd = self.at(s)
            r = p - c
            slope, speed = np.sum(r * d, axis=-1), np.sum(d * d, axis=-1)
            # beyond the centre of curvature Newton's step would lead to the farthest point
            bend = np.maximum(speed - np.sum(r * dd, axis=-1), 0.3 * speed)
            step = np.clip(slope / bend, -0.1 * self.length, 0.1 * self.length)
            s = s + step
            # Newton's next step would be the square of this one
            if np.abs(step).max(initial=0.0) <= 1e-11 * self.length:
                break
        return np.mod(s, self.length) if self.closed and near is None else s

    def _nearest_on_circle(self, p, near):
        centre, a, b = self.pieces[0].T[:3]
        s = np.arctan2((p - centre) @ b, (p - centre) @ a) / self.curvature[0]
        if near is None:
            return np.mod(s, self.length)
        return s + self.length * np.round((near - s) / self.length)

    @cached_property
    def is_exact(self) -> bool:
        """True for straight pieces and arcs over their arc length alone."""
        straight = (self.pieces[:, :, 2:] == 0.0).all(axis=(1, 2))
        speeds = np.linalg.norm(self.pieces[:, :, 1], axis=1) * np.where(
            self.curvature > 0.0, self.curvature, 1.0
        )
        return bool(((straight | (self.curvature > 0.0)) & (abs(speeds - 1.0) < EXACT)).all())

    def _nearest_on_pieces(self, p):
        """The nearest point of each exact piece, and of these the nearest."""
        lengths = np.diff(self.knots)
        place, first, second = np.moveaxis(self.pieces[:, :, :3], 2, 0)
        r = p[..., None, :] - place
        a, b = np.sum(r * first, axis=-1), np.sum(r * second, axis=-1)
        bent = self.curvature > 0.0
        turns = self.curvature * lengths
        # an angle outside of the arc belongs to the end that it is nearer to
        middle = 0.5 * turns
        angle = middle + np.mod(np.arctan2(b, a) - middle + np.pi, 2.0 * np.pi) - np.pi
        t = np.clip(np.where(bent, angle / np.where(bent, self.curvature, 1.0), a), 0.0, lengths)
        s = self.knots[:-1] + t
        away = np.linalg.norm(self.at(s)[0] - p[..., None, :], axis=-1)
        return np.take_along_axis(s, np.argmin(away, axis=-1)[..., None], axis=-1)[..., 0]

    def _nearest_knot(self, p):
        if self.is_exact:
            return self._nearest_on_pieces(p)
        turns = self.curvature * np.diff(self.knots)
        looked = np.concatenate(
            [
                np.linspace(a, b, 4 + int(LOOKS * turn), endpoint=False)
                for a, b, turn in zip(self.knots[:-1], self.knots[1:], turns, strict=True)
            ]
            + [self.knots[-1:]]
        )
        c, _, _ = self.at(looked)
        # |p - c|^2 without its p^2, which is the same for all
        return looked[np.argmin(np.sum(c * c, axis=-1) - 2 * p @ c.T, axis=-1)]


def curve_problem(curve: Curve) -> str:
    """Reason why a drawn curve is none, as a sentence without subject ("has ..."); empty if it is
    one.
    """
    numbers = curve_numbers(curve)
    if problem := curve_forms.curve_problem(*numbers):
        return problem
    _, points, closed, _, offset = numbers
    if curve.form == "spline" and (problem := _cusp(np.array(points), closed)):
        return problem
    return _roller_problem(*numbers) if offset else ""


@lru_cache(maxsize=64)
def _roller_problem(
    form: str, points: tuple[Triple, ...], closed: bool, radius: float | None, offset: float
) -> str:
    """Problem of an offset for which the curve has no room: in one of its bends, or between two
    parts of it.
    """
    base = _table(form, points, closed, radius, 0.0)
    even = np.linspace(0.0, base.length, ROLLER_PLACES, endpoint=not closed)
    share = np.arange(PIECE_PLACES) / PIECE_PLACES
    within = base.knots[:-1, None] + share * np.diff(base.knots)[:, None]
    s = np.concatenate((even, within.ravel()))
    c, d, dd = base.at(s)
    normal = plane_normal(points)
    assert normal is not None, "a curve with an offset encloses an area"
    outward = np.cross(d, normal)
    # curvature towards the side of the roller
    bend = float((np.sum(dd * outward, axis=1) * np.sign(offset)).max())
    if bend * abs(offset) >= 1.0 - ROOM:
        return too_narrow(1.0 / bend, offset)
    if _crosses_itself(c[: len(even) : 2], normal, closed):
        return tr("crosses itself, where a roller runs into its other branch")
    centres = c + offset * outward
    away = np.linalg.norm(centres - base.at(base.nearest(centres))[0], axis=1)
    if away.min() < (1.0 - ROOM) * abs(offset) - EXACT * base.length:
        return tr(
            "has parts too near to each other for a roller of {offset}, which would run into the "
            "one while it rolls on the other",
            offset=format_value(abs(offset), "length", digits=4),
        )
    return ""


def _crosses_itself(points: np.ndarray, normal: Triple, closed: bool) -> bool:
    """True if two of the lines between successive points (n, 3) of a plane curve cross."""
    a, b = (points, np.roll(points, -1, axis=0)) if closed else (points[:-1], points[1:])
    aside = np.cross(normal, b - a)
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    # distances (n, n) of the ends of line j from line k; neighbours meet and do not cross
    first, second = (aside @ ends.T - np.sum(aside * a, axis=1, keepdims=True) for ends in (a, b))
    near = MEET * np.ptp(points, axis=0).max()
    apart = (first * second < 0.0) & (np.minimum(abs(first), abs(second)) > near)
    return bool((apart & apart.T).any())


def _cusp(points: np.ndarray, closed: bool) -> str:
    """Problem of a spline that turns back on itself."""
    for k, part in enumerate(_spline_parts(points, closed)[0]):
        _, d, _ = part(np.linspace(0.0, 1.0, 65))
        speeds = np.linalg.norm(d, axis=-1)
        if speeds.min() < CUSP * speeds.max():
            return tr("turns back on itself in a cusp near point {number}", number=k + 1)
    return ""


def curve_table(curve: Curve) -> CurveTable:
    """The table of a drawn curve.  Raises ValueError with the sentence of curve_problem."""
    if problem := curve_problem(curve):
        raise ValueError(tr("The curve {problem}.", problem=problem))
    return _table(*curve_numbers(curve))


@lru_cache(maxsize=64)
def _table(
    form: str, points: tuple[Triple, ...], closed: bool, radius: float | None, offset: float
) -> CurveTable:
    if exact := curve_forms.exact_pieces(form, points, closed, radius, offset):
        return _of_exact(exact, closed)
    parts, bent = _PARTS[form](np.array(points, float), closed)
    if offset:
        arm = offset * np.array(plane_normal(points))
        parts = [_beside(part, arm) for part in parts]
    lengths, pieces = [], []
    for part, is_bent in zip(parts, bent, strict=True):
        h, p = _over_arc_length(part, is_bent)
        lengths += list(h)
        pieces.append(p)
    rows = np.concatenate(pieces)
    knots = np.concatenate(([0.0], np.cumsum(lengths)))
    return CurveTable(knots, rows, closed, _side(rows[:, :, 1]), np.zeros(len(rows)))


def _of_exact(exact: Sequence[curve_forms.Piece], closed: bool) -> CurveTable:
    """Table of exact pieces."""
    pieces = np.zeros((len(exact), 3, 6))
    pieces[:, :, :3] = [np.transpose([p.place, p.first, p.second]) for p in exact]
    curvature = np.array([p.curvature for p in exact])
    knots = np.concatenate(([0.0], np.cumsum([p.length for p in exact])))
    table = CurveTable(knots, pieces, closed, np.zeros(3), curvature)
    if len(exact) == 1 and curvature[0]:
        side = np.cross(pieces[0, :, 1], pieces[0, :, 2])
        side /= np.linalg.norm(side)
    else:
        side = _side(table.at(table.length * np.linspace(0.0, 1.0, TANGENTS))[1])
    return msgspec.structs.replace(table, side=side)


# a part's place and its two derivatives over u in [0, 1]
Part = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]


def _spline_parts(points, closed) -> tuple[list[Part], list[bool]]:
    """The pieces of the cubic spline over the chord lengths."""
    from scipy.interpolate import CubicSpline

    ends = np.concatenate((points, points[:1])) if closed else points
    u = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(ends, axis=0), axis=1))))
    if len(points) == 2:
        return [_line(*points)], [False]
    spline = CubicSpline(u, ends, bc_type="periodic" if closed else "natural")
    parts = []
    for k in range(len(u) - 1):
        # powers of (u - u_k) over the piece's own [0, 1]
        scale = (u[k + 1] - u[k]) ** np.arange(4)
        parts.append(_polynomial(spline.c[::-1, k] * scale[:, None]))
    return parts, [True] * len(parts)


def _straight_parts(points, closed) -> tuple[list[Part], list[bool]]:
    """The straight pieces, shortened, and between them the rounded corners."""
    count = len(points)
    sides = count if closed else count - 1
    d = np.array([points[(k + 1) % count] - points[k] for k in range(sides)])
    chord = np.linalg.norm(d, axis=1)
    t = d / chord[:, None]
    cut = np.zeros(count)
    for k in range(count) if closed else range(1, count - 1):
        if np.linalg.norm(t[k - 1] - t[k % sides]) > 1e-9:
            cut[k] = ROUNDED * min(chord[k - 1], chord[k % sides])
    parts: list[Part] = []
    bent: list[bool] = []
    for k in range(sides):
        end = (k + 1) % count
        parts.append(_line(points[k] + cut[k] * t[k], points[end] - cut[end] * t[k]))
        bent.append(False)
        if cut[end]:
            parts.append(_corner(points[end], t[k], t[(k + 1) % sides], cut[end]))
            bent.append(True)
    return parts, bent


_PARTS = {"spline": _spline_parts, "polyline": _straight_parts}


def _line(a, b) -> Part:
    return _polynomial(np.array([a, b - a]))


def _corner(at, t0, t1, cut) -> Part:
    """A Bezier curve of fifth degree with three control points on each leg, so that its curvature
    is zero at both ends.
    """
    b = np.array(
        [at - f * cut * t0 for f in (1.0, 0.6, 0.2)] + [at + f * cut * t1 for f in (0.2, 0.6, 1.0)]
    )
    powers = np.zeros((6, 3))
    for i in range(6):
        for j in range(i, 6):
            powers[j] += b[i] * comb(5, i) * comb(5 - i, j - i) * (-1.0) ** (j - i)
    return _polynomial(powers)


def _polynomial(powers) -> Part:
    """powers (k, 3): coefficients of u^0, u^1, ..."""
    orders = np.arange(len(powers))

    def part(u):
        u = np.asarray(u, float)[..., None]
        first = powers[1:] * orders[1:, None]
        second = first[1:] * orders[1:-1, None] if len(first) > 1 else np.zeros((1, 3))
        return tuple(
            np.sum(c[None] * u[..., None] ** np.arange(len(c))[:, None], axis=-2)
            for c in (powers, first, second)
        )

    return part  # type: ignore[return-value]


def _beside(part: Part, arm: np.ndarray) -> Part:
    """A part at an offset to the right of its tangent, seen against arm (3,): the plane's normal
    times the offset [m].  Its second derivative lacks what is along it, which is no curvature.
    """

    def beside(u):
        c, d, dd = part(u)
        speed = np.linalg.norm(d, axis=-1, keepdims=True)
        t = d / speed
        # t' from c' = speed t, and the part of t'' along t, since t is a unit vector
        turn = (dd - t * np.sum(t * dd, axis=-1, keepdims=True)) / speed
        back = -np.sum(turn * turn, axis=-1, keepdims=True) * t
        return c + np.cross(t, arm), d + np.cross(turn, arm), dd + np.cross(back, arm)

    return beside


def _over_arc_length(part: Part, bent: bool) -> tuple[np.ndarray, np.ndarray]:
    """Arc lengths (m,) and coefficients (m, 3, 6) of a part, divided evenly until |c'| = 1
    everywhere.
    """
    count = FEWEST if bent else 1
    while True:
        s, u = _divided(part, count)
        c, d, dd = part(u)
        speed = np.linalg.norm(d, axis=-1, keepdims=True)
        t = d / speed
        bend = (dd - t * np.sum(t * dd, axis=-1, keepdims=True)) / speed**2
        h = np.diff(s)
        pieces = hermite(h, c, t, bend)
        middle = 0.5 * h[:, None]
        slope = sum(k * pieces[:, :, k] * middle ** (k - 1) for k in range(1, 6))
        if count >= MOST or not bent or np.abs(np.linalg.norm(slope, axis=-1) - 1.0).max() < LEVEL:
            return h, pieces
        count *= 2


def _divided(part: Part, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Arc lengths s and parameters u (count + 1,) each, s evenly spaced."""
    grid = np.linspace(0.0, 1.0, 4 * MOST + 1)
    half = 0.5 * np.diff(grid)
    nodes = grid[:-1, None] + half[:, None] * (1 + _NODES)
    along = np.concatenate(
        ([0.0], np.cumsum(half * (np.linalg.norm(part(nodes)[1], axis=-1) @ _WEIGHTS)))
    )
    s = np.linspace(0.0, along[-1], count + 1)
    u = np.interp(s, along, grid)
    for _ in range(4):
        # the arc length at u: that of the grid before it, and the rest by the same rule
        k = np.clip(np.searchsorted(grid, u, side="right") - 1, 0, len(half) - 1)
        rest = 0.5 * (u - grid[k])
        reached = along[k] + rest * (
            np.linalg.norm(part(grid[k][:, None] + rest[:, None] * (1 + _NODES))[1], axis=-1)
            @ _WEIGHTS
        )
        u = np.clip(u + (s - reached) / np.linalg.norm(part(u)[1], axis=-1), 0.0, 1.0)
    return s, u


def hermite(h, c, t, bend):
    """Coefficients (m, 3, 6) of the polynomials of fifth degree with given ends, directions and
    curvatures (m + 1, 3).
    """
    h = h[:, None]
    a0, a1, a2 = c[:-1], t[:-1], 0.5 * bend[:-1]
    x = c[1:] - a0 - h * (a1 + h * a2)
    v = h * (t[1:] - a1 - 2 * h * a2)
    w = h**2 * (bend[1:] - 2 * a2)
    a3, a4, a5 = (
        (10 * x - 4 * v + 0.5 * w) / h**3,
        (-15 * x + 7 * v - w) / h**4,
        (6 * x - 3 * v + 0.5 * w) / h**5,
    )
    return np.stack((a0, a1, a2, a3, a4, a5), axis=-1)


def _side(tangents) -> np.ndarray:
    """The direction that keeps farthest from all tangents (m, 3): of a plane curve its plane's
    normal.
    """
    _, values_, axes = np.linalg.svd(tangents)
    if values_[-1] < 1e-9 * values_[0] or len(tangents) < 3:
        return axes[-1]
    k = np.arange(400) + 0.5
    z, turn = 1 - k / 400, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - z * z)
    tried = np.concatenate((axes, np.stack((ring * np.cos(turn), ring * np.sin(turn), z), axis=1)))
    return tried[int(np.argmin(np.abs(tried @ tangents.T).max(axis=1)))]
