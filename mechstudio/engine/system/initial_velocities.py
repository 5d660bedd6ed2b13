"""Velocities at the start: what was typed on joints and bodies, brought onto the constraint
manifold (THEORY 2).

Typed joint rates are met exactly where they agree with each other and with the joints; among the
velocities that do, those are taken that come nearest to the typed body velocities in kinetic
energy, and then those of least kinetic energy.  What cannot be met is named by
engine/structure/velocity_conflicts.py.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import jacobian, reading_jacobian, right_hand_side
from mechstudio.engine.structure.velocity_conflicts import Targets
from mechstudio.engine.system.branch_velocity import onto_a_branch
from mechstudio.engine.system.state_layout import Places
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import JOINT_TYPES

ROUNDING = 1e-13  # of a row's entries, which are lengths or 1
# of the largest typed velocity, to which typed ones are met: well below what
# engine/structure/velocity_conflicts.py speaks of
MET = 1e-8


def body_jacobians(y: np.ndarray, T: Tables, chosen: Sequence[int] | None = None) -> np.ndarray:
    """Twists (bodies, 6, nv) of every body frame, or of the chosen ones, per unit velocity:
    origin's velocity in W, angular velocity in W.
    """
    which = range(len(T.bodies)) if chosen is None else chosen
    out = np.zeros((len(which), 6, T.size[k.NV]))
    z = y.copy()
    right_hand_side(z, T, np.zeros_like(z), False)
    origin = T.node[:, k.O : k.O + 3]
    attitude, angular, linear = T.node[:, :9].reshape(-1, 3, 3), T.dof[:, :3], T.dof[:, 3:6]
    for n, b in enumerate(which):
        node = T.bodies[b, k.B_NODE]
        at = origin[node] + attitude[node] @ T.body_const[b, k.BP : k.BP + 3]
        while node < len(T.nodes) - 1:
            first = T.nodes[node, k.V0]
            columns = slice(first, first + T.nodes[node, k.DOF])
            out[n, :3, columns] = (
                linear[columns] + cross(angular[columns], (at - origin[node])[None])
            ).T
            out[n, 3:, columns] = angular[columns].T
            node = T.nodes[node, k.PARENT]
    return out


def initial_velocities(
    mechanism: Mechanism, y: np.ndarray, T: Tables, where: Places
) -> tuple[np.ndarray, bool]:
    """Velocities (nv,) at the closed pose y, and whether they surely are all that was typed.  y:
    its velocities are overwritten.
    """
    typed_joints = {
        id: j for id, j in mechanism.joints.items() if j.rates and JOINT_TYPES[j.type].dof
    }
    typed_bodies = {
        id: body for id, body in mechanism.bodies.items() if body.initial_velocity is not None
    }
    nv = where.nv
    if nv == 0 or not (typed_joints or typed_bodies or T.size[k.DRIVEN]):
        return np.zeros(nv), not (typed_joints or typed_bodies)
    v, held, loose = _loose_velocities(mechanism, typed_bodies, y, T, nv)
    typed_bodies = {id: body for id, body in typed_bodies.items() if id not in loose}
    if not (typed_joints or typed_bodies or T.size[k.DRIVEN]):
        return v, True
    motions = Targets(len(held))
    if len(T.rows):
        J = np.zeros((len(T.rows), nv))
        jacobian(y.copy(), T, J)
        # J v = -C_t; a prescribed acceleration says nothing of the velocity
        said = T.rows[:, k.LEVEL] != k.OF_ACCELERATION
        # the rows of a joint that says the same as another one are all rounding, whatever their
        # largest is
        motions.target(J[said][:, held], -T.row[said, k.CD], ROUNDING * max(1.0, mechanism.size()))
    A, b = _joint_targets(typed_joints, mechanism, y, T, where)
    motions.target(A[:, held], b)
    possible = np.zeros((nv, motions.free.shape[1]))
    possible[held] = motions.free
    typed = [(A, b)]
    if typed_bodies or possible.shape[1]:
        ids = [(i, id) for i, id in enumerate(mechanism.bodies) if id not in loose]
        rows = [n for n, (_, id) in enumerate(ids) if id in typed_bodies]
        twists, roots = (
            body_jacobians(y, T, [i for i, _ in ids]),
            mass_roots(mechanism, T)[[i for i, _ in ids]],
        )
        if typed_bodies:
            requested = np.array(
                [_typed_twist(mechanism.bodies[ids[n][1]], T, ids[n][0]) for n in rows]
            )
            motions.target(
                (roots[rows] @ twists[rows][:, :, held]).reshape(6 * len(rows), len(held)),
                (roots[rows] @ requested[:, :, None]).ravel(),
            )
            metres = np.repeat((1.0, mechanism.size()), 3)
            typed.append(
                ((metres[:, None] * twists[rows]).reshape(-1, nv), (metres * requested).ravel())
            )
        if motions.free.shape[1]:
            motions.target(
                (roots @ twists[:, :, held]).reshape(6 * len(roots), len(held)),
                np.zeros(6 * len(roots)),
            )
    v[held] = motions.start
    v = onto_a_branch(v, possible, y, T, where)
    return v, all(
        np.abs(A @ v - b).max(initial=0.0) <= MET * np.abs(b).max(initial=0.0) for A, b in typed
    )


def _loose_velocities(
    mechanism: Mechanism, typed: Mapping[str, Body], y: np.ndarray, T: Tables, nv: int
) -> tuple[np.ndarray, np.ndarray, set[str]]:
    """(velocities (nv,), those of loose bodies filled in, columns of all others, ids of loose
    bodies).  A body that no joint holds has what was typed of it, and else rests: a pile of a
    thousand is no matter for the decompositions that follow.
    """
    joined = {
        frame.body
        for joint in mechanism.joints.values()
        for frame in (joint.frame_a, joint.frame_b)
    }
    v, held = np.zeros(nv), np.ones(nv, bool)
    right_hand_side(y.copy(), T, np.zeros_like(y), False)
    loose = set()
    for b, (id, body) in enumerate(mechanism.bodies.items()):
        node = T.bodies[b, k.B_NODE]
        if id in joined or T.nodes[node, k.DOF] != 6 or T.nodes[node, k.PARENT] != len(T.nodes) - 1:
            continue
        loose.add(id)
        columns = slice(T.nodes[node, k.V0], T.nodes[node, k.V0] + 6)
        held[columns] = False
        if id in typed:
            linear, angular = T.dof[columns, 3:6], T.dof[columns, :3]
            arm = T.node[node, :9].reshape(3, 3) @ T.body_const[b, k.BP : k.BP + 3]
            v[columns] = np.linalg.solve(
                np.concatenate(((linear + cross(angular, arm[None])).T, angular.T)),
                _typed_twist(body, T, b),
            )
    return v, np.flatnonzero(held), loose


def _joint_targets(
    typed, mechanism: Mechanism, y: np.ndarray, T: Tables, where: Places
) -> tuple[np.ndarray, np.ndarray]:
    """Rows A v = b of the typed joint rates."""
    if not typed:
        return np.zeros((0, where.nv)), np.zeros(0)
    starts = np.cumsum([0] + [JOINT_TYPES[j.type].dof for j in mechanism.joints.values()])
    rates = np.zeros((len(where.coordinates), where.nv))
    read = np.zeros((len(where.reads), where.nv))
    reading_jacobian(y.copy(), T, read)
    first = {int(q): int(v) for q, v in zip(T.nodes[:-1, k.Q0], T.nodes[:-1, k.V0])}
    for n, at in enumerate(where.coordinates):
        if at >= where.readings:
            rates[n] = read[at - where.readings]
        else:
            rates[n, first[int(at)]] = 1.0
    pick = [
        int(starts[n]) + c
        for n, id in enumerate(mechanism.joints)
        if id in typed
        for c in range(JOINT_TYPES[typed[id].type].dof)
    ]
    return rates[pick], np.array(
        [q.value for id in mechanism.joints if id in typed for q in typed[id].rates]
    )


def mass_roots(mechanism: Mechanism, T: Tables) -> np.ndarray:
    """Per body a (6, 6) matrix F with F^T F = mass matrix of its twist (origin's velocity, angular
    velocity), in W, at the nodes' poses.
    """
    out = np.zeros((len(mechanism.bodies), 6, 6))
    properties = [mass_properties(body) for body in mechanism.bodies.values()]
    moments, axes = np.linalg.eigh(
        np.array([m.inertia for m in properties], float).reshape(-1, 3, 3)
    )
    root = np.sqrt(np.array([m.mass for m in properties], float))
    R = T.node[T.bodies[:, k.B_NODE], :9].reshape(-1, 3, 3) @ T.body_const[:, :9].reshape(-1, 3, 3)
    x, y, z = (
        root * (R @ np.array([m.center for m in properties], float).reshape(-1, 3, 1))[:, :, 0].T
    )
    out[:, [0, 1, 2], [0, 1, 2]] = root[:, None]
    out[:, 0, 4], out[:, 0, 5], out[:, 1, 3], out[:, 1, 5], out[:, 2, 3], out[:, 2, 4] = (
        z,
        -y,
        -z,
        x,
        y,
        -x,
    )
    out[:, 3:, 3:] = np.sqrt(np.maximum(moments, 0.0))[:, :, None] * (R @ axes).swapaxes(1, 2)
    return out


def _typed_twist(body, T: Tables, b: int) -> np.ndarray:
    Rm = T.node[T.bodies[b, k.B_NODE], :9].reshape(3, 3) @ T.body_const[b, :9].reshape(3, 3)
    return np.array(
        [
            *values(body.initial_velocity.linear),
            *(Rm @ np.array(values(body.initial_velocity.angular))),
        ]
    )
