"""The first steps of a user by real mouse and keys with the real solver: draw, join, type, couple,
stop, turn, pull and close; each with a known answer.
"""

import math
import time

import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.files.format.codec import encode
from mechstudio.model.edits.insertion import drawn_coordinate
from mechstudio.model.edits.links import add_joint, distance, link_ends
from mechstudio.model.edits.poses.motion import move, shifted_by
from mechstudio.model.geometry.work_plane import FRONT, TOP
from mechstudio.model.mechanism import GROUND
from mechstudio.view.inspector.elements.coordinate import CoordinateLine
from mechstudio.view.inspector.elements.couplings import OffsetField
from mechstudio.view.scene.eye import CameraEye
from tests.view.hands import LENGTH, click_in_tree, type_into
from tests.view.jobs.counting import hand, structure_of

__all__ = ["hand"]

Qt = QtCore.Qt
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
A, B, C, D = (0.0, 0.0, 0.0), (0.1, 0.0, 0.2), (0.6, 0.0, 0.4), (0.5, 0.0, 0.0)
CLOSED = 1e-9  # of the mechanism's size


def link(hand, start, end):
    hand.type("l")
    hand.click(start)
    hand.click(end, ALT)
    hand.type("⏎")


def four_bar(hand):
    hand.type("l")
    for point in (A, B, C, D):
        hand.click(point)
    hand.type("⏎")
    assert structure_of(hand).loops == 1


def gap(hand):
    """The widest joint gap of the shown pose [m]."""
    m = hand.studio.display.project.mechanism
    ends = [[m.frame_in_world(f)[0] for f in (j.frame_a, j.frame_b)] for j in m.joints.values()]
    return max(distance(a, b) for a, b in ends)


def joint_between(hand, a, b):
    joints = hand.mechanism.joints.items()
    return next(id for id, j in joints if {j.frame_a.body, j.frame_b.body} == {a, b})


def coordinate_line(hand, joint):
    click_in_tree(hand.window, joint)
    inspector = hand.window.docks.inspector

    def shown():
        lines = inspector.findChildren(CoordinateLine) if inspector.leaf.id == joint else []
        return [line for line in lines if line.isVisible()]

    hand.qtbot.waitUntil(lambda: bool(shown()))
    return shown()[0]


def handle(hand, word):
    framing = hand.view.framing
    eye = CameraEye(framing.current, framing.size)
    return next(h for h in hand.studio.tools.tool.handles(eye) if h.word == word)


def press(hand, point):
    hand.point(point)
    QtTest.QTest.mousePress(hand.view, LEFT, NONE, hand.pixel(point))


def release(hand, point):
    QtTest.QTest.mouseRelease(hand.view, LEFT, NONE, hand.pixel(point))
    hand.qtbot.wait(10)


def undo(hand):
    QtTest.QTest.keyClick(hand.view, Qt.Key.Key_Z, CONTROL)
    hand.qtbot.wait(10)


def said(hand):
    return [message.text for message in hand.studio.notifications.messages]


def test_the_first_link_is_there_in_seconds_and_nothing_asks(hand):
    windows = set(QtWidgets.QApplication.topLevelWidgets())
    began = time.monotonic()
    hand.type("l")
    hand.click(A)
    hand.point((0.1, 0.0, 0.1))
    assert hand.preview.label.startswith("141.4 mm   45 deg")
    hand.click(B)
    assert list(hand.mechanism.bodies) == ["link_1"] and time.monotonic() - began < 5.0
    hand.click(C)
    hand.click(D)
    hand.type("⏎")
    structure = structure_of(hand)
    assert (structure.mobility, structure.hyperstaticity) == (1, 3)
    opened = set(QtWidgets.QApplication.topLevelWidgets()) - windows
    assert not [w for w in opened if w.isVisible()]


def test_snapped_link_ends_are_pinned(hand):
    """A link from the middle of another is pinned there, and by its end to the middle of a third;
    with Ctrl nothing is caught.
    """
    link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.1))
    link(hand, (0.3, 0.0, 0.3), (0.5, 0.0, 0.3))
    hand.type("l")
    hand.point((0.1, 0.0, 0.05))
    assert hand.preview.word == "middle of link 1"
    hand.click((0.1, 0.0, 0.05))
    hand.point((0.4, 0.0, 0.3))
    assert hand.preview.word == "middle of link 2"
    hand.click((0.4, 0.0, 0.3))
    hand.type("␛")
    for other in ("link_1", "link_2"):
        joint_between(hand, "link_3", other)
    ends = link_ends(hand.mechanism.bodies["link_3"])
    assert ends[1] == pytest.approx((0.4, 0.0, 0.3), abs=1e-12)
    hand.type("l")
    pixel = hand.pixel((0.5, 0.0, 0.3)) + QtCore.QPoint(3, 2)
    hand.point((0.45, 0.0, 0.25))
    QtTest.QTest.mouseMove(hand.view, pixel)
    hand.qtbot.wait(10)
    assert hand.preview.word == "end of link 2"
    QtTest.QTest.mouseClick(hand.view, LEFT, CONTROL | ALT, pixel)
    hand.click((0.7, 0.0, 0.1), ALT)
    hand.type("␛")
    start = link_ends(hand.mechanism.bodies["link_4"])[0]
    assert 1e-3 < distance(start, (0.5, 0.0, 0.3)) < 0.02


def test_the_badge_names_the_plane_and_what_it_goes_through(hand):
    badge = hand.window.badge.button
    assert badge.text().strip() == "Front plane"
    assert [g.value for g in hand.mechanism.gravity] == [0.0, 0.0, -9.81], "down in that plane"
    link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.1))
    project = move(hand.studio.document.project, shifted_by((0.0, 0.3, 0.0)), ("link_1",))
    project, _ = add_joint(project, TOP, GROUND, "link_1", (0.2, 0.3, 0.1))
    hand.studio.document.commit("Behind", project)
    hand.type("w")
    hand.point((0.2, 0.3, 0.1))
    hand.type("o")
    hand.click((0.2, 0.3, 0.1))
    assert badge.text().strip() == "XZ through joint B"
    assert hand.studio.tools.context.plane.normal == FRONT.normal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "metres"),
    [("12", 0.012), ("12 mm", 0.012), ("1/2 in", 0.0127), ("3*25 mm", 0.075), ("90 deg", None)],
)
@pytest.mark.thinned(3)
def test_a_number_is_typed_in_a_field_and_while_drawing(hand, typed, metres):
    """Black where it is a length; else red with the reason, and nothing changes."""
    link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.1))
    click_in_tree(hand.window, "link_1")
    inspector = hand.window.docks.inspector
    hand.qtbot.waitUntil(lambda: inspector.leaf.id == "link_1")
    field = inspector.number(LENGTH)
    type_into(field, typed, None)
    reason = "" if metres else "Length expected, got angle"
    assert field.reason == reason and bool(field._frame.property("wrong")) == bool(reason)
    QtTest.QTest.keyClick(field.edit, Qt.Key.Key_Return)
    length = hand.mechanism.bodies["link_1"].shapes[0].dimensions["length"]
    assert length.value == pytest.approx(metres or math.hypot(0.2, 0.1), rel=1e-12)
    if metres:
        assert field.toolTip().startswith(f"{metres:g} m in SI units")
    hand.view.setFocus()
    hand.type("l")
    hand.click((-0.3, 0.0, 0.2))
    hand.point((-0.2, 0.0, 0.2))
    hand.type(typed + "⏎")
    assert not hand.studio.runs.playback.playing, "a space is part of the number"
    drawn = [b.shapes[0].dimensions["length"].value for b in hand.mechanism.bodies.values()][1:]
    assert drawn == ([pytest.approx(metres, rel=1e-12)] if metres else [])
    assert ("length expected" in hand.studio.tools.message) is not bool(metres)
    hand.type("␛␛␛")


def test_an_angle_is_typed_in_radians(hand):
    hand.type("l")
    hand.click(A)
    hand.point((0.2, 0.0, 0.1))
    hand.type("100⇥0.5 rad⏎␛")
    end = link_ends(hand.mechanism.bodies["link_1"])[1]
    assert end == pytest.approx((0.1 * math.cos(0.5), 0.0, 0.1 * math.sin(0.5)), abs=1e-15)


def test_a_unit_is_typed_in_the_middle_of_a_drag(hand):
    """An arrow is pulled 50 mm along X; it moves by half an inch, in one step."""
    hand.type("l")
    hand.click((0.0, 0.0, 0.0), ALT)
    hand.click((0.2, 0.0, 0.1), ALT)
    hand.type("⏎")
    click_in_tree(hand.window, "link_1")
    hand.view.setFocus()
    place = hand.mechanism.bodies["link_1"].placement.pose[0]
    steps = len(hand.studio.document.history[0])
    arrow = handle(hand, "move along X").points
    start = tuple((a + b) / 2 for a, b in zip(arrow[0], arrow[-1]))
    press(hand, start)
    for way in (0.02, 0.05):
        hand.point((start[0] + way, start[1], start[2] + 0.03))
    assert hand.preview.label == "ΔX 50 mm"
    hand.type("1/2 in⏎")
    release(hand, start)
    moved = hand.mechanism.bodies["link_1"].placement.pose[0]
    assert moved == pytest.approx((place[0] + 0.0127, place[1], place[2]), abs=1e-15)
    assert len(hand.studio.document.history[0]) == steps + 1


def test_two_joints_are_coupled_by_a_typed_ratio(hand):
    link(hand, (0.0, 0.0, 0.0), (0.1, 0.0, 0.0))
    link(hand, (0.4, 0.0, 0.0), (0.5, 0.0, 0.0))
    hand.palette("gear pair")
    hand.click((0.0, 0.0, 0.0))
    hand.type("2")
    hand.click((0.4, 0.0, 0.0))
    (coupling,) = hand.mechanism.couplings.values()
    assert coupling.parameters["ratio"].value == -2.0, "wheels beside each other turn opposite ways"
    first, second = (joint_between(hand, GROUND, id) for id in ("link_1", "link_2"))
    line = coordinate_line(hand, first)
    type_into(line.number, "80 deg")
    joints = lambda: hand.studio.display.project.mechanism.joints
    angle = lambda id: drawn_coordinate(hand.studio.display.project.mechanism, joints()[id], 0)
    hand.qtbot.waitUntil(lambda: abs(angle(first) - math.radians(80)) < 1e-9)
    assert angle(second) == pytest.approx(math.radians(-40), abs=1e-9)
    # the second is where -1/2 of the first puts it; an offset moves it alone, by one undo step
    click_in_tree(hand.window, coupling.id)
    inspector = hand.window.docks.inspector

    def shown():
        return [f for f in inspector.findChildren(OffsetField) if f.isVisible()]

    hand.qtbot.waitUntil(lambda: bool(shown()))
    (field,) = shown()
    assert field.edit.text() == "0 deg"
    steps = len(hand.studio.document.history[0])
    type_into(field, "15 deg")
    hand.qtbot.waitUntil(lambda: abs(angle(second) - math.radians(-25)) < 1e-9)
    assert angle(first) == pytest.approx(math.radians(80), abs=1e-9)
    assert len(hand.studio.document.history[0]) == steps + 1
    hand.qtbot.waitUntil(lambda: field.edit.text() == "15 deg")
    undo(hand)
    hand.qtbot.waitUntil(lambda: abs(angle(second) - math.radians(-40)) < 1e-9)


def test_a_stop_is_dragged(hand):
    """Twenty degrees down the sector, in one step."""
    link(hand, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    pin = joint_between(hand, GROUND, "link_1")
    click_in_tree(hand.window, pin)
    hand.palette("stops")
    hand.settle()
    steps = len(hand.studio.document.history[0])
    (x, y, z), *_ = handle(hand, "stop 60 deg").points
    reach = math.hypot(x, z)
    at = lambda degrees: (
        reach * math.cos(math.radians(degrees)),
        y,
        reach * math.sin(math.radians(degrees)),
    )
    press(hand, at(60))
    for degrees in (55, 50, 45, 40):
        hand.point(at(degrees))
    assert hand.preview.label == "stop 40 deg"
    release(hand, at(40))
    (limit,) = hand.mechanism.joints[pin].limits
    assert (limit.lower.value, limit.upper.value) == pytest.approx(
        (math.radians(-60), math.radians(40)), abs=1e-12
    )
    assert len(hand.studio.document.history[0]) == steps + 1


def test_a_slider_of_a_joint_turns_the_loop_and_a_dead_point_says_why(hand):
    """Rocker of link lengths a, b, c, d: it goes no further than where crank and coupler are in
    line, cos(angle at D) = (c² + d² - (b ± a)²) / (2 c d).
    """
    four_bar(hand)
    size = hand.mechanism.size()
    line = coordinate_line(hand, joint_between(hand, GROUND, "link_1"))
    slider, (low, high) = line.slider, line.bounds()
    place = lambda share: QtCore.QPoint(
        7 + round(share * (slider.width() - 14)), slider.height() // 2
    )
    share, steps = (line.value() - low) / (high - low), len(hand.studio.document.history[0])
    before = line.value()
    QtTest.QTest.mousePress(slider, LEFT, NONE, place(share))
    for k in range(1, 9):
        QtTest.QTest.mouseMove(slider, place(share - 0.04 * k))
        hand.qtbot.wait(40)
        assert gap(hand) < CLOSED * size
    QtTest.QTest.mouseRelease(slider, LEFT, NONE, place(share - 0.32))
    hand.qtbot.waitUntil(lambda: abs(line.value() - before + 0.32 * (high - low)) < 0.1)
    assert len(hand.studio.document.history[0]) == steps + 1, "a drag is one step"
    rocker = coordinate_line(hand, joint_between(hand, GROUND, "link_3"))
    type_into(rocker.number, "-170 deg")
    hand.qtbot.waitUntil(lambda: any("dead point" in text for text in said(hand)))
    assert gap(hand) < CLOSED * size
    m = hand.studio.display.project.mechanism
    x, _, z = m.frame_in_world(m.joints[joint_between(hand, "link_2", "link_3")].frame_a)[0]
    a, b, c, d = math.hypot(0.1, 0.2), math.hypot(0.5, 0.2), math.hypot(0.1, 0.4), 0.5
    ends = [math.acos((c * c + d * d - s * s) / (2 * c * d)) for s in (b - a, b + a)]
    assert min(abs(abs(math.atan2(z, 0.5 - x)) - end) for end in ends) < 1e-4


@pytest.mark.slow
def test_a_chain_is_pulled_as_one(hand):
    """Six links on one ground pin, pulled too far by the last: they follow with their joints, the
    pin stays, a line goes from the held point to the pointer.
    """
    hand.type("l")
    for k in range(7):
        hand.click((0.08 * k, 0.0, 0.1 * (k % 2)), ALT if k == 6 else NONE)
    hand.type("⏎")
    hand.studio.selection.select()
    assert structure_of(hand).mobility == 6
    file, before = encode(hand.studio.document.project), hand.mechanism
    grip = (0.43, 0.0, 0.0625)
    press(hand, grip)
    for share in (0.2, 0.5, 0.8, 1.0):
        hand.point((0.43 + 0.35 * share, 0.0, 0.0625 + 0.3 * share))
    drag = hand.studio.questions.drag
    hand.qtbot.waitUntil(lambda: drag.poses is not None and drag.settled)
    ((held, pointer),) = hand.preview.rubber
    assert distance(held, pointer) > 0.01
    release(hand, (0.78, 0.0, 0.3625))
    hand.qtbot.waitUntil(lambda: hand.studio.document.undo_label == "Pull link 6")
    assert gap(hand) < CLOSED * before.size()
    starts = [link_ends(m.bodies["link_1"])[0] for m in (before, hand.mechanism)]
    assert distance(*starts) < 1e-12
    moved = [
        distance(link_ends(before.bodies[id])[1], link_ends(hand.mechanism.bodies[id])[1])
        for id in before.bodies
    ]
    assert min(moved) > 1e-3, "every link follows"
    undo(hand)
    assert encode(hand.studio.document.project) == file


@pytest.mark.slow
def test_open_drawing_names_two_joints_and_their_distance(hand):
    """A coupler of 2 m: crank, rocker and ground reach 864 mm less."""
    four_bar(hand)
    click_in_tree(hand.window, "link_2")
    inspector = hand.window.docks.inspector
    hand.qtbot.waitUntil(lambda: inspector.leaf.id == "link_2")
    type_into(inspector.number(LENGTH), "2000 mm")
    hand.view.setFocus()
    drawn = hand.studio.document.project
    lacking = 2.0 - math.hypot(0.1, 0.2) - math.hypot(0.1, 0.4) - 0.5
    words = f"the pins of link 1 and link 2 (B) are {1000 * lacking:.0f} mm apart at best"
    hand.qtbot.waitUntil(lambda: any(words in text for text in said(hand)))
    hand.palette("assemble")
    hand.qtbot.waitUntil(lambda: hand.studio.questions.assembly.ghost is not None)
    assert "link 2 and link 3 (C)" in said(hand)[-1]
    assert set(hand.studio.selection.selected) == {
        joint_between(hand, "link_1", "link_2"),
        joint_between(hand, "link_2", "link_3"),
    }
    hand.type("␛")
    assert hand.studio.document.project is drawn and hand.studio.questions.assembly.ghost is None
