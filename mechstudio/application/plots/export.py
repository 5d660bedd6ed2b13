"""Panes as tables and pictures in files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.series import Samples, course_of
from mechstudio.application.plots.traces import Trace
from mechstudio.curves import compose, tables
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
    """The time and every curve that panes show, over the whole run, once each.

    runs: samples and answers of analyses by the key of a run, "" for that of the drawing.
    """
    found: dict[tuple[str, str], tuple[str, str, Course]] = {}
    for _, traces in shown:
        for t in traces:
            row = quantity(project, t.curve.key)
            if not len(t.time) or row is None or t.run not in runs:
                continue
            samples, answers = runs[t.run]
            course = course_of(samples, t.curve.key, answers)
            if course is not None:
                name = f"{t.curve.label} ({t.word})" if t.run and t.word else t.curve.label
                found[t.run, t.curve.key] = (name, row.dimension, course)
    return tables.columns(found.values(), units)


def pictures(shown: Sequence[Shown], stretch: tuple[float, float]) -> list[Panel]:
    """Panels of panes, over the stretch that they show."""
    return [
        Panel(
            pane.title,
            tuple(_line(pane, t, stretch) for t in traces if len(t.time)),
            *pane.units,
            log=pane.log,
        )
        for pane, traces in shown
        if any(len(t.time) for t in traces)
    ]


def _line(pane: Pane, trace: Trace, stretch: tuple[float, float]) -> Line:
    inside = (trace.time >= stretch[0]) & (trace.time <= stretch[1])
    values = trace.values[inside]
    return Line(
        trace.name,
        trace.time[inside],
        np.power(10.0, values) if pane.log else values,
        GREY if trace.color < 0 else trace.color,
        trace.dash,
        trace.curve.second,
    )


def picture(panels: list[Panel], look: Look, ending: str) -> bytes:
    """A picture of panels in the format of a file's ending."""
    return compose.content(panels, look, ending, PIXELS_PER_INCH)


def write(path: Path, content: bytes, notifications: Notifications) -> None:
    """Write a file, and say so; where it cannot be written, say why."""
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
    else:
        notifications.say(Message("info", tr("{path} is saved.", path=path.name), "export"))
