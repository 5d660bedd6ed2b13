"""Numbers that a study reads off a run, against closed forms."""

import math

import numpy as np
import pytest

from mechstudio.curves.course import Course
from mechstudio.files.project_file import load
from mechstudio.folders import sample_folder
from mechstudio.studies.measures import read
from mechstudio.studies.optimisation import goals

PROJECT = load(sample_folder() / "four_bar.mech").project
KEY = read("max A angle", PROJECT).quantity
T = np.linspace(0.0, 2.0, 401)
WAVE = Course(T, 3.0 + 2.0 * np.sin(2 * math.pi * T))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("max A angle", 5.0),
        ("min A angle", 1.0),
        ("peak A angle", 5.0),
        ("range A angle", 4.0),
        ("mean A angle", 3.0),
        ("rms A angle", math.sqrt(9 + 2)),
        ("first A angle", 3.0),
        ("final A angle", 3.0),
        ("at 0.25 s: A angle", 5.0),
        ("at 250 ms: A angle", 5.0),
        ("time above 3 rad: A angle", 1.0),
        # sin > 1/2 for a third of each period
        ("time above 4 rad: A angle", 2.0 / 3.0),
        ("time below 2 rad: A angle", 2.0 / 3.0),
        ("time above 9 rad: A angle", 0.0),
        # the first passes of 4 rad up and down: sin = 1/2
        ("when A angle > 4 rad: A angle", 4.0),
        ("when A angle < 2 rad: A angle", 2.0),
    ],
)
def test_measures_of_a_sine(text, value):
    measure = read(text, PROJECT)
    # a wave on which angles do not turn
    assert measure.value({KEY: WAVE}) == pytest.approx(value, abs=2e-4)


def test_another_quantity_is_read_when_one_passes_a_level():
    measure = read("when A angle > 4 rad: D angle", PROJECT)
    clock = Course(T, T)
    assert measure.value({KEY: WAVE, measure.quantity: clock}) == pytest.approx(1 / 12, abs=1e-6)
    never = read("when A angle = 3.5 rad: D angle", PROJECT)
    flat = Course(T, np.zeros_like(T))
    assert math.isnan(never.value({KEY: flat, never.quantity: clock}))


def test_a_level_beyond_a_turn_is_that_of_the_angle_as_it_adds_up():
    rising = Course(T, 10.0 * T)
    passed = lambda text: read(text, PROJECT).value({KEY: rising})
    assert passed("when A angle > 8 rad: A angle") == pytest.approx(8.0)
    assert math.isnan(passed("when A angle > 9000 deg: A angle"))
    assert passed("when A angle > 90 deg: A angle") == pytest.approx(math.pi / 2)


def test_measures_outside_the_run_are_nan():
    late = read("at 5 s: A angle", PROJECT)
    assert math.isnan(late.value({KEY: WAVE}))
    gap = Course(T, np.where(T > 1.0, np.nan, T))
    assert math.isnan(read("time above 0.5 rad: A angle", PROJECT).value({KEY: gap}))
    empty = Course(np.zeros(0), np.zeros(0))
    assert math.isnan(read("max A angle", PROJECT).value({KEY: empty}))


def test_limits_are_kept_or_not():
    least = read("range D angle >= 62 deg", PROJECT)
    assert least.sign == ">=" and least.limit == pytest.approx(math.radians(62))
    assert least.keeps(1.1) and not least.keeps(1.0) and not least.keeps(math.nan)
    assert read("max A angle", PROJECT).keeps(math.nan)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A angle", "is no measure"),
        ("", "is no measure"),
        ("max", "is no measure"),
        ("max Nothing here", "There is no quantity"),
        ("max A angle <= 3 kg", "cannot be read"),
        ("at noon: A angle", "cannot be read"),
        ("time above 3 m: A angle", "cannot be read"),
    ],
)
def test_invalid_measures_raise_with_the_reason(text, words):
    with pytest.raises(ValueError, match=words):
        read(text, PROJECT)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("range D angle >= 64", "64 deg"),
        ("when A angle = 90: D angle", "90 deg"),
        ("time above 100/2: A angle", "(100/2) deg"),
    ],
)
def test_an_angle_without_a_unit_is_refused(text, meant):
    """Tables show degrees: a plain 64 taken for radians would be wrong without a word."""
    with pytest.raises(ValueError, match="has no unit") as said:
        read(text, PROJECT)
    assert f"write {meant} where" in str(said.value)


def test_numbers_whose_unit_is_not_in_doubt_need_none():
    assert read("max A angle <= pi/2", PROJECT).limit == math.pi / 2
    assert read("min A angle >= 0", PROJECT).limit == 0.0
    assert read("max Kinetic energy <= 3", PROJECT).limit == 3.0
    with pytest.raises(ValueError, match="range D angle: 64 has no unit"):
        goals.read("target", "range D angle = 64", PROJECT)
