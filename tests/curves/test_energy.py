"""The energy account of every sample project adds up to its balance error."""

import numpy as np
import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.curves.energy import account, stacked
from mechstudio.curves.evaluation import Run
from mechstudio.curves.potential import gravity_energy, has_springs, spring_energy

NAMES = [path.stem for path in sorted(sample_folder().glob("*.mech"))]


def ran(project, duration=0.1, **options):
    result = ms.simulate(project, duration=duration, until=[], **options)
    return result, Run(result.project, result.layout, result.rows)


@pytest.mark.thinned(15)
@pytest.mark.parametrize("name", NAMES)
def test_parts_add_up_to_the_balance_error(name):
    project = ms.load(sample_folder() / f"{name}.mech")
    result, run = ran(project)
    found = account(run)
    total = sum(part.values for part in found.parts)
    largest = max(np.abs(result.rows[:, run.layout.energy]).max(), 1e-12)
    assert np.abs(total - found.balance).max() <= 1e-11 * largest
    assert np.array_equal(found.balance, result.energy_balance)
    assert len({part.name for part in found.parts}) == len(found.parts)
    if not has_springs(project.mechanism):
        springs = spring_energy(project.mechanism, run.layout, run.rows)
        whole = np.abs(result.potential_energy).max() + 1e-12
        assert np.abs(springs).max() <= 1e-12 * whole, "all of it is gravity's"


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_bodies_that_are_bolted_to_the_ground_are_no_springs(formulation):
    """Their weight counts in the potential energy, bolted on or held by equations."""
    m = ms.Builder("Shelf")
    shelf = m.body("shelf", (0, 0, 1), mass=2, center_of_mass=(0, 0, 0.5), inertia=(1, 1, 1))
    m.fix("bolt", m.ground, shelf, at=(0, 0, 1))
    ball = m.body("ball", (1, 0, 0), mass=2, inertia=(1, 1, 1))
    m.slider("A", m.ground, ball, at=(1, 0, 0), axis=(0, 0, 1))
    m.force(
        "spring", "s", a=m.ground, b=ball, at=((0, 0, 0), (1, 0, 0)), stiffness=30, free_length=0.9
    )
    project = m.project()
    project = replace(project, settings=replace(project.settings, formulation=formulation))
    result, _ = ran(project)
    springs, gravity = result.courses("Energy of springs", "Potential energy of gravity")
    assert springs.values[0] == pytest.approx(0.5 * 30 * 0.1**2, abs=1e-12)
    assert gravity.values[0] == pytest.approx(2 * 9.81 * 1.5, rel=1e-12)
    assert result.potential_energy[0] == pytest.approx(2 * 9.81 * 1.5 + 0.15, rel=1e-12)


def test_energy_of_a_spring_is_its_closed_form():
    m = ms.Builder("Oscillator")
    ball = m.body("ball", (1, 0, 0), mass=2, inertia=(1, 1, 1))
    m.slider("A", m.ground, ball, at=(1, 0, 0), axis=(0, 0, 1), rate=0.5)
    anchor = {"a": m.ground, "b": ball, "at": ((0, 0, 0), (1, 0, 0))}
    m.force("spring", "s", **anchor, stiffness=30, free_length=0.9)
    result, run = ran(m.project(), 1.0)
    z = result.position("ball")[:, 2]
    x = np.hypot(1.0, z)
    springs, gravity, total = result.courses(
        "Energy of springs", "Potential energy of gravity", "Potential energy"
    )
    assert np.allclose(springs.values, 15 * (x - 0.9) ** 2, atol=1e-12)
    assert np.allclose(gravity.values, 2 * 9.81 * z, atol=1e-12)
    assert np.allclose(springs.values + gravity.values, total.values, atol=1e-12)
    assert [p.name for p in account(run).parts] == [
        "Kinetic energy",
        "Height in gravity",
        "Springs",
    ]
    assert np.allclose(gravity.values, gravity_energy(run.project.mechanism, run.layout, run.rows))


def test_drives_and_loads_stand_apart_by_the_powers_of_the_drives():
    project = ms.load(sample_folder() / "gear_train.mech")
    result, run = ran(project, 0.5, sample_step=0.005)
    (power,) = result.courses("Power of motor")
    together = account(run)
    assert together.parts[-1].name == "Drives and dampers"
    found = account(run, [power])
    drives, loads = found.parts[-2:]
    assert (drives.name, loads.name) == ("Drives", "Dampers")
    requested = result.energy_account().parts
    assert [p.name for p in requested] == [p.name for p in found.parts]
    assert np.array_equal(requested[-1].values, loads.values)
    assert np.allclose(drives.values + loads.values, together.parts[-1].values, atol=1e-12)
    # a damper on a coordinate takes c v^2
    (brake,) = project.mechanism.forces.values()
    kind = project.mechanism.joints[brake.joint].name
    rate = np.gradient(result.joint_coordinates[kind][:, 0], result.time, edge_order=2)
    lost = brake.parameters["damping"].value * rate**2
    taken = np.concatenate(([0], np.cumsum(0.5 * np.diff(result.time) * (lost[1:] + lost[:-1]))))
    assert np.abs(loads.values - taken).max() < 2e-3 * taken[-1]
    assert np.all(np.diff(loads.values) > -1e-9 * taken[-1]), "a damper gives nothing back"


def test_the_error_between_drives_and_loads_is_reported():
    m = ms.Builder("Brake")
    arm = m.link("arm", (0, 0, 0), length=0.3, angle=0)
    pin = m.pin("A", m.ground, arm, at=(0, 0, 0))
    m.drive("motor", pin, speed="(5 rad/s)*sin((3 rad/s)*t)")
    m.force("torsion_damper", "brake", joint=pin, damping=0.2)
    for step in (0.01, 0.05):
        found = ms.simulate(m.project(), duration=3, sample_step=step).energy_account()
        (lost,) = (p.values for p in found.parts if p.name == "Dampers")
        t = found.times
        exact = 0.2 * 25 * (t / 2 - np.sin(6 * t) / 12)
        off = np.abs(lost - exact).max()
        assert 0 < off < 3 * found.split_error < 1e-3 * exact[-1]
        assert "Drives and other loads stand apart" in found.note


def test_works_of_a_run_with_contacts_stand_apart():
    project = ms.load(sample_folder() / "box_on_incline.mech")
    _, run = ran(project, 0.3)
    found = {part.name: part for part in account(run).parts}
    assert {"Friction of contacts", "Impacts"} <= set(found)
    assert (found["Friction of contacts"].values >= -1e-12).all(), "friction only takes"


@pytest.mark.parametrize("driven", [False, True])
def test_a_belt_works_as_a_drive_does(driven):
    """It slips until the box has its speed v, a time v / (mu g), and so gives m v^2: half of it to
    the box, half to friction.
    """
    m = ms.Builder()
    bed = m.body("bed", (0, 0, 0)).box(20, 1, 0.2)
    m.fix("fixed", m.ground, bed, at=(0, 0, 0))
    box = m.body("box", (0, 0, 0.15), mass=2.0).box(0.1, 0.1, 0.1)
    m.surface(bed, friction=0.3, belt_speed=2.0)
    m.surface(box, friction=0.3)
    if driven:
        wheel = m.body("wheel", (0, 30, 0), mass=1).box(0.1, 0.1, 0.1)
        m.drive("drive", m.pin("pin", m.ground, wheel, at=(0, 30, 0)), speed="1 rad/s")
    m.touch()
    _, run = ran(m.project(), 1.0)
    found = account(run)
    parts = {part.name: part.values[-1] for part in found.parts}
    assert parts["Drives and belts" if driven else "Belts"] == pytest.approx(-8.0, rel=5e-3)
    assert sum(parts.values()) == pytest.approx(found.balance[-1], abs=1e-9)


def test_heaps_differ_by_the_balance():
    project = ms.load(sample_folder() / "cart_pole.mech")
    _, run = ran(project, 0.5)
    found = account(run)
    edges = stacked(found.parts)
    assert all((low <= high).all() for low, high in edges)
    heights = sum(np.where(p.values < 0, -1, 1) * (h - l) for p, (l, h) in zip(found.parts, edges))
    assert np.allclose(heights, found.balance, atol=1e-11)
    top, bottom = (
        f(np.array(e), axis=0)
        for f, e in ((np.max, [h for _, h in edges]), (np.min, [l for l, _ in edges]))
    )
    assert np.allclose(np.maximum(top, 0) + np.minimum(bottom, 0), found.balance, atol=1e-11)


def test_a_planted_fault_is_seen():
    project = ms.load(sample_folder() / "four_bar.mech")
    _, run = ran(project)
    m = project.mechanism
    heavier = replace(m, gravity=(m.gravity[0], m.gravity[1], replace(m.gravity[2], value=-9.8)))
    springs = spring_energy(heavier, run.layout, run.rows)
    assert np.abs(springs).max() > 1e-4
