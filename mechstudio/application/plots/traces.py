"""Traces of a pane: each of its curves in each run that it shows, with the numbers to draw."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from mechstudio.application.plots.panes import DASHES, Curve, Pane, shown_numbers
from mechstudio.application.plots.rounding import same, without_rounding
from mechstudio.application.plots.series import NONE as NO_ANSWERS
from mechstudio.application.plots.series import Samples, course_of
from mechstudio.curves.course import Course
from mechstudio.translation import tr


class ShownRun(NamedTuple):
    """A run beside the one of the drawing.  key, name: its own; color, dash: its own everywhere,
    color -1 for the run before, in grey.  answers: of analyses, by parts of quantities.
    """

    key: str
    name: str
    tip: str
    color: int
    dash: int
    samples: Samples
    answers: Mapping[str, Course] = NO_ANSWERS


class Trace(NamedTuple):
    """A curve in a run.  key: of the curve, and of the run if it is a kept one.  word: in the
    legend.  color: series index, -1 for grey; dash: index into DASHES.  time (n,) [s], values (n,)
    in the unit of the axis, decimal logarithms on a log axis.  points: without a line, of
    measured data.  run_name: of a kept run, for each of its curves; a legend names it once.
    before: of the run before, which nobody ticked: it lies below, and counts nowhere.
    """

    key: str
    curve: Curve
    run: str
    word: str
    tip: str
    color: int
    dash: int
    time: np.ndarray
    values: np.ndarray
    points: bool = False
    run_name: str = ""
    before: bool = False

    @property
    def name(self) -> str:
        """The words that distinguish the trace from the others of its pane."""
        if self.run_name and self.color < 0:
            return f"{tr(self.curve.word or self.curve.label)} ({self.run_name})"
        return self.word or self.curve.label


NONE = np.zeros(0)


def counted(shown: Sequence[Trace]) -> list[Trace]:
    """Traces without those of the run before, where there are others to be drawn."""
    present = [t for t in shown if not t.before]
    return present if any(len(t.time) for t in present) else list(shown)


def traces(
    pane: Pane,
    samples: Samples | None,
    answers: Mapping[str, Course],
    kept: tuple[ShownRun, ...],
    hidden: frozenset[str],
) -> list[Trace]:
    """Traces that a pane draws and its legend names, hidden ones without numbers.

    One quantity of several runs has the hue and the dash of each run; of several quantities those
    of kept runs are grey.  answers: of analyses of the run, by parts of quantities.
    """
    compared = [r for r in kept if any(_has(r, c) for c in pane.curves)]
    by_run = len(pane.curves) == 1 and any(r.color >= 0 for r in compared)
    out = []
    for c in pane.curves:
        xy = None if c.key in hidden else _numbers(c, samples, answers, pane.log)
        word, color, dash = (tr("this run"), 0, 0) if by_run else (c.word, c.color, c.dash)
        out.append(Trace(c.key, c, "", word, c.tip, color, dash, *(xy or (NONE, NONE))))
    for r in compared:
        for c in pane.curves:
            shown = r.key not in hidden and c.key not in hidden
            xy = _numbers(c, r.samples, r.answers, pane.log) if shown else None
            # a legend names a run once
            first = c is next(x for x in pane.curves if _has(r, x))
            word, color = (r.name, r.color) if by_run else (r.name if first else "", -1)
            key = r.key if first else f"{r.key}/{c.key}"
            xy = xy or (NONE, NONE)
            known = Trace(key, c, r.key, word, r.tip, color, r.dash, *xy, run_name=r.name)
            out.append(known._replace(before=r.color < 0))
    return out


def _has(run: ShownRun, curve: Curve) -> bool:
    return course_of(run.samples, curve.key, run.answers) is not None


def _numbers(
    curve: Curve, samples: Samples | None, answers: Mapping[str, Course], log: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """Instants and values of a curve, as its axis shows them; None where there are none."""
    if samples is None or not samples.count:
        return None
    # a run of another drawing may not have it
    found = course_of(samples, curve.key, answers)
    if found is None:
        return None
    # every frame needs them, and those of a million samples take longer than drawing
    kept = _kept.setdefault(samples, {})
    key = (curve.key, curve.factor, log)
    before = kept.get(key)
    if before is None or not same(before[0], found.values):
        kept.pop(key, None)
        while len(kept) >= MOST_KEPT:
            del kept[next(iter(kept))]
        values = without_rounding(samples, curve.key, found.values)
        before = kept[key] = (found.values, shown_numbers(curve, values, log))
    return found.times, before[1]


MOST_KEPT = 64  # curves of a run whose numbers stay
_kept: WeakKeyDictionary[Samples, dict[tuple[str, float, bool], tuple[np.ndarray, np.ndarray]]] = (
    WeakKeyDictionary()
)


def run_style(index: int) -> tuple[int, int]:
    """Hue and dash of the n-th kept run; the run of the drawing has the first hue, solid."""
    return (index + 1) % 7, (index + 1) % len(DASHES)


def value_at(trace: Trace, time: float) -> float:
    """Value of a trace at an instant, on straight lines between its samples; NaN outside."""
    t, v = trace.time, trace.values
    if not len(t) or not t[0] <= time <= t[-1]:
        return np.nan
    # numpy's interpolation reads all of a run, and a legend needs a value in every frame
    k = min(max(int(np.searchsorted(t, time, "right")), 1), len(t) - 1)
    for sample in (k - 1, k):
        if t[sample] == time:
            return float(v[sample])
    share = (time - t[k - 1]) / (t[k] - t[k - 1])
    return float(v[k - 1] + share * (v[k] - v[k - 1]))
