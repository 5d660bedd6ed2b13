"""Refinement of a linkage in all its numbers by least squares, within the conditions on it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mechstudio.synthesis import defects
from mechstudio.synthesis.linkages import LENGTH, LINKAGES, OFFSET, POSITION, Linkage, Placed

OUTSIDE = 10.0  # weight of unreached poses
STEP = 1e-6  # of differences, of unknowns by their size
WATCHED = 36  # crank angles of a turn at which it may not come apart
MARGIN = 1.06  # of the sine requested: least squares come to rest a little beyond their aim
LEAST_STEP = 1e-3  # [rad] between two points
TINY, HUGE = 1e-3, 50.0  # sizes beyond which no one builds a linkage
SAME = 1e-2  # part of the size within which two linkages are one


class Task(NamedTuple):
    """Conditions on a linkage.

    closed: the last point leads to the first again, and the crank turns on.  turn: the crank must
    be able to turn all the way round.  lengths [m]: least and greatest of links.  region [m]: least
    x, y and greatest x, y of pivots on ground.  timing [rad]: crank angles between the first point
    and each; None where they are free.  transmission: least sine of the angles between links that
    push each other.  timing_is_signed: its angles go the way that their signs say, else either.
    """

    closed: bool = False
    turn: bool = True
    lengths: tuple[float, float] | None = None
    region: tuple[float, float, float, float] | None = None
    timing: tuple[float, ...] | None = None
    transmission: float = 0.0
    timing_is_signed: bool = False


class Candidate(NamedTuple):
    """A linkage that answers.  error: root mean square distance [m] of the points from the tracer
    (of poses, angles or slides: in their unit).  transmission: least sine of the angles between
    links that push each other.  turns: the crank can turn all the way round.  worst: greatest
    distance [m] of a point from the tracer (of a function: what its output is off most).
    """

    linkage: Linkage
    error: float
    transmission: float
    turns: bool
    worst: float


def by_size(linkage: Linkage, size: float) -> np.ndarray:
    """Parameters (n,) of a linkage: lengths and places by a size [m], angles [rad]."""
    out, kind = linkage.parameters.copy(), LINKAGES[linkage.type]
    out[np.concatenate([kind.kinds(k) for k in (POSITION, LENGTH, OFFSET)])] /= size
    return out


def distinct(found: Sequence[Candidate], size: float) -> list[Candidate]:
    """Candidates without those that are the same linkage as one before."""
    out: list[Candidate] = []
    for c in found:
        same = (
            other
            for other in out
            if other.linkage.type == c.linkage.type
            and np.abs(by_size(other.linkage, size) - by_size(c.linkage, size)).max() < SAME
        )
        if next(same, None) is None:
            out.append(c)
    return out


def shifted(task: Task, shift: complex) -> Task:
    """The conditions beside points that are shifted."""
    if task.region is None:
        return task
    x0, y0, x1, y1 = task.region
    x, y = shift.real, shift.imag
    return task._replace(region=(x0 + x, y0 + y, x1 + x, y1 + y))


def refined(
    type: str,
    start: tuple[np.ndarray, np.ndarray, np.ndarray],
    task: Task,
    size: float,
    misses: Callable[[Placed], np.ndarray],
    evaluations: int,
    fixed: np.ndarray | None = None,
) -> Linkage | None:
    """The linkage of least squares near a start; None where it degenerates.

    start: parameters, sides, crank angles.  size [m]: of the requested poses.  misses: poses (...,
    k) to what is requested and missed (..., r).  fixed (n,): True for parameters that stay.
    """
    from scipy.optimize import least_squares

    problem = _Problem(type, start, task, size, misses, fixed)
    low, high = problem.bounds(task)
    slopes: Any = problem.slopes  # scipy declares the name of a scheme alone
    inner = 1e-6 * np.minimum(1.0, high - low)
    found = least_squares(
        problem.residuals,
        np.clip(problem.start, low + inner, high - inner),
        jac=slopes,
        bounds=(low, high),
        x_scale="jac",
        max_nfev=evaluations,
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    )
    linkage = Linkage(type, problem.parameters(found.x), start[1], problem.crank(found.x))
    sizes = by_size(linkage, size)
    if sizes[LINKAGES[type].kinds(LENGTH)].min() <= TINY or np.abs(sizes).max() > HUGE:
        return None
    return linkage


class _Problem:
    """Least squares of one linkage: unknowns are its numbers by the size, the first crank angle,
    and the steps to the next ones, all in one way, so that the order is kept.
    """

    def __init__(
        self,
        type: str,
        start: tuple[np.ndarray, np.ndarray, np.ndarray],
        task: Task,
        size: float,
        misses: Callable[[Placed], np.ndarray],
        fixed: np.ndarray | None,
    ) -> None:
        p, self._sides, angles = start
        self._kind, self._misses = LINKAGES[type], misses
        self._way = 1.0 if angles[-1] >= angles[0] else -1.0
        self._times = None if task.timing is None else np.asarray(task.timing, float)
        if self._times is not None and task.timing_is_signed:
            self._way = 1.0
        self._fixed = np.zeros(len(p), bool) if fixed is None else fixed
        self._base = np.array(p, float)
        self._size = size
        scale = np.ones(len(p))
        scale[np.concatenate([self._kind.kinds(k) for k in (POSITION, LENGTH, OFFSET)])] = size
        self._scale = scale[~self._fixed]
        self._count = len(self._scale)
        self._room = max(2 * defects.TIGHT, MARGIN * task.transmission)
        self._around = None
        if task.turn or task.closed:
            self._around = np.linspace(0.0, 2 * np.pi, WATCHED, endpoint=False)
        steps = np.maximum(self._way * np.diff(angles), LEAST_STEP)
        more = angles[:1] if self._times is not None else np.concatenate((angles[:1], steps))
        self.start = np.concatenate((self._base[~self._fixed] / self._scale, more))

    def parameters(self, x: np.ndarray) -> np.ndarray:
        """Parameters (..., n) of unknowns (..., m)."""
        out = np.broadcast_to(self._base, (*x.shape[:-1], len(self._base))).copy()
        out[..., ~self._fixed] = x[..., : self._count] * self._scale
        return out

    def crank(self, x: np.ndarray) -> np.ndarray:
        """Crank angles (..., k) of unknowns (..., m)."""
        first = x[..., self._count, None]
        if self._times is not None:
            return first + self._way * self._times
        steps = np.cumsum(x[..., self._count + 1 :], axis=-1)
        return np.concatenate((first, first + self._way * steps), axis=-1)

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """Misses (..., r), then the room that dyads lack where the crank has to pass, and what the
        steps are more than a turn.
        """
        p, angles = self.parameters(x), self.crank(x)
        between = (angles[..., 1:] + angles[..., :-1]) / 2
        passed = between
        if self._around is not None:
            passed = np.broadcast_to(self._around, (*angles.shape[:-1], WATCHED))
        # placed at once: the calls take longer than the numbers
        whole = self._kind.place(p, self._sides, np.concatenate((angles, passed), axis=-1))
        lacks = OUTSIDE * np.minimum(whole.room - self._room, 0.0)
        count = angles.shape[-1]
        pins = {name: at[..., :count] for name, at in whole.pins.items()}
        placed = Placed(pins, whole.room[..., :count])
        over = np.abs(angles[..., -1:] - angles[..., :1]) - 2 * np.pi + LEAST_STEP
        over = OUTSIDE * np.maximum(over, 0.0)
        return np.concatenate((self._misses(placed), lacks, over), axis=-1)

    def slopes(self, x: np.ndarray) -> np.ndarray:
        """Slopes (r, m) by central differences, all at once."""
        steps = STEP * np.eye(len(x))
        found = self.residuals(np.concatenate((x + steps, x - steps)))
        return ((found[: len(x)] - found[len(x) :]) / (2 * STEP)).T

    def bounds(self, task: Task) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest of the unknowns."""
        n = len(self._base)
        low, high = np.full(n, -np.inf), np.full(n, np.inf)
        at = self._kind.kinds(LENGTH)
        low[at] = 0.0
        if task.lengths is not None:
            low[at], high[at] = np.array(task.lengths) / self._size
        if task.region is not None:
            at = self._kind.kinds(POSITION)
            low[at[::2]], low[at[1::2]] = np.array(task.region[:2]) / self._size
            high[at[::2]], high[at[1::2]] = np.array(task.region[2:]) / self._size
        angles = len(self.start) - self._count
        free = np.full(angles, -np.inf)
        free[1:] = LEAST_STEP / 2
        return (
            np.concatenate((low[~self._fixed], free)),
            np.concatenate((high[~self._fixed], np.full(angles, np.inf))),
        )
