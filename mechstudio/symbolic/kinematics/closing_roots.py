"""Coordinates of closing joints that need roots: discs and wheels on a floor, constant velocity
joints and rods (THEORY 3, model/joints/coordinate_readings.py).

Disc, R = Rz(psi) Rx(theta) Rz(phi), c = z_A . z_B = cos theta, l^2 = 1 - c^2
    x = d_x + r c z_Bx / l, y likewise: the point of contact
        psi (z_Bx, -z_By) / l, theta (l, c), phi (z_A . x_B, z_A . y_B) / l
    rates: of x and y the slopes themselves; z_A - c z_B over l^2, z_A x z_B / l, z_B - c z_A over
        l^2
        upright wheel: l = 1, c = 0
Constant velocity, R = Rx(a/2) Ry(b) Rx(a/2), m^2 = 1 + R_00 + R_11 + R_22 = (2 cos a/2 cos b/2)^2,
n^2 = 2 + 2 R_00 = (2 cos b/2)^2
    a/2 ((R_21 - R_12) / (m n), m / n), b/2 ((R_02 - R_20) / (2 m), n / 2)
        rates: 2 (x_A + x_B) / n^2, and y1 = Rx(a/2) y_A
Rod, d = Rz(azimuth) Ry(elevation) l e_x, e = its axes, then Rz Ry Rx of a ball from e to B; rho^2 =
d_x^2 + d_y^2, l^2 = d . d, k^2 = 1 - (e_3 . x_B)^2
    azimuth (d_y, d_x) / rho, elevation (-d_z, rho) / l
        their rates: forces across d;  the ball's torques with the forces that keep azimuth and
        elevation
"""

from mechstudio.model.types.joints import JOINT_TYPES, QUARTER, X, Y, Z
from mechstudio.symbolic.kinematics.closing_reading import Reading, on_both, pushed, rotated
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector


def _axes(kin: Kinematics, closure: Closure, frame: int) -> tuple[list[Vector], list[Vector]]:
    a, b = (
        [kin.up(kin.axis(c, k), c.frame, frame) for k in range(3)] for c in (closure.a, closure.b)
    )
    return a, b


def _root(ring: Ring, i: int, square: Poly) -> tuple[Poly, Poly]:
    """A length of the ring and its inverse."""
    if not ring.square[i]:
        ring.set_length(i, square)
    return ring.l[i], ring.w[i]


def _times(factor, v: Vector) -> Vector:
    return [factor * x for x in v]


def _sum(*vectors: Vector) -> Vector:
    return [sum(parts[1:], parts[0]) for parts in zip(*vectors)]


# on a floor


def of_rim(ring: Ring, kin: Kinematics, closure: Closure, component: int) -> Reading | None:
    """A coordinate of a disc or wheel; of a blade the joint is a planar one and not read here."""
    assert closure.length is not None
    d, frame = kin.between(closure.a, closure.b)
    A, B = _axes(kin, closure, frame)
    upright = any(motion == QUARTER for motion, _ in JOINT_TYPES[closure.joint.type].motions)
    c = ring.zero if upright else ring.dot(A[Z], B[Z])
    l, w = (ring.one, ring.one) if upright else _root(ring, closure.root, 1 - c * c)
    if component < 2:
        axis = A[component]
        across = ring.dot(axis, B[Z])
        radius = ring.amount(closure.length)
        x = ring.reduce(ring.dot(axis, d) + radius * c * w * across)
        # what the reach of the rim changes with the disc's axis: g = r c (e . z_B) / l, dg = w .
        # (z_B x dg/dz_B)
        bend = _sum(_times((w + c**2 * w**3) * across, A[Z]), _times(c * w, axis))
        moment = [ring.zero] * 3 if upright else _times(radius, ring.cross(B[Z], bend))
        force, torque = pushed(ring, kin, closure, axis, [ring.reduce(y) for y in moment], d, frame)
        return Reading(x, ring.gradient(x), ring.rate(x), moment=torque, force=force)
    which = component - 2 + (upright and component > 2)
    if which == 1:
        return rotated(
            ring,
            kin,
            closure,
            component,
            on_both(kin, closure, _times(w, ring.cross(A[Z], B[Z])), frame),
            l,
            c,
        )
    first, second = (A[Z], B[Z]) if which == 0 else (B[Z], A[Z])
    moment = [ring.reduce(w * w * (x - c * y)) for x, y in zip(first, second)]
    sine, cosine = (
        (ring.dot(A[X], B[Z]), -ring.dot(A[Y], B[Z]))
        if which == 0
        else (ring.dot(A[Z], B[X]), ring.dot(A[Z], B[Y]))
    )
    return rotated(
        ring,
        kin,
        closure,
        component,
        on_both(kin, closure, moment, frame),
        ring.reduce(w * sine),
        ring.reduce(w * cosine),
    )


# constant velocity


def of_halves(ring: Ring, kin: Kinematics, closure: Closure, component: int) -> Reading | None:
    """One of the two tilts, as twice the angle of which sine and cosine are known."""
    if closure.root < 0:
        return None
    _, frame = kin.between(closure.a, closure.b)
    A, B = _axes(kin, closure, frame)
    R = lambda i, j: ring.dot(A[i], B[j])
    m, over_m = _root(ring, closure.root, ring.reduce(1 + R(X, X) + R(Y, Y) + R(Z, Z)))
    n, over_n = _root(ring, closure.root + 1, 2 + 2 * R(X, X))
    sine, cosine = ring.reduce((R(Z, Y) - R(Y, Z)) * over_m * over_n), ring.reduce(m * over_n)
    if component == 0:
        moment = [ring.reduce(2 * over_n**2 * x) for x in _sum(A[X], B[X])]
        return rotated(
            ring, kin, closure, 0, on_both(kin, closure, moment, frame), sine, cosine, parts=2
        )
    moment = [ring.reduce(x) for x in _sum(_times(cosine, A[Y]), _times(sine, A[Z]))]
    return rotated(
        ring,
        kin,
        closure,
        1,
        on_both(kin, closure, moment, frame),
        ring.reduce(ring.half * (R(X, Z) - R(Z, X)) * over_m),
        ring.half * n,
        parts=2,
    )


# rod


def of_rod(ring: Ring, kin: Kinematics, closure: Closure, component: int) -> Reading | None:
    """Azimuth or elevation of a rod, or an angle of the ball at its end."""
    if closure.root < 0:
        return None
    d, frame = kin.between(closure.a, closure.b)
    A, B = _axes(kin, closure, frame)
    dx, dy, dz = (ring.dot(axis, d) for axis in A)
    flat, over_flat = _root(ring, closure.root, dx * dx + dy * dy)
    across = ring.cross(A[Z], d)
    azimuth = [ring.reduce(over_flat**2 * x) for x in across]
    if component == 0:
        force, torque = pushed(ring, kin, closure, azimuth, [ring.zero] * 3, d, frame)
        return rotated(
            ring,
            kin,
            closure,
            0,
            torque,
            ring.reduce(dy * over_flat),
            ring.reduce(dx * over_flat),
            force,
        )
    _, over_length = _root(ring, closure.root + 1, ring.dot(d, d))
    side = [ring.reduce(over_flat * x) for x in across]
    elevation = [ring.reduce(over_length**2 * x) for x in ring.cross(side, d)]
    if component == 1:
        force, torque = pushed(ring, kin, closure, elevation, [ring.zero] * 3, d, frame)
        return rotated(
            ring,
            kin,
            closure,
            1,
            torque,
            ring.reduce(-dz * over_length),
            ring.reduce(flat * over_length),
            force,
        )
    along = [ring.reduce(over_length * x) for x in d]
    up = ring.cross(along, side)
    sine = -ring.dot(up, B[X])
    k, over_k = _root(ring, closure.root + 2, 1 - sine * sine)
    which = component - 2
    if which == 1:
        moment = [ring.reduce(over_k * x) for x in ring.cross(up, B[X])]
        pair = (sine, k)
    else:
        first, second = (up, B[X]) if which == 0 else (B[X], up)
        moment = [ring.reduce(over_k**2 * (x + sine * y)) for x, y in zip(first, second)]
        pair = (
            (ring.dot(side, B[X]), ring.dot(along, B[X]))
            if which == 0
            else (ring.dot(up, B[Y]), ring.dot(up, B[Z]))
        )
        pair = ring.reduce(over_k * pair[0]), ring.reduce(over_k * pair[1])
    # turning the rod turns B as well: these forces take that power away again
    push = _sum(
        _times(-ring.dot(moment, A[Z]), azimuth), _times(-ring.dot(moment, side), elevation)
    )
    force, torque = pushed(ring, kin, closure, [ring.reduce(x) for x in push], moment, d, frame)
    return rotated(ring, kin, closure, component, torque, *pair, force)


__all__ = ["of_halves", "of_rim", "of_rod"]
