"""Instant centres and screw axes of one body against another, and the centrodes on which they
run.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mechstudio.application.marks.figures.figure import Line, Symbol
from mechstudio.application.marks.places import body_point, carried_motion
from mechstudio.application.marks.trails import Cut
from mechstudio.application.scene.instances import IDENTITY, cross, rotate
from mechstudio.model.edits.marks import Place
from mechstudio.model.joints.planarity import is_planar
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES

STILL = 1e-9  # of the fastest motion of any body of the run: below, there is no centre
FAR = 6.0  # sizes of the mechanism beyond which a centrode is not drawn
MOST = 4000  # samples of a run that a centrode is drawn through
AXIS = 0.6  # half a screw axis, in sizes of the mechanism
FINE = 400.0  # parts of the size that a centrode is drawn to; where it lies over itself, once
PITCHLESS = 1e-6  # of the mechanism's size: a pitch that is rounding [m/rad]


class Screw(NamedTuple):
    """Motion of one body against another at samples (n).  point, axis (n, 3): a point of the screw
    axis, the nearest to the first body's centre of mass, and its unit vector, in W [m]; NaN where
    it does not turn.  pitch (n,) [m/rad].  turning (n,): angular velocity about it [rad/s].
    """

    point: np.ndarray
    axis: np.ndarray
    pitch: np.ndarray
    turning: np.ndarray


def screw(
    m: Mechanism, layout: SampleLayout, rows: np.ndarray, body: str, other: str, fastest: float = 0
) -> Screw:
    """The screw axis of a body against another at samples (n, layout.width): x = p + ω × v / ω²
    with the velocity v of the body's centre of mass p against the other body.

    fastest: result of `fastest` for the run, relative to which the body counts as turning.
    """
    at = _placed(layout, rows, body, _centre(m, body))
    w1, v1 = carried_motion(layout, rows, body, at)
    w2, v2 = carried_motion(layout, rows, other, at)
    w, v = w1 - w2, v1 - v2
    size = np.linalg.norm(w, axis=1)
    turns = size > STILL * max(fastest, float(size.max(initial=0.0)))
    square = np.where(turns, size, np.nan)[:, None] ** 2
    pitch = (w * v).sum(axis=1) / square[:, 0]
    return Screw(at + cross(w, v) / square, w / np.sqrt(square), pitch, size)


def fastest(layout: SampleLayout, rows: np.ndarray, size: float) -> float:
    """Largest angular velocity of a body at samples (n, layout.width) [rad/s], or velocity over the
    size [m] of the mechanism where that is more: a rod of a parallelogram turns by rounding alone.
    """
    both = np.linalg.norm(rows[:, layout.velocities].reshape(-1, 2, 3), axis=2)
    return float(np.nanmax(both / (max(size, 1e-300), 1.0), initial=0.0))


def _centre(m: Mechanism, body: str) -> np.ndarray:
    """Centre of mass (3,) in the axes of a body [m]."""
    at = body_point(m, Place(body))
    assert at is not None, "marks whose places are not there are left out"
    return np.array(at.local, float)


def _pose(layout: SampleLayout, rows: np.ndarray, body: str) -> np.ndarray:
    if body == GROUND:
        return np.broadcast_to(np.array([0.0, 0.0, 0.0, *IDENTITY]), (len(rows), 7))
    return rows[:, layout.pose(body)]


def _placed(layout: SampleLayout, rows: np.ndarray, body: str, local: np.ndarray) -> np.ndarray:
    pose = _pose(layout, rows, body)
    return pose[:, :3] + rotate(pose[:, 3:], local[None])


def local(layout: SampleLayout, rows: np.ndarray, body: str, points: np.ndarray) -> np.ndarray:
    """Points (n, 3) of W in the axes of a body at the same samples."""
    pose = _pose(layout, rows, body)
    return rotate(pose[:, 3:] * (1.0, -1.0, -1.0, -1.0), points - pose[:, :3])


class Pole(NamedTuple):
    """The screw of a pair at an instant.  flat: it is an instant centre.  pins: points of W on the
    dashed lines that meet in it.  words: "coupler / ground".
    """

    point: np.ndarray
    axis: np.ndarray
    pitch: float
    flat: bool
    away: float
    pins: tuple[np.ndarray, ...]
    words: str


def pole(
    m: Mechanism,
    layout: SampleLayout,
    sample: np.ndarray,
    pair: tuple[str, str],
    fastest: float,
    size: float,
) -> Pole | None:
    """The screw of a body against another at a sample (layout.width,); None where they do not turn
    against each other.
    """
    rows = sample[None]
    found = screw(m, layout, rows, *pair, fastest)
    point, axis, pitch = found.point[0], found.axis[0], float(found.pitch[0])
    if not np.isfinite(point).all() or not np.isfinite(axis).all():
        return None
    flat = abs(pitch) <= PITCHLESS * size and is_planar(m, m.joints.values())
    names = [m.body(id).name for id in pair]
    pins = tuple(_pins(m, layout, rows, pair)) if flat else ()
    away = float(np.linalg.norm(point - _placed(layout, rows, pair[0], _centre(m, pair[0]))[0]))
    return Pole(point, axis, pitch, flat, away, pins, " / ".join(names))


def _pins(
    m: Mechanism, layout: SampleLayout, rows: np.ndarray, pair: tuple[str, str]
) -> Iterator[np.ndarray]:
    """Pins of the first body to a third one that is itself pinned to the second: by Kennedy's
    theorem the centre lies on the line through both pins, and the pin is its nearer end.
    """
    body, other = pair
    for joint in m.joints.values():
        if not JOINT_TYPES[joint.type].is_pin:
            continue
        ends = (joint.frame_a.body, joint.frame_b.body)
        if body in ends and other not in ends:
            third = ends[1 - ends.index(body)]
            if any(
                JOINT_TYPES[j.type].is_pin and {j.frame_a.body, j.frame_b.body} == {third, other}
                for j in m.joints.values()
            ):
                frame = joint.frame_a if joint.frame_a.body == body else joint.frame_b
                yield _placed(layout, rows, body, np.array(m.frame_in_body(frame)[0]))[0]


def drawn(found: Pole, size: float, words: str, far: str) -> Iterator[Line | Symbol]:
    """Parts of a pole's figure.  words: its label; far: the same where it is out of sight."""
    if found.flat:
        for pin in found.pins:
            # in the plane of the picture, as the pins lie at other depths than the centre
            flat_pin = pin + ((found.point - pin) @ found.axis) * found.axis
            yield Line(np.array([flat_pin, found.point]), role="text2", dashed=True, hidden=0.7)
        yield Symbol("pole", found.point, words=words, far=far)
        return
    reach = AXIS * size * found.axis
    ends = np.array([found.point - reach, found.point + reach])
    yield Line(ends, role="text", width=1.7, dashed=True, hidden=0.7)
    yield Symbol("screw_axis", found.point, words=words)


def centrodes(
    m: Mechanism,
    layout: SampleLayout,
    rows: np.ndarray,
    pair: tuple[str, str],
    fastest: float,
    size: float,
) -> Iterator[Line]:
    """Curves of the instant centre on both bodies over samples: the fixed one on the second body,
    the moving one, dashed, on the first.  None of a mechanism in space.
    """
    if not is_planar(m, m.joints.values()) or not len(rows):
        return
    picked = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST)).astype(int))]
    found = screw(m, layout, picked, *pair, fastest)
    near = np.abs(found.point - m_middle(layout, picked)).max(axis=1) <= FAR * size
    for k, id in enumerate(reversed(pair)):
        points = local(layout, picked, id, found.point)
        shown = m.body(id).color if id != GROUND else -1
        role = "" if id != GROUND else "text2"
        points[~near] = np.nan
        cut = Cut(size / FINE, True)
        cut.feed(points)
        for part in _joined(points, cut.pieces):
            yield Line(part, id, role, shown, width=1.8, dashed=k == 1, hidden=0.5)


def m_middle(layout: SampleLayout, rows: np.ndarray) -> np.ndarray:
    """Middle (3,) of the origins of all bodies over samples [m]."""
    places = rows[:, layout.poses].reshape(-1, 7)[:, :3]
    return places[np.isfinite(places).all(axis=1)].mean(axis=0)


def _joined(points: np.ndarray, pieces: np.ndarray) -> Iterator[np.ndarray]:
    """Polylines of pieces (k, 2), numbers of points, that follow each other."""
    if len(pieces):
        cuts = np.flatnonzero(pieces[1:, 0] != pieces[:-1, 1]) + 1
        for part in np.split(pieces, cuts):
            yield points[np.r_[part[:, 0], part[-1, 1]]]
