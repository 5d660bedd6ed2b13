"""Shapes that move farther within a step than they are apart: whether and where they touch."""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.gjk import support
from mechstudio.engine.contacts.geometry.shapes import BOUND, KIND, KINDS, MESH, PLANE
from mechstudio.engine.contacts.geometry.vectors import cross, dot
from mechstudio.engine.contacts.geometry.work import DRIFT, MOTION, SPIN
from mechstudio.engine.contacts.kernel_calls import call

_MOST_ADVANCES = 200
TOUCH = 1e-5  # of the smaller shape: distance below which shapes that pass each other touch
AHEAD = 0.8  # of a gap: motion along its normal from which the shapes may touch within the step


@kernel
def move(X, s, row, t):
    """Put shape s to its place after the fraction t of the step; row: of its place at the
    beginning.
    """
    wx, wy, wz = t * X[row, SPIN], t * X[row, SPIN + 1], t * X[row, SPIN + 2]
    angle = math.sqrt(wx * wx + wy * wy + wz * wz)
    a, b = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0
    if angle > 1e-3:
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
    for k in range(3):
        X[s, k] = X[row, k] + t * X[row, DRIFT + k]
        # Rodrigues, column by column
        x, y, z = X[row, 3 + k], X[row, 6 + k], X[row, 9 + k]
        ux, uy, uz = cross(wx, wy, wz, x, y, z)
        vx, vy, vz = cross(wx, wy, wz, ux, uy, uz)
        X[s, 3 + k], X[s, 6 + k], X[s, 9 + k] = (
            x + a * ux + b * vx,
            y + a * uy + b * vy,
            z + a * uz + b * vz,
        )


@kernel
def copy_placement(X, i, j, to_i, to_j):
    """Copy the placements of two shapes to two other rows of X."""
    for k in range(X.shape[1]):
        X[to_i, k], X[to_j, k] = X[i, k], X[j, k]


@kernel
def nearest_of(out, found):
    """Row of the least gap among the first `found` contacts."""
    least = 0
    for c in range(found):
        if out[c, 0] < out[least, 0]:
            least = c
    return least


@kernel
def turn_of(X, s):
    """Angle by which shape s turns in the step."""
    x, y, z = X[s, SPIN], X[s, SPIN + 1], X[s, SPIN + 2]
    return math.sqrt(dot(x, y, z, x, y, z))


@kernel
def core_gap(T, W, i, j, nx, ny, nz):
    """Distance of the cores of two convex shapes along the normal n from i to j, of a plane that of
    the origin [m].
    """
    gap = 0.0
    if T.ints[i, KIND] != PLANE:
        x, y, z = support(T, W, i, nx, ny, nz)
        gap -= dot(nx, ny, nz, x, y, z)
    if T.ints[j, KIND] != PLANE:
        x, y, z = support(T, W, j, -nx, -ny, -nz)
        gap += dot(nx, ny, nz, x, y, z)
    return gap


@kernel
def convex_way(T, W, i, j, here, there, t, gap, close, nx, ny, nz):
    """Share of the step, after the fraction t of it, in which of a gap [m] between convex shapes
    half of `close` is sure to be left along their normal n.

    Between two instants the distance along n is no less than on the straight line between its
    values at both, but for d w^2 / 8: w is the share of the step between them, d a bound of how
    paths bend, theta^2 r of a shape that turns by theta.
    """
    X, bend = W.placed, 0.0
    for end in range(2):
        s = j if end else i
        if T.ints[s, KIND] > PLANE:
            bend += turn_of(X, s) ** 2 * T.numbers[s, BOUND]
    way = 1.0 - t
    if bend * way * way > 2.0 * gap:
        way = math.sqrt(2.0 * gap / bend)
    lost = core_gap(T, W, i, j, nx, ny, nz)
    move(X, i, here, t + way)
    move(X, j, there, t + way)
    lost -= core_gap(T, W, i, j, nx, ny, nz)
    left = gap - 0.5 * close - 0.125 * bend * way * way
    return way if lost <= left else way * left / lost


@kernel
def hollow_way(T, X, i, j, gap):
    """Share of the step in which hollow shapes lose a gap [m] at most, whichever way they move."""
    x, y, z = (
        X[i, DRIFT] - X[j, DRIFT],
        X[i, DRIFT + 1] - X[j, DRIFT + 1],
        X[i, DRIFT + 2] - X[j, DRIFT + 2],
    )
    most = math.sqrt(dot(x, y, z, x, y, z))
    for end in range(2):
        s = j if end else i
        if T.ints[s, KIND] > PLANE:
            most += turn_of(X, s) * T.numbers[s, BOUND]
    return gap / most if most > gap else 1.0


@kernel
def advance(T, W, i, j, margin, close):
    """(number of contacts in W.out, fraction of the step) where two shapes come nearer than `close`
    within the step, by conservative advancement (Mirtich 1996); no contacts if they do not.  They
    stay there; their placements at the beginning stand in the two last rows of W.placed.
    """
    X, out = W.placed, W.out
    address = T.calls[KINDS * T.ints[i, KIND] + T.ints[j, KIND]]
    motion = X[i, MOTION] + X[j, MOTION]
    here, there = T.ints.shape[0], T.ints.shape[0] + 1
    copy_placement(X, i, j, here, there)
    found, t = 0, 0.0
    for _step in range(_MOST_ADVANCES):
        found = call(address, T, W, i, j, margin + motion * (1.0 - t))
        if found == 0:
            break
        c = nearest_of(out, found)
        gap = out[c, 0]
        if gap <= close:
            break
        if T.ints[j, KIND] < MESH:
            t += convex_way(T, W, i, j, here, there, t, gap, close, out[c, 4], out[c, 5], out[c, 6])
        else:
            t += hollow_way(T, X, i, j, gap - 0.5 * close)
        if t >= 1.0:
            found = 0
            break
        move(X, i, here, t)
        move(X, j, there, t)
    return found, t


@kernel
def fast_pair(T, W, i, j, margin):
    """The touch of two shapes that are farther apart than margin and may meet within the step.

    The contact is that of the instant of touch, expressed at present: its normal, the point midway
    between the two places that will touch, and as gap their distance along the normal. A step that
    respects the gap therefore ends in touch, and shapes that pass each other have no contact.
    """
    X, out = W.placed, W.out
    here, there = T.ints.shape[0], T.ints.shape[0] + 1
    close = max(0.5 * margin, 1e-4 * min(T.numbers[i, BOUND], T.numbers[j, BOUND]))
    found, t = advance(T, W, i, j, margin, close)
    kept = 0
    for c in range(found):
        nx, ny, nz = out[c, 4], out[c, 5], out[c, 6]
        closing = 0.0
        for side in range(2):
            s, row = (j, there) if side else (i, here)
            rx, ry, rz = out[c, 1] - X[s, 0], out[c, 2] - X[s, 1], out[c, 3] - X[s, 2]
            dx, dy, dz = cross(X[row, SPIN], X[row, SPIN + 1], X[row, SPIN + 2], rx, ry, rz)
            dx, dy, dz = (
                t * (dx + X[row, DRIFT]),
                t * (dy + X[row, DRIFT + 1]),
                t * (dz + X[row, DRIFT + 2]),
            )
            closing += (nx * dx + ny * dy + nz * dz) * (1.0 if side else -1.0)
            W.R[40 + 3 * side], W.R[41 + 3 * side], W.R[42 + 3 * side] = dx, dy, dz
        # near shapes that separate, as the tip of a rod that swings past, do not touch
        if closing >= 0.0:
            continue
        out[kept, 0] = out[c, 0] - closing
        W.feature[kept] = W.feature[c]
        for k in range(3):
            out[kept, 1 + k], out[kept, 4 + k] = (
                out[c, 1 + k] - 0.5 * (W.R[40 + k] + W.R[43 + k]),
                out[c, 4 + k],
            )
        kept += 1
    copy_placement(X, here, there, i, j)
    return kept


@kernel
def approach_of(X, i, j, out, c):
    """Way in a step by which shapes i and j come nearer along the normal of contact c, at its place
    at present [m].
    """
    return nearing(X, i, j, out[c, 1], out[c, 2], out[c, 3], out[c, 4], out[c, 5], out[c, 6])


@kernel
def nearing(X, i, j, px, py, pz, nx, ny, nz):
    """Way in a step by which shapes i and j come nearer at the place p along n, from i to j [m]."""
    way = 0.0
    for end in range(2):
        s = j if end else i
        x, y, z = cross(
            X[s, SPIN], X[s, SPIN + 1], X[s, SPIN + 2], px - X[s, 0], py - X[s, 1], pz - X[s, 2]
        )
        x, y, z = x + X[s, DRIFT], y + X[s, DRIFT + 1], z + X[s, DRIFT + 2]
        way += dot(nx, ny, nz, x, y, z) * (-1.0 if end else 1.0)
    return way


@kernel
def gap_at_end(T, W, i, j):
    """Distance of shapes i and j at the end of the step [m], infinite if it is more than both
    move.
    """
    X, here, there = W.placed, T.ints.shape[0], T.ints.shape[0] + 1
    copy_placement(X, i, j, here, there)
    move(X, i, here, 1.0)
    move(X, j, there, 1.0)
    address = T.calls[KINDS * T.ints[i, KIND] + T.ints[j, KIND]]
    found = call(address, T, W, i, j, X[i, MOTION] + X[j, MOTION])
    copy_placement(X, here, there, i, j)
    return W.out[nearest_of(W.out, found), 0] if found > 0 else math.inf


@kernel
def passing_pair(T, W, i, j, found):
    """Number of the `found` contacts of shapes i and j in W.out that are left, the first ones, if
    both move as they do now.

    A contact is a plane for the whole step, which stops what passes a slanted place ahead too.  Of
    shapes that do not touch within the step the gaps therefore grow to what they close, and to
    their distance at the end; without contacts if they are far apart then.  A body that another one
    throws at the edge is held all the same.
    """
    X, out, ahead, count = W.placed, W.out, W.ahead, int(found)
    here, there = T.ints.shape[0], T.ints.shape[0] + 1
    touch = TOUCH * min(T.numbers[i, BOUND], T.numbers[j, BOUND])
    least = out[nearest_of(out, count), 0]
    if least <= touch or least >= X[i, MOTION] + X[j, MOTION]:
        return count
    closes = grows = False
    for c in range(count):
        closes = closes or approach_of(X, i, j, out, c) > max(AHEAD * out[c, 0], touch)
    if not closes:
        return count
    for c in range(count):
        ahead[c, 7] = W.feature[c]
        for k in range(7):
            ahead[c, k] = out[c, k]
    end = gap_at_end(T, W, i, j)
    for c in range(count):
        grows = grows or approach_of(X, i, j, ahead, c) + end > ahead[c, 0] + touch
    passes = grows and end > touch
    if passes:
        touching, _ = advance(T, W, i, j, 0.0, touch)
        copy_placement(X, here, there, i, j)
        passes = touching == 0
    if passes and end == math.inf:
        return 0
    for c in range(count):
        W.feature[c] = int(ahead[c, 7])
        for k in range(7):
            out[c, k] = ahead[c, k]
        wide = approach_of(X, i, j, out, c) + end
        if passes and wide > out[c, 0] + touch:
            out[c, 0] = wide
    return count
