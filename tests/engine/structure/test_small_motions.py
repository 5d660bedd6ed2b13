"""Motions at the limit of the tolerance, which is of the mechanism's size and of a radian, are
reported; tiny mechanisms move as large ones do.
"""

import json
import math

import msgspec
import numpy as np
import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.engine.integration.options import RunOptions, options_of
from mechstudio.engine.run import run, system_for
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import GROUND, Force, Mechanism
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.sample import GAP
from tests import mechanisms

replace = msgspec.structs.replace


def outcome(mechanism, duration, step, **options):
    options = RunOptions(duration, step, **options)
    system = system_for(mechanism, options)
    return np.concatenate(list(run(system, options))), system


def oscillator(amplitude, frequency=1000.0):
    """x = amplitude sin(2 pi f t) of a mass on a spring, gravity across it."""
    b = mechanisms.Builder()
    b.body("mass", (0, 0, 0.1))
    omega = 2 * math.pi * frequency
    b.joint(
        "rail",
        GROUND,
        "mass",
        (0, 0, 0),
        (1, 0, 0),
        "prismatic",
        at_b=(0, 0, 0),
        rates=(Quantity(amplitude * omega),),
    )
    spring = Force(
        "spring",
        "spring",
        "slide_spring",
        {"stiffness": Quantity(omega**2), "free_length": Quantity(0.0)},
        joint="rail",
    )
    return Mechanism(b.bodies, b.joints, {"spring": spring})


def error_of(amplitude, **options):
    """(largest error over the amplitude, statistics) after ten periods."""
    samples, system = outcome(oscillator(amplitude), 0.01, 1e-4, **options)
    truth = amplitude * np.sin(2000 * math.pi * samples[:, 0])
    return np.abs(
        samples[:, system.layout.joint("rail")][:, 0] - truth
    ).max() / amplitude, system.statistics


@pytest.mark.parametrize("amplitude", [1e-9, 1e-11])
def test_a_motion_below_the_tolerance_is_reported(amplitude):
    error, statistics = error_of(amplitude)
    assert error > 1e-5 and any("limit of the tolerance" in note for note in statistics.notes)
    assert statistics.energy_error is not None


def test_the_tolerance_that_the_note_recommends_follows_the_motion():
    _, statistics = error_of(1e-9)
    assert any("Choose a tolerance of 1e-13" in note for note in statistics.notes)
    error, statistics = error_of(1e-9, tolerance=1e-13)
    assert error < 1e-4 and not statistics.notes


# all of it in one point: lengths are compared with 1 m, and the note tells so
def test_a_drawing_without_extent_is_reported():
    b = mechanisms.Builder()
    b.body("mass", (0, 0, 0))
    b.joint(
        "rail",
        GROUND,
        "mass",
        (0, 0, 0),
        (1, 0, 0),
        "prismatic",
        rates=(Quantity(1e-7 * 2 * math.pi),),
    )
    spring = Force(
        "spring",
        "spring",
        "slide_spring",
        {"stiffness": Quantity(4 * math.pi**2), "free_length": Quantity(0.0)},
        joint="rail",
    )
    _, system = outcome(Mechanism(b.bodies, b.joints, {"spring": spring}), 1.0, 0.1)
    assert any("counts as 1 m large" in note for note in system.statistics.notes)
    _, statistics = error_of(1e-9)
    assert not any("counts as 1 m large" in note for note in statistics.notes)


def test_the_terminal_reports_it(tmp_path, capsys):
    from mechstudio.cli import main
    from mechstudio.files import project_file
    from mechstudio.model.project import Project

    project_file.save(tmp_path / "small.mech", Project(oscillator(1e-9)))
    assert main.main(["simulate", str(tmp_path / "small.mech"), "--duration", "10 ms"]) == 0
    assert "Note: The motion lies at the limit of the tolerance" in capsys.readouterr().out
    assert (
        main.main(["simulate", str(tmp_path / "small.mech"), "--duration", "10 ms", "--json"]) == 0
    )
    assert "at the limit of the tolerance" in json.loads(capsys.readouterr().out)["notes"][0]


@pytest.mark.parametrize("integrator", ["dop853", "dopri5", "radau"])
@pytest.mark.parametrize("formulation", ["joint", "absolute", "independent"])
@pytest.mark.thinned(3)
def test_every_method_with_a_tolerance_reports_small_motions(integrator, formulation):
    if (integrator, formulation) == ("radau", "independent"):
        return  # refused
    _, statistics = error_of(1e-9, integrator=integrator, formulation=formulation)
    assert any("limit of the tolerance" in note for note in statistics.notes)


def test_a_visible_motion_has_no_note():
    error, statistics = error_of(1e-3)
    assert error < 1e-6 and not statistics.notes


def test_a_pendulum_of_a_billionth_of_a_radian_is_reported():
    pendulum = replace(mechanisms.double_pendulum(), gravity=vector(0, 0, 0))
    first = next(iter(pendulum.joints.values()))
    pendulum = replace(
        pendulum, joints={**pendulum.joints, first.id: replace(first, rates=(Quantity(1e-9),))}
    )
    _, system = outcome(pendulum, 1.0, 0.1)
    assert any("limit of the tolerance" in note for note in system.statistics.notes)


def beside(amplitude, large=1.0):
    """The oscillator of 1 kHz beside a mass on a second spring that goes `large` metres at 1 Hz."""
    m = oscillator(amplitude)
    b = mechanisms.Builder()
    b.body("weight", (0, 1, 0.1))
    b.joint(
        "way",
        GROUND,
        "weight",
        (0, 1, 0),
        (1, 0, 0),
        "prismatic",
        at_b=(0, 0, 0),
        rates=(Quantity(large * 2 * math.pi),),
    )
    spring = Force(
        "slow",
        "slow",
        "slide_spring",
        {"stiffness": Quantity(4 * math.pi**2), "free_length": Quantity(0.0)},
        joint="way",
    )
    return Mechanism(
        {**m.bodies, **b.bodies}, {**m.joints, **b.joints}, {**m.forces, "slow": spring}
    )


def error_beside(amplitude, **options):
    """As error_of, over a hundred periods of the small motion."""
    samples, system = outcome(beside(amplitude), 0.3, 1e-3 / 7, **options)
    truth = amplitude * np.sin(2000 * math.pi * samples[:, 0])
    return np.abs(
        samples[:, system.layout.joint("rail")][:, 0] - truth
    ).max() / amplitude, system.statistics


# 1 nm and 0.1 nm beside 0.95 m: each is measured with its own way
@pytest.mark.parametrize("amplitude", [1e-9, 1e-10])
@pytest.mark.parametrize(("formulation", "name"), [("joint", "rail"), ("absolute", "mass")])
def test_a_tiny_motion_beside_a_large_one_is_reported_by_name(amplitude, formulation, name):
    error, statistics = error_beside(amplitude, formulation=formulation)
    (note,) = statistics.notes
    assert error > 1e-5
    assert note.startswith(
        f"The motion of {name} lies at the limit of the tolerance beside larger ones: {name} "
        "goes no further than "
    )


def test_the_recommended_tolerance_resolves_the_small_motion():
    _, statistics = error_beside(1e-9)
    assert (
        "Choose a tolerance of 1e-13." in statistics.notes[0]
        or "Choose a tolerance of 1e-14." in statistics.notes[0]
    )
    error, statistics = error_beside(1e-9, tolerance=1e-13)
    assert error < 1e-3 and not statistics.notes


def test_resting_body_beside_a_large_motion_gets_no_note():
    for mechanism in (beside(0.0), beside(1e-2)):
        for formulation in ("joint", "absolute"):
            _, system = outcome(mechanism, 0.3, 0.01, formulation=formulation)
            assert not system.statistics.notes


# samples every ten periods of the motion see it at 0 each time
@pytest.mark.parametrize("mechanism", [oscillator(1e-3), beside(1e-3)])
def test_a_motion_between_samples_is_no_small_one(mechanism):
    _, system = outcome(mechanism, 0.3, 0.01)
    assert not system.statistics.notes


def test_a_small_motion_between_samples_is_reported():
    _, system = outcome(beside(1e-9), 0.3, 0.01)
    assert "The motion of rail lies" in system.statistics.notes[0]


SMOOTH = [
    p
    for p in sorted(sample_folder().glob("*.mech"))
    # the machine of the absorber stands still, and the note says so
    if not load(p).project.mechanism.contacts.enabled and p.stem != "vibration_absorber"
]


# in absolute coordinates two seconds of the snakeboard take minutes
MARKS = {"snakeboard": [pytest.mark.slow]}
WAYS = [
    pytest.param(
        formulation,
        path,
        id=f"{formulation}-{path.stem}",
        marks=MARKS.get(path.stem, []) if formulation == "absolute" else [],
    )
    for formulation in ("joint", "absolute")
    for path in SMOOTH
]


@pytest.mark.parametrize(("formulation", "path"), WAYS)
@pytest.mark.thinned(4)
def test_no_sample_has_a_note_of_small_motions(path, formulation):
    project = load(path).project
    options = replace(options_of(project), formulation=formulation)
    options = replace(options, duration=min(options.duration, 2.0))
    system = system_for(project.mechanism, options)
    for _ in run(system, options):
        pass
    assert not [note for note in system.statistics.notes if "limit of the tolerance" in note]


def test_resting_mechanism_has_an_energy_error_and_no_note():
    b = mechanisms.Builder()
    b.body("weight", (0, 0, -1))
    b.joint("pin", GROUND, "weight", (0, 0, 0))
    _, system = outcome(b.mechanism, 1.0, 0.1)
    assert (
        system.statistics.energy_error is not None
        and system.statistics.energy_error < 1e-14
        and not system.statistics.notes
    )


@pytest.mark.parametrize("make", [mechanisms.four_bar, mechanisms.slider_crank])
@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3])
def test_the_size_of_a_mechanism_makes_no_difference(make, scale):
    # lengths and gravity times the scale: the same angles at the same times
    gravity = lambda s: vector(0.3 * s, 0, -9.81 * s)
    drawn, truth = (
        outcome(replace(make(scale=s), gravity=gravity(s)), 2.0, 0.05) for s in (scale, 1.0)
    )
    angle = lambda of: of[0][:, of[1].layout.joint("A")][:, 0]
    assert np.ptp(angle(truth)) > 0.5 and np.abs(angle(drawn) - angle(truth)).max() < 1e-5
    samples, system = drawn
    assert (
        samples[:, system.layout.constraint.start + GAP].max() < 1e-11 * system.size
        and system.statistics.constraint_error_m < 1e-11 * system.size
    )
