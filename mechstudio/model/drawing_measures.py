"""Measures read off a drawing: what a new joint, force or coupling takes as its numbers."""

import math
from collections.abc import Iterator, Sequence

from mechstudio.model.geometry.forms import Cylinder
from mechstudio.model.geometry.rotation import Triple, compose, conjugate, rotate
from mechstudio.model.geometry.work_plane import cross, dot
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, CoordinateOf, Frame, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.rounding import round_near

PARALLEL = 1e-9  # of the cosine of two directions, from 1


def disc_radius(mechanism: Mechanism, body: str) -> float:
    """The radius of a body's largest disc or cylinder [m]; zero if it has none."""
    return max(
        (f.radius for s in mechanism.body(body).shapes if isinstance(f := s.form, Cylinder)),
        default=0.0,
    )


def disc_axis(mechanism: Mechanism, body: str) -> Triple | None:
    """The axis of a body's first disc or cylinder in W; None if it has none."""
    owner = mechanism.body(body)
    for shape in owner.shapes:
        if isinstance(shape.form, Cylinder):
            return rotate(
                owner.placement.quaternion, rotate(shape.placement.quaternion, (0.0, 0.0, 1.0))
            )
    return None


def disc_about(mechanism: Mechanism, body: str, axis: Triple) -> tuple[Triple, float] | None:
    """Centre in W and radius [m] of a body's largest disc or cylinder about a direction; None if it
    has none.
    """
    owner = mechanism.body(body)
    found: list[tuple[float, Triple]] = []
    for shape in owner.shapes:
        if isinstance(shape.form, Cylinder):
            at, q = compose(owner.placement.pose, shape.placement.pose)
            if abs(abs(dot(rotate(q, (0.0, 0.0, 1.0)), axis)) - 1.0) < PARALLEL:
                found.append((shape.form.radius, at))
    if not found:
        return None
    radius, at = max(found)
    return at, radius


# of joints


def apart(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> float:
    """Distance of two frames' origins [m]."""
    return math.dist(*(mechanism.frame_in_world(f)[0] for f in (frame_a, frame_b)))


def thread_pitch(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> float:
    """A climb per turn near a fiftieth of the mechanism [m]."""
    return round_near(0.02 * mechanism.size())


def rolling_radius(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> float:
    """Radius of the second body's disc, otherwise its centre's height over the first plane [m]."""
    (a, turn), (b, _) = (mechanism.frame_in_world(f) for f in (frame_a, frame_b))
    height = abs(rotate(conjugate(turn), (b[0] - a[0], b[1] - a[1], b[2] - a[2]))[2])
    return disc_radius(mechanism, frame_b.body) or height


# of forces between two points


def _sinking_stiffness(
    mechanism: Mechanism, frame_a: Frame, frame_b: Frame
) -> tuple[float, float] | None:
    """Stiffness [N/m] at which the lighter body sinks by a tenth of the distance, and its mass
    [kg]; None where there is no such.
    """
    masses = [
        mass_properties(mechanism.body(f.body)).mass for f in (frame_a, frame_b) if f.body != GROUND
    ]
    length = apart(mechanism, frame_a, frame_b)
    if length <= 0 or not masses or not 0 < min(masses) < math.inf:
        return None
    g = math.hypot(*values(mechanism.gravity)) or 9.81
    return min(masses) * g / (length / 10), min(masses)


def spring_stiffness(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> str:
    """A stiffness under which the lighter body sinks by a tenth of the length."""
    found = _sinking_stiffness(mechanism, frame_a, frame_b)
    return "200 N/m" if found is None else f"{round_near(found[0]):g} N/m"


def light_damping(mechanism: Mechanism, frame_a: Frame, frame_b: Frame) -> str:
    """A damping that lets the lighter body swing lightly damped on such a spring."""
    found = _sinking_stiffness(mechanism, frame_a, frame_b)
    if found is None:
        return "10 N·s/m"
    return f"{round_near(0.2 * math.sqrt(found[0] * found[1])):g} N·s/m"


# of couplings


def base_of(mechanism: Mechanism, ends: Sequence[CoordinateOf]) -> str:
    """The body on which the joints of a coupling stand: the one that they share where none of them
    is on ground, otherwise ground.
    """
    joints = [mechanism.joints[end.joint] for end in ends]
    bodies = [{joint.frame_a.body, joint.frame_b.body} for joint in joints]
    shared = [body for body in bodies[0] if all(body in pair for pair in bodies)]
    grounded = any(GROUND in pair for pair in bodies)
    return GROUND if grounded or len(shared) != 1 else shared[0]


def moving_frame(joint: Joint, base: str) -> Frame:
    """The frame of a joint on the body that moves over a base."""
    return joint.frame_a if joint.frame_b.body == base else joint.frame_b


def _axes(
    mechanism: Mechanism, ends: Sequence[CoordinateOf]
) -> Iterator[tuple[Triple, Triple, str, float]]:
    """(point, direction, the moving body, sense) of each joint's axis in W as drawn; sense is -1
    where the moving body is the first.
    """
    base = base_of(mechanism, ends)
    for end in ends:
        joint = mechanism.joints[end.joint]
        place, q = mechanism.frame_in_world(joint.frame_a)
        own = moving_frame(joint, base)
        sense = 1.0 if own is joint.frame_b else -1.0
        yield place, rotate(q, (0.0, 0.0, 1.0)), own.body, sense


def _distance_from_axis(p: Triple, z: Triple, other: Triple) -> float:
    """Distance of another point from the axis z through p [m]."""
    between = _difference(p, other)
    return math.sqrt(max(0.0, dot(between, between) - dot(between, z) ** 2))


def _difference(p: Triple, q: Triple) -> Triple:
    return q[0] - p[0], q[1] - p[1], q[2] - p[2]


def pinion_radius(mechanism: Mechanism, ends: tuple[CoordinateOf, ...]) -> dict[str, float]:
    """Radius of a pinion's disc, or how far the rack runs from its axis; negative where the rack
    runs against the turn.
    """
    (p, z, body, sense), (other, w, _, other_sense) = _axes(mechanism, ends)
    # the rack's point nearest to the pinion's centre moves at z x r
    between = _difference(p, other)
    along = dot(between, w)
    foot: Triple = tuple(a - along * d for a, d in zip(between, w))  # type: ignore[assignment]
    rotated = (
        z[1] * foot[2] - z[2] * foot[1],
        z[2] * foot[0] - z[0] * foot[2],
        z[0] * foot[1] - z[1] * foot[0],
    )
    reach = math.sqrt(dot(foot, foot))
    sign = -1.0 if dot(rotated, w) * sense * other_sense < 0 else 1.0
    return {"radius": sign * (disc_radius(mechanism, body) or (reach if reach > 1e-6 else 0.05))}


def gear_ratio(mechanism: Mechanism, ends: tuple[CoordinateOf, ...]) -> dict[str, float]:
    """Ratio of the gears' discs, negative of outer gears; -1 where there are none."""
    (p, z, body, _), (other, _, second, _) = _axes(mechanism, ends)
    far = _distance_from_axis(p, z, other)
    first, last = disc_radius(mechanism, body), disc_radius(mechanism, second)
    if not first or not last:
        first = last = far / 2 or 0.05
    inner = far < abs(first - last) + 0.25 * min(first, last)
    sign = math.copysign(1.0, alike(mechanism, ends))
    return {"ratio": (1.0 if inner else -1.0) * sign * last / first}


def alike(mechanism: Mechanism, ends: tuple[CoordinateOf, ...]) -> float:
    """Cosine between the directions about which two joints turn their bodies forwards."""
    (_, z, _, sense), (_, w, _, other_sense) = _axes(mechanism, ends)
    return dot(z, w) * sense * other_sense


def geneva_slots(mechanism: Mechanism, ends: tuple[CoordinateOf, ...]) -> dict[str, float]:
    """Four slots, negative where the axes of crank and wheel point in opposite directions, and the
    angle of the crank at which its pin is deepest in one.  The pin is taken to be on the side of
    the crank's centre of mass; a balanced crank is taken to be there as drawn.
    """
    (p, z, body, sense), (other, _, _, _) = _axes(mechanism, ends)
    slots = math.copysign(4.0, alike(mechanism, ends))
    joint = mechanism.joints[ends[0].joint]
    x, y, u = (
        rotate(mechanism.frame_in_world(frame)[1], axis)
        for frame, axis in (
            (joint.frame_a, (1.0, 0.0, 0.0)),
            (joint.frame_a, (0.0, 1.0, 0.0)),
            (joint.frame_b, (1.0, 0.0, 0.0)),
        )
    )
    at = math.atan2(dot(u, y), dot(u, x))
    owner = mechanism.body(body)
    middle, _ = compose(owner.placement.pose, (mass_properties(owner).center, (1.0, 0.0, 0.0, 0.0)))
    arm, wheel = _across(_difference(middle, p), z), _across(_difference(other, p), z)
    if dot(arm, arm) <= 1e-12 * dot(wheel, wheel):
        return {"slots": slots, "middle": at}
    turned = sense * math.atan2(dot(cross(wheel, arm), z), dot(wheel, arm))
    return {"slots": slots, "middle": math.remainder(at - turned, 2.0 * math.pi)}


def _across(v: Triple, z: Triple) -> Triple:
    """The part of a vector across a direction z."""
    along = dot(v, z)
    return v[0] - along * z[0], v[1] - along * z[1], v[2] - along * z[2]


def pulley_radii(mechanism: Mechanism, ends: tuple[CoordinateOf, ...]) -> dict[str, float]:
    """Radii of the pulleys' discs, otherwise a sixth of the distance of their axes."""
    (p, z, body, _), (other, _, second, _) = _axes(mechanism, ends)
    share = _distance_from_axis(p, z, other) / 6 or 0.05
    return {
        "radius_1": disc_radius(mechanism, body) or share,
        "radius_2": disc_radius(mechanism, second) or share,
    }
