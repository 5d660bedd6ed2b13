"""Force types as data: where a force attaches, its parameters with their dimensions, its law and
its potential.
"""

from collections.abc import Callable

import msgspec

from mechstudio.model.types import force_laws as law

TWO_POINTS = "two_points"  # along the line between frame_a and frame_b; x is their distance
JOINT = "joint"  # along one coordinate of a joint
BODY = "body"  # a vector on frame_b's body at frame_b's origin
FRAMES = "frames"  # all six directions between frame_a and frame_b: a bushing


class ForceParameter(msgspec.Struct, frozen=True):
    """One number of a force law, in the order in which the law takes it.

    default: what stands where nothing was typed, None if something must be.  rate_of: name of the
    parameter of which this is the rate; it is 0 while that one is constant and the slope of its law
    otherwise, and is no field.  group: heading in an inspector.
    """

    name: str
    label: str
    dimension: str
    default: float | None = None
    rate_of: str = ""
    group: str = ""


class ForceType(msgspec.Struct, frozen=True):
    """One type of force.

    attachment: TWO_POINTS, JOINT, BODY or FRAMES.  parameters: in the law's order; a BODY vector
    has components x, y, z.
    law(x, v, *parameters): the effort that increases x; None for a BODY vector and for FRAMES,
    where x is the rotation vector of B in A and the shift of its origin, in A's axes, and the
    wrench on b does the power -(K x + D x') . x', K and D symmetric 6 x 6: the force
    -(K x + D x') and, to first order in the turn, the moment too (engine/kernels/bushings.py).
    potential(x, *parameters) [J] or None.
    joint_dimension: the dimension that the joint coordinate must have.  moment: a BODY vector that
    is a torque.
    """

    label: str
    attachment: str
    parameters: tuple[ForceParameter, ...]
    law: Callable | None = None
    potential: Callable | None = None
    joint_dimension: str = ""
    moment: bool = False


def _p(name, label, dimension, default=None, rate_of="", group=""):
    return ForceParameter(name, label, dimension, default, rate_of, group)


def sticks(force: "Force") -> bool:
    """True if a force is friction that holds what is at rest, which is friction smoothed over no
    speed.
    """
    kind = FORCE_TYPES.get(force.type)
    return (
        kind is not None
        and kind.law is law.friction
        and (speed := force.parameters.get("speed")) is not None
        and speed.value == 0.0
        and "speed" not in force.laws
    )


# rows and columns of a bushing's matrices: turns about, then shifts along A's axes
BUSHING_AXES = ("rx", "ry", "rz", "x", "y", "z")


def _bushing() -> tuple[ForceParameter, ...]:
    """The upper triangles of K, then of D, row by row; what stands off the diagonals is zero unless
    typed.
    """
    out = []
    for letter, name in (("k", "stiffness"), ("d", "damping")):
        for i, a in enumerate(BUSHING_AXES):
            for b in BUSHING_AXES[i:]:
                turns = a.startswith("r") + b.startswith("r")
                dimension = (name, f"coupled_{name}", f"torsional_{name}")[turns]
                group = name.capitalize() if a == b else f"Coupled {name}"
                out.append(
                    _p(
                        f"{letter}_{a}_{b}",
                        f"{name.capitalize()} {a.upper()}"
                        + ("" if a == b else f" with {b.upper()}"),
                        dimension,
                        0.0,
                        "",
                        group,
                    )
                )
    return tuple(out)


FORCE_TYPES: dict[str, ForceType] = {
    "spring": ForceType(
        "Spring",
        TWO_POINTS,
        (_p("stiffness", "Stiffness", "stiffness"), _p("free_length", "Free length", "length")),
        law.spring,
        law.spring_potential,
    ),
    "damper": ForceType("Damper", TWO_POINTS, (_p("damping", "Damping", "damping"),), law.damper),
    "torsion_spring": ForceType(
        "Torsion spring",
        JOINT,
        (
            _p("stiffness", "Stiffness", "torsional_stiffness"),
            _p("free_angle", "Free angle", "angle"),
        ),
        law.spring,
        law.spring_potential,
        joint_dimension="angle",
    ),
    "torsion_damper": ForceType(
        "Torsion damper",
        JOINT,
        (_p("damping", "Damping", "torsional_damping"),),
        law.damper,
        joint_dimension="angle",
    ),
    "motor_torque": ForceType(
        "Motor torque",
        JOINT,
        (_p("torque", "Torque", "torque"),),
        law.constant,
        joint_dimension="angle",
    ),
    "motor_force": ForceType(
        "Motor force",
        JOINT,
        (_p("force", "Force", "force"),),
        law.constant,
        joint_dimension="length",
    ),
    "slide_spring": ForceType(
        "Spring on a slider",
        JOINT,
        (_p("stiffness", "Stiffness", "stiffness"), _p("free_length", "Free position", "length")),
        law.spring,
        law.spring_potential,
        joint_dimension="length",
    ),
    "slide_damper": ForceType(
        "Damper on a slider",
        JOINT,
        (_p("damping", "Damping", "damping"),),
        law.damper,
        joint_dimension="length",
    ),
    # dry friction of constant level: Coulomb's, that sticks and slides, where the speed is 0
    # (engine/integration/frictions.py), else smoothed over it
    "friction_torque": ForceType(
        "Joint friction",
        JOINT,
        (
            _p("torque", "Friction torque", "torque"),
            _p("speed", "Smoothed below", "angular_velocity", 0.01),
            _p("damping", "Viscous friction", "torsional_damping", 0.0),
        ),
        law.friction,
        joint_dimension="angle",
    ),
    "friction_force": ForceType(
        "Slider friction",
        JOINT,
        (
            _p("force", "Friction force", "force"),
            _p("speed", "Smoothed below", "velocity", 0.001),
            _p("damping", "Viscous friction", "damping", 0.0),
        ),
        law.friction,
        joint_dimension="length",
    ),
    # position drives that can be overcome: a torque from the distance to a target (PD), unlike a
    # prescribed motion (Drive)
    "servo_torque": ForceType(
        "Servo",
        JOINT,
        (
            _p("stiffness", "Proportional gain", "torsional_stiffness"),
            _p("damping", "Derivative gain", "torsional_damping"),
            _p("target", "Target angle", "angle"),
            _p("target_rate", "Target rate", "angular_velocity", 0.0, "target"),
        ),
        law.servo,
        joint_dimension="angle",
    ),
    "servo_force": ForceType(
        "Linear servo",
        JOINT,
        (
            _p("stiffness", "Proportional gain", "stiffness"),
            _p("damping", "Derivative gain", "damping"),
            _p("target", "Target position", "length"),
            _p("target_rate", "Target rate", "velocity", 0.0, "target"),
        ),
        law.servo,
        joint_dimension="length",
    ),
    # a cylinder or a law of the user's own between two points, positive apart
    "actuator": ForceType("Actuator", TWO_POINTS, (_p("force", "Force", "force"),), law.constant),
    "bushing": ForceType("Bushing", FRAMES, _bushing()),
    "force": ForceType(
        "Force",
        BODY,
        (_p("x", "Force X", "force"), _p("y", "Force Y", "force"), _p("z", "Force Z", "force")),
    ),
    "torque": ForceType(
        "Torque",
        BODY,
        (
            _p("x", "Torque X", "torque"),
            _p("y", "Torque Y", "torque"),
            _p("z", "Torque Z", "torque"),
        ),
        moment=True,
    ),
}
