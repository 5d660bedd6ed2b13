"""A symmetric positive matrix of six rows per mover in its envelope: from the first entry of a row
that is not zero to the diagonal.

Movers are numbered by their distance in contacts from an outer one (Cuthill & McKee 1969), so that
touching ones are near each other in the matrix.
"""

import math

from mechstudio.engine.contacts.cone.problem import (
    B_COUNT,
    B_START,
    I_BLOCK0,
    I_BLOCK1,
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel

# P.numbering: place of a mover in the matrix and its distance; of a place its first block and the
# beginning of its rows
PLACE, AWAY, LEFT, BEGIN = range(4)
# P.newton: of each place mass, inertia xx xy xz yy yz zz in W, right side and then solution (6);
# after them the envelope
MASS, INERTIA, STEP, HEAD = 0, 1, 7, 13


@kernel
def spread_distances(P, island, start):
    """Distances in contacts from one mover.  Returns the farthest mover.  Paths do not pass through
    fixed movers, and unreachable movers follow at greater distances.
    """
    I, where, side = P.islands, P.numbering, P.side
    m0, m1 = I[island, I_MOVER0], I[island, I_MOVER1]
    for k in range(m0, m1):
        where[k, AWAY] = -1
    where[start, AWAY] = 0
    farthest = start
    for _ in range(m0, m1):
        changed = True
        while changed:
            changed = False
            for i in range(I[island, I_FIRST], I[island, I_LAST]):
                for end in range(2):
                    a, b = side[i, end], side[i, 1 - end]
                    if (
                        not (m0 <= a < m1 and m0 <= b < m1)
                        or P.mass[a, 0] == 0.0
                        or P.mass[b, 0] == 0.0
                    ):
                        continue
                    if where[a, AWAY] >= 0 and (
                        where[b, AWAY] < 0 or where[b, AWAY] > where[a, AWAY] + 1
                    ):
                        where[b, AWAY] = where[a, AWAY] + 1
                        changed = True
        left, far = -1, 0
        for k in range(m0, m1):
            far = max(far, where[k, AWAY])
            if left < 0 and where[k, AWAY] < 0 and P.mass[k, 0] > 0.0:
                left = k
        for k in range(m0, m1):
            if where[k, AWAY] == far:
                farthest = k
        if left < 0:
            break
        where[left, AWAY] = far + 1
    return farthest


@kernel
def number_rows(P, island):
    """Places of the movers and the envelope of the matrix.  Returns the number of places, -1 if the
    island is too large or contains a mechanism that gives way.
    """
    I, where, side = P.islands, P.numbering, P.side
    m0, m1 = I[island, I_MOVER0], I[island, I_MOVER1]
    for b in range(I[island, I_BLOCK0], I[island, I_BLOCK1]):
        for x in range(P.blocks[b, B_START], P.blocks[b, B_START] + 36 * P.blocks[b, B_COUNT] ** 2):
            if P.block_matrix[x] != 0.0:
                return -1
    start = -1
    for k in range(m0, m1):
        where[k, PLACE] = -1
        if start < 0 and P.mass[k, 0] > 0.0:
            start = k
    if start < 0:
        return -1
    spread_distances(P, island, spread_distances(P, island, start))
    places, away = 0, 0
    while True:
        found = False
        for k in range(m0, m1):
            if where[k, AWAY] == away and P.mass[k, 0] > 0.0:
                where[k, PLACE] = places
                where[places, LEFT] = places
                places += 1
                found = True
        if not found:
            break
        away += 1
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        a, b = side[i, 0], side[i, 1]
        if m0 <= a < m1 and m0 <= b < m1 and where[a, PLACE] >= 0 and where[b, PLACE] >= 0:
            low, high = min(where[a, PLACE], where[b, PLACE]), max(where[a, PLACE], where[b, PLACE])
            where[high, LEFT] = min(where[high, LEFT], low)
    at = HEAD * places
    for p in range(places):
        # six rows of equal length, those above the diagonal of the last block with them
        where[p, BEGIN] = at
        at += 36 * (p - where[p, LEFT] + 1)
    return places if at <= P.newton.shape[0] else -1


@kernel
def factor_work(P, places):
    """Approximate number of multiplications of a factorisation."""
    total = 0.0
    for p in range(places):
        total += 108.0 * (p - P.numbering[p, LEFT] + 1) ** 2
    return total


@kernel(options=INLINED)
def entry(where, p, row, q, column):
    """Index of a matrix entry in the envelope, in the rows of place p and the columns of place q, q
    <= p.
    """
    return where[p, BEGIN] + row * 6 * (p - where[p, LEFT] + 1) + 6 * (q - where[p, LEFT]) + column


@kernel
def solve_matrix(P, places):
    """Factor the matrix within its envelope, and put the solution in place of the right sides."""
    where, A = P.numbering, P.newton
    for i in range(6 * places):
        p, first = i // 6, 6 * where[i // 6, LEFT]
        row = where[p, BEGIN] + (i - 6 * p) * 6 * (p - where[p, LEFT] + 1) - first
        total = A[HEAD * p + STEP + i - 6 * p]
        square = A[row + i]
        for j in range(first, i):
            q = j // 6
            begin = 6 * where[q, LEFT]
            other = where[q, BEGIN] + (j - 6 * q) * 6 * (q - where[q, LEFT] + 1) - begin
            one, two = A[row + j], 0.0
            low = max(first, begin)
            if (j - low) % 2 == 1:
                one -= A[row + low] * A[other + low]
                low += 1
            for c in range(low, j, 2):
                one -= A[row + c] * A[other + c]
                two += A[row + c + 1] * A[other + c + 1]
            one = (one - two) / A[other + j]
            A[row + j] = one
            square -= one * one
            total -= one * A[HEAD * q + STEP + j - 6 * q]
        pivot = math.sqrt(max(square, 1e-300))
        A[row + i] = pivot
        A[HEAD * p + STEP + i - 6 * p] = total / pivot
    for i in range(6 * places - 1, -1, -1):
        p, first = i // 6, 6 * where[i // 6, LEFT]
        row = where[p, BEGIN] + (i - 6 * p) * 6 * (p - where[p, LEFT] + 1) - first
        x = A[HEAD * p + STEP + i - 6 * p] / A[row + i]
        A[HEAD * p + STEP + i - 6 * p] = x
        for j in range(first, i):
            A[HEAD * (j // 6) + STEP + j - 6 * (j // 6)] -= A[row + j] * x
