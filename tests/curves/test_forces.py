"""Length, rate, force and power of forces between two points over runs, against closed forms."""

import numpy as np
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
    assert usual(project, id) == (f"{FORCE}{id}/length",)
    assert [k for k in quantities(project) if k.startswith(f"{FORCE}{id}/")] == [
        f"{FORCE}{id}/length",
        f"{FORCE}{id}/rate",
    ]
