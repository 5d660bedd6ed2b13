"""Contacts that last while surfaces roll and slide on each other: where a step takes them, to
second order.

Frames of the beginning of a step open a gap of curvature h^2 / 2, which would be closed as an
impact, and energy be lost to first order.  So in an island where nothing closes, impulses act at
the middle of the step and what they reach is asked for at its end:

    v+ = v + h a + W D_m gamma,     gamma  _|_  D_m^T v+ + (D_e - D_m)^T v + b
        m, e: poses that v leads to after h / 2 and h
    where it slides for sure:       gamma against  D_m^T (v + v+),  the mean slip

and rows of joints, couplings and drives are those of the middle too, where the midpoint rule asks
for accelerations.  Velocities of bodies turn with their joints at constant rates of these: that is
the bias of D_e and D_m.  D_e - D_m is O(h) and so is v+ - v: what is left out is O(h^2), as of the
poses (Hairer, Lubich & Wanner 2006, section VII.1, of projected midpoint rules).
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.calling import call
from mechstudio.engine.contacts.cone.cone import tangents
from mechstudio.engine.contacts.cone.problem import (
    I_ASLEEP,
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    ISLANDS,
    PROBLEM,
)
from mechstudio.engine.contacts.cone.solver import POINTS
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.fast import move
from mechstudio.engine.contacts.geometry.points import FEATURE_BITS
from mechstudio.engine.contacts.geometry.round import balls
from mechstudio.engine.contacts.geometry.shapes import BODY, BOX, KIND, KINDS, SPHERE
from mechstudio.engine.contacts.geometry.vectors import cross, dot, inward
from mechstudio.engine.contacts.geometry.work import MOTION
from mechstudio.engine.contacts.standing import EVERY, INDEX, NOTHING, NUMBER, TABLES, VECTOR, alone
from mechstudio.engine.contacts.stepping.contact_rows import SHAPES, origin_speed
from mechstudio.engine.kernels.columns import ACC, DOF, NQ, NV, V0, O, V, W
from mechstudio.engine.kernels.kinematics import poses, step_coordinates

STILL = 1e-6  # of the mechanism's size: a way in a step below which nothing bends
# cosine of the angle by which a normal may turn within a step; one that turns round has another
# side of the body in view
STRAIGHT = 0.9


@alone(EVERY, INDEX, TABLES, s.STAGE, PROBLEM, SHAPES, POINTS)
def follow_surfaces(T, S, P, table, points):
    """Fill S.bends for the contacts of all islands that move smoothly in this step, and return how
    many there are.  Nodes and shapes are where the step begins, S.velocities too.
    """
    count = 0
    for e in range(P.size[ISLANDS]):
        first, last = P.islands[e, I_FIRST], P.islands[e, I_LAST]
        smooth = may_bend(T, S, P, e)
        for i in range(first, last):
            smooth = smooth and follow_contact(T, S, i, table, points)
        for i in range(first, last):
            S.bends[i, s.SMOOTH] = 1.0 if smooth else 0.0
        if smooth:
            count += last - first
    return count


@kernel
def may_bend(T, S, P, e):
    """Truth of an island that is awake and not at rest, on whose free bodies no load acts but their
    weight.
    """
    I, size, fastest = P.islands, S.settings[s.SIZE], 0.0
    if S.settings[s.SECOND_ORDER] == 0.0 or S.settings[s.SLOP] < 0.0 or I[e, I_ASLEEP] == 1:
        return False
    for k in range(I[e, I_MOVER0], I[e, I_MOVER1]):
        u = S.unit_of_node[S.node_of_mover[k]]
        if S.unit_free[u] == 1 and S.unit_sleeps[u] == 0:
            return False
        for n in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[n]
            for j in range(T.nodes[i, DOF]):
                # of joints it is not asked which rates are turns: too much followed is no harm
                rate = abs(S.before[T.nodes[i, V0] + j])
                fastest = max(fastest, size * rate, 0.0 if S.unit_free[u] == 1 and j >= 3 else rate)
    return S.settings[s.STEP] * fastest > STILL * size


@kernel
def velocity_at(T, S, b, t, x, y, z):
    """Velocity in W of body b at a place, after the time t of going on as it does."""
    if b < 0:
        return 0.0, 0.0, 0.0
    i, v, a = T.bodies[b, 0], S.velocities, S.bias
    # of a free body the centre of mass, which goes straight on
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
def find_again(T, W, i, j, a, b, feature, margin, t):
    """The place in W.out of the contact of two shapes with this feature after the fraction t of the
    step, -1 where there is none.  a, b: the shapes, the lower kind first.
    """
    X, here, there = W.placed, T.ints.shape[0], T.ints.shape[0] + 1
    move(X, i, here, t)
    move(X, j, there, t)
    p, q = (i, j) if a == i else (j, i)
    kind = T.ints[q, KIND]
    if kind == SPHERE:
        found = balls(
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
    else:
        address = T.calls[KINDS * T.ints[p, KIND] + kind]
        found = call(address, T, W, p, q, margin) if address != 0 else 0
    for c in range(found):
        if W.feature[c] == feature:
            return c
    return -1


@kernel
def follow_contact(T, S, i, table, points):
    """Fill row i of S.bends; False where the contact closes, or is another one at the end of the
    step.
    """
    shapes, W, p, h = table.shapes, table.work, S.order[i], S.settings[s.STEP]
    X, ints, B = W.placed, shapes.ints, S.bends
    low, high, a, b = points.shape_a[p], points.shape_b[p], points.body_a[p], points.body_b[p]
    if low < 0:
        return False
    kl, kh = ints[low, KIND], ints[high, KIND]
    first = low if kl <= kh else high
    second = high if first == low else low
    sign = 1.0 if first == low else -1.0
    feature = points.key[p] & ((1 << FEATURE_BITS) - 1)
    margin = S.settings[s.MARGIN] + X[low, MOTION] + X[high, MOTION]
    here, there = ints.shape[0], ints.shape[0] + 1
    for k in range(X.shape[1]):
        X[here, k], X[there, k] = X[low, k], X[high, k]
    vx, vy, vz = approach_at(
        T, S, a, b, 0.0, points.point[p, 0], points.point[p, 1], points.point[p, 2]
    )
    closing = -(vx * points.normal[p, 0] + vy * points.normal[p, 1] + vz * points.normal[p, 2])
    c = find_again(shapes, W, low, high, first, second, feature, margin, 0.5)
    known = c >= 0
    if known:
        for k in range(3):
            B[i, s.HALFWAY + k], B[i, s.HALFWAY + 3 + k] = W.out[c, 1 + k], sign * W.out[c, 4 + k]
        if (
            ints[first, KIND] == SPHERE
            and ints[second, KIND] == BOX
            and on_edge(X, second, B[i, s.HALFWAY + 3], B[i, s.HALFWAY + 4], B[i, s.HALFWAY + 5])
        ):
            stay(T, S, i, p, ints[first, BODY], points)
        else:
            c = find_again(shapes, W, low, high, first, second, feature, margin, 1.0)
            known = c >= 0
            if known:
                ex, ey, ez = sign * W.out[c, 4], sign * W.out[c, 5], sign * W.out[c, 6]
                known = (
                    dot(points.normal[p, 0], points.normal[p, 1], points.normal[p, 2], ex, ey, ez)
                    > STRAIGHT
                )
            if known:
                bend(T, S, i, a, b, W.out, c, sign)
    for k in range(X.shape[1]):
        X[low, k], X[high, k] = X[here, k], X[there, k]
    # what it approaches by beyond what surfaces bend in a step is an impact
    reached = points.gap[p] < h * closing
    return known and (
        not reached or h * closing <= 2.0 * STILL * S.settings[s.SIZE] + 2.0 * h * abs(B[i, s.BENT])
    )


@kernel
def on_edge(X, box, x, y, z):
    """True if a normal is that of no face of a box."""
    u, v, w = inward(X, box, x, y, z)
    return max(abs(u), abs(v), abs(w)) < 1.0 - 1e-12


@kernel
def stay(T, S, i, p, b, points):
    """S.bends[i]: of an edge ahead of a ball the frame that narrow_box.look_ahead found, below the
    ball of body b, and nothing that bends.
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
def bend(T, S, i, a, b, out, c, sign):
    """S.bends[i, BENT:] <- (D_e - D_m)^T v in the axes of the middle."""
    B, h = S.bends, S.settings[s.STEP]
    m, q = s.HALFWAY, s.HALFWAY + 3
    x, y, z = approach_at(T, S, a, b, 0.5 * h, B[i, m], B[i, m + 1], B[i, m + 2])
    X, Y, Z = approach_at(T, S, a, b, h, out[c, 1], out[c, 2], out[c, 3])
    nx, ny, nz = B[i, q], B[i, q + 1], B[i, q + 2]
    ex, ey, ez = sign * out[c, 4], sign * out[c, 5], sign * out[c, 6]
    apart = dot(ex, ey, ez, X, Y, Z)
    B[i, s.BENT] = apart - dot(nx, ny, nz, x, y, z)
    ux, uy, uz, wx, wy, wz = tangents(nx, ny, nz)
    # tangents of the end: those of the middle, without what they have along the normal of the end
    X, Y, Z = X - apart * ex, Y - apart * ey, Z - apart * ez
    B[i, s.BENT + 1] = dot(ux, uy, uz, X, Y, Z) - dot(ux, uy, uz, x, y, z)
    B[i, s.BENT + 2] = dot(wx, wy, wz, X, Y, Z) - dot(wx, wy, wz, x, y, z)


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, PROBLEM, NUMBER)
def read_bias(y, T, S, P, h):
    """S.bias <- accelerations of all bodies at constant rates of their joints, 0 of free ones.
    Nodes stand where the step begins, y holds the predicted velocities, before and after.
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
    """Put what moves smoothly to the middle of the step, by the velocities before it; return how
    many mechanisms these are, which S.halfway marks.
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
