"""Question to linkages: strokes, cells, formulas and conditions."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from mechstudio.application.synthesis import strokes
from mechstudio.application.synthesis.draft import Draft
from mechstudio.application.synthesis.question import (
    FUNCTION,
    MOTION,
    Formula,
    LinkageQuestion,
    problem_of,
    tabulated,
    task_of,
)


def test_a_stroke_becomes_points_at_equal_distances():
    t = np.linspace(0.0, 2 * np.pi, 300)
    circle = 0.05 * np.exp(1j * t)
    assert strokes.closes(circle)
    points = strokes.resampled(circle, 12, True)
    assert np.abs(points) == pytest.approx(0.05, rel=5e-3)
    steps = np.abs(np.diff(np.append(points, points[0])))
    assert steps == pytest.approx(2 * 0.05 * math.sin(math.pi / 12), rel=5e-3)
    # an open line keeps its ends, and a hand that trembles is smoothed
    line = np.linspace(0.0, 1.0, 200) + 0.004j * np.random.default_rng(1).normal(size=200)
    points = strokes.resampled(line, 9, False)
    assert not strokes.closes(line)
    assert points[[0, -1]] == pytest.approx(line[[0, -1]], abs=1e-12)
    assert np.abs(points.imag[1:-1]).mean() < 0.002 < np.abs(line.imag).mean()
    with pytest.raises(ValueError, match="length"):
        strokes.resampled(np.zeros(5, complex), 9, False)


def test_a_formula_fills_pairs():
    rows = tabulated(Formula("x^2", "0", "2", "5", "60 deg", "90 deg"), "angle")
    assert [math.degrees(a) for a, _ in rows] == pytest.approx([0, 15, 30, 45, 60])
    assert [math.degrees(b) for _, b in rows] == pytest.approx([0, 5.625, 22.5, 50.625, 90])
    for wrong in ("x +", "0*x", "y"):
        with pytest.raises(ValueError):
            tabulated(Formula(wrong), "angle")
    with pytest.raises(ValueError, match="between 3 and"):
        tabulated(Formula(count="2"), "angle")


def test_incomplete_linkage_question_gives_the_reason():
    assert "three points" in problem_of(LinkageQuestion())
    rows = ((0.0, 0.0, 0.0), (0.1, 0.0, None), (0.1, 0.1, None))
    assert "crank" in problem_of(LinkageQuestion().with_rows(rows))
    free = tuple((*r[:2], None) for r in rows)
    requested = LinkageQuestion().with_rows(free)
    assert problem_of(requested) == ""
    task = task_of(replace(requested, shortest="20", longest="1 m", left="-50 mm"))
    assert task.lengths == (0.02, 1.0) and task.region[0] == -0.05
    assert task.angles == () and task.turn and task.transmission == pytest.approx(math.radians(20))
    assert "longest link" in problem_of(replace(requested, longest="2 kg"))
    motion = replace(requested, purpose=MOTION).with_rows(rows)
    assert "angle" in problem_of(motion)
    assert not task_of(replace(motion.with_rows(((0.0, 0.0, 0.0),) * 3))).turn
    function = replace(
        requested, purpose=FUNCTION, kinds={**requested.kinds, FUNCTION: "slider_crank"}
    )
    assert function.columns[1].dimension == "length"


def test_a_drag_is_one_step_and_each_step_goes_back():
    draft = Draft()
    for x in (0.0, 0.1, 0.2):
        draft.add(x, 0.0)
    for x in (0.3, 0.4, 0.5):
        draft.move(2, x, 0.1)
    draft.release()
    assert draft.now.table[2] == (0.5, 0.1, None)
    draft.undo()
    assert draft.now.table[2] == (0.2, 0.0, None)
    draft.redo()
    draft.delete(0)
    assert len(draft.now.table) == 2
    for _ in range(9):
        draft.undo()
    assert draft.now == LinkageQuestion()
