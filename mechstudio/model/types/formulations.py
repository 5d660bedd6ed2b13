"""Formulations of the equations of motion and methods of drift control, as data on which a file, an
inspector and the engine agree (THEORY 5, 7).
"""

import msgspec

from mechstudio.translation import Words


class Formulation(msgspec.Struct, frozen=True):
    """label: its name.  phrase: the same after the name of an integrator.  use: what it is, in
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
