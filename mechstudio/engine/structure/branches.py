"""Dead points and assembly branches of mechanisms with one freedom.

The poses of such a mechanism form a curve.  It is followed from the drawn pose by steps along its
tangent with Newton corrections (continuation by arc length: Allgower, Georg 1990, chapter 2), so
that it passes the points where the input stops.
Other branches at the drawn input are found with the input locked, by closing from many starts: the
spanning tree's joints at values spread over their range (product of exponentials: Lynch, Park 2017,
section 4.1), always the same ones.
"""

import math
from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from mechstudio.engine.checks.elements import check_elements
from mechstudio.engine.constraints.coordinate_rates import coordinate_index
from mechstudio.engine.constraints.graph import graph
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import LoopEquations, decompose
from mechstudio.engine.manifold.assembly import assemble, travel
from mechstudio.engine.manifold.follower import Follower
from mechstudio.engine.manifold.joint_manifold import CLOSED, JointManifold
from mechstudio.engine.structure.four_bar import four_bar
from mechstudio.engine.structure.freedoms import freedoms
from mechstudio.engine.structure.mobility import measure
from mechstudio.engine.structure.pose_curves import (
    STEP,
    Point,
    PoseCurve,
    cosine,
    may_meet_others,
    meet,
)
from mechstudio.model.geometry.rotation import about, multiply, rotate, to_angles, triple
from mechstudio.model.mechanism import CoordinateOf, Joint, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import values, vector
from mechstudio.model.results.branches import Branch, Branches, DeadPoint
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, TURN, JointType
from mechstudio.translation import comma, tr

MOST_STEPS = 1500
FAR = 12.0  # extents of its loop after which a slide is taken to have no end
STARTS = 48  # tries to put the mechanism together otherwise
CLOSING = 60  # iterations of each
SAME = 1e-4  # radians or parts of size within which two poses are the same

PAST = 1e-9  # radians or parts of the size by which a coordinate may be past its stop

Progress = tuple[float, "Branches | None"]


def branches(project: Project, joint: str = "", coordinate: int = 0) -> Branches:
    """Range, dead points and assembly branches of a mechanism of one freedom by one joint;
    `problem` says why there are none.

    joint: id; "" for the driven one, or else the one that stands for the motion.
    """
    *_, (_, result) = search(project, joint, coordinate)
    assert result is not None, "the last progress brings the result"
    return result


def search(project: Project, joint: str = "", coordinate: int = 0) -> Iterator[Progress]:
    """The same in parts: yields (share done, None), at last (1, result).  Never raises for what is
    drawn.
    """
    start = begin(project, joint, coordinate)
    if isinstance(start, Branches):
        yield 1.0, start
    else:
        yield from _searched(start)


class Start(msgspec.Struct, frozen=True):
    """A mechanism of one freedom, closed, with its input.  at: place of the input among all
    coordinates.
    """

    mechanism: Mechanism
    rows: JointRows
    poses: np.ndarray
    joint: str
    coordinate: int

    @property
    def at(self) -> int:
        return coordinate_index(self.mechanism, CoordinateOf(self.joint, self.coordinate))

    @property
    def _kind(self) -> JointType:
        return JOINT_TYPES[self.mechanism.joints[self.joint].type]

    @property
    def dimension(self) -> str:
        """Dimension of the input."""
        return self._kind.coordinates[self.coordinate].dimension

    @property
    def is_lockable(self) -> bool:
        """True if the mechanism can be put together otherwise with the input held."""
        return self._kind.dof == 1 and self._kind.motions[0][0] in (TURN, SLIDE, HELIX)


def begin(project: Project, joint: str = "", coordinate: int = 0) -> Start | Branches:
    """A drawing to be followed by an input; or, where that cannot be, an answer that says why."""
    mechanism = msgspec.structs.replace(project.mechanism, drives={}, forces={})
    refused = lambda text, cure: Branches(joint, coordinate, problem=text, cure=cure)
    faults = check_elements(project.mechanism)
    if faults or not mechanism.bodies:
        return (
            refused(faults[0].message, faults[0].cure)
            if faults
            else refused(tr("There is no moving body yet."), tr("Draw a link."))
        )
    rows = JointRows(mechanism)
    drawn = assemble(mechanism, rows)
    if not drawn.converged:
        return refused(
            tr("The drawing cannot be closed."),
            tr("See the Doctor for the joints that stay apart."),
        )
    mobility = measure(mechanism, rows, drawn.poses)
    count = mobility.equations.count + 6 * (len(mobility.graph.roots) - 1) - mobility.rank
    if count != 1 or mobility.equations.rolling:
        text = (
            tr("rolls")
            if mobility.equations.rolling
            else tr("has {count} freedoms", count=count)
            if count
            else tr("cannot move")
        )
        return refused(
            tr(
                "Dead points and branches are found for mechanisms with one freedom; this one "
                "{text}.",
                text=text,
            ),
            tr("Lock or couple freedoms until one is left."),
        )
    if not joint:
        driven = [d for d in project.mechanism.drives.values() if d.enabled]
        found = freedoms(mechanism, mobility.drawn, mobility.drawn_motions, drawn.poses, rows)[0]
        joint, coordinate = (
            (driven[0].joint, driven[0].coordinate) if driven else (found.joint, found.coordinate)
        )
    kind = JOINT_TYPES[mechanism.joints[joint].type] if joint in mechanism.joints else None
    if kind is None or not 0 <= coordinate < kind.dof:
        return refused(
            tr(
                "There is no coordinate {coordinate} of joint {joint}.",
                coordinate=coordinate + 1,
                joint=joint,
            ),
            tr("Choose a joint of the mechanism."),
        )
    return Start(mechanism, rows, drawn.poses, joint, coordinate)


def _plain(found: np.ndarray, drawn: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Poses as numbers, each quaternion with the sign that is nearer to the drawn one, so that it
    does not depend on rounding.
    """
    away = np.sum(found[:, 3:] * drawn[:, 3:], axis=1) < 0.0
    turned = np.where(away[:, None], -found[:, 3:], found[:, 3:])
    return tuple(tuple(map(float, row)) for row in np.hstack((found[:, :3], turned)))


def _searched(start: Start) -> Iterator[Progress]:
    mechanism, rows, poses, at = start.mechanism, start.rows, start.poses, start.at
    joint, coordinate, dimension = start.joint, start.coordinate, start.dimension
    net = graph(1 + rows.body_count, rows.body_a, rows.body_b)
    follower = Follower(mechanism, rows, net, poses)
    curve = PoseCurve(follower, at)
    kind = JOINT_TYPES[mechanism.joints[joint].type]
    trace = Trace(curve, rows, poses)
    yield from ((0.6 * share, None) for share in trace.run())
    lockable = start.is_lockable
    ways = [(poses, False)]
    if lockable:
        for share, found in ways_to_close(mechanism, joint, follower, poses):
            ways = found
            yield 0.6 + 0.38 * share, None
    value = float(follower.start[at])
    reached = trace.crossings(value)
    apart = lambda p: all(travel(rows, p, q) >= 20 * SAME for q in reached)
    if len(ways) > 1 and may_meet_others(trace.points):
        # where the loops leave a second motion, the curve of another way may begin
        for p in (p for p, loose in ways if not loose and apart(p)):
            other = Trace(PoseCurve(Follower(mechanism, rows, net, p), at), rows, p)
            for _ in other.run():
                yield 0.98, None
            if meet(curve, trace.points, other.curve, other.points):
                reached += other.crossings(value)
    read = lambda p: coordinates_by_joint(mechanism, follower.read(p, follower.start))
    plain = lambda p: _plain(p, poses)
    found = tuple(
        Branch(
            k == 0,
            k == 0 or not apart(p),
            read(p),
            plain(p),
            loose,
        )
        for k, (p, loose) in enumerate(ways)
    )
    ends = [float(p.x[at]) for p in trace.dead]
    swings = trace.closed and trace.turns == 0 and bool(ends)
    yield (
        1.0,
        Branches(
            joint,
            coordinate,
            dimension,
            trace.closed,
            abs(trace.turns),
            min(ends) if swings else None,
            max(ends) if swings else None,
            tuple(
                DeadPoint(float(p.x[at]), up, coordinates_by_joint(mechanism, p.x), plain(p.poses))
                for p, up in zip(trace.dead, trace.upper, strict=True)
            ),
            found,
            four_bar(mechanism, rows, poses, joint),
            ""
            if lockable
            else tr(
                "{joint} has {dof} freedoms, so that only the drawn branch is reported.",
                joint=mechanism.joints[joint].name,
                dof=kind.dof,
            ),
            "" if lockable else tr("Choose a joint with one freedom as the input."),
            tuple((float(p.x[at]), *map(float, p.x)) for p in trace.points),
            passed_stops(mechanism, (p.x for p in trace.points)),
        ),
    )


def passed_stops(mechanism: Mechanism, values: Iterable[np.ndarray]) -> tuple[str, ...]:
    """Sentence on hard stops beyond which coordinates lie at some pose.  values: (f,) of all joints
    at each pose; soft stops give way and end nothing.
    """
    found = np.array(list(values))
    if not len(found):
        return ()
    low, high, first, names = found.min(axis=0), found.max(axis=0), 0, []
    for joint in mechanism.joints.values():
        kind = JOINT_TYPES[joint.type]
        for limit in joint.limits:
            at = first + limit.coordinate
            angle = kind.coordinates[limit.coordinate].dimension == "angle"
            over = PAST * (1.0 if angle else mechanism.size())
            ends = limit.lower, limit.upper
            below, above = (None if q is None else q.value for q in ends)
            if limit.stiffness is None and (
                (below is not None and low[at] < below - over)
                or (above is not None and high[at] > above + over)
            ):
                names.append(joint.name)
        first += kind.dof
    if not names:
        return ()
    return (
        tr(
            "Stops are not counted: this motion goes beyond the stops of {names}, which end it "
            "before.",
            names=comma().join(dict.fromkeys(names)),
        ),
    )


class Trace:
    """The curve from one pose on until it comes back, or to both sides where it does not.

    points: in order.  dead, upper: points at which the input turns, and whether it can go no
    further up there. closed; turns: of the input until it closed.
    """

    def __init__(self, curve: PoseCurve, rows: JointRows, poses: np.ndarray) -> None:
        self.curve, self._rows = curve, rows
        self._start = curve.point(poses, curve.follower.start, None)
        if self._start.rates[curve.at] < 0:
            self._start = _reversed(self._start)
        self.points, self.dead, self.upper = [self._start], [], []
        self.closed, self.turns = False, 0
        self._lengths: list[float] = []

    def run(self) -> Iterator[float]:
        """Follow it; yields the share that is done, as far as it is known."""
        yield from self._one_way(self._start)
        if not self.closed:
            self.points.reverse()
            yield from self._one_way(_reversed(self._start))

    def _one_way(self, start: Point) -> Iterator[float]:
        curve, before = self.curve, start
        largest = 0.0
        for steps, point in enumerate(curve.follow(start), 1):
            self._look_for_dead_point(before, point)
            away = travel(self._rows, point.poses, self._start.poses)
            largest = max(largest, away)
            # back where it began, going the same way: the step crosses the plane through the start
            # across its tangent
            if (
                largest > 3 * STEP
                and away < 2.5 * STEP
                and cosine(point.rates, self._start.rates) > 0.7
                and self._has_passed(before, point)
            ):
                self.closed = True
                self.turns = (
                    round(float(point.x[curve.at] - self._start.x[curve.at]) / (2 * math.pi))
                    if self._is_angle()
                    else 0
                )
                self.points.append(point)
                return
            self.points.append(point)
            before = point
            if steps > MOST_STEPS or self._is_far(point):
                return
            yield min(1.0, steps / 300)

    def _has_passed(self, before: Point, point: Point) -> bool:
        """True if the start lies between two neighbouring points, seen along its tangent, in
        coordinates up to full turns.
        """
        ahead = [
            float(self._start.rates @ self.curve.difference(self._start, p))
            for p in (before, point)
        ]
        return ahead[0] <= 0.0 <= ahead[1]

    def _is_angle(self) -> bool:
        return self.curve.kinds[self.curve.at] == "angle"

    def _is_far(self, point: Point) -> bool:
        away = self.curve.follower.mechanism.joints.values()
        return any(
            abs(point.x[i] - self._start.x[i]) > FAR * point.equations.extent[j]
            for j, joint in enumerate(away)
            for i, c in zip(
                range(point.equations.columns[j].start, point.equations.columns[j].stop),
                JOINT_TYPES[joint.type].coordinates,
                strict=True,
            )
            if c.dimension == "length"
        )

    def _look_for_dead_point(self, before: Point, after: Point) -> None:
        at = self.curve.at
        if (before.rates[at] > 0) == (after.rates[at] > 0):
            return
        step = next(
            (
                length
                for length in (STEP * 0.5**k for k in range(12))
                if self._lands(before, after, length)
            ),
            STEP,
        )
        point = self.curve.turning(before, after, step)
        # the rate must vanish there: at a corner of two branches it only jumps
        if abs(point.rates[at]) < 1e-4:
            self.dead.append(point)
            self.upper.append(bool(point.x[at] > before.x[at]))

    def _lands(self, before: Point, after: Point, length: float) -> bool:
        point = self.curve.step(before, length)
        return point is not None and travel(self._rows, point.poses, after.poses) < 1e-6

    def crossings(self, value: float) -> list[np.ndarray]:
        """Poses of the curve at which the input has a value, for an angle but for full turns."""
        at, out = self.curve.at, []
        wrap = (lambda d: math.remainder(d, 2 * math.pi)) if self._is_angle() else (lambda d: d)
        for a, b in zip(self.points, self.points[1:]):
            da, db = wrap(float(a.x[at]) - value), wrap(float(b.x[at]) - value)
            if da * db <= 0 and abs(da - db) < 1.0:
                nearer, miss = (a, da) if abs(da) < abs(db) else (b, db)
                out.append(self._at(nearer, miss))
        return out

    def _at(self, point: Point, miss: float) -> np.ndarray:
        """Poses on the curve beside a point at which the input is less by `miss`: Newton steps
        along the tangent.
        """
        target = float(point.x[self.curve.at]) - miss
        for _ in range(20):
            left = target - float(point.x[self.curve.at])
            rate = float(point.rates[self.curve.at]) * (
                1.0 if self._is_angle() else point.equations.extent[self._joint()]
            )
            if abs(left) < 1e-10 or abs(rate) < 1e-9:
                break
            after = self.curve.step(point, float(np.clip(left / rate, -STEP, STEP)))
            if after is None:
                break
            point = after
        return point.poses

    def _joint(self) -> int:
        return next(
            j
            for j, columns in enumerate(self._start.equations.columns)
            if columns.start <= self.curve.at < columns.stop
        )


def _reversed(point: Point) -> Point:
    return msgspec.structs.replace(point, freedoms=-point.freedoms, rates=-point.rates)


def ways_to_close(
    mechanism: Mechanism, joint: str, follower: Follower, poses: np.ndarray
) -> Iterator[tuple[float, list[tuple[np.ndarray, bool]]]]:
    """Closed poses with the input locked, and whether something still moves there; yields (share
    done, all so far, the drawn one first).
    """
    value = np.array([follower.start[coordinate_index(mechanism, CoordinateOf(joint))]])
    rows = JointRows(locked := _locked(mechanism, joint, float(value[0])))
    joints, net = JointManifold(locked, rows), graph(1 + rows.body_count, rows.body_a, rows.body_b)
    # gears keep their constants of the drawn pose: with the input at its value that is one pose of
    # every wheel
    keeper = (
        Follower(mechanism, follower.rows, follower.graph, poses, (CoordinateOf(joint),))
        if mechanism.couplings
        else None
    )
    e = follower.equations(poses)
    found = [(poses, False)]
    rng = np.random.default_rng(1)
    for k in range(STARTS):
        closed, errors = joints.project(
            _scattered(mechanism, e, follower, poses, joint, rng), CLOSING
        )
        if errors.max(initial=0.0) <= CLOSED * joints.reach and keeper is not None:
            kept = keeper.project(closed, keeper.read(closed, keeper.start), value)
            closed = None if kept is None else kept[0]
        elif errors.max(initial=0.0) > CLOSED * joints.reach:
            closed = None
        if closed is not None and all(travel(rows, closed, other) > SAME for other, _ in found):
            loose = (
                keeper is None
                and decompose(LoopEquations(locked, rows, net, closed).matrix)[2].shape[1] > 0
            )
            if not loose or not any(l for _, l in found):
                found.append((closed, loose))
        yield (k + 1) / STARTS, found


def _locked(mechanism: Mechanism, joint: str, value: float) -> Mechanism:
    """The mechanism with a joint of one freedom fixed at a value: its frame B is moved by the
    coordinate and welded.
    """
    j = mechanism.joints[joint]
    ((motion, axis),) = JOINT_TYPES[j.type].motions
    e = tuple(float(k == axis) for k in range(3))
    angle = value if motion in (TURN, HELIX) else 0.0
    slide = value if motion == SLIDE else 0.0
    if motion == HELIX:
        slide = j.parameters["pitch"].value * value / (2 * math.pi)
    # frame B seen from A is (axis times slide, turned by the angle): the frame of B that then
    # coincides with
    # A is B's own moved back
    back = about(e, -angle)  # type: ignore[arg-type]
    placement = j.frame_b.placement
    displaced = rotate(placement.quaternion, rotate(back, triple(-slide * c for c in e)))
    position = vector(*(a + b for a, b in zip(values(placement.position), displaced)))
    frame = msgspec.structs.replace(
        j.frame_b,
        placement=Placement(position, vector(*to_angles(multiply(placement.quaternion, back)))),
    )
    fixed = msgspec.structs.replace(
        j, type="fixed", frame_b=frame, values=(), rates=(), parameters={}, limits=()
    )
    return msgspec.structs.replace(
        mechanism, joints={**mechanism.joints, joint: fixed}, couplings={}
    )


def _scattered(
    mechanism: Mechanism,
    e: LoopEquations,
    follower: Follower,
    poses: np.ndarray,
    joint: str,
    rng: np.random.Generator,
) -> np.ndarray:
    """Poses with the joints of the spanning forest but the input moved by any angles, slides by up
    to their loop's extent.
    """
    joints: list[Joint] = list(mechanism.joints.values())
    out = poses.copy()
    _, R = follower.rows.bodies(poses)
    below: dict[int, list[int]] = {}
    for _, parent, child, _ in reversed(e.graph.tree):
        below[child] = [child, *below.get(child, [])]
        below.setdefault(parent, []).extend(below[child])
    R = R.copy()
    # outermost first: each exponential is about an axis where it is drawn
    for j, _, child, sign in reversed(e.graph.tree):
        if joints[j].id == joint:
            continue
        for c in range(e.dofs[j]):
            twist = sign * e.motions[j][:, c]
            turn = float(np.linalg.norm(twist[:3]))
            amount = (
                rng.uniform(-math.pi, math.pi) / turn if turn > 1e-9 else rng.uniform(-1.0, 1.0)
            )
            _carry(
                out, below[child], e.points[j], amount * twist[:3], amount * twist[3:] * e.extent[j]
            )
    return out


def _carry(
    poses: np.ndarray, nodes: list[int], point: np.ndarray, turn: np.ndarray, shift: np.ndarray
) -> None:
    """Move bodies (nodes from 1) by the exponential of a twist whose rotation vector is `turn` and
    whose velocity at a point is `shift`.
    """
    angle = float(np.linalg.norm(turn))
    k = [n - 1 for n in nodes]
    if angle < 1e-12:
        poses[k, :3] += shift
        return
    axis = turn / angle
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R = np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
    # along the axis the shift stays; across it the point runs on an arc
    way = (
        shift
        + ((1 - math.cos(angle)) / angle) * K @ shift
        + ((angle - math.sin(angle)) / angle) * K @ K @ shift
    )
    poses[k, :3] = (poses[k, :3] - point) @ R.T + point + way
    q = np.array(about(tuple(axis), angle))
    for n in k:
        poses[n, 3:] = multiply(tuple(q), tuple(poses[n, 3:]))
