"""Result table of an analysis: named columns with units, rows of numbers, and the residual of the
analysis' own check.
"""

import numpy as np

from mechstudio.model.results.analysis_results import Measured, MethodRun, RowPose

TIME = ("time", "time")  # column of the instants


class Table:
    """columns, dimensions: name and dimension (key of model.units.DIMENSIONS) of each column.
    rows: (k, columns) in SI.

    labels: a word per row, of tables whose rows are things rather than instants.  residual: of the
    analysis' own check, relative; None where it has none.  notes: sentences about what the numbers
    mean.  hatched (k, columns): True where a number is not determined by rigid bodies.
    more: further lists by name, for scripts and JSON: of "linearise" the matrices A and B, with the
    names of states and inputs.  runs: those that the table compares.  poses:
    of each row, of tables whose rows are poses.
    """

    def __init__(
        self,
        what: str,
        columns: list[tuple[str, str]],
        rows: np.ndarray,
        labels: list[str] | None = None,
        residual: float | None = None,
        notes: tuple[str, ...] = (),
        hatched: np.ndarray | None = None,
        more: dict[str, list] | None = None,
        runs: tuple[MethodRun, ...] = (),
        poses: tuple[RowPose, ...] = (),
    ) -> None:
        self.what, self.columns, self.dimensions = (
            what,
            [c for c, _ in columns],
            [d for _, d in columns],
        )
        self.rows = np.asarray(rows, float).reshape(-1, len(columns))
        self.labels, self.residual, self.notes, self.more = labels, residual, notes, more or {}
        self.runs, self.poses = runs, poses
        self.hatched = (
            np.zeros(self.rows.shape, bool)
            if hatched is None
            else np.asarray(hatched, bool).reshape(self.rows.shape)
        )

    def measured(self) -> Measured:
        """The table as it goes to another process."""
        return Measured(
            self.what,
            tuple(self.columns),
            tuple(self.dimensions),
            np.ascontiguousarray(self.rows, "<f8").tobytes(),
            np.ascontiguousarray(self.hatched, "u1").tobytes(),
            None if self.labels is None else tuple(self.labels),
            self.residual,
            tuple(self.notes),
            self.runs,
            self.poses,
        )
