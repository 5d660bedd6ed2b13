"""Ends of links by typed and held relations, with real mouse and keys from an empty window."""

import math

import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.geometry.work_plane import FRONT
from tests.view.drawing.test_spatial_drawing import SpaceHand

Qt = QtCore.Qt


@pytest.fixture
def hand(empty, qtbot):
    return SpaceHand(empty, qtbot)


def mechanism(hand):
    return hand.window.studio.document.project.mechanism


def type_(hand, text):
    """Characters as typed; ⏎ ⇥ ⌫ are keys."""
    named = {"⏎": Qt.Key.Key_Return, "⇥": Qt.Key.Key_Tab, "⌫": Qt.Key.Key_Backspace}
    for c in text:
        if c in named:
            QtTest.QTest.keyClick(hand.view, named[c])
        else:
            QtTest.QTest.keyClicks(hand.view, c)
    hand.qtbot.wait(10)


def ends(hand, id):
    return link_ends(mechanism(hand).bodies[id])


def length(hand, id):
    return mechanism(hand).bodies[id].shapes[0].dimensions["length"]


def test_a_four_bar_by_its_four_lengths(hand):
    """Crank 100 at 60 deg, coupler 250, rocker 200, ground pins 300 apart: every length is met, and
    the last one as its text too.
    """
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.point((0.05, 0.0, 0.1))
    type_(hand, "100,60⏎")
    hand.point((0.3, 0.0, 0.2))
    type_(hand, "250⏎")
    hand.point((0.3, 0.0, 0.0))
    type_(hand, "200⇥⇥⇥⇥300")
    assert hand.window.studio.tools.tool.preview.label.endswith("from the first pin 300▏")
    type_(hand, "⏎⏎")
    a, b, c = (ends(hand, f"link_{k}") for k in (1, 2, 3))
    assert distance(*a) == pytest.approx(0.1) and distance(*b) == pytest.approx(0.25)
    assert distance(*c) == pytest.approx(0.2) and length(hand, "link_3").text == "200 mm"
    assert distance(a[0], c[1]) == pytest.approx(0.3, abs=1e-12)
    assert a[1] == pytest.approx((0.05, 0.0, 0.05 * math.sqrt(3)))
    assert len(mechanism(hand).joints) == 4


def test_a_crank_by_its_letter_d_at_once(hand):
    """The distance of the ground pins alone: the pointer chooses the direction."""
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.click((0.05, 0.0, 0.1))
    hand.point((0.2, 0.0, 0.15))
    type_(hand, "d350⏎")
    assert distance((0.0, 0.0, 0.0), ends(hand, "link_2")[1]) == pytest.approx(0.35)


def test_the_first_end_and_the_second_by_coordinates(hand):
    hand.key(Qt.Key.Key_L)
    hand.point((0.1, 0.0, 0.1))
    type_(hand, "x20,40⏎")
    assert hand.window.studio.tools.tool.begin == pytest.approx((0.02, 0.0, 0.04))
    type_(hand, "z-10")
    hand.point((0.123, 0.0, 0.1))
    type_(hand, "⏎")
    a, b = ends(hand, "link_1")
    assert a == pytest.approx((0.02, 0.0, 0.04)) and b[2] == pytest.approx(-0.01)
    assert b[0] == pytest.approx(0.123, abs=2e-3)


def test_a_connecting_rod_of_a_length_ends_on_the_held_axis(hand):
    """x = r cos a + sqrt(l² - r² sin² a) with r = 100, a = 50 deg, l = 300 mm."""
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.point((0.05, 0.0, 0.1))
    type_(hand, "100,50⏎")
    hand.point((0.2704, 0.0, 0.0005))
    tool = hand.window.studio.tools.tool
    hand.key(Qt.Key.Key_K)
    hand.point((0.25, 0.0, 0.1))
    assert "on X axis" in tool.preview.label and tool.preview.lines
    type_(hand, "300⏎")
    turn = math.radians(50)
    x = 0.1 * math.cos(turn) + math.sqrt(0.09 - (0.1 * math.sin(turn)) ** 2)
    assert ends(hand, "link_2")[1] == pytest.approx((x, 0.0, 0.0), abs=1e-12)
    assert tool.end.held is None, "it was held for this end alone"


def test_a_rod_ends_on_the_rim_of_a_disc(hand):
    studio = hand.window.studio
    project, _ = add_body(studio.document.project, FRONT, (0.3, 0.0, 0.0), new_shape("disc", 0.2))
    studio.document.commit("Draw disc", project)
    hand.view.framing.view_from("front")
    radius = project.mechanism.bodies["disc_1"].shapes[0].dimensions["radius"].value
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.1))
    turn = math.radians(100)
    rim = (0.3 + radius * math.cos(turn), 0.0, radius * math.sin(turn))
    hand.point(rim)
    assert "rim of disc 1" in studio.tools.tool.preview.word
    hand.click(rim)
    end = ends(hand, "link_1")[1]
    assert distance(end, (0.3, 0.0, 0.0)) == pytest.approx(radius, abs=1e-12)
    (joint,) = mechanism(hand).joints.values()
    assert {joint.frame_a.body, joint.frame_b.body} == {"link_1", "disc_1"}


def test_overdetermined_link_end_gives_the_reason(hand):
    hand.key(Qt.Key.Key_L)
    hand.click((0.0, 0.0, 0.0))
    hand.point((0.2, 0.0, 0.1))
    type_(hand, "100,30⇥50")
    tools = hand.window.studio.tools
    assert tools.tool.preview.word == "no such place" and not tools.tool.preview.segments
    type_(hand, "⏎")
    assert "Two of length, angle, x fix the end" in tools.message
    assert not mechanism(hand).bodies
    type_(hand, "⌫⌫⏎")
    assert distance(*ends(hand, "link_1")) == pytest.approx(0.1) and not tools.message
    hand.point((0.3, 0.0, 0.1))
    type_(hand, "100⇥⇥500⏎")
    assert "no place with this length and x" in tools.message, tools.message
