"""The solver's own steps: those of the run itself, and nothing of it is disturbed by the look."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.solver_steps import solver_steps
from mechstudio.model.quantity import Quantity


def with_settings(project, **changes):
    return msgspec.structs.replace(
        project, settings=msgspec.structs.replace(project.settings, **changes)
    )


def test_a_fixed_step_ends_where_it_says():
    project = with_settings(
        ms.load("samples/double_pendulum.mech"),
        integrator="rk4",
        step=Quantity(0.007),
        duration=Quantity(1.0),
    )
    rows, _ = solver_steps(project, 0.2, 0.5)
    # with the one before and the one after
    expected = 0.007 * np.arange(math.floor(0.2 / 0.007), math.ceil(0.5 / 0.007) + 1)
    np.testing.assert_allclose(rows[:, 0], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("sample", "integrator"),
    [
        ("double_pendulum", "dop853"),
        ("four_bar", "dopri5"),
        ("slider_crank", "radau"),
        ("double_pendulum", "generalized_alpha"),
        ("bouncing_ball", "dop853"),
        ("geneva_drive", "dop853"),
    ],
)
@pytest.mark.thinned(3)
def test_solver_steps_are_those_of_the_run(sample, integrator):
    project = with_settings(
        ms.load(f"samples/{sample}.mech"), integrator=integrator, duration=Quantity(0.6)
    )
    whole = ms.simulate(project)
    rows, again = solver_steps(project, 0.0, 10.0)
    assert len(rows) == whole.statistics["steps"]
    assert (np.diff(rows[:, 0]) > 0).all() and rows[-1, 0] == pytest.approx(0.6)
    # made again a step at a time it moves as before, to the last bit
    assert np.array_equal(again, whole.rows[-1])
    # a part of them is the same part
    some, _ = solver_steps(project, 0.2, 0.4)
    (first,) = np.flatnonzero(rows[:, 0] == some[0, 0])
    same = slice(0, whole.layout.energy.start)
    # fixed steps with contacts may begin with the one after
    assert (
        some[0, 0] <= 0.2 + 0.001 * whole.layout.touching
        and some[-2, 0] <= 0.4 <= some[-1, 0] + 1e-12
    )
    assert np.array_equal(some[:, same], rows[first : first + len(some), same])


def test_states_at_them_are_those_of_the_motion():
    m = ms.Builder("Oscillator", gravity=(0, 0, 0))
    inertia = (0.01, 0.01, 0.01, 0, 0, 0)
    block = m.body("block", (0.1, 0, 0), mass=2.0, center_of_mass=(0, 0, 0), inertia=inertia)
    slide = m.slider("S", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("slide_spring", "spring", joint=slide, stiffness=50.0, free_length=-0.1)
    project = with_settings(m.project(), sample_step=Quantity(0.5))
    rows, _ = solver_steps(project, 0.0, 5.0)
    layout = ms.simulate(project, duration=0.1).layout
    assert len(rows) > 20, "far more than samples"
    np.testing.assert_allclose(
        rows[:, layout.pose("block")][:, 0], 0.1 * np.cos(5 * rows[:, 0]), atol=1e-9
    )
    assert np.abs(rows[:, layout.energy][:, 3]).max() < 1e-9
