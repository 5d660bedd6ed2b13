"""Poses, velocities, bias accelerations and inertias of the nodes, from the root outwards
(Featherstone 2008, chapter 5).
"""

import math

from numba import njit, types

from mechstudio.engine.kernels.columns import (
    AA,
    ARM,
    AV,
    AW,
    AXIS,
    CURVE_TURNING,
    ENDLESS,
    FREE,
    HH,
    INERTIA,
    INLINE,
    JJ,
    MASS,
    MM,
    MOMENT,
    MOTION,
    NQ,
    P_CURVATURE,
    P_START,
    P_STOP,
    P_X,
    P_Y,
    P_Z,
    PARENT,
    PER_SLIDE,
    PER_TURN,
    PF,
    PIECE0,
    PIECE1,
    Q0,
    RV,
    SCREW,
    TRACK,
    V0,
    O,
    R,
    S,
    V,
    W,
)
from mechstudio.engine.kernels.kernel_table import (
    CURVES,
    EVERY,
    INDEX,
    NOTHING,
    NUMBER,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.kernels.scalar import cross, get3, rotated, set3, symmetric, turn_node


@njit(**INLINE)
def piece(P, m, k, t, over):
    """Value, slope and second derivative of one coordinate of a curve at t in piece m, or at `over`
    beyond its end on the tangent.
    """
    c, d, h = P[m, k + 5], 0.0, 0.0
    for n in range(5):
        h = h * t + 2.0 * d
        d = d * t + c
        c = c * t + P[m, k + 4 - n]
    return c + over * d, d, h if over == 0.0 else 0.0


@njit(**INLINE)
def arc(P, m, k, curvature, cosine, sine, over):
    """Value, slope and second derivative of one coordinate of a curve in piece m, an arc of a
    circle, or at `over` beyond its end on the tangent.
    """
    x, y = P[m, k + 1] * cosine + P[m, k + 2] * sine, P[m, k + 2] * cosine - P[m, k + 1] * sine
    bend = -curvature * curvature * x if over == 0.0 else 0.0
    return P[m, k] + x + over * curvature * y, curvature * y, bend


@alone(CURVES, types.UniTuple(NUMBER, 9), TABLES, INDEX, NUMBER)
def along(T, i, s):
    """Position, tangent and curvature vector at arc length s of node i, in its parent's axes; of a
    curve that turns with its node, in the node's axes.  An open curve continues by its tangents
    beyond its ends.
    """
    P, low, high = T.curves, T.nodes[i, PIECE0], T.nodes[i, PIECE1]
    begin, end, over = P[low, P_START], P[high - 1, P_STOP], 0.0
    if T.nodes[i, ENDLESS] == 1:
        s -= (end - begin) * math.floor((s - begin) / (end - begin))
    elif s < begin or s > end:
        inside = begin if s < begin else end
        over = s - inside
        s = inside
    while high - low > 1:
        middle = (low + high) // 2
        if P[middle, P_START] <= s:
            low = middle
        else:
            high = middle
    t, curvature = s - P[low, P_START], P[low, P_CURVATURE]
    if curvature > 0.0:
        cosine, sine = math.cos(curvature * t), math.sin(curvature * t)
        x, dx, hx = arc(P, low, P_X, curvature, cosine, sine, over)
        y, dy, hy = arc(P, low, P_Y, curvature, cosine, sine, over)
        z, dz, hz = arc(P, low, P_Z, curvature, cosine, sine, over)
    else:
        x, dx, hx = piece(P, low, P_X, t, over)
        y, dy, hy = piece(P, low, P_Y, t, over)
        z, dz, hz = piece(P, low, P_Z, t, over)
    if T.node_const[i, CURVE_TURNING] > 0.0:
        # the curve's axes turn by one radian per unit of arc length
        nx, ny, nz = get3(T.node_const, i, AXIS)
        ux, uy, uz = cross(nx, ny, nz, x, y, z)
        vx, vy, vz = cross(nx, ny, nz, 2.0 * dx + ux, 2.0 * dy + uy, 2.0 * dz + uz)
        return x, y, z, dx + ux, dy + uy, dz + uz, hx + vx, hy + vy, hz + vz
    return x, y, z, dx, dy, dz, hx, hy, hz


@njit(**INLINE)
def joint_motion(y, nq, T, i):
    """Turn node i and return (arm from the parent's origin, angular velocity, velocity of the
    joint's own motion, axis of a screw), all in W.
    """
    nodes, const, N = T.nodes, T.node_const, T.node
    p, motion, iq, iv = nodes[i, PARENT], nodes[i, MOTION], nodes[i, Q0], nq + nodes[i, V0]
    rx, ry, rz = rotated(N, p, R, const[i, ARM], const[i, ARM + 1], const[i, ARM + 2])
    wx = wy = wz = vx = vy = vz = ex = ey = ez = 0.0
    if motion == SCREW:
        nx, ny, nz, kw, kv, x = (
            const[i, AXIS],
            const[i, AXIS + 1],
            const[i, AXIS + 2],
            const[i, PER_TURN],
            const[i, PER_SLIDE],
            y[iq],
        )
        ex, ey, ez = rotated(N, p, R, nx, ny, nz)
        if kw != 0.0:
            half = 0.5 * kw * x
            s = math.sin(half)
            turn_node(N, p, i, 2.0, math.cos(half), s * nx, s * ny, s * nz)
        else:
            for k in range(9):
                N[i, R + k] = N[p, R + k]
        rx, ry, rz = rx + kv * x * ex, ry + kv * x * ey, rz + kv * x * ez
        a, b = kw * y[iv], kv * y[iv]
        wx, wy, wz, vx, vy, vz = a * ex, a * ey, a * ez, b * ex, b * ey, b * ez
    elif motion == TRACK:
        base = p
        if const[i, CURVE_TURNING] == 0.0:
            for k in range(9):
                N[i, R + k] = N[p, R + k]
        else:
            nx, ny, nz = get3(const, i, AXIS)
            s = math.sin(0.5 * y[iq])
            turn_node(N, p, i, 2.0, math.cos(0.5 * y[iq]), s * nx, s * ny, s * nz)
            wx, wy, wz = rotated(N, p, R, y[iv] * nx, y[iv] * ny, y[iv] * nz)
            base = i if const[i, CURVE_TURNING] > 0.0 else p
        cx, cy, cz, ex, ey, ez, _hx, _hy, _hz = along(T, i, y[iq])
        cx, cy, cz = rotated(N, base, R, cx, cy, cz)
        ex, ey, ez = rotated(N, base, R, ex, ey, ez)
        rx, ry, rz, vx, vy, vz = rx + cx, ry + cy, rz + cz, y[iv] * ex, y[iv] * ey, y[iv] * ez
    else:
        if motion == FREE:
            dx, dy, dz = rotated(N, p, R, y[iq], y[iq + 1], y[iq + 2])
            rx, ry, rz = rx + dx, ry + dy, rz + dz
            vx, vy, vz = rotated(N, p, R, y[iv], y[iv + 1], y[iv + 2])
            iq += 3
            iv += 3
        e0, e1, e2, e3 = y[iq], y[iq + 1], y[iq + 2], y[iq + 3]
        turn_node(N, p, i, 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3), e0, e1, e2, e3)
        wx, wy, wz = rotated(N, i, R, y[iv], y[iv + 1], y[iv + 2])
    return rx, ry, rz, wx, wy, wz, vx, vy, vz, ex, ey, ez


@njit(**INLINE)
def columns(y, T, i):
    """Columns S of node i other than a screw, in W at its own origin: a curve's tangent; node axes
    for a ball; parent's, then node axes for a free motion.
    """
    nodes, N, D = T.nodes, T.node, T.dof
    p, iv = nodes[i, PARENT], nodes[i, V0]
    if nodes[i, MOTION] == TRACK:
        _cx, _cy, _cz, ex, ey, ez, _hx, _hy, _hz = along(T, i, y[nodes[i, Q0]])
        base, wx, wy, wz = p, 0.0, 0.0, 0.0
        if T.node_const[i, CURVE_TURNING] != 0.0:
            wx, wy, wz = get3(T.node_const, i, AXIS)
            wx, wy, wz = rotated(N, p, R, wx, wy, wz)
            base = i if T.node_const[i, CURVE_TURNING] > 0.0 else p
        ex, ey, ez = rotated(N, base, R, ex, ey, ez)
        set3(D, iv, S, wx, wy, wz)
        set3(D, iv, S + 3, ex, ey, ez)
    else:
        if nodes[i, MOTION] == FREE:
            for k in range(3):
                set3(D, iv + k, S, 0.0, 0.0, 0.0)
                set3(D, iv + k, S + 3, N[p, R + k], N[p, R + 3 + k], N[p, R + 6 + k])
            iv += 3
        for k in range(3):
            set3(D, iv + k, S, N[i, R + k], N[i, R + 3 + k], N[i, R + 6 + k])
            set3(D, iv + k, S + 3, 0.0, 0.0, 0.0)


@alone(CURVES, types.UniTuple(NUMBER, 3), VECTOR, INDEX, TABLES, INDEX)
def bend(y, nq, T, i):
    """Acceleration c'' s'^2 of node i along its curve for s'' = 0, in W."""
    _cx, _cy, _cz, _ex, _ey, _ez, hx, hy, hz = along(T, i, y[T.nodes[i, Q0]])
    u = y[nq + T.nodes[i, V0]]
    base = i if T.node_const[i, CURVE_TURNING] > 0.0 else T.nodes[i, PARENT]
    return rotated(T.node, base, R, u * u * hx, u * u * hy, u * u * hz)


@alone(EVERY, NOTHING, VECTOR, TABLES)
def poses(y, T):
    """Fill R, O, W, V of every node: poses and velocities only.

    y: state.  A factorisation in the tables stays valid, so that projections can continue to use
    it.
    """
    nodes, N, nq = T.nodes, T.node, T.size[NQ]
    for i in range(nodes.shape[0] - 1):
        p = nodes[i, PARENT]
        rx, ry, rz, jx, jy, jz, vx, vy, vz, _ex, _ey, _ez = joint_motion(y, nq, T, i)
        wx, wy, wz = get3(N, p, W)
        cx, cy, cz = cross(wx, wy, wz, rx, ry, rz)
        set3(N, i, O, N[p, O] + rx, N[p, O + 1] + ry, N[p, O + 2] + rz)
        set3(N, i, W, wx + jx, wy + jy, wz + jz)
        set3(N, i, V, N[p, V] + cx + vx, N[p, V + 1] + cy + vy, N[p, V + 2] + cz + vz)


@njit(**INLINE)
def rigid(T, i, wx, wy, wz, ax, ay, az, lx, ly, lz):
    """Inertia of node i in W at its origin, and its inertial wrench for angular velocity w and
    accelerations (a, l).
    """
    const, N = T.node_const, T.node
    m = const[i, MASS]
    hx, hy, hz = rotated(N, i, R, const[i, MOMENT], const[i, MOMENT + 1], const[i, MOMENT + 2])
    ia, ib, ic = get3(const, i, INERTIA)
    id_, ie, if_ = get3(const, i, INERTIA + 3)
    t0, t1, t2 = symmetric(ia, ib, ic, id_, ie, if_, N[i, 0], N[i, 1], N[i, 2])
    u0, u1, u2 = symmetric(ia, ib, ic, id_, ie, if_, N[i, 3], N[i, 4], N[i, 5])
    s0, s1, s2 = symmetric(ia, ib, ic, id_, ie, if_, N[i, 6], N[i, 7], N[i, 8])
    xx = N[i, 0] * t0 + N[i, 1] * t1 + N[i, 2] * t2
    xy = N[i, 3] * t0 + N[i, 4] * t1 + N[i, 5] * t2
    xz = N[i, 6] * t0 + N[i, 7] * t1 + N[i, 8] * t2
    yy = N[i, 3] * u0 + N[i, 4] * u1 + N[i, 5] * u2
    yz = N[i, 6] * u0 + N[i, 7] * u1 + N[i, 8] * u2
    zz = N[i, 6] * s0 + N[i, 7] * s1 + N[i, 8] * s2
    set3(N, i, JJ, xx, xy, xz)
    set3(N, i, JJ + 3, yy, yz, zz)
    set3(N, i, HH, 0.0, -hz, hy)
    set3(N, i, HH + 3, hz, 0.0, -hx)
    set3(N, i, HH + 6, -hy, hx, 0.0)
    set3(N, i, MM, m, 0.0, 0.0)
    set3(N, i, MM + 3, m, 0.0, m)
    cx, cy, cz = cross(wx, wy, wz, hx, hy, hz)
    dx, dy, dz = cross(wx, wy, wz, cx, cy, cz)
    fx, fy, fz = cross(ax, ay, az, hx, hy, hz)
    set3(N, i, PF + 3, m * lx + fx + dx, m * ly + fy + dy, m * lz + fz + dz)
    jx, jy, jz = symmetric(xx, xy, xz, yy, yz, zz, wx, wy, wz)
    cx, cy, cz = cross(wx, wy, wz, jx, jy, jz)
    jx, jy, jz = symmetric(xx, xy, xz, yy, yz, zz, ax, ay, az)
    dx, dy, dz = cross(hx, hy, hz, lx, ly, lz)
    set3(N, i, PF, jx + cx + dx, jy + cy + dy, jz + cz + dz)


@njit(**INLINE)
def kinematics(y, nq, T):
    """Fill the node data of a right-hand side: poses, velocities, accelerations with v' = 0,
    columns, inertias, inertial wrenches.

    Ground accelerates by -g instead of gravity acting (its row holds that).  y: state.  Overwrites
    the node and dof tables.
    """
    nodes, N, D, const = T.nodes, T.node, T.dof, T.node_const
    for i in range(nodes.shape[0] - 1):
        p = nodes[i, PARENT]
        rx, ry, rz, jwx, jwy, jwz, jvx, jvy, jvz, ex, ey, ez = joint_motion(y, nq, T, i)
        if nodes[i, MOTION] == SCREW:
            iv, kw, kv = nodes[i, V0], const[i, PER_TURN], const[i, PER_SLIDE]
            set3(D, iv, S, kw * ex, kw * ey, kw * ez)
            set3(D, iv, S + 3, kv * ex, kv * ey, kv * ez)
        else:
            columns(y, T, i)
        wx, wy, wz = get3(N, p, W)
        ax, ay, az = get3(N, p, AW)
        # transport, Coriolis and centripetal terms of the joint's origin
        cx, cy, cz = cross(wx, wy, wz, rx, ry, rz)
        dx, dy, dz = cross(wx, wy, wz, cx + 2 * jvx, cy + 2 * jvy, cz + 2 * jvz)
        fx, fy, fz = cross(ax, ay, az, rx, ry, rz)
        lx, ly, lz = N[p, AV] + dx + fx, N[p, AV + 1] + dy + fy, N[p, AV + 2] + dz + fz
        if nodes[i, MOTION] == TRACK:
            hx, hy, hz = bend(y, nq, T, i)
            lx, ly, lz = lx + hx, ly + hy, lz + hz
        gx, gy, gz = cross(wx, wy, wz, jwx, jwy, jwz)
        ax, ay, az = ax + gx, ay + gy, az + gz
        set3(N, i, V, N[p, V] + cx + jvx, N[p, V + 1] + cy + jvy, N[p, V + 2] + cz + jvz)
        wx, wy, wz = wx + jwx, wy + jwy, wz + jwz
        set3(N, i, O, N[p, O] + rx, N[p, O + 1] + ry, N[p, O + 2] + rz)
        set3(N, i, RV, rx, ry, rz)
        set3(N, i, W, wx, wy, wz)
        set3(N, i, AW, ax, ay, az)
        set3(N, i, AV, lx, ly, lz)
        if const[i, MASS] > 0.0 or const[i, INERTIA] > 0.0 or const[i, INERTIA + 3] > 0.0:
            rigid(T, i, wx, wy, wz, ax, ay, az, lx, ly, lz)
        else:
            # a massless link of a composite joint
            for k in range(JJ, AA):
                N[i, k] = 0.0


@njit(**INLINE)
def coordinate_rates(y, nq, T, out):
    """dq/dt from v: the same number for a screw or a curve, half the quaternion product for a ball
    (angular velocity in node axes).
    """
    nodes = T.nodes
    for i in range(nodes.shape[0] - 1):
        motion, iq, iv = nodes[i, MOTION], nodes[i, Q0], nq + nodes[i, V0]
        if motion == SCREW or motion == TRACK:
            out[iq] = y[iv]
        else:
            if motion == FREE:
                out[iq], out[iq + 1], out[iq + 2] = y[iv], y[iv + 1], y[iv + 2]
                iq += 3
                iv += 3
            e0, e1, e2, e3, a, b, c = (
                y[iq],
                y[iq + 1],
                y[iq + 2],
                y[iq + 3],
                y[iv],
                y[iv + 1],
                y[iv + 2],
            )
            out[iq] = -0.5 * (e1 * a + e2 * b + e3 * c)
            out[iq + 1] = 0.5 * (e0 * a - e3 * b + e2 * c)
            out[iq + 2] = 0.5 * (e3 * a + e0 * b - e1 * c)
            out[iq + 3] = 0.5 * (-e2 * a + e1 * b + e0 * c)


@njit(**INLINE)
def step_coordinates(y, T, column):
    """q <- q (+) increments in a column of the dof table (column < 0: none), quaternions
    normalised.
    """
    nodes, D = T.nodes, T.dof
    for i in range(nodes.shape[0] - 1):
        motion, iq, iv = nodes[i, MOTION], nodes[i, Q0], nodes[i, V0]
        if motion == SCREW or motion == TRACK:
            if column >= 0:
                y[iq] += D[iv, column]
        else:
            if motion == FREE:
                if column >= 0:
                    for j in range(3):
                        y[iq + j] += D[iv + j, column]
                iq += 3
                iv += 3
            a = b = c = 0.0
            if column >= 0:
                a, b, c = 0.5 * D[iv, column], 0.5 * D[iv + 1, column], 0.5 * D[iv + 2, column]
            e0, e1, e2, e3 = y[iq], y[iq + 1], y[iq + 2], y[iq + 3]
            f0, f1 = e0 - e1 * a - e2 * b - e3 * c, e1 + e0 * a - e3 * b + e2 * c
            f2, f3 = e2 + e3 * a + e0 * b - e1 * c, e3 - e2 * a + e1 * b + e0 * c
            n = 1.0 / math.sqrt(f0 * f0 + f1 * f1 + f2 * f2 + f3 * f3)
            y[iq], y[iq + 1], y[iq + 2], y[iq + 3] = f0 * n, f1 * n, f2 * n, f3 * n
