"""Thinned curves: every extreme of every column of pixels stays, gaps and edges too, and fast."""

import time

import numpy as np

from mechstudio.curves.course import POINTS, Course, thinned

COLUMNS = 2000


def million(seed=0):
    rng = np.random.default_rng(seed)
    t = np.cumsum(rng.uniform(0.5, 1.5, 1_000_000)) * 1e-6
    return Course(t, np.sin(40 * t) + 0.1 * rng.normal(size=len(t)))


def test_no_peak_is_lost_in_any_column():
    found = million()
    found.values[[77, 123_456, 999_999]] = 50.0, -60.0, 70.0
    for start, end in ((found.times[0], found.times[-1]), (0.2, 0.61), (0.5, 0.5041)):
        thin = thinned(found, start, end, COLUMNS)
        assert len(thin.times) <= POINTS * COLUMNS + 2 * POINTS
        assert (np.diff(thin.times) >= 0).all()
        inside = (found.times >= start) & (found.times <= end)
        column = lambda t: np.clip(
            ((t - start) / (end - start) * COLUMNS).astype(int), 0, COLUMNS - 1
        )
        for extreme, worst in ((np.maximum, -np.inf), (np.minimum, np.inf)):
            whole, drawn = np.full(COLUMNS, worst), np.full(COLUMNS, worst)
            extreme.at(whole, column(found.times[inside]), found.values[inside])
            there = (thin.times >= start) & (thin.times <= end)
            extreme.at(drawn, column(thin.times[there]), thin.values[there])
            # at an edge of the window the sample that leads the line there may stand in a column
            assert np.array_equal(whole[2:-2], drawn[2:-2])


def test_few_samples_stay_as_they_are_with_one_beside_each_edge():
    t = np.arange(100.0)
    thin = thinned(Course(t, t**2), 10.5, 20.5, COLUMNS)
    assert list(thin.times) == list(np.arange(10.0, 22.0))
    assert list(thinned(Course(t, t), 20.5, 20.5, COLUMNS).times) == [20.0, 21.0]
    assert len(thinned(Course(t, t), 200, 300, COLUMNS).times) == 1
    assert len(thinned(Course(t[:0], t[:0]), 0, 1, COLUMNS).times) == 0


def test_gaps_stay_and_a_lone_nan_hides_no_peak():
    found = million()
    found.values[400_000:600_000] = np.nan
    found.values[100] = np.nan
    found.values[101] = 99.0
    thin = thinned(found, found.times[0], found.times[-1], COLUMNS)
    assert np.nanmax(thin.values) == 99.0
    gap = (thin.times > found.times[401_000]) & (thin.times < found.times[599_000])
    assert gap.any() and np.isnan(thin.values[gap]).all()


def quickest(work):
    """The least CPU time of some turns [s]."""
    best = np.inf
    for _ in range(20):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def test_a_million_points_are_thinned_in_the_time_of_their_extremes():
    found = million()
    starts = np.arange(0, len(found.times), len(found.times) // COLUMNS)
    extremes = quickest(lambda: [f.reduceat(found.values, starts) for f in (np.fmin, np.fmax)])
    thinning = quickest(lambda: thinned(found, found.times[0], found.times[-1], COLUMNS))
    assert thinning < 5.0 * extremes, f"{thinning / extremes:.2f} times as long"


def test_a_slope_is_no_staircase():
    """Straight lines stay straight, up and down, and where they turn the peak stays."""
    t = np.linspace(0.0, 1.0, 100_001)
    values = np.abs(t - 0.5)
    thin = thinned(Course(t, values), 0.0, 1.0, 200)
    assert len(thin.times) < 2000
    off = np.abs(thin.values - np.abs(thin.times - 0.5))
    assert off.max() <= 0.5 / 200 and np.sort(off)[:-3].max() < 1e-12
