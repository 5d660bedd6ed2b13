"""Measured data over curves by real clicks: a run's own export, late by a known time and with known
noise, gives both back.
"""

import csv
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6 import QtCore, QtGui, QtTest, QtWidgets

from mechstudio.application.plots import measurements
from mechstudio.application.plots.measurements import comparison, of_pane
from mechstudio.files.project_file import decode, encode
from mechstudio.view.dialogs.measured_data import DataSheet
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.dialogs.time_fit import TimeFit
from tests.view.files import named
from tests.view.plots.test_measuring import panel, settle  # noqa: F401

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton
LATE, NOISE = 0.1, 0.5  # [s], [deg]


@pytest.fixture
def data(panel, tmp_path):
    """A file as a sensor with a late clock saw the run, and the RMS of its noise [deg]."""
    window = panel.window()
    recording = window.studio.runs.recording
    angle = recording.rows[:, recording.channels["joint/A/0"].columns[0]]
    noise = NOISE * np.random.default_rng(3).standard_normal(len(angle))
    path = tmp_path / "bench.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["time [ms]", "A angle [deg]", "probe [deg]", "A angle 2 [kg]"])
        for t, a in zip(recording.time + LATE, np.degrees(angle) + noise, strict=True):
            out.writerow([1e3 * t, a, -a, 1.0])
    inner = noise[(recording.time > 0.2) & (recording.time < recording.end - 0.2)]
    return path, float(np.sqrt(np.mean(inner**2)))


def sheet_of(window, qtbot):
    sheet = next(s for s in window.findChildren(DataSheet) if s.isVisible())
    qtbot.waitUntil(lambda: not sheet._poll.isActive(), timeout=10_000)
    QtWidgets.QApplication.processEvents()
    return sheet


def lay(window, qtbot, sheet):
    QtTest.QTest.mouseClick(sheet.lay, LEFT)
    qtbot.waitUntil(lambda: not window.findChildren(Sheet), timeout=30_000)


@pytest.mark.slow
def test_a_late_and_noisy_export_gives_shift_and_rms_back(window, panel, data, qtbot):
    path, rms = data
    studio = window.studio
    window.actions_.trigger("measured_data")
    named(window, qtbot, path)
    qtbot.waitUntil(lambda: bool(window.findChildren(DataSheet)))
    sheet = sheet_of(window, qtbot)
    # what is called as a quantity is it; the others say that they are none
    assert sheet.chosen == ["", "joint/A/0", "", ""] and sheet.lay.isEnabled()
    assert not sheet.notes[1].isVisible() and "No quantity" in sheet.notes[2].text()
    sheet.choices[2].choose("joint/D/0")
    assert not sheet.notes[2].text()
    assert "joint/A/0" not in sheet.choices[3].keys()
    lay(window, qtbot, sheet)
    settle(panel, qtbot)
    # over the curve that is there, and over one that was made for the other column
    project = studio.document.project
    first, second = project.measurements
    assert [m.channel for m in project.measurements] == ["joint/A/0", "joint/D/0"]
    laid = {m.id for p in panel.panes.values() for m, _ in of_pane(p.pane, project)}
    assert laid == {first.id, second.id}
    # the other column is not of this run, and the clock is common: without it the shift is right
    window.actions_.trigger("undo")
    assert not studio.document.project.measurements
    drop(window, panel, path)
    sheet = sheet_of(window, qtbot)
    lay(window, qtbot, sheet)
    settle(panel, qtbot)
    (first,) = studio.document.project.measurements
    assert first.shift == pytest.approx(-LATE, abs=3e-3)
    found = comparison(first, studio.document.project, studio.runs.recording, {})
    assert np.degrees(found.rms) == pytest.approx(rms, rel=0.1)
    # a run under way is not compared at each of its samples
    under_way = SimpleNamespace(finished=False)
    words = comparison(first, studio.document.project, under_way, {})
    assert words == "The run is not over yet."
    unknown = replace(first, channel="measured/reactions/joint/A/Fx")
    words = comparison(unknown, studio.document.project, studio.runs.recording, {})
    assert words == "Its curve is not found yet."
    pane = next(iter(panel.panes.values()))
    (trace,) = [t for t in pane.area.drawn if t.points]
    line = pane.area._lines[pane.area.drawn.index(trace)]
    assert line.opts["symbol"] == "o" and len(line.xData) > 50
    assert trace.word == "measured: A angle" and trace.key in [e.key for e in pane.legend.entries]
    note = pane.foot.note.text()
    assert pane.foot.isVisible() and "RMS" in note and "deg at" in note and "moved by −0.1" in note
    # a table has the measured values beside the run's, at their instants by its clock
    column = panel.exporter.table([panel.shown(pane.pane.id)])[-1]
    assert column.name == "A angle (measured: A angle)" and column.unit == "deg"
    assert np.nanstd(column.values) == pytest.approx(np.nanstd(trace.values))
    # the run less the data is a curve of its own
    menu_of(pane, trace.key)["Show the difference"].trigger()
    (apart,) = [t for t in pane.area.drawn if t.key.startswith("difference/")]
    assert apart.values == pytest.approx(np.degrees(found.residual.values))
    assert float(np.sqrt(np.mean(apart.values**2))) == pytest.approx(rms, rel=0.1)
    assert menu_of(pane, apart.key)["Show the difference"].isChecked()
    menu_of(pane, apart.key)["Show the difference"].trigger()
    assert not [t for t in pane.area.drawn if t.key.startswith("difference/")]
    # saved with the project, whatever happens to the file
    path.unlink()
    loaded = decode(encode(studio.document.project))
    assert not loaded.findings and loaded.project.measurements == (first,)
    # the menu of the legend: the clock of the file, the fit again, and away
    menu_of(pane, trace.key)["Time as in the file"].trigger()
    settle(panel, qtbot)
    assert studio.document.project.measurements[0].shift == 0
    assert next(t for t in pane.area.drawn if t.points).time[0] == pytest.approx(LATE)
    menu_of(pane, trace.key)["Fit the time to the run"].trigger()
    qtbot.waitUntil(lambda: not pane.findChildren(TimeFit), timeout=30_000)
    assert studio.document.project.measurements[0].shift == first.shift
    pane.toggle(trace.key)
    menu_of(pane, trace.key)["Remove measured data"].trigger()
    settle(panel, qtbot)
    # data that come later are not hidden because these were
    assert trace.key not in pane.hidden
    assert not studio.document.project.measurements and not pane.foot.isVisible()
    assert not [t for t in pane.area.drawn if t.points]
    assert all(line.opts["symbol"] is None or line.xData is None for line in pane.area._lines)
    window.actions_.trigger("undo")
    assert studio.document.project.measurements == (first,)
    for _ in range(3):
        window.actions_.trigger("undo")
    settle(panel, qtbot)


def menu_of(pane, key):
    """Actions of the menu that the right button opens on a word of the legend, by their words."""
    place = pane.legend.place_of(key)
    QtTest.QTest.mouseClick(pane.legend, Qt.MouseButton.RightButton, pos=place)
    actions = {a.text(): a for a in pane.styles.actions()}
    pane.styles.close()
    return actions


def drop(window, panel, path):
    mime = QtCore.QMimeData()
    mime.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    pane = next(iter(panel.panes.values()))
    place = QtCore.QPointF(pane.mapTo(panel, pane.rect().center()))
    for kind in (QtGui.QDragEnterEvent, QtGui.QDropEvent):
        at = place.toPoint() if kind is QtGui.QDragEnterEvent else place
        event = kind(at, Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier)
        QtWidgets.QApplication.sendEvent(panel, event)
        assert event.isAccepted()


def test_unusable_measured_data_gives_the_reason(window, panel, qtbot, tmp_path):
    path = tmp_path / "bad.csv"
    for text, words in (
        ("time [s],A angle [deg]\n0,1\n1,high\n2,3\n", "Line 3: high of A angle"),
        ("stamp,A angle [deg]\n0,1\n1,2\n2,3\n", "Choose the column of the time"),
        ("time [kg],A angle [deg]\n0,1\n1,2\n2,3\n", "is not in a unit of time"),
        ("time [s],x\n0,1\n1,2\n2,3\n", "no column is a quantity"),
    ):
        path.write_text(text)
        drop(window, panel, path)
        sheet = sheet_of(window, qtbot)
        assert words in sheet.words.text() and not sheet.lay.isEnabled()
        QtTest.QTest.keyClick(sheet, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not window.findChildren(Sheet))


def test_long_columns_are_thinned_and_that_is_reported(window, panel, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(measurements, "MOST", 40)
    path = tmp_path / "long.csv"
    rows = "".join(f"{0.01 * k},{k}\n" for k in range(100))
    path.write_text("time [s],A angle\n" + rows)
    drop(window, panel, path)
    sheet = sheet_of(window, qtbot)
    assert "one of 3 is kept" in sheet.words.text() and "read in rad" in sheet.notes[1].text()
    QtTest.QTest.mouseClick(sheet.clock.button("file"), LEFT)
    lay(window, qtbot, sheet)
    (data,) = window.studio.document.project.measurements
    assert len(data.times) == 8 * 34 and data.shift == 0
    window.actions_.trigger("undo")
    settle(panel, qtbot)
