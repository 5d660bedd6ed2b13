"""Path generation: linkages whose tracer goes through points in their order.

Random linkages are an atlas of curves.  Each is laid over the points by the turn, scale and shift
of least squares, and the nearest are refined in all their numbers.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.synthesis import defects
from mechstudio.synthesis.atlas import nearest
from mechstudio.synthesis.linkages import (
    LINKAGES,
    Linkage,
    LinkageType,
    Placed,
    moved,
    no_such_linkage,
)
from mechstudio.synthesis.refinement import Candidate, Task, distinct, refined, shifted
from mechstudio.translation import tr

STARTS = 60  # of them that are refined
EVALUATIONS = 80  # of the refinement of each
POLISHED, LAST = 5, 400  # best ones that are refined to their ends, with so many evaluations


def generate(
    points: Sequence[complex] | np.ndarray,
    type: str = "four_bar",
    task: Task = Task(),
    seed: int = 1,
    starts: int = STARTS,
    progress: Callable[[float], bool] = lambda _: True,
    heard: Callable[[Candidate], object] = lambda _: None,
) -> list[Candidate]:
    """Linkages of a type whose tracer goes through points x + i y [m], the best first.

    starts: linkages of the atlas that are refined.  progress: hears the share that is done, and
    gives False to stop.  heard: hears each linkage as it is found.
    Raises ValueError for fewer than three points, equal neighbours, or no linkage of such a type.
    """
    kind, target = _checked(points, type, task)
    # sizes are small beside a place far from the origin
    middle = complex(target.mean())
    target = target - middle
    task = shifted(task, -middle)
    found: list[Candidate] = []

    def back(c: Candidate) -> Candidate:
        p = moved(kind, c.linkage.parameters, np.array(1.0 + 0j), np.array(middle))
        return c._replace(linkage=c.linkage._replace(parameters=p))

    def add(linkage: Linkage | None) -> None:
        if linkage is not None and not defects.defect(linkage, task.turn, task.closed):
            off = np.abs(linkage.place(linkage.angles).pins[kind.tracer] - target)
            error = math.sqrt(float(np.mean(off**2)))
            sine = defects.transmission(linkage, task.turn or task.closed)
            if sine >= task.transmission:
                found.append(Candidate(linkage, error, sine, linkage.turns, float(off.max())))
                heard(back(found[-1]))

    begun = nearest(kind, target, np.random.default_rng(seed), starts, task)
    for k, start in enumerate(begun):
        if not progress(k / len(begun)):
            break
        add(_refined(type, target, start, task, EVALUATIONS))
    size = _size(target)
    # the best of them to their ends
    for best in distinct(sorted(found, key=lambda c: c.error), size)[:POLISHED]:
        own = best.linkage
        add(_refined(type, target, (own.parameters, own.sides, own.angles), task, LAST))
    return [back(c) for c in distinct(sorted(found, key=lambda c: c.error), size)]


def _checked(
    points: Sequence[complex] | np.ndarray, type: str, task: Task
) -> tuple[LinkageType, np.ndarray]:
    if type not in LINKAGES:
        raise ValueError(no_such_linkage(type))
    target, timing = np.asarray(points, complex), task.timing
    if len(target) < 3 or not np.isfinite(target).all():
        raise ValueError(tr("A path has at least three points."))
    if np.abs(np.diff(target)).min() == 0.0:
        raise ValueError(tr("Two neighbouring points of the path are the same."))
    if task.closed and target[0] == target[-1]:
        raise ValueError(
            tr("The last point of the loop is the first again: leave it out of a closed path.")
        )
    if timing is not None:
        if len(timing) != len(target):
            raise ValueError(tr("Each point needs its crank angle."))
        steps = np.diff(timing)
        one_way = (steps > 0).all() or (steps < 0).all()
        if not one_way or abs(timing[-1] - timing[0]) >= 2 * np.pi:
            raise ValueError(tr("The crank goes one way, through less than a turn."))
    return LINKAGES[type], target


def _refined(
    type: str,
    target: np.ndarray,
    start: tuple[np.ndarray, np.ndarray, np.ndarray],
    task: Task,
    evaluations: int,
) -> Linkage | None:
    """The linkage of least squares near a start; None where it degenerates."""
    tracer = LINKAGES[type].tracer
    size = _size(target)

    def misses(placed: Placed) -> np.ndarray:
        off = (placed.pins[tracer] - target) / size
        return np.concatenate((off.real, off.imag), axis=-1)

    return refined(type, start, task, size, misses, evaluations)


def _size(target: np.ndarray) -> float:
    return float(np.ptp(np.real(target)) + np.ptp(np.imag(target)))
