"""The four-bar sample is pulled with the mouse in the real window, with the real solver behind
it.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.files.format.codec import encode
from tests.view.hands import press
from tests.view.window.test_whole_path import pins_of

Qt = QtCore.Qt
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


@pytest.fixture
def window(solved_four_bar):
    return solved_four_bar


def send(view, kind, x, y, button, held, keys=Qt.KeyboardModifier.NoModifier):
    at = QtCore.QPointF(x, y)
    event = QtGui.QMouseEvent(
        getattr(QtCore.QEvent.Type, kind),
        at,
        view.mapToGlobal(at),
        button,
        held,
        keys,
    )
    QtWidgets.QApplication.sendEvent(view, event)


def point_of(view, body):
    """A pixel in the middle of the visible part of a body."""
    seen = [
        (x, y)
        for x in range(70, view.width() - 60, 9)
        for y in range(60, view.height() - 60, 9)
        if (hit := view.navigator.hit(x, y)) is not None and hit.id == body
    ]
    middle = np.mean(seen, axis=0)
    return min(seen, key=lambda p: np.hypot(*(p - middle)))


def rests(studio, start, qtbot):
    """Wait until the mechanism has followed the pointer: the solver may still be at the target
    before the last, or have only taken hold.
    """
    qtbot.waitUntil(
        lambda: (
            studio.questions.drag.poses is not None
            and studio.questions.drag.settled
            and not np.allclose(studio.display.poses, start, atol=1e-9)
        ),
        timeout=120_000,
    )
    seen = None
    while (
        not studio.questions.drag.settled
        or seen is None
        or not np.array_equal(seen, studio.display.poses)
    ):
        seen = studio.display.poses.copy()
        qtbot.wait(300)


def test_the_crank_of_the_sample_is_pulled(window, qtbot):
    """Loops closed on the way, one undo step, Esc and undo bring everything back, the undone file
    is the same byte for byte.
    """
    studio, view = window.studio, window.viewport
    file, before = encode(studio.document.project), studio.display.poses.copy()
    x, y = point_of(view, "crank")
    send(view, "MouseMove", x, y, NONE, NONE)
    assert (
        view.cursor().shape() == Qt.CursorShape.OpenHandCursor
        and "move the mechanism" in studio.tools.hint
    )

    def pull(dx, dy, steps=6):
        send(view, "MouseButtonPress", x, y, LEFT, LEFT)
        for k in range(1, steps + 1):
            send(view, "MouseMove", x + dx * k / steps, y + dy * k / steps, NONE, LEFT)
            QtWidgets.QApplication.processEvents()
        assert view.cursor().shape() == Qt.CursorShape.ClosedHandCursor
        rests(studio, before, qtbot)
        return x + dx, y + dy

    camera = view.framing.camera
    end = pull(90, 40)
    assert (
        studio.document.project is not None
        and len(studio.document.history[0]) == 1
        and view.framing.camera == camera
    )
    assert (
        np.abs(studio.display.poses - before).max() > 0.01
        and np.ptp(pins_of(window), axis=1).max() < 1e-10
    )
    # seen from the corner the held point lies under the pointer, or as near as the crank lets it
    shown = view.framing.world_to_pixel(np.array(studio.questions.drag.point))[0]
    rubber = studio.tools.tool.preview.rubber
    assert bool(rubber) is bool(np.hypot(*(shown - end)) > 6.0)
    # Esc puts everything back while the button is down
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert (
        studio.display.poses == pytest.approx(before)
        and studio.questions.drag.state == ""
        and len(studio.document.history[0]) == 1
    )
    send(view, "MouseButtonRelease", *end, LEFT, NONE)
    assert len(studio.document.history[0]) == 1 and encode(studio.document.project) == file

    end = pull(90, 40)
    came_to = studio.display.poses.copy()
    send(view, "MouseButtonRelease", *end, LEFT, NONE)
    qtbot.waitUntil(lambda: len(studio.document.history[0]) == 2, timeout=30_000)
    assert studio.document.history[0][1] == "Pull crank"
    drawn = np.array(
        [
            (*p, *q)
            for p, q in (
                b.placement.pose for b in studio.document.project.mechanism.bodies.values()
            )
        ]
    )
    assert np.allclose(drawn[:, :3], came_to[:, :3], atol=1e-6)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None, timeout=60_000)
    assert np.ptp(pins_of(window), axis=1).max() < 1e-9
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: studio.document.history[1] == 0)
    assert encode(studio.document.project) == file


@pytest.mark.slow
def test_an_instant_of_a_run_is_pulled_on_and_becomes_the_drawing(window, qtbot):
    studio, view = window.studio, window.viewport
    qtbot.waitUntil(lambda: studio.questions.session.status.phase == "ready", timeout=180_000)
    studio.runs.simulate()
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.count > 60,
        timeout=60_000,
    )
    studio.runs.playback.seek(0.8)
    shown = studio.display.poses.copy()
    x, y = point_of(view, "coupler")
    send(view, "MouseButtonPress", x, y, LEFT, LEFT)
    for k in range(1, 5):
        send(view, "MouseMove", x + 3 * k, y, NONE, LEFT)
    rests(studio, shown, qtbot)
    # it continued from the shown pose, not from the drawing
    assert np.abs(studio.display.poses[:, :3] - shown[:, :3]).max() < 0.08
    assert studio.runs.playback.time == pytest.approx(0.8)
    came_to = studio.display.poses.copy()
    send(view, "MouseButtonRelease", x + 12, y, LEFT, NONE)
    qtbot.waitUntil(lambda: len(studio.document.history[0]) == 2, timeout=30_000)
    assert studio.runs.playback.at_design
    drawn = np.array(
        [b.placement.pose[0] for b in studio.document.project.mechanism.bodies.values()]
    )
    assert np.allclose(drawn, came_to[:, :3], atol=1e-6)


@pytest.mark.parametrize("key", ["AltModifier", "ControlModifier"])
@pytest.mark.slow
def test_a_body_is_pulled_while_the_run_goes_on(solved, qtbot, key):
    """A pendulum at rest: the hand draws it aside, and it swings when it is let go; the drawing
    stays, and the run tells of the hand.
    """
    keys = getattr(Qt.KeyboardModifier, key)
    m = ms.Builder("Pendulum")
    rod = m.link("rod", (0, 0, 0), (0, 0, -0.4), width="60 mm", thickness="20 mm")
    m.pin("A", m.ground, rod, at=(0, 0, 0))
    m.run(duration="60 s")
    studio, view = solved.studio, solved.viewport
    studio.files.show(m.project(), None, None)
    qtbot.waitUntil(lambda: studio.questions.session.status.phase == "ready", timeout=180_000)
    view.framing.view_from("front")
    view.framing.fit()
    qtbot.waitUntil(lambda: view.framing.current == view.framing.camera)
    drawn = studio.document.project
    press(solved, Qt.Key.Key_Space)
    playback = studio.runs.playback
    qtbot.waitUntil(lambda: playback.playing and playback.time > 0.3, timeout=60_000)
    x, y = point_of(view, "rod")
    send(view, "MouseMove", x, y, NONE, NONE, keys)
    assert "pull with a spring" in studio.tools.hint
    send(view, "MouseButtonPress", x, y, LEFT, LEFT, keys)
    camera = view.framing.camera
    for k in range(1, 9):
        send(view, "MouseMove", x + 15 * k, y, NONE, LEFT, keys)
        qtbot.wait(30)
    assert studio.tools.tool.preview.rubber and view.framing.camera == camera
    angle = lambda: float(studio.runs.sample[studio.runs.recording.layout.coordinates][0])
    qtbot.waitUntil(lambda: abs(angle()) > 0.15, timeout=30_000)
    assert playback.playing
    send(view, "MouseButtonRelease", x + 120, y, LEFT, NONE, keys)
    qtbot.waitUntil(lambda: studio.runs.recording.finished, timeout=60_000)
    words = [part.words for part in studio.runs.recording.parts[1:]]
    assert words[0] == "Pulled rod" and words[-1] == "Let go of rod" and len(words) < 60
    assert studio.document.project is drawn and studio.runs.recording.project is drawn
    assert studio.runs.present is not None and "Pulled rod" in studio.runs.present.note
    # after that the plain drag turns the view as it does while a run is played
    send(view, "MouseMove", x, y, NONE, NONE)
    assert "spring" not in studio.tools.hint
    press(solved, Qt.Key.Key_Space)
