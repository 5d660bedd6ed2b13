"""Screws, couplings, constant-velocity joints, rolling and curves against closed forms; each names
its source.
"""

import math

import msgspec
import numpy as np
import pytest
from scipy.special import ellipj

from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import about, frame_on_axis, multiply, rotate, to_angles
from mechstudio.model.mechanism import (
    GROUND,
    CoordinateOf,
    Coupling,
    Curve,
    Frame,
    Joint,
    Law,
    Mechanism,
    Placement,
)
from mechstudio.model.quantity import Quantity, vector
from tests.engine.problems import body, joint
from tests.engine.test_closed_forms import force

G = 9.81
UP = (0.0, 0.0, 1.0)


def simulate(mechanism, duration, sample_step, tolerance=1e-10, **how):
    system = compile_system(mechanism, **how)
    samples = np.concatenate(
        list(run(system, RunOptions(duration, sample_step, tolerance=tolerance)))
    )
    return system.layout, samples, system


def changed(joint, **more):
    return msgspec.structs.replace(
        joint,
        **{
            key: {k: Quantity(v) for k, v in value.items()} if key == "parameters" else value
            for key, value in more.items()
        },
    )


def rates(*values):
    return tuple(map(Quantity, values))


def nut(pitch):
    bodies = {"nut": body("nut", 2.0, (0.1, 0, 0), np.diag([0.03, 0.03, 0.02]))}
    j = changed(
        joint("S", "screw", GROUND, "nut", (0.1, 0, 0), UP, bodies), parameters={"pitch": pitch}
    )
    return Mechanism(bodies, {"S": j})


@pytest.mark.parametrize("how", [{}, {"closing": ("S",)}, {"coordinates": "absolute"}])
@pytest.mark.parametrize("pitch", [0.3, -0.5])
def test_screw_under_gravity(pitch, how):
    # x = h angle, h = pitch / 2 pi: (m h^2 + I) angle'' = -m g h  (virtual power)
    h, m, I = pitch / (2 * math.pi), 2.0, 0.02
    layout, samples, system = simulate(nut(pitch), 20.0, 0.5, **how)
    angle = samples[:, layout.joint("S")][:, 0]
    assert angle == pytest.approx(
        -0.5 * m * G * h / (m * h * h + I) * samples[:, 0] ** 2, rel=1e-9, abs=1e-9
    )
    assert samples[:, layout.pose("nut")][:, 2] == pytest.approx(h * angle, rel=1e-9, abs=1e-9)
    assert (
        abs(angle[-1]) > 100 * 2 * math.pi
        and system.statistics.constraint_error_m < 1e-9
        and system.statistics.energy_error < 1e-8
    )


def shafts(*axes_at, inertia=(0.02, 0.05, 0.03)):
    bodies = {
        f"s{n}": body(f"s{n}", 1.0, at, inertia[n] * np.eye(3))
        for n, (axis, at) in enumerate(axes_at)
    }
    joints = {
        f"J{n}": joint(f"J{n}", "revolute", GROUND, f"s{n}", at, axis, bodies)
        for n, (axis, at) in enumerate(axes_at)
    }
    return Mechanism(bodies, joints)


PAIR = ((UP, (0, 0, 0)), ((0.0, 0.6, 0.8), (0.2, 0, 0)))


def coupled(mechanism, type, ends, forces=(), law=None, **parameters):
    coupling = Coupling(
        "c",
        "c",
        type,
        tuple(CoordinateOf(*e) if isinstance(e, tuple) else CoordinateOf(e) for e in ends),
        {k: Quantity(v) for k, v in parameters.items()},
        law,
    )
    return msgspec.structs.replace(
        mechanism, couplings={"c": coupling}, forces={f.id: f for f in forces}
    )


@pytest.mark.parametrize("how", [{}, {"closing": ("J0",)}, {"coordinates": "absolute"}])
def test_gear_train_accelerates_with_the_reflected_inertia(how):
    # q1 = i q2: (I1 i^2 + I2) q2'' = tau i for a torque tau on the first shaft
    i, torque = -2.5, force("t", "motor_torque", torque=0.7, joint="J0")
    layout, samples, system = simulate(
        coupled(shafts(*PAIR), "gear", ("J0", "J1"), (torque,), ratio=i), 30.0, 1.0, **how
    )
    first, second = samples[:, layout.joint("J0")][:, 0], samples[:, layout.joint("J1")][:, 0]
    assert second == pytest.approx(
        0.5 * 0.7 * i / (0.02 * i * i + 0.05) * samples[:, 0] ** 2, rel=1e-9, abs=1e-9
    )
    assert (
        first == pytest.approx(i * second, rel=1e-11, abs=1e-10)
        and abs(first[-1]) > 600 * 2 * math.pi
    )
    assert system.statistics.energy_error < 1e-8


@pytest.mark.parametrize(("type", "sign"), [("belt", 1.0), ("crossed_belt", -1.0)])
def test_belts_turn_by_the_radii(type, sign):
    torque = force("t", "motor_torque", torque=0.7, joint="J0")
    layout, samples, _ = simulate(
        coupled(shafts(*PAIR), type, ("J0", "J1"), (torque,), radius_1=0.05, radius_2=0.125),
        3.0,
        0.5,
    )
    first, second = samples[:, layout.joint("J0")][:, 0], samples[:, layout.joint("J1")][:, 0]
    assert first == pytest.approx(
        0.5 * 0.7 / (0.02 + 0.05 * 0.4**2) * samples[:, 0] ** 2, rel=1e-9, abs=1e-9
    )
    assert second == pytest.approx(sign * 0.4 * first, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("how", [{}, {"closing": ("rack", "J0")}])
def test_rack_and_pinion(how):
    # x = r q: (m r^2 + I) q'' = -m g r for a vertical rack
    m = shafts(((1.0, 0.0, 0.0), (0, 0, 0)))
    bodies = {**m.bodies, "rack": body("rack", 0.8, (0.3, 0.2, 0), 0.01 * np.eye(3))}
    slide = joint("rack", "prismatic", GROUND, "rack", (0.3, 0.2, 0), UP, bodies)
    layout, samples, system = simulate(
        coupled(
            Mechanism(bodies, {**m.joints, "rack": slide}),
            "rack_and_pinion",
            ("J0", "rack"),
            radius=0.1,
        ),
        3.0,
        0.5,
        **how,
    )
    q, x = samples[:, layout.joint("J0")][:, 0], samples[:, layout.joint("rack")][:, 0]
    assert q == pytest.approx(
        -0.5 * 0.8 * G * 0.1 / (0.8 * 0.01 + 0.02) * samples[:, 0] ** 2, rel=1e-9, abs=1e-9
    )
    assert (
        x == pytest.approx(0.1 * q, rel=1e-12, abs=1e-12) and system.statistics.energy_error < 1e-9
    )


def test_differential_shares_the_torque():
    # q1 + q2 = 2 q0, a torque tau on the carrier: each side gets mu, the carrier tau - 2 mu:
    # I0 q0'' = tau - 2 mu, I1 q1'' = mu, I2 q2'' = mu
    m = shafts((UP, (0, 0, 0)), (UP, (0.2, 0, 0)), (UP, (0.4, 0, 0)))
    layout, samples, _ = simulate(
        coupled(
            m,
            "differential",
            ("J0", "J1", "J2"),
            (force("t", "motor_torque", torque=0.7, joint="J0"),),
        ),
        3.0,
        0.5,
    )
    mu = 0.7 / (2 + 0.02 / 2 * (1 / 0.05 + 1 / 0.03))
    t = samples[:, 0]
    for id, a in (("J0", (0.7 - 2 * mu) / 0.02), ("J1", mu / 0.05), ("J2", mu / 0.03)):
        assert samples[:, layout.joint(id)][:, 0] == pytest.approx(
            0.5 * a * t**2, rel=1e-9, abs=1e-9
        )


def test_cam_lifts_its_follower_by_the_law():
    # x = f(q) to rounding, and energy: 1/2 (I + m f'^2) q'^2 + m g f = const
    m = shafts(((0.0, 1.0, 0.0), (0, 0, 0)))
    bodies = {**m.bodies, "follower": body("follower", 0.8, (0.3, 0.2, 0), 0.01 * np.eye(3))}
    slide = joint("follower", "prismatic", GROUND, "follower", (0.3, 0.2, 0), UP, bodies)
    law = Law("expression", text="0.02 m*(1-cos(a))+0.005 m*sin(3*a)")
    m = coupled(
        Mechanism(bodies, {"J0": changed(m.joints["J0"], rates=rates(9.0)), "follower": slide}),
        "cam",
        ("J0", "follower"),
        law=law,
    )
    layout, samples, system = simulate(m, 3.0, 0.01)
    q, x = samples[:, layout.joint("J0")][:, 0], samples[:, layout.joint("follower")][:, 0]
    assert x == pytest.approx(0.02 * (1 - np.cos(q)) + 0.005 * np.sin(3 * q), abs=1e-12)
    k = layout.bodies.index("s0")
    speed = samples[:, layout.velocities][:, 6 * k + 4]
    slope = 0.02 * np.sin(q) + 0.015 * np.cos(3 * q)
    energy = 0.5 * (0.02 + 0.8 * slope**2) * speed**2 + 0.8 * G * x
    assert (
        energy == pytest.approx(np.full_like(energy, energy[0]), rel=1e-8)
        and np.ptp(x) > 0.03
        and system.statistics.energy_error < 1e-8
    )


def bent_shafts(type, angle):
    """A shaft along z and one bent by an angle about y, both on hinges in ground, joined where
    their axes meet.
    """
    axis = rotate(about((0, 1, 0), angle), UP)
    m = shafts((UP, (0, 0, 0)), (axis, (0, 0, 0)))
    frame_a = Frame("s0")
    turn = about((0, 1, 0), angle)
    q = turn if type == "constant_velocity" else multiply(turn, (1.0, 0.0, 0.0, 0.0))
    if type == "universal":
        # the cross: axis z of A across the first shaft, x of B across the second
        q_a = frame_on_axis((1.0, 0.0, 0.0))
        across = np.array((0.0, 1.0, 0.0))
        from mechstudio.model.geometry.rotation import from_axes

        q_b = from_axes(tuple(across), tuple(np.cross(axis, across)), axis)
        frame_a, q = Frame("s0", "", Placement(orientation=vector(*to_angles(q_a)))), q_b
    frame_b = Frame("s1", "", Placement(orientation=vector(*to_angles(q))))
    middle = Joint("M", "M", type, frame_a, frame_b)
    return Mechanism(m.bodies, {**m.joints, "M": middle})


def test_constant_velocity_joint_keeps_both_speeds_equal():
    m = bent_shafts("constant_velocity", math.radians(30))
    m = msgspec.structs.replace(m, forces={"t": force("t", "motor_torque", torque=0.4, joint="J0")})
    layout, samples, system = simulate(m, 60.0, 0.5)
    first, second = samples[:, layout.joint("J0")][:, 0], samples[:, layout.joint("J1")][:, 0]
    assert first == pytest.approx(0.5 * 0.4 / 0.07 * samples[:, 0] ** 2, rel=1e-8, abs=1e-8)
    assert second == pytest.approx(first, rel=1e-9, abs=1e-9) and first[-1] > 1000 * 2 * math.pi
    # the tilt goes round with the shaft: tilts about x and y of 30 degrees' bend
    a, b = samples[:, layout.joint("M")].T
    assert np.hypot(a, b).max() < math.radians(45) and system.statistics.constraint_error_m < 1e-9


def test_universal_joint_has_cardans_speed_ratio():
    # tan(q1) = cos(bend) tan(q2') with the angles from where the cross stands as drawn
    # (Seherr-Thoss, Universal Joints and Driveshafts, 1.2)
    bend = math.radians(30)
    m = bent_shafts("universal", bend)
    m = Mechanism(m.bodies, {**m.joints, "J0": changed(m.joints["J0"], rates=rates(5.0))})
    layout, samples, system = simulate(m, 3.0, 0.01)
    first, second = samples[:, layout.joint("J0")][:, 0], samples[:, layout.joint("J1")][:, 0]
    forms = [
        np.arctan2(np.sin(first) * f, np.cos(first)) for f in (math.cos(bend), 1 / math.cos(bend))
    ]
    wrapped = [np.abs((form - second + math.pi) % (2 * math.pi) - math.pi).max() for form in forms]
    assert (
        min(wrapped) < 1e-9 and abs(first[-1]) > 2 * math.pi and np.abs(first - second).max() > 0.07
    )
    assert system.statistics.energy_error < 1e-8


def disc(
    x=0.0, y=0.0, heading=0.0, lean=math.pi / 2, spin=0.0, radius=0.2, type="rolling_disc", **more
):
    """A thin disc of 1.5 kg on the ground plane z = 0; frame B in its centre with z along its
    axis.
    """
    q = multiply(about(UP, heading), about((1, 0, 0), lean))
    center = np.array((x, y, 0.0)) + rotate(q, (0.0, radius, 0.0))
    m = 1.5
    rigid = body("disc", m, (0, 0, 0), np.diag([0.25, 0.25, 0.5]) * m * radius**2)
    rigid = msgspec.structs.replace(
        rigid,
        placement=Placement(vector(*center), vector(*to_angles(multiply(q, about(UP, spin))))),
    )
    j = changed(
        Joint("R", "R", type, Frame(GROUND), Frame("disc")), parameters={"radius": radius}, **more
    )
    return Mechanism({"disc": rigid}, {"R": j})


@pytest.mark.parametrize("how", [{}, {"closing": ("R",)}, {"coordinates": "absolute"}])
def test_disc_rolls_in_a_steady_circle(how):
    # Routh, Advanced Rigid Dynamics, art. 244; Neimark & Fufaev, Dynamics of Nonholonomic Systems,
    # II.2.  With the lean a of the disc's plane from the floor, the precession W and the spin s
    # constant and w3 = s + W cos a the angular velocity about the axis, the moments about the line
    # of nodes, those of the contact forces of the circling centre among them, give
    # A W^2 sin a cos a - (C + m r^2) W w3 sin a = m g r cos a
    m, r, lean, precession = 1.5, 0.2, 1.2, 4.0
    A, C = 0.25 * m * r * r, 0.5 * m * r * r
    w3 = (A * precession**2 * math.sin(lean) * math.cos(lean) - m * G * r * math.cos(lean)) / (
        (C + m * r * r) * precession * math.sin(lean)
    )
    spin = w3 - precession * math.cos(lean)
    M = disc(lean=lean)
    # rolling: the contact point in the floor moves along the heading by -r spin
    M = msgspec.structs.replace(
        M, joints={"R": changed(M.joints["R"], rates=rates(-r * spin, 0.0, precession, 0.0, spin))}
    )
    layout, samples, system = simulate(M, 6.0, 0.05, **how)
    assert not system.findings
    x, y, heading, tilt, rotated = samples[:, layout.joint("R")].T
    assert tilt == pytest.approx(lean, abs=1e-8)
    assert heading == pytest.approx(precession * samples[:, 0], abs=1e-7)
    assert rotated == pytest.approx(spin * samples[:, 0], abs=1e-7)
    # the contact point goes round in a circle of radius r |spin / W|
    rho = r * abs(spin / precession)
    center = np.array((0.0, -r * spin / precession))
    assert np.hypot(x - center[0], y - center[1]) == pytest.approx(rho, abs=1e-7)
    assert system.statistics.energy_error < 1e-9


def test_leaning_disc_keeps_its_energy_and_wheels_turn_on():
    M = disc(lean=1.0, heading=0.3, rates=())
    M = msgspec.structs.replace(
        M,
        joints={
            "R": changed(
                M.joints["R"],
                rates=rates(-0.2 * 9 * math.cos(0.3), -0.2 * 9 * math.sin(0.3), 2.0, 0.5, 9.0),
            )
        },
    )
    layout, samples, system = simulate(M, 4.0, 0.01)
    assert (
        not system.findings
        and system.statistics.energy_error < 1e-8
        and np.ptp(samples[:, layout.joint("R")][:, 3]) > 0.2
    )
    # upright on a plane tilted by 0.2 about y, straight down: s'' = g sin(0.2) m r^2 / (C + m r^2)
    # = 2/3 g sin(0.2)
    W = disc(type="rolling_wheel")
    W = msgspec.structs.replace(W, gravity=vector(G * math.sin(0.2), 0.0, -G * math.cos(0.2)))
    layout, samples, system = simulate(W, 40.0, 1.0)
    x, y, _heading, spin = samples[:, layout.joint("R")].T
    assert x == pytest.approx(G * math.sin(0.2) / 3 * samples[:, 0] ** 2, rel=1e-9, abs=1e-9)
    assert spin == pytest.approx(-x / 0.2, rel=1e-9, abs=1e-9) and abs(spin[-1]) > 800 * 2 * math.pi
    assert np.abs(y).max() < 1e-8 and system.statistics.energy_error < 1e-8


def sleigh(rates_, offset=0.0, gravity=(0, 0, 0)):
    """A blade at its frame's origin along x, the centre of mass `offset` ahead of it."""
    m, I = 1.3, 0.07
    rigid = msgspec.structs.replace(
        body("sleigh", m, (0, 0, 0), I * np.eye(3)), center_of_mass=vector(offset, 0.0, 0.0)
    )
    j = Joint("K", "K", "knife_edge", Frame(GROUND), Frame("sleigh"), rates=rates(*rates_))
    return Mechanism({"sleigh": rigid}, {"K": j}, gravity=vector(*gravity)), m, I


@pytest.mark.parametrize("how", [{}, {"closing": ("K",)}, {"coordinates": "absolute"}])
def test_chaplygin_sleigh(how):
    # u' = a w^2, (I + m a^2) w' = -m a u w: with b^2 = m a^2 / (I + m a^2) and E^2 = u^2 + w^2 a^2
    # / b^2 (Bloch, Nonholonomic Mechanics and Control,
    # 1.7): from u = 0, w = w0: u = E tanh(k t), w = w0 / cosh(k t), E = w0 a / b, k = b w0
    a, w0 = 0.25, 3.0
    M, m, I = sleigh((0.0, 0.0, w0), a)
    layout, samples, system = simulate(M, 4.0, 0.05, **how)
    b = math.sqrt(m * a * a / (I + m * a * a))
    t = samples[:, 0]
    heading = samples[:, layout.joint("K")][:, 2]
    # heading = integral of w0 / cosh(b w0 t) = gd(b w0 t) / b
    assert heading == pytest.approx(2 * np.arctan(np.tanh(0.5 * b * w0 * t)) / b, abs=1e-8)
    v = samples[:, layout.velocities][:, :2]
    assert v[:, 0] * np.cos(heading) + v[:, 1] * np.sin(heading) == pytest.approx(
        w0 * a / b * np.tanh(b * w0 * t), abs=1e-8
    )
    assert -v[:, 0] * np.sin(heading) + v[:, 1] * np.cos(heading) == pytest.approx(0.0, abs=1e-9)
    assert system.statistics.energy_error < 1e-8


def test_sleigh_on_an_incline_drifts_sideways_on_the_average():
    # Bloch, 1.7: turning at w with the centre of mass over the blade on a slope of acceleration
    # g_x: u' = g_x cos(wt), so x = g_x sin^2(wt) / 2 w^2, y = g_x (wt - sin(wt) cos(wt)) / 2 w^2
    w, slope = 2.0, 1.7
    M, *_ = sleigh((0.0, 0.0, w), 0.0, (slope, 0, -G))
    layout, samples, _ = simulate(M, 8.0, 0.05)
    x, y, heading = samples[:, layout.joint("K")].T
    t = samples[:, 0]
    assert heading == pytest.approx(w * t, abs=1e-10)
    assert x == pytest.approx(slope / (2 * w * w) * np.sin(w * t) ** 2, abs=1e-9)
    assert y == pytest.approx(
        slope / (2 * w * w) * (w * t - np.sin(w * t) * np.cos(w * t)), abs=1e-9
    )


@pytest.mark.parametrize("how", [{}, {"closing": ("C",)}])
def test_bead_on_a_circle_is_a_pendulum(how):
    # s = r a, a'' = -(g / r) sin a from rest at 90 degrees: sin(a / 2) = k cd(w t | k^2), k =
    # sin(45 deg); a cubic spline through n points of a circle is off by r (2 pi / n)^4 / 384 and
    # less
    r, n = 0.5, 60
    points = [(r * math.sin(a), 0.0, -r * math.cos(a)) for a in np.arange(n) * 2 * math.pi / n]
    bead = body("bead", 0.4, (r, 0, 0), 1e-9 * np.eye(3))
    C = Joint(
        "C",
        "C",
        "point_on_curve",
        Frame(GROUND),
        Frame("bead"),
        curve=Curve(tuple(vector(*p) for p in points), closed=True),
    )
    layout, samples, system = simulate(Mechanism({"bead": bead}, {"C": C}), 2.0, 0.02, 1e-9, **how)
    m, w = 0.5, math.sqrt(G / r)
    _, cn, dn, _ = ellipj(w * samples[:, 0], m)
    theta = 2 * np.arcsin(np.sqrt(m) * cn / dn)
    p = samples[:, layout.pose("bead")]
    assert np.arctan2(p[:, 0], -p[:, 2]) == pytest.approx(theta, abs=2e-6)
    assert samples[:, layout.joint("C")][:, 0] == pytest.approx(r * theta, abs=2e-6)
    # steps pass the points of the spline, where its third derivative jumps
    assert system.statistics.energy_error < 2e-6


def test_bead_goes_round_and_its_way_goes_on():
    r, n = 0.5, 48
    points = [(r * math.cos(a), r * math.sin(a), 0.0) for a in np.arange(n) * 2 * math.pi / n]
    C = Joint(
        "C",
        "C",
        "point_on_curve",
        Frame(GROUND),
        Frame("bead"),
        curve=Curve(tuple(vector(*p) for p in points), closed=True),
        rates=rates(200.0, 0.0, 0.0, 0.0),
    )
    layout, samples, _ = simulate(
        Mechanism(
            {"bead": body("bead", 0.4, (r, 0, 0), 1e-3 * np.eye(3))},
            {"C": C},
            gravity=vector(0, 0, 0),
        ),
        20.0,
        1.0,
        1e-9,
    )
    assert samples[:, layout.joint("C")][:, 0] == pytest.approx(
        200.0 * samples[:, 0], rel=1e-6, abs=1e-6
    )  # 1270 rounds
