"""Springs, dampers and friction of MJCF joints, and its actuators, as forces of ours."""

from mechstudio.files.exchange.drawing import amounts, frame
from mechstudio.files.exchange.mjcf.hinges import Placed
from mechstudio.files.exchange.mjcf.omissions import report_actuator
from mechstudio.files.exchange.mjcf.parts import Parts
from mechstudio.files.exchange.mjcf.tendons import spatial_ends, tendon_nodes
from mechstudio.files.exchange.xml_text import Node, fault, number, numbers
from mechstudio.model.geometry.rotation import IDENTITY, compose, rotate
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.naming import quoted
from mechstudio.model.quantity import Quantity
from mechstudio.translation import Words, tr

LEFT: Words = "Actuators that have no counterpart were left out"
SPRINGS = {"angle": ("torsion_spring", "free_angle"), "length": ("slide_spring", "free_length")}
DAMPERS = {"angle": "torsion_damper", "length": "slide_damper"}
FRICTIONS = {"angle": ("friction_torque", "torque"), "length": ("friction_force", "force")}
MOTORS = {"angle": ("motor_torque", "torque"), "length": ("motor_force", "force")}
SERVOS = {"angle": "servo_torque", "length": "servo_force"}


def _put(parts: Parts, name: str, type: str, placed: Placed, **numbers: float) -> None:
    id, name = parts.drawing.id(name, type)
    p = dict(zip(numbers, amounts(*numbers.values())))
    parts.drawing.forces[id] = Force(
        id, name, type, p, joint=placed.at.joint, coordinate=placed.at.coordinate
    )


def add_joint_forces(parts: Parts) -> None:
    """Stiffness, damping and frictionloss of the joints."""
    for name, e in parts.elements.items():
        node = e.node
        stiffness, damping = ((numbers(node, k) or [0.0])[0] for k in ("stiffness", "damping"))
        friction = number(node, "frictionloss", 0.0)
        placed = parts.placed.get(name)
        if min(stiffness, damping, friction) < 0.0:
            raise fault(node, tr("its stiffness, damping or friction is negative."))
        if placed is None:
            if stiffness or damping or friction:
                parts.drawing.leave(
                    tr("Springs, dampers and friction of balls were left out"), quoted(name)
                )
            continue
        scale = parts.source.angle if e.kind == "hinge" else 1.0
        if stiffness:
            type, free = SPRINGS[placed.dimension]
            rest = scale * number(node, "springref", 0.0)
            _put(parts, f"{name} spring", type, placed, stiffness=stiffness, **{free: rest})
        if damping:
            _put(parts, f"{name} damper", DAMPERS[placed.dimension], placed, damping=damping)
        if friction:
            type, level = FRICTIONS[placed.dimension]
            _put(parts, f"{name} friction", type, placed, **{level: friction}, speed=0.0)


def add_actuators(parts: Parts, controls: list[float]) -> None:
    """All actuators at the controls of the start; a note for those that have no counterpart."""
    nodes = [
        parts.source.full(node, "")
        for section in parts.source.root.all("actuator")
        for node in section.children
    ]
    for k, node in enumerate(nodes):
        name = node.get("name") or node.get("joint") or node.tag
        control = _held(parts, node, controls[k] if k < len(controls) else 0.0)
        law = _law(node, control)
        if law is None or not _act(parts, node, name, law):
            parts.drawing.leave(tr(LEFT), quoted(name))
            continue
        report_actuator(parts.drawing, node, name)
        if not control and not law[1]:
            parts.drawing.leave(
                tr("Actuators wait for a control, which is zero here; type a value or a law"),
                quoted(name),
            )


def _held(parts: Parts, node: Node, control: float) -> float:
    """A control within its range."""
    bounds, limited = numbers(node, "ctrlrange", 2), node.get("ctrllimited", "auto")
    if not bounds or limited == "false" or (limited == "auto" and not parts.source.autolimits):
        return control
    return min(max(control, bounds[0]), bounds[1])


def _law(node: Node, control: float) -> tuple[float, float, float, float] | None:
    """Force at a length and a rate as (gain, constant, of length, of rate); None for what is no
    such law.
    """
    if node.tag == "motor":
        return 1.0, control, 0.0, 0.0
    if node.tag == "position":
        kp, kv = number(node, "kp", 1.0), number(node, "kv", 0.0)
        return kp, kp * control, -kp, -kv
    if node.tag == "velocity":
        kv = number(node, "kv", 1.0)
        return kv, kv * control, 0.0, -kv
    if node.tag == "general":
        if node.get("dyntype", "none") != "none" or node.get("gaintype", "fixed") != "fixed":
            return None
        gain = (numbers(node, "gainprm") or [1.0])[0]
        bias = (*(numbers(node, "biasprm") or []), 0.0, 0.0, 0.0)[:3]
        kind = node.get("biastype", "none")
        if kind == "none":
            bias = (0.0, 0.0, 0.0)
        elif kind != "affine":
            return None
        return gain, gain * control + bias[0], bias[1], bias[2]
    return None


def _act(parts: Parts, node: Node, name: str, law: tuple[float, float, float, float]) -> bool:
    """Put the force of an actuator; False where there is no counterpart."""
    _, constant, of_length, of_rate = law
    gear = numbers(node, "gear") or [1.0]
    if node.get("site"):
        return _on_site(parts, node, name, law, (*gear, *[0.0] * 6)[:6])
    if node.get("tendon"):
        return _on_tendon(parts, node, name, law, gear[0])
    placed = parts.placed.get(node.get("joint") or node.get("jointinparent"))
    if placed is None:
        return False
    g = gear[0]
    if not of_length and not of_rate:
        type, level = MOTORS[placed.dimension]
        _put(parts, name, type, placed, **{level: g * constant})
        return True
    k, d = -of_length * g * g, -of_rate * g * g
    force = g * constant
    if not k:  # a speed that is held: a damper against it, and what would drive a body at rest
        type, level = MOTORS[placed.dimension]
        _put(parts, name, type, placed, **{level: force})
        _put(parts, f"{name} damper", DAMPERS[placed.dimension], placed, damping=d)
        return True
    _put(
        parts,
        name,
        SERVOS[placed.dimension],
        placed,
        stiffness=k,
        damping=d,
        target=force / k,
    )
    return True


def _on_tendon(
    parts: Parts, node: Node, name: str, law: tuple[float, float, float, float], gear: float
) -> bool:
    tendon = next((t for t in tendon_nodes(parts) if t.get("name") == node.get("tendon")), None)
    if tendon is None:
        raise fault(node, tr("there is no tendon {name}.", name=quoted(node.get("tendon"))))
    ends = spatial_ends(parts, tendon) if tendon.tag == "spatial" else None
    if ends is None or law[2] or law[3]:
        return False
    id, name = parts.drawing.id(name, "actuator")
    parts.drawing.forces[id] = Force(
        id,
        name,
        "actuator",
        {"force": Quantity(gear * law[1])},
        frame(ends[0].body, ends[0].pose),
        frame(ends[1].body, ends[1].pose),
    )
    return True


def _on_site(
    parts: Parts,
    node: Node,
    name: str,
    law: tuple[float, float, float, float],
    gear: tuple[float, ...],
) -> bool:
    site = parts.sites.get(node.get("site"))
    if site is None:
        raise fault(node, tr("there is no site {name}.", name=quoted(node.get("site"))))
    if law[2] or law[3]:
        return False
    axes, turn = "body", site.pose[1]
    if node.get("refsite"):
        other = parts.sites.get(node.get("refsite"))
        if other is None or other.body != GROUND:
            return False
        axes, turn = "world", other.pose[1]
    scale = law[1]
    for type, part in (("force", gear[:3]), ("torque", gear[3:])):
        if not any(part):
            continue
        x, y, z = rotate(turn, (part[0] * scale, part[1] * scale, part[2] * scale))
        id, title = parts.drawing.id(name, type)
        at = compose(site.pose, ((0.0, 0.0, 0.0), IDENTITY))
        parts.drawing.forces[id] = Force(
            id,
            title,
            type,
            dict(zip("xyz", amounts(x, y, z))),
            frame_b=frame(site.body, (at[0], IDENTITY)),
            axes=axes,
        )
    return True
