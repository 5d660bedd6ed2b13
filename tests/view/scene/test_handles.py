"""The handles of the selection, by real mouse and keys in the real window."""

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

from mechstudio.application.actions import edit, select
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.groups import with_group
from mechstudio.model.edits.links import FRONT, link_ends
from mechstudio.model.quantity import values
from mechstudio.view.idle_tasks import turns
from mechstudio.view.scene.camera import replaced
from mechstudio.view.scene.eye import CameraEye

Qt = QtCore.Qt
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


class Hand:
    """Moves, presses and types over the viewport."""

    def __init__(self, window, qtbot):
        self.view, self.studio, self.qtbot = window.viewport, window.studio, qtbot

    @property
    def handles(self):
        tool = self.view.navigator.tool
        return (
            []
            if tool is None
            else tool.handles(CameraEye(self.view.framing.current, self.view.framing.size))
        )

    def pixel(self, point):
        x, y = self.view.framing.world_to_pixel(np.array([point]))[0]
        return QtCore.QPoint(round(x), round(y))

    def handle(self, word, share=0.85):
        """The pixel of a handle: of a line that share of the way from its beginning."""
        points = [np.array(p) for p in next(h for h in self.handles if h.word == word).points]
        at = (
            points[0]
            if len(points) == 1
            else points[len(points) // 2]
            if len(points) > 2
            else points[0] + share * (points[1] - points[0])
        )
        return self.pixel(at)

    def to(self, pixel):
        QtTest.QTest.mouseMove(self.view, pixel)
        self.qtbot.wait(15)

    def press(self, pixel):
        self.to(pixel)
        QtTest.QTest.mousePress(self.view, Qt.MouseButton.LeftButton, NONE, pixel)

    def release(self, pixel):
        QtTest.QTest.mouseRelease(self.view, Qt.MouseButton.LeftButton, NONE, pixel)
        self.qtbot.wait(15)

    def type(self, text):
        for c in text:
            QtTest.QTest.keyClick(
                self.view, Qt.Key.Key_Return if c == "\n" else c, SHIFT if c.isupper() else NONE
            )
        self.qtbot.wait(15)


@pytest.fixture
def hand(window, qtbot):
    window.viewport.look.reduced_motion = True
    window.viewport.framing.view_from("corner")
    return Hand(window, qtbot)


@pytest.fixture
def box(hand):
    """A box beside the four-bar, selected."""
    studio = hand.studio
    project, id = add_body(studio.document.project, FRONT, (-0.4, 0.0, 0.3), new_shape("box", 0.2))
    studio.document.commit("Add box", project)
    hand.view.framing.fit()
    studio.selection.select(id)
    turns().finish()
    return id


def place(hand, id):
    return values(hand.studio.document.project.mechanism.bodies[id].placement.position)


def test_an_arrow_is_dragged_and_the_view_stands_still(hand, box):
    camera, before = hand.view.framing.camera, place(hand, box)
    start = hand.handle("move along Z")
    hand.press(start)
    for k in (5, 20, 40):
        hand.to(start - QtCore.QPoint(0, k))
    assert hand.view.navigator.tool.preview.label.startswith("ΔZ ")
    hand.release(start - QtCore.QPoint(0, 40))
    after = place(hand, box)
    assert after[:2] == before[:2] and after[2] > before[2] + 0.01
    assert hand.view.framing.camera == camera and hand.studio.selection.selected == (box,)
    label = hand.studio.document.undo_label
    assert label.startswith("Move box 1 ") and label.endswith(" along Z")
    edit.undo(hand.studio)
    assert place(hand, box) == before and hand.studio.document.undo_label == "Add box"


def test_a_lock_and_a_typed_number_win_over_the_pointer_and_over_shortcuts(hand, box):
    before = place(hand, box)
    start = hand.handle("move freely")
    hand.press(start)
    hand.to(start + QtCore.QPoint(30, 25))
    hand.type("x")
    assert hand.view.navigator.tool.preview.label.startswith("ΔX ")
    hand.type("120")
    assert hand.view.navigator.tool.preview.label == "ΔX 120▏"
    hand.type("\n")
    assert place(hand, box) == (pytest.approx(before[0] + 0.12, abs=1e-15), *before[1:])
    hand.to(start + QtCore.QPoint(60, 60))
    hand.release(start + QtCore.QPoint(60, 60))
    assert place(hand, box)[0] == pytest.approx(
        before[0] + 0.12, abs=1e-15
    ) and hand.studio.selection.selected == (box,)
    assert hand.studio.document.undo_label == "Move box 1 120 mm along X"


def test_an_arc_turns_and_escape_puts_back(hand, box):
    before = hand.studio.document.project
    start = hand.handle("turn about Y")
    hand.press(start)
    hand.to(start + QtCore.QPoint(8, 12))
    hand.to(start + QtCore.QPoint(14, 30))
    assert hand.view.navigator.tool.preview.label.startswith("turn ")
    hand.type("30\n")
    hand.release(start)
    assert hand.studio.document.undo_label == "Turn box 1 30 deg about Y"
    edit.undo(hand.studio)
    hand.press(start)
    hand.to(start + QtCore.QPoint(14, 30))
    QtTest.QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    hand.release(start + QtCore.QPoint(14, 30))
    assert hand.studio.document.project is before and hand.studio.selection.selected == (box,)


def test_a_size_handle_makes_the_box_longer(hand, box):
    hand.view.framing.camera = replaced(
        hand.view.framing.camera, target=(-0.4, 0.0, 0.3), distance=1.2
    )
    turns().finish()
    start = hand.handle("drag the height")
    hand.press(start)
    hand.to(start + QtCore.QPoint(0, -6))
    hand.type("250\n")
    hand.release(start)
    q = hand.studio.document.project.mechanism.bodies[box].shapes[0].dimensions["height"]
    assert (q.value, q.text) == (
        0.25,
        "250 mm",
    ) and hand.studio.document.undo_label == "Height of box 1 250 mm"


def test_the_end_square_of_a_selected_link_stretches_it_and_the_loop_stays_closed(hand):
    studio = hand.studio
    hand.view.framing.view_from("front")
    studio.selection.select("rocker")
    turns().finish()
    start = hand.handle("drag the end")
    hand.press(start)
    hand.to(start + QtCore.QPoint(12, -10))
    hand.to(start + QtCore.QPoint(20, -20))
    hand.release(start + QtCore.QPoint(20, -20))
    m = studio.document.project.mechanism
    assert hand.pixel(link_ends(m.bodies["rocker"])[1]) != start
    for j in m.joints.values():
        assert m.frame_in_world(j.frame_a)[0] == pytest.approx(
            m.frame_in_world(j.frame_b)[0], abs=1e-12
        )
    assert studio.document.undo_label.startswith("Move end of rocker")


def test_a_click_beside_the_handles_selects_as_ever_and_one_on_them_too(hand, box):
    empty = hand.pixel((-0.4, 0.0, 0.75))
    hand.press(empty)
    hand.release(empty)
    assert hand.studio.selection.selected == ()
    hand.studio.selection.select(box)
    middle = hand.pixel((-0.4, 0.0, 0.3))
    hand.press(middle)
    hand.release(middle)
    assert hand.studio.selection.selected == (box,), (
        "a click on the dot is a click on the body under it"
    )


def test_the_gizmo_hides_at_recorded_times_and_while_drawing(hand, box):
    assert hand.handles
    hand.studio.tools.take("link")
    assert not any("move" in h.word for h in hand.handles)
    hand.studio.tools.rest()
    hand.studio.runs.playback.seek(0.5)
    if hand.studio.runs.playback.time:
        assert not hand.handles


def test_the_axis_of_a_selected_joint_is_flipped_and_turned_by_keys(hand):
    studio = hand.studio
    studio.selection.select("B")
    hand.view.setFocus()
    bodies = studio.document.project.mechanism.bodies
    hand.type("X")
    assert studio.document.undo_label == "Flip the axis of B"
    hand.type("q")
    assert studio.document.undo_label == "Turn B 90 deg about its axis"
    assert studio.document.project.mechanism.bodies == bodies


def test_handle_axes_and_pivot_are_stored(hand, window):
    window.actions_.trigger("gizmo_axes")
    window.actions_.trigger("gizmo_pivot")
    stored = hand.studio.preferences.stored
    context = hand.studio.tools.context
    try:
        assert (
            (stored.gizmo_axes, stored.gizmo_pivot)
            == ("body", "origin")
            == (context.axes, context.pivot)
        )
    finally:
        hand.studio.preferences.set(gizmo_axes="world", gizmo_pivot="mass")
    assert (context.axes, context.pivot) == ("world", "mass")


def test_a_group_moves_as_one_along_a_letters_axis(hand, box):
    studio = hand.studio
    project, other = add_body(
        studio.document.project, FRONT, (-0.4, 0.0, 0.6), new_shape("box", 0.1)
    )
    studio.document.commit("Add box", project)
    project, group = with_group(project, (box, other))
    studio.document.commit("Group", project)
    select.select_group(studio, box)
    turns().finish()
    assert set(studio.selection.selected) == {box, other} and group
    before = {id: place(hand, id) for id in (box, other)}
    for letter, axis in (("x", 0), ("y", 1), ("z", 2)):
        start = hand.handle("move freely")
        hand.press(start)
        hand.to(start + QtCore.QPoint(20, 15))
        hand.type(f"{letter}50\n")
        hand.release(start + QtCore.QPoint(20, 15))
        for id in (box, other):
            moved = np.subtract(place(hand, id), before[id])
            assert moved[axis] == pytest.approx(0.05, abs=1e-12), (letter, id)
    assert np.subtract(place(hand, other), before[other]) == pytest.approx([0.05] * 3, abs=1e-12)
