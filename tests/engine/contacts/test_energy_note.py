"""The note on a run with contacts whose energy does not balance."""

import math
from pathlib import Path

import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.engine.contacts.runs import notes as run_notes
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run as run_blocks
from mechstudio.engine.run import system_for
from mechstudio.files.project_file import load
from mechstudio.model.quantity import Quantity
from tests.engine.contacts.scenes.test_hollow_cases import drum, roller

SAMPLES = Path(__file__).parents[3] / "samples"


def statistics(drawn, contacts, duration):
    options = RunOptions(duration=duration, sample_step=0.01, contacts=contacts)
    system = system_for(drawn, options)
    for _ in run_blocks(system, options, []):
        pass
    return system.statistics


def notes(found):
    return [note for note in found.notes if note.startswith("The energy is off by")]


@pytest.mark.parametrize(("step", "reported"), [(5e-3, 1), (5e-4, 0)])
def test_a_long_step_is_noted_by_its_energy(step, reported):
    """The gripper closes too quickly for steps of 5 ms; the note has the share of the run."""
    project = load(SAMPLES / "gripper.mech").project
    contacts = replace(project.settings.contacts, step=Quantity(step))
    found = statistics(project.mechanism, contacts, 2.0)
    assert len(notes(found)) == reported
    if reported:
        assert f"{100.0 * found.energy_error:.3g} %" in notes(found)[0]


def said(project, duration, sample_step):
    result = ms.simulate(project, duration=duration, sample_step=sample_step)
    return result.statistics["notes"]


@pytest.mark.parametrize(("mass", "size", "reported"), [(1, 1, 1), (1e-6, 1, 1), (1e-6, 1e-3, 0)])
def test_the_note_does_not_depend_on_the_mass(mass, size, reported):
    """Damping of 1000 / s beside a floor, in steps of 1 ms: a quarter of the energy is lost.  At a
    thousandth of the size its 2 um/s are within the tolerance.
    """
    m = ms.Builder(gravity=(0, 0, 0))
    ball = m.body(
        "b", mass=mass, center_of_mass=(0, 0, 0), inertia=(0.004 * mass * size**2,) * 3
    ).sphere(0.1 * size)
    slide = m.slider("s", m.ground, ball, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("motor_force", "push", joint=slide, force=2.0 * mass * size)
    m.force("friction_force", "drag", joint=slide, force=0.0, speed=0, damping=1e3 * mass)
    m.floor(-50.0 * size)
    found = [note for note in said(m.project(), 0.05, 0.01) if note.startswith("The energy is off")]
    assert len(found) == reported


def pressed(masses, push, levels):
    """Two balls on slides with dry friction, one pushed against the other."""
    m = ms.Builder(gravity=(0, 0, 0))
    for name, x, mass, level in zip("AB", (0.0, 2e-3), masses, levels):
        ball = m.body(
            name, (x, 0, 0), mass=mass, center_of_mass=(0, 0, 0), inertia=(1e-6 * mass,) * 3
        ).sphere(1e-3)
        slide = m.slider(f"slide {name}", m.ground, ball, at=(x, 0, 0), axis=(1, 0, 0))
        if level:
            m.force("friction_force", f"friction {name}", joint=slide, force=level, speed=0)
        if name == "A":
            m.force("motor_force", "push", joint=slide, force=push)
    m.floor(-0.05)
    return m.project()


@pytest.mark.parametrize(
    ("masses", "push", "levels"),
    [((1e3, 1.0), 3e3, (0.0, 5e3)), ((1.0, 1.0), ms.expression("30 N/s*t"), (1.0, 5.0))],
)
def test_nothing_is_noted_of_bodies_at_rest(masses, push, levels):
    assert not said(pressed(masses, push, levels), 0.12, 0.01)


def dropped(size):
    m = ms.Builder()
    ball = m.body(
        "b",
        (0, 0, 2 * size),
        mass=1e3 * size**3,
        center_of_mass=(0, 0, 0),
        inertia=(400 * size**5,) * 3,
    ).sphere(size)
    m.surface(ball, restitution=0.5)
    m.floor(0.0, restitution=0.5)
    time = math.sqrt(2 * size / 9.80665)
    return said(m.project(), 3 * time, time / 4)


def test_a_rebound_below_the_slowest_is_noted():
    """A ball of 1 um falls by its radius at 4.4 mm/s: nothing below 10 mm/s rebounds."""
    note = dropped(1e-6)[0]
    assert note.startswith("Nothing rebounds in this run: everything is slower than 10 mm/s")
    assert not dropped(1e-3)


def test_creep_within_the_tolerance_is_noted():
    """A cube of 1 um that holds on a slope creeps by a tenth of its size within 1 s."""
    notes = {}
    for size in (1e-6, 1e-3):
        mass = 1e3 * size**3
        m = ms.Builder(gravity=(9.81 * math.sin(0.17), 0, -9.81 * math.cos(0.17)))
        cube = m.body(
            "b",
            (0, 0, size / 2),
            mass=mass,
            center_of_mass=(0, 0, 0),
            inertia=(mass * size**2 / 6,) * 3,
        ).box(size, size, size)
        m.surface(cube, friction=0.3)
        m.floor(0.0, friction=0.3)
        notes[size] = said(m.project(), 0.5, 0.25)
    note = notes[1e-6][0]
    assert note.startswith("Bodies that touch may creep by 500 nm in this run, 50 % of the size")
    assert not notes[1e-3]


def test_energy_that_lasting_contacts_add_is_noted(monkeypatch):
    """A ball in a pipe that turns ever faster: the terms of third order add 6e-6 of the energy."""
    project = roller(drum, 0.0816, 20.0)
    for limit, reported in ((run_notes.GAIN_REPORTED, 0), (1e-7, 1)):
        monkeypatch.setattr(run_notes, "GAIN_REPORTED", limit)
        notes = said(project, 0.6, 0.01)
        assert len([n for n in notes if n.startswith("Contacts that last add ")]) == reported


@pytest.mark.parametrize("resistance", [{"spinning": 0.01}, {"rolling": 0.01, "spinning": 0.02}])
def test_resistance_to_spinning_takes_what_the_ball_loses(resistance):
    """A spinning ball that bounces: parts of the account of energy add up to nothing."""
    m = ms.Builder("spin")
    ball = m.body("ball", (0, 0, 0.1)).sphere(0.05).velocity((1, 0.2, 0), (5, 10, 40))
    m.surface(ball, friction=0.5, restitution=0.8, **resistance)
    m.floor(friction=0.5, restitution=0.8, **resistance)
    m.touch()
    result = ms.simulate(m.project(), duration=0.5, sample_step=0.1)
    missing = sum(part.values[-1] for part in result.energy_account().parts)
    assert len(result.events) > 2
    assert abs(missing) < 1e-9 * result.kinetic_energy[0]
    assert result.statistics["energy_error"] < 1e-9


@pytest.mark.parametrize(("step", "reported"), [("1 ms", 1), ("0.1 ms", 0)])
def test_a_coin_that_the_step_brakes_is_noted(step, reported):
    """A disc rolls steadily about its middle, inclined by theta, at a rate of precession with
    Omega^2 = 4 g / (a sin theta), nearly for a thin one (Moffatt 2000), without a loss.
    """
    theta, a, t = 0.2, 0.1, 0.001
    rate = math.sqrt(4 * 9.81 / (a * math.sin(theta)))
    m = ms.Builder("coin")
    z = a * math.sin(theta) + t / 2 * math.cos(theta)
    coin = m.body("coin", (0, 0, z), angles=(0, theta, 0)).disc(a, t)
    # about the diameter through the point of contact
    coin.velocity((0, 0, 0), (-rate * math.sin(theta), 0, 0))
    m.surface(coin, friction=0.9)
    m.floor(friction=0.9)
    m.touch(step=step)
    found = said(m.project(), 0.3, 0.1)
    assert sum(note.startswith("Contacts take") for note in found) == reported
