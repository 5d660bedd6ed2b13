"""Curves taken home by real clicks: files are read back and compared with the run's own numbers."""

import csv

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.view.idle_tasks import turns
from tests.view.plots.test_measuring import panel, settle  # noqa: F401

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def choose_file(panel, qtbot, tmp_path):
    """choose(name): give the open dialog a file and wait until it is written."""

    def choose(name):
        path = tmp_path / name
        dialog = panel.exporter.dialog
        assert dialog.isVisible() and dialog.selectedFiles()[0].endswith(path.suffix)
        with qtbot.waitSignal(panel.exporter.finished, timeout=60_000):
            dialog.fileSelected.emit(str(path))
            dialog.reject()
        qtbot.wait(20)
        return path

    choose.path = tmp_path
    return choose


def rows_of(path):
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    return rows[0], np.array([[float(c) if c else np.nan for c in row] for row in rows[1:]])


def test_all_panes_as_csv_have_names_units_and_every_number(window, panel, choose_file):
    QtTest.QTest.mouseClick(panel.bar.exports[".csv"], LEFT)
    heads, numbers = rows_of(choose_file("all.csv"))
    assert heads[:3] == ["time [s]", "A angle [deg]", "Kinetic energy [J]"]
    recording = window.studio.runs.recording
    assert np.array_equal(numbers[:, 0], recording.time)
    angle = recording.rows[:, recording.channels["joint/A/0"].columns[0]]
    assert numbers[:, 1] == pytest.approx(np.degrees(angle), abs=1e-12)
    kinetic = recording.rows[:, recording.channels["energy/kinetic"].columns[0]]
    assert np.array_equal(numbers[:, 2], kinetic)
    # what is hidden is not shown, and not exported
    assert not any("balance" in head for head in heads)


def item(panel, words):
    return next(a for a in panel.menu.actions() if a.text().startswith(words))


@pytest.mark.slow
def test_a_pane_goes_into_a_picture_and_the_clipboard(window, panel, choose_file, qtbot):
    pane = panel.panes["plot_2"]
    QtTest.QTest.mouseClick(pane.more, LEFT)
    item(panel, "Export picture").trigger()
    panel.menu.close()
    path = choose_file("energy.png")
    image = QtGui.QImage(str(path))
    assert (image.width(), image.height()) == (2 * 960, 2 * 540)
    # the curve's own colour is there
    color = QtGui.QColor(window.theme.body(pane.area.drawn[0].color))
    near = lambda c: abs(c.red() - color.red()) + abs(c.green() - color.green()) < 24
    pixels = [image.pixelColor(x, y) for x in range(0, 1920, 3) for y in range(0, 1080, 3)]
    assert sum(near(c) and abs(c.blue() - color.blue()) < 24 for c in pixels) > 100
    panel.exporter.paper = True
    with qtbot.waitSignal(panel.exporter.finished, timeout=60_000):
        panel.exporter.save([panel.shown("plot_2")], path.with_suffix(".svg"))
    panel.exporter.paper = False
    text = path.with_suffix(".svg").read_text("utf-8")
    assert "<svg" in text and "kinetic" in text and ">J<" in text.replace("\n", "")
    QtTest.QTest.mouseClick(pane.more, LEFT)
    item(panel, "Copy picture").trigger()
    panel.menu.close()
    assert QtGui.QGuiApplication.clipboard().pixmap().width() == pane.width()
    pane.area.setFocus()
    QtTest.QTest.keyClick(pane.area, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QtGui.QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:2] == ["time [s]", "Kinetic energy [J]"]
    assert float(lines[1].split("\t")[1]) == 1.0 and len(lines) == len(pane.area.drawn[0].time) + 1


@pytest.mark.slow
def test_the_menu_splits_closes_and_takes_powers_of_ten(window, panel, qtbot):
    studio = window.studio
    view = panel.panes["plot_2"].area.viewport()
    QtTest.QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=QtCore.QPoint(80, 60))
    item(panel, "Split below").trigger()
    panel.menu.close()
    turns().finish()
    (new,) = set(panel.panes) - {"plot_1", "plot_2", "plot_3"}
    assert studio.document.undo_label == "New pane"
    QtTest.QTest.mouseClick(panel.panes[new].more, LEFT)
    item(panel, "Close").trigger()
    panel.menu.close()
    turns().finish()
    assert new not in panel.panes
    QtTest.QTest.mouseClick(panel.panes["plot_1"].more, LEFT)
    item(panel, "Powers of ten").trigger()
    panel.menu.close()
    assert any("A angle is signed" in m.text for m in studio.notifications.messages)
    for _ in range(2):
        window.actions_.trigger("undo")
    settle(panel, qtbot)
