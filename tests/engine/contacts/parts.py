"""Corners and triangles of rings, gears, bolts and nuts for cases with meshes."""

import numpy as np


def _walls(rings, n):
    """Triangles between four rings of n points, closed around."""
    k = np.arange(n)
    after = (k + 1) % n
    out = []
    for ring_ in range(4):
        a, b = n * ring_, n * ((ring_ + 1) % 4)
        out += [np.column_stack([a + k, a + after, b + after])]
        out += [np.column_stack([a + k, b + after, b + k])]
    return np.concatenate(rings), np.concatenate(out)


def _raised(flat, z):
    return np.column_stack([flat, np.full(len(flat), z)])


def ring(n, outer, inner, half):
    """A tube of n facets about z."""
    t = 2 * np.pi * np.arange(n) / n
    c = np.column_stack([np.cos(t), np.sin(t)])
    places = ((outer, -half), (outer, half), (inner, half), (inner, -half))
    return _walls([_raised(r * c, z) for r, z in places], n)


def involute(teeth, module, flank=24, backlash=1e-4, pressure=np.radians(20)):
    """Outline (n, 2) of a gear, counter-clockwise, a tooth centred on x."""
    pitch = module * teeth / 2
    base, tip, root = pitch * np.cos(pressure), pitch + module, pitch - 1.25 * module
    start = max(base, root)
    roll = np.linspace(np.sqrt((start / base) ** 2 - 1), np.sqrt((tip / base) ** 2 - 1), flank + 1)
    half = np.pi / (2 * teeth) - backlash / (2 * pitch) + np.tan(pressure) - pressure
    off = half - (roll - np.arctan(roll))
    r = base * np.sqrt(1 + roll**2)
    foot = off[0] + (1e-4 if root < start else 0.0)
    feet = [root] if root < start else []
    out = []
    for k in range(teeth):
        c = 2 * np.pi * k / teeth
        out += [(f, c - foot) for f in feet] + list(zip(r, c - off))
        out += [(tip, c + a) for a in np.linspace(-off[-1], off[-1], 5)[1:-1]]
        out += list(zip(r[::-1], c + off[::-1])) + [(f, c + foot) for f in feet]
        out += [(root, a) for a in np.linspace(c + foot, c + 2 * np.pi / teeth - foot, 5)[1:-1]]
    radius, angle = np.array(out).T
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def gear(teeth, module, bore, width):
    """A spur gear about z."""
    flat = involute(teeth, module)
    inner = bore * flat / np.linalg.norm(flat, axis=1)[:, None]
    places = ((flat, -width), (flat, width), (inner, width), (inner, -width))
    return _walls([_raised(f, z / 2) for f, z in places], len(flat))


def _thread(radius, depth, pitch, length, n, per):
    """Grid (n, m + 1) of a wave wound about z, and m."""
    m = round(per * length / pitch)
    t, z = np.meshgrid(
        2 * np.pi * np.arange(n) / n, np.linspace(-length / 2, length / 2, m + 1), indexing="ij"
    )
    r = radius + depth * np.cos(t - 2 * np.pi * z / pitch)
    i, k = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    j = (i + 1) % n
    at = lambda a, b: (a * (m + 1) + b).ravel()
    quads = np.column_stack([at(i, k), at(j, k), at(j, k + 1), at(i, k + 1)])
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return np.stack([r * np.cos(t), r * np.sin(t), z], 2).reshape(-1, 3), triangles, m


def bolt(radius, depth, pitch, length, n=48, per=12):
    """A bolt about z, its thread a wave of +- depth about the radius."""
    points, triangles, m = _thread(radius, depth, pitch, length, n, per)
    c, i = len(points), np.arange(n)
    j = (i + 1) % n
    low, high = i * (m + 1), i * (m + 1) + m
    ends = [
        np.column_stack([np.full(n, c), j * (m + 1), low]),
        np.column_stack([np.full(n, c + 1), high, j * (m + 1) + m]),
    ]
    points = np.concatenate([points, [(0, 0, -length / 2), (0, 0, length / 2)]])
    return points, np.concatenate([triangles, *ends])


def nut(radius, depth, pitch, length, outer, n=48, per=12):
    """A round nut about z with the same thread inside."""
    points, triangles, m = _thread(radius, depth, pitch, length, n, per)
    t = 2 * np.pi * np.arange(n) / n
    c, i = len(points), np.arange(n)
    j = (i + 1) % n
    rim = outer * np.column_stack([np.cos(t), np.sin(t)])
    points = np.concatenate([points, _raised(rim, -length / 2), _raised(rim, length / 2)])
    low, low_j, high, high_j = i * (m + 1), j * (m + 1), i * (m + 1) + m, j * (m + 1) + m
    b, bj, u, uj = c + i, c + j, c + n + i, c + n + j
    faces = [(b, bj, uj), (b, uj, u), (low, bj, b), (low, low_j, bj), (high, u, uj)]
    faces += [(high, uj, high_j)]
    return points, np.concatenate([triangles[:, ::-1], *(np.column_stack(f) for f in faces)])
