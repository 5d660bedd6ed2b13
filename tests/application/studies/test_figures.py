"""Numbers of the pictures of a study against scipy and against what is drawn by hand."""

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from mechstudio.application.studies import figures


def test_rank_correlations_are_those_of_scipy():
    made = np.random.default_rng(3)
    varied = np.round(made.random((300, 3)), 1)  # with equal values
    varied[:, 2] = 4.0
    values = varied[:, 0] ** 3 - 0.2 * made.random(300)
    values[7] = np.nan
    good = np.isfinite(values)
    found = figures.rank_correlations(varied, values)
    requested = [spearmanr(varied[good, c], values[good]).statistic for c in (0, 1)]
    assert found[:2] == pytest.approx(requested, abs=1e-12) and np.isnan(found[2])
    assert np.array_equal(figures.ranks(varied[:, 0]) + 1, rankdata(varied[:, 0]))
    assert np.isnan(figures.rank_correlations(varied[:2], values[:2])).all()


def test_a_cell_of_a_map_holds_its_best_row_and_the_first_of_equal_ones():
    varied = np.array([[1, 5], [2, 5], [1, 5], [2, 6], [1, 5], [2, 6]], float)
    merit = np.array([1, np.nan, 3, 2, 3, 2])
    found = figures.map_of(varied, (0, 1), merit)
    assert found.x.tolist() == [1, 2] and found.y.tolist() == [5, 6]
    assert found.rows.tolist() == [[2, 1], [-1, 3]]
    assert figures.sides(np.hstack((varied, np.ones((6, 1))))) == [0, 1]


def test_a_histogram_counts_every_finite_value_once():
    values = np.append(np.random.default_rng(1).normal(2.0, 0.1, 5000), [np.nan, np.inf])
    counts, edges = figures.bins_of(values)
    assert counts.sum() == 5000 and len(edges) == len(counts) + 1
    low, middle, high = figures.percentiles_of(values)
    # of a normal distribution: 1.645 standard deviations
    assert (low, middle, high) == pytest.approx((1.8355, 2.0, 2.1645), abs=0.01)
    flat, edges = figures.bins_of(np.array([3.0, 3.0 + 1e-15]))
    assert flat.sum() == 2 and edges[0] < 3.0 < edges[-1]
    assert figures.bins_of(np.array([np.nan]))[0].size == 0
    assert figures.percentiles_of(np.array([np.nan])) == ()


def test_ranges_keep_what_lies_in_all_of_them():
    a, b = np.array([1.0, 2.0, 3.0, np.nan]), np.array([4.0, 5.0, 6.0, 7.0])
    kept = figures.inside([a, b], [(1.5, np.inf), None])
    assert kept.tolist() == [False, True, True, False]
    assert figures.inside([a, b], [(1.5, 3.0), (5.5, 6.0)]).tolist() == [False, False, True, False]


def test_lines_of_equal_value_lie_where_the_value_is():
    j, i = np.mgrid[:6, :9].astype(float)
    plane = 2.0 * i + 3.0 * j
    ends = figures.contour(plane, 11.3)
    # straight from (5.65, 0) to (0, 3.77), in pieces that hang together
    assert (ends @ (2.0, 3.0)) == pytest.approx(np.full(ends.shape[:2], 11.3), abs=1e-12)
    long = np.hypot(*(ends[:, 1] - ends[:, 0]).T).sum()
    assert long == pytest.approx(np.hypot(11.3 / 2, 11.3 / 3), rel=1e-12)
    # a circle, to the cells' size
    y, x = np.mgrid[-1:1:81j, -1:1:81j]
    ends = figures.contour(x**2 + y**2, 0.49) / 40 - 1
    assert np.hypot(ends[..., 0], ends[..., 1]) == pytest.approx(np.full(ends.shape[:2], 0.7), 1e-3)
    long = np.hypot(*(ends[:, 1] - ends[:, 0]).T).sum()
    assert long == pytest.approx(2 * np.pi * 0.7, rel=1e-3)
    # nothing is drawn beside what is not known, at no level above all, nor over a single row
    holed = plane.copy()
    holed[2, 2] = np.nan
    near = np.abs(figures.contour(holed, 11.3) - (2, 2)).max(axis=2)
    assert (near >= 1.0 - 1e-12).any(axis=1).all()
    assert not len(figures.contour(plane, 1e9)) and not len(figures.contour(plane[:1], 3.0))
    assert not len(figures.contour(np.full((4, 4), 5.0), 5.0))
