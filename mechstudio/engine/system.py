"""From the drawing to arrays: the compiled system that a run works on."""

from collections.abc import Collection
from typing import Literal

import msgspec
import numpy as np
import scipy.linalg

from mechstudio.model.findings import Finding
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.sample_layout import SampleLayout, sample_layout

from .assembly import assemble
from .cache import compile_kernels
from .errors import EngineError
from .initial import body_jacobians, initial_velocities, mass_roots
from .joint_coordinates import coordinates_by_joint, joint_coordinates
from .kernels import columns as k
from .kernels.columns import Tables
from .kernels.right_hand_side import move, project, right_hand_side, settle_readings
from .rows import JointRows
from .selection import column_units, generic_pose, independent_rows, scaled_jacobian
from .tables import Places, Row, build_tables, closing_rows, copy_tables, places
from .tree import Tree, pose_of, spanning_tree

CLOSED_BY = 1e-10           # mechanism sizes that an assembled pose may be open
BETTER = 10.0               # least singular values of all rows over that of the kept ones from which the choice is remade
NO_INERTIA = 1e-13          # pivot of a column, relative to the inertia that the column moves, that counts as none
LOAN = 1e-7                 # inertia lent to such a column, of the whole mass at the mechanism's size


class Statistics(msgspec.Struct, frozen=True):
    """What a run took and how exact it was.

    duration: simulated [s].   cpu_s, wall_s: of the stepping.   energy_error: largest imbalance over largest kinetic energy, None if
    nothing moves.   constraint_error_m: largest joint gap, angle rows times the size [m].   rate: duration / wall_s.
    """

    duration: float
    samples: int
    steps: int
    rejected_steps: int
    cpu_s: float
    wall_s: float
    energy_error: float | None
    constraint_error_m: float
    rate: float


class System:
    """A mechanism compiled to arrays; constant but for `statistics`, which the last finished run leaves.

    start: state (n,) at t = 0, closed, with its initial velocities.   scale, cap: weights of the error estimate per state.
    findings: what compiling had to say, contradictory initial velocities among it.
    """

    def __init__(self, mechanism: Mechanism, tree: Tree, joint_rows: JointRows):
        self.mechanism, self.tree, self.joint_rows, self.size = mechanism, tree, joint_rows, joint_rows.size
        self.rows: list[Row] = closing_rows(mechanism, tree, self.size)
        self.where: Places = places(mechanism, tree)
        self.layout: SampleLayout = sample_layout(mechanism)
        self.units = column_units(tree.nodes, self.size)
        self.lent = np.zeros(self.where.nv)
        self.kept: list[int] = []
        self.tables: Tables = self._build([])
        self.start = np.zeros(self.where.readings + len(self.where.reads))
        self.findings: tuple[Finding, ...] = ()
        self.statistics: Statistics | None = None
        self.scale, self.cap = self._weights()

    def _build(self, kept: list[int]) -> Tables:
        return build_tables(self.mechanism, self.tree, self.where, self.rows, kept, self.size, self.lent)

    def _weights(self) -> tuple[np.ndarray, np.ndarray]:
        """Absolute size of each state for the error estimate, and the largest part of its own size that is added; 0: not weighed."""
        size, where = self.size, self.where
        scale, cap = np.zeros(len(self.start)), np.zeros(len(self.start))
        q = v = 0
        for n in self.tree.nodes:
            linear = 3 if n.motion == k.FREE else int(n.motion == k.SCREW and not n.turn)
            for at, count in ((q, len(n.start)), (where.nq + v, n.dof)):
                scale[at:at + linear], scale[at + linear:at + count] = size, 1.0
                cap[at:at + count] = np.inf
            # an angle that has gone round many times is no less wanted exactly
            cap[q + linear:q + len(n.start)] = 1.0
            q, v = q + len(n.start), v + n.dof
        return scale, cap

    def select_rows(self, y: np.ndarray) -> None:
        """Choose independent loop rows at a generic pose near the closed state y."""
        self.tables, self.kept = self.reselected(y)

    def reselected(self, y: np.ndarray) -> tuple[Tables, list[int]]:
        """Tables for the loop rows that are independent at a generic pose near the closed state y, and those rows."""
        every = self._build([])
        generic = generic_pose(y, every, self.units)
        kept = independent_rows(scaled_jacobian(generic, every, self.units))
        return self._tables_for(kept, generic), kept

    def holds_better(self, y: np.ndarray, kept: list[int]) -> bool:
        """Whether all rows together hold a motion at the state y that the kept ones have let go."""
        every = self._build([])
        J = scaled_jacobian(y, every, self.units)
        least = lambda rows: float(np.linalg.svd(rows, compute_uv=False)[len(kept) - 1])
        return least(J) > BETTER * least(J[kept])

    def _tables_for(self, kept: list[int], generic: np.ndarray) -> Tables:
        """Tables for a choice of rows, with units of epsilon and of the pivots from a generic pose."""
        T = self._build(kept)
        if not kept:
            return T
        y = generic.copy()
        y[self.where.nq:] = 0.0
        right_hand_side(y, T, y.copy(), False)
        count = len(kept)
        # per joint and primitive, so that a row that vanishes even here has a measure
        tree_pivots = T.row[:count, k.KD0]
        group = [(self.rows[r].joint, self.rows[r].primitive) for r in kept]
        largest: dict[tuple[str, int], float] = {}
        for g, d in zip(group, tree_pivots):
            largest[g] = max(largest.get(g, 0.0), float(d))
        top = tree_pivots.max()
        T.row_const[:count, k.RSCALE] = [largest[g] if largest[g] > 1e-14 * top else top for g in group]
        T.row_const[:count, k.RPIVOT] = np.maximum(T.row[:count, k.KD], 1e-6 * T.row_const[:count, k.RSCALE])
        return T

    def fresh_tables(self) -> Tables:
        """The tables with working memory of their own, for one run."""
        return copy_tables(self.tables)


def compile_system(mechanism: Mechanism, poses: np.ndarray | None = None, coordinates: Literal["joint", "absolute"] = "joint",
                   closing: Collection[str] = ()) -> System:
    """Compile a drawing.

    poses: (n, 7) assembled poses; None assembles the drawn ones.   coordinates: "joint" over a spanning tree, or "absolute", where every
    body is free and every joint is rows: the same motion, four to eight times slower.   closing: ids of joints that must be rows.
    Raises EngineError.   Compiles the kernels first if nobody has done so in this process (engine/cache.py).
    """
    compile_kernels()
    joint_rows = JointRows(mechanism)
    if poses is None:
        assembled = assemble(mechanism, joint_rows)
        if not assembled.converged:
            worst = mechanism.joints[list(mechanism.joints)[int(np.argmax(assembled.errors))]]
            raise EngineError(Finding("error", worst.id, f"The joints do not close: joint {worst.name} stays open by {max(assembled.errors):.3g} m.",
                                      "Move the parts nearer to each other or change a length."))
        poses = np.asarray(assembled.poses)
    poses = np.asarray(poses, float).reshape(len(mechanism.bodies), 7)
    start = coordinates_by_joint(mechanism, joint_coordinates(mechanism, poses[None], rows=joint_rows)[0]) if mechanism.joints else ()
    values = dict(zip(mechanism.joints, start))
    body_poses = {id: pose_of(p[:3], p[3:]) for id, p in zip(mechanism.bodies, poses)} | {GROUND: pose_of(*mechanism.ground.placement.pose)}
    tree = spanning_tree(mechanism, body_poses, values, set(mechanism.joints) if coordinates == "absolute" else closing)
    system = System(mechanism, tree, joint_rows)
    y = _start_state(system, values)
    _lend_inertia(system, y)
    if system.rows:
        system.select_rows(y)
    _close(system, y)
    velocities, findings = initial_velocities(mechanism, y, system.tables, system.where)
    _set_velocities(system, y, velocities)
    system.start, system.findings = y, findings
    return system


def _start_state(system: System, values: dict[str, tuple[float, ...]]) -> np.ndarray:
    """q of the tree and readings from the joints' coordinates; velocities zero."""
    y = system.start.copy()
    q = [x for node in system.tree.nodes for x in node.start]
    y[:len(q)] = q
    for (id, c), e in system.where.reads.items():
        y[system.where.readings + e] = values[id][c]
    return y


def _close(system: System, y: np.ndarray) -> None:
    """Put the start on the constraint manifold to rounding and check every row, chosen or not."""
    T = system.tables
    right_hand_side(y, T, y.copy(), False)
    project(y, T, T.settings[k.CLOSED])
    move(y, T, np.zeros(system.where.nv))
    y[system.where.nq:system.where.nq + system.where.nv] = 0.0
    residuals = np.abs(T.row[:, k.C]) * T.row_const[:, k.RMETRES]
    if len(residuals) and not residuals.max() <= CLOSED_BY * max(T.settings[k.LENGTH], 0.15):
        order = system.kept + [r for r in range(len(system.rows)) if r not in set(system.kept)]
        joint = system.mechanism.joints[system.rows[order[int(np.argmax(residuals))]].joint]
        raise EngineError(Finding("error", joint.id, f"The loop through joint {joint.name} does not close: it stays open by {residuals.max():.3g} m.",
                                  "Move the parts nearer to each other or change a length."))
    settle_readings(y, T)


def _lend_inertia(system: System, y: np.ndarray) -> None:
    """Lend inertia to the columns of the tree that have none, so that they have a pivot; refinement takes the loan away again.

    That is right where the joints prevent the motion without inertia, as of a massless rod in a loop.   Raises EngineError otherwise.
    """
    T, nodes, nv = system.tables, system.tree.nodes, system.where.nv
    mass = sum(n.mass for n in nodes)
    known = np.zeros(nv, bool)
    while True:
        right_hand_side(y.copy(), T, y.copy(), False)
        pivots, moved = 1.0 / T.dof[:, k.DI], _moved_inertia(system)
        # a column whose pivot is no number hangs on one below it without inertia: it is looked at again afterwards
        without = ~known & (np.abs(pivots) <= NO_INERTIA * moved + 1e-300)
        if not without.any():
            break
        known |= without
        T.dof[without, k.LENT] = LOAN * max(mass, 1e-300) * system.units[without] ** 2
    if known.any():
        system.lent = T.dof[:, k.LENT].copy()
        system.tables = system._build([])
        _refuse_motions_without_inertia(system, y, [i for i, n in enumerate(nodes) if known[T.nodes[i, k.V0]:T.nodes[i, k.V0] + n.dof].any()])


def _refuse_motions_without_inertia(system: System, y: np.ndarray, suspects: list[int]) -> None:
    """Raise EngineError if a motion that the rows leave free has no kinetic energy; `suspects` are the nodes to be named."""
    T, mechanism = system.tables, system.mechanism
    twists = body_jacobians(y, T)
    motions = np.eye(system.where.nv)
    if system.rows:
        motions = scipy.linalg.null_space(scaled_jacobian(y, T, system.units), rcond=1e-9) / system.units[:, None]
    roots = mass_roots(mechanism, T)
    momenta = np.concatenate([roots[b] @ twists[b] @ motions for b in range(len(mechanism.bodies))])
    if motions.shape[1] and np.linalg.svd(momenta, compute_uv=False)[-1] <= 1e-7 * np.linalg.norm(momenta, 2):
        raise EngineError(_without_inertia(system, suspects[-1]))


def _moved_inertia(system: System) -> np.ndarray:
    """S.I S of each column (nv,) for the composite rigid body beyond it, from the leaves to the root."""
    T, nodes = system.tables, system.tree.nodes
    out = np.zeros(system.where.nv)
    R = T.node[:, :9].reshape(-1, 3, 3)
    # per node in W about its own origin: mass, mass times centre, inertia
    mass = np.array([n.mass for n in nodes])
    moment = [R[i] @ n.moment for i, n in enumerate(nodes)]
    inertia = [R[i] @ n.inertia @ R[i].T for i, n in enumerate(nodes)]
    for i in reversed(range(len(nodes))):
        for j in range(T.nodes[i, k.V0], T.nodes[i, k.V0] + nodes[i].dof):
            w, v = T.dof[j, :3], T.dof[j, 3:6]
            out[j] = mass[i] * (v @ v) + 2 * v @ np.cross(w, moment[i]) + w @ inertia[i] @ w
        p = nodes[i].parent
        if p >= 0:
            d, h = T.node[i, k.RV:k.RV + 3], moment[i]
            mixed = np.outer(h, d)
            inertia[p] = inertia[p] + inertia[i] + (2 * (h @ d) + mass[i] * (d @ d)) * np.eye(3) - mixed - mixed.T - mass[i] * np.outer(d, d)
            moment[p] = moment[p] + h + mass[i] * d
            mass[p] += mass[i]
    return out


def _without_inertia(system: System, i: int) -> Finding:
    """The finding for a motion of node i that has no inertia."""
    nodes, mechanism = system.tree.nodes, system.mechanism
    carried: list[str] = []
    stack = [i]
    while stack:
        n = stack.pop(0)
        carried += nodes[n].bodies
        stack += [m for m, node in enumerate(nodes) if node.parent == n]
    body = mechanism.bodies[carried[0]]
    joint = mechanism.joints.get(nodes[i].joint)
    about = f" about joint {joint.name}" if joint else ""
    if all(mass_properties(mechanism.bodies[id]).mass == 0 for id in carried):
        return Finding("error", body.id, f"Body {body.name} can move{about} but has no mass.", "Give it a shape with a density, or type its mass.")
    kind = JOINT_TYPES[joint.type].label.lower() if joint else "free"
    return Finding("error", body.id, f"Body {body.name} can turn{about} ({kind}) about an axis about which it has no inertia.",
                   "Give it a shape, type its inertia, or use a joint that prevents this turn.")


def _set_velocities(system: System, y: np.ndarray, velocities: np.ndarray) -> None:
    """Velocities into y, cleaned to rounding by a projection."""
    where, T = system.where, system.tables
    y[where.nq:where.nq + where.nv] = velocities
    if system.kept and velocities.any():
        right_hand_side(y, T, y.copy(), False)
        project(y, T, T.settings[k.CLOSED])
    y[where.work] = 0.0
    settle_readings(y, T)
