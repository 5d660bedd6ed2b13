"""From the drawing to arrays: the compiled system that a run works on."""

from collections.abc import Collection
from typing import Literal

import msgspec
import numpy as np

from mechstudio.model.findings import Finding
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.sample_layout import SampleLayout, sample_layout

from .assembly import assemble
from .cache import compile_kernels
from .drawing_checks import check_elements, check_forces
from .errors import EngineError
from .initial import initial_velocities
from .joint_coordinates import coordinates_by_joint, joint_coordinates
from .kernels import columns as k
from .kernels.columns import Tables
from .kernels.right_hand_side import move, project, right_hand_side, settle_readings
from .lent_inertia import lend_inertia
from .mass_checks import impossible
from .rows import JointRows
from .selection import column_units, generic_pose, independent_rows, scaled_jacobian
from .tables import Places, Row, build_tables, closing_rows, copy_tables, places
from .tree import Tree, pose_of, spanning_tree

CLOSED_BY = 1e-10           # mechanism sizes that an assembled pose may be open
BETTER = 10.0               # least singular values of all rows over that of the kept ones from which the choice is remade


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
        self.start = np.zeros(self.where.time + 1)
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
    _refuse_unsound(mechanism)
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
    system.lent = lend_inertia(system, y)
    system.tables = system._build([])
    if system.rows:
        system.select_rows(y)
    _close(system, y)
    velocities, findings = initial_velocities(mechanism, y, system.tables, system.where)
    _set_velocities(system, y, velocities)
    system.start, system.findings = y, findings
    return system


def _refuse_unsound(mechanism: Mechanism) -> None:
    """Raise EngineError for a drawing that cannot be read as a mechanism."""
    masses = (impossible(body, mass_properties(body)) for body in mechanism.bodies.values())
    findings = [*check_elements(mechanism)] or [*check_forces(mechanism), *(m for m in masses if m)]
    for finding in findings:
        if finding.severity == "error":
            raise EngineError(finding)


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


def _set_velocities(system: System, y: np.ndarray, velocities: np.ndarray) -> None:
    """Velocities into y, cleaned to rounding by a projection."""
    where, T = system.where, system.tables
    y[where.nq:where.nq + where.nv] = velocities
    if system.kept and velocities.any():
        right_hand_side(y, T, y.copy(), False)
        project(y, T, T.settings[k.CLOSED])
    y[where.work] = 0.0
    settle_readings(y, T)
