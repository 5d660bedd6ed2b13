"""Slopes of a search, which are central differences, against closed forms by a complex step."""

import cmath
import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.integration.options import options_of
from mechstudio.folders import sample_folder
from mechstudio.studies.measures import read
from mechstudio.studies.optimisation import bounds as bounds_
from mechstudio.studies.optimisation import search
from mechstudio.studies.optimisation.evaluations import Evaluations
from mechstudio.studies.optimisation.goals import Goal
from mechstudio.studies.points import Points
from mechstudio.studies.scheduling import Done

PROJECT = ms.load(sample_folder() / "four_bar.mech")
VARY = ("L2=310..350 mm", "L3=250..270 mm")
LEVEL = 430.0  # deg of the crank
A, D = 0.13, 0.34


def complex_slopes(f, values):
    """Exact slopes of an analytic function."""
    step = 1e-30
    return [
        f(*(v + (1j * step if k == j else 0.0) for j, v in enumerate(values))).imag / step
        for k in range(len(values))
    ]


def acos(x):
    return cmath.acos(x) if isinstance(x, complex) else math.acos(x)


def rocker(b, c):
    """Angle at the rocker's pivot between ground and rocker, at the crank angle LEVEL."""
    tip = A * np.exp(1j * math.radians(LEVEL))
    diagonal = abs(tip - D)
    return acos((c * c + diagonal**2 - b * b) / (2 * c * diagonal)) + math.atan2(
        tip.imag, D - tip.real
    )


def swing(b, c):
    """Between the two dead positions, where crank and coupler lie in one line."""
    angle = lambda reach: acos((c * c + D * D - reach * reach) / (2 * c * D))
    return angle(b + A) - angle(b - A)


def slopes(text, sample_step, step=search.STEP):
    """Slopes of a measure over L2 and L3, as a local search has them, and its runs."""
    measure = read(text, PROJECT)
    bounds = bounds_.read(VARY, PROJECT)
    options = options_of(PROJECT, duration=1.2, sample_step=sample_step)
    points = Points(PROJECT, bounds.names, [measure], options)

    def compute(rows):
        yield Done(np.arange(len(rows)), [points.point(row) for row in rows.tolist()], 0.0, "")

    made = Evaluations(bounds, [Goal("least", measure)], [], compute, 100)
    found = search.Slopes(made, 1.0, step).cost_slopes(bounds.start)
    return found / (bounds.high - bounds.low), len(made)


@pytest.mark.parametrize(
    ("text", "form", "error"),
    [
        (f"when A angle > {LEVEL} deg: D angle", lambda b, c: math.pi - rocker(b, c), 1e-4),
        ("range D angle", swing, 1e-5),
    ],
)
def test_slopes_are_those_of_the_law_of_cosines(text, form, error):
    """As the help tells: central differences over a ten-thousandth of the range leave less than
    1e-8 of the slope, and the 600 samples of the run 1e-4, of an extreme 1e-5.
    """
    exact = complex_slopes(form, (0.33, 0.26))
    found, runs = slopes(text, 0.002)
    assert runs == 5
    assert found == pytest.approx(exact, rel=error)
    for step in (0.1 * search.STEP, 0.01 * search.STEP):
        assert slopes(text, 0.002, step)[0] == pytest.approx(found, rel=1e-8)


def test_a_longer_step_would_leave_what_samples_leave():
    """Differences over a thousandth of the range already meet another sample of the extreme."""
    found, _ = slopes("range D angle", 0.002)
    longer, _ = slopes("range D angle", 0.002, 10 * search.STEP)
    assert np.abs(longer / found - 1).max() > 1e-4
