"""Atlas of linkages: random ones in the poses of a turn, or of the arc that their cranks can go."""

import numpy as np

from mechstudio.synthesis.linkages import ANGLE, LENGTH, OFFSET, POSITION, LinkageType, Placed

CURVE = 90  # poses of each
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
    free: np.ndarray, middle: np.ndarray, wanted: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Crank angles (m, CURVE) over the free arc (m, CURVE) around a place (m,), and which arcs are
    wanted and longer than a sixth of a turn.
    """
    step = 2 * np.pi / CURVE
    after, before = np.zeros(len(free), int), np.zeros(len(free), int)
    going_on, going_back = wanted.copy(), wanted.copy()
    rows = np.arange(len(free))
    for k in range(1, CURVE):
        going_on &= free[rows, (middle + k) % CURVE]
        going_back &= free[rows, (middle - k) % CURVE]
        after += going_on
        before += going_back
    start, end = (middle - before) * step, (middle + after) * step
    angles = start[:, None] + (end - start)[:, None] * np.linspace(0.0, 1.0, CURVE)
    return angles, wanted & (end - start > np.pi / 3)
