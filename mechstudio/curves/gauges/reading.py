"""Readings of gauges over poses of the bodies: closed forms for points, axes and planes.

Axes and planes reach without end.  A distance to a plane is positive on the side that its normal
shows.  The least distance of two bodies is no closed form and takes about a millisecond for each
pose; over a run an analysis finds it (engine/analyses/clearance.py).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.model.geometry.forms import Ball, Cylinder
from mechstudio.model.geometry.rotation import Pose, matrix
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.project import Feature, Gauge
from mechstudio.model.results.clearance import bodies_between, body_clearance
from mechstudio.model.results.constant_course import matrices
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.gauges import ALONG, ANGLE, AXIS, BODY, DIAMETER, PLANE, ROUND
from mechstudio.model.types.joints import JOINT_TYPES

_ROUND = (Ball, Cylinder)
PARALLEL = 1e-7  # rad; two axes are parallel below it, and so are planes
Poses = Callable[[str], np.ndarray]  # id of a body -> its poses (n, 7): place [m], quaternion


class Reading(NamedTuple):
    """Reading of a gauge.  values (n,) [SI].  a, b (n, 3): points of W between which it is drawn
    [m]; of an angle its two directions, unit.  at (n, 3): of an angle where it is drawn.
    """

    values: np.ndarray
    a: np.ndarray
    b: np.ndarray
    at: np.ndarray


class Placed(NamedTuple):
    """A feature in W: a point of it (n, 3) [m], and its direction (n, 3), unit."""

    kind: str
    point: np.ndarray
    direction: np.ndarray


def is_clearance(gauge: Gauge) -> bool:
    """True of the least distance of two bodies, which an analysis finds."""
    return len(gauge.ends) == 2 and gauge.ends[0].kind == BODY


def frame_of(m: Mechanism, feature: Feature) -> Frame:
    """The frame of a body that a feature lies in."""
    if not feature.joint:
        assert feature.frame is not None, "a feature has a frame or a joint"
        return feature.frame
    joint = m.joints[feature.joint]
    return joint.frame_b if joint.frame_b.body != GROUND else joint.frame_a


def _ground(m: Mechanism) -> np.ndarray:
    """The pose of ground, which stands where it was put, as one row."""
    place, turn = m.ground.placement.pose
    return np.array([[*place, *turn]])


def recorded_poses(m: Mechanism, layout: SampleLayout, rows: np.ndarray) -> Poses:
    """Poses of the bodies at samples (n, layout.width)."""

    def of(body: str) -> np.ndarray:
        if body == GROUND:
            return np.tile(_ground(m), (len(rows), 1))
        return rows[:, layout.pose(body)]

    return of


def posed(m: Mechanism, poses: np.ndarray) -> Poses:
    """Poses (bodies, 7) of one instant in file order, one row for each body."""
    index = {id: k for k, id in enumerate(m.bodies)}

    def of(body: str) -> np.ndarray:
        if body == GROUND:
            return _ground(m)
        return np.asarray(poses[index[body]], float)[None]

    return of


def drawn_poses(m: Mechanism) -> Poses:
    """Poses of the bodies as drawn, one row each."""

    def of(body: str) -> np.ndarray:
        place, turn = m.body(body).placement.pose
        return np.array([[*place, *turn]])

    return of


def _axis_of(m: Mechanism, feature: Feature) -> int:
    """Column of the frame along which a feature points: z, or a joint's own axis."""
    kind = JOINT_TYPES[m.joints[feature.joint].type] if feature.joint else None
    return kind.motions[0][1] if kind is not None and kind.has_one_axis else 2


def placed(m: Mechanism, feature: Feature, poses: Poses) -> Placed:
    """A feature in W over poses of the bodies."""
    frame = frame_of(m, feature)
    local, turn = m.frame_in_body(frame)
    rows = poses(frame.body)
    R = matrices(rows[:, 3:])
    way = np.array(matrix(turn))[:, _axis_of(m, feature)]
    return Placed(feature.kind, rows[:, :3] + R @ np.array(local), R @ way)


def radius_of(m: Mechanism, body: str) -> tuple[float, Pose] | None:
    """Radius [m] of the largest disc, cylinder or ball of a body, with the pose of that solid in
    body axes; None where the body has none.
    """
    shapes = m.body(body).shapes
    round_ = [(form.radius, s.placement.pose) for s in shapes if isinstance(form := s.form, _ROUND)]
    return max(round_, key=lambda found: found[0]) if round_ else None


def reading(m: Mechanism, gauge: Gauge, poses: Poses) -> Reading | None:
    """Reading of a gauge over poses of the bodies; None where it reads nothing: of a body without
    a solid, or without a round one.
    """
    if gauge.type in ROUND:
        return _round(m, gauge, poses)
    if is_clearance(gauge):
        return _clearance(m, gauge, poses)
    first, second = (placed(m, end, poses) for end in gauge.ends)
    if gauge.type == ANGLE:
        return _angle(first, second)
    if gauge.type in ALONG:
        return _along(first, second, ALONG[gauge.type])
    return _distance(first, second)


def _round(m: Mechanism, gauge: Gauge, poses: Poses) -> Reading | None:
    body = frame_of(m, gauge.ends[0]).body
    found = radius_of(m, body)
    if found is None:
        return None
    radius, pose = found
    rows = poses(body)
    R = matrices(rows[:, 3:])
    center = rows[:, :3] + R @ np.array(pose[0])
    across = R @ np.array(matrix(pose[1]))[:, 0]
    whole = gauge.type == DIAMETER
    b = center + radius * across
    a = center - radius * across if whole else center
    return Reading(np.full(len(rows), radius * (2.0 if whole else 1.0)), a, b, center)


def _clearance(m: Mechanism, gauge: Gauge, poses: Poses) -> Reading | None:
    ids = bodies_between(gauge)
    rows = [[(tuple(p[:3]), tuple(p[3:])) for p in poses(id).tolist()] for id in ids]
    found = [body_clearance(m, (ids[0], p), (ids[1], q)) for p, q in zip(*rows)]
    if any(each is None for each in found):
        return None
    known = [each for each in found if each is not None]
    a, b = (np.array([point[k] for point in known]) for k in (1, 2))
    return Reading(np.array([each.distance for each in known]), a, b, (a + b) / 2)


def _along(first: Placed, second: Placed, axis: int) -> Reading:
    a, b = first.point, second.point
    return Reading((b - a)[:, axis], a, b, (a + b) / 2)


def _norm(v: np.ndarray) -> np.ndarray:
    """Lengths (n,) of vectors (n, 3), without overflow of squares."""
    return np.hypot(np.hypot(v[:, 0], v[:, 1]), v[:, 2])


def _dot(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", u, v)[:, None]


def _distance(first: Placed, second: Placed) -> Reading:
    if PLANE in (first.kind, second.kind):
        return _from_plane(first, second)
    a, b = first.point, second.point
    if first.kind == second.kind == AXIS:
        return _between_axes(first, second)
    if AXIS in (first.kind, second.kind):
        line, point = (first, second) if first.kind == AXIS else (second, first)
        foot = line.point + _dot(point.point - line.point, line.direction) * line.direction
        a, b = (foot, point.point) if first.kind == AXIS else (point.point, foot)
    return Reading(_norm(b - a), a, b, (a + b) / 2)


def _from_plane(first: Placed, second: Placed) -> Reading:
    """The height of the other feature's point over the plane; of two planes that of the second's
    point over the first.
    """
    plane, other = (first, second) if first.kind == PLANE else (second, first)
    n, p = plane.direction, other.point
    height = _dot(p - plane.point, n)
    foot = p - height * n
    a, b = (foot, p) if plane is first else (p, foot)
    return Reading(height[:, 0], a, b, (a + b) / 2)


def _between_axes(first: Placed, second: Placed) -> Reading:
    """Least distance of two axes, from the point of one that is nearest to the other to that of the
    other; of parallel ones from the first's point to its foot on the second.
    """
    p, u, q, v = first.point, first.direction, second.point, second.direction
    n, w = np.cross(u, v), q - p
    sine = _norm(n)[:, None]
    parallel = sine <= PARALLEL
    safe = np.where(parallel, 1.0, sine)
    s = np.where(parallel, 0.0, _dot(np.cross(w, v), n) / safe**2)
    t = np.where(parallel, -_dot(w, v), _dot(np.cross(w, u), n) / safe**2)
    a, b = p + s * u, q + t * v
    # along the common normal: the points themselves are far off where axes are nearly parallel
    values = np.where(parallel[:, 0], _norm(b - a), np.abs(_dot(w, n / safe))[:, 0])
    return Reading(values, a, b, (a + b) / 2)


def _angle(first: Placed, second: Placed) -> Reading:
    """0 to 180 deg between two axes along their directions, or two normals; -90 to 90 deg between
    an axis and a plane.  By the arc tangent, exact to rounding near 0 and 180 deg too.
    """
    u, v = first.direction, second.direction
    angle = np.arctan2(_norm(np.cross(u, v)), _dot(u, v)[:, 0])
    if first.kind != second.kind:
        # against the plane and not its normal: positive on the side that the normal shows
        angle = math.pi / 2 - angle
        axis, plane = (first, second) if first.kind == AXIS else (second, first)
        flat = axis.direction - _dot(axis.direction, plane.direction) * plane.direction
        length = _norm(flat)[:, None]
        flat = np.where(length > PARALLEL, flat / np.maximum(length, PARALLEL), flat)
        u, v = (axis.direction, flat)
    return Reading(angle, u, v, first.point)
