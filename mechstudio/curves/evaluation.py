"""Courses of quantities over the time of one run: times and values, from its samples and from what
analyses have answered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol
from urllib.parse import unquote

import msgspec
import numpy as np

from mechstudio.curves.analysis_questions import column_of, needs_analysis, questions
from mechstudio.curves.attitude.angles import ATTITUDE, attitude_values
from mechstudio.curves.course import Course
from mechstudio.curves.forces.rows import FORCE, force_values
from mechstudio.curves.gauges.rows import GAUGE, gauge_values
from mechstudio.curves.operations import Operand, applied, split
from mechstudio.curves.potential import gravity_energy, spring_energy
from mechstudio.curves.quantity_rows import (
    GRAVITY,
    OWN,
    POINT,
    RESULTANT,
    SPRINGS,
    WORLD,
    XYZ,
    PlotQuantity,
)
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.results.channels import Channel, channels
from mechstudio.model.results.constant_course import matrices, rotated
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.analyses import Options


class Run(NamedTuple):
    """A run whose quantities are requested.  project: that it was made from.  rows (s, width): its
    samples.  answers: courses of parts of quantities that analyses have found, by part.  loads: of
    a run that was changed while it went on, the mechanism from each beginning [s] on, ascending.
    channels: of its samples by their keys, where they are known already.
    """

    project: Project
    layout: SampleLayout
    rows: np.ndarray
    answers: Mapping[str, Course] = {}
    loads: Sequence[tuple[float, Mechanism]] = ()
    channels: Mapping[str, Channel] | None = None

    def by_loads(
        self, of: Callable[[Mechanism, SampleLayout, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """Values (s,) that a function of mechanism, layout and samples finds, of the mechanism that
        each sample belongs to.
        """
        if len(self.loads) < 2:
            return of(self.project.mechanism, self.layout, self.rows)
        begins = np.array([begin for begin, _ in self.loads[1:]])
        edges = [0, *np.searchsorted(self.rows[:, 0], begins), len(self.rows)]
        return np.concatenate(
            [
                of(m, self.layout, self.rows[first:last])
                for (_, m), first, last in zip(self.loads, edges, edges[1:])
            ]
        )


class Answer(Protocol):
    """A table over the time: engine.analyses.table.Table, or what `table` makes of one that came
    from another process.
    """

    columns: list[str]
    rows: np.ndarray
    hatched: np.ndarray


class Table:
    """The table of an analysis from another process; fields as those of Answer."""

    def __init__(self, answer: Measured) -> None:
        self.columns = list(answer.columns)
        self.rows = np.frombuffer(answer.rows).reshape(-1, len(self.columns))
        self.hatched = np.frombuffer(answer.hatched, "u1").reshape(self.rows.shape)


def answered(project: Project, answer: Answer, parts: Iterable[str]) -> dict[str, Course]:
    """Courses of parts of quantities from the answer to a question of
    curves.analysis_questions.questions; those for which it has no column are left out.
    """
    places = {name: k for k, name in enumerate(answer.columns)}
    out = {}
    for part in parts:
        k = places.get(column_of(project, part))
        if k is not None:
            loose = bool(np.any(answer.hatched[:, k]))
            out[part] = Course(answer.rows[:, 0], answer.rows[:, k], loose)
    return out


def with_answers(
    run: Run,
    shown: Iterable[PlotQuantity],
    duration: float,
    sample_step: float,
    analyse: Callable[[str, Options], Answer],
) -> Run:
    """The run with the answers that some quantities need, as an analysis gives them: analyse(name,
    options) of a motion of the same duration and sample step [s].
    """
    answers = dict(run.answers)
    for question, parts in questions(run.project, shown, duration, sample_step).items():
        if not answers.keys() >= set(parts):
            answers |= answered(run.project, analyse(question.what, question.options), parts)
    return run._replace(answers=answers)


def course(quantity: PlotQuantity, run: Run) -> Course | None:
    """Course of a quantity in a run; None where the run does not have it, or an analysis has not
    answered yet.
    """
    if (computed := split(quantity.key)) is not None:
        operation, options, base = computed
        found = course(msgspec.structs.replace(quantity, key=base), run)
        if found is None or not len(found.times):
            return found
        curve = applied(operation, [Operand(found, quantity.dimension)], options)
        return found._replace(values=curve.y)
    parts = []
    for part in quantity.parts:
        found = run.answers.get(part) if needs_analysis(part) else _recorded(part, run)
        if found is None:
            return None
        parts.append(found)
    if not quantity.key.startswith(RESULTANT):
        return parts[0]
    # without overflow of squares, and without the root of a number that underflows
    x, y, z = (p.values for p in parts)
    return Course(parts[0].times, np.hypot(np.hypot(x, y), z), any(p.loose for p in parts))


# parts from samples


@lru_cache(maxsize=8)
def _channels(key: "_Recorded") -> dict[str, Channel]:
    return channels(key.project.mechanism, key.layout)


class _Recorded:
    """Key of a cache: a project, equal only to itself, and its layout."""

    def __init__(self, run: Run) -> None:
        self.project, self.layout = run.project, run.layout

    def __hash__(self) -> int:
        return id(self.project)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Recorded)
            and other.project is self.project
            and other.layout == self.layout
        )


_POTENTIALS = {GRAVITY: gravity_energy, SPRINGS: spring_energy}


def _recorded(part: str, run: Run) -> Course | None:
    times = run.rows[:, 0]
    own = run.channels
    channel = (_channels(_Recorded(run)) if own is None else own).get(part)
    if channel is not None:
        return Course(times, channel.values(run.rows))
    if part.startswith(GAUGE):
        project = run.project
        gauge = project.gauges.get(part.removeprefix(GAUGE))
        if gauge is None:
            return None
        read = gauge_values(project.mechanism, gauge, run.layout, run.rows)
        return None if read is None else Course(times, read)
    if part.startswith(FORCE):
        return _of_force(part.removeprefix(FORCE), run)
    if part in _POTENTIALS:
        energy = _POTENTIALS[part]
        return Course(times, run.by_loads(energy))
    if part.startswith(ATTITUDE):
        angles = attitude_values(part.removeprefix(ATTITUDE), run.layout, run.rows)
        return None if angles is None else Course(times, angles)
    for prefix, values in ((OWN, _along_body), (WORLD, _along_world), (POINT, _of_point)):
        if part.startswith(prefix):
            found = values(part.removeprefix(prefix), run)
            return None if found is None else Course(times, found)
    return None


def _of_force(part: str, run: Run) -> Course | None:
    """ID/force: a quantity of a force between two points, by the numbers of each sample's time."""
    id, column = part.split("/")
    mechanisms = (run.project.mechanism, *(m for _, m in run.loads))
    if any(force_values(m, id, column, run.layout, run.rows[:0]) is None for m in mechanisms):
        return None

    def values(m: Mechanism, layout: SampleLayout, rows: np.ndarray) -> np.ndarray:
        found = force_values(m, id, column, layout, rows)
        assert found is not None, "checked for every mechanism above"
        return found

    return Course(run.rows[:, 0], run.by_loads(values))


def _twist(body: str, run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """R (s, 3, 3), v (s, 3) of the origin in W and w (s, 3) in body axes."""
    if body not in run.layout.bodies:
        return None
    at = run.layout.velocities.start + 6 * run.layout.bodies.index(body)
    R = matrices(run.rows[:, run.layout.pose(body)][:, 3:])
    return R, run.rows[:, at : at + 3], run.rows[:, at + 3 : at + 6]


def _along_body(part: str, run: Run) -> np.ndarray | None:
    """body/ID/vx: a velocity, along the axes of the body."""
    _, body, column = part.split("/")
    found = _twist(body, run)
    if found is None:
        return None
    R, v, _ = found
    return rotated(R.transpose(0, 2, 1), v)[:, XYZ.index(column[1])]


def _along_world(part: str, run: Run) -> np.ndarray | None:
    """body/ID/wx: an angular velocity, along the world's axes."""
    _, body, column = part.split("/")
    found = _twist(body, run)
    if found is None:
        return None
    R, _, w = found
    return rotated(R, w)[:, XYZ.index(column[1])]


def _of_point(part: str, run: Run) -> np.ndarray | None:
    """BODY/NAME/x or vx: place and velocity of a named point, in the world."""
    body, name, column = part.split("/")
    found = _twist(body, run)
    bodies = run.project.mechanism.bodies
    if found is None or unquote(name) not in bodies[body].named_points():
        return None
    R, v, w = found
    arm = np.array(bodies[body].point(unquote(name)))
    at = run.rows[:, run.layout.pose(body)][:, :3]
    whole = at + R @ arm if len(column) == 1 else v + rotated(R, np.cross(w, arm))
    return whole[:, XYZ.index(column[-1])]
