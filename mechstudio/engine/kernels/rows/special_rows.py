"""Rows that few mechanisms have: rolling, blades, constant-velocity joints, and rows between joint
coordinates.

TWIST       C = u.w' - u'.w, u and u' fixed in a, w and w' in b
ROLL        C' = e.v of the lowest point of a disc's rim, over a, e fixed in a       EDGE  C' = e.v
of p_b over a, e fixed in b
COORDINATE  C = sum a_k x_k - f(s) - c, s the time or x_1; of OF_VELOCITY f is the rate, of
OF_ACCELERATION the acceleration
            (couplings, drives, screws that close loops, stops)
The loops of `row_values` and `row_wrenches` only call them and are no slower for them.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    AV,
    AW,
    CALLED,
    CD,
    DRIVE,
    EDGE,
    FF,
    GAM,
    INLINE,
    LAW,
    LEVEL,
    NQ,
    OF_POSITION,
    OF_VELOCITY,
    OVER,
    OVER_TIME,
    RA,
    RB,
    RLEN,
    ROLL,
    ROW_TYPE,
    RP,
    RQ,
    RU,
    RV,
    RW,
    SA,
    SB,
    TERM0,
    TERM1,
    TERM_A,
    TERM_B,
    TERM_DOF,
    TERM_READ,
    TERM_SA,
    TERM_SB,
    TERM_TURN,
    TERM_X,
    TWIST,
    C,
    O,
    R,
    S,
    V,
    W,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.kernel_table import (
    INDEX,
    NOTHING,
    SPECIAL_ROWS,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.kernels.loads.law_interpreter import law_jet
from mechstudio.engine.kernels.rows.readings import b_origin, simple_axis, simple_bias, simple_rate
from mechstudio.engine.kernels.scalar import add3, cross, point, rotated


@njit(**INLINE)
def angle_part(N, a, b, ux, uy, uz, wx, wy, wz):
    """Moment w x u of C = u.w on b, and the acceleration of C for v' = 0; u fixed in a, w in b."""
    ox, oy, oz = N[b, W] - N[a, W], N[b, W + 1] - N[a, W + 1], N[b, W + 2] - N[a, W + 2]
    mx, my, mz = cross(wx, wy, wz, ux, uy, uz)
    cx, cy, cz = cross(ox, oy, oz, wx, wy, wz)
    dx, dy, dz = cross(ox, oy, oz, cx, cy, cz)
    ex, ey, ez = cross(N[a, W], N[a, W + 1], N[a, W + 2], ox, oy, oz)
    gx, gy, gz = (
        N[b, AW] - N[a, AW] - ex,
        N[b, AW + 1] - N[a, AW + 1] - ey,
        N[b, AW + 2] - N[a, AW + 2] - ez,
    )
    return mx, my, mz, gx * mx + gy * my + gz * mz + ux * dx + uy * dy + uz * dz


@kernel(**CALLED)
def twist(T, r):
    """Value of a TWIST row, its moment on b, and its acceleration for v' = 0."""
    N, const = T.node, T.row_const
    a, b = T.rows[r, RA], T.rows[r, RB]
    ux, uy, uz = rotated(N, a, R, const[r, RU], const[r, RU + 1], const[r, RU + 2])
    tx, ty, tz = rotated(N, a, R, const[r, RP], const[r, RP + 1], const[r, RP + 2])
    wx, wy, wz = rotated(N, b, R, const[r, RQ], const[r, RQ + 1], const[r, RQ + 2])
    zx, zy, zz = rotated(N, b, R, const[r, RW], const[r, RW + 1], const[r, RW + 2])
    mx, my, mz, f = angle_part(N, a, b, ux, uy, uz, wx, wy, wz)
    nx, ny, nz, g = angle_part(N, a, b, tx, ty, tz, zx, zy, zz)
    return (
        ux * wx + uy * wy + uz * wz - tx * zx - ty * zy - tz * zz,
        mx - nx,
        my - ny,
        mz - nz,
        f - g,
    )


@kernel(**CALLED)
def sliding(T, r):
    """Of a ROLL or EDGE row: direction e, the arms of the non-sliding point on b and on a, its
    rate, and the derivative of the rate for v' = 0.

    The lowest point of a rim of radius r about b's axis z over the plane with the normal n lies at
    p_b - r u, u along n - (n.z) z; it moves along the rim, and the vanishing velocity is that of
    the material point there.
    """
    N, const = T.node, T.row_const
    a, b = T.rows[r, RA], T.rows[r, RB]
    px, py, pz, qx, qy, qz = point(N, b, const[r, RQ], const[r, RQ + 1], const[r, RQ + 2])
    side = b if T.rows[r, ROW_TYPE] == EDGE else a
    ex, ey, ez = rotated(N, side, R, const[r, RU], const[r, RU + 1], const[r, RU + 2])
    dx, dy, dz = cross(N[side, W], N[side, W + 1], N[side, W + 2], ex, ey, ez)
    if T.rows[r, ROW_TYPE] == ROLL:
        nx, ny, nz = rotated(N, a, R, const[r, RP], const[r, RP + 1], const[r, RP + 2])
        zx, zy, zz = rotated(N, b, R, const[r, RW], const[r, RW + 1], const[r, RW + 2])
        mx, my, mz = cross(N[a, W], N[a, W + 1], N[a, W + 2], nx, ny, nz)
        kx, ky, kz = cross(N[b, W], N[b, W + 1], N[b, W + 2], zx, zy, zz)
        c, cd = (
            nx * zx + ny * zy + nz * zz,
            mx * zx + my * zy + mz * zz + nx * kx + ny * ky + nz * kz,
        )
        ux, uy, uz = nx - c * zx, ny - c * zy, nz - c * zz
        k = 1.0 / math.sqrt(ux * ux + uy * uy + uz * uz)
        ux, uy, uz = k * ux, k * uy, k * uz
        mx, my, mz = mx - cd * zx - c * kx, my - cd * zy - c * ky, mz - cd * zz - c * kz
        g = ux * mx + uy * my + uz * mz
        radius = const[r, RLEN]
        px, py, pz = px - radius * ux, py - radius * uy, pz - radius * uz
        qx, qy, qz = (
            qx - radius * k * (mx - g * ux),
            qy - radius * k * (my - g * uy),
            qz - radius * k * (mz - g * uz),
        )
    ax, ay, az = (
        N[b, O] + px - N[a, O],
        N[b, O + 1] + py - N[a, O + 1],
        N[b, O + 2] + pz - N[a, O + 2],
    )
    # velocity over a of the point of b there, and its change as the lowest point moves along the
    # rim
    vx, vy, vz = cross(N[b, W], N[b, W + 1], N[b, W + 2], px, py, pz)
    sx, sy, sz = cross(N[a, W], N[a, W + 1], N[a, W + 2], ax, ay, az)
    vx, vy, vz = (
        N[b, V] + vx - N[a, V] - sx,
        N[b, V + 1] + vy - N[a, V + 1] - sy,
        N[b, V + 2] + vz - N[a, V + 2] - sz,
    )
    fx, fy, fz = cross(N[b, AW], N[b, AW + 1], N[b, AW + 2], px, py, pz)
    gx, gy, gz = cross(
        N[b, W], N[b, W + 1], N[b, W + 2], qx - N[b, V], qy - N[b, V + 1], qz - N[b, V + 2]
    )
    hx, hy, hz = cross(N[a, AW], N[a, AW + 1], N[a, AW + 2], ax, ay, az)
    ix, iy, iz = cross(
        N[a, W], N[a, W + 1], N[a, W + 2], qx - N[a, V], qy - N[a, V + 1], qz - N[a, V + 2]
    )
    bias = (
        dx * vx
        + dy * vy
        + dz * vz
        + ex * (N[b, AV] + fx + gx - N[a, AV] - hx - ix)
        + ey * (N[b, AV + 1] + fy + gy - N[a, AV + 1] - hy - iy)
        + ez * (N[b, AV + 2] + fz + gz - N[a, AV + 2] - hz - iz)
    )
    return ex, ey, ez, px, py, pz, ax, ay, az, ex * vx + ey * vy + ez * vz, bias


@njit(**INLINE)
def term_rate(y, T, t):
    """Rate of the coordinate of term t."""
    j = T.terms[t, TERM_DOF]
    return y[T.size[NQ] + j] if j >= 0 else simple_rate(T, T.terms[t, TERM_READ])


@kernel(**CALLED)
def coordinate_value(y, T, r):
    """Value and rate of a COORDINATE row."""
    rows, terms = T.rows, T.terms
    first, law, level = rows[r, TERM0], rows[r, LAW], rows[r, LEVEL]
    x, rate = -T.row_const[r, RLEN], 0.0
    for t in range(first, rows[r, TERM1]):
        x += T.factors[t] * y[terms[t, TERM_X]]
        rate += T.factors[t] * term_rate(y, T, t)
    if law >= 0:
        if rows[r, OVER] == OVER_TIME:
            f, g, _h = law_jet(T, law, y[y.shape[0] - 1])
            if level == OF_POSITION:
                x -= f
                rate -= g
            elif level == OF_VELOCITY:
                rate -= f
        else:
            f, g, _h = law_jet(T, law, y[terms[first, TERM_X]])
            x -= f
            rate -= g * term_rate(y, T, first)
    return x if level == OF_POSITION else 0.0, rate


@njit(**INLINE)
def term_wrench(T, t, factor):
    """Add factor times the wrench that measures the rate of term t to its slots."""
    N, D, F, terms = T.node, T.dof, T.wrench, T.terms
    j, _a, b, sa, sb = (
        terms[t, TERM_DOF],
        terms[t, TERM_A],
        terms[t, TERM_B],
        terms[t, TERM_SA],
        terms[t, TERM_SB],
    )
    turns = terms[t, TERM_TURN] == 1
    ex = ey = ez = ax = ay = az = bx = by = bz = 0.0
    if j >= 0:
        # a coordinate of the tree: along its own column, at the node's origin
        k = S if turns else S + 3
        ex, ey, ez = D[j, k], D[j, k + 1], D[j, k + 2]
        factor /= ex * ex + ey * ey + ez * ez
        ax, ay, az = N[b, RV], N[b, RV + 1], N[b, RV + 2]
    else:
        ex, ey, ez = simple_axis(T, terms[t, TERM_READ])
        ax, ay, az, bx, by, bz = b_origin(T, terms[t, TERM_READ])
    ex, ey, ez = factor * ex, factor * ey, factor * ez
    if turns:
        if sb >= 0:
            add3(F, sb, FF, ex, ey, ez)
        if sa >= 0:
            add3(F, sa, FF, -ex, -ey, -ez)
        return
    if sb >= 0:
        mx, my, mz = cross(bx, by, bz, ex, ey, ez)
        add3(F, sb, FF, mx, my, mz)
        add3(F, sb, FF + 3, ex, ey, ez)
    if sa >= 0:
        mx, my, mz = cross(ax, ay, az, ex, ey, ez)
        add3(F, sa, FF, -mx, -my, -mz)
        add3(F, sa, FF + 3, -ex, -ey, -ez)


@kernel(**CALLED)
def coordinate_wrench(y, T, r):
    """gamma and wrenches of a COORDINATE row; of one over the time also the rate that it
    imposes.
    """
    rows, terms, work = T.rows, T.terms, T.row
    first, law, level = rows[r, TERM0], rows[r, LAW], rows[r, LEVEL]
    gamma = slope = rate = 0.0
    timed = law >= 0 and rows[r, OVER] == OVER_TIME
    if timed:
        f, g, h = law_jet(T, law, y[y.shape[0] - 1])
        gamma = h if level == OF_POSITION else (g if level == OF_VELOCITY else f)
    elif law >= 0:
        f, slope, h = law_jet(T, law, y[terms[first, TERM_X]])
        u = term_rate(y, T, first)
        gamma = h * u * u
    for t in range(first, rows[r, TERM1]):
        factor = T.factors[t] - slope if t == first else T.factors[t]
        if terms[t, TERM_DOF] < 0:
            gamma -= factor * simple_bias(T, terms[t, TERM_READ])
        term_wrench(T, t, factor)
        rate += factor * term_rate(y, T, t)
    work[r, GAM] = gamma
    work[r, DRIVE] = rate if timed else 0.0


@alone(SPECIAL_ROWS, NOTHING, VECTOR, TABLES, INDEX)
def special_value(y, T, r):
    """Value and rate of row r, none of POINT, ANGLE and DISTANCE."""
    kind, work, N = T.rows[r, ROW_TYPE], T.row, T.node
    if kind == TWIST:
        a, b = T.rows[r, RA], T.rows[r, RB]
        work[r, C], mx, my, mz, _bias = twist(T, r)
        work[r, CD] = (
            mx * (N[b, W] - N[a, W])
            + my * (N[b, W + 1] - N[a, W + 1])
            + mz * (N[b, W + 2] - N[a, W + 2])
        )
    elif kind == ROLL or kind == EDGE:
        _ex, _ey, _ez, _px, _py, _pz, _ax, _ay, _az, rate, _bias = sliding(T, r)
        work[r, C] = 0.0
        work[r, CD] = rate
    else:
        work[r, C], work[r, CD] = coordinate_value(y, T, r)


@alone(SPECIAL_ROWS, NOTHING, VECTOR, TABLES, INDEX)
def special_wrench(y, T, r):
    """gamma and wrenches of row r, none of POINT, ANGLE and DISTANCE."""
    kind, work, F = T.rows[r, ROW_TYPE], T.row, T.wrench
    if kind == TWIST:
        sa, sb = T.rows[r, SA], T.rows[r, SB]
        _value, mx, my, mz, bias = twist(T, r)
        work[r, GAM] = -bias
        if sb >= 0:
            add3(F, sb, FF, mx, my, mz)
        if sa >= 0:
            add3(F, sa, FF, -mx, -my, -mz)
    elif kind == ROLL or kind == EDGE:
        sa, sb = T.rows[r, SA], T.rows[r, SB]
        ex, ey, ez, px, py, pz, ax, ay, az, _rate, bias = sliding(T, r)
        work[r, GAM] = -bias
        if sb >= 0:
            mx, my, mz = cross(px, py, pz, ex, ey, ez)
            add3(F, sb, FF, mx, my, mz)
            add3(F, sb, FF + 3, ex, ey, ez)
        if sa >= 0:
            mx, my, mz = cross(ax, ay, az, ex, ey, ez)
            add3(F, sa, FF, -mx, -my, -mz)
            add3(F, sa, FF + 3, -ex, -ey, -ez)
    else:
        coordinate_wrench(y, T, r)
