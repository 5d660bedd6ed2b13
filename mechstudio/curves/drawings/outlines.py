"""Outlines of solids in the front view, the nearer ones over the others."""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.curves.gauges.reading import Poses
from mechstudio.model.geometry.clearance import skin, support
from mechstudio.model.geometry.forms import Form, Polyhedron
from mechstudio.model.geometry.rotation import Pose, Triple, compose, conjugate, rotate, transform
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE

DIRECTIONS = 180  # in which the points of an outline are computed
RIGHT, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])  # in the front view
ACROSS = 1e-6  # component of a unit axis in the picture below which it appears as a point


class Outline(NamedTuple):
    """Outline of a solid.  points (n, 2): x and z in W [m].  nearest: least y of it [m]; the viewer
    looks along y.  is_hull: True if it is that of the convex hull of a mesh.
    """

    body: str
    points: np.ndarray
    nearest: float
    is_hull: bool = False


def outlines(m: Mechanism, poses: Poses) -> list[Outline]:
    """Outlines of all visible solids, the farthest first; those of meshes by their convex hulls."""
    out = []
    for id in (GROUND, *m.bodies):
        body = m.body(id)
        if not body.visible:
            continue
        row = poses(id)[0].tolist()
        pose = ((row[0], row[1], row[2]), (row[3], row[4], row[5], row[6]))
        for shape in body.shapes:
            at = compose(pose, shape.placement.pose)
            ring = silhouette(shape.form, at, RIGHT, UP)
            flat = ring[:, [0, 2]]
            steps = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
            kept = steps > 1e-9 * max(float(np.ptp(flat)), 1e-12)
            nearest = _farthest(shape.form, at, (0.0, -1.0, 0.0))[1]
            out.append(Outline(id, flat[kept], nearest, isinstance(shape.form, Polyhedron)))
    return sorted(out, key=lambda outline: -outline.nearest)


def silhouette(form: Form, at: Pose, right: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Points (n, 3) in W [m] of the outline of a solid at a pose, in a parallel projection onto the
    unit vectors `right` and `up` (3,).
    """
    angles = np.linspace(0.0, 2 * math.pi, DIRECTIONS, endpoint=False)
    directions = np.outer(np.cos(angles), right) + np.outer(np.sin(angles), up)
    return np.array([_farthest(form, at, (x, y, z)) for x, y, z in directions.tolist()])


def _farthest(form: Form, at: Pose, direction: Triple) -> Triple:
    """The point of a solid in W [m] that lies farthest in a direction."""
    x, y, z = transform(at, support(form, rotate(conjugate(at[1]), direction)))
    r = skin(form)
    return (x + r * direction[0], y + r * direction[1], z + r * direction[2])


def centres(m: Mechanism, poses: Poses) -> np.ndarray:
    """Places (k, 2) of joints that turn about the line of sight, x and z in W [m]."""
    out = []
    for joint in m.joints.values():
        kind = JOINT_TYPES[joint.type]
        if not joint.visible or not kind.has_one_axis or kind.motions[0][0] == SLIDE:
            continue
        frame = joint.frame_b if joint.frame_b.body != GROUND else joint.frame_a
        row = poses(frame.body)[0].tolist()
        pose = ((row[0], row[1], row[2]), (row[3], row[4], row[5], row[6]))
        place, turn = compose(pose, m.frame_in_body(frame))
        unit = tuple(float(k == kind.motions[0][1]) for k in range(3))
        axis = rotate(turn, unit)  # type: ignore[arg-type]
        if math.hypot(axis[0], axis[2]) < ACROSS:
            out.append((place[0], place[2]))
    return np.array(out).reshape(-1, 2)


def hull(places: list[np.ndarray]) -> list[np.ndarray]:
    """Corners of the convex hull of points in the plane; both ends if they lie on a line."""
    points = sorted({(round(x, 3), round(y, 3)) for x, y in places})
    if len(points) < 3:
        return [np.array(p) for p in points]

    def half(ordered) -> list[tuple[float, float]]:
        out: list[tuple[float, float]] = []
        for p in ordered:
            while len(out) > 1:
                (ax, ay), (bx, by) = out[-2], out[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0.5:
                    break
                out.pop()
            out.append(p)
        return out

    ring = half(points)[:-1] + half(points[::-1])[:-1]
    return [np.array(p) for p in ring]
