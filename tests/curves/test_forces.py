"""Length, rate, force and power of forces between two points over runs, against closed forms."""

import numpy as np
import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.application.plots.choice import usual
from mechstudio.curves.evaluation import Run, course
from mechstudio.curves.forces.rows import FORCE, force_values
from mechstudio.curves.quantities import quantities, quantity
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity

COLUMNS = ("Length", "Rate of length", "Force", "Power")


def read(result, name):
    return [c.values for c in result.courses(*(f"{column} of {name}" for column in COLUMNS))]


def oscillator():
    """A ball on a vertical slider 1 m beside the anchor of its spring and damper."""
    m = ms.Builder("Oscillator")
    ball = m.body("ball", (1, 0, 0), mass=2, inertia=(1, 1, 1))
    m.slider("A", m.ground, ball, at=(1, 0, 0), axis=(0, 0, 1), rate=0.5)
    ends = {"a": m.ground, "b": ball, "at": ((0, 0, 0), (1, 0, 0))}
    m.force("spring", "s", **ends, stiffness=30, free_length=0.9)
    m.force("damper", "d", **ends, damping=4)
    return m.project()


def test_a_spring_and_a_damper_of_an_oscillator():
    result = ms.simulate(oscillator(), duration=1.0, until=[])
    z, rate = (c.values for c in result.courses("Position of ball: z", "Velocity of ball: z"))
    x = np.hypot(1.0, z)
    v = z * rate / x
    for name, force in (("s", -30 * (x - 0.9)), ("d", -4 * v)):
        for found, said in zip(read(result, name), (x, v, force, force * v), strict=True):
            assert np.allclose(found, said, rtol=1e-12, atol=1e-12)


def test_the_power_of_a_damper_on_a_turning_body_is_the_rate_of_the_work_of_the_run():
    m = ms.Builder("Pendulum")
    bar = m.body("bar", (0.5, 0, 0), mass=1, inertia=(0.1, 0.1, 0.1))
    m.pin("A", m.ground, bar, at=(0, 0, 0), axis=(0, 1, 0))
    m.force("damper", "d", a=m.ground, b=bar, at=((0, 0, -2), (1, 0, 0)), damping=2)
    result = ms.simulate(m.project(), duration=1.0, sample_step=0.001, until=[])
    length, rate, _, power = read(result, "d")
    assert np.allclose(np.gradient(length, result.time)[1:-1], rate[1:-1], atol=1e-5)
    (work,) = result.courses("Work of motors and dampers")
    steps = 0.5 * (power[1:] + power[:-1]) * np.diff(result.time)
    assert np.allclose(np.cumsum(steps), work.values[1:], atol=1e-5) and work.values[-1] < -0.1


def test_numbers_that_were_changed_in_a_run_hold_from_there_on():
    project = oscillator()
    result = ms.simulate(project, duration=1.0, until=[])
    m, id = project.mechanism, next(iter(project.mechanism.forces))
    stiff = replace(m.forces[id], parameters=m.forces[id].parameters | {"stiffness": Quantity(60)})
    after = replace(m, forces={**m.forces, id: stiff})
    run = Run(project, result.layout, result.rows, {}, [(0.0, m), (0.5, after)])
    before, now = read(result, "s")[2], course(quantity(project, f"{FORCE}{id}/force"), run).values
    early = result.time < 0.5 - 1e-9
    assert np.array_equal(now[early], before[early])
    assert np.allclose(now[~early], 2 * before[~early])


def test_ends_that_meet_have_no_force_and_a_law_leaves_the_length():
    project = oscillator()
    m, id = project.mechanism, next(iter(project.mechanism.forces))
    result = ms.simulate(project, duration=0.01, until=[])
    spring = replace(m.forces[id], frame_b=m.forces[id].frame_a)
    met = replace(m, forces={id: spring})
    for column in ("length", "rate", "force", "power"):
        assert not force_values(met, id, column, result.layout, result.rows).any()
    assert usual(project, id) == (f"{FORCE}{id}/force",)
    ruled = replace(m.forces[id], laws={"stiffness": Law("expression", text="30 + t")})
    project = replace(project, mechanism=replace(m, forces={**m.forces, id: ruled}))
    assert usual(project, id) == (f"measured/forces/-/{id}/effort",)
    assert [k for k in quantities(project) if k.startswith(f"{FORCE}{id}/")] == [
        f"{FORCE}{id}/length",
        f"{FORCE}{id}/rate",
    ]


def rotor(**force):
    """A rotor about y that turns from 0.3 rad at 2 rad/s, with a force in its pin."""
    m = ms.Builder("Rotor", gravity=(0, 0, 0))
    wheel = m.body("wheel", (0, 0, 0), mass=2, inertia=(0.5, 0.5, 0.5))
    pin = m.pin("A", m.ground, wheel, at=(0, 0, 0), axis=(0, 1, 0), rate=2)
    for type, numbers in force.items():
        m.force(type, type[:9].rstrip("_"), joint=pin, **numbers)
    return m


def courses(result, *names):
    return [c.values for c in result.courses(*names)]


@pytest.mark.slow
def test_efforts_in_a_joint_against_the_law():
    m = rotor(
        torsion_spring={"stiffness": 3, "free_angle": "10 deg"},
        torsion_damper={"damping": 0.2},
    )
    result = ms.simulate(m.project(), duration=1.0, sample_step=0.001, until=[])
    (q,) = courses(result, "A angle")
    v = np.gradient(q, result.time)
    spring, damper = ([f"{n} of torsion_{k}" for n in ("Torque", "Power")] for k in "sd")
    torque, power = courses(result, *spring)
    assert np.allclose(torque, -3 * (q - np.radians(10)), atol=1e-9)
    assert np.allclose(power[1:-1], (torque * v)[1:-1], atol=1e-4)
    torque, power = courses(result, *damper)
    assert np.allclose(torque[1:-1], -0.2 * v[1:-1], atol=1e-5)
    assert np.allclose(power, -(torque**2) / 0.2, atol=1e-12)


def test_a_motor_that_follows_a_law_is_plotted_by_its_name():
    m = ms.Builder("Rotor", gravity=(0, 0, 0))
    wheel = m.body("wheel", (0, 0, 0), mass=2, inertia=(0.5, 0.5, 0.5))
    pin = m.pin("A", m.ground, wheel, at=(0, 0, 0), axis=(0, 1, 0))
    m.force("motor_torque", "motor", joint=pin, torque=ms.expression("2 N*m/s*t"))
    result = ms.simulate(m.project(), duration=1.0, until=[])
    torque, power = courses(result, "Torque of motor", "Power of motor")
    t = result.time
    assert np.allclose(torque, 2 * t, atol=1e-12)
    assert np.allclose(power, 2 * t * (2 * t**2 / 2 / 0.5), atol=1e-8)


def test_a_load_on_one_body_and_its_power():
    m = ms.Builder("Thrown", gravity=(0, 0, 0))
    body = m.body("body", (0, 0, 0), mass=2, inertia=(1, 1, 1))
    m.force("force", "push", body=body, at=(0, 0, 0), vector=(3, 0, 4))
    result = ms.simulate(m.project(), duration=1.0, until=[])
    names = [f"Force of push: {axis}" for axis in "xyz"]
    x, y, z, power = courses(result, *names, "Power of push")
    assert np.allclose((x, y, z), [[3.0], [0.0], [4.0]], atol=1e-12)
    assert np.allclose(power, 25 / 2 * result.time, atol=1e-9)


def test_a_bushing_along_a_slider_is_a_spring_and_damper():
    m = ms.Builder("Mount", gravity=(0, 0, 0))
    block = m.body("block", (0.02, 0, 0), mass=1, inertia=(1, 1, 1))
    m.slider("S", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0))
    m.force(
        "bushing",
        "mount",
        a=m.ground,
        b=block,
        at=((0, 0, 0), (0.02, 0, 0)),
        k_x_x=400,
        d_x_x=3,
        k_y_y=100,
        k_z_z=100,
    )
    result = ms.simulate(m.project(), duration=0.5, until=[])
    x, v = courses(result, "Position of block: x", "Velocity of block: x")
    force, across, moment, power = courses(
        result, "Force of mount: x", "Force of mount: y", "Torque of mount: z", "Power of mount"
    )
    said = -400 * x - 3 * v
    assert np.allclose(force, said, atol=1e-9)
    assert max(np.abs(across).max(), np.abs(moment).max()) < 1e-12
    assert np.allclose(power, said * v, atol=1e-9)


def test_friction_that_holds_has_no_number():
    m = rotor(friction_torque={"torque": 0.5, "speed": 0, "damping": 0})
    result = ms.simulate(m.project(), duration=4.0, until=[])
    torque, _ = courses(result, "Torque of friction", "Power of friction")
    stops = 2 * 0.5 / 0.5
    assert np.allclose(torque[result.time < stops - 0.01], -0.5, atol=1e-6)
    assert np.isnan(torque[result.time > stops + 0.01]).all()
