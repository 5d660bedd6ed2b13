"""A symmetric positive matrix of six rows per place in its envelope: from the first entry of a row
that is not zero to the diagonal.

A free body has one place, a mechanism one for every six of its freedoms (coordinates.py).  Places
are numbered by their distance in contacts from an outer one (Cuthill & McKee 1969), so that
touching bodies are near each other in the matrix.
"""

import math

from mechstudio.engine.contacts.cone.problem import I_FIRST, I_LAST, I_MOVER0, I_MOVER1
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel

# P.numbering: of a mover its host (the first mover of its mechanism, itself for a free body, -1 for
# a fixed one), the host's number of places, first place and distance, its block or -1; of a place
# its first block and the beginning of its rows
HOST, SPAN, PLACE, AWAY, BLOCK, LEFT, BEGIN = range(7)
# P.newton: of each place of a free body mass and inertia xx xy xz yy yz zz in W, of one of a
# mechanism its velocities; right side and then solution (6); after them the envelope
MASS, INERTIA, STEP, HEAD = 0, 1, 7, 13
SCRATCH = 36  # numbers at the end of P.newton


@kernel
def spread_distances(P, island, start):
    """Distances in contacts from one host.  Returns the farthest host.  Paths do not pass through
    fixed movers, and unreachable hosts follow at greater distances.
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
                    a, b = host(P, island, side[i, end]), host(P, island, side[i, 1 - end])
                    if a < 0 or b < 0:
                        continue
                    if where[a, AWAY] >= 0 and (
                        where[b, AWAY] < 0 or where[b, AWAY] > where[a, AWAY] + 1
                    ):
                        where[b, AWAY] = where[a, AWAY] + 1
                        changed = True
        left, far = -1, 0
        for k in range(m0, m1):
            far = max(far, where[k, AWAY])
            if left < 0 and where[k, AWAY] < 0 and where[k, HOST] == k:
                left = k
        for k in range(m0, m1):
            if where[k, AWAY] == far:
                farthest = k
        if left < 0:
            break
        where[left, AWAY] = far + 1
    return farthest


@kernel(options=INLINED)
def host(P, island, k):
    """The host of mover k; -1 if k is fixed or not in the island."""
    I = P.islands
    return P.numbering[k, HOST] if I[island, I_MOVER0] <= k < I[island, I_MOVER1] else -1


@kernel
def number_rows(P, island):
    """Places of the hosts and the envelope of the matrix.  Returns the number of places, -1 if
    nothing moves or the island is too large.
    """
    I, where = P.islands, P.numbering
    m0, m1 = I[island, I_MOVER0], I[island, I_MOVER1]
    start = -1
    for k in range(m0, m1):
        where[k, PLACE] = -1
        if start < 0 and where[k, HOST] == k:
            start = k
    if start < 0:
        return -1
    spread_distances(P, island, spread_distances(P, island, start))
    places, away = 0, 0
    while True:
        found = False
        for k in range(m0, m1):
            if where[k, AWAY] == away and where[k, HOST] == k:
                where[k, PLACE] = places
                for p in range(places, places + where[k, SPAN]):
                    where[p, LEFT] = places
                places += where[k, SPAN]
                found = True
        if not found:
            break
        away += 1
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        a, b = host(P, island, P.side[i, 0]), host(P, island, P.side[i, 1])
        if a >= 0 and b >= 0:
            low, high = (a, b) if where[a, PLACE] < where[b, PLACE] else (b, a)
            for p in range(where[high, PLACE], where[high, PLACE] + where[high, SPAN]):
                where[p, LEFT] = min(where[p, LEFT], where[low, PLACE])
    at = HEAD * places
    for p in range(places):
        # six rows of equal length, those above the diagonal of the last block with them
        where[p, BEGIN] = at
        at += 36 * (p - where[p, LEFT] + 1)
    return places if at <= P.newton.shape[0] - SCRATCH else -1


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


@kernel
def solve_unsymmetric(P, places, beyond):
    """Factor a matrix of the same envelope on both sides of its diagonal into L U, and put the
    solution in place of the right sides.

    Its upper part is transposed, `beyond` numbers after the lower one.  No pivots are searched for.
    """
    where, A = P.numbering, P.newton
    for i in range(6 * places):
        p, first = i // 6, 6 * where[i // 6, LEFT]
        row = where[p, BEGIN] + (i - 6 * p) * 6 * (p - where[p, LEFT] + 1) - first
        total, pivot = A[HEAD * p + STEP + i - 6 * p], A[row + i]
        for j in range(first, i):
            q = j // 6
            begin = 6 * where[q, LEFT]
            other = where[q, BEGIN] + (j - 6 * q) * 6 * (q - where[q, LEFT] + 1) - begin
            lower, upper = A[row + j], A[beyond + row + j]
            for c in range(max(first, begin), j):
                lower -= A[row + c] * A[beyond + other + c]
                upper -= A[beyond + row + c] * A[other + c]
            lower /= A[beyond + other + j]
            A[row + j], A[beyond + row + j] = lower, upper
            pivot -= lower * upper
            total -= lower * A[HEAD * q + STEP + j - 6 * q]
        if abs(pivot) < 1e-300:
            pivot = 1e-300
        A[beyond + row + i] = pivot
        A[HEAD * p + STEP + i - 6 * p] = total
    for i in range(6 * places - 1, -1, -1):
        p, first = i // 6, 6 * where[i // 6, LEFT]
        row = where[p, BEGIN] + (i - 6 * p) * 6 * (p - where[p, LEFT] + 1) - first
        x = A[HEAD * p + STEP + i - 6 * p] / A[beyond + row + i]
        A[HEAD * p + STEP + i - 6 * p] = x
        for j in range(first, i):
            A[HEAD * (j // 6) + STEP + j - 6 * (j // 6)] -= A[beyond + row + j] * x
