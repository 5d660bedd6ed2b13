"""Curves of points over the whole motion of a mechanism of one freedom: every circuit, with cusps,
double points and dead points.

The circuits are followed as in `branches`.  The velocity of a point along the way comes from the
joints' screws; where it vanishes the curve has a cusp.  Double points are where two pieces of the
polyline meet in space, brought to rounding by Newton steps along both tangents.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.graph import graph
from mechstudio.engine.constraints.screws import body_motions
from mechstudio.engine.manifold.assembly import travel
from mechstudio.engine.manifold.follower import Follower
from mechstudio.engine.structure import branches
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.results.branches import (
    Circuit,
    CurvePoint,
    PointCurve,
    PointCurves,
    Triple,
)
from mechstudio.translation import tr

CUSP = 1e-5  # of a point's largest speed, below which it stands still
SLOW = 0.2  # of its largest speed, below which a least speed is looked into
TOUCH = 1e-7  # parts of the curve's extent within which two pieces meet
CROSSED = 0.02  # sine of the angle under which they must cross
NEWTON = 8  # steps to a double point

Point = tuple[str, Triple]
Progress = tuple[float, "PointCurves | None"]


def point_curves(project: Project, points: Sequence[Point], joint: str = "") -> PointCurves:
    """Curves of points (body id, place in its axes [m]); `problem` says why there are none.

    joint: id of the input; "" for the driven one, or else the one that stands for the motion.
    """
    *_, (_, found) = search(project, points, joint)
    assert found is not None, "the last progress brings the result"
    return found


def search(
    project: Project, points: Sequence[Point], joint: str = "", coordinate: int = 0
) -> Iterator[Progress]:
    """The same in parts: yields (share done, None), at last (1, result).  Never raises for what is
    drawn.
    """
    start = branches.begin(project, joint, coordinate)
    if not isinstance(start, branches.Start):
        yield (
            1.0,
            PointCurves(start.joint, start.coordinate, problem=start.problem, cure=start.cure),
        )
        return
    bodies = (GROUND, *start.mechanism.bodies)
    if lost := [body for body, _ in points if body not in bodies]:
        problem = tr("There is no body {lost} whose points could be followed.", lost=lost[0])
        yield 1.0, PointCurves(start.joint, start.coordinate, problem=problem)
        return
    net = graph(1 + start.rows.body_count, start.rows.body_a, start.rows.body_b)
    follower = Follower(start.mechanism, start.rows, net, start.poses)
    traces = [branches.Trace(branches.PoseCurve(follower, start.at), start.rows, start.poses)]
    yield from ((0.4 * share, None) for share in traces[0].run())
    ways = [(start.poses, False)]
    if start.is_lockable:
        for share, found in branches.ways_to_close(
            start.mechanism, start.joint, follower, start.poses
        ):
            ways = found
            yield 0.4 + 0.2 * share, None
    value = float(follower.start[start.at])
    for k, (poses, loose) in enumerate(ways[1:]):
        known = [q for trace in traces for q in trace.crossings(value)]
        if loose or any(travel(start.rows, poses, q) < 20 * branches.SAME for q in known):
            continue
        other = Follower(start.mechanism, start.rows, net, poses)
        traces.append(branches.Trace(branches.PoseCurve(other, start.at), start.rows, poses))
        for share in traces[-1].run():
            yield 0.6 + 0.3 * (k + share) / len(ways), None
    circuits = []
    for k, trace in enumerate(traces):
        circuits.append(
            _circuit(trace, [(bodies.index(b), p) for b, p in points], k == 0, start.at)
        )
        yield 0.9 + 0.1 * (k + 1) / len(traces), None
    notes = branches.passed_stops(start.mechanism, (p.x for trace in traces for p in trace.points))
    yield (
        1.0,
        PointCurves(start.joint, start.coordinate, start.dimension, tuple(circuits), notes=notes),
    )


class _Moving:
    """One point of a body (index, ground 0) on a circuit."""

    def __init__(self, trace: branches.Trace, body: int, local: Triple) -> None:
        self._curve, self._body, self._local = trace.curve, body, local

    def place(self, at: branches.Point) -> np.ndarray:
        """Its place (3,) in W [m]."""
        if not self._body:
            return np.array(self._local, float)
        pose = at.poses[self._body - 1]
        return pose[:3] + np.array(rotate(tuple(pose[3:].tolist()), self._local))

    def velocity(self, at: branches.Point) -> np.ndarray:
        """Its velocity (3,) per unit of the tangent [m]."""
        if not self._body:
            return np.zeros(3)
        place, size = self.place(at), self._curve.follower.rows.size
        motions = body_motions(at.equations, place, size)[self._body]
        return size * (motions[3:, : len(at.freedoms)] @ at.freedoms)

    def stopped(self, before: branches.Point, length: float) -> branches.Point:
        """The point of least speed within a step from another one, by golden sections."""
        ratio = (math.sqrt(5.0) - 1.0) / 2.0
        low, high, best = 0.0, length, before
        speed = lambda p: float(np.linalg.norm(self.velocity(p)))
        for _ in range(34):
            a, b = high - ratio * (high - low), low + ratio * (high - low)
            first, second = self._curve.step(before, a), self._curve.step(before, b)
            if first is None or second is None:
                break
            if speed(first) < speed(second):
                high, best = b, first
            else:
                low, best = a, second
        return best


def _circuit(
    trace: branches.Trace, points: Sequence[tuple[int, Triple]], drawn: bool, at: int
) -> Circuit:
    inputs = np.array([p.x[at] for p in trace.points], "<f8")
    curves = tuple(_curve(trace, _Moving(trace, body, local), at) for body, local in points)
    return Circuit(drawn, trace.closed, inputs.tobytes(), curves)


def _curve(trace: branches.Trace, moving: _Moving, at: int) -> PointCurve:
    places = np.array([moving.place(p) for p in trace.points], "<f8")
    curve_point = lambda p, *others: CurvePoint(
        tuple(moving.place(p).tolist()), tuple(float(o.x[at]) for o in (p, *others))
    )
    return PointCurve(
        places.tobytes(),
        tuple(curve_point(p) for p in _cusps(trace, moving)),
        tuple(curve_point(p, q) for p, q in _doubles(trace, moving, places)),
        tuple(curve_point(p) for p in trace.dead),
    )


def _cusps(trace: branches.Trace, moving: _Moving) -> list[branches.Point]:
    """Points of a circuit at which the point stops, though the mechanism goes on."""
    speeds = np.array([np.linalg.norm(moving.velocity(p)) for p in trace.points])
    largest = float(speeds.max(initial=0.0))
    # of a point that rests all the time nothing is said
    if largest < 1e-9 * trace.curve.follower.rows.size:
        return []
    found, count = [], len(speeds)
    for k in range(count):
        left = speeds[k - 1] if k else (speeds[-2] if trace.closed else math.inf)
        right = speeds[k + 1] if k + 1 < count else (speeds[1] if trace.closed else math.inf)
        if speeds[k] > SLOW * largest or speeds[k] > left or speeds[k] > right:
            continue
        before = trace.points[k - 1] if k else trace.points[-2 if trace.closed else 0]
        best = moving.stopped(before, 2.2 * branches.STEP)
        speed = float(np.linalg.norm(moving.velocity(best)))
        here = moving.place(best)
        near = [q for q in found if np.linalg.norm(moving.place(q) - here) < 1e-4 * largest]
        if speed <= CUSP * largest and not near:
            found.append(best)
    return found


def _doubles(
    trace: branches.Trace, moving: _Moving, places: np.ndarray
) -> list[tuple[branches.Point, branches.Point]]:
    """Pairs of points of a circuit at which the curve crosses itself."""
    if len(places) < 4:
        return []
    extent = float(np.ptp(places, axis=0).max())
    if extent == 0.0:
        return []
    found: list[tuple[branches.Point, branches.Point]] = []
    for i, j in _near_pieces(places, trace.closed, extent):
        meeting = _met(trace.curve, moving, trace.points[i], trace.points[j], extent)
        if meeting is None:
            continue
        here = moving.place(meeting[0])
        if all(np.linalg.norm(moving.place(p) - here) > 1e-5 * extent for p, _ in found):
            found.append(meeting)
    return found


def _near_pieces(places: np.ndarray, closed: bool, extent: float) -> Iterator[tuple[int, int]]:
    """Numbers of the first points of two pieces that come near each other and are no neighbours."""
    a, d = places[:-1], np.diff(places, axis=0)
    length = np.linalg.norm(d, axis=1)
    middle = a + 0.5 * d
    count = len(a)
    for i in range(count - 2):
        apart = np.linalg.norm(middle[i + 2 :] - middle[i], axis=1)
        near = apart <= 0.5 * (length[i] + length[i + 2 :]) + 1e-3 * extent
        for j in i + 2 + np.flatnonzero(near):
            neighbours = closed and i == 0 and j == count - 1
            if neighbours or length[i] == 0.0 or length[j] == 0.0:
                continue
            sine = np.linalg.norm(cross(d[i] / length[i], d[j] / length[j]))
            if sine > CROSSED:
                yield i, int(j)


def _met(
    curve: branches.PoseCurve,
    moving: _Moving,
    p: branches.Point,
    q: branches.Point,
    extent: float,
) -> tuple[branches.Point, branches.Point] | None:
    """The two points beside p and q at which the curve is in one place; None for none."""
    first, second = p, q
    for _ in range(NEWTON):
        gap = moving.place(second) - moving.place(first)
        if np.linalg.norm(gap) < 1e-12 * extent:
            break
        A = np.column_stack([moving.velocity(first), -moving.velocity(second)])
        step, *_ = np.linalg.lstsq(A, gap, rcond=None)
        if not np.isfinite(step).all() or np.abs(step).max() > 2.0 * branches.STEP:
            return None
        one, other = curve.step(first, float(step[0])), curve.step(second, float(step[1]))
        if one is None or other is None:
            return None
        first, second = one, other
    u, v = moving.velocity(first), moving.velocity(second)
    lengths = float(np.linalg.norm(u) * np.linalg.norm(v))
    gap = float(np.linalg.norm(moving.place(second) - moving.place(first)))
    same = travel(curve.follower.rows, first.poses, second.poses) < 1e-3
    if gap > TOUCH * extent or same or lengths == 0.0:
        return None
    return (first, second) if np.linalg.norm(cross(u, v)) > CROSSED * lengths else None
