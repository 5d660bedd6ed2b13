"""Oscillations, spinning bodies and gears of the samples against closed forms and independent
integrations.
"""

import math

import numpy as np
import pytest
import scipy.integrate
from scipy.special import ellipk

import mechstudio as ms
from mechstudio.model.mass_properties import mass_properties
from tests.samples.runs import attitudes, changed, load, run, turned, value

G = 9.81


def solid(project, body):
    return mass_properties(project.mechanism.bodies[body])


def frequencies(project):
    """Natural ones [rad/s], ascending."""
    modes = ms.analyse(project, "linearise")
    return sorted(row[modes.columns.index("Im s [1/s]")] for row in modes.rows)


def test_the_tuned_absorber_holds_the_machine_still():
    """k = m Omega^2: the machine stands, the absorber swings by F / k against the force (Frahm;
    den Hartog, Mechanical Vibrations, 3.2).
    """
    result = run("vibration_absorber")
    F, k, w = (value(result, n) for n in ("F", "k", "Omega"))
    assert k == pytest.approx(2.0 * w**2)
    machine, absorber = (result.position(n)[:, 0] for n in ("machine", "absorber"))
    assert np.abs(machine).max() < 1e-7
    assert absorber - 0.4 == pytest.approx(-F / k * np.sin(w * result.time), abs=1e-7)


def test_resonance_drives_no_mass_through_another():
    """The strongest force, near both resonances: machine 150 mm, absorber 70 mm, wall to -330."""
    for k, omegas in (("125 N/m", (8, 11.25, 11.5)), ("200 N/m", (8, 12.5)), ("250 N/m", (12,))):
        for omega in omegas:
            result = ms.simulate(
                changed("vibration_absorber", k=k, F="6.25 N", Omega=f"{omega} rad/s")
            )
            machine, absorber = (result.position(n)[:, 0] for n in ("machine", "absorber"))
            assert (absorber - machine).min() > 0.075 + 0.035
            assert machine.min() - 0.075 > -0.33
    most = load("vibration_absorber").parameters["F"].maximum
    assert most is not None and most.value == 6.25


def test_the_masses_of_the_chain_stay_apart():
    """Softest springs and hardest blow; the masses are 56 mm wide."""
    parameters = load("chain_of_masses").parameters
    softest, hardest = parameters["k"].minimum, parameters["v"].maximum
    result = ms.simulate(changed("chain_of_masses", k=softest.text, v=hardest.text))
    x = np.array([result.position(f"mass_{j}")[:, 0] for j in range(1, 5)])
    assert np.diff(x, axis=0).min() > 0.056


def test_the_absorber_splits_the_resonance():
    """M = 5 m and both tuned alike: (w/W)^2 = 1.1 -+ sqrt(0.21) (den Hartog, for mu = 1/5)."""
    assert frequencies(load("vibration_absorber")) == pytest.approx(
        [10 * math.sqrt(1.1 - math.sqrt(0.21)), 10 * math.sqrt(1.1 + math.sqrt(0.21))], rel=1e-6
    )


def test_the_chain_moves_in_half_sines():
    """w_n = 2 sqrt(k / m) sin(n pi / 10); struck at the first mass, x_j = v sum of 2/5 sin(n pi/5)
    sin(j n pi/5) sin(w_n t) / w_n.
    """
    result = run("chain_of_masses")
    k, v = value(result, "k"), value(result, "v")
    n = np.arange(1, 5)
    w = 2 * math.sqrt(k) * np.sin(n * math.pi / 10)
    for j in n:
        shape = 0.4 * np.sin(n * math.pi / 5) * np.sin(j * n * math.pi / 5)
        truth = v * np.sin(np.outer(result.time, w)) @ (shape / w)
        x = result.position(f"mass_{j}")[:, 0] - 0.14 * (j - 1)
        assert x == pytest.approx(truth, abs=1e-7)
    assert frequencies(result.project) == pytest.approx(sorted(w), rel=1e-6)


def tip(result):
    """Angle of Kapitza's pendulum from the upright, by its coordinate (samples,)."""
    return math.radians(82 - 90) + turned(result, "pin")


def test_kapitzas_pendulum_swings_about_the_top():
    """Mean motion: w^2 = (a Omega)^2 / (2 L^2) - g / L with L = I / (m c) (Landau and Lifshitz,
    Mechanics, 30); and theta'' = (g - a Omega^2 sin(Omega t)) sin(theta) / L integrated apart.
    """
    result = run("kapitza_pendulum")
    rod = solid(result.project, "pendulum")
    c = rod.center[0]
    L = (rod.inertia[1][1] + rod.mass * c * c) / (rod.mass * c)
    a, W = value(result, "a"), value(result, "Omega")
    f = lambda t, y: (y[1], (G - a * W * W * math.sin(W * t)) / L * math.sin(y[0]))
    start = (math.radians(-8), 0.0)
    truth = scipy.integrate.solve_ivp(
        f, (0, 1), start, "DOP853", result.time[result.time <= 1], rtol=1e-11, atol=1e-12
    ).y[0]
    assert tip(result)[: len(truth)] == pytest.approx(truth, abs=1e-5)
    angle = tip(result)
    mean = np.convolve(angle, np.ones(9) / 9, "same")
    down = result.time[1:][(mean[:-1] < 0) != (mean[1:] < 0)]
    half = np.diff(down).mean()
    assert math.pi / half == pytest.approx(math.sqrt((a * W) ** 2 / (2 * L * L) - G / L), rel=0.06)
    assert np.abs(angle).max() < math.radians(25)


def test_kapitzas_pendulum_falls_when_it_shakes_too_slowly():
    project = changed("kapitza_pendulum", Omega="80 rad/s")
    rod = solid(project, "pendulum")
    c = rod.center[0]
    L = (rod.inertia[1][1] + rod.mass * c * c) / (rod.mass * c)
    assert (0.02 * 80) ** 2 < 2 * G * L < (0.02 * 180) ** 2
    assert np.abs(tip(ms.simulate(project))).max() > math.pi / 2


def test_kapitzas_start_asks_for_a_quarter_more_than_a_tiny_lean():
    """(a Omega)^2 against 2 g L, for two amplitudes, on both sides of five quarters."""
    rod = solid(load("kapitza_pendulum"), "pendulum")
    c = rod.center[0]
    L = (rod.inertia[1][1] + rod.mass * c * c) / (rod.mass * c)
    for a in (0.02, 0.028):
        for share, stands in ((1.15, False), (1.35, True)):
            omega = math.sqrt(share * 2 * G * L) / a
            project = changed("kapitza_pendulum", a=f"{a} m", Omega=f"{omega} rad/s")
            assert (np.abs(tip(ms.simulate(project))).max() < math.pi / 2) == stands
    assert "a quarter more" in load("kapitza_pendulum").lesson.text


def test_the_elastic_pendulum_bounces_twice_as_fast_as_it_swings():
    """At rest it hangs L = l + m g / k long: w_bounce^2 = k / m, w_swing^2 = g / L; in polar
    coordinates m (r'' - r w^2) = m g cos - k (r - l), (r^2 w)' = -g r sin.
    """
    result = run("elastic_pendulum")
    k = value(result, "k")
    L = 0.3 + G / k
    assert k == pytest.approx(4 * G / L, rel=1e-9)
    x, z = result.position("ball")[:, 0], 0.76 - result.position("ball")[:, 2]

    def rates(t, y):
        r, q, u, w = y
        return u, w, r * w * w + G * math.cos(q) - k * (r - 0.3), (-G * math.sin(q) - 2 * u * w) / r

    truth = scipy.integrate.solve_ivp(
        rates,
        (0, 20),
        (0.46, math.radians(6), 0, 0),
        "DOP853",
        result.time,
        rtol=1e-12,
        atol=1e-13,
    ).y
    assert np.hypot(x, z) == pytest.approx(truth[0], abs=1e-5)
    assert np.arctan2(x, z) == pytest.approx(truth[1], abs=1e-5)
    # swinging grows out of bouncing
    assert np.abs(truth[1]).max() > 2 * math.radians(6)


def test_foucaults_plane_turns_against_the_table():
    """The plane of swing stands still, so on the table it turns by -Omega t; the period is 4 K(sin
    of half the angle) / w0, w0^2 = m g c / I.
    """
    result = run("foucault_pendulum")
    tip = result.position("pendulum", (0, 0, -0.54))
    assert np.abs(tip[:, 1]).max() < 1e-9
    table = attitudes(result, "table")
    on_table = np.einsum("nji,nj->ni", table, tip)
    out = np.abs(tip[:, 0]) > 0.05
    heading = np.arctan2(on_table[out, 1], on_table[out, 0])
    drift = heading + value(result, "Omega") * result.time[out]
    assert np.abs(np.sin(drift)).max() < 1e-6
    bob = solid(result.project, "pendulum")
    c = -bob.center[2]
    w0 = math.sqrt(bob.mass * G * c / (bob.inertia[1][1] + bob.mass * c * c))
    x = tip[:, 0]
    cross = result.time[1:][(x[:-1] < 0) != (x[1:] < 0)]
    half = (cross[-1] - cross[0]) / (len(cross) - 1)
    assert 2 * half == pytest.approx(4 * ellipk(math.sin(math.radians(10)) ** 2) / w0, rel=2e-3)


def test_atwoods_weights_accelerate_by_their_difference():
    """a = (m1 - m2) g / (m1 + m2 + I / r^2), until the left weight meets its stop and stays."""
    result = run("atwood_machine")
    m1, m2 = value(result, "m_1"), value(result, "m_2")
    inertia = solid(result.project, "pulley")
    wheel = inertia.inertia[1][1] + inertia.mass * (inertia.center[0] ** 2 + inertia.center[2] ** 2)
    # the little pin off the axis makes the pulley itself a slow pendulum
    off = inertia.mass * math.hypot(inertia.center[0], inertia.center[2])
    a = (m1 - m2) * G / (m1 + m2 + wheel / 0.08**2)
    z = result.position("left_weight")[:, 2] - 0.43
    falling = z > -0.1
    doubt = off * G / 0.08 / (m1 + m2) * result.time[falling] ** 2
    assert np.all(np.abs(z[falling] + 0.5 * a * result.time[falling] ** 2) <= doubt + 1e-9)
    assert np.abs(doubt).max() < 0.3 * np.abs(z[falling]).max()
    assert result.position("right_weight")[:, 2] - 0.43 == pytest.approx(-z, abs=1e-9)
    assert z[-1] == pytest.approx(-0.36, abs=1e-9)


def test_the_nut_turns_over_at_regular_times():
    """The rate about the middle axis is a Jacobi function, which changes its sign every 2 K(m) / s;
    the angular momentum stays (Landau and Lifshitz, Mechanics, 37).
    """
    result = run("dzhanibekov_nut")
    body = solid(result.project, "nut")
    inertia = np.array(body.inertia)
    assert np.abs(inertia - np.diag(np.diag(inertia))).max() < 1e-12
    I = np.diag(inertia)
    R, own = attitudes(result, "nut"), result.velocities[:, 0, 3:]
    momentum = np.einsum("nij,nj->ni", R, own * I)
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-9)
    low, middle, high = np.sort(I)
    assert I[2] == middle
    E2, M2 = float(own[0] ** 2 @ I), float((own[0] * I) ** 2 @ np.ones(3))
    if E2 * middle > M2:
        low, high = high, low
    m = (middle - low) * (E2 * high - M2) / ((high - middle) * (M2 - E2 * low))
    rate = math.sqrt((high - middle) * (M2 - E2 * low) / (low * middle * high))
    half = 2 * ellipk(m) / rate
    turns = result.time[1:][(own[:-1, 2] < 0) != (own[1:, 2] < 0)]
    assert len(turns) >= 3 and np.diff(turns) == pytest.approx(half, abs=0.011)


def test_the_gyroscope_stays_level_at_its_own_rate():
    """Omega = M g c / (I n), exactly for a level arm; started from rest it nods."""
    project = load("gyroscope")
    arm, rotor = solid(project, "arm"), solid(project, "rotor")
    moment = G * (arm.mass * arm.center[0] + rotor.mass * (0.15 + rotor.center[0]))
    rate = moment / (rotor.inertia[0][0] * 250)
    assert project.parameters["Omega"].value.value == pytest.approx(rate, rel=1e-4)
    steady = ms.simulate(changed("gyroscope", Omega=f"{rate:.12g} rad/s"), duration=3)
    # two small nuts on the rotor make it a little uneven about its axis
    assert np.abs(steady.joint_coordinates["nod"]).max() < 1e-3
    assert turned(steady, "upright")[-1] == pytest.approx(3 * rate, rel=1e-3)
    rest = ms.simulate(changed("gyroscope", Omega="0 rad/s"), duration=3)
    nod = rest.joint_coordinates["nod"][:, 0]
    assert np.ptp(nod) > 0.02
    # on the average it goes round at nearly the same rate
    assert turned(rest, "upright")[-1] == pytest.approx(3 * rate, rel=0.05)


def test_the_governor_settles_at_its_angle():
    """cos(theta) = g S / (omega^2 J): S the first moment of an arm about the hinge, J the second
    along it less the one across.
    """
    for text, w in (("9 rad/s", 9.0), ("12 rad/s", 12.0)):
        result = ms.simulate(changed("flyball_governor", omega=text), duration=20.0)
        arm = solid(result.project, "right_arm")
        I = arm.inertia
        along = 0.5 * (I[1][1] + I[2][2] - I[0][0]) + arm.mass * arm.center[0] ** 2
        across = 0.5 * (I[0][0] + I[1][1] - I[2][2])
        theta = math.acos(G * arm.mass * arm.center[0] / (w * w * (along - across)))
        lean = attitudes(result, "right_arm")[-1] @ (1, 0, 0)
        assert math.acos(-lean[2]) == pytest.approx(theta, abs=2e-3)
        other = attitudes(result, "left_arm")[-1] @ (1, 0, 0)
        assert math.acos(-other[2]) == pytest.approx(theta, abs=2e-3)


def test_the_sledge_drifts_on_a_cycloid():
    """x = g sin(slope) / (2 w^2) sin^2(w t) down, y = g sin(slope) / (2 w^2) (w t - sin(2 w t) / 2)
    across (Bloch, Nonholonomic Mechanics and Control, 1.6).
    """
    result = run("sledge_on_a_slope")
    w, t = value(result, "omega"), result.time
    size = G * math.sin(math.radians(12)) / (2 * w * w)
    q = result.joint_coordinates["runner"]
    assert q[:, 0] == pytest.approx(size * np.sin(w * t) ** 2, abs=1e-7)
    assert q[:, 1] == pytest.approx(size * (w * t - 0.5 * np.sin(2 * w * t)), abs=1e-7)


def test_the_sledge_stays_on_its_slope():
    """At both ends of the spin's slider, on the plate that is drawn."""
    project = load("sledge_on_a_slope")
    (plate,) = project.mechanism.body("ground").shapes
    size = plate.form
    long, wide, at = (
        0.5 * size.x,
        0.5 * size.y,
        np.array([q.value for q in plate.placement.position]),
    )
    spin = project.parameters["omega"]
    for omega in (spin.minimum, spin.maximum):
        p = ms.simulate(changed("sledge_on_a_slope", omega=omega.text)).position("sledge")
        down = (p - at) @ (math.cos(math.radians(12)), 0, -math.sin(math.radians(12)))
        assert np.abs(down).max() < long and np.abs(p[:, 1] - at[1]).max() < wide


def test_the_planetary_gear_turns_by_willis():
    """w_sun = (1 + z_ring / z_sun) w_carrier; a planet turns by -(z_ring / z_planet) against the
    carrier.
    """
    result = run("planetary_gear")
    w = {n: -result.velocities[:, result.body_index(n), 4] for n in ("sun", "carrier", "planet_1")}
    omega = value(result, "omega")
    assert w["carrier"] == pytest.approx(np.full(len(result.time), omega), abs=1e-9)
    assert w["sun"] == pytest.approx((1 + 48 / 18) * w["carrier"], abs=1e-9)
    assert w["planet_1"] == pytest.approx((1 - 48 / 15) * w["carrier"], abs=1e-9)


def test_the_rack_rises_on_a_parabola():
    """r (T - m g r) / (I + m r^2), from a throw downwards back up."""
    result = run("rack_and_pinion")
    T, m, v = (value(result, n) for n in "Tmv")
    r = 0.064
    wheel = solid(result.project, "pinion")
    a = r * (T - m * G * r) / (wheel.inertia[1][1] + m * r * r)
    z = result.position("rack")[:, 2] - 0.45
    free = np.cumsum(np.abs(z) >= 0.28 - 1e-9) == 0
    t = result.time[free]
    assert z[free] == pytest.approx(v * t + 0.5 * a * t * t, abs=1e-6)
    assert free.sum() > 100 and a > 0 and z[free].min() < -0.05


def test_wilberforces_weight_hands_its_energy_over():
    """Two modes of omega^2 = k / m -+ eps / (2 sqrt(m I)) (Berg & Marshall 1991): z = z_0 (cos +
    cos) / 2, and the turn their difference, times sqrt(m / I); it only turns after pi / (their
    distance).
    """
    result = run("wilberforce_pendulum")
    k, delta, eps, inertia, start = (value(result, n) for n in ("k", "delta", "eps", "I", "z_0"))
    assert k * inertia == pytest.approx(delta * 1.0)
    split = eps / (2 * math.sqrt(inertia))
    fast, slow = math.sqrt(k + split), math.sqrt(k - split)
    t, q = result.time, result.joint_coordinates["axis"]
    z = -0.5 * start * (np.cos(fast * t) + np.cos(slow * t))
    turn = -0.5 * start / math.sqrt(inertia) * (np.cos(fast * t) - np.cos(slow * t))
    assert q[:, 0] == pytest.approx(z, abs=2e-6)
    assert q[:, 1] == pytest.approx(turn, abs=5e-5)
    handed = math.pi / (fast - slow)
    near = np.abs(t - handed) < 0.5
    assert np.abs(q[near, 0]).max() < 0.1 * start
    assert np.abs(q[near, 1]).max() == pytest.approx(start / math.sqrt(inertia), rel=0.02)
