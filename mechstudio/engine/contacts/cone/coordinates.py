"""Independent velocities y of the movers of an island, W = L L^T: twists are L y, and the kinetic
energy of impulses x is |y|^2 / 2 with y = L^T D x.

A free body keeps its twist, whose matrix is its mass.  A mechanism has one velocity per freedom: L
is the Cholesky factor of its block with pivoting, up to rounding.  The pivot is the row with the
largest share left of its own diagonal: shares have no unit, so that metres and radians compare.
"""

import math

from mechstudio.engine.contacts.cone.envelope import (
    BLOCK,
    HEAD,
    HOST,
    INERTIA,
    MASS,
    PLACE,
    SPAN,
    STEP,
    entry,
)
from mechstudio.engine.contacts.cone.problem import (
    B_COUNT,
    B_MOVER,
    B_START,
    I_BLOCK0,
    I_BLOCK1,
    I_MOVER0,
    I_MOVER1,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel

# least response of a movable row, over the largest of its block, and least share of its own
# response above rounding
HELD, ROUNDING = 1e-14, 1e-11


@kernel
def find_hosts(P, island):
    """The hosts of the movers of an island and the number of their places, with the factors of its
    blocks.
    """
    I, where = P.islands, P.numbering
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        where[k, HOST], where[k, SPAN], where[k, BLOCK] = k if P.mass[k, 0] > 0.0 else -1, 1, -1
    for b in range(I[island, I_BLOCK0], I[island, I_BLOCK1]):
        first, rank = P.blocks[b, B_MOVER], factor_block(P, b)
        for k in range(first, first + P.blocks[b, B_COUNT]):
            where[k, HOST], where[k, BLOCK] = first if rank > 0 else -1, b
        where[first, SPAN] = (rank + 5) // 6


@kernel
def factor_block(P, b):
    """Fill P.factor with L of a block, row by row.  Returns the number of its nonzero columns."""
    n, start = 6 * P.blocks[b, B_COUNT], P.blocks[b, B_START]
    A, L, left, largest = P.block_matrix, P.factor, start + n * n, 0.0
    for x in range(start, left):
        L[x] = 0.0
    for p in range(n):
        L[left + p] = A[start + p * n + p]
        largest = max(largest, L[left + p])
    for rank in range(n):
        pivot, most = -1, ROUNDING
        for p in range(n):
            own = A[start + p * n + p]
            if own > HELD * largest and L[left + p] > most * own:
                pivot, most = p, L[left + p] / own
        if pivot < 0:
            return rank
        root = math.sqrt(L[left + pivot])
        for p in range(n):
            value = A[start + pivot * n + p]
            for c in range(rank):
                value -= L[start + p * n + c] * L[start + pivot * n + c]
            value = root if p == pivot else value / root
            L[start + p * n + rank] = value
            L[left + p] = max(L[left + p] - value * value, 0.0)
        L[left + pivot] = 0.0
    return n


@kernel
def wrench_to_places(P, k, at, f):
    """Numbers from `at` on of the places of a host <- L^T f, f: wrenches (movers, 6)."""
    b, A = P.numbering[k, BLOCK], P.newton
    h = HEAD * P.numbering[k, PLACE] + at
    if b < 0:
        for c in range(6):
            A[h + c] = f[k, c]
        return
    n, L = 6 * P.blocks[b, B_COUNT], P.factor
    for c in range(6 * P.numbering[k, SPAN]):
        total = 0.0
        for p in range(n):
            total += L[P.blocks[b, B_START] + p * n + c] * f[k + p // 6, p % 6]
        A[h + HEAD * (c // 6) + c % 6] = total


@kernel
def places_to_twist(P, k):
    """P.change <- the twists that the solution in the places of a host gives to its movers."""
    b, A, out = P.numbering[k, BLOCK], P.newton, P.change
    h = HEAD * P.numbering[k, PLACE] + STEP
    if b < 0:
        for c in range(6):
            out[k, c] = A[h + c]
        return
    n, L = 6 * P.blocks[b, B_COUNT], P.factor
    for p in range(n):
        total, row = 0.0, P.blocks[b, B_START] + p * n
        for c in range(6 * P.numbering[k, SPAN]):
            total += L[row + c] * A[h + HEAD * (c // 6) + c % 6]
        out[k + p // 6, p % 6] = total


@kernel
def add_projected(P, high, low, at, beyond):
    """Add L^T K L to the matrix, or to the one that begins `beyond` numbers after it: K, six by six
    numbers from `at` on in P.newton, between the movers `high` and `low`.
    """
    where, A = P.numbering, P.newton
    p, q = where[where[high, HOST], PLACE], where[where[low, HOST], PLACE]
    wide, narrow = 6 * where[where[high, HOST], SPAN], 6 * where[where[low, HOST], SPAN]
    for row in range(wide):
        r0 = r1 = r2 = r3 = r4 = r5 = 0.0
        for m in range(6):
            f, k = coefficient(P, high, m, row), at + 6 * m
            if f != 0.0:
                r0, r1, r2 = r0 + f * A[k], r1 + f * A[k + 1], r2 + f * A[k + 2]
                r3, r4, r5 = r3 + f * A[k + 3], r4 + f * A[k + 4], r5 + f * A[k + 5]
        # above the diagonal nothing is kept
        for column in range(min(narrow, 6 * (p + row // 6 - q + 1))):
            A[beyond + entry(where, p + row // 6, row % 6, q + column // 6, column % 6)] += (
                r0 * coefficient(P, low, 0, column)
                + r1 * coefficient(P, low, 1, column)
                + r2 * coefficient(P, low, 2, column)
                + r3 * coefficient(P, low, 3, column)
                + r4 * coefficient(P, low, 4, column)
                + r5 * coefficient(P, low, 5, column)
            )


@kernel(options=INLINED)
def coefficient(P, k, row, column):
    """An entry of L in the six rows of mover k."""
    b = P.numbering[k, BLOCK]
    if b < 0:
        return 1.0 if row == column else 0.0
    n = 6 * P.blocks[b, B_COUNT]
    return P.factor[P.blocks[b, B_START] + (6 * (k - P.blocks[b, B_MOVER]) + row) * n + column]


@kernel
def fill_masses(P, island):
    """Mass and inertia of the free bodies."""
    for k in range(P.islands[island, I_MOVER0], P.islands[island, I_MOVER1]):
        if P.numbering[k, HOST] < 0 or P.numbering[k, BLOCK] >= 0:
            continue
        A, at = P.newton, HEAD * P.numbering[k, PLACE]
        a, b, c, d, e, f = (
            P.mass[k, 1],
            P.mass[k, 2],
            P.mass[k, 3],
            P.mass[k, 4],
            P.mass[k, 5],
            P.mass[k, 6],
        )
        xx, xy, xz = d * f - e * e, c * e - b * f, b * e - c * d
        det = a * xx + b * xy + c * xz
        A[at + MASS] = 1.0 / P.mass[k, 0]
        A[at + INERTIA], A[at + INERTIA + 1], A[at + INERTIA + 2] = xx / det, xy / det, xz / det
        A[at + INERTIA + 3], A[at + INERTIA + 4], A[at + INERTIA + 5] = (
            (a * f - c * c) / det,
            (b * c - a * e) / det,
            (a * d - b * b) / det,
        )


@kernel(options=INLINED)
def momentum(P, k, twist):
    """Momentum and angular momentum (6) of free body k at its twist (movers, 6)."""
    A, h = P.newton, HEAD * P.numbering[k, PLACE]
    m, x, y, z = A[h + MASS], twist[k, 3], twist[k, 4], twist[k, 5]
    return (
        m * twist[k, 0],
        m * twist[k, 1],
        m * twist[k, 2],
        A[h + 1] * x + A[h + 2] * y + A[h + 3] * z,
        A[h + 2] * x + A[h + 4] * y + A[h + 5] * z,
        A[h + 3] * x + A[h + 5] * y + A[h + 6] * z,
    )


@kernel
def imbalance(P, island, t):
    """|y - L^T f|^2 of the velocities after the part t of their step, f being the wrenches in
    P.wrench [J].
    """
    A, f, total = P.newton, P.wrench, 0.0
    for k in range(P.islands[island, I_MOVER0], P.islands[island, I_MOVER1]):
        if P.numbering[k, HOST] != k:
            continue
        b, h = P.numbering[k, BLOCK], HEAD * P.numbering[k, PLACE]
        if b >= 0:
            n = 6 * P.blocks[b, B_COUNT]
            for c in range(6 * P.numbering[k, SPAN]):
                at = h + HEAD * (c // 6) + c % 6
                miss = A[at] + (t * A[at + STEP] if t > 0.0 else 0.0)
                for p in range(n):
                    miss -= P.factor[P.blocks[b, B_START] + p * n + c] * f[k + p // 6, p % 6]
                total += miss * miss
            continue
        before, M = momentum(P, k, P.twist), P.mass
        step = momentum(P, k, P.change) if t > 0.0 else (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        u, v, w = (
            before[0] + t * step[0] - f[k, 0],
            before[1] + t * step[1] - f[k, 1],
            before[2] + t * step[2] - f[k, 2],
        )
        x, y, z = (
            before[3] + t * step[3] - f[k, 3],
            before[4] + t * step[4] - f[k, 4],
            before[5] + t * step[5] - f[k, 5],
        )
        total += M[k, 0] * (u * u + v * v + w * w)
        total += x * (M[k, 1] * x + M[k, 2] * y + M[k, 3] * z)
        total += y * (M[k, 2] * x + M[k, 4] * y + M[k, 5] * z)
        total += z * (M[k, 3] * x + M[k, 5] * y + M[k, 6] * z)
    return total
