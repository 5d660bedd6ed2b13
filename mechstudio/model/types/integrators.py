"""The integrators that a project can ask for, as data: what a file, an inspector and the engine
must agree on.  A new one is a row here and a function in engine/integration/integrators.py.
"""

import msgspec

from mechstudio.translation import Words


class IntegratorType(msgspec.Struct, frozen=True):
    """label: its name.  order: of its error in the step.  adaptive: whether the tolerance steers
    the step; otherwise it is fixed.

    default_step: of a fixed step [s].  use: when to take it.  numbers: settings of a run that it
    alone reads.
    """

    label: Words
    order: int
    adaptive: bool
    default_step: float = 0.0
    use: Words = ""
    numbers: tuple[str, ...] = ()


INTEGRATOR_TYPES: dict[str, IntegratorType] = {
    "dop853": IntegratorType("DOP853", 8, True, use="exact and fast, for nearly everything"),
    "dopri5": IntegratorType("DOPRI5", 5, True, use="the classical adaptive method of order 5"),
    "rk4": IntegratorType("RK4", 4, False, 1e-3, "the textbook's, with a fixed step"),
    "radau": IntegratorType("Radau IIA", 5, True, use="stiff springs and dampers, with long steps"),
    "generalized_alpha": IntegratorType(
        "Generalised α",
        2,
        False,
        1e-3,
        "stiff structures: a fixed step that damps what it does not resolve",
        ("spectral_radius",),
    ),
    "semi_implicit_euler": IntegratorType(
        "Semi-implicit Euler",
        1,
        False,
        1e-3,
        "what games use: simple, and its energy does not drift away",
    ),
}
