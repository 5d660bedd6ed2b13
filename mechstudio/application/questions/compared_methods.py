"""Runs that a comparison of methods has made, kept and ticked."""

import msgspec
import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.questions.analyses import AnalysisQuestion
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.runs import Runs
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.analysis_results import Measured, MethodRun

replace = msgspec.structs.replace


class ComparedMethods:
    """Takes the runs of an answer into the list of runs, once."""

    def __init__(self, document: Document, runs: Runs, analyses: AnalysisQuestion) -> None:
        self._document, self._runs, self._analyses = document, runs, analyses
        self._taken: Measured | None = None
        analyses.changed.connect(self._follow)

    def _follow(self) -> None:
        found = self._analyses.result
        if found is None or found is self._taken or not found.runs:
            return
        self._taken = found
        made = [(recording_of(self._document.project, run), run.words) for run in found.runs]
        self._runs.kept.compare((each, words) for each, words in made if each.count > 1)
        if self._runs.recording is None:
            self._runs.find_known()


def recording_of(project: Project, run: MethodRun) -> Recording:
    """Recording of a project that was run with another method."""
    settings = replace(
        project.settings,
        integrator=run.integrator,
        formulation=run.formulation,
        drift=run.drift,
        # as typed, where it is the same
        tolerance=project.settings.tolerance
        if project.settings.tolerance.value == run.tolerance
        else Quantity(run.tolerance),
    )
    recording = Recording(replace(project, settings=settings))
    rows = np.frombuffer(run.rows).reshape(-1, recording.layout.width)
    if len(rows):
        recording.take(rows)
    finding = run.finding
    reason = "" if finding is None else f"{finding.message} {finding.cure}".strip()
    recording.finish(finding is None, reason, run.statistics, finding)
    return recording
