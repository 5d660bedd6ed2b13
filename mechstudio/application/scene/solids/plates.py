"""Round-ended plates with pin holes: links, and hulls of discs about corner points."""

import itertools
from collections import Counter

import numpy as np

from mechstudio.application.scene.solids.solids import Mesh, Part, closed, merge, strip, unit


def plate(
    corners: np.ndarray, radius: float, thickness: float, hole: float, chamfer: float, steps: float
) -> Part:
    """The convex hull of discs about corners (n, 2), counter-clockwise and convex, in the plane xy
    and centred in z.

    hole: radius of the hole at each corner, 0 for none.  chamfer: of both rims.  steps: segments
    per half turn of an arc.
    A radius of zero leaves the corners sharp.
    """
    corners = np.asarray(corners, float)
    steps = steps if radius > 0 else 0.0
    u, owner = _contour(corners, steps)
    h, c = thickness / 2, min(chamfer, 0.3 * radius, 0.3 * thickness)
    outer, inner = corners[owner] + radius * u, corners[owner] + (radius - c) * u
    at = lambda flat, z: np.column_stack([flat, np.full(len(flat), z)])
    n3 = at(u, 0.0)
    up = np.tile([0.0, 0.0, 1.0], (len(u), 1))
    ring = lambda rows: np.concatenate([rows, rows[:1]])
    side = strip(ring(at(outer, -h + c)), ring(at(outer, h - c)), ring(n3), ring(n3))
    rims = []
    for sign in (1.0, -1.0):
        tilt = ring(unit(n3 + sign * up))
        low, high = ring(at(outer, sign * (h - c))), ring(at(inner, sign * h))
        rims.append(strip(low, high, tilt, tilt) if sign > 0 else strip(high, low, tilt, tilt))
    flat, triangles, holes = _cap(corners, inner, owner, hole, steps)
    caps = [
        Mesh(at(flat, h), np.tile([0.0, 0.0, 1.0], (len(flat), 1)), triangles),
        Mesh(at(flat, -h), np.tile([0.0, 0.0, -1.0], (len(flat), 1)), triangles[:, ::-1]),
    ]
    walls = [
        strip(ring(at(p, h)), ring(at(p, -h)), ring(at(n, 0.0)), ring(at(n, 0.0))) for p, n in holes
    ]
    edges = [closed(at(outer, s * (h - c))) for s in (1.0, -1.0)] + [
        closed(at(p, s * h)) for p, _ in holes for s in (1.0, -1.0)
    ]
    if radius == 0:
        edges += [np.array([(x, y, -h), (x, y, h)]) for x, y in corners]
    return Part(
        merge([side, *(rims if c else ()), *caps, *walls]),
        _skin(outer, inner, u, h, c, steps > 5),
        tuple(edges),
    )


def without_seams(parts: list[Part]) -> list[Part]:
    """Sharp plates that together are one solid, without the edges and the walls of the outline
    where they lie side by side.
    """
    key = lambda a, b: tuple(sorted((tuple(np.round(a, 9) + 0.0), tuple(np.round(b, 9) + 0.0))))
    sides = lambda part: [
        key(a, b) for e in part.edges if len(e) > 2 for a, b in itertools.pairwise(e)
    ]
    count = Counter(s for part in parts for s in set(sides(part)))
    uprights = {key(*e) for part in parts for e in part.edges if len(e) == 2}
    out, seen = [], set()
    for part in parts:
        corners = part.skin.points
        walls = [
            {key(corners[a], corners[b]) for a, b in zip(t, np.roll(t, -1))}
            for t in part.skin.triangles
        ]
        kept = [not (wall & uprights and any(count[k] > 1 for k in wall)) for wall in walls]
        skin = Mesh(part.skin.points, part.skin.normals, part.skin.triangles[kept])
        edges = []
        for e in part.edges:
            upright = len(e) == 2
            for a, b in itertools.pairwise(e):
                k = key(a, b)
                if k[0] != k[1] and (k not in seen if upright else count[k] == 1):
                    edges.append(np.array([a, b]))
                    seen.add(k)
        out.append(Part(part.solid, skin, tuple(edges)))
    return out


def _contour(corners: np.ndarray, steps: float) -> tuple[np.ndarray, np.ndarray]:
    """Outward normals (k, 2) along the rim, counter-clockwise, and the corner that each stands
    about.
    """
    count = len(corners)
    if count == 1:
        a = np.linspace(0.0, 2 * np.pi, max(8, round(2 * steps)), endpoint=False)
        return np.column_stack([np.cos(a), np.sin(a)]), np.zeros(len(a), int)
    along = np.roll(corners, -1, axis=0) - corners
    heading = np.arctan2(
        -along[:, 0], along[:, 1]
    )  # of the normal of the edge that leaves each corner
    angles, owner = [], []
    for k in range(count):
        turn = (heading[k] - heading[k - 1]) % (2 * np.pi)
        arc = heading[k - 1] + np.linspace(0.0, turn, max(1, round(steps * turn / np.pi)) + 1)
        angles.append(arc)
        owner.append(np.full(len(arc), k))
    a = np.concatenate(angles)
    return np.column_stack([np.cos(a), np.sin(a)]), np.concatenate(owner)


def _skin(
    outer: np.ndarray, inner: np.ndarray, normal: np.ndarray, h: float, c: float, chamfered: bool
) -> Mesh:
    """The closed hull of the plate: rows of rim points with fans over both faces.

    chamfered: with the chamfers, which the outline must not stand beside; else two rows halfway
    down them.
    """
    k = len(outer)
    rows = [(inner, -h, -1.0), (outer, -h + c, -0.4), (outer, h - c, 0.4), (inner, h, 1.0)]
    if not chamfered:
        rows = [((outer + inner) / 2, s * (h - c / 2), s) for s in (-1.0, 1.0)]
    i = np.arange(k)
    j = (i + 1) % k
    fan = np.column_stack([np.zeros(k - 2, int), np.arange(1, k - 1), np.arange(2, k)])
    points = np.concatenate([np.column_stack([p, np.full(k, z)]) for p, z, _ in rows])
    normals = unit(
        np.concatenate([np.column_stack([normal, np.full(k, slope)]) for _, _, slope in rows])
    )
    bands = [
        t + k * n
        for n in range(len(rows) - 1)
        for t in (np.column_stack([i, j, j + k]), np.column_stack([i, j + k, i + k]))
    ]
    return Mesh(points, normals, np.concatenate([*bands, fan[:, ::-1], fan + k * (len(rows) - 1)]))


def _cap(corners: np.ndarray, inner: np.ndarray, owner: np.ndarray, hole: float, steps: float):
    """The face between rim and holes: points (p, 2), triangles, and per hole its points and normals
    (towards its axis).

    Each corner owns a cell: its arc, the straight rim that follows, and a share of the middle.
    Between hole and cell triangles are zipped by angle; neighbouring cells share their corners, so
    that no light falls through.  A border between cells has one more corner, where it comes nearest
    to a hole: else a triangle could reach across that hole.
    """
    k, count = len(inner), len(corners)
    plain: tuple[np.ndarray, np.ndarray, list] = (
        inner,
        np.column_stack([np.zeros(k - 2, int), np.arange(1, k - 1), np.arange(2, k)]),
        [],
    )
    if not hole:
        return plain
    points = inner
    if count > 1:
        middle = corners.mean(axis=0)
        starts = inner[[np.flatnonzero(owner == c)[0] for c in range(count)]]
        along = middle - starts
        share = np.clip(((corners - starts) * along).sum(1) / (along * along).sum(1), 0.0, 1.0)
        points = np.concatenate(
            [inner, middle[None], starts + share[:, None] * along]
        )  # rim, middle, one per border
    start, rows, triangles, holes = len(points), [points], [], []
    for c, pin in enumerate(corners):
        own = np.flatnonzero(owner == c)
        cell = (
            own
            if count == 1
            else np.concatenate([own, [(own[-1] + 1) % k, k + 1 + (c + 1) % count, k, k + 1 + c]])
        )
        rim = points[cell] - pin
        first = np.arctan2(rim[0, 1], rim[0, 0])
        angle = (np.arctan2(rim[:, 1], rim[:, 0]) - first) % (2 * np.pi)
        if _clearance(rim) < 1.1 * hole or np.any(np.diff(angle) < -1e-9):
            return plain
        m = max(8, round(2 * steps))
        turn = 2 * np.pi * np.arange(m) / m
        circle = np.column_stack([np.cos(first + turn), np.sin(first + turn)])
        holes.append((pin + hole * circle, -circle))
        rows.append(holes[-1][0])
        reach = np.arccos(np.clip(hole / np.maximum(np.linalg.norm(rim, axis=1), 1e-12), 0.0, 1.0))
        triangles.append(_zip(cell, angle, reach, start + np.arange(m), turn))
        start += m
    return np.concatenate(rows), np.concatenate(triangles), holes


def _clearance(polygon: np.ndarray) -> float:
    """Distance from the origin to the nearest side of a closed polygon (n, 2)."""
    a, d = polygon, np.roll(polygon, -1, axis=0) - polygon
    t = np.clip(-(a * d).sum(1) / np.maximum((d * d).sum(1), 1e-300), 0.0, 1.0)
    return float(np.linalg.norm(a + t[:, None] * d, axis=1).min())


def _zip(
    outside: np.ndarray,
    outer_angle: np.ndarray,
    reach: np.ndarray,
    inside: np.ndarray,
    inner_angle: np.ndarray,
) -> np.ndarray:
    """Triangles between two closed rows of indices about one centre, both sorted by angles that
    begin at 0.

    reach: up to how far beyond its own angle each outer point still sees the inner row.
    """
    outer_gap, inner_end = (
        np.diff(np.append(outer_angle, 2 * np.pi)),
        np.append(inner_angle[1:], 2 * np.pi),
    )
    # steps are taken by their angles: an outer one where the two points that it joins see equally
    # badly, an inner one at its middle
    outer_turn = outer_angle + outer_gap * reach / np.maximum(reach + np.roll(reach, -1), 1e-12)
    inner_turn = (inner_angle + inner_end) / 2 + 1e-9
    reached_inside = inside[np.searchsorted(inner_turn, outer_turn, "left") % len(inside)]
    reached_outside = outside[np.searchsorted(outer_turn, inner_turn, "right") % len(outside)]
    return np.concatenate(
        [
            np.column_stack([outside, np.roll(outside, -1), reached_inside]),
            np.column_stack([np.roll(inside, -1), inside, reached_outside]),
        ]
    )
