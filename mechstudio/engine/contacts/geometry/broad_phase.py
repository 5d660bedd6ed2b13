"""Broad phase of the contact search, which finds the shapes that may be near each other: a uniform
grid for those of like size, sweep and prune for the others, planes by themselves.

Nothing is allocated: if the list of pairs has no room, the pairs are only counted, and the caller
makes room and repeats the search.
Both kernels are called by address (engine/contacts/kernel_calls.py) as (T, W, pairs so far,
nothing, margin) -> pairs.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.shapes import BODY, BOUND, GROUP, KIND, PLANE
from mechstudio.engine.contacts.geometry.work import CELL, HIGH, LOW, MOTION, ORDER, SORTED, SWEPT

# rows of cells before a cell's own row are handled by their own shapes
_DY = (0, 1, -1, 0, 1)
_DZ = (0, 0, 1, 1, 1)


@kernel
def may_contact(ints, excluded, i, j):
    """True if two shapes belong to bodies that are allowed to be in contact."""
    a, b = ints[i, BODY], ints[j, BODY]
    if a == b or (ints[i, GROUP] != 0 and ints[i, GROUP] == ints[j, GROUP]):
        return False
    count = excluded.shape[0]
    if count == 0:
        return True
    code = ((min(a, b) + 1) << 31) | (max(a, b) + 1)
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if excluded[middle] < code:
            low = middle + 1
        else:
            high = middle
    return not (low < count and excluded[low] == code)


@kernel
def boxes_meet(X, i, j):
    """True if the axis-aligned boxes of shapes i and j overlap."""
    return (
        X[i, LOW] <= X[j, HIGH]
        and X[j, LOW] <= X[i, HIGH]
        and X[i, LOW + 1] <= X[j, HIGH + 1]
        and X[j, LOW + 1] <= X[i, HIGH + 1]
        and X[i, LOW + 2] <= X[j, HIGH + 2]
        and X[j, LOW + 2] <= X[i, HIGH + 2]
    )


@kernel
def near(X, S, i, j, margin):
    """True if the bounding boxes and the bounding spheres of two shapes meet, the spheres with the
    margin.
    """
    if not boxes_meet(X, i, j):
        return False
    dx, dy, dz = X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2]
    r = S[i, BOUND] + S[j, BOUND] + X[i, MOTION] + X[j, MOTION] + margin
    return dx * dx + dy * dy + dz * dz <= r * r


@kernel
def add_pair(pairs, ints, excluded, i, j, count):
    """Write a pair that may touch, the lower kind first, and of equal kinds the lower number."""
    if not may_contact(ints, excluded, i, j):
        return count
    if count < pairs.shape[0]:
        a, b = ints[i, KIND], ints[j, KIND]
        if a > b or (a == b and i > j):
            i, j = j, i
        pairs[count, 0], pairs[count, 1] = i, j
    return count + 1


@kernel
def sort_by_cell(X, S, small, side, width, margin, marks, head, balls):
    """Sort shapes by cell, x fastest: marks[:, SORTED], head: where each cell begins; balls: centre
    and reach in that order.  Returns how many are too fast.

    The grid has `side` cells each way, a power of two, and continues periodically, so that it needs
    no limits.
    """
    cells, n, fast = side * side * side, small.shape[0], 0
    for c in range(cells + 1):
        head[c] = 0
    for k in range(n):
        i = small[k]
        if 16.0 * X[i, MOTION] > width:
            marks[i, CELL] = -1
            marks[n - 1 - fast, ORDER] = i
            fast += 1
            continue
        x, y, z = (
            int(math.floor(X[i, 0] / width)),
            int(math.floor(X[i, 1] / width)),
            int(math.floor(X[i, 2] / width)),
        )
        c = (((z & (side - 1)) * side) + (y & (side - 1))) * side + (x & (side - 1))
        marks[i, CELL] = c
        head[c + 1] += 1
    for c in range(cells):
        head[c + 1] += head[c]
    # fill from behind: afterwards head[c + 1] is where cell c begins
    for k in range(n - 1, -1, -1):
        i = small[k]
        c = marks[i, CELL]
        if c >= 0:
            head[c + 1] -= 1
            m = head[c + 1]
            marks[m, SORTED] = i
            balls[m, 0], balls[m, 1], balls[m, 2], balls[m, 3] = (
                X[i, 0],
                X[i, 1],
                X[i, 2],
                S[i, BOUND] + X[i, MOTION] + 0.5 * margin,
            )
    for c in range(cells):
        head[c] = head[c + 1]
    head[cells] = n - fast
    return fast


@kernel
def grid_pairs(T, W, begin, nothing, margin):
    """Pairs among the shapes of like size; those that are too fast for the grid are compared with
    all.
    """
    X, S, ints, pairs, marks, head, small, balls = (
        W.placed,
        T.numbers,
        T.ints,
        W.pairs,
        W.marks,
        W.head,
        T.small,
        W.balls,
    )
    n, widest = small.shape[0], 0.0
    for k in range(n):
        widest = max(widest, S[small[k], BOUND])
    # two shapes that meet lie in cells side by side; a fast one, of more than a sixteenth of a
    # cell, does not widen the cells of all
    width = (2.0 * widest + margin) * 8.0 / 7.0
    side = 4
    while side * side * side < head.shape[0] - 1:
        side *= 2
    fast = sort_by_cell(X, S, small, side, width, margin, marks, head, balls)
    count, mask = begin, side - 1
    for m in range(n - fast):
        i = marks[m, SORTED]
        x, y, z, r = balls[m, 0], balls[m, 1], balls[m, 2], balls[m, 3]
        c = marks[i, CELL]
        cx, cy, cz = c & mask, (c // side) & mask, c // (side * side)
        inside = 0 < cx < mask
        for row in range(5):
            base = (((cz + _DZ[row]) & mask) * side + ((cy + _DY[row]) & mask)) * side
            # three cells of a row are adjacent unless the row wraps round; of its own row, those
            # after it
            for part in range(1 if inside else 3):
                if inside:
                    low, high = head[base + cx - 1], head[base + cx + 2]
                    if row == 0:
                        low = m + 1
                else:
                    cell = base + ((cx + part - 1) & mask)
                    low, high = head[cell], head[cell + 1]
                    if row == 0:
                        if part == 0:
                            continue
                        if part == 1:
                            low = m + 1
                for k in range(low, high):
                    dx, dy, dz, both = (
                        balls[k, 0] - x,
                        balls[k, 1] - y,
                        balls[k, 2] - z,
                        balls[k, 3] + r,
                    )
                    if dx * dx + dy * dy + dz * dz <= both * both:
                        j = marks[k, SORTED]
                        if boxes_meet(X, i, j):
                            count = add_pair(pairs, ints, T.excluded, i, j, count)
    for f in range(fast):
        i = marks[n - 1 - f, ORDER]
        for k in range(n):
            j = small[k]
            if (marks[j, CELL] >= 0 or j > i) and near(X, S, i, j, margin):
                count = add_pair(pairs, ints, T.excluded, i, j, count)
    return count


@kernel
def sweep_pairs(T, W, begin, nothing, margin):
    """Pairs among the other shapes, in the order of their low ends along x, and of each with all of
    like size.
    """
    X, S, ints, pairs, marks, small, large = (
        W.placed,
        T.numbers,
        T.ints,
        W.pairs,
        W.marks,
        T.small,
        T.large,
    )
    count, n = begin, large.shape[0]
    # the order of the last call is almost correct
    if W.counts[SWEPT] != n:
        for k in range(n):
            marks[k, ORDER] = large[k]
    for k in range(1, n):
        i = marks[k, ORDER]
        low = X[i, LOW]
        m = k - 1
        while m >= 0 and X[marks[m, ORDER], LOW] > low:
            marks[m + 1, ORDER] = marks[m, ORDER]
            m -= 1
        marks[m + 1, ORDER] = i
    # the grid uses the same column
    W.counts[SWEPT] = n if small.shape[0] == 0 else 0
    for k in range(n):
        i = marks[k, ORDER]
        high = X[i, HIGH]
        for m in range(k + 1, n):
            j = marks[m, ORDER]
            if X[j, LOW] > high:
                break
            if near(X, S, i, j, margin):
                count = add_pair(pairs, ints, T.excluded, i, j, count)
        for m in range(small.shape[0]):
            j = small[m]
            if near(X, S, i, j, margin):
                count = add_pair(pairs, ints, T.excluded, i, j, count)
    return count


@kernel
def plane_pairs(ints, planes, excluded, X, margin, pairs, count):
    """Write the pairs of each plane and a shape whose box comes within `margin` of it after the
    first `count` rows; return the new count."""
    for p in range(planes.shape[0]):
        i = planes[p]
        nx, ny, nz = X[i, 5], X[i, 8], X[i, 11]
        d = nx * X[i, 0] + ny * X[i, 1] + nz * X[i, 2]
        for j in range(ints.shape[0]):
            if ints[j, KIND] == PLANE or ints[j, BODY] < 0:
                continue
            low = (
                nx * X[j, LOW if nx > 0.0 else HIGH]
                + ny * X[j, LOW + 1 if ny > 0.0 else HIGH + 1]
                + nz * X[j, LOW + 2 if nz > 0.0 else HIGH + 2]
            )
            # boxes are wider by half the margin only
            if low <= d + 0.5 * margin:
                count = add_pair(pairs, ints, excluded, i, j, count)
    return count
