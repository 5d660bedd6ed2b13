"""Sensitivity of run results to parameters of the project."""

from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.engine.analyses.record import Record
from mechstudio.engine.analyses.table import Table
from mechstudio.engine.integration.options import RunOptions
from mechstudio.model.edits import elements
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.formulas.means import rms
from mechstudio.model.project import Project
from mechstudio.model.results.channels import channels
from mechstudio.translation import tr

STEP = 1e-4  # part of a parameter's value (or of 1 where it is zero) by which it is changed


def sensitivity(
    project: Project,
    keys: Sequence[str],
    options: RunOptions,
    parameters: Sequence[str] = (),
    progress: Callable[[float], None] | None = None,
) -> Table:
    """Derivatives of channels at the end of a run, and of their RMS over it, with respect to
    parameters, by central differences of whole runs.

    keys: of channels (model/results/channels.py).  parameters: names, () for all.  residual:
    largest relative difference between the derivative with the step and with its half, which shows
    whether the figure can be relied on.  Raises ExpressionError where a changed parameter makes the
    project senseless.
    """
    names = list(parameters or project.parameters)
    known = channels(project.mechanism)
    rows, worst, done = [], 0.0, 0
    for name in names:
        base = project.parameters[name].value.value
        size = abs(base) or 1.0
        found = []
        for part in (1.0, 0.5):
            h = part * STEP * size
            ends = []
            for sign in (1.0, -1.0):
                changed = elements.set_quantity(project, name, ("value",), repr(base + sign * h))
                ends.append(_measured(changed, keys, known, options))
                done += 1
                if progress is not None:
                    progress(done / (4 * len(names)))
            found.append((ends[0] - ends[1]) / (2 * h))
        rows.append((4 * found[1] - found[0]) / 3)
        scale = max(float(np.abs(found[1]).max(initial=0.0)), 1e-300)
        worst = max(worst, float(np.abs(found[0] - found[1]).max(initial=0.0)) / scale)
    columns = [
        (f"{part} of {known[key].label}", "number") for key in keys for part in ("end", "RMS")
    ]
    return Table(
        "sensitivity",
        columns,
        np.array(rows).reshape(-1, len(columns)),
        names,
        worst,
        (tr("Change per unit of the parameter, all in SI."),),
    )


def _measured(project: Project, keys: Sequence[str], known, options: RunOptions) -> np.ndarray:
    samples = Record(project.mechanism, options).samples
    out = []
    for key in keys:
        series = known[key].values(samples)
        out += [series[-1], rms(samples[:, 0], series)]
    return np.array(out)


__all__ = ["ExpressionError", "sensitivity"]
