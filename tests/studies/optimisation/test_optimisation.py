"""Optimisations of mechanisms against closed forms."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.files.project_file import load
from mechstudio.folders import sample_folder
from mechstudio.model.studies.setup import MeasuredQuantity, StudySetup, VariedParameter
from mechstudio.studies.optimisation.optimisation import Optimisation
from mechstudio.studies.study import Study

FOUR_BAR = ms.load(sample_folder() / "four_bar.mech")
SLIDER = ms.load(sample_folder() / "slider_crank.mech")
TURN = 2 * math.pi / 8.0  # [s] of the slider-crank
ONE_TURN = {"duration": 1.05 * TURN, "sample_step": TURN / 500, "workers": 1}


def swing(a, b, c, d):
    """Swing of a crank-rocker's rocker [rad] by the law of cosines in its two dead positions."""
    angle = lambda reach: math.acos((c * c + d * d - reach * reach) / (2 * c * d))
    return angle(b + a) - angle(b - a)


def test_a_rocker_gets_the_requested_swing():
    found = ms.optimise(
        FOUR_BAR,
        {"L2": "310..350 mm"},
        target="range D angle = 64 deg",
        method="local",
        duration=1.2,
        sample_step=0.002,
        workers=1,
    )
    (best,) = found.rows
    b = float(found.table.varied[best, 0])
    assert swing(0.13, b, 0.26, 0.34) == pytest.approx(math.radians(64), abs=1e-6)
    assert found.project is not None and found.project.parameters["L2"].value.value == b
    assert found.is_finished and not found.notes


def test_a_stroke_is_greatest_where_the_limit_holds_it():
    """Slide at most L1 + L2, stroke 2 L1: L1 + L2 = 0.42 m with the shortest L2."""
    found = ms.optimise(
        SLIDER,
        {"L1": "80..150 mm", "L2": "280..350 mm"},
        greatest="range D slide",
        limits="max D slide <= 420 mm",
        method="local",
        **ONE_TURN,
    )
    (best,) = found.rows
    assert found.table.varied[best] == pytest.approx([0.14, 0.28], abs=2e-5)
    assert found.table.measured[best, 1] <= 0.42
    assert "L2 stands at its bound" in " ".join(found.notes)


@pytest.mark.slow
def test_compromises_between_a_long_stroke_and_a_short_reach():
    """Stroke 2 L1 and reach L1 + L2: L2 is the shortest on every compromise."""
    pytest.importorskip("pymoo")
    found = ms.optimise(
        SLIDER,
        {"L1": "80..150 mm", "L2": "280..350 mm"},
        greatest="range D slide",
        least="max D slide",
        runs=240,
        duration=1.05 * TURN,
        sample_step=TURN / 500,
        workers=1,
    )
    front = found.table.varied[list(found.rows)]
    # but for single runs at the end that nothing better was found for
    assert len(front) > 10 and np.quantile(front[:, 1], 0.9) < 0.29
    assert np.ptp(front[:, 0]) > 0.05
    assert np.all(np.diff(found.table.measured[list(found.rows), 0]) > 0)


@pytest.mark.slow
def test_the_same_points_are_searched_whoever_computes():
    made = Optimisation(
        FOUR_BAR,
        ["L2=310..350 mm", "omega=5..7 rad/s"],
        [("greatest", "max Kinetic energy")],
        ["range D angle >= 30 deg"],
        runs=60,
        duration=0.2,
    )
    alone, two = made.run(workers=1), made.run(workers=2)
    assert alone.table.varied.tobytes() == two.table.varied.tobytes()
    assert alone.table.measured.tobytes() == two.table.measured.tobytes()
    assert alone.rows == two.rows and not alone.is_finished
    assert "before it came to rest" in alone.notes[0]


def test_a_search_that_is_stopped_gives_the_best_so_far():
    seen = []
    made = Optimisation(FOUR_BAR, ["L2=310..350 mm"], [("greatest", "final D angle")], duration=0.1)
    found = made.run(1, progress=seen.append, is_cancelled=lambda: len(seen) >= 2)
    assert len(found.rows) == 1 and len(found.table) == seen[-1].runs
    assert "stopped" in found.notes[0] and seen[-1].best is not None


@pytest.mark.parametrize("runs", [1, 7])
def test_optimisation_makes_the_allowed_number_of_runs(runs):
    found = ms.optimise(
        FOUR_BAR, {"L2": "310..350 mm"}, least="range D angle", runs=runs, **ONE_TURN
    )
    assert len(found.table) == runs and len(found.rows) == 1
    # the drawing first
    assert found.table.varied[0, 0] == pytest.approx(0.33)


def test_limits_that_nothing_keeps_are_reported():
    found = ms.optimise(
        FOUR_BAR,
        {"L2": "310..350 mm"},
        least="max A angle",
        limits="range D angle >= 170 deg",
        runs=50,
        duration=0.2,
        workers=1,
    )
    assert found.rows == () and found.project is None
    assert "No run keeps all limits." in found.notes


@pytest.mark.slow
def test_runs_that_cannot_close_do_not_stop_the_search():
    # from some length on the loop does not close; the greatest swing lies on the other side
    found = ms.optimise(
        FOUR_BAR,
        {"L2": "240..900 mm"},
        greatest="final D angle",
        runs=80,
        duration=0.1,
        workers=1,
    )
    assert found.table.reasons and len(found.rows) == 1
    assert found.rows[0] not in found.table.reasons


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"vary": [], "least": "max A angle"}, "at least one parameter"),
        ({"vary": "L2=310..350 mm"}, "at least one goal"),
        ({"vary": "L2=310..350 mm:5", "least": "max A angle"}, "gives no bounds"),
        ({"vary": "L2=normal(1, 2) mm", "least": "max A angle"}, "gives no bounds"),
        ({"vary": "L2=3..5 mm", "least": "max A angle >= 1 rad"}, "is a limit"),
        ({"vary": "L2=3..5 mm", "target": "max A angle"}, "is no target"),
        ({"vary": "L2=3..5 mm", "target": "max A angle <= 3 rad"}, "is no target"),
        ({"vary": "L2=3..5 mm", "target": "max A angle = 3 kg"}, "cannot be read"),
        ({"vary": "L2=3..5 mm", "least": "max A angle", "limits": "max A angle"}, "sets no limit"),
        ({"vary": "L2=3..5 mm", "least": "max A angle", "method": "luck"}, "no method luck"),
        ({"vary": "L2=3..5 mm", "least": "max A angle", "method": "pareto"}, "several goals"),
        (
            {"vary": "L2=3..5 mm", "least": ["max A angle", "max D angle"], "method": "local"},
            "one goal",
        ),
        ({"vary": ["L2=3..5 mm"] * 2, "least": "max A angle"}, "varied twice"),
        ({"vary": "L2=3..5 mm", "least": "max A angle", "runs": 0}, "at least 1"),
        ({"vary": "L2=3..5 mm", "least": "max A angle", "seed": -1}, "A seed is 0"),
    ],
)
def test_invalid_optimisations_raise_with_the_reason(given, words):
    with pytest.raises(ValueError, match=words):
        ms.optimise(FOUR_BAR, **given)


def test_a_stored_search_knows_the_places_of_its_measures():
    """A measure may have a goal and a limit, either, or neither."""
    project = load(sample_folder() / "four_bar.mech").project
    kept = [
        MeasuredQuantity("peak", "joint/D/0"),
        MeasuredQuantity("range", "joint/D/0", sign=">=", limit="60 deg", goal="greatest"),
        MeasuredQuantity("max", "joint/D/0", sign="<=", limit="180 deg"),
        MeasuredQuantity("range", "joint/A/0", goal="target", target="90 deg"),
    ]
    setup = StudySetup(
        "s", "S", (VariedParameter("L2", "310..350 mm:9"),), tuple(kept), method="pareto", runs=7
    )
    made, places = Optimisation.stored(project, setup)
    assert [g.sense for g in made.goals] == ["greatest", "target"]
    assert made.goals[1].target == pytest.approx(math.pi / 2)
    assert [m.sign for m in made.limits] == [">=", "<="] and made.runs == 7
    assert places == (4, 0, 3, 1) and len(made.measures) == 5
    assert (made.bounds.low[0], made.bounds.high[0]) == (pytest.approx(0.31), pytest.approx(0.35))
    with pytest.raises(ValueError, match="is a search"):
        Study.stored(project, setup)
    with pytest.raises(ValueError, match="no target yet"):
        Optimisation.stored(project, replace(setup, measures=(replace(kept[3], target=""),)))
