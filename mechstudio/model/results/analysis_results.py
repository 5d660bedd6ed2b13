"""Results of analyses as they go from process to process."""

import msgspec

from mechstudio.model.findings import Finding
from mechstudio.model.results.run_statistics import RunStatistics


class MethodRun(msgspec.Struct, frozen=True):
    """A run that was made with another method than the drawing's.

    words: its differences.  integrator, formulation, drift: keys of INTEGRATOR_TYPES, FORMULATIONS
    and DRIFTS.  tolerance: of an adaptive integrator.  rows: samples as little-endian float64, row
    by row.  finding: why it ended early; None for one that is complete.
    """

    words: str
    integrator: str
    formulation: str
    drift: str
    tolerance: float
    rows: bytes
    statistics: RunStatistics | None = None
    finding: Finding | None = None


class RowPose(msgspec.Struct, frozen=True):
    """Pose of a row of a table: coordinates of each joint in file order, and poses of each body (x,
    y, z, w, x, y, z).
    """

    coordinates: tuple[tuple[float, ...], ...]
    poses: tuple[tuple[float, ...], ...]


class Measured(msgspec.Struct, frozen=True):
    """An analysis' table as it goes from process to process.

    columns, dimensions: per column.  rows: little-endian float64, row by row, in SI.  hatched: a
    byte per number, 1 where rigid bodies do not determine it. labels, residual, notes, runs,
    poses: see engine.analyses.table.Table.
    """

    what: str
    columns: tuple[str, ...]
    dimensions: tuple[str, ...]
    rows: bytes
    hatched: bytes
    labels: tuple[str, ...] | None = None
    residual: float | None = None
    notes: tuple[str, ...] = ()
    runs: tuple[MethodRun, ...] = ()
    poses: tuple[RowPose, ...] = ()
