"""Paths of points of shown trails and curves, complete and exact, for export."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.application.marks.places import BodyPoint, body_point, color, positions, velocities
from mechstudio.model.edits.marks import Place, place
from mechstudio.model.project import Mark
from mechstudio.model.results.sample import SampleLayout
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.application.studio import Studio

PATH_TYPES = ("trail", "whole_turn")


class ExportedPath(NamedTuple):
    """Path of one point.  name: in words.  points (n, 3) in W [m].  parameter (n,): time or input
    at them [SI], with its name and dimension. closed: it ends at its beginning. other: of another
    assembly branch.  color: index of its body's series colour.  notes: sentences on what was not
    counted, such as stops.  rates (n, 3): velocities at the points [m/s] of a path over the time;
    None where the points lie close.
    """

    name: str
    points: np.ndarray
    parameter: np.ndarray
    parameter_name: str
    dimension: str
    closed: bool
    other: bool
    color: int
    notes: tuple[str, ...] = ()
    rates: np.ndarray | None = None

    @property
    def arc(self) -> np.ndarray:
        """Length of the path up to each point [m], of chords or, with rates, of the speed; gaps
        have no length.
        """
        chords = np.diff(self.points, axis=0)
        if self.rates is None:
            steps = np.linalg.norm(chords, axis=1)
        else:
            # Simpson's rule of the speed, whose middle value is that of Hermite's cubic
            times = np.diff(self.parameter)
            middle = 1.5 * chords - 0.25 * times[:, None] * (self.rates[:-1] + self.rates[1:])
            speeds = np.linalg.norm(self.rates, axis=1)
            steps = (
                times * (speeds[:-1] + speeds[1:]) + 4.0 * np.linalg.norm(middle, axis=1)
            ) / 6.0
        return np.concatenate([[0.0], np.cumsum(np.nan_to_num(steps))])[: len(self.points)]


def path_marks(studio: "Studio", places: tuple[Place, ...]) -> tuple[Mark, ...]:
    """Trails and curves of the bodies and joints of places, of any of their points; all shown ones
    without places.
    """
    shown = tuple(m for type in PATH_TYPES for m in studio.marks.of_type(type))
    if not places:
        return shown
    on = {at.joint or at.body for at in places}
    return tuple(m for m in shown if (m.joint or m.body) in on)


def exported(studio: "Studio", marks: tuple[Mark, ...]) -> list[ExportedPath]:
    """Known paths of marks: trails over the whole run, all branches of curves of a whole turn."""
    return [path for mark in marks for path in _MADE[mark.type](studio, mark)]


def _trail(studio: "Studio", mark: Mark) -> list[ExportedPath]:
    m, recording = studio.document.project.mechanism, studio.runs.recording
    at = body_point(m, place(mark))
    if recording is None or not recording.count or at is None:
        return []
    rows = recording.rows[: recording.count]
    return [recorded_path(recording.layout, rows, at, studio.marks.title(mark), color(m, at.body))]


def recorded_path(
    layout: SampleLayout, rows: np.ndarray, at: BodyPoint, name: str, index: int
) -> ExportedPath:
    """Path of a point over samples (n, layout.width).  index: of its series colour."""
    points, rates = positions(layout, rows, at), velocities(layout, rows, at)
    return ExportedPath(
        name, points, rows[:, 0].copy(), tr("time"), "time", False, False, index, (), rates
    )


def _whole_turn(studio: "Studio", mark: Mark) -> list[ExportedPath]:
    m, turns = studio.document.project.mechanism, studio.marks.whole_turns
    at, result = body_point(m, place(mark)), turns.result
    if at is None or result is None:
        return []
    title, index, out = studio.marks.title(mark), color(m, at.body), []
    input = tr("input {joint}", joint=studio.document.name(result.joint))
    for k, turn in enumerate(turns.turns(at)):
        name = tr("{point}, branch {number}", point=title, number=k + 1)
        known = (input, result.dimension), (turn.closed, not turn.drawn), index
        path = turn_path(name, turn.points, turn.inputs, *known)
        out.append(path._replace(notes=result.notes))
    return out


def turn_path(
    name: str,
    points: np.ndarray,
    inputs: np.ndarray,
    input: tuple[str, str],
    closed_other: tuple[bool, bool],
    index: int,
) -> ExportedPath:
    """The path of a curve of a whole turn. points (n, 3) [m], inputs (n,) [SI]: as found. input:
    name and dimension. closed_other: whether it returns to its beginning, whether it is of another
    branch. index: of the series colour.
    """
    points, values = np.array(points), inputs.copy()
    closed, other = closed_other
    if closed and len(points) > 2:
        # the search ends a fraction of a step beyond its beginning
        points[-1] = points[0]
        turns_done = round((values[-1] - values[0]) / (2.0 * np.pi))
        values[-1] = values[0] + (2.0 * np.pi * turns_done if input[1] == "angle" else 0.0)
    return ExportedPath(name, points, values, *input, closed, other, index)


_MADE: dict[str, Callable[["Studio", Mark], list[ExportedPath]]] = {
    "trail": _trail,
    "whole_turn": _whole_turn,
}
