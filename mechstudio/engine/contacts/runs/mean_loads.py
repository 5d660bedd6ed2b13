"""Laws of the time in runs with contacts: features shorter than a step act by their mean over the
step, so that their impulse is exact.
"""

import numpy as np

from mechstudio.engine.integration.law_features import MOST_STRETCHES, Found
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.loads.law_interpreter import law_jets
from mechstudio.engine.system.law_tables import Key, every_law
from mechstudio.model.mechanism import ACCELERATION, Mechanism

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
# share of a step by which a mean starts early: steps read laws at their beginning, which rounding
# must not move into the step before, and prescribed accelerations up to 0.89 of their length
BEFORE = 0.1
LEAST = 1e-6  # share of a step by which a run has to end before its last step for that to be short


def meaned(
    mechanism: Mechanism,
    T: Tables,
    features: dict[Key, Found],
    step: float,
    begin: float,
    end: float,
) -> tuple[Tables, bool]:
    """(tables in which forces and prescribed accelerations with corners or features shorter than a
    step are replaced by their means over each step, whether there are such forces).

    features: of the laws of the time, for order 8. Targets of forces, whose rates act too, are not
    averaged.
    """
    rows = [
        row
        for row, (key, _) in enumerate(every_law(mechanism))
        if (key[0] == "force" or _is_acceleration(mechanism, key))
        and key in features
        and T.laws[row, k.L_RATE] < 0
        and _is_short(features[key], step)
    ]
    if not rows:
        return T, False
    keys = [key for key, _ in every_law(mechanism)]
    laws, const, first = T.laws.copy(), [T.law_const], len(T.law_const)
    for row in rows:
        means = _means(T, row, features[keys[row]], step, begin, end)
        pieces = np.zeros((len(means), k.LAW_CONSTS))
        pieces[:, k.L_BEGIN], pieces[:, k.L_INVERSE], pieces[:, k.L_COEFFICIENT] = (
            begin + (np.arange(len(means)) - BEFORE) * step,
            1.0,
            means,
        )
        laws[row, [k.L_TYPE, k.L_FIRST, k.L_COUNT]] = k.PIECES, first, len(means)
        const.append(pieces)
        first += len(means)
    forces = any(keys[row][0] == "force" for row in rows)
    return T._replace(laws=laws, law_const=np.concatenate(const)), forces


def _is_acceleration(mechanism: Mechanism, key: Key) -> bool:
    return key[0] == "drive" and mechanism.drives[key[1]].quantity == ACCELERATION


def _is_short(found: Found, step: float) -> bool:
    return bool(found.corners) or any(s.longest < 2.0 * step for s in found.stretches)


def _means(T: Tables, row: int, found: Found, step: float, begin: float, end: float) -> np.ndarray:
    """Means of a law over each step, by Gauss' rule between all instants of fast change."""
    count = int(np.ceil((end - begin) / step - 1e-9)) + 1
    short = [
        np.linspace(s.begin, s.end, min(int((s.end - s.begin) / s.longest) + 2, MOST_STRETCHES))
        for s in found.stretches
        if s.longest < step
    ]
    grid, lengths = begin + np.arange(count + 1) * step, np.full(count, step)
    if grid[-2] - end > LEAST * step:
        # the last step is shorter, and what acts behind it is no part of its mean
        grid[-2] = end
        lengths[-2:] = np.diff(grid[-3:])
    edges = np.unique(np.concatenate([grid, found.corners, *short]))
    edges = edges[edges <= grid[-1]]
    half = 0.5 * np.diff(edges)
    places = (edges[:-1] + half)[:, None] + half[:, None] * NODES
    jets = np.empty((places.size, 3))
    law_jets(T, row, places.ravel(), jets)
    parts = half * (jets[:, 0].reshape(places.shape) @ WEIGHTS)
    return np.add.reduceat(parts, np.searchsorted(edges[:-1], grid[:-1])) / lengths
