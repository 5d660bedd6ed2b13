"""Join bodies where they are with real mouse and keys: links that cross, bodies beside each other,
ends that are changed and moved afterwards.
"""

import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.links import distance
from mechstudio.model.mechanism import GROUND
from mechstudio.view.widgets.choice import Choice
from tests.view.drawing.test_spatial_drawing import SpaceHand
from tests.view.hands import click_in_tree

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


def field(hand, name):
    """The choice of the inspector with a name; the page is made in steps."""
    inspector = hand.window.docks.inspector

    def shown():
        selected = hand.window.studio.selection.current
        choices = inspector.findChildren(Choice) if inspector.leaf.id == selected else []
        return [c for c in choices if c.accessibleName() == name and c.isVisible()]

    hand.qtbot.waitUntil(lambda: bool(shown()))
    return shown()[0]


def choose(hand, name, word):
    """Open a choice by the mouse and take an entry by the keyboard."""
    made = field(hand, name)
    menu = made.menu()
    QtCore.QTimer.singleShot(50, lambda: pick(menu, word))
    QtTest.QTest.mouseClick(made, Qt.MouseButton.LeftButton)
    hand.qtbot.waitUntil(lambda: not menu.isVisible())


def pick(menu, word):
    action = next(a for a in menu.actions() if a.text() == word)
    QtTest.QTest.mouseClick(
        menu,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        menu.actionGeometry(action).center(),
    )


@pytest.mark.slow
def test_the_bodies_of_a_joint_and_of_a_spring_are_fields(hand):
    """Another body takes over an end where it stands: neither body nor end moves."""
    draw_link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    draw_link(hand, (0.0, 0.0, 0.2), (0.2, 0.0, 0.2))
    bodies = mechanism(hand).bodies
    hand.key(Qt.Key.Key_J)
    hand.click((0.2, 0.0, 0.0))
    hand.key(Qt.Key.Key_Escape)
    click_in_tree(hand.window, "joint_1")
    choose(hand, "Connects", "link 2")
    joint, a, b = the_joint(hand)
    assert [joint.frame_a.body, joint.frame_b.body] == ["link_2", "link_1"]
    assert a == pytest.approx((0.2, 0.0, 0.0)) and distance(a, b) < 1e-12
    assert field(hand, "Connects").text() == "link 2" and field(hand, "With").text() == "link 1"
    assert field(hand, "With").keys() == [GROUND, "link_1"], "no body is joined with itself"
    hand.view.setFocus()
    hand.key(Qt.Key.Key_S)
    hand.click((0.1, 0.0, 0.0))
    hand.click((0.1, 0.0, 0.2))
    hand.key(Qt.Key.Key_Escape)
    (spring,) = mechanism(hand).forces.values()
    click_in_tree(hand.window, spring.id)
    choose(hand, "With", "ground")
    (spring,) = mechanism(hand).forces.values()
    ends = [mechanism(hand).frame_in_world(f)[0] for f in (spring.frame_a, spring.frame_b)]
    assert [spring.frame_a.body, spring.frame_b.body] == ["link_1", GROUND]
    assert ends[0] == pytest.approx((0.1, 0.0, 0.0)) and ends[1] == pytest.approx((0.1, 0.0, 0.2))
    assert mechanism(hand).bodies == bodies


def test_the_mark_of_a_selected_joint_moves_over_its_bodies(hand):
    """Both bodies stay; the pin catches the crossing and stands on both centre lines there."""
    draw_link(hand, (0.0, 0.0, 0.0), (0.3, 0.0, 0.1))
    draw_link(hand, (0.1, 0.0, 0.2), (0.2, 0.0, -0.1))
    bodies = mechanism(hand).bodies
    hand.key(Qt.Key.Key_J)
    hand.click((0.3, 0.0, 0.1), SHIFT)
    click_in_tree(hand.window, "link_2")
    hand.view.setFocus()
    hand.key(Qt.Key.Key_Escape)
    click_in_tree(hand.window, "joint_1")
    hand.drag((0.3, 0.0, 0.1), (0.2, 0.0, 0.1), (0.151, 0.0, 0.051))
    joint, a, b = the_joint(hand)
    assert a == pytest.approx((0.15, 0.0, 0.05)) and distance(a, b) < 1e-12
    assert {joint.frame_a.body, joint.frame_b.body} == {"link_1", "link_2"}
    assert mechanism(hand).bodies == bodies
    assert hand.window.studio.document.undo_label.startswith("Move joint A")


@pytest.mark.slow
def test_a_remaining_gap_is_reported_after_the_tool_ends(hand):
    draw_link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    draw_link(hand, (0.0, 0.0, 0.1), (0.2, 0.0, 0.1))
    hand.key(Qt.Key.Key_J)
    hand.key(Qt.Key.Key_J)  # once
    hand.click((0.2, 0.0, 0.0), SHIFT)
    hand.click((0.2, 0.0, 0.1))
    hand.key(Qt.Key.Key_A)
    assert hand.window.studio.tools.tool.name == "select"
    assert (
        "100 mm apart as drawn: Assemble closes it where the lengths reach"
        in hand.window.studio.tools.message
    )
