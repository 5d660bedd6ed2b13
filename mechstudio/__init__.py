"""Draw a 3D mechanism, see it move exactly, hear why it is hyperstatic, and read its equations.

    import mechstudio as ms

The names below are loaded when they are first used, so that the window's process, which imports
this package too, stays light.
"""

from typing import TYPE_CHECKING

from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.api.analyses import analyse
    from mechstudio.api.derivations import DerivationError, agreement, derive, export_equations
    from mechstudio.api.drawings import diagram, drawing
    from mechstudio.api.exchange import ExchangeError, convert
    from mechstudio.api.films import picture
    from mechstudio.api.paths import surface, whole_turn
    from mechstudio.api.projects import (
        EngineError,
        NotClosed,
        NotReached,
        ProjectFileError,
        assemble,
        at,
        branches,
        check,
        differences,
        gauge_parameter,
        load,
        save,
        versions,
        with_offset,
    )
    from mechstudio.api.reports import report
    from mechstudio.api.result import Result, plot
    from mechstudio.api.runs import SimulationStopped, contacts_at, simulate, solver_steps
    from mechstudio.api.sizing import (
        counterweights,
        flywheel,
        gravity_balance,
        motor_and_gear,
        with_additions,
    )
    from mechstudio.api.studies import fit, optimise, study
    from mechstudio.api.synthesis import synthesise_function, synthesise_motion, synthesise_path
    from mechstudio.builder import (
        BodyHandle,
        Builder,
        CoordinateHandle,
        Editing,
        FrameHandle,
        JointHandle,
        axis_on,
        constant,
        expression,
        geneva,
        law,
        limit,
        plane_on,
        point_on,
        ramp,
        rest_to_rest,
        rise_and_return,
        script,
        sine,
        table,
    )
    from mechstudio.model.findings import Finding
    from mechstudio.model.project import Project
    from mechstudio.model.results.analysis import Analysis

_HOMES = {
    "agreement": "api.derivations",
    "assemble": "api.projects",
    "convert": "api.exchange",
    "ExchangeError": "api.exchange",
    "at": "api.projects",
    "with_offset": "api.projects",
    "NotClosed": "api.projects",
    "NotReached": "api.projects",
    "load": "api.projects",
    "diagram": "api.drawings",
    "drawing": "api.drawings",
    "picture": "api.films",
    "plot": "api.result",
    "save": "api.projects",
    "simulate": "api.runs",
    "study": "api.studies",
    "optimise": "api.studies",
    "fit": "api.studies",
    "synthesise_function": "api.synthesis",
    "synthesise_motion": "api.synthesis",
    "synthesise_path": "api.synthesis",
    "solver_steps": "api.runs",
    "counterweights": "api.sizing",
    "flywheel": "api.sizing",
    "gravity_balance": "api.sizing",
    "motor_and_gear": "api.sizing",
    "with_additions": "api.sizing",
    "gauge_parameter": "api.projects",
    "versions": "api.projects",
    "surface": "api.paths",
    "whole_turn": "api.paths",
    "report": "api.reports",
    "check": "api.projects",
    "differences": "api.projects",
    "branches": "api.projects",
    "contacts_at": "api.runs",
    "derive": "api.derivations",
    "export_equations": "api.derivations",
    "Result": "api.result",
    "DerivationError": "api.derivations",
    "EngineError": "api.projects",
    "ProjectFileError": "api.projects",
    "SimulationStopped": "api.runs",
    "analyse": "api.analyses",
    **dict.fromkeys(
        (
            "Builder",
            "BodyHandle",
            "CoordinateHandle",
            "Editing",
            "FrameHandle",
            "JointHandle",
            "axis_on",
            "constant",
            "expression",
            "geneva",
            "law",
            "limit",
            "plane_on",
            "point_on",
            "ramp",
            "rest_to_rest",
            "rise_and_return",
            "script",
            "sine",
            "table",
        ),
        "builder",
    ),
    "Project": "model.project",
    "Analysis": "model.results.analysis",
    "Finding": "model.findings",
}

__all__ = [
    "Analysis",
    "BodyHandle",
    "Builder",
    "CoordinateHandle",
    "DerivationError",
    "Editing",
    "EngineError",
    "ExchangeError",
    "Finding",
    "FrameHandle",
    "JointHandle",
    "NotClosed",
    "NotReached",
    "Project",
    "ProjectFileError",
    "Result",
    "SimulationStopped",
    "agreement",
    "analyse",
    "assemble",
    "at",
    "axis_on",
    "branches",
    "check",
    "constant",
    "contacts_at",
    "convert",
    "counterweights",
    "derive",
    "diagram",
    "differences",
    "drawing",
    "export_equations",
    "expression",
    "fit",
    "flywheel",
    "gauge_parameter",
    "geneva",
    "gravity_balance",
    "law",
    "limit",
    "load",
    "motor_and_gear",
    "optimise",
    "picture",
    "plane_on",
    "plot",
    "point_on",
    "ramp",
    "report",
    "rest_to_rest",
    "rise_and_return",
    "save",
    "script",
    "simulate",
    "sine",
    "solver_steps",
    "study",
    "surface",
    "synthesise_function",
    "synthesise_motion",
    "synthesise_path",
    "table",
    "versions",
    "whole_turn",
    "with_additions",
    "with_offset",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(
            tr("mechstudio has no name {name}; it has {all}.", name=name, all=comma().join(__all__))
        )
    from importlib import import_module

    value = getattr(import_module(f"mechstudio.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _in_notebook() -> None:
    """Show projects, runs and tables as such where an IPython shell imports this package."""
    import sys

    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None:
        from mechstudio.api.notebook import show_in_notebooks

        show_in_notebooks(shell)


_in_notebook()
