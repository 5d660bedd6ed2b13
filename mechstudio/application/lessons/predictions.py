"""Curves that are covered until somebody has predicted them, what was drawn on them, and how near
that comes to the run.
"""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.application.signal import Signal
from mechstudio.curves.course import Course

POINTS = 240  # of a sketch over the covered stretch
LEAST_DRAWN = 0.5  # of the stretch that has to be drawn to be compared
LEAST_KNOWN = 0.9  # share of the drawn curve that the run must cover
FLAT = 1e-6  # height over size of a curve below which it counts as level


class Sketch:
    """Curve drawn by hand over a stretch of time: values [SI] on even instants, NaN where nothing
    is drawn yet.
    """

    def __init__(self, begin: float, end: float) -> None:
        """begin, end [s]."""
        self.times = np.linspace(begin, end, POINTS)
        self.values = np.full(POINTS, np.nan)
        self._last: tuple[float, float] | None = None

    def lift(self) -> None:
        """The pen leaves the paper: what comes next joins nothing."""
        self._last = None

    def draw(self, time: float, value: float) -> None:
        """Draw on to an instant [s] and a value [SI]; a later stroke replaces an earlier one."""
        time = min(max(time, float(self.times[0])), float(self.times[-1]))
        before = self._last or (time, value)
        (a, va), (b, vb) = sorted((before, (time, value)))
        hit = (self.times >= a) & (self.times <= b)
        if self._last is None:
            self.values[np.abs(self.times - time).argmin()] = value
        if b > a:
            self.values[hit] = np.interp(self.times[hit], [a, b], [va, vb])
        self._last = (time, value)

    @property
    def drawn(self) -> float:
        """Share of the stretch that is drawn."""
        return float(np.isfinite(self.values).mean())


class Comparison(NamedTuple):
    """Difference of a sketch from a run.

    largest [SI] at an instant [s]; mean: root of the mean square [SI]; height: of the run's curve
    over the stretch [SI], 0 for one that stands still; drawn: share of the stretch; known: share
    share of the drawn curve covered by the run; size: largest magnitude of the run's curve there
    [SI].
    """

    largest: float
    time: float
    mean: float
    height: float
    drawn: float
    known: float
    size: float

    @property
    def is_level(self) -> bool:
        """True where the run's curve stands still, but for rounding."""
        return self.height <= FLAT * self.size

    @property
    def scale(self) -> float:
        """Size that a difference is measured by [SI]: the height, or the size of a level curve."""
        return self.size if self.is_level else self.height

    def is_near(self, tolerance: float) -> bool:
        """True where the mean difference is below a part of the curve's height."""
        return self.drawn >= LEAST_DRAWN and self.mean <= tolerance * self.scale


def compared(sketch: Sketch, course: Course) -> Comparison | None:
    """Comparison of a sketch with a course of the same quantity; None where nothing is drawn over
    it.
    """
    known = np.isfinite(course.values)
    times, values = course.times[known], course.values[known]
    if not len(times):
        return None
    inside = np.isfinite(sketch.values) & (sketch.times >= times[0]) & (sketch.times <= times[-1])
    if not inside.any():
        return None
    at = sketch.times[inside]
    apart = sketch.values[inside] - np.interp(at, times, values)
    worst = int(np.abs(apart).argmax())
    part = values[(times >= sketch.times[0]) & (times <= sketch.times[-1])]
    height = float(np.ptp(part)) if len(part) else 0.0
    size = float(np.abs(part).max()) if len(part) else 0.0
    mean = math.sqrt(float(np.mean(apart**2)))
    share = float(inside.sum() / np.isfinite(sketch.values).sum())
    largest = abs(float(apart[worst]))
    return Comparison(largest, float(at[worst]), mean, height, sketch.drawn, share, size)


class Predictions:
    """Covered panes and sketches.

    covered: first covered instant [s] by ids of plots.  sketches: by keys of quantities; they stay
    when the curve is shown.  drawing: key of the quantity that the pointer draws, "" for none.
    changed(): any of these is another.
    """

    def __init__(self) -> None:
        self.changed = Signal()
        self.covered: dict[str, float] = {}
        self.sketches: dict[str, Sketch] = {}
        self.drawing = ""

    def hides(self, plot: str, time: float) -> bool:
        """True if a covered plot must not tell its values at an instant [s]: beyond where somebody
        draws on it.
        """
        begin = self.covered.get(plot)
        return begin is not None and bool(self.drawing) and time > begin

    def cover(self, plots: tuple[str, ...], begin: float) -> None:
        """Cover plots from an instant [s] on."""
        self.covered |= dict.fromkeys(plots, begin)
        self.changed.emit()

    def reveal(self) -> None:
        """Show what is covered; sketches stay."""
        if self.covered or self.drawing:
            self.covered, self.drawing = {}, ""
            self.changed.emit()

    def begin_drawing(self, key: str) -> None:
        """Let the pointer draw a quantity on its covered curve; "" ends that."""
        if key != self.drawing:
            self.drawing = key
            self.changed.emit()

    def draw(self, key: str, begin: float, end: float, time: float, value: float) -> None:
        """Draw on at an instant [s] and a value [SI]; begin, end [s]: of the covered stretch."""
        sketch = self.sketches.get(key)
        if sketch is None or (sketch.times[0], sketch.times[-1]) != (begin, end):
            sketch = self.sketches[key] = Sketch(begin, end)
        sketch.draw(time, value)
        self.changed.emit()

    def clear(self, key: str) -> None:
        """Wipe a sketch away."""
        if self.sketches.pop(key, None) is not None:
            self.changed.emit()

    def forget(self) -> None:
        """Another step or document: nothing is covered and nothing drawn."""
        if self.covered or self.sketches or self.drawing:
            self.covered, self.sketches, self.drawing = {}, {}, ""
            self.changed.emit()
