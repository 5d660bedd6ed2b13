"""Turned and cast parts that a drawing implies: pins at revolute joints, balls, crosses, rods, and
brackets on bare ground.

They are drawn in the axes of the joint's frame and have no mass.
"""

import functools
from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.solids.plates import plate
from mechstudio.application.scene.solids.solids import (
    EMPTY,
    Part,
    cylinder,
    join,
    lathe,
    placed,
    prism,
    sphere,
    tube,
)
from mechstudio.model.geometry.forms import Ball, Bar, Block, Cylinder, Flat
from mechstudio.model.geometry.rotation import Pose, Quaternion, conjugate, matrix, minus, rotate
from mechstudio.model.mechanism import Body, Shape


class Span(NamedTuple):
    """Extent of shapes about a pin.  low, high: along its axis [m]; radius: of the material about
    it [m].
    """

    low: float
    high: float
    radius: float


def span(body: Body, frame: Pose) -> Span | None:
    """Extent of the flat and round shapes of a body about the z axis of a frame given in body axes;
    None if none surrounds it.
    """
    found: list[Span] = []
    axis, back = rotate(frame[1], (0.0, 0.0, 1.0)), conjugate(frame[1])
    for shape in body.shapes:
        p, q = shape.placement.pose
        inward = conjugate(q)
        at = rotate(inward, minus(frame[0], p))  # type: ignore[arg-type]
        d = rotate(inward, axis)
        reach = _reach(shape, at, d)
        if reach is not None:
            middle = rotate(back, minus(_middle(shape, p, q, at), frame[0]))[2]
            found.append(Span(middle - reach[0], middle + reach[0], reach[1]))
    if not found:
        return None
    return Span(min(s.low for s in found), max(s.high for s in found), min(s.radius for s in found))


def _middle(shape: Shape, p, q, at):
    """The point of the shape's middle plane that the axis passes, in body axes."""
    match shape.form:
        case Flat():
            flat = (at[0], 0.0, at[2])
        case Cylinder():
            flat = (at[0], at[1], 0.0)
        case _:
            flat = (0.0, 0.0, 0.0)
    r = rotate(q, flat)
    return (p[0] + r[0], p[1] + r[1], p[2] + r[2])


def _reach(shape: Shape, at, d) -> tuple[float, float] | None:
    """(half thickness along the axis, radius of material about it), if the axis pierces the shape
    squarely.
    """
    match shape.form:
        case Bar() as bar if abs(d[1]) > 0.999:
            inside = np.hypot(at[0] - min(max(at[0], 0.0), bar.length), at[2]) < bar.radius
            return (bar.thickness / 2, bar.radius) if inside else None
        case Flat() as flat if abs(d[1]) > 0.999:
            corners = np.array(flat.corners)
            near = (
                np.linalg.norm(corners - (at[0], at[2]), axis=1).min() < flat.radius
                if len(corners)
                else False
            )
            return (flat.thickness / 2, flat.radius) if near else None
        case Cylinder(radius, height) if abs(d[2]) > 0.999 and np.hypot(at[0], at[1]) < radius:
            half = height / 2
            return (half, radius - np.hypot(at[0], at[1])) if abs(at[2]) < 4 * half else None
        case Block(x, y, z):
            sides = [x / 2, y / 2, z / 2]
            k = int(np.argmax(np.abs(d)))
            if (
                abs(d[k]) > 0.999
                and all(abs(at[j]) < sides[j] for j in range(3) if j != k)
                and abs(at[k]) < 3 * sides[k]
            ):
                return sides[k], min(sides[j] - abs(at[j]) for j in range(3) if j != k)
        case Ball(radius) if np.linalg.norm(at) < 0.5 * radius:
            return radius, radius
    return None


@functools.lru_cache(maxsize=256)
def pin(radius: float, low: float, high: float, turn: int) -> Part:
    """A turned pin about z through low..high with a chamfered, centre-drilled head at either
    end.
    """
    head, tall, c = 1.42 * radius, 0.55 * radius, 0.22 * radius
    face, bore = high + tall, high + tall - 0.8 * c
    top = [
        (head, high),
        (head, face - c),
        (head - c, face),
        (0.62 * radius, face),
        (0.42 * radius, bore),
        (0, bore),
    ]
    if turn < 12:  # far away among many, a pin is a stud
        return Part(prism(head, low - tall, high + tall, 6), EMPTY)
    bottom = [(r, low + high - z) for r, z in top[::-1]]
    return lathe(np.array([*bottom, (radius, low), (radius, high), *top]), max(turn * 3 // 5, 8))


@functools.lru_cache(maxsize=64)
def ball(radius: float, turn: int) -> Part:
    """A steel ball."""
    return sphere(radius, max(turn * 3 // 4, 10))


@functools.lru_cache(maxsize=64)
def trunnion(radius: float, reach: float, axis: int, turn: int) -> Part:
    """One arm of a universal joint's cross, along an axis."""
    rotated = {0: np.array([(0, 0, 1.0), (0, 1, 0), (-1, 0, 0)]), 2: np.eye(3)}[axis]
    return placed(
        cylinder(radius, 2 * reach, 0.2 * radius, max(turn // 2, 8)), rotated, np.zeros(3)
    )


@functools.lru_cache(maxsize=64)
def bracket(size: float, low: float, thickness: float, arc: int) -> Part:
    """A cast foot about a pin: a tapered plate from the pin down (-y), its face at z = low, on a
    slab.
    """
    corners = size * np.array([(0.0, 0.0), (-0.85, -1.45), (0.85, -1.45)])
    foot = plate(corners, 0.42 * size, thickness, 0.0, 0.12 * thickness, arc)
    slab = plate(
        np.array([(-1.25 * size, 0.0), (1.25 * size, 0.0)]),
        0.55 * size,
        0.22 * size,
        0.0,
        0.04 * size,
        arc,
    )
    on_edge = np.array([(1.0, 0, 0), (0, 0, 1.0), (0, -1.0, 0)])
    return join(
        [
            placed(foot, np.eye(3), np.array([0, 0, low - thickness / 2])),
            placed(slab, on_edge, np.array([0, -1.98 * size, low - thickness / 2])),
        ]
    )


@functools.lru_cache(maxsize=64)
def clock_spring(size: float, height: float, steps: int) -> Part:
    """A flat spiral of steel wire about z at a height: a torsion spring."""
    a = np.linspace(0.0, 6.5 * np.pi, max(20, round(3.25 * steps)) + 1)
    r = np.linspace(0.30, 0.76, len(a)) * size
    path = np.column_stack([r * np.cos(a), r * np.sin(a), np.full(len(a), height)])
    mesh = tube(path, 0.045 * size, 6, np.tile([0.0, 0.0, 1.0], (len(a), 1)))
    ends = [placed(sphere(0.05 * size, 8), np.eye(3), path[k]) for k in (0, -1)]
    return join([Part(mesh, mesh), *ends])._replace(edges=())


@functools.lru_cache(maxsize=64)
def rotary_damper(size: float, height: float, turn: int) -> Part:
    """A flat can with a lid about z, on a height: a torsion damper."""
    r, h, c = 0.66 * size, 0.34 * size, 0.05 * size
    can = [(0, 0), (r - c, 0), (r, c), (r, h - c), (r - c, h)]
    lid = [(0.72 * r, h), (0.68 * r, h - c), (0.3 * r, h - c), (0.3 * r, h + c), (0, h + c)]
    return placed(
        lathe(np.array(can + lid), max(turn, 12)), np.eye(3), np.array([0.0, 0.0, height - 0.5 * h])
    )


@functools.lru_cache(maxsize=64)
def sleeve(radius: float, height: float, turn: int) -> Part:
    """A round sleeve about z: one half of a bushing."""
    h, c = height / 2, 0.12 * radius
    ring = [
        (0, -h),
        (radius - c, -h),
        (radius, -h + c),
        (radius, h - c),
        (radius - c, h),
        (0.7 * radius, h),
        (0.66 * radius, h - c),
        (0, h - c),
    ]
    return lathe(np.array(ring), max(turn, 12))


@functools.lru_cache(maxsize=64)
def pedestal(size: float, turn: int) -> Part:
    """A cast stand for a ball or a cross: it carries the origin from below (-y)."""
    foot: list[tuple[float, float]] = [
        (0, -2.1),
        (1.0, -2.1),
        (1.06, -2.04),
        (1.06, -1.94),
        (1.0, -1.88),
        (0.5, -1.78),
    ]
    profile = size * np.array(
        [*foot, (0.28, -1.45), (0.24, -0.75), (0.42, -0.5), (0.42, -0.4), (0.3, -0.34), (0, -0.42)]
    )
    return placed(
        lathe(profile, turn), np.array([(1.0, 0, 0), (0, 0, 1.0), (0, -1.0, 0)]), np.zeros(3)
    )


@functools.lru_cache(maxsize=64)
def hatching(size: float, drop: float, along: int = 0, reach: float = 1.4) -> list[np.ndarray]:
    """Strokes of the sign for solid ground below a point: a line at y = -drop along x (0) or z (2),
    with slanted ticks under it.
    """
    u = np.eye(3)[along] * size
    at = lambda a, down: a * u - (0.0, drop + down * size, 0.0)
    return [np.array([at(-reach, 0.0), at(reach, 0.0)])] + [
        np.array([at(a, 0.0), at(a - 0.32, 0.34)]) for a in np.linspace(-reach + 0.32, reach, 6)
    ]


def round_hatching(size: float, drop: float, radius: float) -> list[np.ndarray]:
    """The same about the y axis, under a round foot."""
    out = []
    for a in np.arange(12) * np.pi / 6:
        r = np.array([(radius, 0.0), (radius * 1.02, 0.30)]) * size
        turn = np.array([a, a + 0.22])
        out.append(
            np.column_stack([r[:, 0] * np.cos(turn), -drop - r[:, 1], r[:, 0] * np.sin(turn)])
        )
    return out


def along_axis(points: np.ndarray, frame: Pose) -> tuple[float, float]:
    """From where to where points (k, 3) of a body reach along the z axis of a frame of that body
    [m].
    """
    if not len(points):
        return 0.0, 0.0
    z = (points - frame[0]) @ np.array(matrix(frame[1]))[:, 2]
    return float(z.min()), float(z.max())


def down_frame(gravity: tuple[float, ...], frame: Pose) -> np.ndarray:
    """Turn about a frame's z (3, 3) that takes -y as near to gravity, or to -z of W without
    gravity, as it goes; not to be changed.
    """
    return _down(gravity if any(gravity) else (0.0, 0.0, -1.0), frame[1])


@functools.lru_cache(maxsize=1024)
def _down(gravity: tuple[float, ...], turn: Quaternion) -> np.ndarray:
    local = np.array(matrix(turn)).T @ gravity
    if np.hypot(local[0], local[1]) < 1e-6 * np.linalg.norm(local):
        return np.eye(3)
    x, y = -local[:2] / np.hypot(local[0], local[1])
    return np.array([(y, x, 0.0), (-x, y, 0.0), (0.0, 0.0, 1.0)])
