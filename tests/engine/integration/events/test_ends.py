"""Conditions that end a run, against closed forms; each names its own above it."""

import math

import msgspec
import numpy as np
import pytest
from scipy.special import ellipk

import mechstudio as ms
from mechstudio.engine.analyses.registry import analyse
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run, system_for
from mechstudio.model.mechanism import Limit
from mechstudio.model.project import EndCondition, Project, Settings
from mechstudio.model.quantity import Quantity
from tests.engine.analyses.test_analyses import G, pendulum

DOWN = Quantity(-math.pi / 2)
# a rod of length l released level: its period over four to the lowest point, K(sin(45 deg)) sqrt(2
# l / 3 g) (e.g. Landau & Lifshitz, Mechanics, section 11, problem 1)
QUARTER = float(ellipk(0.5)) * math.sqrt(2.0 / (3.0 * G))


def ended(mechanism, *until, duration=5.0, sample_step=0.1, **options):
    """(system, samples) of a run with conditions."""
    requested = RunOptions(duration, sample_step, until=until, **options)
    system = system_for(mechanism, requested)
    return system, np.concatenate(list(run(system, requested)))


@pytest.mark.parametrize(
    ("method", "options", "exact"),
    [
        ("dop853", {"tolerance": 1e-11}, 1e-9),
        ("dopri5", {"tolerance": 1e-10}, 1e-8),
        ("rk4", {"step": 1e-3}, 1e-9),
        ("radau", {"tolerance": 1e-8}, 1e-6),
        ("generalized_alpha", {"step": 2e-3}, 1e-5),
    ],
)
def test_a_pendulum_ends_at_its_lowest_point(method, options, exact):
    system, samples = ended(
        pendulum(), EndCondition("joint/A/0", DOWN), integrator=method, **options
    )
    assert samples[-1, 0] == pytest.approx(QUARTER, abs=exact)
    assert samples[-1, system.layout.coordinates][0] == pytest.approx(-math.pi / 2, abs=1e-12)
    assert (
        system.statistics.ended_by == 0
        and system.statistics.duration == samples[-1, 0]
        and system.statistics.samples == len(samples)
    )
    assert (np.diff(samples[:, 0]) > 0).all() and len(samples) == int(QUARTER / 0.1) + 2


def test_directions_count():
    # it sinks through 30 deg below the level and comes up there a period less that time after it
    # was let go
    at = Quantity(-math.pi / 6)
    times = {
        way: ended(pendulum(), EndCondition("joint/A/0", at, way), tolerance=1e-11)[1][-1, 0]
        for way in ("either", "falling", "rising")
    }
    assert times["either"] == times["falling"] < QUARTER
    assert times["rising"] + times["falling"] == pytest.approx(4 * QUARTER, abs=1e-9)


def test_a_value_that_the_run_begins_on_ends_it_when_it_comes_back():
    # released level at rest: at rest again on the other side after half a period
    _system, samples = ended(
        pendulum(), EndCondition("body/rod/wy", Quantity(0.0)), tolerance=1e-11
    )
    assert samples[-1, 0] == pytest.approx(2 * QUARTER, abs=1e-8)


def test_a_short_dip_between_samples_and_steps_is_seen():
    # kinetic energy m g l / 2 at the lowest point less one part in a million, for about a
    # thousandth of the quarter period
    top = 0.5 * 2.0 * G
    _, samples = ended(
        pendulum(),
        EndCondition("energy/kinetic", Quantity(top * (1 - 1e-6))),
        duration=2.0,
        sample_step=2.0,
        tolerance=1e-9,
    )
    a = math.acos(1 - 1e-6)
    assert samples[-1, 0] == pytest.approx(QUARTER - a / math.sqrt(3 * G), abs=1e-6)


def test_the_first_of_several_conditions_and_stops_counts():
    limit = Limit(0, lower=Quantity(-1.0), restitution=Quantity(0.5))
    far, near = EndCondition("joint/A/0", Quantity(-0.9)), EndCondition("joint/A/0", Quantity(-0.5))
    system, samples = ended(pendulum(limits=(limit,)), far, near)
    assert system.statistics.ended_by == 1 and system.statistics.impacts == 0
    # a rate that jumps over the value in an impact ends the run at the impact
    system, samples = ended(
        pendulum(limits=(limit,)), EndCondition("body/rod/wy", Quantity(0.0)), tolerance=1e-11
    )
    assert system.statistics.impacts == 1 and samples[-1, system.layout.coordinates][
        0
    ] == pytest.approx(-1.0, abs=1e-11)


def test_runs_that_nothing_ends_are_what_they_were():
    free = ended(pendulum(), duration=1.0)[1]
    system, samples = ended(pendulum(), EndCondition("joint/A/0", Quantity(9.0)), duration=1.0)
    assert system.statistics.ended_by == -1
    np.testing.assert_allclose(samples, free, atol=1e-9)


def test_a_quantity_that_is_not_there_is_reported():
    with pytest.raises(EngineError, match="no quantity of this mechanism"):
        ended(pendulum(), EndCondition("joint/B/0"))


def test_texts_and_analyses():
    project = Project(pendulum(), settings=Settings(tolerance=Quantity(1e-11)))
    result = ms.simulate(project, until=["A angle = -90 deg"])
    assert (
        result.time[-1] == pytest.approx(QUARTER, abs=1e-9)
        and result.ended_by.channel == "joint/A/0"
    )
    for text, reason in (
        ("A angle", "could end a run"),
        ("B angle = 1", "no quantity B angle"),
        ("A angle = 3 m", "angle"),
    ):
        with pytest.raises(ValueError, match=reason):
            ms.simulate(project, until=[text])
    kept = msgspec.structs.replace(
        project,
        settings=msgspec.structs.replace(
            project.settings, until=(EndCondition("joint/A/0", DOWN),)
        ),
    )
    # an analysis of the motion ends with it, one at an instant goes there
    assert analyse(kept, "energy").rows[-1, 0] == pytest.approx(QUARTER, abs=1e-9)
    assert np.isfinite(analyse(kept, "power", time=1.5).rows).all()
    assert ms.simulate(kept, duration=1.0, until=()).time[-1] == 1.0


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_instants_in_independent_coordinates_are_as_exact_as_steps(method):
    # their polynomial within a step is a cubic: the state at the instant would be off by more than
    # the energy of a step is
    system, samples = ended(
        pendulum(),
        EndCondition("joint/A/0", DOWN),
        integrator=method,
        formulation="independent",
        tolerance=1e-9,
        step=0.0 if method == "dop853" else 5e-3,
        sample_step=0.25,
    )
    assert (
        samples[-1, 0] == pytest.approx(QUARTER, abs=1e-8) and system.statistics.energy_error < 1e-8
    )
