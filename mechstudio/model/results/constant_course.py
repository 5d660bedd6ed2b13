"""Courses of constants of the motion over a run: the one place that says whether a run has kept
them.

One of the modules of this floor that use numpy: it goes over all samples of a run, for engine and
window alike.
"""

import msgspec
import numpy as np

from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.results.analysis import Conserved
from mechstudio.model.results.sample import SampleLayout

KEPT = 1e-6  # change over the largest momentum from which a constant has not been kept
REST = 1e-12  # momentum below which nothing moves [SI]


class Verdict(msgspec.Struct, frozen=True):
    """A constant over a run.  value: at the start; change: largest [kg m/s or kg m^2/s]; kept: None
    if nothing moved.
    """

    conserved: Conserved
    value: float
    change: float
    kept: bool | None


def verdict(
    constant: Conserved, mechanism: Mechanism, layout: SampleLayout, rows: np.ndarray
) -> Verdict:
    """Verdict on a constant over samples (s, width).  Kept means within KEPT of the largest
    momentum of its bodies.
    """
    values, scale = course(constant, mechanism, layout, rows)
    change = float(np.abs(values - values[:1]).max(initial=0.0))
    largest = float(scale.max(initial=0.0))
    return Verdict(
        constant,
        float(values[0]) if len(values) else 0.0,
        change,
        None if largest <= REST else change <= KEPT * largest,
    )


def course(
    constant: Conserved, mechanism: Mechanism, layout: SampleLayout, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """w.N + v.p at samples (s, width), and the product of lengths |w| |N| + |v| |p|, each (s,) [kg
    m/s or kg m^2/s].
    """
    p, n, center = _momenta(constant.bodies, mechanism, layout, rows)
    w, v = np.array(constant.twist[:3]), np.array(constant.twist[3:])
    lengths = np.linalg.norm(w), np.linalg.norm(v)
    if constant.central:
        n = n - np.cross(center, p)
    elif constant.carrier != GROUND:
        pose = rows[:, layout.pose(constant.carrier)]
        R = matrices(pose[:, 3:])
        n, w, v = n - np.cross(pose[:, :3], p), R @ w, R @ v
    return (n * w).sum(axis=1) + (p * v).sum(axis=1), np.linalg.norm(n, axis=1) * lengths[
        0
    ] + np.linalg.norm(p, axis=1) * lengths[1]


def _momenta(
    bodies: tuple[str, ...], mechanism: Mechanism, layout: SampleLayout, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """p, N about W's origin and the centre of mass of some bodies, each (s, 3) in W; of all where
    none are named.
    """
    parts = [_of_body(id, mechanism, layout, rows) for id in bodies or layout.bodies]
    p = sum((part[0] for part in parts), np.zeros(3))
    N = sum((part[1] for part in parts), np.zeros(3))
    first = sum((part[2] for part in parts), np.zeros(3))
    mass = sum(part[3] for part in parts)
    return p, N, first / mass if mass else first


def _of_body(
    id: str, mechanism: Mechanism, layout: SampleLayout, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """p = m v_G, N = r_G x p + R I w, m r_G and m of one body, with v_G = v_O + R (w x c)."""
    own = mass_properties(mechanism.bodies[id])
    at = layout.velocities.start + 6 * layout.bodies.index(id)
    pose, velocity, w = rows[:, layout.pose(id)], rows[:, at : at + 3], rows[:, at + 3 : at + 6]
    R, c = matrices(pose[:, 3:]), np.array(own.center)
    p = own.mass * (velocity + rotated(R, np.cross(w, c)))
    center = pose[:, :3] + R @ c
    return (
        p,
        np.cross(center, p) + rotated(R, w @ np.array(own.inertia)),
        own.mass * center,
        own.mass,
    )


def rotated(R: np.ndarray, v: np.ndarray) -> np.ndarray:
    """R v of matrices (s, 3, 3) and vectors (s, 3)."""
    rotated: np.ndarray = (R @ v[..., None])[..., 0]
    return rotated


def matrices(q: np.ndarray) -> np.ndarray:
    """R (s, 3, 3) of unit quaternions (s, 4), body axes to W."""
    w, x, y, z = q.T
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
