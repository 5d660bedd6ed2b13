"""Balls and rollers in pipes, gears and nuts: motions with hollows, each with its closed form."""

import numpy as np
import pytest
from scipy.special import ellipk

import mechstudio as ms
from mechstudio.model.geometry.forms import HalfPipe, Tube
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.mass_properties import mass_properties
from tests.engine.contacts.parts import bolt, gear, nut, ring

R, BALL, G = 0.1, 0.02, 9.81
ACROSS = {"angles": (0, 0, "90 deg")}  # axis z along y


def roller(make, angle, acceleration=0.0, mu=0.8):
    """A ball of 20 mm in a level pipe of 100 mm about y, at an angle from its lowest line."""
    m = ms.Builder("ball in a pipe")
    pipe = m.body("pipe", (0, 0, 0))
    make(pipe)
    ball = m.body("ball", ((R - BALL) * np.sin(angle), 0, -(R - BALL) * np.cos(angle)))
    ball.sphere(BALL, density=7800)
    for body in (pipe, ball):
        m.surface(body, friction=mu, restitution=0)
    axle = m.pin("axle", m.ground, pipe, at=(0, 0, 0))
    m.drive("turning", axle, speed=f"{acceleration} rad/s^2 * t")
    m.touch(step="1 ms")
    return m.project()


def tube(body):
    body.tube(0.12, R, 0.1, **ACROSS)


def half_pipe(body):
    # open upwards
    body.half_pipe(0.12, R, 0.1, angles=(0, "90 deg", "90 deg"))


def drum(body, facets=800):
    body.mesh(Mesh(*packed(*ring(facets, 0.12, R, 0.05)), "drum.stl"), **ACROSS)


def period(result):
    x, t = result.position("ball")[:, 0], result.time
    k = np.flatnonzero(x[:-1] * x[1:] <= 0)
    zeros = t[k] + (t[k + 1] - t[k]) * x[k] / (x[k] - x[k + 1])
    return 2 * np.diff(zeros).mean()


@pytest.mark.parametrize("make", [tube, half_pipe])
def test_a_ball_rolls_to_and_fro_in_a_pipe(make):
    """T = 2 pi sqrt(7 (R - r) / (5 g)) (1 + theta^2 / 16), as of a pendulum of that length."""
    small = 0.05
    result = ms.simulate(roller(make, small), duration=2.0)
    expected = 2 * np.pi * np.sqrt(7 * (R - BALL) / (5 * G)) * (1 + small**2 / 16)
    assert period(result) == pytest.approx(expected, rel=1e-4)
    path = np.hypot(*result.position("ball")[:, [0, 2]].T)
    assert path == pytest.approx(R - BALL, abs=1e-6)
    # rolling loses nothing
    angle = np.abs(np.arctan2(result.position("ball")[:, 0], -result.position("ball")[:, 2]))
    assert angle[-len(angle) // 3 :].max() == pytest.approx(small, rel=5e-3)


@pytest.mark.parametrize(("make", "exact"), [(tube, 1e-3), (drum, 0.05)])
def test_a_ball_in_a_pipe_that_turns_ever_faster_stays_aside(make, exact):
    """Rolling without slip on a wall with the acceleration a takes F = 2/5 m a, and stays where
    sin theta = 2 a / (5 g)."""
    a = 2.0
    expected = np.arcsin(2 * a / (5 * G))
    result = ms.simulate(roller(make, expected, a / R), duration=1.0)
    place = result.position("ball")
    theta = np.arctan2(place[:, 0], -place[:, 2])
    assert theta.mean() == pytest.approx(expected, rel=exact)
    assert np.hypot(place[-1, 0], place[-1, 2]) == pytest.approx(R - BALL, abs=2e-4)
    # it spins as fast as the wall runs
    rates = np.asarray(result.velocities)[-1, :, 4]
    assert rates[1] * BALL == pytest.approx(rates[0] * R, rel=exact)


def test_a_fast_ball_does_not_leave_its_pipe():
    m = ms.Builder("shot")
    pipe = m.body("pipe", (0, 0, 0))
    pipe.tube(0.12, R, 0.4, **ACROSS)
    m.joint("fixed", "held", m.ground, pipe, at=(0, 0, 0), axis=(0, 1, 0))
    ball = m.body("ball", (0, 0, 0)).sphere(BALL, density=7800)
    ball.velocity((150, 0, 40))
    m.touch(step="1 ms")
    result = ms.simulate(m.project(), duration=0.1)
    assert np.hypot(*result.position("ball")[:, [0, 2]].T).max() < R - BALL + 1e-6


@pytest.mark.slow
def test_two_gears_of_triangles_keep_their_ratio():
    """18 and 27 teeth: omega_2 / omega_1 = -2/3, its ripple below 1 %."""
    module, teeth = 0.005, (18, 27)
    apart = module * sum(teeth) / 2
    m = ms.Builder("gears")
    bodies = []
    for name, z, x, bore in (("pinion", teeth[0], 0.0, 0.01), ("wheel", teeth[1], apart, 0.015)):
        body = m.body(name, (x, 0, 0))
        body.mesh(Mesh(*packed(*gear(z, module, bore, 0.01)), "gear.stl"), density=7800, **ACROSS)
        m.surface(body, friction=0, restitution=0)
        bodies.append(body)
    first = m.pin("first", m.ground, bodies[0], at=(0, 0, 0))
    second = m.pin("second", m.ground, bodies[1], at=(apart, 0, 0))
    m.drive("turning", first, speed=10.0)
    m.force("torsion_damper", "brake", joint=second, damping=0.2)
    m.touch(step="1 ms")
    result = ms.simulate(m.project(), duration=0.5)
    rates = np.asarray(result.velocities)[len(result.time) // 5 :, :, 4]
    ratio = rates[:, 1] / rates[:, 0]
    assert ratio.mean() == pytest.approx(-2 / 3, rel=2e-3)
    assert ratio.std() < 0.01 * 2 / 3


@pytest.mark.slow
def test_a_nut_comes_down_its_bolt_by_the_lead():
    """Without friction a brake c on the nut's turning lets it down by m g p^2 / (4 pi^2 c)."""
    pitch = 0.004
    m = ms.Builder("nut")
    m.ground.mesh(Mesh(*packed(*bolt(0.005, 0.0006, pitch, 0.03)), "bolt.stl"))
    n = m.body("nut", (0, 0, 2 * pitch))
    n.mesh(Mesh(*packed(*nut(0.0051, 0.0006, pitch, 2 * pitch, 0.009)), "nut.stl"), density=7800)
    for body in (m.ground, n):
        m.surface(body, friction=0, restitution=0)
    guide = m.cylindrical("guide", m.ground, n, at=(0, 0, 2 * pitch), axis=(0, 0, 1))
    m.pair(m.ground, n, True)
    weight = G * mass_properties(m.mechanism.bodies["nut"]).mass
    damping = weight * pitch / (2 * np.pi) / 10.0
    m.force("torsion_damper", "brake", joint=guide[1], damping=damping)
    m.touch(step="0.5 ms")
    result = ms.simulate(m.project(), duration=0.8)
    z = result.position("nut")[:, 2]
    turn = 2 * np.unwrap(np.arctan2(result.poses[:, 0, 6], result.poses[:, 0, 3]), period=np.pi)
    k = len(z) // 4
    assert (z[-1] - z[k]) / (turn[-1] - turn[k]) * 2 * np.pi == pytest.approx(pitch, rel=1e-2)
    rate = abs(turn[-1] - turn[k]) / (result.time[-1] - result.time[k])
    # every facet that it passes costs some energy
    assert rate == pytest.approx(10.0, rel=0.1)


@pytest.mark.parametrize("form", [Tube, HalfPipe])
def test_volume_centre_and_inertia_are_those_of_many_triangles(form):
    from mechstudio.files.exchange import surfaces

    solid = form(0.12, 0.1, 0.3)
    points, triangles = surfaces.surface(solid)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volumes = np.einsum("ij,ij->i", np.cross(a, b), c) / 6
    volume, centre, inertia = solid.enclosed()
    assert volumes.sum() == pytest.approx(volume, rel=4e-3)
    found = ((a + b + c) / 4 * volumes[:, None]).sum(0) / volumes.sum()
    assert found == pytest.approx(centre, abs=3e-4)
    second = sum(
        np.einsum("i,ij,ik->jk", volumes / 20, p, q) * (2 if p is q else 1)
        for p in (a, b, c)
        for q in (a, b, c)
    )
    about = second - volumes.sum() * np.outer(found, found)
    assert np.trace(about) * np.eye(3) - about == pytest.approx(
        np.array(inertia), abs=8e-3 * np.abs(inertia).max()
    )


LYING = {
    "ring on a table": (
        lambda ground: ground.box(1, 1, 0.1, at=(0, 0, -0.05)),
        lambda body: body.tube(R, 0.08, 0.02, at=(0, 0, 0.01)),
    ),
    "lid on a pipe": (
        lambda ground: ground.tube(R, 0.08, 0.1, at=(0, 0, -0.05)),
        lambda body: body.box(0.3, 0.3, 0.02, at=(0, 0, 0.01)),
    ),
    "drum on a round table": (
        lambda ground: ground.cylinder(0.5, 0.1, at=(0, 0, -0.05)),
        lambda body: body.mesh(
            Mesh(*packed(*ring(24, R, 0.08, 0.01)), "drum.stl"), at=(0, 0, 0.01)
        ),
    ),
}


@pytest.mark.parametrize("name", LYING)
def test_what_lies_on_a_rim_stays_and_presses_with_its_weight(name):
    m = ms.Builder("lying")
    on, lies = LYING[name]
    on(m.ground)
    lies(m.body("body", (0.013, 0.004, 0)))
    m.touch()
    result = ms.simulate(m.project(), duration=0.05, sample_step=0.01)
    mass = result.potential_energy[0] / (G * 0.01)
    assert result.position("body") == pytest.approx(np.tile([0.013, 0.004, 0], (6, 1)), abs=1e-6)
    assert result.contacts.on("body")[-1][2] == pytest.approx(mass * G, rel=1e-4)


def test_a_tube_rolls_on_a_table_as_on_a_plane():
    """Its outside is round for all convex shapes: without slip nothing is lost."""
    m = ms.Builder("rolling")
    m.ground.box(3, 0.5, 0.1, at=(1, 0, -0.05))
    body = m.body("tube", (0, 0, R)).velocity((1, 0, 0), (0, 1 / R, 0))
    body.tube(R, 0.08, 0.1, **ACROSS)
    m.touch()
    result = ms.simulate(m.project(), duration=0.5, sample_step=0.05)
    assert result.position("tube")[-1] == pytest.approx((0.5, 0, R), abs=1e-5)
    assert result.kinetic_energy == pytest.approx(result.kinetic_energy[0], rel=1e-5)


# cylinders, capsules and rings in bores, which are as round as for balls

ROLLER = 0.05


def swinging(make, roller, angle, k2=0.5):
    """(a roller of radius 50 mm in a bore R, released at an angle from its lowest line; its period,
    of a pendulum of the length (1 + k^2 / r^2) (R - r))."""
    m = ms.Builder("a roller in a bore")
    make(m.ground)
    d = R - ROLLER
    body = m.body("ball", (d * np.sin(angle), 0, -d * np.cos(angle)))
    roller(body)
    for one in (m.ground, body):
        m.surface(one, friction=1.5, restitution=0)
    m.touch(step="1 ms")
    swing = 4 * np.sqrt((1 + k2) * d / G) * ellipk(np.sin(angle / 2) ** 2)
    return m.project(), swing


def cylinder(body):
    body.cylinder(ROLLER, 0.06, **ACROSS)


def long_cylinder(body):
    body.cylinder(ROLLER, 0.2, **ACROSS)


def capsule(body):
    body.capsule(ROLLER, 0.04, **ACROSS)


@pytest.mark.parametrize(
    ("make", "roll", "angle"),
    [
        (tube, cylinder, 0.05),
        (tube, cylinder, 1.0),
        (half_pipe, cylinder, 1.0),
        (half_pipe, long_cylinder, 0.5),
        (tube, capsule, 0.5),
    ],
)
def test_a_roller_swings_in_a_bore_for_ever(make, roll, angle):
    project, _ = swinging(make, roll, angle)
    mass = mass_properties(project.mechanism.bodies["ball"])
    k2 = mass.inertia[1][1] / mass.mass / ROLLER**2
    project, swing = swinging(make, roll, angle, k2)
    result = ms.simulate(project, duration=5 * swing, sample_step=swing / 200)
    assert period(result) == pytest.approx(swing, rel=1e-4)
    x = np.abs(result.position("ball")[:, 0])
    assert x[-101:].max() == pytest.approx((R - ROLLER) * np.sin(angle), rel=1e-3)
    assert not any("facets" in note for note in result.statistics["notes"])


@pytest.mark.parametrize(("radius", "lost"), [(ROLLER, 1e-6), (0.095, 1e-3)])
def test_a_cylinder_rolls_around_in_a_bore_without_loss(radius, lost):
    """One that turns faster sinks in once by the tolerance, as balls do."""
    d, rate = R - radius, 10.0
    m = ms.Builder("rolling around", gravity=(0, 0, 0))
    m.ground.tube(0.15, R, 0.2)
    body = m.body("roller", (d, 0, 0)).velocity((0, rate * d, 0), (0, 0, -rate * d / radius))
    body.cylinder(radius, 0.1)
    for one in (m.ground, body):
        m.surface(one, friction=1.0, restitution=0)
    m.touch(step="1 ms")
    result = ms.simulate(m.project(), duration=5 * 2 * np.pi / rate)
    assert result.kinetic_energy[-1] == pytest.approx(result.kinetic_energy[0], rel=lost)
    assert np.hypot(*result.position("roller")[:, :2].T) == pytest.approx(d, abs=1e-6)


def test_a_ring_swings_on_a_peg():
    """It rolls: its contact line is at rest, and its energy m (R^2 + k^2) omega^2 / 2 with
    omega = (R - p) theta' / R, so T = 2 pi sqrt((1 + k^2 / R^2) (R - p) / g)."""
    peg, outer, small = 0.04, 0.12, 0.1
    m = ms.Builder("a ring on a peg")
    m.ground.cylinder(peg, 0.1, **ACROSS)
    d = R - peg
    body = m.body("ball", (d * np.sin(small), 0, -d * np.cos(small)))
    body.tube(outer, R, 0.03, **ACROSS)
    for one in (m.ground, body):
        m.surface(one, friction=1.0, restitution=0)
    m.touch(step="1 ms")
    k2 = (R**2 + outer**2) / 2
    swing = 4 * np.sqrt((1 + k2 / R**2) * d / G) * ellipk(np.sin(small / 2) ** 2)
    result = ms.simulate(m.project(), duration=5 * swing, sample_step=swing / 200)
    assert period(result) == pytest.approx(swing, rel=1e-4)
    x = np.abs(result.position("ball")[:, 0])
    assert x[-101:].max() == pytest.approx(d * np.sin(small), rel=1e-3)


@pytest.mark.parametrize("gravity", [(0, 0, -G), (3.0, 2.0, -9.0)])
@pytest.mark.parametrize("length", [0.06, 0.1, 0.2])
def test_a_peg_rests_in_a_bore(gravity, length):
    """Held by friction against the gravity along it, and as long as the bore or not."""
    d = R - 0.095
    down = np.array(gravity) * (1, 0, 1) / np.hypot(gravity[0], gravity[2])
    m = ms.Builder("a peg in a bore", gravity=gravity)
    m.ground.tube(0.12, R, 0.1, **ACROSS)
    body = m.body("peg", tuple(d * down))
    body.cylinder(0.095, length, **ACROSS)
    m.touch(step="1 ms")
    result = ms.simulate(m.project(), duration=0.3)
    assert result.position("peg") == pytest.approx(np.tile(d * down, (len(result), 1)), abs=1e-6)
    assert np.abs(result.velocities[-1]).max() < 1e-4


def test_a_coin_that_comes_to_lie_in_a_half_pipe_gains_nothing():
    """It lies on two places of its rim at once, on facets."""
    m = ms.Builder("coin")
    m.ground.half_pipe(0.12, R, 0.6, angles=(0, "90 deg", "90 deg"))
    coin = m.body("coin", (0, 0, -0.04)).velocity((0.3, 0.3, 0), (5, 5, 0))
    coin.cylinder(0.03, 0.004, angles=("20 deg", "30 deg", "70 deg"))
    m.touch(step="1 ms")
    result = ms.simulate(m.project(), duration=1.5)
    energy = result.kinetic_energy + result.potential_energy
    assert energy.max() <= energy[0] + 1e-6 and energy[-1] < energy[0]
    assert np.abs(result.velocities).max() < 100
