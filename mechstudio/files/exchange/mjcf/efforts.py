"""Forces and drives of an MJCF model."""

import xml.etree.ElementTree as ET

from mechstudio.files.exchange.chains import Step
from mechstudio.files.exchange.mjcf.model import Held, Model
from mechstudio.files.exchange.start_numbers import start_numbers, unknown_numbers
from mechstudio.files.exchange.xml_text import add
from mechstudio.model.geometry.rotation import minus
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Drive, Force
from mechstudio.model.types import force_laws
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, JOINT, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE
from mechstudio.translation import tr

FAST = 0.002  # [s] in which a velocity servo reaches the speed that was prescribed


def add_forces(model: Model) -> None:
    """All forces and drives; a note for those that MJCF cannot hold."""
    springs: dict[str, list[Force]] = {}
    for force in model.mechanism.forces.values():
        if force.type not in FORCE_TYPES:
            _left_out(model, force, tr("it is of a newer version"))
            continue
        kind = FORCE_TYPES[force.type]
        if force.laws:
            model.say(
                tr(
                    "{kind} {name} follows a law, which MJCF cannot hold; the numbers of the "
                    "start stay, and a program of yours can move them.",
                    kind=tr(kind.label),
                    name=force.name or force.id,
                )
            )
            found = start_numbers(model.mechanism, force, model.poses)
            model.notes += unknown_numbers(force, found)
        if kind.attachment == JOINT:
            _on_joint(model, force, springs)
        elif kind.attachment == TWO_POINTS:
            _between_points(model, force)
        elif kind.attachment == BODY:
            _on_body(model, force)
        elif kind.attachment == FRAMES:
            _left_out(model, force, tr("MJCF has no bushings"))
    for name, row in springs.items():
        springs_here = [_spring(_numbers(model, force)) for force in row]
        stiffness = sum(k for k, _ in springs_here)
        free = sum(k * rest for k, rest in springs_here)
        joint = _element(model, name)
        joint.set("stiffness", repr(stiffness))
        joint.set("springref", repr(free / stiffness if stiffness else springs_here[0][1]))
    for drive in model.mechanism.drives.values():
        if drive.enabled:
            _add_drive(model, drive)


def _element(model: Model, joint: str) -> ET.Element:
    return next(e for e in model.section("worldbody").iter("joint") if e.get("name") == joint)


def _spring(numbers: dict[str, float]) -> tuple[float, float]:
    """Stiffness and rest of a spring on a joint."""
    return numbers["stiffness"], numbers["free_angle" if "free_angle" in numbers else "free_length"]


def _left_out(model: Model, force: Force, why: str) -> None:
    model.say(
        tr(
            "Force {name} was left out: {why}.",
            name=force.name or force.id,
            why=why,
        )
    )


def _numbers(model: Model, force: Force) -> dict[str, float]:
    return start_numbers(model.mechanism, force, model.poses).numbers


def _on_joint(model: Model, force: Force, springs: dict[str, list[Force]]) -> None:
    held: Held | None = model.held.get(force.joint)
    name = "" if held is None else held.name(force.coordinate)
    if held is None or not name:
        joint = model.mechanism.joints[force.joint]
        _left_out(
            model,
            force,
            tr(
                "in MJCF a coordinate of {joint}, a {noun}, is no joint of its own",
                joint=joint.name or joint.id,
                noun=tr(JOINT_TYPES[joint.type].noun),
            ),
        )
        return
    kind, p = FORCE_TYPES[force.type], _numbers(model, force)
    if kind.law is force_laws.spring:
        springs.setdefault(name, []).append(force)
    elif kind.law is force_laws.damper:
        joint = _element(model, name)
        joint.set("damping", repr(float(joint.get("damping", 0.0)) + p["damping"]))
    elif kind.law is force_laws.friction:
        joint = _element(model, name)
        level = p.get("torque", p.get("force", 0.0))
        joint.set("frictionloss", repr(float(joint.get("frictionloss", 0.0)) + level))
        joint.set("damping", repr(float(joint.get("damping", 0.0)) + p["damping"]))
        model.say(
            tr(
                "Friction {name} became MuJoCo's frictionloss, which is not smoothed over a speed "
                "but soft.",
                name=force.name or force.id,
            )
        )
    elif kind.law is force_laws.servo:
        k, d = p["stiffness"], p["damping"]
        bias = k * p["target"] + d * p["target_rate"]
        _actuator(model, force.id, {"joint": name}, k, (bias, -k, -d))
        model.say(
            tr(
                "Servo {name} became an actuator whose ctrl is the angle or length by which its "
                "target moves.",
                name=force.name or force.id,
            )
        )
    else:
        level = next(iter(p.values()))
        _actuator(model, force.id, {"joint": name}, 1.0, (level, 0.0, 0.0))
        model.say(
            tr(
                "Motor {name} became an actuator whose ctrl adds to its {level:g} N or N·m.",
                name=force.name or force.id,
                level=level,
            )
        )


def _actuator(
    model: Model,
    name: str,
    where: dict[str, str],
    gain: float,
    bias: tuple[float, float, float],
    **more: object,
) -> None:
    """An actuator of the force gain ctrl + bias . (1, length, velocity)."""
    add(
        model.section("actuator"),
        "general",
        name=name,
        **where,
        gaintype="fixed",
        gainprm=gain,
        biastype="affine",
        biasprm=bias,
        **more,
    )


def _between_points(model: Model, force: Force) -> None:
    assert force.frame_a is not None
    assert force.frame_b is not None
    p = _numbers(model, force)
    law = FORCE_TYPES[force.type].law
    tendon = add(
        model.section("tendon"),
        "spatial",
        name=force.id,
        stiffness=p["stiffness"] if law is force_laws.spring else None,
        springlength=p["free_length"] if law is force_laws.spring else None,
        damping=p["damping"] if law is force_laws.damper else None,
    )
    for frame in (force.frame_a, force.frame_b):
        add(tendon, "site", site=model.frame_site(frame))
    if law is force_laws.constant:
        _actuator(model, f"{force.id}_force", {"tendon": force.id}, 1.0, (p["force"], 0.0, 0.0))


def _on_body(model: Model, force: Force) -> None:
    assert force.frame_b is not None
    p = _numbers(model, force)
    vector = (p["x"], p["y"], p["z"])
    moment = FORCE_TYPES[force.type].moment
    gear = (0.0, 0.0, 0.0, *vector) if moment else (*vector, 0.0, 0.0, 0.0)
    at = model.mechanism.frame_in_body(force.frame_b)[0]
    where = {"site": model.site(force.frame_b.body, (at, (1.0, 0.0, 0.0, 0.0)))}
    if force.axes == "world":
        where["refsite"] = model.site(GROUND, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    # gear is the vector itself, and the bias one of it: ctrl = 1 doubles it
    _actuator(model, force.id, where, 1.0, (1.0, 0.0, 0.0), gear=gear)


def _add_drive(model: Model, drive: Drive) -> None:
    held = model.held.get(drive.joint)
    name = "" if held is None else held.name(drive.coordinate)
    who = drive.name or drive.id
    if held is None or not name:
        model.say(tr("Drive {name} was left out: MJCF has no such joint.", name=who))
        return
    step = next(s for s in held.steps if held.step_name(s) == name)
    inertia = max(_own_inertia(model, held.body, step), 1e-9)
    if drive.law.type == "constant" and drive.quantity == "velocity":
        speed = drive.law.parameters["value"].value if "value" in drive.law.parameters else 0.0
        gain = inertia / FAST
        _actuator(model, drive.id, {"joint": name}, gain, (gain * speed, 0.0, -gain))
        model.say(
            tr(
                "Drive {name}: MJCF prescribes no motion; a stiff velocity actuator holds "
                "{speed:g} per second nearly.",
                name=who,
                speed=speed,
            )
        )
        return
    gain = inertia / FAST**2
    _actuator(
        model,
        drive.id,
        {"joint": name},
        gain,
        (gain * step.value, -gain, -2.0 * gain * FAST),
    )
    model.say(
        tr(
            "Drive {name} follows a law of time, which MJCF cannot hold; a stiff position actuator "
            "holds the drawn value, and its ctrl moves it.",
            name=who,
        )
    )


def _own_inertia(model: Model, body: str, step: Step) -> float:
    """Mass or moment of inertia of a body alone along a motion that carries it: the least that a
    gain has to move, whatever hangs on it.
    """
    m = model.mechanism
    id = next((id for id in m.bodies if model.name(id) == body), "")
    known = mass_properties(m.bodies[id]) if id else None
    if known is None or known.mass <= 0.0:
        return 1e-3
    if step.kind == SLIDE:
        return known.mass
    arm = minus(known.center, step.point)
    along = sum(a * b for a, b in zip(arm, step.axis))
    moment = sum(
        step.axis[i] * known.inertia[i][j] * step.axis[j] for i in range(3) for j in range(3)
    )
    return moment + known.mass * (sum(c * c for c in arm) - along * along)
