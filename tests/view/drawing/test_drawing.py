"""Draw a four-bar from an empty window with real mouse and keys, run it, measure it against the
closed form, save, reopen.
"""

import re

import numpy as np
import pytest
from PySide6 import QtCore, QtTest

from mechstudio.model.edits.links import FRONT
from tests.view.files import kept

Qt = QtCore.Qt
A, B, C, D = (0.0, 0.0), (0.1, 0.2), (0.6, 0.4), (0.5, 0.0)


class Hand:
    """A user's hand on the window: moves, clicks and types, and counts it."""

    def __init__(self, window, qtbot):
        self.window, self.view, self.qtbot, self.clicks, self.keys = (
            window,
            window.viewport,
            qtbot,
            0,
            0,
        )

    def pixel(self, u, v):
        x, y = self.view.framing.world_to_pixel(np.array([FRONT.to_world(u, v)]))[0]
        return QtCore.QPoint(round(x), round(y))

    def point(self, u, v):
        QtTest.QTest.mouseMove(self.view, self.pixel(u, v))
        self.qtbot.wait(20)

    def click(self, u, v, modifiers=Qt.KeyboardModifier.NoModifier):
        self.point(u, v)
        QtTest.QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, modifiers, self.pixel(u, v))
        self.clicks += 1
        self.qtbot.wait(20)

    def key(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        QtTest.QTest.keyClick(self.view, key, modifiers)
        self.keys += 1
        self.qtbot.wait(20)

    def drag(self, start, *stops, before_release=None):
        self.point(*start)
        QtTest.QTest.mousePress(
            self.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, self.pixel(*start)
        )
        for stop in stops:
            self.point(*stop)
        if before_release is not None:
            before_release()
        QtTest.QTest.mouseRelease(
            self.view,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            self.pixel(*stops[-1]),
        )
        self.qtbot.wait(20)


@pytest.fixture
def hand(solved, qtbot):
    """A hand at an empty window with the real solver behind it, the work plane seen from the
    front.
    """
    return Hand(solved, qtbot)


def draw_four_bar(hand):
    hand.key(Qt.Key.Key_L)
    for point in (A, B, C, D):
        hand.click(*point)
    hand.key(Qt.Key.Key_Return)


def test_a_four_bar_in_four_clicks_moves_as_the_closed_form_says(hand, qtbot, tmp_path):
    window, studio = hand.window, hand.window.studio
    draw_four_bar(hand)
    assert hand.clicks == 4 and hand.keys == 2
    qtbot.waitUntil(
        lambda: (
            studio.questions.analysis is not None and studio.questions.analysis.structure.loops == 1
        ),
        timeout=5_000,
    )
    s = studio.questions.analysis.structure
    assert (s.mobility, s.hyperstaticity, s.loops) == (1, 3, 1)
    assert any("3 constraints too many" in f.message for f in studio.questions.findings), (
        "a sentence says so"
    )
    hand.key(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.playback.time > 0, timeout=10_000)
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.complete, timeout=60_000
    )
    check_against_closed_form(studio.runs.recording)

    kept(window, qtbot, tmp_path / "drawn.mech")


def place(recording, body, local):
    """World positions (samples, 3) of a point of a body [m]."""
    from mechstudio.engine.constraints.attitude import matrices

    poses = recording.rows[:, recording.layout.pose(body)]
    return poses[:, :3] + np.einsum("sij,j->si", matrices(poses[:, 3:]), np.array(local))


def check_against_closed_form(recording):
    """Four-bar with ground pins A and D: C is where the circles about B (coupler) and D (rocker)
    meet, on the drawn side.

    With e = (D - B) / |D - B|, f = e turned by 90 degrees and x = (r2² - r3² + |D - B|²) / (2 |D -
    B|):
    C = B + x e + s sqrt(r2² - x²) f, where the sign s changes only where B, C and D are in line.
    """
    m = recording.project.mechanism
    length = [m.bodies[f"link_{k}"].shapes[0].dimensions["length"].value for k in (1, 2, 3)]
    assert length == pytest.approx(
        [np.hypot(0.1, 0.2), np.hypot(0.5, 0.2), np.hypot(0.1, 0.4)], abs=1e-12
    )
    a, d = (np.array(FRONT.to_world(*p)) for p in (A, D))
    b, c = place(recording, "link_2", (0, 0, 0)), place(recording, "link_2", (length[1], 0, 0))
    assert np.abs(np.linalg.norm(b - a, axis=1) - length[0]).max() < 1e-9, (
        "the crank keeps its length"
    )
    assert np.abs(np.linalg.norm(c - d, axis=1) - length[2]).max() < 1e-9, (
        "the rocker keeps its length"
    )
    assert np.abs(place(recording, "link_1", (length[0], 0, 0)) - b).max() < 1e-9
    way = d - b
    span = np.linalg.norm(way, axis=1)
    e = way / span[:, None]
    f = np.stack([-e[:, 2], e[:, 1], e[:, 0]], 1)
    x = (length[1] ** 2 - length[2] ** 2 + span**2) / (2 * span)
    s = np.sign(np.einsum("si,si->s", c - b, f))
    closed = b + x[:, None] * e + (s * np.sqrt(length[1] ** 2 - x**2))[:, None] * f
    coupler = 0.5 * (b + closed)
    assert np.abs(coupler - place(recording, "link_2", (length[1] / 2, 0, 0))).max() < 1e-6
    assert np.ptp(b[:, 0]) > 0.05, "it really moves"
    # conservative and started at rest: the energy at the end is the energy at the start
    energy = recording.rows[:, recording.layout.energy]
    assert np.abs(energy[:, 3]).max() < 1e-6 * energy[:, 0].max()


def test_typed_lengths_and_keys_while_drawing(hand):
    studio = hand.window.studio
    hand.key(Qt.Key.Key_L)
    hand.click(0.0, 0.0)
    hand.point(0.2, 0.003)
    for digit in "1.5e2":
        QtTest.QTest.keyClicks(hand.view, digit)
    assert studio.runs.playback.speed == 1.0, (
        "the full stop is part of the number, not the shortcut for faster"
    )
    hand.key(Qt.Key.Key_Return)
    (body,) = studio.document.project.mechanism.bodies.values()
    assert body.shapes[0].dimensions["length"].value == pytest.approx(0.15)
    hand.key(Qt.Key.Key_Escape)
    assert not studio.tools.is_drawing


def test_drag_a_pin_delete_a_link_and_undo_everything(hand, qtbot):
    studio = hand.window.studio
    draw_four_bar(hand)
    empty_labels = studio.document.history[0]
    assert [re.sub(r"[\d.]+ mm$", "… mm", text) for text in empty_labels[1:]] == [
        *(f"Draw link {k} … mm" for k in (1, 2, 3)),
        "Pin link 1 and link 3 to ground",
    ]
    studio.selection.select("link_1")
    hand.drag(B, (0.12, 0.22), (0.15, 0.25))
    m = studio.document.project.mechanism
    at = m.frame_in_world(m.joints["joint_1"].frame_b)[0]
    assert (
        at == pytest.approx((0.15, 0.0, 0.25), abs=2.5e-3) and len(studio.document.history[0]) == 6
    )
    studio.selection.select("link_2")
    hand.key(Qt.Key.Key_Delete)
    assert set(studio.document.project.mechanism.bodies) == {"link_1", "link_3"}
    assert any("with B, C" in message.text for message in studio.notifications.messages)
    for _ in range(6):
        hand.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not studio.document.project.mechanism.bodies and not studio.document.is_modified


def test_a_loop_of_three_is_called_rigid(hand, qtbot):
    studio = hand.window.studio
    hand.key(Qt.Key.Key_L)
    for point in ((0.0, 0.0), (0.3, 0.3), (0.5, 0.0)):
        hand.click(*point)
    hand.key(Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: (
            studio.questions.analysis is not None and studio.questions.analysis.structure.loops == 1
        ),
        timeout=5_000,
    )
    assert studio.questions.analysis.structure.mobility == 0
    assert any("rigid" in f.message for f in studio.questions.findings), [
        f.message for f in studio.questions.findings
    ]


def joints_of(hand):
    m = hand.window.studio.document.project.mechanism
    return [(j.type, m.frame_in_world(j.frame_b)[0]) for j in m.joints.values()]


def test_one_link_hangs_on_its_first_pin(hand):
    hand.key(Qt.Key.Key_L)
    hand.click(0.0, 0.2)
    hand.point(0.1, 0.0)
    tool = hand.window.studio.tools.tool
    assert [word for _, word in tool.preview.marks] == ["ground pin on Enter"]
    hand.click(0.1, 0.0)
    assert "Enter pins the first end · G: both" in hand.window.studio.tools.hint
    hand.key(Qt.Key.Key_Return)
    ((type, at),) = joints_of(hand)
    assert type == "revolute" and at == pytest.approx((0.0, 0.0, 0.2))
    assert not hand.window.studio.tools.is_drawing


def test_g_pins_both_ends_of_one_link(hand):
    hand.key(Qt.Key.Key_L)
    hand.click(0.0, 0.2)
    hand.click(0.1, 0.0)
    hand.key(Qt.Key.Key_G)
    assert "Enter pins both ends" in hand.window.studio.tools.hint
    hand.key(Qt.Key.Key_Return)
    assert [at for _, at in joints_of(hand)] == [
        pytest.approx((0.0, 0.0, 0.2)),
        pytest.approx((0.1, 0.0, 0.0)),
    ]


def test_g_leaves_ends_of_a_chain_free_as_alt_does(hand):
    hand.key(Qt.Key.Key_L)
    hand.key(Qt.Key.Key_G)
    hand.click(0.0, 0.2)
    hand.click(0.1, 0.0)
    hand.key(Qt.Key.Key_G)
    hand.click(0.3, 0.0)
    hand.key(Qt.Key.Key_Return)
    ((_, at),) = joints_of(hand)
    assert at == pytest.approx((0.1, 0.0, 0.0)), "only the two links are joined"


@pytest.mark.parametrize("view", ["corner", "right", "top"])
def test_the_first_click_stands_under_the_pointer_after_the_camera_has_turned(hand, view):
    """A click at once after L, while the view still turns to the plane."""
    studio, framing = hand.window.studio, hand.view.framing
    framing.view_from(view)
    hand.view.look.reduced_motion = False
    hand.key(Qt.Key.Key_L)
    middle = hand.view.rect().center()
    clicked = middle + QtCore.QPoint(60, 40)
    hand.qtbot.wait(60)
    assert framing._turn.state() == framing._turn.State.Running
    QtTest.QTest.mouseMove(hand.view, clicked)
    QtTest.QTest.mouseClick(
        hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, clicked
    )
    start = studio.tools.tool.begin
    assert start is not None, studio.tools.message
    hand.qtbot.waitUntil(lambda: framing._turn.state() == framing._turn.State.Stopped)
    x, y = framing.world_to_pixel(np.array([start]))[0]
    assert abs(x - clicked.x()) < 12 and abs(y - clicked.y()) < 12, (x, y)
    hand.view.look.reduced_motion = True


def test_key_p_makes_the_joint_that_it_announces(hand):
    """A slider on the ground, and in a slider-crank a pin in a slot: in words, then in the file."""
    tool = lambda: hand.window.studio.tools.tool
    said = lambda: [word for _, word in tool().preview.marks]
    hand.key(Qt.Key.Key_L)
    hand.click(0.0, 0.0)
    hand.key(Qt.Key.Key_P)
    assert tool().preview.word == "slider at the next end"
    hand.point(0.2, 0.0)
    assert "ground slider on Enter" in said()
    hand.click(0.2, 0.0)
    hand.key(Qt.Key.Key_Return)
    assert [type for type, _ in joints_of(hand)] == ["revolute", "prismatic"]
    hand.key(Qt.Key.Key_L)
    hand.click(0.0, -0.2)
    hand.click(0.1, -0.1)
    hand.key(Qt.Key.Key_P)
    hand.point(0.4, -0.2)
    assert "pin in a ground slot on Enter" in said()
    hand.click(0.4, -0.2)
    hand.key(Qt.Key.Key_Return)
    assert [type for type, _ in joints_of(hand)][2:] == ["revolute", "revolute", "point_on_line"]
