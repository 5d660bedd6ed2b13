"""Analyses of the motion or of a state, as tables."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mechstudio.model.project import Project

if TYPE_CHECKING:
    from mechstudio.engine.analyses.table import Table


def analyse(
    project: Project, what: str, progress: Callable[[float], None] | None = None, **options: Any
) -> "Table":
    """An analysis of the motion or of a state as a table: columns, dimensions, rows (SI), labels,
    residual, notes, hatched, more.

    what: one of model.types.analyses.ANALYSES: "reactions", "torsors", "power", "momenta",
    "shaking",
    "energy", "relative", "kinematics", "inverse", "equilibria", "linearise",
    "matrices", "loads", "forces", "sensitivity", "drift".  options: the fields of
    model.types.analyses.Options, such as joints=["A"], axes="world", time="1.5 s".
    Raises EngineError for a drawing that cannot be run, ValueError for options that make no sense,
    KeyError for elements that are not there.

        >>> loads = ms.analyse(ms.load("double_pendulum.mech"), "loads")
        >>> loads.columns
        ['peak', 'at time', 'least', 'most', 'RMS']
        >>> loads.labels[0]
        'A force [N]'
    """
    from mechstudio.engine.analyses.registry import analyse

    return analyse(project, what, progress, **options)
