"""Every force and law in runs against closed forms or independent integrations; tolerances follow
from the run's own, 1e-10 relative.
"""

import math

import mpmath
import msgspec
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels.loads import bushings
from mechstudio.engine.kernels.recording import record
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.mechanism import (
    GROUND,
    Force,
    Frame,
    InitialVelocity,
    Limit,
    Mechanism,
    Placement,
)
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.forces import BUSHING_AXES, FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from tests.engine.constraints.test_rows import skewed
from tests.engine.problems import body, joint
from tests.engine.test_closed_forms import ANCHOR, BLOCK, force, simulate, slider, with_rates
from tests.model.laws.test_evaluation import law

MASS = 2.0  # of the slider's block


def following(a_force, **laws_):
    return msgspec.structs.replace(a_force, laws=laws_)


def typed(text, **numbers):
    return law("expression", text, **numbers)


def weightless(mechanism):
    return msgspec.structs.replace(mechanism, gravity=vector(0, 0, 0))


def pushed(a_law, **how):
    """The slider under a motor force that follows a law, from rest at x = 0."""
    motor = following(force("f", "motor_force", force=0.0, joint="S"), force=a_law)
    layout, samples, system = simulate(slider(motor), 4.0, 0.1, **how)
    assert system.statistics.energy_error < 1e-8
    return samples[:, 0], samples[:, layout.joint("S")][:, 0]


def two_sliders(*forces, velocities=(0.0, 0.0)):
    """Blocks of 2 and 3 kg on two slides along x, at coordinates 0."""
    bodies = {
        "one": body("one", 2.0, (0, 0, 0), 0.01 * np.eye(3)),
        "two": body("two", 3.0, (0, 1, 0), 0.01 * np.eye(3)),
    }
    joints = {
        id: joint(id, "prismatic", GROUND, b, (0, y, 0), (1, 0, 0), bodies)
        for id, b, y in (("A", "one", 0), ("B", "two", 1))
    }
    return with_rates(
        Mechanism(bodies, joints, {f.id: f for f in forces}), A=velocities[:1], B=velocities[1:]
    )


def wheel(*forces, rate=0.0, inertia=0.02):
    bodies = {"wheel": body("wheel", 1.0, (0, 0, 0), inertia * np.eye(3))}
    joints = {"P": joint("P", "revolute", GROUND, "wheel", (0, 0, 0), (0, -1, 0), bodies)}
    return with_rates(Mechanism(bodies, joints, {f.id: f for f in forces}), P=(rate,))


# laws of time on a motor


def test_a_sine_force_on_a_spring():
    # m x'' + k x = F sin(w t) from rest: x = F / (m (w0^2 - w^2)) (sin w t - (w / w0) sin w0 t)
    stiffness, F, w, w0 = 50.0, 3.0, 2 * math.pi * 0.4, math.sqrt(50.0 / MASS)
    spring = force("k", "slide_spring", stiffness=stiffness, free_length=0.0, joint="S")
    motor = following(
        force("f", "motor_force", force=0.0, joint="S"),
        force=law("sine", amplitude=F, frequency=0.4),
    )
    for closing in ((), ("S",)):
        layout, samples, system = simulate(slider(spring, motor), 6.0, 0.1, closing=closing)
        t = samples[:, 0]
        assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
            F / (MASS * (w0**2 - w**2)) * (np.sin(w * t) - w / w0 * np.sin(w0 * t)), abs=1e-9
        )
        assert system.statistics.energy_error < 1e-8


def test_a_force_from_rest_to_rest():
    # m x'' = F s(t / T): twice the integral of 10 u^3 - 15 u^4 + 6 u^5, then a constant force
    F, T = 4.0, 2.5
    t, x = pushed(law("rest_to_rest", end=F, duration=T))
    twice = np.polynomial.Polynomial([0, 0, 0, 10, -15, 6]).integ(2)
    once = twice.deriv()
    rising = F / MASS * T * T * twice(t / T)
    after = F / MASS * (T * T * twice(1.0) + T * once(1.0) * (t - T) + (t - T) ** 2 / 2)
    assert x == pytest.approx(np.where(t < T, rising, after), abs=1e-8)


def test_a_ramp_of_force():
    # m x'' = F (t - b) / d between b and b + d
    F, b, d = 5.0, 0.5, 2.0
    t, x = pushed(law("ramp", end=F, begin=b, duration=d))
    u = np.clip(t - b, 0.0, d)
    x_true = (
        F
        / MASS
        * (
            u**3 / (6 * d)
            + np.maximum(t - b - d, 0.0) * d / 2
            + np.maximum(t - b - d, 0.0) ** 2 / 2
        )
    )
    assert x == pytest.approx(x_true, abs=1e-8)


def test_a_table_of_force():
    # m x'' = SciPy's clamped spline, integrated twice by it
    points = [(0.0, 0.0), (1.0, 3.0), (1.5, 2.0), (3.0, -1.0), (4.0, 2.0)]
    t, x = pushed(law("table", points=points))
    assert x == pytest.approx(
        CubicSpline(*zip(*points), bc_type=((1, 0.0), (1, 0.0))).antiderivative(2)(t) / MASS,
        abs=1e-8,
    )


# typed laws say what the types say


@pytest.mark.parametrize("closing", [(), ("S",)])
def test_a_typed_spring_is_a_spring(closing):
    # x = v0 / w sin(w t)
    for text in (
        "-k*x",
        "-k*q_S",
        "-(80 N/m)*x",
        "-min(k*x, 9 kN)",
        "-k*abs(x)*x/hypot(x, 1e-300 m)",
    ):
        motor = following(
            force("f", "motor_force", force=0.0, joint="S"), force=typed(text, k=80.0)
        )
        layout, samples, system = simulate(
            with_rates(slider(motor), S=(0.7,)), 3.0, 0.1, closing=closing
        )
        w = math.sqrt(80.0 / MASS)
        assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
            0.7 / w * np.sin(w * samples[:, 0]), abs=1e-8
        )
        assert system.statistics.energy_error < 1e-8


def test_a_typed_damper_is_a_damper():
    # v = v0 exp(-c t / m)
    for text in ("-c*v", "-c*v_S"):
        motor = following(force("f", "motor_force", force=0.0, joint="S"), force=typed(text, c=3.0))
        layout, samples, _ = simulate(with_rates(slider(motor), S=(0.7,)), 3.0, 0.1)
        assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
            0.7 * MASS / 3.0 * (1 - np.exp(-3.0 / MASS * samples[:, 0])), abs=1e-9
        )


def test_an_actuator_between_points_is_what_is_typed():
    # as a spring of the same law, at distance x
    spring = force("k", "spring", stiffness=80.0, free_length=0.3, frame_a=ANCHOR, frame_b=BLOCK)
    actuator = following(
        force("k", "actuator", force=0.0, frame_a=ANCHOR, frame_b=BLOCK),
        force=typed("-k*(x-0.3 m)-c*v", k=80.0, c=0.0),
    )
    (layout, a, _), (_, b, system) = (simulate(slider(f), 3.0, 0.1) for f in (spring, actuator))
    assert a[:, layout.joint("S")] == pytest.approx(b[:, layout.joint("S")], abs=1e-8)
    assert np.all(a[:, layout.energy][:, 2] == 0.0) and system.statistics.energy_error < 1e-8


def test_forces_that_read_other_joints():
    # a spring across two slides: the relative motion swings with w^2 = k (1 / m1 + 1 / m2), the
    # common one goes on
    pull = lambda id, on, text: following(
        force(id, "motor_force", force=0.0, joint=on), force=typed(text, k=40.0)
    )
    m = two_sliders(
        pull("f", "A", "k*(q_B-q_A)"), pull("g", "B", "-k*(x-q_A)"), velocities=(1.0, 0.0)
    )
    layout, samples, system = simulate(m, 4.0, 0.1)
    t, a, b = (
        samples[:, 0],
        samples[:, layout.joint("A")][:, 0],
        samples[:, layout.joint("B")][:, 0],
    )
    w = math.sqrt(40.0 * (1 / 2 + 1 / 3))
    assert b - a == pytest.approx(-np.sin(w * t) / w, abs=1e-9)
    assert 2 * a + 3 * b == pytest.approx(2 * t, abs=1e-9)
    assert system.statistics.energy_error < 1e-8


def test_a_central_force_from_the_place_of_its_point():
    # a body whose centre is pulled to W's origin by k r: each component swings with w = sqrt(k / m)
    names = ("x", "y", "z")
    pull = following(
        force("f", "force", x=0.0, y=0.0, z=0.0, frame_b=Frame("free")),
        **{n: typed(f"-k*{n}-(0 N*s/m)*v{n}", k=6.0) for n in names},
    )
    m = weightless(
        Mechanism(
            {"free": body("free", 1.5, (0.4, -0.2, 0.3), 0.01 * np.eye(3), (0.5, 1.0, -0.2))},
            {},
            {"f": pull},
        )
    )
    layout, samples, system = simulate(m, 5.0, 0.1)
    w, t = 2.0, samples[:, :1]
    truth = np.array([0.4, -0.2, 0.3]) * np.cos(w * t) + np.array([0.5, 1.0, -0.2]) / w * np.sin(
        w * t
    )
    assert samples[:, layout.pose("free")][:, :3] == pytest.approx(truth, abs=1e-9)
    assert system.statistics.energy_error < 1e-8


def test_a_thrust_in_body_axes_turns_with_the_body():
    # spinning with w about z, the thrust F along the body's x: m v' = F (cos w t, sin w t)
    spin, F, m = 3.0, 2.0, 1.5
    thrust = Force(
        "f",
        "f",
        "force",
        {n: Quantity(0.0) for n in "xyz"},
        frame_b=Frame("free", placement=Placement(vector(0, 0, 0), vector(0.4, 0.2, 0.1))),
        axes="body",
    )
    plain = msgspec.structs.replace(
        thrust, parameters={"x": Quantity(F), "y": Quantity(0.0), "z": Quantity(0.0)}
    )
    for f in (plain, following(thrust, x=typed("F", F=F))):
        mechanism = weightless(
            Mechanism(
                {"free": body("free", m, (0, 0, 0), 0.1 * np.eye(3), (0, 0, 0), (0, 0, spin))},
                {},
                {"f": f},
            )
        )
        layout, samples, _ = simulate(mechanism, 4.0, 0.1)
        t = samples[:, 0]
        truth = (
            F
            / (m * spin**2)
            * np.stack((1 - np.cos(spin * t), spin * t - np.sin(spin * t), 0 * t), axis=1)
        )
        assert samples[:, layout.pose("free")][:, :3] == pytest.approx(truth, abs=1e-9)


def test_a_spring_whose_stiffness_follows_a_law_does_work():
    # m x'' = -k(t) x, against SciPy at 1e-12; all its power is booked as work
    spring = following(
        force("k", "slide_spring", stiffness=50.0, free_length=0.0, joint="S"),
        stiffness=typed("k*(1+0.5*sin(8 rad/s*t))", k=50.0),
    )
    layout, samples, system = simulate(with_rates(slider(spring), S=(1.0,)), 4.0, 0.2)
    truth = solve_ivp(
        lambda t, y: (y[1], -50 * (1 + 0.5 * math.sin(8 * t)) * y[0] / MASS),
        (0, 4),
        (0, 1),
        "DOP853",
        samples[:, 0],
        rtol=1e-12,
        atol=1e-13,
    )
    assert samples[:, layout.joint("S")][:, 0] == pytest.approx(truth.y[0], abs=1e-8)
    kinetic, potential, work, _ = samples[:, layout.energy].T
    assert np.ptp(potential) < 1e-12 and work == pytest.approx(kinetic - kinetic[0], abs=1e-8)
    assert system.statistics.energy_error < 1e-8


# torsion


def test_torsion_spring_and_damper():
    # I q'' = -k (q - q0) - c q': free damped vibration about q0
    stiffness, c, q0, inertia = 0.6, 0.01, 0.4, 0.02
    spring, damper = (
        force("k", "torsion_spring", stiffness=stiffness, free_angle=q0, joint="P"),
        force("c", "torsion_damper", damping=c, joint="P"),
    )
    d, w = c / (2 * inertia), math.sqrt(stiffness / inertia - (c / (2 * inertia)) ** 2)
    for closing in ((), ("P",)):
        layout, samples, system = simulate(wheel(spring, damper), 4.0, 0.1, closing=closing)
        t = samples[:, 0]
        assert samples[:, layout.joint("P")][:, 0] == pytest.approx(
            q0 - q0 * np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t)), abs=1e-9
        )
        assert system.statistics.energy_error < 1e-8


def test_slide_damper():
    layout, samples, system = simulate(
        with_rates(slider(force("c", "slide_damper", damping=3.0, joint="S")), S=(0.7,)), 3.0, 0.1
    )
    assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
        0.7 * MASS / 3.0 * (1 - np.exp(-3.0 / MASS * samples[:, 0])), abs=1e-9
    )
    assert system.statistics.energy_error < 1e-8


# friction


@pytest.mark.parametrize("torsional", [False, True])
def test_coulomb_friction_stops_a_body(torsional):
    # m v' = -F v / sqrt(v^2 + s^2): m v dv = ... dx gives the way to rest (m / 2F) (v0 sqrt(v0^2 +
    # s^2) + s^2 asinh(v0 / s));
    # Coulomb's own, without smoothing, is m v0^2 / 2F, shorter by m s^2 / 2F (1/2 + ln(2 v0 / s)).
    # At the end v falls as exp(-F t / m s)
    F, speed, v0 = (0.05, 0.02, 3.0) if torsional else (4.0, 0.002, 1.5)
    inertia = 0.02 if torsional else MASS
    if torsional:
        m = wheel(force("f", "friction_torque", torque=F, speed=speed, joint="P"), rate=v0)
    else:
        m = with_rates(
            slider(force("f", "friction_force", force=F, speed=speed, joint="S")), S=(v0,)
        )
    duration = inertia * (v0 + 30 * speed) / F
    layout, samples, system = simulate(m, duration, duration / 10)
    way = inertia / (2 * F) * (v0 * math.hypot(v0, speed) + speed**2 * math.asinh(v0 / speed))
    travelled = samples[-1, layout.joint("P" if torsional else "S")][0]
    assert travelled == pytest.approx(way, rel=1e-7)
    assert travelled - inertia * v0**2 / (2 * F) == pytest.approx(
        inertia * speed**2 / (2 * F) * (0.5 + math.log(2 * v0 / speed)), rel=1e-3
    )
    # all of the kinetic energy is dissipated
    assert (
        samples[-1, layout.energy][2] == pytest.approx(-0.5 * inertia * v0**2, rel=1e-6)
        and system.statistics.energy_error < 1e-7
    )


def test_viscous_friction_adds_to_it():
    # m v' = -F v / sqrt(v^2 + s^2) - c v, against SciPy
    m = with_rates(
        slider(force("f", "friction_force", force=1.0, speed=0.05, damping=2.0, joint="S")),
        S=(1.0,),
    )
    layout, samples, _ = simulate(m, 2.0, 0.1)
    truth = solve_ivp(
        lambda t, y: (y[1], -(y[1] / math.hypot(y[1], 0.05) + 2 * y[1]) / MASS),
        (0, 2),
        (0, 1),
        "DOP853",
        samples[:, 0],
        rtol=1e-12,
        atol=1e-13,
    )
    assert samples[:, layout.joint("S")][:, 0] == pytest.approx(truth.y[0], abs=1e-8)


# servos


def test_the_step_response_of_a_servo():
    # m x'' = k_p (X - x) - k_d x': x / X = 1 - e^(-z w t) (cos w_d t + z w / w_d sin w_d t), w =
    # sqrt(k_p / m), z = k_d / 2 m w
    kp, kd, X = 80.0, 6.0, 0.25
    w, z = math.sqrt(kp / MASS), kd / (2 * math.sqrt(kp * MASS))
    servo = force("s", "servo_force", stiffness=kp, damping=kd, target=X, joint="S")
    layout, samples, system = simulate(slider(servo), 4.0, 0.1)
    t, wd = samples[:, 0], w * math.sqrt(1 - z * z)
    truth = X * (1 - np.exp(-z * w * t) * (np.cos(wd * t) + z * w / wd * np.sin(wd * t)))
    assert samples[:, layout.joint("S")][:, 0] == pytest.approx(truth, abs=1e-9)
    assert system.statistics.energy_error < 1e-8


@pytest.mark.parametrize(
    "target",
    [
        law("ramp", start=0.1, end=0.1 + 0.3 * 50, begin=0.0, duration=50.0),
        typed("0.1 m+r*t", r=0.3),
        typed("0.1 m+0.3 m/s*t*exp(0*q_S/(1 m))"),
    ],
    ids=["ramp", "typed", "reading a joint"],
)
def test_a_servo_follows_a_steady_target_exactly(target):
    # with e = X(t) - x: m e'' + k_d e' + k_p e = m X'' = 0; started on the target with its speed it
    # stays there, which needs X' in the law
    servo = following(
        force("s", "servo_force", stiffness=80.0, damping=6.0, target=0.0, joint="S"), target=target
    )
    started = with_rates(slider(servo), S=(0.3,))
    start = msgspec.structs.replace(
        started, bodies={"block": body("block", MASS, (0.6, 0, 0), 0.01 * np.eye(3))}
    )
    layout, samples, _system = simulate(start, 4.0, 0.1)
    assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
        0.1 + 0.3 * samples[:, 0], abs=1e-10
    )


def test_a_servo_on_a_swinging_target():
    # the same with X = a sin(w t), against SciPy
    servo = following(
        force("s", "servo_torque", stiffness=2.0, damping=0.1, target=0.0, joint="P"),
        target=law("sine", amplitude=0.5, frequency=0.8),
    )
    layout, samples, system = simulate(wheel(servo), 4.0, 0.1)
    w = 2 * math.pi * 0.8
    rhs = lambda t, y: (
        y[1],
        (2.0 * (0.5 * math.sin(w * t) - y[0]) + 0.1 * (0.5 * w * math.cos(w * t) - y[1])) / 0.02,
    )
    truth = solve_ivp(rhs, (0, 4), (0, 0), "DOP853", samples[:, 0], rtol=1e-12, atol=1e-13)
    assert samples[:, layout.joint("P")][:, 0] == pytest.approx(truth.y[0], abs=1e-8)
    assert system.statistics.energy_error < 1e-8


# soft stops


def stopped(mechanism, id, limit):
    return msgspec.structs.replace(
        mechanism,
        joints={
            **mechanism.joints,
            id: msgspec.structs.replace(mechanism.joints[id], limits=(limit,)),
        },
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("closing", [(), ("S",)])
def test_a_soft_stop_throws_back(sign, closing):
    # contact for half a swing: penetration v sqrt(m / k) sin(w (t - t0)), then back with -v
    stiffness, gap, v = 2000.0, 0.2, 0.8
    stop = Limit(0, Quantity(-gap), Quantity(gap), stiffness=Quantity(stiffness))
    layout, samples, system = simulate(
        stopped(with_rates(slider(), S=(sign * v,)), "S", stop), 0.6, 0.005, closing=closing
    )
    t, x = samples[:, 0], sign * samples[:, layout.joint("S")][:, 0]
    w, hit = math.sqrt(stiffness / MASS), gap / v
    truth = np.where(
        t < hit,
        v * t,
        np.where(
            t < hit + math.pi / w,
            gap + v / w * np.sin(w * (t - hit)),
            gap - v * (t - hit - math.pi / w),
        ),
    )
    # the stiffness jumps inside a step, which the estimate judges by its stages only: some
    # tolerances are lost at each passage
    assert x == pytest.approx(truth, abs=1e-8)
    assert system.statistics.energy_error < 1e-7 and samples[:, layout.energy][
        :, 1
    ].max() == pytest.approx(0.5 * MASS * v * v, rel=1e-3)


def test_a_damped_soft_stop_never_pulls():
    # m e'' = -k e - c e' until that force vanishes, then free: the rebound speed against SciPy with
    # an event; what is missing was dissipated
    stiffness, c, v = 2000.0, 30.0, 0.8
    stop = Limit(0, None, Quantity(0.2), stiffness=Quantity(stiffness), damping=Quantity(c))
    layout, samples, system = simulate(stopped(with_rates(slider(), S=(v,)), "S", stop), 1.0, 0.01)
    push = lambda t, y: stiffness * y[0] + c * y[1]
    push.terminal, push.direction = True, -1
    contact = solve_ivp(
        lambda t, y: (y[1], -push(t, y) / MASS),
        (0, 1),
        (0.0, v),
        "DOP853",
        events=push,
        rtol=1e-12,
        atol=1e-14,
    )
    back = contact.y_events[0][0][1]
    assert -v < back < 0
    at = samples[:, layout.velocities][:, 0]
    assert at[-1] == pytest.approx(back, abs=1e-7)
    assert (
        samples[-1, layout.energy][2] == pytest.approx(0.5 * MASS * (back**2 - v**2), abs=1e-7)
        and system.statistics.energy_error < 1e-7
    )


def test_an_angle_has_soft_stops_too():
    # the same half swing on a wheel
    stop = Limit(0, Quantity(-1.0), Quantity(1.0), stiffness=Quantity(5.0))
    layout, samples, system = simulate(stopped(wheel(rate=4.0), "P", stop), 3.0, 0.01)
    assert np.abs(samples[:, layout.joint("P")][:, 0]).max() == pytest.approx(
        1.0 + 4.0 * math.sqrt(0.02 / 5.0), rel=1e-4
    )
    assert system.statistics.energy_error < 1e-8


# bushings


def matrices(K, D=None):
    """Parameters of a bushing from symmetric matrices."""
    out = {}
    for letter, M in (("k", K), ("d", np.zeros((6, 6)) if D is None else D)):
        for i, a in enumerate(BUSHING_AXES):
            for j, b in enumerate(BUSHING_AXES[i:], i):
                out[f"{letter}_{a}_{b}"] = Quantity(float(M[i, j]))
    return out


def mounted(
    K,
    D=None,
    *,
    at=(0, 0, 0),
    mass=1.5,
    inertia=(0.03, 0.02, 0.04),
    spin=(0, 0, 0),
    velocity=(0, 0, 0),
    turn=(0, 0, 0),
    frame=Placement(),
    frame_b=None,
):
    """A body on a bushing to ground, its frame B in the centre of mass and A at W's origin, unless
    reported otherwise.
    """
    bush = Force(
        "b",
        "b",
        "bushing",
        matrices(K, D),
        Frame(GROUND, placement=frame),
        Frame("free", placement=frame_b or Placement()),
    )
    rigid = body("free", mass, at, np.diag(inertia))
    angles = vector(*to_angles(tuple(Rotation.from_rotvec(turn).as_quat(scalar_first=True))))
    rigid = msgspec.structs.replace(
        rigid,
        placement=Placement(vector(*at), angles),
        initial_velocity=InitialVelocity(vector(*velocity), vector(*spin)),
    )
    return weightless(Mechanism({"free": rigid}, {}, {"b": bush}))


def random_spd(seed, scale):
    A = np.random.default_rng(seed).normal(size=(6, 6))
    return (A @ A.T + 2 * np.eye(6)) * scale


@pytest.mark.parametrize("axis", range(6))
def test_a_bushing_swings_along_each_axis(axis):
    # along one axis alone w = sqrt(k / m) or sqrt(k / I), for turns of any size
    K = np.diag([2.0, 3.0, 4.0, 50.0, 60.0, 70.0])
    measure = (0.03, 0.02, 0.04, 1.5, 1.5, 1.5)[axis]
    w, start = math.sqrt(K[axis, axis] / measure), 1.2
    e = np.eye(3)[axis % 3] * start
    m = mounted(K, turn=e) if axis < 3 else mounted(K, at=tuple(e))
    layout, samples, system = simulate(m, 2.0, 0.05)
    pose = samples[:, layout.pose("free")]
    x = (
        Rotation.from_quat(pose[:, 3:], scalar_first=True).as_rotvec()[:, axis]
        if axis < 3
        else pose[:, axis - 3]
    )
    assert x == pytest.approx(start * np.cos(w * samples[:, 0]), abs=1e-8)
    assert system.statistics.energy_error < 1e-8


def test_small_swings_of_a_coupled_bushing():
    # M x'' + D x' + K x = 0 with M = diag(I, m), by the matrix exponential; what is left out is of
    # second order in the amplitude 1e-5
    K, D, M = random_spd(3, 5.0), random_spd(4, 0.02), np.diag([0.03, 0.02, 0.04, 1.5, 1.5, 1.5])
    start = 1e-5 * np.array([1.0, -0.5, 0.7, 0.3, 0.9, -1.0])
    layout, samples, _ = simulate(
        mounted(K, D, at=tuple(start[3:]), turn=tuple(start[:3])), 1.0, 0.1, tolerance=1e-12
    )
    A = np.block([[np.zeros((6, 6)), np.eye(6)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    truth = np.array([expm(A * t)[:6, :6] @ start for t in samples[:, 0]])
    pose = samples[:, layout.pose("free")]
    x = np.hstack((Rotation.from_quat(pose[:, 3:], scalar_first=True).as_rotvec(), pose[:, :3]))
    assert x == pytest.approx(truth, abs=2e-9)


SKEW = Placement(vector(0.1, -0.2, 0.15), vector(0.5, -0.4, 0.9))


def test_a_coupled_bushing_keeps_its_energy_in_large_turns():
    # x^T K x / 2 is its energy, so T + U stays, however far and obliquely it turns
    m = mounted(
        random_spd(5, 3.0),
        at=(0.2, 0.1, -0.1),
        turn=(0.8, -0.9, 1.1),
        spin=(2.0, 1.0, -3.0),
        frame=SKEW,
        frame_b=SKEW,
    )
    layout, samples, system = simulate(m, 5.0, 0.02)
    assert system.statistics.energy_error < 1e-8 and np.all(samples[:, layout.energy][:, 2] == 0.0)
    angle = np.linalg.norm(
        Rotation.from_quat(samples[:, layout.pose("free")][:, 3:], scalar_first=True).as_rotvec(),
        axis=1,
    )
    assert angle.max() > 1.6
    # the potential, computed from the pose alone
    K = random_spd(5, 3.0)
    A = Rotation.from_euler("ZYX", (0.5, -0.4, 0.9))
    pose = samples[:, layout.pose("free")]
    R = Rotation.from_quat(pose[:, 3:], scalar_first=True)
    x = np.hstack(
        (
            (A.inv() * R * A).as_rotvec(),
            A.inv().apply(pose[:, :3] + R.apply((0.1, -0.2, 0.15)) - (0.1, -0.2, 0.15)),
        )
    )
    assert samples[:, layout.energy][:, 1] == pytest.approx(
        0.5 * np.einsum("ki,ij,kj->k", x, K, x), abs=1e-10
    )


def test_a_damped_bushing_dissipates():
    m = mounted(
        random_spd(5, 3.0),
        random_spd(6, 0.02),
        turn=(0.8, -0.9, 1.1),
        spin=(2.0, 1.0, -3.0),
        frame=SKEW,
        frame_b=SKEW,
    )
    layout, samples, system = simulate(m, 3.0, 0.02)
    work = samples[:, layout.energy][:, 2]
    assert np.diff(work).max() < 1e-12 and work[-1] < -1.0 and system.statistics.energy_error < 1e-8


def test_a_bushing_between_two_bodies_keeps_momentum():
    # nothing acts from outside: linear momentum, and angular momentum about W's origin, stay
    a, b = (
        body("a", 1.0, (0, 0, 0), np.diag([0.02, 0.03, 0.04]), (0.3, 0, 0), (0, 1.0, 0)),
        body("b", 2.0, (0.3, 0.1, 0), np.diag([0.05, 0.03, 0.02]), (0, 0.2, 0.1), (1.0, 0, 2.0)),
    )
    bush = Force(
        "f",
        "f",
        "bushing",
        matrices(random_spd(7, 4.0), random_spd(8, 0.05)),
        Frame("a", placement=SKEW),
        Frame("b", placement=SKEW),
    )
    layout, samples, system = simulate(
        weightless(Mechanism({"a": a, "b": b}, {}, {"f": bush})), 3.0, 0.1
    )
    p = L = 0.0
    for id, m, I in (("a", 1.0, (0.02, 0.03, 0.04)), ("b", 2.0, (0.05, 0.03, 0.02))):
        n = layout.bodies.index(id)
        pose, v = samples[:, layout.pose(id)], samples[:, layout.velocities][:, 6 * n : 6 * n + 6]
        p = p + m * v[:, :3]
        L = (
            L
            + m * np.cross(pose[:, :3], v[:, :3])
            + Rotation.from_quat(pose[:, 3:], scalar_first=True).apply(v[:, 3:] * I)
        )
    assert (
        p == pytest.approx(np.broadcast_to(p[0], p.shape), abs=1e-9)
        and pytest.approx(np.broadcast_to(L[0], L.shape), abs=1e-9) == L
    )
    assert system.statistics.energy_error < 1e-8


def test_a_bushing_whose_damping_follows_a_law_keeps_its_potential():
    K = np.diag([2.0, 3.0, 4.0, 50.0, 60.0, 70.0])
    m = mounted(K, at=(0.3, 0, 0))
    for name, text, energy in (
        ("d_x_x", "1 N*s/m*(1+sin(3 rad/s*t))", 0.5 * 50 * 0.09),
        ("k_x_x", "50 N/m*(1+0.1*sin(3 rad/s*t))", 0.0),
    ):
        f = following(m.forces["b"], **{name: typed(text)})
        layout, samples, system = simulate(msgspec.structs.replace(m, forces={"b": f}), 2.0, 0.1)
        assert (
            samples[0, layout.energy][1] == pytest.approx(energy, abs=1e-12)
            and system.statistics.energy_error < 1e-8
        )


def test_the_wrench_of_a_bushing_is_the_gradient_of_its_energy():
    # power of K's wrench = -dU/dt at random states, by central differences of U along the motion
    mechanism = mounted(
        random_spd(9, 3.0), at=(0.2, 0.1, -0.1), turn=(0.8, -1.9, 1.1), frame=SKEW, frame_b=SKEW
    )
    system = compile_system(mechanism)
    T, y = system.fresh_tables(), system.start.copy()
    y[system.where.nq : system.where.nq + 6] = (0.3, -0.5, 0.2, 1.0, 2.0, -0.7)
    out = np.zeros_like(y)
    right_hand_side(y, T, out, True)
    moving = out.copy()

    def energies(h):
        z = y + h * moving
        e = np.zeros((1, 2))
        record(
            z[None],
            T,
            np.array([[1.0, 0, 0, 0]]),
            np.zeros(9),
            np.zeros((1, 7)),
            np.zeros((1, 6)),
            e,
        )
        return e[0]

    h = 1e-5
    kinetic, potential = (energies(h) - energies(-h)) / (2 * h)
    assert abs(potential) > 1.0 and kinetic == pytest.approx(-potential, rel=1e-7)


# all types


@pytest.mark.parametrize(
    "type", [t for t, kind in FORCE_TYPES.items() if kind.attachment != "frames"]
)
def test_every_number_of_every_force_may_follow_a_law(type):
    # typed as what it is anyway, each law changes nothing but where the energy is booked
    kind = FORCE_TYPES[type]
    numbers = {p.name: 0.3 + 0.1 * n for n, p in enumerate(kind.parameters) if not p.rate_of}
    more = {"frame_b": Frame("block", placement=Placement(vector(0.1, 0.2, 0.3)))}
    if kind.attachment == "joint":
        more = {"joint": "A"}
    elif kind.attachment == "two_points":
        more |= {"frame_a": Frame(GROUND)}
    bodies = {"block": body("block", 1.0, (0.5, 0.1, 0), 0.1 * np.eye(3))}
    joints = {
        "A": joint(
            "A",
            "revolute" if kind.joint_dimension == "angle" else "prismatic",
            GROUND,
            "block",
            (0, 0, 0),
            (1, 0.3, 0),
            bodies,
        )
    }
    base = with_rates(Mechanism(bodies, joints), A=(0.4,))
    results = []
    for laws_ in (
        {},
        {name: typed(f"n+t*0*({value!r}/(1 s))", n=value) for name, value in numbers.items()},
    ):
        f = following(force("f", type, **numbers, **more), **laws_)
        layout, samples, system = simulate(msgspec.structs.replace(base, forces={"f": f}), 1.0, 0.1)
        assert system.statistics.energy_error is None or system.statistics.energy_error < 1e-8
        results.append(samples[:, layout.joint("A")])
    assert results[0] == pytest.approx(results[1], abs=1e-8)


@pytest.mark.parametrize("type", [t for t, kind in FORCE_TYPES.items() if kind.potential])
def test_every_potential_is_that_of_its_law(type):
    kind, h = FORCE_TYPES[type], 1e-5
    numbers = [0.3 + 0.1 * n for n in range(len(kind.parameters))]
    for x in (-0.7, 0.2, 1.1):
        slope = (kind.potential(x + h, *numbers) - kind.potential(x - h, *numbers)) / (2 * h)
        assert kind.law(x, 0.0, *numbers) == pytest.approx(-slope, abs=1e-8)


# what has no value


@pytest.mark.parametrize(
    ("laws_", "at", "said"),
    [
        (
            {"force": typed("5 N*log(2-t/(1 s))")},
            2.0,
            "the force of f, 5 N*log(2-t/(1 s)), has no value",
        ),
        (
            {"force": typed("1 N/(0.25-x/(1 m))+0.1 N")},
            None,
            "the force of f, 1 N/(0.25-x/(1 m))+0.1 N, jumps or grows beyond all bounds",
        ),
        (
            {"force": typed("1 N*sqrt(0.25-x/(1 m))")},
            None,
            "the force of f, 1 N*sqrt(0.25-x/(1 m)), has no value",
        ),
    ],
)
def test_a_law_without_value_stops_the_run_and_is_named(laws_, at, said):
    other = following(force("g", "motor_force", force=0.0, joint="S"), force=typed("-1 N*s/m*v"))
    m = slider(other, following(force("f", "motor_force", force=0.0, joint="S"), **laws_))
    system = compile_system(m)
    with pytest.raises(RunStopped) as stopped_:
        list(run(system, RunOptions(5.0, 0.1)))
    assert said in str(stopped_.value), str(stopped_.value)
    assert at is None or stopped_.value.time == pytest.approx(at, abs=1e-3)


# loads on the coordinates of all joints


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.dof])
def test_an_effort_on_any_coordinate_does_its_work(type):
    # the power booked is effort times rate; only if the wrench on the bodies is the right one is it
    # what kinetic energy gains
    rng = np.random.default_rng(11)
    base = skewed(type)
    kind = JOINT_TYPES[type]
    rates = (
        tuple(Quantity(float(r)) for r in rng.uniform(-0.5, 0.5, kind.dof))
        if not kind.rolling
        else ()
    )
    base = weightless(
        msgspec.structs.replace(
            base, joints={"joint": msgspec.structs.replace(base.joints["joint"], rates=rates)}
        )
    )
    for c, coordinate in enumerate(kind.coordinates):
        motor = "motor_torque" if coordinate.dimension == "angle" else "motor_force"
        f = Force(
            "f",
            "f",
            motor,
            {"torque" if coordinate.dimension == "angle" else "force": Quantity(0.4)},
            joint="joint",
            coordinate=c,
        )
        for closing in ((), ("joint",)):
            layout, samples, system = simulate(
                msgspec.structs.replace(base, forces={"f": f}), 0.4, 0.02, closing=closing
            )
            assert system.statistics.energy_error < 1e-7, (coordinate.name, closing)
            x = samples[:, layout.joint("joint")][:, c]
            work = samples[:, layout.energy][:, 2]
            assert work == pytest.approx(0.4 * (x - x[0]), abs=1e-7) and np.ptp(work) > 1e-5, (
                coordinate.name,
                closing,
            )


@pytest.mark.parametrize("text", ["0.5*x", "0.5*q_S", "x-0.5*q_S"])
def test_a_servo_whose_target_follows_the_motion(text):
    # X = x / 2, X' = v / 2: m x'' + k_d / 2 x' + k_p / 2 x = 0
    servo = following(
        force("s", "servo_force", stiffness=80.0, damping=6.0, target=0.0, joint="S"),
        target=typed(text),
    )
    for closing in ((), ("S",)):
        layout, samples, _system = simulate(
            with_rates(slider(servo), S=(1.0,)), 3.0, 0.1, closing=closing
        )
        t, d = samples[:, 0], 3.0 / (2 * MASS)
        w = math.sqrt(40.0 / MASS - d * d)
        assert samples[:, layout.joint("S")][:, 0] == pytest.approx(
            np.exp(-d * t) * np.sin(w * t) / w, abs=1e-9
        )


def test_small_pieces_of_the_bushing():
    # c = (1 - (phi / 2) cot(phi / 2)) / phi^2, with 30 digits; rotation vectors against SciPy, up
    # to half a turn and in every branch
    for phi in (1e-6, 0.01, 0.05, 0.0999, 0.1001, 0.5, 2.0, 3.1):
        with mpmath.workdps(40):
            p = mpmath.mpf(phi)
            truth = float((1 - p / 2 * mpmath.cot(p / 2)) / p**2)
        assert bushings.curvature.py_func(phi, 0.0, 0.0) == pytest.approx(
            truth, rel=2e-14 / min(1.0, phi * phi) if phi > 0.1 else 1e-13
        )
    rng = np.random.default_rng(2)
    for angle in (0.0, 1e-9, 1e-5, 9e-4, 0.002, 0.3, 1.5, 3.0, 3.141):
        for axis in (*np.eye(3), *-np.eye(3), *rng.normal(size=(4, 3))):
            v = angle * axis / np.linalg.norm(axis)
            w, x, y, z = bushings.matrix_quaternion.py_func(
                *Rotation.from_rotvec(v).as_matrix().ravel()
            )
            assert bushings.rotation_vector.py_func(w, x, y, z) == pytest.approx(
                v, abs=1e-14 + 1e-12 * angle
            )
