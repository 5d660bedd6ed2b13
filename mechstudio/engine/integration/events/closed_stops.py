"""Hard stops of joint coordinates: which are struck, what an impact does, and which are leaned
against.

Between two instants a stop is open or closed.  A closed one is a kept row of its own, x = bound,
whose multiplier must push.  An instant comes when the gap of an open one vanishes or a closed one
begins to pull.  Then, with everything else held by its rows (joints, couplings, drives):
1. impacts: all stops that touch and approach change their rates at once from v to -e v (Newton),
closed ones stay at zero, an impulse
   that would pull is left out; repeated until nothing approaches any more;
2. stops that touch at rest are closed, the one that pulls most is opened, and so on until all push.
A rebound below the speed of rest counts as rest, so that bouncing ends; the kinetic energy lost
goes into the state's work.
"""

import math
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from mechstudio.engine.errors import RunStopped
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.impulses import velocity_jump
from mechstudio.engine.kernels.recording import record
from mechstudio.engine.kernels.right_hand_side import project, right_hand_side, settle_readings
from mechstudio.engine.system.stops import CRUMB, hard_stops, stop_name
from mechstudio.engine.system.system import System
from mechstudio.engine.system.tables import copy_tables
from mechstudio.model.quantity import values
from mechstudio.model.results.events import Event, StopEvent
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.integration.events.frictions import Frictions

NEAR = 1e-10  # gap of a stop that is struck at the same instant as another one, in the same
RESTS = 1e-6  # speed of rest, in mechanism sizes or radians per unit of time
FAINT = 1e-11  # acceleration that is rounding, in the same per square of it
ROUNDS = 60  # of impacts in one instant; after half of them nothing rebounds any more


class Contacts:
    """The stops of one run.

    ints, numbers: of the stops, as the stepping kernel watches them (kernels/stepping.py).
    reported_ints, reported_numbers: all that it watches.  closed: numbers of the stops that are
    closed.
    base, kept: tables and kept rows of the mechanism alone.  count, loss: impacts so far, and the
    kinetic energy that they cost [J].  events: where they are reported.
    """

    def __init__(
        self,
        system: "System",
        base: Tables,
        kept: list[int],
        duration: float,
        events: list[Event],
        watched: bool = False,
        more: int = 0,
    ):
        """watched: every step is to be handed back, by a stop of the time that is always passed.
        more: rows watched in addition to stops, filled in by others.
        """
        self.system, self.events, self.count, self.loss = system, events, 0, 0.0
        self.stops = hard_stops(system)
        count, size = len(self.stops), system.size
        gravity = float(np.linalg.norm(values(system.mechanism.gravity)))
        # the unit of time: what gravity takes to move something by the mechanism's size; without
        # gravity the run has its own
        self.time_unit = min(math.sqrt(size / gravity), duration) if gravity > 0.0 else duration
        self.reported_ints = np.full((count + more + watched, run_tables.STOP_INTS), -1, np.int64)
        self.reported_numbers = np.zeros((count + more + watched, run_tables.STOP_CONSTS))
        self.ints, self.numbers = self.reported_ints[:count], self.reported_numbers[:count]
        if watched:
            self.reported_ints[-1, run_tables.STOP_AT] = system.where.time
            self.reported_numbers[-1] = -1.0, -1.0, 1.0, 0.0, 0.0
        for e, stop in enumerate(self.stops):
            beyond = stop.side * (system.start[stop.at] - stop.bound) > 0.0
            self.ints[e, run_tables.STOP_AT] = stop.at
            self.numbers[e] = (
                system.start[stop.at] if beyond else stop.bound,
                stop.bound,
                stop.side,
                CRUMB * stop.unit,
                FAINT * stop.unit / self.time_unit**2,
            )
        self.rest = np.array([RESTS * s.unit / self.time_unit for s in self.stops])
        self.largest = np.zeros(count)  # impact speed of each stop so far
        self.closed: frozenset[int] = frozenset()
        self.base, self.kept, self._here = base, kept, False
        self.frictions: Frictions | None = (
            None  # of the same run (engine/integration/events/frictions.py)
        )
        self._ready: dict[tuple, tuple[Tables, list[int], list[int]]] = {}
        bodies = len(system.layout.bodies)
        self._scratch = (
            np.tile([1.0, 0.0, 0.0, 0.0], (bodies, 1)),
            np.zeros(9),
            np.zeros((1, 7 * bodies)),
            np.zeros((1, 6 * bodies)),
            np.zeros((1, 2)),
        )

    # tables

    def tables(
        self, closed: Collection[int], y: np.ndarray, frictions: "Frictions | None" = None
    ) -> tuple[Tables, list[int], dict[int, int]]:
        """Tables with the rows of closed stops, their kept rows, and where among these each stop
        stands; one that other rows hold already has none.

        y: a state near by.  frictions: what sticks is held too, and gets the places of its rows.
        They are made once for each set of stops, and for what stuck last.
        """
        order, stuck = sorted(closed), frictions.active if frictions is not None else []
        if not order and not stuck:
            T, kept, places = self.base, self.kept, []
        else:
            key = (*order, *self.numbers[order, run_tables.BOUND], *stuck)
            if key not in self._ready:
                # where something sticks it does so once
                for old in (
                    [k for k in self._ready if k and isinstance(k[-1], tuple)] if stuck else []
                ):
                    del self._ready[old]
                T, kept = self.system.reselected(y, [*self._active(order), *stuck], self._here)
                place = {r: n for n, r in enumerate(kept)}
                first = len(self.system.rows)
                self._ready[key] = (
                    copy_tables(T),
                    kept,
                    [place.get(first + n, -1) for n in range(len(order) + len(stuck))],
                )
            T, kept, places = self._ready[key]
        if self.frictions is not None:
            self.frictions.write(T)
        if frictions is not None:
            frictions.rows = {
                i: row for i, row in zip(frictions.held, places[len(order) :]) if row >= 0
            }
        return T, kept, {e: row for e, row in zip(order, places) if row >= 0}

    def _active(self, stops: Iterable[int]) -> list[tuple[str, int, float]]:
        return [
            (
                self.stops[e].joint,
                self.stops[e].coordinate,
                float(self.numbers[e, run_tables.BOUND]),
            )
            for e in stops
        ]

    def current(self, y: np.ndarray) -> tuple[Tables, list[int]]:
        """Tables and kept rows for the stops that are closed; the stepping kernel gets the
        places of their rows.
        """
        T, kept, places = self.tables(self.closed, y, self.frictions)
        self.ints[:, run_tables.STOP_ROW] = -1
        for e, row in places.items():
            self.ints[e, run_tables.STOP_ROW] = row
        return T, kept

    def choose_rows_again(self, y: np.ndarray, here: bool = False) -> tuple[Tables, list[int]]:
        """Independent rows at another state: what was made for the old ones is forgotten.  here:
        those that are best in that very pose.
        """
        self.base, self.kept = self.system.reselected(y, here=here)
        self._here = here
        self._ready.clear()
        return self.current(y)

    def restore_bounds(self, y: np.ndarray) -> None:
        """As the kernel does after its own steps: a stop beyond which the run began stands where it
        is drawn once y is within.
        """
        drawn = self.numbers[:, run_tables.DRAWN]
        within = (
            self.numbers[:, run_tables.SIDE] * (drawn - y[self.ints[:, run_tables.STOP_AT]]) >= 0.0
        )
        self.numbers[within, run_tables.BOUND] = drawn[within]

    # numbers of a state

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """Distance of each coordinate from its stop, (stops,) [m or rad]."""
        return self.numbers[:, run_tables.SIDE] * (
            self.numbers[:, run_tables.BOUND] - y[self.ints[:, run_tables.STOP_AT]]
        )

    def gap_rates(self, y: np.ndarray) -> np.ndarray:
        """Rates of the gaps, (stops,) [m/s or rad/s]."""
        return (
            -self.numbers[:, run_tables.SIDE]
            * self.slope(y, self.base)[self.ints[:, run_tables.STOP_AT]]
        )

    def slope(self, y: np.ndarray, T: Tables) -> np.ndarray:
        """dy/dt at a state (n,) by some tables."""
        out = np.zeros_like(y)
        right_hand_side(y.copy(), T, out, True)
        return out

    def kinetic(self, y: np.ndarray) -> float:
        """Kinetic energy of a state [J]."""
        last, M, poses, velocities, energies = self._scratch
        record(y[None], self.base, last, M, poses, velocities, energies)
        return float(energies[0, 0])

    def pull(self, e: int, row: int, T: Tables) -> float:
        """The acceleration with which stop e holds back what wants to leave it, after a right-hand
        side [m/s^2 or rad/s^2]; negative where it pushes.
        """
        return float(self.stops[e].side * T.row[row, k.LAM] * T.row[row, k.KD])

    # an instant

    def resolve(
        self,
        time: float,
        y: np.ndarray,
        impacted: Collection[int] = (),
        leaving: Collection[int] = (),
    ) -> None:
        """Impacts and rests at an instant: y is overwritten, `closed` set again, events and losses
        are recorded.

        impacted: stops known to touch, whatever rounding says; leaving: those known to pull.
        Raises RunStopped where a drive holds what a stop would have to stop, and where impacts do
        not end.
        """
        near = NEAR * np.array([s.unit for s in self.stops])
        touching = (
            {int(e) for e in np.flatnonzero(np.abs(self.gaps(y)) <= near)}
            | self.closed
            | set(impacted)
        )
        before = self.kinetic(y)
        hits = self._impacts(time, y, touching)
        self._rest(y, touching, set(leaving))
        lost = before - self.kinetic(y)
        if hits or self.closed:
            self.loss += lost
            y[self.system.where.work] -= lost
        for e, (speed, impulse) in hits.items():
            stop = self.stops[e]
            self.largest[e] = max(self.largest[e], speed)
            self.count += 1
            self.events.append(
                StopEvent(
                    time,
                    stop.joint,
                    stop.coordinate,
                    stop.side > 0,
                    speed,
                    impulse,
                    e in self.closed,
                )
            )

    def _impacts(
        self, time: float, y: np.ndarray, touching: set[int]
    ) -> dict[int, tuple[float, float]]:
        """All impacts of an instant; {stop: (largest speed of approach, impulse)}."""
        hits: dict[int, tuple[float, float]] = {}
        approaching: set[int] = set()
        rest = np.maximum(self.rest, RESTS * self.largest)
        for turn in range(ROUNDS):
            rates = self.gap_rates(y)
            approaching = {e for e in touching if rates[e] < -1e-3 * rest[e]}
            if not approaching:
                return hits
            rebound = np.array([s.restitution if turn < ROUNDS // 2 else 0.0 for s in self.stops])
            rebound[rebound * np.abs(rates) < rest] = 0.0
            for e, impulse in self._jump(time, y, approaching, rates, rebound).items():
                if e in approaching:
                    speed, sum_ = hits.get(e, (0.0, 0.0))
                    hits[e] = max(speed, float(-rates[e])), sum_ + impulse
        self._endless(time, approaching)

    def _jump(
        self,
        time: float,
        y: np.ndarray,
        approaching: set[int],
        rates: np.ndarray,
        rebound: np.ndarray,
    ) -> dict[int, float]:
        """One impact at all stops that approach, closed ones being held: velocities into y, and the
        impulse of each.
        """
        acting = approaching | self.closed
        v = slice(self.system.where.nq, self.system.where.nq + self.system.where.nv)
        while True:
            T, _, places = self.tables(acting, y)
            right_hand_side(y.copy(), T, np.zeros_like(y), False)
            changes, impulses, jump = (
                np.zeros(T.size[k.KEPT]),
                np.zeros(T.size[k.KEPT]),
                np.zeros(T.size[k.NV]),
            )
            for e, row in places.items():
                # the row's C is x - bound, and the gap's rate is -side times its rate
                changes[row] = (
                    self.stops[e].side * (1.0 + rebound[e]) * rates[e]
                    if e in approaching
                    else self.stops[e].side * rates[e]
                )
            velocity_jump(T, changes, jump, impulses)
            pushes = {e: -self.stops[e].side * float(impulses[row]) for e, row in places.items()}
            worst = min(pushes, key=lambda e: pushes[e], default=None)
            if worst is None or not np.isfinite(jump).all():
                self._held(time, approaching)
            if pushes[worst] >= 0.0 or len(acting) == 1:
                break
            acting.discard(worst)
        y[v] += jump
        left = self.gap_rates(y)
        if all(left[e] < 0.5 * rates[e] for e in approaching):
            self._held(time, approaching)
        return pushes

    def _rest(self, y: np.ndarray, touching: set[int], leaving: set[int]) -> None:
        """Close what touches at rest and pushes; y is put on the closed stops."""
        rest = np.maximum(self.rest, RESTS * self.largest)
        rates = self.gap_rates(y)
        acting = {e for e in touching - leaving if abs(rates[e]) <= rest[e]}
        z = y
        for _ in range(2 * len(self.stops) + 2):
            T, _, places = self.tables(acting, y)
            z = self.placed(y, T)
            slope = self.slope(z, T)
            pulls = {e: self.pull(e, row, T) for e, row in places.items()}
            worst = max(pulls, key=lambda e: pulls[e], default=None)
            if worst is not None and pulls[worst] > self.numbers[worst, run_tables.FAINT]:
                acting.discard(worst)
                continue
            sinking = self._sinking(
                z, slope, T, {e for e in touching - acting if abs(rates[e]) <= rest[e]}
            )
            if sinking is None:
                break
            acting.add(sinking)
        self.closed = frozenset(acting)
        if acting:
            y[:] = z

    def placed(self, y: np.ndarray, T: Tables) -> np.ndarray:
        """y put on the manifold of all kept rows, closed stops among them."""
        z = y.copy()
        if T.size[k.KEPT]:
            right_hand_side(z, T, np.zeros_like(z), False)
            project(z, T, T.settings[k.CLOSED])
            settle_readings(z, T)
        return z

    def _sinking(
        self, y: np.ndarray, slope: np.ndarray, T: Tables, candidates: set[int]
    ) -> int | None:
        """The open stop, of those that touch at rest, that would be passed fastest if nothing
        closed it.
        """
        if not candidates:
            return None
        at, side, step = (
            self.ints[:, run_tables.STOP_AT],
            self.numbers[:, run_tables.SIDE],
            1e-6 * self.time_unit,
        )
        gained = -side * (self.slope(y + step * slope, T)[at] - slope[at]) / step
        # far above what the difference quotient makes of rounding, far below any load that counts
        worst = min(candidates, key=lambda e: gained[e] / self.stops[e].unit)
        return worst if gained[worst] < -1e-6 * self.stops[worst].unit / self.time_unit**2 else None

    def _held(self, time: float, approaching: set[int]) -> NoReturn:
        name = stop_name(self.system.mechanism, self.stops[min(approaching)])
        raise RunStopped(
            tr(
                "The run stopped at {time:.6g} s: a drive or the other joints push against "
                "{name}, and neither gives way; move the stop or end the drive earlier.",
                time=time,
                name=name,
            ),
            time,
        )

    def _endless(self, time: float, approaching: set[int]) -> NoReturn:
        name = stop_name(self.system.mechanism, self.stops[min(approaching)])
        raise RunStopped(
            tr(
                "The run stopped at {time:.6g} s: {name} and others are struck again and again "
                "without end; move one of the stops a little.",
                time=time,
                name=name,
            ),
            time,
        )
