"""Draw in space with real mouse and keys: a four-bar on the right plane, a spatial four-bar with
balls, a plane on a box, the plane in the file.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.geometry.work_plane import FRONT, RIGHT
from tests.view.files import kept

Qt = QtCore.Qt
NONE, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier


class SpaceHand:
    """Points, clicks and types at points of W."""

    def __init__(self, window, qtbot):
        self.window, self.view, self.qtbot = window, window.viewport, qtbot

    def pixel(self, point):
        x, y = self.view.framing.world_to_pixel(np.array([point]))[0]
        return QtCore.QPoint(round(x), round(y))

    def point(self, point):
        # a move to where the pointer stands already is none
        QtTest.QTest.mouseMove(self.view, self.pixel(point) + QtCore.QPoint(2, 1))
        QtTest.QTest.mouseMove(self.view, self.pixel(point))
        self.qtbot.wait(30)

    def click(self, point, modifiers=NONE):
        self.point(point)
        QtTest.QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, modifiers, self.pixel(point))
        self.qtbot.wait(10)

    def drag(self, start, *stops):
        self.point(start)
        QtTest.QTest.mousePress(self.view, Qt.MouseButton.LeftButton, NONE, self.pixel(start))
        for stop in stops:
            self.point(stop)
        QtTest.QTest.mouseRelease(self.view, Qt.MouseButton.LeftButton, NONE, self.pixel(stops[-1]))
        self.qtbot.wait(10)

    def key(self, key, modifiers=NONE):
        QtTest.QTest.keyClick(self.view, key, modifiers)
        self.qtbot.wait(10)

    def badge(self, text):
        """Choose an entry of the plane badge's menu."""
        menu = self.window.badge.button.menu()
        next(a for a in menu.actions() if a.text() == text).trigger()
        self.qtbot.wait(10)


@pytest.fixture
def solver(solved, qtbot):
    """A hand at an empty window with the real solver behind it."""
    return SpaceHand(solved, qtbot)


@pytest.fixture
def hand(empty, qtbot):
    """A hand at an empty window where nothing is run."""
    return SpaceHand(empty, qtbot)


def structure(hand):
    studio = hand.window.studio
    hand.qtbot.waitUntil(
        lambda: (
            studio.questions.analysis is not None and studio.questions.analysis.structure.loops == 1
        ),
        timeout=20_000,
    )
    return studio.questions.analysis.structure


def test_a_spatial_four_bar_from_an_empty_window(solver, tmp_path):
    """Crank in the front plane, rocker in the right one, a rod with balls between their ends: it
    turns, the rod may spin (d = 2, h = 0).
    """
    hand, studio = solver, solver.window.studio
    hand.key(Qt.Key.Key_L)
    hand.click((0.4, 0, 0))
    hand.click((0.45, 0, 0.1), ALT)
    hand.key(Qt.Key.Key_Return)
    hand.badge("Right")
    assert hand.window.badge.button.text().strip() == "Right plane"
    hand.badge("Look at the work plane")
    hand.key(Qt.Key.Key_L)
    hand.click((0, 0.3, 0))
    hand.click((0, 0.35, 0.2), ALT)
    hand.key(Qt.Key.Key_Return)
    assert all(
        abs(p[0]) < 1e-12 for p in link_ends(studio.document.project.mechanism.bodies["link_2"])
    )
    hand.key(Qt.Key.Key_0)  # the view from the corner
    hand.key(Qt.Key.Key_L)
    a, b = (
        link_ends(studio.document.project.mechanism.bodies[id])[1] for id in ("link_1", "link_2")
    )
    hand.click(a)
    hand.point(b)
    assert "ball on end of link 2" in studio.tools.tool.preview.word
    hand.click(b)
    hand.key(Qt.Key.Key_Escape)
    m = studio.document.project.mechanism
    assert [j.type for j in m.joints.values()] == ["revolute", "revolute", "spherical", "spherical"]
    assert (
        max(
            distance(m.frame_in_world(j.frame_a)[0], m.frame_in_world(j.frame_b)[0])
            for j in m.joints.values()
        )
        < 1e-12
    )
    s = structure(hand)
    assert (s.mobility, s.hyperstaticity, s.loops) == (2, 0, 1)
    assert studio.tools.context.plane == FRONT, (
        "drawing on the end of the crank went on in its plane"
    )
    # it swings under its weight with both loops of balls closed and its energy kept
    hand.view.setFocus()
    hand.key(Qt.Key.Key_Space)
    hand.qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished, timeout=60_000
    )
    statistics = studio.runs.recording.statistics
    assert (
        studio.runs.recording.complete
        and statistics.constraint_error_m < 1e-12
        and statistics.energy_error < 1e-6
    )
    assert (
        np.ptp(
            studio.runs.recording.rows[:, studio.runs.recording.layout.joint(next(iter(m.joints)))]
        )
        > 0.3
    )
    hand.key(Qt.Key.Key_Space)
    hand.badge("Top")
    plane = studio.tools.context.plane
    assert plane != FRONT
    kept(hand.window, hand.qtbot, tmp_path / "rssr.mech")
    assert studio.tools.context.plane == plane == hand.view.look.plane, (
        "the work plane is kept in the file"
    )


def test_a_four_bar_on_the_right_plane(solver):
    hand, studio = solver, solver.window.studio
    hand.badge("Right")
    hand.key(Qt.Key.Key_L)  # an empty drawing is seen from before its plane
    assert hand.view.framing.camera.azimuth == pytest.approx(0.0)
    for u, v in ((0.0, 0.0), (0.1, 0.2), (0.6, 0.4), (0.5, 0.0)):
        hand.click(RIGHT.to_world(u, v))
    hand.key(Qt.Key.Key_Return)
    m = studio.document.project.mechanism
    assert len(m.bodies) == 3 and [j.type for j in m.joints.values()] == ["revolute"] * 4
    assert all(abs(p[0]) < 1e-12 for b in m.bodies.values() for p in link_ends(b))
    s = structure(hand)
    assert (s.mobility, s.hyperstaticity, s.loops) == (1, 3, 1)


def test_w_takes_the_face_of_a_box_and_locks(hand):
    window, studio = hand.window, hand.window.studio
    from mechstudio.model.edits.bodies.shapes import add_body, new_shape

    project, _ = add_body(studio.document.project, FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    studio.document.commit("Draw box", project)
    hand.view.framing.view_from("corner")
    hand.key(Qt.Key.Key_W)
    assert studio.tools.tool.name == "plane"
    hand.point((0.03, -0.02, 0.05))
    assert studio.tools.tool.preview.word == "on face of box 1" and studio.tools.tool.preview.areas
    hand.click((0.03, -0.02, 0.05))
    assert window.badge.button.text().strip() == "Face of box 1" and not studio.tools.is_drawing
    plane = studio.tools.context.plane
    assert plane.normal == pytest.approx((0, 0, 1)) and plane.height((0, 0, 0.05)) == pytest.approx(
        0
    )
    hand.key(Qt.Key.Key_W)
    hand.key(Qt.Key.Key_W)
    assert (
        studio.tools.context.locked
        and window.badge.lock.isChecked()
        and not studio.tools.is_drawing
    )
    QtTest.QTest.mouseClick(window.badge.lock, Qt.MouseButton.LeftButton)
    assert not studio.tools.context.locked and not window.badge.lock.isChecked()
    assert studio.document.history[0][-1] == "Draw box", "the plane is no step of the drawing"


def test_the_plane_is_seen_while_nothing_is_drawn(hand):
    """The picture of an empty window changes with the work plane."""
    picture = lambda: np.array(
        hand.view.painter._prepare().picture((300, 200), hand.view.framing.camera, 1.0)
    )
    hand.view.framing.view_from("corner")
    front = picture()
    hand.badge("Top")
    hand.badge("Right")
    assert (picture() != front).mean() > 0.01


def test_a_joint_on_the_face_of_a_box(hand):
    """J, point at the top of a box in the view from the corner, click: the joint stands there,
    across the face.
    """
    studio = hand.window.studio
    from mechstudio.model.edits.bodies.shapes import add_body, new_shape

    project, _ = add_body(studio.document.project, FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    studio.document.commit("Draw box", project)
    hand.view.framing.view_from("corner")
    hand.key(Qt.Key.Key_J)
    at = (0.035, -0.022, 0.05)
    hand.point(at)
    assert studio.tools.tool.preview.word == "Revolute across the face of box 1: ground – box 1"
    hand.qtbot.waitUntil(lambda: len(studio.tools.tool.preview.choices) > 2)
    hand.key(Qt.Key.Key_Tab)
    assert "across the plane" in studio.tools.tool.preview.word, (
        "Tab is the tool's, not the window's"
    )
    hand.key(Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    hand.key(Qt.Key.Key_Tab)
    hand.key(Qt.Key.Key_Tab)
    hand.click(at)
    m = studio.document.project.mechanism
    (joint,) = m.joints.values()
    place, attitude = m.frame_in_world(joint.frame_a)
    assert place == pytest.approx(at, abs=1e-3), "to a pixel"
    assert place[2] == pytest.approx(0.05, abs=1e-7)
    assert rotate(attitude, (0, 0, 1)) == pytest.approx((0, 0, 1), abs=1e-6)


def test_a_drag_from_body_to_body_shows_a_ghost_and_enter_moves_there(hand):
    """J, drag from the top of a box to the top of a cylinder: its ghost stands on the box, Enter
    moves it, one undo takes it back.
    """
    studio = hand.window.studio
    from mechstudio.model.edits.bodies.shapes import add_body, new_shape

    project, _ = add_body(studio.document.project, FRONT, (0.0, 0.0, 0.0), new_shape("box", 0.2))
    project, _ = add_body(project, FRONT, (0.25, 0.1, 0.05), new_shape("cylinder", 0.2))
    studio.document.commit("Draw both", project)
    hand.view.framing.view_from("corner")
    hand.key(Qt.Key.Key_J)
    start, end = (0.035, -0.022, 0.05), (0.25, 0.1, 0.15)
    hand.point(start)
    QtTest.QTest.mousePress(hand.view, Qt.MouseButton.LeftButton, NONE, hand.pixel(start))
    for share in (0.3, 0.7, 1.0):
        hand.point(tuple(a + share * (b - a) for a, b in zip(start, end)))
    QtTest.QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, NONE, hand.pixel(end))
    assert (
        hand.view.shown.ghost is not None
        and hand.view.shown.ghost[1] == {"cylinder_1"}
        and not studio.document.project.mechanism.joints
    )
    hand.key(Qt.Key.Key_Return)
    m = studio.document.project.mechanism
    (joint,) = m.joints.values()
    a, b = (m.frame_in_world(f)[0] for f in (joint.frame_a, joint.frame_b))
    assert (
        distance(a, b) < 1e-9
        and a == pytest.approx(start, abs=1e-3)
        and hand.view.shown.ghost is None
    )
    assert studio.document.history[0][-1] == "Add revolute joint A and move cylinder 1 to it"
    hand.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert studio.document.project.mechanism == project.mechanism
