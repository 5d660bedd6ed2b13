"""Samples of dry friction against moments, friction circles, Euler and Eytelwein, and Painlevé."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.mass_properties import mass_properties
from tests.samples.runs import changed, run, value

G = 9.81


@pytest.mark.parametrize(("spin", "sign"), [("20 rad/s", -1), ("-20 rad/s", 1)])
def test_the_brake_presses_by_moments_about_its_pin(spin, sign):
    """N (a -+ mu c) = P L + the lever's weight a; the wheel stops after I w / (mu N r)
    (Shigley, Mechanical Engineering Design, external contracting shoe).
    """
    result = ms.simulate(changed("shoe_brake", n=spin))
    a, c, mu = 0.18, value(result, "c"), value(result, "mu")
    normal = (value(result, "P") * 0.5 + 0.2 * G * a) / (a + sign * mu * c)
    slowing = mu * normal * 0.12 / 0.3
    rate = np.abs(result.velocities[:, result.body_index("wheel"), 4])
    turning = rate > 1.0
    assert turning.sum() > 50
    found = np.polyfit(result.time[turning][2:], rate[turning][2:], 1)[0]
    assert found == pytest.approx(-slowing, rel=2e-3)
    stops = result.time[np.argmax(rate < 1e-3)]
    assert stops == pytest.approx(20.0 / slowing, abs=0.03)


def test_the_brake_locks_by_itself_where_the_friction_passes_the_pin():
    """mu c > a: no force of the hand balances a slipping shoe, and the wheel stops in a step.

    Just below, at mu c = 0.9 a, it still slips.
    """
    for c, locks in ((0.24, True), (0.216, False)):
        result = ms.simulate(changed("shoe_brake", mu="0.8" if locks else "0.75", c=f"{c} m"))
        assert (value(result, "mu") * c > 0.18) is locks
        rate = np.abs(result.velocities[:, result.body_index("wheel"), 4])
        assert bool(rate[3] < 0.01) is locks, rate[:5]


def test_the_wedge_is_driven_at_the_speed_that_its_friction_leaves():
    """P - d v = W g tan(alpha + phi) + mu (W + w) g: both faces turn the force by phi (Timoshenko,
    Engineering Mechanics, friction of wedges); released, it stays for alpha < 2 phi.
    """
    result = run("wedge")
    alpha, mu, P, W = (value(result, n) for n in ("alpha", "mu", "P", "W"))
    phi = math.atan(mu)
    needs = W * G * math.tan(alpha + phi) + mu * (W + 4.0) * G
    x = result.joint_coordinates["front_plane"][:, 0]
    drive = (result.time > 0.5) & (result.time < 2.9)
    speed = np.polyfit(result.time[drive], x[drive], 1)[0]
    assert abs(speed) == pytest.approx((P - needs) / 400.0, rel=2e-2)
    load = result.joint_coordinates["guide"][:, 0]
    assert np.ptp(load) == pytest.approx(np.ptp(x) * math.tan(alpha), rel=1e-3)
    after = result.time > 3.1
    assert alpha < 2 * phi and np.ptp(x[after]) < 1e-6


@pytest.mark.slow
def test_the_weight_of_a_wedge_holds_it_beyond_twice_the_angle_of_friction():
    """It stays up to tan(alpha - phi) = (1 + w / W) tan phi, which is 26.9 deg here, not 22.6."""
    result = ms.simulate(changed("wedge", alpha="25 deg", P="130 N"), duration=4.0)
    alpha, phi = value(result, "alpha"), math.atan(value(result, "mu"))
    limit = phi + math.atan((1 + 4.0 / value(result, "W")) * math.tan(phi))
    assert 2 * phi < alpha < limit
    x = result.joint_coordinates["front_plane"][:, 0]
    assert np.ptp(x) > 0.01 and np.ptp(x[result.time > 3.1]) < 1e-6


@pytest.mark.slow
def test_a_wedge_steeper_than_twice_the_friction_comes_back():
    """It slides out with d v = W g tan(alpha - phi) - mu (W + w) g."""
    result = ms.simulate(changed("wedge", alpha="28 deg", mu="0.15", P="110 N"), duration=4.35)
    alpha, mu, W = (value(result, n) for n in ("alpha", "mu", "W"))
    phi = math.atan(mu)
    left = W * G * math.tan(alpha - phi) - mu * (W + 4.0) * G
    x = result.joint_coordinates["front_plane"][:, 0]
    back = (result.time > 3.3) & (result.time < 4.3)
    speed = np.polyfit(result.time[back], x[back], 1)[0]
    driven = np.polyfit(result.time[30:150], x[30:150], 1)[0]
    assert alpha > 2 * phi and left > 0
    assert speed * driven < 0 and abs(speed) == pytest.approx(left / 400.0, rel=2e-2)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("mu", "spin"),
    # more friction tells more: a tenth too much is 17 % of the pull at 0.5, 13 % at 0.4 and
    # 6 % at 0.2
    [
        pytest.param("0.2", -4, marks=pytest.mark.slow),
        pytest.param("0.5", -4, marks=pytest.mark.slow),
        # as it ships: its run serves other tests too
        ("0.4", -4),
        # the other way round, seconds long: the sense is the only difference
        pytest.param("0.4", 4, marks=pytest.mark.slow),
    ],
)
def test_the_pull_grows_by_euler_and_eytelwein(mu, spin):
    """T2 / T1 = exp(+-mu pi) for half a turn, within what the 0.16 kg of the links add to 2 kg."""
    ships = run("capstan_of_links")
    project = changed("capstan_of_links", mu=mu, n=f"{spin} rad/s")
    result = ships if project == ships.project else ms.simulate(project)
    (pull,) = result.courses("Force of spring balance")
    late = result.time > 2.5
    ratio = -pull.values[late].mean() / (value(result, "W") * G)
    assert ratio == pytest.approx(math.exp(-math.copysign(float(mu), spin) * math.pi), rel=0.06)
    assert result.statistics["unsolved"] < 10


MASS, HALF, THICK = 1.0, 0.3, 0.008


def rod(theta, mu):
    """Denominator of the contact force: N = (free acceleration of the tip) / it; and the arm from
    the centre of mass to the contact (x, z).
    """
    inertia = HALF**2 / 3
    arm = np.array([-HALF * math.cos(theta), -HALF * math.sin(theta) - THICK])
    # friction along +x: the tip runs along -x
    moment = arm[0] - arm[1] * mu
    return 1 / MASS + moment * arm[0] / inertia, arm, inertia


def test_below_painleves_friction_the_force_is_that_of_newton():
    """N = m g / (1 + 3 cos(theta) (cos(theta) - mu sin(theta))), nearly, for a rod that slides."""
    result = ms.simulate(changed("painleve_rod", mu="0.5"), duration=0.02)
    denominator, _, _ = rod(math.radians(60), 0.5)
    (normal,) = result.courses("contact/rod/ground")
    assert normal.values[1:4] == pytest.approx(G / denominator, rel=3e-2)
    assert denominator == pytest.approx(1 + 3 * 0.5 * (0.5 - 0.5 * math.sqrt(0.75)), rel=0.06)


def test_above_painleves_friction_the_tip_jams_at_once():
    """No finite N for mu > 4/3 at the least (Painlevé 1895; Génot and Brogliato 1999): an impulse
    at the tip stops it, and keeps the angular momentum about it.
    """
    for theta in (55, 60, 65):
        assert rod(math.radians(theta), 1.6)[0] < 0
    thin = min(
        (1 / 3 + math.cos(t) ** 2) / (math.sin(t) * math.cos(t)) for t in np.linspace(1, 1.3)
    )
    assert thin == pytest.approx(4 / 3, rel=1e-3)
    result = ms.simulate(changed("painleve_rod", mu="1.6"), duration=0.02, sample_step=1e-3)
    _, arm, inertia = rod(math.radians(60), 1.6)
    v = value(result, "v")
    # about the contact: m v times the height, in the sense of a vault over the tip
    spin = MASS * v * -arm[1] / (inertia + MASS * (arm @ arm))
    assert np.abs(result.velocities[1, 0, 4]) == pytest.approx(spin, rel=1e-2)
    tip = result.velocities[1, 0, 0] - result.velocities[1, 0, 4] * -arm[1]
    other = result.velocities[1, 0, 0] + result.velocities[1, 0, 4] * -arm[1]
    assert min(abs(tip), abs(other)) < 1e-3 * v


def test_conveyors_draw_parcels_apart():
    """Every parcel does the same d / v1 after the one before: v2 d / v1 apart on the fast belt.  It
    slips for (v2 - v1) / (mu g), and half of the work of the drive meanwhile is heat.
    """
    result = run("conveyors")
    slow, fast, mu = (value(result, n) for n in ("v1", "v2", "mu"))
    places = [result.position(f"parcel_{k}")[-1, 0] for k in (1, 2, 3, 4)]
    assert -np.diff(places) == pytest.approx([0.3 * fast / slow] * 3, abs=1e-3)
    speed = result.velocities[:, result.body_index("parcel_1"), 0]
    slips = result.time[(speed > slow + 1e-3) & (speed < fast - 1e-3)]
    assert 0.9 * (fast - slow) / (mu * G) < np.ptp(slips) + 0.02 < 0.45
    mass = 200 * 0.16 * 0.16 * 0.12
    (friction, drives) = (
        c.values[-1] for c in result.courses("contact/friction", "contact/drives")
    )
    # while a parcel crosses it slips on both belts, which is no gain for it
    gained = 4 * mass * (fast**2 - slow**2) / 2
    assert drives + friction == pytest.approx(gained, rel=1e-5)
    assert -friction >= 4 * mass * (fast - slow) ** 2 / 2


def test_a_superball_hops_short_and_long():
    """Garwin 1969: v, 3/7 v, v, 3/7 v; the plain ball rolls on at 5/7 v."""
    result = run("superball")
    v = value(result, "v")
    lively, plain = (
        result.velocities[:, result.body_index(name), 0] for name in ("lively", "plain")
    )
    assert set(np.round(lively / v, 3)) == {1.0, round(3 / 7, 3)}
    assert set(np.round(plain / v, 3)) == {1.0, round(5 / 7, 3)}
    hops = np.flatnonzero(np.abs(np.diff(lively)) > 0.1)
    assert len(hops) >= 5


def test_the_wall_climber_peels_off_where_the_moment_of_its_weights_passes_its_magnets():
    """About the lower axle: A L = g sum m x, with x the distances of the weights from the wall.

    Before, the upper wheels bear -M / L, and the robot climbs at v, the slip of a rolling wheel
    being none.
    """
    result = run("wall_climber")
    adhesion, weight, speed = (value(result, n) for n in ("A", "W", "v"))
    t, base = result.time, 0.22
    places = {b: result.position(b) for b in ("robot", "upper_axle", "lower_axle", "load")}
    masses = {b: mass_properties(result.project.mechanism.bodies[b]) for b in places}
    # the robot's centre of mass lies on its boom's side of the axles
    moment = sum(G * masses[b].mass * (places[b][:, 0] + masses[b].center[0]) for b in places)
    # the load starts and stops above the lower axle, by 10 s^3 - 15 s^4 + 6 s^5 of 0.2 m in 5 s
    s = np.clip((t - 3.0) / 5.0, 0.0, 1.0)
    start = 0.2 * (60.0 * s - 180.0 * s**2 + 120.0 * s**3) / 5.0**2
    moment -= weight * start * (places["load"][0, 2] - places["lower_axle"][0, 2])
    (upper,) = (c.values for c in result.courses("contact/upper_axle/ground"))
    climbs = (t > 0.7) & (t < 6.5)
    assert np.abs(upper[climbs] * base / moment[climbs] + 1.0).max() < 5e-4
    height = places["robot"][climbs, 2]
    assert np.polyfit(t[climbs], height, 1)[0] == pytest.approx(speed, rel=1e-3)
    peels = np.argmax(places["robot"][:, 0] > 0.0501)
    assert peels > 0 and moment[peels - 2] / base == pytest.approx(adhesion, rel=1e-2)
    assert weight == pytest.approx(masses["load"].mass)


@pytest.mark.parametrize(("share", "holds"), [(1.05, True), (0.95, False)])
def test_all_magnet_wheels_together_hold_friction_times_both_pulls(share, holds):
    """2 mu A against the weight: what pulls at one axle presses on the other."""
    result = run("wall_climber")
    masses = [mass_properties(b).mass for b in result.project.mechanism.bodies.values()]
    limit = G * sum(masses) / (2.0 * value(result, "A"))
    found = ms.simulate(changed("wall_climber", mu=f"{share * limit:.6g}", v="0 m/s"), duration=1.0)
    fallen = found.position("robot")[0, 2] - found.position("robot")[-1, 2]
    assert bool(fallen < 1e-3) is holds, fallen
