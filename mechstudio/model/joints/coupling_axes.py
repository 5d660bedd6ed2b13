"""Axes of coupled joints as drawn, and the numbers that a new coupling takes from them."""

import math
from collections.abc import Collection, Iterator, Sequence

from mechstudio.model.drawing_measures import disc_radius
from mechstudio.model.geometry.rotation import Triple, compose, rotate
from mechstudio.model.geometry.work_plane import cross, dot
from mechstudio.model.joints.rigid_groups import rigid_group
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, CoordinateOf, Frame, Joint, Mechanism


def base_of(mechanism: Mechanism, ends: Sequence[CoordinateOf]) -> frozenset[str]:
    """The bodies on which the joints of a coupling stand, welded to each other: those that the
    joints share where none of them is on ground, otherwise ground's.
    """
    joints = [mechanism.joints[end.joint] for end in ends]
    pairs = [[rigid_group(mechanism, f.body) for f in (j.frame_a, j.frame_b)] for j in joints]
    shared = {group for group in pairs[0] if all(group in pair for pair in pairs)}
    ground = rigid_group(mechanism, GROUND)
    grounded = any(ground in pair for pair in pairs)
    return ground if grounded or len(shared) != 1 else shared.pop()


def moving_frame(joint: Joint, base: Collection[str]) -> Frame:
    """The frame of a joint on the body that moves over a base."""
    return joint.frame_a if joint.frame_b.body in base else joint.frame_b


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
