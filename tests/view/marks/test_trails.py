"""Trails in the real window: by key and pointer, in pixels, in the tree, undone, and gone with what
they stand on.
"""

import numpy as np
import pytest
from PySide6 import QtCore

from mechstudio.model.edits.marks import Place, found, with_marks
from mechstudio.tokens import body_color, rgb
from mechstudio.view.panels.model_tree import ID, SHOWN
from mechstudio.view.scene import camera as lens
from tests.view.hands import press

Qt = QtCore.Qt


def picture(window):
    """Pixels (height, width, 3) of the view as it is now, red green blue."""
    image = window.viewport.grab().toImage().convertToFormat(image_format())
    data = np.frombuffer(image.constBits(), "u1").reshape(image.height(), image.bytesPerLine())
    return (
        data[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, 2::-1].copy()
    )


def image_format():
    from PySide6.QtGui import QImage

    return QImage.Format.Format_RGB32


def near(pixels, color, reach=60):
    """Mask of the pixels near a colour."""
    return (np.abs(pixels.astype(int) - np.array(rgb(color)) * 255).max(axis=2)) < reach


def changed(before, after):
    return np.abs(before.astype(int) - after.astype(int)).max(axis=2) > 24


def run(window, qtbot, until=1.0):
    window.viewport.look.reduced_motion = True  # the camera stands still from now on
    window.viewport.framing.fit()
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Space)
    runs = window.studio.runs
    qtbot.waitUntil(lambda: runs.recording is not None and runs.recording.finished, timeout=60_000)
    runs.playback.pause()
    runs.playback.seek(until)


def settled_trails(window, qtbot):
    trails = window.studio.marks._trails
    qtbot.waitUntil(lambda: trails and not any(t.is_behind for t in trails.values()))
    qtbot.waitUntil(lambda: bool(window.viewport.look.paths))


def test_t_on_the_point_under_the_pointer_draws_its_path_up_to_now(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    studio.selection.select()
    run(window, qtbot)
    before = picture(window)
    m = studio.document.project.mechanism
    k = view.shown.scene.bodies.index("coupler")
    from mechstudio.application.scene.instances import rotate

    row = view.shown.poses[k]
    at = row[4:7] + rotate(row[None, :4], np.array([m.bodies["coupler"].point("P")]))[0]
    x, y = view.framing.world_to_pixel(at[None])[0]
    qtbot.mouseMove(view, QtCore.QPoint(round(x), round(y)))
    press(window, Qt.Key.Key_T)
    assert found(studio.document.project, "trail", Place("coupler", "P")) is not None
    assert studio.document.undo_label == "Trail of P"
    settled_trails(window, qtbot)
    after = picture(window)
    fresh = changed(before, after) & near(after, body_color("light", m.bodies["coupler"].color), 90)
    # it passes through the recorded places of the point before the cursor, and not through later
    recording = studio.runs.recording
    from mechstudio.application.marks.places import body_point, positions

    places = positions(recording.layout, recording.rows, body_point(m, Place("coupler", "P")))
    flat = lens.project(view.framing.current, view.framing.size, places)[:, :2].round().astype(int)
    time = recording.time

    def drawn(x, y):
        return fresh[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].any()

    past = [drawn(*p) for p in flat[(time > 0.7) & (time < 0.95)]]
    assert np.mean(past) > 0.8
    # the tree marks the row, and its file keeps it
    item = window.docks.tree._items["coupler"]
    assert item.data(SHOWN, ID) == ("trail",) and item.toolTip(SHOWN) == "Trail"
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert studio.document.project.marks == () and not item.data(SHOWN, ID)
    assert view.look.paths == ()
    assert changed(before, picture(window)).mean() < 0.01


def test_t_on_what_is_selected_and_on_nothing(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    studio.selection.select()
    qtbot.mouseMove(window.viewport, QtCore.QPoint(3, 300))
    press(window, Qt.Key.Key_T)
    assert studio.document.project.marks == ()
    assert any("Select a body or a joint" in m.text for m in studio.notifications.messages)
    studio.selection.select("B", "crank")
    press(window, Qt.Key.Key_T)
    assert {(m.body, m.joint) for m in studio.document.project.marks} == {("crank", ""), ("", "B")}
    press(window, Qt.Key.Key_T)
    assert studio.document.project.marks == ()


def test_a_body_is_deleted_while_its_trail_is_shown_and_comes_back(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    project = with_marks(studio.document.project, "trail", [Place("coupler", "P"), Place("crank")])
    studio.document.commit("Trails", project)
    run(window, qtbot)
    settled_trails(window, qtbot)
    assert len(window.viewport.look.paths) == 2
    studio.selection.select("coupler")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_Delete)
    assert [m.body for m in studio.document.project.marks] == ["crank"]
    assert window.viewport.look.paths == ()  # the run is of another drawing
    window.viewport.repaint()
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled_trails(window, qtbot)
    assert len(studio.document.project.marks) == 2


@pytest.mark.parametrize("perspective", [True, False])
@pytest.mark.thinned(2)
def test_the_eye_in_the_path_draws_nothing_wrong(solved_four_bar, qtbot, perspective):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    studio.document.commit(
        "Trail", with_marks(studio.document.project, "trail", [Place("coupler", "P")])
    )
    run(window, qtbot)
    settled_trails(window, qtbot)
    at = view.look.paths[0].strokes.a[3]
    eye_here = lens.replaced(view.framing.current, target=tuple(at), distance=1e-6)
    view.framing.camera = lens.replaced(eye_here, perspective=perspective)
    view.repaint()
    assert view.painter.message == ""
