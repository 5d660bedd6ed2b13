"""A mechanism at one instant of its motion: accelerations of its bodies, all loads, and the
reactions that they leave to the joints.

The dynamic torsor of every body less all loads on it is what joints, couplings, drives and closed
stops exert (Newton and Euler).  It is shared out among them by least squares over *all* their rows,
each of which acts by its own wrench: what is determined comes out exactly, and what rigid bodies do
not determine (hyperstatic directions) is the smallest possible and marked.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.ranks import solvable
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.dynamics.body_motion import poses_and_twists
from mechstudio.engine.dynamics.load_wrenches import (
    NO_WAYS,
    Action,
    Loads,
    Motion,
    Places,
    Ways,
    places_of,
)
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.impulses import push_nodes
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.initial_velocities import body_jacobians
from mechstudio.engine.system.system import System
from mechstudio.model.contact import FORCE, NUMBERS_WIDTH, POINT, ContactSample
from mechstudio.model.laws import evaluation
from mechstudio.model.types.couplings import COUPLING_TYPES

CONTACTS = "contacts"  # what contacts do, among the loads
DETERMINED = 1e-7  # part of a null vector from which a reaction counts as not determined


class Reaction(NamedTuple):
    """Reaction of a joint on body b, at the origin of the joint's frame B, in W.  wrench (6,):
    force [N], moment [N m].

    determined (6,): per axis of frame B, first of the force, then of the moment, True if rigid
    bodies determine it.
    """

    joint: str
    wrench: np.ndarray
    determined: np.ndarray


class Effort(NamedTuple):
    """Force or torque of a drive, a coupling's end or a closed stop along a joint coordinate,
    positive where it increases the coordinate [N or N m].

    power [W]: delivered to the mechanism.
    """

    id: str
    joint: str
    coordinate: int
    effort: float
    power: float
    determined: bool


class _Balance(NamedTuple):
    """See the properties of Instant."""

    multipliers: np.ndarray
    wrenches: list[dict[int, np.ndarray]]
    reactions: list[Reaction]
    efforts: list[Effort]
    residual: float
    owners: list[tuple]


class Instant:
    """One instant; everything in SI and W unless it says otherwise.

    motion, at: poses, twists, coordinates, time, and what follows from poses.  rates (f,): of all
    joint coordinates.  accelerations (1 + n, 6): of body origins [m/s^2] and angular [rad/s^2],
    ground first.  centers (1 + n, 3): centres of mass.  inertias (1 + n, 3, 3): about them.
    loads: gravity, forces, soft stops, and the effect of contacts if they are on, all together.
    ways, held: of friction that sticks; coordinates that nothing but friction holds.
    residual: part of the largest wrench that no joint can exert (rounding).  state, state_rates
    (ny,): y and y'.
    tables: with the rows that hold now; their working memory is that of the last computation.
    """

    def __init__(
        self,
        system: System,
        y: np.ndarray,
        loads: Loads | None = None,
        tables: Tables | None = None,
        stops: Sequence[tuple[str, int]] = (),
        contacts: ContactSample | None = None,
        ways: Ways = NO_WAYS,
    ) -> None:
        """y: a closed state.  tables: with the rows that hold there, else the system's own.  stops:
        coordinates that lie against a hard stop.  contacts: what contacts do.  ways: of friction
        that sticks.
        """
        self.system, self.mechanism, self.ways = system, system.mechanism, ways
        self.held = tuple(key for key, way in ways.items() if way == 0.0 and key not in stops)
        self._stops = (*stops, *self.held)
        self.loads_of = loads or Loads(self.mechanism, system.joint_rows)
        self.rows: JointRows = self.loads_of.rows
        y = np.array(y, float)
        T = system.tables if tables is None else tables
        out = np.zeros_like(y)
        right_hand_side(y, T, out, True)
        self.state, self.state_rates, self.tables = y, out, T
        poses, twists, accelerations = poses_and_twists(system, T, True)
        pushes = contact_wrenches(contacts, poses[:, :3]) if contacts is not None else {}
        if pushes:
            gained = pushed(y, T, pushes)
            accelerations = accelerations + body_jacobians(y, T) @ gained
            out[system.where.nq : system.where.nq + system.where.nv] += gained
        self.motion = Motion(poses, twists, y[system.where.coordinates], float(y[-1]))
        self.accelerations = np.concatenate((np.zeros((1, 6)), accelerations))
        self.at: Places = places_of(self.rows, self.motion)
        self.rates = out[system.where.coordinates]
        self.masses = np.concatenate(([0.0], self.loads_of.masses))
        self.inertias = np.zeros((len(self.masses), 3, 3))
        self.centers = self.at.origins.copy()
        for b, (I, c) in enumerate(zip(self.loads_of.inertias, self.loads_of.centers), 1):
            self.inertias[b] = self.at.R[b] @ I @ self.at.R[b].T
            self.centers[b] = self.at.origins[b] + self.at.R[b] @ c
        self.loads: list[Action] = self.loads_of.at(self.motion, self.at, self.rates, ways)
        if contacts is not None:
            self.loads.append(Action(CONTACTS, {b + 1: w for b, w in pushes.items()}))

    def about_to_slide(self, ways: Ways) -> "Instant":
        """The same instant with frictions that stick at their level instead, as if their
        coordinates were about to move along ways.
        """
        stops = [key for key in self._stops if key not in self.held]
        return Instant(
            self.system,
            self.state,
            self.loads_of,
            self.tables,
            stops,
            ways={key: ways.get(key, way) for key, way in self.ways.items()},
        )

    # what joints exert is worked out when it is first requested: it takes longer than all the rest

    @property
    def reactions(self) -> list[Reaction]:
        """Of every joint, in file order."""
        return self._balance.reactions

    @property
    def efforts(self) -> list[Effort]:
        """Of drives, couplings and closed stops."""
        return self._balance.efforts

    @property
    def residual(self) -> float:
        """See the class."""
        return self._balance.residual

    @property
    def multipliers(self) -> np.ndarray:
        """Of all rows (r,)."""
        return self._balance.multipliers

    @property
    def row_wrenches(self) -> list[dict[int, np.ndarray]]:
        """Per row the wrench of a unit multiplier on each body, at its frame origin."""
        return self._balance.wrenches

    @property
    def row_owners(self) -> list[tuple]:
        """Owner of each row: ("joint", index, unit wrench), ("coupling", id, ends), ("drive", id,
        joint, coordinate) or ("stop", joint, joint, coordinate).
        """
        return self._balance.owners

    @cached_property
    def largest(self) -> float:
        """The largest force of any load or body's acceleration, moments over the size [N]: what
        residuals are compared with.  The spin of a body counts although its terms may cancel: for
        a free body about an axis of inertia nothing else is left but rounding.
        """
        wrenches = [w for a in self.loads for w in a.wrenches.values()] + [
            self.dynamic(b, self.at.origins[b]) for b in range(1, len(self.masses))
        ]
        spins = [
            float(np.abs(inertia).max() * w @ w / self.rows.size)
            for inertia, w in zip(self.inertias[1:], self.at.twists[1:, 3:])
        ]
        return max(*(self.strength(w) for w in wrenches), *spins, 0.0) or 1e-300

    def strength(self, wrench: np.ndarray) -> float:
        """The largest entry of a wrench, moments over the size [N]."""
        return float(max(np.abs(wrench[:3]).max(), np.abs(wrench[3:]).max() / self.rows.size))

    @cached_property
    def _balance(self) -> "_Balance":
        return self._solve()

    # torsors of a body, at its frame origin: (resultant, moment)

    def velocity_at(self, body: int, point: np.ndarray) -> np.ndarray:
        """Velocity of the point of a body that is at `point`."""
        return self.at.twists[body, :3] + cross(
            self.at.twists[body, 3:], point - self.at.origins[body]
        )

    def acceleration_at(self, body: int, point: np.ndarray) -> np.ndarray:
        """Acceleration of the point of a body that is at `point`."""
        w, r = self.at.twists[body, 3:], point - self.at.origins[body]
        return (
            self.accelerations[body, :3]
            + cross(self.accelerations[body, 3:], r)
            + cross(w, cross(w, r))
        )

    def kinetic(self, body: int, point: np.ndarray) -> np.ndarray:
        """Kinetic torsor (6,): momentum m v_G, angular momentum about a point [kg m^2/s]."""
        G, w = self.centers[body], self.at.twists[body, 3:]
        p = self.masses[body] * self.velocity_at(body, G)
        return np.concatenate((p, self.inertias[body] @ w + cross(G - point, p)))

    def dynamic(self, body: int, point: np.ndarray) -> np.ndarray:
        """Dynamic torsor (6,): m a_G, and the dynamic moment about a point [N m]."""
        G, w, alpha = self.centers[body], self.at.twists[body, 3:], self.accelerations[body, 3:]
        f = self.masses[body] * self.acceleration_at(body, G)
        spin = self.inertias[body] @ w
        return np.concatenate(
            (f, self.inertias[body] @ alpha + cross(w, spin) + cross(G - point, f))
        )

    def wrench_of(self, action: Action, body: int, point: np.ndarray) -> np.ndarray:
        """Force and moment of a load on a body, about a point, zero if the load does not act on
        it.
        """
        return transferred(action.wrenches.get(body, np.zeros(6)), self.at.origins[body], point)

    # the rows

    def _solve(self) -> _Balance:
        """Reactions and efforts from the balance of every body."""
        blocks, owners = self._wrenches()
        multipliers, null, residual = self._held(blocks, True)
        reactions, efforts = self._share(owners, multipliers, null)
        return _Balance(multipliers, blocks, reactions, efforts, residual / self.largest, owners)

    def unheld(self, elsewhere: float = 0.0) -> float:
        """Part of the largest load that joints, couplings and drives could not hold if everything
        rested: 0 at a static equilibrium.  elsewhere: the largest load at other poses [N], which
        counts where all vanish at this one.
        """
        largest = max(
            (self.strength(w) for a in self.loads for w in a.wrenches.values()), default=0.0
        )
        largest = max(largest, elsewhere)
        return self._held(self._wrenches()[0], False)[2] / (largest or 1e-300)

    def _held(
        self, blocks: list[dict[int, np.ndarray]], moving: bool
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """least_norm of the rows that hold the loads, and where bodies are moving give them their
        accelerations.  blocks: see row_wrenches.
        """
        n, size = len(self.masses) - 1, self.rows.size
        J = np.zeros((len(blocks), 6 * n))
        for r, row in enumerate(blocks):
            for body, w in row.items():
                if body:
                    J[r, 6 * body - 6 : 6 * body] += w
        zero = np.zeros(6)
        left = (
            np.concatenate(
                [
                    (self.dynamic(b, self.at.origins[b]) if moving else zero)
                    - sum((a.wrenches.get(b, 0.0) for a in self.loads), zero)
                    for b in range(1, n + 1)
                ]
            )
            if n
            else np.zeros(0)
        )
        # moments count over the size, so that ranks do not depend on the unit of length
        weight = np.tile(np.repeat((1.0, 1.0 / size), 3), n)
        return least_norm((J * weight).T, left * weight)

    def _wrenches(self) -> tuple[list[dict[int, np.ndarray]], list[tuple]]:
        """Per row the wrench of a unit multiplier on each body at its origin, and what the row
        belongs to.
        """
        rows, at = self.rows, self.at
        out: list[dict[int, np.ndarray]] = []
        owners: list[tuple] = []
        for joints, (force, moment) in (
            (rows.joint_of_row, rows.evaluate(at.frames)[1:]),
            (rows.rolling_joint, rows.rolling_wrenches(at.frames)),
        ):
            for r, j in enumerate(joints):
                pair = self.loads_of._pair(
                    int(rows.body_a[j]),
                    int(rows.body_b[j]),
                    at.frames[2][j],
                    force[r],
                    moment[r],
                    at,
                )
                out.append(pair)
                owners.append(("joint", int(j), np.concatenate((force[r], moment[r]))))
        m = self.mechanism
        for coupling in m.couplings.values():
            kind = COUPLING_TYPES[coupling.type]
            factors = kind.factors({name: q.value for name, q in coupling.parameters.items()})
            if kind.law and coupling.law is not None:
                x = float(
                    self.motion.coordinates[
                        self.loads_of.first[coupling.ends[0].joint] + coupling.ends[0].coordinate
                    ]
                )
                factors = (-evaluation.jet(coupling.law, x)[1], *factors[1:])
            total: dict[int, np.ndarray] = {}
            for end, factor in zip(coupling.ends, factors):
                for body, w in self.loads_of.along(
                    end.joint, end.coordinate, factor, self.motion, at
                ).items():
                    total[body] = total[body] + w if body in total else w
            out.append(total)
            owners.append(
                (
                    "coupling",
                    coupling.id,
                    tuple((end, factor) for end, factor in zip(coupling.ends, factors)),
                )
            )
        for drive in m.drives.values():
            if drive.enabled:
                out.append(self.loads_of.along(drive.joint, drive.coordinate, 1.0, self.motion, at))
                owners.append(("drive", drive.id, drive.joint, drive.coordinate))
        for id, c in self._stops:
            out.append(self.loads_of.along(id, c, 1.0, self.motion, at))
            owners.append(("stop", id, id, c))
        return out, owners

    def _share(
        self, owners: list[tuple], multipliers: np.ndarray, null: np.ndarray
    ) -> tuple[list[Reaction], list[Effort]]:
        """Put the multipliers together to reactions of joints and efforts of the rest."""
        reactions, efforts = [], []
        joints = list(self.mechanism.joints)
        wrench = {j: np.zeros(6) for j in range(len(joints))}
        doubt = {j: np.zeros((6, null.shape[1])) for j in range(len(joints))}
        for r, owner in enumerate(owners):
            value, loose = float(multipliers[r]), null[r]
            if owner[0] == "joint":
                wrench[owner[1]] += value * owner[2]
                doubt[owner[1]] += np.outer(owner[2], loose)
            else:
                known = bool(np.abs(loose).max(initial=0.0) < DETERMINED)
                ends = (
                    ((e.joint, e.coordinate, f) for e, f in owner[2])
                    if owner[0] == "coupling"
                    else ((owner[2], owner[3], 1.0),)
                )
                for joint, coordinate, factor in ends:
                    rate = float(self.rates[self.loads_of.first[joint] + coordinate])
                    efforts.append(
                        Effort(
                            owner[1],
                            joint,
                            coordinate,
                            factor * value,
                            factor * value * rate,
                            known,
                        )
                    )
        R_B = self.at.frames[3]
        for j, id in enumerate(joints):
            own = (
                np.concatenate((R_B[j].T @ doubt[j][:3], R_B[j].T @ doubt[j][3:] / self.rows.size))
                if null.shape[1]
                else np.zeros((6, 0))
            )
            reactions.append(
                Reaction(id, wrench[j], np.abs(own).max(axis=1, initial=0.0) < DETERMINED)
            )
        return reactions, efforts


def contact_wrenches(contacts: ContactSample, origins: np.ndarray) -> dict[int, np.ndarray]:
    """The wrench of all contacts on every body that feels one, at its frame origin: {number in file
    order: (6,)}.  origins (bodies, 3).
    """
    out: dict[int, np.ndarray] = {}
    numbers = np.frombuffer(contacts.numbers).reshape(-1, NUMBERS_WIDTH)
    moments = (
        np.frombuffer(contacts.moments).reshape(-1, 3)
        if contacts.moments
        else np.zeros((len(numbers), 3))
    )
    for pair, row, moment in zip(
        np.frombuffer(contacts.bodies, np.int32).reshape(-1, 2).tolist(), numbers, moments
    ):
        force, point = row[FORCE : FORCE + 3], row[POINT : POINT + 3]
        if not (force.any() or moment.any()):
            continue
        for body, sign in zip(pair, (-1.0, 1.0)):
            if body >= 0:
                wrench = out.setdefault(body, np.zeros(6))
                wrench[:3] += sign * force
                wrench[3:] += sign * (moment + cross(point - origins[body], force))
    return out


def pushed(y: np.ndarray, T: Tables, pushes: dict[int, np.ndarray]) -> np.ndarray:
    """Accelerations (nv,) that wrenches on bodies, at their frame origins, add at a state while the
    rows of T hold.
    """
    right_hand_side(y.copy(), T, np.zeros_like(y), False)
    wrenches, out = np.zeros((len(T.nodes), 6)), np.zeros(T.size[k.NV])
    for body, wrench in pushes.items():
        node = T.bodies[body, k.B_NODE]
        arm = T.node[node, k.R : k.R + 9].reshape(3, 3) @ T.body_const[body, k.BP : k.BP + 3]
        wrenches[node] += np.concatenate((wrench[3:] + cross(arm, wrench[:3]), wrench[:3]))
    push_nodes(T, wrenches, out)
    return out


def transferred(wrench: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """A torsor (resultant, moment at `old`) read at another point: M(new) = M(old) + F x (new -
    old).
    """
    return np.concatenate((wrench[:3], wrench[3:] + cross(wrench[:3], new - old)))


def least_norm(A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """(x of least norm that solves A x = b best, orthonormal null space of A (n, h), largest |A x -
    b|).
    """
    if not A.shape[1]:
        return np.zeros(0), np.zeros((0, 0)), float(np.abs(b).max(initial=0.0))
    U, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = solvable(s)
    x = Vt[:rank].T @ ((U[:, :rank].T @ b) / s[:rank])
    # once more on what is left over: the singular values are exact to rounding of the largest one
    # only
    x += Vt[:rank].T @ ((U[:, :rank].T @ (b - A @ x)) / s[:rank])
    return x, Vt[rank:].T, float(np.abs(A @ x - b).max(initial=0.0))
