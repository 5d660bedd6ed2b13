"""Analyses of joints with dry friction at instants at which nothing moves: what slips from there on
is not taken for held.
"""

import numpy as np
import pytest

import mechstudio as ms

G = 9.81


def values(result, name):
    return result.courses(name)[0].values


def slider(**rates):
    """A slide of 2 kg along x without gravity."""
    m = ms.Builder(gravity=(0, 0, 0))
    b = m.body("b", (0, 0, 0), mass=2, center_of_mass=(0, 0, 0), inertia=(0.1,) * 3)
    return m, m.slider("J", m.ground, b, at=(0, 0, 0), axis=(1, 0, 0), **rates)


def test_a_pendulum_falls_from_rest_against_its_friction():
    """alpha = (m g l - M) / I, F = m g - m l alpha at the first instant."""
    m = ms.Builder()
    b = m.body("b", (0, 0, 0), mass=1, center_of_mass=(0.5, 0, 0), inertia=(0.01,) * 3)
    J = m.pin("A", m.ground, b, at=(0, 0, 0))
    m.force("friction_torque", "f", joint=J, torque=0.1, speed=0)
    project = m.project()
    result = ms.simulate(project, duration=0.1, sample_step=0.05)
    alpha = (G * 0.5 - 0.1) / 0.26
    assert values(result, "Angular acceleration of b: y")[0] == pytest.approx(alpha, rel=1e-12)
    assert values(result, "Force in A: z, world axes")[0] == pytest.approx(G - 0.5 * alpha)
    loads = ms.analyse(project, "loads", duration=0.1, sample_step=0.05)
    most = dict(zip(loads.labels, loads.rows[:, 0]))["f [N·m]"]
    assert abs(most) == pytest.approx(0.1, rel=1e-12) and loads.residual < 1e-12


@pytest.mark.parametrize(("push", "slides"), [(3.0, 1.0), (-3.0, -1.0), (0.5, 0.0), (1.0, 0.0)])
def test_a_slide_begins_to_move_where_the_push_is_beyond_its_friction(push, slides):
    m, J = slider()
    m.force("motor_force", "p", joint=J, force=push)
    m.force("friction_force", "f", joint=J, force=1.0, speed=0)
    result = ms.simulate(m.project(), duration=0.2, sample_step=0.1)
    gained = (push - slides) / 2.0 if slides else 0.0
    assert values(result, "Acceleration of b: x") == pytest.approx([gained] * 3, abs=1e-12)
    felt = values(result, "Force of f")
    if slides:
        assert felt == pytest.approx([-slides] * 3)
    else:
        assert np.isnan(felt).all(), "no law gives how much it holds"
    bodies = ms.analyse(m.project(), "free_bodies", duration=0.2, sample_step=0.1)
    assert bodies.residual < 1e-12


def test_a_geared_motor_works_against_friction_from_the_first_instant():
    m = ms.Builder(gravity=(0, 0, 0))
    bodies = [
        m.body(n, (x, 0, 0), mass=1, center_of_mass=(0, 0, 0), inertia=(i,) * 3)
        for n, x, i in (("a", 0, 0.1), ("b", 1, 0.2))
    ]
    A, B = (m.pin(n, m.ground, b, at=(x, 0, 0)) for n, b, x in zip("AB", bodies, (0, 1)))
    m.gear("mesh", A, B, -2.0)
    m.force("motor_torque", "t", joint=A, torque=1.0)
    m.force("friction_torque", "f", joint=B, torque=0.1, speed=0)
    loads = ms.analyse(m.project(), "loads", duration=0.5, sample_step=0.1)
    row = loads.rows[list(loads.labels).index("mesh on A [N·m]")]
    assert row[[2, 3]] == pytest.approx(0.1 * (0.95 / 0.15) - 1.0)


@pytest.mark.parametrize(("mass", "size"), [(1.0, 1.0), (1e-9, 1e-4), (1e6, 1e3)])
def test_a_spring_turns_a_slide_round_under_friction_of_any_size(mass, size):
    """u'' = -u - 0.05 sign u' from rest at u = -1: at 0.9 after half a turn, -0.8 after the next;
    at both instants it rests and is pulled back at once.  u = x - 1.
    """
    m = ms.Builder(gravity=(0, 0, 0))
    b = m.body("b", (0, 0, 0), mass=mass, center_of_mass=(0, 0, 0), inertia=(mass * size**2,) * 3)
    J = m.slider("J", m.ground, b, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("slide_spring", "k", joint=J, stiffness=mass, free_length=size)
    m.force("friction_force", "f", joint=J, force=0.05 * mass * size, speed=0)
    result = ms.simulate(m.project(), duration=2 * np.pi, sample_step=np.pi)
    assert values(result, "J slide") / size == pytest.approx([0.0, 1.9, 0.2], abs=1e-5)
    gained = values(result, "Acceleration of b: x") / size
    assert gained == pytest.approx([0.95, -0.85, 0.75], abs=1e-5)


@pytest.mark.parametrize(("mass", "size"), [(1e-9, 1e-3), (1e-12, 1e-6), (1e6, 1e3)])
def test_a_growing_force_breaks_away_at_its_instant_at_any_size(mass, size):
    """The force passes the friction after 1 s; after 3 s x = 2^3 / 6."""
    m = ms.Builder(gravity=(0, 0, 0))
    b = m.body("b", (0, 0, 0), mass=mass, center_of_mass=(0, 0, 0), inertia=(mass * size**2,) * 3)
    J = m.slider("J", m.ground, b, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("motor_force", "p", joint=J, force=ms.ramp(0, mass * size * 3, duration="3 s"))
    m.force("friction_force", "f", joint=J, force=mass * size, speed=0)
    result = ms.simulate(m.project(), duration=3, sample_step=0.5)
    assert values(result, "J slide")[-1] / size == pytest.approx(4.0 / 3.0, rel=1e-6)


def double_pendulum(pushes, levels):
    """Two bars of 1 m from rest, without gravity, with a torque and dry friction in each pin."""
    m = ms.Builder(gravity=(0, 0, 0))
    a = m.body("a", (0, 0, 0), mass=1, center_of_mass=(0.5, 0, 0), inertia=(0.1,) * 3)
    b = m.body("b", (1, 0, 0), mass=1, center_of_mass=(0.5, 0, 0), inertia=(0.1,) * 3)
    pins = m.pin("A", m.ground, a, at=(0, 0, 0)), m.pin("B", a, b, at=(1, 0, 0))
    for pin, push, level in zip(pins, pushes, levels):
        m.force("motor_torque", f"push {pin}", joint=pin, torque=push)
        m.force("friction_torque", f"friction {pin}", joint=pin, torque=level, speed=0)
    return m.project()


def test_coupled_frictions_are_found_as_the_run_finds_them():
    """Accelerations at the first instant are those a moment later, also where a friction that was
    let go would drive its joint.
    """
    draw, fixed = np.random.default_rng(1), ((-2.1858, 2.9139), (0.28577, 0.80849))
    cases = [fixed, *((draw.uniform(-3, 3, 2), draw.uniform(0.05, 1.0, 2)) for _ in range(12))]
    for pushes, levels in cases:
        result = ms.simulate(double_pendulum(pushes, levels), duration=2e-4, sample_step=1e-4)
        for name in ("Angular acceleration of a: y", "Angular acceleration of b: y"):
            first, second = values(result, name)[:2]
            assert first == pytest.approx(second, rel=1e-3, abs=1e-6), (pushes, levels)


def test_several_frictions_share_what_they_hold_by_their_levels():
    m, J = slider()
    m.force("motor_force", "p", joint=J, force=5.0)
    for name, level in (("weak", 0.1), ("strong", 9.9)):
        m.force("friction_force", name, joint=J, force=level, speed=0)
    table = ms.analyse(m.project(), "free_bodies", duration=0.2, sample_step=0.1)
    assert table.residual < 1e-12
    forces = sorted({round(abs(x), 9) for x in table.rows[1]})
    assert {0.05, 4.95, 5.0} <= set(forces), forces


def test_friction_of_a_driven_pin_turns_with_it_at_once():
    """T = J α + M way at the ends of the stroke, where the rate is zero and M already acts the
    other way.
    """
    m = ms.Builder(gravity=(0, 0, 0))
    b = m.body("b", mass=1, inertia=(0.02,) * 3)
    J = m.pin("A", m.ground, b, at=(0, 0, 0), axis=(0, 0, 1))
    m.drive("D", J, position=ms.sine("1 rad", "2 Hz"))
    m.force("friction_torque", "f", joint=J, torque=0.3, speed=0)
    result = ms.simulate(m.project(), duration=0.5, sample_step=0.125)
    most = 0.02 * (4 * np.pi) ** 2
    torque = values(result, "Torque of D")
    assert torque[[1, 3]] == pytest.approx([-most - 0.3, most + 0.3], rel=1e-9)
    table = ms.analyse(m.project(), "loads", duration=0.5, sample_step=0.125)
    assert not table.hatched.any() and table.residual < 1e-12


def test_friction_of_a_driven_loop_turns_with_it_at_once():
    """A slide on a rod: at the end of the stroke as a moment later."""
    m = ms.Builder()
    crank = m.link("crank", (0, 0, 0), (0.06, 0, 0.08))
    rod = m.link("rod", (0.06, 0, 0.08), (0.4, 0, 0))
    slide = m.body("slide", (0.4, 0, 0)).box("50 mm", "50 mm", "50 mm")
    A = m.pin("A", m.ground, crank, at=crank.start)
    m.pin("B", crank, rod, at=rod.start)
    m.pin("C", rod, slide, at=rod.end)
    S = m.slider("S", m.ground, slide, at=(0.4, 0, 0), axis=(1, 0, 0))
    m.drive("D", A, position=ms.sine("0.3 rad", "2 Hz"))
    m.force("friction_force", "f", joint=S, force=40.0, speed=0)
    result = ms.simulate(m.project(), duration=0.1251, sample_step=0.125)
    _, there, later = values(result, "Torque of D")
    assert there == pytest.approx(later, rel=1e-3)
    assert abs(there) > 1.0


def test_joints_beside_contacts_rest_where_contacts_hold_them():
    """A is pushed by 3 N, less friction of 1 N, against B with friction of 5 N: nothing moves."""
    m = ms.Builder(gravity=(0, 0, 0))
    for name, x, level in (("A", 0.0, 1.0), ("B", 0.2, 5.0)):
        ball = m.body(name, (x, 0, 0)).sphere(0.1)
        slide = m.slider(f"s{name}", m.ground, ball, at=(x, 0, 0), axis=(1, 0, 0))
        m.force("friction_force", f"f{name}", joint=slide, force=level, speed=0)
        if name == "A":
            m.force("motor_force", "push", joint=slide, force=3.0)
    m.floor(-5.0)
    result = ms.simulate(m.project(), duration=0.2, sample_step=0.05)
    assert abs(values(result, "Acceleration of A: x")[1:]).max() < 1e-6


def test_a_pendulum_above_a_floor_falls_from_rest_against_its_friction():
    """As without the floor, which it does not touch: alpha = (m g l - M) / I."""
    m = ms.Builder()
    b = m.body("b", (0, 0, 0), mass=1, center_of_mass=(0.5, 0, 0), inertia=(0.01,) * 3)
    b.sphere(0.1)
    J = m.pin("A", m.ground, b, at=(0, 0, 0))
    m.force("friction_torque", "f", joint=J, torque=0.1, speed=0)
    m.floor(-5.0)
    result = ms.simulate(m.project(), duration=0.02, sample_step=0.01)
    alpha = (G * 0.5 - 0.1) / 0.26
    assert values(result, "Angular acceleration of b: y")[0] == pytest.approx(alpha, rel=1e-9)
    assert values(result, "Torque of f")[0] == pytest.approx(0.1, rel=1e-12)
