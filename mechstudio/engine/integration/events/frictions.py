"""Dry friction in joints: coordinates that stick or slide, in runs without contacts.

A coordinate at rest is held by a kept row of its own, whose multiplier stays within the level F of
its friction; one that slides feels F against its motion, whatever happens within a step.  An
instant comes where a multiplier reaches F or a rate passes zero.  Then all coordinates at rest are
held; the one that would have to be held by most beyond its F slips, F acting against the direction
in which it is pulled, and so on until all that hold can (Coulomb).
What several joints of a loop hold together is shared in that order: each as much as it can.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.integration.events.closed_stops import Contacts
from mechstudio.engine.integration.events.dense_step import Step, root
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables as s
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.loads.laws import SLIDING
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.force_tables import coordinate_places
from mechstudio.model.types.forces import FORCE_TYPES, sticks

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

REST = 1e-11  # rate that counts as rest, in mechanism sizes or radians per unit of time
BACK = 1e-13  # rate against the way of sliding that is rounding, in the same
LOOKS = 12  # positions within a step at which rates and multipliers are checked


@dataclass(frozen=True)
class Rubbing:
    """All frictions along one joint coordinate.  forces: their rows of T.forces.  at: of the
    coordinate in y.  dof: of its rate, -1 for a reading.  unit: 1 rad or the size [m].
    """

    joint: str
    coordinate: int
    forces: tuple[int, ...]
    at: int
    dof: int
    unit: float


def rubbing(system: "System", smoothed: Collection[str] = ()) -> tuple[Rubbing, ...]:
    """The coordinates with friction that sticks, in file order.  smoothed: ids of other frictions
    that count too.
    """
    m = system.mechanism
    places = coordinate_places(m, system.tree, system.where.coordinates, system.where.reads)
    found: dict[tuple[str, int], list[int]] = {}
    for row, force in enumerate(m.forces.values()):
        if sticks(force) or force.id in smoothed:
            found.setdefault((force.joint, force.coordinate), []).append(row)
    out = []
    for (joint, c), forces in found.items():
        place, turns = (
            places[joint, c],
            FORCE_TYPES[m.forces[list(m.forces)[forces[0]]].type].joint_dimension == "angle",
        )
        out.append(
            Rubbing(
                joint,
                c,
                tuple(forces),
                place.at,
                max(place.rate, -1),
                1.0 if turns else system.size,
            )
        )
    return tuple(out)


def slide(all: tuple[Rubbing, ...], T: Tables, ways: Sequence[float] | None = None) -> None:
    """Set the friction forces of tables to their level in one direction each, instead of smoothed.
    ways: +1, -1, or 0 for no force; without it no force acts.
    """
    for rub, way in zip(all, [0.0] * len(all) if ways is None else ways):
        for force in rub.forces:
            T.forces[force, k.F_LAW], T.force_const[force, k.FPAR + 1] = SLIDING, way


def level_of(rub: Rubbing, T: Tables) -> float:
    """Friction limit of a coordinate, after a right-hand side [N or N m]."""
    return sum(abs(float(T.force_const[force, k.FPAR])) for force in rub.forces)


class Frictions:
    """The frictions of one run.  ways: +1 or -1 where a coordinate slides, 0 where it sticks.
    held: where those that stick stand, by number.

    locked: those at their level that do not move, since others hold them.
    """

    def __init__(self, system: "System", contacts: Contacts) -> None:
        self.system, self.contacts = system, contacts
        self.all = rubbing(system)
        self.ways = np.zeros(len(self.all))
        self.held: dict[int, float] = {}
        self.locked: set[int] = set()
        # as the stepping kernel watches them, one entry per coordinate; several frictions along one
        # are checked after each step
        self.ints = np.full((len(self.all), s.RUB_INTS), -1, np.int64)
        self.numbers = np.zeros((len(self.all), s.RUB_CONSTS))
        for i, rub in enumerate(self.all):
            self.ints[i, [s.RUB_AT, s.RUB_FORCE]] = rub.at, rub.forces[0]
            self.numbers[i, s.RUB_BACK] = BACK * rub.unit / contacts.time_unit
        self.rows: Mapping[int, int] = {}
        contacts.frictions = self

    def __len__(self) -> int:
        return len(self.all)

    # tables

    def write(self, T: Tables) -> None:
        """Write the present friction forces into tables."""
        slide(self.all, T, self.ways.tolist())

    def write_directions(self) -> None:
        """Directions of sliding and sticking frictions, for the stepping kernel."""
        self.numbers[:, s.RUB_WAY] = self.ways
        self.numbers[list(self.locked), s.RUB_WAY] = 0.0
        self.ints[:, s.RUB_ROW] = [self.rows.get(i, -1) for i in range(len(self.all))]

    @property
    def active(self) -> list[tuple[str, int, float]]:
        """Sticking coordinates, as rows of the system (System.with_stops)."""
        return [(self.all[i].joint, self.all[i].coordinate, at) for i, at in self.held.items()]

    def level(self, i: int, T: Tables) -> float:
        """Friction limit of coordinate i, after a right-hand side [N or N m]."""
        return level_of(self.all[i], T)

    # an instant

    def rate(self, i: int, y: np.ndarray, slope: np.ndarray | None = None) -> float:
        """The rate of coordinate i in a state [m/s or rad/s].  slope: of that state, if it is
        known.
        """
        rub = self.all[i]
        if rub.dof >= 0:
            return float(y[self.system.where.nq + rub.dof])
        return float(
            (self.contacts.slope(y, self.contacts.base) if slope is None else slope)[rub.at]
        )

    def resolve(self, y: np.ndarray) -> None:
        """Determine which coordinates stick and which slide from here on, and put y on the rows of
        those that stick.
        """
        if not self.all:
            return
        rates = [self.rate(i, y) for i in range(len(self.all))]
        fastest = max(map(abs, rates), default=0.0)
        still = [
            i
            for i, rub in enumerate(self.all)
            if abs(rates[i]) <= REST * max(rub.unit / self.contacts.time_unit, fastest)
        ]
        self.ways = np.sign(rates)
        self.ways[still] = 0.0
        self.held, self.locked = {i: float(y[self.all[i].at]) for i in still}, set()
        again: dict[int, int] = dict.fromkeys(still, 0)
        z = y
        for _ in range(6 * len(still) + 2):
            T, _, _ = self.contacts.tables(self.contacts.closed, y, self)
            z = self.contacts.placed(y, T)
            slope = self.contacts.slope(z, T)
            worst = self._overloaded(T)
            if worst is not None:
                i, effort = worst
                del self.held[i]
                self.ways[i] = -math.copysign(1.0, effort)
                again[i] += 1
                continue
            # one that was released in the wrong direction is held after all
            gained = {
                i: self.ways[i] * self._acceleration(i, z, slope, T)
                for i in still
                if i not in self.held
            }
            self.locked = {i for i, a in gained.items() if a == 0.0}
            wrong = [i for i, a in gained.items() if a < 0.0 and again[i] < 4]
            if not wrong:
                break
            i = wrong[0]
            if again[i] >= 2:
                self.ways[i], again[i] = -self.ways[i], 4
            else:
                self.held[i], self.ways[i] = float(y[self.all[i].at]), 0.0
        if self.held:
            y[:] = z

    def _overloaded(self, T: Tables) -> tuple[int, float] | None:
        """(number, effort) of the one that would have to be held by most beyond its level, in parts
        of that.
        """
        worst, found = 0.0, None
        for i, row in self.rows.items():
            effort, level = float(T.row[row, k.LAM]), self.level(i, T)
            beyond = abs(effort) - level - s.SLACK * level
            if beyond / max(level, 1e-300) > worst:
                worst, found = beyond / max(level, 1e-300), (i, effort)
        return found

    def _acceleration(self, i: int, y: np.ndarray, slope: np.ndarray, T: Tables) -> float:
        """Of coordinate i, 0 where it is rounding."""
        rub, step = self.all[i], 1e-6 * self.contacts.time_unit
        if rub.dof >= 0:
            gained = float(slope[self.system.where.nq + rub.dof])
        else:
            gained = float(self.contacts.slope(y + step * slope, T)[rub.at] - slope[rub.at]) / step
        return gained if abs(gained) > 1e-9 * rub.unit / self.contacts.time_unit**2 else 0.0

    # within a step

    def first(self, step: Step) -> float | None:
        """Fraction of a step, 0 to 1, at which the first coordinate comes to rest or breaks away,
        None if none does.
        """
        if not self.all:
            return None
        found = [
            x
            for i in range(len(self.all))
            if i not in self.locked
            and (x := self._breaking(i, step) if i in self.held else self._resting(i, step))
            is not None
        ]
        return min(found, default=None)

    def _resting(self, i: int, step: Step) -> float | None:
        way, least = self.ways[i], BACK * self.all[i].unit / self.contacts.time_unit
        places = np.linspace(0.0, 1.0, LOOKS + 1)
        if self.all[i].dof >= 0:
            states = step.rough(places)
            states[0], states[-1] = step.at(0.0), step.at(1.0)
            seen = way * states[:, self.system.where.nq + self.all[i].dof]
        else:
            seen = np.array([way * self.rate(i, step.at(float(x))) for x in places])
        forth = lambda x: way * self.rate(i, step.at(x))
        # before its projection the polynomial may be off by more than that
        n = next(
            (
                n
                for n in range(1, len(places))
                if seen[n] < -least and forth(float(places[n])) < -least
            ),
            None,
        )
        if n is None:
            return None
        if n == 1 and seen[0] <= least:
            # from rest it goes the wrong way: what holds it is decided again
            return 0.0
        return root(forth, float(places[n - 1]), float(places[n]), 0.0)

    def _breaking(self, i: int, step: Step) -> float | None:
        row = self.rows.get(i)
        if row is None:
            return None

        def spare(x: float) -> float:
            z = step.at(x)
            right_hand_side(z, step.T, np.zeros_like(z), True)
            level = self.level(i, step.T)
            return level + 2.0 * s.SLACK * level - abs(float(step.T.row[row, k.LAM]))

        before = 0.0
        for x in np.linspace(0.0, 1.0, LOOKS + 1).tolist():
            if spare(x) < 0.0:
                return root(spare, before, x, 0.0) if x > 0.0 else 0.0
            before = x
        return None
