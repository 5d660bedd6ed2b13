"""Springs, dampers, motors, bushings, forces and torques: wrenches on the nodes, efforts on the
columns, power and potential.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    AT_BODY,
    AT_DOF,
    AT_FRAMES,
    AT_READING,
    AT_TWO_POINTS,
    F_A,
    F_AT,
    F_B,
    F_BODY_AXES,
    F_DOF,
    F_LAW,
    F_LAW0,
    F_LAW1,
    F_MOMENT,
    F_POTENTIAL,
    F_X,
    FPA,
    FPAR,
    FPB,
    FRB,
    GX,
    INLINE,
    MASS,
    MOMENT,
    PF,
    TAU,
    XRATE,
    O,
    R,
    W,
)
from mechstudio.engine.kernels.loads.bushings import bushing_energy, bushing_load
from mechstudio.engine.kernels.loads.law_interpreter import follow_laws
from mechstudio.engine.kernels.loads.laws import SOFT_STOP, law_effort, law_potential
from mechstudio.engine.kernels.rows.readings import apply_effort
from mechstudio.engine.kernels.scalar import act, add3, between, get3, point, rotated


@njit(**INLINE)
def loads(y, nq, T):
    """Add every load to the wrenches PF and the efforts TAU; `reading_rates` has run at this state.
    Returns the power of the loads without potential [W].
    """
    forces, const, N, D = T.forces, T.force_const, T.node, T.dof
    power = 0.0
    for s in range(forces.shape[0]):
        if forces[s, F_AT] == AT_DOF:
            D[forces[s, F_DOF], TAU] = 0.0
    for s in range(forces.shape[0]):
        at, a, b, e, law = (
            forces[s, F_AT],
            forces[s, F_A],
            forces[s, F_B],
            forces[s, F_DOF],
            forces[s, F_LAW],
        )
        # position: its coordinate x with rate v, or the position p of its point with velocity v,
        # and their arms
        x = rate = ax = ay = az = bx = by = bz = dx = dy = dz = px = py = pz = vx = vy = vz = (
            inverse
        ) = 0.0
        if at == AT_TWO_POINTS:
            ax, ay, az, sx, sy, sz = point(
                N, a, const[s, FPA], const[s, FPA + 1], const[s, FPA + 2]
            )
            bx, by, bz, vx, vy, vz = point(
                N, b, const[s, FPB], const[s, FPB + 1], const[s, FPB + 2]
            )
            dx, dy, dz = between(N, a, ax, ay, az, b, bx, by, bz)
            x = math.sqrt(dx * dx + dy * dy + dz * dz)
            # two points that coincide have no direction: no force there
            inverse = 1.0 / x if x > 0.0 else 0.0
            rate = ((vx - sx) * dx + (vy - sy) * dy + (vz - sz) * dz) * inverse
        elif at == AT_DOF:
            x, rate = y[forces[s, F_X]], y[nq + e]
        elif at == AT_READING:
            x, rate = y[forces[s, F_X]], T.read[e, XRATE]
        elif at == AT_BODY:
            bx, by, bz, vx, vy, vz = point(
                N, b, const[s, FPB], const[s, FPB + 1], const[s, FPB + 2]
            )
            px, py, pz = N[b, O] + bx, N[b, O + 1] + by, N[b, O + 2] + bz
        if forces[s, F_LAW0] < forces[s, F_LAW1]:
            follow_laws(T, s, y, nq, x, rate, px, py, pz, vx, vy, vz)
        # magnitude and direction
        if at == AT_BODY:
            fx, fy, fz = get3(const, s, FPAR)
            if forces[s, F_BODY_AXES] == 1:
                fx, fy, fz = rotated(const, s, FRB, fx, fy, fz)
                fx, fy, fz = rotated(N, b, R, fx, fy, fz)
            if forces[s, F_MOMENT] == 1:
                add3(N, b, PF, -fx, -fy, -fz)
                power += fx * N[b, W] + fy * N[b, W + 1] + fz * N[b, W + 2]
            else:
                act(N, b, bx, by, bz, fx, fy, fz)
                power += fx * vx + fy * vy + fz * vz
        elif at == AT_FRAMES:
            power += bushing_load(T, s, forces[s, F_POTENTIAL] >= 0)
        else:
            effort = law_effort(law, x, rate, const, s)
            if forces[s, F_POTENTIAL] < 0:
                power += effort * rate
            elif law == SOFT_STOP:
                # the spring of a stop has a potential, its damper does work
                power += (effort - law_effort(SOFT_STOP, x, 0.0, const, s)) * rate
            if at == AT_DOF:
                D[e, TAU] += effort
            elif at == AT_READING:
                apply_effort(T, e, effort)
            else:
                f = effort * inverse
                act(N, b, bx, by, bz, f * dx, f * dy, f * dz)
                act(N, a, ax, ay, az, -f * dx, -f * dy, -f * dz)
    return power


@njit(**INLINE)
def potential_energy(y, T):
    """Energy of gravity (zero at W's origin) and of all loads with a potential [J]."""
    forces, const, N, settings = T.forces, T.force_const, T.node, T.settings
    energy = 0.0
    gx, gy, gz = settings[GX], settings[GX + 1], settings[GX + 2]
    for i in range(T.nodes.shape[0] - 1):
        m = T.node_const[i, MASS]
        hx, hy, hz = rotated(
            N,
            i,
            R,
            T.node_const[i, MOMENT],
            T.node_const[i, MOMENT + 1],
            T.node_const[i, MOMENT + 2],
        )
        energy -= (
            gx * (m * N[i, O] + hx) + gy * (m * N[i, O + 1] + hy) + gz * (m * N[i, O + 2] + hz)
        )
    for s in range(forces.shape[0]):
        kind = forces[s, F_POTENTIAL]
        if kind < 0:
            continue
        if forces[s, F_AT] == AT_FRAMES:
            energy += bushing_energy(T, s)
            continue
        x = 0.0
        if forces[s, F_AT] == AT_TWO_POINTS:
            a, b = forces[s, F_A], forces[s, F_B]
            ax, ay, az = rotated(N, a, R, const[s, FPA], const[s, FPA + 1], const[s, FPA + 2])
            bx, by, bz = rotated(N, b, R, const[s, FPB], const[s, FPB + 1], const[s, FPB + 2])
            dx, dy, dz = between(N, a, ax, ay, az, b, bx, by, bz)
            x = math.sqrt(dx * dx + dy * dy + dz * dz)
        else:
            x = y[forces[s, F_X]]
        energy += law_potential(kind, x, 0.0, const, s)
    return energy
