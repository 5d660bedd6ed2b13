"""Parts: triangles with normals, a closed outline skin and feature edges, in the axes of the body
that they belong to [m].

A part carries two meshes.  The *solid* is shaded: corners are doubled where faces meet sharply.
The *skin* is closed, with one normal per corner: pushed outward by some pixels it becomes the
outline, as it is it casts the shadow.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

PAINT, STEEL, CAST = 0.0, 1.0, 2.0  # materials: the body's own colour, turned steel, cast iron


class Mesh(NamedTuple):
    """points, normals: (v, 3) [m, unit].  triangles: (t, 3) indices, counter-clockwise seen from
    outside.
    """

    points: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray


class Part(NamedTuple):
    """solid, skin: meshes.  edges: polylines (k, 3) of real corners; a closed one ends where it
    begins.
    """

    solid: Mesh
    skin: Mesh
    edges: tuple[np.ndarray, ...] = ()


EMPTY = Mesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), int))


def unit(v: np.ndarray) -> np.ndarray:
    """Vectors (…, n) scaled to length one; a vector of length zero stays."""
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)


def merge(meshes: Iterable[Mesh]) -> Mesh:
    """All meshes as one."""
    meshes = list(meshes)
    if not meshes:
        return EMPTY
    starts = np.cumsum([0] + [len(m.points) for m in meshes[:-1]])
    return Mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.triangles + s for m, s in zip(meshes, starts)]),
    )


def join(parts: Iterable[Part]) -> Part:
    """All parts as one."""
    parts = list(parts)
    return Part(
        merge(p.solid for p in parts),
        merge(p.skin for p in parts),
        tuple(e for p in parts for e in p.edges),
    )


def placed(part: Part, rotation: np.ndarray, offset: np.ndarray) -> Part:
    """The part turned by a rotation matrix, then moved."""
    R, t = np.asarray(rotation, float).T, np.asarray(offset, float)
    move = lambda m: Mesh(m.points @ R + t, m.normals @ R, m.triangles)
    return Part(move(part.solid), move(part.skin), tuple(e @ R + t for e in part.edges))


def strip(a: np.ndarray, b: np.ndarray, normal_a: np.ndarray, normal_b: np.ndarray) -> Mesh:
    """Quads between two rows of points (k, 3); seen from outside, a runs to the right below b."""
    k = len(a)
    i = np.arange(k - 1)
    triangles = np.concatenate(
        [np.column_stack([i, i + 1, i + k + 1]), np.column_stack([i, i + k + 1, i + k])]
    )
    return Mesh(np.concatenate([a, b]), np.concatenate([normal_a, normal_b]), triangles)


def without_slivers(mesh: Mesh, size: float) -> Mesh:
    """Without triangles that have no area, as at the tips of cones: below 1e-9 of size squared."""
    p = mesh.points[mesh.triangles]
    area = np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
    return mesh._replace(triangles=mesh.triangles[area > 1e-9 * size * size])


def closed(row: np.ndarray) -> np.ndarray:
    """The polyline with its first point repeated at the end."""
    return np.concatenate([row, row[:1]])


def lathe(profile: np.ndarray, segments: int, sharp: float = 0.8, half: bool = False) -> Part:
    """Turn (radius, z) points about z, from the bottom of the axis to its top.  half: only where
    x > 0.

    Corners whose two normals have a cosine below `sharp` are edges; the others are shaded smooth.
    """
    profile = np.asarray(profile, float)
    angle = (
        np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1)
        if half
        else np.linspace(0.0, 2 * np.pi, segments + 1)
    )
    c, s = np.cos(angle), np.sin(angle)
    ring = lambda r, z: np.column_stack([r * c, r * s, np.full(len(angle), z)])
    step = np.diff(profile, axis=0)
    flat = unit(np.column_stack([step[:, 1], -step[:, 0]]))
    last = len(flat) - 1
    bend = unit(np.concatenate([flat[:1], flat[:-1] + flat[1:], flat[-1:]]))
    corner = np.concatenate([[False], (flat[:-1] * flat[1:]).sum(1) < sharp, [False]])
    slope = lambda k, j: ring(*(flat[k] if corner[j] else bend[j]))
    solid = [
        strip(ring(*profile[k]), ring(*profile[k + 1]), slope(k, k), slope(k, k + 1))
        for k in range(last + 1)
    ]
    skin = [
        strip(ring(*profile[k]), ring(*profile[k + 1]), ring(*bend[k]), ring(*bend[k + 1]))
        for k in range(last + 1)
    ]
    edges = tuple(ring(*profile[k]) for k in range(1, last + 1) if corner[k] and profile[k, 0] > 0)
    size = float(np.abs(profile).max())
    return Part(without_slivers(merge(solid), size), without_slivers(merge(skin), size), edges)


def cylinder(radius: float, height: float, chamfer: float, segments: int) -> Part:
    """A cylinder about z, centred on the origin, with chamfered rims."""
    h, c = height / 2, min(chamfer, 0.3 * radius, 0.3 * height)
    return lathe(
        np.array(
            [(0, -h), (radius - c, -h), (radius, -h + c), (radius, h - c), (radius - c, h), (0, h)]
        ),
        segments,
    )


def prism(radius: float, low: float, high: float, sides: int) -> Mesh:
    """An upright prism about z with a round look, of as few points as it goes."""
    a = np.arange(sides) * 2 * np.pi / sides
    ring, up = np.column_stack([np.cos(a), np.sin(a), 0 * a]), np.tile([0.0, 0.0, 1.0], (sides, 1))
    i, fan = (
        np.arange(sides),
        np.column_stack([np.zeros(sides - 2, int), np.arange(1, sides - 1), np.arange(2, sides)]),
    )
    j = (i + 1) % sides
    points = np.concatenate([radius * ring + (0, 0, z) for z in (low, high, low, high)])
    triangles = [
        np.column_stack([i, j, j + sides]),
        np.column_stack([i, j + sides, i + sides]),
        fan[:, ::-1] + 2 * sides,
        fan + 3 * sides,
    ]
    return Mesh(points, np.concatenate([ring, ring, -up, up]), np.concatenate(triangles))


def sphere(radius: float, segments: int) -> Part:
    """A ball about the origin."""
    a = np.linspace(-np.pi / 2, np.pi / 2, max(6, segments // 2) + 1)
    return lathe(radius * np.column_stack([np.cos(a).clip(0), np.sin(a)]), segments, sharp=-1.0)


def ellipsoid(half: tuple[float, float, float], segments: int) -> Part:
    """A ball of radius one stretched along the axes: points by the half axes, normals by their
    reciprocals.
    """
    ball, a = sphere(1.0, segments), np.asarray(half, float)
    stretch = lambda m: Mesh(m.points * a, unit(m.normals / a), m.triangles)
    return Part(stretch(ball.solid), stretch(ball.skin), tuple(e * a for e in ball.edges))


def capsule(radius: float, height: float, segments: int) -> Part:
    """A cylinder about z with round caps, centred on the origin.  height: between the centres of
    the caps.
    """
    a = np.linspace(-np.pi / 2, 0.0, max(6, segments // 2) // 2 + 1)
    cap = radius * np.column_stack([np.cos(a).clip(0), np.sin(a)]) - (0.0, height / 2)
    cap[0, 0] = 0.0
    upper = cap[::-1] * (1.0, -1.0)
    return lathe(np.concatenate([cap, upper if height > 0 else upper[1:]]), segments, sharp=-1.0)


def hollow(outer: float, inner: float, height: float, chamfer: float, segments: int) -> Part:
    """A tube about z, centred on the origin, with chamfered rims."""
    return lathe(wall(outer, inner, height, chamfer), segments)


def wall(outer: float, inner: float, height: float, chamfer: float) -> np.ndarray:
    """Profile (radius, z) of a tube: closed, from the bore's lower end around."""
    h = height / 2
    c = min(chamfer, 0.2 * (outer - inner), 0.2 * height)
    profile = [(inner, -h + c), (inner + c, -h), (outer - c, -h), (outer, -h + c)]
    profile += [(outer, h - c), (outer - c, h), (inner + c, h), (inner, h - c), (inner, -h + c)]
    return np.array(profile)


def half_hollow(outer: float, inner: float, height: float, chamfer: float, segments: int) -> Part:
    """The half of a tube where x > 0, with flat lips."""
    profile = wall(outer, inner, height, chamfer)
    turned = lathe(profile, segments, half=True)
    k = len(profile) - 1
    r, z = profile[:k].T
    solid = [turned.solid]
    for sign in (-1.0, 1.0):
        ring = np.column_stack([np.zeros(k), sign * r, z])
        middle = np.array([[0.0, sign * 0.5 * (outer + inner), 0.0]])
        i = np.arange(k)
        fan = np.column_stack([np.full(k, k), i, (i + 1) % k])
        if sign > 0:
            fan = fan[:, ::-1]
        normals = np.tile([-1.0, 0.0, 0.0], (k + 1, 1))
        solid.append(Mesh(np.concatenate([ring, middle]), normals, fan))
    lips = tuple(closed(np.column_stack([np.zeros(k), sign * r, z])) for sign in (-1.0, 1.0))
    return Part(merge(solid), merge([turned.skin, *solid[1:]]), (*turned.edges, *lips))


def cone(bottom: float, top: float, height: float, chamfer: float, segments: int) -> Part:
    """A cone or its frustum about z, centred on the origin, with chamfered rims; pointed where the
    top radius is zero.
    """
    h, slant = height / 2, np.hypot(bottom - top, height)
    along = np.array([(top - bottom) / slant, height / slant])
    low, high = (min(chamfer, 0.3 * r, 0.3 * slant) for r in (bottom, top))
    profile = [(0, -h), (bottom - low, -h), np.array([bottom, -h]) + low * along]
    profile += [np.array([top, h]) - high * along, (top - high, h), (0, h)] if top > 0 else [(0, h)]
    return lathe(np.array(profile), segments)


def box(lengths: tuple[float, float, float], chamfer: float) -> Part:
    """A box centred on the origin with chamfered edges; lengths along x, y, z."""
    half = np.asarray(lengths, float) / 2
    c = min(chamfer, 0.25 * float(half.min()) * 2)
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    solid, edges = [], []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1.0, 1.0):
            corner = np.zeros((4, 3))
            corner[:, axis] = sign * half[axis]
            corner[:, u], corner[:, v] = (
                np.array([-1, 1, 1, -1]) * (half[u] - c),
                sign * np.array([-1, -1, 1, 1]) * (half[v] - c),
            )
            normal = np.zeros((4, 3))
            normal[:, axis] = sign
            solid.append(Mesh(corner, normal, np.array([(0, 1, 2), (0, 2, 3)])))
            edges.append(closed(corner))
    for axis in range(3):  # the twelve chamfers, four along each axis
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for a in (-1.0, 1.0):
            for b in (-1.0, 1.0):
                p = np.zeros((4, 3))
                p[:, axis] = np.array([-1, 1, 1, -1]) * (half[axis] - c)
                p[:, u], p[:, v] = (
                    a * (half[u] - c * np.array([0, 0, 1, 1])),
                    b * (half[v] - c * np.array([1, 1, 0, 0])),
                )
                n = np.zeros((4, 3))
                n[:, u], n[:, v] = a * np.sqrt(0.5), b * np.sqrt(0.5)
                order = (3, 2, 1, 0) if a * b > 0 else (0, 1, 2, 3)
                solid.append(
                    Mesh(
                        p,
                        n,
                        np.array([(order[0], order[1], order[2]), (order[0], order[2], order[3])]),
                    )
                )
    for s in signs:  # the eight small corners
        p = np.array([s * (half - c * (1 - np.eye(3)[k])) for k in range(3)])
        tri = (0, 1, 2) if s.prod() > 0 else (2, 1, 0)
        solid.append(Mesh(p, np.tile(unit(s), (3, 1)), np.array([tri])))
    whole = without_slivers(merge(solid), float(half.max()))
    return Part(whole, welded(whole), tuple(edges))


def welded(mesh: Mesh) -> Mesh:
    """The mesh with corners that stand at one place made one: a closed skin, with the mean of their
    normals.
    """
    size = float(np.abs(mesh.points).max()) or 1.0
    _, first, at = np.unique(
        (mesh.points / size).round(9), axis=0, return_index=True, return_inverse=True
    )
    normals = np.zeros((len(first), 3))
    np.add.at(normals, at.reshape(-1), mesh.normals)
    return Mesh(mesh.points[first], unit(normals), at.reshape(-1)[mesh.triangles])


def tube(path: np.ndarray, radius: float, sides: int, reference: np.ndarray) -> Mesh:
    """A round tube of open ends along a path (k, 3); reference (k, 3): vectors across it that turn
    smoothly along it.
    """
    tangent = unit(np.gradient(path, axis=0))
    e1 = unit(reference - (reference * tangent).sum(1, keepdims=True) * tangent)
    e2 = np.cross(tangent, e1)
    a = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    n = e1[:, None] * np.cos(a)[:, None] + e2[:, None] * np.sin(a)[:, None]
    points = path[:, None] + radius * n
    i, j = np.meshgrid(np.arange(len(path) - 1), np.arange(sides), indexing="ij")
    at = lambda di, dj: ((i + di) * sides + (j + dj) % sides).ravel()
    triangles = np.concatenate(
        [
            np.column_stack([at(0, 0), at(0, 1), at(1, 1)]),
            np.column_stack([at(0, 0), at(1, 1), at(1, 0)]),
        ]
    )
    return Mesh(points.reshape(-1, 3), n.reshape(-1, 3), triangles)
