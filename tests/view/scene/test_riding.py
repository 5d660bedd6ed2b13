"""A camera that follows a body or rides on it: where things are in the picture while a run plays,
and in the file.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from mechstudio.files.project_file import decode, encode
from mechstudio.model.geometry.rotation import about, transform
from mechstudio.model.project import Camera
from mechstudio.view.actions.camera import follow_body, keep_view, ride_on_body
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays import view_cube
from tests.view.hands import select
from tests.view.marks.test_trails import run

POSE = ((0.1, -0.2, 0.3), about((0.0, 0.6, 0.8), 1.1))


def pixels(window, body, *points):
    """Pixels of points in a body's axes, as the body is shown."""
    view = window.viewport
    (place, turn) = view.shown.pose_of(body)
    return view.framing.world_to_pixel(np.array([transform((place, turn), p) for p in points]))


@pytest.mark.parametrize("turns", [False, True])
def test_camera_held_on_a_body_is_carried_back_unchanged(turns):
    start = lens.replaced(Camera(target=(0.5, 0.6, 0.7)), body="b", turns=turns)
    there = lens.carried(lens.held(start, POSE), POSE)
    assert lens.eye(there) == pytest.approx(lens.eye(start))
    assert lens.axes(there) == pytest.approx(lens.axes(start))
    # a point that moves with the body keeps its pixel, whatever the body does
    other = ((-1.0, 2.0, 0.5), about((1.0, 0.0, 0.0), -2.0) if turns else POSE[1])
    moved = lens.carried(lens.held(start, POSE), other)
    for p in ((0.0, 0.0, 0.0), (0.1, 0.05, -0.02)):
        before = lens.project(start, (800, 600), np.array([transform(POSE, p)]))
        after = lens.project(moved, (800, 600), np.array([transform(other, p)]))
        assert after == pytest.approx(before, abs=1e-9)


def test_ridden_on_the_body_stands_still_and_the_ground_moves(solved_four_bar, qtbot):
    window = solved_four_bar
    run(window, qtbot, until=0.2)
    select(window, "coupler")
    points = ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, 0.1))
    before, ground = pixels(window, "coupler", *points), window.viewport.framing.world_to_pixel
    origin = ground(np.zeros((1, 3)))
    window.actions_.trigger("ride_on_body")
    assert pixels(window, "coupler", *points) == pytest.approx(before, abs=1e-6), "nothing jumps"
    window.studio.runs.playback.seek(0.9)
    assert pixels(window, "coupler", *points) == pytest.approx(before, abs=1e-6)
    assert np.abs(ground(np.zeros((1, 3))) - origin).max() > 10.0
    # turned by hand it still rides
    window.viewport.framing.orbit(40.0, 10.0)
    turned = pixels(window, "coupler", *points)
    window.studio.runs.playback.seek(0.4)
    assert pixels(window, "coupler", *points) == pytest.approx(turned, abs=1e-6)
    window.actions_.trigger("stand_still")
    camera = window.viewport.framing.camera
    assert not camera.body and lens.axes(camera)[0, 2] == 0.0, "upright again"


def test_followed_the_body_keeps_its_place_and_the_directions_stay(solved_four_bar, qtbot):
    window = solved_four_bar
    run(window, qtbot, until=0.2)
    select(window, "coupler")
    before = pixels(window, "coupler", (0.0, 0.0, 0.0))
    axes = lens.axes(window.viewport.framing.current)
    window.actions_.trigger("follow_body")
    window.studio.runs.playback.seek(0.9)
    assert pixels(window, "coupler", (0.0, 0.0, 0.0)) == pytest.approx(before, abs=1e-6)
    assert lens.axes(window.viewport.framing.current) == pytest.approx(axes)
    assert window.actions_.of(follow_body).isChecked()
    assert not window.actions_.of(ride_on_body).isChecked()


@pytest.mark.parametrize("other", [(), ("A",)])
@pytest.mark.thinned(2)
def test_another_manner_is_of_the_same_body_where_none_is_selected(solved_four_bar, other):
    window = solved_four_bar
    window.viewport.look.reduced_motion = True
    window.studio.selection.select("coupler")
    window.actions_.trigger("ride_on_body")
    window.studio.selection.select(*other)
    window.actions_.trigger("follow_body")
    assert window.viewport.framing.along == ("coupler", False)
    window.actions_.trigger("follow_body")
    assert window.viewport.framing.along == ("", False)


def test_ridden_body_is_kept_in_the_file(solved_four_bar, qtbot, tmp_path):
    window = solved_four_bar
    run(window, qtbot, until=0.5)
    select(window, "coupler")
    window.actions_.trigger("ride_on_body")
    seen = pixels(window, "coupler", (0.0, 0.0, 0.0))
    path = tmp_path / "ridden.mech"
    assert window.studio.files.save(path)
    window.studio.files.open(path)
    assert window.viewport.framing.camera.body == "coupler"
    assert pixels(window, "coupler", (0.0, 0.0, 0.0)) == pytest.approx(seen, abs=1e-6)


def test_a_body_that_is_gone_is_left(solved_four_bar, qtbot):
    window = solved_four_bar
    select(window, "coupler")
    window.actions_.trigger("ride_on_body")
    before = lens.eye(window.viewport.framing.camera)
    window.actions_.trigger("delete")
    assert "coupler" not in window.studio.document.project.mechanism.bodies
    window.viewport.grab()
    camera = window.viewport.framing.camera
    assert not camera.body and lens.eye(camera) == pytest.approx(before)
    window.actions_.trigger("undo")
    assert window.viewport.framing.camera.body == "coupler"


def test_a_camera_on_what_is_not_there_is_reported():
    loaded = decode(_with_view('{"body": "b"}'))
    assert loaded.camera is None
    assert any("goes along with" in f.message for f in loaded.findings)
    askew = decode(_with_view('{"frame": [2, 0, 0, 0]}'))
    assert askew.camera is None and any("quaternion" in f.message for f in askew.findings)


def _with_view(view):
    return ('{"mechstudio": 1, "view": ' + view + "}").encode()


def kept(window, title="Kept views"):
    """Entries of a submenu of View > Camera by name."""
    view = window.menus["View"]
    inner = next(a.menu() for a in view.actions() if a.text() == "Camera")
    menu = next(a.menu() for a in inner.actions() if a.text() == title)
    menu.aboutToShow.emit()
    return {a.text(): a for a in menu.actions()}


def test_the_cube_has_the_menu_of_the_camera(solved_four_bar, qtbot):
    window, view = solved_four_bar, solved_four_bar.viewport
    x, y = view_cube.center(view.framing.size)
    QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=QPoint(round(x), round(y)))
    menu = window.actions_.submenu(keep_view)
    qtbot.waitUntil(menu.isVisible)
    assert window.actions_.of(keep_view) in menu.actions()
    menu.close()


def test_a_view_is_kept_by_name_found_again_and_forgotten(solved_four_bar, qtbot, tmp_path):
    window = solved_four_bar
    window.viewport.look.reduced_motion = True
    window.studio.selection.select("coupler")
    window.actions_.trigger("ride_on_body")
    window.viewport.framing.orbit(60.0, 20.0)
    seen, riding = lens.eye(window.viewport.framing.camera), window.viewport.framing.camera
    window.actions_.trigger("keep_view")
    qtbot.keyClicks(window.focusWidget(), "From the coupler")
    qtbot.keyClick(window.focusWidget(), "\r")
    (view,) = window.studio.document.project.views
    assert view.name == "From the coupler"
    window.actions_.trigger("stand_still")
    window.actions_.trigger("view_top")
    assert set(kept(window)) == {"From the coupler"}
    kept(window)["From the coupler"].trigger()
    assert window.viewport.framing.camera == riding
    assert lens.eye(window.viewport.framing.camera) == pytest.approx(seen)
    # it is in the file, and goes with its body
    loaded = decode(encode(window.studio.document.project))
    assert loaded.project.views == (view,) and not loaded.findings
    window.actions_.trigger("delete")
    assert window.studio.document.project.views == ()
    window.actions_.trigger("undo")
    assert window.studio.document.project.views == (view,)
    kept(window, "Forget a view")["From the coupler"].trigger()
    assert window.studio.document.project.views == () and list(kept(window)) == ["None"]
