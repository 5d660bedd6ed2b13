"""Edges of cams and curves: places of a coordinate at which a law has a corner or the curvature of
a joint's curve jumps.  Steps end there, as they do at corners of laws over the time.

An integrator's step that runs over an edge is wrong by more than its estimate says.  So each is
made again until it ends just before the edge; the rest, less than LAND, is a straight line.  The
stepping kernel watches an edge as it watches a stop that never closes.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.engine.constraints.tracks import track_table
from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.events.closed_stops import Contacts
from mechstudio.engine.integration.events.dense_step import LOOKS, Step, root
from mechstudio.engine.integration.events.typed_edges import TypedEdge, typed_edge
from mechstudio.engine.kernels import run_tables
from mechstudio.engine.kernels.run_tables import Run
from mechstudio.engine.system.law_tables import every_law
from mechstudio.model.laws.evaluation import breakpoints
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

LAND = 2e-10  # from which on an edge counts as reached, in units of the coordinate
# as far behind it the motion goes on, so that the law is that of the other side, in the same units
BEHIND = 1e-13
# part of the time, or of the longest step, within which an edge that steps creep up to is reached
NEXT_TO = 1e-12
ON = 1e-300  # from an edge at which a motion begins, in the same units
BEYOND = 1e-9  # of the longest step, at most, by which time goes on behind an edge
AT_ONCE = 1e-300  # length of the step that moves a state over an edge [s]
SHARE = 1e-3  # of the longest step, with which a run goes on behind such an edge
ULPS = 8.0  # of the place of an edge, at least: it is rounded as its law folds it into one turn
# steps that are made again to end at an edge, after which one is taken as it is
MOST_TRIES = 20
# a motion comes to rest at an edge that it passes to and fro, each time after at most this ratio of
# the time before, so many times at least and until this part of the first time is left
SHRINKING, RATIO, NEXT_TO_NONE = 5, 0.95, 3e-3
# results of a step towards an edge: it is taken as it is, made again shorter, or ends there
PASSED, AGAIN, REACHED = "passed", "again", "reached"


class Edge(NamedTuple):
    """The corners of one law over an angle, or jumps of one curve.  at: place of the coordinate in
    y.  places: of the corners, ascending [rad or m].  turn: after which they come again; inf:
    never.  unit: 1 rad, or the length of the curve [m].  owner: name of the coupling or joint.
    """

    at: int
    places: tuple[float, ...]
    turn: float
    unit: float = 1.0
    owner: str = ""

    def next(self, angle: float, way: int, land: float) -> float:
        """The next corner from an angle on upwards (way 1) or downwards (-1), those within `land`
        left out; infinite where there is none.
        """
        ahead = [p for p in self._near(angle) if way * (p - angle) > land]
        return min(ahead, key=lambda p: way * p, default=way * math.inf)

    def _near(self, angle: float) -> Sequence[float]:
        if not math.isfinite(self.turn):
            return self.places
        turns = math.floor((angle - self.places[0]) / self.turn)
        return [p + n * self.turn for n in range(turns - 1, turns + 3) for p in self.places]


class Edges:
    """The edges of one run.  ints, numbers (2 laws, …): what the stepping kernel watches: of each
    law the next edge above, then that below.
    """

    def __init__(self, all: Sequence[Edge | TypedEdge], contacts: Contacts, y: np.ndarray) -> None:
        self.all, first = all, len(contacts.stops)
        watched = slice(first, first + 2 * len(all))
        self.ints, self.numbers = (
            contacts.reported_ints[watched],
            contacts.reported_numbers[watched],
        )
        for n, edge in enumerate(self.all):
            self.ints[2 * n : 2 * n + 2, run_tables.STOP_AT] = edge.at
        self._tries, self._step_before = 0, 0.0  # of the edge that lies ahead
        self._landed = -math.inf  # time of the last edge [s]
        self._passages: list[tuple[float, int]] = []  # times and numbers, while they come sooner
        # a motion that begins on an edge, or just behind it, may come back over it
        self.look_ahead(y, -ON)

    def look_ahead(self, y: np.ndarray, land: float = LAND) -> None:
        """Watch the next edges from a state (n,) on, those within `land` left out, in units of the
        coordinate.
        """
        for n, edge in enumerate(self.all):
            for i, way in ((2 * n, 1), (2 * n + 1, -1)):
                bound = edge.next(float(y[edge.at]), way, land * edge.unit)
                self.numbers[i] = bound, bound, way, 0.0, 0.0

    def first(self, step: Step) -> tuple[float, int] | None:
        """(x, number) of the edge that a step reaches first, x from 0 to 1; None where it reaches
        none.
        """
        found = [(x, i) for i in range(len(self.ints)) if (x := self._reached(step, i)) is not None]
        return min(found, default=None)

    def land(self, step: Step, state: Run, time_at: int) -> str:
        """Outcome of a step at the edges: PASSED if it meets none, AGAIN if the changed state needs
        the step once more, REACHED if the state now lies just behind an edge.

        state: of the run, before the step.  time_at: place of the time in its y.
        """
        found = self.first(step) if self.all else None
        if found is None:
            return PASSED
        x, i = found
        gap = self.gap(state.y, i)
        if gap > LAND and self._tries == MOST_TRIES:
            self._tries, self._step_before = 0, 0.0
            self.look_ahead(state.trial)
            return PASSED
        if gap > LAND:
            self._tries += 1
            self._step_before = max(self._step_before, step.length)
            # so far before it that what the step is wrong by does not lead over it again
            state.clock[run_tables.STEP] = max(x - 0.5 * LAND / gap * x, 0.5 * x) * step.length
            state.count[run_tables.REJECTED] += 1
            return AGAIN
        before = float(state.clock[run_tables.TIME])
        time = before + self.seconds(gap, state, i, x * step.length)
        self._pass(state, time_at, i, time)
        return REACHED

    def reach(self, state: Run, time_at: int) -> bool:
        """Move a state from which no step is short enough to just behind the edge next to it; False
        where there is none.  Steps over an edge that a tight tolerance refuses creep up to it.
        """
        before = float(state.clock[run_tables.TIME])
        most = NEXT_TO * max(abs(before), float(state.clock[run_tables.LONGEST]))
        for i in range(len(self.ints)):
            gap, rate = self.gap(state.y, i), self._rate(state.K[0], i)
            if not math.isfinite(gap) or gap < 0.0 or gap * self.all[i // 2].unit > most * rate:
                continue
            time = before + self.seconds(gap, state, i, most)
            self._step_before = max(self._step_before, SHARE * state.clock[run_tables.LONGEST])
            self._pass(state, time_at, i, time)
            return True
        return False

    def _pass(self, state: Run, time_at: int, i: int, time: float) -> None:
        """Move a state along its slope to a time just behind edge i, and look ahead from there."""
        state.y[:] += (time - float(state.clock[run_tables.TIME])) * state.K[0]
        self._put_behind(state.y, i)
        # a sample of this very instant is that behind the edge: the polynomial of the step before
        # would be put on the law of one side, with the work of the other
        state.clock[[run_tables.DENSE_T, run_tables.DENSE_H]] = (
            state.clock[run_tables.TIME],
            AT_ONCE,
        )
        state.clock[run_tables.TIME] = state.y[time_at] = time
        state.clock[run_tables.STEP] = max(state.clock[run_tables.STEP], self._step_before)
        self._tries, self._step_before = 0, 0.0
        bound = float(self.numbers[i, run_tables.BOUND])
        self._passages.append((time, i))
        if self._rests:
            raise RunStopped(
                tr(
                    "The run stopped at {time:.6g} s: the motion comes to rest in a corner of "
                    "{owner}, struck to and fro without end; round the corner, or end the run "
                    "before.",
                    time=time,
                    owner=self.all[i // 2].owner,
                ),
                time,
            )
        self.look_ahead(state.y)
        if time > self._landed:
            # the motion may turn round and come back over this edge; where no time goes by it
            # stands on it, and would be stopped there for ever
            self.numbers[i ^ 1, : run_tables.SIDE] = bound
        self._landed = time

    @property
    def _rests(self) -> bool:
        """True if an edge was passed to and fro, each time sooner, until next to no time passes."""
        times, numbers = zip(*self._passages)
        spans = [b - a for a, b in pairwise(times)]
        if any(a != b ^ 1 for a, b in pairwise(numbers)) or any(
            b > RATIO * a for a, b in pairwise(spans)
        ):
            del self._passages[:-2]
            return False
        return len(spans) >= SHRINKING and spans[-1] <= NEXT_TO_NONE * spans[0]

    def _rate(self, slope: np.ndarray, i: int) -> float:
        """Rate towards edge i at a slope (n,)."""
        return float(self.numbers[i, run_tables.SIDE] * slope[self.ints[i, run_tables.STOP_AT]])

    def gap(self, y: np.ndarray, i: int) -> float:
        """Way from a state to edge i ahead of it, in units of its coordinate."""
        bound, side = self.numbers[i, [run_tables.BOUND, run_tables.SIDE]]
        return float(side * (bound - y[self.ints[i, run_tables.STOP_AT]])) / self.all[i // 2].unit

    def seconds(self, gap: float, state: Run, i: int, most: float) -> float:
        """Time to just behind an edge that is a gap ahead, in units of its coordinate, at the rate
        of a state's slope; at most `most` [s] to the edge itself.
        """
        rate, unit = self._rate(state.K[0], i), self.all[i // 2].unit
        if rate <= 0.0:
            return 0.0
        # behind it in time as well: a drive would put its coordinate back before the edge
        beyond = min(BEHIND * unit / rate, BEYOND * float(state.clock[run_tables.LONGEST]))
        return min(max(gap, 0.0) * unit / rate, max(most, 0.0)) + beyond

    def _put_behind(self, y: np.ndarray, i: int) -> None:
        """Put a state at edge i beyond it, by as much as rounding requires.  The law of the other
        side would give the next step a wrong slope, which its estimate may not see.
        """
        edge, place = self.all[i // 2], self.ints[i, run_tables.STOP_AT]
        bound, side = self.numbers[i, [run_tables.BOUND, run_tables.SIDE]]
        least = bound + side * max(BEHIND * edge.unit, ULPS * math.ulp(bound))
        y[place] = side * max(side * y[place], side * least)

    def _reached(self, step: Step, i: int) -> float | None:
        if not math.isfinite(self.numbers[i, run_tables.BOUND]):
            return None
        places = np.linspace(0.0, 1.0, LOOKS + 1)
        gaps = [self.gap(y, i) for y in step.rough(places)]
        gaps[0], gaps[-1] = self.gap(step.state.y, i), self.gap(step.state.trial, i)
        for n in range(1, len(places)):
            if gaps[n] < 0.0:
                return root(
                    lambda x: self.gap(step.at(x), i),
                    float(places[n - 1]),
                    float(places[n]),
                    0.1 * LAND,
                )
        return None


def edges(system: "System") -> tuple[Edge | TypedEdge, ...]:
    """The laws of couplings that have corners, and the curves of joints whose curvature jumps."""
    out: list[Edge | TypedEdge] = []
    first = 0
    for joint in system.mechanism.joints.values():
        table = track_table(joint)
        if table is not None and (jumps := table.jumps):
            turn = table.length if table.closed else math.inf
            at = int(system.where.coordinates[first])
            out.append(Edge(at, jumps, turn, table.length, joint.name))
        first += JOINT_TYPES[joint.type].dof
    rows = {row.owner: row for row in system.rows if row.owner in system.mechanism.couplings}
    for row, (key, law) in enumerate(every_law(system.mechanism)):
        if key[0] != "coupling" or key[1] not in rows:
            continue
        at, owner = int(rows[key[1]].terms[0].x), system.mechanism.couplings[key[1]].name
        if law.type == "expression":
            typed = typed_edge(at, system.fresh_tables(), row, owner)
            out += [typed] if typed is not None else []
        elif places := breakpoints(law):
            turn = 2.0 * math.pi if LAW_TYPES[law.type].periodic else math.inf
            out.append(Edge(at, tuple(places), turn, owner=owner))
    return tuple(out)
