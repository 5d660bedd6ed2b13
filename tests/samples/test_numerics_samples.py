"""Samples of numerical methods and of derivations against closed forms of the methods."""

import itertools
import math

import msgspec
import numpy as np
import pytest
from scipy.special import ellipk

import mechstudio as ms
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.quantity import Quantity
from tests.samples.runs import changed, load, run, turned, value

G = 9.81


def gap(project):
    """Largest error of the position of the constraints over a run [m]."""
    return ms.simulate(project).statistics["constraint_error_m"]


def test_drift_is_of_the_order_of_the_method():
    """RK4 has order 4: half the step, a sixteenth of the gap (Hairer, Norsett, Wanner, II.3)."""
    gaps = [gap(changed("constraint_drift", h=h)) for h in ("20 ms", "10 ms", "5 ms")]
    assert [math.log2(a / b) for a, b in itertools.pairwise(gaps)] == pytest.approx(
        [4, 4], abs=0.15
    )
    assert gap(load("constraint_drift")) == pytest.approx(gaps[1], rel=1e-12)


def test_projection_leaves_no_gap():
    project = load("constraint_drift")
    settings = project.settings
    for change in ({"drift": "projection"}, {"formulation": "joint"}):
        other = msgspec.structs.replace(settings, **change)
        assert gap(msgspec.structs.replace(project, settings=other)) < 1e-12


def test_the_drifting_rod_swings_with_the_period_of_a_physical_pendulum():
    """From level: T = 4 K(sin 45 deg) sqrt(I / (m g c))."""
    result = run("constraint_drift")
    rod = mass_properties(result.project.mechanism.bodies["rod"])
    c = rod.center[0]
    inertia = rod.inertia[1][1] + rod.mass * c * c
    period = 4 * ellipk(0.5) * math.sqrt(inertia / (rod.mass * G * c))
    angle = np.abs(turned(result, "A"))
    back = result.time[1:-1][(angle[1:-1] < angle[:-2]) & (angle[1:-1] <= angle[2:])]
    assert back[0] == pytest.approx(period, abs=0.011)


def test_baumgarte_has_a_best_value_and_bursts_at_the_limit_of_the_method_at_the_latest():
    """RK4 is stable on the negative real axis up to 2.7853 (Hairer, Wanner, IV.2): b h below.  The
    gap of a rod that swings is no linear oscillator, and bursts from 2.3 on.
    """
    gaps = {b: gap(changed("baumgarte_regimes", b=str(b))) for b in (0, 5, 50, 200)}
    assert gaps[5] < 0.01 * gaps[0] and gaps[5] < 0.1 * gaps[50] < 0.1 * gaps[200]
    assert gap(changed("baumgarte_regimes", b="220")) < 2e-3
    limit = 2.7853 / 0.01
    for b in (240, limit + 2, 300):
        with pytest.raises(ms.SimulationStopped, match="beyond all bounds"):
            ms.simulate(changed("baumgarte_regimes", b=f"{b:g}"))


def test_without_stabilisation_it_is_the_drift_of_the_other_sample():
    assert gap(changed("baumgarte_regimes", b="0")) == pytest.approx(
        gap(load("constraint_drift")), rel=1e-6
    )


def growth(z):
    """Factor of a step of RK4 for x' = i z x (Hairer, Wanner, IV.2)."""
    w = 1j * z
    return 1 + w + w**2 / 2 + w**3 / 6 + w**4 / 24


@pytest.mark.parametrize(("h", "k"), [(0.1, 100.0), (0.05, 100.0), (0.1, 225.0), (0.2, 25.0)])
def test_every_step_multiplies_the_swing_by_the_polynomial(h, k):
    """x + i v / w after n steps is R(i w h)^n of the start, to rounding."""
    omega = math.sqrt(k)
    result = ms.simulate(changed("order_and_step", h=f"{h} s", k=f"{k} N/m"))
    x = result.position("mass")[:, 0]
    n = np.arange(len(x))
    # x' = v, v' = -w^2 x: (x + i v / w)' = -i w (x + i v / w), at the start i / w
    truth = ((1j / omega) * np.conj(growth(omega * h)) ** n).real
    assert x == pytest.approx(truth, abs=1e-9)


def test_numbers_in_the_text_of_order_and_step_hold():
    result = run("order_and_step")
    left = abs(growth(1.0)) ** 200
    assert left == pytest.approx(0.295, abs=1e-3)
    x = result.position("mass")[:, 0]
    assert np.abs(x[-8:]).max() == pytest.approx(0.1 * left, rel=0.05)
    assert 1 - abs(growth(0.1)) == pytest.approx(0.1**6 / 144, rel=0.02)
    assert abs(growth(2.82)) < 1 < abs(growth(2.84))
    stays = ms.simulate(changed("order_and_step", k="225 N/m", h="0.188 s"))
    assert np.abs(stays.position("mass")[:, 0]).max() < 0.1
    try:
        away = ms.simulate(changed("order_and_step", k="225 N/m", h="0.195 s"))
        assert np.abs(away.position("mass")[:, 0]).max() > 1.0
    except ms.SimulationStopped:
        pass


def test_the_stiff_pair_has_its_two_frequencies():
    """det(K - w^2 M) = 0 for two masses in a row (den Hartog, 3.1)."""
    k1, k2, m1, m2 = 100.0, 1e6, 2.0, 0.02
    K, M = np.array([[k1 + k2, -k2], [-k2, k2]]), np.diag([m1, m2])
    truth = np.sqrt(np.linalg.eigvals(np.linalg.inv(M) @ K))
    modes = ms.analyse(load("stiff_spring"), "linearise")
    found = [row[modes.columns.index("Im s [1/s]")] for row in modes.rows]
    assert sorted(found) == pytest.approx(sorted(truth), rel=1e-6)


def test_radau_steps_over_what_others_must_follow():
    """The carriage moves as if both were one: x = v / w sin(w t), w^2 = k / (m_1 + m_2)."""
    project = load("stiff_spring")
    result = run("stiff_spring")
    w = math.sqrt(100.0 / 2.02)
    x = result.position("carriage")[:, 0]
    assert x == pytest.approx(0.5 / w * np.sin(w * result.time), abs=2e-5)
    fast = math.sqrt(1e6 * (1 / 2 + 1 / 0.02))
    for z, holds in ((2.82, True), (2.84, False)):
        settings = msgspec.structs.replace(
            project.settings,
            integrator="rk4",
            step=Quantity(z / fast),
            # a step is shortened to reach the next sample
            sample_step=Quantity(40 * z / fast),
            duration=Quantity(1.0),
        )
        short = ms.simulate(msgspec.structs.replace(project, settings=settings))
        pressed = short.position("light_mass")[:, 0] - short.position("carriage")[:, 0] - 0.14
        # passing through the spring's end bounds it, as its force turns round there
        assert (np.abs(pressed).max() < 1e-6) == holds and (
            (short.statistics["energy_error"] < 1e-9) == holds
        )
    explicit = msgspec.structs.replace(project.settings, integrator="dop853")
    steps = ms.simulate(msgspec.structs.replace(project, settings=explicit)).statistics["steps"]
    assert steps > 20 * result.statistics["steps"]


def test_an_even_motion_stays_even_through_the_change_point():
    """Both cranks turn alike, through 180 and 360 deg; s + l = p + q (Grashof)."""
    result = run("change_point")
    omega = value(result, "omega")
    one, two = turned(result, "A"), turned(result, "D")
    assert np.abs(one).max() > 2 * math.pi
    assert one == pytest.approx(omega * result.time, abs=1e-9)
    assert two == pytest.approx(one, abs=1e-8)
    lengths = sorted((0.12, 0.12, 0.30, 0.30))
    assert lengths[0] + lengths[3] == pytest.approx(lengths[1] + lengths[2])
    C = result.position("second_crank", (0.12, 0, 0)) - result.position("crank", (0.12, 0, 0))
    assert C[:, 0] == pytest.approx(0.30, abs=1e-9) and np.abs(C[:, 2]).max() < 1e-9


def test_both_beads_run_alike():
    result = run("bead_two_ways")
    wire, arm = (result.position(f"bead_on_the_{n}") for n in ("wire", "arm"))
    assert arm == pytest.approx(wire + [0.5, 0, 0], abs=1e-6)
    # R theta'' = g sin(theta), released at 35 deg: R theta'^2 = 2 g (cos 35 - cos theta)
    angle = np.unwrap(np.arctan2(arm[:, 0] - 0.25, arm[:, 2] - 0.26))
    rate = 2 * G / 0.18 * (math.cos(math.radians(35)) - np.cos(angle))
    here = result.velocities[:, result.body_index("bead_on_the_arm"), :3]
    assert (here**2).sum(axis=1) == pytest.approx(0.18**2 * rate, abs=1e-6)


def test_the_wire_presses_neither_in_nor_out_at_two_thirds():
    """N = m (3 g cos theta - 2 g cos theta_0), which is zero at cos theta = 2/3 cos theta_0; wire
    and arm alike.
    """
    result = run("bead_two_ways")
    arm = result.position("bead_on_the_arm")
    angle = np.unwrap(np.arctan2(arm[:, 0] - 0.25, arm[:, 2] - 0.26))
    truth = np.abs(0.5 * G * (3 * np.cos(angle) - 2 * math.cos(math.radians(35))))
    for name, tolerance in (("Force in A: resultant", 1e-6), ("Force in wire: resultant", 5e-3)):
        (course,) = result.courses(name)
        assert course.values == pytest.approx(truth, abs=tolerance)
    zero = math.acos(2 / 3 * math.cos(math.radians(35)))
    assert angle[0] < zero < angle.max()
