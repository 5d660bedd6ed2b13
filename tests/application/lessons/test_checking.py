"""Verdicts on answers against known ones: nothing right is called wrong, nothing wrong right."""

import numpy as np
import pytest

from mechstudio.application.lessons.checking import (
    NEAR,
    RIGHT,
    UNREAD,
    WRONG,
    check_choice,
    check_equation,
    check_number,
    check_sketch,
)
from mechstudio.application.lessons.predictions import Sketch, compared
from mechstudio.curves.course import Course
from mechstudio.model.equations.lecture import EXACT, Proof
from mechstudio.model.project import CHOOSE, EQUATION, NUMBER, PREDICT, Project, Question

MM, INCH, RAD = "mm-N-deg", "inch-lbf", "m-N-rad"


def test_an_equation_other_than_the_requested_one_is_wrong():
    question = Question(EQUATION, answer="m x'' = F")
    proof = Proof("claim:0", "J theta'' = 0", EXACT, "It is equation 2.", row=2)
    assert check_equation(question, proof, 2).verdict == RIGHT
    assert check_equation(question, proof, 0).verdict == RIGHT
    other = check_equation(question, proof, 1)
    assert other.verdict == WRONG and "not the requested" in other.words


@pytest.mark.parametrize(
    ("dimension", "answer", "said", "units", "verdict"),
    [
        # a bare right answer means the same for every reader
        ("angle", "63.33", "63.33 deg", RAD, RIGHT),
        ("angle", "63.33", "1.1053", RAD, RIGHT),
        ("angle", "63.33", "63.33", RAD, WRONG),
        ("length", "250", "250 mm", INCH, RIGHT),
        ("length", "250 mm", "9.8425", INCH, RIGHT),
        ("length", "250 mm", "250", INCH, WRONG),
        ("length", "0.1 m + 0.2 m", "30 cm", MM, RIGHT),
        ("length", "250 mm", "250 deg", MM, UNREAD),
        ("length", "250 mm", "250 kg", MM, UNREAD),
        ("length", "250 mm", "", MM, UNREAD),
        ("length", "250 mm", "1/0", MM, UNREAD),
        ("length", "250 mm", "1e999", MM, UNREAD),
        ("length", "250 mm", "nan", MM, UNREAD),
        ("length", "", "250", MM, UNREAD),
        ("length", "250 mm", "-250 mm", MM, NEAR),
        ("number", "0", "0", MM, RIGHT),
        ("number", "0", "0.001", MM, WRONG),
    ],
)
def test_numbers(dimension, answer, said, units, verdict):
    for tolerance in (0.0, 0.001):
        question = Question(NUMBER, answer=answer, dimension=dimension, tolerance=tolerance)
        if tolerance or ("1.1053" not in said and "9.8425" not in said):
            reply = check_number(question, said, Project(), units)
            assert reply.verdict == verdict, reply


def test_tolerance_at_its_bounds():
    question = Question(NUMBER, answer="100 mm", dimension="length", tolerance=0.02)
    verdicts = [check_number(question, f"{x} mm", Project(), MM).verdict for x in (102, 98, 102.1)]
    assert verdicts == [RIGHT, RIGHT, NEAR]
    assert check_number(question, "106.1 mm", Project(), MM).verdict == WRONG


@pytest.mark.parametrize("answer", ["", "3", "0", "b"])
def test_a_choice_without_a_right_one_calls_nothing_wrong(answer):
    question = Question(CHOOSE, choices=("a", "b"), answer=answer)
    assert check_choice(question, 1).verdict == UNREAD
    assert check_choice(Question(CHOOSE, choices=("a", "b"), answer="1"), 1).verdict == RIGHT


# curves

TIMES = np.linspace(0.0, 2.0, 401)


def checked_sketch(values, drawn, times=TIMES, tolerance=0.1, first=0.0, last=2.0):
    """Comparison and reply for a stroke drawn(t) from `first` to `last` [s]."""
    sketch = Sketch(0.0, 2.0)
    for t in np.linspace(first, last, 100):
        sketch.draw(float(t), float(drawn(t)))
    found = compared(sketch, Course(times, values))
    question = Question(PREDICT, channel="energy/kinetic", tolerance=tolerance)
    return found, check_sketch(question, found, Project(), MM)


def test_figures_of_a_curve_by_hand():
    """A straight line of height 2 and a stroke 0.1 t above it: farthest 0.2 at the end, and the
    root of the mean square 0.2/sqrt(3).
    """
    found, reply = checked_sketch(TIMES, lambda t: 1.1 * t)
    assert (found.largest, found.time, found.height) == pytest.approx((0.2, 2.0, 2.0))
    assert found.mean == pytest.approx(0.2 / np.sqrt(3.0), rel=1e-2)
    assert reply.verdict == RIGHT
    back, _ = checked_sketch(TIMES, lambda t: 1.1 * t, first=2.0, last=0.0)
    assert back[:3] == pytest.approx(found[:3], rel=1e-6)


def test_a_level_curve_can_be_drawn():
    """A constant has no height to measure by: its value is taken."""
    level = 5.0 + 1e-13 * np.sin(TIMES)
    assert checked_sketch(level, lambda t: 5.02)[1].verdict == RIGHT
    assert checked_sketch(level, lambda t: 7.0)[1].verdict == WRONG


def test_a_run_that_ends_early_is_no_verdict_on_the_whole_curve():
    """A tenth of the curve is known, and the stroke goes along it there alone."""
    few = TIMES[:41]
    _, reply = checked_sketch(few, lambda t: t if t <= 0.2 else 50.0, times=few)
    assert reply.verdict == UNREAD and "run" in reply.words


def test_half_a_curve_is_the_least_that_is_compared():
    assert checked_sketch(TIMES, lambda t: t, last=0.9)[1].verdict == UNREAD
    assert checked_sketch(TIMES, lambda t: t, last=1.1)[1].verdict == RIGHT
