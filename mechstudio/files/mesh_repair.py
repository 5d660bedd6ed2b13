"""From triangles as programs write them to a closed surface that faces outward."""

import numpy as np

from mechstudio.model.geometry import mesh as meshes
from mechstudio.translation import tr, trn

NEAR = (1e-7, 1e-6, 1e-5)  # of the extent: corners of a seam that is so narrow are one
MOST_SURFACES = 2000
MOST_NESTED = 20_000  # pairs of surfaces of which one may lie within the other
_NEIGHBOURS = 64  # along a line through all corners, among which the near ones are looked for
_ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))


class Unclosed(Exception):
    """Reason why triangles enclose nothing, in half a sentence."""


def closed(
    points: np.ndarray, triangles: np.ndarray, unit: tuple[str, float]
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Vertices (v, 3), triangles (t, 3) and notes on what was mended, from corners (n, 3) [m] and
    triangles (t, 3) of them.

    unit: symbol and size [m] for places in sentences.   Raises Unclosed.
    """
    points, at = merged(points[triangles.ravel()])
    if reason := meshes.size_fault(points):
        raise Unclosed(reason)
    triangles = _without_slivers(at.reshape(-1, 3))
    if not len(triangles):
        raise Unclosed(tr("its triangles have no area"))
    notes: list[str] = []
    edges = meshes.find_edges(triangles, len(points))
    if (edges.uses == 1).any():
        points, triangles, edges, note = _seamed(points, triangles, edges, unit)
        notes += note
    if reason := meshes.edge_fault(points, triangles, edges, unit):
        raise Unclosed(reason)
    triangles, rotated = faced(points, triangles, edges)
    notes += rotated
    used, at = np.unique(triangles, return_inverse=True)
    points, triangles = points[used], at.reshape(-1, 3)
    if reason := meshes.fault(points, triangles, unit):
        raise Unclosed(reason)
    return points, triangles, tuple(notes)


def merged(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) without repetition in the order in which they come, and for each corner (n,
    3) the vertex that it is.
    """
    corners = corners + 0.0  # a minus zero is a zero
    bits = np.ascontiguousarray(corners).view(np.uint64)
    # sorting one number instead of rows is ten times as fast
    key = bits[:, 0] * _ODD[0]
    for k in (1, 2):
        key = (key ^ (key >> np.uint64(29))) * _ODD[k] + bits[:, k] * _ODD[k - 1]
    _, first, at = np.unique(key, return_index=True, return_inverse=True)
    if not np.array_equal(corners[first][at], corners):  # two places with one key
        _, first, at = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return corners[first[order]], rank[at.reshape(-1)]


def _without_slivers(triangles: np.ndarray) -> np.ndarray:
    """Without triangles of which two corners are one: their other two sides close on each other."""
    return triangles[(triangles != triangles[:, [1, 2, 0]]).all(axis=1)]


def _seamed(
    points: np.ndarray, triangles: np.ndarray, edges: meshes.Edges, unit: tuple[str, float]
) -> tuple[np.ndarray, np.ndarray, meshes.Edges, list[str]]:
    """With corners at open edges that nearly meet made one, if that closes the surface; else as it
    was.
    """
    rim = np.unique(
        np.concatenate(meshes.ends(triangles, edges.order[edges.first[edges.uses == 1]]))
    )
    extent = float(np.ptp(points, axis=0).max())
    for share in NEAR:
        a, b = _near(points[rim], share * extent)
        if not len(a):
            continue
        to = np.arange(len(points))
        to[rim] = rim[meshes.components(len(rim), a, b)]
        tried = _without_slivers(to[triangles])
        if not len(tried):
            break
        again = meshes.find_edges(tried, len(points))
        if (again.uses == 2).all():
            count = int((to != np.arange(len(points))).sum())
            return (
                points,
                tried,
                again,
                [
                    tr(
                        "{count} corners along seams narrower than {share:.2g} {unit} were joined.",
                        count=count,
                        share=share * extent / unit[1],
                        unit=unit[0],
                    )
                ],
            )
    return points, triangles, edges, []


def _near(points: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of points (n, 3) not farther apart than a tolerance, looked for among neighbours along
    a skewed line.
    """
    along = points @ np.array([0.36, 0.48, 0.80])
    order = np.argsort(along)
    along, p = along[order], points[order]
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    for k in range(1, min(_NEIGHBOURS, len(points))):
        i = np.flatnonzero(along[k:] - along[:-k] <= tolerance)
        if not len(i):
            break
        i = i[np.linalg.norm(p[i + k] - p[i], axis=1) <= tolerance]
        pairs.append((order[i], order[i + k]))
    if not pairs:
        none = np.zeros(0, int)
        return none, none
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])


def faced(
    points: np.ndarray, triangles: np.ndarray, edges: meshes.Edges
) -> tuple[np.ndarray, list[str]]:
    """Triangles (t, 3) of a closed surface turned so that all face outward, and notes.  Raises
    Unclosed for a one-sided surface.
    """
    notes: list[str] = []
    t = len(triangles)
    a, b = edges.order[edges.first] // 3, edges.order[edges.first + 1] // 3
    rotated = meshes.crossed(edges)
    if rotated.any():
        # each triangle stands twice, as it is and turned; an edge joins those that go together
        same, other = np.where(rotated, b + t, b), np.where(rotated, b, b + t)
        label = meshes.components(2 * t, np.concatenate([a, a + t]), np.concatenate([same, other]))
        if (label[:t] == label[t:]).any():
            raise Unclosed(tr("its surface has only one side, like a Möbius strip"))
        surface = np.minimum(label[:t], label[t:])
        wrong = label[:t] != surface
        share = np.bincount(surface, wrong, t) / np.maximum(np.bincount(surface, minlength=t), 1)
        wrong ^= share[surface] > 0.5  # most triangles of a surface are right
        triangles = np.where(wrong[:, None], triangles[:, ::-1], triangles)
        count = int(wrong.sum())
        notes.append(
            tr("1 triangle faced the other way than its neighbours and was turned.")
            if count == 1
            else tr(
                "{count} triangles faced the other way than their neighbours and were turned.",
                count=count,
            )
        )
    else:
        surface = meshes.components(t, a, b)
    names, at = np.unique(surface, return_inverse=True)
    if len(names) > MOST_SURFACES:
        raise Unclosed(
            tr(
                "it consists of {count} separate surfaces, and at most {most_surfaces} are "
                "possible",
                count=len(names),
                most_surfaces=MOST_SURFACES,
            )
        )
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    corners = [(points - middle)[triangles[:, k]].T for k in range(3)]
    volumes = np.bincount(at, meshes.triple_products(*corners))
    flip = np.zeros(len(names), bool)
    if volumes.sum() < 0:
        flip[:] = True
        volumes = -volumes
    hollow = np.flatnonzero(volumes < 0)
    hollow = hollow[_depths(points, triangles, at, hollow) % 2 == 1]
    outer = volumes < 0
    outer[hollow] = False
    flip ^= outer
    if flip.any():
        triangles = np.where(flip[at][:, None], triangles[:, ::-1], triangles)
        count = int(flip.sum())
        some = trn(
            "{count} of its {names_count} surfaces stood inside out and was turned.",
            "{count} of its {names_count} surfaces stood inside out and were turned.",
            count,
            names_count=len(names),
        )
        notes.append(tr("It was inside out and was turned.") if count == len(names) else some)
    if len(hollow):
        notes.append(
            trn(
                "{word} inside another counts as hollow.",
                "{word} inside another count as hollow.",
                len(hollow),
                word=tr("A surface")
                if len(hollow) == 1
                else tr("{count} surfaces", count=len(hollow)),
            )
        )
    return triangles, notes


def _depths(
    points: np.ndarray, triangles: np.ndarray, at: np.ndarray, requested: np.ndarray
) -> np.ndarray:
    """Number of other surfaces that enclose each requested one, by the solid angles of their
    triangles (Van Oosterom and Strackee 1983).

    at (t,): the surface 0 … n - 1 of each triangle.  Raises Unclosed if too many surfaces lie
    within each other.
    """
    order = np.argsort(at, kind="stable")
    p = points[triangles[order]]
    starts: np.ndarray = np.searchsorted(at[order], np.arange(int(at.max()) + 2))
    low, high = (
        np.minimum.reduceat(p.min(axis=1), starts[:-1]),
        np.maximum.reduceat(p.max(axis=1), starts[:-1]),
    )
    depths, pairs = np.zeros(len(requested), int), 0
    for i, k in enumerate(requested):
        around = np.flatnonzero((low <= low[k]).all(axis=1) & (high >= high[k]).all(axis=1))
        pairs += len(around)
        if pairs > MOST_NESTED:
            raise Unclosed(tr("too many of its surfaces lie within each other"))
        for other in around[around != k]:
            a, b, c = (
                np.ascontiguousarray((p[starts[other] : starts[other + 1], n] - p[starts[k], 0]).T)
                for n in range(3)
            )
            la, lb, lc = (np.linalg.norm(v, axis=0) for v in (a, b, c))
            angle = 2 * np.arctan2(
                meshes.triple_products(a, b, c),
                la * lb * lc + (a * b).sum(0) * lc + (b * c).sum(0) * la + (c * a).sum(0) * lb,
            )
            depths[i] += abs(float(angle.sum())) > 2 * np.pi
    return depths
