"""Response of movers to impulses: the masses of free bodies, the blocks of mechanisms by the
factorisation of the tree, and the velocities that result from impulses.
"""

import math

from numba import types

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.problem import (
    B_COUNT,
    B_MOVER,
    B_START,
    I_BLOCK0,
    I_BLOCK1,
    I_MOVER0,
    I_MOVER1,
    ISLANDS,
    MOVERS,
    PROBLEM,
    gather_wrenches,
    respond,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import (
    EVERY,
    FLAG,
    INDEX,
    NOTHING,
    NUMBER,
    ROWS,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.kernels.columns import (
    AA,
    ACC,
    EPS,
    INERTIA,
    KEPT,
    KK,
    LAM,
    LOANS,
    MASS,
    NV,
    PF,
    REFINEMENTS,
    TAU,
    V0,
    R,
    V,
    W,
)
from mechstudio.engine.kernels.scalar import rotated_back, symmetric
from mechstudio.engine.kernels.solve import solve

TURNS = 12  # iterations for the angular velocity at the end of a step
QUARTER = 1.5  # half of the largest turn in a step, as in `move` of stages.py


@alone(EVERY, NOTHING, TABLES, s.STAGE, types.boolean)
def solve_rows(T, S, loaded):
    """kernels.solve.solve, compiled once for all callers."""
    solve(T, loaded)


@alone(EVERY, NOTHING, TABLES, s.STAGE)
def account_rows(T, S):
    """Account the work of the drives whose rows have new impulses: multiplier times the mean rate
    that each imposes in the step.
    """
    work = 0.0
    for r in range(T.size[KEPT]):
        work += T.row[r, LAM] * S.rates[r]
        S.held[r] += T.row[r, LAM]
    S.tally[s.DRIVE_WORK] += work


@alone(EVERY, NOTHING, TABLES, s.STAGE, INDEX)
def solve_loaded(T, S, turns):
    """Accelerations (or jumps) in dof[ACC] and node[AA] for the wrenches in PF alone, the rows
    held. turns: number of refinements.
    """
    for j in range(T.size[NV]):
        T.dof[j, TAU] = 0.0
        T.dof[j, ACC] = 0.0
    for turn in range(turns):
        for r in range(T.size[KEPT]):
            T.row[r, KK] = T.row[r, EPS] * T.row[r, LAM] if turn > 0 else 0.0
        solve_rows(T, S, True)


@kernel(options=INLINED)
def inverse_3(a, b, c, d, e, f):
    """Inverse of the symmetric matrix (xx, xy, xz, yy, yz, zz)."""
    A, B, C = d * f - e * e, c * e - b * f, b * e - c * d
    k = 1.0 / (a * A + b * B + c * C)
    return k * A, k * B, k * C, k * (a * f - c * c), k * (b * c - a * e), k * (a * d - b * b)


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM)
def set_masses(T, S, P):
    """Fill the masses of free movers, and the blocks of all others: six unit wrenches on each,
    solved by the factorisation at hand.
    """
    N, C, M = T.node, T.node_const, P.mass
    for k in range(P.size[MOVERS]):
        i = S.node_of_mover[k]
        if S.unit_free[S.unit_of_node[i]] == 0:
            for j in range(7):
                M[k, j] = 0.0
            continue
        M[k, 0] = 1.0 / C[i, MASS]
        a, b, c, d, e, f = inverse_3(
            C[i, INERTIA],
            C[i, INERTIA + 1],
            C[i, INERTIA + 2],
            C[i, INERTIA + 3],
            C[i, INERTIA + 4],
            C[i, INERTIA + 5],
        )
        # R I^-1 R^T, row by row
        x0, x1, x2 = symmetric(a, b, c, d, e, f, N[i, 0], N[i, 1], N[i, 2])
        y0, y1, y2 = symmetric(a, b, c, d, e, f, N[i, 3], N[i, 4], N[i, 5])
        z0, z1, z2 = symmetric(a, b, c, d, e, f, N[i, 6], N[i, 7], N[i, 8])
        M[k, 1] = N[i, 0] * x0 + N[i, 1] * x1 + N[i, 2] * x2
        M[k, 2] = N[i, 3] * x0 + N[i, 4] * x1 + N[i, 5] * x2
        M[k, 3] = N[i, 6] * x0 + N[i, 7] * x1 + N[i, 8] * x2
        M[k, 4] = N[i, 3] * y0 + N[i, 4] * y1 + N[i, 5] * y2
        M[k, 5] = N[i, 6] * y0 + N[i, 7] * y1 + N[i, 8] * y2
        M[k, 6] = N[i, 6] * z0 + N[i, 7] * z1 + N[i, 8] * z2
    for j in range(7):
        M[P.size[MOVERS], j] = 0.0
    cleared = False
    for e in range(P.size[ISLANDS]):
        for b in range(P.islands[e, I_BLOCK0], P.islands[e, I_BLOCK1]):
            if not cleared:
                clear_wrenches(T)
                cleared = True
            fill_block(T, S, P, b)


@kernel
def clear_wrenches(T):
    """Clear the wrenches on all nodes."""
    for i in range(T.nodes.shape[0]):
        for j in range(6):
            T.node[i, PF + j] = 0.0


@kernel
def fill_block(T, S, P, b):
    """Fill one block, column by column.  PF holds minus the wrench, moment first; AA angular first;
    the block's order is force first.
    """
    first, count, start, N = (
        P.blocks[b, B_MOVER],
        P.blocks[b, B_COUNT],
        P.blocks[b, B_START],
        T.node,
    )
    n, A = 6 * count, P.block_matrix
    turns = T.size[REFINEMENTS] + 1 if T.size[LOANS] > 0 else 1
    for q in range(n):
        i, j = S.node_of_mover[first + q // 6], PF + (q % 6 + 3) % 6
        N[i, j] = -1.0
        solve_loaded(T, S, turns)
        N[i, j] = 0.0
        for p in range(n):
            A[start + q * n + p] = N[S.node_of_mover[first + p // 6], AA + (p % 6 + 3) % 6]


@kernel
def set_twists(T, S, P):
    """Set the twists of the movers from the velocities of the nodes as `poses` left them."""
    for k in range(P.size[MOVERS]):
        i = S.node_of_mover[k]
        for j in range(3):
            P.twist[k, j] = T.node[i, V + j]
            P.twist[k, 3 + j] = T.node[i, W + j]
    for j in range(6):
        P.twist[P.size[MOVERS], j] = 0.0


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM, ROWS, VECTOR)
def spread(T, S, P, x, out):
    """out (nv,) <- the jump of the velocities by impulses x (contacts, WIDTH) of all islands."""
    mechanisms = False
    for j in range(T.size[NV]):
        out[j] = 0.0
    for e in range(P.size[ISLANDS]):
        gather_wrenches(P, e, x)
        if P.islands[e, I_BLOCK1] > P.islands[e, I_BLOCK0]:
            if not mechanisms:
                clear_wrenches(T)
                mechanisms = True
            for b in range(P.islands[e, I_BLOCK0], P.islands[e, I_BLOCK1]):
                for k in range(P.blocks[b, B_MOVER], P.blocks[b, B_MOVER] + P.blocks[b, B_COUNT]):
                    i = S.node_of_mover[k]
                    for j in range(3):
                        T.node[i, PF + j] = -P.twist[k, 3 + j]
                        T.node[i, PF + 3 + j] = -P.twist[k, j]
        respond(P, e)
        for k in range(P.islands[e, I_MOVER0], P.islands[e, I_MOVER1]):
            if P.mass[k, 0] > 0.0:
                i = S.node_of_mover[k]
                j = T.nodes[i, V0]
                out[j], out[j + 1], out[j + 2] = P.twist[k, 0], P.twist[k, 1], P.twist[k, 2]
                out[j + 3], out[j + 4], out[j + 5] = rotated_back(
                    T.node, i, R, P.twist[k, 3], P.twist[k, 4], P.twist[k, 5]
                )
    if mechanisms:
        solve_loaded(T, S, T.size[REFINEMENTS] + 2)
        for j in range(T.size[NV]):
            if T.dof[j, ACC] != 0.0:
                out[j] += T.dof[j, ACC]


@alone(EVERY, NOTHING, TABLES, s.STAGE, VECTOR, INDEX, NUMBER, VECTOR, FLAG)
def turn_freely(T, S, y, nq, h, out, second):
    """Angular velocities of free bodies at the end of a step, gyroscopic moments at its middle: I
    (w+ - w) + t m x I m = h M, m = (w + w+ + j) / 2, t = 2 tan(h |m| / 2) / |m|, by Newton.

    With that t the momentum of a body that turns by h m in the step is turned back in its axes by
    as much, so that it stays where it is in W, and so does the energy.
    j: expected effect of contacts on w+, as in the step before; of second order if they last.
    out (nv,): predicted velocities with the gyroscopic moment of the beginning, of units that step
    by the middle that of the middle; overwritten.
    Explicitly, a fast top would gain energy.
    """
    C = T.node_const
    for u in range(S.unit_free.shape[0]):
        if S.unit_free[u] == 0:
            continue
        i = S.unit_nodes[S.unit_start[u]]
        j = T.nodes[i, V0] + 3
        a, b, c, d, e, f = (
            C[i, INERTIA],
            C[i, INERTIA + 1],
            C[i, INERTIA + 2],
            C[i, INERTIA + 3],
            C[i, INERTIA + 4],
            C[i, INERTIA + 5],
        )
        if a == d == f and b == c == e == 0.0:
            continue
        w0, w1, w2 = y[nq + j], y[nq + j + 1], y[nq + j + 2]
        # velocities of the explicit moment
        p0, p1, p2 = w0, w1, w2
        if second and (S.island_of_unit[u] < 0 or S.unit_weighs[u] == 0):
            p0 += 0.5 * (h * S.slope[nq + j] + S.jump[j])
            p1 += 0.5 * (h * S.slope[nq + j + 1] + S.jump[j + 1])
            p2 += 0.5 * (h * S.slope[nq + j + 2] + S.jump[j + 2])
        l0, l1, l2 = symmetric(a, b, c, d, e, f, p0, p1, p2)
        # I w + h M: the prediction without the explicit moment
        t0, t1, t2 = symmetric(a, b, c, d, e, f, out[j], out[j + 1], out[j + 2])
        t0, t1, t2 = (
            t0 + h * (p1 * l2 - p2 * l1),
            t1 + h * (p2 * l0 - p0 * l2),
            t2 + h * (p0 * l1 - p1 * l0),
        )
        x0, x1, x2 = out[j], out[j + 1], out[j + 2]
        v0, v1, v2 = w0 + S.jump[j], w1 + S.jump[j + 1], w2 + S.jump[j + 2]
        t = h
        for n in range(TURNS):
            m0, m1, m2 = 0.5 * (v0 + x0), 0.5 * (v1 + x1), 0.5 * (v2 + x2)
            if n < TURNS // 2:
                # changes far less than m
                half = 0.5 * h * math.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
                t = h * math.tan(min(half, QUARTER)) / half if half > 0.0 else h
            k0, k1, k2 = symmetric(a, b, c, d, e, f, m0, m1, m2)
            l0, l1, l2 = symmetric(a, b, c, d, e, f, x0, x1, x2)
            g0 = l0 + t * (m1 * k2 - m2 * k1) - t0
            g1 = l1 + t * (m2 * k0 - m0 * k2) - t1
            g2 = l2 + t * (m0 * k1 - m1 * k0) - t2
            # I + t/2 (m~ I - (I m)~)
            s = 0.5 * t
            J00, J01, J02 = (
                a + s * (m1 * c - m2 * b),
                b + s * (m1 * e - m2 * d + k2),
                c + s * (m1 * f - m2 * e - k1),
            )
            J10, J11, J12 = (
                b + s * (m2 * a - m0 * c - k2),
                d + s * (m2 * b - m0 * e),
                e + s * (m2 * c - m0 * f + k0),
            )
            J20, J21, J22 = (
                c + s * (m0 * b - m1 * a + k1),
                e + s * (m0 * d - m1 * b - k0),
                f + s * (m0 * e - m1 * c),
            )
            c0, c1, c2 = J11 * J22 - J12 * J21, J12 * J20 - J10 * J22, J10 * J21 - J11 * J20
            k = 1.0 / (J00 * c0 + J01 * c1 + J02 * c2)
            d0 = k * (c0 * g0 + (J02 * J21 - J01 * J22) * g1 + (J01 * J12 - J02 * J11) * g2)
            d1 = k * (c1 * g0 + (J00 * J22 - J02 * J20) * g1 + (J02 * J10 - J00 * J12) * g2)
            d2 = k * (c2 * g0 + (J01 * J20 - J00 * J21) * g1 + (J00 * J11 - J01 * J10) * g2)
            x0, x1, x2 = x0 - d0, x1 - d1, x2 - d2
            if abs(d0) + abs(d1) + abs(d2) <= 1e-14 * (abs(x0) + abs(x1) + abs(x2)):
                break
        out[j], out[j + 1], out[j + 2] = x0, x1, x2
