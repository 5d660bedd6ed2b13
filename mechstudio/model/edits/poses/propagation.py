"""Propagation of an edit that moves a part of the drawing, so that every joint stays closed as it
was.  The edits are in model/edits/poses/motion.py.

What hangs on what moves follows by the least change: a joint that allows the motion, as a slider
along its rail, leaves its neighbour alone; otherwise the neighbour's frame comes along, and a
neighbour that is one link stretches with its end, turning the shortest way and so keeping its roll.
Where several links meet in an end, all of them follow.  A rod takes its new length.
"""

import math
from collections.abc import Mapping, Sequence

import msgspec

from mechstudio.model.edits.insertion import drawn_coordinate
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.edits.poses.renumbering import SAME, kept, renumbered, settled, tidy
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Quaternion,
    Triple,
    about,
    compose,
    minus,
    multiply,
    normalise,
    rotate,
    transform,
    triple,
)
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Force,
    Frame,
    Joint,
    Mechanism,
    NamedPoint,
    Placement,
)
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.joints import (
    ANGLE,
    CURVE,
    DISTANCE,
    FACE,
    JOINT_TYPES,
    POINT,
    RIM,
    TWIST,
)
from mechstudio.translation import tr

replace = msgspec.structs.replace

CLOSED = 1e-13  # of the mechanism's size, or rad: a joint's gap that counts as the one before
SHORTEST = 1e-9  # metres that must be left of a link (model/element_fields/field.py)
SIDES = ("frame_a", "frame_b")
End = tuple[str, int]  # id of a link, 0 for its start and 1 for its end


class Carrying:
    """One edit in the making: the moving elements, found by following joints from the chosen ones,
    then where everything else stands.

    bodies, joints, ends: the motions of the chosen elements.  replaced: bodies that have other
    shapes or points at the same place.
    """

    def __init__(
        self,
        m: Mechanism,
        bodies: Mapping[str, Pose],
        joints: Mapping[str, Pose],
        ends: Mapping[End, Pose],
        replaced: Mapping[str, Body] = {},
    ) -> None:
        self.m, self.bodies, self.joints, self.ends, self.replaced = (
            m,
            dict(bodies),
            dict(joints),
            dict(ends),
            dict(replaced),
        )
        self.size, self.at, self.on = _drawn(m)

    def result(self) -> Mechanism:
        """The mechanism after the edit."""
        self._propagate()
        m = self.m
        placed = {
            id: self._placed(m.body(id))
            for id in {*self.bodies, *(link for link, _ in self.ends), *self.replaced}
        }
        ground = placed.pop(GROUND, m.ground)
        new = replace(
            m, ground=ground, bodies={id: placed.get(id, body) for id, body in m.bodies.items()}
        )
        changed = {*placed, *({GROUND} if ground is not m.ground else ())}
        joints: dict[str, Joint] = {}
        for id, j in m.joints.items():
            touched = id in self.joints or {j.frame_a.body, j.frame_b.body} & changed
            joints[id] = self._joint(new, j) if touched else j
        new = replace(new, joints=joints)
        again = {
            id
            for id, j in joints.items()
            if j is not m.joints[id] or {j.frame_a.body, j.frame_b.body} & changed
        }
        new = replace(
            new,
            joints={id: read_again(m, new, id) if id in again else j for id, j in joints.items()},
        )
        return replace(new, forces=self._forces(new)) if GROUND in changed else new

    # what moves

    def _propagate(self) -> None:
        """Follow the joints from the chosen elements to all that move along."""
        for id, j in self.m.joints.items():
            sides = [f.body in self.bodies for f in (j.frame_a, j.frame_b)]
            if all(sides):
                self.joints.pop(id, None)
                if GROUND in (j.frame_a.body, j.frame_b.body):
                    self.joints[id] = self.bodies[GROUND]
            elif any(sides) and id not in self.joints:
                mover = (j.frame_a if sides[0] else j.frame_b).body
                if mover != GROUND and not self._slips(j, sides.index(True), self.bodies[mover]):
                    self.joints[id] = self.bodies[mover]
        queue = [*self.joints]
        for end, motion in tuple(self.ends.items()):
            self._take_end(end, motion, queue)
        while queue:
            id = queue.pop()
            j = self.m.joints[id]
            for frame in (j.frame_a, j.frame_b):
                k = end_of(self.m, frame, self.size)
                if (
                    k is not None
                    and frame.body not in self.bodies
                    and (frame.body, k) not in self.ends
                ):
                    self._take_end((frame.body, k), self.joints[id], queue)

    def _take_end(self, end: End, motion: Pose, queue: list[str]) -> None:
        """An end of a link moves, with every joint that stands there."""
        self.ends[end] = motion
        for id, k in self.on.get(end[0], ()):
            j = self.m.joints[id]
            if (
                id not in self.joints
                and not JOINT_TYPES[j.type].holds_distance
                and end_of(self.m, getattr(j, SIDES[k]), self.size) == end[1]
            ):
                self.joints[id] = motion
                queue.append(id)

    def _gap(self, j: Joint, poses: Sequence[Pose]) -> list[float]:
        return residuals(j, poses[0], poses[1], self.size)

    def _slips(self, j: Joint, side: int, motion: Pose) -> bool:
        """True if a joint allows that motion of the body of one side while the other stays."""
        if JOINT_TYPES[
            j.type
        ].holds_distance:  # a rod takes its new length, unless there would be none
            a, b = self.at[j.id]
            return distance(transform(motion, (a, b)[side][0]), (b, a)[side][0]) > 1e-6 * self.size
        poses = list(self.at[j.id])
        poses[side] = compose(motion, poses[side])
        return alike(self._gap(j, poses), self._gap(j, self.at[j.id]))

    # where everything stands

    def _placed(self, body: Body) -> Body:
        """A body that was chosen, stretches or is replaced, where it is now."""
        if body.id in self.replaced:
            return self.replaced[body.id]
        if body.id == GROUND:
            return _moved_ground(body, self.bodies[GROUND], self.size)
        start, end = self.ends.get((body.id, 0)), self.ends.get((body.id, 1))
        motion = self.bodies.get(body.id) or (start if start == end else None)
        if motion is not None:
            return replace(
                body,
                placement=renumbered(
                    body.placement, compose(motion, body.placement.pose), self.size
                ),
            )
        ends = link_ends(body)
        assert ends is not None
        return stretched(
            body,
            transform(start, ends[0]) if start else ends[0],
            transform(end, ends[1]) if end else ends[1],
            self.size,
        )

    def _joint(self, new: Mechanism, j: Joint) -> Joint:
        """A joint with its frames where they belong on bodies that have moved."""
        motion, gap = self.joints.get(j.id), self._gap(j, self.at[j.id])
        requested = [
            compose(motion, pose) if motion is not None else pose for pose in self.at[j.id]
        ]
        if motion is None:
            for k, side in enumerate(SIDES):
                body = getattr(j, side).body
                if body in self.bodies and body != GROUND:
                    requested[k] = compose(self.bodies[body], requested[k])
                elif (
                    JOINT_TYPES[j.type].holds_distance
                    and (end := end_of(self.m, getattr(j, side), self.size)) is not None
                    and (body, end) in self.ends
                ):
                    requested[k] = new.frame_in_world(getattr(j, side))
        frames = {}
        for k, side in enumerate(SIDES):
            frame = getattr(j, side)
            if frame.body in self.bodies and frame.body != GROUND:
                continue
            at, q = new.frame_in_world(frame)
            near = distance(at, requested[k][0]) <= CLOSED * max(self.size, max(map(abs, at)))
            for attitude in (q, multiply(_onto(q, requested[k][1]), q), requested[k][1]):
                tried = list(requested)
                tried[k] = (requested[k][0], attitude)
                if (
                    JOINT_TYPES[j.type].holds_distance
                    or attitude is requested[k][1]
                    or alike(self._gap(j, tried), gap)
                ):
                    requested = tried
                    break
            if not near or attitude is not q:
                frames[side] = settled(new, frame, requested[k], self.size)
        changed = replace(j, **frames) if frames else j
        if JOINT_TYPES[j.type].holds_distance:
            length = distance(requested[0][0], requested[1][0])
            if (
                abs(length - distance(self.at[j.id][0][0], self.at[j.id][1][0]))
                > CLOSED * self.size
            ):
                changed = replace(
                    changed,
                    parameters={**changed.parameters, "length": Quantity(tidy(length, self.size))},
                )
        return changed

    def _forces(self, new: Mechanism) -> Mapping[str, Force]:
        """Forces whose frames stand on the ground that moved: with it where the other end moves
        too, else where they stood.
        """
        out: dict[str, Force] = {}
        for id, force in self.m.forces.items():
            frames = [getattr(force, side) for side in SIDES]
            for side, other, frame in zip(SIDES, frames[::-1], frames):
                if frame is not None and frame.body == GROUND:
                    at = self.m.frame_in_world(frame)
                    follows = other is not None and other.body in self.bodies
                    at = (
                        compose(self.bodies[GROUND], at)
                        if follows and GROUND in self.bodies
                        else at
                    )
                    if GROUND in self.bodies and new.frame_in_world(frame) != at:
                        force = replace(force, **{side: settled(new, frame, at, self.size)})
            out[id] = force
        return out


Drawn = tuple[float, dict[str, tuple[Pose, Pose]], dict[str, list[tuple[str, int]]]]
_last: list[tuple[Mechanism, Drawn]] = []


def _drawn(m: Mechanism) -> Drawn:
    """(size, frames of every joint in W, joints and sides on every body); kept for the last
    mechanism, since a drag needs them at every move.
    """
    if _last and _last[0][0] is m:
        return _last[0][1]
    on: dict[str, list[tuple[str, int]]] = {}
    for id, j in m.joints.items():
        for k, side in enumerate(SIDES):
            on.setdefault(getattr(j, side).body, []).append((id, k))
    found = (
        max(m.size(), 1e-6),
        {
            id: (m.frame_in_world(j.frame_a), m.frame_in_world(j.frame_b))
            for id, j in m.joints.items()
        },
        on,
    )
    _last[:] = [(m, found)]
    return found


def residuals(joint: Joint, a: Pose, b: Pose, size: float) -> list[float]:
    """Residuals of a joint's position rows between its frames in W, lengths in sizes of the
    mechanism; a thread holds as drawn and has none.
    """
    (p, q), (r, s) = a, b
    d = triple((y - x) / size for x, y in zip(p, r))
    axes_a, axes_b = (
        [rotate(t, triple(float(i == k) for i in range(3))) for k in range(3)] for t in (q, s)
    )

    def dot(x: Triple, y: Triple) -> float:
        return sum(c * e for c, e in zip(x, y))

    out: list[float] = []
    for primitive, i, k in JOINT_TYPES[joint.type].rows:
        if primitive == POINT:
            out.append(dot(axes_a[i], d))
        elif primitive == ANGLE:
            out.append(dot(axes_a[i], axes_b[k]))
        elif primitive == TWIST:
            out.append(dot(axes_a[0], axes_b[1]) - dot(axes_a[1], axes_b[0]))
        elif primitive == DISTANCE:
            out.append(math.sqrt(dot(d, d)))
        elif primitive == RIM:
            lean = dot(axes_a[i], axes_b[k])
            out.append(
                dot(axes_a[i], d)
                - joint.parameters["radius"].value / size * math.sqrt(max(0.0, 1.0 - lean * lean))
            )
        elif primitive == CURVE:  # along the curve it could move, but how far is not known here
            out += [dot(axis, d) for axis in axes_a]
        elif primitive == FACE:  # as far as the face keeps its place and its turn
            out += [dot(axes_b[k], d), *(dot(axis, axes_b[k]) for axis in axes_a[:2])]
    return out


def alike(a: Sequence[float], b: Sequence[float]) -> bool:
    """True if two rows of residuals differ by rounding only."""
    return all(abs(x - y) <= CLOSED for x, y in zip(a, b))


def _onto(q: Quaternion, requested: Quaternion) -> Quaternion:
    """The shortest turn that lays the z of one attitude along that of another."""
    z = (0.0, 0.0, 1.0)
    return shortest_turn(rotate(q, z), rotate(requested, z), rotate(q, (1.0, 0.0, 0.0)))


def shortest_turn(a: Triple, b: Triple, otherwise: Triple) -> Quaternion:
    """The turn by the least angle that carries unit vector a into unit vector b; about `otherwise`,
    square to a, where they are opposite.
    """
    along = sum(p * q for p, q in zip(a, b))
    if along < -1.0 + 1e-14:
        return about(otherwise, math.pi)
    return normalise(
        (
            1.0 + along,
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        )
    )


def end_of(m: Mechanism, frame: Frame, size: float) -> int | None:
    """End of a link at which a frame stands, in whatever layer: 0 or 1; None elsewhere, and on
    anything but a link.
    """
    body = m.body(frame.body)
    if frame.body == GROUND or link_ends(body) is None:
        return None
    x, _, z = values(body.shapes[0].placement.position)
    (u, _, w), length = m.frame_in_body(frame)[0], body.shapes[0].dimensions["length"].value
    gaps = [math.hypot(u - x - k * length, w - z) for k in (0, 1)]
    near = 1e-9 * size
    if max(gaps) <= near:
        return 1 if frame.point == "end" else 0
    return next((k for k in (0, 1) if gaps[k] <= near), None)


def stretched(body: Body, start: Triple, end: Triple, size: float) -> Body:
    """The link between two new ends in W, turned the shortest way there.  Raises ExpressionError
    where nothing of it would be left.
    """
    shape, old = body.shapes[0], body.placement.quaternion
    length, was = distance(start, end), shape.dimensions["length"]
    if length < SHORTEST:
        raise ExpressionError(
            tr("{body} would have no length left: let its end go elsewhere.", body=body.name)
        )
    if length <= SAME * size:
        turn = IDENTITY
    else:
        way: Triple = triple((b - a) / length for a, b in zip(start, end))
        turn = shortest_turn(rotate(old, (1.0, 0.0, 0.0)), way, rotate(old, (0.0, 1.0, 0.0)))
    q = multiply(turn, old)
    x, _, z = values(shape.placement.position)
    at: Triple = minus(start, rotate(q, (x, 0.0, z)))  # type: ignore[assignment]
    rest = was if abs(was.value - length) <= SAME * size else Quantity(tidy(length, size))
    return replace(
        body,
        shapes=(replace(shape, dimensions={**shape.dimensions, "length": rest}),),
        placement=renumbered(body.placement, (at, q), size),
    )


def _moved_ground(ground: Body, motion: Pose, size: float) -> Body:
    """The ground with its shapes and named points moved; its frame is W's and stays."""
    shapes = tuple(
        replace(s, placement=renumbered(s.placement, compose(motion, s.placement.pose), size))
        for s in ground.shapes
    )
    points = tuple(_moved_point(p, motion, size) for p in ground.points)
    return replace(ground, shapes=shapes, points=points)


def _moved_point(point: NamedPoint, motion: Pose, size: float) -> NamedPoint:
    position = kept(point.position, transform(motion, values(point.position)), SAME * size, size)
    if point.orientation is None:
        return replace(point, position=position)
    placement = renumbered(
        Placement(point.position, point.orientation),
        compose(motion, Placement(point.position, point.orientation).pose),
        size,
    )
    return replace(point, position=position, orientation=placement.orientation)


def read_again(old: Mechanism, new: Mechanism, id: str) -> Joint:
    """A joint whose typed values follow what is drawn now, where that changed."""
    joint, before = new.joints[id], old.joints[id]
    if not joint.values:
        return joint
    read = list(joint.values)
    for k, q in enumerate(joint.values):
        was, now = drawn_coordinate(old, before, k), drawn_coordinate(new, joint, k)
        if was is not None and now is not None and abs(now - was) > 1e-9 * max(1.0, abs(was)):
            read[k] = Quantity(q.value + now - was)
    return replace(joint, values=tuple(read))
