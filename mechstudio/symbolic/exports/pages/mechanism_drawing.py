"""A drawing of the mechanism as SVG: its solids as they stand, seen along the axes of a planar
mechanism or from a corner.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.forms import (
    Block,
    Capsule,
    Cylinder,
    Ellipsoid,
    Flat,
    Form,
    Frustum,
    HalfPipe,
    Polyhedron,
    Tube,
)
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.joints.planarity import is_planar
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.forces import FORCE_TYPES, TWO_POINTS
from mechstudio.model.types.joints import BALL, JOINT_TYPES, SLIDE, TURN
from mechstudio.symbolic.exports.pages.style import (
    INK,
    NOTE,
    READABLE,
    READABLE_CAST,
    SOFT,
    body_color,
    mixed,
    svg_text,
)
from mechstudio.symbolic.plan.closed_drawing import closed

AZIMUTH, ELEVATION = (
    math.radians(-60.0),
    math.radians(20.0),
)  # from where spatial mechanisms are seen
_ROUND = 24  # corners of a circle
_SLOPES = np.linspace(-np.pi / 2, np.pi / 2, 13)[1:-1]  # of the rings of a round form
_MOST_TRIANGLES = 4000  # of a mesh that is drawn with its faces
_LIGHT = np.array(
    [-0.35, 0.55, 0.76]
)  # towards the light, in the axes of the picture: from the upper left, mostly from the front
_FLAT = 0.02  # of the mechanism's size: bodies without solids are lines of this width
_EDGE = 8.0  # around the mechanism
_WHITE = "#FFFFFF"


class _View:
    """From W to the picture: right, up and towards the viewer."""

    def __init__(self, mechanism: Mechanism) -> None:
        joints = list(mechanism.joints.values())
        normal = None
        if joints and is_planar(mechanism, joints):
            turning = next(
                (j for j in joints for motion, _ in JOINT_TYPES[j.type].motions if motion == TURN),
                None,
            )
            if turning is not None:
                axis = next(a for motion, a in JOINT_TYPES[turning.type].motions if motion == TURN)
                normal = np.array(matrix(mechanism.frame_in_world(turning.frame_a)[1]))[:, axis]
        if normal is not None and abs(normal[2]) > 0.5:
            normal = None  # from above little is seen of most mechanisms
        self.flat = normal is not None
        if normal is None:
            normal = np.array(
                [
                    math.cos(ELEVATION) * math.cos(AZIMUTH),
                    math.cos(ELEVATION) * math.sin(AZIMUTH),
                    math.sin(ELEVATION),
                ]
            )
        else:
            # the front view looks along y; seen from the right and from above elsewhere
            k = int(np.argmax(np.abs(normal)))
            normal = normal * (-1.0 if k == 1 else 1.0) * np.sign(normal[k])
        up = np.array([0.0, 0.0, 1.0]) if abs(normal[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
        right = np.cross(up, normal)
        right /= np.linalg.norm(right)
        self.axes = np.array([right, np.cross(normal, right), normal])

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """(…, 3) in W to (…, 3): right, up, nearer."""
        return points @ self.axes.T


def svg(mechanism: Mechanism, width: float, height: float) -> str:
    """The mechanism with its joints closed, as it starts, and the names of bodies and joints;
    width, height: of the picture in its own units.
    """
    mechanism = closed(Project(mechanism)).mechanism
    view = _View(mechanism)
    size = max(mechanism.size(), 1e-9)
    faces = [
        f
        for id in (GROUND, *mechanism.bodies)
        for f in _faces(mechanism, mechanism.body(id), view, size)
    ]
    marks = _places(mechanism, view)
    points = (
        np.concatenate([*(f[1] for f in faces), *(p[None] for _, p in marks), np.zeros((0, 3))])
        if faces or marks
        else np.zeros((1, 3))
    )
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    room = np.array([width - 2 * _EDGE - 30.0, height - 2 * _EDGE - 16.0])
    scale = float((room / np.maximum(high - low, 1e-9 + size * 1e-3)).min())
    middle = (low + high) / 2

    def at(p: np.ndarray) -> tuple[float, float]:
        return width / 2 + scale * float(p[0] - middle[0]), height / 2 - scale * float(
            p[1] - middle[1]
        )

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}">'
    ]
    for _, corners, fill, stroke in sorted(faces, key=lambda f: f[0]):
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in map(at, corners))
        out.append(
            f'<polygon points="{path}" fill="{fill}" stroke="{stroke}" stroke-width="0.7" '
            f'stroke-linejoin="round"/>'
        )
    out += _springs(mechanism, view, at)
    out += [_glyph(mechanism, id, *at(p), view.flat) for id, p in marks]
    out += _labels(mechanism, view, at, marks, width)
    return "\n".join([*out, "</svg>"]) + "\n"


# solids


def _faces(
    mechanism: Mechanism, body: Body, view: _View, size: float
) -> Iterator[tuple[float, np.ndarray, str, str]]:
    """(depth, corners in the picture, fill, stroke) of the visible faces of a body."""
    origin, quaternion = body.placement.pose
    R, p = np.array(matrix(quaternion)), np.array(origin)
    color = body_color(body.color)
    if not body.shapes and body.id != GROUND:
        yield from _bones(mechanism, body, view, color)
    for shape in body.shapes:
        place, turn = shape.placement.pose
        S, s = np.array(matrix(turn)), np.array(place)
        paint = {"steel": "#AEB6C1", "cast": "#7E8795"}.get(shape.material, color)
        if body.id == GROUND:
            paint = mixed(paint, _WHITE, 0.4)
        loops = [view((loop @ S.T + s) @ R.T + p) for loop in faces(shape.form)]
        if not loops:
            continue
        depth = float(np.mean([loop[:, 2].mean() for loop in loops]))
        for k, loop in enumerate(loops):
            normal = _normal(loop)
            if normal[2] > 1e-6:
                light = float(normal @ _LIGHT)
                fill = mixed(mixed(paint, INK, 0.12), _WHITE, max(0.0, min(0.42, 0.40 * light)))
                smooth = (len(loop) == 4 and len(loops) > 6) or len(loop) == 3
                yield (
                    depth + 1e-6 * size * k / len(loops) * (1 if not smooth else 0),
                    loop,
                    fill,
                    fill if smooth else mixed(paint, INK, 0.55),
                )


def _normal(loop: np.ndarray) -> np.ndarray:
    following = np.roll(loop, -1, axis=0)
    n = np.cross(loop, following).sum(axis=0)
    return n / max(float(np.linalg.norm(n)), 1e-30)


def _bones(
    mechanism: Mechanism, body: Body, view: _View, color: str
) -> Iterator[tuple[float, np.ndarray, str, str]]:
    """A body without solids: bars between its joints."""
    places = [
        np.array(mechanism.frame_in_world(f)[0])
        for j in mechanism.joints.values()
        for f in (j.frame_a, j.frame_b)
        if f.body == body.id
    ]
    half = _FLAT * mechanism.size() / 2
    for a, b in itertools.pairwise(places):
        p, q = view(a), view(b)
        along = q[:2] - p[:2]
        if np.linalg.norm(along) > 1e-9:
            across = np.array([-along[1], along[0], 0.0]) / np.linalg.norm(along) * half
            yield (
                float((p[2] + q[2]) / 2),
                np.array([p + across, p - across, q - across, q + across]),
                mixed(color, _WHITE, 0.25),
                mixed(color, INK, 0.55),
            )


def _circle(radius: float, z: float, count: int = _ROUND) -> np.ndarray:
    t = 2 * np.pi * np.arange(count) / count
    return np.stack((radius * np.cos(t), radius * np.sin(t), np.full(count, z)), axis=1)


@functools.singledispatch
def faces(form: Form) -> list[np.ndarray]:
    """Faces of a form in its own axes, counter-clockwise seen from outside; round sides as
    quadrilaterals.
    """
    raise NotImplementedError(f"No drawing is known for a {type(form).__name__}.")


@faces.register
def _(form: Flat) -> list[np.ndarray]:
    return _prism(_hull(form.corners, form.radius), form.thickness)


@faces.register
def _(form: Block) -> list[np.ndarray]:
    x, y = form.x / 2, form.y / 2
    return _between(np.array([(-x, -y), (x, -y), (x, y), (-x, y)]), -form.z / 2, form.z / 2)


@faces.register
def _(form: Cylinder) -> list[np.ndarray]:
    return _between(_circle(form.radius, 0.0)[:, :2], -form.height / 2, form.height / 2)


@faces.register
def _(form: Tube) -> list[np.ndarray]:
    t = 2 * np.pi * np.arange(_ROUND + 1) / _ROUND
    return _hollow(form, np.stack((np.cos(t), np.sin(t)), axis=1))


@faces.register
def _(form: HalfPipe) -> list[np.ndarray]:
    t = np.pi * (np.arange(_ROUND // 2 + 1) / (_ROUND // 2) - 0.5)
    a, b, h = form.inner, form.outer, form.height / 2
    lip = np.array([(0.0, a, -h), (0.0, a, h), (0.0, b, h), (0.0, b, -h)])
    return [
        *_hollow(form, np.stack((np.cos(t), np.sin(t)), axis=1)),
        lip,
        lip[::-1] * (1.0, -1.0, 1.0),
    ]


def _hollow(form: Tube, way: np.ndarray) -> list[np.ndarray]:
    """Walls of a tube along directions (n, 2) from its axis: the bore first, which the others
    hide.
    """
    a, b, h = form.inner, form.outer, form.height / 2
    rings = [
        np.concatenate((r * way, np.full((len(way), 1), z)), axis=1)
        for r, z in ((a, h), (a, -h), (b, -h), (b, h), (a, h))
    ]
    return [
        np.array([low[k], low[k + 1], high[k + 1], high[k]])
        for low, high in itertools.pairwise(rings)
        for k in range(len(way) - 1)
    ]


@faces.register
def _(form: Frustum) -> list[np.ndarray]:
    bottom, top = (form.bottom, -form.height / 2), (max(form.top, 1e-6), form.height / 2)
    return _rings([_circle(*bottom), _circle(*top)])


@faces.register
def _(form: Capsule) -> list[np.ndarray]:
    half, r = form.height / 2, form.radius
    return _rings(
        [_circle(r * math.cos(a), r * math.sin(a) + (half if a >= 0 else -half)) for a in _SLOPES]
    )


@faces.register
def _(form: Ellipsoid) -> list[np.ndarray]:
    return [
        loop * (form.x / 2, form.y / 2, form.z / 2)
        for loop in _rings([_circle(math.cos(a), math.sin(a)) for a in _SLOPES])
    ]


@faces.register
def _(form: Polyhedron) -> list[np.ndarray]:
    points, triangles = meshes.arrays(form.mesh)
    return [points[t] for t in triangles[:: max(1, len(triangles) // _MOST_TRIANGLES)]]


def _hull(centers: Sequence[tuple[float, ...]], radius: float) -> np.ndarray:
    """The convex outline of discs about points of a plane, counter-clockwise."""
    t = 2 * np.pi * np.arange(_ROUND) / _ROUND
    rim = np.stack((np.cos(t), np.sin(t)), axis=1) * radius if radius > 0 else np.zeros((1, 2))
    points = sorted({(float(x), float(y)) for c in centers for x, y in np.asarray(c)[None] + rim})

    def half(ordered):
        out: list[tuple[float, float]] = []
        for p in ordered:
            while (
                len(out) > 1
                and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1])
                - (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])
                <= 0
            ):
                out.pop()
            out.append(p)
        return out[:-1]

    return np.array(half(points) + half(reversed(points)))


def _prism(outline: np.ndarray, thickness: float) -> list[np.ndarray]:
    """An outline in xz, thickness along y."""
    # (x, z) counter-clockwise runs clockwise seen from +y
    rotated = [
        np.stack((loop[:, 0], -loop[:, 2], loop[:, 1]), axis=1)
        for loop in _between(outline, -thickness / 2, thickness / 2)
    ]
    return rotated


def _between(outline: np.ndarray, low: float, high: float) -> list[np.ndarray]:
    """A counter-clockwise outline in xy drawn out along z."""
    raised = lambda z: np.concatenate((outline, np.full((len(outline), 1), z)), axis=1)
    return _rings([raised(low), raised(high)])


def _rings(rings: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Rings of equally many corners from bottom to top, with what lies between them, and the two
    ends.
    """
    out = []
    for low, high in itertools.pairwise(rings):
        n = len(low)
        out += [np.array([low[k], low[(k + 1) % n], high[(k + 1) % n], high[k]]) for k in range(n)]
    return [*out, rings[0][::-1], rings[-1]]


# what stands on the solids


def _places(mechanism: Mechanism, view: _View) -> list[tuple[str, np.ndarray]]:
    return [
        (id, view(np.array(mechanism.frame_in_world(j.frame_a)[0])))
        for id, j in mechanism.joints.items()
    ]


def _glyph(mechanism: Mechanism, id: str, x: float, y: float, flat: bool) -> str:
    """A mark where a joint is: a ring for what turns, a square for what slides, a filled dot for a
    ball, with hatching on ground.
    """
    joint = mechanism.joints[id]
    motions = {motion for motion, _ in JOINT_TYPES[joint.type].motions}
    ground = ""
    if flat and GROUND in (joint.frame_a.body, joint.frame_b.body):
        lines = "".join(f"M{x - 6 + 3 * k:.2f},{y + 8:.2f} l-2.4,3.4 " for k in range(5))
        ground = (
            f'<path d="M{x:.2f},{y:.2f} L{x - 5:.2f},{y + 8:.2f} H{x + 5:.2f} Z" fill="{_WHITE}" '
            f'fill-opacity="0.85" stroke="{SOFT}" stroke-width="0.8"/>'
            f'<path d="M{x - 8:.2f},{y + 8:.2f} H{x + 8:.2f} {lines}" fill="none" stroke="{SOFT}" '
            f'stroke-width="0.8"/>'
        )
    if BALL in motions:
        mark = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="2.4" fill="{INK}"/>'
    elif motions == {SLIDE}:
        mark = (
            f'<rect x="{x - 2.6:.2f}" y="{y - 2.6:.2f}" width="5.2" height="5.2" '
            f'fill="{_WHITE}" stroke="{INK}" stroke-width="1"/>'
        )
    else:
        mark = (
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="2.6" fill="{_WHITE}" stroke="{INK}" '
            f'stroke-width="1"/>'
        )
    return ground + mark


def _springs(mechanism: Mechanism, view: _View, at) -> Iterator[str]:
    """Forces between two points as zigzag lines."""
    for force in mechanism.forces.values():
        if (
            FORCE_TYPES[force.type].attachment != TWO_POINTS
            or force.frame_a is None
            or force.frame_b is None
        ):
            continue
        a, b = (
            np.array(at(view(np.array(mechanism.frame_in_world(f)[0]))))
            for f in (force.frame_a, force.frame_b)
        )
        length = float(np.linalg.norm(b - a))
        if length < 1e-6:
            continue
        across = np.array([-(b - a)[1], (b - a)[0]]) / length * 3.0
        turns = [
            a + (b - a) * (0.2 + 0.6 * k / 11) + (across if k % 2 else -across) for k in range(12)
        ]
        path = " ".join(
            f"{x:.2f},{y:.2f}" for x, y in [a, a + 0.18 * (b - a), *turns, b - 0.18 * (b - a), b]
        )
        yield (
            f'<polyline points="{path}" fill="none" stroke="{SOFT}" stroke-width="1" '
            f'stroke-linejoin="round"/>'
        )


def _labels(mechanism: Mechanism, view: _View, at, marks, width: float) -> Iterator[str]:
    """Names of joints beside their marks, of bodies in the middle of their joints, where there is
    room.
    """
    taken: list[tuple[float, float, float]] = []

    def free(x: float, y: float, text: str, size: float) -> bool:
        half = 0.29 * size * len(text)
        if any(abs(x - u) < half + w and abs(y - v) < size for u, v, w in taken):
            return False
        taken.append((x, y, half))
        return True

    for id, p in marks:
        x, y = at(p)
        name = mechanism.joints[id].name
        x, y = (
            min(x + 7.0 + 0.29 * 7.5 * (len(name) - 1), width - 0.3 * 7.5 * len(name) - 1),
            y - 5.0,
        )
        if free(x, y, name, 7.5):
            yield svg_text(name, x, y, 7.5, NOTE)
    for id, body in mechanism.bodies.items():
        places = [
            np.array(mechanism.frame_in_world(f)[0])
            for j in mechanism.joints.values()
            for f in (j.frame_a, j.frame_b)
            if f.body == id
        ]
        middle = np.mean(places, axis=0) if len(places) > 1 else np.array(body.placement.pose[0])
        x, y = at(view(middle))
        ink = READABLE_CAST if body.color < 0 else READABLE[body.color % len(READABLE)]
        for dy in (3.0, 14.0, -9.0, 24.0):
            if free(x, y + dy, body.name, 8.5):
                yield svg_text(
                    body.name, x, y + dy, 8.5, mixed(ink, INK, 0.25), more='font-weight="600"'
                )
                break
