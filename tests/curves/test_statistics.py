"""Statistics, peaks and periods with closed forms, and what noise, gaps, levels and ends do."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.curves.course import Course
from mechstudio.curves.statistics import peaks, period, statistics


def sampled(f, end=10.0, count=2001, uneven=False):
    t = np.linspace(0.0, end, count)
    if uneven:
        t = end * ((t / end) + 0.3 / (2 * np.pi) * np.sin(2 * np.pi * t / end))
    return Course(t, f(t))


def test_sums_of_sines_have_their_closed_forms():
    a, b, w, c = 3.0, 1.2, 2 * np.pi / 2.5, 0.7
    f = lambda t: c + a * np.sin(w * t) + b * np.cos(2 * w * t)
    s = statistics(sampled(f), 0.0, 10.0)
    assert s.mean == pytest.approx(c, abs=1e-12)
    assert s.rms == pytest.approx(np.sqrt(c**2 + a**2 / 2 + b**2 / 2), rel=1e-12)
    # a sin + b (1 - 2 sin^2): greatest at sin = a / 4b, least at sin = -1
    assert s.greatest == pytest.approx(
        c + a * (a / (4 * b)) + b - 2 * b * (a / (4 * b)) ** 2, abs=1e-9
    )
    assert s.least == pytest.approx(c - a - b, abs=1e-9)
    assert s.least_at % 2.5 == pytest.approx(1.875, abs=1e-6)
    assert s.period == pytest.approx(2.5, rel=1e-6) and s.frequency == pytest.approx(0.4, rel=1e-6)
    assert s.covered == 1.0 and s.duration == 10.0


def test_values_at_the_cursors_and_the_slope():
    found = sampled(lambda t: 2 * t - 1, count=11)
    s = statistics(found, 7.25, 2.5)  # in either order
    assert (s.start, s.end, s.first, s.last) == (2.5, 7.25, 4.0, 13.5)
    assert s.change == 9.5 and s.slope == pytest.approx(2.0) and s.mean == pytest.approx(8.75)
    assert s.period is None and s.frequency is None
    one = statistics(found, 3.0, 3.0)
    assert one.mean == one.first == 5.0 and one.slope is None and one.period is None
    outside = statistics(found, 8.0, 12.0)
    assert outside.last is None and outside.change is None and outside.covered == 0.5
    nothing = statistics(found, 20.0, 30.0)
    assert nothing.mean is nothing.least is nothing.first is None and nothing.covered == 0.0


def test_mean_goes_by_the_true_times_of_the_samples():
    found = sampled(lambda t: t, uneven=True, count=401)
    s = statistics(Course(found.times, found.times**2), 0.0, 10.0)
    assert s.mean == pytest.approx(100 / 3, rel=1e-4)
    assert abs((found.times**2).mean() - 100 / 3) > 1.0, "the mean of the samples is another"


@pytest.mark.parametrize("per_period", [8, 20, 100])
def test_peaks_of_a_sine_are_refined(per_period):
    t = np.arange(0, 10.0, 1.0 / per_period) + 0.0137
    found = Course(t, 2.0 * np.sin(2 * np.pi * t))
    tops = [p for p in peaks(found) if p.upward]
    assert len(tops) == 10 and all(p.refined for p in tops)
    # quartic through five samples: error of order h^5 in time, h^6 in value
    h = 2 * np.pi / per_period
    assert all(abs(p.time - (k + 0.25)) < 0.01 * h**5 for k, p in enumerate(tops))
    assert all(abs(p.value - 2.0) < 0.02 * h**6 + 1e-12 for p in tops)
    plain = [abs(2.0 - found.values[np.abs(t - p.time).argmin()]) for p in tops]
    assert max(plain) > 3 * max(abs(p.value - 2.0) for p in tops)


def test_peaks_by_recorded_rates():
    t = np.arange(0, 10.0, 1 / 12.0) + 0.0137
    y, rates = np.sin(2 * np.pi * t), 2 * np.pi * np.cos(2 * np.pi * t)
    found = peaks(Course(t, y), rates)
    assert len(found) == 20 and all(p.refined for p in found)
    assert all(abs(abs(p.value) - 1.0) < 2e-4 for p in found)
    assert all(abs(p.time - (0.25 + 0.5 * k)) < 2e-4 for k, p in enumerate(found))


def test_a_bounce_has_no_peak_below_the_floor():
    """Kinks are no smooth peaks: neither the parabola nor the cubic may overshoot there."""
    t = np.arange(0.0, 3.0, 0.01)
    y, v = np.empty_like(t), np.empty_like(t)
    start, speed = 0.0, 4.0
    for k, now in enumerate(t):
        while now - start > 2 * speed / 9.81:
            start += 2 * speed / 9.81
            speed *= 0.8
        u = now - start
        y[k], v[k] = speed * u - 9.81 * u * u / 2, speed - 9.81 * u
    for rates in (None, v):
        found = peaks(Course(t, y), rates)
        assert all(p.value >= 0.0 and not p.refined for p in found if not p.upward)
        assert [p.value for p in found if p.upward][:3] == pytest.approx(
            [(4 * 0.8**k) ** 2 / (2 * 9.81) for k in range(3)], rel=1e-6
        )


def test_ends_levels_gaps_and_kinks():
    t = np.arange(11.0)
    at = lambda *y: [
        (p.time, p.value, p.upward, p.refined)
        for p in peaks(Course(t[: len(y)], np.array(y, float)))
    ]
    assert at(0, 1, 2, 3) == [] == at(3, 2, 1, 0) == at(5, 5, 5, 5) == at(1, 2)
    assert at(0, 0, 3, 3, 3, 0, 0) == [(3.0, 3.0, True, False)]
    assert at(0, 1, 2, 1, 0) == [(2.0, 2.0, True, False)], "a kink is where its sample is"
    nan = np.nan
    assert at(0, 5, nan, 5, 0, 5) == [(4.0, 0.0, False, True)], "beside a gap nobody knows"
    assert at(nan, nan, nan) == [] == at()
    assert [row[1] for row in at(0, 9, 0, 8.9, 8.95, 0, 9, 1)] == [9, 0, 8.95, 0, 9]


def test_two_samples_alike_at_a_smooth_peak_are_no_level():
    t = (np.arange(41) - 20.5) * 0.05
    found = [p for p in peaks(Course(t, np.cos(2 * t))) if p.upward]
    assert len(found) == 1 and found[0].refined
    assert abs(found[0].time) < 1e-6 and abs(found[0].value - 1.0) < 1e-8


def test_noise_has_no_peaks_of_its_own():
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 10.0, 20_001)
    y = np.sin(2 * np.pi * t) + rng.normal(0, 0.003, len(t))
    found = peaks(Course(t, y))
    assert len(found) == 20 and [p.upward for p in found] == [True, False] * 10
    flat = Course(t, 5.0 + rng.normal(0, 1e-12, len(t)))
    assert peaks(flat) == [] and statistics(flat, 0, 10).period is None
    assert statistics(Course(t, y), 0, 10).period == pytest.approx(1.0, rel=1e-3)


def test_many_turns_keep_the_highest():
    rng = np.random.default_rng(2)
    y = rng.uniform(-1, 1, 300_000)
    y[123_456], y[222_222] = 7.0, -9.0
    found = peaks(Course(np.arange(len(y)) * 1.0, y), prominence=0.4)
    assert [(p.time, p.value) for p in found] == [(123_456.0, 7.0), (222_222.0, -9.0)]


@pytest.mark.parametrize(
    ("f", "requested"),
    [
        (lambda t: np.sin(2 * np.pi * t / 1.7), 1.7),
        (lambda t: np.sin(2 * np.pi * t / 3) + 0.9 * np.sin(4 * np.pi * t / 3 + 1), 3.0),
        (lambda t: np.sin(2 * np.pi * t / 3) + 3 * np.sin(4 * np.pi * t / 3 + 1), 3.0),
        (lambda t: np.exp(-0.3 * t) * np.cos(2 * np.pi * t / 1.25), 1.25),
        (lambda t: np.sign(np.sin(2 * np.pi * t / 2.0 + 0.1)), 2.0),
        (lambda t: np.abs(np.sin(np.pi * t / 2.0)), 2.0),
        (lambda t: 1e-8 * np.sin(2 * np.pi * t) + 3e-7, 1.0),
    ],
)
def test_periods(f, requested):
    assert period(sampled(f)) == pytest.approx(requested, rel=2e-3)
    assert period(sampled(f, uneven=True, count=4001)) == pytest.approx(requested, rel=5e-3)


@pytest.mark.parametrize(
    "f",
    [
        lambda t: t,
        lambda t: np.sin(2 * np.pi * t / 12.0),
        lambda t: np.exp(-t),
        lambda t: np.sin(0.5 * t**2),
        lambda t: np.where(t == 5.0, 1.0, 0.0),
        lambda t: np.zeros_like(t),
        lambda t: np.full_like(t, np.nan),
        lambda t: np.random.default_rng(3).normal(size=len(t)),
    ],
)
def test_period_of_an_aperiodic_curve_is_none(f):
    assert period(sampled(f)) is None


def test_a_gap_counts_for_nothing():
    found = sampled(lambda t: np.where((t > 4) & (t < 6), np.nan, 2.0), count=1001)
    s = statistics(found, 0.0, 10.0)
    assert s.mean == pytest.approx(2.0) and s.rms == pytest.approx(2.0)
    assert s.covered == pytest.approx(0.8, abs=0.01) and s.first == s.last == 2.0


def test_extremes_of_numbers():
    s = statistics(sampled(lambda t: 1e300 * np.sin(t)), 0.0, 10.0)
    assert np.isfinite(s.rms) and s.greatest == pytest.approx(1e300)
    s = statistics(sampled(lambda t: 1e-300 * np.sin(t)), 0.0, 10.0)
    assert s.rms == pytest.approx(1e-300 * np.sqrt(0.5 - np.sin(20) / 40), rel=1e-4)


def driven_four_bar():
    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length="130 mm", angle="120 deg")
    coupler = m.link("coupler", crank.end, length="330 mm", angle="25 deg")
    rocker = m.link("rocker", ("340 mm", 0, 0), length="260 mm", angle="70 deg")
    pin = m.pin("A", m.ground, crank, at=crank.start)
    m.pin("B", crank, coupler, at=crank.end)
    m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
    m.pin("D", m.ground, rocker, at=rocker.start)
    m.drive("drive 1", pin, speed="2 rad/s")
    return m.project()


@pytest.mark.slow
def test_torque_of_a_driven_four_bar():
    """At constant speed the torque is the rate of the energy by the angle, and none over a turn."""
    project, w = driven_four_bar(), 2.0
    step = np.pi / 100
    result = ms.simulate(project, duration=2.2 * np.pi, sample_step=step, tolerance=1e-12)
    torque, energy = result.courses("Torque of drive 1", "Total energy")
    assert statistics(torque, 0.0, 0.9 * np.pi).period is None, "less than one turn"
    whole = statistics(torque, 0.0, torque.times[-1])
    assert whole.period == pytest.approx(np.pi, rel=1e-5)
    assert abs(statistics(torque, 0.0, np.pi).mean) < 1e-9 * whole.greatest
    e = energy.values
    rate = (8 * (e[3:-1] - e[1:-3]) - e[4:] + e[:-4]) / (12 * step)
    count = len(torque.times)
    assert count == len(e)
    assert np.abs(torque.values[2:-2] * w - rate).max() < 1e-4 * np.abs(rate).max()
    # finer samples find no higher peak than the refined one
    (fine,) = ms.simulate(project, duration=np.pi, sample_step=step / 3).courses("drive 1 on A")
    refined = statistics(torque, 0.0, np.pi)
    assert refined.greatest >= torque.values.max()
    assert refined.greatest == pytest.approx(np.nanmax(fine.values), rel=1e-5)
