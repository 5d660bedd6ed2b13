"""Collects rows, parts, lines and labels of one mechanism, element by element."""

import numpy as np

from mechstudio.model.force_types import BODY, FORCE_TYPES, JOINT, TWO_POINTS
from mechstudio.model.joint_types import JOINT_TYPES, SLIDE, TURN
from mechstudio.model.mechanism import GROUND, Body, Force, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.rotation import Pose, frame_on_axis, matrix

from . import hardware, springs
from .batch import Piece
from .joint_glyphs import AT_A, AT_B, SLIDING, THIN, arc_arrow, brake, glyph, motor_line, spiral
from .lines import EDGE, GROUND as GROUND_MARK, INK, VECTOR, Fill, Stroke
from .parts import CAST, STEEL, Part, placed
from .rows import IDENTITY, Row
from .shape_parts import MATERIALS, detail, shape_part

GLYPH = 0.08                  # radius of a glyph, as a share of the mechanism's size
ARROW = 0.30                  # length of the longest force arrow, as a share of the mechanism's size
CROWDED = 40                  # joints above which glyphs shrink
EDGE_WIDTH, VECTOR_WIDTH, MARK_WIDTH = 1.0, 3.0, 1.4        # [px]


class Builder:
    """Reads a mechanism once; afterwards rows, pieces, edges, marks, fills, labels and measures are complete."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = m = mechanism
        self.rows: list[Row] = []
        self.pieces: list[Piece] = []
        self.edges: list[Stroke] = []
        self.marks: list[Stroke] = []
        self.fills: list[Fill] = []
        self.labels: list[tuple] = []
        self.measures: list[tuple] = []
        self.tips: list[tuple[int, np.ndarray]] = []           # of arrows: (row, point)
        self.size = self._view_size()
        self.level = detail(sum(len(b.shapes) for b in m.bodies.values()))
        self.glyph = self._glyph_size()
        self.index = {id: k for k, id in enumerate((GROUND, *m.bodies))}
        self.anchors: dict[str, dict[str, int]] = {}           # rows of each joint by anchor
        self.lifts: dict[str, float] = {}                      # height of each pin's head above the frame [m]
        for id in self.index:
            self._body(m.body(id))
        for id, joint in m.joints.items():
            self._joint(id, joint)
        self._forces()
        self.lowest_swing = self._lowest_swing()

    def _view_size(self) -> float:
        """The mechanism's size [m], ends of springs and points of forces included."""
        m = self.mechanism
        ends = np.array([m.frame_in_world(f)[0] for force in m.forces.values() for f in (force.frame_a, force.frame_b) if f is not None]).reshape(-1, 3)
        return max(m.size(), float(np.ptp(ends, axis=0).max()) if len(ends) else 0.0)

    def _glyph_size(self) -> float:
        """0.08 of the mechanism; across never above two thirds of the smallest link, a third where many joints stand close."""
        links = [s.dimensions["length"].value for b in self.mechanism.bodies.values() for s in b.shapes if s.type == "link" and s.dimensions["length"].value > 0]
        share = 3 if len(self.mechanism.joints) <= CROWDED else 6
        return min([GLYPH * self.size, *(length / share for length in links)])

    def _row(self, *row) -> int:
        self.rows.append(Row(*row))
        return len(self.rows) - 1

    def _part(self, row: int, part: Part, material: float) -> None:
        self.pieces.append(Piece(row, part, material))
        self.edges += [Stroke(e, row, EDGE, EDGE_WIDTH) for e in part.edges]

    def _body(self, body: Body) -> None:
        k = self.index[body.id]
        self._row(body.id, (k, (0.0, 0.0, 0.0)), (k, IDENTITY), None, body.color if body.id != GROUND else -1, body.visible)
        if not body.shapes and body.id != GROUND:              # a body without shape is a small ball at its centre of mass
            at = np.array(values(body.center_of_mass)) if body.center_of_mass is not None else np.zeros(3)
            self._part(k, placed(hardware.ball(0.45 * self.glyph, self.level.turn), np.eye(3), at), MATERIALS["paint"])
        for shape in body.shapes:
            part = shape_part(shape, self.level)
            if part is not None:
                self._part(k, part, CAST if body.id == GROUND and shape.material == "paint" else MATERIALS.get(shape.material, 0.0))

    # ---- joints

    def _joint(self, id: str, joint: Joint) -> None:
        m = self.mechanism
        a, b = m.frame_in_body(joint.frame_a), m.frame_in_body(joint.frame_b)
        ia, ib = self.index[joint.frame_a.body], self.index[joint.frame_b.body]
        color = m.body(joint.frame_b.body).color
        kinds = [kind for kind, _ in JOINT_TYPES[joint.type].motions]
        rows = {AT_A: self._row(id, (ia, a[0]), (ia, a[1]), None, color, joint.visible)}
        picture = glyph(joint.type, self.level.glyph)
        used = {line.anchor for line in picture.lines}
        if AT_B in used:
            rows[AT_B] = self._row(id, (ib, b[0]), (ib, b[1]), None, color, joint.visible)
        if SLIDING in used:
            rows[SLIDING] = self._row(id, (ib, b[0]), (ia, a[1]), None, color, joint.visible)
        self.anchors[id] = rows
        ends = self._hardware(id, joint, kinds, rows)
        lift = ends[1] if kinds == [TURN] else 0.0
        self.lifts[id] = ends[1] if TURN in kinds else 0.0
        wide = max(self.glyph, 1.3 * self._ball_radius(joint))
        for line in picture.lines:
            points = (wide if line.about else self.glyph) * line.points
            if line.lifted:
                points = points + (0.0, 0.0, lift)
            if line.head:                                      # the far end goes out to where the parts end
                far = np.abs(points[:, 2:]) > 0.2 * self.glyph
                points = points + far * np.array([0.0, 0.0, ends[(line.head + 1) // 2]])
            if kinds == [TURN] and line.width == THIN:         # the axis stands out at both ends of the pin
                points = np.array([(0, 0, ends[0] - 0.7 * self.glyph), (0, 0, ends[1] + 0.9 * self.glyph)])
            self.marks.append(Stroke(points, rows[line.anchor], INK, line.width))
        self.fills += [Fill(self.glyph * points, rows[anchor], INK) for points, anchor in picture.fills]
        if len(kinds) - kinds.count(SLIDE) <= 1 and kinds.count(SLIDE) == 1:      # an arrow of any direction: its name stands at the upper head
            up = np.array(matrix(m.frame_in_world(joint.frame_a)[1]))[2, 2] >= 0
            self.labels.append((joint.name, rows[SLIDING], (0.0, 0.0, ends[1] + self.glyph if up else ends[0] - self.glyph), id, 0.35 * self.glyph))
        else:
            self.labels.append((joint.name, rows[AT_A], (0.0, 0.0, lift), id, 1.25 * (wide if joint.type == "spherical" else self.glyph)))

    def _hardware(self, id: str, joint: Joint, kinds: list[str], rows: dict[str, int]) -> tuple[float, float]:
        """Pins, balls, crosses and rods of a joint; returns from where to where the joint's parts reach along its axis."""
        m, g, turn = self.mechanism, self.glyph, self.level.turn
        frames = [(f.body, m.frame_in_body(f)) for f in (joint.frame_a, joint.frame_b)]
        bare = self._bare_ground(joint)
        if joint.type in ("revolute", "cylindrical"):
            return self._pin(joint, frames, rows, bare)
        if bare is not None:
            self._on_ground(joint, kinds, bare)
        if joint.type == "spherical" and not self._ball_radius(joint):
            self._part(rows[AT_A], hardware.ball(0.42 * g, turn), STEEL)
        elif joint.type == "universal":
            self._part(rows[AT_A], hardware.trunnion(0.15 * g, 0.5 * g, 2, turn), STEEL)
            self._part(rows[AT_B], hardware.trunnion(0.15 * g, 0.5 * g, 0, turn), STEEL)
        elif joint.type == "distance":
            (ia, a), (ib, b) = ((self.index[body], frame) for body, frame in frames)
            row = self._row(id, (ia, a[0]), (0, IDENTITY), (ib, b[0]), -1, joint.visible)
            self._stretched(row, springs.rod(0.10 * g, turn))
        if SLIDE in kinds:
            low, high = self._extent(*frames[1]) if frames[1][0] != GROUND else self._extent(*frames[0])
            return max(low, -4 * g), min(high, 4 * g)
        return 0.0, 0.0

    def _pin(self, joint: Joint, frames: list[tuple[str, Pose]], rows: dict[str, int], bare: Pose | None) -> tuple[float, float]:
        """A pin through all that lies on the axis of a turning joint, and a bracket that carries it on bare ground."""
        g = self.glyph
        spans = [s for body, frame in frames if (s := hardware.span(self.mechanism.body(body), frame)) is not None]
        radius = 0.42 * min([0.9 * g, *(s.radius for s in spans)] if spans else [0.55 * g])
        low, high = (min(s.low for s in spans), max(s.high for s in spans)) if spans else (-0.3 * g, 0.3 * g)
        if bare is not None:
            thick = 0.3 * g
            self._bracket(joint, frames, bare, low - 0.06 * g, thick)
            low -= thick + 0.06 * g
        if joint.type == "cylindrical":
            low, high, radius = low - 0.9 * g, high + 0.9 * g, 0.9 * radius
        low, high, radius = (float(round(v, 9)) for v in (low, high, radius))
        self._part(rows[AT_A if joint.type == "revolute" else SLIDING], hardware.pin(radius, low, high, self.level.turn), STEEL)
        return low - 0.55 * radius, high + 0.55 * radius

    def _extent(self, body: str, frame: Pose) -> tuple[float, float]:
        """From where to where a body reaches along the z axis of one of its frames."""
        skins = [p.part.skin.points for p in self.pieces if p.row == self.index[body] and len(p.part.skin.points)]
        return hardware.along_axis(np.concatenate(skins), frame) if skins else (0.0, 0.0)

    def _ball_radius(self, joint: Joint) -> float:
        """Radius of the ball that a body has at a joint; zero if none has."""
        found = 0.0
        for f in (joint.frame_a, joint.frame_b):
            origin = self.mechanism.frame_in_body(f)[0]
            for s in self.mechanism.body(f.body).shapes:
                if s.type == "sphere" and np.linalg.norm(np.subtract(values(s.placement.position), origin)) < 0.5 * s.dimensions["radius"].value:
                    found = max(found, s.dimensions["radius"].value)
        return found

    # ---- ground

    def _bare_ground(self, joint: Joint) -> Pose | None:
        """The frame in W on the ground's side, if nothing of the ground is drawn there."""
        for frame in (joint.frame_a, joint.frame_b):
            if frame.body == GROUND and joint.visible:
                pose = self.mechanism.frame_in_world(frame)
                if self.mechanism.ground.shapes and self._ground_distance(np.array(pose[0])) < 0.1 * self.size:
                    return None
                return pose
        return None

    def _ground_distance(self, point: np.ndarray) -> float:
        """Distance [m] from a point to the nearest bounding box of a shape of the ground."""
        found = [np.inf]
        for p in self.pieces:
            if p.row == 0:
                low, high = p.part.skin.points.min(axis=0), p.part.skin.points.max(axis=0)
                found.append(float(np.linalg.norm(np.maximum(np.maximum(low - point, point - high), 0.0))))
        return min(found)

    def _bracket(self, joint: Joint, frames: list[tuple[str, Pose]], pose: Pose, low: float, thickness: float) -> None:
        """A cast bracket with its face at z = low; it stands below the pin, or hangs above it if the body hangs down."""
        g, turned = self.glyph, hardware.down_frame(self.mechanism, pose)
        other = joint.frame_b if joint.frame_a.body == GROUND else joint.frame_a
        body, inner = frames[0] if frames[0][0] != GROUND else frames[1]
        skins = [p.part.skin.points for p in self.pieces if p.row == self.index[body] and len(p.part.skin.points)]
        if skins and body != GROUND:
            p, q = self.mechanism.body(other.body).placement.pose
            middle = np.concatenate(skins).mean(axis=0) @ np.array(matrix(q)).T + p - np.array(pose[0])
            if (np.array(matrix(pose[1])) @ turned).T[1] @ middle < -0.5 * np.linalg.norm(middle):
                turned = turned @ np.diag([-1.0, -1.0, 1.0])
        R, p = np.array(matrix(pose[1])) @ turned, np.array(pose[0])
        self._part(0, placed(hardware.bracket(g, float(round(low, 9)), thickness, self.level.arc), R, p), CAST)
        for z in (low - thickness / 2 + 0.55 * g, low - thickness / 2 - 0.55 * g):
            self._signs([line + (0.0, 0.0, z) for line in hardware.hatching(g, 2.09 * g)[1:]], R, p)

    def _on_ground(self, joint: Joint, kinds: list[str], pose: Pose) -> None:
        """What carries the other joints on bare ground: a stand under a ball, the sign for ground under the rest."""
        g = self.glyph
        R, p = np.array(matrix(pose[1])) @ hardware.down_frame(self.mechanism, pose), np.array(pose[0])
        if joint.type in ("spherical", "universal"):
            gravity = np.array(values(self.mechanism.gravity))
            up = -gravity / np.linalg.norm(gravity) if np.any(gravity) else np.array([0.0, 0.0, 1.0])
            R = np.array(matrix(frame_on_axis(tuple(up)))) @ np.array([(1.0, 0, 0), (0, 0, -1.0), (0, 1.0, 0)])
            self._part(0, placed(hardware.pedestal(g, self.level.turn), R, p), CAST)
            self._signs(hardware.round_hatching(g, 2.1 * g, 1.0), R, p)
        elif joint.type == "planar":
            self._signs(hardware.hatching(g, 1.0 * g, reach=1.0), R, p)
        elif SLIDE in kinds:
            self._signs(hardware.hatching(g, 0.62 * g, along=2, reach=1.6), R, p)
        else:
            self._signs(hardware.hatching(g, 0.5 * g if joint.type == "distance" else 0.26 * g, reach=1.0), R, p)

    def _signs(self, lines: list[np.ndarray], R: np.ndarray, p: np.ndarray) -> None:
        self.marks += [Stroke(line @ R.T + p, 0, GROUND_MARK, MARK_WIDTH) for line in lines]

    # ---- forces

    def _forces(self) -> None:
        m = self.mechanism
        vectors = {id: np.array([f.parameters[k].value for k in "xyz"]) for id, f in m.forces.items() if FORCE_TYPES[f.type].attachment == BODY}
        for moment in (False, True):
            sizes = [float(np.linalg.norm(v)) for id, v in vectors.items() if FORCE_TYPES[m.forces[id].type].moment == moment]
            if any(sizes):
                scale = (0.6 if moment else 1.0) * ARROW * self.size / max(sizes)
                value = _nice_below(max(sizes))
                self.measures.append(("torque" if moment else "force", value, value * scale))
                for id, v in vectors.items():
                    if FORCE_TYPES[m.forces[id].type].moment == moment and np.any(v):
                        self._vector(id, m.forces[id], v * scale, moment)
        for id, force in m.forces.items():
            attachment = FORCE_TYPES[force.type].attachment
            if attachment == TWO_POINTS:
                self._between(id, force)
            elif attachment == JOINT and force.joint in self.anchors:
                self._on_joint(id, force)

    def _vector(self, id: str, force: Force, v: np.ndarray, moment: bool) -> None:
        """An arrow from the point of application; a torque has two heads and an arc about it."""
        frame = force.frame_b or force.frame_a
        if frame is None:
            return
        k = self.index[frame.body]
        origin, _ = self.mechanism.frame_in_body(frame)
        row = self._row(id, (k, origin), (0 if force.axes == "world" else k, IDENTITY), None, -1, force.visible)
        length = float(np.linalg.norm(v))
        u, head = v / length, min(0.06 * self.size, 0.4 * length)
        self.tips.append((row, v))
        self.marks.append(Stroke(np.array([np.zeros(3), v - 0.7 * head * u]), row, VECTOR, VECTOR_WIDTH))
        for tip in (v, v - 0.75 * head * u)[: 2 if moment else 1]:
            self.marks.append(Stroke(np.array([tip - head * u, tip]), row, VECTOR, np.array([12.0, 0.5])))
        if moment:
            x = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])
            x /= np.linalg.norm(x)
            axes = np.column_stack([x, np.cross(u, x), u])
            for points in arc_arrow(2, 0.9 * self.glyph, self.level.glyph):
                self.marks.append(Stroke(points @ axes.T + 0.4 * v, row, VECTOR, 2.2))

    def _between(self, id: str, force: Force) -> None:
        """A spring or damper between two points."""
        if force.frame_a is None or force.frame_b is None:
            return
        m = self.mechanism
        ends = [(self.index[f.body], m.frame_in_body(f)[0]) for f in (force.frame_a, force.frame_b)]
        length = float(np.linalg.norm(np.subtract(*(m.frame_in_world(f)[0] for f in (force.frame_a, force.frame_b)))))
        row = self._row(id, ends[0], (0, IDENTITY), ends[1], -1, force.visible)
        size = min(0.34 * self.glyph, 0.2 * length) if length > 0 else 0.34 * self.glyph
        if length > 0 and not m.ground.shapes and force.visible:
            for own, far in ((force.frame_a, force.frame_b), (force.frame_b, force.frame_a)):
                if own.body == GROUND:
                    p, q = (np.array(m.frame_in_world(f)[0]) for f in (own, far))
                    R = np.array(matrix(frame_on_axis(tuple(q - p)))) @ np.array([(1.0, 0, 0), (0, 0, -1.0), (0, 1.0, 0)])
                    self._signs(hardware.hatching(0.6 * self.glyph, 0.0, reach=1.2), R, p)
        length = length or self.glyph
        if force.type == "spring":
            self._stretched(row, springs.spring(1.25 * size, length, self.level.coil))
        else:
            self._stretched(row, springs.damper(0.85 * size, length, self.level.turn))

    def _stretched(self, row: int, parts: list[springs.Stretched]) -> None:
        for part, solid, skin, material in parts:
            self.pieces.append(Piece(row, part, material, (solid, skin)))

    def _on_joint(self, id: str, force: Force) -> None:
        """A motor, torsion spring or torsion damper: a mark of its own at the joint's glyph."""
        joint, g = self.mechanism.joints[force.joint], self.glyph
        source = self.rows[self.anchors[force.joint].get(SLIDING, self.anchors[force.joint][AT_A])]
        row = self._row(id, source.place, source.turn, None, -1, force.visible and joint.visible)
        up = np.array([0.0, 0.0, self.lifts[force.joint]])
        steps = self.level.glyph
        if force.type == "motor_force":
            shaft, reach = np.array([(0.55, 0, -1.1), (0.55, 0, 1.1)]) * g, 0.35 * g
            self.marks += [Stroke(shaft, row, VECTOR, 2.6), Stroke(np.array([shaft[1], shaft[1] + (0, 0, reach)]), row, VECTOR, np.array([10.0, 0.5]))]
            return
        lines = {"motor_torque": motor_line(steps), "torsion_spring": [spiral(steps)], "torsion_damper": brake(steps)}.get(force.type, [])
        for points in lines:
            self.marks.append(Stroke(g * points + up, row, VECTOR if force.type == "motor_torque" else INK, 2.6 if force.type == "motor_torque" else 1.8))

    # ---- reach

    def _lowest_swing(self) -> float:
        """The lowest height that any body can reach by swinging about the joints that carry it to the ground."""
        m = self.mechanism
        spread = {k: np.concatenate([p.part.skin.points for p in self.pieces if p.row == k] or [np.zeros((1, 3))]) for k in range(1, len(self.index))}
        frames = {id: {f.body: np.array(m.frame_in_body(f)[0]) for f in (j.frame_a, j.frame_b)} for id, j in m.joints.items()}
        lowest, queue, seen = np.inf, [], set()
        for id, j in m.joints.items():
            if GROUND in (j.frame_a.body, j.frame_b.body):
                height = m.frame_in_world(j.frame_a if j.frame_a.body == GROUND else j.frame_b)[0][2]
                queue.append((id, height))
        while queue:
            id, height = queue.pop(0)
            for body in frames[id]:
                if body == GROUND or body in seen:
                    continue
                seen.add(body)
                at = frames[id][body]
                lowest = min(lowest, height - float(np.linalg.norm(spread[self.index[body]] - at, axis=1).max()))
                queue += [(other, height - float(np.linalg.norm(f[body] - at))) for other, f in frames.items() if other != id and body in f]
        return float(lowest)


def _nice_below(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above the value."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(power * max(k for k in (1, 2, 5) if k * power <= value * (1 + 1e-9)))
