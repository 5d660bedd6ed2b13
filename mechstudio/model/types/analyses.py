"""Analyses that can be run, their options and their results."""

from collections.abc import Mapping

import msgspec

from mechstudio.model.mechanism import GROUND

OVER_TIME = (
    "reactions",
    "momenta",
    "energy",
    "relative",
    "kinematics",
    "inverse",
    "loads",
    "free_bodies",
)
AT_INSTANT = ("torsors", "power", "linearise", "matrices")
SEARCHES = ("equilibria", "sensitivity", "drift")
ANALYSES = (*OVER_TIME, *AT_INSTANT, *SEARCHES)
AXES = ("joint", "world", "body")

Place = str | tuple[float, float, float]


class Options(msgspec.Struct, frozen=True):
    """Options of the analyses; each analysis reads its own.

    joints, bodies: names or ids, () for all.  axes: of reactions, "joint", "world" or "body"; of
    torsors, "body" for its own, else W's.  point: where torsors and moments are read: (x, y, z) in
    W [m], a joint's name, or "body.point"; None for the usual place.  frames: points of bodies,
    "body" or "body.point" each.  seen_from: body whose frame a motion is seen from. time [s]: of
    analyses of one instant.  duration, sample_step [s]: of the run; None: the project's.  motion:
    joint -> text of its position over t, for
    "inverse".  independent: names of coordinates, of "linearise" and "matrices".  inputs: joints on
    which efforts act there, () for those with motors, or all.  starts: of "equilibria".
    parameters,
    channels: of "sensitivity".
    """

    joints: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    axes: str = "joint"
    point: Place | None = None
    frames: tuple[str, ...] = ()
    seen_from: str = GROUND
    time: float | str = 0.0
    duration: float | str | None = None
    sample_step: float | str | None = None
    motion: Mapping[str, str] = {}
    independent: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    starts: int = 40
    parameters: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()


class Measured(msgspec.Struct, frozen=True):
    """An analysis' table as it goes from process to process.

    columns, dimensions: per column.  rows: little-endian float64, row by row, in SI.  hatched: a
    byte per number, 1 where rigid bodies do not determine it. labels, residual, notes: see
    engine.analyses.table.Table.
    """

    what: str
    columns: tuple[str, ...]
    dimensions: tuple[str, ...]
    rows: bytes
    hatched: bytes
    labels: tuple[str, ...] | None = None
    residual: float | None = None
    notes: tuple[str, ...] = ()
