"""A run that needs long for its first hundredth says what is slow and what helps, and goes on."""

import warnings
from pathlib import Path

import msgspec
import pytest

import mechstudio as ms
from mechstudio.engine.integration import slow_runs
from mechstudio.engine.integration.options import options_of
from mechstudio.engine.integration.slow_runs import Pace
from mechstudio.engine.run import run, system_for
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from tests import mechanisms

SAMPLES = Path(__file__).parents[3] / "samples"
replace = msgspec.structs.replace


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """The limit is a fifth of a second in place of a minute."""
    monkeypatch.setattr(slow_runs, "LIMIT", 0.2)


def first_words(project, duration=1e3):
    """First words of a run, and how far it came."""
    options, slow = options_of(project, duration), []
    for _ in run(system_for(project.mechanism, options), options, slow=slow):
        if slow:
            return slow[0]
    return ""


def damped(type="dop853"):
    bumper = Force("F", "bumper", "torsion_damper", {"damping": Quantity(1e9)}, joint="B")
    project = Project(replace(mechanisms.double_pendulum(), forces={"F": bumper}))
    return replace(project, settings=replace(project.settings, integrator=type))


def test_a_strong_damper_is_named():
    words = first_words(damped())
    assert words.startswith("The run is slow: ")
    assert (
        "the motion of B under bumper dies away within " in words
        and "DOP853 has to follow" in words
    )
    assert "Choose Radau IIA" in words and "make bumper softer" in words


def test_a_stiff_spring_before_a_light_body_is_named():
    b = mechanisms.Builder()
    b.body("cart", (0, 0, 0), mass=1000.0)
    b.body("needle", (0.1, 0, 0), mass=1e-6, inertia=(1e-9, 1e-9, 1e-9, 0, 0, 0))
    b.joint("rail", GROUND, "cart", (0, 0, 0), (1, 0, 0), "prismatic")
    b.joint("guide", "cart", "needle", (0.1, 0, 0), (1, 0, 0), "prismatic")
    wire = Force(
        "F",
        "wire",
        "slide_spring",
        {"stiffness": Quantity(1e9), "free_length": Quantity(0.001)},
        joint="guide",
    )
    words = first_words(Project(replace(b.mechanism, forces={"F": wire})))
    # sqrt(k / m) / 2 pi = 5.03e6 1/s
    assert (
        "the motion of guide under wire swings 5.0e+06 times a second" in words
        and "or needle heavier" in words
    )


def test_baumgarte_is_named():
    project = Project(mechanisms.four_bar())
    words = first_words(
        replace(
            project,
            settings=replace(
                project.settings, drift="baumgarte", alpha=Quantity(1e6), beta=Quantity(1e6)
            ),
        )
    )
    assert (
        "Baumgarte's rates of 1e+06 and 1e+06 1/s hold its steps at" in words
        and "lower rates" in words
    )


def test_a_fixed_step_and_a_longest_step_are_named():
    project = Project(mechanisms.double_pendulum())
    fixed = replace(
        project, settings=replace(project.settings, integrator="rk4", step=Quantity(1e-7))
    )
    assert "The fixed step is 1e-07 s" in first_words(fixed) and "longer step" in first_words(fixed)
    longest = replace(project, settings=replace(project.settings, step=Quantity(1e-7)))
    assert "The longest step that was chosen is 1e-07 s" in first_words(longest)


def test_contacts_are_reported_too():
    words = first_words(load(SAMPLES / "bouncing_ball.mech").project, 1e5)
    assert (
        words.startswith("The run is slow: ")
        and "contacts takes" in words
        and "shorter duration" in words
    )


@pytest.mark.slow
def test_a_quick_run_says_nothing():
    project = Project(mechanisms.double_pendulum())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ms.simulate(project, duration=1.0)
        # more than the limit in all, but not for its first hundredth
        ms.simulate(project, duration=300.0)


@pytest.mark.slow
def test_python_warns_and_the_run_goes_on(monkeypatch):
    monkeypatch.setattr(slow_runs, "LIMIT", 0.001)
    with pytest.warns(UserWarning, match="The run is slow: .* The fixed step is 1e-06 s"):
        result = ms.simulate(
            Project(mechanisms.double_pendulum()), duration=0.3, integrator="rk4", step=1e-6
        )
    assert result.time[-1] == pytest.approx(0.3)


def test_slow_run_message_is_withdrawn_when_the_run_speeds_up():
    reported = []
    pace = Pace(100.0, reported, lambda: ("Cause.", "Cure."))
    pace.look(0.1, 0.1)
    assert reported == []
    pace.look(0.3, 0.1)
    pace.look(0.4, 0.2)
    assert reported == [
        (
            "The run is slow: 0.3 s of computing brought it to 0.1 s, at this pace all 100 s "
            "take 5 minutes. Cause. Cure."
        )
    ]
    pace.look(0.5, 1.0)
    pace.look(9.0, 1.1)
    assert reported[1:] == [""]


def test_the_terminal_reports_it_while_the_run_goes_on(monkeypatch, tmp_path, capsys):
    from mechstudio.cli import main
    from mechstudio.files import project_file

    monkeypatch.setattr(slow_runs, "LIMIT", 0.001)
    path = tmp_path / "pendulum.mech"
    project_file.save(path, Project(mechanisms.double_pendulum()))
    assert (
        main.main(
            ["simulate", str(path), "--duration", "300 ms", "--integrator", "rk4", "--step", "1e-6"]
        )
        == 0
    )
    reported = capsys.readouterr()
    assert (
        reported.err.startswith("mechstudio: The run is slow: ")
        and "The fixed step is 1e-06 s" in reported.err
    )
    assert "slow" not in reported.out
