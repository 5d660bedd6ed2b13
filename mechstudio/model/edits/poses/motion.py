"""Moving what is drawn: bodies, joints and link ends by a rigid motion, with every joint closed as
before; pure functions Project -> Project.

What hangs on what moves follows by the least change (propagation.py).
"""

import math
from collections.abc import Iterable

import msgspec

from mechstudio.model.edits.elements import put_element
from mechstudio.model.edits.insertion import drawn_coordinate
from mechstudio.model.edits.links import link_ends
from mechstudio.model.edits.poses.propagation import (
    SIDES,
    Carrying,
    End,
    alike,
    read_again,
    residuals,
)
from mechstudio.model.edits.poses.renumbering import SAME, kept, settled
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Triple,
    about,
    compose,
    conjugate,
    minus,
    multiply,
    rotate,
)
from mechstudio.model.mechanism import Body, Joint, Limit, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity

replace = msgspec.structs.replace


def shifted_by(shift: Triple) -> Pose:
    """The motion that moves everything by a shift [m, W]."""
    return (shift, IDENTITY)


def rotated_about(center: Triple, axis: Triple, angle: float) -> Pose:
    """The motion that turns everything by an angle [rad] about a unit axis through a point [m,
    W].
    """
    q = about(axis, angle)
    return (minus(center, rotate(q, center)), q)  # type: ignore[return-value]


def move(
    project: Project,
    motion: Pose,
    bodies: Iterable[str] = (),
    joints: Iterable[str] = (),
    ends: Iterable[End] = (),
) -> Project:
    """Bodies, joints and ends of links moved by a motion: points of W go to motion[1] p +
    motion[0].

    Joints between two of the bodies move along.  A joint is moved on both of its bodies, which stay
    (links stretch).  Of the ground its shapes and named points move, and joints and forces that tie
    it to other bodies of the choice; what ties it to others stays.
    """
    chosen, m = tuple(bodies), project.mechanism
    carrying = Carrying(
        m,
        {id: motion for id in chosen},
        {id: motion for id in joints},
        {end: motion for end in ends},
    )
    return replace(project, mechanism=carrying.result())


def turn_joint(project: Project, id: str, axis: Triple, angle: float) -> Project:
    """Both frames of a joint turned alike by an angle [rad] about a unit axis of W; bodies, and
    what the joint reads, stay.

    Each frame turns about its own origin where the joint allows that, else both about the first
    one's.
    """
    m = project.mechanism
    joint = m.joints[id]
    a, b = (m.frame_in_world(f) for f in (joint.frame_a, joint.frame_b))
    q, size = about(axis, angle), max(m.size(), 1e-6)
    own = [(p, multiply(q, attitude)) for p, attitude in (a, b)]
    moved = [compose(rotated_about(a[0], axis, angle), pose) for pose in (a, b)]
    free = alike(residuals(joint, own[0], own[1], size), residuals(joint, a, b, size))
    poses = own if free else moved
    frames = {
        side: settled(m, getattr(joint, side), pose, size) for side, pose in zip(SIDES, poses)
    }
    changed = replace(joint, **frames)
    mechanism = replace(m, joints={**m.joints, id: changed})
    return replace(
        project,
        mechanism=replace(
            mechanism,
            joints={**m.joints, id: _mirrored(m, mechanism, joint, read_again(m, mechanism, id))},
        ),
    )


def flip_joint(project: Project, id: str) -> Project:
    """A joint with its axis the other way round: both frames turned by half a turn about the x of
    the first.
    """
    frame = project.mechanism.joints[id].frame_a
    return turn_joint(
        project, id, rotate(project.mechanism.frame_in_world(frame)[1], (1.0, 0.0, 0.0)), math.pi
    )


def quarter_joint(project: Project, id: str) -> Project:
    """A joint with both frames turned by 90 degrees about its axis."""
    frame = project.mechanism.joints[id].frame_a
    return turn_joint(
        project,
        id,
        rotate(project.mechanism.frame_in_world(frame)[1], (0.0, 0.0, 1.0)),
        math.pi / 2,
    )


def with_body(project: Project, body: Body) -> Project:
    """With a body's shapes and named points as in `body`, at the same placement: joints at named
    points that moved move along, on both sides.
    """
    m = project.mechanism
    before, after = m.body(body.id).named_points(), body.named_points()
    q = body.placement.quaternion
    joints: dict[str, Pose] = {}
    for id, joint in m.joints.items():
        for side in SIDES:
            frame = getattr(joint, side)
            if (
                frame.body == body.id
                and frame.point in after
                and before.get(frame.point) != after[frame.point]
            ):
                joints[id] = shifted_by(rotate(q, minus(after[frame.point], before[frame.point])))
    return replace(project, mechanism=Carrying(m, {}, joints, {}, {body.id: body}).result())


def stretch_to(
    project: Project, link: str, end: int, point: Triple, length: Quantity | None = None
) -> Project:
    """A link's end moved to a point of W, with what hangs on it; length: as typed, where the point
    stands exactly so far from the other end.
    """
    ends = link_ends(project.mechanism.bodies[link])
    assert ends is not None
    moved = move(project, shifted_by(minus(point, ends[end])), ends=((link, end),))
    if length is None:
        return moved
    body = moved.mechanism.bodies[link]
    shape = replace(body.shapes[0], dimensions={**body.shapes[0].dimensions, "length": length})
    return put_element(moved, link, replace(body, shapes=(shape,)))


def move_named_point(project: Project, body: str, name: str, point: Triple) -> Project:
    """A named point of a body's own, moved to a point of W, with the joints that stand there."""
    m = project.mechanism
    owner, size = m.body(body), max(m.size(), 1e-6)
    position, q = owner.placement.pose
    local: Triple = rotate(conjugate(q), minus(point, position))  # type: ignore[arg-type]
    points = tuple(
        replace(p, position=kept(p.position, local, SAME * size, size)) if p.name == name else p
        for p in owner.points
    )
    return with_body(project, replace(owner, points=points))


def _mirrored(old: Mechanism, new: Mechanism, before: Joint, joint: Joint) -> Joint:
    """With the stops of coordinates that a flip made negative the other way round."""
    limits: list[Limit] = []
    for limit in joint.limits:
        was, now = (
            drawn_coordinate(old, before, limit.coordinate),
            drawn_coordinate(new, joint, limit.coordinate),
        )
        if (
            was is not None
            and now is not None
            and abs(was) > 1e-9
            and abs(was + now) <= 1e-9 * max(1.0, abs(was))
        ):
            lower, upper = (
                None if q is None else Quantity(-q.value) for q in (limit.upper, limit.lower)
            )
            limit = replace(limit, lower=lower, upper=upper)
        limits.append(limit)
    return replace(joint, limits=tuple(limits)) if limits else joint
