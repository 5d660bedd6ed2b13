"""Findings of what a run computes in place of what is drawn: hulls of moving meshes, flat faces held at their rims, circles drawn as splines."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
from scipy.spatial import ConvexHull

from mechstudio.model import mesh as meshes
from mechstudio.model.findings import Finding
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND, Body, Joint, Mechanism, Mesh
from mechstudio.model.quantity import values

from .curves import curve_table
from .drawing_checks import named
from .redundancy import listed, titled

FLAT_ENDED = ("disc", "cylinder", "cone")
HOLLOW = 1e-3           # part of a hull's volume that is not the mesh's, from which it is said
ROUND = 1e-2            # of its radius: how far the points of a curve may lie off a circle that is meant
PLACES = 400            # at which the curvature of a spline is compared with the circle's
NAMED = 3               # bodies that one sentence names


def approximations(mechanism: Mechanism) -> list[Finding]:
    """What `check` and every run say of a mechanism whose elements can be read."""
    solid = [b for b in (*mechanism.bodies.values(), mechanism.ground) if b.touches] if mechanism.contacts.enabled else []
    return [*_hulls(solid), *_flat_ends(solid), *_circles(mechanism.joints.values())]


def run_notes(mechanism: Mechanism) -> tuple[str, ...]:
    """The same in sentences, for a run's statistics."""
    return tuple(f"{f.message} {f.cure}" for f in approximations(mechanism))


def _hulls(bodies: Iterable[Body]) -> Iterator[Finding]:
    """Meshes of moving bodies whose convex hull, which touches in their place, is larger than they are."""
    for body in bodies:
        for shape in body.shapes if body.id != GROUND else ():
            if shape.mesh is None:
                continue
            filled = hollow_share(shape.mesh)
            if filled > HOLLOW:
                yield Finding("warning", body.id, f"In contacts the convex hull of {named(body)} touches in place of its mesh: holes and hollows, "
                              f"{100.0 * filled:.3g} % of the hull, count as filled, and what lies in them is pushed out.",
                              "Build the body from convex shapes, or fix the mesh to the ground, where every triangle touches.")


def _flat_ends(bodies: Iterable[Body]) -> Iterator[Finding]:
    """Bodies with flat round ends that rub."""
    flat = [b for b in bodies if any(s.type in FLAT_ENDED for s in b.shapes) and (b.surface.number("friction") > 0.0)]
    if flat:
        names = [named(b) for b in flat[:NAMED]]
        more = [f"{len(flat) - NAMED} more"] if len(flat) > NAMED else []
        yield Finding("info", flat[0].id, f"Flat round ends touch at their rims: spinning flat on a face {listed([*names, *more])} would be braked by μNR, "
                      "where even pressure over the face gives 2/3 of it.", "For an even pressure lower the friction of that pair, or leave it out where nothing spins on its face.")


def _circles(joints: Iterable[Joint]) -> Iterator[Finding]:
    """Closed curves through the points of a circle, which are splines."""
    for joint in joints:
        if JOINT_TYPES[joint.type].curve and joint.curve is not None and joint.curve.smooth and joint.curve.closed:
            points = np.array([values(p) for p in joint.curve.points], float)
            radius = circle_radius(points)
            if radius > 0.0:
                table = curve_table(joint.curve)
                _, d, dd = table.at(np.linspace(0.0, table.length, PLACES))
                curvature = np.linalg.norm(np.cross(d, dd), axis=1) / np.linalg.norm(d, axis=1) ** 3
                off = float(np.abs(radius * curvature - 1.0).max())
                yield Finding("info", joint.id, f"The circle of {titled(joint)} is a spline through {len(points)} points: its curvature, and with it the force that holds a body "
                              f"on its way, is off by up to {100.0 * off:.2g} %.", "For a circle to rounding use a pin and a link, or give the curve more points, with all their digits.")


@lru_cache(maxsize=32)
def hollow_share(mesh: Mesh) -> float:
    """Part of the volume of a sound mesh's convex hull that lies outside the mesh."""
    points, _ = meshes.arrays(mesh)
    return 1.0 - meshes.solid(mesh).volume / float(ConvexHull(points).volume)


def circle_radius(points: np.ndarray) -> float:
    """The radius [m] of the circle on which points (n, 3) [m] lie, 0 where they lie on none."""
    if len(points) < 4:
        return 0.0
    middle = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(middle, full_matrices=False)
    if not sizes[1] > ROUND * sizes[0] or sizes[2] > ROUND * sizes[0]:
        return 0.0
    # |p|^2 = 2 p.c + k of a circle about c
    flat = middle @ axes[:2].T
    (cx, cy, k), *_ = np.linalg.lstsq(np.column_stack((2.0 * flat, np.ones(len(flat)))), (flat ** 2).sum(axis=1), rcond=None)
    radius = float(np.sqrt(k + cx * cx + cy * cy))
    return radius if np.abs(np.hypot(*(flat - (cx, cy)).T) - radius).max() < ROUND * radius else 0.0
