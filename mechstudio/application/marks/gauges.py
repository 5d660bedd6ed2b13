"""Gauges as they are drawn at the poses that are shown: dimensions with their numbers."""

from typing import NamedTuple

import numpy as np

from mechstudio.application.display import Display
from mechstudio.curves.gauges.reading import Poses, Reading, reading
from mechstudio.model.edits.gauges.driving import driver
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Gauge, Project
from mechstudio.model.results.clearance import bound_note
from mechstudio.model.types.gauges import ALONG, ANGLE, DISTANCE, GAUGE_TYPES, ROUND
from mechstudio.model.units import format_value

# drawing of a dimension, by the kind of its line
LINE, ARC, LEADER, STEPPED = "line", "arc", "leader", "stepped"
KINDS = {
    DISTANCE: LINE,
    ANGLE: ARC,
    **dict.fromkeys(ROUND, LEADER),
    **dict.fromkeys(ALONG, STEPPED),
}


class GaugeMark(NamedTuple):
    """A gauge to be drawn.  kind: one of LINE, ARC, LEADER, STEPPED.  a, b (3,): ends of its line
    in W [m]; of an arc its two directions.  at (3,): of an arc its vertex.  axis: of a stepped line
    the axis of W along which it measures.  words: its number, "–" while unknown.  drives: it can be
    typed.  note: why the number is only a lower bound, "" where it is exact.
    """

    id: str
    kind: str
    a: np.ndarray
    b: np.ndarray
    at: np.ndarray
    words: str
    drives: bool
    axis: int = -1
    note: str = ""


def shown_poses(display: Display) -> Poses:
    """The poses that are shown, one row for each body."""
    m, shown = display.project.mechanism, display.poses
    index = {id: k for k, id in enumerate(m.bodies)}
    there = shown is not None and len(shown) == len(index)

    def of(body: str) -> np.ndarray:
        if there and shown is not None and body != GROUND:
            return np.asarray(shown[index[body]], float)[None]
        place, turn = m.body(body).placement.pose
        return np.array([[*place, *turn]])

    return of


def gauge_marks(project: Project, m: Mechanism, poses: Poses, units: str) -> tuple[GaugeMark, ...]:
    """The visible gauges of a project at poses of its bodies."""
    out = []
    for gauge in project.gauges.values():
        found = reading(m, gauge, poses) if gauge.visible else None
        if found is not None and np.isfinite(found.values).all():
            out.append(_mark(project, m, gauge, found, units))
    return tuple(out)


def _mark(project: Project, m: Mechanism, gauge: Gauge, found: Reading, units: str) -> GaugeMark:
    kind = GAUGE_TYPES[gauge.type]
    number = format_value(float(found.values[0]), kind.dimension, units, 4)
    note = bound_note(m, gauge)
    words = f"{gauge.name} {'≥' if note else '='} {kind.prefix}{number}"
    a, b, at = found.a[0], found.b[0], found.at[0]
    axis = ALONG.get(gauge.type, -1)
    drives = driver(project, gauge) is not None
    return GaugeMark(gauge.id, KINDS[gauge.type], a, b, at, words, drives, axis, note)
