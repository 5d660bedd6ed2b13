"""Lasting contacts of surfaces that roll and slide on each other: their motion in a step, to second
order.

Frames of the beginning of a step open a gap of curvature h^2 / 2, which would be closed as an
impact, with an energy loss of first order.  In an island without closing contacts, impulses
therefore act at the middle of the step and their result is required at its end:

    v+ = v + h a + W D_m gamma,     gamma  _|_  D_m^T v+ + (D_e - D_m)^T v + b
        m, e: poses that v leads to after h / 2 and h
    if it surely slides: gamma against  D_m^T (v + v+),  the mean slip

Rows of joints, couplings and drives are those of the middle too, where the midpoint rule needs
accelerations.  Velocities of bodies rotate with their joints at constant rates of these, the bias
of D_e and D_m.  D_e - D_m is O(h) and so is v+ - v: the neglected terms are O(h^2), as of the poses
(Hairer, Lubich & Wanner 2006, section VII.1, of projected midpoint rules).
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.cone import tangents
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import (
    I_ASLEEP,
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    ISLANDS,
    PROBLEM,
)
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.fast import copy_placement, move
from mechstudio.engine.contacts.geometry.round import balls
from mechstudio.engine.contacts.geometry.shapes import BODY, BOX, KIND, KINDS, SPHERE
from mechstudio.engine.contacts.geometry.vectors import cross, dot, inward
from mechstudio.engine.contacts.geometry.work import FEATURE_BITS, MOTION
from mechstudio.engine.contacts.kernel_calls import call
from mechstudio.engine.contacts.kernel_table import (
    EVERY,
    INDEX,
    NOTHING,
    NUMBER,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.contacts.stepping.contact_rows import SHAPES, origin_speed
from mechstudio.engine.kernels.columns import ACC, DOF, NQ, NV, V0, O, V, W
from mechstudio.engine.kernels.kinematics import poses, step_coordinates

STILL = 1e-6  # of the mechanism's size: displacement in a step below which nothing bends
INEXACT = 100.0  # times the tolerance of velocities: as fast, what lasts may seem to close
# cosine of the largest angle by which a normal may turn within a step; a reversed one belongs to
# another side of the body
STRAIGHT = 0.9
# bend of the path of a place within a step, of its length, from which the place jumps: lines that
# are nearly parallel touch at one end and then at the other
JUMP = 0.25


@alone(EVERY, INDEX, TABLES, s.STAGE, PROBLEM, SHAPES, POINTS)
def follow_surfaces(T, S, P, table, points):
    """Fill S.bends for the contacts of all islands that move smoothly in this step.  Returns the
    number of these contacts.  Nodes, shapes and S.velocities are those at the beginning of the
    step.
    """
    count = 0
    for e in range(P.size[ISLANDS]):
        first, last = P.islands[e, I_FIRST], P.islands[e, I_LAST]
        smooth = (
            may_bend(T, S, P, e)
            and find_frames(T, S, first, last, 0.5, table, points)
            and find_frames(T, S, first, last, 1.0, table, points)
        )
        for i in range(first, last):
            smooth = smooth and not strikes(T, S, i, points)
        for i in range(first, last):
            S.bends[i, s.SMOOTH] = 1.0 if smooth else 0.0
        if smooth:
            count += last - first
    return count


@kernel
def may_bend(T, S, P, e):
    """True for an island that is awake and not at rest."""
    I, size, fastest = P.islands, S.settings[s.SIZE], 0.0
    if S.settings[s.SECOND_ORDER] == 0.0 or S.settings[s.SLOP] < 0.0 or I[e, I_ASLEEP] == 1:
        return False
    for k in range(I[e, I_MOVER0], I[e, I_MOVER1]):
        u = S.unit_of_node[S.node_of_mover[k]]
        for n in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[n]
            for j in range(T.nodes[i, DOF]):
                # for joints all rates count as turns, since following too many surfaces does no
                # harm
                rate = abs(S.before[T.nodes[i, V0] + j])
                fastest = max(fastest, size * rate, 0.0 if S.unit_free[u] == 1 and j >= 3 else rate)
    return S.settings[s.STEP] * fastest > STILL * size


@kernel
def velocity_at(T, S, b, t, x, y, z):
    """Velocity in W of body b at a place, after the time t at constant velocities."""
    if b < 0:
        return 0.0, 0.0, 0.0
    i, v, a = T.bodies[b, 0], S.velocities, S.bias
    # of a free body the centre of mass, which moves straight
    cx, cy, cz = origin_speed(T, S, b)
    ax, ay, az = cross(
        v[b, 3] + t * a[b, 3],
        v[b, 4] + t * a[b, 4],
        v[b, 5] + t * a[b, 5],
        x - T.node[i, O] - t * cx,
        y - T.node[i, O + 1] - t * cy,
        z - T.node[i, O + 2] - t * cz,
    )
    return cx + t * a[b, 0] + ax, cy + t * a[b, 1] + ay, cz + t * a[b, 2] + az


@kernel
def approach_at(T, S, a, b, t, x, y, z):
    """Velocity of body b relative to a."""
    ax, ay, az = velocity_at(T, S, a, t, x, y, z)
    bx, by, bz = velocity_at(T, S, b, t, x, y, z)
    return bx - ax, by - ay, bz - az


@kernel
def find_pair(T, W, i, j, margin, t):
    """Fill W.out and W.feature with the contacts of two shapes after the fraction t of the step and
    return their number.  The placements at the beginning stand in the two last rows of W.placed;
    the shapes stay at their placements of t.
    """
    X, here, there = W.placed, T.ints.shape[0], T.ints.shape[0] + 1
    move(X, i, here, t)
    move(X, j, there, t)
    p, q = (i, j) if T.ints[i, KIND] <= T.ints[j, KIND] else (j, i)
    kind = T.ints[q, KIND]
    if kind == SPHERE:
        return balls(
            X[p, 0],
            X[p, 1],
            X[p, 2],
            T.numbers[p, 0],
            X[q, 0],
            X[q, 1],
            X[q, 2],
            T.numbers[q, 0],
            0,
            margin,
            W.out,
            W.feature,
            0,
        )
    address = T.calls[KINDS * T.ints[p, KIND] + kind]
    return call(address, T, W, p, q, margin) if address != 0 else 0


@kernel
def same_contact(W, found, key):
    """Row of W.out with the feature of a contact's key, -1 if none of the `found` rows has it."""
    for c in range(found):
        if W.feature[c] == key & ((1 << FEATURE_BITS) - 1):
            return c
    return -1


@kernel
def find_frames(T, S, first, last, t, table, points):
    """Fill S.bends[:, HALFWAY:] (t = 0.5) or S.bends[:, BENT:] (t = 1) of contacts first … last of
    an island.  Returns False if one of them is another contact then.  Contacts of one pair of
    shapes are adjacent and found by one query.
    """
    shapes, W, B = table.shapes, table.work, S.bends
    X, here, there = W.placed, shapes.ints.shape[0], shapes.ints.shape[0] + 1
    i = first
    while i < last:
        low, high = points.shape_a[S.order[i]], points.shape_b[S.order[i]]
        if low < 0:
            return False
        reach = X[low, MOTION] + X[high, MOTION]
        copy_placement(X, low, high, here, there)
        found = -1
        while i < last and points.shape_a[S.order[i]] == low and points.shape_b[S.order[i]] == high:
            p, known = S.order[i], True
            if t == 0.5:
                B[i, s.SMOOTH] = 1.0
                for k in range(3):
                    B[i, s.BENT + k] = 0.0
            # shapes farther apart than both move do not press, and nothing bends
            if t == 0.5 or (B[i, s.SMOOTH] > 0.0 and points.gap[p] <= reach):
                if found < 0:
                    # normals turn little within a step: other directions are not tried
                    _, _, sign = order_of_pair(shapes, p, points)
                    for k in range(3):
                        W.toward[k] = sign * points.normal[p, k]
                    W.toward[3] = 1.0
                    found = find_pair(shapes, W, low, high, S.settings[s.MARGIN] + reach, t)
                    W.toward[3] = 0.0
                c = same_contact(W, found, points.key[p])
                known = c >= 0 and (
                    halfway(T, S, i, p, c, shapes, W, points)
                    if t == 0.5
                    else bend(T, S, i, p, c, shapes, W, points)
                )
            if not known:
                copy_placement(X, here, there, low, high)
                return False
            i += 1
        copy_placement(X, here, there, low, high)
    return True


@kernel
def order_of_pair(shapes, p, points):
    """First and second shape of contact p by kind, and the sign of its normal in that order."""
    low, high = points.shape_a[p], points.shape_b[p]
    if shapes.ints[low, KIND] <= shapes.ints[high, KIND]:
        return low, high, 1.0
    return high, low, -1.0


@kernel
def halfway(T, S, i, p, c, shapes, W, points):
    """S.bends[i, HALFWAY:] <- place and normal of row c of W.out; True.  SMOOTH <- 0 if the end
    needs no search.
    """
    B, ints = S.bends, shapes.ints
    first, second, sign = order_of_pair(shapes, p, points)
    for k in range(3):
        B[i, s.HALFWAY + k], B[i, s.HALFWAY + 3 + k] = W.out[c, 1 + k], sign * W.out[c, 4 + k]
    if (
        ints[first, KIND] == SPHERE
        and ints[second, KIND] == BOX
        and on_edge(W.placed, second, B[i, s.HALFWAY + 3], B[i, s.HALFWAY + 4], B[i, s.HALFWAY + 5])
    ):
        stay(T, S, i, p, ints[first, BODY], points)
        B[i, s.SMOOTH] = 0.0
    return True


@kernel
def strikes(T, S, i, points):
    """True if contact i of the order closes in the step by more than the bend of surfaces, which is
    an impact: beyond that by a displacement that counts, or as fast as what rebounds.
    """
    p, h = S.order[i], S.settings[s.STEP]
    fast = max(S.settings[s.SLOWEST], INEXACT * S.settings[s.TOLERANCE])
    n = points.normal
    x, y, z = points.point[p, 0], points.point[p, 1], points.point[p, 2]
    vx, vy, vz = approach_at(T, S, points.body_a[p], points.body_b[p], 0.0, x, y, z)
    closing = -h * dot(vx, vy, vz, n[p, 0], n[p, 1], n[p, 2])
    bent = min(2.0 * STILL * S.settings[s.SIZE], h * fast) + 2.0 * h * abs(S.bends[i, s.BENT])
    return points.gap[p] < closing and closing > bent


@kernel
def on_edge(X, box, x, y, z):
    """True if the normal at (x, y, z) is that of no face of a box."""
    u, v, w = inward(X, box, x, y, z)
    return max(abs(u), abs(v), abs(w)) < 1.0 - 1e-12


@kernel
def stay(T, S, i, p, b, points):
    """S.bends[i] <- for an edge ahead of a ball, the frame that box.py found, below the ball of
    body b, without bend.
    """
    B, h = S.bends, S.settings[s.STEP]
    vx, vy, vz = (
        (0.0, 0.0, 0.0)
        if b < 0
        else velocity_at(
            T,
            S,
            b,
            0.0,
            T.node[T.bodies[b, 0], O],
            T.node[T.bodies[b, 0], O + 1],
            T.node[T.bodies[b, 0], O + 2],
        )
    )
    B[i, s.HALFWAY], B[i, s.HALFWAY + 1], B[i, s.HALFWAY + 2] = (
        points.point[p, 0] + 0.5 * h * vx,
        points.point[p, 1] + 0.5 * h * vy,
        points.point[p, 2] + 0.5 * h * vz,
    )
    for k in range(3):
        B[i, s.HALFWAY + 3 + k], B[i, s.BENT + k] = points.normal[p, k], 0.0


@kernel
def bend(T, S, i, p, c, shapes, W, points):
    """S.bends[i, BENT:] <- (D_e - D_m)^T v in the axes of the middle, D_e of row c of W.out;
    returns False if the normal turns too far within the step, or the place jumps.
    """
    if jumps(S, i, p, c, W, points):
        return False
    B, h, out, a, b = S.bends, S.settings[s.STEP], W.out, points.body_a[p], points.body_b[p]
    _, _, sign = order_of_pair(shapes, p, points)
    m, q = s.HALFWAY, s.HALFWAY + 3
    x, y, z = approach_at(T, S, a, b, 0.5 * h, B[i, m], B[i, m + 1], B[i, m + 2])
    X, Y, Z = approach_at(T, S, a, b, h, out[c, 1], out[c, 2], out[c, 3])
    nx, ny, nz = B[i, q], B[i, q + 1], B[i, q + 2]
    ex, ey, ez = sign * out[c, 4], sign * out[c, 5], sign * out[c, 6]
    apart = dot(ex, ey, ez, X, Y, Z)
    B[i, s.BENT] = apart - dot(nx, ny, nz, x, y, z)
    ux, uy, uz, wx, wy, wz = tangents(nx, ny, nz)
    # tangents of the end: those of the middle, less their component along the normal of the end
    X, Y, Z = X - apart * ex, Y - apart * ey, Z - apart * ez
    B[i, s.BENT + 1] = dot(ux, uy, uz, X, Y, Z) - dot(ux, uy, uz, x, y, z)
    B[i, s.BENT + 2] = dot(wx, wy, wz, X, Y, Z) - dot(wx, wy, wz, x, y, z)
    n = points.normal
    return dot(n[p, 0], n[p, 1], n[p, 2], ex, ey, ez) > STRAIGHT


@kernel
def jumps(S, i, p, c, W, points):
    """True if the place of contact i is elsewhere at the end of the step, row c of W.out, than its
    path over the middle leads.
    """
    length = bent = 0.0
    for k in range(3):
        first = S.bends[i, s.HALFWAY + k] - points.point[p, k]
        second = W.out[c, 1 + k] - S.bends[i, s.HALFWAY + k]
        length += first * first + second * second
        bent += (second - first) * (second - first)
    return math.sqrt(bent) > JUMP * math.sqrt(2.0 * length) + STILL * S.settings[s.SIZE]


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, PROBLEM, NUMBER)
def read_bias(y, T, S, P, h):
    """S.bias <- accelerations of all bodies at constant rates of their joints, 0 of free ones.
    Nodes are at the beginning of the step, and y holds the predicted velocities, before and after.
    """
    nq, nodes, D, N = T.size[NQ], T.nodes, T.dof, T.node
    for b in range(T.bodies.shape[0]):
        u = S.unit_of_node[T.bodies[b, 0]]
        if u >= 0 and S.unit_free[u] == 0:
            x, y_, z = origin_speed(T, S, b)
            S.bias[b, 0], S.bias[b, 1], S.bias[b, 2] = x, y_, z
    for j in range(T.size[NV]):
        D[j, ACC] = 0.0
        y[nq + j] = S.before[j]
    for i in range(nodes.shape[0] - 1):
        u = S.unit_of_node[i]
        if S.unit_free[u] == 0 and S.island_of_unit[u] >= 0:
            for j in range(nodes[i, V0], nodes[i, V0] + nodes[i, DOF]):
                D[j, ACC] = 0.5 * h * S.before[j]
    step_coordinates(y, T, ACC)
    poses(y, T)
    for b in range(T.bodies.shape[0]):
        i = T.bodies[b, 0]
        u = S.unit_of_node[i]
        if u >= 0 and S.unit_free[u] == 0:
            for j in range(3):
                S.bias[b, j] = 2.0 / h * (N[i, V + j] - S.bias[b, j])
                S.bias[b, 3 + j] = 2.0 / h * (N[i, W + j] - S.velocities[b, 3 + j])
    for j in range(nq):
        y[j] = S.middle[j]
    for j in range(T.size[NV]):
        y[nq + j] = S.predicted[j]
    poses(y, T)


@alone(EVERY, INDEX, VECTOR, TABLES, s.STAGE, PROBLEM, NUMBER)
def go_halfway(y, T, S, P, h):
    """Move smoothly moving units to the middle of the step, by the velocities before it.  Returns
    the number of mechanisms among them, which S.halfway marks.
    """
    nodes, D, mechanisms = T.nodes, T.dof, 0
    for j in range(T.size[NV]):
        D[j, ACC] = 0.0
    for u in range(S.unit_free.shape[0]):
        e = S.island_of_unit[u]
        if e < 0 or S.bends[P.islands[e, I_FIRST], s.SMOOTH] == 0.0:
            continue
        if S.unit_free[u] == 0:
            S.halfway[u] = 1
            mechanisms += 1
        for n in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[n]
            for j in range(nodes[i, V0], nodes[i, V0] + nodes[i, DOF]):
                D[j, ACC] = 0.5 * h * S.before[j]
    step_coordinates(y, T, ACC)
    return mechanisms
