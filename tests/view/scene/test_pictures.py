"""Pictures under the drawing in the real window: their pixels, dropping, scaling, saving, missing
files.
"""

import os
import threading

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import edit
from mechstudio.application.actions.edits import pictures
from mechstudio.application.tools.eye import on_plane
from mechstudio.files.project_file import load, save
from mechstudio.model.edits import elements
from mechstudio.model.edits.links import FRONT
from mechstudio.model.edits.pictures import add_picture, plane_of
from mechstudio.model.mechanism import Body, Mechanism, Placement
from mechstudio.model.project import Camera, Project
from mechstudio.model.quantity import vector
from mechstudio.view.dialogs.picture import aspect_of
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.eye import CameraEye
from mechstudio.view.scene.snapshot import render
from mechstudio.view.widgets import image_files
from mechstudio.view.widgets.image_files import PictureUnreadable, measure, read_picture
from mechstudio.view.widgets.widgets import Segment
from tests import scenes
from tests.view.conftest import settle
from tests.view.scene.test_viewport import as_array

Qt = QtCore.Qt
RED, BLUE = (255, 0, 0), (0, 0, 255)
FRONT_VIEW = Camera((0.0, 0.0, 0.0), -90.0, 0.0, 2.0, False)


@pytest.fixture
def sketch(tmp_path):
    """A red picture, 80 x 40, whose upper right quarter is blue."""
    return drawn(tmp_path / "sketch.png", 80, 40)


def drawn(path, width, height):
    image = QtGui.QImage(width, height, QtGui.QImage.Format.Format_RGB32)
    image.fill(QtGui.QColor(*RED))
    painter = QtGui.QPainter(image)
    painter.fillRect(width // 2, 0, width // 2, height // 2, QtGui.QColor(*BLUE))
    painter.end()
    assert image.save(str(path))
    return path


EMPTY = Project()


def lying(path, project=EMPTY, center=(0.0, 0.0, 0.0), plane=FRONT, **more):
    project, id = add_picture(project, str(path), "sketch", plane, center, 0.8, 0.5)
    return elements.put_element(project, id, elements.replace(project.pictures[id], **more))


def pixel(image, point, camera=FRONT_VIEW):
    """Mean colour about a point of W."""
    x, y, _ = lens.project(camera, (400, 300), np.array([point]))[0]
    return image[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2].mean(axis=(0, 1))


def shot(project, camera=FRONT_VIEW):
    return as_array(render(project, size=(400, 300), camera=camera))


def test_each_quarter_shows_its_colour_half_transparent(qapp, sketch):
    ground, image = shot(Project()), shot(lying(sketch))
    for u, v, tone in ((0.2, 0.1, BLUE), (-0.2, 0.1, RED), (-0.2, -0.1, RED), (0.2, -0.1, RED)):
        expected = (pixel(ground, (u, 0.0, v)) + np.array(tone)) / 2
        assert pixel(image, (u, 0.0, v)) == pytest.approx(expected, abs=5), (u, v)
    assert pixel(image, (0.43, 0.0, 0.0)) == pytest.approx(
        pixel(ground, (0.43, 0.0, 0.0)), abs=2
    ), "nothing beside it"
    full = shot(
        elements.put_element(
            p := lying(sketch),
            "picture_1",
            elements.replace(p.pictures["picture_1"], opacity=elements.Quantity(1.0)),
        )
    )
    assert pixel(full, (0.2, 0.0, 0.1)) == pytest.approx(BLUE, abs=3)


def test_a_solid_before_it_hides_it_and_one_behind_shows_through(qapp, sketch):
    project = scenes.four_bar()
    camera = scenes.FOUR_BAR_CAMERA
    body = next(iter(project.mechanism.bodies.values()))
    at = np.array(body.placement.pose[0])
    eye = lens.eye(camera)
    toward = (eye - at) / np.linalg.norm(eye - at)
    bare = shot(project, camera)
    behind = shot(lying(sketch, project, tuple(at - 0.3 * toward)), camera)
    before = shot(lying(sketch, project, tuple(at + 0.3 * toward)), camera)
    x, y, _ = lens.project(camera, (400, 300), at[None])[0]
    window = (slice(round(y) - 1, round(y) + 2), slice(round(x) - 1, round(x) + 2))
    tone = bare[window].mean(axis=(0, 1))
    assert behind[window].mean(axis=(0, 1)) == pytest.approx(tone, abs=8)
    assert np.abs(before[window].mean(axis=(0, 1)) - tone).max() > 30


def test_body_in_the_plane_of_a_picture_is_drawn_before_it(qapp, sketch):
    """A box that the picture's plane cuts, more of it behind than before: all that is seen of it is
    its own colour.
    """
    body = Body(
        "box",
        "box",
        (scenes.shape("box", length=0.2, depth=0.01, height=0.2),),
        Placement(vector(0.0, 0.001, 0.0)),
    )
    bare = Project(Mechanism({"box": body}))
    under = lying(sketch, bare)
    camera = Camera((0.05, 0.0, 0.1), -50.0, 40.0, 0.6, True)
    for point in (
        (0.05, 0.002, 0.1),
        (0.1, 0.002, 0.05),
    ):  # on its top and its right side, behind the plane
        assert pixel(shot(under, camera), point, camera) == pytest.approx(
            pixel(shot(bare, camera), point, camera), abs=6
        ), point
    assert (
        np.abs(
            pixel(shot(under, camera), (0.15, 0.0, 0.1), camera)
            - pixel(shot(bare, camera), (0.15, 0.0, 0.1), camera)
        ).max()
        > 30
    )


def test_hidden_and_missing_pictures_show_nothing(qapp, sketch, tmp_path):
    ground = shot(Project())
    assert pixel(shot(lying(sketch, visible=False)), (0.2, 0.0, 0.1)) == pytest.approx(
        pixel(ground, (0.2, 0.0, 0.1)), abs=2
    )
    assert pixel(shot(lying(tmp_path / "gone.png")), (0.2, 0.0, 0.1)) == pytest.approx(
        pixel(ground, (0.2, 0.0, 0.1)), abs=2
    )


def test_files_of_all_kinds_are_read_and_large_ones_made_smaller(qapp, tmp_path):
    for kind in ("png", "jpg", "bmp", "webp"):
        drawn(tmp_path / f"a.{kind}", 60, 30)
        assert read_picture(str(tmp_path / f"a.{kind}")).shape == (30, 60, 4)
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">'
        '<rect width="20" height="10" fill="#00ff00"/></svg>'
    )
    pixels = read_picture(str(tmp_path / "a.svg"))
    assert pixels.shape == (1024, 2048, 4) and tuple(pixels[500, 1000]) == (0, 255, 0, 255)
    drawn(tmp_path / "large.png", 5000, 20)
    assert (
        measure(str(tmp_path / "large.png")) == (5000, 20)
        and read_picture(str(tmp_path / "large.png")).shape[1] == image_files.LONGEST
    )
    (tmp_path / "no.png").write_bytes(b"no picture")
    with pytest.raises(PictureUnreadable, match=r"no\.png is no picture"):
        measure(str(tmp_path / "no.png"))
    data = (tmp_path / "a.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(data[: len(data) // 2])
    with pytest.raises(PictureUnreadable, match=r"cut\.png is"):
        read_picture(str(tmp_path / "cut.png"))


def test_a_picture_that_is_being_read_does_not_keep_the_program(qapp, tmp_path, monkeypatch):
    (tmp_path / "a.svg").write_text(SVG.format(""))
    go_on = threading.Event()
    monkeypatch.setattr(image_files, "read_picture", lambda path: go_on.wait(10.0))
    files = image_files.PictureFiles(qapp)
    files.want((str(tmp_path / "a.svg"),))
    try:
        assert [t.daemon for t in threading.enumerate() if t.name == "picture"] == [True]
    finally:
        go_on.set()
        files.close()
        files.deleteLater()


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="9" height="9">{}</svg>'
)


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<image xlink:href="pipe.png" width="9" height="9"/>', "shows other files"),
        ('<image href="http://127.0.0.1:9/a.png"/>', "shows other files"),
        ('<g id="a"><use xlink:href="#a"/></g>', "copies of copies"),
        ("<g>" * 300 + "</g>" * 300, "copies of copies"),
        (
            '<g id="g0"><path/></g>'
            + "".join(
                f'<g id="g{k}">{f"""<use xlink:href="#g{k - 1}"/>""" * 10}</g>' for k in range(1, 9)
            ),
            "copies of copies",
        ),
        ("<g>", "no picture"),
    ],
)
def test_a_drawing_that_would_hold_up_the_window_is_refused(qapp, tmp_path, inside, words):
    (tmp_path / "a.svg").write_text(SVG.format(inside))
    with pytest.raises(PictureUnreadable, match=f"^a.svg .*{words}.*[.]$"):
        measure(str(tmp_path / "a.svg"))


def test_a_drawing_may_link_to_pages_and_copy_its_own_parts(qapp, tmp_path):
    link = '<a href="https://example.org"><g id="b"><rect width="3" height="9"/></g></a>'
    (tmp_path / "a.svg").write_text(SVG.format(link + '<use xlink:href="#b" x="3"/>'))
    assert measure(str(tmp_path / "a.svg")) == (9, 9)
    pixels = read_picture(str(tmp_path / "a.svg"))
    assert pixels[500, 900, 3] == 255 and pixels[500, 1800, 3] == 0
    thin = SVG.replace('width="9"', 'width="9000"').replace('height="9"', 'height="1"').format("")
    (tmp_path / "b.svg").write_text(thin)
    assert read_picture(str(tmp_path / "b.svg")).shape == (1, 2048, 4)


# the window


def drop(window, path, at):
    mime = QtCore.QMimeData()
    mime.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    place = QtCore.QPointF(window.viewport.mapTo(window, at))
    how = (
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter = QtGui.QDragEnterEvent(place.toPoint(), *how)
    QtCore.QCoreApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QtCore.QCoreApplication.sendEvent(window, QtGui.QDropEvent(place, *how))


def on_screen(window, u, v):
    """The pixel of a point of the picture, in shares of its half sides."""
    picture = next(iter(window.studio.document.project.pictures.values()))
    w = picture.width.value / 2
    point = plane_of(picture).to_world(u * w, v * w * picture.aspect)
    x, y = window.viewport.framing.world_to_pixel(np.array([point]))[0]
    return QtCore.QPoint(round(x), round(y))


def click(window, u, v):
    QTest.mouseMove(window.viewport, on_screen(window, u, v))
    QTest.mouseClick(
        window.viewport,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        on_screen(window, u, v),
    )


def test_drop_scale_save_reopen(window, sketch, tmp_path, qtbot, monkeypatch):
    studio, view = window.studio, window.viewport
    view.look.reduced_motion = True
    monkeypatch.setattr(image_files, "QUICK", 100)  # read beside the window, as a large one is
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    view.framing.view_from("front")
    drop(window, sketch, QtCore.QPoint(400, 200))
    (picture,) = studio.document.project.pictures.values()
    x, y = view.framing.world_to_pixel(np.array([plane_of(picture).origin]))[0]
    assert (x, y) == pytest.approx((400, 200), abs=1.5), "it lies where it was dropped"
    assert studio.tools.tool.name == "scale_picture" and studio.selection.current == picture.id
    qtbot.waitUntil(lambda: view.files.pixels(str(sketch)) is not None)
    click(window, -0.5, 0.0)
    click(window, 0.5, 0.0)
    QTest.keyClicks(view, "340 mm")
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert studio.document.undo_label == "Scale sketch to 340 mm" and not studio.tools.is_drawing
    width = studio.document.project.pictures[picture.id].width.value
    assert width == pytest.approx(0.68, rel=0.02)
    assert studio.files.save(home / "four_bar.mech")
    assert (
        home / "sketch.png"
    ).is_file() and "copied beside the project" in studio.notifications.messages[-1].text
    assert not studio.document.is_modified and studio.document.project.pictures[
        picture.id
    ].path == str(home / "sketch.png")
    assert load(home / "four_bar.mech").project.pictures[picture.id].width.value == width
    edit.undo(studio)
    assert studio.document.project.pictures[picture.id].path == str(home / "sketch.png"), (
        "a file that moved is no step to undo"
    )
    edit.undo(studio)
    assert studio.document.project.pictures == {}


def test_a_picture_of_the_window_waits_for_its_pictures(window, sketch, monkeypatch):
    monkeypatch.setattr(image_files, "QUICK", 100)
    view, studio = window.viewport, window.studio
    view.framing.camera = FRONT_VIEW
    studio.document.commit("Insert", lying(sketch, studio.document.project, (0.0, -0.3, 0.0)))
    view.painter.refine()
    with_it = as_array(view.painter._image.copy())
    assert view.files.pixels(str(sketch)) is not None
    edit.undo(studio)
    view.painter.refine()
    assert np.abs(with_it - as_array(view.painter._image)).max() > 60


def test_a_locked_picture_lets_clicks_through_and_an_unlocked_one_is_selected(window, sketch):
    studio, view = window.studio, window.viewport
    view.look.reduced_motion = True
    view.framing.view_from("front")
    spot = QtCore.QPoint(
        *next(
            (x, y)
            for x in range(100, 700, 20)
            for y in range(60, 400, 20)
            if view.navigator.hit(x, y) is None
        )
    )
    at = on_plane(
        CameraEye(view.framing.camera, (view.width(), view.height())), spot.x(), spot.y(), FRONT
    )
    studio.document.commit("Insert", lying(sketch, studio.document.project, at))
    studio.selection.select()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    assert studio.selection.current == ""
    studio.document.commit(
        "Unlock", elements.set_attribute(studio.document.project, "picture_1", locked=False)
    )
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    assert studio.selection.current == "picture_1"
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert studio.document.project.pictures == {} and studio.document.undo_label == "Delete sketch"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_devices_and_folders_are_not_read_as_pictures(window, tmp_path):
    """A pipe, a device, a folder, in a project of someone else's: said, and the window goes on."""
    os.mkfifo(tmp_path / "pipe.png")
    os.symlink("/dev/zero", tmp_path / "zero.png")
    (tmp_path / "folder.png").mkdir()
    for name in ("pipe.png", "zero.png", "folder.png"):
        with pytest.raises(PictureUnreadable, match=f"^{name} is .*, and a picture is a file.$"):
            measure(str(tmp_path / name))
        drop(window, tmp_path / name, QtCore.QPoint(400, 300))
        assert not window.studio.document.project.pictures


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            FileNotFoundError(2, "No such file or directory"),
            "cannot be opened (No such file or directory)",
        ),
        (MemoryError(), "needs more memory than there is"),
    ],
)
def test_whatever_happens_to_a_file_that_is_being_read_the_window_does_not_wait_for_it(
    qapp, tmp_path, monkeypatch, error, words
):
    files, path = image_files.PictureFiles(qapp), str(drawn(tmp_path / "large.png", 1000, 800))

    def fail(path):
        raise error

    monkeypatch.setattr(image_files, "read_picture", fail)
    files.want((path,))
    files.settle()
    assert words in files.fault(path) and files.pixels(path) is None and not files._look.isActive()
    files.setParent(None)


def test_file_other_than_a_picture_is_refused_with_the_reason(window, tmp_path):
    (tmp_path / "no.png").write_bytes(b"no picture at all")
    drop(window, tmp_path / "no.png", QtCore.QPoint(300, 200))
    assert (
        window.studio.document.project.pictures == {}
        and "no.png is no picture that can be read" in window.studio.notifications.messages[-1].text
    )


def test_a_missing_picture_is_named_on_opening_and_comes_back_with_its_file(
    window, four_bar, sketch, tmp_path, qtbot
):
    save(four_bar, lying(sketch, load(four_bar).project))
    kept = sketch.rename(tmp_path / "away.png")
    studio, view = window.studio, window.viewport
    assert studio.files.open(four_bar)
    assert any("there is no file sketch.png" in m.text for m in studio.notifications.messages)
    qtbot.waitUntil(
        lambda: (view.repaint(), "sketch.png is not in" in view.files.fault(str(sketch)))[1]
    )
    studio.selection.select("picture_1")
    assert window.docks.inspector.parts(QtCore.QObject, "choose_picture")
    kept.rename(sketch)
    inside = QtCore.QPointF(5, 5)
    QtCore.QCoreApplication.sendEvent(view, QtGui.QEnterEvent(inside, inside, inside))
    view.repaint()
    assert view.files.fault(str(sketch)) == "" and view.files.pixels(str(sketch)) is not None


def test_the_inspector_locks_hides_and_exchanges(window, sketch, tmp_path):
    studio, inspector = window.studio, window.docks.inspector
    studio.document.commit("Insert", lying(sketch, studio.document.project))
    studio.selection.select("picture_1")
    settle(QtWidgets.QApplication.instance())
    first, second = inspector.parts(Segment)
    for segment, key, label, attribute in (
        (first, "1", "Unlock sketch", "locked"),
        (second, "1", "Hide sketch", "visible"),
        (second, "0", "Show sketch", "visible"),
    ):
        QTest.mouseClick(segment.button(key), Qt.MouseButton.LeftButton)
        assert studio.document.undo_label == label and getattr(
            studio.document.project.pictures["picture_1"], attribute
        ) is (key == "0")
    before = studio.document.project.pictures["picture_1"]
    other = drawn(tmp_path / "other.png", 50, 100)
    pictures.exchange_picture(studio, "picture_1", other, aspect_of(studio, other))
    after = studio.document.project.pictures["picture_1"]
    assert (after.path, after.aspect, after.width) == (
        str(other),
        2.0,
        before.width,
    ) and studio.document.undo_label == "File of sketch other.png"
    scale = next(
        b for b in inspector.parts(QtWidgets.QPushButton) if b.text() == "Scale by two points"
    )
    QTest.mouseClick(scale, Qt.MouseButton.LeftButton)
    assert studio.tools.tool.name == "scale_picture"
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert not studio.tools.is_drawing


def test_drawing_over_a_picture_leaves_the_view_where_it_is(empty, sketch):
    """An empty drawing is seen from before its plane when a tool is taken; with a picture on it the
    user has put the camera.
    """
    view = empty.viewport
    view.framing.view_from("corner")
    before = view.framing.camera
    empty.studio.document.commit("Add picture", lying(sketch))
    view.framing.camera = before
    QTest.keyClick(view, QtCore.Qt.Key.Key_L)
    assert empty.studio.tools.tool.name == "link" and view.framing.camera == before
    QTest.keyClick(view, QtCore.Qt.Key.Key_Escape)
