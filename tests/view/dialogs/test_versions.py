"""Versions of a file: saved by Ctrl+S, shown with pictures, brought back by a click."""

from PySide6 import QtCore, QtGui
from PySide6.QtTest import QTest

from mechstudio.model.edits import elements
from tests.view.hands import press

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier


def typed(window, text):
    document = window.studio.document
    document.commit(text, elements.set_quantity(document.project, "L4", ("value",), text))


def test_an_earlier_save_comes_back_as_a_step(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    document = window.studio.document
    states = []
    for length in ("350 mm", "360 mm", "370 mm"):
        typed(window, length)
        press(window, Qt.Key.Key_S, CTRL)
        assert not document.is_modified
        states.append(document.project)
    window.actions_.trigger("show_versions")
    sheet = window.sheet
    newest, middle, oldest = sheet.restore
    assert not newest.isEnabled() and middle.isEnabled() and oldest.isEnabled()
    texts = [each.text() for each in sheet.findChildren(type(newest).__mro__[0])]
    assert texts.count("Restore") == 3
    shown = [w.text() for w in sheet.card.findChildren(QtCore.QObject) if hasattr(w, "text")]
    assert "The same as the drawing." in shown
    assert "Parameter L4: Value 350 mm → 370 mm." in shown
    for version in window.studio.files.versions.kept():
        image = QtGui.QImage(str(version.picture))
        assert (image.width(), image.height()) == (288, 180)
        colors = {image.pixel(x, y) for x in range(0, 288, 6) for y in range(0, 180, 6)}
        assert len(colors) > 10, "the mechanism is in the picture"
    QTest.mouseClick(oldest, Qt.MouseButton.LeftButton)
    assert document.project == states[0] and document.is_modified
    assert document.undo_label.startswith("Restore the version of ")
    press(window, Qt.Key.Key_Z, CTRL)
    assert document.project == states[2]


def test_a_version_that_is_damaged_says_so(window, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    typed(window, "350 mm")
    press(window, Qt.Key.Key_S, CTRL)
    (version,) = window.studio.files.versions.kept()
    version.place.write_text("{")
    before = window.studio.document.project
    window.studio.files.versions.restore(version)
    assert window.studio.document.project is before
    assert [m.kind for m in window.studio.notifications.messages] == ["error"]
