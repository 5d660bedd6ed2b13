"""Models of other programs opened in the real window: by the menu, by drop and with what did not
come along as a list; and written from the export sheet.
"""

from pathlib import Path

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.files.exchange.urdf.reading import read_urdf
from mechstudio.files.meshes import load_mesh
from tests.files.exchange.test_mjcf_reading import MANY
from tests.files.exchange.test_urdf import ROBOT

Qt = QtCore.Qt


@pytest.fixture
def window(solved_four_bar):
    yield solved_four_bar
    for sheet in solved_four_bar.findChildren(QtWidgets.QWidget, "import notes"):
        sheet.close_sheet()
    solved_four_bar.studio.notifications.leave(())


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    return path


def notes_of(window):
    sheets = window.findChildren(QtWidgets.QWidget, "import notes")
    return [
        label.text()
        for sheet in sheets
        for label in sheet.findChildren(QtWidgets.QLabel)
        if label.text().startswith("•")
    ]


def dropped(window, path):
    """A file dropped on the window, as a file manager does it."""
    mime = QtCore.QMimeData()
    mime.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    at = QtCore.QPointF(window.viewport.mapTo(window, window.viewport.rect().center()))
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QtGui.QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, mime, buttons, keys)
    QtWidgets.QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    drop = QtGui.QDropEvent(at, Qt.DropAction.CopyAction, mime, buttons, keys)
    QtWidgets.QApplication.sendEvent(window, drop)


def test_a_dropped_robot_opens_with_the_list_of_what_it_left(window, qtbot, robot):
    dropped(window, robot)
    document = window.studio.document
    qtbot.waitUntil(lambda: "upper" in document.project.mechanism.bodies)
    qtbot.waitUntil(lambda: bool(notes_of(window)))
    assert document.path is None  # it is saved as a file of ours
    assert any("stands fixed on ground" in note for note in notes_of(window))
    sheet = window.findChild(QtWidgets.QWidget, "import notes")
    assert sheet.isVisible()
    (button,) = [b for b in sheet.findChildren(QtWidgets.QPushButton) if b.text() == "Continue"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.findChildren(QtWidgets.QWidget, "import notes"))


def test_the_menu_asks_for_a_model_and_opens_it(window, qtbot, tmp_path):
    path = tmp_path / "all.xml"
    path.write_text(MANY)
    window.actions_.by_id["import_model"].trigger()
    dialog = window.findChild(QtWidgets.QFileDialog, "import")
    assert "*.urdf" in dialog.nameFilters()[0] and "*.xml" in dialog.nameFilters()[0]
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    qtbot.waitUntil(lambda: "cart" in window.studio.document.project.mechanism.bodies)
    qtbot.waitUntil(lambda: bool(notes_of(window)))
    assert any("sensors" in note for note in notes_of(window))


def test_a_damaged_model_is_refused_in_a_sentence(window, qtbot, tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text("<robot><link/></robot>")
    before = window.studio.document.project
    dropped(window, path)
    sentences = lambda: [m.text for m in window.studio.notifications.messages]
    qtbot.waitUntil(lambda: any("a link has no name" in text for text in sentences()))
    assert window.studio.document.project is before


def test_the_export_sheet_writes_models_and_lists_what_is_missing(window, qtbot, tmp_path):
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    window.export_kind = "model"
    window.actions_.by_id["export"].trigger()
    sheet = window.exports
    sheet._folder = tmp_path
    for key, word in (("mjcf", "equality constraint"), ("urdf", "closes a loop"), ("gltf", "")):
        sheet.page._choose(key)
        path = Path(sheet.path)
        QTest.mouseClick(sheet.saver, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(path.exists)
        qtbot.waitUntil(lambda: not sheet.page._working)
        assert word in sheet.page.notes.text()
        if key == "urdf":
            project, _ = read_urdf(path)
            assert sum(len(b.shapes) for b in project.mechanism.bodies.values()) == 6
    sheet.leave()


def test_late_omissions_of_one_format_are_not_shown_for_another(window, qtbot):
    window.export_kind = "model"
    window.actions_.by_id["export"].trigger()
    page = window.exports.page
    page._choose("mjcf")
    qtbot.waitUntil(lambda: "equality constraint" in page.notes.text())
    requested = page._request
    page._choose("urdf")
    page._noted.emit(requested, ["MJCF has no loops."])
    assert "MJCF" not in page.notes.text()
    qtbot.waitUntil(lambda: "closes a loop" in page.notes.text())
    window.exports.leave()


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply"])
@pytest.mark.thinned(3)
def test_a_body_is_saved_as_a_surface_and_comes_back(window, qtbot, tmp_path, suffix):
    action = window.actions_.by_id["export_body"]
    window.studio.selection.select("crank")
    window.actions_.refresh()
    assert action.isEnabled()
    action.trigger()
    dialog = window.findChild(QtWidgets.QFileDialog, "body surface")
    path = tmp_path / f"crank{suffix}"
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    qtbot.waitUntil(path.exists)
    sentences = lambda: " ".join(m.text for m in window.studio.notifications.messages)
    qtbot.waitUntil(lambda: path.name in sentences())
    assert load_mesh(path, "mm").notes == ()
    window.studio.selection.select()
