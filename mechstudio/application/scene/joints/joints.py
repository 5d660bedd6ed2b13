"""Joints of a scene: glyphs, pins and other parts, brackets and signs on unshaped ground,
names.
"""

import builtins
from collections.abc import Callable

import msgspec
import numpy as np

from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.instances import IDENTITY
from mechstudio.application.scene.joints.joint_glyphs import (
    AT_A,
    AT_B,
    SLIDING,
    THIN,
    Glyph,
    glyph,
    helix,
)
from mechstudio.application.scene.lines import INK, Fill, Stroke
from mechstudio.application.scene.solids import hardware, springs
from mechstudio.application.scene.solids.solids import CAST, STEEL, placed
from mechstudio.curves.drawings.joint_curves import curve_points, roller_points
from mechstudio.model.geometry.forms import Ball
from mechstudio.model.geometry.rotation import Pose, frame_on_axis, matrix
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import GROUND, Joint
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, THREAD, TURN

CURVE_WIDTH = 1.8  # of the curve on which a point runs [px]
UPRIGHT = np.array(
    [(1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)]
)  # what stands along y, put along z
Ends = tuple[float, float]
Frames = list[tuple[str, Pose]]


def add_joint(b: Builder, id: str, joint: Joint) -> None:
    """All that is drawn of one joint, kept while nothing that it is drawn from has changed."""
    m, ends = b.mechanism, (joint.frame_a.body, joint.frame_b.body)
    kinds = [kind for kind, _ in JOINT_TYPES[joint.type].motions]
    unshaped = _unshaped_ground(b, joint)
    if ends == (GROUND, GROUND):
        _draw(b, id, joint, kinds, unshaped)  # it sees all that was drawn of the ground before it
        return
    parts = tuple(b.portion(body) for body in ends)
    # where its bodies stand is seen by a bracket, and by the name of a joint that slides
    stands = (
        tuple(m.body(body).placement for body in ends)
        if unshaped is not None or SLIDE in kinds or HELIX in kinds
        else ()
    )
    held = (joint, *parts, *stands)
    key = (
        id,
        unshaped,
        m.frame_in_body(joint.frame_a),
        m.frame_in_body(joint.frame_b),
        b.glyph,
        b.level,
        b.gravity,
        *map(builtins.id, held),
    )
    b.keep(
        id,
        key,
        held,
        tuple(b.index[body] for body in ends),
        lambda: _draw(b, id, joint, kinds, unshaped),
    )


def _draw(b: Builder, id: str, joint: Joint, kinds: list[str], unshaped: Pose | None) -> None:
    picture = glyph(joint.type, b.level.glyph)
    rows = b.anchors[id] = _rows(b, id, joint, picture)
    ends = b.ends[id] = _parts(b, id, joint, kinds, rows, unshaped)
    wide = max(b.glyph, 1.3 * _ball_radius(b, joint))
    lift = ends[1] if kinds == [TURN] else 0.0
    kind = JOINT_TYPES[joint.type]
    rolling = bool(kind.rolling)  # its arrows stand on the face of the rolling or gliding body
    roller = roller_points(curve) if (curve := curve_of(joint)) is not None else np.zeros((0, 3))
    # a roller is a picture of its own
    for line in () if len(roller) else picture.lines:
        points = (wide if line.about else b.glyph) * line.points
        if rolling and line.anchor == AT_B and line.width != THIN:
            points = points + (0.0, 0.0, ends[1])
        if line.lifted:
            points = points + (0.0, 0.0, lift)
        if line.head:  # the far end goes out to where the parts end
            points = points + (np.abs(points[:, 2:]) > 0.2 * b.glyph) * np.array(
                [0.0, 0.0, ends[(line.head + 1) // 2]]
            )
        if kinds == [TURN] and line.width == THIN:  # the axis stands out at both ends of the pin
            points = np.array([(0, 0, ends[0] - 0.7 * b.glyph), (0, 0, ends[1] + 0.9 * b.glyph)])
        b.marks.append(Stroke(points, rows[line.anchor], INK, line.width))
    b.fills += [
        Fill(b.glyph * points + (0.0, 0.0, ends[1] if rolling else 0.0), rows[anchor], INK)
        for points, anchor in picture.fills
    ]
    if curve is not None:
        profile = msgspec.structs.replace(curve, offset=None)
        b.marks.append(Stroke(curve_points(profile), rows[AT_A], INK, CURVE_WIDTH))
        if len(roller):
            b.marks.append(Stroke(roller, rows[SLIDING], INK, CURVE_WIDTH))
    if kind.slides_along_axis:  # an arrow of any direction: its name stands at the upper head
        up = np.array(matrix(b.mechanism.frame_in_world(joint.frame_a)[1]))[2, 2] >= 0
        b.labels.append(
            (
                joint.name,
                rows[SLIDING],
                (0.0, 0.0, ends[1] + b.glyph if up else ends[0] - b.glyph),
                id,
                0.6 * b.glyph,
            )
        )
    else:
        # what rolls takes its name along
        at = rows.get(SLIDING, rows.get(AT_B, rows[AT_A])) if rolling else rows[AT_A]
        b.labels.append(
            (
                joint.name,
                at,
                (0.0, 0.0, lift),
                id,
                1.25 * (wide if kind.hardware == "ball" else b.glyph),
            )
        )


def _rows(b: Builder, id: str, joint: Joint, picture: Glyph) -> dict[str, int]:
    """Rows at the anchors that the glyph uses, frame A always."""
    m = b.mechanism
    first, second = m.frame_in_body(joint.frame_a), m.frame_in_body(joint.frame_b)
    ia, ib = b.index[joint.frame_a.body], b.index[joint.frame_b.body]
    used = {line.anchor for line in picture.lines}
    rows = {AT_A: b.row(id, (ia, first[0]), (ia, first[1]), None, -1, joint.visible)}
    if AT_B in used:
        rows[AT_B] = b.row(id, (ib, second[0]), (ib, second[1]), None, -1, joint.visible)
    if SLIDING in used or (joint.curve is not None and joint.curve.offset is not None):
        rows[SLIDING] = b.row(id, (ib, second[0]), (ia, first[1]), None, -1, joint.visible)
    return rows


def _parts(
    b: Builder, id: str, joint: Joint, kinds: list[str], rows: dict[str, int], unshaped: Pose | None
) -> Ends:
    """Pins, balls, crosses and rods of a joint; returns from where to where the joint's parts reach
    along its axis.
    """
    m, g = b.mechanism, b.glyph
    frames = [(f.body, m.frame_in_body(f)) for f in (joint.frame_a, joint.frame_b)]
    kind = JOINT_TYPES[joint.type]
    if unshaped is not None and kind.mount in MOUNTS:
        _on_ground(b, joint, unshaped, MOUNTS[kind.mount])
    if kind.hardware == PIN:
        return _pin(b, joint, frames, rows, unshaped)
    if kind.hardware:
        HARDWARE[kind.hardware](b, joint, frames, rows)
    if kind.rolling:
        face = hardware.span(m.body(frames[1][0]), frames[1][1])
        return (0.0, 0.0) if face is None else (face.low, face.high + 0.02 * g)
    if SLIDE not in kinds:
        return 0.0, 0.0
    body, frame = frames[1] if frames[1][0] != GROUND else frames[0]
    low, high = hardware.along_axis(b.skin_points(body), frame)
    return max(low, -4 * g), min(high, 4 * g)


def _pin(
    b: Builder,
    joint: Joint,
    frames: Frames,
    rows: dict[str, int],
    unshaped: Pose | None,
) -> Ends:
    """A pin through all that lies on the axis of a turning joint, and a bracket that carries it on
    unshaped ground.
    """
    g = b.glyph
    spans = [
        s
        for body, frame in frames
        if (s := hardware.span(b.mechanism.body(body), frame)) is not None
    ]
    low, high, material = -0.3 * g, 0.3 * g, 0.55 * g
    if spans:
        low, high, material = (
            min(s.low for s in spans),
            max(s.high for s in spans),
            min(0.9 * g, *(s.radius for s in spans)),
        )
    radius = 0.42 * material
    kind = JOINT_TYPES[joint.type]
    if unshaped is not None and kind.mount == BRACKET:
        thickness = 0.3 * g
        _bracket(b, joint, unshaped, low - 0.06 * g, thickness)
        low -= thickness + 0.06 * g
    if kind.slides_along_axis:
        low, high, radius = low - 0.45 * g, high + 0.45 * g, 0.9 * radius
    low, high, radius = (
        float(round(v, 9)) for v in (low, high, radius)
    )  # so that equal pins are made once
    b.part(
        rows.get(SLIDING, rows[AT_A]),
        hardware.pin(radius, low, high, b.level.turn),
        STEEL,
    )
    if THREAD in kind.primitives:
        pitch = joint.parameters["pitch"].value
        turns = float(np.clip((high - low) / abs(pitch), 3.0, 24.0)) if pitch else 3.0
        b.marks.append(
            Stroke(
                helix(
                    1.06 * radius, low, high, turns, b.level.glyph // 2, -1.0 if pitch < 0 else 1.0
                ),
                rows[SLIDING],
                INK,
                THIN,
            )
        )
    return low - 0.55 * radius, high + 0.55 * radius


def _ball_radius(b: Builder, joint: Joint) -> float:
    """Radius of the ball that a body has at a joint; zero if none has."""
    found = 0.0
    for f in (joint.frame_a, joint.frame_b):
        origin = b.mechanism.frame_in_body(f)[0]
        for s in b.mechanism.body(f.body).shapes:
            if (
                isinstance(ball := s.form, Ball)
                and np.linalg.norm(np.subtract(values(s.placement.position), origin))
                < 0.5 * ball.radius
            ):
                found = max(found, ball.radius)
    return found


def _unshaped_ground(b: Builder, joint: Joint) -> Pose | None:
    """The frame in W on the ground's side, if nothing of the ground is drawn there."""
    for frame in (joint.frame_a, joint.frame_b):
        if frame.body == GROUND and joint.visible:
            pose = b.mechanism.frame_in_world(frame)
            shaped = (
                b.mechanism.ground.shapes and b.ground_distance(np.array(pose[0])) < 0.1 * b.size
            )
            return None if shaped else pose
    return None


def _bracket(b: Builder, joint: Joint, pose: Pose, low: float, thickness: float) -> None:
    """A cast bracket with its face at z = low; it stands below the pin, or hangs above it if the
    body hangs down.
    """
    g, m = b.glyph, b.mechanism
    R, p = np.array(matrix(pose[1])) @ hardware.down_frame(b.gravity, pose), np.array(pose[0])
    other = joint.frame_b if joint.frame_a.body == GROUND else joint.frame_a
    skin = b.skin_points(other.body)
    if len(skin) and other.body != GROUND:
        place, turn = m.body(other.body).placement.pose
        middle = skin.mean(axis=0) @ np.array(matrix(turn)).T + place - p
        if R[:, 1] @ middle < -0.5 * np.linalg.norm(middle):
            R = R @ np.diag([-1.0, -1.0, 1.0])
    b.part(0, placed(hardware.bracket(g, float(round(low, 9)), thickness, b.level.arc), R, p), CAST)
    for z in (low - thickness / 2 + 0.55 * g, low - thickness / 2 - 0.55 * g):
        b.signs([line + (0.0, 0.0, z) for line in hardware.hatching(g, 2.09 * g)[1:]], R, p)


def _ball(b: Builder, joint: Joint, frames: Frames, rows: dict[str, int]) -> None:
    if not _ball_radius(b, joint):
        b.part(rows[AT_A], hardware.ball(0.42 * b.glyph, b.level.turn), STEEL)


def _cross(b: Builder, joint: Joint, frames: Frames, rows: dict[str, int]) -> None:
    g, turn = b.glyph, b.level.turn
    b.part(rows[AT_A], hardware.trunnion(0.15 * g, 0.5 * g, 2, turn), STEEL)
    b.part(rows[AT_B], hardware.trunnion(0.15 * g, 0.5 * g, 0, turn), STEEL)


def _rod(b: Builder, joint: Joint, frames: Frames, rows: dict[str, int]) -> None:
    (first, a), (second, c) = frames
    ends = (b.index[first], a[0]), (b.index[second], c[0])
    row = b.row(joint.id, ends[0], (0, IDENTITY), ends[1], -1, joint.visible)
    b.stretched(row, springs.rod(0.10 * b.glyph, b.level.turn))


PIN = "pin"  # through all that lies on the axis; it measures how far the joint's parts reach
HARDWARE = {"ball": _ball, "cross": _cross, "rod": _rod}
"""Parts by JointType.hardware, beside PIN."""


def _on_ground(b: Builder, joint: Joint, pose: Pose, mount: "Mount") -> None:
    """Draw a support on unshaped ground."""
    R, p = np.array(matrix(pose[1])), np.array(pose[0])
    mount(b, joint, R @ hardware.down_frame(b.gravity, pose), p, R)


def _pedestal(b: Builder, joint: Joint, R: np.ndarray, p: np.ndarray, own: np.ndarray) -> None:
    """A stand, upright."""
    g, gravity = b.glyph, np.array(values(b.mechanism.gravity))
    up = -gravity if np.any(gravity) else np.array([0.0, 0.0, 1.0])
    R = np.array(matrix(frame_on_axis(tuple(up)))) @ UPRIGHT
    b.part(0, placed(hardware.pedestal(g, b.level.turn), R, p), CAST)
    b.signs(hardware.round_hatching(g, 2.1 * g, 1.0), R, p)


def _floor(b: Builder, joint: Joint, R: np.ndarray, p: np.ndarray, own: np.ndarray) -> None:
    """The sign for ground in the frame's own plane."""
    b.signs(hardware.hatching(b.glyph, 0.0, reach=1.6), own @ UPRIGHT, p)


def _plate(b: Builder, joint: Joint, R: np.ndarray, p: np.ndarray, own: np.ndarray) -> None:
    """The sign for ground a glyph below."""
    b.signs(hardware.hatching(b.glyph, 1.0 * b.glyph, reach=1.0), R, p)


def _hatching(b: Builder, joint: Joint, R: np.ndarray, p: np.ndarray, own: np.ndarray) -> None:
    """The sign for ground under the joint, along the way that it slides."""
    g, kind = b.glyph, JOINT_TYPES[joint.type]
    if kind.slides_along_axis:
        b.signs(hardware.hatching(g, 0.62 * g, along=2, reach=1.6), R, p)
    else:
        b.signs(hardware.hatching(g, (0.5 if kind.holds_distance else 0.26) * g, reach=1.0), R, p)


Mount = Callable[[Builder, Joint, np.ndarray, np.ndarray, np.ndarray], None]
BRACKET = "bracket"  # cast, carries a pin
MOUNTS: dict[str, Mount] = {
    "pedestal": _pedestal,
    "floor": _floor,
    "plate": _plate,
    "hatching": _hatching,
}
"""Supports on unshaped ground by JointType.mount, beside BRACKET; the axis y of the third argument
is down."""
