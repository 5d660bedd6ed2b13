"""Draw a 3D mechanism, see it move exactly, hear why it is hyperstatic, and read its equations.

    import mechstudio as ms

The names below are loaded when they are first used, so that the window's process, which imports
this package too, stays light.
"""

from typing import TYPE_CHECKING

from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.api import (
        DerivationError,
        EngineError,
        NotClosed,
        NotReached,
        ProjectFileError,
        Result,
        SimulationStopped,
        agreement,
        analyse,
        assemble,
        at,
        branches,
        check,
        contacts_at,
        derive,
        export_equations,
        load,
        plot,
        save,
        simulate,
    )
    from mechstudio.builder import (
        BodyHandle,
        Builder,
        CoordinateHandle,
        JointHandle,
        constant,
        expression,
        limit,
        ramp,
        rest_to_rest,
        rise_and_return,
        sine,
        table,
    )
    from mechstudio.model.findings import Finding
    from mechstudio.model.project import Project
    from mechstudio.model.results.analysis import Analysis

_HOMES = {
    "agreement": "api",
    "assemble": "api",
    "at": "api",
    "NotClosed": "api",
    "NotReached": "api",
    "load": "api",
    "plot": "api",
    "save": "api",
    "simulate": "api",
    "check": "api",
    "branches": "api",
    "contacts_at": "api",
    "derive": "api",
    "export_equations": "api",
    "Result": "api",
    "DerivationError": "api",
    "EngineError": "api",
    "ProjectFileError": "api",
    "SimulationStopped": "api",
    "analyse": "api",
    **dict.fromkeys(
        (
            "Builder",
            "BodyHandle",
            "CoordinateHandle",
            "JointHandle",
            "constant",
            "expression",
            "limit",
            "ramp",
            "rest_to_rest",
            "rise_and_return",
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
    "EngineError",
    "Finding",
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
    "branches",
    "check",
    "constant",
    "contacts_at",
    "derive",
    "export_equations",
    "expression",
    "limit",
    "load",
    "plot",
    "ramp",
    "rest_to_rest",
    "rise_and_return",
    "save",
    "simulate",
    "sine",
    "table",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(
            tr("mechstudio has no name {name}; it has {all}.", name=name, all=", ".join(__all__))
        )
    from importlib import import_module

    value = getattr(import_module(f"mechstudio.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
