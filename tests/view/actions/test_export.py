"""Copy as, Save as and Report in the real window: menus by mouse, files by the dialog, the real
process behind.
"""

from pathlib import Path

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.model.types.exports import EXPORTS

Qt = QtCore.Qt


@pytest.fixture(autouse=True)
def calm(request):
    """No dialog and no process stays behind."""
    window = request.getfixturevalue("empty" if "empty" in request.fixturenames else "window")
    yield
    window.studio.questions.exports.close()
    for dialog in window.findChildren(QtWidgets.QFileDialog):
        dialog.close()
    for message in list(window.studio.notifications.messages):
        window.studio.notifications.dismiss(message)


def wait(window, qtbot):
    qtbot.waitUntil(lambda: not window.studio.questions.exports.is_working, timeout=60_000)


def menu_of(window, qtbot):
    """The menu of formats, opened by a click on its button."""
    panel = window.docks.equations
    QTest.mouseClick(panel.export_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(m.isVisible() for m in panel.findChildren(QtWidgets.QMenu)))
    return next(m for m in panel.findChildren(QtWidgets.QMenu) if m.isVisible())


@pytest.mark.slow
def test_copy_as_every_text_format(window, qtbot):
    window.set_workspace("explain")
    menu = menu_of(window, qtbot)
    copying, saving, _, reporting = menu.actions()
    assert (copying.text(), saving.text(), reporting.text()) == ("Copy as", "Save as", "Report…")
    assert [a.text() for a in copying.menu().actions()] == [f.label for f in EXPORTS if f.text]
    assert [a.text() for a in saving.menu().actions()] == [
        f"{f.label}…" for f in EXPORTS if not f.report
    ]
    QtGui.QGuiApplication.clipboard().clear()
    next(a for a in copying.menu().actions() if a.text() == "Modelica model").trigger()
    menu.close()
    wait(window, qtbot)
    text = QtGui.QGuiApplication.clipboard().text()
    assert (
        text.startswith("model ")
        and window.docks.equations.copy_button.toolTip() == "Copied"
        and not window.studio.notifications.messages
    )
    qtbot.waitUntil(
        lambda: window.docks.equations.copy_button.toolTip() == "Copy the equations as LaTeX",
        timeout=5_000,
    )


def save(window, qtbot, id, filter, name):
    """An action of the File menu, the kind of file chosen, the name typed and accepted."""
    window.actions_.by_id[id].trigger()
    dialog = window.findChild(QtWidgets.QFileDialog, "export")
    assert dialog.isVisible()
    dialog.selectNameFilter(filter)
    dialog.filterSelected.emit(filter)
    suffix = Path(dialog.selectedFiles()[0]).suffix
    dialog.findChild(QtWidgets.QLineEdit, "fileNameEdit").setText(str(name))
    QTest.keyClick(dialog.findChild(QtWidgets.QLineEdit, "fileNameEdit"), Qt.Key.Key_Return)
    wait(window, qtbot)
    return suffix


def test_file_menu_saves_equations_and_reports(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(
        QtWidgets.QFileDialog,
        "DontUseNativeDialog",
        QtWidgets.QFileDialog.Option.DontUseNativeDialog,
        raising=False,
    )
    assert save(window, qtbot, "export_equations", "C function (*.c)", tmp_path / "mine") == ".c"
    assert (tmp_path / "mine.c").read_text("utf-8").startswith("/* ")
    assert [(m.kind, m.text) for m in window.studio.notifications.messages] == [
        ("info", f"mine.c is saved in {tmp_path}.")
    ]
    # reports have a sheet of their own
    window.actions_.by_id["export_report"].trigger()
    assert window.exports is not None and window.exports.key == "report"
    window.exports.leave()


def test_a_place_that_cannot_be_written_is_a_sentence_over_the_scene(window, qtbot, tmp_path):
    window.studio.questions.exports.request(
        "text", "lagrange", "mm-N-deg", tmp_path / "none" / "x.txt"
    )
    wait(window, qtbot)
    assert "could not be saved because the folder" in window.banners.shown[-1].text.text()


def test_cancel_in_the_banner_ends_the_export(window, qtbot, tmp_path):
    exports = window.studio.questions.exports
    exports.request("report-html", "lagrange", "mm-N-deg", tmp_path / "x.html")
    job = next(iter(exports.channel.under_way.values()))
    job.since -= 2.0
    qtbot.waitUntil(lambda: bool(window.banners.shown))
    button = window.banners.shown[-1].findChild(QtWidgets.QPushButton)
    assert button.text() == "Cancel"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (
        not exports.is_working
        and not window.studio.notifications.messages
        and not (tmp_path / "x.html").exists()
    )


def test_an_empty_drawing_has_nothing_to_export(empty):
    for id in ("export_equations", "export_report"):
        assert not empty.actions_.by_id[id].isEnabled()
