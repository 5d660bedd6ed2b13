"""Runs of projects for commands, with their progress on the terminal's last line."""

import argparse
import warnings
from typing import TYPE_CHECKING, Any

from mechstudio.cli.outcome import AT_FAULT, DONE, CommandError, say
from mechstudio.cli.terminal import clear_line, progress_line
from mechstudio.engine.errors import EngineError
from mechstudio.model.project import Project
from mechstudio.translation import tr

if TYPE_CHECKING:
    import numpy as np


def run(project: Project, options: argparse.Namespace) -> tuple[Any, str]:
    """The result of a run and why it ended early ("" if it did not); no result if it could not
    start.
    """
    from mechstudio.api.runs import SimulationStopped, simulate
    from mechstudio.engine.integration.options import options_of

    given: dict[str, Any] = {
        name: getattr(options, name, None)
        for name in ("duration", "sample_step", "integrator", "tolerance", "step", "until")
    }
    try:
        options_of(project, **given)
    except ValueError as error:
        raise CommandError(str(error)) from None

    def warn(message: object, *_: object, **__: object) -> None:
        """At once: what a slow run says is news while it runs, and what an early end leaves unsaid
        nobody reads.
        """
        clear_line()
        say(str(message), DONE)

    try:
        with warnings.catch_warnings(), progress_line(tr("Simulating")) as progress:
            warnings.simplefilter("always")
            warnings.showwarning = warn
            return simulate(project, progress=progress, **given), ""
    except SimulationStopped as stop:
        return stop.result, str(stop)
    except EngineError as error:
        return None, str(error)


def instant(project: Project, options: argparse.Namespace) -> tuple[float | None, "np.ndarray"]:
    """The requested time and the poses then; without a time those of the assembled drawing."""
    import numpy as np

    from mechstudio.api.projects import check
    from mechstudio.engine.constraints.attitude import drawn_poses
    from mechstudio.model.edits.elements import parameter_values
    from mechstudio.model.formulas.expression import ExpressionError, evaluate

    start = project.mechanism.start.value
    try:
        time = options.time
        at = start if time is None else evaluate(time, "time", parameter_values(project), "s")
    except ExpressionError as error:
        raise CommandError(str(error)) from None
    if at < start:
        raise CommandError(
            tr(
                "The motion begins at {start:g} s: there is no picture of {time}.",
                start=start,
                time=options.time,
            )
        )
    if at == start:  # the start of every run is the assembled drawing
        poses = np.array(check(project).poses)
        return None, poses if len(poses) else drawn_poses(project.mechanism)
    after = at - start
    # samples at multiples of that time alone: the last one is at exactly that time
    result, reason = run(project, argparse.Namespace(duration=after, sample_step=after))
    if reason:
        raise CommandError(
            tr("There is no picture of t = {time}: {reason}", time=options.time, reason=reason),
            AT_FAULT,
        )
    return float(result.time[-1]), result.poses[-1]
