"""Outlines of solids in the front view, the nearer ones over the others."""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.curves.gauges.reading import Poses
from mechstudio.model.geometry.clearance import skin, support
from mechstudio.model.geometry.forms import Polyhedron
from mechstudio.model.geometry.rotation import Triple, compose, conjugate, rotate, transform
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE

DIRECTIONS = 180  # in which an outline is looked for
ACROSS = 1e-6  # of a unit axis along the line of sight, beside which it is seen as a point


class Outline(NamedTuple):
    """Outline of a solid.  points (n, 2): x and z in W [m].  nearest: least y of it [m]; the viewer
    looks along y.  is_hull: True where it is that of the convex hull of a mesh.
    """

    body: str
    points: np.ndarray
    nearest: float
    is_hull: bool = False


def outlines(m: Mechanism, poses: Poses) -> list[Outline]:
    """Outlines of all visible solids, the farthest first.  Meshes by their convex hulls."""
    out = []
    for id in (GROUND, *m.bodies):
        body = m.body(id)
        if not body.visible:
            continue
        row = poses(id)[0].tolist()
        pose = ((row[0], row[1], row[2]), (row[3], row[4], row[5], row[6]))
        for shape in body.shapes:
            at = compose(pose, shape.placement.pose)
            back = conjugate(at[1])

            def farthest(d: Triple, form=shape.form, at=at, back=back) -> Triple:
                x, y, z = transform(at, support(form, rotate(back, d)))
                r = skin(form)
                return (x + r * d[0], y + r * d[1], z + r * d[2])

            ring = [
                farthest((math.cos(a), 0.0, math.sin(a)))
                for a in np.linspace(0.0, 2 * math.pi, DIRECTIONS, endpoint=False).tolist()
            ]
            flat = np.array([(x, z) for x, _, z in ring])
            steps = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
            kept = steps > 1e-9 * max(float(np.ptp(flat)), 1e-12)
            nearest = farthest((0.0, -1.0, 0.0))[1]
            out.append(Outline(id, flat[kept], nearest, isinstance(shape.form, Polyhedron)))
    return sorted(out, key=lambda outline: -outline.nearest)


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
