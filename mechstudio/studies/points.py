"""Points of a study: one run of the mechanism with one row of values."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Run, course, with_answers
from mechstudio.curves.quantities import find
from mechstudio.curves.statistics import cut
from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run, system_for
from mechstudio.engine.system.system import System
from mechstudio.model.edits.elements import formulas, reevaluate
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.channels import channels
from mechstudio.model.results.sample import sample_layout
from mechstudio.studies.measures import Measure, quantities_of
from mechstudio.translation import tr, trn

# imbalance of the energy over the largest from which a run's numbers are reported as inexact
ENERGY = 1e-3
# of the sample step, with which a run is repeated to estimate the error of its samples.  Half of it
# is not enough: a peak may lie so that the same sample stays the greatest.
PARTS = 4


class Point(msgspec.Struct, frozen=True):
    """The outcome of one run.  values: of the measures [SI], NaN where there is none.  reason: why
    there is none, in one sentence; "" where the run was whole.  note: what makes the values less
    than exact; "" for nothing.
    """

    values: tuple[float, ...]
    reason: str = ""
    note: str = ""


class Stopped(Exception):
    """The study was cancelled while a run went on."""


class Points:
    """Runs a project with other values of its parameters.

    names: of the parameters.  options: of every run.  is_stopped: called between pieces of a run.
    """

    def __init__(
        self,
        project: Project,
        names: Sequence[str],
        measures: Sequence[Measure],
        options: RunOptions,
        is_stopped=lambda: False,
    ) -> None:
        self._project, self._names, self._options = project, tuple(names), options
        self._measures, self._is_stopped = tuple(measures), is_stopped
        # numbers of a drawing change neither its formulas nor which quantities it has
        self._formulas = formulas(project)
        self._shown = {key: find(project, key) for key in quantities_of(measures)}
        self._layout = sample_layout(project.mechanism)
        self._channels = channels(project.mechanism, self._layout)

    def project(self, values: Sequence[float]) -> Project:
        """The project with a row of values [SI] in place of its own.  Raises ExpressionError."""
        parameters = dict(self._project.parameters)
        for name, value in zip(self._names, values, strict=True):
            parameters[name] = msgspec.structs.replace(
                parameters[name], value=Quantity(float(value))
            )
        return reevaluate(
            msgspec.structs.replace(self._project, parameters=parameters), self._formulas
        )

    def point(self, values: Sequence[float]) -> Point:
        """The outcome of a run with a row of values [SI]; one that fails is a reason.

        Raises Stopped.
        """
        try:
            return self._measured(self.project(values))
        except (ExpressionError, EngineError, RunStopped, ValueError, ArithmeticError) as error:
            reason = error.reason if isinstance(error, RunStopped) else str(error)
            return Point((math.nan,) * len(self._measures), " ".join(reason.split()))

    def refined(self, values: Sequence[float]) -> Point:
        """The same point with a quarter of the sample step: what the samples are worth."""
        step = self._options.sample_step / PARTS
        finer = msgspec.structs.replace(self._options, sample_step=step)
        return Points(self._project, self._names, self._measures, finer).point(values)

    def courses(self, values: Sequence[float]) -> dict[str, Course]:
        """Courses of all quantities of the measures by their keys, over a run with a row of values
        [SI]; none of a run that fails.  Raises Stopped.
        """
        try:
            return self._found(self.project(values))[0]
        except (ExpressionError, EngineError, RunStopped, ValueError, ArithmeticError):
            return {}

    def _found(self, project: Project) -> tuple[dict[str, Course], System]:
        """Courses by the keys of their quantities, and the system that was run."""
        options = self._options
        system = system_for(project.mechanism, options)
        if wrong := next((f for f in system.findings if f.severity == "error"), None):
            raise EngineError(wrong)
        blocks = []
        for block in run(system, options):
            if self._is_stopped():
                raise Stopped
            if len(block):
                blocks.append(np.array(block))
        rows = np.concatenate(blocks)
        known = self._channels if system.layout == self._layout else None
        recorded = Run(project, system.layout, rows, channels=known)
        recorded = with_answers(
            recorded,
            self._shown.values(),
            options.duration,
            options.sample_step,
            lambda what, question: analyse_as(project, what, question),
        )
        courses = {}
        for key, quantity in self._shown.items():
            found = course(quantity, recorded)
            if found is None:
                raise ValueError(tr("This run has no {quantity}.", quantity=quantity.name))
            courses[key] = cut(found, rows[0, 0], rows[-1, 0] + 1e-6 * options.sample_step)
        return courses, system

    def _measured(self, project: Project) -> Point:
        courses, system = self._found(project)
        loose = [self._shown[key].name for key, found in courses.items() if found.loose]
        return Point(
            tuple(measure.value(courses) for measure in self._measures),
            note=_note(system, loose),
        )


def _note(system: System, loose: Sequence[str]) -> str:
    """Sentences of the statistics of a run against its numbers.  loose: names of quantities that
    rigid bodies do not determine.
    """
    found = system.statistics
    assert found is not None, "a run sets its statistics however it ends"
    notes = [f"{f.message} {f.cure}".strip() for f in system.findings] + list(found.notes)
    notes += [
        tr(
            "{quantity} is not determined by rigid bodies; its values are the least-squares ones.",
            quantity=name,
        )
        for name in loose
    ]
    if found.energy_error is not None and not found.energy_error <= ENERGY:
        words = tr(
            "The energy is off by {share:.3g} % of the largest.", share=100 * found.energy_error
        )
        # the run may say so itself, and go on after these words
        if not any(note.startswith(words[:-1]) for note in notes):
            notes.append(words)
    if found.unsolved:
        notes.append(
            trn(
                "One step with contacts was not solved to the tolerance.",
                "{count} steps with contacts were not solved to the tolerance.",
                found.unsolved,
            )
        )
    return " ".join(" ".join(notes).split())
