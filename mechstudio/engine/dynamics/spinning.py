"""Small rotations beside a ball or a free body that spins.

Its coordinates are quasi-coordinates: velocities are angular velocities about axes that turn with
the node, so that a small rotation theta about them changes by theta' = dω - ω × theta.  About axes
that do not turn it is phi, with phi' = dω at the instant at which both kinds of axes agree.
"""

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.system.system import System


def rotation_places(system: System) -> list[tuple[int, int, int]]:
    """(node, first place in q of its quaternion, first place in v of its angular velocity) of every
    ball and free motion.
    """
    out = []
    for n, node in enumerate(system.tree.nodes):
        motion, q, v = (int(system.tables.nodes[n, c]) for c in (k.MOTION, k.Q0, k.V0))
        if motion in (k.BALL, k.FREE):
            shift = node.dof - 3
            out.append((n, q + shift, v + shift))
    return out


def skew(w: np.ndarray) -> np.ndarray:
    """Matrix (3, 3) of the product w ×."""
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def spin_matrix(system: System, y: np.ndarray) -> np.ndarray:
    """Matrix (nv, nv) of ω × on the small rotations of every ball and free motion, zero on all
    other coordinates [rad/s].
    """
    nq, nv = system.where.nq, system.where.nv
    out = np.zeros((nv, nv))
    for _, _, v in rotation_places(system):
        out[v : v + 3, v : v + 3] = skew(y[nq + v : nq + v + 3])
    return out


def turn_between(system: System, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Matrix (nv, nv) from components in the node axes of a state z to those of a state y."""
    out = np.eye(system.where.nv)
    for _, q, v in rotation_places(system):
        w, *axis = product(conjugate(y[q : q + 4]), z[q : q + 4])
        n = skew(np.array(axis))
        out[v : v + 3, v : v + 3] += 2.0 * w * n + 2.0 * n @ n
    return out


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Product of quaternions, or of their rates."""
    return np.concatenate(
        ([p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))
    )


def conjugate(q: np.ndarray) -> np.ndarray:
    """Conjugate of a quaternion."""
    return q * np.array((1.0, -1.0, -1.0, -1.0))


def increments_beside(
    system: System, y: np.ndarray, dy: np.ndarray, z: np.ndarray, dz: np.ndarray, turning: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A state z beside a moving state y, from their quaternions alone: (rates of the increments,
    second states, rates of these), (nv,) each.

    dy, dz: rates of the states by the engine.  turning: True for increments about axes that turn
    with the nodes of y and second states that are velocities about node axes; False for axes that
    do not turn, and second states that are the rates of the increments.
    """
    nq, nv = system.where.nq, system.where.nv
    rates = z[nq : nq + nv] - y[nq : nq + nv]
    seconds, changes = rates.copy(), (dz - dy)[nq : nq + nv]
    for _, q, v in rotation_places(system):
        p, r = y[q : q + 4], z[q : q + 4]
        dp, dr = dy[q : q + 4], dz[q : q + 4]
        if turning:
            rates[v : v + 3] = 2.0 * (product(conjugate(dp), r) + product(conjugate(p), dr))[1:]
            continue
        ddp, ddr = (
            0.5
            * (
                product(rate, np.concatenate(([0.0], x[nq + v : nq + v + 3])))
                + product(x[q : q + 4], np.concatenate(([0.0], dx[nq + v : nq + v + 3])))
            )
            for x, dx, rate in ((y, dy, dp), (z, dz, dr))
        )
        first = product(dr, conjugate(p)) + product(r, conjugate(dp))
        second = (
            product(ddr, conjugate(p))
            + 2.0 * product(dr, conjugate(dp))
            + product(r, conjugate(ddp))
        )
        # in the axes of the node as it stands at this instant
        in_node = lambda x: 2.0 * product(product(conjugate(p), x), p)[1:]
        rates[v : v + 3] = seconds[v : v + 3] = in_node(first)
        changes[v : v + 3] = in_node(second)
    return rates, seconds, changes
