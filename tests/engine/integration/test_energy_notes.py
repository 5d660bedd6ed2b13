"""The note on a run without contacts whose energy does not balance."""

import pytest

import mechstudio as ms
from mechstudio.engine.integration.events.closed_stops import Contacts
from tests.engine.integration.test_table_runs import slider

RAMP = ms.ramp(0.0, "1 m", begin="0.5 s", duration="1 s")


def pendulum(rate):
    m = ms.Builder()
    rod = m.body("rod", mass=1.0, center_of_mass=(0, 0, -0.5), inertia=(0.02, 0.02, 0.02))
    m.pin("pin", m.ground, rod, at=(0, 0, 0), rate=rate)
    return m.project()


def notes(result):
    return [n for n in result.statistics["notes"] if n.startswith("The energy is off by")]


def test_work_that_is_lost_is_noted(monkeypatch):
    """A driven ramp starts with a jerk; were its work not booked, the whole kinetic energy would
    be missing.
    """
    m, slide = slider()
    m.drive("motor", slide, position=RAMP)
    project, run = m.project(), {"duration": 2.0, "sample_step": 0.1}
    sound = ms.simulate(project, **run)
    assert sound.statistics["energy_error"] < 1e-9 and not notes(sound)
    monkeypatch.setattr(Contacts, "kinetic", lambda self, y: 0.0)
    (note,) = notes(ms.simulate(project, **run))
    assert note.startswith("The energy is off by 100 % of the largest: the motion, or the work")
    assert note.endswith("with a run of a tighter tolerance, and of a shorter largest step.")


@pytest.mark.parametrize(("step", "reported"), [(0.01, 1), (1e-4, 0)])
def test_a_long_fixed_step_is_noted_with_its_share(step, reported):
    result = ms.simulate(
        pendulum(3.0), duration=1.0, integrator="semi_implicit_euler", step=step, sample_step=0.1
    )
    share = 100.0 * result.statistics["energy_error"]
    assert (share > 0.1) == reported
    assert [n.split(":")[0] for n in notes(result)] == reported * [
        f"The energy is off by {share:.3g} % of the largest"
    ]
    assert all(n.endswith("Compare it with a run of a shorter step.") for n in notes(result))


def test_errors_within_the_tolerance_are_not_noted():
    """A swing of some millionths of a radian is near the rounding of the weight."""
    result = ms.simulate(pendulum(1e-5), duration=2.0, sample_step=0.1)
    assert result.statistics["energy_error"] > 1e-4 and not notes(result)
