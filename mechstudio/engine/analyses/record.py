"""A run with its states kept, as analyses need it."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.dynamics.load_wrenches import Loads
from mechstudio.engine.integration.events.frictions import Rubbing, level_of, rubbing, slide
from mechstudio.engine.integration.memory import held
from mechstudio.engine.integration.options import RunOptions, sample_count
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.kernels.run_tables import SLACK
from mechstudio.engine.run import run, system_for
from mechstudio.engine.system.stops import hard_stops
from mechstudio.engine.system.system import System
from mechstudio.model.contact import ContactSample, expected_record_size, record_size
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.events import Event

# radians or parts of the size: what lies so near to its stop and rests may lie against it
AT_STOP = 1e-10
RESTING = 1e-6  # the same per second
# the same as AT_STOP in a run with contacts, whose steps say which stops are leaned against
NEAR_STOP = 1e-3
RELEASES = 2  # releases of a friction after which it keeps slipping, the other way
SOON = 1e-6  # [s] over which a coordinate without a rate of its own gains speed
ROUNDING = 1e-9  # share of the largest rate below which an acceleration counts as none
MOVED = 1e-6  # share of the largest rate from which drives move a coordinate that rests
COLLAPSED = 1e-6  # relative pivot below which the rows are chosen again for an instant


class Record:
    """A finished run: system, samples (s, layout.width) and states (s, n) at the same instants, and
    the impacts.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        options: RunOptions,
        progress: Callable[[float], None] | None = None,
        first_only: bool = False,
    ) -> None:
        """first_only: the start of the run is enough, with what the first block has beside it."""
        self.system: System = system_for(mechanism, options)
        states: list[np.ndarray] = []
        blocks = []
        self.contact_samples: list[ContactSample] = []
        self.events: list[Event] = []
        start, begin = len(self.system.start), mechanism.start.value
        counted = 0
        with held(
            sample_count(options), self.system.layout.width + start, expected_record_size(mechanism)
        ) as growth:
            for block in run(self.system, options, self.events, states, self.contact_samples):
                if len(block):
                    blocks.append(np.array(block))
                    growth.add(
                        sum(map(record_size, self.contact_samples[counted:])), float(block[-1, 0])
                    )
                    counted = len(self.contact_samples)
                    if progress is not None:
                        progress(min(1.0, (float(block[-1, 0]) - begin) / options.duration))
                    if first_only:
                        break
            self.samples = (
                np.concatenate(blocks) if blocks else np.empty((0, self.system.layout.width))
            )
            self.states = (
                np.concatenate(states)[: len(self.samples)] if states else np.empty((0, start))
            )
        self._loads = Loads(mechanism, self.system.joint_rows)

    def instant(self, sample: int) -> Instant:
        """The mechanism at a sample."""
        return instant_at(
            self.system,
            self.states[sample],
            self._loads,
            self.contact_samples[sample] if self.contact_samples else None,
        )

    def nearest(self, time: float) -> int:
        """The sample nearest to a time [s]."""
        return int(np.argmin(np.abs(self.samples[:, 0] - time)))


def instant_at(
    system: System, y: np.ndarray, loads: Loads | None = None, contacts: ContactSample | None = None
) -> Instant:
    """An instant with the rows that hold there: closed hard stops among them, and others where
    those of the start were released.  contacts: loads of contacts and stops, in a run with them.
    """
    y = np.array(y, float)
    T = system.fresh_tables()
    active = []
    out = np.zeros_like(y)
    low = right_hand_side(y.copy(), T, out, True)
    for stop in hard_stops(system):
        lies = (
            abs(y[stop.at] - stop.bound) <= AT_STOP * stop.unit
            and abs(out[stop.at]) <= RESTING * stop.unit
        )
        if (
            lies
            if contacts is None
            else (stop.joint, stop.coordinate) in contacts.stops
            and stop.side * (y[stop.at] - stop.bound) > -NEAR_STOP * stop.unit
        ):
            active.append((stop.joint, stop.coordinate, stop.bound))
    rubs = rubbing(system)
    if contacts is not None:
        # the step that ends there found out what slides: a body may creep as far as its tolerance
        known = {(joint, coordinate): way for joint, coordinate, way in contacts.frictions}
        ways = [known[rub.joint, rub.coordinate] for rub in rubs]
    else:
        rests = [abs(out[rub.at]) <= RESTING * rub.unit for rub in rubs]
        ways = [0.0 if rest else float(np.sign(out[rub.at])) for rub, rest in zip(rubs, rests)]
    stuck = [n for n, way in enumerate(ways) if not way]
    slide(rubs, T, ways)
    if active or stuck or low < COLLAPSED:
        # as the run does (engine/integration/events): first all are held; then stops that would
        # have to pull open, and frictions that would have to hold too much slip, one by one
        released = [0] * len(rubs)
        while True:
            held = [(rubs[n].joint, rubs[n].coordinate, float(y[rubs[n].at])) for n in stuck]
            T, kept = system.reselected(y, [*active, *held])
            slide(rubs, T, ways)
            right_hand_side(y.copy(), T, out, True)
            if contacts is not None:
                break  # the step chose already, with what contacts do
            if (pulling := _pulling(system, T, kept, active)) is not None:
                active.pop(pulling)
            elif (slipping := _slipping(system, T, kept, len(active), rubs, stuck)) is not None:
                n, effort = slipping
                stuck.remove(n)
                ways[n], released[n] = -math.copysign(1.0, effort), released[n] + 1
            elif (
                turning := _turning(system, y, T, kept, len(active), out, rubs, stuck)
            ) is not None:
                n, gained = turning
                stuck.remove(n)
                ways[n] = math.copysign(1.0, gained)
            elif (wrong := _driven(system, y, T, out, rubs, ways, released)) is None:
                break
            elif released[wrong] < RELEASES:
                stuck.append(wrong)
                ways[wrong] = 0.0
            else:
                ways[wrong], released[wrong] = -ways[wrong], 2 * RELEASES
    closed = [(joint, coordinate) for joint, coordinate, _ in active]
    friction = {(rub.joint, rub.coordinate): way for rub, way in zip(rubs, ways)}
    return Instant(system, y, loads, T, closed, contacts, friction)


def _pulling(system: System, T, kept: list[int], active: list) -> int | None:
    """The place of a closed stop that would have to pull; None where all of them push."""
    sides = {(s.joint, s.coordinate, s.bound): s.side for s in hard_stops(system)}
    first = len(system.rows)
    for n, stop in enumerate(active):
        if first + n in kept and sides.get(stop, 0) * T.row[kept.index(first + n), k.LAM] > 0.0:
            return n
    return None


def _slipping(
    system: System,
    T: Tables,
    kept: list[int],
    before: int,
    rubs: Sequence[Rubbing],
    stuck: Sequence[int],
) -> tuple[int, float] | None:
    """The friction whose holding effort exceeds its level by the largest share: its number, and
    the effort [N or N m]; None where all can hold.

    before: number of stops, whose rows come first.
    """
    first, worst, found = len(system.rows) + before, SLACK, None
    for place, n in enumerate(stuck, first):
        if place in kept:
            effort, level = float(T.row[kept.index(place), k.LAM]), level_of(rubs[n], T)
            beyond = (abs(effort) - level) / max(level, 1e-300)
            if beyond > worst:
                worst, found = beyond, (n, effort)
    return found


def _driven(
    system: System,
    y: np.ndarray,
    T: Tables,
    slope: np.ndarray,
    rubs: Sequence[Rubbing],
    ways: Sequence[float],
    released: Sequence[int],
) -> int | None:
    """Number of a friction that was released and would drive its coordinate: it gains speed against
    the way in which it slips; None where there is none.
    """
    for n, rub in enumerate(rubs):
        if 0 < released[n] < 2 * RELEASES and ways[n]:
            gained = _gained(system, y, T, slope, rub)
            if ways[n] * gained < -ROUNDING * max(np.abs(slope).max(), rub.unit):
                return n
    return None


def _turning(
    system: System,
    y: np.ndarray,
    T: Tables,
    kept: list[int],
    before: int,
    slope: np.ndarray,
    rubs: Sequence[Rubbing],
    stuck: Sequence[int],
) -> tuple[int, float] | None:
    """Number of a friction that holds nothing, since drives move its coordinate on through the
    instant at which it rests, and the speed that it gains; None where there is none.

    before: number of stops, whose rows come first.
    """
    first = len(system.rows) + before
    for place, n in enumerate(stuck, first):
        if place not in kept:
            gained = _gained(system, y, T, slope, rubs[n])
            if abs(gained) > MOVED * max(np.abs(slope).max(), rubs[n].unit):
                return n, gained
    return None


def _gained(system: System, y: np.ndarray, T: Tables, slope: np.ndarray, rub: Rubbing) -> float:
    """Speed that a coordinate gains [1/s^2 of its unit]."""
    if rub.dof >= 0:
        return float(slope[system.where.nq + rub.dof])
    later = np.zeros_like(slope)
    right_hand_side(y + SOON * slope, T, later, True)
    return float(later[rub.at] - slope[rub.at]) / SOON
