"""Forces of a scene: arrows true to scale, springs and dampers true to length, motors at their
joints.
"""

from collections.abc import Mapping

import numpy as np

from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.instances import IDENTITY
from mechstudio.application.scene.joints.joint_glyphs import (
    AT_A,
    SLIDING,
    arc_arrow,
    circle,
    motor_line,
    square,
)
from mechstudio.application.scene.joints.joints import UPRIGHT
from mechstudio.application.scene.lines import INK, VECTOR, Stroke
from mechstudio.application.scene.solids import hardware, springs
from mechstudio.application.scene.solids.solids import CAST, STEEL
from mechstudio.model.edits.laws import level_of
from mechstudio.model.geometry.rotation import frame_on_axis, matrix
from mechstudio.model.mechanism import GROUND, Force, Mechanism
from mechstudio.model.rounding import round_below
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, JOINT, TWO_POINTS

ARROW = {
    False: 0.30,
    True: 0.18,
}  # length of the longest arrow of a force and of a torque, as a share of the mechanism's size
VECTOR_WIDTH, HEAD_WIDTH, MOTOR_WIDTH = 3.0, 12.0, 2.6  # [px]


def add_forces(b: Builder) -> None:
    """All that is drawn of forces."""
    forces = b.mechanism.forces
    for moment in (False, True):
        mine = _vectors(forces, moment)
        if mine:
            largest = max(float(np.linalg.norm(v)) for v in mine.values())
            scale = arrow_scale(b.mechanism, moment, b.size)
            b.measures.append(
                (
                    "torque" if moment else "force",
                    round_below(largest),
                    round_below(largest) * scale,
                )
            )
            for id, v in mine.items():
                _vector(b, id, forces[id], v * scale, moment)
    for id, force in forces.items():
        attachment = FORCE_TYPES[force.type].attachment
        if attachment == TWO_POINTS:
            _between(b, id, force)
        elif attachment == FRAMES:
            _bushing(b, id, force)
        elif attachment == JOINT and force.joint in b.anchors:
            _on_joint(b, id, force)


def _vectors(forces: Mapping[str, Force], moment: bool) -> dict[str, np.ndarray]:
    """The vectors of forces, or of torques, that are not zero."""
    kinds = {id: FORCE_TYPES[f.type] for id, f in forces.items()}
    vectors = {
        id: np.array([_shown(f, k) for k in "xyz"])
        for id, f in forces.items()
        if kinds[id].attachment == BODY and kinds[id].moment == moment
    }
    return {id: v for id, v in vectors.items() if np.any(v)}


def arrow_scale(m: Mechanism, moment: bool, size: float) -> float:
    """Length [m] of an arrow per newton or newton metre in a scene of this size [m]: the longest is
    a share of it.
    """
    return (
        ARROW[moment]
        * size
        / max((float(np.linalg.norm(v)) for v in _vectors(m.forces, moment).values()), default=1.0)
    )


def _shown(force: Force, name: str) -> float:
    """A number of a force as it is drawn: what its law swings by, else the constant one, which is
    also kept beside a text that says no number.
    """
    number = force.parameters.get(name)
    constant = number.value if number is not None else 0.0
    return (level_of(force.laws[name]).value or constant) if name in force.laws else constant


def _bushing(b: Builder, id: str, force: Force) -> None:
    """A rubber sleeve between two rings at its first frame; where the second has gone, a line
    shows.
    """
    if force.frame_a is None or force.frame_b is None:
        return
    m, g = b.mechanism, b.glyph
    (ka, pa), (kb, pb) = (
        (b.index[f.body], m.frame_in_body(f)) for f in (force.frame_a, force.frame_b)
    )
    first, second = (
        b.row(id, (ka, pa[0]), (ka, pa[1]), None, -1, force.visible),
        b.row(id, (kb, pb[0]), (kb, pb[1]), None, -1, force.visible),
    )
    b.part(
        first,
        hardware.sleeve(float(round(0.62 * g, 9)), float(round(0.5 * g, 9)), b.level.turn),
        CAST,
    )
    b.part(
        second,
        hardware.sleeve(float(round(0.30 * g, 9)), float(round(0.75 * g, 9)), b.level.turn),
        STEEL,
    )
    b.marks += [Stroke(circle(axis, 0.9 * g, b.level.glyph), first, INK, 1.4) for axis in range(3)]


def _vector(b: Builder, id: str, force: Force, v: np.ndarray, moment: bool) -> None:
    """An arrow v [m] from the point of application; a torque has two heads and an arc about it."""
    frame = force.frame_b or force.frame_a
    if frame is None:
        return
    k = b.index[frame.body]
    row = b.row(
        id,
        (k, b.mechanism.frame_in_body(frame)[0]),
        (0 if force.axes == "world" else k, IDENTITY),
        None,
        -1,
        force.visible,
    )
    length = float(np.linalg.norm(v))
    u, head = v / length, min(0.06 * b.size, 0.4 * length)
    b.tips.append((row, v))
    b.marks.append(Stroke(np.array([np.zeros(3), v - 0.7 * head * u]), row, VECTOR, VECTOR_WIDTH))
    for tip in (v, v - 0.75 * head * u)[: 2 if moment else 1]:
        b.marks.append(
            Stroke(np.array([tip - head * u, tip]), row, VECTOR, np.array([HEAD_WIDTH, 0.5]))
        )
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
    b.stretched(row, STRETCHED[FORCE_TYPES[force.type].glyph](b, size, length))


STRETCHED = {
    "coil": lambda b, size, length: springs.spring(1.25 * size, length, b.level.coil),
    "dashpot": lambda b, size, length: springs.damper(0.85 * size, length, b.level.turn),
    "cylinder": lambda b, size, length: springs.actuator(size, length, b.level.turn),
    "": lambda b, size, length: springs.rod(0.3 * size, b.level.turn),
}
"""Parts between two points by ForceType.glyph: of a size, over a length [m]."""


def _on_joint(b: Builder, id: str, force: Force) -> None:
    """A force on a joint's coordinate, where what slides is."""
    joint = b.mechanism.joints[force.joint]
    source = b.rows[b.anchors[force.joint].get(SLIDING, b.anchors[force.joint][AT_A])]
    row = b.row(id, source.place, source.turn, None, -1, force.visible and joint.visible)
    low, high = b.ends[force.joint]
    ON_JOINT[FORCE_TYPES[force.type].glyph](b, row, force, low, high)


def _along(force: Force) -> bool:
    """True if a force acts on a coordinate that slides."""
    return FORCE_TYPES[force.type].joint_dimension == "length"


def _motor(b: Builder, row: int, force: Force, low: float, high: float) -> None:
    """An arrow in the sense in which it drives."""
    g, (effort, *_) = b.glyph, FORCE_TYPES[force.type].parameters
    negative = _shown(force, effort.name) < 0
    if _along(force):
        beside = _beside(b, force)
        start, u = (
            beside + (0, 0, low - 0.1 * g if negative else high + 0.1 * g),
            np.array([0.0, 0.0, -g if negative else g]),
        )
        shaft, head = (
            np.array([start, start + 1.2 * u]),
            np.array([start + 1.2 * u, start + 1.55 * u]),
        )
        b.marks += [
            Stroke(shaft, row, VECTOR, MOTOR_WIDTH),
            Stroke(head, row, VECTOR, np.array([10.0, 0.5])),
        ]
    else:
        sense = np.array([1.0, -1.0 if negative else 1.0, 1.0])
        b.marks += [
            Stroke(g * points * sense + (0, 0, high), row, VECTOR, MOTOR_WIDTH)
            for points in motor_line(b.level.glyph)
        ]


def _about_or_beside(b: Builder, row: int, force: Force, low: float, high: float) -> None:
    """A part about the pin, or beside a slide."""
    tall, size = float(round(high, 9)), float(round(b.glyph, 9))
    if _along(force):
        _beside_slide(b, row, force, low, high)
    elif FORCE_TYPES[force.type].glyph == "coil":
        b.part(row, hardware.clock_spring(size, tall, b.level.coil), STEEL)
    else:
        b.part(row, hardware.rotary_damper(size, tall, b.level.turn), CAST)


def _beside(b: Builder, force: Force) -> np.ndarray:
    """Half a glyph beside a joint's axis, down where there is gravity, in its frame."""
    joint = b.mechanism.joints[force.joint]
    return (
        -0.5
        * b.glyph
        * hardware.down_frame(b.gravity, b.mechanism.frame_in_world(joint.frame_a))[:, 1]
    )


def _servo(b: Builder, row: int, force: Force, low: float, high: float) -> None:
    """An arrow to the target: both ways, since a servo drives to either side, with a dot where it
    wants to be.
    """
    g = b.glyph
    if _along(force):
        beside = -2.2 * _beside(b, force)
        at = beside + (0, 0, high)
        b.marks.append(
            Stroke(np.array([at - (0, 0, 1.3 * g), at + (0, 0, 1.3 * g)]), row, VECTOR, MOTOR_WIDTH)
        )
        for s in (-1.0, 1.0):
            b.marks.append(
                Stroke(
                    np.array([at + (0, 0, 1.3 * s * g), at + (0, 0, 1.75 * s * g)]),
                    row,
                    VECTOR,
                    np.array([10.0, 0.5]),
                )
            )
        b.marks.append(Stroke(0.22 * g * square(0, 1.0) + at, row, VECTOR, MOTOR_WIDTH))
        return
    for sense in (1.0, -1.0):
        points, barbs = arc_arrow(2, 1.42, b.level.glyph, start=0.25, sweep=1.5)
        b.marks += [
            Stroke(g * line * (1.0, sense, 1.0) + (0, 0, high), row, VECTOR, MOTOR_WIDTH)
            for line in (points, barbs)
        ]
    b.marks.append(
        Stroke(0.2 * g * square(2, 1.0) + (1.42 * g, 0.0, high), row, VECTOR, MOTOR_WIDTH)
    )


def _friction(b: Builder, row: int, force: Force, low: float, high: float) -> None:
    """Two pads that press on the pin or the slide, with hatched backs."""
    g, along = b.glyph, _along(force)
    for side in (-1.0, 1.0):
        if along:
            face = np.array([(side * 0.5, 0, -0.6), (side * 0.5, 0, 0.6)])
            ticks = [
                np.array([(side * 0.5, 0, z), (side * 0.82, 0, z + 0.22)])
                for z in np.linspace(-0.6, 0.6, 5)
            ]
        else:
            a = np.linspace(-0.6, 0.6, 13)
            face = np.column_stack([side * 0.62 * np.cos(a), 0.62 * np.sin(a), 0 * a])
            ticks = [
                np.array(
                    [
                        (side * 0.62 * np.cos(t), 0.62 * np.sin(t), 0),
                        (side * 0.92 * np.cos(t + 0.2), 0.92 * np.sin(t + 0.2), 0),
                    ]
                )
                for t in np.linspace(-0.6, 0.6, 5)
            ]
        lift = np.zeros(3) if along else np.array([0.0, 0.0, high])
        b.marks.append(Stroke(g * face + lift, row, VECTOR, 2.4))
        b.marks += [Stroke(g * t + lift, row, VECTOR, 1.4) for t in ticks]


def _beside_slide(b: Builder, row: int, force: Force, low: float, high: float) -> None:
    """A spring or damper from the joint's first frame to its second, beside the axis."""
    m, joint = b.mechanism, b.mechanism.joints[force.joint]
    beside = -1.5 * _beside(b, force)
    ends = []
    for f, shift in ((joint.frame_a, low - 1.2 * b.glyph), (joint.frame_b, high + 1.2 * b.glyph)):
        p, q = m.frame_in_body(f)
        ends.append(
            (
                b.index[f.body],
                tuple(
                    float(c) for c in np.array(p) + np.array(matrix(q)) @ (beside + (0, 0, shift))
                ),
            )
        )
    stretched = b.row(b.rows[row].owner, ends[0], (0, IDENTITY), ends[1], -1, b.rows[row].visible)
    length = high - low + 2.4 * b.glyph
    size = min(0.34 * b.glyph, 0.2 * length)
    b.stretched(stretched, STRETCHED[FORCE_TYPES[force.type].glyph](b, size, length))


ON_JOINT = {
    "arrow": _motor,
    "target": _servo,
    "pads": _friction,
    "coil": _about_or_beside,
    "dashpot": _about_or_beside,
    "": lambda b, row, force, low, high: None,
}
"""Drawings of forces on joints by ForceType.glyph: of the joint's parts from low to high."""
