"""Geneva drives in runs, equations and files."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import Force
from mechstudio.model.quantity import Quantity

replace = msgspec.structs.replace

INERTIA = 0.002, 0.03  # of crank and wheel about their axes [kg m2]


def drive(slots, far=0.2, inner=False, sense=1, speed=None, rate=None, middle=0.4):
    """A crank at the origin and a slotted wheel at -x, both about z."""
    m = ms.Builder(gravity=(0, 0, 0))
    crank, wheel = (
        m.body(name, at, mass=1.0, inertia=(I, I, I), center_of_mass=(0, 0, 0))
        for name, at, I in zip(("crank", "wheel"), ((0, 0, 0), (-far, 0, 0)), INERTIA, strict=True)
    )
    a = m.pin("a", m.ground, crank, at=(0, 0, 0), axis=(0, 0, 1), rate=rate or ())
    b = m.pin("b", m.ground, wheel, at=(-far, 0, 0), axis=(0, 0, sense))
    m.geneva("g", a, b, ms.geneva(sense * slots, middle=middle, inner=inner))
    if speed:
        m.drive("motor", a, speed=speed)
    return m.project()


def spin(result, body):
    """Angular velocity (s,) of a body about z [rad/s]."""
    return result.velocities[:, result.body_index(body), 5]


def turned(slots, inner, angle, middle=0.4):
    """Angle of the wheel by the place of the pin, from the crank's angle 0 on."""
    side, share = (1.0 if inner else -1.0), math.sin(math.pi / slots)
    fine = np.linspace(0.0, angle[-1], 200_001)
    way = fine - middle
    pin = 1.0 + side * share * np.exp(1j * way)
    engaged = np.abs(np.angle(np.exp(1j * way))) < 0.5 * math.pi + side * math.pi / slots
    # while the pin is in a slot the wheel turns as the pin does about its centre
    rate = np.where(engaged, np.gradient(np.unwrap(np.angle(pin)), fine), 0.0)
    ways = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(fine))])
    return np.interp(angle, fine, ways)


@pytest.mark.parametrize("integrator", ["dop853", "radau", "rk4"])
@pytest.mark.parametrize(("slots", "inner"), [(3, False), (4, False), (6, True), (12, False)])
def test_a_driven_wheel_follows_the_pin(slots, inner, integrator):
    result = ms.simulate(
        drive(slots, inner=inner, speed=2.0), duration=7.0, step=0.01, integrator=integrator
    )
    q = result.joint_coordinates["b"][:, 0]
    assert np.abs(q - turned(slots, inner, 2.0 * result.time)).max() < 2e-4
    # to the tolerance: rests are whole steps, whatever was before
    law = result.project.mechanism.couplings["g"].law
    f = np.array([jet(law, 2.0 * t)[0] for t in result.time])
    assert np.abs(q - (f - f[0])).max() < 1e-9
    assert result.statistics["energy_error"] < 1e-3


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(("slots", "inner"), [(3, False), (4, False), (5, True)])
def test_a_free_drive_keeps_its_energy(slots, inner, sense):
    """J1 w^2 + J2 (f' w)^2 stays: the crank is slowest where the wheel is fastest."""
    result = ms.simulate(drive(slots, inner=inner, sense=sense, rate=3.0), duration=9.0, step=0.005)
    rate = np.abs(spin(result, "crank"))
    share = math.sin(math.pi / slots)
    fastest = share / (1.0 + share) if inner else share / (1.0 - share)
    slowest = 3.0 * math.sqrt(INERTIA[0] / (INERTIA[0] + INERTIA[1] * fastest**2))
    # it starts in the middle of a slot or so, where f' is not 0
    start = 0.5 * (INERTIA[0] * rate[0] ** 2 + INERTIA[1] * spin(result, "wheel")[0] ** 2)
    free = math.sqrt(2.0 * start / INERTIA[0])
    assert rate.max() == pytest.approx(free, rel=1e-7)
    assert rate.min() >= slowest / 3.0 * free * (1.0 - 1e-7)
    assert rate.min() == pytest.approx(slowest / 3.0 * free, rel=2e-3)
    assert result.statistics["energy_error"] < 1e-7


def test_hundred_turns_of_the_crank_are_hundred_slots():
    result = ms.simulate(drive(6, speed=20.0 * math.pi, middle=math.pi), duration=10.0, step=0.1)
    assert result.joint_coordinates["b"][-1, 0] == pytest.approx(-100.0 * math.pi / 3.0, abs=1e-9)


@pytest.mark.parametrize("far", [1e-6, 1e4])
def test_its_size_changes_nothing(far):
    usual, other = (
        ms.simulate(drive(4, far=d, speed=2.0), duration=4.0, step=0.1).joint_coordinates["b"]
        for d in (0.2, far)
    )
    assert other == pytest.approx(usual, abs=1e-9)


def test_the_motor_pays_what_the_wheel_takes():
    """Torque of the motor at constant speed: J2 f' f'' w^2."""
    result = ms.simulate(drive(5, speed=3.0), duration=4.0, step=0.01)
    law = result.project.mechanism.couplings["g"].law
    jets = np.array([jet(law, 3.0 * t) for t in result.time])
    needed = INERTIA[1] * jets[:, 1] * jets[:, 2] * 9.0
    [torque] = result.courses("Torque of motor")
    assert torque.values == pytest.approx(needed, abs=1e-6)


def test_equations_agree_with_the_engine():
    derivation = ms.derive(drive(4, rate=3.0))
    assert ms.agreement(derivation).holds


def test_a_script_and_a_file_give_it_again(tmp_path):
    project = drive(7, inner=True, sense=-1)
    ms.save(project, tmp_path / "g.mech")
    assert ms.load(tmp_path / "g.mech").mechanism.couplings == project.mechanism.couplings
    namespace = {}
    exec(ms.script(project), namespace)
    assert namespace["project"].mechanism.couplings == project.mechanism.couplings


@pytest.mark.parametrize("integrator", ["dop853", pytest.param("radau", marks=pytest.mark.slow)])
def test_a_crank_that_swings_back_over_the_edge_that_it_has_passed(integrator):
    """J1 w^2 + J2 (f' w)^2 + 2 (k/2) (a - 0.9)^2 stays: a torsion spring swings the crank about
    0.9 rad; the pin leaves its slot at 0.4 + pi / 4 and comes back.
    """
    project = drive(4, rate=0.2)
    m = project.mechanism
    spring = Force(
        "s",
        "spring",
        "torsion_spring",
        {"stiffness": Quantity(0.05), "free_angle": Quantity(0.9)},
        joint="a",
    )
    project = replace(project, mechanism=replace(m, forces={**m.forces, "s": spring}))
    result = ms.simulate(project, duration=20.0, integrator=integrator, tolerance=1e-10)
    angle, end = result.joint_coordinates["a"][:, 0], 0.4 + math.pi / 4.0
    crossings = int((np.diff(np.sign(angle - end)) != 0.0).sum())
    energy = (
        INERTIA[0] * spin(result, "crank") ** 2
        + INERTIA[1] * spin(result, "wheel") ** 2
        + 0.05 * (angle - 0.9) ** 2
    )
    assert crossings > 8
    assert energy == pytest.approx(np.full(len(angle), energy[0]), rel=3e-8)


@pytest.mark.parametrize(
    ("rate", "duration", "options"),
    [
        (1000.0, 5.0, {}),
        (30.0, 8.0, {"tolerance": 1e-12}),
        pytest.param(
            *(30.0, 1.4, {"tolerance": 1e-12, "integrator": "radau"}), marks=pytest.mark.slow
        ),
    ],
)
def test_steps_that_creep_up_to_an_edge_pass_it(rate, duration, options):
    """Only the smallest speeds of a wheel that stands pass a tight tolerance: steps over the edge
    are refused until none is short enough.
    """
    result = ms.simulate(drive(4, rate=rate), duration=duration, step=0.1, **options)
    assert result.time[-1] == pytest.approx(duration)
    assert result.statistics["energy_error"] < 5e-7
    angle, wheel = (result.joint_coordinates[name][:, 0] for name in ("a", "b"))
    law = result.project.mechanism.couplings["g"].law
    f = np.array([jet(law, a)[0] for a in angle])
    assert wheel == pytest.approx(f - f[0], abs=1e-9)
