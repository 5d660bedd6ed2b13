"""Comparison of methods against closed forms and counts of its own."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.methods import distance
from mechstudio.model.project import Settings
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.sample import sample_layout
from tests.engine.analyses.test_analyses import double_pendulum, pendulum
from tests.engine.test_closed_forms import with_rates
from tests.mechanisms import Builder

replace = msgspec.structs.replace
A, ROW = "as drawn: ", {"distance": 0, "gap": 1, "energy": 2, "steps": 3, "evaluations": 4}


def project_of(mechanism, **settings):
    return ms.Project(mechanism, settings=Settings(**settings))


def column(table, name):
    return dict(zip(table.labels, table.rows[:, ROW[name]]))


def test_semi_implicit_euler_misses_a_fall_by_half_a_step_of_speed():
    # v_n = -g n h exactly, z_n = -g h² n (n + 1) / 2: behind -g t²/2 by g t h / 2
    b = Builder()
    b.body("stone", (0, 0, 0))
    t, h = 0.5, 1e-3
    project = project_of(
        b.mechanism, duration=Quantity(t), sample_step=Quantity(0.1), step=Quantity(h)
    )
    table = ms.analyse(project, "methods")
    found = column(table, "distance")
    assert found["Semi-implicit Euler 1 ms"] == pytest.approx(9.81 * t * h / 2, rel=1e-3)
    # the other methods are exact for a parabola
    assert max(v for k, v in found.items() if "Euler" not in k) < 1e-9
    assert column(table, "steps")["RK4 1 ms"] == pytest.approx(t / h, abs=2)
    assert 4 * t / h <= column(table, "evaluations")["RK4 1 ms"] < 4.2 * t / h
    assert table.residual < 1e-12


@pytest.mark.slow
def test_the_order_of_a_method_is_that_of_its_distance():
    # a swinging rod: halving the step divides the error by 2^order
    found = []
    for step in (8e-3, 4e-3):
        project = project_of(
            pendulum(), duration=Quantity(1.0), sample_step=Quantity(0.1), step=Quantity(step)
        )
        found.append(column(ms.analyse(project, "methods"), "distance"))
    for start, order in (("RK4", 4), ("Generalised", 2), ("Semi-implicit", 1)):
        a, b = (next(v for k, v in each.items() if k.startswith(start)) for each in found)
        assert math.log2(a / b) == pytest.approx(order, abs=0.25)


def test_without_loops_drift_is_no_question_of_joint_coordinates():
    table = ms.analyse(project_of(pendulum(), duration=Quantity(0.2)), "methods")
    assert "joint, Baumgarte" not in table.labels and "absolute, Baumgarte" in table.labels
    gaps = column(table, "gap")
    assert gaps["absolute, no drift control"] > 100 * gaps["absolute, projection"]


@pytest.mark.slow
def test_chaos_is_reported_and_every_run_is_passed_on():
    project = project_of(
        with_rates(double_pendulum(), A=(6.0,), B=(-3.0,)), duration=Quantity(12.0)
    )
    table = ms.analyse(project, "methods")
    assert table.residual > 1e-6 and any("chaotic" in note for note in table.notes)
    assert [run.words for run in table.runs] == table.labels[:-1]


@pytest.mark.slow
def test_a_method_that_fails_is_a_row_with_a_reason():
    # ω h > 2.8: beyond the stability of the textbook's method (Hairer & Wanner, IV.2)
    stiff = ms.Builder("Stiff")
    rod = stiff.link("rod", (0, 0, 0), length="100 mm", angle=0)
    hinge = stiff.pin("A", stiff.ground, rod, at=rod.start)
    stiff.force("torsion_spring", "spring", joint=hinge, stiffness=3e4, free_angle="1 deg")
    project = replace(
        stiff.project(),
        settings=Settings(
            Quantity(0.1), Quantity(0.01), tolerance=Quantity(1e-4), step=Quantity(1e-3)
        ),
    )
    table = ms.analyse(project, "methods")
    assert any(note.startswith("RK4 1 ms: ") for note in table.notes)
    assert np.isfinite(table.rows[table.labels.index("RK4 1 ms"), ROW["steps"]])


def test_a_turn_is_measured_at_the_size():
    mechanism = pendulum()
    layout = sample_layout(mechanism)
    a, b = np.zeros((2, layout.width)), np.zeros((2, layout.width))
    a[:, 0] = b[:, 0] = (0.0, 1.0)
    turn = 0.3
    a[:, layout.poses] = (0, 0, 0, 1, 0, 0, 0)
    # the same attitude has two quaternions
    b[:, layout.poses] = (0, 0, 0, -math.cos(turn / 2), 0, -math.sin(turn / 2), 0)
    assert distance(layout, a, b, 2.0) == pytest.approx(2 * turn)
    b[:, 0] += 0.5
    assert math.isnan(distance(layout, a, b, 2.0))


def test_contacts_are_refused_in_words():
    with pytest.raises(ms.EngineError, match="contacts"):
        ms.analyse(ms.load("samples/stack_of_boxes.mech"), "methods")


def test_a_method_that_takes_too_long_is_given_up_and_reported(monkeypatch):
    monkeypatch.setattr("mechstudio.engine.analyses.methods.LONGEST", 0.05)
    project = project_of(pendulum(), duration=Quantity(60.0), sample_step=Quantity(0.5))
    table = ms.analyse(project, "methods")
    (note,) = [n for n in table.notes if n.startswith("independent, projection: it was given up")]
    assert "0.05 s of computing" in note
    reached = next(r for r in table.runs if r.formulation == "independent")
    assert reached.finding is not None
