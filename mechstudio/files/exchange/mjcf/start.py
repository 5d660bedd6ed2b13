"""Velocities at the start of an MJCF model, as a keyframe."""

import numpy as np

from mechstudio.files.exchange.chains import Step
from mechstudio.files.exchange.mjcf.model import Model
from mechstudio.files.exchange.motion import Motion
from mechstudio.files.exchange.xml_text import add
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mechanism import GROUND
from mechstudio.model.quantity import values
from mechstudio.model.tree import Branch, Tree
from mechstudio.model.types.joints import BALL, SLIDE
from mechstudio.translation import tr


def add_start(model: Model, tree: Tree, motion: Motion | None) -> None:
    """A keyframe with the velocities of a motion's first sample, or else those that were typed."""
    m = model.mechanism
    twists: dict[str, np.ndarray] = {GROUND: np.zeros(6), "world": np.zeros(6)}
    if motion is not None:
        for id, row in zip(m.bodies, motion.velocities[0]):
            R = np.array(matrix(model.poses[id][1]))
            twists[id] = np.concatenate([row[:3], R @ row[3:]])
    rates: dict[str, list[float]] = {}
    for branch in tree.branches:
        rates[model.name(branch.body)] = _rates(model, branch, twists, motion is not None)
    for held in model.held.values():
        if held.body not in rates:  # a light body that closes a loop moves with another one
            joint = held.joint
            outer, inner = joint.frame_a.body, joint.frame_b.body
            if inner == GROUND:
                outer, inner = inner, outer
            rates[held.body] = _coordinate_rates(model, inner, outer, held.steps, twists)
    typed = any(b.initial_velocity for b in m.bodies.values()) or any(
        j.rates for j in m.joints.values()
    )
    if motion is None and typed and (len(m.bodies) > 1 or m.joints):
        model.say(
            tr(
                "Velocities at the start are those that were typed; run the mechanism before the "
                "export, and those of the run are written."
            )
        )
    qpos, qvel = list[float](), list[float]()
    for body in model.section("worldbody").iter("body"):
        name = body.get("name", "")
        steps = next((h.steps for h in model.held.values() if h.body == name), None)
        if body.find("freejoint") is not None:
            id = next(id for id in m.bodies if model.name(id) == name)
            p, q = model.poses[id]
            qpos += [*p, *q]
        for step in steps or ():
            qpos += [1.0, 0.0, 0.0, 0.0] if step.kind == BALL else [step.value]
        qvel += rates.get(name, [])
    if any(qvel) or m.start.value:
        add(
            add(model.root, "keyframe"),
            "key",
            name="start",
            time=m.start.value or None,
            qpos=qpos,
            qvel=qvel,
        )
        model.say(
            tr(
                "The motion at the start is the keyframe start: call mj_resetDataKeyframe, or load "
                "the key in the viewer."
            )
        )


def _rates(model: Model, branch: Branch, twists: dict[str, np.ndarray], known: bool) -> list[float]:
    """Velocities of the joints of a branch, and the twist of its body if it is not known."""
    m, id = model.mechanism, branch.body
    body = m.bodies[id]
    R = np.array(matrix(model.poses[id][1]))
    if not known and body.initial_velocity is not None:
        v = body.initial_velocity
        twists[id] = np.concatenate([values(v.linear), R @ np.array(values(v.angular))])
    if not branch.joint:
        twist = twists.setdefault(id, np.zeros(6))
        return [*twist[:3].tolist(), *(R.T @ twist[3:]).tolist()]
    joint = m.joints[branch.joint]
    steps = model.held[branch.joint].steps
    if id in twists:
        return _coordinate_rates(model, id, branch.parent, steps, twists)
    typed = [q.value for q in joint.rates]
    out: list[float] = []
    for step in steps:
        if step.kind == BALL:
            out += [0.0] * 3
        elif step.coordinate < 0:
            out.append(joint.parameters["pitch"].value / (2 * np.pi) * (typed[0] if typed else 0.0))
        else:
            out.append(typed[step.coordinate] if typed else 0.0)
    carried = _carried(model, id, branch.parent, twists)
    twists[id] = carried + _columns(model, id, steps) @ np.array(out) if out else carried
    return out


def _carried(model: Model, id: str, parent: str, twists: dict[str, np.ndarray]) -> np.ndarray:
    """Twist that a body would have if it were fixed to another one."""
    twist = twists[parent]
    origin = model.poses[parent][0] if parent != GROUND else (0.0, 0.0, 0.0)
    arm = np.array(model.poses[id][0]) - np.array(origin)
    return np.concatenate([twist[:3] + np.cross(twist[3:], arm), twist[3:]])


def _columns(model: Model, id: str, steps: list[Step]) -> np.ndarray:
    """Twists (6, velocities) of a body's origin in W per unit velocity of its joints."""
    R = np.array(matrix(model.poses[id][1]))
    out: list[np.ndarray] = []
    for step in steps:
        arm = -R @ np.array(step.point)  # from the point to the body's origin
        if step.kind == SLIDE:
            out.append(np.concatenate([R @ np.array(step.axis), np.zeros(3)]))
            continue
        for axis in np.eye(3) if step.kind == BALL else [np.array(step.axis)]:
            w = R @ axis
            out.append(np.concatenate([np.cross(w, arm), w]))
    return np.array(out).reshape(-1, 6).T


def _coordinate_rates(
    model: Model, id: str, parent: str, steps: list[Step], twists: dict[str, np.ndarray]
) -> list[float]:
    if not steps:
        return []
    relative = twists[id] - _carried(model, id, parent, twists)
    return np.linalg.lstsq(_columns(model, id, steps), relative, rcond=None)[0].tolist()
