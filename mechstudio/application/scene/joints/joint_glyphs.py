"""Glyphs of joints, made from the motions in the row of the joint type: an arc arrow for a free
rotation, a straight arrow for a free translation, a filled face for a blocked motion.

A glyph has size one, in the axes of its anchor frame. A new joint type of the table has a glyph
without further code.
"""

import functools
from typing import NamedTuple

import numpy as np

from mechstudio.model.types.joints import (
    ANGLE,
    BALL,
    EDGE,
    HALF,
    HELIX,
    JOINT_TYPES,
    LIFT,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    X,
    Y,
    Z,
)

THICK, THIN = 2.2, 1.4  # widths [px]
AT_A, AT_B, SLIDING = (
    "a",
    "b",
    "sliding",
)  # anchors: frame A, frame B, the place of frame B with the axes of frame A


class GlyphLine(NamedTuple):
    """One polyline (k, 3) of a glyph.

    lifted: it is drawn at the head of the pin if there is one. head: -1 or 1 for a line that moves
    with the lower or upper end of the joint's parts along z, so that the heads of arrows stay
    outside. about: it surrounds the joint.
    """

    points: np.ndarray
    anchor: str
    width: float
    lifted: bool = False
    head: int = 0
    about: bool = False


class Glyph(NamedTuple):
    """lines: polylines; fills: (polygon (k, 3), anchor)."""

    lines: tuple[GlyphLine, ...]
    fills: tuple[tuple[np.ndarray, str], ...] = ()


# right-handed axes whose third is the given axis: columns for arcs about x, y, z
_ABOUT = (
    np.array([(0, 0, 1.0), (1, 0, 0), (0, 1, 0)]),
    np.array([(0, 1.0, 0), (0, 0, 1), (1, 0, 0)]),
    np.eye(3),
)


def arc_arrow(
    axis: int, radius: float, steps: int, start: float = 0.4, sweep: float = 4.4
) -> tuple[np.ndarray, np.ndarray]:
    """An arc about an axis and the two barbs of its arrow head, for a free turn in the positive
    sense.
    """
    a = np.linspace(start, start + sweep, steps)
    at = lambda angle, r: (
        np.column_stack([r * np.cos(angle), r * np.sin(angle), 0 * angle]) @ _ABOUT[axis].T
    )
    tip = start + sweep + 0.04
    barbs = at(np.array([tip - 0.30, tip, tip - 0.30]), radius * np.array([1.22, 1.0, 0.80]))
    return at(a, radius), barbs


def circle(axis: int, radius: float, steps: int) -> np.ndarray:
    """A closed circle about an axis."""
    a = np.linspace(0, 2 * np.pi, steps + 1)
    row = np.column_stack([radius * np.cos(a), radius * np.sin(a), 0 * a]) @ _ABOUT[axis].T
    row[-1] = row[0]
    return row


def slide_arrow(axis: int, reach: float) -> list[GlyphLine]:
    """A straight arrow with two heads of four barbs each, so that it looks alike from all sides."""
    out, x = [], np.eye(3)[axis]
    for sign in (-1, 1):
        end = sign if axis == Z else 0
        out.append(GlyphLine(np.array([np.zeros(3), sign * reach * x]), SLIDING, THICK, head=end))
        for side in (1, 2):
            across = 0.20 * np.eye(3)[(axis + side) % 3]
            tip, foot = sign * reach * x, sign * (reach - 0.34) * x
            out.append(
                GlyphLine(np.array([foot + across, tip, foot - across]), SLIDING, THICK, head=end)
            )
    return out


def square(axis: int, half: float) -> np.ndarray:
    """A closed square across an axis."""
    return (
        half
        * np.array([(1, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0), (1, 1, 0)], float)
        @ _ABOUT[axis].T
    )


def helix(
    radius: float, low: float, high: float, turns: float, steps: int, hand: float = 1.0
) -> np.ndarray:
    """A thread about z from low to high; hand: -1 for a left-hand one."""
    a = np.linspace(0.0, 2 * np.pi * turns, max(8, round(turns * steps)) + 1)
    return np.column_stack(
        [radius * np.cos(a), hand * radius * np.sin(a), np.linspace(low, high, len(a))]
    )


def _arc_line(
    axis: int, radius: float, steps: int, anchor: str, lifted: bool = False, **arc: float
) -> list[GlyphLine]:
    points, barbs = arc_arrow(axis, radius, steps, **arc)
    return [GlyphLine(points, anchor, THICK, lifted), GlyphLine(barbs, anchor, THICK, lifted)]


@functools.cache
def glyph(type: str, steps: int) -> Glyph:
    """The glyph of a joint type, of size one.  steps: points of an arc."""
    motions = JOINT_TYPES[type].motions
    kinds = [kind for kind, _ in motions]
    lines: list[GlyphLine] = []
    fills: list[tuple[np.ndarray, str]] = []
    if not motions:
        faces = [
            square(axis, 0.26) + s * 0.26 * np.eye(3)[axis] for axis in range(3) for s in (-1, 1)
        ]
        return Glyph(
            tuple(GlyphLine(f, AT_A, THIN) for f in faces[::2]), tuple((f[:4], AT_A) for f in faces)
        )
    if JOINT_TYPES[type].rolling:
        return _on_floor(type, steps)
    if ROD in kinds:
        return Glyph(
            tuple(
                GlyphLine(circle(axis, 0.5, steps), anchor, THICK)
                for anchor in (AT_A, AT_B)
                for axis in range(3)
            )
        )
    if HALF in kinds:  # both shafts, and the two directions of bending
        shafts = [
            GlyphLine(np.array([(0, 0, s * 1.5), (0, 0, 0.0)]), anchor, THIN)
            for anchor, s in ((AT_A, -1), (AT_B, 1))
        ]
        rings = [
            GlyphLine(circle(Z, 0.42, steps) + (0, 0, s * 0.5), anchor, THIN)
            for anchor, s in ((AT_A, -1), (AT_B, 1))
        ]
        return Glyph(
            (
                *_arc_line(X, 1.0, steps, AT_A, sweep=2.4),
                *_arc_line(Y, 0.82, steps, AT_A, sweep=2.4),
                *shafts,
                *rings,
            )
        )
    if LIFT in kinds:  # the face, and the direction in which the cam slides under it
        arrow = [GlyphLine(line.points, AT_B, line.width) for line in slide_arrow(X, 1.0)]
        return Glyph((*arrow, GlyphLine(square(Y, 0.8), AT_B, THIN)))
    sliding = SLIDE in kinds or HELIX in kinds
    turns = 0
    for k, (kind, axis) in enumerate(motions):
        place = SLIDING if sliding else AT_A if k == 0 else AT_B
        if kind == SLIDE:
            lines += slide_arrow(axis, 1.7 if kinds.count(SLIDE) > 1 else 1.0)
        elif kind == HELIX:
            lines += [
                *slide_arrow(axis, 1.0),
                *_arc_line(axis, 1.0, steps, place),
                GlyphLine(helix(0.55, -0.6, 0.6, 3, steps), place, THIN),
            ]
        elif kind == TURN:
            lifted = kinds == [TURN]
            lines += _arc_line(axis, 1.0 - 0.18 * turns, steps, place, lifted)
            if not sliding:
                lines.append(GlyphLine(np.outer([-1.35, 1.35], np.eye(3)[axis]), place, THIN))
            turns += 1
        elif kind == BALL:
            radius, anchor, width = (
                (0.55, AT_B, 1.8) if sliding or TRACK in kinds else (1.0, AT_A, THICK)
            )
            lines += [
                GlyphLine(circle(a, radius, steps), anchor, width, about=True) for a in (X, Y, Z)
            ]
    if (
        kinds.count(SLIDE) == 1 and len(kinds) == 1
    ):  # turning is blocked: a filled square guide about the direction of sliding
        axis = motions[0][1]
        fills.append((square(axis, 0.36)[:4], SLIDING))
        lines.append(GlyphLine(square(axis, 0.62), SLIDING, THIN))
    if kinds.count(SLIDE) == 2:  # the plane in which it slides
        lines.append(
            GlyphLine(
                square(3 - sum(a for kind, a in motions if kind == SLIDE), 1.0), SLIDING, THIN
            )
        )
    return Glyph(tuple(lines), tuple(fills))


def _on_floor(type: str, steps: int) -> Glyph:
    """Glyph of a joint that rolls or glides on a floor without slipping sideways: the one free
    direction, and the rotations about the upright and about its own axis.

    It follows the body: the frame on the floor stays at the initial position.
    """
    if any(primitive == EDGE for primitive, _, _ in JOINT_TYPES[type].rolling):
        blade = np.array([(-1.0, 0, 0.10), (1.0, 0, 0.10), (0.72, 0, -0.16), (-0.72, 0, -0.16)])
        arrow = [GlyphLine(line.points, AT_B, THICK) for line in slide_arrow(X, 1.7)]
        return Glyph((*arrow, *_arc_line(Z, 1.0, steps, AT_B)), ((blade, AT_B),))
    lines = [
        *_arc_line(Z, 1.0, steps, AT_B),
        GlyphLine(np.array([(0, 0, -1.35), (0, 0, 1.35)]), AT_B, THIN),
        *_arc_line(Z, 0.7, steps, SLIDING, sweep=2.6),
    ]
    upright = any(primitive == ANGLE for primitive, _, _ in JOINT_TYPES[type].rows)
    if not upright:  # it leans: the upright direction
        lines.append(GlyphLine(np.array([(0, 0, 0), (0, 0, 1.35)]), SLIDING, THIN))
    return Glyph(tuple(lines), ((square(Z, 0.26)[:4], AT_B),) if upright else ())


def motor_line(steps: int) -> list[np.ndarray]:
    """The mark of a motor on a turning joint: a wide arc arrow about z."""
    return list(arc_arrow(Z, 1.42, steps, start=-1.1, sweep=2.9))


# a capital M in a circle of size one, in the plane z = 0: the mark of a motor
LETTER_M = np.array(
    [
        (-0.42, -0.45, 0.0),
        (-0.42, 0.45, 0.0),
        (0.0, -0.1, 0.0),
        (0.42, 0.45, 0.0),
        (0.42, -0.45, 0.0),
    ]
)
