"""Panes as tables and pictures in files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from mechstudio.application.files.saved_files import say_saved
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.plots.accounts import TOTAL, bands, outer_edge, values_at
from mechstudio.application.plots.diagrams import Drawing, across_words, loud_end
from mechstudio.application.plots.measurements import DIFFERENCE, MEASURED
from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.series import Samples, course_of
from mechstudio.application.plots.traces import Trace
from mechstudio.curves import composition, tables
from mechstudio.curves.course import Course
from mechstudio.curves.picture import Line, Look, Panel
from mechstudio.curves.quantities import quantity
from mechstudio.files import durable
from mechstudio.model.project import Project
from mechstudio.translation import Words, tr

TABLES, PICTURES = (".csv", ".npz"), (".png", ".svg", ".pdf")
LABELS: dict[str, Words] = {
    ".csv": "Table of comma-separated values",
    ".npz": "NumPy arrays",
    ".png": "Picture",
    ".svg": "Drawing",
    ".pdf": "PDF",
}
GREY = 7  # place among the series' colours of a run in grey
PIXELS_PER_INCH = 192.0  # of a PNG: two for each of the window's
Shown = tuple[Pane, Sequence[Trace]]


def table(
    shown: Sequence[Shown],
    project: Project,
    runs: Mapping[str, tuple[Samples, Mapping[str, Course]]],
    units: str,
) -> list[tables.Column]:
    """The time and every curve that panes show, over the whole run, once each.  No two columns
    are called alike: where there are several runs, each column names its own.

    runs: samples and answers of analyses by the key of a run, "" for that of the drawing.
    """
    found: dict[tuple[str, str], tuple[str, str, Course]] = {}
    compared = any(t.run_name and len(t.time) for _, traces in shown for t in traces)
    for pane, traces in shown:
        for t in traces:
            if t.run.startswith((MEASURED, DIFFERENCE)) and len(t.time):
                row = quantity(project, t.curve.key)
                assert row is not None  # the pane has its curve
                values = (10.0**t.values if pane.log else t.values) * t.curve.factor
                name = f"{t.curve.label} ({t.word})"
                found[t.run, t.curve.key] = (name, row.dimension, Course(t.time, values))
                continue
            for curve in (t.curve, *pane.needed[len(pane.curves) :]):
                row = quantity(project, curve.key)
                if not len(t.time) or row is None or t.run not in runs:
                    continue
                samples, answers = runs[t.run]
                course = course_of(samples, curve.key, answers)
                if course is not None:
                    of_run = t.run_name if t.run else tr("this run") if compared else ""
                    name = f"{curve.label} ({of_run})" if of_run else curve.label
                    found[t.run, curve.key] = (name, row.dimension, course)
    names = tables.distinct([name for name, _, _ in found.values()])
    curves = [(name, of[1], of[2]) for name, of in zip(names, found.values(), strict=True)]
    return tables.columns(curves, units)


def unknown(
    shown: Sequence[Shown], runs: Mapping[str, tuple[Samples, Mapping[str, Course]]]
) -> list[str]:
    """Names of the curves of panes that the present run has no numbers of, in their order."""
    if "" not in runs:
        return []
    samples, answers = runs[""]
    curves = {c.key: c for pane, _ in shown for c in pane.needed}
    return [c.label for c in curves.values() if course_of(samples, c.key, answers) is None]


def with_gaps(table: Sequence[tables.Column]) -> list[str]:
    """Names of the columns that have empty cells, since they have other instants than the rest."""
    return [c.name for c in table if c.values.dtype.kind == "f" and np.isnan(c.values).any()]


def diagram_table(pane: Pane, made: Drawing) -> list[tables.Column]:
    """Columns of a diagram: of each curve the instants of its points where they have some, the
    horizontal and the vertical axis; those of equal frequencies stand once.
    """
    out: list[tables.Column] = []
    name, unit = across_words(pane)
    longest = max((len(c.x) for c in made.curves), default=0)
    filled = lambda v: np.concatenate((v, np.full(longest - len(v), np.nan)))
    many = len(made.curves) > 1
    before: np.ndarray | None = None
    for c in made.curves:
        label = f"{c.trace.curve.label} ({c.trace.word})" if c.trace.run else c.trace.curve.label
        of = f": {label}" if many else ""
        if len(c.instants):
            out.append(tables.Column(f"time{of}", "s", filled(c.instants)))
        if len(c.instants) or before is None or not np.array_equal(before, c.x):
            out.append(tables.Column(f"{name}{of}", unit, filled(c.x)))
        before = c.x
        y = np.power(10.0, c.y) if pane.log else c.y
        assert pane.diagram is not None
        title = tr("Rate of {}").format(label) if pane.diagram.kind == "phase" else label
        out.append(tables.Column(title, pane.units[0], filled(y)))
    return out


def pictures(
    shown: Sequence[Shown],
    stretch: tuple[float, float],
    drawing: Callable[[Pane, Sequence[Trace]], Drawing],
) -> list[Panel]:
    """Panels of panes, over the stretch that they show.  drawing(pane, traces): of a diagram."""
    return [
        Panel(
            tr(pane.title),
            tuple(_line(pane, t, stretch) for t in traces if len(t.time)),
            *pane.units,
            log=pane.log,
        )
        if pane.diagram is None
        else _account(pane, traces, stretch)
        if pane.is_account
        else _diagram(pane, drawing(pane, traces))
        for pane, traces in shown
        if any(len(t.time) for t in traces)
    ]


def account_table(pane: Pane, traces: Sequence[Trace]) -> list[tables.Column]:
    """The time, the parts of an account and their balance, over the whole run."""
    shown = [t for t in traces if len(t.time)]
    time = [tables.Column("time", "s", t.time) for t in shown[:1]]
    return [*time, *(tables.Column(t.name, pane.units[0], t.values) for t in shown)]


def _account(pane: Pane, traces: Sequence[Trace], stretch: tuple[float, float]) -> Panel:
    """Panel of an account: bands, and a line for the balance."""
    shown = [t for t in traces if len(t.time)]
    longest = shown[0].time
    time = longest[(longest >= stretch[0]) & (longest <= stretch[1])]
    found = bands(shown, time)
    lines = []
    for t, (low, high) in zip([t for t in shown if t.key != TOTAL], found.edges, strict=True):
        values = values_at(t, time)
        edge = outer_edge(values, low, high)
        lines.append(Line(tr(t.name), time, edge, t.color, base=low, top=high))
    lines += [_line(pane, t, stretch) for t in shown if t.key == TOTAL]
    return Panel(tr(pane.title), tuple(lines), pane.units[0])


def _diagram(pane: Pane, made: Drawing) -> Panel:
    """Panel of a diagram; a spectrum ends where its amplitudes do."""
    name, unit = across_words(pane)
    end = max((loud_end(c, pane.log) for c in made.curves), default=np.inf)
    spectrum = pane.diagram is not None and pane.diagram.kind == "spectrum"
    lines = []
    for c in made.curves:
        inside = c.x <= end if spectrum else np.ones(len(c.x), bool)
        y = c.y[inside]
        lines.append(
            Line(
                tr(c.trace.name),
                c.x[inside],
                np.power(10.0, y) if pane.log else y,
                GREY if c.trace.color < 0 else c.trace.color,
                c.trace.dash,
                points=c.points,
                width=c.trace.curve.width if c.trace.color >= 0 else 0.0,
            )
        )
    return Panel(tr(pane.title), tuple(lines), pane.units[0], "", unit, name, pane.log)


def _line(pane: Pane, trace: Trace, stretch: tuple[float, float]) -> Line:
    inside = (trace.time >= stretch[0]) & (trace.time <= stretch[1])
    values = trace.values[inside]
    return Line(
        tr(trace.name),
        trace.time[inside],
        np.power(10.0, values) if pane.log else values,
        GREY if trace.color < 0 else trace.color,
        trace.dash,
        trace.curve.second,
        trace.points,
        width=trace.curve.width if trace.color >= 0 else 0.0,
    )


def picture(panels: list[Panel], look: Look, ending: str) -> bytes:
    """A picture of panels in the format of a file's ending."""
    return composition.content(panels, look, ending, PIXELS_PER_INCH)


def write(path: Path, content: bytes, notifications: Notifications, notes: str = "") -> bool:
    """Write a file, and say so; where it cannot be written, say why.  notes: sentences on what is
    not in it.  Returns whether it was.
    """
    try:
        durable.write(path, content)
    except OSError as error:
        reason = error.strerror or tr("the disk refused it")
        text = tr(
            "{path} could not be written: {reason}. Choose another folder.",
            path=path.name,
            reason=reason,
        )
        notifications.say(Message("warning", text, "export"))
        return False
    say_saved(notifications.say, path, "export", notes)
    return True
