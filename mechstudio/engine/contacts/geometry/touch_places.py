"""Places of touch of contacts that close within a step: their impulses act there, not at the place
of the gap.

A ball that flies over a floor by 8 m/s and reaches it within the step has the gap below it at the
beginning, and touches 8 mm farther.  An impulse at the middle of that gap would have a moment other
than R times the impulse.  Both shapes are therefore moved to the instant at which the gap closes,
at the velocities before the step.  Place and normal are those of that instant, and so are the
origins of the arms of both bodies.
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import CONTACTS, PROBLEM
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.fast import copy_placement
from mechstudio.engine.contacts.geometry.shapes import KIND, MESH
from mechstudio.engine.contacts.geometry.vectors import dot
from mechstudio.engine.contacts.geometry.work import MOTION
from mechstudio.engine.contacts.kernel_table import EVERY, NOTHING, TABLES, alone
from mechstudio.engine.contacts.stepping.contact_rows import SHAPES
from mechstudio.engine.contacts.stepping.surface_motion import (
    approach_at,
    find_pair,
    order_of_pair,
    same_contact,
    velocity_at,
)

TURNS = 8  # searches for the instant of touch
CLOSED = 1e-9  # of the mechanism's size: gap that counts as closed


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM, SHAPES, POINTS)
def meet(T, S, P, table, points):
    """Fill S.bends for the contacts of bodies that close within the step.  Nodes, shapes and
    S.velocities are those at the beginning of the step.
    """
    X, h, closed = table.work.placed, S.settings[s.STEP], CLOSED * S.settings[s.SIZE]
    for i in range(P.size[CONTACTS]):
        S.bends[i, s.CLOSES] = 0.0
        p = S.order[i]
        if S.bends[i, s.SMOOTH] > 0.0 or points.shape_a[p] < 0 or points.gap[p] <= closed:
            continue
        # farther apart than the motion of both
        if points.gap[p] > X[points.shape_a[p], MOTION] + X[points.shape_b[p], MOTION]:
            continue
        vx, vy, vz = approach_at(
            T,
            S,
            points.body_a[p],
            points.body_b[p],
            0.0,
            points.point[p, 0],
            points.point[p, 1],
            points.point[p, 2],
        )
        closing = -dot(vx, vy, vz, points.normal[p, 0], points.normal[p, 1], points.normal[p, 2])
        if points.gap[p] < h * closing:
            meet_contact(T, S, i, table, points, points.gap[p] / closing, closed)


@kernel
def meet_contact(T, S, i, table, points, time, closed):
    """Row i of S.bends for a contact that closes after about `time` [s]."""
    shapes, W, p, h = table.shapes, table.work, S.order[i], S.settings[s.STEP]
    X, B = W.placed, S.bends
    low, high, a, b = points.shape_a[p], points.shape_b[p], points.body_a[p], points.body_b[p]
    _, _, sign = order_of_pair(shapes, p, points)
    margin = S.settings[s.MARGIN] + X[low, MOTION] + X[high, MOTION]
    here, there = shapes.ints.shape[0], shapes.ints.shape[0] + 1
    copy_placement(X, low, high, here, there)
    # if the feature is another one then: the place midway, moved by both
    ax, ay, az = velocity_at(
        T, S, a, 0.0, points.point[p, 0], points.point[p, 1], points.point[p, 2]
    )
    bx, by, bz = velocity_at(
        T, S, b, 0.0, points.point[p, 0], points.point[p, 1], points.point[p, 2]
    )
    B[i, s.CLOSES] = time
    B[i, s.HALFWAY], B[i, s.HALFWAY + 1] = (
        points.point[p, 0] + 0.5 * time * (ax + bx),
        points.point[p, 1] + 0.5 * time * (ay + by),
    )
    B[i, s.HALFWAY + 2] = points.point[p, 2] + 0.5 * time * (az + bz)
    for k in range(3):
        B[i, s.HALFWAY + 3 + k] = points.normal[p, k]
    # accurate enough for two meshes: a search for each of their many contacts would take long
    if min(shapes.ints[low, KIND], shapes.ints[high, KIND]) >= MESH:
        return
    for _ in range(TURNS):
        found = find_pair(shapes, W, low, high, margin, time / h)
        c = same_contact(W, found, points.key[p])
        if c < 0:
            break
        gap = W.out[c, 0]
        B[i, s.CLOSES] = time
        for k in range(3):
            B[i, s.HALFWAY + k], B[i, s.HALFWAY + 3 + k] = W.out[c, 1 + k], sign * W.out[c, 4 + k]
        vx, vy, vz = approach_at(T, S, a, b, time, W.out[c, 1], W.out[c, 2], W.out[c, 3])
        closing = -dot(vx, vy, vz, B[i, s.HALFWAY + 3], B[i, s.HALFWAY + 4], B[i, s.HALFWAY + 5])
        if abs(gap) <= closed or not closing > 0.0:
            break
        time = min(max(time + gap / closing, 0.0), h)
    copy_placement(X, here, there, low, high)
