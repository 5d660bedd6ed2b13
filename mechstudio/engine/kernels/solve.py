"""One sweep up and one down over the factorisation."""

from numba import njit

from mechstudio.engine.kernels.columns import (
    AA,
    ACC,
    CLOSE0,
    DI,
    DOF,
    INLINE,
    INNER,
    KDI,
    KEPT,
    KK,
    LAM,
    LOANS,
    NEAR0,
    NEAR1,
    PARENT,
    PASS0,
    PASS1,
    PF,
    REGULARISING,
    RV,
    SLOT_ROW,
    TAU,
    UU,
    V0,
    YY,
    U,
)
from mechstudio.engine.kernels.scalar import add3, cross, get3, product, set3


@njit(**INLINE)
def reduce_row(T, r):
    """Upward elimination of row r's right-hand side from its neighbours'.  Returns the reduced k_r
    / d.
    """
    work, near = T.row, T.near
    f = work[r, KK] * work[r, KDI]
    for x in range(T.rows[r, NEAR0], T.rows[r, NEAR1]):
        work[near[x, 0], KK] -= T.coupling[x] * f
    return f


@njit(**INLINE)
def finish_row(T, r, f):
    """Multiplier of row r once those of its neighbours are known."""
    work, near = T.row, T.near
    for x in range(T.rows[r, NEAR0], T.rows[r, NEAR1]):
        f -= T.coupling[x] * work[near[x, 0], LAM]
    work[r, LAM] = f * work[r, KDI]


@njit(**INLINE)
def solve(T, loaded):
    """Accelerations (or increments) in dof[ACC] and multipliers in row[LAM] for right-hand sides
    dof[TAU] and row[KK].

    loaded: the wrenches PF and the efforts TAU act (dynamics); otherwise both are zero
    (projection).  row[KK] is overwritten.
    A column with regularising inertia e gets e times its acceleration of the solve before, so that
    repeating removes the error of e.
    """
    nodes, N, D, F, slots, work, size = T.nodes, T.node, T.dof, T.wrench, T.slots, T.row, T.size
    ground, loaned = nodes.shape[0] - 1, loaded and size[LOANS] > 0
    for i in range(ground):
        for j in range(6):
            N[i, AA + j] = N[i, PF + j] if loaded else 0.0
    for ii in range(ground):
        i = ground - 1 - ii
        p, iv = nodes[i, PARENT], nodes[i, V0]
        s0, s1, s2 = nodes[i, CLOSE0], nodes[i, PASS0], nodes[i, PASS1]
        for s in range(s0, s1):
            f = reduce_row(T, slots[s, SLOT_ROW])
            for j in range(6):
                N[i, AA + j] -= F[s, j] * f
        p0, p1, p2 = get3(N, i, AA)
        p3, p4, p5 = get3(N, i, AA + 3)
        for c in range(nodes[i, DOF]):
            u = D[iv, TAU] if loaded else 0.0
            if loaned:
                u += D[iv, REGULARISING] * D[iv, ACC]
            u -= product(D, iv, 0, p0, p1, p2, p3, p4, p5)
            D[iv, UU] = u
            u *= D[iv, DI]
            p0, p1, p2 = p0 + D[iv, U] * u, p1 + D[iv, U + 1] * u, p2 + D[iv, U + 2] * u
            p3, p4, p5 = p3 + D[iv, U + 3] * u, p4 + D[iv, U + 4] * u, p5 + D[iv, U + 5] * u
            for s in range(s1, s2):
                work[slots[s, SLOT_ROW], KK] -= F[s, YY + c] * u
            iv += 1
        if p < ground:
            cx, cy, cz = cross(N[i, RV], N[i, RV + 1], N[i, RV + 2], p3, p4, p5)
            add3(N, p, AA, p0 + cx, p1 + cy, p2 + cz)
            add3(N, p, AA + 3, p3, p4, p5)
    count = size[KEPT] - size[INNER]
    for g in range(count):
        reduce_row(T, T.order[g])
    for g in range(count):
        r = T.order[count - 1 - g]
        finish_row(T, r, work[r, KK])
    for i in range(ground):
        p, iv, nd = nodes[i, PARENT], nodes[i, V0], nodes[i, DOF]
        s0, s1, s2 = nodes[i, CLOSE0], nodes[i, PASS0], nodes[i, PASS1]
        a0 = a1 = a2 = b0 = b1 = b2 = 0.0
        if p < ground:
            a0, a1, a2 = get3(N, p, AA)
            cx, cy, cz = cross(a0, a1, a2, N[i, RV], N[i, RV + 1], N[i, RV + 2])
            b0, b1, b2 = N[p, AA + 3] + cx, N[p, AA + 4] + cy, N[p, AA + 5] + cz
        for cc in range(nd):
            c = nd - 1 - cc
            j = iv + c
            u = D[j, UU] - product(D, j, U, a0, a1, a2, b0, b1, b2)
            for s in range(s1, s2):
                u += F[s, YY + c] * work[slots[s, SLOT_ROW], LAM]
            u *= D[j, DI]
            D[j, ACC] = u
            a0, a1, a2 = a0 + D[j, 0] * u, a1 + D[j, 1] * u, a2 + D[j, 2] * u
            b0, b1, b2 = b0 + D[j, 3] * u, b1 + D[j, 4] * u, b2 + D[j, 5] * u
        set3(N, i, AA, a0, a1, a2)
        set3(N, i, AA + 3, b0, b1, b2)
        for ss in range(s1 - s0):
            s = s1 - 1 - ss
            r = slots[s, SLOT_ROW]
            finish_row(T, r, work[r, KK] - product(F, s, 0, a0, a1, a2, b0, b1, b2))
