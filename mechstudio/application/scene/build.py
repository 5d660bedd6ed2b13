"""Collects rows, parts, lines and labels of one mechanism, element by element."""

import numpy as np

from mechstudio.model.force_types import BODY, FORCE_TYPES, JOINT, TWO_POINTS
from mechstudio.model.joint_types import JOINT_TYPES, TURN
from mechstudio.model.mechanism import GROUND, Body, Force, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.rotation import Pose, matrix

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
        lift = self._hardware(id, joint, kinds, rows)
        self.lifts[id] = lift
        up = np.array([0.0, 0.0, lift])
        for line in picture.lines:
            points = self.glyph * line.points + (up if line.lifted else 0.0)
            if kinds == [TURN] and line.width == THIN:         # the axis stands out at both ends of the pin
                points = np.array([(0, 0, -abs(lift) - 0.7 * self.glyph), (0, 0, lift + 0.9 * self.glyph)])
            self.marks.append(Stroke(points, rows[line.anchor], INK, line.width))
        self.fills += [Fill(self.glyph * points, rows[anchor], INK) for points, anchor in picture.fills]
        self.labels.append((joint.name, rows[AT_A], (0.0, 0.0, lift), id, 1.25 * self.glyph))

    def _hardware(self, id: str, joint: Joint, kinds: list[str], rows: dict[str, int]) -> float:
        """Pins, balls, crosses and rods of a joint; returns how high its head stands above the frame."""
        m, g, turn = self.mechanism, self.glyph, self.level.turn
        frames = [(f.body, m.frame_in_body(f)) for f in (joint.frame_a, joint.frame_b)]
        spans = [s for body, frame in frames if (s := hardware.span(m.body(body), frame)) is not None]
        bare = self._bare_ground(joint)
        material = min([s.radius for s in spans], default=0.55 * g)
        if joint.type in ("revolute", "cylindrical"):
            radius = 0.42 * min(material, 0.9 * g)
            low, high = (min(s.low for s in spans), max(s.high for s in spans)) if spans else (-0.3 * g, 0.3 * g)
            if bare is not None:
                thick = 0.3 * g
                self._bracket(bare, low - 0.06 * g, thick)
                low -= thick + 0.06 * g
            if joint.type == "cylindrical":
                low, high, radius = low - 1.2 * g, high + 1.2 * g, 0.9 * radius
            self._part(rows[AT_A if joint.type == "revolute" else SLIDING], hardware.pin(*np.round((radius, low, high), 9), turn), STEEL)
            return high + 0.55 * radius
        if bare is not None and joint.type in ("spherical", "universal"):
            self._placed_on_ground(bare, hardware.pedestal(g, turn))
        elif bare is not None:
            self._hatched(bare, 0.0)
        if joint.type == "spherical" and not self._has_ball(frames):
            self._part(rows[AT_A], hardware.ball(0.42 * g, turn), STEEL)
        elif joint.type == "universal":
            self._part(rows[AT_A], hardware.trunnion(0.15 * g, 0.5 * g, 2, turn), STEEL)
            self._part(rows[AT_B], hardware.trunnion(0.15 * g, 0.5 * g, 0, turn), STEEL)
        elif joint.type == "distance":
            (ia, a), (ib, b) = ((self.index[body], frame) for body, frame in frames)
            row = self._row(id, (ia, a[0]), (0, IDENTITY), (ib, b[0]), -1, joint.visible)
            self._stretched(row, springs.rod(0.10 * g, turn))
        return 0.0

    def _has_ball(self, frames: list[tuple[str, Pose]]) -> bool:
        """Whether a body already has a ball at the joint."""
        for body, (origin, _) in frames:
            for s in self.mechanism.body(body).shapes:
                if s.type == "sphere" and np.linalg.norm(np.subtract(values(s.placement.position), origin)) < 0.5 * s.dimensions["radius"].value:
                    return True
        return False

    # ---- ground

    def _bare_ground(self, joint: Joint) -> Pose | None:
        """The frame in W on the ground's side, if nothing of the ground is drawn there."""
        for frame in (joint.frame_a, joint.frame_b):
            if frame.body == GROUND and joint.visible:
                pose = self.mechanism.frame_in_world(frame)
                solids = [p.part.solid.points for p in self.pieces if p.row == 0 and p.material == CAST]
                if self.mechanism.ground.shapes and solids and np.linalg.norm(np.concatenate(solids) - pose[0], axis=1).min() < 0.2 * self.size:
                    return None
                return pose
        return None

    def _ground_axes(self, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
        return np.array(matrix(pose[1])) @ hardware.down_frame(self.mechanism, pose), np.array(pose[0])

    def _placed_on_ground(self, pose: Pose, part: Part) -> None:
        R, p = self._ground_axes(pose)
        self._part(0, placed(part, R, p), CAST)
        self._hatched(pose, 2.1 * self.glyph)

    def _bracket(self, pose: Pose, low: float, thickness: float) -> None:
        R, p = self._ground_axes(pose)
        self._part(0, placed(hardware.bracket(self.glyph, float(round(low, 9)), thickness, self.level.arc), R, p), CAST)
        self._hatched(pose, 2.1 * self.glyph, low - thickness / 2)

    def _hatched(self, pose: Pose, drop: float, at: float = 0.0) -> None:
        R, p = self._ground_axes(pose)
        self.marks += [Stroke((line + (0, 0, at)) @ R.T + p, 0, GROUND_MARK, MARK_WIDTH) for line in hardware.hatching(self.glyph, drop)]

    # ---- forces

    def _forces(self) -> None:
        m = self.mechanism
        vectors = {id: np.array([f.parameters[k].value for k in "xyz"]) for id, f in m.forces.items() if FORCE_TYPES[f.type].attachment == BODY}
        for moment in (False, True):
            sizes = [float(np.linalg.norm(v)) for id, v in vectors.items() if FORCE_TYPES[m.forces[id].type].moment == moment]
            if any(sizes):
                scale = ARROW * self.size / max(sizes)
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
        size = min(0.30 * self.glyph, 0.2 * length) if length > 0 else 0.30 * self.glyph
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
