"""Places where two links cross: a pin there joins them where they are."""

import math

import numpy as np

from mechstudio.application.tools.snapping.candidates import Candidates, Snap
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.translation import tr

MOST = 12  # links about the pointer that are compared with each other
LEVEL = 1e-6  # of the longest link: two of one plane


def crossings(
    known: Candidates, plane: WorkPlane, pointer: Pointer, reach: float
) -> list[tuple[float, Snap]]:
    """Crossings of the centre lines of links parallel to the plane within reach of the pointer
    [px], with their distance from it, the nearest first.
    """
    if len(known.straights) < 2 or pointer.point is None:
        return []
    ends = np.array([(s.start, s.end) for s in known.straights])
    away = ends - np.array(plane.origin)
    flat = np.stack([away @ np.array(plane.u), away @ np.array(plane.v)], axis=-1)
    height = away @ np.array(plane.normal)
    size = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).max())
    at = np.array(plane.to_plane(pointer.point))
    way = flat[:, 1] - flat[:, 0]
    length = np.linalg.norm(way, axis=1)
    # a link that stands on the plane, or one without length, has no line in it
    level = (np.abs(height[:, 1] - height[:, 0]) <= LEVEL * size) & (length > 0.0)
    along = ((at - flat[:, 0]) * way).sum(1) / np.maximum(length**2, 1e-300)
    share = np.clip(along, 0.0, 1.0)
    gap = np.linalg.norm(flat[:, 0] + share[:, None] * way - at, axis=1)
    near = [k for k in np.argsort(gap, kind="stable")[:MOST].tolist() if level[k]]
    out = []
    for n, i in enumerate(near):
        for j in near[n + 1 :]:
            turn = way[i, 0] * way[j, 1] - way[i, 1] * way[j, 0]
            same = abs(height[i, 0] - height[j, 0]) <= LEVEL * size
            if not same or abs(turn) <= 1e-6 * length[i] * length[j]:
                continue
            between = flat[j, 0] - flat[i, 0]
            a = (between[0] * way[j, 1] - between[1] * way[j, 0]) / turn
            b = (between[0] * way[i, 1] - between[1] * way[i, 0]) / turn
            if not (0.0 < a < 1.0 and 0.0 < b < 1.0):
                continue
            first, second = sorted((i, j))
            point = ends[first, 0] + (a if first == i else b) * (ends[first, 1] - ends[first, 0])
            place = (float(point[0]), float(point[1]), float(point[2]))
            pixels = _pixels(pointer, place)
            if pixels <= reach:
                links = known.straights[first], known.straights[second]
                own = next((s.body for s in links if s.body == pointer.body), links[1].body)
                word = tr("crossing of {link} and {other}", link=links[0].name, other=links[1].name)
                off = bool(abs(height[first, 0]) > LEVEL * size)
                out.append((pixels, Snap(place, word, own, shape="diamond", off=off)))
    return sorted(out, key=lambda found: found[0])


def _pixels(pointer: Pointer, place: tuple[float, float, float]) -> float:
    """Distance of a place from the pointer [px]."""
    if pointer.eye is None:
        assert pointer.point is not None
        return math.dist(pointer.point, place) / max(pointer.pixel, 1e-300)
    at = pointer.eye.pixel_of(place)
    return math.inf if at is None else math.hypot(at[0] - pointer.x, at[1] - pointer.y)
