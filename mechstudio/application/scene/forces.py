"""Forces of a scene: arrows true to scale, springs and dampers true to length, motors at their joints."""

import numpy as np

from mechstudio.model.force_types import BODY, FORCE_TYPES, JOINT, TWO_POINTS
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.rotation import frame_on_axis, matrix

from . import hardware, springs
from .build import Builder
from .joint_glyphs import AT_A, SLIDING, arc_arrow, motor_line
from .joints import UPRIGHT
from .lines import VECTOR, Stroke
from .parts import CAST, STEEL
from .rows import IDENTITY

ARROW = {False: 0.30, True: 0.18}         # length of the longest arrow of a force and of a torque, as a share of the mechanism's size
VECTOR_WIDTH, HEAD_WIDTH, MOTOR_WIDTH = 3.0, 12.0, 2.6         # [px]


def nice_below(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above the value."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(power * max(k for k in (1, 2, 5) if k * power <= value * (1 + 1e-9)))


def add_forces(b: Builder) -> None:
    """All that is drawn of forces."""
    forces = b.mechanism.forces
    vectors = {id: np.array([f.parameters[k].value for k in "xyz"]) for id, f in forces.items() if FORCE_TYPES[f.type].attachment == BODY}
    for moment in (False, True):
        mine = {id: v for id, v in vectors.items() if FORCE_TYPES[forces[id].type].moment == moment and np.any(v)}
        if mine:
            largest = max(float(np.linalg.norm(v)) for v in mine.values())
            scale = ARROW[moment] * b.size / largest
            b.measures.append(("torque" if moment else "force", nice_below(largest), nice_below(largest) * scale))
            for id, v in mine.items():
                _vector(b, id, forces[id], v * scale, moment)
    for id, force in forces.items():
        attachment = FORCE_TYPES[force.type].attachment
        if attachment == TWO_POINTS:
            _between(b, id, force)
        elif attachment == JOINT and force.joint in b.anchors:
            _on_joint(b, id, force)


def _vector(b: Builder, id: str, force: Force, v: np.ndarray, moment: bool) -> None:
    """An arrow v [m] from the point of application; a torque has two heads and an arc about it."""
    frame = force.frame_b or force.frame_a
    if frame is None:
        return
    k = b.index[frame.body]
    row = b.row(id, (k, b.mechanism.frame_in_body(frame)[0]), (0 if force.axes == "world" else k, IDENTITY), None, -1, force.visible)
    length = float(np.linalg.norm(v))
    u, head = v / length, min(0.06 * b.size, 0.4 * length)
    b.tips.append((row, v))
    b.marks.append(Stroke(np.array([np.zeros(3), v - 0.7 * head * u]), row, VECTOR, VECTOR_WIDTH))
    for tip in (v, v - 0.75 * head * u)[: 2 if moment else 1]:
        b.marks.append(Stroke(np.array([tip - head * u, tip]), row, VECTOR, np.array([HEAD_WIDTH, 0.5])))
    if moment:
        R = np.array(matrix(frame_on_axis(tuple(u))))
        for points in arc_arrow(2, 0.9 * b.glyph, b.level.glyph):
            b.marks.append(Stroke(points @ R.T + 0.4 * v, row, VECTOR, 2.2))


def _between(b: Builder, id: str, force: Force) -> None:
    """A spring or damper between two points; an end on bare ground has its sign."""
    if force.frame_a is None or force.frame_b is None:
        return
    m, frames = b.mechanism, (force.frame_a, force.frame_b)
    first, second = ((b.index[f.body], m.frame_in_body(f)[0]) for f in frames)
    p, q = (np.array(m.frame_in_world(f)[0]) for f in frames)
    row = b.row(id, first, (0, IDENTITY), second, -1, force.visible)
    drawn = float(np.linalg.norm(q - p))
    size = min(0.34 * b.glyph, 0.2 * drawn) if drawn > 0 else 0.34 * b.glyph
    if drawn > 0 and force.visible and not m.ground.shapes:
        for own, at, far in ((frames[0], p, q), (frames[1], q, p)):
            if own.body == GROUND:
                R = np.array(matrix(frame_on_axis(tuple(far - at)))) @ UPRIGHT
                b.signs(hardware.hatching(0.6 * b.glyph, 0.0, reach=1.2), R, at)
    length = drawn or b.glyph
    if force.type == "spring":
        b.stretched(row, springs.spring(1.25 * size, length, b.level.coil))
    else:
        b.stretched(row, springs.damper(0.85 * size, length, b.level.turn))


def _on_joint(b: Builder, id: str, force: Force) -> None:
    """A motor, torsion spring or torsion damper at its joint: an arrow in the sense in which it drives, or a part about the pin."""
    joint, g = b.mechanism.joints[force.joint], b.glyph
    source = b.rows[b.anchors[force.joint].get(SLIDING, b.anchors[force.joint][AT_A])]
    row = b.row(id, source.place, source.turn, None, -1, force.visible and joint.visible)
    low, high = b.ends[force.joint]
    negative = any(q.value < 0 for q in force.parameters.values())
    if force.type == "motor_force":
        beside = -0.5 * g * hardware.down_frame(b.mechanism, b.mechanism.frame_in_world(joint.frame_a))[:, 1]
        start, u = beside + (0, 0, low - 0.1 * g if negative else high + 0.1 * g), np.array([0.0, 0.0, -g if negative else g])
        shaft, head = np.array([start, start + 1.2 * u]), np.array([start + 1.2 * u, start + 1.55 * u])
        b.marks += [Stroke(shaft, row, VECTOR, MOTOR_WIDTH), Stroke(head, row, VECTOR, np.array([10.0, 0.5]))]
    elif force.type == "motor_torque":
        sense = np.array([1.0, -1.0 if negative else 1.0, 1.0])
        b.marks += [Stroke(g * points * sense + (0, 0, high), row, VECTOR, MOTOR_WIDTH) for points in motor_line(b.level.glyph)]
    elif force.type == "torsion_spring":
        b.part(row, hardware.clock_spring(float(round(g, 9)), float(round(high, 9)), b.level.coil), STEEL)
    else:
        b.part(row, hardware.rotary_damper(float(round(g, 9)), float(round(high, 9)), b.level.turn), CAST)
