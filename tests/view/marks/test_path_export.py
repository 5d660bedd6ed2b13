"""Trails and curves in the real window: from the menu of the right button and from the list of
what is shown into files.
"""

import numpy as np
from PySide6 import QtCore, QtWidgets

from mechstudio.application.marks.places import body_point, positions
from mechstudio.model.edits.marks import Place
from tests.application.marks.test_path_files import dxf_polylines, of_csv
from tests.view.hands import click_in_tree, press
from tests.view.marks.test_trails import run

Qt = QtCore.Qt


def written(window, qtbot, path):
    exporter = window.shown_button.exporter
    assert exporter.dialog is not None and exporter.dialog.isVisible()
    with qtbot.waitSignal(exporter.finished, timeout=20_000):
        name = exporter.dialog.findChild(QtWidgets.QLineEdit)
        name.setText(str(path))
        exporter.dialog.accept()
    assert path.is_file(), [m.text for m in window.studio.notifications.messages]
    return path.read_bytes()


def test_paths_are_exported_from_the_menus_into_a_table_and_a_drawing(
    solved_four_bar, qtbot, tmp_path
):
    window = solved_four_bar
    studio = window.studio
    assert not window.actions_.by_id["export_paths"].isEnabled()
    run(window, qtbot)
    click_in_tree(window, "coupler")
    window.viewport.setFocus()
    press(window, Qt.Key.Key_T)
    window._show_menu(window.viewport.mapToGlobal(QtCore.QPoint(300, 300)), "coupler")
    entry = window.actions_.by_id["export_paths"]
    assert entry in window.menu.actions() and entry.isEnabled()
    qtbot.mouseClick(
        window.menu, Qt.MouseButton.LeftButton, pos=window.menu.actionGeometry(entry).center()
    )
    head, numbers = of_csv(written(window, qtbot, tmp_path / "path.csv"))
    m, recording = studio.document.project.mechanism, studio.runs.recording
    places = positions(recording.layout, recording.rows, body_point(m, Place("coupler", "P")))
    first = head.index("P of coupler, x [mm]")
    assert np.abs(numbers[:, first : first + 3] - 1e3 * places).max() < 1e-9
    assert studio.notifications.messages[-1].text == f"path.csv is saved in {tmp_path}."
    # from the row of the trail in the list
    qtbot.mouseClick(window.shown_button.button, Qt.MouseButton.LeftButton)
    card = window.shown_button.card
    row = next(line for key, line in card._trails.items() if key[0] == Place("coupler", "P"))
    menu = row.findChild(QtWidgets.QToolButton).menu()
    menu.popup(window.mapToGlobal(QtCore.QPoint(400, 300)))
    entry = next(a for a in menu.actions() if a.text() == "Export…")
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    qtbot.waitUntil(lambda: card.isHidden())
    ((flags, _, points),) = dxf_polylines(written(window, qtbot, tmp_path / "path.dxf").decode())
    assert flags == 0 and np.abs(points[:, :2] - 1e3 * places[:, [0, 2]]).max() < 1e-9
    # requests made before a drawing is changed are refused in words
    studio.notifications.messages = []
    window.shown_button.exporter.save(studio.document.project.marks, tmp_path / "path.docx")
    assert "no format .docx" in studio.notifications.messages[-1].text
