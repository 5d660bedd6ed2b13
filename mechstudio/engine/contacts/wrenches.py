"""Accelerations of a mechanism due to given wrenches at an instant, for analyses that know the
contact forces.
"""

from mechstudio.engine.contacts.contact_kernels import ENTRY, kernel
from mechstudio.engine.kernels.columns import ACC, EPS, KEPT, KK, LAM, NV, PF, REFINEMENTS, TAU
from mechstudio.engine.kernels.solve import solve


@kernel(options=ENTRY)
def push_nodes(T, wrenches, accelerations):
    """Fill accelerations (nv,) with what wrenches (nodes, 6) add to them, the rows held.

    wrenches: moment about the node's origin, then force, in W [N m, N].  Uses the factorisation at
    hand.  Overwrites accelerations, multipliers and loads.
    """
    for i in range(T.nodes.shape[0]):
        for j in range(6):
            T.node[i, PF + j] = -wrenches[i, j]
    for j in range(T.size[NV]):
        T.dof[j, TAU] = 0.0
        T.dof[j, ACC] = 0.0
    # as in kernels.impacts: each further turn takes away what epsilon and lent inertia did
    for turn in range(T.size[REFINEMENTS] + 2):
        for r in range(T.size[KEPT]):
            T.row[r, KK] = T.row[r, EPS] * T.row[r, LAM] if turn > 0 else 0.0
        solve(T, True)
    for j in range(T.size[NV]):
        accelerations[j] = T.dof[j, ACC]
