"""Articulated-body factorisation of the tree in which the loop rows are eliminated too: the sparse
LDL^T, in tree order, of

    [ M   J^T ] [  v'  ]   [ tau - h ]
    [ J  -eps ] [ -lam ] = [  gamma  ]

Leaf to root, at every node: first the rows that close there (a row closes at the nearest common
ancestor of its two nodes), then the node's columns one by one, then the shift to the parent.  Rows
that close at ground come last, by a static sparse
LDL^T in minimum-degree order.  A row r is a wrench F_r seen at the node and a small symmetric K
between rows.
Column S:  U = I S, D = S.U, y_r = S.F_r;  F_r -= U y_r / D, K_rs += y_r y_s / D, I -= U U^T / D.
eps_r is zero where a row's pivot is at least NEAR times its value at the generic pose.  A soft row
has its compliance in addition, which no refinement removes.
Row r:     d = K_rr + eps_r;  I += F F^T / d, F_s -= F K_rs / d, K_st -= K_rs K_rt / d.
"""

from numba import njit

from mechstudio.engine.kernels.columns import (
    CLOSE0,
    DI,
    DOF,
    EDGE0,
    EPS,
    EPSILON,
    FILL,
    FILL0,
    HH,
    INLINE,
    INNER,
    JJ,
    KD,
    KD0,
    KDI,
    KEPT,
    MM,
    NEAR,
    NEAR0,
    NEAR1,
    PARENT,
    PASS0,
    PASS1,
    REGULARISING,
    RPIVOT,
    RSCALE,
    RV,
    SLOT_ROW,
    SLOT_UP,
    SOFT,
    V0,
    YY,
    U,
)
from mechstudio.engine.kernels.scalar import add3, cross, get3, product, set3, symmetric


@njit(**INLINE)
def add_rank_one(N, i, d, a0, a1, a2, b0, b1, b2):
    """Articulated inertia += d (a; b)(a; b)^T."""
    x, y, z = d * a0, d * a1, d * a2
    N[i, JJ] += x * a0
    N[i, JJ + 1] += x * a1
    N[i, JJ + 2] += x * a2
    N[i, JJ + 3] += y * a1
    N[i, JJ + 4] += y * a2
    N[i, JJ + 5] += z * a2
    add3(N, i, HH, x * b0, x * b1, x * b2)
    add3(N, i, HH + 3, y * b0, y * b1, y * b2)
    add3(N, i, HH + 6, z * b0, z * b1, z * b2)
    x, y = d * b0, d * b1
    N[i, MM] += x * b0
    N[i, MM + 1] += x * b1
    N[i, MM + 2] += x * b2
    N[i, MM + 3] += y * b1
    N[i, MM + 4] += y * b2
    N[i, MM + 5] += d * b2 * b2


@njit(**INLINE)
def eliminate_row(r, c, s0, T):
    """Pivot on row r, which closes at node c in slot s0 (the ground row has no slots).  Returns its
    pivot relative to the generic pose.
    """
    rows, work, K, order, near, F, N = T.rows, T.row, T.coupling, T.order, T.near, T.wrench, T.node
    ground = T.nodes.shape[0] - 1
    soft = work[r, SOFT]
    # a soft row is independent everywhere
    relative = 1.0 if soft > 0.0 else work[r, KD] / T.row_const[r, RPIVOT]
    # nothing is added where the row is as independent as at the generic pose
    work[r, EPS] = (
        0.0 if relative >= T.settings[NEAR] else T.settings[EPSILON] * T.row_const[r, RSCALE]
    )
    d = 1.0 / (work[r, KD] + work[r, EPS] + soft)
    work[r, KDI] = d
    n0, n1, fill = rows[r, NEAR0], rows[r, NEAR1], T.size[FILL0] + rows[r, FILL]
    for x in range(n0, n1):
        share = K[x] * d
        for y in range(n0, x):
            K[order[fill]] -= share * K[y]
            fill += 1
        work[near[x, 0], KD] -= share * K[x]
        if c < ground:
            t = near[x, 1]
            for k in range(6):
                F[t, k] -= share * F[s0, k]
    if c < ground:
        add_rank_one(N, c, d, F[s0, 0], F[s0, 1], F[s0, 2], F[s0, 3], F[s0, 4], F[s0, 5])
    return relative


@njit(**INLINE)
def shift_inertia(N, i, p, t, s0, s1, s2, s3, s4, s5):
    """The articulated inertia of node i less t s s^T, moved to the parent's origin, is added to the
    parent's.

    t, s: of the node's last column, for which the inertia is not written back; t = 0 for a node
    without columns.
    """
    x, y, z = get3(N, i, RV)
    u0, u1, u2, u3, u4, u5 = t * s0, t * s1, t * s2, t * s3, t * s4, t * s5
    a, b, c = N[i, MM] - u3 * s3, N[i, MM + 1] - u3 * s4, N[i, MM + 2] - u3 * s5
    d, e, f = N[i, MM + 3] - u4 * s4, N[i, MM + 4] - u4 * s5, N[i, MM + 5] - u5 * s5
    h0, h1, h2 = N[i, HH] - u0 * s3, N[i, HH + 1] - u0 * s4, N[i, HH + 2] - u0 * s5
    h3, h4, h5 = N[i, HH + 3] - u1 * s3, N[i, HH + 4] - u1 * s4, N[i, HH + 5] - u1 * s5
    h6, h7, h8 = N[i, HH + 6] - u2 * s3, N[i, HH + 7] - u2 * s4, N[i, HH + 8] - u2 * s5
    # H' = H + r~ M
    g0, g1, g2 = h0 + y * c - z * b, h1 + y * e - z * d, h2 + y * f - z * e
    g3, g4, g5 = h3 + z * a - x * c, h4 + z * b - x * e, h5 + z * c - x * f
    g6, g7, g8 = h6 + x * b - y * a, h7 + x * d - y * b, h8 + x * e - y * c
    # J' = J + r~ H^T - H' r~
    N[p, JJ] += (N[i, JJ] - u0 * s0 + (y * h2 - z * h1)) + (g2 * y - g1 * z)
    N[p, JJ + 1] += (N[i, JJ + 1] - u0 * s1 + (y * h5 - z * h4)) + (g0 * z - g2 * x)
    N[p, JJ + 2] += (N[i, JJ + 2] - u0 * s2 + (y * h8 - z * h7)) + (g1 * x - g0 * y)
    N[p, JJ + 3] += (N[i, JJ + 3] - u1 * s1 + (z * h3 - x * h5)) + (g3 * z - g5 * x)
    N[p, JJ + 4] += (N[i, JJ + 4] - u1 * s2 + (z * h6 - x * h8)) + (g4 * x - g3 * y)
    N[p, JJ + 5] += (N[i, JJ + 5] - u2 * s2 + (x * h7 - y * h6)) + (g7 * x - g6 * y)
    add3(N, p, HH, g0, g1, g2)
    add3(N, p, HH + 3, g3, g4, g5)
    add3(N, p, HH + 6, g6, g7, g8)
    add3(N, p, MM, a, b, c)
    add3(N, p, MM + 3, d, e, f)


@njit(**INLINE)
def eliminate_column(T, i, j, k, s1, s2, edge):
    """Eliminate column j (the k-th of node i) from the rows in slots s1:s2.  Returns the next edge
    entry, 1 / D and U, which remove it from the inertia.
    """
    N, D, F, work, K, slots, order = T.node, T.dof, T.wrench, T.row, T.coupling, T.slots, T.order
    x0, x1, x2, y0, y1, y2 = D[j, 0], D[j, 1], D[j, 2], D[j, 3], D[j, 4], D[j, 5]
    h0, h1, h2 = get3(N, i, HH)
    h3, h4, h5 = get3(N, i, HH + 3)
    h6, h7, h8 = get3(N, i, HH + 6)
    a0, a1, a2 = symmetric(
        N[i, JJ], N[i, JJ + 1], N[i, JJ + 2], N[i, JJ + 3], N[i, JJ + 4], N[i, JJ + 5], x0, x1, x2
    )
    b0, b1, b2 = symmetric(
        N[i, MM], N[i, MM + 1], N[i, MM + 2], N[i, MM + 3], N[i, MM + 4], N[i, MM + 5], y0, y1, y2
    )
    # sums in brackets do not wait for each other
    a0, a1, a2 = (
        a0 + (h0 * y0 + h1 * y1 + h2 * y2),
        a1 + (h3 * y0 + h4 * y1 + h5 * y2),
        a2 + (h6 * y0 + h7 * y1 + h8 * y2),
    )
    b0, b1, b2 = (
        b0 + (h0 * x0 + h3 * x1 + h6 * x2),
        b1 + (h1 * x0 + h4 * x1 + h7 * x2),
        b2 + (h2 * x0 + h5 * x1 + h8 * x2),
    )
    d = 1.0 / ((x0 * a0 + x1 * a1 + x2 * a2) + (y0 * b0 + y1 * b1 + y2 * b2 + D[j, REGULARISING]))
    set3(D, j, U, a0, a1, a2)
    set3(D, j, U + 3, b0, b1, b2)
    D[j, DI] = d
    for s in range(s1, s2):
        y = product(F, s, 0, x0, x1, x2, y0, y1, y2)
        F[s, YY + k] = y
        y *= d
        add3(F, s, 0, -a0 * y, -a1 * y, -a2 * y)
        add3(F, s, 3, -b0 * y, -b1 * y, -b2 * y)
        r = slots[s, SLOT_ROW]
        work[r, KD] += y * F[s, YY + k]
        work[r, KD0] += y * F[s, YY + k]
        for t in range(s1, s):
            K[order[edge]] += y * F[t, YY + k]
            edge += 1
    return edge, d, a0, a1, a2, b0, b1, b2


@njit(**INLINE)
def factor(T):
    """Factorise at the pose that `kinematics` and `row_wrenches` left.

    Returns the smallest row pivot relative to its value at the generic pose: small near a singular
    position, 1 without loops.
    """
    nodes, N, F, slots, work, K, size = (
        T.nodes,
        T.node,
        T.wrench,
        T.slots,
        T.row,
        T.coupling,
        T.size,
    )
    ground = nodes.shape[0] - 1
    for r in range(size[KEPT]):
        work[r, KD] = 0.0
        work[r, KD0] = 0.0
    for e in range(K.shape[0]):
        K[e] = 0.0
    edge = size[EDGE0]
    low = 1.0
    for ii in range(ground):
        i = ground - 1 - ii
        p, j = nodes[i, PARENT], nodes[i, V0]
        s0, s1, s2 = nodes[i, CLOSE0], nodes[i, PASS0], nodes[i, PASS1]
        for s in range(s0, s1):
            low = min(low, eliminate_row(slots[s, SLOT_ROW], i, s, T))
        d = a0 = a1 = a2 = b0 = b1 = b2 = 0.0
        for k in range(nodes[i, DOF]):
            if k > 0:
                add_rank_one(N, i, -d, a0, a1, a2, b0, b1, b2)
            edge, d, a0, a1, a2, b0, b1, b2 = eliminate_column(T, i, j + k, k, s1, s2, edge)
        if p < ground:
            shift_inertia(N, i, p, d, a0, a1, a2, b0, b1, b2)
            x, y, z = get3(N, i, RV)
            for s in range(s1, s2):
                t = slots[s, SLOT_UP]
                if t >= 0:
                    cx, cy, cz = cross(x, y, z, F[s, 3], F[s, 4], F[s, 5])
                    add3(F, t, 0, F[s, 0] + cx, F[s, 1] + cy, F[s, 2] + cz)
                    add3(F, t, 3, F[s, 3], F[s, 4], F[s, 5])
    for g in range(size[KEPT] - size[INNER]):
        low = min(low, eliminate_row(T.order[g], ground, g, T))
    return low
