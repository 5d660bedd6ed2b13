"""Outlines of plates: their areas, convex parts and hulls."""

import math
from collections.abc import Collection, Sequence

from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.translation import tr

Point = tuple[float, float]


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle [m^2], positive counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def area(outline: Sequence[Point]) -> float:
    """The area inside an outline [m^2], negative if it runs clockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, (*outline[1:], outline[0]))) / 2


def _cross(a: Point, b: Point, c: Point, d: Point, small: float) -> bool:
    """True if two line segments share a point beyond rounding."""
    p, q, r, s = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if max(map(abs, (p, q, r, s))) <= small:
        # on one line: they overlap where their extents do
        k = 0 if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else 1
        return max(min(a[k], b[k]), min(c[k], d[k])) < min(max(a[k], b[k]), max(c[k], d[k]))
    return (
        (p > small) != (q > small)
        and (p < -small) != (q < -small)
        and (r > small) != (s > small)
        and (r < -small) != (s < -small)
    )


def convex_parts(outline: Sequence[Point]) -> list[list[Point]]:
    """Convex outlines, counter-clockwise, that together fill an outline: it alone where it is
    convex.

    Ears are cut off, and the triangles joined again as long as what results is convex (Hertel and
    Mehlhorn 1983), which leaves at most four times as many parts as there need be.  Raises
    ExpressionError with the reason where it crosses itself or encloses nothing.
    """
    points = [p for k, p in enumerate(outline) if p != outline[k - 1]]
    count = len(points)
    span = max((abs(a - b) for p in points for a, b in zip(p, points[0])), default=0.0)
    small = 1e-12 * span * span
    if count < 3 or abs(area(points)) <= 1e-9 * span * span:
        raise ExpressionError(tr("The corners lie on one line: click one beside it."))
    for i in range(count):
        for j in range(i + 2, count - (i == 0)):
            if _cross(points[i], points[i + 1], points[j], points[(j + 1) % count], small):
                raise ExpressionError(
                    tr(
                        "The outline crosses itself: step back with Esc and click its corners in "
                        "order around it."
                    )
                )
    if area(points) < 0:
        points = [points[0], *reversed(points[1:])]
    if all(
        _turn(points[k - 1], points[k], points[(k + 1) % count]) >= -small for k in range(count)
    ):
        return [points]
    return [[points[k] for k in part] for part in _joined(_triangles(points, small), points, small)]


def _triangles(points: list[Point], small: float) -> list[list[int]]:
    """The outline cut into triangles of corner numbers, ear by ear."""
    left, out = list(range(len(points))), list[list[int]]()
    while len(left) > 3:
        for k, b in enumerate(left):
            a, c = left[k - 1], left[(k + 1) % len(left)]
            corners = points[a], points[b], points[c]
            if _turn(*corners) > small and not any(
                all(_turn(corners[j - 1], corners[j], points[i]) >= -small for j in range(3))
                for i in left
                if points[i] not in corners
            ):
                out.append([a, b, c])
                break
        else:
            # what is left is flat up to rounding
            k = min(
                range(len(left)),
                key=lambda i: abs(
                    _turn(points[left[i - 1]], points[left[i]], points[left[(i + 1) % len(left)]])
                ),
            )
        left.pop(k)
    return [*out, left]


def _joined(parts: list[list[int]], points: list[Point], small: float) -> list[list[int]]:
    """Neighbours joined while what results is convex."""
    k = 0
    while k < len(parts):
        found = next(
            (
                (j, whole)
                for j in range(k + 1, len(parts))
                if (whole := _union(parts[k], parts[j], points, small))
            ),
            None,
        )
        if found is None:
            k += 1
        else:
            parts[k] = found[1]
            parts.pop(found[0])
            k = 0
    return parts


def _union(one: list[int], other: list[int], points: list[Point], small: float) -> list[int] | None:
    """Two parts as one across their common side; None where they have none, or the whole would not
    be convex.
    """
    for i in range(len(one)):
        a, b = one[i], one[(i + 1) % len(one)]
        if b in other and other[(other.index(b) + 1) % len(other)] == a:
            j = other.index(a)
            whole = [
                *one[i + 1 :],
                *one[: i + 1],
                *(other[(j + k) % len(other)] for k in range(1, len(other) - 1)),
            ]
            n = len(whole)
            if all(
                _turn(points[whole[k - 1]], points[whole[k]], points[whole[(k + 1) % n]]) >= -small
                for k in range(n)
            ):
                return whole
    return None


def lamina(corners: list[Point], radius: float) -> list[float]:
    """Area integrals (1, x, z, xx, zz, xz) of the convex hull of discs about the corners, in order.

    The region is the polygon, a rectangle of width `radius` on each side and a sector at each
    corner.
    """
    total = [0.0] * 6
    count = len(corners)

    def polygon(points: list[Point]) -> None:
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
            w = x0 * y1 - x1 * y0
            for k, term in enumerate(
                (
                    w / 2,
                    w * (x0 + x1) / 6,
                    w * (y0 + y1) / 6,
                    w * (x0 * x0 + x0 * x1 + x1 * x1) / 12,
                    w * (y0 * y0 + y0 * y1 + y1 * y1) / 12,
                    w * (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0) / 24,
                )
            ):
                total[k] += term

    def sector(c: Point, a: float, b: float) -> None:
        r2, r3, r4 = radius**2 * (b - a) / 2, radius**3 / 3, radius**4 / 4
        mx, my = r3 * (math.sin(b) - math.sin(a)), r3 * (math.cos(a) - math.cos(b))
        half, wave = (b - a) / 2, (math.sin(2 * b) - math.sin(2 * a)) / 4
        for k, term in enumerate(
            (
                r2,
                c[0] * r2 + mx,
                c[1] * r2 + my,
                c[0] ** 2 * r2 + 2 * c[0] * mx + r4 * (half + wave),
                c[1] ** 2 * r2 + 2 * c[1] * my + r4 * (half - wave),
                c[0] * c[1] * r2
                + c[0] * my
                + c[1] * mx
                + r4 * (math.sin(b) ** 2 - math.sin(a) ** 2) / 2,
            )
        ):
            total[k] += term

    if count == 1:
        sector(corners[0], 0.0, 2 * math.pi)
        return total
    if count > 2:
        polygon(corners)
    normals: list[Point] = []
    for p, q in zip(corners, corners[1:] + corners[:1]):
        d = math.hypot(q[0] - p[0], q[1] - p[1])
        n = ((q[1] - p[1]) / d, (p[0] - q[0]) / d)
        normals.append(n)
        shift = (n[0] * radius, n[1] * radius)
        polygon([p, (p[0] + shift[0], p[1] + shift[1]), (q[0] + shift[0], q[1] + shift[1]), q])
    for k, corner in enumerate(corners):
        before, after = normals[k - 1], normals[k]
        a = math.atan2(before[1], before[0])
        turn = math.atan2(
            before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1]
        )
        sector(corner, a, a + (math.pi if count == 2 else turn))
    return total


def convex_hull(points: Collection[Point]) -> list[Point]:
    """Corners of the convex hull, counter-clockwise, of points in a plane (monotone chain)."""
    row = sorted(set(points))
    if len(row) < 3:
        return row

    def half(row: list[Point]) -> list[Point]:
        out: list[Point] = []
        for p in row:
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (
                out[-1][1] - out[-2][1]
            ) * (p[0] - out[-2][0]):
                out.pop()
            out.append(p)
        return out[:-1]

    return half(row) + half(row[::-1])
