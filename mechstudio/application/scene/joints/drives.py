"""Drives of a scene: a double arrow in the sense of the motion at the joint, and the mark of a
motor.
"""

import numpy as np

from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.joints.joint_glyphs import (
    AT_A,
    AT_B,
    LETTER_M,
    SLIDING,
    arc_arrow,
    circle,
)
from mechstudio.application.scene.lines import INK, Stroke
from mechstudio.application.scene.solids import hardware
from mechstudio.model.edits.laws import level_of
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE

MOTOR_AT = -0.7  # direction in which the motor stands, where -y is down [rad]
WIDTH = 2.2  # [px]


def add_drives(b: Builder) -> None:
    """All that is drawn of drives."""
    for id, drive in b.mechanism.drives.items():
        if drive.joint not in b.anchors:
            continue
        joint = b.mechanism.joints[drive.joint]
        anchors = b.anchors[drive.joint]
        source = b.rows[anchors.get(SLIDING, anchors.get(AT_A, anchors.get(AT_B, 0)))]
        row = b.row(id, source.place, source.turn, None, -1, drive.visible and joint.visible)
        high, back = b.ends[drive.joint][1], -1.0 if level_of(drive.law).value < 0 else 1.0
        motions = [
            m for m in JOINT_TYPES[joint.type].motions if m[0] not in ("ball", "rod", "quarter")
        ]
        kind, axis = motions[min(drive.coordinate, len(motions) - 1)] if motions else ("turn", 2)
        if kind in (SLIDE, "track"):
            _straight(b, row, axis, back, high)
        else:
            # the motor stands below on the right, where no name stands
            down = (
                hardware.down_frame(b.gravity, b.mechanism.frame_in_world(joint.frame_a))
                if axis == 2
                else np.eye(3)
            )
            _round(b, row, axis, back, high if axis == 2 else 0.0, down)


def about_z(angle: float) -> np.ndarray:
    """The turn (3, 3) about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])


def _motor(b: Builder, row: int, at: np.ndarray, R: np.ndarray) -> None:
    """A capital M in a circle."""
    for points in (circle(2, 1.0, b.level.glyph), LETTER_M):
        b.marks.append(Stroke(0.42 * b.glyph * points @ R.T + at, row, INK, WIDTH))


def _round(b: Builder, row: int, axis: int, back: float, lift: float, down: np.ndarray) -> None:
    rotated = (
        np.array([(0, 0, 1.0), (1, 0, 0), (0, 1, 0)]),
        np.array([(0, 1.0, 0), (0, 0, 1), (1, 0, 0)]),
        down @ about_z(MOTOR_AT - 0.52 * back),
    )[axis]
    sense, up = np.array([1.0, back, 1.0]), np.array([0.0, 0.0, lift])
    for radius in (1.50, 1.62):
        arc, barbs = arc_arrow(2, radius, b.level.glyph, start=0.95, sweep=3.4)
        b.marks.append(Stroke(b.glyph * arc * sense @ rotated.T + up, row, INK, WIDTH))
    barbs = 1.56 / 1.62 * barbs
    b.marks.append(Stroke(b.glyph * barbs * sense @ rotated.T + up, row, INK, WIDTH))
    _motor(
        b,
        row,
        b.glyph * np.array([1.56 * np.cos(0.52), back * 1.56 * np.sin(0.52), 0.0]) @ rotated.T + up,
        down if axis == 2 else rotated,
    )


def _straight(b: Builder, row: int, axis: int, back: float, high: float) -> None:
    g, u, side = b.glyph, np.eye(3)[axis] * back, np.eye(3)[(axis + 1) % 3]
    start = 0.75 * g * side + (u * high if axis == 2 and back > 0 else 0.0)
    for shift in (-0.06, 0.06):
        b.marks.append(
            Stroke(np.array([start, start + 1.5 * g * u]) + shift * g * side, row, INK, WIDTH)
        )
    tip = start + 1.75 * g * u
    b.marks.append(
        Stroke(
            np.array(
                [tip - 0.4 * g * u + 0.24 * g * side, tip, tip - 0.4 * g * u - 0.24 * g * side]
            ),
            row,
            INK,
            WIDTH,
        )
    )
    w = np.cross(np.eye(3)[axis], side)
    _motor(b, row, start - 0.42 * g * u, np.column_stack([np.eye(3)[axis], side, w]))
