"""End conditions of a run before its duration is over: recorded quantities that pass a value, found
within the steps of the integrator.
"""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.events.dense_step import Step, lowest, root
from mechstudio.engine.integration.outputs import Recorder
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.system.system import System
from mechstudio.model import end_conditions
from mechstudio.model.fields import SETTINGS
from mechstudio.model.findings import Finding
from mechstudio.model.project import EndCondition
from mechstudio.model.results.channels import channels
from mechstudio.translation import tr

# places within a step at which the quantities are examined, beside where one comes nearest to its
# value
LOOKS = 16
ROUNDING = 1e-13  # of the largest value of a quantity so far that is no difference


class Ends:
    """The conditions of one run.   Raises EngineError for one on a quantity that is not
    recorded.
    """

    def __init__(self, system: System, tables: Tables, conditions: Sequence[EndCondition]) -> None:
        if odd := end_conditions.unknown(conditions, system.mechanism):
            raise EngineError(
                Finding(
                    "error",
                    SETTINGS,
                    tr(
                        "The run shall end by {channel}, which is no quantity of this mechanism.",
                        channel=odd.channel,
                    ),
                    tr(
                        "Choose another quantity in the settings of the simulation, or take the "
                        "condition away."
                    ),
                )
            )
        known = channels(system.mechanism, system.layout)
        self.channels = [known[c.channel] for c in conditions]
        self.requested = [
            {"rising": 1.0, "falling": -1.0}.get(c.direction, 0.0) for c in conditions
        ]
        self.values = np.array([c.value.value for c in conditions])
        self.recorder = Recorder(
            system, tables, [column for channel in self.channels for column in channel.columns]
        )
        # on which side of its value each quantity was last; none while it still stands where the
        # run begins, on the value itself
        self.sides = np.zeros(len(conditions))
        self.largest = np.abs(self.values)
        self._look(system.start[None])

    def _look(self, states: np.ndarray) -> np.ndarray:
        """Quantities less their values (k, conditions) at states (k, n)."""
        rows = self.recorder.samples(states[:, self.recorder.system.where.time].copy(), states)
        seen = np.column_stack([channel.values(rows) for channel in self.channels])
        self.largest = np.maximum(self.largest, np.abs(seen).max(axis=0))
        return seen - self.values

    def first(self, step: Step, end: float) -> tuple[float, int] | None:
        """(x, number of the condition) of the first that comes true in a step up to x = end; None,
        and what was seen is kept, where none does.
        """
        # beside its ends too, so that a way back next to one of them shows
        places = end * np.sort(np.append(np.linspace(0.0, 1.0, LOOKS + 1), [1e-3, 1.0 - 1e-3]))
        if self._far(self._look(step.rough(places))):
            return None
        seen = self._look(np.array([step.at(x) for x in places]))
        found = [
            (x, c)
            for c in range(len(self.values))
            if (x := self._passed(c, step, places, seen[:, c])) is not None
        ]
        return min(found) if found else None

    def _far(self, seen: np.ndarray) -> bool:
        """True if every quantity stays on its side by more than it changes in the whole step, so
        that it need not be examined closely.
        """
        spread = seen.max(axis=0) - seen.min(axis=0)
        return bool(
            np.isfinite(seen).all()
            and (np.sign(seen) == self.sides).all()
            and self.sides.all()
            and (np.abs(seen).min(axis=0) > spread).all()
        )

    def _passed(self, c: int, step: Step, places: np.ndarray, seen: np.ndarray) -> float | None:
        gap = lambda x: float(self._look(step.at(x)[None])[0, c])
        crumb, last = ROUNDING * self.largest[c], 0.0
        for x, value in self._with_nearest(gap, places, seen):
            side = float(np.sign(value)) if abs(value) > crumb else 0.0
            if side == -self.sides[c] != 0.0:
                if self.requested[c] in (0.0, side):
                    return root(lambda x: -side * gap(x), last, x, crumb)
                self.sides[c] = side
            elif side:
                self.sides[c] = side
            if side:
                last = x
        return None

    def _with_nearest(self, gap, places: np.ndarray, seen: np.ndarray) -> list[tuple[float, float]]:
        """(x, quantity less value) at the places, and between them where it comes nearest to its
        value and goes away again.
        """
        out = list(zip(places.tolist(), seen.tolist()))
        for i in range(1, len(places) - 1):
            side = np.sign(seen[i])
            a, b, c = side * seen[i - 1 : i + 2]
            # where it changes by as much as is left, a parabola through three places says little
            if 0.0 < b <= min(a, c) and (
                b < max(a, c) - b or _dip(places[i - 1 : i + 2], a, b, c) < 0.5 * b
            ):
                x = lowest(lambda x, side=side: side * gap(x), places[i - 1], places[i + 1])
                out.append((x, gap(x)))
        return sorted(out)


def _dip(x: np.ndarray, a: float, b: float, c: float) -> float:
    """The least value of the parabola through a, b, c at three places of which the middle one is
    the lowest.
    """
    left, right = (b - a) / (x[1] - x[0]), (c - b) / (x[2] - x[1])
    bend = (right - left) / (x[2] - x[0])
    return b - (left + bend * (x[1] - x[0])) ** 2 / (4.0 * bend) if bend > 0.0 else b
