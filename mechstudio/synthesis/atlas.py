"""Atlas of linkages: random ones in the poses of a turn, or of the arc that their cranks can go."""

import itertools

import numpy as np

from mechstudio.synthesis.linkages import (
    ANGLE,
    LENGTH,
    OFFSET,
    POSITION,
    LinkageType,
    Placed,
    along,
    moved,
)
from mechstudio.synthesis.refinement import Task

CURVE = 90  # poses of each
ATLAS = 6000  # random linkages that are laid over points
SPANS = (0.25, 0.4, 0.55, 0.7, 0.85)  # parts of a curve on which the points may lie
TIGHT = 0.1  # sine between links that one of the atlas keeps


def random_linkages(
    kind: LinkageType, count: int, rng: np.random.Generator, turn: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Placed]:
    """Parameters (m, n), sides (m, dyads), crank angles (m, CURVE) and poses of random linkages of
    size one.  turn: those whose crank turns all the way round; else each over the arc that it can
    go.
    """
    n = len(kind.parameters)
    p = np.empty((count, n))
    p[:, kind.kinds(POSITION)] = rng.uniform(-1.0, 1.0, (count, len(kind.kinds(POSITION))))
    p[:, kind.kinds(LENGTH)] = np.exp(rng.uniform(-1.6, 0.7, (count, len(kind.kinds(LENGTH)))))
    p[:, kind.kinds(OFFSET)] = rng.uniform(-1.2, 1.2, (count, len(kind.kinds(OFFSET))))
    p[:, kind.kinds(ANGLE)] = rng.uniform(-np.pi, np.pi, (count, len(kind.kinds(ANGLE))))
    sides = rng.choice((-1.0, 1.0), (count, kind.dyads))
    angles = np.tile(np.linspace(0.0, 2 * np.pi, CURVE, endpoint=False), (count, 1))
    placed = kind.place(p, sides, angles)
    whole = placed.room.min(axis=1) > TIGHT
    if not turn:
        # an arc around a crank angle at which it stands well
        middle = rng.integers(CURVE, size=count)
        good = placed.room[np.arange(count), middle] > TIGHT
        angles, keep = _arcs(placed.room > 0.5 * TIGHT, middle, good & ~whole)
        angles[whole] = np.linspace(0.0, 2 * np.pi, CURVE, endpoint=False)
        keep |= whole
    else:
        keep = whole
    p, sides, angles = p[keep], sides[keep], angles[keep]
    return p, sides, angles, kind.place(p, sides, angles)


def _arcs(
    free: np.ndarray, middle: np.ndarray, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Crank angles (m, CURVE) over the free arc (m, CURVE) around a place (m,), and which arcs are
    allowed and longer than a sixth of a turn.
    """
    step = 2 * np.pi / CURVE
    after, before = np.zeros(len(free), int), np.zeros(len(free), int)
    going_on, going_back = allowed.copy(), allowed.copy()
    rows = np.arange(len(free))
    for k in range(1, CURVE):
        going_on &= free[rows, (middle + k) % CURVE]
        going_back &= free[rows, (middle - k) % CURVE]
        after += going_on
        before += going_back
    start, end = (middle - before) * step, (middle + after) * step
    angles = start[:, None] + (end - start)[:, None] * np.linspace(0.0, 1.0, CURVE)
    return angles, allowed & (end - start > np.pi / 3)


def nearest(
    kind: LinkageType,
    target: np.ndarray,
    rng: np.random.Generator,
    starts: int,
    task: Task,
    ways: np.ndarray | None = None,
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Parameters, sides and crank angles of the linkages of the atlas that lie nearest a target.

    The target is points x + i y (k,).  Turn, scale and shift of least squares lay each linkage over
    them.  With poses the carrier also has their directions exp(i angle) (k,), but for one turn of
    all of them.
    """
    p, sides, angles, placed = random_linkages(kind, ATLAS, rng, task.turn or task.closed)
    curve = placed.pins[kind.tracer]
    size = float(np.ptp(np.real(target)) + np.ptp(np.imag(target)))
    whole = angles[:, -1] - angles[:, 0] > 2 * np.pi * (1 - 1.5 / CURVE)
    # parts of a turn between the first point and each
    if task.timing is not None:
        parts = [np.asarray(task.timing) / (2 * np.pi)]
    else:
        around = np.append(target, target[0]) if task.closed else target
        steps = np.abs(np.diff(around))
        if ways is not None:
            steps = steps + 0.5 * size * np.abs(np.diff(ways))
        chords = np.concatenate(([0.0], np.cumsum(steps)))
        chords = chords[: len(target)] / chords[-1]
        parts = [span * chords for span in ((1.0,) if task.closed else SPANS)]
    centred = target - target.mean()
    lines = along(kind, placed)
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
            turn_of = (np.conj(z) @ centred) / squares
            error = (np.abs(centred) ** 2).sum() - np.abs(turn_of) ** 2 * squares
            if ways is not None:
                # a unit number as the size of the points counts as one point that far off
                w = lines[:, places] * np.conj(ways)
                off = 2.0 * (len(target) - np.abs(w.sum(axis=1)))
                error = error + size**2 * off
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
