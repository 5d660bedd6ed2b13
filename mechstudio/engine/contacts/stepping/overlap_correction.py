"""Removal of small overlaps at the end of a step: free bodies are moved apart, by the least motion
in kinetic energy.

A contact holds one point of a body for a step, assuming straight motion; other points of a turning
body sink slightly deeper.  Repeating each such step in parts costs several steps; moving the bodies
costs one search.  Velocities stay the same: the next step finds the contact closed.
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.vectors import cross
from mechstudio.engine.contacts.kernel_table import EVERY, FLAG, NUMBER, TABLES, VECTOR, alone
from mechstudio.engine.contacts.stepping.contact_rows import SHAPES
from mechstudio.engine.contacts.stepping.energy_account import account_lift, accounted
from mechstudio.engine.contacts.stepping.overlaps import own_size
from mechstudio.engine.contacts.stepping.response import inverse_3
from mechstudio.engine.kernels.columns import ACC, INERTIA, MASS, NQ, NV, NX, V0, O, R
from mechstudio.engine.kernels.kinematics import step_coordinates
from mechstudio.engine.kernels.right_hand_side import settle_readings
from mechstudio.engine.kernels.scalar import rotated_back, symmetric

SWEEPS = 20  # over the contacts
LEFT = 0.5  # of the allowed overlap: remainder of a larger one


@kernel
def turn_arm(T, i, x, y, z, nx, ny, nz):
    """Arm of a force along n at a place about the origin of node i, in its axes: r x n."""
    N = T.node
    cx, cy, cz = cross(x - N[i, O], y - N[i, O + 1], z - N[i, O + 2], nx, ny, nz)
    return rotated_back(N, i, R, cx, cy, cz)


@kernel
def free_node(T, S, b):
    """The node of a free body, -1 for others and for ground."""
    if b < 0:
        return -1
    i = T.bodies[b, 0]
    return i if S.unit_free[S.unit_of_node[i]] == 1 else -1


@kernel
def shifted(T, S, b, points, p):
    """Displacement of body b by S.increments at point p along its normal [m]."""
    i = free_node(T, S, b)
    if i < 0:
        return 0.0
    C, Q, D, j = points.normal, points.point, S.increments, T.nodes[i, V0]
    cx, cy, cz = turn_arm(T, i, Q[p, 0], Q[p, 1], Q[p, 2], C[p, 0], C[p, 1], C[p, 2])
    return (
        C[p, 0] * D[j]
        + C[p, 1] * D[j + 1]
        + C[p, 2] * D[j + 2]
        + cx * D[j + 3]
        + cy * D[j + 4]
        + cz * D[j + 5]
    )


@kernel
def shift(T, S, b, points, p, impulse):
    """Move body b as an impulse along the normal of point p would in a unit of time.  Returns its
    displacement at that point along the normal per unit impulse [1/kg]; an impulse of 0 only
    measures it.
    """
    i = free_node(T, S, b)
    if i < 0:
        return 0.0
    C, Q, D, K, j = points.normal, points.point, S.increments, T.node_const, T.nodes[i, V0]
    nx, ny, nz, w = C[p, 0], C[p, 1], C[p, 2], 1.0 / K[i, MASS]
    cx, cy, cz = turn_arm(T, i, Q[p, 0], Q[p, 1], Q[p, 2], nx, ny, nz)
    a, b, c, d, e, f = inverse_3(
        K[i, INERTIA],
        K[i, INERTIA + 1],
        K[i, INERTIA + 2],
        K[i, INERTIA + 3],
        K[i, INERTIA + 4],
        K[i, INERTIA + 5],
    )
    tx, ty, tz = symmetric(a, b, c, d, e, f, cx, cy, cz)
    D[j], D[j + 1], D[j + 2] = (
        D[j] + w * impulse * nx,
        D[j + 1] + w * impulse * ny,
        D[j + 2] + w * impulse * nz,
    )
    D[j + 3], D[j + 4], D[j + 5] = (
        D[j + 3] + impulse * tx,
        D[j + 4] + impulse * ty,
        D[j + 5] + impulse * tz,
    )
    return w + cx * tx + cy * ty + cz * tz


@alone(EVERY, FLAG, VECTOR, TABLES, s.STAGE, SHAPES, POINTS, NUMBER)
def lift(y, T, S, table, points, allowed):
    """Move free bodies at y until no overlap exceeds the allowed share of its body.  Returns
    whether that succeeded. points: contacts at y, as are nodes and shapes.

    Accounts the change of potential energy.  Overwrites S.increments and S.slope.
    """
    nq, nv = T.size[NQ], T.size[NV]
    for j in range(nv):
        S.increments[j] = 0.0
    deep = True
    for sweep in range(SWEEPS):
        deep = False
        for p in range(points.count[0]):
            bound = allowed * own_size(S, table, points, p)
            if (points.gap[p] >= 0.0 and sweep == 0) or bound == 0.0:
                continue
            a, b = points.body_a[p], points.body_b[p]
            gap = points.gap[p] + shifted(T, S, b, points, p) - shifted(T, S, a, points, p)
            if gap >= -bound:
                continue
            deep = True
            gives = shift(T, S, a, points, p, 0.0) + shift(T, S, b, points, p, 0.0)
            if gives == 0.0:
                return False
            impulse = (-LEFT * bound - gap) / gives
            shift(T, S, a, points, p, -impulse)
            shift(T, S, b, points, p, impulse)
        if not deep:
            break
    if deep:
        return False
    before = accounted(S)
    account_lift(y, T, S)
    for j in range(nv):
        T.dof[j, ACC] = S.increments[j]
    step_coordinates(y, T, ACC)
    if T.size[NX] > 0:
        settle_readings(y, T)
    y[nq + nv] += accounted(S) - before
    return True
