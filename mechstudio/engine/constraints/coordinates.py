"""Reading plans of joint coordinates: one row of the `reads` table per coordinate, from which the
kernels compute it from the joint's frames.
"""

import functools
from collections.abc import Sequence

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    JOINT_TYPES,
    ROD,
    SLIDE,
    THREAD,
    TURN,
    Motion,
    X,
    Y,
    Z,
)
from mechstudio.translation import tr

_OPERATIONS = {TURN: (k.OP_TURN,), SLIDE: (k.OP_SLIDE,), BALL: (k.OP_PSI, k.OP_THETA, k.OP_PHI)}


def read_plan(motions: Sequence[Motion]) -> np.ndarray:
    """One row of `reads` per coordinate of a chain of motions, node columns still zero, X_FIRST
    counted from the joint's first.

    A turn is read from a direction that later motions do not change: the direction of a rod, the
    axis of the next turn, or, for the last turn, the attitude itself.  Slides before a ball and the
    ball itself are groups of their own, because they are read off without each other.  Raises
    ValueError for a chain that cannot be read this way.
    """
    if [m for m, _ in motions] == [HALF, TURN, HALF]:
        return _tilts()
    rows: list[list[int]] = []
    rods = [i for i, (motion, _) in enumerate(motions) if motion == ROD]
    turns = [i for i, (motion, _) in enumerate(motions) if motion == TURN]
    balls = [i for i, (motion, _) in enumerate(motions) if motion == BALL]
    if len(balls) > 1 or len(rods) > 1 or len(turns) > 2 or (balls and turns and not rods):
        raise ValueError(
            tr("The coordinates of the motions {motions} cannot be read off.", motions=motions)
        )
    first = 0
    for i, (motion, axis) in enumerate(motions):
        if motion == ROD:
            rows[-1][k.X_ROD] = axis
            continue
        if motion == BALL and not rods:
            first = len(rows)
        for op, about in zip(
            _OPERATIONS[motion], (Z, Y, X) if motion == BALL else (axis,), strict=True
        ):
            row = [0] * k.READ_INTS
            row[k.X_OP], row[k.X_AXIS], row[k.X_SOURCE], row[k.X_ROD], row[k.X_FIRST] = (
                op,
                about,
                k.FROM_TRACE,
                -1,
                first,
            )
            row[k.X_SIMPLE] = int(not rods and motion != BALL)
            if motion == TURN and rods and rods[0] > i:
                row[k.X_SOURCE], row[k.X_REF] = k.FROM_POINT, motions[rods[0]][1]
            elif motion == TURN and turns[-1] != i:
                row[k.X_SOURCE], row[k.X_REF] = k.FROM_COLUMN, motions[turns[-1]][1]
            if motion == TURN and len(turns) == 2 and i == turns[1]:
                row[k.X_SIDE] = 1
            if motion == SLIDE and any(t < i for t in turns):
                raise ValueError(
                    tr(
                        "The coordinates of the motions {motions} cannot be read off: a slide "
                        "follows a turn.",
                        motions=motions,
                    )
                )
            rows.append(row)
    return _counted(rows)


def _tilts() -> np.ndarray:
    """Of R = Rx(a / 2) Ry(b) Rx(a / 2)."""
    rows = [[0] * k.READ_INTS for _ in range(2)]
    for row, op, axis in zip(rows, (k.OP_TILT_X, k.OP_TILT_Y), (X, Y), strict=True):
        row[k.X_OP], row[k.X_AXIS], row[k.X_SOURCE], row[k.X_ROD] = op, axis, k.FROM_TRACE, -1
    return _counted(rows)


def _counted(rows: list[list[int]]) -> np.ndarray:
    """The rows with the number of those in their group filled in."""
    for row in rows:
        row[k.X_COUNT] = sum(r[k.X_FIRST] == row[k.X_FIRST] for r in rows)
    return np.array(rows, np.int64).reshape(-1, k.READ_INTS)


@functools.cache
def reading_plan(type: str) -> tuple[tuple[int, ...], np.ndarray]:
    """Coordinates of a joint type that are read, in this order, and how.  The rest of a chained
    joint's are always the tree's own.
    """
    kind = JOINT_TYPES[type]
    if kind.has_track and (BALL, Z) in kind.motions:
        return (1, 2, 3), read_plan(((BALL, Z),))
    if is_chained(type):
        return (), np.zeros((0, k.READ_INTS), np.int64)
    if THREAD in kind.primitives:
        # the slide, which is no coordinate of its own, is read for the row that ties it to the
        # angle
        return (kind.dof, 0), read_plan(((SLIDE, Z), (TURN, Z)))
    return tuple(range(kind.dof)), read_plan(kind.motions)


def is_chained(type: str) -> bool:
    """True if a joint is always a chain of motions: where it closes a loop, the chain's end is held
    to body b by the rows of a fixed joint.
    """
    kind = JOINT_TYPES[type]
    return kind.has_track or kind.lies_on_floor


def stands_alone(type: str, c: int) -> bool:
    """True if coordinate c of a joint type can be held by a row of its own, and is not one of
    several angles that are read together.
    """
    order, rows = reading_plan(type)
    return c not in order or bool(rows[order.index(c)][k.X_SIMPLE])
