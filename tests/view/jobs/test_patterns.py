"""Mechanisms that repeat themselves, drawn from an empty window by patterns."""

import math

import pytest
from PySide6 import QtCore, QtTest

import mechstudio as ms
from mechstudio.model.edits.links import link_ends
from tests.view.jobs.counting import hand, structure_of

__all__ = ["hand"]

Qt = QtCore.Qt
SHIFT = Qt.KeyboardModifier.ShiftModifier


def repeat(hand):
    hand.keys += 1
    keys = Qt.KeyboardModifier.ControlModifier | SHIFT
    QtTest.QTest.keyClick(hand.view, Qt.Key.Key_D, keys)


@pytest.mark.slow
def test_a_scissor_lift_of_three_stages(hand):
    hand.type("l")
    hand.click_front((0, 0), (0.2, 0.1))
    hand.type("⏎l")
    hand.click_front((0.2, 0), (0, 0.1))
    hand.type("␛j")
    hand.click_front((0.1, 0.05))
    hand.type("␛j")
    hand.point((0.2, 0, 0))
    hand.type("l⇥")
    hand.click_front((0.2, 0))
    hand.type("␛␛")
    hand.click_front((0.04, 0.02))
    hand.click_front((0.16, 0.02), modifiers=SHIFT)
    repeat(hand)
    hand.click_front((0, 0), (0, 0.1))
    print(f"{hand.clicks} clicks, {hand.keys} keys")
    assert hand.clicks <= 40 and hand.keys <= 100
    project = hand.studio.document.project
    assert len(project.mechanism.bodies) == 6 and len(project.mechanism.joints) == 9
    assert structure_of(hand).mobility == 1
    # three times as high as the first stage at any angle of the first link
    (first,) = (
        j.name
        for j in project.mechanism.joints.values()
        if (j.frame_a.body, j.type) == ("ground", "revolute")
    )
    moved = ms.at(project, first, "40 deg").mechanism
    length = math.dist(*link_ends(moved.bodies["link_1"]))
    top = max(end[2] for body in moved.bodies.values() for end in link_ends(body))
    assert top == pytest.approx(3 * length * math.sin(math.radians(40)), rel=1e-9)


def test_a_chain_of_eight_links(hand):
    hand.type("l")
    hand.click_front((-0.2, 0.1), (-0.1, 0.1), (0, 0.1))
    hand.type("␛")
    hand.click_front((-0.05, 0.1))
    repeat(hand)
    hand.type("7,100,0⏎")
    assert hand.clicks <= 40 and hand.keys <= 100
    m = hand.mechanism
    assert len(m.bodies) == 8 and len(m.joints) == 7
    pairs = sorted(tuple(sorted((j.frame_a.body, j.frame_b.body))) for j in m.joints.values())
    assert pairs == [(f"link_{k}", f"link_{k + 1}") for k in range(1, 8)]


@pytest.mark.slow
def test_a_stewart_platform_from_one_leg(hand):
    """Platform, and a leg of two links that slide in each other, six times in a circle."""
    hand.badge("Top")
    hand.type("w200⏎bd0,0⏎120⏎⏎␛")
    hand.badge("Right")
    # from the platform down to the ground
    hand.type("wwl")
    hand.point((0, 0.1, 0.2))
    hand.type("s")
    hand.click((0, 0.1, 0.2))
    hand.type("p")
    hand.click((0, 0.2, 0.1))
    hand.type("s")
    hand.click((0, 0.3, 0))
    hand.type("⏎␛a")
    hand.click((0, 0.26, 0.04))
    hand.click((0, 0.15, 0.15), SHIFT)
    assert set(hand.studio.selection.selected) == {"link_1", "link_2"}
    hand.badge("Top")
    hand.palette("polar")
    hand.click((0, 0, 0))
    print(f"{hand.clicks} clicks, {hand.keys} keys")
    assert hand.clicks <= 40 and hand.keys <= 100
    m = hand.mechanism
    assert len(m.bodies) == 13 and len(m.joints) == 18
    on_disc = [j for j in m.joints.values() if "disc_1" in (j.frame_a.body, j.frame_b.body)]
    assert [j.type for j in on_disc] == ["spherical"] * 6
    # six freedoms of the platform, and the idle spin of each leg
    s = structure_of(hand)
    assert (s.mobility, s.hyperstaticity, s.loops) == (12, 0, 5)


def test_a_planetary_gear_from_one_planet(hand):
    """Sun, carrier and a planet that meshes with it, three times in a circle."""
    hand.type("bd0,0⏎60⏎⏎␛l")
    hand.click_front((0, 0))
    hand.type("100,0⏎␛j")
    hand.click_front((0, 0))
    hand.type("␛bd100,0⏎40⏎⏎␛j")
    hand.click_front((0.1, 0))
    # the joint that was placed last is selected: the tool asks for both all the same
    hand.type("␛")
    hand.palette("gear pair")
    hand.click_front((0.1, 0), (0, 0))
    hand.type("␛")
    hand.palette("fit")
    hand.click_front((0.12, -0.01))
    hand.palette("polar")
    hand.type("3")
    hand.click_front((0, 0))
    print(f"{hand.clicks} clicks, {hand.keys} keys")
    assert hand.clicks <= 40 and hand.keys <= 100
    m = hand.mechanism
    assert len(m.bodies) == 5 and len(m.joints) == 5 and len(m.couplings) == 3
    # each planet meshes with the one sun by a joint of its own
    planets, suns = zip(*((c.ends[0].joint, c.ends[1].joint) for c in m.couplings.values()))
    assert len(set(planets)) == 3 and len(set(suns)) == 1
    # by the discs, 60 to 40; seen from the carrier the sun turns against its joint's angle
    assert {c.parameters["ratio"].value for c in m.couplings.values()} == {1.5}
    # the turns of sun and carrier
    assert structure_of(hand).mobility == 2
