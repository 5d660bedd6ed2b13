"""Overlaps of bodies, and storage of the state before a step, which is repeated in shorter parts if
it leads too deep or an impact meets a stiff spring.

A contact holds one point of a body for a step, assuming straight motion.  In a fast turn other
points come down meanwhile: a rod of 1 m that spins at
500 rad/s turns by 29 degrees within 1 ms.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.fast import nearing
from mechstudio.engine.contacts.geometry.shapes import BODY, BOUND, KIND, SPHERE
from mechstudio.engine.contacts.geometry.work import SPIN
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NOTHING, VECTOR, alone

TOO_DEEP = 1e-4  # of the size of a body: largest overlap after a step
FAST_TURN = (
    0.004  # turn in a step from which the path of a point may bend by more than the rest of it
)
SHALLOW = (
    2e-3  # share up to which overlaps are removed at the end of the step (overlap_correction.py)
)
UNSEEN = 0.5  # of the margin: gap before a step from which an elastic contact may be unknown in it
MOST_PARTS = 4096  # of a step
# S.counts[PAST]: nothing is stored; the state before the step is stored; it is stored, and the step
# is made in parts
NO_PAST, KEPT_PAST, IN_PARTS = range(3)
# places of S.past: the state before the whole step, and before a part of it
WHOLE, PART = range(2)


@kernel
def deepest_overlap(S, table, points):
    """(largest overlap [m], largest overlap as a share of the size of the smaller moving body, its
    point) among points; compliant contacts are left out of the latter.
    """
    depth = share = 0.0
    at = -1
    for p in range(points.count[0]):
        if points.shape_a[p] < 0 or points.gap[p] >= 0.0:
            continue
        depth = max(depth, -points.gap[p])
        size = own_size(S, table, points, p)
        if -points.gap[p] > share * size and size > 0.0:
            share, at = -points.gap[p] / size, p
    return depth, share, at


@kernel
def own_size(S, table, points, p):
    """Size of the smaller moving body at point p [m]; 0 for compliant contacts and for joints at
    their stops.
    """
    ints, numbers = table.shapes.ints, table.shapes.numbers
    a, b = points.shape_a[p], points.shape_b[p]
    if a < 0 or is_elastic(S, table, points, p):
        return 0.0
    size = 1e300
    if ints[a, BODY] >= 0:
        size = 2.0 * numbers[a, BOUND]
    if ints[b, BODY] >= 0:
        size = min(size, 2.0 * numbers[b, BOUND])
    return size


@kernel
def is_elastic(S, table, points, p):
    """True for a point of surfaces with a compliance."""
    a, b, count = points.shape_a[p], points.shape_b[p], int(math.sqrt(S.materials.shape[0] + 0.5))
    return a >= 0 and S.materials[table.material[a] * count + table.material[b], s.COMPLIANCE] > 0.0


@kernel
def sinks_unseen(S, table, points):
    """True if elastic surfaces overlap that were no contact at the beginning of the step: beyond
    the margin of the search, by their speed at present.  Shapes are at its end.

    No force has acted there, and what it gives back would be energy out of nothing.
    """
    for p in range(points.count[0]):
        if points.gap[p] >= 0.0 or not is_elastic(S, table, points, p):
            continue
        way = nearing(
            table.work.placed,
            points.shape_a[p],
            points.shape_b[p],
            points.point[p, 0],
            points.point[p, 1],
            points.point[p, 2],
            points.normal[p, 0],
            points.normal[p, 1],
            points.normal[p, 2],
        )
        if points.gap[p] + way > UNSEEN * S.settings[s.MARGIN]:
            return True
    return False


@kernel
def turns_fast(S, table, points):
    """True if a touching body turns so fast that points of it without contacts may sink in within
    the step.  Shapes are at the beginning of the step.
    """
    X, ints, numbers, margin = (
        table.work.placed,
        table.shapes.ints,
        table.shapes.numbers,
        S.settings[s.MARGIN] ** 2,
    )
    for p in range(points.count[0]):
        if points.shape_a[p] < 0:
            continue
        for side in range(2):
            i = points.shape_a[p] if side == 0 else points.shape_b[p]
            turn = X[i, SPIN] ** 2 + X[i, SPIN + 1] ** 2 + X[i, SPIN + 2] ** 2
            if (
                (turn > FAST_TURN**2 or turn * numbers[i, BOUND] ** 2 > margin)
                and ints[i, BODY] >= 0
                and ints[i, KIND] != SPHERE
            ):
                return True
    return False


@kernel
def copy_numbers(a, past, at, back):
    """Copy numbers a into past from `at` on, or back.  Returns the next position."""
    for k in range(a.shape[0]):
        if back:
            a[k] = past[at + k]
        else:
            past[at + k] = a[k]
    return at + a.shape[0]


@kernel
def copy_rows(a, width, past, at, back):
    """Copy a table into past from `at` on, or back.  Returns the next position."""
    for i in range(a.shape[0]):
        for c in range(width):
            if back:
                a[i, c] = past[at + i * width + c]
            else:
                past[at + i * width + c] = a[i, c]
    return at + a.shape[0] * width


@kernel
def past_start(S, place):
    """First entry of a place of S.past: the length of the step before, then y."""
    return place * (S.past.shape[0] // 2)


@kernel
def impacts_before(S, place):
    """S.counts[IMPACTS] as stored in a place of S.past."""
    return S.past_counts[place * (S.past_counts.shape[0] // 2) + s.IMPACTS]


@kernel
def copy_past(y, S, place, back):
    """Copy all data that a step reads of earlier steps into a place of S.past, or back."""
    at = copy_numbers(y, S.past, past_start(S, place) + 1, back)
    at = copy_numbers(S.tally, S.past, at, back)
    at = copy_numbers(S.still, S.past, at, back)
    at = copy_numbers(S.jump, S.past, at, back)
    at = copy_rows(S.remembered, s.REMEMBERED_WIDTH, S.past, at, back)
    copy_rows(S.stops, s.STOP_WIDTH, S.past, at, back)
    at = copy_numbers(S.counts, S.past_counts, place * (S.past_counts.shape[0] // 2), back)
    at = copy_numbers(S.hashes, S.past_counts, at, back)
    copy_numbers(S.slots, S.past_counts, at, back)


@alone(EVERY, NOTHING, VECTOR, s.STAGE, INDEX)
def store_past(y, S, place):
    """Store the state before a step."""
    S.past[past_start(S, place)] = S.settings[s.TAKEN]
    copy_past(y, S, place, False)
    S.counts[s.PAST] = KEPT_PAST if place == WHOLE else IN_PARTS


@alone(EVERY, NOTHING, VECTOR, s.STAGE, INDEX)
def restore_past(y, S, place):
    """Restore the state before the step."""
    copy_past(y, S, place, True)
    S.settings[s.TAKEN] = S.past[past_start(S, place)]
