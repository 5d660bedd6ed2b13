"""Cams from an empty window, by mouse and keys alone."""

import math

import pytest

import mechstudio as ms
from tests.view.jobs.counting import hand, structure_of

__all__ = ["hand"]


def draw_disc_and_face(hand):
    """A disc of 60 mm about a point 25 mm beside its pin, and a plate on it that slides upwards."""
    hand.type("bd25,0⏎60⏎⏎␛bb-20,60⏎90,12⏎⏎␛")
    hand.palette("fit")
    hand.type("j")
    hand.click((0, 0, 0))
    hand.type("␛jp")
    hand.point((0.065, 0, 0.067))
    hand.type("⇥")
    hand.click((0.065, 0, 0.067))
    hand.type("␛jg")
    hand.click((0.025, 0, 0.06))
    hand.type("␛␛")


def test_a_flat_follower_takes_the_rim_of_the_disc_that_it_is_put_on(hand):
    draw_disc_and_face(hand)
    hand.type("m")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    shaft, guide, face = hand.mechanism.joints.values()
    assert face.type == "flat_follower" and face.curve.form == "circle"
    assert structure_of(hand).mobility == 1
    result = ms.simulate(hand.studio.document.project, duration=1.0)
    turned = result.joint_coordinates[shaft.name][:, 0]
    rise = result.joint_coordinates[guide.name][:, 0]
    assert turned[-1] == pytest.approx(2.0 * math.pi, abs=1e-9)
    assert rise == pytest.approx([0.025 * math.sin(t) for t in turned], abs=1e-9)


def test_points_of_a_cam_are_dragged(hand):
    draw_disc_and_face(hand)
    *_, face = hand.mechanism.joints.values()
    hand.studio.selection.select(face.id)
    hand.qtbot.wait(30)
    # the second of three points of the circle, on its right
    at = hand.mechanism.frame_in_world(face.frame_a)[0]
    place = (at[0] + 0.06, at[1], at[2] - 0.06)
    hand.drag(place, (place[0] + 0.01, place[1], place[2]))
    moved = hand.mechanism.joints[face.id].curve
    assert moved != face.curve
    assert moved.points[0] == face.curve.points[0] and moved.points[2] == face.curve.points[2]
    assert moved.points[1][0].value == pytest.approx(0.07, abs=0.004)
    assert moved.points[1][2].value == 0.0


def test_a_wheel_is_turned_by_a_slot_per_turn_of_the_crank(hand):
    """An eccentric disc and a wheel beside it, each on a pin, and a motor of 60 rpm: the pin starts
    opposite to the wheel, which goes on by a quarter in a turn.
    """
    hand.type("bd30,0⏎40⏎⏎")
    hand.type("bd-140,0⏎60⏎⏎␛")
    for x in (0, -0.14):
        hand.type("j")
        hand.click((x, 0, 0))
        hand.type("␛")
    hand.palette("geneva drive")
    hand.click((0, 0, 0))
    hand.type("⏎")
    hand.click((-0.14, 0, 0))
    hand.type("␛m")
    hand.click((0, 0, 0))
    hand.type("⏎␛")
    [drive] = hand.mechanism.couplings.values()
    assert drive.type == "geneva" and structure_of(hand).mobility == 1
    result = ms.simulate(hand.studio.document.project, duration=1.0)
    crank, wheel = (result.joint_coordinates[j.name][:, 0] for j in hand.mechanism.joints.values())
    assert crank[-1] == pytest.approx(2.0 * math.pi, abs=1e-9)
    assert wheel[-1] == pytest.approx(-0.5 * math.pi, abs=1e-9)
    # it rests until the pin enters the slot that faces it, after three eighths of a turn
    assert wheel[crank < 0.75 * math.pi] == pytest.approx(0.0, abs=1e-9)
    assert wheel[crank > 0.8 * math.pi].max() < -1e-3
