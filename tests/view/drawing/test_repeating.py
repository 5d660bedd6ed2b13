"""Tools go on until Esc, or work once where they are taken twice: real mouse and keys."""

import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.links import add_link
from mechstudio.model.geometry.work_plane import FRONT
from tests.view.drawing.test_spatial_drawing import SpaceHand

Qt = QtCore.Qt
ENDS = ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.2, 0.0, 0.0), (0.3, 0.0, 0.0))


@pytest.fixture
def hand(empty, qtbot):
    """Three links hanging down beside each other."""
    hand, project = SpaceHand(empty, qtbot), empty.studio.document.project
    for x, y, z in ENDS[:3]:
        project, _ = add_link(project, FRONT, (x, y, z), (x, y, z - 0.15))
    empty.studio.document.commit("Draw links", project)
    empty.viewport.framing.view_from("front")
    return hand


def mechanism(hand):
    return hand.window.studio.document.project.mechanism


@pytest.mark.slow
def test_the_joint_tool_goes_on_with_its_type_until_escape(hand):
    tools = hand.window.studio.tools
    hand.key(Qt.Key.Key_J)
    hand.point(ENDS[0])
    hand.key(Qt.Key.Key_S)
    for end in ENDS[:3]:
        hand.click(end)
        assert tools.tool.name == "joint" and tools.tool.type == "spherical"
    assert [j.type for j in mechanism(hand).joints.values()] == ["spherical"] * 3
    button = hand.window.strip.buttons["place_joint"]
    assert button.isChecked() and hand.window.strip._once.isHidden()
    hand.key(Qt.Key.Key_Escape)
    assert not tools.is_drawing and not button.isChecked()


@pytest.mark.parametrize("by", ["keys", "strip"])
def test_taken_twice_a_tool_works_once(hand, by):
    tools, strip = hand.window.studio.tools, hand.window.strip
    for _ in range(2):
        if by == "keys":
            hand.key(Qt.Key.Key_J)
        else:
            QtTest.QTest.mouseClick(strip.buttons["place_joint"], Qt.MouseButton.LeftButton)
    assert tools.once and tools.hint.startswith("Once only")
    assert strip._once.isVisible() and strip.buttons["place_joint"].isChecked()
    assert strip.buttons["place_joint"].geometry().contains(strip._once.geometry().center())
    hand.click(ENDS[0])
    assert len(mechanism(hand).joints) == 1 and not tools.is_drawing
    assert strip._once.isHidden()
    hand.key(Qt.Key.Key_J)
    assert not tools.once, "the next time it goes on again"
    hand.click(ENDS[1])
    assert tools.is_drawing


@pytest.mark.slow
def test_springs_motors_and_forces_go_on(hand):
    studio = hand.window.studio
    hand.key(Qt.Key.Key_J)
    for end in ENDS[:3]:
        hand.click(end)
    hand.key(Qt.Key.Key_Escape)
    hand.key(Qt.Key.Key_S)
    for a, b in ((0, 1), (1, 2)):
        for x, _, _ in (ENDS[a], ENDS[b]):
            hand.click((x, 0.0, -0.1))
    assert len(mechanism(hand).forces) == 2 and studio.tools.tool.type == "spring"
    hand.key(Qt.Key.Key_Escape)
    studio.selection.select()
    hand.key(Qt.Key.Key_M)
    for end in ENDS[:2]:
        hand.click(end)
        hand.qtbot.waitUntil(lambda: hand.window.focusWidget() is not hand.view)
        # its first number is typed at once, then the tool goes on
        QtTest.QTest.keyClicks(hand.window.focusWidget(), "30 rpm")
        QtTest.QTest.keyClick(hand.window.focusWidget(), Qt.Key.Key_Return)
        hand.qtbot.waitUntil(lambda: hand.window.focusWidget() is hand.view)
        assert studio.tools.tool.name == "pick"
        assert hand.window.strip.buttons["drive"].isChecked()
    drives = mechanism(hand).drives.values()
    assert [d.law.parameters["value"].text for d in drives] == ["30 rpm"] * 2
    hand.key(Qt.Key.Key_Escape)
    assert not studio.tools.is_drawing


def test_a_run_takes_the_tool_out_of_the_hand(solved, qtbot):
    hand, studio = SpaceHand(solved, qtbot), solved.studio
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.click((0.2, 0.0, 0.0))
    hand.key(Qt.Key.Key_Return)
    hand.key(Qt.Key.Key_J)
    assert studio.tools.is_drawing
    hand.key(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.playback.playing)
    assert not studio.tools.is_drawing
    hand.key(Qt.Key.Key_Space)
