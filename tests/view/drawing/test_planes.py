"""Work planes by typed offsets, through joints and across axes; the view turns to them, and a tool
says why it cannot draw. Real mouse and keys.
"""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import add_joint
from mechstudio.model.geometry.work_plane import FRONT, TOP
from mechstudio.model.mechanism import GROUND
from mechstudio.view.scene import camera as lens
from tests.view.drawing.test_relations import type_
from tests.view.drawing.test_spatial_drawing import SpaceHand

Qt = QtCore.Qt


@pytest.fixture
def hand(empty, qtbot):
    return SpaceHand(empty, qtbot)


def plane(hand):
    return hand.window.studio.tools.context.plane


def facing(hand):
    """Cosine between the line of sight and the normal of the work plane."""
    return float(lens.axes(hand.view.framing.camera)[2] @ np.array(plane(hand).normal))


def box(hand):
    studio = hand.window.studio
    project, _ = add_body(studio.document.project, FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    studio.document.commit("Draw box", project)
    hand.view.framing.view_from("corner")


def move(hand, x, y):
    """Two moves, since the first one after a change of tools may only enter the view."""
    for k in (5, 0):
        QtTest.QTest.mouseMove(hand.view, QtCore.QPoint(x - k, y))


def test_a_plane_at_a_typed_offset_of_the_present_one(hand):
    hand.key(Qt.Key.Key_W)
    hand.point((0.3, 0.0, 0.2))
    type_(hand, "40")
    preview = hand.window.studio.tools.tool.preview
    assert preview.areas and "40" in preview.label
    type_(hand, "⏎")
    assert plane(hand).origin == pytest.approx((0.0, -0.04, 0.0))
    assert plane(hand).normal == FRONT.normal and plane(hand).name == "Front plane, 40 mm off"
    assert facing(hand) > 0.999 and not hand.window.studio.tools.is_drawing


def test_a_plane_off_a_face_and_the_view_turns_to_it(hand):
    box(hand)
    hand.key(Qt.Key.Key_W)
    hand.point((0.03, -0.02, 0.05))
    type_(hand, "1 cm")
    hand.click((0.03, -0.02, 0.05))
    assert plane(hand).normal == pytest.approx((0, 0, 1))
    assert plane(hand).height((0.0, 0.0, 0.06)) == pytest.approx(0.0)
    assert facing(hand) > 0.999


def test_planes_through_a_joint_one_after_the_other(hand):
    box(hand)
    studio = hand.window.studio
    project, _ = add_joint(studio.document.project, TOP, GROUND, "box_1", (0.1, 0.05, 0.05))
    studio.document.commit("Add joint", project)
    hand.key(Qt.Key.Key_W)
    hand.point((0.1, 0.05, 0.05))
    words = []
    for _ in range(3):
        words.append(studio.tools.tool.preview.word)
        hand.key(Qt.Key.Key_O)
    assert words == ["across joint A", "XZ through joint A", "YZ through joint A"]
    hand.key(Qt.Key.Key_O)
    assert studio.tools.tool.preview.word == "XZ through joint A"
    hand.click((0.1, 0.05, 0.05))
    assert plane(hand).normal == FRONT.normal and plane(hand).origin[1] == pytest.approx(0.05)
    assert facing(hand) > 0.999


def test_choosing_a_standard_plane_never_leaves_it_edge_on(hand):
    hand.badge("Right")
    assert plane(hand).name == "Right plane" and facing(hand) > 0.999
    hand.badge("Top")
    assert facing(hand) > 0.999


def test_a_tool_says_that_the_plane_is_seen_edge_on(hand):
    box(hand)
    hand.view.framing.camera = lens.replaced(hand.view.framing.camera, azimuth=0.0, elevation=0.0)
    hand.key(Qt.Key.Key_L)
    tools = hand.window.studio.tools
    at = QtCore.QPoint(hand.view.width() - 200, 300)
    QtTest.QTest.mouseMove(hand.view, at - QtCore.QPoint(5, 5))
    QtTest.QTest.mouseMove(hand.view, at)
    hand.qtbot.waitUntil(lambda: "edge-on" in tools.hint)
    QtTest.QTest.mouseClick(
        hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at
    )
    assert "edge-on" in tools.message and tools.tool.begin is None
    hand.badge("Look at the work plane")
    QtTest.QTest.mouseMove(hand.view, at + QtCore.QPoint(3, 3))
    hand.qtbot.waitUntil(lambda: "edge-on" not in tools.hint)
    assert facing(hand) > 0.999


def test_a_tool_says_that_the_pointer_is_beyond_the_horizon(hand):
    box(hand)
    hand.badge("Top")
    camera = lens.replaced(hand.view.framing.camera, elevation=12.0, perspective=True)
    hand.view.framing.camera = camera
    hand.key(Qt.Key.Key_B)
    tools = hand.window.studio.tools
    move(hand, hand.view.width() // 2, 12)
    assert "beyond the horizon" in tools.hint
    move(hand, hand.view.width() // 2 + 60, 400)
    assert "horizon" not in tools.hint and math.isfinite(facing(hand))
