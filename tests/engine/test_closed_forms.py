"""Runs against closed forms; each tolerance follows from the run's own (1e-10 relative) and the
time that it goes on.
"""

import math

import msgspec
import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import about, to_angles
from mechstudio.model.mechanism import (
    GROUND,
    Force,
    Frame,
    InitialVelocity,
    Joint,
    Mechanism,
    Placement,
)
from mechstudio.model.quantity import Quantity, vector
from tests.engine.problems import body, joint, published

G = 9.81
Y_AXIS = (0.0, -1.0, 0.0)


def simulate(mechanism, duration, sample_step, tolerance=1e-10, **how):
    system = compile_system(mechanism, **how)
    samples = np.concatenate(
        list(run(system, RunOptions(duration, sample_step, tolerance=tolerance)))
    )
    return system.layout, samples, system


def with_rates(mechanism, **rates):
    joints = {
        id: msgspec.structs.replace(j, rates=tuple(Quantity(r) for r in rates[id]))
        if id in rates
        else j
        for id, j in mechanism.joints.items()
    }
    return msgspec.structs.replace(mechanism, joints=joints)


def force(id, type, **more):
    parameters = {k: Quantity(v) for k, v in more.items() if isinstance(v, float)}
    return Force(
        id, id, type, parameters, **{k: v for k, v in more.items() if not isinstance(v, float)}
    )


def test_pendulum_swings_with_the_elliptic_period():
    # theta'' = -(g / l) sin theta from theta_0 = 90 deg at rest: sin(theta / 2) = k cd(w t | k^2),
    # k = sin(theta_0 / 2), w = sqrt(g / l)
    mechanism, _ = published("pendulum")
    layout, samples, _ = simulate(mechanism, 10.0, 0.05)
    m, w = math.sin(math.pi / 4) ** 2, math.sqrt(G)
    _, cn, dn, _ = ellipj(w * samples[:, 0], m)
    theta = 2 * np.arcsin(np.sqrt(m) * cn / dn)
    # hanging along -y; the drawn pose is 90 degrees clockwise of that, at x = -1
    x, y = samples[:, layout.pose("P1")][:, :2].T
    assert np.arctan2(-x, -y) == pytest.approx(theta, abs=1e-8)
    assert 4 * ellipk(m) / w == pytest.approx(2.3678, abs=1e-3)


def double_pendulum():
    bodies = {
        "a": body("a", 1.0, (0.5, 0, 0), np.diag([0.01, 0.09, 0.09])),
        "b": body("b", 2.0, (1.4, 0, 0), np.diag([0.01, 0.14, 0.14])),
    }
    joints = {
        "A": joint("A", "revolute", GROUND, "a", (0, 0, 0), Y_AXIS, bodies),
        "B": joint("B", "revolute", "a", "b", (1, 0, 0), Y_AXIS, bodies),
    }
    return Mechanism(bodies, joints)


def test_double_pendulum_keeps_its_energy():
    layout, samples, system = simulate(double_pendulum(), 10.0, 0.02)
    assert system.statistics.energy_error < 1e-8
    kinetic, potential, work, balance = samples[:, layout.energy].T
    assert (
        np.all(work == 0.0)
        and np.abs(balance - (kinetic + potential - kinetic[0] - potential[0])).max() < 1e-12
    )
    # T + U from the poses and velocities alone
    own = 0.0
    for id, mass, inertia in (("a", 1.0, 0.09), ("b", 2.0, 0.14)):
        k = layout.bodies.index(id)
        v = samples[:, layout.velocities][:, 6 * k : 6 * k + 6]
        own = (
            own
            + 0.5 * mass * np.sum(v[:, :3] ** 2, axis=1)
            + 0.5 * inertia * v[:, 4] ** 2
            + mass * G * samples[:, layout.pose(id)][:, 2]
        )
    assert kinetic + potential == pytest.approx(own, abs=1e-10)


def slider(*forces):
    """A block of 2 kg on a slide along x."""
    bodies = {"block": body("block", 2.0, (0.5, 0, 0), 0.01 * np.eye(3))}
    joints = {"S": joint("S", "prismatic", GROUND, "block", (0.5, 0, 0), (1, 0, 0), bodies)}
    return Mechanism(bodies, joints, {f.id: f for f in forces})


ANCHOR, BLOCK = Frame(GROUND), Frame("block")


def test_mass_on_a_spring_and_damper():
    # m x'' = -k (x - l) - c x': x - l = e^(-d t) (a cos w t + (a d / w) sin w t), d = c / 2 m, w =
    # sqrt(k / m - d^2), a = 0.5 - l
    k, c, free, m = 80.0, 1.2, 0.3, 2.0
    spring = force("k", "spring", stiffness=k, free_length=free, frame_a=ANCHOR, frame_b=BLOCK)
    damper = force("c", "damper", damping=c, frame_a=ANCHOR, frame_b=BLOCK)
    layout, samples, system = simulate(slider(spring, damper), 5.0, 0.05)
    t, d, a = samples[:, 0], c / (2 * m), 0.5 - free
    w = math.sqrt(k / m - d * d)
    truth = a * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))
    assert samples[:, layout.joint("S")][:, 0] + 0.5 - free == pytest.approx(truth, abs=1e-9)
    # what is left after the damper's work: T + U = E_0 + W
    energy = samples[:, layout.energy]
    assert energy[:, 2] == pytest.approx(energy[:, 0] + energy[:, 1] - energy[0, 1], abs=1e-9)
    assert energy[-1, 2] < -1.0 and system.statistics.energy_error < 1e-8


def test_motor_force_gives_constant_acceleration():
    layout, samples, _ = simulate(slider(force("f", "motor_force", force=3.0, joint="S")), 4.0, 0.1)
    t = samples[:, 0]
    assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
        0.5 * 1.5 * t**2, rel=1e-12, abs=1e-12
    )
    assert samples[:, layout.energy][:, 2] == pytest.approx(3.0 * 0.75 * t**2, rel=1e-10, abs=1e-12)


def free(spin=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), inertia=(0.3, 0.2, 0.1), forces=()):
    b = {"free": body("free", 1.5, (0.2, 0.1, 0.0), np.diag(inertia), velocity, spin)}
    return Mechanism(b, {}, {f.id: f for f in forces})


def test_torque_on_a_free_body():
    # about a principal axis: omega = tau t / I while the body falls
    torque = force("t", "torque", x=0.0, y=0.0, z=0.4, frame_b=Frame("free"))
    layout, samples, _ = simulate(free(forces=(torque,)), 3.0, 0.1)
    t = samples[:, 0]
    assert samples[:, layout.velocities][:, 5] == pytest.approx(0.4 * t / 0.1, rel=1e-10, abs=1e-12)
    assert samples[:, layout.pose("free")][:, 2] == pytest.approx(
        -0.5 * G * t**2, rel=1e-10, abs=1e-11
    )


def test_free_rigid_body_follows_jacobi():
    # Euler's equations with I1 > I2 > I3, started in the plane of axes 1 and 3, with 2 T I2 > L^2:
    # w3 = w30 dn(s t), w2 = -b sn(s t), w1 = w10 cn(s t)
    i1, i2, i3 = 0.3, 0.2, 0.1
    w10, w30 = 0.5, 3.0
    two_t, l2 = i1 * w10**2 + i3 * w30**2, (i1 * w10) ** 2 + (i3 * w30) ** 2
    assert two_t * i2 > l2
    s = math.sqrt((i2 - i3) * (two_t * i1 - l2) / (i1 * i2 * i3))
    m = (i1 - i2) * (l2 - two_t * i3) / ((i2 - i3) * (two_t * i1 - l2))
    layout, samples, _ = simulate(free((w10, 0.0, w30), (0.3, -0.2, 1.0)), 20.0, 0.1)
    sn, cn, dn, _ = ellipj(s * samples[:, 0], m)
    w = samples[:, layout.velocities][:, 3:6]
    assert w[:, 0] == pytest.approx(w10 * cn, abs=1e-8)
    assert w[:, 2] == pytest.approx(w30 * dn, abs=1e-8)
    assert np.abs(w[:, 1]) == pytest.approx(
        math.sqrt((l2 - two_t * i3) / (i2 * (i2 - i3))) * np.abs(sn), abs=1e-7
    )
    # angular momentum stays in W
    q = samples[:, layout.pose("free")][:, 3:]
    L = w * (i1, i2, i3)
    in_world = L + 2 * np.cross(q[:, 1:], np.cross(q[:, 1:], L) + q[:, :1] * L)
    assert in_world == pytest.approx(np.broadcast_to(in_world[0], in_world.shape), abs=1e-9)


def top(tilt, spin):
    """A symmetric top of 0.5 kg, centre 0.1 m above its tip, spinning about its own axis z."""
    mass, l, i1, i3 = 0.5, 0.1, 0.002, 0.0008
    q = about((1.0, 0.0, 0.0), tilt)
    rigid = body("top", mass, (0, 0, 0), np.diag([i1, i1, i3]))
    bodies = {
        "top": msgspec.structs.replace(
            rigid,
            placement=Placement(vector(0, 0, 0), vector(*to_angles(q))),
            center_of_mass=vector(0, 0, l),
            initial_velocity=InitialVelocity(vector(0, 0, 0), vector(*spin)),
        )
    }
    return (
        Mechanism(bodies, {"tip": Joint("tip", "tip", "spherical", Frame(GROUND), Frame("top"))}),
        mass,
        l,
        i1 + mass * l * l,
        i3,
    )


def test_heavy_top_precesses_steadily():
    # steady precession at tilt a with spin w3: I1 W^2 cos a - I3 w3 W + m g l = 0, the slow root W
    tilt, w3 = 0.4, 250.0
    _, mass, l, i1, i3 = top(tilt, (0, 0, w3))
    a, b, c = i1 * math.cos(tilt), -i3 * w3, mass * G * l
    slow = (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
    # angular velocity in body axes: W about the vertical plus the rest about z; the vertical lies
    # at (0, sin a, cos a)
    mechanism, *_ = top(tilt, (0.0, slow * math.sin(tilt), w3))
    layout, samples, system = simulate(mechanism, 3.0, 0.02)
    q = samples[:, layout.pose("top")][:, 3:]
    w, x, y, z = q.T
    axis = np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=1)
    assert axis[:, 2] == pytest.approx(math.cos(tilt), abs=1e-8)
    azimuth = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    assert azimuth - azimuth[0] == pytest.approx(slow * samples[:, 0], abs=1e-6)
    assert samples[:, layout.velocities][:, 5] == pytest.approx(w3, abs=1e-6)
    assert system.statistics.energy_error < 1e-9


def test_heavy_top_conserves_what_lagrange_says():
    # nutating: energy, the vertical angular momentum and the spin about the own axis stay
    mechanism, _, _, i1, i3 = top(0.7, (0.5, 2.0, 100.0))
    layout, samples, system = simulate(mechanism, 2.0, 0.01)
    w_body, q = samples[:, layout.velocities][:, 3:6], samples[:, layout.pose("top")][:, 3:]
    L = w_body * (i1, i1, i3)
    in_world = L + 2 * np.cross(q[:, 1:], np.cross(q[:, 1:], L) + q[:, :1] * L)
    assert in_world[:, 2] == pytest.approx(in_world[0, 2], abs=1e-9)
    assert w_body[:, 2] == pytest.approx(100.0, abs=1e-7)
    assert (
        system.statistics.energy_error < 1e-9
        and np.ptp(samples[:, layout.joint("tip")][:, 1]) > 0.1
    )


def test_angles_go_on_over_many_turns():
    # a wheel that a constant torque turns: angle = tau t^2 / 2 I, and the same wheel hanging on a
    # loop-closing pin
    bodies = {"wheel": body("wheel", 1.0, (0, 0, 0), 0.02 * np.eye(3))}
    joints = {"A": joint("A", "revolute", GROUND, "wheel", (0, 0, 0), Y_AXIS, bodies)}
    torque = force("t", "motor_torque", torque=0.5, joint="A")
    mechanism = Mechanism(bodies, joints, {"t": torque})
    typed = msgspec.structs.replace(
        mechanism,
        joints={"A": msgspec.structs.replace(joints["A"], values=(Quantity(4 * math.pi),))},
    )
    for m, start in ((mechanism, 0.0), (typed, 4 * math.pi)):
        for closing in ((), ("A",)):
            layout, samples, _ = simulate(m, 4.0, 0.4, closing=closing)
            angle = samples[:, layout.joint("A")][:, 0]
            assert angle == pytest.approx(start + 12.5 * samples[:, 0] ** 2, rel=1e-9, abs=1e-9)
            assert angle[-1] > 30 * 2 * math.pi


def test_ball_angles_go_on_over_many_turns():
    mechanism, *_ = top(0.3, (0.0, 0.0, 200.0))
    layout, samples, _ = simulate(mechanism, 2.0, 0.5)
    psi, theta, phi = samples[:, layout.joint("tip")].T
    # the spin shows in psi, read about the vertical; its mean rate is the spin over cos(tilt) and
    # more, never a wrapped angle
    fine = simulate(mechanism, 2.0, 0.002)[1][:, layout.joint("tip")]
    assert fine[::250] == pytest.approx(np.stack((psi, theta, phi), axis=1), abs=1e-6)
    assert np.abs(np.diff(fine, axis=0)).max() < 1.0 and psi[-1] > 60 * math.pi


def test_nothing_moves_without_freedom():
    bodies = {"block": body("block", 2.0, (0.5, 0, 0), 0.01 * np.eye(3))}
    joints = {"F": joint("F", "fixed", GROUND, "block", (0.5, 0, 0), (1, 0, 0), bodies)}
    for m in (Mechanism(bodies, joints), Mechanism()):
        layout, samples, system = simulate(m, 1.0, 0.25)
        assert samples.shape == (5, layout.width) and system.statistics.energy_error is None
        assert np.all(samples[:, layout.poses] == samples[0, layout.poses])


def cone(tilt, rate):
    """A thin rod of 1 m on a ball joint whose frame B has its x along the rod, so that hanging
    straight down is a gimbal lock.
    """
    q = about((0.0, 1.0, 0.0), math.pi / 2 - tilt)
    rod = msgspec.structs.replace(
        body("rod", 1.0, (0, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12])),
        placement=Placement(vector(0, 0, 0), vector(*to_angles(q))),
        center_of_mass=vector(0.5, 0, 0),
        initial_velocity=InitialVelocity(vector(0, 0, 0), vector(0.0, 0.0, rate * math.sin(tilt))),
    )
    return Mechanism(
        {"rod": rod}, {"tip": Joint("tip", "tip", "spherical", Frame(GROUND), Frame("rod"))}
    )


@pytest.mark.parametrize("tilt", [0.05, 0.005])
def test_angles_near_a_gimbal_lock_keep_their_turns(tilt):
    # a conical pendulum goes round near W = sqrt(m g l / (I cos tilt)); psi goes round with it,
    # though the rod's own speed is W sin(tilt) only
    rate = math.sqrt(G * 0.5 / (1 / 3 * math.cos(tilt)))
    duration = 20.0
    layout, coarse, _ = simulate(cone(tilt, rate), duration, 2.0, tolerance=1e-6)
    fine = simulate(cone(tilt, rate), duration, 0.01)[1][:, layout.joint("tip")]
    psi = coarse[:, layout.joint("tip")][:, 0]
    assert abs(psi[-1] - psi[0]) == pytest.approx(rate * duration, rel=0.02)
    assert (
        fine[::200, 0] == pytest.approx(psi, abs=0.1) and np.abs(np.diff(fine, axis=0)).max() < 0.2
    )


def test_a_ball_at_rest_in_gimbal_lock_shows_steady_angles():
    layout, samples, _ = simulate(cone(0.0, 0.0), 1.0, 0.05)
    assert np.ptp(samples[:, layout.joint("tip")], axis=0) == pytest.approx(0.0, abs=1e-7)
