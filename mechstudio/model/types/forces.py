"""Force types as data: all that is known about a type stands in its row: attachment, parameters,
law and potential, words and looks (resources/help/add-a-force.md).
"""

from collections.abc import Callable, Iterator

import msgspec

from mechstudio.model import drawing_measures as drawn
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Force, Mechanism
from mechstudio.model.types import force_laws as law
from mechstudio.model.types.parameter import NEGATE, SAME, Parameter
from mechstudio.translation import Words, tr

TWO_POINTS = "two_points"  # along the line between frame_a and frame_b; x is their distance
JOINT = "joint"  # along one coordinate of a joint
BODY = "body"  # a vector on frame_b's body at frame_b's origin
FRAMES = "frames"  # all six directions between frame_a and frame_b: a bushing


class ForceType(msgspec.Struct, frozen=True):
    """One type of force.

    label: as menus and choices show it.  noun: the same in a sentence, without "a".  attachment:
    TWO_POINTS, JOINT, BODY or FRAMES.  parameters: in the law's order; a BODY vector has
    components x, y, z.
    law(x, v, *parameters): the effort that increases x; None for a BODY vector and for FRAMES,
    where x is the rotation vector of B in A and the shift of its origin, in A's axes, and the
    wrench on b does the power -(K x + D x') . x', K and D symmetric 6 x 6: the force
    -(K x + D x') and, to first order in the turn, the moment too
    (engine/kernels/loads/bushings.py). potential(x, *parameters) [J] or None.
    joint_dimension: the dimension that the joint coordinate must have.  moment: True of a BODY
    vector that is a torque.  motor: True for driving forces, the user's machines.
    words: search words of the palette.  menu: place of its entry; section: True for a line above
    it.  key: shortcut.  icon: file of resources/icons.  glyph: key of
    STRETCHED or ON_JOINT in scene/forces.
    action: key of JOINT_FORCES, the entry that it shares with others.
    check(force, mechanism, who): faults of its numbers.
    """

    label: Words
    noun: Words
    attachment: str
    parameters: tuple[Parameter, ...]
    law: Callable[..., float] | None = None
    potential: Callable[..., float] | None = None
    joint_dimension: str = ""
    moment: bool = False
    motor: bool = False
    words: Words = ""
    menu: str = "Insert"
    section: bool = False
    key: str = ""
    icon: str = "tool_force"
    glyph: str = ""
    action: str = ""
    check: Callable[[Force, Mechanism, str], Iterator[Finding]] | None = None


class JointForce(msgspec.Struct, frozen=True):
    """One menu entry for types of force that the coordinate's dimension tells apart.

    text: in the menu; noun: in a sentence; words: search words of the palette.
    """

    text: Words
    noun: Words
    words: Words = ""


JOINT_FORCES: dict[str, JointForce] = {
    "motor": JointForce("Motor torque or force", "motor", "joint actuator effort"),
    "servo": JointForce("Servo (PD)", "servo", "position controller joint proportional derivative"),
    "joint_spring": JointForce("Spring in a joint", "spring", "torsion"),
    "joint_damper": JointForce("Damper in a joint", "damper", "torsion viscous"),
    "friction": JointForce("Friction in a joint", "friction", "coulomb dry viscous"),
}

_p = Parameter


def has_potential(force: Force) -> bool:
    """True if a force's energy depends on the pose alone: nothing in its potential follows a law.
    What one without does is work.
    """
    kind = FORCE_TYPES[force.type]
    if kind.attachment == FRAMES:
        return not any(name.startswith("k_") for name in force.laws)
    return kind.potential is not None and not force.laws


def sticks(force: Force) -> bool:
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


def _brakes(force: Force, mechanism: Mechanism, who: str) -> Iterator[Finding]:
    """Friction below zero, which would drive its joint."""
    level = FORCE_TYPES[force.type].parameters[0]
    if level.name not in force.laws and force.parameters[level.name].value < level.least:
        yield Finding(
            "error",
            force.id,
            tr(
                "The {parameter} of {who} is negative: it would drive the joint instead of braking "
                "it.",
                parameter=tr(level.label).lower(),
                who=who,
            ),
            tr("Type its size without a sign: friction acts against the motion in both ways."),
        )


# rows and columns of a bushing's matrices: turns about, then shifts along A's axes
BUSHING_AXES = ("rx", "ry", "rz", "x", "y", "z")
# SI values of a new bushing, of its turns and of its shifts
_BUSHING = {"stiffness": (50.0, 1e5), "damping": (0.5, 100.0)}


def _bushing() -> tuple[Parameter, ...]:
    """The upper triangles of K, then of D, row by row; what stands off the diagonals is zero unless
    typed.

    What couples a rotation with a shift changes its sign in a mirror: the one keeps its sign there,
    the other does not.
    """
    out: list[Parameter] = []
    for letter, name in (("k", "stiffness"), ("d", "damping")):
        for i, a in enumerate(BUSHING_AXES):
            for b in BUSHING_AXES[i:]:
                turns = a.startswith("r") + b.startswith("r")
                out.append(
                    _p(
                        f"{letter}_{a}_{b}",
                        f"{name.capitalize()} {a.upper()}"
                        + ("" if a == b else f" with {b.upper()}"),
                        (name, f"coupled_{name}", f"torsional_{name}")[turns],
                        0.0,
                        _BUSHING[name][0 if turns else 1] if a == b else None,
                        mirror=NEGATE if turns == 1 else SAME,
                        group=name.capitalize() if a == b else f"Coupled {name}",
                    )
                )
    return tuple(out)


# in the order of the Insert menu
FORCE_TYPES: dict[str, ForceType] = {
    "motor_torque": ForceType(
        "Motor torque",
        "motor torque",
        JOINT,
        (_p("torque", "Torque", "torque", drawn="1 N·m", mirror=NEGATE, letter="T"),),
        law.constant,
        joint_dimension="angle",
        motor=True,
        icon="tool_torque",
        glyph="arrow",
        action="motor",
    ),
    "motor_force": ForceType(
        "Motor force",
        "motor force",
        JOINT,
        (_p("force", "Force", "force", drawn="10 N", mirror=NEGATE, letter="F"),),
        law.constant,
        joint_dimension="length",
        motor=True,
        glyph="arrow",
        action="motor",
    ),
    # position drives that can be overcome: a torque from the distance to a target (PD), unlike a
    # prescribed motion (Drive)
    "servo_torque": ForceType(
        "Servo",
        "servo",
        JOINT,
        (
            _p(
                "stiffness",
                "Proportional gain",
                "torsional_stiffness",
                drawn="20 N·m/rad",
                letter="k",
            ),
            _p("damping", "Derivative gain", "torsional_damping", drawn="1 N·m·s/rad", letter="d"),
            _p("target", "Target angle", "angle", drawn="45 deg", mirror=NEGATE, letter="x_d"),
            _p(
                "target_rate",
                "Target rate",
                "angular_velocity",
                0.0,
                rate_of="target",
                letter="u_d",
            ),
        ),
        law.servo,
        joint_dimension="angle",
        motor=True,
        icon="tool_servo",
        glyph="target",
        action="servo",
    ),
    "servo_force": ForceType(
        "Linear servo",
        "linear servo",
        JOINT,
        (
            _p("stiffness", "Proportional gain", "stiffness", drawn="2000 N/m", letter="k"),
            _p("damping", "Derivative gain", "damping", drawn="100 N·s/m", letter="d"),
            _p("target", "Target position", "length", drawn="50 mm", mirror=NEGATE, letter="x_d"),
            _p("target_rate", "Target rate", "velocity", 0.0, rate_of="target", letter="u_d"),
        ),
        law.servo,
        joint_dimension="length",
        motor=True,
        icon="tool_servo",
        glyph="target",
        action="servo",
    ),
    "spring": ForceType(
        "Spring",
        "spring",
        TWO_POINTS,
        (
            _p(
                "stiffness",
                "Stiffness",
                "stiffness",
                drawn=drawn.spring_stiffness,
                entry=2,
                letter="k",
            ),
            _p("free_length", "Free length", "length", drawn=drawn.apart, entry=1, letter="l_0"),
        ),
        law.spring,
        law.spring_potential,
        words="coil elastic",
        section=True,
        key="S",
        icon="tool_spring",
        glyph="coil",
    ),
    "damper": ForceType(
        "Damper",
        "damper",
        TWO_POINTS,
        (_p("damping", "Damping", "damping", drawn=drawn.light_damping, entry=1, letter="d"),),
        law.damper,
        words="dashpot viscous",
        key="D",
        icon="tool_damper",
        glyph="dashpot",
    ),
    # a cylinder or a law of the user's own between two points, positive apart
    "actuator": ForceType(
        "Actuator",
        "actuator",
        TWO_POINTS,
        (_p("force", "Force", "force", drawn="10 N", entry=1, letter="F"),),
        law.constant,
        words="cylinder hydraulic force between two points",
        icon="tool_actuator",
        glyph="cylinder",
    ),
    "bushing": ForceType(
        "Bushing",
        "bushing",
        FRAMES,
        _bushing(),
        words="rubber mount six stiffnesses",
        icon="tool_bushing",
        glyph="sleeve",
    ),
    "torsion_spring": ForceType(
        "Torsion spring",
        "torsion spring",
        JOINT,
        (
            _p("stiffness", "Stiffness", "torsional_stiffness", drawn="1 N·m/rad", letter="k"),
            _p("free_angle", "Free angle", "angle", drawn="0 deg", mirror=NEGATE, letter="theta_0"),
        ),
        law.spring,
        law.spring_potential,
        joint_dimension="angle",
        icon="tool_spring",
        glyph="coil",
        action="joint_spring",
    ),
    "slide_spring": ForceType(
        "Spring on a slider",
        "spring on a slider",
        JOINT,
        (
            _p("stiffness", "Stiffness", "stiffness", drawn="200 N/m", letter="k"),
            _p("free_length", "Free position", "length", drawn="0 mm", mirror=NEGATE, letter="l_0"),
        ),
        law.spring,
        law.spring_potential,
        joint_dimension="length",
        icon="tool_spring",
        glyph="coil",
        action="joint_spring",
    ),
    "torsion_damper": ForceType(
        "Torsion damper",
        "torsion damper",
        JOINT,
        (_p("damping", "Damping", "torsional_damping", drawn="0.05 N·m·s/rad", letter="d"),),
        law.damper,
        joint_dimension="angle",
        icon="tool_damper",
        glyph="dashpot",
        action="joint_damper",
    ),
    "slide_damper": ForceType(
        "Damper on a slider",
        "damper on a slider",
        JOINT,
        (_p("damping", "Damping", "damping", drawn="10 N·s/m", letter="d"),),
        law.damper,
        joint_dimension="length",
        icon="tool_damper",
        glyph="dashpot",
        action="joint_damper",
    ),
    # dry friction of constant level: Coulomb's, that sticks and slides, where the speed is 0
    # (engine/integration/events/frictions.py), else smoothed over it
    "friction_torque": ForceType(
        "Joint friction",
        "joint friction",
        JOINT,
        (
            _p("torque", "Friction torque", "torque", drawn="0.1 N·m", least=0.0, letter="T"),
            _p("speed", "Smoothed below", "angular_velocity", 0.01, "0 rad/s", letter="v_0"),
            _p("damping", "Viscous friction", "torsional_damping", 0.0, letter="d"),
        ),
        law.friction,
        joint_dimension="angle",
        icon="tool_friction",
        glyph="pads",
        action="friction",
        check=_brakes,
    ),
    "friction_force": ForceType(
        "Slider friction",
        "slider friction",
        JOINT,
        (
            _p("force", "Friction force", "force", drawn="1 N", least=0.0, letter="F"),
            _p("speed", "Smoothed below", "velocity", 0.001, "0 mm/s", letter="v_0"),
            _p("damping", "Viscous friction", "damping", 0.0, letter="d"),
        ),
        law.friction,
        joint_dimension="length",
        icon="tool_friction",
        glyph="pads",
        action="friction",
        check=_brakes,
    ),
    "force": ForceType(
        "Force",
        "force",
        BODY,
        (_p("x", "Force X", "force"), _p("y", "Force Y", "force"), _p("z", "Force Z", "force")),
        words="push pull load arrow newton",
        section=True,
        key="F",
        glyph="arrow",
    ),
    "torque": ForceType(
        "Torque",
        "torque",
        BODY,
        (
            _p("x", "Torque X", "torque"),
            _p("y", "Torque Y", "torque"),
            _p("z", "Torque Z", "torque"),
        ),
        moment=True,
        words="moment couple load",
        key="Shift+F",
        icon="tool_torque",
        glyph="arrow",
    ),
}


def entries() -> dict[str, JointForce]:
    """Menu entries of forces on joints: those that several types share, and the types that stand
    alone.
    """
    out: dict[str, JointForce] = {}
    for type, kind in FORCE_TYPES.items():
        if kind.attachment == JOINT and kind.action:
            out[kind.action] = JOINT_FORCES[kind.action]
        elif kind.attachment == JOINT:
            out[type] = JointForce(kind.label, kind.noun, kind.words)
    return out


def types_of_entry(entry: str) -> tuple[str, ...]:
    """Types of force that an entry stands for."""
    return tuple(
        type
        for type, kind in FORCE_TYPES.items()
        if kind.attachment == JOINT and (kind.action or type) == entry
    )


def is_motor(type: str) -> bool:
    """True if forces of a type drive their joint; a type that this version does not know does
    not.
    """
    return type in FORCE_TYPES and FORCE_TYPES[type].motor
