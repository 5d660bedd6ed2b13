"""Runs continued from an instant of another one: they are its tail."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.methods import distance
from mechstudio.model.edits.poses.continuation import continued, later
from mechstudio.model.laws.evaluation import jet
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
    tail[:, 0] -= tail[0, 0]
    size = project.mechanism.size()
    return distance(whole.layout, tail, again.rows, size), tail, again, going_on


@pytest.mark.parametrize("sample", [*SMOOTH, *DRIVEN, *TOUCHING])
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


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.type)
@pytest.mark.parametrize("time", [0.0, 0.37, 12.5])
def test_a_later_law_is_the_law_read_later(law, time):
    if law.type == "expression":
        text = later(law, time).text
        assert text == f"3*(t + {time!r} s)^2 - 2*sin(2 rad/s*(t + {time!r} s))/(t + {time!r} s)"
        return
    after = later(law, time)
    for t in (0.01, 0.3, 0.77, 1.9):
        assert jet(after, t)[0] == pytest.approx(jet(law, t + time)[0], abs=1e-9)
