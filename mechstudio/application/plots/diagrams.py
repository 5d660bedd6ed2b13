"""Diagrams of panes: each of their curves in each run as an operation shows it, with the numbers to
draw and the words that go with them.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from threading import Lock, Thread
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec
import numpy as np

from mechstudio.application.plots.panes import FLOOR, Pane
from mechstudio.application.plots.rounding import same, without_rounding
from mechstudio.application.plots.series import Samples, course_of
from mechstudio.application.plots.traces import Trace
from mechstudio.curves.composition import LOUD
from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.operations import (
    Curve,
    NotPossible,
    Operand,
    Options,
    applied,
    spectrum_peaks,
)
from mechstudio.curves.quantities import quantity
from mechstudio.model.project import Diagram
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr

replace = msgspec.structs.replace
Runs = Mapping[str, tuple[Samples, Mapping[str, Course]]]
_kept: WeakKeyDictionary[Samples, dict[tuple, tuple[tuple[Operand, ...], Curve | NotPossible]]] = (
    WeakKeyDictionary()
)
MOST_KEPT = 32  # diagrams of a run
AT_ONCE = 100_000  # samples of which a diagram is found while the window waits


class _Task(NamedTuple):
    """A diagram in computation in the background, and its key."""

    operands: tuple[Operand, ...]
    found: Future[Curve | NotPossible]


_tasks: WeakKeyDictionary[Samples, dict[tuple, _Task]] = WeakKeyDictionary()
_turn = Lock()  # one after the other, so that the window keeps its processor


class Peak(NamedTuple):
    """A peak of a spectrum.  frequency [Hz]; value: as the vertical axis shows it."""

    frequency: float
    value: float


class DiagramCurve(NamedTuple):
    """A curve of a diagram.  x, y (n,): as the axes show them.  instants (n,) [s]: of the points,
    empty where they have none.  points: single points without a line.  path: x and y of the motion
    that a section is of, empty otherwise.
    """

    trace: Trace
    x: np.ndarray
    y: np.ndarray
    instants: np.ndarray
    points: bool
    peaks: tuple[Peak, ...] = ()
    path: tuple[np.ndarray, np.ndarray] = (np.zeros(0), np.zeros(0))


class Drawing(NamedTuple):
    """Contents of a diagram.  note: how it was found; refusal: why it cannot be, "" if it can.
    pending: some of it is still being found.
    """

    curves: tuple[DiagramCurve, ...] = ()
    note: str = ""
    refusal: str = ""
    pending: bool = False


def options_of(diagram: Diagram) -> Options:
    """Options of the operation of a diagram."""
    direction = {"rising": "rising", "falling": "falling"}.get(diagram.direction, "either")
    return Options(
        window=diagram.window,
        level=diagram.level,
        direction=direction,  # pyright: ignore[reportArgumentType]
        one_turn=diagram.one_turn,
    )


def across_words(pane: Pane) -> tuple[str, str]:
    """Name and unit of the horizontal axis."""
    d = pane.diagram
    if d is None:
        return tr("Time"), "s"
    if d.kind == "spectrum":
        return tr("Frequency"), "Hz"
    if d.kind == "phase":
        first = pane.curves[0] if pane.curves else None
        words = "" if first is None else first.label if len(pane.curves) == 1 else tr("Value")
        return words, "" if first is None else first.unit
    return ("", "") if pane.across is None else (pane.across.label, pane.across.unit)


def drawing(
    pane: Pane,
    traces: Sequence[Trace],
    runs: Runs,
    stretch: tuple[float, float],
    units: str = DEFAULT_SYSTEM,
    wait: bool = True,
) -> Drawing:
    """Contents of a pane that is a diagram, over a stretch of the time [s].  traces: its curves
    over the time; runs: samples and answers of analyses by their keys, "" for that of the drawing.
    wait: False to find those of many samples beside the window; until then, what was found of the
    same run before is shown, if anything.
    """
    d = pane.diagram
    assert d is not None
    missing = (d.kind in ("over", "section") and pane.across is None) or (
        d.kind == "section" and pane.gate is None
    )
    if missing:
        return Drawing(
            refusal=tr("A quantity of this diagram is no longer there. Choose another one.")
        )
    out, notes, refusal, pending = [], [], "", False
    for t in traces:
        samples, answers = runs.get(t.run, (None, {}))
        if not len(t.time) or samples is None:
            continue
        keys = {
            "over": (d.across, t.curve.key),
            "section": (d.across, t.curve.key, d.gate),
        }.get(d.kind, (t.curve.key,))
        operands = _operands(samples, answers, keys, stretch)
        if operands is None:
            continue
        found, late = _applied(samples, d, keys, stretch, operands, wait)
        pending = pending or late
        if found is None:
            continue
        if isinstance(found, NotPossible):
            refusal = refusal or str(found)
            continue
        shown = _shown(pane, t, found, units)
        if d.kind == "section":
            x, y = operands[0], operands[1]
            over = replace(d, kind="over")
            path, late = _applied(samples, over, keys[:2], stretch, (x, y), wait)
            pending = pending or late
            if path is not None and not isinstance(path, NotPossible):
                whole = _shown(pane, t, path, units)
                shown = shown._replace(path=(whole.x, whole.y))
        out.append(shown)
        notes.append(found.note)
    if pending and not out:
        refusal = tr("Being computed, of very many samples")
    return Drawing(tuple(out), next(iter(notes), ""), "" if out else refusal, pending)


def _operands(
    samples: Samples,
    answers: Mapping[str, Course],
    keys: tuple[str, ...],
    stretch: tuple[float, float],
) -> tuple[Operand, ...] | None:
    """The courses that a diagram takes, over a stretch; None where one is not known."""
    out = []
    for key in keys:
        course, row = course_of(samples, key, answers), quantity(samples.project, key)
        if course is None or row is None:
            return None
        values = without_rounding(samples, key, course.values)
        out.append(Operand(course._replace(values=values).between(*stretch), row.dimension))
    return tuple(out)


def _applied(
    samples: Samples,
    diagram: Diagram,
    keys: tuple[str, ...],
    stretch: tuple[float, float],
    operands: tuple[Operand, ...],
    wait: bool,
) -> tuple[Curve | NotPossible | None, bool]:
    """Result of the operation, kept while its numbers stay, since every frame needs it; None while
    it is not known yet.  Second, True if it is being found, the result being an older one.
    """
    kept, tasks = _kept.setdefault(samples, {}), _tasks.setdefault(samples, {})
    options = options_of(diagram)
    key = (diagram.kind, options, keys, stretch)
    task = tasks.get(key)
    if task is not None and task.found.done():
        del tasks[key]
        _keep(kept, key, task.operands, task.found.result())
    before = kept.get(key)
    if before is not None and _same(before[0], operands):
        return before[1], False
    if wait or sum(len(o.course.values) for o in operands) < AT_ONCE:
        found = _found(diagram.kind, operands, options)
        _keep(kept, key, operands, found)
        return found, False
    if key not in tasks:
        # of intervals that passed meanwhile only the one under way is finished
        for other in [k for k in tasks if k[0] == key[0] and k[2] == keys]:
            if tasks[other].found.cancel():
                del tasks[other]
        tasks[key] = _Task(operands, _found_beside(diagram.kind, operands, options))
    return None if before is None else before[1], True


def _found(kind: str, operands: tuple[Operand, ...], options: Options) -> Curve | NotPossible:
    try:
        return applied(kind, operands, options)
    except NotPossible as reason:
        return reason


def _found_beside(
    kind: str, operands: tuple[Operand, ...], options: Options
) -> Future[Curve | NotPossible]:
    """The same in a thread of its own, which ends with it."""
    future: Future[Curve | NotPossible] = Future()

    def work() -> None:
        with _turn:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(_found(kind, operands, options))
                except Exception as error:  # reported where the result is taken
                    future.set_exception(error)

    Thread(target=work, name="diagram", daemon=True).start()
    return future


def _keep(kept: dict, key: tuple, operands: tuple[Operand, ...], found) -> None:
    kept.pop(key, None)
    while len(kept) >= MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = operands, found


def _same(before: tuple[Operand, ...], operands: tuple[Operand, ...]) -> bool:
    """True if courses are those of before: the same numbers in the same place."""
    return all(
        same(a.course.values, b.course.values) for a, b in zip(before, operands, strict=True)
    )


def _shown(pane: Pane, trace: Trace, found: Curve, units: str) -> DiagramCurve:
    """The curve in the units of its axes."""
    c, d = trace.curve, pane.diagram
    assert d is not None
    across = pane.across.factor if pane.across is not None else c.factor
    x = found.x if d.kind == "spectrum" else found.x / across
    # the unit of a rate is not that of the value per second in every system
    factor = unit_of(found.y_dimension, units).factor if d.kind == "phase" else c.factor
    scaled = lambda y: np.log10(np.maximum(np.abs(y / factor), FLOOR)) if pane.log else y / factor
    peaks = tuple(
        Peak(f, float(scaled(np.float64(a))))
        for f, a in (spectrum_peaks(found) if d.kind == "spectrum" else ())
    )
    return DiagramCurve(trace, x, scaled(found.y), found.instants, found.points, peaks)


def point_at(curve: DiagramCurve, time: float) -> tuple[float, float] | None:
    """Place of a curve at an instant [s], on straight lines between its points; None outside of
    them, in a gap, and of what has no instants.
    """
    t = curve.instants
    if curve.points or not len(t) or not np.nanmin(t) <= time <= np.nanmax(t):
        return None
    k = int(np.clip(np.searchsorted(t, time), 1, len(t) - 1)) if len(t) > 1 else 0
    if len(t) == 1:
        return float(curve.x[0]), float(curve.y[0])
    # beside a cut where an angle begins again the nearer side counts
    step = t[k] - t[k - 1]
    share = float((time - t[k - 1]) / step) if step > 0 else 0.0
    x = float(curve.x[k - 1] + share * (curve.x[k] - curve.x[k - 1]))
    y = float(curve.y[k - 1] + share * (curve.y[k] - curve.y[k - 1]))
    return (x, y) if np.isfinite(x) and np.isfinite(y) else None


def loud_end(curve: DiagramCurve, log: bool) -> float:
    """Frequency [Hz] up to which a spectrum is shown at first."""
    if not len(curve.x):
        return 1.0
    y = 10.0**curve.y if log else curve.y
    loud = np.flatnonzero(y > LOUD * np.nanmax(y)) if np.nanmax(y) > 0 else np.zeros(0, int)
    last = float(curve.x[loud[-1]]) if len(loud) else float(curve.x[-1])
    return min(max(1.25 * last, float(curve.x[min(64, len(curve.x) - 1)])), float(curve.x[-1]))
