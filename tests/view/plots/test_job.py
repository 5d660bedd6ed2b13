"""An engineer's whole job from an empty window, by real events and the real solver: draw a
four-bar, drive it, run it, see the torque of the drive, read its peak, take table and picture home.
"""

import csv

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.model.types.analyses import Options
from mechstudio.view.idle_tasks import turns
from tests.application.marks.test_path_files import of_csv
from tests.view.drawing.test_building import draw, run
from tests.view.drawing.test_drawing import hand  # noqa: F401
from tests.view.hands import click_in_tree, type_into

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


def driven_four_bar(hand, second=(0.3, 0.22)):
    """A four-bar drawn by hand, its first pin driven at 30 rpm; the drive."""
    window, studio = hand.window, hand.window.studio
    draw(hand, (0.0, 0.0), (0.0, 0.13), second, (0.36, 0.0))
    mechanism = studio.document.project.mechanism
    assert len(mechanism.bodies) == 3 and len(mechanism.joints) == 4
    # M drives the first pin, with a number typed in the inspector
    pin = next(id for id, j in mechanism.joints.items() if j.frame_a.body == "ground")
    click_in_tree(window, pin)
    hand.view.setFocus()
    hand.key(Qt.Key.Key_M)
    (drive,) = studio.document.project.mechanism.drives.values()
    type_into(window.docks.inspector.number(("law", "parameters", "value")), "30 rpm")
    return drive


def torque_pane(window, drive):
    """A new pane with the torque of a drive, by the list of quantities."""
    panel = window.docks.plots_panel
    QtTest.QTest.mouseClick(panel.bar.add, LEFT)
    turns().finish()
    pane = list(panel.panes.values())[-1]
    QtTest.QTest.mouseClick(pane.plus, LEFT)
    QtTest.QTest.keyClicks(panel.chooser.search, f"torque of {drive.name}")
    QtTest.QTest.keyClick(panel.chooser.search, Qt.Key.Key_Return)
    QtTest.QTest.keyClick(panel.chooser.search, Qt.Key.Key_Escape)
    turns().finish()
    return pane


def torque_of(project, drive, recording):
    """Torque of a drive at the times of an analysis [N m], as the engine finds it."""
    step = max(project.settings.sample_step.value, recording.end / 400)
    options = Options(duration=recording.end, sample_step=step)
    table = analyse_as(project, "inverse", options)
    column = next(c for c in table.columns if c.startswith(drive.name) and "power" not in c)
    return table.rows[:, table.columns.index(column)]


def test_job_from_an_empty_window_to_torque_in_a_report(hand, qtbot, tmp_path):
    window, studio = hand.window, hand.window.studio
    drive = driven_four_bar(hand)
    recording = run(hand, qtbot)
    studio.runs.playback.pause()
    window.resize(1920, 1080)
    window.set_workspace("analyse")
    turns().finish()
    panel, pane = window.docks.plots_panel, torque_pane(window, drive)
    (curve,) = pane.pane.curves
    assert curve.label == f"Torque of {drive.name}" and pane.pane.units == ("N·m", "")
    key = curve.key
    qtbot.waitUntil(lambda: key in studio.questions.curves.answers, timeout=240_000)
    # what is shown is what the engine says
    requested = torque_of(studio.document.project, drive, recording)
    pane.follow()
    (trace,) = [t for t in pane.area.drawn if not t.run]
    assert trace.values == pytest.approx(requested, rel=1e-6, abs=1e-9 * np.abs(requested).max())
    # read a peak: a click on its time brings the cursor there
    studio.plots.activate(pane.pane.id)
    QtTest.QTest.mouseClick(panel.bar.statistics, LEFT)
    qtbot.wait(50)
    panel.numbers.refresh()
    peaks = panel.numbers.peaks
    assert peaks.rowCount() > 0
    place = peaks.visualItemRect(peaks.item(0, 2)).center()
    QtTest.QTest.mouseClick(peaks.viewport(), LEFT, pos=place)
    time = float(peaks.item(0, 2).text().removesuffix(" s"))
    assert studio.runs.playback.time == pytest.approx(time, abs=1e-3)
    # take it home
    exporter, shown = panel.exporter, [panel.shown(pane.pane.id)]
    for name in ("torque.csv", "torque.png"):
        exporter.ask(shown, (f".{name[-3:]}",))
        with qtbot.waitSignal(exporter.finished, timeout=120_000):
            exporter.dialog.fileSelected.emit(str(tmp_path / name))
        exporter.dialog.reject()
        qtbot.wait(20)
    rows = list(csv.reader((tmp_path / "torque.csv").read_text("utf-8").splitlines()))
    assert rows[0] == ["time [s]", f"Torque of {drive.name} [N·m]"]
    numbers = np.array(rows[1:], float)
    assert numbers[:, 1] == pytest.approx(requested, rel=1e-6, abs=1e-9 * np.abs(requested).max())
    assert QtGui.QImage(str(tmp_path / "torque.png")).width() == 1920
    studio.plots.set_statistics(False)
    window.resize(1280, 800)
    window.set_workspace("build")


@pytest.mark.slow
def test_the_torque_of_three_crank_lengths_side_by_side(hand, qtbot):
    """Three lengths are typed and run, two runs are ticked, and all three torques lie in one pane,
    each as the engine finds it for its drawing.
    """
    window, studio = hand.window, hand.window.studio
    studio.runs.kept.restore(())
    drive = driven_four_bar(hand)
    crank = next(iter(studio.document.project.mechanism.bodies))
    torques = {}
    for length in ("130 mm", "110 mm", "90 mm"):
        click_in_tree(window, crank)
        type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "length")), length)
        recording = run(hand, qtbot)
        studio.runs.playback.pause()
        torques[length] = torque_of(studio.document.project, drive, recording)
    window.resize(1920, 1080)
    window.set_workspace("analyse")
    turns().finish()
    pane = torque_pane(window, drive)
    runs = studio.runs.kept.runs
    assert len(runs) == 3 and all("length" in r.note.lower() for r in runs[1:]), [
        r.note for r in runs
    ]
    listed = window.docks.runs.list
    for k in (1, 2):
        place = listed._row.tick_of(listed.visualItemRect(listed.item(k))).center()
        QtTest.QTest.mouseClick(listed.viewport(), LEFT, pos=place)
    assert [r.ticked for r in runs] == [True, True, False]

    def shown():
        pane.follow()
        return [t for t in pane.area.drawn if len(t.values)]

    qtbot.waitUntil(lambda: len(shown()) == 3, timeout=240_000)
    for trace, length in zip(shown(), ("90 mm", "130 mm", "110 mm"), strict=True):
        requested = torques[length]
        assert trace.values == pytest.approx(
            requested, rel=1e-6, abs=1e-9 * np.abs(requested).max()
        )
    assert len({(t.color, t.dash) for t in shown()}) == 3, "each run has a look of its own"
    peaks = [np.abs(torques[length]).max() for length in ("130 mm", "110 mm", "90 mm")]
    assert peaks == sorted(peaks, reverse=True) and peaks[0] > 1.2 * peaks[2]
    studio.runs.kept.restore(())
    window.resize(1280, 800)
    window.set_workspace("build")


@pytest.mark.slow
def test_a_coupler_curve_without_a_run_goes_home_as_a_table(hand, qtbot, tmp_path):
    """Curve of the coupler's centre over a whole turn, on both branches, as the closed form has
    it.
    """
    window, studio = hand.window, hand.window.studio
    driven_four_bar(hand)
    coupler = list(studio.document.project.mechanism.bodies)[1]
    click_in_tree(window, coupler)
    hand.view.setFocus()
    hand.key(Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    found = studio.marks.whole_turns
    qtbot.waitUntil(lambda: found.result is not None, timeout=120_000)
    qtbot.waitUntil(lambda: len(window.viewport.look.paths) >= 2)
    assert studio.runs.recording is None, "nothing was run"
    window.shown_button.exporter.ask(studio.document.project.marks)
    path = tmp_path / "coupler.csv"
    exporter = window.shown_button.exporter
    with qtbot.waitSignal(exporter.finished, timeout=20_000):
        exporter.dialog.fileSelected.emit(str(path))
    exporter.dialog.reject()
    head, numbers = of_csv(path.read_bytes())
    m = studio.document.project.mechanism
    places = [np.array(m.frame_in_world(j.frame_a)[0])[[0, 2]] * 1e3 for j in m.joints.values()]
    ends = sorted(places, key=lambda at: at[0])  # A and B stand above each other, then C, D
    A, B, C, D = *sorted(ends[:2], key=lambda at: at[1]), *ends[2:]
    apart = lambda p, q: np.hypot(*(p - q))
    # on both branches the centre of the coupler halves the way from the crank's end b to the
    # rocker's end c, both as far from their neighbours as drawn
    for first in (0, head.index("link 2, branch 2, input A [deg]")):
        a, x, _, z = numbers[np.isfinite(numbers[:, first]), first : first + 4].T
        assert np.ptp(a) == pytest.approx(360.0, abs=1e-6)
        turn = np.radians(a)
        b = A[:, None] + apart(A, B) * np.stack([np.cos(turn), np.sin(turn)])
        c = 2 * np.stack([x, z]) - b
        assert apart(c, b) == pytest.approx(apart(C, B), rel=1e-6)
        assert apart(c, D[:, None]) == pytest.approx(apart(C, D), rel=1e-6)
