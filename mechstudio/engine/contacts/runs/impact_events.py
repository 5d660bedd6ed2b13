"""Impacts of a run as events, from the notes of the steps."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.world import World
from mechstudio.engine.system.stops import Stop
from mechstudio.engine.system.system import System
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.events import Event, ImpactEvent, StopEvent

# steps within which two notes of one pair are one impact: a gap closed in one step is stopped in
# the next
TOGETHER = 2.5
# notes that one impact may have where a face comes down by one corner after the other, in steps
# that follow each other
CORNERS, NEXT_STEP = 4, 1.5
REGULAR = 2.0  # ratio of two intervals up to which impacts are those of one rattling
MOST_EVENTS = 20_000  # most impacts reported one by one; all are counted


Key = tuple[int, int, int]  # both bodies and the stop, -1 for none


def _key(note: np.ndarray) -> Key:
    """The pair or stop of a note."""
    return int(note[s.EVENT_A]), int(note[s.EVENT_B]), int(note[s.EVENT_STOP])


@dataclass
class EarlyRebounds:
    """Impacts that a pair has too many where it rattles, since each rebound begins up to one step's
    way before the surface: the way to and fro is shorter, the next impact up to a step earlier.

    latest: instant of the last impact [steps].  interval: time between the last two [steps].
    together: notes so far that are one impact.  excess: impacts too many since the pair began to
    rattle; lost: energy [J] that all of them took.  energy: most that the excess took [J].
    """

    latest: float = -math.inf
    interval: float = math.inf
    together: int = 0
    excess: float = 0.0
    lost: float = 0.0
    energy: float = 0.0

    def add(self, when: float, loss: float, corners: int) -> None:
        """Count an impact.  when [steps]; loss [J]; corners: notes that one impact may have."""
        since = max(when - self.latest, 1.0)
        if since > REGULAR * self.interval + 1.0:
            self.excess = self.lost = 0.0
        self.together = self.together + 1 if since <= NEXT_STEP else 1
        self.latest, self.interval, self.lost = when, since, self.lost + loss
        if self.together == 1 or self.together > corners:
            self.excess += 1.0 / since
        if self.excess >= 1.0:
            self.energy = max(self.energy, min(self.excess * loss, self.lost))


class Impacts:
    """Collector of impacts. events: list that receives impacts once they are over. count: their
    number; loss: energy dissipated by them [J]; given: energy that elastic surfaces gave back
    beyond what they took [J].
    """

    def __init__(
        self,
        system: System,
        stops: Sequence[Stop],
        rows: Sequence[tuple[np.ndarray, float]],
        step: float,
        slowest: float,
        events: list[Event],
    ) -> None:
        """rows: of `stops`, see engine/contacts/stepping/stop_table.py.  step [s].  slowest:
        approach that is noted [m/s].
        """
        self.events, self.count, self.loss, self._reported = events, 0, 0.0, 0
        self.given = 0.0
        self._step = step
        self._stops, self._arms = stops, [float(row[s.STOP_ARM]) or 1.0 for row, _ in rows]
        self._ids = (*system.layout.bodies, GROUND)
        self._span, self._slowest = TOGETHER * step, slowest
        # of each pair or stop the impact that may continue: its notes so far, and the instant of
        # the last one
        self._open: dict[Key, tuple[np.ndarray, float]] = {}
        self._rebounds: defaultdict[Hashable, EarlyRebounds] = defaultdict(EarlyRebounds)

    def take(self, world: World) -> None:
        """Take over the impacts that the steps have noted since the last call."""
        over: list[np.ndarray] = []
        for notes in world.impacts:
            for note in notes:
                key = _key(note)
                first, last = self._open.get(key, (None, 0.0))
                goes_on = note[s.EVENT_BEFORE] <= 0.0
                # an elastic contact is followed through its rebound by all of its steps
                if not goes_on and note[s.EVENT_LASTS] == 0.0:
                    when, loss = float(note[s.EVENT_TIME]), float(note[s.EVENT_LOSS])
                    corners = 1 if key[2] >= 0 else CORNERS
                    self._rebounds[self._place(key)].add(when / self._step, loss, corners)
                if first is not None and note[s.EVENT_TIME] - last <= (
                    self._longest(first) if goes_on else self._span
                ):
                    first[[s.EVENT_IMPULSE, s.EVENT_LOSS]] += note[[s.EVENT_IMPULSE, s.EVENT_LOSS]]
                    first[s.EVENT_AFTER] = note[s.EVENT_AFTER]
                    # another place of the pair strikes, faster than the first
                    if note[s.EVENT_BEFORE] > first[s.EVENT_BEFORE]:
                        struck = [s.EVENT_TIME, s.EVENT_BEFORE]
                        first[struck] = note[struck]
                elif goes_on:
                    # of an elastic contact that came to rest, or began so slowly that it was none
                    continue
                else:
                    if first is not None:
                        over.append(first)
                    first = note.copy()
                self._open[key] = first, float(note[s.EVENT_TIME])
        world.impacts.clear()
        for key, (first, last) in list(self._open.items()):
            if world.time - last > self._longest(first):
                over.append(first)
                del self._open[key]
        self._report(over)

    def early(self) -> float:
        """Energy [J] that impacts may take too early where a pair strikes within a few steps."""
        return sum(each.energy for each in self._rebounds.values())

    def _place(self, key: Key) -> Hashable:
        """The pair, or the coordinate of the stop: what leaves one stop may reach the other one."""
        if key[2] < 0:
            return key
        stop = self._stops[key[2]]
        return stop.joint, stop.coordinate

    def _longest(self, first: np.ndarray) -> float:
        """Longest time between two notes of an impact [s]: an elastic contact turns in silence."""
        return max(self._span, float(first[s.EVENT_LASTS]))

    def close(self) -> None:
        """End every impact at the end of the run."""
        self._report([first for first, _ in self._open.values()])
        self._open.clear()

    def _report(self, over: list[np.ndarray]) -> None:
        for note in sorted(over, key=lambda note: note[s.EVENT_TIME]):
            self.count += 1
            self.loss += float(note[s.EVENT_LOSS])
            if note[s.EVENT_LASTS] > 0.0:
                self.given += max(-float(note[s.EVENT_LOSS]), 0.0)
            # the reader of the events clears the list
            if self._reported < MOST_EVENTS:
                self.events.append(self._event(note))
                self._reported += 1

    def _event(self, note: np.ndarray) -> Event:
        time, impulse, before, after, loss = (
            float(note[k])
            for k in (s.EVENT_TIME, s.EVENT_IMPULSE, s.EVENT_BEFORE, s.EVENT_AFTER, s.EVENT_LOSS)
        )
        if (e := int(note[s.EVENT_STOP])) >= 0:
            stop, arm = self._stops[e], self._arms[e]
            return StopEvent(
                time,
                stop.joint,
                stop.coordinate,
                stop.side > 0,
                before / arm,
                impulse * arm,
                after <= self._slowest,
            )
        a, b = (self._ids[int(note[k])] for k in (s.EVENT_A, s.EVENT_B))
        return ImpactEvent(time, a, b, impulse, before, max(after, 0.0), loss)
