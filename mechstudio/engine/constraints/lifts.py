"""Lifts of closed convex curves: how far a curve reaches along the normal of a flat face that
touches it, over the angle of that normal (the curve's support function).

With the normal n = (-sin angle, cos angle) in the curve's plane, the place c that the face touches
and the radius of curvature rho there,

    lift = c.n        lift' = -c.(cos angle, sin angle)        lift'' = rho - lift

so that lift' is the way from the foot of the normal to the place of contact.  On an arc about e
the lift is rho + e.n, which a table holds exactly; between the knots of a spline it is a polynomial
of fifth degree.
"""

import math
from functools import lru_cache

import numpy as np

from mechstudio.engine.constraints.curves import CurveTable, curve_table, hermite
from mechstudio.model.geometry.curve_offsets import FLAT, plane_normal
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.joints.tracks import curve_numbers
from mechstudio.model.mechanism import Curve
from mechstudio.translation import tr

FULL_TURN = 2.0 * math.pi
STRAIGHT = 1e-3  # curvature times the extent of the curve that counts as straight
PLACES = 16  # of each piece, at which its curvature is examined
LEVEL = 1e-13  # of the extent: error of the lift that refining stops at
MOST = 64  # parts that the turn of a piece is divided into
SEARCHES = 5  # halvings of the way in which a direction is looked for
STEPS = 5  # of Newton's method towards it from there


def face_problem(curve: Curve) -> str:
    """Reason why a flat face cannot follow a drawn curve of which `curve_problem` has nothing to
    say, as a sentence without subject; empty if it can.
    """
    _, points, closed, _, offset = curve_numbers(curve)
    if not closed:
        return tr("is open, and a flat face follows closed curves only")
    if offset:
        return tr("has a roller radius, and a flat face touches the curve itself")
    extent = max(max(x) - min(x) for x in zip(*points, strict=True))
    if max(p[2] for p in points) - min(p[2] for p in points) > FLAT * extent:
        return tr("does not lie square to z of the joint’s first frame, as that of a cam must")
    table = curve_table(curve)
    if table.is_circle:
        return ""
    return _bend_problem(table, points, extent)


def lift_table(curve: Curve) -> CurveTable:
    """The lift [m] of a curve over the angle [rad], as y of a closed curve of length 2 pi.  Raises
    ValueError with the sentence of face_problem.
    """
    if problem := face_problem(curve):
        raise ValueError(tr("The curve {problem}.", problem=problem))
    numbers = curve_numbers(curve)
    return _table(curve, numbers[1])


def _bend_problem(table: CurveTable, points: tuple[Triple, ...], extent: float) -> str:
    """Problem of a curve that is hollow or straight somewhere, or goes round twice."""
    s = table.knots[:-1, None] + np.diff(table.knots)[:, None] * np.linspace(0.0, 1.0, PLACES)
    # at the end of a piece the curve is that of the next one
    s = np.minimum(s, np.nextafter(table.knots[1:, None], 0.0)).ravel()
    c, d, dd = table.at(s)
    bend = (d[:, 0] * dd[:, 1] - d[:, 1] * dd[:, 0]) / np.linalg.norm(d, axis=1) ** 3
    bend *= _sense(points)
    k = int(np.argmin(bend))
    if bend[k] * extent < STRAIGHT:
        near = int(np.argmin(np.linalg.norm(np.array(points) - c[k], axis=1))) + 1
        if bend[k] * extent > -STRAIGHT:
            return tr(
                "is straight near point {number}, where a flat face falls from one end of the "
                "straight to the other with an impact",
                number=near,
            )
        return tr("is hollow near point {number}, where a flat face bridges it", number=near)
    turn = np.unwrap(np.arctan2(d[:, 1], d[:, 0]))
    if abs(turn[-1] - turn[0]) > 1.5 * FULL_TURN:
        return tr("goes round more than once, and a flat face touches its outside alone")
    return ""


def _sense(points: tuple[Triple, ...]) -> float:
    """1 of a curve that goes round counterclockwise about z, -1 clockwise."""
    normal = plane_normal(points)
    return -1.0 if normal is not None and normal[2] < 0.0 else 1.0


@lru_cache(maxsize=64)
def _table(curve: Curve, points: tuple[Triple, ...]) -> CurveTable:
    base, sense = curve_table(curve), _sense(points)
    extent = max(max(x) - min(x) for x in zip(*points, strict=True))
    knots, rows, curvature = [0.0], [], []
    for k, begin, end in _turns(base, sense):
        if base.curvature[k]:
            angles = [begin, end]
            rows.append(_of_arc(base.pieces[k], base.curvature[k], begin)[None])
        else:
            angles, pieces = _of_bend(base, k, sense, begin, end, extent)
            rows.append(pieces)
        knots += [angle % FULL_TURN or FULL_TURN for angle in angles[1:]]
        curvature += [float(base.curvature[k] > 0.0)] * (len(angles) - 1)
    return CurveTable(
        np.array(knots), np.concatenate(rows), True, np.array((0.0, 0.0, 1.0)), np.array(curvature)
    )


def _turns(base: CurveTable, sense: float) -> list[tuple[int, float, float]]:
    """(piece, first angle, last angle) of the pieces of a curve in the order of the angle, from 0
    to 2 pi: the one in which the angle is 0 comes twice.
    """
    if base.is_circle:
        return [(0, 0.0, FULL_TURN)]
    ends = np.column_stack((base.knots[:-1], np.nextafter(base.knots[1:], 0.0)))
    d = base.at(ends)[1]
    first, last = (_angle(d[:, i], sense) for i in (0, 1))
    if sense < 0.0:
        first, last = last, first
    out = []
    for k in range(len(ends)):
        begin = float(first[k]) % FULL_TURN
        end = begin + float(last[k] - first[k]) % FULL_TURN
        if end > FULL_TURN:
            out += [(k, begin, FULL_TURN), (k, 0.0, end - FULL_TURN)]
        else:
            out.append((k, begin, end))
    out.sort(key=lambda turn: turn[1])
    # one ends where the next begins, to the last bit
    joined = [begin for _, begin, _ in out[1:]] + [FULL_TURN]
    return [
        (k, 0.0 if n == 0 else begin, end)
        for n, ((k, begin, _), end) in enumerate(zip(out, joined, strict=True))
        if end > begin
    ]


def _angle(along: np.ndarray, sense: float) -> np.ndarray:
    """Angles of the outward normals [rad] where a curve goes along directions (..., 3)."""
    return np.arctan2(-sense * along[..., 1], -sense * along[..., 0])


def _of_arc(piece: np.ndarray, curvature: float, begin: float) -> np.ndarray:
    """Coefficients (3, 6) of the lift of an arc from an angle on."""
    out = np.zeros((3, 6))
    x, y = piece[0, 0], piece[1, 0]
    cosine, sine = math.cos(begin), math.sin(begin)
    out[1, :3] = 1.0 / curvature, y * cosine - x * sine, -x * cosine - y * sine
    return out


def _of_bend(
    base: CurveTable, k: int, sense: float, begin: float, end: float, extent: float
) -> tuple[np.ndarray, np.ndarray]:
    """Angles (m + 1,) and coefficients (m, 3, 6) of the lift of piece k of a spline, divided until
    the lift is right halfway between.
    """
    count = 1
    while True:
        angles = np.linspace(begin, end, count + 1)
        h, jets = np.diff(angles), _jets(base, k, sense, angles)
        pieces = hermite(h, *jets)
        middle = 0.5 * h
        found = sum(pieces[:, 1, n] * middle**n for n in range(6))
        exact = _jets(base, k, sense, angles[:-1] + middle)[0][:, 1]
        if count >= MOST or abs(found - exact).max() <= LEVEL * extent:
            return angles, pieces
        count *= 2


def _jets(
    base: CurveTable, k: int, sense: float, angles: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lift and its two derivatives (n, 3) at angles (n,) [rad] of piece k, as y."""
    low = np.full(len(angles), base.knots[k])
    high = np.full(len(angles), np.nextafter(base.knots[k + 1], 0.0))
    normal = np.column_stack((-np.sin(angles), np.cos(angles)))
    for _ in range(SEARCHES):
        s = 0.5 * (low + high)
        # up to the place of contact a convex curve goes outwards
        outwards = np.sum(base.at(s)[1][:, :2] * normal, axis=1) > 0.0
        low, high = np.where(outwards, s, low), np.where(outwards, high, s)
    s = 0.5 * (low + high)
    for _ in range(STEPS):
        _, d, dd = base.at(s)
        slope = np.sum(dd[:, :2] * normal, axis=1)
        s = np.clip(s - np.sum(d[:, :2] * normal, axis=1) / slope, low, high)
    c, d, dd = base.at(s)
    radius = np.linalg.norm(d, axis=1) ** 3 / (sense * (d[:, 0] * dd[:, 1] - d[:, 1] * dd[:, 0]))
    lift = np.sum(c[:, :2] * normal, axis=1)
    slope = -c[:, 0] * np.cos(angles) - c[:, 1] * np.sin(angles)
    out = np.zeros((3, len(angles), 3))
    out[:, :, 1] = lift, slope, radius - lift
    return out[0], out[1], out[2]


__all__ = ["face_problem", "lift_table"]
