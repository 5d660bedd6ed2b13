"""Measured data that a study is fitted to, and its result."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.curves.course import Course
from mechstudio.model.studies.fitting import Estimate, Scatter
from mechstudio.model.studies.setup import StudySetup
from mechstudio.protocol.study_messages import FitEnded
from mechstudio.studies.optimisation import result_table
from mechstudio.translation import tr, trn


class FittedQuantity(NamedTuple):
    """A measured quantity with its run.  data, run: courses [SI].  residuals (points,) [SI]: the
    run less the data.
    """

    name: str
    dimension: str
    data: Course
    residuals: np.ndarray
    run: Course


class FitResult(NamedTuple):
    """Answer of a fit, as of studies.optimisation.fit.Fitted."""

    estimates: tuple[Estimate, ...]
    correlations: np.ndarray
    scatters: tuple[Scatter, ...]
    rank: int
    notes: tuple[str, ...]
    runs: int
    quantities: tuple[FittedQuantity, ...]

    @property
    def rank_sentence(self) -> str:
        """Sentence on how much of the parameters the data determines."""
        count = len(self.estimates)
        if self.rank == count:
            return trn(
                "The data determines the parameter.",
                "The data determines all {count} parameters.",
                count,
            )
        if not self.rank:
            return tr("The data determines none of the parameters.")
        return trn(
            "The data determines one combination of the {of} parameters.",
            "The data determines {count} combinations of the {of} parameters.",
            self.rank,
            of=count,
        )


def result_of(report: FitEnded) -> FitResult:
    """The result in a report."""
    count = len(report.estimates)
    own = lambda data: np.frombuffer(data, "<f8")
    quantities = tuple(
        FittedQuantity(
            c.name,
            c.dimension,
            Course(own(c.times), own(c.measured)),
            own(c.residuals),
            Course(own(c.run_times), own(c.run_values)),
        )
        for c in report.curves
    )
    return FitResult(
        report.estimates,
        own(report.correlations).reshape(count, count),
        report.scatters,
        report.rank,
        report.remarks,
        report.runs,
        quantities,
    )


def table_of(result: FitResult, path: Path, units: str, data: str) -> bytes:
    """The result as a table in the format of a path's ending.  data: file that was fitted."""
    return result_table.content(result, path.suffix or ".csv", units, Path(data).name)


def file_of(document: Document, study: StudySetup) -> Path:
    """File of the measured data of a study; a path that is not whole begins at the project."""
    return Path(document.path or "").parent / study.data


def problem_of_file(document: Document, study: StudySetup) -> str:
    """Reason why the file of the data cannot be read, "" if it is there or none was chosen."""
    path = file_of(document, study)
    if not study.data or path.is_file():
        return ""
    return tr(
        "{file} is not there any more: put it back, or choose the measured data again.", file=path
    )
