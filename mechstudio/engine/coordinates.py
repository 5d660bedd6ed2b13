"""How the kernels read the coordinates of a joint off its frames: one row of the `reads` table per coordinate."""

from collections.abc import Sequence

import numpy as np

from mechstudio.model.joint_types import BALL, JOINT_TYPES, ROD, SLIDE, TURN, X, Y, Z, Motion

from .kernels import columns as k

def read_plan(motions: Sequence[Motion]) -> np.ndarray:
    """One row of `reads` per coordinate of a chain of motions, node and joint columns still zero.

    A turn is read from what the motions after it leave alone: the direction of a rod, the axis of the next turn, or, for the last
    turn, the attitude itself.  Raises ValueError for a chain that cannot be read this way.
    """
    rows: list[list[int]] = []
    rods = [i for i, (motion, _) in enumerate(motions) if motion == ROD]
    turns = [i for i, (motion, _) in enumerate(motions) if motion == TURN]
    balls = [i for i, (motion, _) in enumerate(motions) if motion == BALL]
    if len(balls) > 1 or len(rods) > 1 or len(turns) > 2 or (balls and turns and not rods):
        raise ValueError(f"The coordinates of the motions {motions} cannot be read off.")
    simple = int(not balls and not rods)
    for i, (motion, axis) in enumerate(motions):
        if motion == ROD:
            rows[-1][k.X_ROD] = axis
            continue
        ops = {TURN: [(k.OP_TURN, axis)], SLIDE: [(k.OP_SLIDE, axis)], BALL: [(k.OP_PSI, Z), (k.OP_THETA, Y), (k.OP_PHI, X)]}[motion]
        for op, about in ops:
            row = [0] * k.READ_INTS
            row[k.X_OP], row[k.X_AXIS], row[k.X_SOURCE], row[k.X_ROD], row[k.X_SIMPLE] = op, about, k.FROM_TRACE, -1, simple
            if motion == TURN and rods and rods[0] > i:
                row[k.X_SOURCE], row[k.X_REF] = k.FROM_POINT, motions[rods[0]][1]
            elif motion == TURN and turns[-1] != i:
                row[k.X_SOURCE], row[k.X_REF] = k.FROM_COLUMN, motions[turns[-1]][1]
            if motion == TURN and len(turns) == 2 and i == turns[1]:
                row[k.X_SIDE] = 1
            if motion == SLIDE and any(t < i for t in turns):
                raise ValueError(f"The coordinates of the motions {motions} cannot be read off: a slide follows a turn.")
            rows.append(row)
    return np.array(rows, np.int64).reshape(-1, k.READ_INTS)


_READABLE = {TURN, SLIDE, BALL, ROD}
PLANS = {name: read_plan(kind.motions) for name, kind in JOINT_TYPES.items()
         if {m for m, _ in kind.motions} <= _READABLE and not kind.rolling and name != "free"}
