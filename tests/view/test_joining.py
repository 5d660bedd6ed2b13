"""Join bodies where they are with real mouse and keys: links that cross, bodies beside each other,
ends that are changed and moved afterwards.
"""

import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.links import add_link, distance
from mechstudio.model.geometry.work_plane import FRONT
from mechstudio.model.mechanism import GROUND
from tests.view.hands import click_in_tree
from tests.view.test_spatial_drawing import SpaceHand

Qt = QtCore.Qt
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(empty, qtbot):
    return SpaceHand(empty, qtbot)


def mechanism(hand):
    return hand.window.studio.document.project.mechanism


def draw_link(hand, start, end):
    hand.key(Qt.Key.Key_L)
    hand.click(start)
    hand.click(end)
    hand.key(Qt.Key.Key_Escape)


def the_joint(hand):
    (joint,) = mechanism(hand).joints.values()
    m = mechanism(hand)
    return joint, m.frame_in_world(joint.frame_a)[0], m.frame_in_world(joint.frame_b)[0]


def test_two_links_that_cross_are_pinned_by_one_click(hand):
    draw_link(hand, (0.0, 0.0, 0.0), (0.3, 0.0, 0.1))
    draw_link(hand, (0.1, 0.0, 0.2), (0.2, 0.0, -0.1))
    bodies = mechanism(hand).bodies
    crossing = (0.15, 0.0, 0.05)
    hand.key(Qt.Key.Key_J)
    hand.point((0.151, 0.0, 0.049))
    word = hand.window.studio.tools.tool.preview.word
    assert "link 1 – link 2" in word, word
    hand.click((0.151, 0.0, 0.049))
    joint, a, b = the_joint(hand)
    assert {joint.frame_a.body, joint.frame_b.body} == {"link_1", "link_2"}
    assert a == pytest.approx(crossing) and distance(a, b) < 1e-12
    assert mechanism(hand).bodies == bodies, "nothing moves"


def test_a_body_beside_another_is_joined_as_it_is(hand):
    """The second body by a click, or in the tree."""
    draw_link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    draw_link(hand, (0.0, 0.0, 0.2), (0.2, 0.0, 0.2))
    bodies = mechanism(hand).bodies
    for by_tree in (False, True):
        hand.key(Qt.Key.Key_J)
        hand.click((0.2, 0.0, 0.0), SHIFT)
        if by_tree:
            click_in_tree(hand.window, "link_2")
        else:
            hand.click((0.2, 0.0, 0.2))
            assert "click joins them as they are" in hand.window.studio.tools.tool.preview.label
            hand.click((0.1, 0.0, 0.1))
        joint, a, b = the_joint(hand)
        assert [joint.frame_a.body, joint.frame_b.body] == ["link_1", "link_2"]
        assert a == pytest.approx((0.2, 0.0, 0.0)) and distance(a, b) < 1e-12
        assert mechanism(hand).bodies == bodies
        hand.view.setFocus()
        hand.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
