"""Measured data over the curves of panes: laid, fitted in the time, compared with the run, and
removed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import msgspec
import numpy as np

from mechstudio.application.plots.choice import Change, pane_with_room, with_curves
from mechstudio.application.plots.panes import DASHES, Curve, Pane, shown_numbers, shown_plots
from mechstudio.application.plots.series import Samples, course_of
from mechstudio.application.plots.traces import NONE, Trace
from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.measurements.comparison import Compared, compared
from mechstudio.curves.measurements.table import DataUnreadable, Matched
from mechstudio.curves.quantities import quantity
from mechstudio.model.naming import presentable
from mechstudio.model.project import Measurement, Project
from mechstudio.model.units import format_number
from mechstudio.translation import tr

replace = msgspec.structs.replace
MEASURED = "measured/"  # begins the key of a trace of measured data
DIFFERENCE = "difference/"  # and that of the run less measured data
DOTS = DASHES.index("dot")
MOST = 20_000  # instants that a project keeps of a column
Answers = Mapping[str, Course]


class Run(Samples, Protocol):
    """Samples of a run that may be under way.  finished: no more will come."""

    @property
    def finished(self) -> bool: ...


def trace_key(data: Measurement) -> str:
    """Key of measured data among the traces of a pane."""
    return MEASURED + data.id


def trace_keys(project: Project) -> set[str]:
    """Keys of all traces that measured data can have."""
    return {start + m.id for m in project.measurements for start in (MEASURED, DIFFERENCE)}


def of_trace(project: Project, key: str) -> Measurement | None:
    """The measured data of the key of their trace or their difference; None for another trace."""
    keys = lambda m: (trace_key(m), DIFFERENCE + m.id)
    return next((m for m in project.measurements if key in keys(m)), None)


def course(data: Measurement) -> Course:
    """Measured values over the time of the run."""
    return Course(np.frombuffer(data.times, "<f8") + data.shift, np.frombuffer(data.values, "<f8"))


def kept_every(count: int) -> int:
    """Count of instants of a column for one that a project keeps."""
    return max(1, -(-count // MOST))


def laid(project: Project, found: Sequence[Matched], shift: float, source: str) -> Change:
    """The project with columns of a file laid over the curves of their quantities; those that no
    pane shows over the time get a curve.  Data of the same file and column are replaced.  Raises
    PlotRefused where a pane has too many curves.
    """
    source = presentable(source)
    new = {(source, presentable(m.column), m.quantity.key) for m in found}
    kept = [m for m in project.measurements if (m.source, m.name, m.channel) not in new]
    taken = [m.id for m in project.measurements] + [u.id for u in project.unread]
    for m in found:
        every = kept_every(len(m.course.times))
        values = np.where(np.isfinite(m.course.values), m.course.values, np.nan)
        id = _new_id(taken)
        taken.append(id)
        kept.append(
            Measurement(
                id,
                presentable(m.column) or m.quantity.name,
                m.quantity.key,
                m.course.times[::every].astype("<f8").tobytes(),
                values[::every].astype("<f8").tobytes(),
                shift,
                source,
            )
        )
    change = Change(replace(project, measurements=tuple(kept)))
    for m in found:
        shown = shown_plots(change.project)
        if not any(m.quantity.key in p.channels for p in shown if p.diagram is None):
            id = pane_with_room(change.project, (m.quantity.key,))
            after = with_curves(change.project, id, (m.quantity.key,), True)
            change = Change(after.project, change.sentence or after.sentence)
    return change


def _new_id(taken: Sequence[str]) -> str:
    k = len(taken) + 1
    while f"data_{k}" in taken:
        k += 1
    return f"data_{k}"


def removed(project: Project, id: str) -> Project:
    """The project without some measured data."""
    return replace(project, measurements=tuple(m for m in project.measurements if m.id != id))


def shifted(project: Project, source: str, shift: float) -> Project:
    """The project with another shift [s] of all columns of a file, which have one clock."""
    return replace(
        project,
        measurements=tuple(
            replace(m, shift=shift) if m.source == source else m for m in project.measurements
        ),
    )


def pairs_to_fit(
    found: Sequence[tuple[str, Course]], samples: Samples | None, answers: Answers
) -> list[tuple[Course, Course]]:
    """(data, run) for `best_shift`, of columns, each (key of its quantity, course by the clock of
    the data).  Raises DataUnreadable where the run has none of them.
    """
    pairs = []
    for key, data in found:
        run = None if samples is None else course_of(samples, key, answers)
        if run is not None and len(run.times) > 1:
            pairs.append((data, run))
    if not pairs:
        raise DataUnreadable(
            tr("The curves of these quantities are not found yet; fit the time later.")
        )
    return pairs


def own_clock(project: Project, source: str) -> list[tuple[str, Course]]:
    """Columns of a file with their keys, by the clock of the data."""
    return [
        (m.channel, course(replace(m, shift=0.0)))
        for m in project.measurements
        if m.source == source
    ]


def comparison(
    data: Measurement, project: Project, samples: Run | None, answers: Answers
) -> Compared | str:
    """Measured data beside a run that is over, or why they cannot be compared."""
    if samples is not None and not samples.finished:
        # each new sample would compute all of them again
        return tr("The run is not over yet.")
    q = quantity(project, data.channel)
    run = None if samples is None else course_of(samples, data.channel, answers)
    if samples is None:
        return tr("There is no run to compare with: press Space.")
    if q is None or run is None or len(run.times) < 2:
        return tr("Its curve is not found yet.")
    kept = _kept.setdefault(samples, {})
    before = kept.get(data.id)
    if before is None or before[0] is not data or before[1] != len(run.times):
        own = course(replace(data, shift=0.0))
        result: Compared | str
        try:
            (result,) = compared([Matched(data.name, q, own)], lambda _: run, data.shift)
        except DataUnreadable as error:
            result = str(error)
        before = kept[data.id] = (data, len(run.times), result)
    return before[2]


# legends need it in every frame
_kept: WeakKeyDictionary[Samples, dict[str, tuple[Measurement, int, Compared | str]]] = (
    WeakKeyDictionary()
)


def agreement_sentence(data: Measurement, found: Compared | str, units: str) -> str:
    """RMS, largest difference and shift in one sentence, in a unit system."""
    shift = format_number(data.shift, 4)
    if isinstance(found, str):
        return tr("{name}: moved by {shift} s. {why}", name=data.name, shift=shift, why=found)
    own = unit_of(found.quantity.dimension, units)
    value = lambda v: f"{format_number(v / own.factor, 3)} {own.symbol}".strip()
    return tr(
        "{name}: RMS {rms}, largest difference {largest} at {at} s, moved by {shift} s",
        name=data.name,
        shift=shift,
        rms=value(found.rms),
        largest=value(found.largest),
        at=format_number(found.at, 4),
    )


class Beside(NamedTuple):
    """Comparison of measured data with the run.  words: of it, for a tip."""

    found: Compared | str
    words: str


class Laid(NamedTuple):
    """Measured data in a pane, and the curve that they lie over."""

    data: Measurement
    curve: Curve


def of_pane(pane: Pane, project: Project) -> list[Laid]:
    """Measured data that lie over the curves of a pane; none in a diagram."""
    curves = {c.key: c for c in pane.curves} if pane.diagram is None else {}
    return [Laid(m, curves[m.channel]) for m in project.measurements if m.channel in curves]


def measured_traces(
    pane: Pane,
    project: Project,
    beside: Callable[[Measurement], Beside],
    hidden: frozenset[str],
    differences: frozenset[str] = frozenset(),
) -> list[Trace]:
    """Traces of measured data, drawn as single points, and of the run less them.  beside(data):
    comparison with the run.  differences: ids of the data whose difference is drawn too.
    """
    out = []
    for data, curve in of_pane(pane, project):
        found, tip = beside(data)
        word = tr("measured: {name}", name=data.name)
        key = trace_key(data)
        xy = _shown(course(data), curve, pane.log) if key not in hidden else (NONE, NONE)
        out.append(Trace(key, curve, key, word, tip, curve.color, 0, *xy, points=True))
        if data.id in differences and not isinstance(found, str):
            key = DIFFERENCE + data.id
            word = tr("run less {name}", name=data.name)
            xy = _shown(found.residual, curve, pane.log) if key not in hidden else (NONE, NONE)
            out.append(Trace(key, curve, key, word, tip, curve.color, DOTS, *xy))
    return out


def _shown(found: Course, curve: Curve, log: bool) -> tuple[np.ndarray, np.ndarray]:
    return found.times, shown_numbers(curve, found.values, log)
