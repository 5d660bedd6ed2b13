"""Numbers of the pictures of a study: cells of a map, bins, percentiles, rank correlations."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MOST_TICKS = 200  # values along a side of a map
PERCENTILES = (5.0, 50.0, 95.0)


class Map(NamedTuple):
    """Cells over two parameters.  x (nx,), y (ny,): values along the sides, ascending.  rows (ny,
    nx): row of the study in each cell, -1 where there is none; of several the best one.
    """

    x: np.ndarray
    y: np.ndarray
    rows: np.ndarray


def sides(varied: np.ndarray) -> list[int]:
    """Columns of the parameters (runs, parameters) that have few enough values for a map."""
    return [c for c in range(varied.shape[1]) if 1 < len(np.unique(varied[:, c])) <= MOST_TICKS]


def map_of(varied: np.ndarray, pair: tuple[int, int], merit: np.ndarray) -> Map:
    """Cells over a pair of columns of the parameters.  merit (runs,): the larger the better, NaN
    last; of a cell with several rows the first best one counts.
    """
    (x, across), (y, up) = (np.unique(varied[:, column], return_inverse=True) for column in pair)
    rows = np.full((len(y), len(x)), -1)
    worth = np.where(np.isfinite(merit), merit, -np.inf)
    # the best one is put in last
    order = np.lexsort((-np.arange(len(worth)), worth))
    rows[up[order], across[order]] = order
    return Map(x, y, rows)


def bins_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts (n,) and edges (n + 1,) of a histogram of the finite values; none where there are
    none.
    """
    good = values[np.isfinite(values)]
    if not len(good):
        return np.zeros(0, int), np.zeros(0)
    count = int(np.clip(round(2.0 * len(good) ** (1 / 3)), 4, 60))
    low, high = float(good.min()), float(good.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        # rounding is not magnified
        half = max(abs(low), 1e-12) * 0.05
        low, high = low - half, high + half
    return np.histogram(good, count, (low, high))


def percentiles_of(values: np.ndarray) -> tuple[float, ...]:
    """The PERCENTILES of the finite values; () where there are none."""
    good = values[np.isfinite(values)]
    return tuple(np.percentile(good, PERCENTILES).tolist()) if len(good) else ()


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks (n,) from 0, equal values sharing the mean of theirs."""
    found, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    assert len(found) == len(counts)
    last = np.cumsum(counts)
    return (last - (counts + 1) / 2.0)[inverse]


def rank_correlations(varied: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Spearman's rank correlation (parameters,) of each parameter with a measure over the rows that
    have one; NaN where either does not change.
    """
    good = np.isfinite(values)
    out = np.full(varied.shape[1], np.nan)
    if good.sum() < 3:
        return out
    y = ranks(values[good])
    for c in range(varied.shape[1]):
        x = ranks(varied[good, c])
        if np.ptp(x) > 0 and np.ptp(y) > 0:
            out[c] = float(np.corrcoef(x, y)[0, 1])
    return out


def front(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rows (n,) that none is better than in both costs (runs,), along the first; rows that are not
    known are none of them.
    """
    good = np.flatnonzero(np.isfinite(a) & np.isfinite(b))
    order = good[np.lexsort((b[good], a[good]))]
    least = np.minimum.accumulate(np.concatenate(([np.inf], b[order])))[:-1]
    return order[b[order] < least]


def inside(
    columns: Sequence[np.ndarray], ranges: Sequence[tuple[float, float] | None]
) -> np.ndarray:
    """True (runs,) for rows whose value lies in the range of each column that has one."""
    kept = np.ones(len(columns[0]) if columns else 0, bool)
    for values, range_ in zip(columns, ranges, strict=True):
        if range_ is not None:
            kept &= (values >= range_[0]) & (values <= range_[1])
    return kept


def contour(values: np.ndarray, level: float) -> np.ndarray:
    """Pieces (n, 2, 2) of the line on which values (ny, nx) over a grid have a level, ends as
    (place along x, place along y) counted in cells; linear in the two triangles of each square, and
    none beside values that are not known.
    """
    ny, nx = values.shape
    if ny < 2 or nx < 2:
        return np.zeros((0, 2, 2))
    j, i = (a.ravel() for a in np.mgrid[: ny - 1, : nx - 1])
    corner = lambda di, dj: np.stack((i + di, j + dj), axis=1)
    here, right, up, far = corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)
    triangles = np.concatenate(
        [np.stack((here, right, far), axis=1), np.stack((here, far, up), axis=1)]
    )
    heights = values[triangles[..., 1], triangles[..., 0]] - level
    known = np.isfinite(heights).all(axis=1)
    triangles, heights = triangles[known].astype(float), heights[known]
    above = heights >= 0.0
    crossed = above.any(axis=1) & ~above.all(axis=1)
    triangles, heights, above = triangles[crossed], heights[crossed], above[crossed]
    # the corner that lies alone on its side: the line leaves by its two edges
    alone = (
        np.where(above.sum(axis=1) == 1, above.argmax(axis=1), (~above).argmax(axis=1))
        if len(above)
        else np.zeros(0, int)
    )
    each = np.arange(len(alone))
    ends = []
    for step in (1, 2):
        other = (alone + step) % 3
        a, b = heights[each, alone], heights[each, other]
        share = (a / (a - b))[:, None]
        ends.append(triangles[each, alone] * (1 - share) + triangles[each, other] * share)
    return np.stack(ends, axis=1)
