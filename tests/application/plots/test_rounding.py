"""Zeros that hold rounding alone are shown as zeros, and small motions are shown as they are."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.plots.choice import with_curves
from mechstudio.application.plots.panes import panes
from mechstudio.application.plots.rounding import rounding, value_shown
from mechstudio.application.plots.series import recorded
from mechstudio.application.plots.traces import traces
from mechstudio.application.resources import sample_folder
from mechstudio.curves.quantities import quantities
from tests.application.plots.test_diagrams import Recorded


def run_of(project, duration=1.0):
    """Recording of a run."""
    return Recorded(ms.simulate(project, duration=duration, sample_step=0.01))


def shown(run, key):
    """Values of a quantity as a pane draws them, in SI."""
    pane = panes(with_curves(run.project, "plot_1", [key], True).project, "m-N-rad")[0]
    return next(t for t in traces(pane, run, {}, (), frozenset()) if t.key == key).values


def raw(run, key):
    """Values [SI] of a quantity in the samples, zeros where they hold none."""
    found = recorded(run, key)
    return np.zeros(run.count) if found is None else found.values


def vibrating(amplitude, *, arm=None):
    """A mass of 1 kg that moves by x = A (1 - cos 10 t) along a rail, beside an arm that turns."""
    m = ms.Builder("Vibrating")
    mass = m.body("mass", mass=1, inertia=(1, 1, 1, 0, 0, 0)).point("tip", (amplitude, 0, 0))
    rail = m.slider("rail", m.ground, mass, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("slide_spring", "s", joint=rail, stiffness=100.0, free_length=amplitude)
    if arm:
        m.pin("A", m.ground, m.link("arm", (arm, 0, 0), (0, 0, 0)), at=(0, 0, 0), rate=1.0)
    return m.project()


@pytest.fixture(scope="module")
def planar():
    return run_of(ms.load(sample_folder() / "four_bar.mech"))


@pytest.mark.parametrize("key", ["body/coupler/vy", "point/crank/end/vy", "world/body/crank/wz"])
def test_what_leaves_the_plane_by_rounding_alone_is_zero(planar, key):
    values = raw(planar, key)
    assert 0 < np.abs(values).max() < 1e-13
    assert (shown(planar, key) == 0).all()
    at = int(np.abs(values).argmax())
    assert value_shown(planar, planar.rows[at], key, {}) == 0


def test_a_mechanism_whose_bodies_stay_in_place_has_no_speed_of_rounding():
    # the only speeds are rounding: what counts is the rate of turning times the size
    run = run_of(ms.load(sample_folder() / "gear_train.mech"))
    run.rows[:, run.layout.velocities.start] = 1e-20 * np.sin(run.time)
    key = next(k for k in quantities(run.project) if k.endswith("/vx") and raw(run, k).any())
    assert key.startswith("body/") and not shown(run, key).any()


@pytest.mark.parametrize(("size", "arm"), [(1e-9, None), (1e-9, 1.0), (1e-12, 1e-3)])
def test_a_small_motion_stays(size, arm):
    # m x'' = k (A - x) from rest at 0: x = A (1 - cos w t), w = sqrt(k/m) = 10 rad/s
    run = run_of(vibrating(size, arm=arm))
    for key, most in (("body/mass/x", 2 * size), ("body/mass/vx", 10 * size)):
        values = raw(run, key)
        # to the tolerance of the solver, and all of it is shown
        assert values.max() == pytest.approx(most, rel=0.05)
        assert (shown(run, key) == values).all()
        at = run.count // 2
        assert value_shown(run, run.rows[at], key, {}) == values[at] != 0


def test_an_error_is_shown_as_small_as_it_is(planar):
    for key in ("constraint/position", "energy/balance"):
        assert raw(planar, key).any() and rounding(planar, key) == 0
