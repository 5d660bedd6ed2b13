"""Comparison of kept runs with the present one, and the differences of their peaks."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mechstudio.application.plots.panes import panes
from mechstudio.application.plots.series import Samples
from mechstudio.application.plots.traces import ShownRun, run_style, traces
from mechstudio.application.runs.kept_runs import KeptRun, legend_word
from mechstudio.application.runs.runs import Runs
from mechstudio.curves.course import Course
from mechstudio.model.project import Project
from mechstudio.translation import tr


def run_key(run: KeptRun) -> str:
    """Key of a run among the traces of a pane."""
    return f"kept/{run.number}"


def shown_runs(runs: Runs, project: Project) -> tuple[ShownRun, ...]:
    """Runs shown beside the present one, each with its hue and dash; the previous run in grey if
    none is ticked.
    """
    return tuple(
        ShownRun(
            run_key(run),
            legend_word(run, project),
            f"{run.title}: {tr(run.note)}",
            *(run_style(run.number - 1) if run.ticked else (-1, 0)),
            run.recording,
            {key: Course(*series) for key, series in run.series.items()},
        )
        for run in runs.beside
    )


def sources(
    runs: Runs, project: Project, answers: Mapping[str, Course]
) -> dict[str, tuple[Samples, Mapping[str, Course]]]:
    """Samples and results of analyses of all runs that panes show, by their keys, "" for the
    present one. answers: results of the present run.
    """
    out: dict[str, tuple[Samples, Mapping[str, Course]]] = {
        run.key: (run.samples, run.answers) for run in shown_runs(runs, project)
    }
    if runs.recording is not None:
        out[""] = (runs.recording, answers)
    return out


class Difference(NamedTuple):
    """Relative difference of the peak of a quantity in a run from that in the present one. number:
    of the run; share: of the present peak, NaN if that is zero.
    """

    number: int
    quantity: str
    share: float


def differences(runs: Runs, project: Project, answers: Mapping[str, Course]) -> list[Difference]:
    """Differences of ticked runs from the present one, in the largest magnitude of the first
    quantity that is alone in a pane; none without two runs that have it. answers: results of
    analyses of the present run.
    """
    pane = next(
        (p for p in panes(project) if len(p.curves) == 1 and not p.log),
        None,
    )
    shown = {run.key: run for run in shown_runs(runs, project) if run.color >= 0}
    if pane is None or not shown:
        return []
    found = {
        t.run: _peak(t.values)
        for t in traces(pane, runs.recording, answers, tuple(shown.values()), frozenset())
    }
    own = found.get("", np.nan)
    return [
        Difference(
            run.number,
            pane.curves[0].label,
            found[run_key(run)] / own - 1 if own else np.nan,
        )
        for run in runs.kept.runs
        if np.isfinite(own) and np.isfinite(found.get(run_key(run), np.nan))
    ]


def _peak(values: np.ndarray) -> float:
    """The largest magnitude; NaN without numbers."""
    good = np.abs(values[np.isfinite(values)])
    return float(good.max()) if len(good) else np.nan
