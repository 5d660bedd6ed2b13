"""Colour, dash and width of a curve from the menu of its legend entry, by real clicks, and words on
how a computed curve is found.
"""

import numpy as np
import pytest
from PySide6 import QtGui, QtTest

from mechstudio.application.plots.panes import shown_plots
from mechstudio.curves.operations import key_of
from mechstudio.files.project_file import load, save
from mechstudio.model.project import CurveStyle
from mechstudio.view.idle_tasks import turns
from tests.view.plots.test_computed_curves import chosen
from tests.view.plots.test_measuring import LEFT, panel, settle  # noqa: F401
from tests.view.plots.test_taking_home import choose_file  # noqa: F401

RIGHT = LEFT.__class__.RightButton


def style(panel, qtbot, pane, key, *words):
    QtTest.QTest.mouseClick(pane.legend, RIGHT, pos=pane.legend.place_of(key))
    chosen(pane.styles, *words).trigger()
    pane.styles.close()
    turns().finish()
    settle(panel, qtbot)


@pytest.mark.slow
def test_a_curve_takes_colour_dash_and_width_and_gives_them_back(window, panel, qtbot, tmp_path):
    studio, pane = window.studio, panel.panes["plot_2"]
    key = "energy/kinetic"
    before = studio.document.project
    style(panel, qtbot, pane, key, "Colour", "Olive")
    style(panel, qtbot, pane, key, "Line", "Dots")
    style(panel, qtbot, pane, key, "Width", "4 px")
    trace = next(t for t in pane.area.drawn if t.key == key)
    assert (trace.color, trace.dash, trace.curve.width) == (6, 2, 4.0)
    pen = pane.area._pen(trace)
    assert pen.widthF() == 4.0 and QtGui.QColor(window.theme.body(6)).rgb() == pen.color().rgb()
    entry = next(e for e in pane.legend.entries if e.key == key)
    assert entry.color == window.theme.body(6) and entry.dash == 2
    assert studio.document.undo_label == "Look of Kinetic energy"
    # other curves keep theirs, the file keeps it, and undo takes it back
    plots = shown_plots(studio.document.project)
    assert plots[1].styles == {key: CurveStyle(6, 2, 4.0)} and not plots[0].styles
    save(tmp_path / "s.mech", studio.document.project)
    assert load(tmp_path / "s.mech").project.plots == studio.document.project.plots
    style(panel, qtbot, pane, key, "As it was at first")
    assert shown_plots(studio.document.project)[1].styles == {}
    for _ in range(4):
        studio.document.undo()
    assert studio.document.project == before


def test_a_computed_curve_states_how_it_is_found(window, panel, qtbot):
    pane = panel.panes["plot_1"]
    mean = key_of("moving_mean", key_of("derivative", "joint/A/0"), 0.05)
    pane.take([mean])
    turns().finish()
    settle(panel, qtbot)
    entry = next(e for e in pane.legend.entries if e.key == mean)
    assert "differences over five samples" in entry.tip
    assert "Over 0.05 s around each instant" in entry.tip


def test_all_panes_become_arrays_and_one_pdf(window, panel, qtbot, choose_file):
    QtTest.QTest.mouseClick(panel.panes["plot_1"].more, LEFT)
    chosen(panel.menu, "All panes", "Export table…").trigger()
    panel.menu.close()
    panel.exporter.dialog.selectFile("all.npz")
    path = choose_file.path / "all.npz"
    with qtbot.waitSignal(panel.exporter.finished, timeout=60_000):
        panel.exporter.dialog.fileSelected.emit(str(path))
        panel.exporter.dialog.reject()
    arrays = np.load(path)
    recording = window.studio.runs.recording
    assert np.array_equal(arrays["time"], recording.time)
    assert {"A angle", "Kinetic energy"} <= set(arrays["names"].tolist())
    QtTest.QTest.mouseClick(panel.panes["plot_1"].more, LEFT)
    chosen(panel.menu, "All panes", "Export picture…").trigger()
    panel.menu.close()
    with qtbot.waitSignal(panel.exporter.finished, timeout=60_000):
        panel.exporter.dialog.fileSelected.emit(str(choose_file.path / "all.pdf"))
        panel.exporter.dialog.reject()
    assert (choose_file.path / "all.pdf").read_bytes().startswith(b"%PDF")
    assert pytest.approx(recording.time[-1]) == arrays["time"][-1]
