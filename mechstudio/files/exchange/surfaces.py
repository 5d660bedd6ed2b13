"""Closed surfaces of triangles of drawn shapes, for formats that know only those."""

import functools
import itertools
import math

import numpy as np

from mechstudio.model.geometry import hollow
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import (
    Ball,
    Block,
    Capsule,
    Cylinder,
    Ellipsoid,
    Flat,
    Form,
    Frustum,
    HalfPipe,
    Polyhedron,
    Tube,
)
from mechstudio.model.geometry.outline import convex_hull
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mechanism import Shape

TURN = 48  # corners of a circle

Surface = tuple[np.ndarray, np.ndarray]


def shape_surface(shape: Shape) -> Surface:
    """Corners (n, 3) [m] in the body's axes and triangles (t, 3), counter-clockwise from outside.
    Round forms have corners on the true surface, TURN of them around.
    """
    points, triangles = surface(shape.form)
    p, q = shape.placement.pose
    return points @ np.array(matrix(q)).T + np.array(p), triangles


@functools.singledispatch
def surface(form: Form) -> Surface:
    """Surface of a form in its own axes."""
    raise NotImplementedError(f"No surface is known for a {type(form).__name__}.")


@surface.register
def _(form: Block) -> Surface:
    return prism(
        np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * (form.x / 2, form.y / 2), form.z
    )


@surface.register
def _(form: Cylinder) -> Surface:
    h = form.height / 2
    return lathe([(form.radius, -h), (form.radius, h)])


@surface.register
def _(form: Tube) -> Surface:
    points, triangles = hollow.tube(form.outer, form.inner, form.height / 2, TURN)
    return np.array(points), np.array(triangles)


@surface.register
def _(form: HalfPipe) -> Surface:
    points, triangles = hollow.trough(form.outer, form.inner, form.height / 2, TURN)
    return np.array(points), np.array(triangles)


@surface.register
def _(form: Frustum) -> Surface:
    h = form.height / 2
    return lathe([(form.bottom, -h), (form.top, h)])


@surface.register
def _(form: Ball) -> Surface:
    return lathe(_arc(form.radius, -math.pi / 2, math.pi / 2, TURN // 2))


@surface.register
def _(form: Ellipsoid) -> Surface:
    points, triangles = lathe(_arc(1.0, -math.pi / 2, math.pi / 2, TURN // 2))
    return points * np.array((form.x, form.y, form.z)) / 2, triangles


@surface.register
def _(form: Capsule) -> Surface:
    h = form.height / 2
    lower = [(r, z - h) for r, z in _arc(form.radius, -math.pi / 2, 0.0, TURN // 4)]
    upper = [(r, z + h) for r, z in _arc(form.radius, 0.0, math.pi / 2, TURN // 4)]
    return lathe(lower + (upper if h > 0 else upper[1:]))


@surface.register
def _(form: Flat) -> Surface:
    turns = [2 * math.pi * k / TURN for k in range(TURN)] if form.radius > 0 else [0.0]
    rim = [
        (x + form.radius * math.cos(a), z + form.radius * math.sin(a))
        for x, z in form.corners
        for a in turns
    ]
    points, triangles = prism(np.array(convex_hull(rim)), form.thickness)
    # drawn in x, y with the thickness along z: turned into x, z with the thickness along -y
    return points @ np.array([(1, 0, 0), (0, 0, 1), (0, -1, 0)], float), triangles


@surface.register
def _(form: Polyhedron) -> Surface:
    points, triangles = meshes.arrays(form.mesh)
    return np.array(points, float), np.array(triangles, int)


def prism(outline: np.ndarray, height: float) -> Surface:
    """A convex outline (n, 2), counter-clockwise, drawn out along z on both sides of the plane."""
    n = len(outline)
    points = np.concatenate(
        [np.column_stack([outline, np.full(n, z)]) for z in (-height / 2, height / 2)]
    )
    k = np.arange(n)
    after = (k + 1) % n
    sides = np.concatenate(
        [np.column_stack([k, after, after + n]), np.column_stack([k, after + n, k + n])]
    )
    fan = np.column_stack([np.zeros(n - 2, int), k[1:-1], k[2:]])
    return points, np.concatenate([sides, fan[:, ::-1], fan + n])


def lathe(profile: list[tuple[float, float]]) -> Surface:
    """A profile of (radius, z), from the bottom up, turned about z and closed at both ends."""
    rows: list[np.ndarray] = []
    starts: list[tuple[int, int]] = []  # first corner and corners of each ring
    count = 0
    angles = 2 * math.pi * np.arange(TURN) / TURN
    small = 1e-12 * max((r for r, _ in profile), default=1.0)
    for r, z in profile:
        ring = (
            np.array([(0.0, 0.0, z)])
            if r <= small
            else np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(TURN, z)])
        )
        rows.append(ring)
        starts.append((count, len(ring)))
        count += len(ring)
    k = np.arange(TURN)
    after = (k + 1) % TURN
    faces: list[np.ndarray] = []
    for (a, of_a), (b, of_b) in itertools.pairwise(starts):
        if of_a > 1 and of_b > 1:
            faces.append(np.column_stack([a + k, a + after, b + after]))
            faces.append(np.column_stack([a + k, b + after, b + k]))
        elif of_b > 1:
            faces.append(np.column_stack([np.full(TURN, a), b + after, b + k]))
        elif of_a > 1:
            faces.append(np.column_stack([a + k, a + after, np.full(TURN, b)]))
    fan = np.column_stack([np.zeros(TURN - 2, int), k[1:-1], k[2:]])
    if starts[0][1] > 1:
        faces.append(fan[:, ::-1] + starts[0][0])
    if starts[-1][1] > 1:
        faces.append(fan + starts[-1][0])
    return np.concatenate(rows), np.concatenate(faces)


def _arc(radius: float, begin: float, end: float, steps: int) -> list[tuple[float, float]]:
    """Profile of a circle about the origin between two latitudes."""
    out: list[tuple[float, float]] = []
    for k in range(steps + 1):
        a = begin + (end - begin) * k / steps
        r = 0.0 if abs(abs(a) - math.pi / 2) < 1e-12 else radius * math.cos(a)
        out.append((r, radius * math.sin(a)))
    return out
