"""Velocities and accelerations that impulses on rows and wrenches on bodies add at an instant."""

from mechstudio.engine.kernels.columns import (
    ACC,
    EPS,
    KEPT,
    KK,
    LAM,
    NV,
    OPTIONS,
    PF,
    REFINEMENTS,
    TAU,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.solve import solve


@kernel(**OPTIONS)
def velocity_jump(T, changes, jump, impulses):
    """Fill the jump of the velocities and the impulses of the kept rows with M jump = J^T impulses
    and J jump = changes.

    changes: (kept,) of the rows' rates [m/s or rad/s].  jump: (nv,).  impulses: (kept,) [N s or N m
    s], in the sense of the row's C.
    Uses the factorisation at hand, which must be that of this pose.  Overwrites accelerations,
    multipliers and applied loads.
    All impulses act in the same instant, without motion and without impulses of other loads.
    """
    for i in range(T.nodes.shape[0]):
        for j in range(6):
            T.node[i, PF + j] = 0.0
    for j in range(T.size[NV]):
        T.dof[j, TAU] = 0.0
        T.dof[j, ACC] = 0.0
    # as in `right_hand_side`: each repetition reduces the error of epsilon and regularising inertia
    for turn in range(T.size[REFINEMENTS] + 2):
        for r in range(T.size[KEPT]):
            T.row[r, KK] = changes[r] + (T.row[r, EPS] * T.row[r, LAM] if turn > 0 else 0.0)
        solve(T, True)
    for j in range(T.size[NV]):
        jump[j] = T.dof[j, ACC]
    for r in range(T.size[KEPT]):
        impulses[r] = T.row[r, LAM]


@kernel(**OPTIONS)
def push_nodes(T, wrenches, accelerations):
    """Fill accelerations (nv,) with those that wrenches (nodes, 6) cause, the rows held.

    wrenches: moment about the node's origin, then force, in W [N m, N].  Uses the factorisation at
    hand.  Overwrites accelerations, multipliers and loads.
    """
    for i in range(T.nodes.shape[0]):
        for j in range(6):
            T.node[i, PF + j] = -wrenches[i, j]
    for j in range(T.size[NV]):
        T.dof[j, TAU] = 0.0
        T.dof[j, ACC] = 0.0
    # as in `velocity_jump`: each repetition reduces the error of epsilon and regularising inertia
    for turn in range(T.size[REFINEMENTS] + 2):
        for r in range(T.size[KEPT]):
            T.row[r, KK] = T.row[r, EPS] * T.row[r, LAM] if turn > 0 else 0.0
        solve(T, True)
    for j in range(T.size[NV]):
        accelerations[j] = T.dof[j, ACC]
