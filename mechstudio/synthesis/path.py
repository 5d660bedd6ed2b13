"""Path generation: linkages whose tracer goes through points in their order.

Random linkages are an atlas of curves.  Each is laid over the points by the turn, scale and shift
of least squares, and the nearest are refined in all their numbers.
"""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.model.findings import listed
from mechstudio.synthesis import defects
from mechstudio.synthesis.atlas import CURVE, random_linkages
from mechstudio.synthesis.linkages import LINKAGES, Linkage, LinkageType, Placed, moved
from mechstudio.synthesis.refinement import Candidate, Task, distinct, refined
from mechstudio.translation import tr

ATLAS = 6000  # random linkages
STARTS = 60  # of them that are refined
SPANS = (0.25, 0.4, 0.55, 0.7, 0.85)  # parts of a curve on which the points may lie
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
    task = _shifted(task, -middle)
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

    begun = _starts(kind, target, np.random.default_rng(seed), starts, task)
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


def _shifted(task: Task, shift: complex) -> Task:
    """The conditions beside points that are shifted."""
    if task.region is None:
        return task
    x0, y0, x1, y1 = task.region
    x, y = shift.real, shift.imag
    return task._replace(region=(x0 + x, y0 + y, x1 + x, y1 + y))


def _checked(
    points: Sequence[complex] | np.ndarray, type: str, task: Task
) -> tuple[LinkageType, np.ndarray]:
    if type not in LINKAGES:
        raise ValueError(
            tr(
                "There is no linkage {type}; there are {known}.",
                type=type,
                known=listed(list(LINKAGES)),
            )
        )
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


def _starts(
    kind: LinkageType,
    target: np.ndarray,
    rng: np.random.Generator,
    starts: int,
    task: Task,
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Parameters, sides and crank angles of the linkages of the atlas that lie nearest."""
    p, sides, angles, placed = random_linkages(kind, ATLAS, rng, task.turn or task.closed)
    curve = placed.pins[kind.tracer]
    whole = angles[:, -1] - angles[:, 0] > 2 * np.pi * (1 - 1.5 / CURVE)
    # parts of a turn between the first point and each
    if task.timing is not None:
        parts = [np.asarray(task.timing) / (2 * np.pi)]
    else:
        around = np.append(target, target[0]) if task.closed else target
        chords = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(around)))))
        chords = chords[: len(target)] / chords[-1]
        parts = [span * chords for span in ((1.0,) if task.closed else SPANS)]
    wanted = target - target.mean()
    best = np.full(len(p), np.inf)
    turns, shifts = np.zeros(len(p), complex), np.zeros(len(p), complex)
    own_angles = np.zeros((len(p), len(target)))
    for first in np.linspace(0.0, 1.0, 18, endpoint=False):
        for part_of, way in itertools.product(parts, (1.0, -1.0)):
            share = first + way * part_of
            inside = whole | ((share.min() >= 0.0) & (share.max() <= 1.0))
            at = share * CURVE
            places = np.mod(np.floor(at).astype(int), CURVE)
            after = np.mod(places + 1, CURVE)
            part = at - np.floor(at)
            z = curve[:, places] * (1 - part) + curve[:, after] * part
            middle = z.mean(axis=1)
            z = z - middle[:, None]
            squares = np.maximum((np.abs(z) ** 2).sum(axis=1), 1e-30)
            turn_of = (np.conj(z) @ wanted) / squares
            error = (np.abs(wanted) ** 2).sum() - np.abs(turn_of) ** 2 * squares
            error = np.where(inside, error, np.inf)
            better = error < best
            best[better] = error[better]
            turns[better] = turn_of[better]
            shifts[better] = (target.mean() - turn_of * middle)[better]
            spread = angles[:, -1] - angles[:, 0] + np.where(whole, 2 * np.pi / CURVE, 0.0)
            own = angles[:, :1] + spread[:, None] * share[None, :]
            own_angles[better] = own[better]
    order = np.argsort(best)[:starts]
    out = []
    for k in order.tolist():
        if np.isfinite(best[k]):
            q = moved(kind, p[k], np.array(turns[k]), np.array(shifts[k]))
            out.append((q, sides[k], own_angles[k] + np.angle(turns[k])))
    return out


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
