"""Springs, dampers and rods between two points: parts of length zero along z, with the share of the
length that moves each point.

A point of such a part stands at its own place plus `along` times the length of the row, so that a
coil is drawn true to length without building it again.
"""

import functools

import numpy as np

from mechstudio.application.scene.solids.solids import (
    Mesh,
    Part,
    cylinder,
    lathe,
    merge,
    placed,
    sphere,
    tube,
)

Stretched = tuple[
    Part, np.ndarray, np.ndarray, float
]  # part, along of solid points, along of skin points, material


def _with_along(pieces: list[tuple[Part, float]], material: float) -> Stretched:
    """Rigid pieces, each carried by one share of the length."""
    solid, skin = merge(p.solid for p, _ in pieces), merge(p.skin for p, _ in pieces)
    share = lambda get: np.concatenate([np.full(len(get(p).points), a) for p, a in pieces])
    return Part(solid, skin), share(lambda p: p.solid), share(lambda p: p.skin), material


@functools.lru_cache(maxsize=64)
def coil(
    radius: float, wire: float, turns: int, pitch: float, steps: int
) -> tuple[Mesh, np.ndarray]:
    """A coil spring: (mesh at length zero, along).  pitch [m] per turn as drawn, for the slant of
    the wire; steps per turn.
    """
    count = turns * steps + 1
    angle = np.linspace(0.0, 2 * np.pi * turns, count)
    lead, ramp = 0.10, max(3, steps // 3)
    along = np.concatenate(
        [
            np.linspace(0, lead, 3)[:-1],
            np.linspace(lead, 1 - lead, count),
            np.linspace(1 - lead, 1, 3)[1:],
        ]
    )
    turn = np.concatenate([np.zeros(2), angle, np.full(2, angle[-1])])
    blend = np.clip(
        np.minimum(np.arange(len(turn)) - 2, len(turn) - 3 - np.arange(len(turn))) / ramp, 0.0, 1.0
    )
    r = radius * blend * blend * (3 - 2 * blend)
    flat = np.column_stack([r * np.cos(turn), r * np.sin(turn), np.zeros(len(turn))])
    path = flat + np.outer(along * pitch * turns / (1 - 2 * lead), (0, 0, 1.0))
    out = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(len(turn))])
    sides = 7 if steps > 10 else 5
    mesh = tube(path, wire, sides, out)
    rigid = mesh.points - np.repeat(path, sides, axis=0) + np.repeat(flat, sides, axis=0)
    return mesh._replace(points=rigid), np.repeat(along, sides)


def spring(size: float, length: float, steps: int) -> list[Stretched]:
    """A coil spring with an eye at either end.  size: radius of the coil [m]; length as drawn
    [m].
    """
    turns = int(np.clip(round(0.8 * length / (0.75 * size)), 5, 14))
    mesh, along = coil(size, 0.15 * size, turns, 0.8 * length / turns, steps)
    wire = (Part(mesh, mesh), along, along, 1.0)
    eye = sphere(0.34 * size, steps + 4)
    return [wire, _with_along([(eye, 0.0), (eye, 1.0)], 1.0)]


def damper(size: float, length: float, turn: int) -> list[Stretched]:
    """A cylinder carried by the first end and a rod carried by the second.  size: radius of the
    cylinder [m].
    """
    tall, c = 0.52 * length, 0.12 * size
    foot = [(0, 0.10 * length), (0.8 * size, 0.10 * length), (size, 0.10 * length + 2 * c)]
    body = lathe(
        np.array(
            [
                *foot,
                (size, tall - c),
                (size - c, tall),
                (0.45 * size, tall),
                (0.45 * size, tall - c),
                (0, tall - c),
            ]
        ),
        turn,
    )
    neck = placed(
        cylinder(0.34 * size, 0.14 * length, 0.05 * size, max(turn // 2, 8)),
        np.eye(3),
        np.array([0, 0, 0.06 * length]),
    )
    rod = placed(
        cylinder(0.30 * size, 0.66 * length, 0.06 * size, max(turn // 2, 8)),
        np.eye(3),
        np.array([0, 0, -0.33 * length]),
    )
    eye = sphere(0.5 * size, max(turn // 2, 10))
    return [
        _with_along([(body, 0.0)], 2.0),
        _with_along([(neck, 0.0), (eye, 0.0), (eye, 1.0), (rod, 1.0)], 1.0),
    ]


def actuator(size: float, length: float, turn: int) -> list[Stretched]:
    """A hydraulic cylinder: a long closed barrel with a collar, and a bright rod.  size: radius of
    the barrel [m].
    """
    tall, c = 0.60 * length, 0.10 * size
    barrel = [
        (0, 0.07 * length),
        (0.9 * size, 0.07 * length),
        (size, 0.07 * length + c),
        (size, tall - 0.5 * size),
        (1.22 * size, tall - 0.5 * size),
        (1.22 * size, tall),
        (0.5 * size, tall),
        (0.5 * size, tall - c),
        (0, tall - c),
    ]
    body = lathe(np.array(barrel), turn)
    half = max(turn // 2, 8)
    rod = placed(
        cylinder(0.42 * size, 0.62 * length, 0.06 * size, half),
        np.eye(3),
        np.array([0, 0, -0.31 * length]),
    )
    eyes = sphere(0.75 * size, max(half, 10))
    return [
        _with_along([(body, 0.0), (eyes, 0.0)], 2.0),
        _with_along([(eyes, 1.0), (rod, 1.0)], 1.0),
    ]


def rod(radius: float, turn: int) -> list[Stretched]:
    """A thin rod with a ball at either end: a distance joint."""
    side = _tube_between(radius, max(turn // 2, 8))
    along = np.concatenate([np.zeros(len(side.points) // 2), np.ones(len(side.points) // 2)])
    eye = sphere(1.9 * radius, max(turn // 2, 10))
    return [(Part(side, side), along, along, 1.0), _with_along([(eye, 0.0), (eye, 1.0)], 1.0)]


def _tube_between(radius: float, sides: int) -> Mesh:
    """An open tube of length zero: its first half of points belongs to the first end."""
    a = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.column_stack([np.cos(a), np.sin(a), 0 * a])
    i = np.arange(sides)
    j = (i + 1) % sides
    triangles = np.concatenate(
        [np.column_stack([i, j, j + sides]), np.column_stack([i, j + sides, i + sides])]
    )
    return Mesh(np.concatenate([radius * ring] * 2), np.concatenate([ring] * 2), triangles)
