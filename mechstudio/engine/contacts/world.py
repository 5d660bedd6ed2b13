"""A system with its contact shapes, ready to step: the arrays of a run, which grow when contacts
need more room.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import matrices
from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.gauss_seidel import APGD, GAUSS_SEIDEL, JACOBI
from mechstudio.engine.contacts.cone.problem import LENGTH, new_problem
from mechstudio.engine.contacts.geometry.search import make_room
from mechstudio.engine.contacts.geometry.shapes import ShapeTable
from mechstudio.engine.contacts.geometry.work import contact_points
from mechstudio.engine.contacts.kernel_table import GOALS, IMPACTS, PULLS, SWEEPS, need
from mechstudio.engine.contacts.stepping.stages import (
    MANY_EVENTS,
    NO_ROOM,
    OPEN,
    SINKS,
    STEPPED,
    TORN_APART,
)
from mechstudio.engine.contacts.stepping.step import run_steps
from mechstudio.engine.contacts.stepping.warm_start import copy_memory
from mechstudio.engine.contacts.warmup import prepare_contacts
from mechstudio.engine.contacts.workspace import new_stage
from mechstudio.engine.errors import RunStopped
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.recording import record
from mechstudio.engine.system.system import System
from mechstudio.engine.system.tables import copy_tables
from mechstudio.engine.system.torn_joints import open_rows, torn_words
from mechstudio.model import contact as c
from mechstudio.model.findings import listed
from mechstudio.model.mechanism import GROUND
from mechstudio.translation import tr

METHODS = {"apgd": APGD, "gauss_seidel": GAUSS_SEIDEL, "jacobi": JACOBI}
ROOM = 64  # contacts at first
# metres by which a row, dropped or not, may be open after a step, however small the mechanism
LEAST_TORN = 1e-10


@dataclass(frozen=True)
class Surface:
    """Friction, restitution, resistance and compliance of one material, or of a pair of materials.

    friction: Coulomb's coefficient, of rest and of sliding.  restitution: rebound speed over
    approach speed.  rolling, spinning: resistance as an arm [m]. compliance [m/N] with its damping
    time [s]: displacement per force of a contact, 0 for rigid. tangential: reversed slip after an
    impact over that before it, within the limit of friction. belt: speed of the surface about the y
    axis of its body [m/s], 0 for a pair. adhesion: largest pull that a touching pair withstands
    [N].
    """

    friction: float = 0.5
    restitution: float = 0.0
    rolling: float = 0.0
    spinning: float = 0.0
    compliance: float = 0.0
    damping: float = 0.0
    tangential: float = 0.0
    belt: float = 0.0
    adhesion: float = 0.0


def paired(a: Surface, b: Surface) -> Surface:
    """Contact surface of a pair of materials: geometric means of friction and both restitutions,
    the sum of the compliances, the larger resistances to rolling and spinning, the larger damping
    time and adhesion.
    """
    return Surface(
        (a.friction * b.friction) ** 0.5,
        (a.restitution * b.restitution) ** 0.5,
        max(a.rolling, b.rolling),
        max(a.spinning, b.spinning),
        a.compliance + b.compliance,
        max(a.damping, b.damping),
        (a.tangential * b.tangential) ** 0.5,
        adhesion=max(a.adhesion, b.adhesion),
    )


@dataclass(frozen=True)
class StepOptions:
    """Options of the steps with contacts.

    step [s].  tolerance: residual at which a solve ends [m/s]. most: largest number of iterations
    of a solve. method: key of METHODS.  correction: De Saxce's, against the lift of sliding bodies.
    sequential: impacts one after the other. margin: distance of the search for contacts beyond the
    motion of a step [m]. slowest: approach below which there is no rebound [m/s]. projection:
    separate overlaps by positions; else by velocities of at most `recovery` [m/s]. rest_speed
    [m/s], rest_time [s]: limits of sleep; a time of 0 keeps all units awake.  second_order: units
    without contacts step by the midpoint rule.  slop: overlap that stays [m].
    passes: number of updates of De Saxce's shifts. omega: step of the methods for comparison, in
    their own unit. sharing: flat patches that spin share friction inside, else at corners only.
    """

    step: float = 1e-3
    tolerance: float = 1e-6
    most: int = 2000
    method: str = "apgd"
    correction: bool = True
    sequential: bool = False
    margin: float = 0.0
    slowest: float = 1e-2
    projection: bool = True
    recovery: float = 0.6
    rest_speed: float = 1e-3
    rest_time: float = 0.0
    second_order: bool = True
    slop: float = -1.0
    passes: int = 20
    omega: float = 1.0
    sharing: bool = True

    def with_step(self, step: float) -> "StepOptions":
        """These options with another step [s]."""
        return replace(self, step=step)


def _materials(surfaces: Sequence[Surface], pairs: dict[tuple[int, int], Surface]) -> np.ndarray:
    n = len(surfaces)
    out = np.zeros((n * n, s.MATERIAL_WIDTH))
    for a in range(n):
        for b in range(n):
            p = pairs.get((a, b)) or pairs.get((b, a)) or paired(surfaces[a], surfaces[b])
            out[a * n + b] = (
                p.friction,
                p.restitution,
                p.rolling,
                p.spinning,
                p.compliance,
                p.damping,
                p.tangential,
                p.adhesion,
            )
    return out


class Saved(NamedTuple):
    """A world at the beginning of a step.  sets: its sets of arrays; contents: those that outlast a
    step, each with its copy.  impacts: their number.
    """

    y: np.ndarray
    sets: tuple
    contents: list[tuple[np.ndarray, np.ndarray]]
    impacts: int


class World:
    """The arrays of one run with contacts.

    y: state, overwritten by steps.  points: contacts of the last step, at its beginning.  counts,
    tally: see workspace.py.  curve: residuals of the last solve.
    impacts: those of the steps so far that have not been read, arrays (n, EVENT_WIDTH) of
    workspace.py.
    """

    def __init__(
        self,
        system: System,
        table: ShapeTable,
        surfaces: Sequence[Surface],
        options: StepOptions,
        pairs: dict[tuple[int, int], Surface] | None = None,
        curve: int = 0,
        stops: Sequence[tuple[np.ndarray, float]] = (),
        tables: Tables | None = None,
        means: bool = False,
    ) -> None:
        """stops: rows of engine/contacts/stepping/stop_table.py, each with its restitution.
        tables: the system's with soft rows (engine/contacts/soft_forces.py) or with loads that are
        means over steps (engine/contacts/runs/mean_loads.py), marked by `means`; without it those
        of the system.
        """
        self.system, self.table, self.options = system, table, options
        prepare_contacts()
        if options.method != "apgd":
            need(SWEEPS)
        if options.sequential:
            need(IMPACTS)
        self.T = system.fresh_tables() if tables is None else copy_tables(tables)
        self._means = means
        rows = self.T.rows[: int(self.T.size[k.KEPT])]
        self._accelerated = bool((rows[:, k.LEVEL] == k.OF_ACCELERATION).any())
        if self._accelerated:
            need(GOALS)
        self.T.settings[k.TORN] = max(self.T.settings[k.TORN], LEAST_TORN)
        self.y = system.start.copy()
        self.curve = np.zeros(curve)
        rebounds = sorted({e for _, e in stops})
        # each restitution of stops is a separate surface, paired with itself only
        surfaces = [*surfaces, *(Surface(0.0, e) for e in rebounds)]
        self.materials = _materials(surfaces, pairs or {})
        if self.materials[:, s.ADHESION].any():
            need(PULLS)
        self.belts = np.array([surface.belt for surface in surfaces])
        self.stops = np.array([row for row, _ in stops]).reshape(-1, s.STOP_WIDTH)
        for row, (_, e) in zip(self.stops, stops):
            row[s.STOP_MATERIAL] = (len(surfaces) - len(rebounds) + rebounds.index(e)) * (
                len(surfaces) + 1
            )
        self.impacts: list[np.ndarray] = []
        self.width = 6 if (self.materials[:, [s.ROLLING, s.SPINNING]] > 0.0).any() else 3
        self.points, self.spare = contact_points(ROOM), contact_points(ROOM)
        self._block_room, self._blocks = s.block_room(self.T)
        self.S = new_stage(
            self.T, self._settings(), self.materials, self.belts, self.room, self.stops
        )
        self.P = self._problem()

    def _problem(self):
        return new_problem(
            self.room, len(self.T.nodes) - 1, self.width, self._block_room, self._blocks
        )

    def _settings(self) -> np.ndarray:
        o, out = self.options, np.zeros(s.SETTINGS_WIDTH)
        size = self.system.size
        slop = o.slop if o.slop >= 0.0 else 1e-6 * size
        out[[s.STEP, s.TOLERANCE, s.MOST, s.METHOD, s.SAXCE, s.OMEGA]] = (
            o.step,
            o.tolerance,
            o.most,
            METHODS[o.method],
            o.passes if o.correction else 0,
            o.omega,
        )
        out[[s.TAKEN, s.BELTED, s.SHARING, s.ADHESIVE, s.ACCELERATED, s.ELASTIC, s.REBOUNDS]] = (
            o.step,
            self.belts.any(),
            o.sharing,
            self.materials[:, s.ADHESION].any(),
            self._accelerated,
            self.materials[:, s.COMPLIANCE].any(),
            self.materials[:, [s.RESTITUTION, s.TANGENTIAL]].any(),
        )
        out[[s.MARGIN, s.SLOWEST, s.RECOVERY, s.SLOP]] = (
            o.margin,
            o.slowest,
            o.recovery,
            slop if o.projection else -1.0,
        )
        out[[s.SEQUENTIAL, s.REST_SPEED, s.REST_TIME, s.SIZE, s.SECOND_ORDER, s.MEANS]] = (
            o.sequential,
            o.rest_speed,
            o.rest_time,
            size,
            o.second_order,
            self._means,
        )
        return out

    def advance(self, steps: int = 1) -> None:
        """Make so many steps.  Raises RunStopped if one fails."""
        left = steps
        while left:
            what, made = run_steps(
                self.y,
                self.T,
                self.S,
                self.P,
                self.table,
                self.points,
                self.spare,
                self.curve,
                left,
            )
            left -= made
            self._take_impacts()
            if what == NO_ROOM:
                self._make_room()
            elif what == MANY_EVENTS:
                # a step in parts has the events of all of them
                self.S = self.S._replace(events=np.zeros((2 * len(self.S.events), s.EVENT_WIDTH)))
            elif what != STEPPED:
                raise RunStopped(self._reason(what), self.time)

    def saved(self) -> Saved:
        """The run as it is now, for `restore`."""
        arrays = [x for x in (*self.S, *self.points) if isinstance(x, np.ndarray)]
        return Saved(
            self.y.copy(),
            (self.table, self.points, self.spare, self.S, self.P),
            [(x, x.copy()) for x in arrays],
            len(self.impacts),
        )

    def restore(self, saved: Saved) -> None:
        """Go back to where the run was, so that the same step can be made again."""
        self.y[:] = saved.y
        self.table, self.points, self.spare, self.S, self.P = saved.sets
        for x, before in saved.contents:
            x[...] = before
        del self.impacts[saved.impacts :]

    def _take_impacts(self) -> None:
        if count := int(self.S.counts[s.EVENTS]):
            self.impacts.append(self.S.events[:count].copy())
            self.S.counts[s.EVENTS] = 0

    def _make_room(self) -> None:
        before = self.room
        self.table, self.points = make_room(
            self.table, self.points, int(self.S.counts[s.REQUESTED])
        )
        if self.room == before:
            return
        self.spare = contact_points(self.room)
        old = self.S
        self.S = new_stage(self.T, old.settings, self.materials, self.belts, self.room, old.stops)
        for name in ("counts", "tally", "still", "asleep", "before", "jump"):
            getattr(self.S, name)[:] = getattr(old, name)
        copy_memory(old, self.S)
        self.P = self._problem()

    def _reason(self, what: int) -> str:
        start = tr("The run stopped at {time:.6g} s: ", time=self.time)
        if what == TORN_APART:
            return start + torn_words(
                self.system, self.T, self._kept(), self.y, open_rows(self.y, self.T)
            )
        if what == OPEN:
            return start + tr(
                "the joints could not be closed again after a step with contacts; take a shorter "
                "contact step."
            )
        if what == SINKS:
            return start + tr(
                "{pair} sink into each other however short the step; take a shorter contact step, "
                "slow down what turns so fast, or let the two not touch.",
                pair=self._pair(int(self.S.counts[s.DEEPEST])),
            )
        return start + tr(
            "a velocity has grown beyond all bounds; take a shorter contact step, or look for a "
            "stiff spring or a force that keeps on pushing a light body."
        )

    def _kept(self) -> list[int]:
        """Numbers of the kept rows, soft ones after those of the system."""
        kept, first = self.system.kept, len(self.system.rows)
        return [*kept, *range(first, first + int(self.T.size[k.KEPT]) - len(kept))]

    def _pair(self, p: int) -> str:
        """Names of the bodies of a point of `spare`."""
        names = [
            c.touched_name(
                self.system.mechanism, self.system.layout.bodies[b] if b >= 0 else GROUND
            )
            for b in (int(self.spare.body_a[p]), int(self.spare.body_b[p]))
        ]
        return listed(names)

    @property
    def room(self) -> int:
        """Number of contacts for which there is room."""
        return len(self.points.gap)

    @property
    def time(self) -> float:
        """Time that the run has reached [s]."""
        return float(self.y[-1])

    @property
    def taken(self) -> float:
        """Length of the last step, or of its last part [s]."""
        return float(self.S.settings[s.TAKEN])

    @property
    def contacts(self) -> int:
        return int(self.S.counts[s.CONTACTS])

    def touching(self) -> tuple[np.ndarray, np.ndarray]:
        """(numbers of both bodies (n, 2) int32, columns of model.contact.ContactSample (n,
        NUMBERS_WIDTH)) of the contacts of the last step, joints at their stops left out.
        """
        n, C = int(self.points.count[0]), self.points
        bodies = np.column_stack([C.body_a[:n], C.body_b[:n]]).astype(np.int32)
        out = np.zeros((n, c.NUMBERS_WIDTH))
        out[:, c.POINT : c.POINT + 3], out[:, c.NORMAL : c.NORMAL + 3], out[:, c.GAP] = (
            C.point[:n],
            C.normal[:n],
            C.gap[:n],
        )
        out[:, c.FORCE : c.FORCE + 3] = self.impulses() / self.taken
        solved = self.contacts
        order = self.S.order[:solved]
        out[order, c.FRICTION] = self.materials[self.S.pair[:solved], s.FRICTION]
        out[order, c.SLIP], out[order, c.PULL] = self.S.slips[:solved], self.S.pull[:solved]
        real = C.shape_a[:n] >= 0
        return (bodies, out) if real.all() else (bodies[real], out[real])

    def moments(self) -> np.ndarray:
        """Moments on B that resist rolling and spinning (contacts, 3) [N m, W], in the order of
        `touching`, (0, 3) if nothing resists.
        """
        if self.width < 6:
            return np.zeros((0, 3))
        n, solved = int(self.points.count[0]), self.contacts
        g, F, out = (
            self.S.kept[:solved, 3:] * self.P.cone[:solved, LENGTH, None] / self.taken,
            self.P.frame[:solved],
            np.zeros((n, 3)),
        )
        out[self.S.order[:solved]] = (
            g[:, :1] * F[:, 0:3] + g[:, 1:2] * F[:, 3:6] + g[:, 2:3] * F[:, 6:9]
        )
        return out[self.points.shape_a[:n] >= 0]

    def leaned(self) -> list[int]:
        """Numbers of the hard stops that pushed in the last step."""
        n = int(self.points.count[0])
        at = np.flatnonzero(self.points.shape_a[:n] < 0)
        pushing = (
            (self.impulses()[at] * self.points.normal[at]).sum(axis=1) > 0.0 if len(at) else at
        )
        return [int(self.points.shape_b[p]) for p in at[pushing]]

    def impulses(self) -> np.ndarray:
        """Impulses (contacts, 3) of the last step in W, from A on B [N s], in the order of
        `points`.
        """
        out = np.zeros((int(self.points.count[0]), 3))
        n = self.contacts
        g, F = self.S.kept[:n], self.P.frame[:n]
        out[self.S.order[:n]] = g[:, :1] * F[:, 0:3] + g[:, 1:2] * F[:, 3:6] + g[:, 2:3] * F[:, 6:9]
        return out

    def now(self) -> tuple[np.ndarray, np.ndarray]:
        """(poses (bodies, 7), velocities (bodies, 6) of the origins and angular ones, both in W) at
        the present state.
        """
        n = len(self.T.bodies)
        last = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        poses, velocities, energies = np.empty((1, 7 * n)), np.empty((1, 6 * n)), np.empty((1, 2))
        record(self.y[None].copy(), self.T, last, np.zeros(9), poses, velocities, energies)
        poses, velocities = poses.reshape(n, 7), velocities.reshape(n, 6)
        # samples have angular velocities in body axes
        velocities[:, 3:] = np.einsum("nij,nj->ni", matrices(poses[:, 3:]), velocities[:, 3:])
        return poses, velocities

    def energy(self) -> tuple[float, float, float]:
        """(kinetic, potential, work of all loads and contacts so far) at the present state [J]."""
        n = len(self.T.bodies)
        energies = np.empty((1, 2))
        record(
            self.y[None].copy(),
            self.T,
            np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
            np.zeros(9),
            np.empty((1, 7 * n)),
            np.empty((1, 6 * n)),
            energies,
        )
        return float(energies[0, 0]), float(energies[0, 1]), float(self.y[self.system.where.work])
