"""Tubes and half-pipes as triangles, for what knows no closed form of them."""

import math
from collections.abc import Sequence

from mechstudio.model.geometry.rotation import Triple

Triangle = tuple[int, int, int]
Facets = tuple[list[Triple], list[Triangle]]


def tube(outer: float, inner: float, half: float, count: int) -> Facets:
    """(points [m], triangles, counter-clockwise seen from outside) of a tube about z from -half to
    half, with so many corners around.
    """
    points = _rings(outer, inner, half, [2.0 * math.pi * k / count for k in range(count)])
    return points, _walls([(k, (k + 1) % count) for k in range(count)], count)


def trough(outer: float, inner: float, half: float, count: int) -> Facets:
    """The same of a half-pipe, whose wall lies where x > 0.  count: of the whole circle."""
    sides = count // 2
    n = sides + 1
    points = _rings(outer, inner, half, [math.pi * (k / sides - 0.5) for k in range(n)])
    walls = _walls([(k, k + 1) for k in range(sides)], n)
    lip = [(0, n, 2 * n), (0, 2 * n, 3 * n)]
    return points, walls + [(c + sides, b + sides, a + sides) for a, b, c in lip] + lip


def _rings(outer: float, inner: float, half: float, angles: Sequence[float]) -> list[Triple]:
    """Rings of corners, from the lower one outside round to the lower one inside."""
    rings = ((outer, -half), (outer, half), (inner, half), (inner, -half))
    return [(r * math.cos(a), r * math.sin(a), z) for r, z in rings for a in angles]


def _walls(sides: Sequence[tuple[int, int]], n: int) -> list[Triangle]:
    """Triangles of the four walls between rings of n corners, each side from one to the next."""
    found: list[Triangle] = []
    for ring in range(4):
        a, b = n * ring, n * ((ring + 1) % 4)
        for k, after in sides:
            found += [(a + k, a + after, b + after), (a + k, b + after, b + k)]
    return found
