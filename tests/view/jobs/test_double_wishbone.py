"""A double wishbone suspension with steering, wheel and spring, drawn from an empty window."""

import math

import pytest

import mechstudio as ms
from mechstudio.model.edits.elements import set_attribute
from tests.view.jobs.counting import hand, structure_of

__all__ = ["hand"]

LOWER, UPPER, STEER = (0.0, 0.35, -0.02), (-0.01, 0.32, 0.22), (0.12, 0.33, 0.06)
INNER, HUB = (0.12, 0.05, 0.06), (0.0, 0.38, 0.1)


def draw(hand):
    hand.badge("Top")
    # the arms: two points on the ground, and the tip
    hand.type("yg150,0⏎-150,0⏎g0,350,-20⏎⏎")
    hand.type("g100,60,200⏎-100,60,200⏎g-10,320,220⏎⏎␛")
    # the upright between both tips, with the lever of the tie rod
    hand.type("0ay")
    hand.click(LOWER)
    hand.click(UPPER)
    hand.type("120,330,60⏎⏎␛")
    # tie rod and rack, in the locked level plane
    hand.type("wwl")
    hand.click(STEER)
    hand.type("s280,-90⏎p100,-90⏎⏎")
    # the wheel in a plane beside the front plane, on the upright that it covers
    hand.badge("Front")
    hand.type("w-380⏎bd0,100⏎250⏎⏎j")
    hand.click(HUB)
    hand.type("␛")
    # the spring from the lower arm to the ground above it
    hand.badge("Right")
    hand.type("0s")
    hand.click((0, 0.2, -0.011))
    hand.click((0, 0.1, 0.3))
    hand.type("␛")


def built():
    """The same kinematics by the Builder."""
    b = ms.Builder()
    ball = lambda name, at: b.body(name, at=at).sphere(0.02)
    lower, upper, upright = ball("lower", LOWER), ball("upper", UPPER), ball("upright", STEER)
    rod, rack, wheel = ball("rod", INNER), ball("rack", INNER), ball("wheel", HUB)
    up = (0, 0, 1)
    b.pin("A", b.ground, lower, at=(0.15, 0, 0), axis=(-1, 0, 0), x=up)
    b.pin("B", b.ground, upper, at=(0.1, 0.06, 0.2), axis=(-1, 0, 0), x=up)
    b.ball("C", lower, upright, at=LOWER)
    b.ball("D", upper, upright, at=UPPER)
    b.ball("E", upright, rod, at=STEER)
    b.ball("F", rod, rack, at=INNER)
    b.slider("G", b.ground, rack, at=INNER, axis=(0, -1, 0))
    b.pin("H", upright, wheel, at=HUB, axis=(0, -1, 0), x=up)
    return b.project()


def hub_at(project, degrees):
    """Place of the hub with the rack held and the lower arm turned."""
    named = {j.name: j.id for j in project.mechanism.joints.values()}
    for name in "GH":
        project = set_attribute(project, named[name], type="fixed")
    m = ms.at(project, "A", f"{degrees} deg").mechanism
    return m.frame_in_world(m.joints[named["H"]].frame_b)[0]


def test_a_suspension_in_60_clicks_and_150_keys(hand):
    draw(hand)
    print(f"{hand.clicks} clicks, {hand.keys} keys")
    assert hand.clicks <= 60 and hand.keys <= 150
    project, model = hand.studio.document.project, built()
    assert {j.name: j.type for j in project.mechanism.joints.values()} == {
        j.name: j.type for j in model.mechanism.joints.values()
    }
    # bounce, steering, the turn of the wheel and the idle spin of the tie rod
    drawn, known = structure_of(hand), ms.check(model).structure
    assert (drawn.mobility, drawn.hyperstaticity, drawn.loops) == (4, 0, 2)
    assert (known.mobility, known.hyperstaticity, known.loops) == (4, 0, 2)
    freedoms = hand.studio.questions.analysis.freedoms
    assert [f.bodies for f in freedoms if f.kind == "idle"] == [("link_1",)]
    for degrees in (-6, 4, 9):
        there = hub_at(project, degrees)
        assert there == pytest.approx(hub_at(model, degrees), abs=1e-9)
        assert abs(there[2] - HUB[2]) > 0.3 * abs(math.radians(degrees)) * 0.3
    (spring,) = project.mechanism.forces.values()
    assert {spring.frame_a.body, spring.frame_b.body} == {"arm_1", "ground"}
