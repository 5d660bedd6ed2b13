"""Methods of runs in words."""

from mechstudio.model.project import Settings
from mechstudio.model.types.formulations import DRIFTS, FORMULATIONS
from mechstudio.model.types.integrators import INTEGRATOR_TYPES
from mechstudio.translation import tr


def method_words(settings: Settings) -> str:
    """Method, formulation and drift control, with their numbers: "RK4 1 ms, absolute,
    Baumgarte".
    """
    kind = INTEGRATOR_TYPES.get(settings.integrator)
    method = kind.label if kind is not None else settings.integrator
    if kind is not None:
        step = settings.step.value if settings.step is not None else kind.default_step
        method += f" {settings.tolerance.value:g}" if kind.adaptive else f" {1e3 * step:g} ms"
    formulation, drift = FORMULATIONS.get(settings.formulation), DRIFTS.get(settings.drift)
    return ", ".join(
        (
            method,
            formulation.label.lower() if formulation is not None else settings.formulation,
            {"none": tr("no drift control"), "projection": "projection"}.get(settings.drift)
            or (drift.label if drift is not None else settings.drift),
        )
    )
