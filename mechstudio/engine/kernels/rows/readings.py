"""Joint coordinates outside the coordinates of the tree: those of loop-closing joints and the
angles of balls.

Each is integrated with the state from its rate, which keeps the turn count for every step size, and
is set to its exact value at every accepted step and sample (`settle`).  A joint's elementary
motions are read one after the other from the pose of B in A; its rates follow from the joint's
columns S by least squares, (S^T S)^-1 S^T (twist of b relative to a), which is exact because the
twist is in their span.  The effort of one coordinate is the wrench S (S^T S)^-1 e_k.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    AW,
    CALLED,
    FROM_COLUMN,
    FROM_TRACE,
    INLINE,
    NQ,
    NV,
    OP_PHI,
    OP_PSI,
    OP_SLIDE,
    OP_THETA,
    OP_TILT_X,
    OP_TILT_Y,
    OP_TURN,
    PF,
    X_A,
    X_AXIS,
    X_B,
    X_COUNT,
    X_FIRST,
    X_OP,
    X_REF,
    X_ROD,
    X_SIDE,
    X_SIMPLE,
    X_SOURCE,
    XAX,
    XG,
    XLEN,
    XMOST,
    XP,
    XPA,
    XPB,
    XR,
    XRA,
    XRATE,
    XRB,
    XS,
    O,
    R,
    V,
    W,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.kernel_table import EVERY, NOTHING, TABLES, VECTOR, alone
from mechstudio.engine.kernels.scalar import (
    add3,
    cross,
    point_acceleration,
    rotated,
    rotated_back,
    set3,
)

LOCKED = 1e-9  # cosine of theta from which on psi and phi turn about the same axis
STEEPEST = 8.0  # largest rate of an angle that is integrated, in angular velocities of the body


@njit(**INLINE)
def relative_pose(T, f):
    """Write frame B's matrix and origin in frame A (columns XR, XP of row f) and A's axes in W
    (XAX, by columns of the matrix).
    """
    N, reads, const, work = T.node, T.reads, T.read_const, T.read
    a, b = reads[f, X_A], reads[f, X_B]
    for k in range(3):
        x, y, z = rotated(N, a, R, const[f, XRA + k], const[f, XRA + 3 + k], const[f, XRA + 6 + k])
        work[f, XAX + k], work[f, XAX + 3 + k], work[f, XAX + 6 + k] = x, y, z
    for k in range(3):
        x, y, z = rotated(N, b, R, const[f, XRB + k], const[f, XRB + 3 + k], const[f, XRB + 6 + k])
        x, y, z = rotated_back(work, f, XAX, x, y, z)
        work[f, XR + k], work[f, XR + 3 + k], work[f, XR + 6 + k] = x, y, z
    ax, ay, az = rotated(N, a, R, const[f, XPA], const[f, XPA + 1], const[f, XPA + 2])
    bx, by, bz = rotated(N, b, R, const[f, XPB], const[f, XPB + 1], const[f, XPB + 2])
    x, y, z = rotated_back(
        work,
        f,
        XAX,
        N[b, O] + bx - N[a, O] - ax,
        N[b, O + 1] + by - N[a, O + 1] - ay,
        N[b, O + 2] + bz - N[a, O + 2] - az,
    )
    set3(work, f, XP, x, y, z)


@njit(**INLINE)
def unturn(work, f, k, angle):
    """Undo a turn about axis k of the remaining pose: R <- R_k(-angle) R, p <- R_k(-angle) p."""
    m, n = (k + 1) % 3, (k + 2) % 3
    c, s = math.cos(angle), math.sin(angle)
    for j in range(3):
        u, v = work[f, XR + 3 * m + j], work[f, XR + 3 * n + j]
        work[f, XR + 3 * m + j], work[f, XR + 3 * n + j] = c * u + s * v, c * v - s * u
    u, v = work[f, XP + m], work[f, XP + n]
    work[f, XP + m], work[f, XP + n] = c * u + s * v, c * v - s * u


@njit(**INLINE)
def read_off(reads, work, f, e, held):
    """The coordinate of reading e from the remaining pose in row f, from which this motion is then
    removed.

    held: of a ball the previous phi, which stays at theta = 90 degrees, where only psi - phi or psi
    + phi is defined.  Of a tilt about y the tilt about x.
    """
    op, k = reads[e, X_OP], reads[e, X_AXIS]
    m, n = (k + 1) % 3, (k + 2) % 3
    x = 0.0
    if op == OP_SLIDE:
        x = work[f, XP + k]
        work[f, XP + k] = 0.0
    elif op == OP_TURN:
        if reads[e, X_SOURCE] == FROM_TRACE:
            x = math.atan2(
                work[f, XR + 3 * n + m] - work[f, XR + 3 * m + n],
                work[f, XR + 3 * m + m] + work[f, XR + 3 * n + n],
            )
        else:
            # the direction that later motions do not change: a column of R, or p along a rod
            ref = reads[e, X_REF]
            u, v = 0.0, 0.0
            if reads[e, X_SOURCE] == FROM_COLUMN:
                u, v = work[f, XR + 3 * m + ref], work[f, XR + 3 * n + ref]
            else:
                u, v = work[f, XP + m], work[f, XP + n]
            x = math.atan2(v, u) if ref == m else math.atan2(-u, v)
        unturn(work, f, k, x)
    elif op == OP_PSI:
        if math.hypot(work[f, XR], work[f, XR + 3]) > LOCKED:
            x = math.atan2(work[f, XR + 3], work[f, XR])
        else:
            x = math.atan2(-work[f, XR + 1], work[f, XR + 4]) + (
                held if work[f, XR + 6] < 0.0 else -held
            )
    elif op == OP_THETA:
        x = math.atan2(-work[f, XR + 6], math.hypot(work[f, XR], work[f, XR + 3]))
    elif op == OP_PHI:
        x = (
            math.atan2(work[f, XR + 7], work[f, XR + 8])
            if math.hypot(work[f, XR], work[f, XR + 3]) > LOCKED
            else held
        )
    elif op == OP_TILT_X:
        # R = Rx(a / 2) Ry(b) Rx(a / 2)
        x = math.atan2(work[f, XR + 7] - work[f, XR + 5], work[f, XR + 4] + work[f, XR + 8])
    elif op == OP_TILT_Y:
        x = math.atan2(
            work[f, XR + 2] * math.cos(0.5 * held) + work[f, XR + 1] * math.sin(0.5 * held),
            work[f, XR],
        )
    return x


@alone(EVERY, NOTHING, VECTOR, TABLES)
def settle(y, T):
    """Set every reading to its exact value, on the turn nearest to the integrated one.  The nodes
    are as `poses` left them.
    """
    reads, work, first = T.reads, T.read, T.size[NQ] + T.size[NV] + 1
    for e in range(reads.shape[0]):
        f = reads[e, X_FIRST]
        if e == f:
            relative_pose(T, f)
        # a ball's angles are the last three
        held = y[first + f] if reads[e, X_OP] == OP_TILT_Y else y[first + f + reads[f, X_COUNT] - 1]
        x = read_off(reads, work, f, e, held)
        # a ball's theta and the tilts of a constant-velocity joint have no turns
        if reads[e, X_OP] == OP_TURN or reads[e, X_OP] == OP_PSI or reads[e, X_OP] == OP_PHI:
            before = y[first + e]
            if math.isfinite(before):
                x += 2 * math.pi * math.floor((before - x) / (2 * math.pi) + 0.5)
        y[first + e] = x


@njit(**INLINE)
def turn_axes(work, f, k, angle):
    """Multiply the axes so far by R_k(angle)."""
    m, n = (k + 1) % 3, (k + 2) % 3
    c, s = math.cos(angle), math.sin(angle)
    for j in range(3):
        u, v = work[f, XAX + 3 * j + m], work[f, XAX + 3 * j + n]
        work[f, XAX + 3 * j + m], work[f, XAX + 3 * j + n] = c * u + s * v, c * v - s * u


@njit(**INLINE)
def tilt_columns(T, f):
    """Columns S of a constant-velocity joint: half of x_A + x_B, and y turned by half the tilt
    about x.
    """
    work = T.read
    ax, ay, az = rotated(
        work, f, XAX, 0.5 + 0.5 * work[f, XR], 0.5 * work[f, XR + 3], 0.5 * work[f, XR + 6]
    )
    a = read_off(T.reads, work, f, f, 0.0)
    bx, by, bz = rotated(work, f, XAX, 0.0, math.cos(0.5 * a), math.sin(0.5 * a))
    set3(work, f, XS, ax, ay, az)
    set3(work, f, XS + 3, 0.0, 0.0, 0.0)
    set3(work, f + 1, XS, bx, by, bz)
    set3(work, f + 1, XS + 3, 0.0, 0.0, 0.0)


@kernel(**CALLED)
def joint_basis(T, f):
    """Columns S of the group whose first reading is f, in W at B's origin, and the inverse of S^T
    S, at the pose itself.
    """
    reads, const, work, count = T.reads, T.read_const, T.read, T.reads[f, X_COUNT]
    relative_pose(T, f)
    # remaining vector from the joint's own origin to B's origin, in W; a ball's axes meet there
    px = py = pz = 0.0
    if reads[f, X_OP] != OP_PSI:
        px, py, pz = rotated(work, f, XAX, work[f, XP], work[f, XP + 1], work[f, XP + 2])
    tilt = reads[f, X_OP] == OP_TILT_X
    if tilt:
        tilt_columns(T, f)
    for e in range(f, f if tilt else f + count):
        op, k, x = reads[e, X_OP], reads[e, X_AXIS], read_off(reads, work, f, e, 0.0)
        ex, ey, ez = work[f, XAX + k], work[f, XAX + 3 + k], work[f, XAX + 6 + k]
        if op == OP_SLIDE:
            set3(work, e, XS, 0.0, 0.0, 0.0)
            set3(work, e, XS + 3, ex, ey, ez)
            px, py, pz = px - x * ex, py - x * ey, pz - x * ez
        else:
            cx, cy, cz = cross(ex, ey, ez, px, py, pz)
            set3(work, e, XS, ex, ey, ez)
            set3(work, e, XS + 3, cx, cy, cz)
            turn_axes(work, f, k, x)
        rod = reads[e, X_ROD]
        if rod >= 0:
            length = const[f, XLEN]
            px, py, pz = (
                px - length * work[f, XAX + rod],
                py - length * work[f, XAX + 3 + rod],
                pz - length * work[f, XAX + 6 + rod],
            )
    for i in range(count):
        for j in range(count):
            g = 0.0
            for c in range(6):
                g += work[f + i, XS + c] * work[f + j, XS + c]
            work[f + i, XG + j] = g
    # Gauss-Jordan in place; S^T S is positive definite away from a gimbal lock, where the rates do
    # not exist
    for p in range(count):
        d = 1.0 / work[f + p, XG + p]
        work[f + p, XG + p] = 1.0
        for j in range(count):
            work[f + p, XG + j] *= d
        for i in range(count):
            if i != p:
                g = work[f + i, XG + p]
                work[f + i, XG + p] = 0.0
                for j in range(count):
                    work[f + i, XG + j] -= g * work[f + p, XG + j]


@njit(**INLINE)
def simple_axis(T, e):
    """The axis of reading e in W, fixed in A (side 0) or in B (side 1)."""
    reads, const, k = T.reads, T.read_const, T.reads[e, X_AXIS]
    f = reads[e, X_FIRST]
    if reads[e, X_SIDE] == 0:
        return rotated(
            T.node,
            reads[e, X_A],
            R,
            const[f, XRA + k],
            const[f, XRA + 3 + k],
            const[f, XRA + 6 + k],
        )
    return rotated(
        T.node, reads[e, X_B], R, const[f, XRB + k], const[f, XRB + 3 + k], const[f, XRB + 6 + k]
    )


@njit(**INLINE)
def b_origin(T, e):
    """Arms of B's origin from the origins of nodes a and b, in W."""
    N, reads, const = T.node, T.reads, T.read_const
    a, b, f = reads[e, X_A], reads[e, X_B], reads[e, X_FIRST]
    bx, by, bz = rotated(N, b, R, const[f, XPB], const[f, XPB + 1], const[f, XPB + 2])
    return (
        N[b, O] + bx - N[a, O],
        N[b, O + 1] + by - N[a, O + 1],
        N[b, O + 2] + bz - N[a, O + 2],
        bx,
        by,
        bz,
    )


@njit(**INLINE)
def relative_twist(T, e):
    """Angular velocity of b relative to a, and the velocity of B's origin relative to a, both in
    W.
    """
    N, reads = T.node, T.reads
    a, b = reads[e, X_A], reads[e, X_B]
    ax, ay, az, bx, by, bz = b_origin(T, e)
    cx, cy, cz = cross(N[a, W], N[a, W + 1], N[a, W + 2], ax, ay, az)
    dx, dy, dz = cross(N[b, W], N[b, W + 1], N[b, W + 2], bx, by, bz)
    return (
        N[b, W] - N[a, W],
        N[b, W + 1] - N[a, W + 1],
        N[b, W + 2] - N[a, W + 2],
        N[b, V] + dx - N[a, V] - cx,
        N[b, V + 1] + dy - N[a, V + 1] - cy,
        N[b, V + 2] + dz - N[a, V + 2] - cz,
    )


@kernel(**CALLED)
def simple_rate(T, e):
    """Rate of a reading along one axis."""
    N, reads = T.node, T.reads
    ex, ey, ez = simple_axis(T, e)
    if reads[e, X_OP] == OP_SLIDE:
        _wx, _wy, _wz, vx, vy, vz = relative_twist(T, e)
        return ex * vx + ey * vy + ez * vz
    a, b = reads[e, X_A], reads[e, X_B]
    return (
        ex * (N[b, W] - N[a, W])
        + ey * (N[b, W + 1] - N[a, W + 1])
        + ez * (N[b, W + 2] - N[a, W + 2])
    )


@kernel(**CALLED)
def simple_bias(T, e):
    """Acceleration for v' = 0 of a reading along one axis; `kinematics` has run."""
    N, reads = T.node, T.reads
    a, b = reads[e, X_A], reads[e, X_B]
    ex, ey, ez = simple_axis(T, e)
    wx, wy, wz, vx, vy, vz = relative_twist(T, e)
    if reads[e, X_OP] == OP_SLIDE:
        ax, ay, az, bx, by, bz = b_origin(T, e)
        fx, fy, fz = point_acceleration(N, b, bx, by, bz)
        gx, gy, gz = point_acceleration(N, a, ax, ay, az)
        cx, cy, cz = cross(N[a, W], N[a, W + 1], N[a, W + 2], vx, vy, vz)
        return ex * (fx - gx - 2 * cx) + ey * (fy - gy - 2 * cy) + ez * (fz - gz - 2 * cz)
    # e.(w_b - w_a) with e fixed in a or in b
    side = a if reads[e, X_SIDE] == 0 else b
    dx, dy, dz = cross(N[side, W], N[side, W + 1], N[side, W + 2], ex, ey, ez)
    return (
        dx * wx
        + dy * wy
        + dz * wz
        + ex * (N[b, AW] - N[a, AW])
        + ey * (N[b, AW + 1] - N[a, AW + 1])
        + ez * (N[b, AW + 2] - N[a, AW + 2])
    )


@alone(EVERY, NOTHING, TABLES)
def reading_rates(T):
    """Rate of every reading, in column XRATE, and the largest that may be integrated, in XMOST.

    Near a gimbal lock (a ball's theta or a rod's elevation near 90 degrees) angles change at rates
    that no step resolves.  The limit keeps such a passage below a turn, and `settle` corrects it.
    """
    reads, work = T.reads, T.read
    for e in range(reads.shape[0]):
        if reads[e, X_SIMPLE] == 1:
            work[e, XMOST] = math.inf
            work[e, XRATE] = simple_rate(T, e)
        elif reads[e, X_FIRST] == e:
            wx, wy, wz, vx, vy, vz = relative_twist(T, e)
            joint_basis(T, e)
            count = reads[e, X_COUNT]
            length = T.read_const[e, XLEN] if T.read_const[e, XLEN] > 0.0 else math.inf
            most = STEEPEST * (
                math.sqrt(wx * wx + wy * wy + wz * wz)
                + math.sqrt(vx * vx + vy * vy + vz * vz) / length
            )
            for i in range(e, e + count):
                work[i, XRATE] = 0.0
                work[i, XMOST] = most
            for j in range(e, e + count):
                g = (
                    work[j, XS] * wx
                    + work[j, XS + 1] * wy
                    + work[j, XS + 2] * wz
                    + work[j, XS + 3] * vx
                    + work[j, XS + 4] * vy
                    + work[j, XS + 5] * vz
                )
                for i in range(e, e + count):
                    work[i, XRATE] += work[i, XG + j - e] * g


@njit(**INLINE)
def counted_rate(T, e):
    """The rate of reading e within its limit."""
    rate, most = T.read[e, XRATE], T.read[e, XMOST]
    if abs(rate) <= most or T.reads[e, X_OP] == OP_SLIDE:
        return rate
    return most if rate > 0.0 else (-most if rate < 0.0 else 0.0)


@njit(**INLINE)
def apply_effort(T, e, effort):
    """Apply the effort of reading e on b, and minus it on a, at B's origin.  `reading_rates` has
    run at this state.
    """
    N, reads, work = T.node, T.reads, T.read
    a, b, f = reads[e, X_A], reads[e, X_B], reads[e, X_FIRST]
    mx = my = mz = fx = fy = fz = 0.0
    if reads[e, X_SIMPLE] == 1:
        ex, ey, ez = simple_axis(T, e)
        if reads[e, X_OP] == OP_SLIDE:
            fx, fy, fz = effort * ex, effort * ey, effort * ez
        else:
            mx, my, mz = effort * ex, effort * ey, effort * ez
    else:
        for j in range(f, f + reads[f, X_COUNT]):
            g = effort * work[e, XG + j - f]
            mx, my, mz = mx + g * work[j, XS], my + g * work[j, XS + 1], mz + g * work[j, XS + 2]
            fx, fy, fz = (
                fx + g * work[j, XS + 3],
                fy + g * work[j, XS + 4],
                fz + g * work[j, XS + 5],
            )
    ax, ay, az, bx, by, bz = b_origin(T, e)
    cx, cy, cz = cross(bx, by, bz, fx, fy, fz)
    add3(N, b, PF, -mx - cx, -my - cy, -mz - cz)
    add3(N, b, PF + 3, -fx, -fy, -fz)
    cx, cy, cz = cross(ax, ay, az, fx, fy, fz)
    add3(N, a, PF, mx + cx, my + cy, mz + cz)
    add3(N, a, PF + 3, fx, fy, fz)
