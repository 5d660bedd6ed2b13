"""Runs continued from an instant of another one: they are its tail."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.methods import distance
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.edits.poses.continuation import continued
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.laws.time_shift import later
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity

# smooth ones to the tolerance of their integrator; contacts to what their steps leave, since the
# forces of the step before, with which a step begins, are those of no step at a start
SMOOTH = ("four_bar", "slider_crank", "double_pendulum", "gear_train", "heavy_top", "rolling_disc")
DRIVEN = ("cam_profile", "six_axis_arm", "stewart_platform", "screw_jack", "andrews_squeezer")
TOUCHING = {"bouncing_ball": 1e-5, "box_on_incline": 1e-4, "geneva_drive": 1e-4, "gripper": 1e-5}


def tail_and_continued(project, duration, share=0.5):
    """Distance [m] of the tail of a run from the run that goes on from there, and both."""
    whole = ms.simulate(project, duration=duration)
    k = round(share * (len(whole) - 1))
    going_on = continued(project, whole.layout, whole.rows[k])
    again = ms.simulate(going_on, duration=whole.time[-1] - whole.time[k])
    tail = whole.rows[k:].copy()
    # the clock of the whole story, to the last bit
    assert np.array_equal(again.rows[:, 0], tail[:, 0])
    size = project.mechanism.size()
    return distance(whole.layout, tail, again.rows, size), tail, again, going_on


@pytest.mark.parametrize("sample", [*SMOOTH, *DRIVEN, *TOUCHING])
@pytest.mark.thinned(3)
def test_a_continued_run_is_the_tail_of_the_whole_one(sample):
    project = ms.load(f"samples/{sample}.mech")
    duration = min(project.settings.duration.value, 1.5)
    away, tail, again, going_on = tail_and_continued(project, duration)
    size = project.mechanism.size()
    assert away <= TOUCHING.get(sample, 3e-7) * max(size, 1.0)
    # angles keep the turns that they have made
    columns = again.layout.coordinates
    np.testing.assert_allclose(again.rows[0, columns], tail[0, columns], atol=1e-8 * max(size, 1.0))
    known = {f.message for f in ms.check(project).findings}
    assert not [f for f in ms.check(going_on).findings if f.message not in known]


def test_a_spring_that_was_wound_up_stays_so():
    # the law of a spring on a pin reads turns: two of them, when the run is continued
    m = ms.Builder("Winder")
    drum = m.link("drum", (0, 0, 0), length="100 mm", angle=0)
    hinge = m.pin("A", m.ground, drum, at=(0, 0, 0), rate="20 rad/s")
    m.force("torsion_spring", "spring", joint=hinge, stiffness=5e-4, free_angle=0.0)
    away, tail, again, _ = tail_and_continued(m.project(), 1.0, 0.6)
    assert abs(tail[0, again.layout.coordinates][0]) > 2 * math.pi
    assert away < 1e-7


LAWS = (
    Law("constant", {"value": Quantity(2.0)}),
    Law(
        "ramp",
        {n: Quantity(v) for n, v in zip(("start", "end", "begin", "duration"), (1, 3, 0.2, 0.9))},
    ),
    Law("ramp"),
    Law(
        "rest_to_rest",
        {n: Quantity(v) for n, v in zip(("start", "end", "begin", "duration"), (1, 3, 0.2, 0.9))},
    ),
    Law(
        "sine",
        {
            n: Quantity(v)
            for n, v in zip(("offset", "amplitude", "frequency", "phase"), (1, 2, 0.7, 0.4))
        },
    ),
    Law("sine"),
    Law("table", points=tuple((Quantity(s), Quantity(f)) for s, f in ((0, 1), (0.5, 2), (1.5, 0)))),
    Law("cam", {"lift": Quantity(0.3), "begin": Quantity(0.2)}),
    Law("expression", text="3*t^2 - 2*sin(2 rad/s*t)/t"),
)


def swinging():
    """A rod that a law of the time turns."""
    m = ms.Builder("Swing")
    rod = m.link("rod", (0, 0, 0), length="100 mm", angle=0)
    hinge = m.pin("A", m.ground, rod, at=(0, 0, 0))
    m.drive("motor", hinge, position=ms.expression("sin(2*pi*1 Hz*t)"))
    return m.project()


@pytest.mark.parametrize("k", [1, 18, 20, 59, 60])
def test_a_law_of_the_time_goes_on_at_the_true_time(k):
    project = swinging()
    whole = ms.simulate(project, duration=1.0)
    going_on = continued(project, whole.layout, whole.rows[k])
    assert going_on.mechanism.drives == project.mechanism.drives  # as they were typed
    again = ms.simulate(going_on, duration=1.0)
    t, angle = again.time, again.rows[:, again.layout.coordinates][:, 0]
    assert t[0] == whole.time[k]
    np.testing.assert_allclose(angle, np.sin(2 * np.pi * t), atol=1e-8)
    # what an analysis finds has the same clock, and the same values
    before = ms.analyse(project, "reactions", duration=float(whole.time[k]) + 0.5).rows
    after = ms.analyse(going_on, "reactions", duration=0.5).rows
    np.testing.assert_allclose(after[:, 0], t[: len(after)], atol=1e-12)
    np.testing.assert_allclose(after, before[k : k + len(after)], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("start", [0.3, 0.3 + 1 / 180, 1e4])
def test_a_start_between_two_samples_is_a_sample_too(start):
    project = swinging()
    project = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, start=Quantity(start))
    )
    run = ms.simulate(project, duration=0.5)
    drawn = run.rows[0, run.layout.coordinates][0]
    angle = run.rows[:, run.layout.coordinates][:, 0] - drawn
    turned = np.sin(2 * np.pi * run.time) - np.sin(2 * np.pi * start)
    assert run.time[0] == pytest.approx(start, abs=1e-12)
    assert run.time[-1] == pytest.approx(start + 0.5, abs=1e-12 * start)
    np.testing.assert_allclose(np.diff(run.time)[1:-1], 1 / 60, atol=1e-9)
    np.testing.assert_allclose(angle, turned, atol=1e-7)
    assert run.statistics["duration"] == pytest.approx(0.5)
    assert run.statistics["samples"] == len(run.rows)
    # the file keeps it, and a file without one begins at zero
    assert decode(encode(project)).project.mechanism.start.value == start
    assert b'"start"' not in encode(swinging())


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.type)
@pytest.mark.parametrize("time", [0.0, 0.37, 12.5])
def test_a_later_law_is_the_law_read_later(law, time):
    if law.type == "expression":
        text = later(law, time).text
        if not time:
            assert text == law.text
            return
        assert text == f"3*(t + {time!r} s)^2 - 2*sin(2 rad/s*(t + {time!r} s))/(t + {time!r} s)"
        return
    after = later(law, time)
    for t in (0.01, 0.3, 0.77, 1.9):
        assert jet(after, t)[0] == pytest.approx(jet(law, t + time)[0], abs=1e-9)
