"""Inertia lent to columns of the tree that have none, so that they have a pivot: massless links of
loops.

The equations then hold M + E instead of M, E diagonal over the columns; the refinement puts E v' of
the solve before on the right-hand side, so that what was lent is given back (kernels/solve.py).
That converges where the joints prevent the motion without inertia, as of a massless rod in a loop;
a free motion without inertia has no equation at all and is refused.
"""

from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.errors import EngineError
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.independent_rows import scaled_jacobian
from mechstudio.engine.system.initial_velocities import body_jacobians, mass_roots
from mechstudio.model.findings import Finding
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

NO_INERTIA = (
    1e-13  # pivot of a column, relative to the inertia that the column moves, that counts as none
)
LOAN = 1e-7  # inertia lent to such a column, of the whole mass at the mechanism's size


def lend_inertia(system: "System", y: np.ndarray) -> np.ndarray:
    """Inertia (nv,) to lend at the pose y: zero for all columns but those that have none.  The
    system's tables have no rows kept and are overwritten.

    Raises EngineError if a motion that the joints leave free has no inertia.
    """
    T, nodes, nv = system.tables, system.tree.nodes, system.where.nv
    mass = sum(n.mass for n in nodes)
    known = np.zeros(nv, bool)
    while True:
        right_hand_side(y.copy(), T, y.copy(), False)
        pivots = 1.0 / T.dof[:, k.DI]
        if (np.abs(pivots) > NO_INERTIA * _most_inertia(system) + 1e-300).all():
            break
        moved = _moved_inertia(system)
        # a column whose pivot is no number depends on one below it without inertia: it is examined
        # again afterwards
        without = ~known & (np.abs(pivots) <= NO_INERTIA * moved + 1e-300)
        if not without.any():
            break
        known |= without
        T.dof[without, k.REGULARISING] = LOAN * max(mass, 1e-300) * system.units[without] ** 2
    if known.any():
        _refuse_motions_without_inertia(
            system,
            y,
            [
                i
                for i, n in enumerate(nodes)
                if known[T.nodes[i, k.V0] : T.nodes[i, k.V0] + n.dof].any()
            ],
        )
    return T.dof[:, k.REGULARISING].copy()


def _refuse_motions_without_inertia(system: "System", y: np.ndarray, suspects: list[int]) -> None:
    """Raise EngineError if a motion that the rows leave free has no kinetic energy; `suspects` are
    the nodes to be named.
    """
    T, mechanism = system.tables, system.mechanism
    twists = body_jacobians(y, T)
    motions = np.eye(system.where.nv)
    if system.rows:
        motions = (
            scipy.linalg.null_space(scaled_jacobian(y, T, system.units), rcond=1e-9)
            / system.units[:, None]
        )
    roots = mass_roots(mechanism, T)
    momenta = np.concatenate([roots[b] @ twists[b] @ motions for b in range(len(mechanism.bodies))])
    if motions.shape[1] and np.linalg.svd(momenta, compute_uv=False)[-1] <= 1e-7 * np.linalg.norm(
        momenta, 2
    ):
        raise EngineError(_without_inertia(system, suspects[-1]))


def _most_inertia(system: "System") -> np.ndarray:
    """A bound (nv,) of `_moved_inertia` from the whole mass alone: S.I S <= 2 (m v^2 + w^2 J), J
    that of everything as far off as anything is.
    """
    T, nodes = system.tables, system.tree.nodes
    origins = T.node[:, k.O : k.O + 3]
    reach = 2.0 * np.linalg.norm(origins - origins.mean(axis=0), axis=1).max(initial=0.0)
    mass = sum(n.mass for n in nodes)
    J = 2.0 * (sum(np.trace(n.inertia) for n in nodes) + mass * reach**2)
    w, v = T.dof[:, :3], T.dof[:, 3:6]
    return 2.0 * (mass * (v * v).sum(axis=1) + J * (w * w).sum(axis=1))


def _moved_inertia(system: "System") -> np.ndarray:
    """S.I S of each column (nv,) for the composite rigid body beyond it, from the leaves to the
    root.
    """
    T, nodes = system.tables, system.tree.nodes
    out = np.zeros(system.where.nv)
    R = T.node[:, :9].reshape(-1, 3, 3)
    # per node in W about its own origin: mass, mass times centre, inertia
    mass = np.array([n.mass for n in nodes])
    own = R[: len(nodes)]
    moment = list((own @ np.array([n.moment for n in nodes]).reshape(-1, 3, 1))[:, :, 0])
    inertia = list(
        own @ np.array([n.inertia for n in nodes]).reshape(-1, 3, 3) @ own.swapaxes(1, 2)
    )
    one = np.eye(3)
    for i in reversed(range(len(nodes))):
        for j in range(T.nodes[i, k.V0], T.nodes[i, k.V0] + nodes[i].dof):
            w, v = T.dof[j, :3], T.dof[j, 3:6]
            out[j] = mass[i] * (v @ v) + 2 * v @ cross(w, moment[i]) + w @ inertia[i] @ w
        p = nodes[i].parent
        if p >= 0:
            d, h = T.node[i, k.RV : k.RV + 3], moment[i]
            mixed = h[:, None] * d
            inertia[p] = (
                inertia[p]
                + inertia[i]
                + (2 * (h @ d) + mass[i] * (d @ d)) * one
                - mixed
                - mixed.T
                - mass[i] * (d[:, None] * d)
            )
            moment[p] = moment[p] + h + mass[i] * d
            mass[p] += mass[i]
    return out


def _without_inertia(system: "System", i: int) -> Finding:
    """The finding for a motion of node i that has no inertia."""
    nodes, mechanism = system.tree.nodes, system.mechanism
    carried: list[str] = []
    stack = [i]
    while stack:
        n = stack.pop(0)
        carried += nodes[n].bodies
        stack += [m for m, node in enumerate(nodes) if node.parent == n]
    joint = mechanism.joints.get(nodes[i].joint)
    if not carried and joint:
        carried = [
            f.body for f in (joint.frame_b, joint.frame_a) if f.body in mechanism.bodies
        ]  # the chain of a joint that closes a loop
    body = mechanism.bodies[carried[0]]
    about = tr(" about joint {joint}", joint=joint.name) if joint else ""
    if all(mass_properties(mechanism.bodies[id]).mass == 0 for id in carried):
        return Finding(
            "error",
            body.id,
            tr("Body {body} can move{about} but has no mass.", body=body.name, about=about),
            tr("Give it a shape with a density, or type its mass."),
        )
    kind = tr(JOINT_TYPES[joint.type].label).lower() if joint else tr("free")
    return Finding(
        "error",
        body.id,
        tr(
            "Body {body} can turn{about} ({kind}) about an axis about which it has no inertia.",
            body=body.name,
            about=about,
            kind=kind,
        ),
        tr("Give it a shape, type its inertia, or use a joint that prevents this turn."),
    )
