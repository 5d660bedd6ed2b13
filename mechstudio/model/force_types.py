"""Force types as data: where a force attaches, its parameters with their dimensions, its law and its potential."""

from collections.abc import Callable

import msgspec

from . import force_laws as law

TWO_POINTS = "two_points"    # along the line between frame_a and frame_b; x is their distance
JOINT = "joint"              # along one coordinate of a joint
BODY = "body"                # a vector on frame_b's body at frame_b's origin


class ForceParameter(msgspec.Struct, frozen=True):
    """One number of a force law, in the order in which the law takes it."""

    name: str
    label: str
    dimension: str


class ForceType(msgspec.Struct, frozen=True):
    """One type of force.

    attachment: TWO_POINTS, JOINT or BODY.   parameters: in the law's order; a BODY vector has components x, y, z.
    law(x, v, *parameters): the effort that increases x; None for a BODY vector.   potential(x, *parameters) [J] or None.
    joint_dimension: the dimension that the joint coordinate must have.   moment: a BODY vector that is a torque.
    """

    label: str
    attachment: str
    parameters: tuple[ForceParameter, ...]
    law: Callable | None = None
    potential: Callable | None = None
    joint_dimension: str = ""
    moment: bool = False


def _p(name, label, dimension):
    return ForceParameter(name, label, dimension)


FORCE_TYPES: dict[str, ForceType] = {
    "spring": ForceType("Spring", TWO_POINTS, (_p("stiffness", "Stiffness", "stiffness"), _p("free_length", "Free length", "length")),
                        law.spring, law.spring_potential),
    "damper": ForceType("Damper", TWO_POINTS, (_p("damping", "Damping", "damping"),), law.damper),
    "torsion_spring": ForceType("Torsion spring", JOINT, (_p("stiffness", "Stiffness", "torsional_stiffness"), _p("free_angle", "Free angle", "angle")),
                                law.spring, law.spring_potential, joint_dimension="angle"),
    "torsion_damper": ForceType("Torsion damper", JOINT, (_p("damping", "Damping", "torsional_damping"),), law.damper, joint_dimension="angle"),
    "motor_torque": ForceType("Motor torque", JOINT, (_p("torque", "Torque", "torque"),), law.constant, joint_dimension="angle"),
    "motor_force": ForceType("Motor force", JOINT, (_p("force", "Force", "force"),), law.constant, joint_dimension="length"),
    "force": ForceType("Force", BODY, (_p("x", "Force X", "force"), _p("y", "Force Y", "force"), _p("z", "Force Z", "force"))),
    "torque": ForceType("Torque", BODY, (_p("x", "Torque X", "torque"), _p("y", "Torque Y", "torque"), _p("z", "Torque Z", "torque")), moment=True),
}
