"""Operations on curves against closed forms, their units, and what gaps and ends do."""

from time import process_time

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import axis_title, integral_of, rate_of, unit_of
from mechstudio.curves.interpolation import between, crossings, derivative
from mechstudio.curves.operations import (
    OPERATIONS,
    NotPossible,
    Operand,
    Options,
    applied,
    spectrum_peaks,
)
from mechstudio.curves.quantities import QuantityNotFound, find, quantity
from mechstudio.model.units import DIMENSIONS, SYSTEM_NAMES

A, W = 3.0, 2 * np.pi * 1.5


def of(f, end=4.0, count=1001, uneven=False, dimension="angle"):
    t = np.linspace(0.0, end, count)
    if uneven:
        t = t + 0.2 * end / (2 * np.pi) * np.sin(2 * np.pi * t / end)
    return Operand(Course(t, f(t)), dimension)


SINE = lambda t: A * np.sin(W * t)


@pytest.mark.parametrize("uneven", [False, True])
def test_derivative_and_integral_of_a_sine(uneven):
    one = of(SINE, uneven=uneven)
    t, h = one.course.times, np.diff(one.course.times).max()
    rate = applied("derivative", [one])
    # of fourth order inside and at the ends
    assert np.abs(rate.y - A * W * np.cos(W * t)).max() < A * W * (W * h) ** 4
    assert (rate.x_dimension, rate.y_dimension) == ("time", "angular_velocity")
    whole = applied("integral", [one])
    assert np.abs(whole.y - A / W * (1 - np.cos(W * t))).max() < A / W * (W * h) ** 4
    assert whole.y_dimension == "angle*time" and unit_of(whole.y_dimension).symbol == "deg·s"
    again = applied("integral", [Operand(Course(t, rate.y), rate.y_dimension)])
    assert again.y_dimension == "angle" and np.abs(again.y - one.course.values).max() < 1e-4 * A


def test_a_long_even_run_has_the_derivatives_of_a_short_one():
    t = np.linspace(0.0, 7.0, 4001)
    y = np.exp(-0.3 * t) * np.sin(5 * t)
    exact = np.exp(-0.3 * t) * (5 * np.cos(5 * t) - 0.3 * np.sin(5 * t))
    assert np.abs(derivative(t, y) - exact).max() < 1e-8
    parts = np.concatenate([derivative(t[k : k + 500], y[k : k + 500])[2:-2] for k in (0, 496)])
    assert np.allclose(derivative(t, y)[2:994], parts, rtol=0, atol=1e-10)
    y[2000] = np.nan
    assert np.isnan(derivative(t, y)).sum() == 1


def test_polynomials_of_fourth_degree_are_exact():
    t = np.sort(np.random.default_rng(0).uniform(-1, 1, 40))
    y = 1 + t * (2 + t * (3 + t * (4 + 5 * t)))
    rate = applied("derivative", [Operand(Course(t, y), "length")])
    assert np.allclose(rate.y, 2 + t * (6 + t * (12 + 20 * t)), atol=1e-6)
    for count in (2, 3, 4):
        few = applied("derivative", [Operand(Course(t[:count], t[:count]), "length")])
        assert np.allclose(few.y, 1.0)


def test_moving_mean_of_a_sine_is_smaller_by_the_sinc():
    width = 0.25
    one = of(SINE, count=4001)
    mean = applied("moving_mean", [one], Options(width=width))
    factor = np.sin(W * width / 2) / (W * width / 2)
    inside = np.isfinite(mean.y)
    t = one.course.times
    assert list(t[inside][[0, -1]]) == pytest.approx([0.125, 3.875], abs=1e-3)
    assert (
        np.abs(mean.y - factor * one.course.values)[inside].max() < A * (W * 1e-3) ** 2 / 12 + 1e-9
    )
    whole = applied("moving_mean", [one], Options(width=1 / 1.5))
    assert np.nanmax(np.abs(whole.y)) < 1e-5, "over a period a sine has no mean"
    with pytest.raises(NotPossible, match="positive time"):
        applied("moving_mean", [one], Options(width=0.0))


def test_magnitude_and_one_over_another():
    x, y = of(SINE), of(lambda t: A * np.cos(W * t))
    assert np.allclose(applied("magnitude", [x, y]).y, A)
    assert np.allclose(applied("magnitude", [x]).y, np.abs(x.course.values))
    circle = applied("over", [x, y._replace(dimension="length")])
    assert np.allclose(circle.x**2 + circle.y**2, A**2) and not circle.note
    assert (circle.x_dimension, circle.y_dimension) == ("angle", "length")
    other = applied("over", [x, of(lambda t: A * np.cos(W * t), count=1301)])
    assert "cubics" in other.note and np.abs(other.x**2 + other.y**2 - A**2).max() < 1e-5
    with pytest.raises(NotPossible, match="one dimension"):
        applied("magnitude", [x, y._replace(dimension="length")])
    with pytest.raises(NotPossible, match="takes 2 curves, not 1"):
        applied("over", [x])


def test_phase_plot_of_a_sine_is_an_ellipse():
    phase = applied("phase", [of(SINE)])
    assert np.abs((phase.x / A) ** 2 + (phase.y / (A * W)) ** 2 - 1).max() < 1e-4
    assert phase.y_dimension == "angular_velocity"


@pytest.mark.parametrize("frequency", [1.5, 1.6180339, 7.77])
@pytest.mark.parametrize("uneven", [False, True])
def test_a_sine_of_amplitude_a_reads_a_in_the_spectrum(frequency, uneven):
    one = of(lambda t: 0.4 + A * np.sin(2 * np.pi * frequency * t + 0.3), 20.0, 4000, uneven)
    spectrum = applied("spectrum", [one])
    top = int(np.argmax(spectrum.y))
    assert spectrum.y[top] == pytest.approx(A, rel=1e-3)
    assert spectrum.x[top] == pytest.approx(frequency, abs=0.5 / 20.0 / 8)
    assert (spectrum.x_dimension, spectrum.y_dimension) == ("frequency", "angle")
    assert "Hann window, resolution 0.075 Hz, mean taken out." in spectrum.note
    assert ("even times" in spectrum.note) is uneven


def test_a_run_that_ends_between_two_samples_has_the_spectrum_of_those_before():
    one = of(SINE)
    times, values = one.course.times, one.course.values
    later = times[-1] + 0.3 * (times[-1] - times[-2])
    course = one.course._replace(
        times=np.append(times, later), values=np.append(values, SINE(later))
    )
    expected, found = (applied("spectrum", [x]) for x in (one, one._replace(course=course)))
    assert np.array_equal(found.x, expected.x) and np.array_equal(found.y, expected.y)
    assert found.note == expected.note


def test_two_lines_stand_apart_by_the_resolution_that_is_reported():
    one = of(lambda t: np.sin(2 * np.pi * 2 * t) + 0.1 * np.sin(2 * np.pi * 2.4 * t), 20.0, 4000)
    spectrum = applied("spectrum", [one])
    at = lambda f: spectrum.y[np.abs(spectrum.x - f).argmin()]
    assert at(2.0) == pytest.approx(1.0, rel=1e-2) and at(2.4) == pytest.approx(0.1, rel=2e-2)
    assert at(2.2) < 0.02 and at(40.0) < 1e-6
    flat = applied("spectrum", [one], Options(window="flattop"))
    assert flat.y.max() == pytest.approx(1.0, rel=1e-3) and "Flattop" in flat.note
    with pytest.raises(NotPossible, match="There is no window blah"):
        applied("spectrum", [one], Options(window="blah"))
    gap = Course(one.course.times, np.where(one.course.times > 19, np.nan, 1.0))
    with pytest.raises(NotPossible, match="without a gap"):
        applied("spectrum", [Operand(gap, "angle")])


def test_section_of_two_tones():
    """x = sin at the zeros of a cosine of another frequency: closed form of every point."""
    x, y = of(SINE), of(lambda t: A * np.cos(W * t))
    gate = of(lambda t: np.cos(2 * np.pi * 0.7 * t))
    section = applied("section", [x, y, gate], Options(direction="falling"))
    at = np.array([(0.25 + k) / 0.7 for k in range(3)])
    assert section.points and np.allclose(section.x, A * np.sin(W * at), atol=1e-6)
    assert np.allclose(section.y, A * np.cos(W * at), atol=1e-6)
    rising = applied("section", [x, y, gate], Options(level=0.5, direction="rising"))
    at = np.array([(5 / 6 + k) / 0.7 for k in range(2)])
    assert np.allclose(rising.x, A * np.sin(W * at), atol=1e-6)
    none = applied("section", [x, y, gate], Options(level=2.0))
    assert len(none.x) == 0 and "0 crossings" in none.note


def test_crossings_of_levels_on_samples_and_of_what_only_touches():
    t = np.arange(7.0)
    at = lambda *y, **how: list(crossings(t[: len(y)], np.array(y, float), **how))
    assert at(-1, 0, 1) == [1.0] and at(-1, 0, 0, 1) == [1.0]
    assert at(-1, 0, -1) == [] == at(1, 2) == at(0, 0, 0)
    assert at(-1, 1, -1, direction="rising") != [] != at(-1, 1, -1, direction="falling")
    assert at(-1, np.nan, 1) == [], "nobody knows when"
    assert at(0, 1, 2) == [], "it starts there"
    assert len(at(-1, 1, -1, 1, -1)) == 4


def test_nothing_is_read_across_a_gap():
    t = np.arange(10.0)
    y = np.where(t == 5, np.nan, t)
    assert np.isnan(between(t, y, np.array([4.5, 5.0, 5.5, -1.0, 9.5]))).all()
    assert np.allclose(between(t, y, np.array([0.0, 3.3, 6.5, 9.0])), [0.0, 3.3, 6.5, 9.0])
    rate = applied("derivative", [Operand(Course(t, y), "length")])
    assert np.isnan(rate.y[5]) and np.allclose(np.delete(rate.y, 5), 1.0)
    whole = applied("integral", [Operand(Course(t, y), "length")])
    assert np.isnan(whole.y[5:]).all() and np.isfinite(whole.y[:5]).all()
    mean = applied("moving_mean", [Operand(Course(t, y), "length")], Options(width=2.0))
    assert np.isnan(mean.y[4:7]).all() and np.allclose(mean.y[[1, 2, 3, 7, 8]], [1, 2, 3, 7, 8])


def test_units_of_rates_and_integrals():
    symbol = lambda dimension, units="m-N-rad": unit_of(dimension, units).symbol
    assert [
        symbol(rate_of(d)) for d in ("length", "force", "acceleration", "torque", "number")
    ] == [
        "m/s",
        "N/s",
        "m/s³",
        "N·m/s",
        "Hz",
    ]
    assert [symbol(integral_of(d)) for d in ("velocity", "force", "power", "torque", "length")] == [
        "m",
        "kg·m/s",
        "J",
        "kg·m²/s",
        "m·s",
    ]
    assert axis_title(rate_of("force")) == "rate of force"
    for dimension in DIMENSIONS:
        assert integral_of(rate_of(dimension)) == dimension == rate_of(integral_of(dimension))
        for units in SYSTEM_NAMES:
            assert unit_of(rate_of(rate_of(dimension)), units).symbol
    # the number beside the unit is right: a slope of 1 in SI
    for units in SYSTEM_NAMES:
        assert unit_of(rate_of("force"), units).factor == unit_of("force", units).factor


def test_every_operation_refuses_nothing_in_words():
    empty = Operand(Course(np.zeros(0), np.zeros(0)), "length")
    for key, operation in OPERATIONS.items():
        with pytest.raises(NotPossible):
            applied(key, [empty] * (operation.operands or 1))
        assert operation.summary.endswith(".") and "{" in operation.name


def test_keys_and_names_of_computed_curves_lead_to_each_other():
    project = ms.load(sample_folder() / "four_bar.mech")
    angle = find(project, "A angle")
    for name, key, dimension in (
        ("Rate of A angle", f"derivative/{angle.key}", "angular_velocity"),
        ("integral of  A angle", f"integral/{angle.key}", "angle*time"),
        ("Magnitude of rate of A angle", f"magnitude/derivative/{angle.key}", "angular_velocity"),
        ("Moving mean over 0.25 s of A angle", f"moving_mean/0.25/{angle.key}", "angle"),
    ):
        found = find(project, name)
        assert (found.key, found.dimension) == (key, dimension)
        assert quantity(project, key) == found and found.parts == angle.parts
    assert find(project, "rate of A angle").name == "Rate of A angle"


@pytest.mark.parametrize(
    "key",
    [
        "derivative/",
        "derivative/joint/none/0",
        "moving_mean/joint/A/0",
        "moving_mean/0/joint/A/0",
        "moving_mean/inf/joint/A/0",
        "moving_mean/nan/joint/A/0",
        "spectrum/joint/A/0",
        "derivative/" * 5000 + "joint/A/0",
    ],
)
def test_keys_that_compute_nothing_are_no_quantity(key):
    project = ms.load(sample_folder() / "four_bar.mech")
    assert quantity(project, key) is None
    with pytest.raises(QuantityNotFound):
        find(project, key)


def test_the_rate_of_an_angle_is_the_rate_that_the_run_has():
    project = ms.load(sample_folder() / "four_bar.mech")
    result = ms.simulate(project, duration=1.0, sample_step=1e-3)
    rate, back = result.courses("rate of A angle", "integral of rate of A angle")
    (angle,) = result.courses("A angle")
    (speed,) = result.courses("Angular velocity of crank: resultant")
    exact = speed.values
    assert np.abs(rate.values - exact).max() < 1e-6 * exact.max()
    assert np.abs(back.values - (angle.values - angle.values[0])).max() < 1e-7


def test_resultants_and_analysed_quantities_can_be_computed_with():
    result = ms.simulate(ms.load(sample_folder() / "four_bar.mech"), duration=0.5)
    force, rate = result.courses("Force in A: resultant", "rate of Force in A: resultant")
    assert np.abs(rate.values - derivative(force.times, force.values)).max() == 0.0


@pytest.mark.slow
def test_levels_of_an_angle_are_passed_as_single_levels_are():
    rng = np.random.default_rng(3)
    for trial in range(60):
        t = np.cumsum(rng.uniform(0.1, 1.0, rng.integers(2, 14)))
        # every second one lies on levels, and stays there
        whole = trial % 2
        y = 0.5 * rng.integers(-6, 7, len(t)) if whole else np.cumsum(rng.normal(0, 1.5, len(t)))
        for direction in ("rising", "falling", "either"):
            levels = np.arange(np.floor(y.min()) - 1, y.max() + 2) + 0.5
            apart = [crossings(t, y, level, direction) for level in levels]
            together = crossings(t, y, 0.5, direction, 1.0)
            assert together == pytest.approx(np.sort(np.concatenate(apart)), abs=1e-9)


def test_a_section_of_many_turns_is_found_at_once():
    t = np.linspace(0.0, 60.0, 60_001)
    gate = Operand(Course(t, 2 * np.pi * 50 * t - 1.0), "angle")
    x = Operand(Course(t, np.cos(t)), "length")
    begun = process_time()
    found = applied("section", [x, x, gate], Options())
    assert process_time() - begun < 0.1
    assert found.instants == pytest.approx((np.arange(3000) + 1 / (2 * np.pi)) / 50, abs=1e-9)
    faster = Operand(Course(t, 1e6 * t), "angle")
    with pytest.raises(NotPossible, match="choose a part of the run"):
        applied("section", [x, x, faster], Options())


def test_a_spectrum_of_samples_at_one_time_is_refused():
    t = np.r_[np.linspace(0, 1, 10), np.linspace(1, 2, 10)]
    with pytest.raises(NotPossible, match="different times"):
        applied("spectrum", [Operand(Course(t, np.sin(t)), "length")])


@pytest.mark.parametrize("count", [1000, 300_000])
@pytest.mark.parametrize("window", ["hann", "flattop"])
def test_a_peak_between_two_lines_reads_the_amplitude(count, window):
    t = np.linspace(0.0, 100.0, count)
    for frequency in (3.0, 3.00013, 2.987654):
        course = Course(t, np.sin(2 * np.pi * frequency * t))
        found = applied("spectrum", [Operand(course, "length")], Options(window=window))
        ((at, height),) = spectrum_peaks(found)
        assert height == pytest.approx(1.0, abs=6e-4) and at == pytest.approx(frequency, abs=5e-3)
