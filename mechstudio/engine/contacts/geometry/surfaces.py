"""Convex hulls and meshes in flat arrays: vertices, faces with their loops, triangles with their
neighbours, and a tree of boxes.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.contacts.geometry.shapes import ContactShape

# codes of a triangle's edges: nothing beyond, beyond it turns away (something can rest on the
# edge), flat or turns towards (nothing can)
OPEN, RIDGE, INNER = range(3)
# columns of surroundings: bits of a triangle, number of the flat part
MASK, GROUP_OF = 16, 17
# bits of the corners and edges that two meshes look for at this triangle, and of the corners where
# an edge of any triangle ends that something can rest on
OWN_CORNER, OWN_EDGE, HELD_CORNER = 1, 8, 64
_LEAF = 4
CONVEX = 1e-7  # of volume and size: largest deficit against its hull of a convex mesh


class Surfaces:
    """Collects the arrays of all hulls and meshes."""

    def __init__(self) -> None:
        self.vertices: list[np.ndarray] = [np.zeros((0, 3))]
        self.faces: list[np.ndarray] = [np.zeros((0, 4))]
        self.loops: list[int] = []
        self.face_first: list[int] = [0]
        self.triangles: list[np.ndarray] = [np.zeros((0, 3), np.int64)]
        self.surroundings: list[np.ndarray] = [np.zeros((0, 18))]
        self.nodes: list[np.ndarray] = [np.zeros((0, 6))]
        self.tree: list[np.ndarray] = [np.zeros((0, 3), np.int64)]

    def arrays(self) -> tuple[np.ndarray, ...]:
        join = lambda parts: np.ascontiguousarray(np.concatenate(parts))
        return (
            join(self.vertices),
            join(self.faces),
            np.array(self.face_first, np.int64),
            np.array(self.loops, np.int64),
            join(self.triangles),
            join(self.surroundings),
            join(self.nodes),
            join(self.tree),
        )

    def add(
        self, shape: "ContactShape", called: str, convex: bool
    ) -> tuple[np.ndarray, float, np.ndarray]:
        """(shift of the origin [m], bound about it, the columns of `ints` from VERTEX0 on) of a
        hull or mesh.  Raises ContactShapeError.
        """
        from mechstudio.engine.contacts.geometry.shapes import (
            CLOSED,
            FACE0,
            FACES,
            GROUND,
            MESH,
            NODE0,
            NODES,
            OUTER,
            SHAPE_INTS,
            TRIANGLE0,
            TRIANGLES,
            VERTEX0,
            VERTICES,
            ContactShapeError,
        )

        points = np.asarray(
            shape.points if shape.points is not None else np.zeros((0, 3)), float
        ).reshape(-1, 3)
        if len(points) < (4 if convex else 3) or not np.all(np.isfinite(points)):
            raise ContactShapeError(
                tr(
                    "{called} has too few points, or points that are no numbers: give at least "
                    "four that enclose something.",
                    called=called,
                )
            )
        row = np.zeros(SHAPE_INTS, np.int64)
        row[VERTEX0], row[FACE0] = sum(map(len, self.vertices)), len(self.face_first) - 1
        row[TRIANGLE0], row[NODE0] = sum(map(len, self.triangles)), sum(map(len, self.nodes))
        if convex:
            corners, planes, loops = polytope(points, called)
            shift = 0.5 * (corners.min(0) + corners.max(0))
            planes[:, 3] -= planes[:, :3] @ shift
            if planes[:, 3].min() <= 0.0:
                middle = corners.mean(0)
                planes[:, 3] -= planes[:, :3] @ (middle - shift)
                shift = middle
            self.faces.append(planes)
            for loop in loops:
                self.loops += [int(k) for k in loop]
                self.face_first.append(len(self.loops))
            row[FACES], row[OUTER] = len(loops), len(corners)
        else:
            corners, triangles = welded(
                points, np.asarray(shape.triangles, np.int64).reshape(-1, 3)
            )
            if not len(triangles):
                raise ContactShapeError(
                    tr("{called} has no triangles of any area: give a surface.", called=called)
                )
            shift = np.zeros(3)
            if shape.body != GROUND:
                if shape.kind == MESH:
                    shift = 0.5 * (corners.min(0) + corners.max(0))
                corners, triangles, row[OUTER] = outermost_first(corners, triangles)
            nodes, tree, order = box_tree(corners[triangles] - shift)
            triangles = triangles[order]
            self.triangles.append(triangles + row[VERTEX0])
            beside = triangle_surroundings(corners - shift, triangles)
            self.surroundings.append(beside)
            row[CLOSED] = is_closed(corners, triangles, beside)
            self.faces.append(np.zeros((len(corners), 4)))
            for loop in joined_corners(len(corners), triangles):
                self.loops += loop
                self.face_first.append(len(self.loops))
            self.nodes.append(nodes)
            self.tree.append(tree)
            row[TRIANGLES], row[NODES] = len(triangles), len(nodes)
        corners = corners - shift
        self.vertices.append(corners)
        row[VERTICES] = len(corners)
        return shift, float(np.linalg.norm(corners, axis=1).max()), row[VERTEX0:]


def polytope(
    points: np.ndarray, called: str = ""
) -> tuple[np.ndarray, np.ndarray, list[list[int]]]:
    """(corners (v, 3), planes (f, 4): outward n and d of n.x = d, loops of corner numbers
    counter-clockwise seen from outside) of the convex hull.

    Triangles of one plane are one face.  Raises ContactShapeError if the points enclose nothing.
    """
    from scipy.spatial import ConvexHull, QhullError

    from mechstudio.engine.contacts.geometry.shapes import ContactShapeError

    try:
        hull: Any = ConvexHull(points)
    except QhullError:
        raise ContactShapeError(
            f"{called} is flat or smaller than rounding: its points enclose nothing. Use a "
            "box for a thin plate."
        ) from None
    scale = float(np.ptp(points, axis=0).max())
    groups: list[tuple[np.ndarray, set[int]]] = []
    for equation, simplex in zip(hull.equations, hull.simplices):
        for known, members in groups:
            if (
                known[:3] @ equation[:3] > 1.0 - 1e-12
                and np.abs(points[simplex] @ known[:3] + known[3]).max() < 1e-9 * scale
            ):
                members.update(map(int, simplex))
                break
        else:
            groups.append((equation, set(map(int, simplex))))
    planes, loops = np.empty((len(groups), 4)), []
    for f, (equation, members) in enumerate(groups):
        n = equation[:3] / np.linalg.norm(equation[:3])
        ring = np.array(sorted(members))
        offsets = points[ring] - points[ring].mean(0)
        u = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
        u /= np.linalg.norm(u)
        loop = ring[np.argsort(np.arctan2(offsets @ np.cross(n, u), offsets @ u))]
        planes[f, :3], planes[f, 3] = n, (points[loop] @ n).max()
        loops.append(_without_straight_corners(points, loop, n, scale))
    used = sorted({int(k) for loop in loops for k in loop})
    number = {k: i for i, k in enumerate(used)}
    return points[used], planes, [[number[int(k)] for k in loop] for loop in loops]


def _without_straight_corners(
    points: np.ndarray, loop: np.ndarray, normal: np.ndarray, scale: float
) -> np.ndarray:
    before, after = points[np.roll(loop, 1)], points[np.roll(loop, -1)]
    turn = np.cross(points[loop] - before, after - points[loop]) @ normal
    kept = loop[turn > 1e-12 * scale * scale]
    return kept if len(kept) >= 3 else loop


def welded(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same surface with one corner per place and no triangle without area."""
    scale = float(np.ptp(points, axis=0).max()) or 1.0
    _, first, inverse = np.unique(
        np.round(points / (1e-9 * scale)), axis=0, return_index=True, return_inverse=True
    )
    corners, triangles = points[first], inverse.reshape(-1)[triangles]
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return corners, triangles[
        np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-14 * scale * scale
    ]


def triangle_surroundings(corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(t, 18): plane (outward n, d of n.x = d), of the edges from corner k to the next the normal
    of the triangle beyond it, and OPEN, RIDGE or INNER; the bits above, number of the flat part it
    belongs to.
    """
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    planes = np.column_stack([normals, np.einsum("ij,ij->i", normals, a)])
    beyond = {}
    for t, triangle in enumerate(triangles):
        for k in range(3):
            beyond.setdefault((int(triangle[k]), int(triangle[(k + 1) % 3])), (t, k))
    edges = np.zeros((len(triangles), 3, 4))
    own, part = np.zeros(len(triangles), np.int64), np.arange(len(triangles))
    # the smaller of two triangles handles their common features: it is near fewer shapes
    size = np.linalg.norm(np.ptp(corners[triangles], axis=1), axis=1)
    rank = np.empty(len(triangles), np.int64)
    rank[np.argsort(size, kind="stable")] = np.arange(len(triangles))

    def first_of(t: int) -> int:
        while part[t] != t:
            part[t] = part[part[t]]
            t = part[t]
        return t

    for (start, end), (t, k) in beyond.items():
        other = beyond.get((end, start))
        if other is None:
            own[t] |= OWN_EDGE << k
            continue
        apex = corners[triangles[other[0], (other[1] + 2) % 3]]
        edges[t, k, :3] = normals[other[0]]
        # above the plane, or below it by less than an angle of 1e-4: nothing can rest on such an
        # edge alone
        reach = np.linalg.norm(apex - corners[start])
        height = planes[t, :3] @ apex - planes[t, 3]
        edges[t, k, 3] = RIDGE if height < -1e-4 * reach else INNER
        if height < -1e-4 * reach and rank[t] < rank[other[0]]:
            own[t] |= OWN_EDGE << k
        if abs(height) < 1e-6 * reach:
            part[first_of(t)] = first_of(other[0])
    seen: set[int] = set()
    for t in np.argsort(rank):
        triangle = triangles[t]
        for k in range(3):
            if edges[t, k, 3] != INNER:
                for at in (k, (k + 1) % 3):
                    if int(triangle[at]) not in seen:
                        seen.add(int(triangle[at]))
                        own[t] |= OWN_CORNER << at
    for t, triangle in enumerate(triangles):
        for k in range(3):
            if int(triangle[k]) in seen:
                own[t] |= HELD_CORNER << k
    parts = np.array([first_of(t) for t in range(len(triangles))])
    return np.column_stack([planes, edges.reshape(-1, 12), own, parts])


def joined_corners(count: int, triangles: np.ndarray) -> list[list[int]]:
    """The corners joined to each corner by an edge."""
    joined: list[set[int]] = [set() for _ in range(count)]
    for a, b, c in triangles.tolist():
        joined[a] |= {b, c}
        joined[b] |= {a, c}
        joined[c] |= {a, b}
    return [sorted(s) for s in joined]


def is_closed(corners: np.ndarray, triangles: np.ndarray, surroundings: np.ndarray) -> bool:
    """True if a triangle lies beyond every edge and the surface encloses a volume from outside."""
    codes = surroundings[:, [7, 11, 15]]
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return bool((codes != OPEN).all()) and float(np.einsum("ij,ij->", np.cross(a, b), c)) > 0.0


def hollow(shape: "ContactShape") -> bool:
    """True if a mesh is closed and differs from its convex hull."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.asarray(shape.points, float).reshape(-1, 3)
    given = np.asarray(shape.triangles, np.int64).reshape(-1, 3)
    if len(points) < 4 or not np.all(np.isfinite(points)) or not len(given):
        return False
    corners, triangles = welded(points, given)
    edges = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    codes = edges[:, 0] * len(corners) + edges[:, 1]
    if (
        len(np.unique(codes)) != len(codes)
        or not np.isin(edges[:, 1] * len(corners) + edges[:, 0], codes).all()
    ):
        return False
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    volume = float(np.einsum("ij,ij->", np.cross(a, b), c)) / 6.0
    try:
        hull: Any = ConvexHull(corners)
    except QhullError:
        return False
    if volume <= 0.0 or volume < (1.0 - CONVEX) * hull.volume:
        return volume > 0.0
    size, inner = float(np.ptp(corners, axis=0).max()), np.delete(corners, hull.vertices, axis=0)
    return any(
        float((block @ hull.equations[:, :3].T + hull.equations[:, 3]).max(1).min())
        < -CONVEX * size
        for block in np.array_split(inner, len(inner) // 64 + 1)
        if len(block)
    )


def outermost_first(
    corners: np.ndarray, triangles: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """The same mesh with the corners of its convex hull before all others, and their number."""
    from scipy.spatial import ConvexHull

    hull: Any = ConvexHull(corners)
    outer = np.sort(hull.vertices)
    order = np.concatenate([outer, np.setdiff1d(np.arange(len(corners)), outer)])
    number = np.empty(len(corners), np.int64)
    number[order] = np.arange(len(corners))
    return corners[order], number[triangles], len(outer)


def box_tree(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(boxes (n, 6) low and high, (n, 3): node after the subtree, first triangle, count (0: inner),
    order of triangles) of triangles (t, 3, 3).

    Nodes stand in the order of a walk, so that the search needs no stack: next node on a hit, the
    one after the subtree else.
    """
    low, high = corners.min(1), corners.max(1)
    middle = 0.5 * (low + high)
    boxes: list[np.ndarray] = []
    links: list[list[int]] = []
    order: list[int] = []

    def grow(members: np.ndarray) -> None:
        node = len(boxes)
        boxes.append(np.concatenate([low[members].min(0), high[members].max(0)]))
        links.append([0, 0, 0])
        if len(members) <= _LEAF:
            links[node][1:] = len(order), len(members)
            order.extend(int(m) for m in members)
        else:
            axis = int(np.argmax(np.ptp(middle[members], axis=0)))
            ranked = members[np.argsort(middle[members, axis], kind="stable")]
            grow(ranked[: len(ranked) // 2])
            grow(ranked[len(ranked) // 2 :])
        links[node][0] = len(boxes)

    grow(np.arange(len(corners)))
    return np.array(boxes), np.array(links, np.int64), np.array(order, np.int64)
