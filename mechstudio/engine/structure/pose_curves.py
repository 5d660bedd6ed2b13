"""The curve of poses of a mechanism of one freedom, followed by steps along its tangent, and the
poses at which two such curves meet.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from mechstudio.engine.constraints.screws import LoopEquations, decompose
from mechstudio.engine.manifold.follower import Follower
from mechstudio.model.types.joints import JOINT_TYPES

STEP = 0.05  # radians, or parts of a loop's extent, of the fastest coordinate in one step
SHORTEST = 1e-4  # step below which the curve is given up
BENT = 0.9  # cosine between neighbouring tangents below which a step is halved
TURN_BACK = 40  # halvings of the step in which a dead point lies
SINGULAR = 0.1  # least singular value of the loops over its usual size, below which curves may meet
MEETS = 1e-6  # radians or parts of a loop's extent between poses at which curves meet
NEAREST = 8  # places at which two curves are near each other that are looked into


class Point(msgspec.Struct, frozen=True):
    """A point of the curve: poses, coordinates, equations, and the tangent as joint freedoms and as
    scaled coordinate rates.
    """

    poses: np.ndarray
    x: np.ndarray
    equations: LoopEquations
    freedoms: np.ndarray
    rates: np.ndarray


class PoseCurve:
    """The poses of a mechanism of one freedom."""

    def __init__(self, follower: Follower, at: int) -> None:
        self.follower, self.at = follower, at
        self.kinds = [
            c.dimension
            for j in follower.mechanism.joints.values()
            for c in JOINT_TYPES[j.type].coordinates
        ]

    def point(self, poses: np.ndarray, x: np.ndarray, like: np.ndarray | None) -> Point:
        """The point at poses, its tangent on the side of `like` (scaled coordinate rates)."""
        e = self.follower.equations(poses)
        _, _, motions = decompose(e.holonomic)
        turn = np.zeros((len(self.kinds), e.count))
        for j, dof in enumerate(e.dofs):
            if dof:
                scale = [e.extent[j] if k == "length" else 1.0 for k in self.kinds[e.columns[j]]]
                turn[e.columns[j], e.columns[j]] = e.rates.of(j) / np.array(scale)[:, None]
        rates = turn @ motions
        if like is None:
            weights = np.eye(motions.shape[1])[0]
        else:
            # where several motions begin it goes on as it came
            weights, *_ = np.linalg.lstsq(rates, like, rcond=None)
        tangent, along = motions @ weights, rates @ weights
        length = float(np.abs(along).max(initial=0.0)) or 1.0
        return Point(poses, x, e, tangent / length, along / length)

    def step(self, point: Point, length: float) -> Point | None:
        """The point a way further on; None where none is found."""
        f = self.follower
        found = f.project(f.carried(point.equations, point.poses, length * point.freedoms), point.x)
        return None if found is None else self.point(*found, point.rates)

    def follow(self, start: Point) -> Iterator[Point]:
        """Points along the tangent, none leaving out a bend."""
        point, length = start, STEP
        while length > SHORTEST:
            after = self.step(point, length)
            if after is None or cosine(point.rates, after.rates) < BENT:
                length *= 0.5
                continue
            yield after
            point, length = after, min(1.5 * length, STEP)

    def difference(self, start: Point, end: Point) -> np.ndarray:
        """Scaled coordinates (f,) from one pose to another, angles up to full turns."""
        out = []
        for j in range(len(start.equations.dofs)):
            columns = start.equations.columns[j]
            for kind, d in zip(self.kinds[columns], (end.x - start.x)[columns], strict=True):
                out.append(
                    math.remainder(d, 2 * math.pi)
                    if kind == "angle"
                    else d / start.equations.extent[j]
                )
        return np.array(out)

    def features(self, points: Sequence[Point]) -> np.ndarray:
        """Numbers (n, 2 f) of poses that are near each other where the poses are: scaled lengths,
        and cosine and sine of angles.
        """
        extent = points[0].equations.extent
        scale = np.ones(len(self.kinds))
        for j in range(len(points[0].equations.dofs)):
            scale[points[0].equations.columns[j]] = extent[j]
        x = np.array([p.x for p in points])
        angle = np.array([kind == "angle" for kind in self.kinds])
        return np.hstack((np.where(angle, np.cos(x), x / scale), np.where(angle, np.sin(x), 0.0)))

    def turning(self, before: Point, after: Point, length: float) -> Point:
        """The point between two at which the input's rate vanishes: by halving the step from the
        first.
        """
        low, high, best = 0.0, length, after
        for _ in range(TURN_BACK):
            middle = self.step(before, 0.5 * (low + high))
            if middle is None:
                return best
            best = middle
            if abs(middle.rates[self.at]) < 1e-11:
                break
            if (middle.rates[self.at] > 0) == (before.rates[self.at] > 0):
                low = 0.5 * (low + high)
            else:
                high = 0.5 * (low + high)
        return best


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Cosine of the angle between two vectors."""
    return float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-300))


def may_meet_others(points: Sequence[Point]) -> bool:
    """True if points of a curve come near a pose at which the loops leave a second motion."""
    least = []
    for point in points:
        values = np.linalg.svd(point.equations.holonomic, compute_uv=False)
        last = point.equations.holonomic.shape[1] - 2
        if 0 <= last < len(values):
            least.append(float(values[last]))
    return bool(least) and min(least) < SINGULAR * float(np.median(least))


def meet(first: PoseCurve, one: Sequence[Point], second: PoseCurve, other: Sequence[Point]) -> bool:
    """True if two curves, given by points, have a pose in common."""
    away = np.linalg.norm(first.features(one)[:, None] - second.features(other)[None], axis=2)
    nearest = away.min(axis=1)
    around = np.minimum(np.roll(nearest, 1), np.roll(nearest, -1))
    hollows = [int(k) for k in np.argsort(nearest) if nearest[k] <= around[k]]
    return any(
        _meet_near(first, one[k], second, other[int(away[k].argmin())]) for k in hollows[:NEAREST]
    )


def _meet_near(first: PoseCurve, p: Point, second: PoseCurve, q: Point) -> bool:
    """True if two curves meet near a point of each: where their tangents come nearest, again and
    again.
    """
    for _ in range(TURN_BACK):
        gap = first.difference(p, q)
        if np.abs(gap).max(initial=0.0) < MEETS:
            return True
        along = np.linalg.lstsq(np.column_stack((p.rates, -q.rates)), gap, rcond=None)[0]
        along *= min(1.0, STEP / max(float(np.abs(along).max()), 1e-300))
        if np.abs(along).max() < 0.01 * MEETS:
            return False
        beside, across = first.step(p, float(along[0])), second.step(q, float(along[1]))
        if beside is None or across is None:
            return False
        p, q = beside, across
    return False
