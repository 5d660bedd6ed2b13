"""Points of bodies that marks belong to: where they lie, how they are called, and how they move."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.instances import IDENTITY, cross, rotate
from mechstudio.model.edits.marks import Place, is_there
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.results.sample import SampleLayout


class BodyPoint(NamedTuple):
    """Point fixed to a body.  body: id; local: point in its axes [m]; name: of the point or joint,
    the body's own for its centre of mass.
    """

    body: str
    local: tuple[float, float, float]
    name: str


class _Known:
    """Points of the last drawing requested: arrows need them in every frame."""

    def __init__(self) -> None:
        self.mechanism: Mechanism | None = None
        self.points: dict[Place, BodyPoint | None] = {}


_known = _Known()


def body_point(m: Mechanism, at: Place) -> BodyPoint | None:
    """The point of a place; None if its element does not exist.  A joint stands for the origin of
    its frame on the second body, or on the first one where the second is the ground.
    """
    if _known.mechanism is not m:
        _known.mechanism, _known.points = m, {}
    if at not in _known.points:
        _known.points[at] = _found(m, at)
    return _known.points[at]


def _found(m: Mechanism, at: Place) -> BodyPoint | None:
    if not is_there(m, at) or not (at.joint or at.body):
        return None
    if at.joint:
        joint = m.joints[at.joint]
        frame = joint.frame_b if joint.frame_b.body != GROUND else joint.frame_a
        return BodyPoint(frame.body, m.frame_in_body(frame)[0], joint.name)
    body = m.body(at.body)
    if at.point:
        return BodyPoint(at.body, body.point(at.point), at.point)
    return BodyPoint(at.body, mass_properties(body).center, body.name)


def color(m: Mechanism, body: str) -> int:
    """Index of a body's series colour, -1 of the ground."""
    return m.body(body).color if body != GROUND else -1


def places_of(m: Mechanism, id: str) -> tuple[Place, ...]:
    """The places that a selected element stands for: a joint; of a body its own named points, or
    else its centre of mass.
    """
    if id in m.joints:
        return (Place(joint=id),)
    if id not in m.bodies:
        return ()
    named = tuple(Place(id, p.name) for p in m.bodies[id].points)
    return named or (Place(id),)


def positions(layout: SampleLayout, rows: np.ndarray, at: BodyPoint) -> np.ndarray:
    """Places (n, 3) in W [m] of a point at samples (n, layout.width)."""
    local = np.array(at.local, float)
    if at.body == GROUND:
        return np.broadcast_to(local, (len(rows), 3)).copy()
    pose = rows[:, layout.pose(at.body)]
    return pose[:, :3] + rotate(pose[:, 3:], local[None])


def velocities(layout: SampleLayout, rows: np.ndarray, at: BodyPoint) -> np.ndarray:
    """Velocities (n, 3) in W [m/s] of a point at samples (n, layout.width): v_O + R (w x r)."""
    if at.body == GROUND:
        return np.zeros((len(rows), 3))
    k = layout.bodies.index(at.body)
    both = rows[:, layout.velocities][:, 6 * k : 6 * k + 6]
    turning = cross(both[:, 3:], np.array(at.local, float)[None])
    return both[:, :3] + rotate(rows[:, layout.pose(at.body)][:, 3:], turning)


def carried_motion(
    layout: SampleLayout, rows: np.ndarray, body: str, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity (n, 3) of a body in W [rad/s], and velocities (n, 3) of the points of it
    that are at points (n, 3) of W [m/s].
    """
    if body == GROUND:
        return np.zeros_like(points), np.zeros_like(points)
    k, pose = layout.bodies.index(body), rows[:, layout.pose(body)]
    both = rows[:, layout.velocities][:, 6 * k : 6 * k + 6]
    w = rotate(pose[:, 3:], both[:, 3:])
    return w, both[:, :3] + cross(w, points - pose[:, :3])


def moving_points(
    layout: SampleLayout, row: np.ndarray, points: Sequence[BodyPoint]
) -> tuple[np.ndarray, np.ndarray]:
    """Places [m] and velocities [m/s], both (k, 3) in W, of points at a sample (layout.width,)."""
    index = {id: k for k, id in enumerate(layout.bodies)}
    numbers = np.array([index.get(at.body, len(index)) for at in points])
    still = np.array([[0.0, 0.0, 0.0, *IDENTITY]])
    poses = np.concatenate([row[layout.poses].reshape(-1, 7), still])[numbers]
    both = np.concatenate([row[layout.velocities].reshape(-1, 6), np.zeros((1, 6))])[numbers]
    local = np.array([at.local for at in points], float)
    places = poses[:, :3] + rotate(poses[:, 3:], local)
    return places, both[:, :3] + rotate(poses[:, 3:], cross(both[:, 3:], local))
