"""From the drawing to arrays: the compiled system that a run works on."""

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np

from mechstudio.engine.cache import compile_kernels
from mechstudio.engine.checks.elements import check_elements, check_forces
from mechstudio.engine.checks.masses import impossible
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint, joint_coordinates
from mechstudio.engine.constraints.rows import JointRows, joint_length
from mechstudio.engine.errors import EngineError
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import (
    move,
    project,
    right_hand_side,
    settle_readings,
)
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.structure.velocity_conflicts import velocity_findings
from mechstudio.engine.system.drive_checks import refuse_impossible_start, refuse_too_many_drives
from mechstudio.engine.system.force_tables import coordinate_places, does_work
from mechstudio.engine.system.independent_rows import (
    column_units,
    further_rows,
    generic_pose,
    independent_rows,
    scaled_jacobian,
)
from mechstudio.engine.system.initial_velocities import initial_velocities
from mechstudio.engine.system.law_tables import compile_laws
from mechstudio.engine.system.massless_links import lend_inertia
from mechstudio.engine.system.nodes import Pose, Tree, node_tree, pose_of, thread_offset
from mechstudio.engine.system.row_tables import (
    Row,
    coordinate_row,
    coupling_rows,
    drive_rows,
    element_name,
    joint_rows,
)
from mechstudio.engine.system.state_layout import Places, places
from mechstudio.engine.system.stops import start_findings
from mechstudio.engine.system.tables import FAR, build_tables, copy_tables, fixed_tables
from mechstudio.model.findings import Finding
from mechstudio.model.laws.evaluation import begins_behind
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, POSITION, VELOCITY, Mechanism
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import SampleLayout, sample_layout
from mechstudio.translation import tr

CLOSED_BY = 1e-10  # mechanism sizes that an assembled pose may be open
# least singular values of all rows over that of the kept ones from which the choice is remade
BETTER = 2.0
SOON = 1e-9  # time at most by which a run begins behind a kink of a cam [s]
SPARE = 1e-6  # of the largest: a row below says nothing, as those of a planar loop across its plane


Stop = tuple[str, int, float]  # joint, coordinate, position at which it is held [m or rad]


SLACK = 1e300  # compliance of a row that holds nothing


class System:
    """A mechanism compiled to arrays; constant but for `statistics`, which the last finished run
    leaves.

    start: state (n,) at the start, closed, with its initial velocities.  scale, cap: weights of the
    error estimate per state.
    rows: of joints, couplings and drives, in this order.  findings: what compiling had to say,
    contradictory initial velocities among it.
    A run in which joints lie against hard stops has further rows: `with_stops` gives them, and
    `reselected` tables that hold them.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        tree: Tree,
        absolute_rows: JointRows,
        values: dict[str, tuple[float, ...]],
        poses: dict[str, Pose],
    ):
        self.mechanism, self.tree, self.joint_rows, self.size = (
            mechanism,
            tree,
            absolute_rows,
            absolute_rows.size,
        )
        self.where: Places = places(mechanism, tree)
        self.programs = compile_laws(
            mechanism, coordinate_places(mechanism, tree, self.where.coordinates, self.where.reads)
        )
        self.start = _start_state(mechanism, tree, self.where, values, poses)
        self.rows: list[Row] = joint_rows(mechanism, tree, self.where, self.start, self.size)
        self.rows += coupling_rows(
            mechanism, tree, self.where, self.start, self.size, self.programs
        )
        self.rows += drive_rows(mechanism, tree, self.where, self.start, self.size, self.programs)
        self.layout: SampleLayout = sample_layout(mechanism)
        self.units = column_units(tree.nodes, self.size)
        self.regularising = np.zeros(self.where.nv)
        self.kept: list[int] = []
        self._fixed = fixed_tables(mechanism, tree, self.where, self.programs)
        self.tables: Tables = self._build([])
        self.findings: tuple[Finding, ...] = ()
        self.statistics: RunStatistics | None = None
        self.scale, self.cap = self._weights()

    def with_stops(self, active: Sequence[Stop] = ()) -> list[Row]:
        """All rows, and after them one per joint coordinate that is held at a stop.  active:
        (joint, coordinate, position) each.

        Raises EngineError for a coordinate that cannot be held by itself
        (row_tables.coordinate_row).
        """
        rows = [
            coordinate_row(
                self.mechanism, self.tree, self.where, id, ((id, c, 1.0),), at, lasting=False
            )
            for id, c, at in active
        ]
        for row in rows:
            row.const[k.RMETRES] = self.size if row.terms[0].turns else 1.0
        return [*self.rows, *rows]

    def _build(self, kept: Sequence[int], rows: Sequence[Row] | None = None) -> Tables:
        return build_tables(
            self._fixed,
            self.tree,
            self.where,
            self.rows if rows is None else rows,
            kept,
            self.size,
            self.regularising,
            self.programs,
        )

    def _weights(self) -> tuple[np.ndarray, np.ndarray]:
        """Absolute size of each state for the error estimate, and the largest part of its own size
        that is added; 0: not weighed.
        """
        size, where = self.size, self.where
        scale, cap = np.zeros(len(self.start)), np.zeros(len(self.start))
        q = v = 0
        for n in self.tree.nodes:
            linear = 3 if n.motion == k.FREE else int(n.motion in (k.SCREW, k.TRACK) and not n.turn)
            for at, count in ((q, len(n.start)), (where.nq + v, n.dof)):
                scale[at : at + linear], scale[at + linear : at + count] = size, 1.0
                cap[at : at + count] = np.inf
            # an angle that has gone round many times must be no less exact
            cap[q + linear : q + len(n.start)] = 1.0
            q, v = q + len(n.start), v + n.dof
        if does_work(self.mechanism):
            # the energy account must close too: a kick too short to be seen in the motion is seen
            # in what it takes [J]
            scale[where.work], cap[where.work] = (
                sum(n.mass for n in self.tree.nodes) * size**2,
                np.inf,
            )
        return scale, cap

    def select_rows(self, y: np.ndarray) -> None:
        """Choose independent loop rows at a generic pose near the closed state y."""
        self.tables, self.kept = self.reselected(y)

    def reselected(
        self, y: np.ndarray, active: Sequence[Stop] = (), here: bool = False
    ) -> tuple[Tables, list[int]]:
        """Tables for the rows that are independent at a generic pose near the closed state y, and
        the indices of those rows in `with_stops(active)`.

        Rows of joints come first, then couplings, rolling, drives and stops, each as far as those
        before leave something to hold; the last rows of the tables are the dropped ones, in the
        order of `with_stops`.  The multiplier of a kept row stands in column LAM of its row.
        here: choose at y itself, unless it is singular.
        """
        rows = self.with_stops(active)
        # what compiling begins with has no rows kept, and only its working memory is written here
        every = self._build([], rows) if active or self.kept else self.tables
        lasting = np.array([row.lasting for row in rows], bool)
        generic = generic_pose(y, every, self.units, lasting)
        J = scaled_jacobian(generic, every, self.units)
        of_joints = [
            r for r, row in enumerate(rows) if row.lasting and row.primitive != k.COORDINATE
        ]
        others = [
            r for r, row in enumerate(rows) if row.primitive == k.COORDINATE or not row.lasting
        ]
        choice = lambda J: further_rows(
            J, [of_joints[r] for r in independent_rows(J[of_joints])], others
        )
        kept = choice(J)
        if here and len(nearest := choice(scaled_jacobian(y, every, self.units))) == len(kept):
            kept, generic = nearest, y
        T = self._tables_for(kept, generic, rows)
        sizes = np.linalg.norm(J, axis=1)
        T.size[k.SPARE] = any(
            rows[r].lasting and r not in kept and sizes[r] > SPARE * sizes.max()
            for r in range(len(rows))
        )
        return T, kept

    def holds_better(self, y: np.ndarray, T: Tables) -> bool:
        """True if all rows of the tables together hold a motion at the state y that the kept ones
        have released.
        """
        J, count = scaled_jacobian(y, T, self.units), int(T.size[k.KEPT])
        least = lambda rows: float(np.linalg.svd(rows, compute_uv=False)[count - 1])
        return count < len(J) and least(J) > BETTER * least(J[:count])

    def _tables_for(
        self, kept: list[int], generic: np.ndarray, rows: Sequence[Row] | None = None
    ) -> Tables:
        """Tables for a choice of rows, with units of epsilon and of the pivots from a generic
        pose.
        """
        rows = self.rows if rows is None else rows
        T = self._build(kept, rows)
        if not kept:
            return T
        y = generic.copy()
        y[self.where.nq :] = 0.0
        right_hand_side(y, T, y.copy(), False)
        count = len(kept)
        # per joint and primitive, so that a row that vanishes even here has a measure
        tree_pivots = T.row[:count, k.KD0]
        group = [(rows[r].owner, rows[r].primitive) for r in kept]
        largest: dict[tuple[str, int], float] = {}
        for g, d in zip(group, tree_pivots):
            largest[g] = max(largest.get(g, 0.0), float(d))
        top = tree_pivots.max()
        T.row_const[:count, k.RSCALE] = [
            largest[g] if largest[g] > 1e-14 * top else top for g in group
        ]
        T.row_const[:count, k.RPIVOT] = np.maximum(
            _pivots(T, y, [rows[r] for r in kept]), 1e-6 * T.row_const[:count, k.RSCALE]
        )
        return T

    def softened(self, rows: Sequence[Row]) -> Tables:
        """Tables with further rows that give way (RSTIFF, RDAMP), kept behind all others.  Until
        their compliance is set they hold nothing.
        """
        count, first = len(self.kept), len(self.rows)
        T = self._build([*self.kept, *range(first, first + len(rows))], [*self.rows, *rows])
        units = [k.RSCALE, k.RPIVOT]
        T.row_const[:count, units] = self.tables.row_const[:count, units]
        T.size[k.SPARE] = self.tables.size[k.SPARE]
        T.row[count : count + len(rows), k.SOFT] = SLACK
        return T

    def fresh_tables(self) -> Tables:
        """The tables with working memory of their own, for one run."""
        return copy_tables(self.tables)


def _pivots(T: Tables, y: np.ndarray, rows: Sequence[Row]) -> np.ndarray:
    """Pivots of the kept rows at a generic pose y, at which the tables have been evaluated; of cams
    those of a flat part, where they are less: a rest of the follower is no singular position.
    """
    pivots = T.row[: len(rows), k.KD].copy()
    cams = [
        i
        for i, row in enumerate(rows)
        if row.primitive == k.COORDINATE and row.law >= 0 and row.over != k.OVER_TIME
    ]
    if cams:
        flat = copy_tables(T)
        flat.rows[cams, k.LAW] = -1
        right_hand_side(y, flat, y.copy(), False)
        pivots[cams] = np.minimum(pivots[cams], flat.row[cams, k.KD])
    return pivots


def compile_system(
    mechanism: Mechanism,
    poses: np.ndarray | None = None,
    coordinates: Literal["joint", "absolute"] = "joint",
    closing: Collection[str] = (),
) -> System:
    """Compile a drawing.

    poses: (n, 7) assembled poses; None assembles the drawn ones.  coordinates: "joint" over a
    spanning tree, or "absolute", where every body is free and every joint is rows: the same motion,
    four to eight times slower.  Rolling joints and points on curves stay chains without mass there,
    held to their body by rows; a body between two such chains is badly conditioned and runs slowly.
    closing: ids of joints that must be rows.
    Raises EngineError.  Compiles the kernels first if that has not been done in this process
    (engine/cache.py).
    """
    compile_kernels()
    _refuse_unsound(mechanism)
    joint_rows = JointRows(mechanism)
    if poses is None:
        assembled = assemble(mechanism, joint_rows)
        if not assembled.converged:
            worst = mechanism.joints[list(mechanism.joints)[int(np.argmax(assembled.errors))]]
            raise EngineError(
                Finding(
                    "error",
                    worst.id,
                    tr(
                        "The joints do not close: joint {worst} stays open by {errors:.3g} m.",
                        worst=worst.name,
                        errors=max(assembled.errors),
                    ),
                    tr("Move the parts nearer to each other or change a length."),
                )
            )
        poses = np.asarray(assembled.poses)
    poses = np.asarray(poses, float).reshape(len(mechanism.bodies), 7)
    start = (
        coordinates_by_joint(
            mechanism, joint_coordinates(mechanism, poses[None], rows=joint_rows)[0]
        )
        if mechanism.joints
        else ()
    )
    values = dict(zip(mechanism.joints, start))
    body_poses = {id: pose_of(p[:3], p[3:]) for id, p in zip(mechanism.bodies, poses)} | {
        GROUND: pose_of(*mechanism.ground.placement.pose)
    }
    tree = node_tree(
        mechanism,
        body_poses,
        values,
        set(mechanism.joints) if coordinates == "absolute" else closing,
    )
    system = System(mechanism, tree, joint_rows, values, body_poses)
    y = system.start.copy()
    system.regularising = lend_inertia(system, y)
    if system.regularising.any():
        system.tables = system._build([])
    if system.rows:
        system.select_rows(y)
        refuse_too_many_drives(system, y)
    _close(system, y)
    y[system.where.time] = _begin(mechanism)
    velocities, met = initial_velocities(mechanism, y, system.tables, system.where)
    if _leave_kinks(system, y, velocities):
        velocities, met = initial_velocities(mechanism, y, system.tables, system.where)
    _set_velocities(system, y, velocities)
    refuse_impossible_start(system, y)
    system.start = y
    # where the start has the typed velocities there is nothing to look for
    system.findings = (
        *(() if met else velocity_findings(mechanism, joint_rows, poses)),
        *start_findings(system),
    )
    return system


def _refuse_unsound(mechanism: Mechanism) -> None:
    """Raise EngineError for a drawing that cannot be read as a mechanism."""
    masses = (impossible(body, mass_properties(body)) for body in mechanism.bodies.values())
    findings = [*check_elements(mechanism)] or [*check_forces(mechanism), *(m for m in masses if m)]
    for finding in findings:
        if finding.severity == "error":
            raise EngineError(finding)


def _start_state(
    mechanism: Mechanism,
    tree: Tree,
    where: Places,
    values: dict[str, tuple[float, ...]],
    poses: dict[str, Pose],
) -> np.ndarray:
    """q of the tree and readings from the joints' coordinates, and the time; velocities zero."""
    y = np.zeros(where.time + 1)
    y[where.time] = mechanism.start.value
    q = [x for node in tree.nodes for x in node.start]
    y[: len(q)] = q
    for (id, c), e in where.reads.items():
        if c < len(values[id]):
            y[where.readings + e] = values[id][c]
        else:
            # the slide of a screw
            joint, angle = mechanism.joints[id], values[id][0]
            y[where.readings + e] = (
                thread_offset(mechanism, joint, poses, angle)
                + joint_length(mechanism, joint) / (2 * np.pi) * angle
            )
    return y


def _begin(mechanism: Mechanism) -> float:
    """The time at which drives are read at the start [s]: behind a kink that one of them has there,
    since before it nothing moved.
    """
    orders, begin = {POSITION: 1, VELOCITY: 0}, mechanism.start.value
    return max(
        (
            begins_behind(drive.law, begin, orders[drive.quantity])
            for drive in mechanism.drives.values()
            if drive.enabled and drive.quantity in orders
        ),
        default=begin,
    )


def _leave_kinks(system: System, y: np.ndarray, velocities: np.ndarray) -> bool:
    """Put the start just behind kinks of typed laws of cams on which it is drawn, to the side to
    which the cam turns.  Whether there were any.  Cams at rest stay as drawn.
    """
    where, found = system.where, False
    z, slope = y.copy(), np.zeros_like(y)
    z[where.nq : where.nq + where.nv] = velocities
    for row in system.rows:
        coupling = system.mechanism.couplings.get(row.owner)
        if coupling is None or coupling.law is None or coupling.law.type != "expression":
            continue
        if not slope.any():
            right_hand_side(z, system.tables, slope, True)
        at = int(row.terms[0].x)
        if slope[at] != 0.0:
            behind = begins_behind(coupling.law, float(y[at]), 1, 1 if slope[at] > 0.0 else -1)
            found = found or behind != y[at]
            # in time as well, or a drive would put its coordinate back
            y[where.time] += min((behind - y[at]) / slope[at], SOON)
            y[at] = behind
    return found


def _close(system: System, y: np.ndarray) -> None:
    """Put the start on the constraint manifold to rounding and check every row, chosen or not."""
    T = system.tables
    right_hand_side(y, T, y.copy(), False)
    project(y, T, T.settings[k.CLOSED])
    move(y, T, np.zeros(system.where.nv))
    y[system.where.nq : system.where.nq + system.where.nv] = 0.0
    residuals = np.abs(T.row[:, k.C]) * T.row_const[:, k.RMETRES]
    if len(residuals) and not residuals.max() <= max(
        CLOSED_BY * T.settings[k.LENGTH], FAR * T.settings[k.CLOSED]
    ):
        order = system.kept + [r for r in range(len(system.rows)) if r not in set(system.kept)]
        owner = system.rows[order[int(np.argmax(residuals))]].owner
        name = element_name(system.mechanism, owner)
        raise EngineError(
            Finding(
                "error",
                owner,
                tr(
                    "The loop through {name} does not close: it stays open by {value:.3g} m.",
                    name=name[:1].lower() + name[1:],
                    value=residuals.max(),
                ),
                tr("Move the parts nearer to each other or change a length."),
            )
        )
    settle_readings(y, T)


def _set_velocities(system: System, y: np.ndarray, velocities: np.ndarray) -> None:
    """Velocities into y, cleaned to rounding by a projection."""
    where, T = system.where, system.tables
    y[where.nq : where.nq + where.nv] = velocities
    if system.kept and (velocities.any() or T.size[k.DRIVEN]):
        right_hand_side(y, T, y.copy(), False)
        project(y, T, T.settings[k.CLOSED])
    y[where.work] = 0.0
    settle_readings(y, T)
