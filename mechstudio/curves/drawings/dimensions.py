"""Dimensions in the front view by the conventions of ISO 129-1: which gauges it shows true, and how
they are drawn on a sheet.
"""

import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.curves.gauges.reading import Poses, placed, radius_of, reading
from mechstudio.model.edits.gauges.driving import driver
from mechstudio.model.edits.links import frame_at, link_ends
from mechstudio.model.geometry.rotation import compose, rotate
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Feature, Gauge, Project
from mechstudio.model.results.clearance import bound_note
from mechstudio.model.types.gauges import ALONG, ANGLE, DISTANCE, GAUGE_TYPES, POINT, ROUND
from mechstudio.translation import localised

FLAT = 1e-6  # of a length across the view beside its own, up to which it is seen true
ALIGNED, ACROSS, UPRIGHT, CORNER, LEADER = "aligned", "across", "upright", "corner", "leader"


class Dimension(NamedTuple):
    """A dimension to be drawn.  kind: ALIGNED with the measured distance, ACROSS (along x), UPRIGHT
    (along z), CORNER (an angle) or LEADER. a, b (2,): the measured points, x and z [m]; of an angle
    its two directions.  at (2,): vertex or centre [m].  text: as it is written; in parentheses
    where it only follows.
    """

    kind: str
    a: np.ndarray
    b: np.ndarray
    at: np.ndarray
    text: str


def number(value: float) -> str:
    """Number of a dimension [mm or deg]: two decimals at most, as it is written on drawings; three
    significant digits of a smaller one.
    """
    small = 0.0 < abs(value) < 0.1
    text = f"{float(f'{value:.3g}'):.12f}" if small else f"{value:.2f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else localised(text).replace("-", "−")


def placed_text(a: np.ndarray, b: np.ndarray, gap: float) -> tuple[np.ndarray, float]:
    """Middle of the foot of a text above a line, and its turn [deg], to be read from the bottom or
    the right.
    """
    u = b - a
    angle = math.degrees(math.atan2(u[1], u[0]))
    angle = angle - 180.0 if angle > 90.0 - 1e-9 else angle
    angle = angle + 180.0 if angle < -90.0 - 1e-9 else angle
    up = np.array([math.sin(math.radians(angle)), -math.cos(math.radians(angle))])
    return (a + b) / 2 + gap * up, angle


class Texts:
    """Texts above the lines of a drawing, which do not cover each other.

    width: of a text.  below, above: its lower and upper edge, down from its foot.  gap: between a
    line and the foot.
    """

    def __init__(
        self, width: Callable[[str], float], below: float, above: float, gap: float
    ) -> None:
        self._width, self._edges, self._gap = width, (below, above), gap
        self._taken: list[tuple[np.ndarray, np.ndarray]] = []  # low and high corners

    def is_free(self, text: str, a: np.ndarray, b: np.ndarray) -> bool:
        """True if a text above the line from a to b covers no other."""
        low, high = self._room(text, a, b)
        return not any((low < h).all() and (high > l).all() for l, h in self._taken)

    def take(self, text: str, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
        """Take the room of a text; where it stands and its turn, see placed_text."""
        self._taken.append(self._room(text, a, b))
        return placed_text(a, b, self._gap)

    def _room(self, text: str, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        foot, angle = placed_text(a, b, self._gap)
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        half = self._width(text) / 2
        corners = np.array([(x, y) for x in (-half, half) for y in self._edges])
        turned = foot + corners @ np.array([(c, s), (-s, c)])
        return turned.min(axis=0), turned.max(axis=0)


def dimensions(project: Project, m: Mechanism, poses: Poses) -> tuple[list[Dimension], list[str]]:
    """Dimensions of the visible gauges, or where there are none of every link and of the pins on
    the ground; and the names of gauges that this view does not show true.
    """
    gauges = [gauge for gauge in project.gauges.values() if gauge.visible]
    out, left_out = [], []
    for gauge in gauges or usual(project, m):
        found = _drawn(project, m, gauge, poses)
        if found is None:
            left_out.append(gauge.name)
        else:
            out.append(found)
    return out, left_out


def usual(project: Project, m: Mechanism) -> list[Gauge]:
    """Gauges that a drawing without any gets: lengths of links, distances of pins on the ground."""
    out = []
    near = 1e-9 * max(m.size(), 1e-6)
    for body in m.bodies.values():
        ends = link_ends(body) if body.visible else None
        if ends is not None:
            attitude = body.placement.quaternion
            frames = [frame_at(m, body.id, p, attitude, near) for p in ends]
            features = tuple(Feature(POINT, frame) for frame in frames)
            out.append(Gauge("", body.name, DISTANCE, features))
    pins = [
        Feature(POINT, frame)
        for joint in m.joints.values()
        for frame in (joint.frame_a, joint.frame_b)
        if frame.body == GROUND
    ]
    for first, second in itertools.pairwise(pins):
        for type in ("along_x", "along_z"):
            a, b = (m.frame_in_world(f.frame)[0] for f in (first, second) if f.frame is not None)
            if abs(b[ALONG[type]] - a[ALONG[type]]) > FLAT * m.size():
                out.append(Gauge("", "", type, (first, second)))
    return out


def _drawn(project: Project, m: Mechanism, gauge: Gauge, poses: Poses) -> Dimension | None:
    """A gauge as a dimension; None where the view does not show it true."""
    found = reading(m, gauge, poses)
    if found is None or not np.isfinite(found.values).all():
        return None
    value, a, b = abs(float(found.values[0])), found.a[0], found.b[0]
    kind = GAUGE_TYPES[gauge.type]
    drives = not gauge.id or driver(project, gauge) is not None
    shown = f"{number(math.degrees(value))}°" if kind.dimension == "angle" else number(1e3 * value)
    least = "≥ " if bound_note(m, gauge) else ""
    text = f"{least}{kind.prefix.strip()}{shown}"
    text = text if drives else f"({text})"
    flat = lambda p: np.array([p[0], p[2]])
    if gauge.type == ANGLE:
        return _corner(m, gauge, poses, text)
    if gauge.type in ROUND:
        return _leader(m, gauge, poses, text)
    if gauge.type in ALONG:
        axis = ALONG[gauge.type]
        kinds = {0: ACROSS, 2: UPRIGHT}
        return None if axis == 1 else Dimension(kinds[axis], flat(a), flat(b), flat(a), text)
    if value == 0.0 or abs(b[1] - a[1]) > FLAT * value:
        return None
    return Dimension(ALIGNED, flat(a), flat(b), flat(a), text)


def _corner(m: Mechanism, gauge: Gauge, poses: Poses, text: str) -> Dimension | None:
    """An angle of two axes that lie in the view, where they meet there."""
    first, second = (placed(m, end, poses) for end in gauge.ends)
    (p, q), (u, v) = (first.point[0], second.point[0]), (first.direction[0], second.direction[0])
    if max(abs(u[1]), abs(v[1])) > FLAT or first.kind != second.kind:
        return None
    matrix = np.array([[u[0], -v[0]], [u[2], -v[2]]])
    if abs(np.linalg.det(matrix)) < 1e-9:
        return None
    s, _ = np.linalg.solve(matrix, np.array([q[0] - p[0], q[2] - p[2]]))
    at = np.array([p[0] + s * u[0], p[2] + s * u[2]])
    return Dimension(CORNER, np.array([u[0], u[2]]), np.array([v[0], v[2]]), at, text)


def _leader(m: Mechanism, gauge: Gauge, poses: Poses, text: str) -> Dimension | None:
    """The radius of a disc that is seen as a circle."""
    frame = gauge.ends[0].frame
    found = radius_of(m, frame.body) if frame is not None else None
    if frame is None or found is None:
        return None
    row = poses(frame.body)[0].tolist()
    pose = compose(((row[0], row[1], row[2]), (row[3], row[4], row[5], row[6])), found[1])
    axis = rotate(pose[1], (0.0, 0.0, 1.0))
    ball = not any(
        shape.form.reach() is not None for shape in m.body(frame.body).shapes
    )  # a ball is a circle from everywhere
    if not ball and math.hypot(axis[0], axis[2]) > FLAT:
        return None
    at = np.array([pose[0][0], pose[0][2]])
    way = found[0] * np.array([math.sqrt(0.5), math.sqrt(0.5)])
    return Dimension(LEADER, at - way, at + way, at, text)
