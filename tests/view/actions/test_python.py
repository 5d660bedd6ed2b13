"""The drawing and its steps taken home as Python, by mouse and keys in the real window."""

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.model.edits import elements
from tests.view.hands import press

Qt = QtCore.Qt
CTRL = Qt.KeyboardModifier.ControlModifier


def made(text):
    space = {"__name__": "script"}
    exec(compile(text, "script.py", "exec"), space)
    return space["project"]


def whole(project):
    return msgspec.json.encode(project)


def type_number(document, element, path, text):
    document.commit(text, elements.set_quantity(document.project, element, path, text))


def test_steps_since_the_file_was_saved_are_copied_from_the_history(window, qtbot):
    document = window.studio.document
    type_number(document, "L4", ("value",), "350 mm")
    type_number(document, "crank", ("mass",), "2 kg")
    press(window, Qt.Key.Key_H, CTRL)
    QTest.mouseClick(window.history_panel.copy, Qt.MouseButton.LeftButton)
    press(window, Qt.Key.Key_H, CTRL)
    text = QtGui.QGuiApplication.clipboard().text()
    assert [line for line in text.splitlines() if line.startswith(("#", "m."))] == [
        "# 350 mm",
        'm.set("L4", "value", "350 mm")',
        "# 2 kg",
        'm.set("crank", "mass", "2 kg")',
    ]
    assert whole(made(text)) == whole(document.project), "the file is loaded as it stands on disk"
    assert [m.text for m in window.studio.notifications.messages] == [
        "The steps are copied as Python."
    ]
    # once these are in the file, a script that loads it must not do them again
    assert window.studio.files.save(document.path)
    type_number(document, "L4", ("value",), "360 mm")
    window.actions_.trigger("copy_steps")
    text = QtGui.QGuiApplication.clipboard().text()
    assert "350 mm" not in text
    assert whole(made(text)) == whole(document.project)
    # without a file that holds where they begin, the script builds that too
    press(window, Qt.Key.Key_Z, CTRL)
    press(window, Qt.Key.Key_Z, CTRL)
    window.actions_.trigger("copy_steps")
    text = QtGui.QGuiApplication.clipboard().text()
    assert "ms.load" not in text and "# 350 mm" in text
    assert whole(made(text)) == whole(document.project)


def test_a_drawing_is_exported_as_a_script_that_runs(window, qtbot, tmp_path):
    studio = window.studio
    window.actions_.trigger("export_python")
    dialog = window.findChild(QtWidgets.QFileDialog, "export_py")
    assert dialog.selectedFiles()[0].endswith("four_bar.py")
    path = tmp_path / "four_bar.py"
    dialog.fileSelected.emit(str(path))
    dialog.close()
    qtbot.waitUntil(lambda: bool(studio.notifications.messages))
    (message,) = studio.notifications.messages
    assert message.text.startswith("four_bar.py is saved")
    text = path.read_text("utf-8")
    assert text == ms.script(studio.document.project)
    assert whole(made(text)) == whole(studio.document.project)
