"""Numerical methods of a run, as data on which a file, an inspector and the engine agree: the
integrators, the formulations of the equations of motion and the methods of drift control (THEORY 5,
7).  A new integrator is a row here and a function in engine/integration/integrators.py.
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


class Formulation(msgspec.Struct, frozen=True):
    """label: its name.  phrase: the same after the name of an integrator.  use: description in
    words.  brief: the name where there is little room.
    """

    label: Words
    phrase: Words
    use: Words
    brief: Words = ""


FORMULATIONS: dict[str, Formulation] = {
    "joint": Formulation(
        "Joint coordinates",
        "joint coordinates",
        "a spanning tree, loops closed by rows; the fastest",
        "Joint",
    ),
    "absolute": Formulation(
        "Absolute coordinates",
        "absolute coordinates",
        "every body free, every joint as multipliers (augmented)",
        "Absolute",
    ),
    "independent": Formulation(
        "Independent coordinates",
        "independent coordinates",
        "the others follow from them (embedded); slow, for comparison",
        "Independent",
    ),
}

DRIFTS: dict[str, Formulation] = {
    "projection": Formulation(
        "Projection", "projection", "every step ends exactly on the constraints"
    ),
    "baumgarte": Formulation(
        "Baumgarte", "Baumgarte", "C'' + 2 α C' + β² C = 0: drift is damped away"
    ),
    "none": Formulation("None", "no drift control", "C'' = 0 alone: drift grows and is shown"),
}
