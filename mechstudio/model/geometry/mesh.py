"""Closed surfaces of triangles: their volume, and the reasons why some enclose nothing that could
be a body.

The only module of this floor that uses numpy: the integrals over 200 000 triangles take some
milliseconds with it and seconds without.  Results are cached per mesh, so that each is read once.
"""

import functools
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from mechstudio.model.geometry.rotation import triple
from mechstudio.model.geometry.sides import SIDES
from mechstudio.model.units import format_number
from mechstudio.translation import series, tr, trn

if TYPE_CHECKING:
    from mechstudio.model.geometry.triangles import Mesh

MOST_TRIANGLES = 500_000
SMALLEST, LARGEST = (
    1e-6,
    1e6,
)  # extents [m] that a mesh may have; a smaller or larger one was read in another unit
FLAT = 1e-12  # of the cube of the extent: a smaller volume is none
MILLIMETRES = ("mm", 1e-3)
MOST_WALKED = 5000  # open edges; beyond that, connected ones count as one hole

Triple = tuple[float, float, float]


class Damaged(ValueError):
    """Error of bytes that are no triangles; the reason in half a sentence."""


class Solid(NamedTuple):
    """volume [m^3]; centroid [m]; inertia: per density about the centroid [m^5]; low, high: corners
    of the bounding box [m].
    """

    volume: float
    center: Triple
    inertia: tuple[Triple, Triple, Triple]
    low: Triple
    high: Triple


_ZERO: Triple = (0.0, 0.0, 0.0)
NO_SOLID = Solid(0.0, _ZERO, (_ZERO, _ZERO, _ZERO), _ZERO, _ZERO)


def farthest(mesh: "Mesh", d: Triple) -> Triple:
    """The vertex that is farthest in a direction [m]."""
    points = np.frombuffer(mesh.vertices, "<f8").reshape(-1, 3)
    x, y, z = points[int(np.argmax(points @ np.array(d)))].tolist()
    return (x, y, z)


def arrays(mesh: "Mesh") -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) [m] and triangles (t, 3), vertex numbers, of a mesh, not to be written to.
    Raises Damaged.
    """
    if not mesh.vertices or not mesh.triangles:
        raise Damaged(tr("it has no triangles"))
    if len(mesh.vertices) % 24:
        raise Damaged(tr("its vertices were cut off"))
    if len(mesh.triangles) % 12:
        raise Damaged(tr("its triangles were cut off"))
    points = np.frombuffer(mesh.vertices, "<f8").reshape(-1, 3)
    triangles = np.frombuffer(mesh.triangles, "<i4").reshape(-1, 3)
    if len(triangles) > MOST_TRIANGLES:
        raise Damaged(
            tr(
                "it has {count} triangles, and at most {most_triangles} are possible",
                count=len(triangles),
                most_triangles=MOST_TRIANGLES,
            )
        )
    if not np.isfinite(points).all():
        raise Damaged(tr("a vertex of it is not a number"))
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise Damaged(tr("a triangle of it names a vertex that is not there"))
    return points, triangles


def packed(points: np.ndarray, triangles: np.ndarray) -> tuple[bytes, bytes]:
    """The bytes of Mesh.vertices and Mesh.triangles."""
    return np.ascontiguousarray(points, "<f8").tobytes(), np.ascontiguousarray(
        triangles, "<i4"
    ).tobytes()


def mirrored(mesh: "Mesh", axis: int) -> "Mesh":
    """The mesh turned inside out along one of its axes, its triangles still counter-clockwise seen
    from outside.  Raises Damaged.
    """
    points, triangles = arrays(mesh)
    points = points.copy()
    points[:, axis] = 0.0 - points[:, axis]
    vertices, order = packed(points, triangles[:, [0, 2, 1]])
    return msgspec.structs.replace(mesh, vertices=vertices, triangles=order)


# enclosed volume


@functools.lru_cache(maxsize=32)
def solid(mesh: "Mesh") -> Solid:
    """Solid that a mesh encloses; an empty one for a damaged mesh (`check` reports why)."""
    try:
        return enclosed(*arrays(mesh))
    except Damaged:
        return NO_SOLID


@np.errstate(over="ignore", invalid="ignore")
def enclosed(points: np.ndarray, triangles: np.ndarray) -> Solid:
    """Volume integrals of 1, x and x x^T inside a closed surface, exact for polyhedra.

    points (v, 3) [m], triangles (t, 3).  By the divergence theorem the solid is the signed sum of
    the tetrahedra between an origin and the triangles (Mirtich 1996, section 3; Eberly 2002,
    Polyhedral Mass Properties): with d = a . (b x c) and s = a + b + c,  V = sum d / 6,  int x =
    sum d s / 24,  int x x^T = sum d (s s^T + a a^T + b b^T + c c^T) / 120.
    The origin is the middle of the bounding box, so that a part far from its file's origin loses no
    digits.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    columns = np.ascontiguousarray(
        (points - middle).T
    )  # by coordinates: three times as fast as by points
    a, b, c = (columns[:, np.ascontiguousarray(triangles[:, k])] for k in range(3))
    d = triple_products(a, b, c)
    s = a + b + c
    volume = float(d.sum()) / 6
    bounds = (_triple(low), _triple(high))
    if not volume > 0:
        return NO_SOLID._replace(volume=volume, low=bounds[0], high=bounds[1])
    g = (s @ d) / (24 * volume)
    second = sum((v * d) @ v.T for v in (s, a, b, c)) / 120 - volume * np.outer(g, g)
    second = (second + second.T) / 2
    inertia = np.trace(second) * np.eye(3) - second
    return Solid(volume, _triple(middle + g), triple(map(_triple, inertia)), *bounds)


def triple_products(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a . (b x c) of columns (3, t)."""
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def named_points(mesh: "Mesh") -> dict[str, Triple]:
    """The centroid, and the middles of the six sides of the bounding box [m]; none for a damaged
    mesh.
    """
    s = solid(mesh)
    if s.low == s.high:
        return {}
    middle = [(a + b) / 2 for a, b in zip(s.low, s.high)]
    sides = {
        name: tuple(
            (s.low if sign < 0 else s.high)[k] if k == axis else middle[k] for k in range(3)
        )
        for name, axis, sign in SIDES
    }
    return {"centre": s.center, **sides}  # type: ignore[dict-item]


def _triple(row: Iterable[float]) -> Triple:
    x, y, z = row
    return (float(x), float(y), float(z))


# whether it encloses anything


class Edges(NamedTuple):
    """The edges of a surface.

    order: numbers 3 * triangle + side of all sides, those along one edge together.  first (e,):
    where each edge begins in it. uses (e,): triangles at each edge.  forward (3 t,): whether a side
    runs from its lower to its higher vertex.
    """

    order: np.ndarray
    first: np.ndarray
    uses: np.ndarray
    forward: np.ndarray


def find_edges(triangles: np.ndarray, vertex_count: int) -> Edges:
    """The edges of triangles (t, 3)."""
    a = triangles.astype(np.int64).ravel()
    b = triangles[:, [1, 2, 0]].astype(np.int64).ravel()
    key = np.minimum(a, b) * vertex_count + np.maximum(a, b)
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    return Edges(order, first, np.diff(np.append(first, len(key))), a < b)


def components(count: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """For every node 0 … count - 1 the lowest node that pairs a[k] – b[k] join it with."""
    label = np.arange(count)
    while True:
        low = np.minimum(label[a], label[b])
        new = label.copy()
        np.minimum.at(new, label[a], low)
        np.minimum.at(new, label[b], low)
        while True:  # every node to the end of its chain
            shorter = new[new]
            if np.array_equal(shorter, new):
                break
            new = shorter
        if np.array_equal(new, label):
            return label
        label = new
        apart = label[a] != label[b]
        a, b = a[apart], b[apart]


@functools.lru_cache(maxsize=32)
def check(mesh: "Mesh") -> str:
    """Reason why a mesh cannot be a solid, in half a sentence with the place [mm]; empty if it can.
    Surfaces that intersect each other are not found.
    """
    try:
        points, triangles = arrays(mesh)
    except Damaged as reason:
        return str(reason)
    return fault(points, triangles)


def fault(
    points: np.ndarray,
    triangles: np.ndarray,
    unit: tuple[str, float] = MILLIMETRES,
    edges: Edges | None = None,
) -> str:
    """The same for finite vertices (v, 3) [m] and triangles (t, 3) of existing vertices.

    unit: symbol and size [m] in which places are given.  edges: of the triangles, where they are
    known.
    """
    same = (triangles == triangles[:, [1, 2, 0]]).any(axis=1)
    if same.any():
        return tr("triangle {argmax} of it has two corners in one", argmax=int(np.argmax(same)) + 1)
    edges = find_edges(triangles, len(points)) if edges is None else edges
    return (
        size_fault(points)
        or edge_fault(points, triangles, edges, unit)
        or _facing_fault(points, triangles, edges, unit)
        or _volume_fault(points, triangles)
    )


def size_fault(points: np.ndarray) -> str:
    """Reason why the size of a mesh is implausible; empty if it is plausible."""
    extent = float(np.ptp(points, axis=0).max())
    farthest = float(np.abs(points).max())
    if not extent >= SMALLEST:
        return tr("it is smaller than {smallest:g} mm", smallest=SMALLEST * 1e3)
    if not max(extent, farthest) <= LARGEST:
        return tr(
            "it is larger or farther from its origin than {largest:g} km", largest=LARGEST / 1e3
        )
    return ""


def edge_fault(
    points: np.ndarray, triangles: np.ndarray, edges: Edges, unit: tuple[str, float] = MILLIMETRES
) -> str:
    """Holes, and edges where more than two triangles meet."""
    open_ = np.flatnonzero(edges.uses == 1)
    if len(open_):
        sides = edges.order[edges.first[open_]]
        a, b = ends(triangles, sides)
        rim = rims(a, b) if len(a) <= MOST_WALKED else components(len(points), a, b)[a]
        names, count = np.unique(rim, return_counts=True)
        here = rim == names[np.argmax(count)]
        middle = (points[a[here]] + points[b[here]]).mean(axis=0) / 2
        more = (
            trn(", and {count} more hole", ", and {count} more holes", len(names) - 1)
            if len(names) > 1
            else ""
        )
        return trn(
            "the surface has a hole near {middle}: {count} open edge{more}",
            "the surface has a hole near {middle}: {count} open edges{more}",
            int(count.max()),
            middle=place(middle, unit),
            more=more,
        )
    many = np.flatnonzero(edges.uses > 2)
    if len(many):
        k = many[np.argmax(edges.uses[many])]
        a, b = ends(triangles, edges.order[edges.first[k] : edges.first[k] + 1])
        more = (
            trn(", and at {count} more edge", ", and at {count} more edges", len(many) - 1)
            if len(many) > 1
            else ""
        )
        return tr(
            "{use} triangles meet at the edge near {point}{more}, where two should",
            use=int(edges.uses[k]),
            point=place((points[a[0]] + points[b[0]]) / 2, unit),
            more=more,
        )
    return ""


def rims(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """For each of the edges a[k] – b[k] the number of the rim that it belongs to; holes that touch
    in a vertex have a rim each.
    """
    beside: dict[int, list[tuple[int, int]]] = {}
    for k, (u, v) in enumerate(zip(a.tolist(), b.tolist())):
        beside.setdefault(u, []).append((k, v))
        beside.setdefault(v, []).append((k, u))
    rim = np.full(len(a), -1)
    for start in range(len(a)):
        if rim[start] >= 0:
            continue
        # edges of the walk, and the length that it had at each vertex
        walked: list[int] = []
        at = {int(a[start]): 0}
        here = int(a[start])
        while (step := next(((k, v) for k, v in beside[here] if rim[k] == -1), None)) is not None:
            k, here = step
            rim[k] = -2  # visited, rim not yet known
            walked.append(k)
            if here in at:  # a round is closed
                rim[walked[at[here] :]] = k
                del walked[at[here] :]
                at = {v: n for v, n in at.items() if n <= len(walked)}
            else:
                at[here] = len(walked)
        rim[walked] = start  # a seam that ends somewhere
    return rim


def _facing_fault(
    points: np.ndarray, triangles: np.ndarray, edges: Edges, unit: tuple[str, float]
) -> str:
    rotated = crossed(edges)
    if not rotated.any():
        return ""
    a, b = ends(triangles, edges.order[edges.first[rotated][:1]])
    return tr(
        "the triangles at the edge near {point} do not face the same way",
        point=place((points[a[0]] + points[b[0]]) / 2, unit),
    )


def _volume_fault(points: np.ndarray, triangles: np.ndarray) -> str:
    volume, extent = enclosed(points, triangles).volume, float(np.ptp(points, axis=0).max())
    if volume < -FLAT * extent**3:
        return tr("it is inside out")
    return "" if volume > FLAT * extent**3 else tr("it encloses no volume")


def crossed(edges: Edges) -> np.ndarray:
    """Mask (e,) of the edges of a closed surface that both their triangles traverse in the same
    direction.
    """
    return edges.forward[edges.order[edges.first]] == edges.forward[edges.order[edges.first + 1]]


def ends(triangles: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last vertices of the sides 3 * triangle + k."""
    t, k = np.divmod(sides, 3)
    return triangles[t, k], triangles[t, (k + 1) % 3]


def place(point: np.ndarray, unit: tuple[str, float] = MILLIMETRES) -> str:
    """A point [m] in words: "(12, 0, 3) mm"."""
    # a rounding of zero is a zero
    clean = [0.0 if abs(c) < 1e-9 * unit[1] else float(c) / unit[1] for c in point]
    return f"({series(format_number(c, 4) if math.isfinite(c) else '–' for c in clean)}) {unit[0]}"
