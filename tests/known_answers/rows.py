"""The row of the table of known answers: a case, its answer in closed form, the source of the
answer and the bound of the error.
"""

from collections.abc import Callable

import msgspec
import numpy as np

import mechstudio as ms
from mechstudio.api.result import Result
from mechstudio.model.project import Project

# label, length [m], mass [kg]: the extremes that cases are scaled to
SIZES = (("micro", 1e-6, 1e-9), ("usual", 0.3, 2.0), ("huge", 1e3, 1e6))


class Row(msgspec.Struct, frozen=True):
    """One known answer.

    build: the project.  duration, samples: of its run [s].  options: more for simulate.
    measure(result): numbers, mostly one for each sample.
    answer(t): the same by the closed form at the times of the samples.  source: the closed form in
    words.  bound: largest error over `size`, which is the largest answer unless given.
    """

    name: str
    build: Callable[[], Project]
    duration: float
    measure: Callable[[Result], np.ndarray]
    answer: Callable[[np.ndarray], np.ndarray]
    source: str
    bound: float
    size: float = 0.0
    samples: int = 40
    options: dict = {}
    slow: bool = False


def error(row: Row) -> float:
    """Largest error of a row over its size."""
    result = ms.simulate(
        row.build(), duration=row.duration, sample_step=row.duration / row.samples, **row.options
    )
    return distance(row, row.measure(result), result.time)


def distance(row: Row, measured: np.ndarray, time: np.ndarray) -> float:
    """Largest distance of measured numbers from the answer, over the row's size; infinite where a
    number is missing.
    """
    measured, known = np.asarray(measured, float), np.asarray(row.answer(time), float)
    if not (np.isfinite(measured).all() and np.isfinite(known).all()):
        return np.inf
    return float(np.abs(measured - known).max() / (row.size or np.abs(known).max()))


def coordinate(joint: str, k: int = 0) -> Callable[[Result], np.ndarray]:
    """A joint coordinate over the samples."""
    return lambda result: result.joint_coordinates[joint][:, k]


def coordinates(joint: str, *which: int) -> Callable[[Result], np.ndarray]:
    """Several coordinates of a joint, (samples, n)."""
    return lambda result: result.joint_coordinates[joint][:, list(which)]


def energy_off(result: Result) -> np.ndarray:
    """Error of the energy over the largest kinetic energy."""
    return result.energy_balance / result.kinetic_energy.max()


def oscillation(
    t: np.ndarray, mass: float, stiffness: float, damping: float, start: float, speed: float
) -> np.ndarray:
    """x of m x'' + c x' + k x = 0: weak, critical and strong damping in one."""
    d = damping / (2.0 * mass)
    w = np.emath.sqrt(stiffness / mass - d * d + 0j)
    # e^(-d t) sin(w t) / w by exponentials that cannot overflow
    fast, slow = np.exp((1j * w - d) * t), np.exp((-1j * w - d) * t)
    swing = (fast - slow) / (2j * w) if abs(w) > 1e-7 * max(d, 1e-300) else t * np.exp(-d * t)
    return np.real(start * 0.5 * (fast + slow) + (speed + d * start) * swing)
