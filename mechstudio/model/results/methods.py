"""Methods of runs in words."""

from typing import NamedTuple

from mechstudio.model.project import Settings
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.translation import localised, tr


class MethodParts(NamedTuple):
    """Parts of a method in words: "RK4 1 ms", "absolute coordinates", "Baumgarte"."""

    integrator: str
    formulation: str
    drift: str


def method_parts(settings: Settings) -> MethodParts:
    """Integrator with its number, formulation and drift control; names of a newer file that this
    version does not know stand as they are.
    """
    kind = INTEGRATOR_TYPES.get(settings.integrator)
    method = settings.integrator
    if kind is not None:
        step = settings.step.value if settings.step is not None else kind.default_step
        number = (
            localised(f"{settings.tolerance.value:g}")
            if kind.adaptive
            else localised(f"{1e3 * step:g} ms")
        )
        method = f"{tr(kind.label)} {number}"
    formulation, drift = FORMULATIONS.get(settings.formulation), DRIFTS.get(settings.drift)
    return MethodParts(
        method,
        tr(formulation.phrase) if formulation is not None else settings.formulation,
        tr(drift.phrase) if drift is not None else settings.drift,
    )
