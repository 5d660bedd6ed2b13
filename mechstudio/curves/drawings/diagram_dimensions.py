"""Dimensions of a kinematic diagram in the front view: what sheets dimension, drawn thin in pixels
of the picture beside the links (ISO 129-1).
"""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.curves.drawings.dimensions import (
    ACROSS,
    ALIGNED,
    CORNER,
    LEADER,
    UPRIGHT,
    Dimension,
    Texts,
    dimensions,
    number,
)
from mechstudio.curves.drawings.symbols import Pen, normal, unit
from mechstudio.curves.gauges.reading import Poses
from mechstudio.curves.picture import text_width
from mechstudio.model.edits.links import link_ends
from mechstudio.model.geometry.rotation import conjugate, rotate, transform
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES

FIRST, NEXT = 4.2, 3.4  # sizes of a pin: from a link to its dimension, from one to the next
HEAD, ARC, BEYOND = 1.1, 6.5, 0.8  # of an arrow, of an angle's arc, of a line past its arrow
HAIR = 0.35  # widths of a link
Place = Callable[[np.ndarray], np.ndarray]


def found(project: Project, m: Mechanism, poses: Poses) -> list[Dimension]:
    """Dimensions of the visible gauges; where there are none lengths of links, distances of pins on
    the ground, and angles of cranks that are driven.
    """
    out, _ = dimensions(project, m, poses)
    if not any(gauge.visible for gauge in project.gauges.values()):
        out += [*_between_joints(m, poses), *_angles(m, poses)]
    return out


def room(found: Sequence[Dimension]) -> float:
    """Sizes of a pin that dimensions need around the mechanism."""
    rows = [sum(d.kind == kind for d in found) for kind in (ACROSS, UPRIGHT)]
    return FIRST + NEXT * max(*rows, 1) + 2.0 if found else 0.0


def _between_joints(m: Mechanism, poses: Poses) -> list[Dimension]:
    """Distances of joints on links that are no bars, at most three of each."""
    out = []
    least = 1e-6 * max(m.size(), 1e-9)
    for body in m.bodies.values():
        if not body.visible or link_ends(body) is not None:
            continue
        frames = [
            frame
            for joint in m.joints.values()
            for frame in (joint.frame_a, joint.frame_b)
            if frame.body == body.id
        ]
        row = poses(body.id)[0].tolist()
        pose = ((row[0], row[1], row[2]), (row[3], row[4], row[5], row[6]))
        places = [np.array(transform(pose, m.frame_in_body(frame)[0])) for frame in frames]
        pairs = [
            (a, b)
            for a, b in itertools.combinations(places, 2)
            if float(np.hypot(b[0] - a[0], b[2] - a[2])) > least and abs(b[1] - a[1]) < least
        ]
        for a, b in pairs[:3]:
            p, q = np.array([a[0], a[2]]), np.array([b[0], b[2]])
            text = number(1e3 * float(np.hypot(*(q - p))))
            out.append(Dimension(ALIGNED, p, q, p, text))
    return out


def _angles(m: Mechanism, poses: Poses) -> list[Dimension]:
    """Angles of driven links against the horizontal."""
    out = []
    for id in dict.fromkeys(drive.joint for drive in m.drives.values() if drive.enabled):
        joint = m.joints.get(id)
        if joint is None or JOINT_TYPES[joint.type].dof != 1:
            continue
        frames = sorted((joint.frame_a, joint.frame_b), key=lambda f: f.body != GROUND)
        if frames[0].body != GROUND or frames[1].body == GROUND:
            continue
        ends = link_ends(m.body(frames[1].body))
        if ends is None or JOINT_TYPES[joint.type].coordinates[0].dimension != "angle":
            continue
        row = poses(frames[1].body)[0]
        # from its pin outwards, at whichever end of the link it is
        pin = m.frame_in_world(frames[1])[0]
        near, far = sorted(ends, key=lambda end: math.dist(end, pin))
        way = np.subtract(far, near)
        way = _rotated(row[3:], m.body(frames[1].body).placement.quaternion, way)
        if abs(way[1]) > 1e-6 * float(np.linalg.norm(way)):
            continue
        place = np.array(m.frame_in_world(frames[0])[0])
        flat = np.array([way[0], way[2]])
        degrees = math.degrees(math.atan2(flat[1], flat[0]))
        at = np.array([place[0], place[2]])
        out.append(Dimension(CORNER, np.array([1.0, 0.0]), flat, at, f"{number(degrees)}°"))
    return out


def _rotated(now: np.ndarray, drawn: tuple[float, ...], way: np.ndarray) -> np.ndarray:
    """A direction of a body as drawn, at another attitude of it."""
    w, x, y, z = now.tolist()
    a, b, c, d = drawn
    own = rotate(conjugate((a, b, c, d)), (float(way[0]), float(way[1]), float(way[2])))
    return np.array(rotate((w, x, y, z), own))


class Dimensions:
    """Dimensions that are drawn one by one.  low, high (2,): corners of the mechanism [px].  at:
    from x and z [m] to the picture.
    """

    def __init__(self, pen: Pen, low: np.ndarray, high: np.ndarray, size: float, at: Place) -> None:
        self._pen, self._low, self._high, self._size, self._at = pen, low, high, size, at
        self._center = (low + high) / 2
        self._rows = {"across": 0, "upright": 0}
        self._texts = Texts(lambda text: text_width(text, size), 2.0, -size, 0.5 * pen.unit)

    def draw(self, d: Dimension) -> None:
        """Draw a dimension where there is room for it."""
        if d.kind == CORNER:
            self._corner(d)
        elif d.kind == LEADER:
            self._leader(d)
        else:
            self._straight(d)

    def _line(self, *points: np.ndarray) -> None:
        self._pen.line(*points, wide=HAIR)

    def _straight(self, d: Dimension) -> None:
        p, q, u = self._at(d.a), self._at(d.b), self._pen.unit
        if d.kind == ALIGNED:
            n = normal(unit(q - p))
            n = n if n @ ((p + q) / 2 - self._center) >= 0 else -n
            tries = [u * (FIRST + NEXT * k) * s * n for k in range(3) for s in (1.0, -1.0)]
            feet = [(p + o, q + o) for o in tries]
        elif d.kind == ACROSS:
            y = self._high[1] + u * (FIRST + NEXT * self._rows["across"])
            self._rows["across"] += 1
            feet = [(np.array([p[0], y]), np.array([q[0], y]))]
        else:
            x = self._low[0] - u * (FIRST + NEXT * self._rows["upright"])
            self._rows["upright"] += 1
            feet = [(np.array([x, p[1]]), np.array([x, q[1]]))]
        a, b = next(((a, b) for a, b in feet if self._texts.is_free(d.text, a, b)), feet[0])
        for point, foot in ((p, a), (q, b)):
            away = foot - point
            if float(np.hypot(*away)) > 1.5 * u:
                self._line(point + 1.2 * u * unit(away), foot + BEYOND * u * unit(away))
        self._arrowed(a, b)
        foot, angle = self._texts.take(d.text, a, b)
        self._pen.write(d.text, foot, self._size, turn=angle)

    def _arrowed(self, a: np.ndarray, b: np.ndarray) -> None:
        way, size = unit(b - a), HEAD * self._pen.unit
        inside = float(np.hypot(*(b - a))) > 3 * size
        tail = 0.0 if inside else 2.5 * size
        self._line(a - tail * way, b + tail * way)
        self._pen.head(a, -way if inside else way, size)
        self._pen.head(b, way if inside else -way, size)

    def _corner(self, d: Dimension) -> None:
        at, r = self._at(d.at), ARC * self._pen.unit
        u, v = (np.array([w[0], -w[1]]) / np.hypot(*w) for w in (d.a, d.b))
        first, second = (math.atan2(w[1], w[0]) for w in (u, v))
        turn = (second - first + math.pi) % (2 * math.pi) - math.pi
        for w in (u, v):
            self._line(at, at + (r + BEYOND * self._pen.unit) * w)
        self._pen.arc(at, r, first, first + turn, wide=HAIR)
        size = HEAD * self._pen.unit
        if abs(turn) * r > 3 * size:
            for t, sign in ((first, -1.0), (first + turn, 1.0)):
                way = math.copysign(1.0, turn) * sign
                s = t - way * size / (2 * r)  # the arrow is a chord
                tip = at + r * np.array([math.cos(t), math.sin(t)])
                self._pen.head(tip, way * np.array([-math.sin(s), math.cos(s)]), size)
        middle = first + turn / 2
        place = at + (r + 1.6 * self._pen.unit) * np.array([math.cos(middle), math.sin(middle)])
        side = math.cos(middle)
        anchor = "start" if side > 0.3 else "end" if side < -0.3 else "middle"
        self._pen.write(d.text, place + np.array([0.0, self._size / 3]), self._size, anchor=anchor)

    def _leader(self, d: Dimension) -> None:
        """A line from the centre through the rim, bent level under the text."""
        start = self._at(d.a if d.text.lstrip("(").startswith("⌀") else d.at)
        rim = self._at(d.b)
        way = unit(rim - start)
        knee = rim + 3.0 * self._pen.unit * way
        end = knee + np.array([text_width(d.text, self._size) + 4.0, 0.0])
        self._line(start, knee)
        self._line(knee, end)
        self._pen.head(rim, way, HEAD * self._pen.unit)
        self._pen.write(d.text, knee + np.array([2.0, -3.0]), self._size, anchor="start")
